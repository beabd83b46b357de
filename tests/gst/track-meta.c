/* gst-cca: ccatrack: which components of a frame are tracked
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "track-test.h"

/* A frame with the components of two analyses: a box at 100 of "a", one at 300 of "b". */
static GstBuffer *
pass_both (Stream *stream)
{
  GstBuffer *buffer = bare_frame (stream);

  add_box (stream, 100, 100, 30, 60);
  add_analysis (stream, buffer, "a");
  add_box (stream, 300, 100, 30, 60);
  add_analysis (stream, buffer, "b");
  return test_pass (stream->harness, buffer);
}

static void
assert_tracked (GstBuffer *buffer, const gchar *id, guint64 track_id, guint x)
{
  const GstCcaTrackMeta *meta = gst_buffer_get_cca_track_meta (buffer);

  g_assert_nonnull (meta);
  g_assert_cmpstr (meta->id, ==, id);
  g_assert_cmpuint (meta->n_tracks, ==, track_id > 0 ? 1 : 0);
  if (track_id > 0) {
    g_assert_cmpuint (meta->tracks[0].track_id, ==, track_id);
    g_assert_cmpuint (meta->tracks[0].x, ==, x);
  }
  gst_buffer_unref (buffer);
}

static void
test_ids (void)
{
  g_auto (Stream) stream = stream_new ("ccatrack confirm-frames=2");

  gst_buffer_unref (pass_both (&stream));
  assert_tracked (pass_both (&stream), "a", 1, 100);
  g_object_set (stream.harness->element, "id", "b", NULL);
  assert_tracked (pass_both (&stream), "b", 0, 0);
  assert_tracked (pass_both (&stream), "b", 2, 300);
  g_object_set (stream.harness->element, "id", NULL, NULL);
  assert_tracked (pass_both (&stream), "a", 0, 0);
}

/* A meta of the same id is replaced, another's stays. */
static void
test_replaced (void)
{
  const GstCcaTrack track = { .track_id = 77, .width = 1, .height = 1 };
  g_auto (Stream) stream = stream_new ("ccatrack confirm-frames=1");
  const GstCcaTrackMeta *meta;
  g_autoptr (GstBuffer) buffer = NULL;
  gpointer state = NULL;

  add_box (&stream, 100, 100, 30, 60);
  buffer = next_frame (&stream);
  gst_buffer_add_cca_track_meta (buffer, "cca0", WIDTH, HEIGHT, &track, 1);
  gst_buffer_add_cca_track_meta (buffer, "other", WIDTH, HEIGHT, &track, 1);
  buffer = test_pass (stream.harness, buffer);
  meta = gst_buffer_iterate_cca_track_meta (buffer, &state);
  g_assert_cmpstr (meta->id, ==, "other");
  g_assert_cmpuint (meta->tracks[0].track_id, ==, 77);
  meta = gst_buffer_iterate_cca_track_meta (buffer, &state);
  g_assert_cmpstr (meta->id, ==, "cca0");
  g_assert_cmpuint (meta->tracks[0].track_id, ==, 1);
  g_assert_null (gst_buffer_iterate_cca_track_meta (buffer, &state));
}

static void
test_unknown_id (void)
{
  g_auto (Stream) stream = stream_new ("ccatrack id=c");
  GstBuffer *buffer;

  for (guint i = 0; i < 3; i++) {
    buffer = pass_both (&stream);
    g_assert_null (gst_buffer_get_cca_track_meta (buffer));
    gst_buffer_unref (buffer);
  }
  test_assert_warning (stream.harness, "*id is 'c', but the frame has the components of 'a', 'b'*");
}

static void
test_stale (void)
{
  g_auto (Stream) stream = stream_new ("ccatrack");

  for (guint i = 0; i < 5; i++) {
    g_autoptr (GstBuffer) buffer = NULL;

    add_box (&stream, 100, 100, 30, 60);
    buffer = next_frame (&stream);
    gst_buffer_get_cca_meta (buffer)->stale = TRUE;
    buffer = test_pass (stream.harness, buffer);
    g_assert_null (gst_buffer_get_cca_track_meta (buffer));
  }
  test_assert_warning (stream.harness,
                       "Nothing is tracked: an element reshaped the frame of '*'; put ccatrack before it "
                       "[its components are for a frame of *x* pixels]");
}

/* The stored components are tracked. */
static void
test_truncated (void)
{
  g_auto (Stream) stream = stream_new ("ccatrack confirm-frames=1");

  for (guint i = 0; i < 5; i++) {
    g_autoptr (GstBuffer) buffer = bare_frame (&stream);

    add_box (&stream, 100, 100, 30, 60);
    gst_buffer_add_cca_meta (buffer, "cca0", WIDTH, HEIGHT, 7, stream.components, 1);
    stream.n = 0;
    buffer = test_pass (stream.harness, buffer);
    g_assert_cmpuint (n_tracks (buffer), ==, 1);
  }
  test_assert_warning (stream.harness, "*7 components*");
}

GST_TESTS_MAIN ("/track-meta", test_ids, test_replaced, test_unknown_id, test_stale, test_truncated)
