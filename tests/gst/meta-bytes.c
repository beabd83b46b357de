/* gst-cca: the metas as bytes, by GStreamer's functions; the fuzz target `meta` knows the format
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "meta-test.h"

#include <string.h>

/* Serialises a meta, and adds a meta made of the bytes to a buffer. */
static GstBuffer *
send (GstBuffer *to, GstMeta *meta)
{
  GByteArray *bytes = g_byte_array_new ();
  guint32 consumed = 0;

  g_assert_true (gst_meta_serialize_simple (meta, bytes));
  g_assert_nonnull (gst_meta_deserialize (to, bytes->data, bytes->len, &consumed));
  g_assert_cmpuint (consumed, ==, bytes->len);
  g_byte_array_unref (bytes);
  return to;
}

/* Returns a buffer with the three metas of another, which it drops, after they were bytes. */
static GstBuffer *
send_metas (GstBuffer *from)
{
  GstBuffer *to = gst_buffer_new ();

  send (to, &gst_buffer_get_cca_meta (from)->meta);
  send (to, &gst_buffer_get_cca_track_meta (from)->meta);
  send (to, &gst_buffer_get_cca_event_meta (from)->meta);
  gst_buffer_unref (from);
  return to;
}

static void
test_serialize (void)
{
  GstBuffer *buffer = send_metas (test_buffer_with_metas (gst_buffer_new ()));

  test_assert_same_metas (buffer);
  g_assert_cmpfloat (gst_buffer_get_cca_event_meta (buffer)->rules[0].points[2].y, ==, HEIGHT);

  /* That the frame became another one is kept. */
  buffer = send_metas (test_pass_untagged (buffer, gst_buffer_new ()));
  g_assert_true (test_assert_same_metas (buffer)->stale);
  gst_buffer_unref (buffer);
}

static void
test_serialize_empty (void)
{
  GstBuffer *buffer = gst_buffer_new ();
  GstCcaMeta *meta = gst_buffer_add_cca_meta (buffer, ID, WIDTH, HEIGHT, 5, NULL, 0);

  gst_buffer_add_cca_track_meta (buffer, NULL, WIDTH, HEIGHT, NULL, 0);
  gst_buffer_add_cca_event_meta (buffer, NULL, WIDTH, HEIGHT, NULL, 0, NULL, 0);
  buffer = send_metas (buffer);
  meta = gst_buffer_get_cca_meta (buffer);
  g_assert_cmpuint (meta->n_components, ==, 5);
  g_assert_true (meta->truncated);
  g_assert_null (meta->overlaps);
  g_assert_cmpuint (gst_buffer_get_cca_track_meta (buffer)->n_tracks, ==, 0);
  g_assert_cmpuint (gst_buffer_get_cca_event_meta (buffer)->n_rules, ==, 0);
  g_assert_cmpuint (gst_buffer_get_cca_event_meta (buffer)->n_events, ==, 0);

  g_assert_false (meta->scene_change);

  /* No overlaps are not the same as unknown ones. */
  g_assert_true (gst_cca_meta_set_overlaps (meta, 0, NULL, 0));
  buffer = send_metas (buffer);
  g_assert_nonnull (gst_buffer_get_cca_meta (buffer)->overlaps);
  g_assert_null (gst_buffer_get_cca_meta (buffer)->shapes);
  g_assert_null (gst_buffer_get_cca_meta (buffer)->intensities);

  /* The same of shapes and intensities. */
  g_assert_true (gst_cca_meta_set_shapes (gst_buffer_get_cca_meta (buffer), NULL, 0));
  buffer = send_metas (buffer);
  g_assert_nonnull (gst_buffer_get_cca_meta (buffer)->shapes);
  g_assert_null (gst_buffer_get_cca_meta (buffer)->intensities);
  g_assert_true (gst_cca_meta_set_intensities (gst_buffer_get_cca_meta (buffer), NULL, 0));
  buffer = send_metas (buffer);
  g_assert_nonnull (gst_buffer_get_cca_meta (buffer)->intensities);

  gst_buffer_get_cca_meta (buffer)->scene_change = TRUE;
  buffer = send_metas (buffer);
  g_assert_true (gst_buffer_get_cca_meta (buffer)->scene_change);
  g_assert_false (gst_buffer_get_cca_meta (buffer)->learning);

  gst_buffer_get_cca_meta (buffer)->learning = TRUE;
  buffer = send_metas (buffer);
  g_assert_true (gst_buffer_get_cca_meta (buffer)->learning);
  g_assert_false (gst_buffer_get_cca_meta (buffer)->stale);
  gst_buffer_unref (buffer);
}

/* Version 2 has the classes of objects, as text: another process has other quarks. */
static void
test_types (void)
{
  const GstCcaTrack tracks[] = {
    { .track_id = 1, .width = 1, .height = 1, .object_type = g_quark_from_string ("person") },
    { .track_id = 2, .width = 1, .height = 1 },
    { .track_id = 3, .width = 1, .height = 1, .object_type = g_quark_from_string ("vélo") },
  };
  const GstCcaEvent event = { .rule = "r", .size_class = g_quark_from_string ("lorry") };
  const GstCcaGroundTrack on_ground[] = { { .track_id = 1, .size_class = g_quark_from_string ("walker") },
                                          { .track_id = 2 } };
  g_autoptr (GstBuffer) buffer = gst_buffer_new (), to = gst_buffer_new ();
  const GstCcaEventMeta *events;
  const GstCcaTrackMeta *meta;

  g_assert_true (gst_cca_event_meta_set_ground_tracks (
      gst_buffer_add_cca_event_meta (buffer, ID, WIDTH, HEIGHT, NULL, 0, &event, 1), on_ground, 2));
  send (to, &gst_buffer_get_cca_event_meta (buffer)->meta);
  events = gst_buffer_get_cca_event_meta (to);
  g_assert_cmpuint (events->n_events, ==, 1);
  g_assert_cmpuint (events->events[0].size_class, ==, event.size_class);
  g_assert_cmpuint (events->n_ground_tracks, ==, 2);
  for (guint i = 0; i < 2; i++)
    g_assert_cmpuint (events->ground_tracks[i].size_class, ==, on_ground[i].size_class);

  gst_buffer_add_cca_track_meta (buffer, ID, WIDTH, HEIGHT, tracks, G_N_ELEMENTS (tracks));
  send (to, &gst_buffer_get_cca_track_meta (buffer)->meta);
  meta = gst_buffer_get_cca_track_meta (to);
  g_assert_cmpuint (meta->n_tracks, ==, G_N_ELEMENTS (tracks));
  for (guint i = 0; i < G_N_ELEMENTS (tracks); i++)
    g_assert_cmpuint (meta->tracks[i].object_type, ==, tracks[i].object_type);
}

GST_TESTS_MAIN ("/meta-bytes", test_serialize, test_serialize_empty, test_types)
