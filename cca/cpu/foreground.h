/* gst-cca: the foreground of a frame, as rows of bits
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include "cca/cpu/algorithm.h"
#include "cca/cpu/values.h"

/* The background model SIGMA_DELTA, in rows of whole words of 64 pixels. Values have 8 bits, or 16 if it is wide. */
typedef struct
{
  uint8_t *background, *spread;
  size_t pitch; /* bytes */
  bool wide;
  uint64_t n_frames; /* frames that the model has learned from */
} CcaMotionModel;

CcaStatus cca_motion_model_open (CcaMotionModel *model, const CcaAllocator *allocator, uint32_t width, uint32_t height,
                                 bool wide);
void cca_motion_model_close (CcaMotionModel *model, const CcaAllocator *allocator);

/* The sensitivity of SIGMA_DELTA, in rows of whole words. */
typedef struct
{
  uint8_t *factors; /* of cca_plan_set_sensitivity(); NULL: motion.v_min everywhere */
  uint8_t *least;   /* the least spreads by v_min and factors, rows as the model's */
  uint16_t v_min;   /* that `least` was computed for; 0: not yet */
  bool wide;        /* `least` has 16 bits */
} CcaSensitivity;

/* Copies factors from an image. */
CcaStatus cca_sensitivity_open (CcaSensitivity *sensitivity, const CcaAllocator *allocator, atomic_size_t *used,
                                const CcaImage *factors);
void cca_sensitivity_close (CcaSensitivity *sensitivity, const CcaAllocator *allocator, atomic_size_t *used);

/* Returns the least spreads for v_min, in rows as the model's; NULL if all are v_min. */
const uint8_t *cca_sensitivity_least (CcaSensitivity *sensitivity, uint32_t width, uint32_t height, uint16_t v_min,
                                      bool wide);

struct CcaMask
{
  const CcaCpu *cpu;
  const CcaImage *input;  /* VALUES: already converted to values */
  CcaValues values;       /* converts the input's pixels */
  CcaMotionModel *model;  /* used and updated by MOTION only; the caller counts n_frames */
  const uint8_t *least;   /* MOTION: cca_sensitivity_least() */
  const uint64_t *region; /* a bit plane; outside is background; NULL: the whole image */
  const uint64_t *found;  /* MOTION with SAMPLES: the foreground of the frame; else NULL */
  const uint64_t *plane;  /* the mask after clean-up, or NULL: cca_mask_row() then makes each row from `found` or the
                             pixels */
  bool *seen;             /* MOTION: rows of this frame that have updated the model */
};

/* Returns row y of the foreground, in `room` or in the plane. Call it once for each row: it updates the model of
 * MOTION. */
const uint64_t *cca_mask_row (const CcaMask *mask, uint32_t y, uint64_t *room);

/* Clears the pixels of some rows of a plane outside the region, if there is one. */
void cca_mask_confine (const CcaMask *mask, CcaStrip rows, uint64_t *plane);

/* Updates the model with the rows that cca_mask_row() has not read, so that it learns whole frames. `room` holds a
 * row. */
void cca_mask_finish (const CcaMask *mask, uint64_t *room);

/* Returns the pixels of row y. */
static inline const uint8_t *
cca_mask_pixels (const CcaMask *mask, uint32_t y)
{
  return (const uint8_t *) mask->input->data + (ptrdiff_t) y * mask->input->pitch;
}
