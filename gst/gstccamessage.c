/* gst-cca: components as an element message
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "gstccamessage.h"

/* The names of a component's fields. Looking up a name takes a lock that all threads of a process share; with hundreds of
 * components a frame, streams side by side would wait for each other. */
static struct
{
  GQuark component, label, x, y, width, height, area, centroid_x, centroid_y, covariance_xx, covariance_xy,
      covariance_yy;
} names;

static void
find_names (void)
{
  static gsize found;

  if (!g_once_init_enter (&found))
    return;
  names.component = g_quark_from_static_string ("component");
  names.label = g_quark_from_static_string ("label");
  names.x = g_quark_from_static_string ("x");
  names.y = g_quark_from_static_string ("y");
  names.width = g_quark_from_static_string ("width");
  names.height = g_quark_from_static_string ("height");
  names.area = g_quark_from_static_string ("area");
  names.centroid_x = g_quark_from_static_string ("centroid-x");
  names.centroid_y = g_quark_from_static_string ("centroid-y");
  names.covariance_xx = g_quark_from_static_string ("covariance-xx");
  names.covariance_xy = g_quark_from_static_string ("covariance-xy");
  names.covariance_yy = g_quark_from_static_string ("covariance-yy");
  g_once_init_leave (&found, 1);
}

static GstStructure *
component_structure (const CcaComponent *component, gboolean covariance)
{
  GstStructure *structure = gst_structure_new_id (
      names.component, names.label, G_TYPE_UINT, component->label, names.x, G_TYPE_UINT, component->x, names.y,
      G_TYPE_UINT, component->y, names.width, G_TYPE_UINT, component->width, names.height, G_TYPE_UINT,
      component->height, names.area, G_TYPE_UINT64, component->area, names.centroid_x, G_TYPE_DOUBLE,
      component->centroid_x, names.centroid_y, G_TYPE_DOUBLE, component->centroid_y, NULL);

  if (covariance)
    gst_structure_id_set (structure, names.covariance_xx, G_TYPE_DOUBLE, component->cov_xx, names.covariance_xy,
                          G_TYPE_DOUBLE, component->cov_xy, names.covariance_yy, G_TYPE_DOUBLE, component->cov_yy,
                          NULL);
  return structure;
}

static void
take_components (GstStructure *structure, gboolean covariance, const CcaMeasurement *measurement)
{
  GValue list = G_VALUE_INIT;

  find_names ();
  gst_value_list_init (&list, measurement->n_stored);
  for (guint i = 0; i < measurement->n_stored; i++) {
    GValue value = G_VALUE_INIT;

    g_value_init (&value, GST_TYPE_STRUCTURE);
    g_value_take_boxed (&value, component_structure (&measurement->components[i], covariance));
    gst_value_list_append_and_take_value (&list, &value);
  }
  gst_structure_take_value (structure, "components", &list);
}

GstMessage *
gst_cca_message_new (GstObject *source, const GstSegment *segment, GstBuffer *buffer, guint width, guint height,
                     gboolean covariance, const CcaMeasurement *measurement)
{
  const GstClockTime timestamp = GST_BUFFER_PTS (buffer);
  GstClockTime stream_time = GST_CLOCK_TIME_NONE, running_time = GST_CLOCK_TIME_NONE;
  GstStructure *structure;

  if (segment->format == GST_FORMAT_TIME) {
    stream_time = gst_segment_to_stream_time (segment, GST_FORMAT_TIME, timestamp);
    running_time = gst_segment_to_running_time (segment, GST_FORMAT_TIME, timestamp);
  }
  structure = gst_structure_new ("cca", "timestamp", G_TYPE_UINT64, timestamp, "stream-time", G_TYPE_UINT64,
                                 stream_time, "running-time", G_TYPE_UINT64, running_time, "duration", G_TYPE_UINT64,
                                 GST_BUFFER_DURATION (buffer), "width", G_TYPE_UINT, width, "height", G_TYPE_UINT,
                                 height, "n-components", G_TYPE_UINT, measurement->n_components, "truncated",
                                 G_TYPE_BOOLEAN, (gboolean) measurement->truncated, NULL);
  take_components (structure, covariance, measurement);
  return gst_message_new_element (source, structure);
}
