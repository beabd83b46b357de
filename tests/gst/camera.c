/* gst-cca: ccacamera: buffers, messages, events, caps, flushes, and frames that do not come
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "element-test.h"
#include "gst/common/gstccacameraevent.h"
#include "tests/objects/camera-scene.h"

#include <gst/check/gsttestclock.h>

#define FRAME (GST_SECOND / 25)
#define WIDTH 320
#define HEIGHT 240

typedef struct
{
  GstHarness *harness;
  GstVideoInfo info;
  GstClockTime time;
  guint n;
  guint place;     /* that the camera looks at */
  GString *events; /* states and doubt, as told downstream */
} Stream;

static GstPadProbeReturn
on_downstream (GstPad *pad, GstPadProbeInfo *info, gpointer data)
{
  Stream *stream = data;
  GstEvent *event = GST_PAD_PROBE_INFO_EVENT (info);
  const gchar *state = gst_cca_camera_event_state (event);
  gboolean doubt = -1;

  gst_cca_camera_event_follow_doubt (event, &doubt);
  if (state || doubt != -1)
    g_string_append_printf (stream->events, "%s ", state ? state : doubt ? "doubt" : "no-doubt");
  return GST_PAD_PROBE_OK;
}

static Stream
stream_of (const gchar *launch, const gchar *format)
{
  return (Stream) {
    .harness = test_harness (launch, test_caps (format, WIDTH, HEIGHT, NULL)),
    .info = test_video_info (format, WIDTH, HEIGHT),
    .place = 1,
    .events = g_string_new (NULL),
  };
}

static void
watch_events (Stream *stream)
{
  g_autoptr (GstPad) pad = gst_element_get_static_pad (stream->harness->element, "src");

  gst_pad_add_probe (pad, GST_PAD_PROBE_TYPE_EVENT_DOWNSTREAM, on_downstream, stream, NULL);
}

static void
stream_free (Stream *stream)
{
  test_harness_free (stream->harness);
  g_string_free (stream->events, TRUE);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Stream, stream_free)

static GstBuffer *
next_frame (Stream *stream)
{
  GstBuffer *buffer = gst_buffer_new_allocate (NULL, GST_VIDEO_INFO_SIZE (&stream->info), NULL);
  guint8 luma[WIDTH * HEIGHT];

  scene_fill (luma, WIDTH, HEIGHT, 0, 0, stream->place, stream->n++);
  gst_buffer_memset (buffer, 0, 128, GST_VIDEO_INFO_SIZE (&stream->info));
  for (guint y = 0; y < HEIGHT; y++)
    gst_buffer_fill (buffer, (gsize) GST_VIDEO_INFO_PLANE_STRIDE (&stream->info, 0) * y, luma + WIDTH * y, WIDTH);
  GST_BUFFER_PTS (buffer) = stream->time;
  GST_BUFFER_DURATION (buffer) = FRAME;
  stream->time += FRAME;
  return buffer;
}

/* Each comes out as the buffer that went in. */
static void
pass_frames (Stream *stream, guint n)
{
  for (guint i = 0; i < n; i++) {
    GstBuffer *in = next_frame (stream), *out = test_pass (stream->harness, in);

    g_assert_true (out == in);
    gst_buffer_unref (out);
  }
}

static void
assert_state (Stream *stream, const gchar *nick)
{
  GstElement *element = stream->harness->element;
  GParamSpec *spec = g_object_class_find_property (G_OBJECT_GET_CLASS (element), "state");
  gint state;

  g_object_get (element, "state", &state, NULL);
  g_assert_cmpstr (g_enum_get_value (G_PARAM_SPEC_ENUM (spec)->enum_class, state)->value_nick, ==, nick);
}

/* Pops one message, of this state. Returns the time stamp in it. */
static GstClockTime
pop_state (Stream *stream, const gchar *state)
{
  g_autoptr (GstMessage) message = NULL;
  const GstStructure *structure = test_pop_structure (stream->harness, "cca-camera", &message);
  const GstClockTime time = test_get_uint64 (structure, "timestamp");

  g_assert_cmpstr (gst_structure_get_string (structure, "state"), ==, state);
  g_assert_cmpfloat (test_get_double (structure, "evidence"), >=, 0);
  test_assert_times (structure, time, time, time, FRAME);
  return time;
}

/* In every format buffers pass as they are; messages and events tell of changes, and only of changes, but for the event
 * before the first frame. */
static void
test_changes (void)
{
  static const gchar *const formats[] = { "GRAY8", "NV12", "NV21", "I420", "YV12", "Y42B", "Y444" };

  for (guint i = 0; i < G_N_ELEMENTS (formats); i++) {
    g_auto (Stream) stream = stream_of ("ccacamera", formats[i]);
    GstClockTime begin, told;

    watch_events (&stream);
    pass_frames (&stream, 1);
    g_assert_cmpstr (stream.events->str, ==, "well ");
    pass_frames (&stream, 299);
    assert_state (&stream, "well");
    test_assert_no_message (stream.harness, GST_MESSAGE_ELEMENT);
    stream.place = 2;
    begin = stream.time;
    pass_frames (&stream, 3);
    g_assert_cmpstr (stream.events->str, ==, "well doubt ");
    pass_frames (&stream, 297);
    told = pop_state (&stream, "moved");
    g_assert_cmpuint (told, >, begin + GST_SECOND);
    g_assert_cmpuint (told, <, begin + 2 * GST_SECOND);
    assert_state (&stream, "moved");
    test_assert_no_message (stream.harness, GST_MESSAGE_ELEMENT);
    g_assert_cmpstr (stream.events->str, ==, "well doubt moved no-doubt ");
    stream.place = 1;
    pass_frames (&stream, 300);
    pop_state (&stream, "well");
    g_assert_cmpstr (stream.events->str, ==, "well doubt moved no-doubt well ");
  }
}

/* Without messages, the element still sends events. */
static void
test_silent (void)
{
  g_auto (Stream) stream = stream_of ("ccacamera post-messages=false", "I420");

  watch_events (&stream);
  pass_frames (&stream, 300);
  stream.place = 2;
  pass_frames (&stream, 300);
  assert_state (&stream, "moved");
  test_assert_no_message (stream.harness, GST_MESSAGE_ELEMENT);
  g_assert_cmpstr (stream.events->str, ==, "well doubt moved no-doubt ");
}

/* A view and its trouble outlast flushes, new segments and time that goes back; so does the time that trouble lasts. */
static void
test_timelines (void)
{
  g_auto (Stream) stream = stream_of ("ccacamera", "GRAY8");

  pass_frames (&stream, 300);
  test_push_flush (stream.harness);
  stream.time = 0;
  pass_frames (&stream, 5);
  stream.place = 2;
  pass_frames (&stream, 20);
  test_push_flush (stream.harness);
  stream.time = 0;
  pass_frames (&stream, 20);
  pop_state (&stream, "moved");
  test_push_flush (stream.harness);
  stream.time = 0;
  pass_frames (&stream, 300);
  assert_state (&stream, "moved");
  test_assert_no_message (stream.harness, GST_MESSAGE_ELEMENT);
}

/* Another size is another view, which is learned before it is judged; another frame rate is not. */
static void
test_caps_changes (void)
{
  g_auto (Stream) stream = stream_of ("ccacamera", "GRAY8");
  GstHarness *harness = stream.harness;
  guint8 luma[160 * 120];

  pass_frames (&stream, 300);
  gst_harness_set_src_caps (harness, gst_caps_from_string ("video/x-raw,format=GRAY8,width=320,height=240,"
                                                           "framerate=50/1"));
  stream.place = 2;
  pass_frames (&stream, 50);
  pop_state (&stream, "moved");
  for (guint i = 0; i < 80; i++) {
    GstBuffer *buffer;

    if (i == 0)
      gst_harness_set_src_caps (harness, test_caps ("GRAY8", 160, 120, NULL));
    scene_fill (luma, 160, 120, 0, 0, 3, i);
    buffer = gst_buffer_new_memdup (luma, sizeof luma);
    GST_BUFFER_PTS (buffer) = stream.time;
    stream.time += FRAME;
    gst_buffer_unref (test_pass (harness, buffer));
  }
  assert_state (&stream, "well");
}

/* A buffer that is too small passes, with one warning that names the fault. */
static void
test_bad_buffer (void)
{
  g_auto (Stream) stream = stream_of ("ccacamera", "I420");

  pass_frames (&stream, 10);
  for (guint i = 0; i < 20; i++) {
    GstBuffer *buffer = gst_buffer_new_allocate (NULL, 1000, NULL);

    gst_buffer_memset (buffer, 0, 0, 1000);
    GST_BUFFER_PTS (buffer) = stream.time;
    stream.time += FRAME;
    gst_buffer_unref (test_pass (stream.harness, buffer));
  }
  test_assert_warning (stream.harness, "Cannot read a buffer of 1000 bytes as a I420 frame of 320x240 pixels*115200*");
  pass_frames (&stream, 50);
  assert_state (&stream, "well");
}

/* Frames of which nothing is known pass, and buffers that are gaps show nothing. */
static void
test_gaps (void)
{
  g_auto (Stream) stream = stream_of ("ccacamera", "GRAY8");

  pass_frames (&stream, 300);
  stream.place = 2;
  for (guint i = 0; i < 100; i++) {
    GstBuffer *buffer = next_frame (&stream);

    GST_BUFFER_FLAG_SET (buffer, GST_BUFFER_FLAG_GAP);
    gst_buffer_unref (test_pass (stream.harness, buffer));
  }
  assert_state (&stream, "well");
  for (guint i = 0; i < 100; i++) {
    GstBuffer *buffer = next_frame (&stream);

    GST_BUFFER_PTS (buffer) = GST_CLOCK_TIME_NONE;
    GST_BUFFER_DURATION (buffer) = GST_CLOCK_TIME_NONE;
    gst_buffer_unref (test_pass (stream.harness, buffer));
  }
  assert_state (&stream, "moved");
}

/* Lets a test clock's time pass. */
static void
pass_time (GstTestClock *clock, GstClockTime time)
{
  const GstClockTime end = gst_clock_get_time (GST_CLOCK (clock)) + time;

  while (gst_test_clock_get_next_entry_time (clock) <= end)
    gst_test_clock_crank (clock);
  gst_test_clock_set_time (clock, end);
}

/* While playing, the camera is lost when no frame has come for two seconds; not before the first, not in a pause, and
 * not after the end. */
static void
test_lost (void)
{
  g_auto (Stream) stream = stream_of ("ccacamera", "GRAY8");
  GstTestClock *clock;

  watch_events (&stream);
  gst_harness_use_testclock (stream.harness);
  clock = gst_harness_get_testclock (stream.harness);
  gst_element_set_state (stream.harness->element, GST_STATE_PAUSED);
  gst_element_set_state (stream.harness->element, GST_STATE_PLAYING);
  pass_time (clock, 10 * GST_SECOND);
  assert_state (&stream, "well");
  pass_frames (&stream, 300);
  pass_time (clock, 1900 * GST_MSECOND);
  assert_state (&stream, "well");
  pass_time (clock, 400 * GST_MSECOND);
  assert_state (&stream, "lost");
  g_assert_cmpuint (pop_state (&stream, "lost"), ==, 299 * FRAME);
  pass_time (clock, 10 * GST_SECOND);
  test_assert_no_message (stream.harness, GST_MESSAGE_ELEMENT);
  g_assert_cmpstr (stream.events->str, ==, "well ");
  pass_frames (&stream, 1);
  g_assert_cmpstr (stream.events->str, ==, "well lost ");
  pass_frames (&stream, 80);
  pop_state (&stream, "well");

  gst_element_set_state (stream.harness->element, GST_STATE_PAUSED);
  g_assert_cmpuint (gst_test_clock_peek_id_count (clock), ==, 0);
  gst_test_clock_advance_time (clock, 10 * GST_SECOND);
  gst_element_set_state (stream.harness->element, GST_STATE_PLAYING);
  pass_time (clock, GST_SECOND);
  assert_state (&stream, "well");
  g_object_set (stream.harness->element, "lost-time", G_GUINT64_CONSTANT (0), NULL);
  pass_time (clock, 10 * GST_SECOND);
  assert_state (&stream, "well");
  g_object_set (stream.harness->element, "lost-time", GST_SECOND, NULL);
  gst_harness_push_event (stream.harness, gst_event_new_eos ());
  pass_time (clock, 10 * GST_SECOND);
  assert_state (&stream, "well");
  gst_object_unref (clock);
}

/* A stop forgets the view and the state; elements downstream are told. */
static void
test_restart (void)
{
  g_auto (Stream) stream = stream_of ("ccacamera", "GRAY8");

  watch_events (&stream);
  pass_frames (&stream, 300);
  stream.place = 2;
  pass_frames (&stream, 50);
  assert_state (&stream, "moved");
  gst_element_set_state (stream.harness->element, GST_STATE_READY);
  gst_element_set_state (stream.harness->element, GST_STATE_PLAYING);
  assert_state (&stream, "well");
  gst_harness_push_event (stream.harness, gst_event_new_stream_start ("again"));
  gst_harness_set_src_caps (stream.harness, test_caps ("GRAY8", WIDTH, HEIGHT, NULL));
  pass_frames (&stream, 1);
  g_assert_cmpstr (stream.events->str, ==, "well doubt moved no-doubt well ");
}

/* Caps that it cannot look at are refused. */
static void
test_refused_caps (void)
{
  g_autoptr (GstElement) element = gst_element_factory_make ("ccacamera", NULL);
  g_autoptr (GstPad) pad = gst_element_get_static_pad (element, "sink");
  static const gchar *const refused[] = { "video/x-raw,format=RGB", "video/x-raw(memory:CUDAMemory),format=NV12",
                                          "video/x-h264" };

  for (guint i = 0; i < G_N_ELEMENTS (refused); i++) {
    g_autoptr (GstCaps) caps = gst_caps_from_string (refused[i]);

    g_assert_false (gst_pad_query_accept_caps (pad, caps));
  }
}

GST_TESTS_MAIN ("/camera", test_changes, test_silent, test_timelines, test_caps_changes, test_bad_buffer, test_gaps,
                test_lost, test_restart, test_refused_caps)
