/* gst-cca: how polygons from JSON come from the plugin ccazones to others
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The plugin that links json-glib registers a type of this name as a GstDynamicTypeFactory. An element that needs
 * polygons loads it by name and calls the functions of its class; there are no instances.
 */
#ifndef GST_CCA_REGION_READER_H
#define GST_CCA_REGION_READER_H

#include <glib-object.h>

G_BEGIN_DECLS

#define GST_CCA_REGION_READER_NAME "GstCcaRegionReader"

typedef struct
{
  GObjectClass parent_class;

  /* Reads the member region of a text of length bytes in the format of ccazones. Returns the polygons, or NULL and an
   * error that begins with the origin. */
  gpointer (*read) (const gchar *text, gsize length, const gchar *origin, GError **error);

  /* Sets each byte of a mask of width * height to 255 inside the region, or to 0. */
  void (*draw) (gconstpointer polygons, guint width, guint height, guint8 *mask);

  void (*release) (gpointer polygons);
} GstCcaRegionReaderClass;

G_END_DECLS

#endif
