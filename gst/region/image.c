/* gst-cca: grey images from files
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * PNG by cairo, which draws the overlay, too. PGM: Netpbm's pgm(5).
 */
#include "image.h"

#include "gstccaregion.h"

#include <cairo.h>
#include <string.h>

#define MAX_SIDE 32767 /* cairo's */

static const gchar png_signature[] = "\x89PNG\r\n\x1a\n";

/* A file in memory, as far as it is read. */
typedef struct
{
  const gchar *data;
  gsize length, next;
} File;

static gboolean
begins_with (const gchar *data, gsize length, const gchar *start)
{
  return length >= strlen (start) && memcmp (data, start, strlen (start)) == 0;
}

static gboolean
is_png (const gchar *data, gsize length)
{
  return begins_with (data, length, png_signature);
}

gboolean
gst_cca_grey_image_is_one (const gchar *data, gsize length)
{
  return is_png (data, length) || (begins_with (data, length, "P5") && length > 2 && g_ascii_isspace (data[2]));
}

/* Returns a black image, or NULL and an error. */
static GstCcaGreyImage *
image_new (guint width, guint height, const gchar *origin, GError **error)
{
  GstCcaGreyImage *image = g_try_malloc0 (sizeof *image + (gsize) width * height);

  if (!image)
    g_set_error (error, GST_CCA_REGION_ERROR, 0, "%s: no memory for an image of %ux%u pixels", origin, width, height);
  else
    *image = (GstCcaGreyImage) { .width = width, .height = height };
  return image;
}

/* --- PNG --------------------------------------------------------------------------------------------- */

static cairo_status_t
read_bytes (void *closure, unsigned char *bytes, unsigned int n)
{
  File *file = closure;

  if (file->length - file->next < n)
    return CAIRO_STATUS_READ_ERROR;
  memcpy (bytes, file->data + file->next, n);
  file->next += n;
  return CAIRO_STATUS_SUCCESS;
}

/* Rec. ITU-R BT.601, section 2.5.1. */
static guint8
luma_of (guint32 rgb)
{
  return (guint8) (((rgb >> 16 & 255) * 299 + (rgb >> 8 & 255) * 587 + (rgb & 255) * 114 + 500) / 1000);
}

/* Copies a surface of any format onto black, whose rows are of a known format then. */
static cairo_surface_t *
flatten (cairo_surface_t *surface)
{
  const int width = cairo_image_surface_get_width (surface), height = cairo_image_surface_get_height (surface);
  cairo_surface_t *flat = cairo_image_surface_create (CAIRO_FORMAT_RGB24, width, height);
  cairo_t *cairo = cairo_create (flat);

  cairo_set_source_surface (cairo, surface, 0, 0);
  cairo_paint (cairo);
  cairo_destroy (cairo);
  cairo_surface_flush (flat);
  return flat;
}

static GstCcaGreyImage *
image_of_surface (cairo_surface_t *surface, const gchar *origin, GError **error)
{
  cairo_surface_t *flat = flatten (surface);
  const guint width = (guint) cairo_image_surface_get_width (flat),
              height = (guint) cairo_image_surface_get_height (flat);
  const guint8 *data = cairo_image_surface_get_data (flat);
  const gsize stride = (gsize) cairo_image_surface_get_stride (flat);
  GstCcaGreyImage *image = NULL;

  if (cairo_surface_status (flat) != CAIRO_STATUS_SUCCESS)
    g_set_error (error, GST_CCA_REGION_ERROR, 0, "%s: cannot convert the image: %s", origin,
                 cairo_status_to_string (cairo_surface_status (flat)));
  else
    image = image_new (width, height, origin, error);
  for (gsize i = 0; image && i < (gsize) width * height; i++)
    image->pixels[i] = luma_of (((const guint32 *) (const void *) (data + i / width * stride))[i % width]);
  cairo_surface_destroy (flat);
  return image;
}

static GstCcaGreyImage *
read_png (const gchar *data, gsize length, const gchar *origin, GError **error)
{
  File file = { data, length, 0 };
  cairo_surface_t *surface = cairo_image_surface_create_from_png_stream (read_bytes, &file);
  const cairo_status_t status = cairo_surface_status (surface);
  GstCcaGreyImage *image = NULL;

  if (status == CAIRO_STATUS_SUCCESS)
    image = image_of_surface (surface, origin, error);
  else
    g_set_error (error, GST_CCA_REGION_ERROR, 0, "%s: cannot read this PNG: %s", origin,
                 status == CAIRO_STATUS_READ_ERROR ? "the file ends early" : cairo_status_to_string (status));
  cairo_surface_destroy (surface);
  return image;
}

/* --- PGM --------------------------------------------------------------------------------------------- */

/* Skips white space and comments. */
static void
skip_space (File *file)
{
  gboolean comment = FALSE;

  for (; file->next < file->length; file->next++) {
    const gchar c = file->data[file->next];

    if (comment)
      comment = c != '\n' && c != '\r';
    else if (c == '#')
      comment = TRUE;
    else if (!g_ascii_isspace (c))
      return;
  }
}

/* Reads a number of the header; 0 if there is none, or if it is more than `max`. */
static guint
read_number (File *file, guint max)
{
  guint value = 0;

  skip_space (file);
  for (; file->next < file->length && g_ascii_isdigit (file->data[file->next]); file->next++) {
    value = value * 10 + (guint) (file->data[file->next] - '0');
    if (value > max)
      return 0;
  }
  return value;
}

static GstCcaGreyImage *
read_pgm (const gchar *data, gsize length, const gchar *origin, GError **error)
{
  File file = { data, length, 2 };
  const guint width = read_number (&file, MAX_SIDE), height = read_number (&file, MAX_SIDE),
              white = read_number (&file, 255);
  const gsize n = (gsize) width * height;
  GstCcaGreyImage *image;

  if (width == 0 || height == 0 || white == 0) {
    g_set_error (error, GST_CCA_REGION_ERROR, 0,
                 "%s: this PGM's header must have a width and a height of 1…%d pixels, and a white of 1…255", origin,
                 MAX_SIDE);
    return NULL;
  }
  file.next++; /* one white space before the pixels */
  if (file.next > length || length - file.next < n) {
    g_set_error (error, GST_CCA_REGION_ERROR, 0, "%s: the file ends early: %ux%u pixels need %" G_GSIZE_FORMAT " bytes",
                 origin, width, height, n);
    return NULL;
  }
  image = image_new (width, height, origin, error);
  for (gsize i = 0; image && i < n; i++)
    image->pixels[i] = (guint8) (MIN ((guint8) data[file.next + i], white) * 255 / white);
  return image;
}

/* --- Both -------------------------------------------------------------------------------------------- */

GstCcaGreyImage *
gst_cca_grey_image_read (const gchar *data, gsize length, const gchar *origin, GError **error)
{
  return (is_png (data, length) ? read_png : read_pgm) (data, length, origin, error);
}

void
gst_cca_grey_image_scale (const GstCcaGreyImage *image, guint width, guint height, guint8 *pixels)
{
  for (guint y = 0; y < height; y++) {
    const guint8 *row = image->pixels + (gsize) ((2 * (guint64) y + 1) * image->height / (2 * height)) * image->width;

    for (guint x = 0; x < width; x++)
      pixels[(gsize) y * width + x] = row[(2 * (guint64) x + 1) * image->width / (2 * width)];
  }
}
