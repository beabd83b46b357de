/* gst-cca: components from exact sums
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "cca/features.h"
#include "cca/status.h"

#include <math.h>

/* Returns (n * sum_ab - sum_a * sum_b) / n^2. Integers until the one conversion avoid cancellation. */
static double
central_moment (uint64_t n, uint64_t sum_ab, uint64_t sum_a, uint64_t sum_b)
{
  const __int128 numerator = (__int128) n * sum_ab - (__int128) sum_a * sum_b;

  return (double) numerator / ((double) n * (double) n);
}

CcaComponent
cca_component_from_features (const CcaFeatures *f, uint32_t label, bool covariance)
{
  const uint32_t y_min = f->first >> 16;
  CcaComponent component = {
    .label = label,
    .x = f->x_min,
    .y = y_min,
    .width = f->x_max - f->x_min + 1,
    .height = f->y_max - y_min + 1,
    .area = f->area,
    .centroid_x = (double) f->sum_x / (double) f->area,
    .centroid_y = (double) f->sum_y / (double) f->area,
  };

  if (covariance) {
    component.cov_xx = central_moment (f->area, f->sum_xx, f->sum_x, f->sum_x);
    component.cov_xy = central_moment (f->area, f->sum_xy, f->sum_x, f->sum_y);
    component.cov_yy = central_moment (f->area, f->sum_yy, f->sum_y, f->sum_y);
  }
  return component;
}

CcaShape
cca_shape_from_details (const CcaDetails *d)
{
  return (CcaShape) {
    .perimeter = ((double) d->half_steps + (double) d->half_slants * M_SQRT2) / 2,
    .perimeter_crofton = M_PI_4 * ((double) d->entries + (double) d->slanting_entries / M_SQRT2),
    .euler_number = (int32_t) d->euler_number,
  };
}

CcaIntensity
cca_intensity_from_details (const CcaDetails *d, uint64_t area)
{
  return (CcaIntensity) { .mean = (double) d->sum / (double) area, .min = ~d->not_min, .max = d->max };
}

void
cca_component_ellipse (const CcaComponent *component, double *major, double *minor, double *angle)
{
  double mean, difference, radius;

  if (component == NULL || major == NULL || minor == NULL || angle == NULL) {
    cca_fail_null (component == NULL ? "component" : major == NULL ? "major" : minor == NULL ? "minor" : "angle");
    return;
  }
  mean = (component->cov_xx + component->cov_yy) / 2;
  difference = (component->cov_xx - component->cov_yy) / 2;
  radius = hypot (difference, component->cov_xy);
  /* The variance along a half axis a of a filled ellipse is a^2 / 4. */
  *major = 2 * sqrt (mean + radius);
  *minor = 2 * sqrt (mean > radius ? mean - radius : 0);
  *angle = radius > 0 ? atan2 (component->cov_xy, difference) / 2 : 0;
}
