/* gst-cca: regions of the frame from files
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "gstccaregion.h"

#include "image.h"
#include "reader.h"

#include <gst/gst.h>

/* image or polygons. */
struct GstCcaRegion
{
  GstCcaGreyImage *image;
  GstCcaRegionReaderClass *reader;
  gpointer polygons;
};

/* Whether a text is an object of JSON. */
static gboolean
is_json (const gchar *text)
{
  while (g_ascii_isspace (*text))
    text++;
  return *text == '{';
}

static gboolean
read_polygons (GstCcaRegion *region, const gchar *text, gsize length, const gchar *origin, GError **error)
{
  const GType type = gst_dynamic_type_factory_load (GST_CCA_REGION_READER_NAME);

  if (type == G_TYPE_INVALID) {
    g_set_error (error, GST_CCA_REGION_ERROR, 0,
                 "%s: polygons need the plugin ccazones, which is not installed: install it, or build with json-glib; "
                 "a PNG or PGM file works without",
                 origin);
    return FALSE;
  }
  region->reader = g_type_class_ref (type);
  region->polygons = region->reader->read (text, length, origin, error);
  return region->polygons != NULL;
}

static gboolean
read_file (GstCcaRegion *region, const gchar *path, GstCcaRegionKind kind, GError **error)
{
  g_autoptr (GError) problem = NULL;
  g_autofree gchar *data = NULL;
  gsize length;

  if (!g_file_get_contents (path, &data, &length, &problem)) {
    g_set_error (error, GST_CCA_REGION_ERROR, 0, "%s: cannot be read: %s", path, problem->message);
    return FALSE;
  }
  if (gst_cca_grey_image_is_one (data, length)) {
    region->image = gst_cca_grey_image_read (data, length, path, error);
    return region->image != NULL;
  }
  if (kind == GST_CCA_REGION_ANY && is_json (data))
    return read_polygons (region, data, length, path, error);
  g_set_error (error, GST_CCA_REGION_ERROR, 0, "%s: is neither a PNG nor a binary PGM (P5)%s", path,
               kind == GST_CCA_REGION_ANY ? ", nor JSON, which begins with {" : "");
  return FALSE;
}

GstCcaRegion *
gst_cca_region_load (const gchar *value, GstCcaRegionKind kind, GError **error)
{
  GstCcaRegion *region = g_new0 (GstCcaRegion, 1);

  if (kind == GST_CCA_REGION_ANY && is_json (value) ? read_polygons (region, value, strlen (value), "JSON", error)
                                                    : read_file (region, value, kind, error))
    return region;
  gst_cca_region_free (region);
  return NULL;
}

void
gst_cca_region_free (GstCcaRegion *region)
{
  if (!region)
    return;
  if (region->polygons)
    region->reader->release (region->polygons);
  if (region->reader)
    g_type_class_unref (region->reader);
  g_free (region->image);
  g_free (region);
}

void
gst_cca_region_draw (const GstCcaRegion *region, guint width, guint height, guint8 *pixels)
{
  if (region->image)
    gst_cca_grey_image_scale (region->image, width, height, pixels);
  else
    region->reader->draw (region->polygons, width, height, pixels);
}
