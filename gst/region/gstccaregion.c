/* gst-cca: regions of the frame from files
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "gstccaregion.h"

#include "gst/common/gstccatext.h"
#include "image.h"
#include "reader.h"

#include <gst/gst.h>

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
  g_free (region->file);
  g_free (region->path);
  g_free (region);
}

gboolean
gst_cca_region_draw (const GstCcaRegion *region, guint width, guint height, guint8 *pixels, GError **error)
{
  const gsize max_pixels = MAX (MAX_PIXELS_PER_PIXEL * (gsize) width * height, LEAST_MAX_PIXELS);
  g_autofree GstCcaGreyImage *image = NULL;

  if (region->image)
    gst_cca_grey_image_scale (region->image, width, height, pixels);
  if (region->reader)
    region->reader->draw (region->polygons, width, height, pixels);
  if (!region->file)
    return TRUE;
  image = gst_cca_grey_image_read (region->file, region->length, max_pixels, region->path, error);
  if (image)
    gst_cca_grey_image_scale (image, width, height, pixels);
  return image != NULL;
}
