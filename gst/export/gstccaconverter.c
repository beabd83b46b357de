/* gst-cca: elements that make a text of each video frame
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "gstccaconverter.h"

/* Tells downstream that nothing comes for a frame: a sink that waits for its first buffer would hold up all others. */
static void
push_gap (GstBaseTransform *base, GstBuffer *frame)
{
  if (GST_BUFFER_PTS_IS_VALID (frame))
    gst_pad_push_event (GST_BASE_TRANSFORM_SRC_PAD (base),
                        gst_event_new_gap (GST_BUFFER_PTS (frame), GST_BUFFER_DURATION (frame)));
}

GstFlowReturn
gst_cca_converter_generate_output (GstBaseTransform *base, GstBuffer **text, GstCcaConverterTell tell)
{
  g_autoptr (GstBuffer) frame = g_steal_pointer (&base->queued_buf);
  GstFlowReturn flow = GST_FLOW_OK;

  *text = NULL;
  if (!frame)
    return GST_FLOW_OK;
  if (!GST_BUFFER_FLAG_IS_SET (frame, GST_BUFFER_FLAG_GAP))
    flow = tell (base, frame, text);
  if (flow == GST_FLOW_OK && !*text)
    push_gap (base, frame);
  return flow;
}

GstCaps *
gst_cca_converter_transform_caps (GstBaseTransform *base, GstPadDirection direction, GstCaps *caps, GstCaps *filter)
{
  GstPad *other = direction == GST_PAD_SINK ? GST_BASE_TRANSFORM_SRC_PAD (base) : GST_BASE_TRANSFORM_SINK_PAD (base);
  GstCaps *result = gst_pad_get_pad_template_caps (other);

  if (filter) {
    GstCaps *all = result;

    result = gst_caps_intersect_full (filter, all, GST_CAPS_INTERSECT_FIRST);
    gst_caps_unref (all);
  }
  return result;
}

gboolean
gst_cca_converter_decide_allocation (GstBaseTransform *base, GstQuery *query)
{
  return TRUE;
}
