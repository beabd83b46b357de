/* gst-cca: the background model SAMPLES on a device
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "cuda/samples/samples.h"
#include "cca/params.h"
#include "cca/format.h"
#include "cuda/module.h"
#include "cuda/samples/kernels.h"

CCA_CUDA_MODULE (shift, CCA_EARLY_ALWAYS);
CCA_CUDA_MODULE (resample, CCA_EARLY_ALWAYS);
CCA_CUDA_MODULE (light, CCA_EARLY_ALWAYS);
CCA_CUDA_MODULE (distance, CCA_EARLY_ALWAYS);
CCA_CUDA_MODULE (decide, CCA_EARLY_ALWAYS);
CCA_CUDA_MODULE (show, CCA_EARLY_ALWAYS);
CCA_CUDA_MODULE (ghosts, CCA_EARLY_ALWAYS);
CCA_CUDA_MODULE (update, CCA_EARLY_ALWAYS);

_Static_assert (CCA_SAMPLES_HELD_MOST == CCA_MAX_HELD, "what a plan holds fits");

static const CcaDim block = { 32, 8, 1 };

CcaStatus
cca_cuda_samples_load (CcaCudaDevice *device)
{
  const CcaCudaModule *const modules[] = { &cca_cuda_module_shift,    &cca_cuda_module_resample, &cca_cuda_module_light,
                                           &cca_cuda_module_distance, &cca_cuda_module_decide,   &cca_cuda_module_show,
                                           &cca_cuda_module_ghosts,   &cca_cuda_module_update };
  CcaStatus status = CCA_OK;

  for (size_t i = 0; i < sizeof modules / sizeof *modules && status == CCA_OK; i++)
    status = cca_cuda_load (device, modules[i]);
  return status;
}

/* --- Memory ------------------------------------------------------------------------------------------ */

/* Takes the model's memory, or only counts its bytes. The arrays up to the samples begin as zeros. */
static void
divide (CcaSamplesParams *p, CcaLayout *layout, const CcaCudaSpec *spec)
{
  const size_t mask = (size_t) spec->row_words * spec->height * sizeof *p->shown, luma = 8 * mask,
               chroma = (size_t) spec->row_words * 32 * cca_divide_up (spec->height, 2);

  *p = (CcaSamplesParams) {
    .width = spec->width,
    .height = spec->height,
    .row_words = spec->row_words,
    .grid_width = cca_divide_up (spec->width, CCA_SAMPLES_NOISE_GRID),
    .blocks_x = cca_divide_up (spec->width, CCA_SAMPLES_BLOCK),
    .blocks_y = cca_divide_up (spec->height, CCA_SAMPLES_BLOCK),
  };
  p->grid_size = p->grid_width * cca_divide_up (spec->height, CCA_SAMPLES_NOISE_GRID);
  p->state = cca_layout_take (layout, sizeof *p->state);
  p->foreground = cca_layout_take (layout, 2 * mask);
  p->shown = cca_layout_take (layout, mask);
  p->distances = cca_layout_take (layout, luma);
  p->luma = cca_layout_take (layout, CCA_SAMPLES_LUMA * luma);
  p->pixels = cca_layout_take (layout, luma);
  p->flips = cca_layout_take (layout, luma);
  p->busy = cca_layout_take (layout, luma);
  p->candidate = cca_layout_take (layout, luma);
  p->still = cca_layout_take (layout, luma);
  p->shades = cca_layout_take (layout, (size_t) p->blocks_x * p->blocks_y * sizeof *p->shades);
  p->levels =
      cca_layout_take (layout, (size_t) spec->row_words * 8 * cca_divide_up (spec->height, CCA_SAMPLES_LIGHT_GRID));
  p->grid = cca_layout_take (layout, 2 * (size_t) p->grid_size);
  p->edges = cca_layout_take (layout, 2 * (size_t) p->blocks_x * p->blocks_y * sizeof *p->edges);
  p->held = cca_layout_take (layout, (size_t) p->blocks_x * p->blocks_y);
  p->moves = cca_layout_take (layout, 2 * (size_t) p->blocks_x * p->blocks_y * sizeof *p->moves);
  p->chroma = cca_layout_take (layout, CCA_SAMPLES_CHROMA * chroma);
  p->colors = cca_layout_take (layout, chroma);
  p->scenes = cca_layout_take (layout, CCA_SAMPLES_SCENES * CCA_SAMPLES_REMEMBERED * luma);
  p->scene_chroma = cca_layout_take (layout, CCA_SAMPLES_SCENES * CCA_SAMPLES_REMEMBERED * chroma);
}

CcaStatus
cca_cuda_samples_open (CcaCudaSamples *self, const CcaCudaDevice *device, const CcaCudaSpec *spec)
{
  CcaLayout layout = { NULL, 0 };
  CcaStatus status;

  divide (&self->params, &layout, spec);
  status = cca_cuda_alloc (device, layout.size, &self->block);
  if (status == CCA_OK)
    divide (&self->params, &(CcaLayout) { self->block, 0 }, spec);
  return status;
}

void
cca_cuda_samples_close (CcaCudaSamples *self, const CcaCudaDevice *device)
{
  cca_cuda_free (device, self->block);
  self->block = NULL;
}

/* --- A frame ----------------------------------------------------------------------------------------- */

/* Launches the one of a stage's three kernels that reads these pixels. */
#define LAUNCH(stage, queue, params, grid, block, p)                                                                   \
  (cca_format_info ((params)->format)->pixels == CCA_PIXELS_HALF  ? cca_launch_##stage##_half (queue, grid, block, p)  \
   : cca_format_info ((params)->format)->pixels == CCA_PIXELS_RGB ? cca_launch_##stage##_rgb (queue, grid, block, p)   \
                                                                  : cca_launch_##stage (queue, grid, block, p))

/* Enqueues the search for the shift, if frames are large enough for one. */
static CcaStatus
find_shift (const CcaCudaSpec *spec, const CcaCudaQueue *queue, CcaSamplesFrameParams p)
{
  const uint32_t border = 2 * CCA_SAMPLES_SHIFT_GRID;
  const CcaDim threads = { CCA_SAMPLES_SHIFTS * 32, 1, 1 };

  if (spec->width < CCA_SAMPLES_SHIFT_LEAST_SIZE || spec->height < CCA_SAMPLES_SHIFT_LEAST_SIZE)
    return CCA_OK;

  const CcaDim grid = { cca_divide_up (spec->width - border, 128),
                        cca_divide_up (spec->height - border, CCA_SAMPLES_SHIFT_GRID * CCA_SAMPLES_SHIFT_ROWS), 1 };

  return LAUNCH (samples_shift, queue, spec->params, grid, threads, p);
}

CcaStatus
cca_cuda_samples_find (const CcaCudaSamples *self, const CcaCudaSpec *spec, const CcaCudaQueue *queue,
                       const CcaCudaSamplesFrame *frame)
{
  const CcaParams *params = spec->params;
  const CcaChroma *chroma = &frame->input->chroma;
  const CcaDim pairs = { cca_divide_up (spec->width, 128), cca_divide_up (spec->height, 16), 1 }; /* pairs of rows */
  const CcaDim medians = { CCA_SAMPLES_LIGHT_BINS + 2, 1, 1 }, median_threads = { 288, 1, 1 };
  const CcaDim words = { cca_divide_up (spec->row_words, block.x), cca_divide_up (spec->height, block.y), 1 };
  const CcaCudaQueue learning = { queue->device, queue->stream, queue->graph, .aside = true };
  const CcaDim ghosts = { cca_divide_up (spec->width, 128), self->params.blocks_y, 1 }, ghost_threads = { 128, 1, 1 };
  CcaSamplesFrameParams p = {
    .samples = self->params,
    .pixels = frame->input->data,
    .pitch = frame->input->pitch,
    .reading = frame->reading,
  };
  CcaStatus status = CCA_OK;

  p.samples.has_chroma = cca_params_read_chroma (params, frame->input);
  p.samples.learning = params->motion.learning;
  p.samples.tolerance = params->motion.tolerance;
  p.samples.keep_shadows = params->motion.keep_shadows;
  if (p.samples.has_chroma)
    p.chroma = (CcaSamplesChroma) { .planes = { chroma->u, chroma->v },
                                    .pitch = chroma->pitch,
                                    .step = chroma->step,
                                    .shift_x = chroma->shift_x,
                                    .shift_y = chroma->shift_y };

  CcaSamplesLightParams light = { .samples = p.samples, .n_held = spec->held->n };

  for (uint32_t i = 0; i < light.n_held; i++) {
    const CcaRectangle *r = &spec->held->rectangles[i];

    light.held[i] = cca_samples_held (r->x, r->y, r->width, r->height);
  }

  const CcaSamplesMaskParams mask = { p.samples, frame->mask, spec->region, params->invert, frame->scene_change };

  if (frame->begins)
    status = cca_cuda_clear (queue, p.samples.state, (size_t) ((char *) p.samples.luma - (char *) p.samples.state));
  if (status != CCA_OK || (status = find_shift (spec, queue, p)) != CCA_OK
      || (status = LAUNCH (samples_resample, queue, params, pairs, block, p)) != CCA_OK
      || (status = cca_launch_samples_light (queue, medians, median_threads, light)) != CCA_OK
      || (status = cca_launch_samples_distance (queue, pairs, block, p.samples)) != CCA_OK
      || (status = cca_launch_samples_decide (queue, pairs, block, p.samples)) != CCA_OK
      || (status = cca_launch_samples_ghosts (&learning, ghosts, ghost_threads, p.samples)) != CCA_OK
      || (status = cca_launch_samples_show (queue, words, block, mask)) != CCA_OK)
    return status;
  return cca_launch_samples_update (&learning, pairs, block, p.samples);
}
