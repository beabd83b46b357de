/* gst-cca: the foreground of a frame, as planes of bits: modes, background model, clean-up
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "cuda/foreground.h"
#include "cca/format.h"
#include "cca/motion.h"
#include "cca/params.h"
#include "cuda/kernels/kernels.h"
#include "cuda/module.h"

#include <string.h>

CCA_CUDA_MODULE (foreground, CCA_EARLY_NEVER);
CCA_CUDA_MODULE (formats, CCA_EARLY_NEVER);
CCA_CUDA_MODULE (cleanup, CCA_EARLY_ALWAYS);

_Static_assert (CCA_MAX_CLOSE_RADIUS <= CCA_CLEAN_RADIUS_MAX, "a block has the rows of the largest closing");

static const CcaDim plane_block = { 32, 8, 1 };

/* Returns the grid of plane_blocks that covers a plane of words. */
static CcaDim
plane_grid (uint32_t n_words, uint32_t height)
{
  return (CcaDim) { (n_words + 31) / 32, (height + 7) / 8, 1 };
}

/* Returns the grid of plane_blocks whose warps make CCA_WARP_WORDS words of a row each. */
static CcaDim
parts_grid (uint32_t n_words, uint32_t height)
{
  return (CcaDim) { (n_words + CCA_WARP_WORDS - 1) / CCA_WARP_WORDS, (height + 7) / 8, 1 };
}

CcaStatus
cca_cuda_foreground_load (CcaCudaDevice *device, const CcaParams *params)
{
  const bool has_bytes = cca_format_info (params->format)->pixels == CCA_PIXELS_BYTE;
  CcaStatus status = cca_params_samples (params)
                         ? cca_cuda_samples_load (device)
                         : cca_cuda_load (device, has_bytes ? &cca_cuda_module_foreground : &cca_cuda_module_formats);

  if (status == CCA_OK && (cca_params_clean (params) || params->coverage_cell > 0))
    status = cca_cuda_load (device, &cca_cuda_module_cleanup);
  return status;
}

/* --- Memory ------------------------------------------------------------------------------------------ */

uint32_t
cca_cuda_row_words (uint32_t width)
{
  return (width / 32 + 1 + 3) / 4 * 4;
}

size_t
cca_cuda_plane_size (const CcaCudaSpec *spec)
{
  return (size_t) spec->row_words * spec->height * sizeof (uint32_t);
}

bool
cca_cuda_keeps_mask (const CcaCudaSpec *spec)
{
  return spec->params->foreground == CCA_FOREGROUND_MOTION && (spec->algorithm->grows || spec->params->overlaps);
}

/* Returns whether the algorithm applies the range to the pixels itself; with a region it cannot. */
static bool
leaves_range (const CcaCudaSpec *spec)
{
  return cca_params_range (spec->params) && spec->algorithm->reads_range && !cca_params_stores_mask (spec->params)
         && spec->params->format == CCA_FORMAT_GRAY8 && !spec->region;
}

void
cca_cuda_masks_divide (CcaCudaMasks *masks, CcaLayout *layout, const CcaCudaSpec *spec)
{
  const CcaParams *params = spec->params;
  const size_t plane = cca_cuda_plane_size (spec);

  if (!cca_cuda_keeps_mask (spec) && !leaves_range (spec))
    masks->mask = cca_layout_take (layout, plane);
  if (cca_params_clean (params))
    masks->cleaned = cca_layout_take (layout, plane);
  if (params->foreground == CCA_FOREGROUND_VALUES) {
    masks->joins = cca_layout_take (layout, plane);
    masks->vertical = cca_layout_take (layout, plane);
    masks->falling = cca_layout_take (layout, plane);
    masks->rising = cca_layout_take (layout, plane);
  }
}

size_t
cca_cuda_factors_size (const CcaCudaSpec *spec)
{
  return (size_t) spec->row_words * 32 * spec->height;
}

/* Returns the bytes of a model's background, which are also those of its spread: whole words of pixels. */
static size_t
model_plane (const CcaCudaSpec *spec)
{
  return cca_cuda_factors_size (spec) << cca_format_is_wide (spec->params->format);
}

CcaStatus
cca_cuda_model_open (CcaCudaModel *model, const CcaCudaDevice *device, const CcaCudaSpec *spec)
{
  *model = (CcaCudaModel) { .n_frames = 0 };
  if (cca_params_samples (spec->params))
    return cca_cuda_samples_open (&model->samples, device, spec);
  return cca_cuda_alloc (device, 2 * model_plane (spec), (void **) &model->background);
}

void
cca_cuda_model_close (CcaCudaModel *model, const CcaCudaDevice *device)
{
  cca_cuda_free (device, model->background);
  model->background = NULL;
  cca_cuda_samples_close (&model->samples, device);
}

void
cca_cuda_model_advance (CcaCudaModel *model, const CcaParams *params, const CcaImage *input)
{
  model->n_frames += params->foreground == CCA_FOREGROUND_MOTION;
  model->has_chroma = cca_params_read_chroma (params, input);
}

CcaStatus
cca_cuda_region_open (uint32_t **region, const CcaCudaDevice *device, const CcaCudaSpec *spec,
                      const CcaAllocator *allocator, const CcaImage *image)
{
  const size_t size = cca_cuda_plane_size (spec);
  uint32_t *plane = cca_alloc (allocator, NULL, size);
  CcaStatus status;

  if (plane == NULL)
    return CCA_ERROR_MEMORY;
  memset (plane, 0, size);
  for (uint32_t y = 0; y < spec->height; y++) {
    const uint8_t *row = (const uint8_t *) image->data + (ptrdiff_t) y * image->pitch;

    for (uint32_t x = 0; x < spec->width; x++)
      plane[(size_t) y * spec->row_words + x / 32] |= (uint32_t) (row[x] != 0) << x % 32;
  }
  status = cca_cuda_alloc_copy (device, plane, size, (void **) region);
  cca_free (allocator, NULL, plane);
  return status;
}

CcaStatus
cca_cuda_factors_open (uint8_t **factors, const CcaCudaDevice *device, const CcaCudaSpec *spec,
                       const CcaAllocator *allocator, const CcaImage *image)
{
  const size_t row = spec->row_words * 32, size = cca_cuda_factors_size (spec);
  uint8_t *plane = cca_alloc (allocator, NULL, size);
  CcaStatus status;

  if (plane == NULL)
    return CCA_ERROR_MEMORY;
  memset (plane, 0, size);
  for (uint32_t y = 0; y < spec->height; y++)
    memcpy (plane + y * row, (const uint8_t *) image->data + (ptrdiff_t) y * image->pitch, spec->width);
  status = cca_cuda_alloc_copy (device, plane, size, (void **) factors);
  cca_free (allocator, NULL, plane);
  return status;
}

/* --- Modes ------------------------------------------------------------------------------------------- */

/* Returns how kernels read the pixels of an image. */
CcaReading
cca_cuda_reading (const CcaParams *params, const CcaImage *input)
{
  const CcaFormatInfo *format = cca_format_info (params->format);

  return (CcaReading) { .second = format->second,
                        .weights = cca_format_weights (params->format, params->matrix),
                        .aligned = ((uintptr_t) input->data | (uintptr_t) input->pitch) % format->size == 0 };
}

/* Launches the one of a mode's four kernels that reads these pixels: `bytes`, with `threads` threads to a word, or one
 * of `others`. */
#define LAUNCH(mode, task, spec, threads, bytes, others)                                                               \
  do {                                                                                                                 \
    const CcaDim grid = plane_grid ((spec)->row_words * (threads), (spec)->height);                                    \
    const CcaDim parts = parts_grid ((spec)->row_words, (spec)->height);                                               \
    const CcaCudaQueue *const queue = &(task)->queue;                                                                  \
                                                                                                                       \
    switch (cca_format_info ((spec)->params->format)->pixels) {                                                        \
      case CCA_PIXELS_HALF: return cca_launch_##mode##_half (queue, parts, plane_block, others);                       \
      case CCA_PIXELS_RGB: return cca_launch_##mode##_rgb (queue, parts, plane_block, others);                         \
      case CCA_PIXELS_WORD: return cca_launch_##mode##_word (queue, parts, plane_block, others);                       \
      default: return cca_launch_##mode (queue, grid, plane_block, bytes);                                             \
    }                                                                                                                  \
  } while (0)

static CcaStatus
find_motion (const CcaCudaSpec *spec, uint32_t *mask, const CcaCudaModel *model, const CcaImage *input,
             const CcaCudaTask *task)
{
  const CcaMotionStep step = cca_motion_step (spec->params, model->n_frames);
  const CcaMotionParams p = {
    .pixels = input->data,
    .pitch = input->pitch,
    .width = input->width,
    .height = input->height,
    .bits = mask,
    .row_words = spec->row_words,
    .background = model->background,
    .spread = model->background + model_plane (spec),
    .first = model->n_frames == 0,
    .step = step.step,
    .amplification = step.amplification,
    .v_min = step.v_min,
    .v_max = step.v_max,
    .report = step.report && model->n_frames > 0,
    .invert = spec->params->invert,
    .region = spec->region,
    .factors = spec->factors,
  };
  const CcaFormatMotionParams others = { p, cca_cuda_reading (spec->params, input), step.level };

  if (spec->factors)
    LAUNCH (motion_by_place, task, spec, 2, p, others);
  LAUNCH (motion, task, spec, 2, p, others);
}

static CcaStatus
find_samples (const CcaCudaSpec *spec, uint32_t *mask, const CcaCudaModel *model, const CcaImage *input,
              uint32_t *scene_change, const CcaCudaTask *task)
{
  const CcaCudaSamplesFrame frame = {
    .input = input,
    .reading = cca_cuda_reading (spec->params, input),
    .begins = model->n_frames == 0 || cca_params_read_chroma (spec->params, input) != model->has_chroma,
    .mask = mask,
    .scene_change = scene_change,
  };

  return cca_cuda_samples_find (&model->samples, spec, &task->queue, &frame);
}

static CcaStatus
find_values (const CcaCudaSpec *spec, const CcaCudaMasks *masks, uint32_t *mask, const CcaImage *input,
             const CcaCudaTask *task)
{
  const CcaValuesParams p = {
    .pixels = input->data,
    .pitch = input->pitch,
    .width = input->width,
    .height = input->height,
    .row_words = spec->row_words,
    .bits = mask,
    .joins = masks->joins,
    .vertical = masks->vertical,
    .falling = masks->falling,
    .rising = masks->rising,
    .region = spec->region,
  };
  const CcaFormatValuesParams others = { p, cca_cuda_reading (spec->params, input) };

  LAUNCH (values, task, spec, 1, p, others);
}

static CcaStatus
find_range (const CcaCudaSpec *spec, uint32_t *mask, const CcaImage *input, CcaCudaTask *task)
{
  const CcaParams *params = spec->params;
  const bool is_range = params->foreground == CCA_FOREGROUND_RANGE;
  const uint32_t above = params->foreground == CCA_FOREGROUND_THRESHOLD ? params->threshold : params->black;
  const uint32_t low = is_range ? params->low : above + 1,
                 high = is_range ? params->high : cca_format_max_value (params->format);
  const CcaRangeParams p = {
    .pixels = input->data,
    .pitch = input->pitch,
    .width = input->width,
    .height = input->height,
    .bits = mask,
    .row_words = spec->row_words,
    .low = low <= high ? low : 0,
    .end = low <= high ? high + 1 : 0,
    .invert = params->invert,
    .region = spec->region,
  };
  const CcaFormatRangeParams others = { p, cca_cuda_reading (params, input) };

  if (leaves_range (spec)) {
    task->range = p;
    return CCA_OK;
  }
  LAUNCH (range, task, spec, 1, p, others);
}

CcaStatus
cca_cuda_foreground_find (const CcaCudaSpec *spec, const CcaCudaMasks *masks, uint32_t *mask, const CcaCudaModel *model,
                          const CcaImage *input, uint32_t *scene_change, CcaCudaTask *task)
{
  if (cca_params_samples (spec->params))
    return find_samples (spec, mask, model, input, scene_change, task);
  switch (spec->params->foreground) {
    case CCA_FOREGROUND_MOTION: return find_motion (spec, mask, model, input, task);
    case CCA_FOREGROUND_VALUES: return find_values (spec, masks, mask, input, task);
    default: return find_range (spec, mask, input, task);
  }
}

/* --- Clean-up ---------------------------------------------------------------------------------------- */

CcaStatus
cca_cuda_foreground_clean (const CcaCudaSpec *spec, const CcaCudaMasks *masks, const CcaImage *input, uint32_t *mask,
                           uint8_t *counts, CcaCudaTask *task)
{
  const CcaParams *params = spec->params;
  const bool cleans = cca_params_clean (params), counts_cells = params->coverage_cell > 0;
  const CcaDim grid = { (spec->row_words + CCA_CLEAN_WORDS - 1) / CCA_CLEAN_WORDS,
                        (spec->height + CCA_CLEAN_ROWS - 1) / CCA_CLEAN_ROWS, 1 },
               threads = { CCA_CLEAN_BLOCK, 1, 1 };
  CcaCleanupParams p = {
    .in = mask,
    .out = cleans ? masks->cleaned : NULL,
    .row_words = spec->row_words,
    .height = spec->height,
    .denoise = params->denoise,
    .radius = params->close_radius,
    .region = spec->region,
  };

  task->planes = (CcaPlanes) {
    .bits = cleans ? masks->cleaned : mask,
    .joins = masks->joins,
    .vertical = masks->vertical,
    .falling = masks->falling,
    .rising = masks->rising,
    .row_words = spec->row_words,
    .height = spec->height,
    .diagonal = params->connectivity == 8,
  };
  if (!cleans && !counts_cells)
    return CCA_OK;
  if (counts_cells) {
    p.counts = counts;
    p.cell = params->coverage_cell;
    p.cell_columns = cca_params_cells (params, spec->width);
    p.cell_rows = cca_params_cells (params, spec->height);
    p.input = input->data;
    p.pitch = input->pitch;
    p.width = spec->width;
    p.pixels = cca_format_info (params->format)->pixels;
    p.reading = cca_cuda_reading (params, input);
    if (cca_params_read_chroma (params, input)) {
      p.u = input->chroma.u;
      p.v = input->chroma.v;
      p.chroma_pitch = input->chroma.pitch;
      p.chroma_step = input->chroma.step;
      p.chroma_shift_x = input->chroma.shift_x;
      p.chroma_shift_y = input->chroma.shift_y;
    }
  }
  return cca_launch_clean (&task->queue, grid, threads, p);
}
