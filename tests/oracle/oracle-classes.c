/* gst-cca: an oracle for tests, from pixels to classes: foreground modes, background model, clean-up
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "oracle.h"

#include <stdlib.h>
#include <string.h>

#include "oracle-samples.h"

struct OracleModel
{
  uint64_t frame; /* Sigma-Delta: number of the next one */
  uint32_t width, height;
  size_t n;
  int *mean, *spread;
  OracleSamples *samples; /* NULL before the first frame that needs them */
  const OracleChroma *chroma;
  const OracleRectangle *held;
  size_t n_held;
  bool scene_changed;
};

OracleModel *
oracle_model_new (uint32_t width, uint32_t height)
{
  OracleModel *model = oracle_alloc (1, sizeof *model);

  model->width = width;
  model->height = height;
  model->n = (size_t) width * height;
  model->mean = oracle_alloc (model->n, sizeof *model->mean);
  model->spread = oracle_alloc (model->n, sizeof *model->spread);
  return model;
}

void
oracle_model_free (OracleModel *model)
{
  if (!model)
    return;
  free (model->mean);
  free (model->spread);
  oracle_samples_free (model->samples);
  free (model);
}

void
oracle_model_set_chroma (OracleModel *model, const OracleChroma *chroma)
{
  model->chroma = chroma;
}

void
oracle_model_hold (OracleModel *model, const OracleRectangle *rectangles, size_t n)
{
  model->held = rectangles;
  model->n_held = n;
}

bool
oracle_model_scene_changed (const OracleModel *model)
{
  return model->scene_changed;
}

uint32_t
oracle_value (const OracleParams *params, const uint8_t *pixels, size_t i)
{
  const uint8_t *two = pixels + 2 * i, *four = pixels + 4 * i;
  const uint32_t red = (uint32_t) (256 * params->red + 0.5), green = (uint32_t) (256 * params->green + 0.5),
                 blue = 256 - red - green;

  switch (params->format) {
    case ORACLE_GRAY8: return pixels[i];
    case ORACLE_YUY2: return two[0];
    case ORACLE_UYVY: return two[1];
    case ORACLE_P010: return two[1];
    case ORACLE_RGBX: return (red * four[0] + green * four[1] + blue * four[2] + 128) / 256;
    case ORACLE_BGRX: return (red * four[2] + green * four[1] + blue * four[0] + 128) / 256;
    case ORACLE_GRAY16_LE: return two[0] + 256u * two[1];
    case ORACLE_GRAY16_BE: return two[1] + 256u * two[0];
  }
  abort ();
}

static bool
is_wide (const OracleParams *params)
{
  return params->format == ORACLE_GRAY16_LE || params->format == ORACLE_GRAY16_BE;
}

static int
step_towards (int from, int to, int step)
{
  if (from < to)
    return from + step < to ? from + step : to;
  return from - step > to ? from - step : to;
}

static int
model_step (const OracleParams *params, uint64_t t)
{
  if (t < params->learning) {
    const int step = 8 - (int) (8 * t / params->learning);
    return step > 1 ? step : 1;
  }
  return t % params->period == 0 ? 1 : 0;
}

/* v_min times the pixel's factor, rounded half up, but at least 1. */
static int
least_spread (const OracleParams *params, size_t pixel, int most)
{
  const int sixteenths = (int) params->v_min * (params->factors ? params->factors[pixel] : 16);
  const int least = sixteenths / 16 + (sixteenths % 16 >= 8);

  return least < 1 ? 1 : least > most ? most : least;
}

static void
motion (const OracleParams *params, OracleModel *model, const uint8_t *pixels, uint16_t *mask)
{
  const uint64_t t = model->frame++;
  const int most = is_wide (params) ? 65535 : 255;
  const int level = is_wide (params) && params->v_min > 16 ? (int) params->v_min / 16 : 1;

  for (size_t i = 0; i < model->n; i++) {
    const int value = (int) oracle_value (params, pixels, i), v_min = least_spread (params, i, most),
              v_max = (int) params->v_max > v_min ? (int) params->v_max : v_min;
    int difference, target;

    mask[i] = 0;
    if (t == 0) {
      model->mean[i] = value;
      model->spread[i] = v_min;
      continue;
    }
    model->mean[i] = step_towards (model->mean[i], value, level * model_step (params, t));
    difference = abs (value - model->mean[i]);
    if (difference != 0) {
      target = (int) params->amplification * difference;
      model->spread[i] = step_towards (model->spread[i], target < most ? target : most, level);
    }
    /* Even without a difference: the limits may be others than those of the frame before. */
    if (model->spread[i] < v_min)
      model->spread[i] = v_min;
    if (model->spread[i] > v_max)
      model->spread[i] = v_max;
    mask[i] = t >= params->learning && difference >= model->spread[i];
  }
}

static void
motion_by_samples (const OracleParams *params, OracleModel *model, const uint8_t *pixels, uint16_t *mask)
{
  uint8_t *values = oracle_alloc (model->n, 1);

  if (is_wide (params))
    abort ();
  for (size_t i = 0; i < model->n; i++)
    values[i] = (uint8_t) oracle_value (params, pixels, i);
  if (model->samples && !oracle_samples_fits (model->samples, model->chroma)) {
    oracle_samples_free (model->samples);
    model->samples = NULL;
  }
  if (!model->samples)
    model->samples = oracle_samples_new (model->width, model->height, model->chroma);
  oracle_samples_hold (model->samples, model->held, model->n_held);
  model->scene_changed = oracle_samples_run (params, model->samples, values, model->chroma, mask);
  free (values);
}

static bool
is_foreground (const OracleParams *params, uint32_t value)
{
  switch (params->mode) {
    case ORACLE_NONZERO: return value > params->black;
    case ORACLE_THRESHOLD: return value > params->threshold;
    case ORACLE_RANGE: return params->low <= value && value <= params->high;
    default: return false;
  }
}

/* How many pixels of the square of side 2 * radius + 1 around (x, y) are set; outside the mask none is. */
static uint32_t
count_square (const uint16_t *mask, int64_t width, int64_t height, int64_t x, int64_t y, int64_t radius)
{
  uint32_t n = 0;

  for (int64_t v = y - radius; v <= y + radius; v++)
    for (int64_t u = x - radius; u <= x + radius; u++)
      if (u >= 0 && u < width && v >= 0 && v < height && mask[v * width + u])
        n++;
  return n;
}

static void
denoise (uint16_t *mask, uint32_t width, uint32_t height)
{
  uint16_t *in = oracle_alloc ((size_t) width * height, sizeof *in);

  memcpy (in, mask, (size_t) width * height * sizeof *in);
  for (uint32_t y = 0; y < height; y++)
    for (uint32_t x = 0; x < width; x++)
      mask[(size_t) y * width + x] = count_square (in, width, height, x, y, 1) >= 5;
  free (in);
}

/* On a plane that is larger than the image by radius on each side: what the dilation puts out there counts for the
 * erosion. */
static void
closing (uint16_t *mask, uint32_t width, uint32_t height, uint32_t radius)
{
  const size_t w = (size_t) width + 2 * radius, h = (size_t) height + 2 * radius;
  const uint32_t full = (2 * radius + 1) * (2 * radius + 1);
  uint16_t *dilated = oracle_alloc (w * h, sizeof *dilated);

  for (size_t y = 0; y < h; y++)
    for (size_t x = 0; x < w; x++)
      dilated[y * w + x] = count_square (mask, width, height, (int64_t) x - radius, (int64_t) y - radius, radius) > 0;
  for (uint32_t y = 0; y < height; y++)
    for (uint32_t x = 0; x < width; x++)
      mask[(size_t) y * width + x] =
          count_square (dilated, (int64_t) w, (int64_t) h, x + radius, y + radius, radius) == full;
  free (dilated);
}

static void
leave_region (const uint8_t *region, uint16_t *classes, size_t n)
{
  for (size_t i = 0; region && i < n; i++)
    if (region[i] == 0)
      classes[i] = 0;
}

uint16_t *
oracle_classes (const OracleParams *params, OracleModel *model, const uint8_t *pixels, uint32_t width, uint32_t height)
{
  const size_t n = (size_t) width * height;
  uint16_t *classes = oracle_alloc (n, sizeof *classes);

  if (params->mode == ORACLE_VALUES) {
    for (size_t i = 0; i < n; i++)
      classes[i] = (uint16_t) oracle_value (params, pixels, i);
    leave_region (params->region, classes, n);
    return classes;
  }
  if (params->mode == ORACLE_MOTION && params->background == ORACLE_SAMPLES)
    motion_by_samples (params, model, pixels, classes);
  else if (params->mode == ORACLE_MOTION)
    motion (params, model, pixels, classes);
  else
    for (size_t i = 0; i < n; i++)
      classes[i] = is_foreground (params, oracle_value (params, pixels, i));
  if (params->invert)
    for (size_t i = 0; i < n; i++)
      classes[i] = !classes[i];
  leave_region (params->region, classes, n);
  if (params->denoise)
    denoise (classes, width, height);
  leave_region (params->region, classes, n);
  if (params->close_radius > 0)
    closing (classes, width, height, params->close_radius);
  leave_region (params->region, classes, n);
  return classes;
}
