/* gst-cca: parameters
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "cca/params.h"
#include "cca/status.h"

#include <inttypes.h>

void
cca_params_init (CcaParams *params)
{
  if (params == NULL) {
    cca_fail_null ("params");
    return;
  }
  *params = (CcaParams) {
    .algorithm = "auto",
    .connectivity = 8,
    .foreground = CCA_FOREGROUND_NONZERO,
    .threshold = 127,
    .low = 128,
    .high = 255,
    .motion = { .learning = 32, .period = 4, .amplification = 2, .v_min = 16, .v_max = 64 },
    .max_components = 4096,
    .order = CCA_ORDER_RASTER,
    .n_threads = 1,
    .stage_interval = 1,
  };
}

static CcaStatus
check_range (const char *name, uint64_t value, uint64_t low, uint64_t high)
{
  if (value >= low && value <= high)
    return CCA_OK;
  return cca_fail (CCA_ERROR_INVALID, "%s is %" PRIu64 "; it must be in %" PRIu64 "…%" PRIu64, name, value, low, high);
}

static CcaStatus
check_order (const char *low_name, uint64_t low, const char *high_name, uint64_t high)
{
  if (low <= high)
    return CCA_OK;
  return cca_fail (CCA_ERROR_INVALID,
                   "%s is %" PRIu64 " and %s is %" PRIu64 "; %s must not exceed %s: lower the one or raise the other",
                   low_name, low, high_name, high, low_name, high_name);
}

/* Checks two limits of which either may be 0, none. */
static CcaStatus
check_limits (const char *min_name, uint64_t min, const char *max_name, uint64_t max)
{
  return max > 0 ? check_order (min_name, min, max_name, max) : CCA_OK;
}

static CcaStatus
check_motion (const CcaMotion *motion)
{
  CcaStatus status;

  if ((status = check_range ("motion.learning", motion->learning, 1, UINT32_MAX)) != CCA_OK
      || (status = check_range ("motion.period", motion->period, 1, UINT32_MAX)) != CCA_OK
      || (status = check_range ("motion.amplification", motion->amplification, 1, 16)) != CCA_OK
      || (status = check_range ("motion.v_min", motion->v_min, 1, 255)) != CCA_OK)
    return status;
  return check_order ("motion.v_min", motion->v_min, "motion.v_max", motion->v_max);
}

CcaStatus
cca_params_check (const CcaParams *params)
{
  CcaStatus status;

  if (params->connectivity != 4 && params->connectivity != 8)
    return cca_fail (CCA_ERROR_INVALID, "connectivity is %u; it must be 4 or 8", params->connectivity);
  if ((status = check_range ("foreground", params->foreground, 0, CCA_FOREGROUND_MOTION)) != CCA_OK
      || (status = check_range ("order", params->order, 0, CCA_ORDER_AREA)) != CCA_OK
      || (status = check_range ("close_radius", params->close_radius, 0, CCA_MAX_CLOSE_RADIUS)) != CCA_OK
      || (status = check_range ("max_components", params->max_components, 0, CCA_MAX_COMPONENTS)) != CCA_OK
      || (status = check_range ("min_width", params->min_width, 0, CCA_MAX_SIZE)) != CCA_OK
      || (status = check_range ("max_width", params->max_width, 0, CCA_MAX_SIZE)) != CCA_OK
      || (status = check_range ("min_height", params->min_height, 0, CCA_MAX_SIZE)) != CCA_OK
      || (status = check_range ("max_height", params->max_height, 0, CCA_MAX_SIZE)) != CCA_OK
      || (status = check_range ("n_threads", params->n_threads, 1, CCA_MAX_THREADS)) != CCA_OK)
    return status;
  if (params->foreground == CCA_FOREGROUND_RANGE
      && (status = check_order ("low", params->low, "high", params->high)) != CCA_OK)
    return status;
  if ((status = check_limits ("min_area", params->min_area, "max_area", params->max_area)) != CCA_OK
      || (status = check_limits ("min_width", params->min_width, "max_width", params->max_width)) != CCA_OK
      || (status = check_limits ("min_height", params->min_height, "max_height", params->max_height)) != CCA_OK)
    return status;
  return params->foreground == CCA_FOREGROUND_MOTION ? check_motion (&params->motion) : CCA_OK;
}
