/* gst-cca: ccacombiner: time stamps that are wrong
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "combiner-test.h"

#define YEAR (365 * 86400 * GST_SECOND)

/* Frames of both streams, each with its own. */
static void
push_both (Streams *streams, guint first, guint n)
{
  for (guint i = first; i < first + n; i++) {
    push_full (streams, i);
    push_meta (streams, i);
    assert_frame (streams, i, i);
  }
}

/* The next frame still waits for its analysed one. */
static void
assert_goes_on (Streams *streams, guint number)
{
  push_full (streams, number);
  assert_waits (streams);
  push_meta (streams, number);
  assert_frame (streams, number, number);
  push_both (streams, number + 1, 5);
  test_assert_no_message (streams->full, GST_MESSAGE_WARNING);
}

/* One stamp is wrong, in both streams or in one; the other stream does not wait for it. */
static void
test_one (gconstpointer data)
{
  const guint which = GPOINTER_TO_UINT (data);
  const GstClockTime wrong = which & 4 ? 0 : YEAR;
  g_auto (Streams) streams = small_streams ("");

  push_both (&streams, 100, 5);
  if (which & 1)
    push_full_at (&streams, wrong);
  if (which & 2)
    push_meta_at (&streams, 7, wrong, FRAME);
  if (which & 1)
    assert_frame_at (&streams, wrong, NOTHING);
  assert_goes_on (&streams, 106);
}

/* A frame that says that it lasts a year, and a gap that is to come in a year, do not keep others away. */
static void
test_duration (void)
{
  g_auto (Streams) streams = small_streams ("");

  push_both (&streams, 0, 5);
  push_full (&streams, 5);
  push_meta_at (&streams, 5, 5 * FRAME, YEAR);
  assert_frame (&streams, 5, 5);
  g_assert_true (gst_harness_push_event (streams.meta, gst_event_new_gap (YEAR, FRAME)));
  for (guint i = 6; i < 300; i++) {
    push_meta (&streams, i);
    push_full (&streams, i);
    assert_frame (&streams, i, i);
  }
  assert_goes_on (&streams, 300);
}

/* Both go on a minute before. */
static void
test_back (void)
{
  g_auto (Streams) streams = small_streams ("");

  push_both (&streams, 2000, 5);
  for (guint i = 500; i < 502; i++) {
    push_full (&streams, i);
    push_meta (&streams, i);
    gst_buffer_unref (gst_harness_pull (streams.full));
  }
  assert_goes_on (&streams, 502);
}

/* The analysed branch goes back first: frames from before do not wait for it. */
static void
test_back_apart (void)
{
  g_auto (Streams) streams = small_streams ("");

  push_both (&streams, 2000, 5);
  for (guint i = 500; i < 503; i++)
    push_meta (&streams, i);
  push_full (&streams, 2005);
  assert_frame (&streams, 2005, NOTHING);
  push_full (&streams, 500);
  push_full (&streams, 501);
  assert_frame (&streams, 500, NOTHING);
  gst_buffer_unref (gst_harness_pull (streams.full));
  push_full (&streams, 502);
  assert_frame (&streams, 502, 502);
  assert_goes_on (&streams, 503);
}

/* After a pause. */
static void
test_gap (void)
{
  g_auto (Streams) streams = small_streams ("");

  push_both (&streams, 0, 5);
  for (guint i = 10000; i < 10002; i++) {
    push_full (&streams, i);
    push_meta (&streams, i);
    gst_buffer_unref (gst_harness_pull (streams.full));
  }
  assert_goes_on (&streams, 10002);
}

GST_CASES_MAIN ()
{
  static const gchar *const names[] = { "full", "meta", "both" };

  for (guint i = 0; i < G_N_ELEMENTS (names); i++) {
    g_autofree gchar *ahead = g_strdup_printf ("/combiner-times/one-ahead/%s", names[i]);
    g_autofree gchar *back = g_strdup_printf ("/combiner-times/one-back/%s", names[i]);

    g_test_add_data_func (ahead, GUINT_TO_POINTER (i + 1), test_one);
    g_test_add_data_func (back, GUINT_TO_POINTER ((i + 1) | 4), test_one);
  }
  ADD_TESTS ("/combiner-times", test_duration, test_back, test_back_apart, test_gap);
}
