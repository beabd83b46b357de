/* gst-cca: algorithms "ha4", "ha4-64", "ha4-otf", "ha4-cd" and "ha4-tree", runs cut at words on the GPU
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "cuda/algorithms/ha4/kernels.h"
#include "cuda/algorithms/segments/segments.h"

CCA_CUDA_MODULE (words, CCA_EARLY_ALWAYS);

/* Rows of a strip; words.cu has the same number. */
#define STRIP_HEIGHT 4

typedef struct
{
  CcaSegmentKind kind;
  uint32_t word_size; /* pixels of a word */
  CcaSegmentsLaunch *label_strips, *merge_strips, *label_strips_otf, *merge_strips_otf;
} Words;

#define WORDS(size)                                                                                                    \
  { .kind = CCA_SEGMENT_KIND (words##size),                                                                            \
    .word_size = size,                                                                                                 \
    .label_strips = cca_launch_label_strips_words##size,                                                               \
    .merge_strips = cca_launch_merge_strips_words##size,                                                               \
    .label_strips_otf = cca_launch_label_strips_words##size##_otf,                                                     \
    .merge_strips_otf = cca_launch_merge_strips_words##size##_otf }

static const Words words32 = WORDS (32), words64 = WORDS (64);

/* Returns the kernels of the widest words that serve the foreground. Only among regions of equal value can two
 * neighbours both start a segment: there a lane has one pixel instead of two, and there are as many ids as pixels. */
static const Words *
widest_words (const CcaCudaTask *task)
{
  return task->planes.joins ? &words32 : &words64;
}

static void
divide (CcaLayout *layout, const CcaCudaSpec *spec, void *workspace)
{
  CcaSegmentsParams *segments = &((CcaSegmentsWorkspace *) workspace)->segments;

  segments->id_shift = spec->params->foreground != CCA_FOREGROUND_VALUES;
  segments->row_ids = (spec->width + segments->id_shift) >> segments->id_shift;
  cca_segments_divide (layout, spec, (uint64_t) segments->row_ids * spec->height, workspace);
}

static CcaStatus
label (const CcaCudaTask *task, const Words *words)
{
  const CcaSegmentsParams p = cca_segments_params (task);
  const bool otf = p.segment_features.tally != NULL;
  const uint32_t n_strips = (p.planes.height + STRIP_HEIGHT - 1) / STRIP_HEIGHT;
  /* a warp for each 32 words of a seam */
  const uint32_t spans = (p.planes.row_words * 32 / words->word_size + 31) / 32, warps = 4;
  const CcaDim strips = { n_strips, 1, 1 }, block = { CCA_BLOCK, 1, 1 };
  const CcaDim seams = { ((n_strips - 1) * spans + warps - 1) / warps, 1, 1 }, seam_block = { 32 * warps, 1, 1 };
  CcaStatus status = (otf ? words->label_strips_otf : words->label_strips) (&task->queue, strips, block, p);

  if (status == CCA_OK && n_strips > 1)
    status = (otf ? words->merge_strips_otf : words->merge_strips) (&task->queue, seams, seam_block, p);
  return status == CCA_OK ? cca_segments_finish (task, &words->kind, &p) : status;
}

static CcaStatus
label_32 (const CcaCudaTask *task)
{
  return label (task, &words32);
}

static CcaStatus
label_64 (const CcaCudaTask *task)
{
  return label (task, widest_words (task));
}

static CcaStatus
paint_32 (const CcaCudaTask *task, CcaCanvas canvas)
{
  return cca_segments_paint (task, &words32.kind, canvas);
}

static CcaStatus
paint_64 (const CcaCudaTask *task, CcaCanvas canvas)
{
  return cca_segments_paint (task, &widest_words (task)->kind, canvas);
}

#define DASIP                                                                                                          \
  "Hennequin, Lacassagne, Cabaret & Meunier, A new direct connected component labeling and analysis algorithm for "    \
  "GPUs, DASIP 2018, "
#define ICASSP                                                                                                         \
  "; Lemaitre, Hennequin & Lacassagne, Taming voting algorithms on GPUs for an efficient connected component "         \
  "analysis algorithm, ICASSP 2021, "

#define WINDISCH                                                                                                       \
  "; Windisch, Kaever, Juckeland & Bieberle, Parallel algorithm for connected-component analysis using CUDA, "         \
  "Algorithms 16, 2023, section 3.2"

#define HA4(its_name, its_description, its_source, voting, width)                                                      \
  CCA_SEGMENTS_ALGORITHM (words, CCA_CUDA_ENTRY (its_name, its_description, its_source), voting, divide,               \
                          label_##width, paint_##width)

const CcaCudaAlgorithm cca_cuda_ha4 = HA4 ("ha4", "strips of four rows, runs cut at words of 32 pixels, a vote each",
                                           DASIP "algorithms 1 to 6", CCA_VOTING_ONE_BY_ONE, 32);
const CcaCudaAlgorithm cca_cuda_ha4_64 = HA4 ("ha4-64", "ha4 with two pixels a thread, runs cut at words of 64 pixels",
                                              DASIP "section IV-E and algorithm 7", CCA_VOTING_ONE_BY_ONE, 64);
const CcaCudaAlgorithm cca_cuda_ha4_otf =
    HA4 ("ha4-otf", "ha4-64, features merged on the fly while components are united",
         DASIP "algorithm 7" ICASSP "section 3.2 and algorithm 2", CCA_VOTING_ON_THE_FLY, 64);
const CcaCudaAlgorithm cca_cuda_ha4_cd =
    HA4 ("ha4-cd", "ha4-64, a warp adds up votes for the same component first",
         DASIP "algorithm 7" ICASSP "section 3.3 and algorithm 3", CCA_VOTING_CONFLICT_DETECTION, 64);
const CcaCudaAlgorithm cca_cuda_ha4_tree =
    HA4 ("ha4-tree", "ha4-64, trees of features are merged pairwise and balanced", DASIP "algorithm 7" WINDISCH,
         CCA_VOTING_TREE, 64);
