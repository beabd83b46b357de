/* gst-cca: regions of the frame from files
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <glib.h>

/* The error's domain; its text begins with the file's name, or with "JSON" for polygons in the value itself. */
#define GST_CCA_REGION_ERROR (g_quark_from_static_string ("gst-cca-region-error"))

/* An image, or polygons. Any thread may use it, one at a time. */
typedef struct GstCcaRegion GstCcaRegion;

typedef enum
{
  GST_CCA_REGION_ANY,   /* an image, or polygons in the format of ccazones: a file or, if it begins with {, the text */
  GST_CCA_REGION_IMAGE, /* an image file */
} GstCcaRegionKind;

/* Loads the region that a property names; of an image the file, of at most 64 MiB. Returns NULL and an error if it
 * cannot be read. */
GstCcaRegion *gst_cca_region_load (const gchar *value, GstCcaRegionKind kind, GError **error);
void gst_cca_region_free (GstCcaRegion *region);

/* Draws a region in grey levels for frames of a size: images scaled to it, polygons in white on black. Returns
 * width * height bytes, which the caller frees; NULL and an error if memory is exhausted, or if an image cannot be
 * decoded, or has more than 4 Mi pixels and more than four times those of the frame. */
guint8 *gst_cca_region_draw (const GstCcaRegion *region, guint width, guint height, GError **error);

/* --- Grey images from files --------------------------------------------------------------------------- */

typedef struct
{
  guint width, height;
  guint8 pixels[]; /* grey levels, row by row */
} GstCcaGreyImage;

/* Returns whether a file begins as a PNG or a binary PGM does. */
gboolean gst_cca_grey_image_is_one (const gchar *data, gsize length);

/* Reads the header of a PNG or a PGM. Returns FALSE and an error that begins with the origin if there is no size of
 * 1…32767 pixels, or if a PGM's pixels are missing. */
gboolean gst_cca_grey_image_read_size (const gchar *data, gsize length, const gchar *origin, guint *width,
                                       guint *height, GError **error);

/* Reads a PNG, of which colours become their luma and transparency black, or a binary PGM whose white is at most 255;
 * its levels become 0…255. Of an image of more than max_pixels, nothing but the header is read. Returns what g_free()
 * frees, or NULL and an error that begins with the origin. Needs up to 5 bytes a pixel. */
GstCcaGreyImage *gst_cca_grey_image_read (const gchar *data, gsize length, gsize max_pixels, const gchar *origin,
                                          GError **error);

/* Scales an image to another size, each pixel from the nearest; the caller provides width * height bytes. */
void gst_cca_grey_image_scale (const GstCcaGreyImage *image, guint width, guint height, guint8 *pixels);
