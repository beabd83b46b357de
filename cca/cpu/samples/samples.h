/* gst-cca: the background model SAMPLES on the CPU
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * A frame in steps, each of them a loop over strips: shift.c finds the camera's shift, light.c the light, the noise and
 * black, distance.c the foreground, ghosts.c what the model took over wrongly, update.c moves the samples and writes the
 * mask. cca/samples.h has the arithmetic.
 */
#ifndef CCA_CPU_SAMPLES_H
#define CCA_CPU_SAMPLES_H

#include "cca/cpu/algorithm.h"
#include "cca/samples.h"

/* What the model remembers. Rows are `pitch` bytes apart, half_pitch in chroma. */
typedef struct
{
  void *block; /* NULL: no model */
  uint32_t width, height;
  size_t pitch, half_pitch;
  uint8_t *luma;      /* the samples of a row, one after the other, then those of the next row */
  uint8_t *u, *v;     /* the same, in chroma */
  uint8_t *raw, *last; /* the mask of this frame and of the last one, in the model's coordinates */
  uint8_t *candidates, *still, *flips;
  uint8_t *noise_grid; /* p of the last frame */
  int32_t *ghosts;     /* of blocks */
  uint8_t *take;       /* random flags: 255 where a sample changes; twice CCA_SAMPLES_RANDOM */
  CcaSamplesLight light;
  int32_t noise;
  bool chroma;   /* frames have it */
  uint64_t t;    /* frames since the first */
} CcaSamplesModel;

/* What a frame needs beside the model; not kept between frames. */
typedef struct CcaSamplesWork CcaSamplesWork;

CcaStatus cca_samples_model_open (CcaSamplesModel *model, const CcaAllocator *allocator, uint32_t width,
                                  uint32_t height);
void cca_samples_model_close (CcaSamplesModel *model, const CcaAllocator *allocator);

/* Takes what frames need from the layout; with strips as many as cpu->most_strips. */
CcaSamplesWork *cca_samples_work_take (CcaLayout *layout, const CcaCpu *cpu);

/* Finds the foreground of the next frame, in `mask`, and moves the model. The input has values of 8 bits one after the
 * other. Returns whether the whole frame has changed. */
bool cca_samples_run (CcaSamplesModel *model, CcaSamplesWork *work, const CcaCpu *cpu, const CcaImage *input,
                      uint64_t *mask);

#endif
