/* gst-cca: algorithms "ha4", "ha4-64", "ha4-otf" and "ha4-cd", runs cut at words on the GPU
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "cuda/segments.h"

/* Rows of a strip, a warp each; as in cuda/kernels/words.cu. */
#define STRIP_HEIGHT 4

typedef struct
{
  CcaSegmentKind kind;
  CcaSegmentsLaunch *label_strips, *merge_strips, *label_strips_otf, *merge_strips_otf;
} Words;

#define WORDS(size)                                                                                                    \
  { .kind = CCA_SEGMENT_KIND (words##size),                                                                            \
    .label_strips = cca_launch_label_strips_words##size,                                                               \
    .merge_strips = cca_launch_merge_strips_words##size,                                                               \
    .label_strips_otf = cca_launch_label_strips_words##size##_otf,                                                     \
    .merge_strips_otf = cca_launch_merge_strips_words##size##_otf }

static const Words words32 = WORDS (32), words64 = WORDS (64);

/* Two neighbours can both start a segment only among regions of equal value: a lane then does one pixel, not two, and
 * there are as many ids as pixels. */
static bool
starts_touch (const CcaCudaFrame *frame)
{
  return frame->work.segments.planes.joins != NULL;
}

static void
divide (CcaLayout *layout, const CcaPlan *plan, CcaWork *work)
{
  CcaSegmentsParams *segments = &work->segments;

  segments->id_shift = plan->params.foreground != CCA_FOREGROUND_VALUES;
  segments->row_ids = (plan->width + segments->id_shift) >> segments->id_shift;
  cca_segments_divide (layout, plan, (uint64_t) segments->row_ids * plan->height, work);
}

static CcaStatus
label (const CcaCudaFrame *frame, const Words *words)
{
  const bool otf = frame->work.segments.of_segments.tally != NULL;
  const uint32_t n_strips = (frame->work.segments.planes.height + STRIP_HEIGHT - 1) / STRIP_HEIGHT;
  const CcaDim strips = { n_strips, 1, 1 }, warps = { 32 * STRIP_HEIGHT, 1, 1 };
  CcaStatus status =
      (otf ? words->label_strips_otf : words->label_strips) (&frame->queue, strips, warps, frame->work.segments);

  if (status == CCA_OK)
    status = cca_segments_words (frame, otf ? words->merge_strips_otf : words->merge_strips, n_strips - 1);
  return status == CCA_OK ? cca_segments_finish (frame, &words->kind) : status;
}

static const Words *
widest_words (const CcaCudaFrame *frame)
{
  return starts_touch (frame) ? &words32 : &words64;
}

static CcaStatus
label_32 (const CcaCudaFrame *frame)
{
  return label (frame, &words32);
}

static CcaStatus
label_64 (const CcaCudaFrame *frame)
{
  return label (frame, widest_words (frame));
}

static CcaStatus
paint_32 (const CcaCudaFrame *frame, CcaCanvas canvas)
{
  return cca_segments_paint (frame, &words32.kind, canvas);
}

static CcaStatus
paint_64 (const CcaCudaFrame *frame, CcaCanvas canvas)
{
  return cca_segments_paint (frame, &widest_words (frame)->kind, canvas);
}

#define HA4                                                                                                            \
  "Hennequin, Lacassagne, Cabaret & Meunier, A new direct connected component labeling and analysis algorithm for "    \
  "GPUs, DASIP 2018, "
#define ICASSP                                                                                                         \
  "; Lemaitre, Hennequin & Lacassagne, Taming voting algorithms on GPUs for an efficient connected component "         \
  "analysis algorithm, ICASSP 2021, "
#define CAPABILITIES CCA_CAN_4 | CCA_CAN_8 | CCA_CAN_ANALYSE | CCA_CAN_LABEL | CCA_CAN_VALUES

const CcaCudaAlgorithm cca_cuda_ha4 = {
  .entry = {
    .name = "ha4",
    .description = "strips of four rows, runs cut at words of 32 pixels, a vote each",
    .source = HA4 "algorithms 1 to 6",
    .backend = CCA_BACKEND_CUDA,
    .capabilities = CAPABILITIES,
  },
  .voting = CCA_VOTING_ONE_BY_ONE,
  .divide = divide,
  .label = label_32,
  .select = cca_segments_select,
  .paint = paint_32,
};

const CcaCudaAlgorithm cca_cuda_ha4_64 = {
  .entry = {
    .name = "ha4-64",
    .description = "ha4 with two pixels a thread, runs cut at words of 64 pixels",
    .source = HA4 "section IV-E and algorithm 7",
    .backend = CCA_BACKEND_CUDA,
    .capabilities = CAPABILITIES,
  },
  .voting = CCA_VOTING_ONE_BY_ONE,
  .divide = divide,
  .label = label_64,
  .select = cca_segments_select,
  .paint = paint_64,
};

const CcaCudaAlgorithm cca_cuda_ha4_otf = {
  .entry = {
    .name = "ha4-otf",
    .description = "ha4-64, features merged on the fly while components are united",
    .source = HA4 "algorithm 7" ICASSP "section 3.2 and algorithm 2",
    .backend = CCA_BACKEND_CUDA,
    .capabilities = CAPABILITIES,
  },
  .voting = CCA_VOTING_ON_THE_FLY,
  .divide = divide,
  .label = label_64,
  .select = cca_segments_select,
  .paint = paint_64,
};

const CcaCudaAlgorithm cca_cuda_ha4_cd = {
  .entry = {
    .name = "ha4-cd",
    .description = "ha4-64, votes of a warp for the same component added up first",
    .source = HA4 "algorithm 7" ICASSP "section 3.3 and algorithm 3",
    .backend = CCA_BACKEND_CUDA,
    .capabilities = CAPABILITIES,
  },
  .voting = CCA_VOTING_TOGETHER,
  .divide = divide,
  .label = label_64,
  .select = cca_segments_select,
  .paint = paint_64,
};
