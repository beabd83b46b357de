/* gst-cca: ccaoverlay, which analyses it draws, and where behind elements that change the frame
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "overlay-test.h"

/* --- Several analyses -------------------------------------------------------------------------------- */

/* A frame that "left" and "right" have analysed, each with a component of its own. */
static GstBuffer *
frame_of_two (void)
{
  const GstVideoInfo info = test_video_info ("I420", WIDTH, HEIGHT);
  GstBuffer *buffer = test_frame (&info, 1);

  gst_buffer_add_cca_meta (buffer, "left", WIDTH, HEIGHT, 1, &box, 1);
  gst_buffer_add_cca_meta (buffer, "right", WIDTH, HEIGHT, 1, &other, 1);
  return buffer;
}

static void
test_source (void)
{
  const GstCcaComponent components[] = { box, other };
  g_autoptr (GstBuffer) left = draw (NO_COUNT, "I420", WIDTH, HEIGHT, frame_with ("I420", WIDTH, HEIGHT, &box, 1));
  g_autoptr (GstBuffer) right = draw (NO_COUNT, "I420", WIDTH, HEIGHT, frame_with ("I420", WIDTH, HEIGHT, &other, 1));
  g_autoptr (GstBuffer) both =
      draw (NO_COUNT, "I420", WIDTH, HEIGHT, frame_with ("I420", WIDTH, HEIGHT, components, 2));
  const struct
  {
    const gchar *source;
    GstBuffer *expected;
  } changes[] = { { NULL, both }, { "left", left }, { "right", right }, { "left", left }, { NULL, both } };
  g_autoptr (GstHarness) harness = test_harness (NO_COUNT, test_caps ("I420", WIDTH, HEIGHT, NULL));

  g_assert_false (same_bytes (left, right));
  for (guint i = 0; i < G_N_ELEMENTS (changes); i++) {
    gchar *source;
    g_autoptr (GstBuffer) drawn = NULL;

    g_object_set (harness->element, "source", changes[i].source, NULL);
    g_object_get (harness->element, "source", &source, NULL);
    g_assert_cmpstr (source, ==, changes[i].source);
    g_free (source);
    drawn = gst_harness_push_and_pull (harness, frame_of_two ());
    g_assert_true (same_bytes (drawn, changes[i].expected));
  }
  test_assert_no_message (harness, GST_MESSAGE_ERROR | GST_MESSAGE_WARNING);
}

/* Counts of several analyses stand below each other; a chosen one is drawn like a single one. */
static void
test_counts (void)
{
  g_autoptr (GstBuffer) plain = frame_with ("I420", WIDTH, HEIGHT, NULL, 0);
  g_autoptr (GstBuffer) one = draw (ONLY_COUNT, "I420", WIDTH, HEIGHT, frame_with ("I420", WIDTH, HEIGHT, &box, 1));
  g_autoptr (GstBuffer) chosen = draw (ONLY_COUNT "source=right", "I420", WIDTH, HEIGHT, frame_of_two ());
  g_autoptr (GstBuffer) both = draw (ONLY_COUNT, "I420", WIDTH, HEIGHT, frame_of_two ());
  const GstVideoRectangle one_at = difference_of ("I420", WIDTH, HEIGHT, one, plain);
  const GstVideoRectangle both_at = difference_of ("I420", WIDTH, HEIGHT, both, plain);

  g_assert_true (same_bytes (one, chosen));
  g_assert_cmpint (both_at.h, >, one_at.h + one_at.h / 2);
  g_assert_cmpint (both_at.w, >, one_at.w);
}

/* An unknown `source` is one warning with the names of the frame's analyses; frames without any give no warning. */
static void
test_source_missing (void)
{
  const GstVideoInfo info = test_video_info ("I420", WIDTH, HEIGHT);
  g_autoptr (GstHarness) harness = test_harness ("ccaoverlay source=middle", test_caps ("I420", WIDTH, HEIGHT, NULL));
  g_autoptr (GstBuffer) plain = frame_of_two ();

  gst_buffer_unref (gst_harness_push_and_pull (harness, test_frame (&info, 1)));
  test_assert_no_message (harness, GST_MESSAGE_ERROR | GST_MESSAGE_WARNING);
  for (guint i = 0; i < 3; i++) {
    GstBuffer *drawn = gst_harness_push_and_pull (harness, frame_of_two ());

    g_assert_true (same_bytes (drawn, plain));
    gst_buffer_unref (drawn);
    if (i == 0)
      test_assert_warning (harness, "*'middle'*'left', 'right'*");
    test_assert_no_message (harness, GST_MESSAGE_ERROR | GST_MESSAGE_WARNING);
  }
}

/* --- Behind elements that change the frame ----------------------------------------------------------- */

typedef struct
{
  const gchar *launch;
  guint width, height;  /* of the frames that come out */
  GstCcaComponent seen; /* where they show the component box */
  gboolean known_later; /* GStreamer before 1.28 does not tell how the frame changed */
} Chain;

/* Widths are multiples of 4, as bytes behind rows are not written. */
static const Chain chains[] = {
  { "identity", 160, 120, { .x = 40, .y = 50, .width = 30, .height = 20 }, FALSE },
  { "videoscale ! capsfilter caps=video/x-raw,width=80,height=60",
    80,
    60,
    { .x = 20, .y = 25, .width = 15, .height = 10 },
    FALSE },
  { "videoscale ! capsfilter caps=video/x-raw,width=320,height=240 ! queue",
    320,
    240,
    { .x = 80, .y = 100, .width = 60, .height = 40 },
    FALSE },
  /* Not in proportion, which videoscale allows where the shape of pixels may change. */
  { "videoscale ! capsfilter caps=video/x-raw,width=80,height=180",
    80,
    180,
    { .x = 20, .y = 75, .width = 15, .height = 30 },
    FALSE },
  /* With borders of 40 rows. */
  { "videoscale ! capsfilter caps=video/x-raw,width=160,height=200,pixel-aspect-ratio=1/1",
    160,
    200,
    { .x = 40, .y = 90, .width = 30, .height = 20 },
    TRUE },
  { "videocrop left=10 right=2 top=4 bottom=6", 148, 110, { .x = 30, .y = 46, .width = 30, .height = 20 }, TRUE },
  /* In proportion. */
  { "videocrop left=40 top=30", 120, 90, { .x = 0, .y = 20, .width = 30, .height = 20 }, TRUE },
  { "videobox left=-12 top=-4", 172, 124, { .x = 52, .y = 54, .width = 30, .height = 20 }, TRUE },
  { "videoflip video-direction=horiz", 160, 120, { .x = 90, .y = 50, .width = 30, .height = 20 }, TRUE },
  { "videoflip video-direction=90r", 120, 160, { .x = 50, .y = 40, .width = 20, .height = 30 }, TRUE },
  { "videoflip video-direction=horiz ! videoscale ! capsfilter caps=video/x-raw,width=80,height=60",
    80,
    60,
    { .x = 45, .y = 25, .width = 15, .height = 10 },
    TRUE },
};

/* Returns a frame with the component `box` after a chain of elements. */
static GstBuffer *
pass (GstHarness *harness)
{
  return gst_harness_push_and_pull (harness, frame_with ("Y444", WIDTH, HEIGHT, &box, 1));
}

static GstHarness *
chain_harness (const gchar *launch)
{
  GstHarness *harness = gst_harness_new_parse (launch);
  GstBus *bus = gst_bus_new ();

  gst_element_set_bus (harness->element, bus);
  gst_object_unref (bus);
  gst_harness_set_src_caps (harness, test_caps ("Y444", WIDTH, HEIGHT, "pixel-aspect-ratio=(fraction)1/1"));
  return harness;
}

/* Boxes are drawn around the pixels of their components. If their place is unknown, nothing is drawn, with one
 * warning. */
static void
test_behind (gconstpointer data)
{
  const Chain *chain = data;
  const gboolean followed = !chain->known_later || GST_CHECK_VERSION (1, 28, 0);
  g_autofree gchar *launch = g_strconcat (chain->launch, " ! ", ONLY_BOXES, NULL);
  g_autoptr (GstHarness) undrawn = chain_harness (chain->launch), harness = chain_harness (launch);
  g_autoptr (GstBuffer) plain = pass (undrawn), expected = gst_buffer_copy_deep (plain);

  while (gst_buffer_get_cca_meta (expected) != NULL)
    gst_buffer_remove_meta (expected, &gst_buffer_get_cca_meta (expected)->meta);
  if (followed)
    expected = draw (ONLY_BOXES, "Y444", chain->width, chain->height,
                     add_components (expected, chain->width, chain->height, &chain->seen, 1));

  for (guint i = 0; i < 3; i++) {
    GstBuffer *drawn = pass (harness);

    g_assert_true (same_bytes (drawn, expected));
    gst_buffer_unref (drawn);
    if (i == 0 && !followed)
      test_assert_warning (harness, "*not drawn*160x120*");
    test_assert_no_message (harness, GST_MESSAGE_ERROR | GST_MESSAGE_WARNING);
  }
  g_assert_cmpint (same_bytes (plain, expected), ==, !followed);
}

/* A restarted element warns again. */
static void
test_warns_again (void)
{
  const GstVideoInfo info = test_video_info ("I420", WIDTH, HEIGHT);
  g_autoptr (GstHarness) harness = test_harness ("ccaoverlay", test_caps ("I420", WIDTH, HEIGHT, NULL));

  for (guint i = 0; i < 2; i++) {
    gst_buffer_unref (
        gst_harness_push_and_pull (harness, add_components (test_frame (&info, 1), WIDTH, HEIGHT / 2, &box, 1)));
    test_assert_warning (harness, "*not drawn*160x60*160x120*");
    test_assert_no_message (harness, GST_MESSAGE_ERROR | GST_MESSAGE_WARNING);
    g_assert_cmpint (gst_element_set_state (harness->element, GST_STATE_READY), ==, GST_STATE_CHANGE_SUCCESS);
    gst_harness_play (harness);
    gst_harness_set_src_caps (harness, test_caps ("I420", WIDTH, HEIGHT, NULL));
  }
}

GST_CASES_MAIN ()
{
  ADD_TESTS ("/overlay-meta", test_source, test_counts, test_source_missing, test_warns_again);
  for (guint i = 0; i < G_N_ELEMENTS (chains); i++) {
    g_autofree gchar *path = g_strdup_printf ("/overlay-meta/behind/%u", i);

    g_test_add_data_func (path, &chains[i], test_behind);
  }
}
