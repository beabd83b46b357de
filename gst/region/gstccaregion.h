/* gst-cca: regions of the frame from files
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#ifndef GST_CCA_REGION_H
#define GST_CCA_REGION_H

#include <glib.h>

G_BEGIN_DECLS

/* The error's domain; its text begins with the file's name, or with "JSON" for polygons in the value itself. */
#define GST_CCA_REGION_ERROR (g_quark_from_static_string ("gst-cca-region-error"))

/* An image, or polygons. Any thread may use it, one at a time. */
typedef struct GstCcaRegion GstCcaRegion;

typedef enum
{
  GST_CCA_REGION_ANY,   /* an image, or polygons in the format of ccazones: a file or, if it begins with {, the text */
  GST_CCA_REGION_IMAGE, /* an image file */
} GstCcaRegionKind;

/* Loads a region from what a property says; of an image the file, of at most 64 MiB. Returns NULL and an error if it
 * cannot be read. */
GstCcaRegion *gst_cca_region_load (const gchar *value, GstCcaRegionKind kind, GError **error);
void gst_cca_region_free (GstCcaRegion *region);

/* Draws a region in grey levels for frames of a size, into width * height bytes: images scaled to it, polygons in white
 * on black. Returns FALSE and an error if an image cannot be decoded, or has more than 4 Mi pixels and more than four
 * times those of the frame. */
gboolean gst_cca_region_draw (const GstCcaRegion *region, guint width, guint height, guint8 *pixels, GError **error);

G_END_DECLS

#endif
