/* gst-cca: all 2^20 images of 4x5 pixels
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * All of them as cells of large frames, apart by a row and a column of background, and a part of them one by one.
 */
#include <glib.h>
#include <stdlib.h>
#include <string.h>

#include "cases.h"
#include "compare.h"
#include "device.h"

#define CELL_WIDTH 4u
#define CELL_HEIGHT 5u
#define CELL_PIXELS (CELL_WIDTH * CELL_HEIGHT)
#define N_IMAGES (1u << CELL_PIXELS)

/* Cells in a row and in a column of a frame. */
#define CELLS 256u
#define FRAME_WIDTH (CELLS * (CELL_WIDTH + 1))
#define FRAME_HEIGHT (CELLS * (CELL_HEIGHT + 1))
#define N_FRAMES (N_IMAGES / (CELLS * CELLS))

static void
draw_cell (uint32_t image, uint8_t *pixels, size_t pitch)
{
  for (uint32_t i = 0; i < CELL_PIXELS; i++)
    pixels[i / CELL_WIDTH * pitch + i % CELL_WIDTH] = (image >> i & 1) ? 255 : 0;
}

static size_t
cell_start (uint32_t cell)
{
  return (size_t) (cell / CELLS) * (CELL_HEIGHT + 1) * FRAME_WIDTH + cell % CELLS * (CELL_WIDTH + 1);
}

/* Whether the frame's labels split a cell into the same components as labels of the cell alone: one to one. */
static bool
same_cell (const uint32_t *frame_labels, const OracleFrame *alone)
{
  uint32_t frame_label_of[CELL_PIXELS + 1] = { 0 };

  for (uint32_t i = 0; i < CELL_PIXELS; i++) {
    const uint32_t label = alone->labels[i], other = frame_labels[i / CELL_WIDTH * FRAME_WIDTH + i % CELL_WIDTH];

    if ((label == 0) != (other == 0))
      return false;
    if (label == 0)
      continue;
    if (frame_label_of[label] == 0) {
      for (uint32_t l = 1; l <= alone->n_components; l++)
        if (frame_label_of[l] == other)
          return false;
      frame_label_of[label] = other;
    }
    if (frame_label_of[label] != other)
      return false;
  }
  return true;
}

/* Cells do not touch, so a frame must have the components of its cells and no others. */
static bool
check_cells (const OracleFrame *frame, const OracleParams *params, uint32_t first_image)
{
  uint64_t n_components = 0;
  bool same = true;

  for (uint32_t cell = 0; cell < CELLS * CELLS && same; cell++) {
    uint8_t pixels[CELL_PIXELS];
    g_autoptr (OracleFrame) alone = NULL;

    draw_cell (first_image + cell, pixels, CELL_WIDTH);
    alone = oracle_run (params, NULL, pixels, CELL_WIDTH, CELL_HEIGHT);
    n_components += alone->n_components;
    same = same_cell (frame->labels + cell_start (cell), alone);
    if (!same)
      g_test_fail_printf ("image %05x has other components in a frame than alone", first_image + cell);
  }
  if (same && frame->n_components != n_components)
    g_test_fail_printf ("the frame has %u components, its cells %" G_GUINT64_FORMAT, frame->n_components, n_components);
  return same && frame->n_components == n_components;
}

typedef struct
{
  const uint8_t *pixels;
  const OracleFrame *expected;
  uint32_t connectivity, number;
} Frame;

/* Runs a frame on a target, with the target's thread counts in turn. */
static void
run_frame (const Target *target, void *data)
{
  const Frame *frame = data;
  const uint32_t *threads = target_threads (target);
  CcaParams params = target_params (target, frame->connectivity);
  uint32_t n_counts = 0;
  g_autoptr (CcaContext) context = NULL;
  g_autoptr (CcaPlan) plan = NULL;
  g_autoptr (CcaResult) result = NULL;

  if (target->backend == CCA_BACKEND_CUDA) {
    /* One half of the frames is in host memory, the other one in the device's. */
    if ((frame->number + frame->connectivity / 4) % 2 != (uint32_t) target->memory)
      return;
    device_keep ();
  }
  if (!compare_can (target->algorithm, &params, CCA_OUTPUT_LABELS_U32))
    return;
  if (!cca_isa_available (target->isa) || target_open (target, true, NULL, &context) != CCA_OK) {
    g_test_message ("without %s %s", target->algorithm->name, cca_isa_name (target->isa));
    return;
  }
  while (threads[n_counts])
    n_counts++;
  params.n_threads = threads[(frame->number + target->isa) % n_counts];
  params.stage_interval = frame->number % 2; /* a GPU takes frames that are timed another way */
  if (check_ok (cca_plan_new (context, FRAME_WIDTH, FRAME_HEIGHT, &params, CCA_OUTPUT_LABELS_U32, &plan), "plan")
      && check_ok (cca_result_new (plan, &result), "result"))
    check_same (compare_run (plan, result, CCA_OUTPUT_LABELS_U32, target_layout (target, frame->number), frame->pixels,
                             frame->expected),
                "%s, %s, %u threads", target->algorithm->name, cca_isa_name (target->isa), params.n_threads);
}

static void
test_frames (gconstpointer data)
{
  const uint32_t connectivity = GPOINTER_TO_UINT (data);
  g_autofree uint8_t *pixels = g_malloc0 ((size_t) FRAME_WIDTH * FRAME_HEIGHT);

  for (uint32_t number = 0; number < N_FRAMES && !g_test_failed (); number += FRAME_STRIDE) {
    const uint32_t first_image = number * CELLS * CELLS;
    CcaParams params;
    OracleParams oracle_params;
    g_autoptr (OracleFrame) expected = NULL;

    cca_params_init (&params);
    params.connectivity = connectivity;
    params.max_components = CCA_MAX_COMPONENTS;
    oracle_params = compare_oracle_params (&params);

    for (uint32_t cell = 0; cell < CELLS * CELLS; cell++)
      draw_cell (first_image + cell, pixels + cell_start (cell), FRAME_WIDTH);
    expected = oracle_run (&oracle_params, NULL, pixels, FRAME_WIDTH, FRAME_HEIGHT);
    if (check_cells (expected, &oracle_params, first_image)) {
      Frame frame = { pixels, expected, connectivity, number };
      targets_for_each (run_frame, &frame);
    }
  }
}

/* One image in STRIDE is run alone: odd, so that every pixel takes part. */
#define STRIDE 29u

static void
test_alone (CcaContext *context, const Target *target)
{
  static const uint32_t connectivities[] = { 4, 8 };

  for (size_t c = 0; c < G_N_ELEMENTS (connectivities); c++)
    for (const uint32_t *threads = target_threads (target); *threads; threads++)
      for (CcaOutput output = CCA_OUTPUT_NONE; output <= CCA_OUTPUT_MASK && !g_test_failed (); output++) {
        CcaParams params = target_params (target, connectivities[c]);
        const OracleParams oracle_params = compare_oracle_params (&params);
        const uint32_t slower = target->backend == CCA_BACKEND_CUDA ? 33 : *threads > 1 ? 9 : 1;
        const uint32_t stride = STRIDE * (CCA_OUTPUT_MASK + 1) * slower * FRAME_STRIDE;
        g_autoptr (CcaPlan) plan = NULL;
        g_autoptr (CcaResult) result = NULL;

        params.n_threads = *threads;
        if (!compare_can (target->algorithm, &params, output))
          continue;
        if (check_ok (cca_plan_new (context, CELL_WIDTH, CELL_HEIGHT, &params, output, &plan), "plan")
            && check_ok (cca_result_new (plan, &result), "result"))
          for (uint32_t image = output; image < N_IMAGES && !g_test_failed (); image += stride) {
            uint8_t pixels[CELL_PIXELS];
            g_autoptr (OracleFrame) expected = NULL;

            draw_cell (image, pixels, CELL_WIDTH);
            expected = oracle_run (&oracle_params, NULL, pixels, CELL_WIDTH, CELL_HEIGHT);
            check_same (compare_run (plan, result, output, target_layout (target, image), pixels, expected),
                        "image %05x, connectivity %u, %u threads", image, connectivities[c], *threads);
          }
      }
}

CASES_MAIN ()
{
  g_test_add_data_func ("/small/frames/4", GUINT_TO_POINTER (4), test_frames);
  g_test_add_data_func ("/small/frames/8", GUINT_TO_POINTER (8), test_frames);
  targets_add_image_test ("/small/alone", test_alone);
}
