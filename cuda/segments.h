/* gst-cca: what the algorithms on segments share
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The published algorithms differ in two things: what a segment is (a pixel, a run cut at words, a full run), with the
 * kernels that find and unite them, and how features are voted for.
 */
#ifndef CCA_CUDA_SEGMENTS_H
#define CCA_CUDA_SEGMENTS_H

#include "cuda/algorithm.h"

typedef CcaStatus CcaSegmentsLaunch (const CcaCudaQueue *queue, CcaDim grid, CcaDim block, CcaSegmentsParams params);
typedef CcaStatus CcaPaintLaunch (const CcaCudaQueue *queue, CcaDim grid, CcaDim block, CcaPaintParams params);

/* The kernels of a kind of segments. */
typedef struct
{
  CcaSegmentsLaunch *flatten, *number, *measure, *measure_cd, *measure_cd_moments;
  CcaPaintLaunch *paint;
} CcaSegmentKind;

#define CCA_SEGMENT_KIND(kind)                                                                                         \
  { .flatten = cca_launch_flatten_##kind,                                                                              \
    .number = cca_launch_number_##kind,                                                                                \
    .measure = cca_launch_measure_##kind,                                                                              \
    .measure_cd = cca_launch_measure_##kind##_cd,                                                                      \
    .measure_cd_moments = cca_launch_measure_##kind##_cd_moments,                                                      \
    .paint = cca_launch_paint_##kind }

/* Takes what every kind needs: for `most` segments, and their votes on the fly where the algorithm merges them. */
void cca_segments_divide (CcaLayout *layout, const CcaPlan *plan, uint64_t most, CcaWork *work);

/* Enqueues a kernel whose warps do CCA_CHUNKS chunks of segments, or one word each of so many rows. */
CcaStatus cca_segments_each (const CcaCudaFrame *frame, CcaSegmentsLaunch *launch);
CcaStatus cca_segments_words (const CcaCudaFrame *frame, CcaSegmentsLaunch *launch, uint32_t n_rows);

/* Enqueue everything after the unions. */
CcaStatus cca_segments_finish (const CcaCudaFrame *frame, const CcaSegmentKind *kind);
CcaStatus cca_segments_select (const CcaCudaFrame *frame);
CcaStatus cca_segments_paint (const CcaCudaFrame *frame, const CcaSegmentKind *kind, CcaCanvas canvas);

#endif
