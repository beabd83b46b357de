/* gst-cca: from pixels to the bit plane of the foreground
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#ifndef CCA_CPU_FOREGROUND_H
#define CCA_CPU_FOREGROUND_H

#include "cca/cpu/algorithm.h"

/* The background model of MOTION: rows of whole words, so of 64 pixels. */
typedef struct
{
  uint8_t *background, *spread;
  size_t pitch;
  uint64_t n_frames; /* seen so far */
} CcaMotionModel;

size_t cca_motion_model_size (uint32_t width, uint32_t height);
CcaStatus cca_motion_model_open (CcaMotionModel *model, const CcaAllocator *allocator, uint32_t width, uint32_t height);
void cca_motion_model_close (CcaMotionModel *model, const CcaAllocator *allocator);

/* Writes rows of the bit plane. model is only used, and moved, by MOTION; its n_frames is left to the caller. */
void cca_foreground (const CcaCpu *cpu, const CcaImage *input, CcaMotionModel *model, uint64_t *bits, CcaStrip rows);

#endif
