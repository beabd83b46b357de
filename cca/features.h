/* gst-cca: the exact sums behind a component's measures
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include "cca/cca.h"
#include "cca/fields.h"

/* Returns the features of an empty set whose first pixel will be (x, y). */
static inline CcaFeatures
cca_features_empty (uint32_t x, uint32_t y)
{
  return (CcaFeatures) { .first = y << 16 | x, .x_min = UINT32_MAX };
}

/* Returns the sum of k^2 for k in 0…n-1. */
static inline uint64_t
cca_sum_of_squares (uint64_t n)
{
  return n ? (n - 1) * n * (2 * n - 1) / 6 : 0;
}

/* Returns the sum of k for k in start…end-1, positions in an image, so that it fits into 32 bits. */
static inline uint64_t
cca_sum_of_range (uint32_t start, uint32_t end)
{
  return (start + end - 1) * (end - start) / 2;
}

/* Adds the pixels start <= x < end of rows top <= y < bottom, in closed form (Lacassagne & Zavidovique, JRTIP 2011).
 * Add rows in ascending order. */
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

/* Adds the second moments of the same pixels. */
static inline void
cca_features_add_run_moments (CcaFeatures *f, uint32_t start, uint32_t end, uint32_t top, uint32_t bottom)
{
  const uint64_t length = end - start, height = bottom - top;

  f->sum_xx += (cca_sum_of_squares (end) - cca_sum_of_squares (start)) * height;
  f->sum_xy += cca_sum_of_range (start, end) * cca_sum_of_range (top, bottom);
  f->sum_yy += (cca_sum_of_squares (bottom) - cca_sum_of_squares (top)) * length;
}

/* Adds the features of another set, whose first pixel comes later in raster order. */
static inline void
cca_features_merge (CcaFeatures *f, const CcaFeatures *other)
{
#define CCA_JOIN_SUM(a, b) ((a) + (b))
#define CCA_JOIN_MIN(a, b) ((b) < (a) ? (b) : (a))
#define CCA_JOIN_MAX(a, b) ((b) > (a) ? (b) : (a))
#define CCA_JOIN(field, operation) f->field = CCA_JOIN_##operation (f->field, other->field);
  CCA_SUM_FIELDS (CCA_JOIN)
  CCA_MOMENT_FIELDS (CCA_JOIN)
  CCA_BOX_FIELDS (CCA_JOIN)
}

/* Returns the component with a label and these features. All backends call this, so that floating-point results
 * agree. */
CcaComponent cca_component_from_features (const CcaFeatures *features, uint32_t label, bool covariance);

/* Adds the details of another set of pixels. */
static inline void
cca_details_merge (CcaDetails *d, const CcaDetails *other)
{
  d->half_steps += other->half_steps;
  d->half_slants += other->half_slants;
  d->entries += other->entries;
  d->slanting_entries += other->slanting_entries;
  d->euler_number += other->euler_number;
  d->sum += other->sum;
  d->not_min = CCA_JOIN_MAX (d->not_min, other->not_min);
  d->max = CCA_JOIN_MAX (d->max, other->max);
}

/* Return the shape and the intensity that details give. All backends call these. */
CcaShape cca_shape_from_details (const CcaDetails *details);
CcaIntensity cca_intensity_from_details (const CcaDetails *details, uint64_t area);
