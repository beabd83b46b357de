/* gst-cca: a case of cca-bench: masks of one size and how they came about
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "bench-case.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "bench-engine.h"

BenchCase *
bench_case_new (const char *source, const char *foreground, guint width, guint height)
{
  BenchCase *self = g_new0 (BenchCase, 1);

  self->source = g_strdup (source);
  self->foreground = g_strdup (foreground);
  self->width = width;
  self->height = height;
  self->parameter = -1;
  self->masks = g_ptr_array_new_with_free_func (g_free);
  return self;
}

void
bench_case_free (BenchCase *self)
{
  g_free (self->source);
  g_free (self->foreground);
  g_ptr_array_unref (self->masks);
  g_free (self);
}

/* Room for one more mask. */
static guint8 *
append_mask (BenchCase *self)
{
  guint8 *mask = g_malloc ((gsize) self->width * self->height);

  g_ptr_array_add (self->masks, mask);
  return mask;
}

void
bench_case_add (BenchCase *self, const guint8 *mask, guint width, guint height)
{
  guint8 *scaled = append_mask (self);

  for (guint y = 0; y < self->height; y++) {
    const guint8 *row = mask + (2 * (guint64) y + 1) * height / (2 * self->height) * width;

    for (guint x = 0; x < self->width; x++)
      *scaled++ = row[(2 * (guint64) x + 1) * width / (2 * self->width)];
  }
}

void
bench_case_measure_density (BenchCase *self)
{
  const gsize n_pixels = (gsize) self->width * self->height;
  guint64 n_foreground = 0;

  for (guint i = 0; i < self->masks->len; i++) {
    const guint8 *mask = g_ptr_array_index (self->masks, i);

    for (gsize p = 0; p < n_pixels; p++)
      n_foreground += mask[p] != 0;
  }
  self->density = 100.0 * n_foreground / ((double) n_pixels * self->masks->len);
}

BenchNoise *
bench_noise_new (guint width, guint height, guint granularity, guint32 seed, guint n)
{
  BenchNoise *self = g_new0 (BenchNoise, 1);
  Random random;

  self->width = width;
  self->height = height;
  self->granularity = granularity;
  self->values = g_ptr_array_new_with_free_func (g_free);
  random_init (&random, seed);
  for (guint i = 0; i < n; i++) {
    guint8 *values = g_malloc ((gsize) width * height);

    pattern_random_values (&random, 100, granularity, values, width, height);
    g_ptr_array_add (self->values, values);
  }
  return self;
}

void
bench_noise_free (BenchNoise *self)
{
  g_ptr_array_unref (self->values);
  g_free (self);
}

BenchCase *
bench_case_new_random (const BenchNoise *noise, guint density)
{
  BenchCase *self = bench_case_new ("random", "random", noise->width, noise->height);
  const gsize n_pixels = (gsize) self->width * self->height;

  self->density = density;
  self->granularity = noise->granularity;
  for (guint i = 0; i < noise->values->len; i++) {
    const guint8 *values = g_ptr_array_index (noise->values, i);
    guint8 *mask = append_mask (self);

    for (gsize p = 0; p < n_pixels; p++)
      mask[p] = values[p] < density ? 255 : 0;
  }
  return self;
}

BenchCase *
bench_case_new_pattern (guint width, guint height, gsize pattern)
{
  BenchCase *self = bench_case_new (pattern_name (pattern), "pattern", width, height);

  pattern_draw (pattern, append_mask (self), width, height);
  bench_case_measure_density (self);
  return self;
}

BenchCase *
bench_case_new_family (guint side_bits, Family family, guint level, guint subdivisions, guint parameter, guint32 seed,
                       guint n)
{
  const gboolean random = family == FAMILY_RANDOM_INSTANCING || family == FAMILY_RANDOM_MERGING;
  const gboolean has_level = random || family == FAMILY_SCALING || family == FAMILY_SUBDIVISION;
  g_autofree char *source = random      ? g_strdup_printf ("%s(%u,%u)", family_name (family), level, subdivisions)
                            : has_level ? g_strdup_printf ("%s(%u)", family_name (family), level)
                                        : g_strdup (family_name (family));
  BenchCase *self = bench_case_new (source, "family", 1u << side_bits, 1u << side_bits);
  Random numbers;

  self->parameter = (int) parameter;
  random_init (&numbers, seed);
  for (guint i = 0; i < (random ? n : 1); i++)
    family_draw (family, level, subdivisions, parameter, &numbers, append_mask (self), side_bits);
  bench_case_measure_density (self);
  return self;
}

char *
bench_case_describe (const BenchCase *self)
{
  if (self->granularity != 0)
    return g_strdup_printf ("random g=%u %.0f %%, %ux%u", self->granularity, self->density, self->width, self->height);
  if (self->parameter >= 0)
    return g_strdup_printf ("%s %d, %ux%u", self->source, self->parameter, self->width, self->height);
  return g_strdup_printf ("%s, %s, %ux%u", self->source, self->foreground, self->width, self->height);
}

/* --- YUV4MPEG2 files --------------------------------------------------------------------------------- */

/* Not 255, many of which GStreamer takes for the start of an MPEG stream. */
#define FOREGROUND 254

static char *
file_name (const BenchCase *self)
{
  if (self->granularity != 0)
    return g_strdup_printf ("random-g%u-d%.0f-%ux%u.y4m", self->granularity, self->density, self->width, self->height);
  if (self->parameter >= 0)
    return g_strdup_printf ("%s-%d-%ux%u.y4m", self->source, self->parameter, self->width, self->height);
  return g_strdup_printf ("%s-%s-%ux%u.y4m", self->source, self->foreground, self->width, self->height);
}

static gboolean
write_masks (const BenchCase *self, FILE *file)
{
  const gsize n_luma = (gsize) self->width * self->height;
  const gsize n_chroma = (gsize) 2 * ((self->width + 1) / 2) * ((self->height + 1) / 2);
  g_autofree guint8 *luma = g_malloc (n_luma), *grey = g_malloc (n_chroma);

  memset (grey, 128, n_chroma);
  fprintf (file, "YUV4MPEG2 W%u H%u F25:1 Ip A1:1 C420\n", self->width, self->height);
  for (guint i = 0; i < self->masks->len; i++) {
    const guint8 *mask = g_ptr_array_index (self->masks, i);

    for (gsize p = 0; p < n_luma; p++)
      luma[p] = mask[p] != 0 ? FOREGROUND : 0;
    fputs ("FRAME\n", file);
    fwrite (luma, 1, n_luma, file);
    fwrite (grey, 1, n_chroma, file);
  }
  return !ferror (file);
}

gboolean
bench_case_save (const BenchCase *self, const char *folder, GError **error)
{
  g_autofree char *name = file_name (self);
  g_autofree char *path = g_build_filename (folder, name, NULL);
  FILE *file = fopen (path, "wb");
  gboolean written = FALSE;

  if (file != NULL) {
    written = write_masks (self, file);
    written = fclose (file) == 0 && written;
  }
  if (!written)
    g_set_error (error, BENCH_ERROR, BENCH_ERROR_OUTPUT, "%s cannot be written: %s", path, g_strerror (errno));
  return written;
}
