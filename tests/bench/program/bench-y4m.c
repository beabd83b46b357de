/* gst-cca: masks as YUV4MPEG2 files, to be measured elsewhere
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "bench-y4m.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "bench-engine.h"

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
