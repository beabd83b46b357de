/* gst-cca: ccatrack publishes messages and GstAnalytics metadata beside its meta
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "track-test.h"

#ifdef HAVE_GST_ANALYTICS
#include <gst/analytics/analytics.h>
#endif

static void
check_track (const GstStructure *structure, const GstCcaTrack *track)
{
  gint state;

  g_assert_cmpstr (gst_structure_get_name (structure), ==, "track");
  g_assert_cmpint (gst_structure_n_fields (structure), ==, 14);
  g_assert_cmpuint (test_get_uint64 (structure, "track-id"), ==, track->track_id);
  g_assert_true (gst_structure_get_enum (structure, "state", GST_TYPE_CCA_TRACK_STATE, &state));
  g_assert_cmpint (state, ==, (gint) track->state);
  g_assert_cmpuint (test_get_uint (structure, "label"), ==, track->label);
  g_assert_cmpuint (test_get_uint (structure, "x"), ==, track->x);
  g_assert_cmpuint (test_get_uint (structure, "y"), ==, track->y);
  g_assert_cmpuint (test_get_uint (structure, "width"), ==, track->width);
  g_assert_cmpuint (test_get_uint (structure, "height"), ==, track->height);
  g_assert_cmpuint (test_get_uint64 (structure, "area"), ==, track->area);
  g_assert_cmpfloat (test_get_double (structure, "centroid-x"), ==, track->centroid_x);
  g_assert_cmpfloat (test_get_double (structure, "centroid-y"), ==, track->centroid_y);
  g_assert_cmpfloat (test_get_double (structure, "velocity-x"), ==, track->velocity_x);
  g_assert_cmpfloat (test_get_double (structure, "velocity-y"), ==, track->velocity_y);
  g_assert_cmpuint (test_get_uint (structure, "age"), ==, track->age);
  g_assert_cmpstr (gst_structure_get_string (structure, "class"), ==, g_quark_to_string (track->object_type));
}

/* Asserts that the next message has the same tracks as the meta of a frame. */
static void
check_message (Stream *stream, GstBuffer *buffer)
{
  const GstCcaTrackMeta *meta = gst_buffer_get_cca_track_meta (buffer);
  GstMessage *message;
  const GstStructure *structure = test_pop_structure (stream->harness, "cca-tracks", &message);
  const GValue *list;

  g_assert_cmpint (gst_structure_n_fields (structure), ==, 9);
  g_assert_cmpstr (gst_structure_get_string (structure, "id"), ==, "cca0");
  test_assert_times (structure, GST_BUFFER_PTS (buffer), GST_BUFFER_PTS (buffer) + 4 * GST_SECOND,
                     GST_BUFFER_PTS (buffer) + 9 * GST_SECOND, FRAME);
  g_assert_cmpuint (test_get_uint (structure, "width"), ==, WIDTH);
  g_assert_cmpuint (test_get_uint (structure, "height"), ==, HEIGHT);
  g_assert_cmpuint (test_get_uint (structure, "n-tracks"), ==, meta->n_tracks);
  list = gst_structure_get_value (structure, "tracks");
  g_assert_true (GST_VALUE_HOLDS_LIST (list));
  g_assert_cmpuint (gst_value_list_get_size (list), ==, meta->n_tracks);
  for (guint i = 0; i < meta->n_tracks; i++)
    check_track (gst_value_get_structure (gst_value_list_get_value (list, i)), &meta->tracks[i]);
  gst_message_unref (message);
  test_assert_no_message (stream->harness, GST_MESSAGE_ELEMENT);
}

static void
test_messages (void)
{
  g_auto (Stream) stream = stream_new ("ccatrack");

  test_push_segment (stream.harness, 1 * GST_SECOND, 5 * GST_SECOND, 10 * GST_SECOND);
  stream.time = 3 * GST_SECOND;
  for (guint i = 0; i < 8; i++) {
    g_autoptr (GstBuffer) buffer = NULL;

    if (i < 6) {
      add_box (&stream, 100 + 2 * (gint) i, 100, 30, 60);
      add_box (&stream, 400, 100 + 3 * (gint) i, 30, 60);
    }
    buffer = next_frame (&stream);
    GST_BUFFER_DURATION (buffer) = FRAME;
    buffer = test_pass (stream.harness, buffer);
    check_message (&stream, buffer);
  }
}

static guint
count_messages (Stream *stream)
{
  GstMessage *message;
  guint n = 0;

  for (; (message = test_pop_message (stream->harness, GST_MESSAGE_ELEMENT)); n++)
    gst_message_unref (message);
  return n;
}

/* Messages name the state of a camera that is not well. */
static void
test_camera_state (void)
{
  static const gchar *const states[] = { "well", "covered", "well" };
  g_auto (Stream) stream = stream_new ("ccatrack");

  for (guint i = 0; i < G_N_ELEMENTS (states); i++) {
    const GstStructure *structure;
    g_autoptr (GstMessage) message = NULL;

    test_push_camera_state (stream.harness, states[i]);
    pass_still (&stream, 1);
    structure = test_pop_structure (stream.harness, "cca-tracks", &message);
    g_assert_cmpstr (gst_structure_get_string (structure, "camera-state"), ==, i == 1 ? "covered" : NULL);
  }
}

static void
test_message_interval (void)
{
  g_auto (Stream) stream = stream_new ("ccatrack message-interval=200000000");

  pass_still (&stream, 20);
  g_assert_cmpuint (count_messages (&stream), ==, 4);
  g_object_set (stream.harness->element, "post-messages", FALSE, NULL);
  pass_still (&stream, 20);
  g_assert_cmpuint (count_messages (&stream), ==, 0);
  g_object_set (stream.harness->element, "post-messages", TRUE, "message-interval", (guint64) 0, NULL);
  pass_still (&stream, 20);
  g_assert_cmpuint (count_messages (&stream), ==, 20);
}

static void
test_emit_nothing (void)
{
  g_auto (Stream) stream = stream_new ("ccatrack emit=0");
  GstBuffer *buffer;

  pass_still (&stream, 5);
  add_box (&stream, 100, 100, 30, 60);
  buffer = pass_frame (&stream);
  g_assert_null (gst_buffer_get_cca_track_meta (buffer));
  gst_buffer_unref (buffer);
  g_assert_cmpuint (count_messages (&stream), ==, 6);
}

#ifdef HAVE_GST_ANALYTICS
typedef struct
{
  guint n_detections, n_trackings, n_lost;
} Entries;

/* Checks each entry, and that each detection is related to one track. */
static Entries
check_entries (GstBuffer *buffer, GstClockTime last_seen)
{
  GstAnalyticsRelationMeta *meta = gst_buffer_get_analytics_relation_meta (buffer);
  GstAnalyticsMtd entry, related;
  gpointer state = NULL;
  Entries entries = { 0, 0, 0 };

  g_assert_nonnull (meta);
  while (gst_analytics_relation_meta_iterate (meta, &state, gst_analytics_od_mtd_get_mtd_type (), &entry)) {
    gpointer related_state = NULL;
    gint x, y, width, height;
    GstClockTime first, last;
    gfloat confidence;
    guint64 id;
    gboolean lost;

    entries.n_detections++;
    g_assert_cmpstr (g_quark_to_string (gst_analytics_od_mtd_get_obj_type (&entry)), ==, "cca-track");
    g_assert_true (gst_analytics_od_mtd_get_location (&entry, &x, &y, &width, &height, &confidence));
    g_assert_true (gst_analytics_relation_meta_get_direct_related (meta, entry.id, GST_ANALYTICS_REL_TYPE_RELATE_TO,
                                                                   gst_analytics_tracking_mtd_get_mtd_type (),
                                                                   &related_state, &related));
    g_assert_true (gst_analytics_tracking_mtd_get_info (&related, &id, &first, &last, &lost));
    g_assert_cmpuint (id, ==, x == 100 ? 1 : 2);
    g_assert_cmpint (y, ==, 100);
    g_assert_cmpint (width, ==, 30);
    g_assert_cmpint (height, ==, 60);
    g_assert_cmpuint (first, ==, 0);
    g_assert_cmpuint (last, ==, last_seen);
    g_assert_false (lost);
    g_assert_false (gst_analytics_relation_meta_get_direct_related (meta, entry.id, GST_ANALYTICS_REL_TYPE_RELATE_TO,
                                                                    gst_analytics_tracking_mtd_get_mtd_type (),
                                                                    &related_state, &related));
  }
  state = NULL;
  while (gst_analytics_relation_meta_iterate (meta, &state, gst_analytics_tracking_mtd_get_mtd_type (), &entry)) {
    GstClockTime first, last;
    gboolean lost;
    guint64 id;

    g_assert_true (gst_analytics_tracking_mtd_get_info (&entry, &id, &first, &last, &lost));
    entries.n_trackings++;
    entries.n_lost += lost;
  }
  return entries;
}

/* Two objects, of which the second goes: it has no detection while it coasts, and one last entry that says it is
 * lost. */
static void
test_analytics (void)
{
  g_auto (Stream) stream = stream_new ("ccatrack emit=cca+analytics max-age=3");

  for (guint i = 0; i < 12; i++) {
    const GstClockTime time = stream.time;
    g_autoptr (GstBuffer) buffer = NULL;
    Entries entries;

    add_box (&stream, 100, 100, 30, 60);
    if (i < 6)
      add_box (&stream, 300, 100, 30, 60);
    buffer = pass_frame (&stream);
    g_assert_nonnull (gst_buffer_get_cca_track_meta (buffer));
    if (i < 2) {
      g_assert_null (gst_buffer_get_analytics_relation_meta (buffer));
    } else {
      entries = check_entries (buffer, time);
      g_assert_cmpuint (entries.n_detections, ==, i < 6 ? 2 : 1);
      g_assert_cmpuint (entries.n_trackings, ==, i < 10 ? 2 : 1);
      g_assert_cmpuint (entries.n_lost, ==, i == 9 ? 1 : 0);
    }
  }
}
#else
static void
test_analytics (void)
{
  g_auto (Stream) stream = stream_new ("ccatrack emit=cca+analytics");

  pass_still (&stream, 3);
  test_assert_warning (stream.harness, "emit=analytics has no effect*");
  g_assert_cmpuint (pass_for_id (&stream), ==, 1);
}
#endif

GST_CASES_MAIN ()
{
  ADD_TESTS ("/track-messages", test_messages, test_camera_state, test_message_interval);
  g_test_add_func ("/track-messages/emit/nothing", test_emit_nothing);
  g_test_add_func ("/track-messages/emit/analytics", test_analytics);
}
