/* gst-cca: grey images from files
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#ifndef GST_CCA_REGION_IMAGE_H
#define GST_CCA_REGION_IMAGE_H

#include <glib.h>

G_BEGIN_DECLS

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

G_END_DECLS

#endif
