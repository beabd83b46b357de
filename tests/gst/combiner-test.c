/* gst-cca: shared by the tests of ccacombiner
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "combiner-test.h"

Streams
streams_new (const gchar *properties, guint width, guint height, guint meta_width, guint meta_height)
{
  g_autofree gchar *launch = g_strdup_printf ("ccacombiner %s", properties);
  Streams streams = { .full = test_harness (launch, NULL) };

  streams.meta = gst_harness_new_with_element (streams.full->element, "meta", NULL);
  gst_harness_set_live (streams.full, FALSE);
  gst_harness_set_live (streams.meta, FALSE);
  gst_harness_set_src_caps (streams.full, test_caps ("I420", width, height, NULL));
  gst_harness_set_src_caps (streams.meta, test_caps ("GRAY8", meta_width, meta_height, NULL));
  return streams;
}

Streams
small_streams (const gchar *properties)
{
  return streams_new (properties, 64, 36, 32, 18);
}

void
streams_free (Streams *streams)
{
  gst_harness_teardown (streams->meta);
  test_harness_free (streams->full);
}

GstBuffer *
timed_buffer (GstClockTime time, GstClockTime duration)
{
  GstBuffer *buffer = gst_buffer_new_allocate (NULL, 64, NULL);

  GST_BUFFER_PTS (buffer) = time;
  GST_BUFFER_DURATION (buffer) = duration;
  return buffer;
}

void
push_full_at (Streams *streams, GstClockTime time)
{
  g_assert_cmpint (gst_harness_push (streams->full, timed_buffer (time, FRAME)), ==, GST_FLOW_OK);
}

void
push_full (Streams *streams, guint number)
{
  push_full_at (streams, number * FRAME);
}

void
add_number (GstBuffer *buffer, const gchar *id, guint number)
{
  const GstCcaComponent component = { .label = number + 1, .x = 1, .y = 2, .width = 3, .height = 4, .area = 12 };

  g_assert_nonnull (gst_buffer_add_cca_meta (buffer, id, 32, 18, 1, &component, 1));
}

void
push_meta_at (Streams *streams, guint number, GstClockTime time, GstClockTime duration)
{
  GstBuffer *buffer = timed_buffer (time, duration);

  add_number (buffer, ID, number);
  g_assert_cmpint (gst_harness_push (streams->meta, buffer), ==, GST_FLOW_OK);
}

void
push_meta (Streams *streams, guint number)
{
  push_meta_at (streams, number, number * FRAME, FRAME);
}

void
assert_frame_at (Streams *streams, GstClockTime time, guint number)
{
  g_autoptr (GstBuffer) buffer = gst_harness_pull (streams->full);
  const GstCcaMeta *meta;

  g_assert_nonnull (buffer);
  g_assert_cmpuint (GST_BUFFER_PTS (buffer), ==, time);
  meta = gst_buffer_get_cca_meta (buffer);
  if (number == NOTHING) {
    g_assert_null (meta);
  } else {
    g_assert_nonnull (meta);
    g_assert_cmpstr (meta->id, ==, ID);
    g_assert_cmpuint (meta->n_stored, ==, 1);
    g_assert_cmpuint (meta->components[0].label, ==, number + 1);
    g_assert_cmpuint (meta->width, ==, 64);
    g_assert_cmpuint (meta->components[0].x, ==, 2);
  }
}

void
assert_frame (Streams *streams, guint frame, guint number)
{
  assert_frame_at (streams, frame * FRAME, number);
}

void
assert_waits (Streams *streams)
{
  g_usleep (20000);
  g_assert_cmpuint (gst_harness_buffers_in_queue (streams->full), ==, 0);
}

GstEvent *
pull_event (Streams *streams, GstEventType type)
{
  GstEvent *event;

  while ((event = gst_harness_pull_event (streams->full)) != NULL && GST_EVENT_TYPE (event) != type)
    gst_event_unref (event);
  g_assert_nonnull (event);
  return event;
}
