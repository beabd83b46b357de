/* gst-cca: ccatrack: identities, states, times, metas and messages
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "element-test.h"

#include <gst/cca/gstccatrackmeta.h>
#ifdef HAVE_GST_ANALYTICS
#include <gst/analytics/analytics.h>
#endif

enum
{
  WIDTH = 640,
  HEIGHT = 360,
};

#define FRAME (40 * GST_MSECOND)

/* --- Frames ------------------------------------------------------------------------------------------ */

/* A stream of frames whose components the test says. */
typedef struct
{
  GstHarness *harness;
  const gchar *id;
  guint width, height;
  GstClockTime time; /* of the next frame; or GST_CLOCK_TIME_NONE */
  GstBufferFlags flags;
  GstCcaComponent components[32];
  guint n;
} Stream;

static GstCaps *
caps_of_size (guint width, guint height)
{
  return test_caps ("GRAY8", width, height, NULL);
}

static Stream
stream_of (const gchar *launch, GstCaps *caps)
{
  return (Stream) { .harness = test_harness (launch, caps), .id = "cca0", .width = WIDTH, .height = HEIGHT };
}

static Stream
stream_new (const gchar *launch)
{
  return stream_of (launch, caps_of_size (WIDTH, HEIGHT));
}

static void
stream_free (Stream *stream)
{
  test_assert_no_message (stream->harness, GST_MESSAGE_WARNING | GST_MESSAGE_ERROR);
  test_harness_free (stream->harness);
}

static void
add_box (Stream *stream, gint x, gint y, guint width, guint height)
{
  stream->components[stream->n] = (GstCcaComponent) { .label = stream->n + 1,
                                                      .x = (guint) x,
                                                      .y = (guint) y,
                                                      .width = width,
                                                      .height = height,
                                                      .area = (guint64) width * height,
                                                      .centroid_x = x + (width - 1) / 2.0,
                                                      .centroid_y = y + (height - 1) / 2.0 };
  stream->n++;
}

/* The next frame, without meta. */
static GstBuffer *
bare_frame (Stream *stream)
{
  GstBuffer *buffer = gst_buffer_new_allocate (NULL, 16, NULL);

  GST_BUFFER_PTS (buffer) = stream->time;
  GST_BUFFER_FLAG_SET (buffer, stream->flags);
  if (GST_CLOCK_TIME_IS_VALID (stream->time))
    stream->time += FRAME;
  stream->flags = 0;
  return buffer;
}

static GstCcaMeta *
add_components (Stream *stream, GstBuffer *buffer, const gchar *id)
{
  GstCcaMeta *meta =
      gst_buffer_add_cca_meta (buffer, id, stream->width, stream->height, stream->n, stream->components, stream->n);

  stream->n = 0;
  return meta;
}

/* The next frame, with the added boxes. */
static GstBuffer *
frame (Stream *stream)
{
  GstBuffer *buffer = bare_frame (stream);

  add_components (stream, buffer, stream->id);
  return buffer;
}

static GstBuffer *
pass (Stream *stream)
{
  return test_pass (stream->harness, frame (stream));
}

static void
pass_and_drop (Stream *stream)
{
  gst_buffer_unref (pass (stream));
}

/* Passes n frames of a box that is where it is. */
static void
pass_still (Stream *stream, guint n)
{
  for (guint i = 0; i < n; i++) {
    add_box (stream, 100, 100, 30, 60);
    pass_and_drop (stream);
  }
}

static const GstCcaTrack *
find_track (GstBuffer *buffer, guint64 id)
{
  const GstCcaTrackMeta *meta = gst_buffer_get_cca_track_meta (buffer);

  g_assert_nonnull (meta);
  for (guint i = 0; i < meta->n_tracks; i++)
    if (meta->tracks[i].track_id == id)
      return &meta->tracks[i];
  return NULL;
}

/* The track with an id, which must be there. */
static const GstCcaTrack *
need_track (GstBuffer *buffer, guint64 id)
{
  const GstCcaTrack *track = find_track (buffer, id);

  if (!track)
    g_error ("no track %" G_GUINT64_FORMAT, id);
  return track;
}

static guint
n_tracks (GstBuffer *buffer)
{
  const GstCcaTrackMeta *meta = gst_buffer_get_cca_track_meta (buffer);

  g_assert_nonnull (meta);
  return meta->n_tracks;
}

/* Passes the box that is where it is, and returns its id, which must be the only one; 0: there is none. */
static guint64
pass_for_id (Stream *stream)
{
  const GstCcaTrackMeta *meta;
  GstBuffer *buffer;
  guint64 id;

  add_box (stream, 100, 100, 30, 60);
  buffer = pass (stream);
  meta = gst_buffer_get_cca_track_meta (buffer);
  g_assert_nonnull (meta);
  g_assert_cmpuint (meta->n_tracks, <=, 1);
  id = meta->n_tracks > 0 ? meta->tracks[0].track_id : 0;
  gst_buffer_unref (buffer);
  return id;
}

/* --- Tracks ------------------------------------------------------------------------------------------ */

static void
test_tracks (void)
{
  Stream stream = stream_new ("ccatrack");

  for (guint i = 1; i <= 10; i++) {
    const GstCcaTrackMeta *meta;
    const GstCcaTrack *track;
    GstBuffer *buffer;

    add_box (&stream, 300 - 4 * (gint) i, 200, 20, 40);
    add_box (&stream, 100 + 2 * (gint) i, 100, 30, 60);
    buffer = pass (&stream);
    meta = gst_buffer_get_cca_track_meta (buffer);
    g_assert_nonnull (meta);
    g_assert_cmpstr (meta->id, ==, "cca0");
    g_assert_cmpuint (meta->width, ==, WIDTH);
    g_assert_cmpuint (meta->height, ==, HEIGHT);
    g_assert_false (meta->stale);
    g_assert_cmpuint (meta->n_tracks, ==, i < 3 ? 0 : 2);
    if (i >= 3) {
      track = &meta->tracks[1];
      g_assert_cmpuint (meta->tracks[0].track_id, ==, 1);
      g_assert_cmpuint (track->track_id, ==, 2);
      g_assert_cmpint (track->state, ==, GST_CCA_TRACK_STATE_CONFIRMED);
      g_assert_cmpuint (track->label, ==, 2);
      g_assert_cmpuint (track->x, ==, 100 + 2 * i);
      g_assert_cmpuint (track->y, ==, 100);
      g_assert_cmpuint (track->width, ==, 30);
      g_assert_cmpuint (track->height, ==, 60);
      g_assert_cmpuint (track->area, ==, 1800);
      g_assert_cmpfloat (track->centroid_x, ==, 100 + 2 * i + 14.5);
      g_assert_cmpfloat (track->centroid_y, ==, 129.5);
      g_assert_cmpuint (track->age, ==, i);
    }
    /* 2 pixels in 40 ms. */
    if (i == 10) {
      g_assert_cmpfloat_with_epsilon (meta->tracks[1].velocity_x, 50.0, 2.0);
      g_assert_cmpfloat_with_epsilon (meta->tracks[1].velocity_y, 0.0, 2.0);
      g_assert_cmpfloat_with_epsilon (meta->tracks[0].velocity_x, -100.0, 4.0);
    }
    gst_buffer_unref (buffer);
  }
  stream_free (&stream);
}

static void
test_confirm_frames (void)
{
  for (guint wanted = 1; wanted <= 5; wanted++) {
    gchar *launch = g_strdup_printf ("ccatrack confirm-frames=%u", wanted);
    Stream stream = stream_new (launch);

    for (guint i = 1; i <= 6; i++)
      g_assert_cmpuint (pass_for_id (&stream), ==, i < wanted ? 0 : 1);
    stream_free (&stream);
    g_free (launch);
  }
}

/* A track whose object is gone coasts on its way for max-age frames; the property counts from the next frame on. */
static void
test_max_age (void)
{
  Stream stream = stream_new ("ccatrack max-age=5");
  const GstCcaTrack *track;
  GstBuffer *buffer;
  gint x = 100;

  for (guint i = 0; i < 20; i++, x += 3) {
    add_box (&stream, x, 100, 30, 60);
    pass_and_drop (&stream);
  }
  for (guint i = 0; i < 5; i++, x += 3) {
    buffer = pass (&stream);
    track = need_track (buffer, 1);
    g_assert_cmpint (track->state, ==, GST_CCA_TRACK_STATE_COASTING);
    g_assert_cmpuint (track->label, ==, 0);
    g_assert_cmpuint (track->area, ==, 1800);
    g_assert_cmpint (ABS ((gint) track->x - x), <=, 1);
    gst_buffer_unref (buffer);
  }
  g_object_set (stream.harness->element, "max-age", 7, NULL);
  for (guint i = 0; i < 3; i++) {
    buffer = pass (&stream);
    g_assert_cmpuint (n_tracks (buffer), ==, i < 2 ? 1 : 0);
    gst_buffer_unref (buffer);
  }
  stream_free (&stream);
}

/* Two that touch are one component and two tracks. */
static void
test_merged (void)
{
  Stream stream = stream_new ("ccatrack");

  for (gint i = 0; i < 60; i++) {
    const gint left = 100 + 2 * i, right = 300 - 2 * i;
    GstBuffer *buffer;

    if (left + 30 < right) {
      add_box (&stream, left, 100, 30, 60);
      add_box (&stream, right, 100, 30, 60);
    } else {
      add_box (&stream, left, 100, (guint) (right + 30 - left), 60);
    }
    buffer = pass (&stream);
    if (i >= 3) {
      g_assert_cmpuint (n_tracks (buffer), ==, 2);
      for (guint64 id = 1; id <= 2; id++) {
        const GstCcaTrack *track = need_track (buffer, id);

        g_assert_cmpint (track->state, ==,
                         left + 30 < right ? GST_CCA_TRACK_STATE_CONFIRMED : GST_CCA_TRACK_STATE_MERGED);
        g_assert_cmpint (ABS ((gint) track->x - (id == 1 ? left : right)), <=, 4);
        g_assert_cmpuint (track->area, ==, 1800);
      }
    }
    gst_buffer_unref (buffer);
    if (left + 20 > right)
      break;
  }
  stream_free (&stream);
}

/* Boxes end at the frame's borders, and tracks that have left are not listed. */
static void
test_borders (void)
{
  Stream stream = stream_new ("ccatrack");
  GstBuffer *buffer;
  guint n_coasting = 0;

  for (gint x = 500; x < WIDTH - 10; x += 5) {
    add_box (&stream, x, 320, (guint) MIN (40, WIDTH - x), 40);
    pass_and_drop (&stream);
  }
  for (guint i = 0; i < 20; i++) {
    const GstCcaTrack *track;

    buffer = pass (&stream);
    track = find_track (buffer, 1);
    if (track) {
      n_coasting++;
      g_assert_cmpuint (track->width, >=, 1);
      g_assert_cmpuint (track->height, >=, 1);
      g_assert_cmpuint (track->x + track->width, <=, WIDTH);
      g_assert_cmpuint (track->y + track->height, <=, HEIGHT);
    }
    gst_buffer_unref (buffer);
  }
  g_assert_cmpuint (n_coasting, <, 10);
  stream_free (&stream);
}

/* --- Times ------------------------------------------------------------------------------------------- */

/* Half of the frames are missing, and the buffers say so: ids stay, and speeds are those of time stamps. */
static void
test_dropped_frames (void)
{
  Stream stream = stream_new ("ccatrack");

  for (guint i = 0; i < 40; i++) {
    const gint x = 50 + 8 * (gint) i;
    GstBuffer *buffer;

    if (i > 5 && i % 4 < 2) {
      stream.time += FRAME;
      stream.flags = GST_BUFFER_FLAG_DISCONT;
      continue;
    }
    add_box (&stream, x, 100, 20, 20);
    add_box (&stream, x + 40, 100, 20, 20);
    buffer = pass (&stream);
    if (i >= 3) {
      g_assert_cmpuint (n_tracks (buffer), ==, 2);
      g_assert_cmpuint (need_track (buffer, 1)->x, ==, x);
      g_assert_cmpuint (need_track (buffer, 2)->x, ==, x + 40);
    }
    if (i == 39)
      g_assert_cmpfloat_with_epsilon (need_track (buffer, 1)->velocity_x, 200.0, 10.0);
    gst_buffer_unref (buffer);
  }
  stream_free (&stream);
}

/* Frames that the analysis did not see pass, and count as missing. */
static void
test_without_components (void)
{
  Stream stream = stream_new ("ccatrack max-age=3");
  GstBuffer *buffer, *in;

  pass_still (&stream, 5);
  for (guint i = 0; i < 10; i++) {
    in = bare_frame (&stream);
    buffer = test_pass (stream.harness, in);
    g_assert_true (buffer == in);
    g_assert_null (gst_buffer_get_cca_track_meta (buffer));
    gst_buffer_unref (buffer);
  }
  g_assert_cmpuint (pass_for_id (&stream), ==, 1);
  for (guint i = 0; i < 10; i++) {
    add_box (&stream, 400, 200, 10, 10);
    stream.flags = GST_BUFFER_FLAG_GAP;
    buffer = pass (&stream);
    g_assert_null (gst_buffer_get_cca_track_meta (buffer));
    g_assert_true (GST_BUFFER_FLAG_IS_SET (buffer, GST_BUFFER_FLAG_GAP));
    gst_buffer_unref (buffer);
  }
  g_assert_cmpuint (pass_for_id (&stream), ==, 1);
  stream_free (&stream);
}

/* Without time stamps the caps' frame rate counts, then 30 frames a second; only that deserves a warning. */
static void
test_without_times (void)
{
  static const struct
  {
    const gchar *framerate;
    gdouble frames_per_second;
    gboolean warns;
  } cases[] = { { "25/1", 25.0, FALSE }, { "50/1", 50.0, FALSE }, { "0/1", 30.0, TRUE } };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    gchar *text = g_strdup_printf ("video/x-raw,format=GRAY8,width=640,height=360,framerate=%s", cases[i].framerate);
    Stream stream = stream_of ("ccatrack", gst_caps_from_string (text));
    GstBuffer *buffer;

    stream.time = GST_CLOCK_TIME_NONE;
    for (gint k = 0; k < 20; k++) {
      add_box (&stream, 100 + 2 * k, 100, 30, 60);
      buffer = pass (&stream);
      if (k == 19)
        g_assert_cmpfloat_with_epsilon (need_track (buffer, 1)->velocity_x, 2.0 * cases[i].frames_per_second, 2.0);
      gst_buffer_unref (buffer);
    }
    if (cases[i].warns) {
      gchar *warning = test_message_text (test_pop_message (stream.harness, GST_MESSAGE_WARNING));

      g_assert_nonnull (strstr (warning, "frame rate"));
      g_free (warning);
    }
    stream_free (&stream);
    g_free (text);
  }
}

/* --- Beginnings -------------------------------------------------------------------------------------- */

static void
push_segment (Stream *stream, GstClockTime start, GstClockTime stop)
{
  GstSegment segment;

  gst_segment_init (&segment, GST_FORMAT_TIME);
  segment.start = segment.time = start;
  segment.stop = stop;
  g_assert_true (gst_harness_push_event (stream->harness, gst_event_new_segment (&segment)));
}

/* The next frames are other objects', and ids go on. */
static void
assert_begins_anew (Stream *stream, guint64 id)
{
  g_assert_cmpuint (pass_for_id (stream), ==, 0);
  g_assert_cmpuint (pass_for_id (stream), ==, 0);
  g_assert_cmpuint (pass_for_id (stream), ==, id);
}

static void
test_flush (void)
{
  Stream stream = stream_new ("ccatrack");

  pass_still (&stream, 5);
  g_assert_true (gst_harness_push_event (stream.harness, gst_event_new_flush_start ()));
  g_assert_true (gst_harness_push_event (stream.harness, gst_event_new_flush_stop (TRUE)));
  push_segment (&stream, 0, GST_CLOCK_TIME_NONE);
  assert_begins_anew (&stream, 2);
  stream_free (&stream);
}

/* A segment on another timeline ends all tracks, an update of a segment's end does not. */
static void
test_segments (void)
{
  Stream stream = stream_new ("ccatrack");

  pass_still (&stream, 5);
  push_segment (&stream, 0, 100 * GST_SECOND);
  g_assert_cmpuint (pass_for_id (&stream), ==, 1);
  push_segment (&stream, 50 * GST_SECOND, 100 * GST_SECOND);
  stream.time = 50 * GST_SECOND;
  assert_begins_anew (&stream, 2);
  stream_free (&stream);
}

/* Time stamps that go back a little are an irregularity, those that go back far another timeline. */
static void
test_time_goes_back (void)
{
  Stream stream = stream_new ("ccatrack");

  stream.time = 10 * GST_SECOND;
  pass_still (&stream, 5);
  stream.time -= 3 * FRAME;
  g_assert_cmpuint (pass_for_id (&stream), ==, 1);
  stream.time -= 5 * GST_SECOND;
  assert_begins_anew (&stream, 2);
  stream_free (&stream);
}

static void
test_renegotiation (void)
{
  Stream stream = stream_new ("ccatrack");

  pass_still (&stream, 5);
  gst_harness_set_src_caps (stream.harness, test_caps ("NV12", WIDTH, HEIGHT, NULL));
  g_assert_cmpuint (pass_for_id (&stream), ==, 1);
  gst_harness_set_src_caps (stream.harness, caps_of_size (2 * WIDTH, 2 * HEIGHT));
  stream.width = 2 * WIDTH;
  stream.height = 2 * HEIGHT;
  assert_begins_anew (&stream, 2);
  stream_free (&stream);
}

static GstStructure *
get_stats (Stream *stream)
{
  GstStructure *stats;

  g_object_get (stream->harness->element, "stats", &stats, NULL);
  return stats;
}

static void
assert_stats (Stream *stream, guint64 frames, guint64 tracks, guint alive)
{
  GstStructure *stats = get_stats (stream);
  guint64 n_frames, n_confirmed;
  guint n_alive;

  g_assert_true (gst_structure_get_uint64 (stats, "frames", &n_frames));
  g_assert_true (gst_structure_get_uint64 (stats, "tracks", &n_confirmed));
  g_assert_true (gst_structure_get_uint (stats, "alive", &n_alive));
  g_assert_cmpuint (n_frames, ==, frames);
  g_assert_cmpuint (n_confirmed, ==, tracks);
  g_assert_cmpuint (n_alive, ==, alive);
  gst_structure_free (stats);
}

static void
test_stats (void)
{
  Stream stream = stream_new ("ccatrack max-age=2");

  assert_stats (&stream, 0, 0, 0);
  g_assert_true (g_str_has_prefix (GST_OBJECT_NAME (stream.harness->element), "ccatrack"));
  pass_still (&stream, 2);
  assert_stats (&stream, 2, 0, 0);
  pass_still (&stream, 3);
  assert_stats (&stream, 5, 1, 1);
  for (guint i = 0; i < 3; i++)
    pass_and_drop (&stream);
  assert_stats (&stream, 8, 1, 0);
  pass_still (&stream, 3);
  assert_stats (&stream, 11, 2, 1);
  stream_free (&stream);
}

/* Another start is another count, from 1 again. */
static void
test_restart (void)
{
  GstElement *pipeline = gst_parse_launch ("videotestsrc num-buffers=20 pattern=ball ! video/x-raw,format=GRAY8 ! cca "
                                           "foreground=threshold ! ccatrack name=track ! fakesink",
                                           NULL);
  GstElement *track = gst_bin_get_by_name (GST_BIN (pipeline), "track");
  GstBus *bus = gst_element_get_bus (pipeline);

  for (guint i = 0; i < 3; i++) {
    GstMessage *message;
    guint64 frames, tracks;
    GstStructure *stats;

    gst_element_set_state (pipeline, GST_STATE_PLAYING);
    message = gst_bus_timed_pop_filtered (bus, 20 * GST_SECOND, GST_MESSAGE_EOS | GST_MESSAGE_ERROR);
    g_assert_nonnull (message);
    g_assert_cmpint (GST_MESSAGE_TYPE (message), ==, GST_MESSAGE_EOS);
    gst_message_unref (message);
    g_object_get (track, "stats", &stats, NULL);
    g_assert_true (gst_structure_get (stats, "frames", G_TYPE_UINT64, &frames, "tracks", G_TYPE_UINT64, &tracks, NULL));
    g_assert_cmpuint (frames, ==, 20);
    g_assert_cmpuint (tracks, ==, 1);
    gst_structure_free (stats);
    gst_element_set_state (pipeline, i == 1 ? GST_STATE_NULL : GST_STATE_READY);
  }
  gst_element_set_state (pipeline, GST_STATE_NULL);
  gst_object_unref (track);
  gst_object_unref (bus);
  gst_object_unref (pipeline);
}

/* --- Which components -------------------------------------------------------------------------------- */

/* A frame with the components of two analyses: a box at 100 of "a", one at 300 of "b". */
static GstBuffer *
pass_both (Stream *stream)
{
  GstBuffer *buffer = bare_frame (stream);

  add_box (stream, 100, 100, 30, 60);
  add_components (stream, buffer, "a");
  add_box (stream, 300, 100, 30, 60);
  add_components (stream, buffer, "b");
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
  Stream stream = stream_new ("ccatrack confirm-frames=2");

  gst_buffer_unref (pass_both (&stream));
  assert_tracked (pass_both (&stream), "a", 1, 100);
  g_object_set (stream.harness->element, "id", "b", NULL);
  assert_tracked (pass_both (&stream), "b", 0, 0);
  assert_tracked (pass_both (&stream), "b", 2, 300);
  g_object_set (stream.harness->element, "id", NULL, NULL);
  assert_tracked (pass_both (&stream), "a", 0, 0);
  stream_free (&stream);
}

/* A meta of the same id is replaced, another's stays. */
static void
test_replaced (void)
{
  const GstCcaTrack track = { .track_id = 77, .width = 1, .height = 1 };
  Stream stream = stream_new ("ccatrack confirm-frames=1");
  const GstCcaTrackMeta *meta;
  GstBuffer *buffer;
  gpointer state = NULL;

  add_box (&stream, 100, 100, 30, 60);
  buffer = frame (&stream);
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
  gst_buffer_unref (buffer);
  stream_free (&stream);
}

/* Pops the one warning of a stream, which must have a text in it. */
static void
assert_one_warning (Stream *stream, const gchar *text)
{
  gchar *warning = test_message_text (test_pop_message (stream->harness, GST_MESSAGE_WARNING));

  if (!strstr (warning, text))
    g_error ("\"%s\" is not in: %s", text, warning);
  g_free (warning);
  test_assert_no_message (stream->harness, GST_MESSAGE_WARNING);
}

static void
test_unknown_id (void)
{
  Stream stream = stream_new ("ccatrack id=c");
  GstBuffer *buffer;

  for (guint i = 0; i < 3; i++) {
    buffer = pass_both (&stream);
    g_assert_null (gst_buffer_get_cca_track_meta (buffer));
    gst_buffer_unref (buffer);
  }
  assert_one_warning (&stream, "id is 'c', but the frame has the components of 'a', 'b'");
  stream_free (&stream);
}

static void
test_stale (void)
{
  Stream stream = stream_new ("ccatrack");

  for (guint i = 0; i < 5; i++) {
    GstBuffer *buffer;

    add_box (&stream, 100, 100, 30, 60);
    buffer = frame (&stream);
    gst_buffer_get_cca_meta (buffer)->stale = TRUE;
    buffer = test_pass (stream.harness, buffer);
    g_assert_null (gst_buffer_get_cca_track_meta (buffer));
    gst_buffer_unref (buffer);
  }
  assert_one_warning (&stream, "cannot be followed");
  stream_free (&stream);
}

/* What the meta stores is tracked. */
static void
test_truncated (void)
{
  Stream stream = stream_new ("ccatrack confirm-frames=1");

  for (guint i = 0; i < 5; i++) {
    GstBuffer *buffer = bare_frame (&stream);

    add_box (&stream, 100, 100, 30, 60);
    gst_buffer_add_cca_meta (buffer, "cca0", WIDTH, HEIGHT, 7, stream.components, 1);
    stream.n = 0;
    buffer = test_pass (stream.harness, buffer);
    g_assert_cmpuint (n_tracks (buffer), ==, 1);
    gst_buffer_unref (buffer);
  }
  assert_one_warning (&stream, "7 components");
  stream_free (&stream);
}

typedef enum
{
  KNOWN,
  TRUNCATED,
  DISCONTINUOUS,
} Knowledge;

/* A small one becomes two at equal distances; overlaps tell which it is, unless frames may be missing in between. */
static void
test_overlaps (gconstpointer data)
{
  const Knowledge knowledge = GPOINTER_TO_UINT (data);
  const GstCcaOverlap overlap = { 1, 2, 20 };
  Stream stream = stream_new ("ccatrack confirm-frames=1");
  const GstCcaTrack *track;
  GstBuffer *buffer;

  add_box (&stream, 100, 100, 10, 10);
  pass_and_drop (&stream);
  add_box (&stream, 92, 100, 10, 10);
  add_box (&stream, 108, 100, 10, 10);
  stream.flags = knowledge == DISCONTINUOUS ? GST_BUFFER_FLAG_DISCONT : 0;
  buffer = bare_frame (&stream);
  g_assert_true (gst_cca_meta_set_overlaps (add_components (&stream, buffer, "cca0"), knowledge == TRUNCATED ? 2 : 1,
                                            &overlap, 1));
  buffer = test_pass (stream.harness, buffer);
  track = need_track (buffer, 1);
  g_assert_cmpuint (track->label, ==, knowledge == KNOWN ? 2 : 1);
  gst_buffer_unref (buffer);
  stream_free (&stream);
}

/* --- Buffers ----------------------------------------------------------------------------------------- */

/* A buffer that others hold keeps its metas, and its pixels are not copied. */
static void
test_shared (void)
{
  Stream stream = stream_new ("ccatrack");
  GstBuffer *in, *out;

  add_box (&stream, 100, 100, 30, 60);
  in = frame (&stream);
  out = test_pass (stream.harness, gst_buffer_ref (in));
  g_assert_true (out != in);
  g_assert_true (gst_buffer_peek_memory (out, 0) == gst_buffer_peek_memory (in, 0));
  g_assert_null (gst_buffer_get_cca_track_meta (in));
  g_assert_nonnull (gst_buffer_get_cca_track_meta (out));
  g_assert_nonnull (gst_buffer_get_cca_meta (out));
  gst_buffer_unref (out);
  gst_buffer_unref (in);

  add_box (&stream, 100, 100, 30, 60);
  in = frame (&stream);
  out = test_pass (stream.harness, in);
  g_assert_true (out == in);
  gst_buffer_unref (out);
  stream_free (&stream);
}

/* Any raw video in any memory, which need not be mapped. */
static void
test_caps_of_any (void)
{
  static const gchar *const texts[] = {
    "video/x-raw,format=GRAY8",
    "video/x-raw,format=RGBA",
    "video/x-raw,format=NV12",
    "video/x-raw,format=P010_10LE",
    "video/x-raw(memory:NoSuchMemory),format=NV12",
    "video/x-raw(memory:CUDAMemory),format=I420",
    "video/x-raw(memory:GLMemory,meta:GstVideoOverlayComposition),format=RGBA",
    "video/x-raw(memory:SystemMemory,meta:GstVideoOverlayComposition),format=BGRx",
  };

  for (guint i = 0; i < G_N_ELEMENTS (texts); i++) {
    gchar *text = g_strconcat (texts[i], ",width=640,height=360,framerate=25/1", NULL);
    GstCaps *caps = gst_caps_from_string (text), *out;
    Stream stream = stream_of ("ccatrack", gst_caps_ref (caps));

    pass_still (&stream, 5);
    g_assert_cmpuint (pass_for_id (&stream), ==, 1);
    out = gst_pad_get_current_caps (stream.harness->sinkpad);
    g_assert_true (gst_caps_is_equal (out, caps));
    gst_caps_unref (out);
    gst_caps_unref (caps);
    stream_free (&stream);
    g_free (text);
  }
}

/* Downstream's wishes for buffers reach upstream. */
static void
test_allocation (void)
{
  Stream stream = stream_new ("ccatrack");
  GstCaps *caps = caps_of_size (WIDTH, HEIGHT);
  GstQuery *query = gst_query_new_allocation (caps, FALSE);

  gst_harness_add_propose_allocation_meta (stream.harness, GST_VIDEO_META_API_TYPE, NULL);
  pass_still (&stream, 1);
  g_assert_true (gst_pad_peer_query (stream.harness->srcpad, query));
  g_assert_true (gst_query_find_allocation_meta (query, GST_VIDEO_META_API_TYPE, NULL));
  gst_query_unref (query);
  gst_caps_unref (caps);
  stream_free (&stream);
}

/* --- Messages ---------------------------------------------------------------------------------------- */

static void
check_track (const GstStructure *structure, const GstCcaTrack *track)
{
  gint state;

  g_assert_cmpstr (gst_structure_get_name (structure), ==, "track");
  g_assert_cmpint (gst_structure_n_fields (structure), ==, 13);
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
}

/* The next message says of a frame what its meta says. */
static void
check_message (Stream *stream, GstBuffer *buffer)
{
  const GstCcaTrackMeta *meta = gst_buffer_get_cca_track_meta (buffer);
  GstMessage *message = test_pop_message (stream->harness, GST_MESSAGE_ELEMENT);
  const GstStructure *structure;
  const GValue *list;

  g_assert_nonnull (message);
  g_assert_true (GST_MESSAGE_SRC (message) == GST_OBJECT (stream->harness->element));
  structure = gst_message_get_structure (message);
  g_assert_cmpstr (gst_structure_get_name (structure), ==, "cca-tracks");
  g_assert_cmpint (gst_structure_n_fields (structure), ==, 9);
  g_assert_cmpstr (gst_structure_get_string (structure, "id"), ==, "cca0");
  g_assert_cmpuint (test_get_uint64 (structure, "timestamp"), ==, GST_BUFFER_PTS (buffer));
  g_assert_cmpuint (test_get_uint64 (structure, "stream-time"), ==, GST_BUFFER_PTS (buffer) + 4 * GST_SECOND);
  g_assert_cmpuint (test_get_uint64 (structure, "running-time"), ==, GST_BUFFER_PTS (buffer) + 9 * GST_SECOND);
  g_assert_cmpuint (test_get_uint64 (structure, "duration"), ==, FRAME);
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
  Stream stream = stream_new ("ccatrack");
  GstSegment segment;

  gst_segment_init (&segment, GST_FORMAT_TIME);
  segment.start = 1 * GST_SECOND;
  segment.time = 5 * GST_SECOND;
  segment.base = 10 * GST_SECOND;
  g_assert_true (gst_harness_push_event (stream.harness, gst_event_new_segment (&segment)));
  stream.time = 3 * GST_SECOND;
  for (guint i = 0; i < 8; i++) {
    GstBuffer *buffer;

    if (i < 6) {
      add_box (&stream, 100 + 2 * (gint) i, 100, 30, 60);
      add_box (&stream, 400, 100 + 3 * (gint) i, 30, 60);
    }
    buffer = frame (&stream);
    GST_BUFFER_DURATION (buffer) = FRAME;
    buffer = test_pass (stream.harness, buffer);
    check_message (&stream, buffer);
    gst_buffer_unref (buffer);
  }
  stream_free (&stream);
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

static void
test_message_interval (void)
{
  Stream stream = stream_new ("ccatrack message-interval=200000000");

  pass_still (&stream, 20);
  g_assert_cmpuint (count_messages (&stream), ==, 4);
  g_object_set (stream.harness->element, "post-messages", FALSE, NULL);
  pass_still (&stream, 20);
  g_assert_cmpuint (count_messages (&stream), ==, 0);
  g_object_set (stream.harness->element, "post-messages", TRUE, "message-interval", (guint64) 0, NULL);
  pass_still (&stream, 20);
  g_assert_cmpuint (count_messages (&stream), ==, 20);
  stream_free (&stream);
}

/* --- GStreamer's own metas --------------------------------------------------------------------------- */

static void
test_emit_nothing (void)
{
  Stream stream = stream_new ("ccatrack emit=0");
  GstBuffer *buffer;

  pass_still (&stream, 5);
  add_box (&stream, 100, 100, 30, 60);
  buffer = pass (&stream);
  g_assert_null (gst_buffer_get_cca_track_meta (buffer));
  gst_buffer_unref (buffer);
  g_assert_cmpuint (count_messages (&stream), ==, 6);
  stream_free (&stream);
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

/* Two objects, of which the second goes: it has no detection while it coasts, and one last entry that says it is lost.
 */
static void
test_analytics (void)
{
  Stream stream = stream_new ("ccatrack emit=cca+analytics max-age=3");

  for (guint i = 0; i < 12; i++) {
    const GstClockTime time = stream.time;
    GstBuffer *buffer;
    Entries entries;

    add_box (&stream, 100, 100, 30, 60);
    if (i < 6)
      add_box (&stream, 300, 100, 30, 60);
    buffer = pass (&stream);
    g_assert_nonnull (gst_buffer_get_cca_track_meta (buffer));
    if (i < 2) {
      g_assert_null (gst_buffer_get_analytics_relation_meta (buffer));
    } else {
      entries = check_entries (buffer, time);
      g_assert_cmpuint (entries.n_detections, ==, i < 6 ? 2 : 1);
      g_assert_cmpuint (entries.n_trackings, ==, i < 10 ? 2 : 1);
      g_assert_cmpuint (entries.n_lost, ==, i == 9 ? 1 : 0);
    }
    gst_buffer_unref (buffer);
  }
  stream_free (&stream);
}
#else
static void
test_analytics (void)
{
  Stream stream = stream_new ("ccatrack emit=cca+analytics");

  pass_still (&stream, 3);
  assert_one_warning (&stream, "emit=analytics has no effect");
  g_assert_cmpuint (pass_for_id (&stream), ==, 1);
  stream_free (&stream);
}
#endif

/* --- With the analysis ------------------------------------------------------------------------------- */

enum
{
  N_FRAMES = 80,
};

/* Walkers in a frame: one passes a pole, two meet and part, one comes late. x is their left side; -1: not there. */
static void
script (gint i, gint x[4], gint y[4])
{
  x[0] = 40 + 3 * i;
  y[0] = 20;
  x[1] = i < 30 ? 200 + 2 * i : i < 50 ? 260 : 260 - 2 * (i - 50);
  x[2] = i < 30 ? 338 - 2 * i : i < 50 ? 278 : 278 + 2 * (i - 50);
  y[1] = y[2] = 100;
  x[3] = i < 40 ? -1 : 500 - 2 * (i - 40);
  y[3] = 200;
}

static void
fill_box (guint8 *pixels, gint x, gint y, gint width, gint height, guint8 value)
{
  for (gint row = y; row < y + height; row++)
    memset (pixels + row * WIDTH + x, value, (gsize) width);
}

static GstBuffer *
draw_frame (gint i)
{
  GstBuffer *buffer = gst_buffer_new_allocate (NULL, WIDTH * HEIGHT, NULL);
  GstMapInfo map;
  gint x[4], y[4];

  script (i, x, y);
  g_assert_true (gst_buffer_map (buffer, &map, GST_MAP_WRITE));
  memset (map.data, 0, map.size);
  for (guint k = 0; k < 4; k++)
    if (x[k] >= 0)
      fill_box (map.data, x[k], y[k], 24, 50, 255);
  fill_box (map.data, 150, 0, 8, 80, 0);
  gst_buffer_unmap (buffer, &map);
  GST_BUFFER_PTS (buffer) = (guint64) i * FRAME;
  return buffer;
}

static void
test_pipeline (void)
{
  GstHarness *harness = gst_harness_new_parse ("cca foreground=threshold ! ccatrack");
  guint64 ids[4] = { 0, 0, 0, 0 };

  gst_harness_set_src_caps (harness, caps_of_size (WIDTH, HEIGHT));
  for (gint i = 0; i < N_FRAMES; i++) {
    GstBuffer *buffer = test_pass (harness, draw_frame (i));
    const GstCcaTrackMeta *meta = gst_buffer_get_cca_track_meta (buffer);
    gint x[4], y[4];

    script (i, x, y);
    if (!meta)
      g_error ("frame %d has no tracks", i);
    g_assert_cmpuint (meta->n_tracks, ==, i < 2 ? 0 : i < 42 ? 3 : 4);
    for (guint k = 0; k < 4 && i >= 2; k++) {
      const GstCcaTrack *track = NULL;

      for (guint j = 0; j < meta->n_tracks; j++)
        if (ids[k] > 0 ? meta->tracks[j].track_id == ids[k]
                       : ABS ((gint) meta->tracks[j].x - x[k]) < 3 && ABS ((gint) meta->tracks[j].y - y[k]) < 3)
          track = &meta->tracks[j];
      if (x[k] < 0 || (k == 3 && i < 42))
        continue;
      if (!track)
        g_error ("frame %d: walker %u has no track", i, k);
      ids[k] = track->track_id;
      g_assert_cmpint (ABS ((gint) track->x - x[k]), <=, 12);
      g_assert_cmpint (ABS ((gint) track->y - y[k]), <=, 12);
    }
    gst_buffer_unref (buffer);
  }
  for (guint k = 0; k < 4; k++)
    for (guint j = 0; j < k; j++)
      g_assert_cmpuint (ids[k], !=, ids[j]);
  gst_harness_teardown (harness);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  gst_init (&argc, &argv);
  g_test_add_func ("/track/tracks", test_tracks);
  g_test_add_func ("/track/confirm-frames", test_confirm_frames);
  g_test_add_func ("/track/max-age", test_max_age);
  g_test_add_func ("/track/merged", test_merged);
  g_test_add_func ("/track/borders", test_borders);
  g_test_add_func ("/track/dropped-frames", test_dropped_frames);
  g_test_add_func ("/track/without-components", test_without_components);
  g_test_add_func ("/track/without-times", test_without_times);
  g_test_add_func ("/track/flush", test_flush);
  g_test_add_func ("/track/segments", test_segments);
  g_test_add_func ("/track/time-goes-back", test_time_goes_back);
  g_test_add_func ("/track/renegotiation", test_renegotiation);
  g_test_add_func ("/track/stats", test_stats);
  g_test_add_func ("/track/restart", test_restart);
  g_test_add_func ("/track/ids", test_ids);
  g_test_add_func ("/track/replaced", test_replaced);
  g_test_add_func ("/track/unknown-id", test_unknown_id);
  g_test_add_func ("/track/stale", test_stale);
  g_test_add_func ("/track/truncated", test_truncated);
  g_test_add_data_func ("/track/overlaps/known", GUINT_TO_POINTER (KNOWN), test_overlaps);
  g_test_add_data_func ("/track/overlaps/truncated", GUINT_TO_POINTER (TRUNCATED), test_overlaps);
  g_test_add_data_func ("/track/overlaps/discontinuous", GUINT_TO_POINTER (DISCONTINUOUS), test_overlaps);
  g_test_add_func ("/track/shared", test_shared);
  g_test_add_func ("/track/caps", test_caps_of_any);
  g_test_add_func ("/track/allocation", test_allocation);
  g_test_add_func ("/track/messages", test_messages);
  g_test_add_func ("/track/message-interval", test_message_interval);
  g_test_add_func ("/track/emit/nothing", test_emit_nothing);
  g_test_add_func ("/track/emit/analytics", test_analytics);
  g_test_add_func ("/track/pipeline", test_pipeline);
  return g_test_run ();
}
