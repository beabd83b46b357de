/* gst-cca: parameters of a fuzzed plan
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "frames.h"

#include <string.h>

/* Small values as they are, the largest ones from the end of 32 bits. */
static uint32_t
read_wide (Reader *reader)
{
  const uint8_t value = read_byte (reader);

  return value < 250 ? value : UINT32_MAX - (255 - value);
}

/* An algorithm of the backend, "auto" or a name that no backend knows. */
static const char *
read_algorithm (Reader *reader)
{
  const CcaAlgorithm *const *algorithms = cca_algorithms (fuzz_backend);
  const uint8_t choice = read_byte (reader);
  uint32_t n = 0;

  if (choice >= 250)
    return choice == 255 ? "no such algorithm" : choice == 254 ? "" : NULL;
  while (algorithms[n])
    n++;
  return choice % (n + 1) == n ? "auto" : algorithms[choice % (n + 1)]->name;
}

/* Mostly one thread: making others takes longer than all the rest. */
static uint32_t
read_threads (Reader *reader)
{
  static const uint8_t counts[] = { 1, 1, 1, 2, 1, 3, 1, 5, 1, CCA_MAX_THREADS + 1, 1, 0, 1, 2, 1, 1 };

  return counts[read_byte (reader) % sizeof counts];
}

static uint32_t
read_max_components (Reader *reader)
{
  const uint8_t value = read_byte (reader);

  if (value >= 254)
    return CCA_MAX_COMPONENTS + (value - 254u);
  return value < 16 ? value : (value - 15u) * 16;
}

/* A format, its matrix, a limit of values of 16 bits, the background model, or cells. */
static void
read_value_param (Reader *reader, CcaParams *params)
{
  static const uint8_t cells[] = { 0, 1, 2, 4, 8, 16, 8, 16, 4, 2, 3, 6, 32, 255, 16, 8 };
  /* The values up to 247 meant parameters already when the corpus was made. */
  const uint8_t choice = read_byte (reader);

  switch (choice < 248 ? choice % 8 : choice) {
    case 0: params->threshold = read_u16 (reader); break;
    case 1: params->low = read_u16 (reader); break;
    case 2: params->high = read_u16 (reader); break;
    case 3: params->motion.v_min = read_u16 (reader); break;
    case 4: params->motion.v_max = read_u16 (reader); break;
    case 5: params->black = read_u16 (reader); break;
    case 6: params->matrix = read_byte (reader) % (CCA_MATRIX_BT2020 + 2); break;
    case 248: params->motion.model = read_byte (reader) % (CCA_MODEL_SAMPLES + 2); break;
    case 249: params->motion.tolerance = read_byte (reader) % (CCA_MAX_TOLERANCE + 2); break;
    case 250: params->motion.keep_shadows = !params->motion.keep_shadows; break;
    case 251:
      params->foreground = CCA_FOREGROUND_MOTION;
      params->motion.model = CCA_MODEL_SAMPLES;
      break;
    case 252: params->coverage_cell = cells[read_byte (reader) % sizeof cells]; break;
    case 253: params->shape = !params->shape; break;
    case 254: params->intensity = !params->intensity; break;
    default: params->format = read_byte (reader) % (CCA_FORMAT_GRAY16_BE + 2); break;
  }
}

void
session_read_param (Session *session)
{
  Reader *reader = session->reader;
  CcaParams *params = &session->params;
  CcaMotion *motion = &params->motion;

  /* The values of one byte up to 241 meant parameters already when the corpus was made. */
  const uint8_t choice = read_byte (reader);

  switch (choice < 242 ? choice % 22 : choice < 250 ? 22 : choice < 252 ? 27 : choice - 252 + 23) {
    case 0: params->algorithm = read_algorithm (reader); break;
    case 1: params->connectivity = 4; break;
    case 2: params->connectivity = 8; break;
    case 3: params->connectivity = read_byte (reader) % 10; break;
    case 4: params->foreground = read_byte (reader) % (CCA_FOREGROUND_MOTION + 2); break;
    case 5: params->black = read_byte (reader); break;
    case 6: params->threshold = read_byte (reader); break;
    case 7: params->low = read_byte (reader); break;
    case 8: params->high = read_byte (reader); break;
    case 9: params->invert = !params->invert; break;
    case 10: params->denoise = !params->denoise; break;
    case 11: params->close_radius = read_byte (reader) % (CCA_MAX_CLOSE_RADIUS + 2); break;
    case 12: params->min_area = read_wide (reader); break;
    case 13: params->max_area = read_wide (reader); break;
    case 14: params->max_components = read_max_components (reader); break;
    case 15: params->order = read_byte (reader) % (CCA_ORDER_AREA + 2); break;
    case 16: params->covariance = !params->covariance; break;
    case 17: params->n_threads = read_threads (reader); break;
    case 18: params->stage_interval = read_wide (reader); break;
    case 19: motion->learning = read_wide (reader); break;
    case 20: motion->period = read_wide (reader); break;
    case 21:
      motion->amplification = read_byte (reader) % 18;
      motion->v_min = read_byte (reader);
      motion->v_max = read_byte (reader);
      break;
    case 22: params->overlaps = !params->overlaps; break;
    case 23: params->min_width = read_wide (reader); break;
    case 24: params->max_width = read_wide (reader); break;
    case 25: params->min_height = read_wide (reader); break;
    case 26: params->max_height = read_wide (reader); break;
    case 27: read_value_param (reader, params); break;
  }
}

/* Whether an algorithm of that name, or any for "auto", serves the parameters. */
static bool
is_served (const CcaParams *params, CcaOutput output)
{
  const bool any = params->algorithm == NULL || strcmp (params->algorithm, "auto") == 0;

  for (const CcaAlgorithm *const *a = cca_algorithms (fuzz_backend); *a; a++)
    if ((any || strcmp ((*a)->name, params->algorithm) == 0) && compare_can (*a, params, output))
      return true;
  return false;
}

static bool
is_samples (const CcaParams *params)
{
  return params->foreground == CCA_FOREGROUND_MOTION && params->motion.model == CCA_MODEL_SAMPLES;
}

/* Whether the limits that are in use fit the format's values. */
static bool
are_values (const CcaParams *params)
{
  const uint32_t most = cca_format_max_value (params->format);

  switch (params->foreground) {
    case CCA_FOREGROUND_NONZERO: return params->black <= most;
    case CCA_FOREGROUND_THRESHOLD: return params->threshold <= most;
    case CCA_FOREGROUND_RANGE: return params->low <= params->high && params->high <= most;
    case CCA_FOREGROUND_MOTION:
      return is_samples (params)
             || (params->motion.v_min <= params->motion.v_max && params->motion.v_max <= most
                 && params->motion.v_min >= 1);
    default: return true;
  }
}

static bool
is_cell (uint32_t side)
{
  return side == 0 || side == 1 || side == 2 || side == 4 || side == 8 || side == 16;
}

static bool
are_possible_motion (const CcaMotion *motion)
{
  if (motion->model > CCA_MODEL_SAMPLES || motion->learning == 0)
    return false;
  if (motion->model == CCA_MODEL_SAMPLES)
    return motion->tolerance >= 1 && motion->tolerance <= CCA_MAX_TOLERANCE;
  return motion->period >= 1 && motion->amplification >= 1 && motion->amplification <= 16;
}

static bool
are_possible (const CcaParams *params)
{
  return (params->connectivity == 4 || params->connectivity == 8) && params->foreground <= CCA_FOREGROUND_MOTION
         && params->order <= CCA_ORDER_AREA && params->close_radius <= CCA_MAX_CLOSE_RADIUS
         && params->max_components <= CCA_MAX_COMPONENTS && params->n_threads >= 1
         && params->n_threads <= CCA_MAX_THREADS && !(params->max_area && params->min_area > params->max_area)
         && params->min_width <= CCA_MAX_SIZE && params->max_width <= CCA_MAX_SIZE && params->min_height <= CCA_MAX_SIZE
         && params->max_height <= CCA_MAX_SIZE && !(params->max_width && params->min_width > params->max_width)
         && !(params->max_height && params->min_height > params->max_height) && params->format <= CCA_FORMAT_GRAY16_BE
         && params->matrix <= CCA_MATRIX_BT2020 && is_cell (params->coverage_cell) && are_values (params)
         && (params->foreground != CCA_FOREGROUND_MOTION || are_possible_motion (&params->motion));
}

CcaStatus
params_expected_status (const CcaParams *params, CcaOutput output)
{
  if (!are_possible (params))
    return CCA_ERROR_INVALID;
  if (is_samples (params) && cca_format_max_value (params->format) > 255)
    return CCA_ERROR_UNSUPPORTED;
  if (params->foreground == CCA_FOREGROUND_VALUES && params->coverage_cell > 0)
    return CCA_ERROR_UNSUPPORTED;
  return is_served (params, output) ? CCA_OK : CCA_ERROR_UNSUPPORTED;
}
