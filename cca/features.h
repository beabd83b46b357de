/* gst-cca: the exact sums from which a component is made
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#ifndef CCA_FEATURES_H
#define CCA_FEATURES_H

#include "cca/cca.h"

/* A component's features as integers, so that the order of summing does not matter; one cache line. All sums fit for
 * images of 65535x65535. */
typedef struct
{
  uint64_t area, sum_x, sum_y;
  uint64_t sum_xx, sum_xy, sum_yy; /* 0 where no covariance is asked for */
  uint32_t first;                  /* the first pixel in raster order, y << 16 | x: also the top of the box */
  uint32_t x_min, x_max, y_max;
} CcaFeatures;

/* The features of no pixel that will have its first one at (x, y). */
static inline CcaFeatures
cca_features_empty (uint32_t x, uint32_t y)
{
  return (CcaFeatures) { .first = y << 16 | x, .x_min = UINT32_MAX };
}

/* The sum of k^2 for k in 0…n-1. */
static inline uint64_t
cca_sum_of_squares (uint64_t n)
{
  return n ? (n - 1) * n * (2 * n - 1) / 6 : 0;
}

/* The sum of k for k in start…end-1, which are positions in an image: it fits into 32 bits. */
static inline uint64_t
cca_sum_of_range (uint32_t start, uint32_t end)
{
  return (start + end - 1) * (end - start) / 2;
}

/* Adds the run of pixels start <= x < end of each row top <= y < bottom, in closed form (Lacassagne & Zavidovique,
 * JRTIP 2011). Rows come in ascending order. */
static inline void
cca_features_add_run (CcaFeatures *f, uint32_t start, uint32_t end, uint32_t top, uint32_t bottom)
{
  const uint64_t length = end - start, height = bottom - top;

  f->area += length * height;
  f->sum_x += cca_sum_of_range (start, end) * height;
  f->sum_y += cca_sum_of_range (top, bottom) * length;
  f->x_min = start < f->x_min ? start : f->x_min;
  f->x_max = end - 1 > f->x_max ? end - 1 : f->x_max;
  f->y_max = bottom - 1;
}

/* The same pixels' second moments. */
static inline void
cca_features_add_run_moments (CcaFeatures *f, uint32_t start, uint32_t end, uint32_t top, uint32_t bottom)
{
  const uint64_t length = end - start, height = bottom - top;

  f->sum_xx += (cca_sum_of_squares (end) - cca_sum_of_squares (start)) * height;
  f->sum_xy += cca_sum_of_range (start, end) * cca_sum_of_range (top, bottom);
  f->sum_yy += (cca_sum_of_squares (bottom) - cca_sum_of_squares (top)) * length;
}

/* Adds the pixels of another set, whose first pixel comes later. */
static inline void
cca_features_merge (CcaFeatures *f, const CcaFeatures *other)
{
  f->area += other->area;
  f->sum_x += other->sum_x;
  f->sum_y += other->sum_y;
  f->sum_xx += other->sum_xx;
  f->sum_xy += other->sum_xy;
  f->sum_yy += other->sum_yy;
  f->x_min = other->x_min < f->x_min ? other->x_min : f->x_min;
  f->x_max = other->x_max > f->x_max ? other->x_max : f->x_max;
  f->y_max = other->y_max > f->y_max ? other->y_max : f->y_max;
}

/* The component with a label that these features make. Every backend ends here, so that the floating-point part is the
 * same everywhere. */
CcaComponent cca_component_from_features (const CcaFeatures *features, uint32_t label, bool covariance);

#endif
