/* gst-cca: from the frames of a file to masks
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * libcca itself makes the masks (CCA_OUTPUT_MASK). Modes that it does not have are computed here: Otsu's threshold is a
 * number that it then applies, an adaptive threshold an image of which it then takes what is not zero.
 */
#include "bench-foreground.h"

#include "bench-engine.h"
#include "bench-media.h"

#define ADAPTIVE_RADIUS 15
#define ADAPTIVE_OFFSET 7

typedef struct
{
  const char *location;
  BenchForeground foreground;
  const BenchMaskOptions *options;
  BenchCase *result; /* NULL before the first frame */
  CcaContext *context;
  CcaPlan *plan;
  CcaResult *frame_result;
  CcaParams params;
  guint8 *mask, *adaptive; /* of a frame's size */
} Masker;

const char *
bench_foreground_name (BenchForeground foreground)
{
  static const char *const names[] = { "nonzero", "threshold", "otsu", "adaptive", "motion" };

  return (guint) foreground < G_N_ELEMENTS (names) ? names[foreground] : NULL;
}

static guint8
otsu_threshold (const CcaImage *image)
{
  guint64 histogram[256] = { 0 }, total = 0, moment = 0, below = 0, moment_below = 0;
  double best = -1;
  guint8 threshold = 0;

  for (guint y = 0; y < image->height; y++) {
    const guint8 *row = (const guint8 *) image->data + y * image->pitch;

    for (guint x = 0; x < image->width; x++)
      histogram[row[x]]++;
  }
  for (guint v = 0; v < 256; v++) {
    total += histogram[v];
    moment += v * histogram[v];
  }
  for (guint v = 0; v < 255; v++) {
    double between;

    below += histogram[v];
    moment_below += v * histogram[v];
    if (below == 0 || below == total)
      continue;
    between = (double) moment_below / below - (double) (moment - moment_below) / (total - below);
    between *= between * below * (total - below);
    if (between > best) {
      best = between;
      threshold = v;
    }
  }
  return threshold;
}

/* 255 where a pixel lies above the mean of its surroundings less ADAPTIVE_OFFSET; surroundings end at the borders. */
static void
adaptive_threshold (const CcaImage *image, guint8 *mask)
{
  const guint width = image->width, height = image->height, stride = width + 1;
  g_autofree guint64 *sums = g_new0 (guint64, (gsize) stride * (height + 1)); /* over all above and left */

  for (guint y = 0; y < height; y++) {
    const guint8 *row = (const guint8 *) image->data + y * image->pitch;
    const guint64 *above = sums + (gsize) y * stride;
    guint64 *here = sums + (gsize) (y + 1) * stride, sum = 0;

    for (guint x = 0; x < width; x++) {
      sum += row[x];
      here[x + 1] = above[x + 1] + sum;
    }
  }
  for (guint y = 0; y < height; y++) {
    const guint8 *row = (const guint8 *) image->data + y * image->pitch;
    const guint top = y > ADAPTIVE_RADIUS ? y - ADAPTIVE_RADIUS : 0, bottom = MIN (y + ADAPTIVE_RADIUS + 1, height);
    const guint64 *above = sums + (gsize) top * stride, *below = sums + (gsize) bottom * stride;

    for (guint x = 0; x < width; x++) {
      const guint left = x > ADAPTIVE_RADIUS ? x - ADAPTIVE_RADIUS : 0, right = MIN (x + ADAPTIVE_RADIUS + 1, width);
      const guint64 n = (guint64) (right - left) * (bottom - top);
      const guint64 sum = below[right] - below[left] - above[right] + above[left];

      mask[(gsize) y * width + x] = (row[x] + ADAPTIVE_OFFSET) * n > sum ? 255 : 0;
    }
  }
}

static gboolean
masker_fail (const Masker *self, GError **error)
{
  g_set_error (error, BENCH_ERROR, BENCH_ERROR_INPUT, "%s mask: %s", bench_foreground_name (self->foreground),
               cca_last_error ());
  return FALSE;
}

static gboolean
masker_start (Masker *self, guint width, guint height, GError **error)
{
  static const CcaForeground modes[] = { [BENCH_FOREGROUND_NONZERO] = CCA_FOREGROUND_NONZERO,
                                         [BENCH_FOREGROUND_THRESHOLD] = CCA_FOREGROUND_THRESHOLD,
                                         [BENCH_FOREGROUND_OTSU] = CCA_FOREGROUND_THRESHOLD,
                                         [BENCH_FOREGROUND_ADAPTIVE] = CCA_FOREGROUND_NONZERO,
                                         [BENCH_FOREGROUND_MOTION] = CCA_FOREGROUND_MOTION };
  const BenchMaskOptions *options = self->options;
  g_autofree char *source = g_path_get_basename (self->location);

  cca_params_init (&self->params);
  self->params.foreground = modes[self->foreground];
  self->params.threshold = options->threshold;
  self->params.invert = options->invert;
  self->params.denoise = options->denoise || self->foreground == BENCH_FOREGROUND_MOTION;
  self->params.close_radius = options->close_radius;
  if (cca_context_new (NULL, &self->context) != CCA_OK
      || cca_plan_new (self->context, width, height, &self->params, CCA_OUTPUT_MASK, &self->plan) != CCA_OK
      || cca_result_new (self->plan, &self->frame_result) != CCA_OK)
    return masker_fail (self, error);

  self->mask = g_malloc ((gsize) width * height);
  if (self->foreground == BENCH_FOREGROUND_ADAPTIVE)
    self->adaptive = g_malloc ((gsize) width * height);
  self->result =
      bench_case_new (source, bench_foreground_name (self->foreground), options->width != 0 ? options->width : width,
                      options->height != 0 ? options->height : height);
  return TRUE;
}

static void
masker_clear (Masker *self)
{
  cca_result_free (self->frame_result);
  cca_plan_free (self->plan);
  cca_context_free (self->context);
  g_free (self->mask);
  g_free (self->adaptive);
  g_clear_pointer (&self->result, bench_case_free);
}

static gboolean
masker_make (Masker *self, CcaImage input, GError **error)
{
  const CcaImage output = { .data = self->mask, .pitch = input.width, .width = input.width, .height = input.height };
  CcaMeasurement measurement;

  if (self->foreground == BENCH_FOREGROUND_ADAPTIVE) {
    adaptive_threshold (&input, self->adaptive);
    input.data = self->adaptive;
    input.pitch = input.width;
  } else if (self->foreground == BENCH_FOREGROUND_OTSU) {
    self->params.threshold = otsu_threshold (&input);
    if (cca_plan_set_params (self->plan, &self->params) != CCA_OK)
      return masker_fail (self, error);
  }
  if (cca_plan_run (self->plan, &input, &output, NULL, self->frame_result) != CCA_OK
      || cca_result_wait (self->frame_result, &measurement) != CCA_OK)
    return masker_fail (self, error);
  return TRUE;
}

static gboolean
masker_take_frame (const GstVideoFrame *frame, guint number, gpointer user, GError **error)
{
  Masker *self = user;
  const BenchMaskOptions *options = self->options;
  const gboolean keep = number >= options->first && (number - options->first) % options->every == 0;
  const CcaImage input = { .data = GST_VIDEO_FRAME_PLANE_DATA (frame, 0),
                           .pitch = GST_VIDEO_FRAME_PLANE_STRIDE (frame, 0),
                           .width = GST_VIDEO_FRAME_WIDTH (frame),
                           .height = GST_VIDEO_FRAME_HEIGHT (frame) };

  if (self->result == NULL && !masker_start (self, input.width, input.height, error))
    return FALSE;
  /* The motion model has to see every frame. */
  if ((keep || self->foreground == BENCH_FOREGROUND_MOTION) && !masker_make (self, input, error))
    return FALSE;
  if (keep)
    bench_case_add (self->result, self->mask, input.width, input.height);
  return self->result->masks->len < options->count;
}

BenchCase *
bench_case_new_from_file (const char *location, BenchForeground foreground, const BenchMaskOptions *options,
                          GError **error)
{
  Masker masker = { .location = location, .foreground = foreground, .options = options };
  BenchCase *result = NULL;

  if (bench_media_read (location, masker_take_frame, &masker, error)) {
    if (masker.result == NULL || masker.result->masks->len == 0) {
      g_set_error (error, BENCH_ERROR, BENCH_ERROR_INPUT, "%s: has no frame %u", location, options->first);
    } else {
      result = g_steal_pointer (&masker.result);
      bench_case_measure_density (result);
    }
  }
  masker_clear (&masker);
  return result;
}
