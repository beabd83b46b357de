/* gst-cca: ccaoverlay in the course of a stream, and whether it blends or attaches
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "overlay-test.h"

#define COMPOSITION GST_CAPS_FEATURE_META_GST_VIDEO_OVERLAY_COMPOSITION

/* --- In the course of a stream ----------------------------------------------------------------------- */

/* A drawing does not depend on earlier drawings. */
static void
test_no_stale_drawing (void)
{
  g_autoptr (GstHarness) harness = test_harness ("ccaoverlay", test_caps ("I420", WIDTH, HEIGHT, NULL));
  g_autoptr (GstBuffer) fresh =
      draw ("ccaoverlay", "I420", WIDTH, HEIGHT, frame_with ("I420", WIDTH, HEIGHT, &other, 1));
  g_autoptr (GstBuffer) plain = frame_with ("I420", WIDTH, HEIGHT, NULL, 0);
  GstBuffer *drawn;
  const GstVideoInfo info = test_video_info ("I420", WIDTH, HEIGHT);

  for (guint i = 0; i < 3; i++) {
    gst_buffer_unref (gst_harness_push_and_pull (harness, frame_with ("I420", WIDTH, HEIGHT, &box, 1)));
    drawn = gst_harness_push_and_pull (harness, frame_with ("I420", WIDTH, HEIGHT, &other, 1));
    g_assert_true (same_bytes (drawn, fresh));
    gst_buffer_unref (drawn);
    drawn = gst_harness_push_and_pull (harness, test_frame (&info, 1));
    g_assert_true (same_bytes (drawn, plain));
    gst_buffer_unref (drawn);
  }
}

static void
test_renegotiation (void)
{
  static const guint sizes[][2] = { { 64, 48 }, { 333, 21 }, { 5, 200 }, { 64, 48 } };
  g_autoptr (GstHarness) harness = test_harness ("ccaoverlay", NULL);

  for (guint i = 0; i < G_N_ELEMENTS (sizes); i++) {
    const guint width = sizes[i][0], height = sizes[i][1];
    const gchar *format = i % 2 == 0 ? "I420" : "RGB";
    const GstCcaComponent component = { .label = 3, .x = 1, .y = 2, .width = 3, .height = 12 };
    g_autoptr (GstBuffer) fresh =
        draw ("ccaoverlay", format, width, height, frame_with (format, width, height, &component, 1));
    g_autoptr (GstBuffer) drawn = NULL;

    gst_harness_set_src_caps (harness, test_caps (format, width, height, NULL));
    drawn = gst_harness_push_and_pull (harness, frame_with (format, width, height, &component, 1));
    g_assert_true (same_bytes (drawn, fresh));
  }
}

static void
test_properties (void)
{
  g_autoptr (GstElement) element = gst_element_factory_make ("ccaoverlay", NULL);
  gboolean boxes, centroids, labels, area, count;
  guint line_width, max_drawn, color;
  gint color_by;
  gchar *font = NULL;

  gst_object_ref_sink (element);
  g_object_get (element, "show-boxes", &boxes, "show-centroids", &centroids, "show-labels", &labels, "show-area", &area,
                "show-count", &count, "line-width", &line_width, "max-drawn", &max_drawn, "font-desc", &font,
                "color-by", &color_by, "color", &color, NULL);
  g_assert_cmpint (color_by, ==, 0);
  g_assert_cmphex (color, ==, 0xffffc400);
  g_assert_true (boxes && centroids && labels && count);
  g_assert_false (area);
  g_assert_cmpuint (line_width, ==, 0);
  g_assert_cmpuint (max_drawn, ==, 0);
  g_assert_cmpstr (font, ==, "Sans Bold");
  g_free (font);

  g_object_set (element, "font-desc", "Monospace 20", "max-drawn", 7, "line-width", 64, "show-area", TRUE, NULL);
  g_object_get (element, "show-area", &area, "line-width", &line_width, "max-drawn", &max_drawn, "font-desc", &font,
                NULL);
  g_assert_true (area);
  g_assert_cmpuint (line_width, ==, 64);
  g_assert_cmpuint (max_drawn, ==, 7);
  g_assert_cmpstr (font, ==, "Monospace 20");
  g_free (font);
}

/* Every property takes effect with the next frame. */
static void
test_properties_while_playing (void)
{
  static const struct
  {
    const gchar *property, *value;
  } changes[] = {
    { "show-boxes", "true" },  { "show-centroids", "true" },  { "show-labels", "true" },
    { "show-area", "true" },   { "show-count", "true" },      { "line-width", "5" },
    { "color", "0xff0000ff" }, { "color-by", "label" },       { "color", "0x80000000" },
    { "max-drawn", "1" },      { "font-desc", "Serif 14" },   { "font-desc", "Serif Bold 22" },
    { "show-area", "false" },  { "show-labels", "false" },    { "show-boxes", "false" },
    { "show-count", "false" }, { "show-centroids", "false" },
  };
  const GstCcaComponent components[] = { box, other };
  g_autoptr (GstHarness) harness = test_harness (NOTHING, test_caps ("I420", WIDTH, HEIGHT, NULL));
  g_autoptr (GstBuffer) plain = frame_with ("I420", WIDTH, HEIGHT, NULL, 0);
  GstBuffer *last = gst_buffer_ref (plain);

  for (guint i = 0; i < G_N_ELEMENTS (changes); i++) {
    GstBuffer *drawn;

    gst_util_set_object_arg (G_OBJECT (harness->element), changes[i].property, changes[i].value);
    drawn = gst_harness_push_and_pull (harness, frame_with ("I420", WIDTH, HEIGHT, components, 2));
    g_assert_false (same_bytes (drawn, last));
    gst_buffer_unref (last);
    last = drawn;
  }
  g_assert_true (same_bytes (last, plain));
  gst_buffer_unref (last);
}

static void
test_max_drawn (void)
{
  const GstCcaComponent components[] = { box, other };
  g_autoptr (GstBuffer) one = draw (ONLY_BOXES, "I420", WIDTH, HEIGHT, frame_with ("I420", WIDTH, HEIGHT, &box, 1));
  g_autoptr (GstBuffer) first =
      draw (ONLY_BOXES "max-drawn=1", "I420", WIDTH, HEIGHT, frame_with ("I420", WIDTH, HEIGHT, components, 2));
  g_autoptr (GstBuffer) both =
      draw (ONLY_BOXES "max-drawn=2", "I420", WIDTH, HEIGHT, frame_with ("I420", WIDTH, HEIGHT, components, 2));

  g_assert_true (same_bytes (one, first));
  g_assert_false (same_bytes (one, both));
}

/* --- Attached or blended ----------------------------------------------------------------------------- */

/* A harness whose downstream composes overlays. */
static GstHarness *
composing_harness (GstCaps *caps)
{
  GstHarness *harness = test_harness ("ccaoverlay", NULL);

  gst_harness_add_propose_allocation_meta (harness, GST_VIDEO_OVERLAY_COMPOSITION_META_API_TYPE, NULL);
  gst_harness_set_src_caps (harness, caps);
  return harness;
}

static gboolean
has_composition_feature (GstHarness *harness)
{
  g_autoptr (GstCaps) caps = gst_pad_get_current_caps (harness->sinkpad);
  const gboolean has = gst_caps_features_contains (gst_caps_get_features (caps, 0), COMPOSITION);

  return has;
}

/* An attached drawing leaves the pixels alone, and equals the blended one. */
static void
test_attach (gconstpointer format)
{
  const GstCcaComponent components[] = { box, other };
  g_autoptr (GstHarness) harness = composing_harness (test_caps (format, WIDTH, HEIGHT, NULL));
  g_autoptr (GstBuffer) plain = frame_with (format, WIDTH, HEIGHT, components, 2);
  g_autoptr (GstBuffer) blended =
      draw ("ccaoverlay", format, WIDTH, HEIGHT, frame_with (format, WIDTH, HEIGHT, components, 2));
  GstVideoInfo info = test_video_info (format, WIDTH, HEIGHT);

  for (guint i = 0; i < 3; i++) {
    g_autoptr (GstBuffer) attached =
        gst_harness_push_and_pull (harness, frame_with (format, WIDTH, HEIGHT, components, 2));
    const GstVideoOverlayCompositionMeta *meta = gst_buffer_get_video_overlay_composition_meta (attached);
    GstVideoOverlayComposition *overlay;
    GstVideoFrame frame;

    g_assert_true (has_composition_feature (harness));
    g_assert_nonnull (meta);
    g_assert_true (same_bytes (attached, plain));
    overlay = gst_video_overlay_composition_ref (meta->overlay);
    g_assert_true (gst_video_frame_map (&frame, &info, attached, GST_MAP_READWRITE));
    g_assert_true (gst_video_overlay_composition_blend (overlay, &frame));
    gst_video_frame_unmap (&frame);
    g_assert_true (same_bytes (attached, blended));
    gst_video_overlay_composition_unref (overlay);
  }
}

/* Attached drawings do not change while later ones are made, and may outlive the element. */
static void
test_attached_lives_on (void)
{
  GstHarness *harness = composing_harness (test_caps ("BGRA", WIDTH, HEIGHT, NULL));
  GstBuffer *fresh[2], *attached[6];
  GstVideoInfo info = test_video_info ("BGRA", WIDTH, HEIGHT);
  const GstCcaComponent *components[] = { &box, &other };

  for (guint i = 0; i < 2; i++)
    fresh[i] = draw ("ccaoverlay", "BGRA", WIDTH, HEIGHT, frame_with ("BGRA", WIDTH, HEIGHT, components[i], 1));
  for (guint i = 0; i < G_N_ELEMENTS (attached); i++)
    attached[i] = gst_harness_push_and_pull (harness, frame_with ("BGRA", WIDTH, HEIGHT, components[i % 2], 1));
  test_harness_free (harness);

  for (guint i = 0; i < G_N_ELEMENTS (attached); i++) {
    GstVideoFrame frame;

    g_assert_true (gst_video_frame_map (&frame, &info, attached[i], GST_MAP_READWRITE));
    g_assert_true (gst_video_overlay_composition_blend (
        gst_buffer_get_video_overlay_composition_meta (attached[i])->overlay, &frame));
    gst_video_frame_unmap (&frame);
    g_assert_true (same_bytes (attached[i], fresh[i % 2]));
    gst_buffer_unref (attached[i]);
  }
  gst_buffer_unref (fresh[0]);
  gst_buffer_unref (fresh[1]);
}

/* Overlays of elements before stay, underneath. */
static void
test_attach_to_others (void)
{
  GstCaps *caps = test_caps ("I420", WIDTH, HEIGHT, NULL);
  g_autoptr (GstBuffer) pixels = gst_buffer_new_allocate (NULL, 4, NULL), buffer = NULL;
  GstVideoOverlayRectangle *rectangle;
  GstVideoOverlayComposition *composition;
  g_autoptr (GstHarness) harness = NULL;
  guint width, height;
  gint x, y;

  gst_caps_set_features (caps, 0, gst_caps_features_new (COMPOSITION, NULL));
  harness = composing_harness (caps);
  gst_buffer_add_video_meta (pixels, GST_VIDEO_FRAME_FLAG_NONE, GST_VIDEO_OVERLAY_COMPOSITION_FORMAT_RGB, 1, 1);
  rectangle = gst_video_overlay_rectangle_new_raw (pixels, 3, 4, 1, 1, GST_VIDEO_OVERLAY_FORMAT_FLAG_NONE);
  composition = gst_video_overlay_composition_new (rectangle);
  buffer = frame_with ("I420", WIDTH, HEIGHT, &box, 1);
  gst_buffer_add_video_overlay_composition_meta (buffer, composition);

  buffer = gst_harness_push_and_pull (harness, buffer);
  g_assert_cmpuint (gst_video_overlay_composition_n_rectangles (composition), ==, 1);
  gst_video_overlay_composition_unref (composition);
  composition = gst_buffer_get_video_overlay_composition_meta (buffer)->overlay;
  g_assert_cmpuint (gst_video_overlay_composition_n_rectangles (composition), >, 1);
  g_assert_true (gst_video_overlay_rectangle_get_render_rectangle (
      gst_video_overlay_composition_get_rectangle (composition, 0), &x, &y, &width, &height));
  g_assert_cmpint (x, ==, 3);
  g_assert_cmpint (y, ==, 4);
  g_assert_cmpuint (width * height, ==, 1);

  gst_video_overlay_rectangle_unref (rectangle);
}

/* The element blends for a neighbour that accepts any caps without the meta, and for one that accepts no overlays. */
static void
test_blend (void)
{
  g_autoptr (GstBuffer) plain = frame_with ("I420", WIDTH, HEIGHT, &box, 1);

  for (guint i = 0; i < 2; i++) {
    g_autoptr (GstHarness) harness = test_harness ("ccaoverlay", NULL);
    g_autoptr (GstBuffer) drawn = NULL;

    if (i == 1)
      gst_harness_set_sink_caps (harness, test_caps ("I420", WIDTH, HEIGHT, NULL));
    gst_harness_set_src_caps (harness, test_caps ("I420", WIDTH, HEIGHT, NULL));
    drawn = gst_harness_push_and_pull (harness, gst_buffer_copy_deep (plain));
    g_assert_null (gst_buffer_get_video_overlay_composition_meta (drawn));
    g_assert_false (same_bytes (drawn, plain));
    if (i == 1)
      g_assert_false (has_composition_feature (harness));
  }
}

/* Downstream may learn to compose while playing, and says so. */
static void
test_reconfigure (void)
{
  g_autoptr (GstHarness) harness = test_harness ("ccaoverlay", test_caps ("I420", WIDTH, HEIGHT, NULL));

  for (guint i = 0; i < 2; i++) {
    GstBuffer *drawn = gst_harness_push_and_pull (harness, frame_with ("I420", WIDTH, HEIGHT, &box, 1));

    g_assert_cmpint (gst_buffer_get_video_overlay_composition_meta (drawn) != NULL, ==, i == 1);
    gst_buffer_unref (drawn);
    gst_harness_add_propose_allocation_meta (harness, GST_VIDEO_OVERLAY_COMPOSITION_META_API_TYPE, NULL);
    g_assert_true (gst_harness_push_upstream_event (harness, gst_event_new_reconfigure ()));
  }
}

static GstCaps *
foreign_memory_caps (void)
{
  GstCaps *caps = test_caps ("NV12", WIDTH, HEIGHT, NULL);

  gst_caps_set_features (caps, 0, gst_caps_features_new ("memory:GstCcaTest", NULL));
  return caps;
}

/* Memory that cannot be mapped: drawings can only be attached. */
static void
test_foreign_memory (void)
{
  g_autoptr (GstHarness) harness = composing_harness (foreign_memory_caps ());
  g_autoptr (GstBuffer) buffer =
      gst_harness_push_and_pull (harness, add_components (gst_buffer_new (), WIDTH, HEIGHT, &box, 1));

  g_assert_nonnull (gst_buffer_get_video_overlay_composition_meta (buffer));
}

static void
test_foreign_memory_without_composition (void)
{
  g_autoptr (GstHarness) harness = test_harness ("ccaoverlay", NULL);

  gst_harness_set_sink_caps (harness, foreign_memory_caps ());
  gst_harness_set_src_caps (harness, foreign_memory_caps ());
  g_assert_cmpint (gst_harness_push (harness, gst_buffer_new ()), ==, GST_FLOW_NOT_NEGOTIATED);
  test_assert_error (harness, "*memory:GstCcaTest*download*");
}

static void
test_short_buffer (void)
{
  g_autoptr (GstHarness) harness = test_harness ("ccaoverlay", test_caps ("GRAY8", WIDTH, HEIGHT, NULL));
  GstBuffer *buffer = add_components (gst_buffer_new_allocate (NULL, 100, NULL), WIDTH, HEIGHT, &box, 1);

  g_assert_cmpint (gst_harness_push (harness, buffer), ==, GST_FLOW_ERROR);
  test_assert_error (harness, "*160x120 pixels*100 bytes*19200 bytes*");
}

static void
test_too_large (void)
{
  g_autoptr (GstHarness) harness = test_harness ("ccaoverlay", test_caps ("GRAY8", 40000, 1, NULL));

  g_assert_cmpint (gst_harness_push (harness, gst_buffer_new_allocate (NULL, 40000, NULL)), ==,
                   GST_FLOW_NOT_NEGOTIATED);
  test_assert_error (harness, "*40000x1*32767x32767*");
}

GST_CASES_MAIN ()
{
  ADD_TESTS ("/overlay-stream", test_no_stale_drawing, test_renegotiation, test_properties,
             test_properties_while_playing, test_max_drawn, test_attached_lives_on, test_attach_to_others, test_blend,
             test_reconfigure, test_foreign_memory, test_foreign_memory_without_composition, test_short_buffer,
             test_too_large);
  add_format_tests ("/overlay-stream/attach", test_attach);
}
