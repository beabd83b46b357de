/* gst-cca: ccaonvifpay, puts ONVIF metadata into RTP packets
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Source: ONVIF Streaming Specification, "RTP for Metadata stream"
 */
#include <gst/rtp/gstrtpbasepayload.h>
#include <gst/rtp/gstrtpbuffer.h>

#define ENCODING_NAME "VND.ONVIF.METADATA"
#define CLOCK_RATE 90000

#define GST_TYPE_CCA_ONVIF_PAY (gst_cca_onvif_pay_get_type ())
G_DECLARE_FINAL_TYPE (GstCcaOnvifPay, gst_cca_onvif_pay, GST, CCA_ONVIF_PAY, GstRTPBasePayload)
GST_ELEMENT_REGISTER_DECLARE (ccaonvifpay);

struct _GstCcaOnvifPay
{
  GstRTPBasePayload parent;
};

G_DEFINE_TYPE (GstCcaOnvifPay, gst_cca_onvif_pay, GST_TYPE_RTP_BASE_PAYLOAD)
GST_ELEMENT_REGISTER_DEFINE (ccaonvifpay, "ccaonvifpay", GST_RANK_NONE, GST_TYPE_CCA_ONVIF_PAY)

static GstStaticPadTemplate sink_template =
    GST_STATIC_PAD_TEMPLATE ("sink", GST_PAD_SINK, GST_PAD_ALWAYS, GST_STATIC_CAPS ("application/x-onvif-metadata"));
static GstStaticPadTemplate src_template = GST_STATIC_PAD_TEMPLATE (
    "src", GST_PAD_SRC, GST_PAD_ALWAYS,
    GST_STATIC_CAPS ("application/x-rtp, media = (string) application, payload = (int) [ 96, 127 ], "
                     "clock-rate = (int) " G_STRINGIFY (CLOCK_RATE) ", encoding-name = (string) " ENCODING_NAME));

static gboolean
gst_cca_onvif_pay_set_caps (GstRTPBasePayload *base, GstCaps *caps)
{
  gst_rtp_base_payload_set_options (base, "application", TRUE, ENCODING_NAME, CLOCK_RATE);
  return gst_rtp_base_payload_set_outcaps (base, NULL);
}

/* Returns the packet with a part of a document. */
static GstBuffer *
make_packet (GstRTPBasePayload *base, GstBuffer *document, gsize start, gsize size)
{
  GstBuffer *packet = gst_rtp_base_payload_allocate_output_buffer (base, 0, 0, 0);
  GstRTPBuffer rtp = GST_RTP_BUFFER_INIT;

  gst_rtp_buffer_map (packet, GST_MAP_WRITE, &rtp);
  gst_rtp_buffer_set_marker (&rtp, start + size == gst_buffer_get_size (document));
  gst_rtp_buffer_unmap (&rtp);
  /* Not the offset, which the base class would take for the RTP time. */
  GST_BUFFER_PTS (packet) = GST_BUFFER_PTS (document);
  GST_BUFFER_DTS (packet) = GST_BUFFER_DTS (document);
  return gst_buffer_append (packet, gst_buffer_copy_region (document, GST_BUFFER_COPY_MEMORY, start, size));
}

static GstFlowReturn
gst_cca_onvif_pay_handle_buffer (GstRTPBasePayload *base, GstBuffer *document)
{
  const gsize size = gst_buffer_get_size (document);
  const gsize room = gst_rtp_buffer_calc_payload_len (GST_RTP_BASE_PAYLOAD_MTU (base), 0, 0);
  GstBufferList *packets = size > 0 ? gst_buffer_list_new_sized ((guint) (size / room + 1)) : NULL;

  for (gsize start = 0; start < size; start += room)
    gst_buffer_list_add (packets, make_packet (base, document, start, MIN (room, size - start)));
  gst_buffer_unref (document);
  return packets ? gst_rtp_base_payload_push_list (base, packets) : GST_FLOW_OK;
}

static void
gst_cca_onvif_pay_init (GstCcaOnvifPay *self)
{
}

static void
gst_cca_onvif_pay_class_init (GstCcaOnvifPayClass *klass)
{
  GstElementClass *element_class = GST_ELEMENT_CLASS (klass);
  GstRTPBasePayloadClass *base_class = GST_RTP_BASE_PAYLOAD_CLASS (klass);

  base_class->set_caps = gst_cca_onvif_pay_set_caps;
  base_class->handle_buffer = gst_cca_onvif_pay_handle_buffer;

  gst_element_class_add_static_pad_template (element_class, &sink_template);
  gst_element_class_add_static_pad_template (element_class, &src_template);
  gst_element_class_set_static_metadata (
      element_class, "RTP payloader for ONVIF metadata", "Codec/Payloader/Network/RTP",
      "Puts ONVIF metadata into RTP packets (vnd.onvif.metadata)", "gst-cca developers");
}
