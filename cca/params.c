/* gst-cca: parameters
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "cca/params.h"
#include "cca/format.h"
#include "cca/samples.h"
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
    .format = CCA_FORMAT_GRAY8,
    .matrix = CCA_MATRIX_BT601,
    .foreground = CCA_FOREGROUND_NONZERO,
    .threshold = 127,
    .low = 128,
    .high = 255,
    .motion = { .model = CCA_MODEL_SIGMA_DELTA,
                .learning = 32,
                .period = 4,
                .amplification = 2,
                .v_min = 16,
                .v_max = 64,
                .tolerance = CCA_SAMPLES_TOLERANCE },
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

/* Checks a minimum and a maximum, either of which may be 0 = no limit. */
static CcaStatus
check_limits (const char *min_name, uint64_t min, const char *max_name, uint64_t max)
{
  return max > 0 ? check_order (min_name, min, max_name, max) : CCA_OK;
}

/* Checks a limit of pixel values. */
static CcaStatus
check_value (const CcaParams *params, const char *name, uint32_t value, uint32_t low)
{
  const uint32_t most = cca_format_max_value (params->format);

  if (value >= low && value <= most)
    return CCA_OK;
  return cca_fail (CCA_ERROR_INVALID, "%s is %u; with pixels of %d bits it must be in %u…%u", name, value,
                   cca_format_is_wide (params->format) ? 16 : 8, low, most);
}

static CcaStatus
check_samples (const CcaParams *params)
{
  const CcaStatus status = check_range ("motion.tolerance", params->motion.tolerance, 1, CCA_MAX_TOLERANCE);

  if (status == CCA_OK && cca_format_is_wide (params->format))
    return cca_fail (CCA_ERROR_UNSUPPORTED,
                     "motion.model SAMPLES needs values of 8 bits, but those of %s have 16; "
                     "convert the frames to GRAY8 or use SIGMA_DELTA",
                     cca_format_name (params->format));
  return status;
}

static CcaStatus
check_motion (const CcaParams *params)
{
  const CcaMotion *motion = &params->motion;
  CcaStatus status;

  if ((status = check_range ("motion.model", motion->model, 0, CCA_MODEL_SAMPLES)) != CCA_OK
      || (status = check_range ("motion.learning", motion->learning, 1, UINT32_MAX)) != CCA_OK)
    return status;
  if (motion->model == CCA_MODEL_SAMPLES)
    return check_samples (params);
  if ((status = check_range ("motion.period", motion->period, 1, UINT32_MAX)) != CCA_OK
      || (status = check_range ("motion.amplification", motion->amplification, 1, 16)) != CCA_OK
      || (status = check_value (params, "motion.v_min", motion->v_min, 1)) != CCA_OK
      || (status = check_value (params, "motion.v_max", motion->v_max, 0)) != CCA_OK)
    return status;
  return check_order ("motion.v_min", motion->v_min, "motion.v_max", motion->v_max);
}

/* Checks parameters that VALUES does not support: it has no mask to count. */
static CcaStatus
check_values (const CcaParams *params)
{
  if (params->coverage_cell > 0)
    return cca_fail (CCA_ERROR_UNSUPPORTED, "coverage_cell is %u, but foreground VALUES has no coverage; set it to 0",
                     params->coverage_cell);
  return CCA_OK;
}

static CcaStatus
check_foreground (const CcaParams *params)
{
  CcaStatus status;

  switch (params->foreground) {
    case CCA_FOREGROUND_NONZERO: return check_value (params, "black", params->black, 0);
    case CCA_FOREGROUND_THRESHOLD: return check_value (params, "threshold", params->threshold, 0);
    case CCA_FOREGROUND_RANGE:
      if ((status = check_value (params, "low", params->low, 0)) != CCA_OK
          || (status = check_value (params, "high", params->high, 0)) != CCA_OK)
        return status;
      return check_order ("low", params->low, "high", params->high);
    case CCA_FOREGROUND_VALUES: return check_values (params);
    case CCA_FOREGROUND_MOTION: return check_motion (params);
    default: return CCA_OK;
  }
}

static CcaStatus
check_cell (uint32_t cell)
{
  if ((cell & (cell - 1)) != 0 || cell > CCA_MAX_COVERAGE_CELL)
    return cca_fail (CCA_ERROR_INVALID, "coverage_cell is %u; it must be 0 or a power of two up to %u", cell,
                     CCA_MAX_COVERAGE_CELL);
  return CCA_OK;
}

CcaStatus
cca_params_check (const CcaParams *params)
{
  CcaStatus status;

  if (params->connectivity != 4 && params->connectivity != 8)
    return cca_fail (CCA_ERROR_INVALID, "connectivity is %u; it must be 4 or 8", params->connectivity);
  if ((status = check_range ("foreground", params->foreground, 0, CCA_FOREGROUND_MOTION)) != CCA_OK
      || (status = check_range ("format", params->format, 0, CCA_FORMAT_GRAY16_BE)) != CCA_OK
      || (status = check_range ("matrix", params->matrix, 0, CCA_MATRIX_BT2020)) != CCA_OK
      || (status = check_range ("order", params->order, 0, CCA_ORDER_AREA)) != CCA_OK
      || (status = check_range ("close_radius", params->close_radius, 0, CCA_MAX_CLOSE_RADIUS)) != CCA_OK
      || (status = check_range ("max_components", params->max_components, 0, CCA_MAX_COMPONENTS)) != CCA_OK
      || (status = check_range ("min_width", params->min_width, 0, CCA_MAX_SIZE)) != CCA_OK
      || (status = check_range ("max_width", params->max_width, 0, CCA_MAX_SIZE)) != CCA_OK
      || (status = check_range ("min_height", params->min_height, 0, CCA_MAX_SIZE)) != CCA_OK
      || (status = check_range ("max_height", params->max_height, 0, CCA_MAX_SIZE)) != CCA_OK
      || (status = check_cell (params->coverage_cell)) != CCA_OK
      || (status = check_range ("n_threads", params->n_threads, 1, CCA_MAX_THREADS)) != CCA_OK)
    return status;
  if ((status = check_limits ("min_area", params->min_area, "max_area", params->max_area)) != CCA_OK
      || (status = check_limits ("min_width", params->min_width, "max_width", params->max_width)) != CCA_OK
      || (status = check_limits ("min_height", params->min_height, "max_height", params->max_height)) != CCA_OK)
    return status;
  return check_foreground (params);
}
