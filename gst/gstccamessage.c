/* gst-cca: components as an element message
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "gstccamessage.h"

static GstStructure *
component_structure (const CcaComponent *component, gboolean covariance)
{
  GstStructure *structure =
      gst_structure_new ("component", "label", G_TYPE_UINT, component->label, "x", G_TYPE_UINT, component->x, "y",
                         G_TYPE_UINT, component->y, "width", G_TYPE_UINT, component->width, "height", G_TYPE_UINT,
                         component->height, "area", G_TYPE_UINT64, component->area, "centroid-x", G_TYPE_DOUBLE,
                         component->centroid_x, "centroid-y", G_TYPE_DOUBLE, component->centroid_y, NULL);

  if (covariance)
    gst_structure_set (structure, "covariance-xx", G_TYPE_DOUBLE, component->cov_xx, "covariance-xy", G_TYPE_DOUBLE,
                       component->cov_xy, "covariance-yy", G_TYPE_DOUBLE, component->cov_yy, NULL);
  return structure;
}

static void
take_components (GstStructure *structure, gboolean covariance, const CcaMeasurement *measurement)
{
  GValue list = G_VALUE_INIT;

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
