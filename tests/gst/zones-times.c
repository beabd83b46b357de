/* gst-cca: ccazones: time stamps that are wrong
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "zones-test.h"

#define FRAME (40 * GST_MSECOND)
#define HOUR (3600 * GST_SECOND)
#define YEAR (365 * 24 * HOUR)

/* A stream of frames, and its messages. */
typedef struct
{
  GstHarness *harness;
  GstClockTime time; /* of the next frame */
  guint n[GST_CCA_EVENT_MOTION_OFF + 1];
} Stream;

static void
show (Stream *stream, GstBuffer *buffer)
{
  const GstCcaEventMeta *meta;

  buffer = test_pass (stream->harness, buffer);
  meta = gst_buffer_get_cca_event_meta (buffer);
  for (guint i = 0; i < meta->n_events; i++)
    stream->n[meta->events[i].type]++;
  gst_buffer_unref (buffer);
  stream->time += FRAME;
}

static void
show_track (Stream *stream, guint64 id, guint x, guint y)
{
  const GstCcaTrack track = track_at (id, x, y);

  show (stream, frame_with_tracks ("cca0", WIDTH, HEIGHT, stream->time, &track, 1));
}

static void
show_nothing (Stream *stream, guint n_frames)
{
  for (guint i = 0; i < n_frames; i++)
    show (stream, frame_with_tracks ("cca0", WIDTH, HEIGHT, stream->time, NULL, 0));
}

/* A visit of 1.6 s to the zone, and then 1.6 s without anybody. */
static void
visit (Stream *stream, guint64 id)
{
  for (guint i = 0; i < 40; i++)
    show_track (stream, id, 150, 100);
  show_nothing (stream, 40);
}

#define WATCHED "{\"zones\": [" ZONE ", \"dwell\": 1, \"motion\": {\"on\": 0.5, \"off\": 1}}], \"lines\": [" LINE "]}"

static Stream
stream_new (void)
{
  return (Stream) { .harness = harness_with (WATCHED, ""), .time = 2 * HOUR };
}

static void
assert_visits (const Stream *stream, guint n)
{
  g_assert_cmpuint (stream->n[GST_CCA_EVENT_ENTER], ==, n);
  g_assert_cmpuint (stream->n[GST_CCA_EVENT_LEAVE], ==, n);
  g_assert_cmpuint (stream->n[GST_CCA_EVENT_DWELL], ==, n);
  g_assert_cmpuint (stream->n[GST_CCA_EVENT_MOTION_ON], ==, n);
  g_assert_cmpuint (stream->n[GST_CCA_EVENT_MOTION_OFF], ==, n);
}

static void
finish (Stream *stream, guint n_visits)
{
  assert_visits (stream, n_visits);
  test_assert_warning (stream->harness, "Time stamps are irregular: running time jumped from * to * [rules count*]");
  test_harness_free (stream->harness);
}

/* Frames without any time count as 30 a second, with one warning. */
static void
test_untimed (void)
{
  GstCaps *caps = gst_caps_from_string ("video/x-raw,format=GRAY8,width=320,height=200");
  g_autoptr (GstHarness) harness = harness_of_caps ("{\"zones\": [" ZONE ", \"dwell\": 1}]}", "", caps);
  const GstCcaTrack track = track_at (1, 150, 100);

  for (guint i = 0; i < 40; i++) {
    g_autoptr (GstBuffer) buffer = frame_with_tracks ("cca0", WIDTH, HEIGHT, 0, &track, 1);

    GST_BUFFER_PTS (buffer) = GST_BUFFER_DURATION (buffer) = GST_CLOCK_TIME_NONE;
    buffer = test_pass (harness, buffer);
    g_assert_cmpuint (gst_buffer_get_cca_event_meta (buffer)->n_events, ==, i == 0 || i == 31);
  }
  test_assert_warning (harness, "Frames have no time stamps and the caps no frame rate: *");
}

/* The time stamps go back by an hour while a person is inside. */
static void
test_back (void)
{
  Stream stream = stream_new ();

  visit (&stream, 1);
  show_track (&stream, 2, 150, 100);
  stream.time -= HOUR;
  for (guint i = 2; i <= 11; i++)
    visit (&stream, i);
  finish (&stream, 11);
}

/* One frame's stamp is wrong, in the middle of a visit. */
static void
test_one (gconstpointer data)
{
  const gboolean ahead = GPOINTER_TO_INT (data);
  Stream stream = stream_new ();

  for (guint i = 1; i <= 11; i++) {
    const GstClockTime time = stream.time;

    show_track (&stream, i, 150, 100);
    if (i % 3 == 2) {
      stream.time = ahead ? time + YEAR : time - HOUR;
      show_track (&stream, i, 150, 100);
      /* Nothing is told for it. */
      g_assert_cmpuint (stream.n[GST_CCA_EVENT_DWELL], ==, i - 1);
      g_assert_cmpuint (stream.n[GST_CCA_EVENT_MOTION_ON], ==, i - 1);
    }
    stream.time = time + 2 * FRAME;
    visit (&stream, i);
  }
  finish (&stream, 11);
}

/* The wrong stamp is that of a scene that changes: it ends, nevertheless. */
static void
test_new_size (void)
{
  Stream stream = stream_new ();
  const GstClockTime time = stream.time;

  show_track (&stream, 1, 150, 160);
  stream.time = time + YEAR;
  show (&stream, frame_with_tracks ("cca0", 2 * WIDTH, 2 * HEIGHT, stream.time, NULL, 0));
  stream.time = time + 2 * FRAME;
  show_nothing (&stream, 50);
  visit (&stream, 2);
  show_track (&stream, 3, 150, 160);
  show_track (&stream, 3, 150, 190);
  g_assert_cmpuint (stream.n[GST_CCA_EVENT_CROSS], ==, 1);
  finish (&stream, 1);
}

/* Frames that come in another order, and pauses, are usual. */
static void
test_usual (void)
{
  Stream stream = stream_new ();

  for (guint i = 1; i <= 3; i++) {
    visit (&stream, i);
    stream.time -= 3 * FRAME;
    show_nothing (&stream, 3);
    stream.time += HOUR;
    show_nothing (&stream, 3);
  }
  assert_visits (&stream, 3);
  test_assert_no_message (stream.harness, GST_MESSAGE_WARNING);
  test_harness_free (stream.harness);
}

GST_CASES_MAIN ()
{
  ADD_TESTS ("/zones-times", test_untimed, test_back, test_new_size, test_usual);
  g_test_add_data_func ("/zones-times/one-ahead", GINT_TO_POINTER (TRUE), test_one);
  g_test_add_data_func ("/zones-times/one-back", GINT_TO_POINTER (FALSE), test_one);
}
