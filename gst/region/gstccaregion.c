/* gst-cca: regions of the frame from files
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "gstccaregion.h"

#include "gst/common/gstccarulesfile.h"
#include "gst/common/gstccatext.h"

#include <png.h>
#include <string.h>

#define MAX_BYTES (64 * 1024 * 1024) /* of a file */

/* An image may have so many pixels, and more for large frames. */
#define LEAST_MAX_PIXELS (4 * 1024 * 1024)
#define MAX_PIXELS_PER_PIXEL 4 /* of the frame */

/* image, file or polygons. */
struct GstCcaRegion
{
  GstCcaGreyImage *image;
  gchar *file; /* a larger image: it is decoded when the frame's size is known */
  gsize length;
  gchar *path;
  GstCcaRulesFile *polygons;
};

static gboolean
read_file (GstCcaRegion *region, const gchar *path, GstCcaRegionKind kind, GError **error)
{
  g_autoptr (GError) problem = NULL;
  g_autofree gchar *data = NULL;
  guint width, height;
  gsize length;

  data = gst_cca_file_read (path, MAX_BYTES, &length, &problem);
  if (!data) {
    g_set_error (error, GST_CCA_REGION_ERROR, 0, "%s: %s", path, problem->message);
    return FALSE;
  }
  if (gst_cca_grey_image_is_one (data, length)) {
    if (!gst_cca_grey_image_read_size (data, length, path, &width, &height, error))
      return FALSE;
    if ((gsize) width * height <= LEAST_MAX_PIXELS) {
      region->image = gst_cca_grey_image_read (data, length, LEAST_MAX_PIXELS, path, error);
      return region->image != NULL;
    }
    region->file = g_steal_pointer (&data);
    region->length = length;
    region->path = g_strdup (path);
    return TRUE;
  }
  if (kind == GST_CCA_REGION_ANY && gst_cca_rules_file_is_json (data)) {
    region->polygons = gst_cca_rules_file_parse (data, length, path, GST_CCA_RULES_FILE_REGION, error);
    return region->polygons != NULL;
  }
  g_set_error (error, GST_CCA_REGION_ERROR, 0, "%s: is neither a PNG nor a binary PGM (P5)%s", path,
               kind == GST_CCA_REGION_ANY ? ", nor JSON, which begins with {" : "");
  return FALSE;
}

GstCcaRegion *
gst_cca_region_load (const gchar *value, GstCcaRegionKind kind, GError **error)
{
  GstCcaRegion *region = g_new0 (GstCcaRegion, 1);

  if (kind == GST_CCA_REGION_ANY && gst_cca_rules_file_is_json (value)) {
    region->polygons = gst_cca_rules_file_load (value, GST_CCA_RULES_FILE_REGION, error);
    if (region->polygons)
      return region;
  } else if (read_file (region, value, kind, error)) {
    return region;
  }
  gst_cca_region_free (region);
  return NULL;
}

void
gst_cca_region_free (GstCcaRegion *region)
{
  if (!region)
    return;
  gst_cca_rules_file_free (region->polygons);
  g_free (region->image);
  g_free (region->file);
  g_free (region->path);
  g_free (region);
}

guint8 *
gst_cca_region_draw (const GstCcaRegion *region, guint width, guint height, GError **error)
{
  const gsize n = (gsize) width * height, max_pixels = MAX (MAX_PIXELS_PER_PIXEL * n, LEAST_MAX_PIXELS);
  g_autofree guint8 *pixels = g_try_malloc (n);
  g_autofree GstCcaGreyImage *image = NULL;

  if (!pixels) {
    g_set_error (error, GST_CCA_REGION_ERROR, 0, "there is no memory for %ux%u pixels", width, height);
    return NULL;
  }
  if (region->image)
    gst_cca_grey_image_scale (region->image, width, height, pixels);
  if (region->polygons)
    region->polygons->reader->draw_region (region->polygons->rules, width, height, pixels);
  if (region->file) {
    image = gst_cca_grey_image_read (region->file, region->length, max_pixels, region->path, error);
    if (!image)
      return NULL;
    gst_cca_grey_image_scale (image, width, height, pixels);
  }
  return g_steal_pointer (&pixels);
}

/* --- Grey images from files --------------------------------------------------------------------------- */

#define MAX_SIDE 32767

/* Bytes of PNG files. */
#define PNG_SIGNATURE 8
#define PNG_HEADER 24 /* with the first chunk up to the height */
#define PNG_CHUNK 12  /* length, type and checksum */

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

static gboolean
fail_for_png (const gchar *origin, const gchar *reason, GError **error)
{
  g_set_error (error, GST_CCA_REGION_ERROR, 0, "%s: cannot read this PNG: %s", origin, reason);
  return FALSE;
}

static gboolean
read_png_size (const gchar *data, gsize length, const gchar *origin, guint *width, guint *height, GError **error)
{
  if (length < PNG_HEADER)
    return fail_for_png (origin, "the file ends early", error);
  *width = png_get_uint_32 ((png_const_bytep) data + 16);
  *height = png_get_uint_32 ((png_const_bytep) data + 20);
  if (memcmp (data + 12, "IHDR", 4) != 0)
    return fail_for_png (origin, "it does not begin with its size", error);
  if (*width == 0 || *height == 0 || *width > MAX_SIDE || *height > MAX_SIDE)
    return fail_for_png (origin, "its width and height must be 1…" G_STRINGIFY (MAX_SIDE) " pixels", error);
  return TRUE;
}

/* Rec. ITU-R BT.601, section 2.5.1; over black. */
static guint8
luma_of (const guint8 *rgba)
{
  return (guint8) (((rgba[0] * 299u + rgba[1] * 587u + rgba[2] * 114u) * rgba[3] / 255 + 500) / 1000);
}

/* Copies the chunks that make the pixels: text, colour profiles and the like could take any memory. Returns a file that
 * the caller frees, and its size; NULL and an error if chunks are cut off. */
static gchar *
keep_pixels (const gchar *data, gsize length, const gchar *origin, gsize *n, GError **error)
{
  gchar *kept = g_try_malloc (length);
  gsize at = PNG_SIGNATURE;

  if (!kept) {
    fail_for_png (origin, "there is no memory", error);
    return NULL;
  }
  memcpy (kept, data, PNG_SIGNATURE);
  *n = PNG_SIGNATURE;
  while (length - at >= PNG_CHUNK && length - at - PNG_CHUNK >= png_get_uint_32 ((png_const_bytep) data + at)) {
    const gsize size = PNG_CHUNK + (gsize) png_get_uint_32 ((png_const_bytep) data + at);
    const gchar *type = data + at + 4;
    const gboolean needed = g_ascii_isupper (*type) || memcmp (type, "tRNS", 4) == 0;

    if (needed) {
      memcpy (kept + *n, data + at, size);
      *n += size;
    }
    at += size;
    if (memcmp (type, "IEND", 4) == 0)
      return kept;
  }
  g_free (kept);
  fail_for_png (origin, "the file ends early", error);
  return NULL;
}

static GstCcaGreyImage *
read_png (const gchar *data, gsize length, const gchar *origin, GError **error)
{
  gsize n;
  g_autofree gchar *kept = keep_pixels (data, length, origin, &n, error);
  png_image png = { .version = PNG_IMAGE_VERSION };
  GstCcaGreyImage *image = NULL;
  g_autofree guint8 *pixels = NULL;

  if (!kept)
    return NULL;
  if (png_image_begin_read_from_memory (&png, kept, n)) {
    png.format = PNG_FORMAT_RGBA;
    png.flags |= PNG_IMAGE_FLAG_16BIT_sRGB;
    image = image_new (png.width, png.height, origin, error);
    pixels = image ? g_try_malloc (PNG_IMAGE_SIZE (png)) : NULL;
    if (image && !pixels)
      fail_for_png (origin, "there is no memory", error);
  }
  if (pixels && png_image_finish_read (&png, NULL, pixels, 0, NULL))
    for (gsize i = 0; i < (gsize) image->width * image->height; i++)
      image->pixels[i] = luma_of (pixels + 4 * i);
  if (PNG_IMAGE_FAILED (png))
    fail_for_png (origin, png.message, error);
  if (PNG_IMAGE_FAILED (png) || !pixels)
    g_clear_pointer (&image, g_free);
  png_image_free (&png);
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

/* Reads the header and sets the place behind it. */
static gboolean
read_pgm_header (File *file, const gchar *origin, guint *width, guint *height, guint *white, GError **error)
{
  gsize n;

  *width = read_number (file, MAX_SIDE);
  *height = read_number (file, MAX_SIDE);
  *white = read_number (file, 255);
  n = (gsize) *width * *height;
  if (n == 0 || *white == 0)
    g_set_error (error, GST_CCA_REGION_ERROR, 0,
                 "%s: this PGM's header must have a width and a height of 1…%d pixels, and a white of 1…255", origin,
                 MAX_SIDE);
  else if (file->next++ >= file->length || file->length - file->next < n) /* one white space before the pixels */
    g_set_error (error, GST_CCA_REGION_ERROR, 0, "%s: the file ends early: %ux%u pixels need %" G_GSIZE_FORMAT " bytes",
                 origin, *width, *height, n);
  else
    return TRUE;
  return FALSE;
}

static GstCcaGreyImage *
read_pgm (const gchar *data, gsize length, const gchar *origin, GError **error)
{
  File file = { data, length, 2 };
  GstCcaGreyImage *image;
  guint width, height, white;

  if (!read_pgm_header (&file, origin, &width, &height, &white, error))
    return NULL;
  image = image_new (width, height, origin, error);
  for (gsize i = 0; image && i < (gsize) width * height; i++)
    image->pixels[i] = (guint8) (MIN ((guint8) data[file.next + i], white) * 255 / white);
  return image;
}

/* --- Both -------------------------------------------------------------------------------------------- */

gboolean
gst_cca_grey_image_read_size (const gchar *data, gsize length, const gchar *origin, guint *width, guint *height,
                              GError **error)
{
  File file = { data, length, 2 };
  guint white;

  return is_png (data, length) ? read_png_size (data, length, origin, width, height, error)
                               : read_pgm_header (&file, origin, width, height, &white, error);
}

GstCcaGreyImage *
gst_cca_grey_image_read (const gchar *data, gsize length, gsize max_pixels, const gchar *origin, GError **error)
{
  guint width, height;

  if (!gst_cca_grey_image_read_size (data, length, origin, &width, &height, error))
    return NULL;
  if ((gsize) width * height > max_pixels) {
    g_set_error (error, GST_CCA_REGION_ERROR, 0,
                 "%s: %ux%u pixels are too many, at most %" G_GSIZE_FORMAT
                 " are read: scale the image to the frame's size",
                 origin, width, height, max_pixels);
    return NULL;
  }
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
