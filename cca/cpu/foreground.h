/* gst-cca: the foreground of a frame, as rows of bits
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

struct CcaMask
{
  const CcaCpu *cpu;
  const CcaImage *input;
  CcaMotionModel *model; /* only used, and moved, by MOTION; its n_frames is left to the caller */
  const uint64_t *plane; /* the mask after a clean-up, or NULL: the pixels are read row by row as asked for */
  bool *seen;            /* MOTION: the rows that have moved the model with this frame */
};

/* Row y of the foreground, in `room` or in the plane. Since a row of MOTION moves the model, each is asked for once. */
const uint64_t *cca_mask_row (const CcaMask *mask, uint32_t y, uint64_t *room);

/* Moves the model by the rows that nobody asked for: a model that has seen a part of a frame would be none of any
 * sequence of frames. `room` is for a row. */
void cca_mask_finish (const CcaMask *mask, uint64_t *room);

/* Pixels of row y. */
static inline const uint8_t *
cca_mask_pixels (const CcaMask *mask, uint32_t y)
{
  return (const uint8_t *) mask->input->data + (ptrdiff_t) y * mask->input->pitch;
}

#endif
