/* gst-cca: brings an image in host memory to the device
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "cuda/frame.h"
#include "cca/memory.h"
#include "cca/params.h"

#include <string.h>

/* Bytes of a stripe: the device fetches one stripe of memory that is not pinned while the host copies the next. */
#define STRIPE_BYTES (512u << 10)

/* A plane of an image in host memory, and its rows in the copies, which are packed. */
typedef struct
{
  const uint8_t *data;
  ptrdiff_t pitch;
  size_t row; /* bytes */
  uint32_t n_rows;
} Plane;

#define MAX_PLANES 3

static size_t
device_pitch (const Plane *plane)
{
  return cca_align (plane->row);
}

/* Lists the planes of chroma: one if its rows interleave U and V, else two. Returns their number. */
static uint32_t
list_chroma (const CcaImage *input, Plane *planes)
{
  const CcaChroma *chroma = &input->chroma;
  const uint8_t *const u = chroma->u, *const v = chroma->v;
  const size_t n_samples = (input->width + chroma->shift_x) >> chroma->shift_x;
  const bool alternate = chroma->step == 2 && (v == u + 1 || u == v + 1);
  const Plane plane = {
    .pitch = chroma->pitch,
    .row = alternate ? 2 * n_samples : (n_samples - 1) * chroma->step + 1,
    .n_rows = (input->height + chroma->shift_y) >> chroma->shift_y,
  };

  planes[0] = planes[1] = plane;
  planes[0].data = alternate && v < u ? v : u;
  planes[1].data = v;
  return alternate ? 1 : 2;
}

/* Lists the planes of an image that the plan reads. Returns their number. */
static uint32_t
list_planes (const CcaParams *params, const CcaImage *input, Plane planes[MAX_PLANES])
{
  planes[0] = (Plane) {
    .data = input->data,
    .pitch = input->pitch,
    .row = (size_t) input->width * cca_format_pixel_size (params->format),
    .n_rows = input->height,
  };
  return cca_params_read_chroma (params, input) ? 1 + list_chroma (input, planes + 1) : 1;
}

/* Returns whether the device can fetch a plane directly. */
static bool
is_pinned (const CcaCudaDevice *device, const Plane *plane)
{
  return cca_cuda_is_pinned (device, plane->data, (size_t) plane->pitch * (plane->n_rows - 1) + plane->row);
}

/* Reserves the frame's pinned memory, whose size may change with the format. */
static CcaStatus
reserve_staging (const CcaCudaDevice *device, CcaCudaFrame *frame, size_t size)
{
  CcaStatus status;

  if (size <= frame->input_size)
    return CCA_OK;
  cca_cuda_free_pinned (device, frame->input);
  frame->input = NULL;
  frame->input_size = 0;
  status = cca_cuda_alloc_pinned (device, size, (void **) &frame->input);
  if (status == CCA_OK)
    frame->input_size = size;
  return status;
}

/* Copies a plane to packed rows in pinned memory, and from there to the device. */
static CcaStatus
copy_through (const CcaCudaDevice *device, CUstream stream, const Plane *plane, uint8_t *staging, uint8_t *to)
{
  const uint32_t most = (uint32_t) (STRIPE_BYTES / plane->row) + 1;
  CcaStatus status = CCA_OK;

  for (uint32_t y = 0, n; y < plane->n_rows && status == CCA_OK; y += n) {
    uint8_t *const stripe = staging + y * plane->row;

    n = plane->n_rows - y < most ? plane->n_rows - y : most;
    for (uint32_t i = 0; i < n; i++)
      memcpy (stripe + i * plane->row, plane->data + (ptrdiff_t) (y + i) * plane->pitch, plane->row);
    status = cca_cuda_copy_up (device, stream, to + y * device_pitch (plane), device_pitch (plane), stripe, plane->row,
                               plane->row, n);
  }
  return status;
}

static CcaStatus
copy (const CcaCudaDevice *device, CcaCudaFrame *frame, const Plane *planes, uint32_t n, uint8_t *to)
{
  size_t size = 0, done = 0;
  bool pinned = true;
  CcaStatus status = CCA_OK;

  for (uint32_t i = 0; i < n; i++) {
    size += planes[i].row * planes[i].n_rows;
    pinned = pinned && is_pinned (device, &planes[i]);
  }
  if (!pinned)
    status = reserve_staging (device, frame, size);
  for (uint32_t i = 0; i < n && status == CCA_OK; i++) {
    const Plane *plane = &planes[i];

    if (pinned)
      status = cca_cuda_copy_up (device, frame->stream, to, device_pitch (plane), plane->data, (size_t) plane->pitch,
                                 plane->row, plane->n_rows);
    else
      status = copy_through (device, frame->stream, plane, frame->input + done, to);
    to += device_pitch (plane) * plane->n_rows;
    done += plane->row * plane->n_rows;
  }
  return status;
}

/* Points *input at the copies of its planes. */
static void
move_image (CcaImage *input, const Plane *planes, uint32_t n, uint8_t *to)
{
  const uint8_t *const u = input->chroma.u, *const v = input->chroma.v;
  uint8_t *const chroma = to + device_pitch (&planes[0]) * planes[0].n_rows;

  input->data = to;
  input->pitch = (ptrdiff_t) device_pitch (&planes[0]);
  input->memory = CCA_MEMORY_DEVICE;
  if (n == 1)
    return;
  input->chroma.u = n == 2 && v < u ? chroma + 1 : chroma;
  input->chroma.v = n == 3 ? chroma + device_pitch (&planes[1]) * planes[1].n_rows : v < u ? chroma : chroma + 1;
  input->chroma.pitch = (ptrdiff_t) device_pitch (&planes[1]);
}

CcaStatus
cca_cuda_upload (CcaPlan *plan, CcaCudaFrame *frame, CcaImage *input, bool again)
{
  const CcaCudaPlan *self = plan->state;
  Plane planes[MAX_PLANES];
  uint32_t n;
  size_t size = 0;
  CcaStatus status = CCA_OK;

  if (input->memory == CCA_MEMORY_DEVICE)
    return CCA_OK;
  n = list_planes (&frame->params, input, planes);
  for (uint32_t i = 0; i < n; i++)
    size += device_pitch (&planes[i]) * planes[i].n_rows;
  status = cca_cuda_plan_reserve_input (plan, size);
  if (status == CCA_OK && !again)
    status = copy (cca_cuda_device_of (plan), frame, planes, n, self->input);
  if (status == CCA_OK)
    move_image (input, planes, n, self->input);
  return status;
}
