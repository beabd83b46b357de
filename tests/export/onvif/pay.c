/* gst-cca: ccaonvifpay: documents of any size in packets, and back
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "onvif-test.h"

#include <gst/rtp/gstrtpbuffer.h>
#include <string.h>

#define RTP_HEADER 12
#define CLOCK_RATE 90000

/* The packets so far. */
typedef struct
{
  gboolean any;
  guint16 number;    /* of the last packet */
  guint32 time;      /* its RTP time */
  GstClockTime when; /* and what that stands for */
} Packets;

static GstBuffer *
document_of (gsize size, GstClockTime time)
{
  GstBuffer *document = gst_buffer_new_allocate (NULL, size, NULL);
  GstMapInfo map;

  g_assert_true (gst_buffer_map (document, &map, GST_MAP_WRITE));
  for (gsize i = 0; i < size; i++)
    map.data[i] = (guint8) (i * 7 + i / 251);
  gst_buffer_unmap (document, &map);
  GST_BUFFER_PTS (document) = time;
  /* As frames have a number, which is no time. */
  GST_BUFFER_OFFSET (document) = time / GST_SECOND;
  return document;
}

/* Pulls the packets of a document and asserts that they are whole, in order and not larger than the MTU. */
static void
assert_packets (GstHarness *harness, Packets *packets, GstBuffer *document, guint mtu)
{
  const gsize size = gst_buffer_get_size (document);
  g_autofree guint8 *expected = NULL;
  gsize start = 0, copied;

  gst_buffer_extract_dup (document, 0, size, (gpointer *) &expected, &copied);
  while (start < size) {
    g_autoptr (GstBuffer) packet = gst_harness_pull (harness);
    GstRTPBuffer rtp = GST_RTP_BUFFER_INIT;
    guint length;

    g_assert_cmpuint (gst_buffer_get_size (packet), <=, mtu);
    g_assert_cmpuint (GST_BUFFER_PTS (packet), ==, GST_BUFFER_PTS (document));
    g_assert_true (gst_rtp_buffer_map (packet, GST_MAP_READ, &rtp));
    length = gst_rtp_buffer_get_payload_len (&rtp);
    g_assert_cmpuint (length, ==, MIN (size - start, mtu - RTP_HEADER));
    g_assert_cmpint (memcmp (gst_rtp_buffer_get_payload (&rtp), expected + start, length), ==, 0);
    g_assert_cmpint (gst_rtp_buffer_get_marker (&rtp), ==, start + length == size);
    g_assert_cmpuint (gst_rtp_buffer_get_payload_type (&rtp), ==, 107);
    if (packets->any) {
      g_assert_cmpuint (gst_rtp_buffer_get_seq (&rtp), ==, (guint16) (packets->number + 1));
      g_assert_cmpuint (gst_rtp_buffer_get_timestamp (&rtp) - packets->time, ==,
                        gst_util_uint64_scale (GST_BUFFER_PTS (document) - packets->when, CLOCK_RATE, GST_SECOND));
    }
    packets->time = gst_rtp_buffer_get_timestamp (&rtp);
    packets->when = GST_BUFFER_PTS (document);
    packets->number = gst_rtp_buffer_get_seq (&rtp);
    packets->any = TRUE;
    start += length;
    gst_rtp_buffer_unmap (&rtp);
  }
  g_assert_cmpuint (gst_harness_buffers_in_queue (harness), ==, 0);
}

static void
test_sizes (void)
{
  static const guint mtus[] = { 28, 300, 1400 };

  for (guint i = 0; i < G_N_ELEMENTS (mtus); i++) {
    const gsize room = mtus[i] - RTP_HEADER;
    const gsize sizes[] = { 1, room - 1, room, 0, room + 1, 5 * room, 300000 };
    g_autofree gchar *launch = g_strdup_printf ("ccaonvifpay pt=107 mtu=%u", mtus[i]);
    g_autoptr (GstHarness) harness =
        test_harness (launch, gst_caps_from_string ("application/x-onvif-metadata, parsed=true"));
    Packets packets = { 0 };

    for (guint j = 0; j < G_N_ELEMENTS (sizes); j++) {
      g_autoptr (GstBuffer) document = document_of (sizes[j], j * GST_SECOND);

      g_assert_cmpint (gst_harness_push (harness, gst_buffer_ref (document)), ==, GST_FLOW_OK);
      assert_packets (harness, &packets, document, mtus[i]);
    }
  }
}

static void
test_caps_of_packets (void)
{
  g_autoptr (GstHarness) harness = test_harness ("ccaonvifpay", gst_caps_from_string ("application/x-onvif-metadata"));
  g_autoptr (GstCaps) caps = NULL,
                      expected = gst_caps_from_string ("application/x-rtp, media=application, clock-rate=90000, "
                                                       "encoding-name=VND.ONVIF.METADATA, payload=96");

  gst_harness_push (harness, document_of (10, 0));
  caps = gst_pad_get_current_caps (harness->sinkpad);
  g_assert_true (gst_caps_is_subset (caps, expected));
}

/* Behind ccaonvif: the packets contain the document. */
static void
test_chain (void)
{
  g_autoptr (GstHarness) harness = test_harness ("ccaonvif ! ccaonvifpay mtu=200", test_caps ("GRAY8", 320, 200, NULL));
  const GstCcaTrack tracks[] = { onvif_track (3, 10, 10), onvif_track (4, 50, 50) };
  GstBuffer *document = gst_buffer_new ();
  xmlDoc *parsed;
  guint n;

  g_assert_cmpint (gst_harness_push (harness, onvif_tracks (0, tracks, 2)), ==, GST_FLOW_OK);
  n = gst_harness_buffers_in_queue (harness);
  g_assert_cmpuint (n, >, 3);
  for (guint i = 0; i < n; i++) {
    g_autoptr (GstBuffer) packet = gst_harness_pull (harness);

    gst_buffer_copy_into (document, packet, GST_BUFFER_COPY_MEMORY, RTP_HEADER, -1);
  }
  parsed = onvif_parse (document);
  g_assert_cmpfloat (onvif_number (parsed, "count(//tt:Object)"), ==, 2);
  xmlFreeDoc (parsed);
}

int
main (int argc, char **argv)
{
  onvif_init (&argc, &argv);
  g_test_add_func ("/onvif/pay/sizes", test_sizes);
  g_test_add_func ("/onvif/pay/caps", test_caps_of_packets);
  g_test_add_func ("/onvif/pay/chain", test_chain);
  return onvif_run ();
}
