/* gst-cca: the elements that analyse, cca and cudacca
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "gstccabase.h"

static GstFlowReturn
gst_cca_transform_ip (GstBaseTransform *transform, GstBuffer *buffer)
{
  GstCcaBase *self = GST_CCA_BASE (transform);
  CcaMeasurement measurement;
  GstFlowReturn flow;

  if (GST_BUFFER_FLAG_IS_SET (buffer, GST_BUFFER_FLAG_GAP))
    return GST_FLOW_OK;
  flow = gst_cca_base_analyse (self, buffer, NULL, gst_cca_cuda_stream (&self->cuda, buffer, NULL), &measurement);
  return flow == GST_FLOW_OK ? gst_cca_base_publish (self, buffer, &measurement) : flow;
}

/* In place: forwards the allocation query. Drops only the support of cropping by meta, which would change the
 * analysed picture. */
static gboolean
gst_cca_propose_allocation (GstBaseTransform *transform, GstQuery *decide_query, GstQuery *query)
{
  const gboolean answered = gst_pad_peer_query (GST_BASE_TRANSFORM_SRC_PAD (transform), query);
  guint index;

  while (gst_query_find_allocation_meta (query, GST_VIDEO_CROP_META_API_TYPE, &index))
    gst_query_remove_nth_allocation_meta (query, index);
  return gst_cca_base_propose_pool (GST_CCA_BASE (transform), query) || answered;
}

static void
gst_cca_class_init (gpointer klass, gpointer data)
{
  const GstCcaBackend *backend = data;
  GstElementClass *element_class = GST_ELEMENT_CLASS (klass);
  GstBaseTransformClass *transform_class = GST_BASE_TRANSFORM_CLASS (klass);
  g_autofree gchar *long_name = g_strconcat ("Connected components ", backend->place, NULL);
  g_autofree gchar *description = g_strconcat ("Measures the connected components of video ", backend->place,
                                               "; the video passes unchanged. Choose the pixels with foreground", NULL);

  gst_cca_base_class_setup (klass, backend, "cca", CCA_CAN_ANALYSE);
  gst_element_class_add_pad_template (
      element_class, gst_pad_template_new ("src", GST_PAD_SRC, GST_PAD_ALWAYS,
                                           gst_element_class_get_pad_template (element_class, "sink")->caps));
  gst_element_class_set_metadata (element_class, long_name, "Filter/Analyzer/Video", description, "gst-cca developers");
  transform_class->transform_ip = gst_cca_transform_ip;
  transform_class->propose_allocation = gst_cca_propose_allocation;
}

gboolean
gst_cca_register (GstPlugin *plugin, const GstCcaBackend *backend)
{
  return gst_cca_base_register (plugin, backend, "cca", "Cca", gst_cca_class_init, sizeof (GstCcaBase), NULL);
}
