/* gst-cca: ccaoverlay draws at the right places, on every format
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "overlay-test.h"

#include "cca/label-color.h"

#include <glib/gstdio.h>
#include <math.h>

/* --- Places and colours ------------------------------------------------------------------------------ */

static void
test_no_meta (void)
{
  const GstVideoInfo info = test_video_info ("I420", WIDTH, HEIGHT);
  GstBuffer *buffer = test_frame (&info, 1);
  g_autoptr (GstBuffer) original = gst_buffer_copy (buffer);
  GstMemory *memory = gst_buffer_peek_memory (buffer, 0);
  g_autoptr (GstBuffer) drawn = draw ("ccaoverlay show-area=true", "I420", WIDTH, HEIGHT, buffer);

  g_assert_true (gst_buffer_peek_memory (drawn, 0) == memory);
  g_assert_true (same_bytes (drawn, original));
}

/* The pixels that share a chroma sample. */
static void
chroma_sample (const gchar *format, gint *width, gint *height)
{
  const GstVideoInfo info = test_video_info (format, WIDTH, HEIGHT);

  *width = *height = 1;
  for (guint i = 0; i < GST_VIDEO_INFO_N_COMPONENTS (&info); i++) {
    *width = MAX (*width, 1 << GST_VIDEO_FORMAT_INFO_W_SUB (info.finfo, i));
    *height = MAX (*height, 1 << GST_VIDEO_FORMAT_INFO_H_SUB (info.finfo, i));
  }
}

/* A line of two pixels straddles the box's edge and covers whole chroma samples; one more pixel on either side darkens,
 * and nothing else changes. */
static void
test_box (gconstpointer format)
{
  g_autoptr (GstBuffer) plain = frame_with (format, WIDTH, HEIGHT, NULL, 0);
  g_autoptr (GstBuffer) drawn =
      draw (ONLY_BOXES "line-width=2", format, WIDTH, HEIGHT, frame_with (format, WIDTH, HEIGHT, &box, 1));
  gint sample_w, sample_h;
  Pair pair;

  chroma_sample (format, &sample_w, &sample_h);
  pair_map (&pair, format, WIDTH, HEIGHT, drawn, plain);
  for (gint y = 0; y < HEIGHT; y++)
    for (gint x = 0; x < WIDTH; x++) {
      const gint left = x - (gint) box.x, right = (gint) (box.x + box.width) - 1 - x;
      const gint top = y - (gint) box.y, bottom = (gint) (box.y + box.height) - 1 - y;
      /* How far inside of the nearest side; outside is below 0. */
      const gint inside_x = MIN (left, right), inside_y = MIN (top, bottom), inside = MIN (inside_x, inside_y);
      const gint margin_x = sample_w + 1, margin_y = sample_h + 1;

      if (inside_x < -1 - margin_x || inside_y < -1 - margin_y || (inside_x > margin_x && inside_y > margin_y))
        g_assert_false (differs (&pair, x, y));
      if (inside == -1)
        for (guint i = 0; i < GST_VIDEO_FRAME_N_COMPONENTS (&pair.a); i++)
          g_assert_cmpuint (sample (&pair.a, i, x, y), ==, sample (&pair.a, i, box.x - 1, box.y - 1));
    }
  pair_unmap (&pair);
}

/* Whether one of two pixels looks in all its samples like a third. */
static gboolean
has_color (const GstVideoFrame *frame, gint x, gint y, gint other_x, gint other_y, gint like_x, gint like_y)
{
  gboolean first = TRUE, second = TRUE;

  for (guint i = 0; i < GST_VIDEO_FRAME_N_COMPONENTS (frame); i++) {
    first = first && sample (frame, i, x, y) == sample (frame, i, like_x, like_y);
    second = second && sample (frame, i, other_x, other_y) == sample (frame, i, like_x, like_y);
  }
  return first || second;
}

/* Wherever a box lies, each side of it shows the full colour, also in small frames, where lines are thin. */
static void
test_sides_keep_color (gconstpointer format)
{
  g_autoptr (GstHarness) harness = test_harness (ONLY_BOXES, test_caps (format, 320, 240, NULL));

  for (guint i = 0; i < 16; i++) {
    /* The second is so small that its box is filled. */
    const GstCcaComponent components[] = {
      { .label = 1, .x = 41 + i % 4, .y = 51 + i / 4, .width = 30 + i % 3, .height = 40 + i % 5 },
      { .label = 1, .x = 200, .y = 100, .width = 1, .height = 1 },
    };
    const gint left = components[0].x, right = left + components[0].width - 1;
    const gint top = components[0].y, bottom = top + components[0].height - 1;
    g_autoptr (GstBuffer) drawn = gst_harness_push_and_pull (harness, frame_with (format, 320, 240, components, 2));
    Pair pair;

    pair_map (&pair, format, 320, 240, drawn, drawn);
    for (gint y = top; y <= bottom; y++) {
      g_assert_true (has_color (&pair.a, left - 1, y, left, y, 200, 100));
      g_assert_true (has_color (&pair.a, right + 1, y, right, y, 200, 100));
    }
    for (gint x = left; x <= right; x++) {
      g_assert_true (has_color (&pair.a, x, top - 1, x, top, 200, 100));
      g_assert_true (has_color (&pair.a, x, bottom + 1, x, bottom, 200, 100));
    }
    pair_unmap (&pair);
  }
}

static guint32
pixel_of_box (GstHarness *harness, guint label)
{
  GstCcaComponent component = box;
  g_autoptr (GstBuffer) drawn = NULL;
  guint32 color;
  Pair pair;

  component.label = label;
  drawn = gst_harness_push_and_pull (harness, frame_with ("RGBA", WIDTH, HEIGHT, &component, 1));
  pair_map (&pair, "RGBA", WIDTH, HEIGHT, drawn, drawn);
  color = sample (&pair.a, 0, box.x, box.y) | sample (&pair.a, 1, box.x, box.y) << 8
          | sample (&pair.a, 2, box.x, box.y) << 16;
  pair_unmap (&pair);
  return color;
}

/* A label is no identity, so by default all components have one colour. */
static void
test_one_color (void)
{
  g_autoptr (GstHarness) harness = test_harness (ONLY_BOXES, test_caps ("RGBA", WIDTH, HEIGHT, NULL));
  const guint32 color = pixel_of_box (harness, 1);

  for (guint label = 2; label < 50; label++)
    g_assert_cmphex (pixel_of_box (harness, label), ==, color);
  g_object_set (harness->element, "color", 0xff123456, NULL);
  g_assert_cmphex (pixel_of_box (harness, 3), ==, 0x563412);
}

static void
test_color_by_label (void)
{
  g_autoptr (GstHarness) harness =
      test_harness (ONLY_BOXES "color-by=label color=0xff123456", test_caps ("RGBA", WIDTH, HEIGHT, NULL));

  for (guint label = 1; label < 200; label += 7)
    g_assert_cmphex (pixel_of_box (harness, label), ==, cca_label_color (label) & 0xffffff);
}

/* The colour's alpha lets the picture through. */
static void
test_alpha (void)
{
  g_autoptr (GstHarness) harness =
      test_harness (ONLY_BOXES "color=0x80ffc400", test_caps ("RGBA", WIDTH, HEIGHT, NULL));

  g_assert_cmphex (pixel_of_box (harness, 1), !=, 0x00c4ff);
  g_object_set (harness->element, "color", 0xffffc400, NULL);
  g_assert_cmphex (pixel_of_box (harness, 1), ==, 0x00c4ff);
  gst_util_set_object_arg (G_OBJECT (harness->element), "color-by", "label");
  g_assert_cmphex (pixel_of_box (harness, 1), ==, cca_label_color (1) & 0xffffff);
  g_object_set (harness->element, "color", 0x80000000, NULL);
  g_assert_cmphex (pixel_of_box (harness, 1), !=, cca_label_color (1) & 0xffffff);
}

static void
test_centroid (void)
{
  g_autoptr (GstBuffer) plain = frame_with ("GRAY8", WIDTH, HEIGHT, NULL, 0);
  g_autoptr (GstBuffer) drawn =
      draw (ONLY_CENTROIDS "line-width=1", "GRAY8", WIDTH, HEIGHT, frame_with ("GRAY8", WIDTH, HEIGHT, &other, 1));
  GstVideoRectangle area = difference_of ("GRAY8", WIDTH, HEIGHT, drawn, plain);

  /* A cross with arms of two pixels and a dark edge. */
  g_assert_cmpint (area.x, ==, 110 - 3);
  g_assert_cmpint (area.y, ==, 95 - 3);
  g_assert_cmpint (area.w, ==, 7);
  g_assert_cmpint (area.h, ==, 7);
}

/* Text of a label stands on the box's upper left corner, and takes more room with the area. */
static void
test_text (void)
{
  g_autoptr (GstBuffer) plain = frame_with ("GRAY8", WIDTH, HEIGHT, NULL, 0);
  g_autoptr (GstBuffer) label =
      draw (ONLY_TEXT "true", "GRAY8", WIDTH, HEIGHT, frame_with ("GRAY8", WIDTH, HEIGHT, &box, 1));
  g_autoptr (GstBuffer) area =
      draw (ONLY_TEXT "false show-area=true", "GRAY8", WIDTH, HEIGHT, frame_with ("GRAY8", WIDTH, HEIGHT, &box, 1));
  g_autoptr (GstBuffer) both =
      draw (ONLY_TEXT "true show-area=true", "GRAY8", WIDTH, HEIGHT, frame_with ("GRAY8", WIDTH, HEIGHT, &box, 1));
  const GstVideoRectangle label_at = difference_of ("GRAY8", WIDTH, HEIGHT, label, plain);
  const GstVideoRectangle area_at = difference_of ("GRAY8", WIDTH, HEIGHT, area, plain);
  const GstVideoRectangle both_at = difference_of ("GRAY8", WIDTH, HEIGHT, both, plain);

  g_assert_cmpint (label_at.w, >, 0);
  g_assert_cmpint (ABS (label_at.x - (gint) box.x), <=, 1);
  g_assert_cmpint (ABS (label_at.y + label_at.h - (gint) box.y), <=, 1);
  g_assert_cmpint (area_at.w, >, label_at.w);
  g_assert_cmpint (both_at.w, >, area_at.w);
}

/* Whether drawing changes the inside of a box beyond its line. */
static gboolean
is_drawn_into (const Pair *pair, const GstCcaComponent *component)
{
  for (gint y = component->y + 4; y < (gint) (component->y + component->height) - 4; y++)
    for (gint x = component->x + 4; x < (gint) (component->x + component->width) - 4; x++)
      if (differs (pair, x, y))
        return TRUE;
  return FALSE;
}

/* Two people above each other, two side by side, one at the upper edge. */
static const GstCcaComponent people[] = {
  { .label = 1, .x = 60, .y = 40, .width = 20, .height = 40, .area = 500 },
  { .label = 2, .x = 61, .y = 84, .width = 22, .height = 40, .area = 600 },
  { .label = 3, .x = 201, .y = 140, .width = 18, .height = 40, .area = 400 },
  { .label = 4, .x = 225, .y = 150, .width = 19, .height = 40, .area = 450 },
  { .label = 5, .x = 150, .y = 0, .width = 20, .height = 40, .area = 500 },
};
static const guint n_people = G_N_ELEMENTS (people);

static void
test_labels_beside_components (gconstpointer format)
{
  g_autoptr (GstBuffer) boxes = draw (ONLY_BOXES, format, 320, 240, frame_with (format, 320, 240, people, n_people));
  g_autoptr (GstBuffer) labelled = draw ("ccaoverlay show-centroids=false show-count=false", format, 320, 240,
                                         frame_with (format, 320, 240, people, n_people));
  Pair pair;

  pair_map (&pair, format, 320, 240, labelled, boxes);
  for (guint i = 0; i < n_people; i++)
    g_assert_false (is_drawn_into (&pair, &people[i]));
  pair_unmap (&pair);
}

/* How many pixels have the colour of a label. */
static guint
count_color (GstBuffer *drawn, guint label)
{
  const guint32 color = cca_label_color (label);
  guint n = 0;
  Pair pair;

  pair_map (&pair, "RGBA", 320, 240, drawn, drawn);
  for (gint y = 0; y < 240; y++)
    for (gint x = 0; x < 320; x++)
      n += sample (&pair.a, 0, x, y) == (color & 0xff) && sample (&pair.a, 1, x, y) == (color >> 8 & 0xff)
           && sample (&pair.a, 2, x, y) == (color >> 16 & 0xff);
  pair_unmap (&pair);
  return n;
}

/* Each label shows as much of itself as when it is alone. */
static void
test_labels_apart (void)
{
  const gchar *launch = ONLY_TEXT "true show-area=true color-by=label";
  g_autoptr (GstBuffer) all = draw (launch, "RGBA", 320, 240, frame_with ("RGBA", 320, 240, people, n_people));

  for (guint i = 0; i < n_people; i++) {
    g_autoptr (GstBuffer) alone = draw (launch, "RGBA", 320, 240, frame_with ("RGBA", 320, 240, &people[i], 1));

    g_assert_cmpuint (count_color (alone, people[i].label), >, 0);
    g_assert_cmpuint (count_color (all, people[i].label), ==, count_color (alone, people[i].label));
  }
}

static void
test_count (void)
{
  g_autoptr (GstBuffer) plain = frame_with ("GRAY8", WIDTH, HEIGHT, NULL, 0);
  GstBuffer *drawn[4];
  const guint found[] = { 0, 1, 2, 2 }, stored[] = { 0, 1, 2, 1 };

  for (guint i = 0; i < G_N_ELEMENTS (drawn); i++) {
    const GstVideoInfo info = test_video_info ("GRAY8", WIDTH, HEIGHT);
    const GstCcaComponent components[] = { box, other };
    GstBuffer *buffer = test_frame (&info, 1);
    GstVideoRectangle area;

    gst_buffer_add_cca_meta (buffer, NULL, WIDTH, HEIGHT, found[i], components, stored[i]);
    drawn[i] = draw (ONLY_COUNT, "GRAY8", WIDTH, HEIGHT, buffer);
    area = difference_of ("GRAY8", WIDTH, HEIGHT, drawn[i], plain);
    g_assert_cmpint (area.w, >, 0);
    g_assert_cmpint (area.x, <, WIDTH / 8);
    g_assert_cmpint (area.y + area.h, <, HEIGHT / 4);
    /* Also a list that is cut reads differently from a whole one. */
    for (guint j = 0; j < i; j++)
      g_assert_false (same_bytes (drawn[i], drawn[j]));
  }
  for (guint i = 0; i < G_N_ELEMENTS (drawn); i++)
    gst_buffer_unref (drawn[i]);
}

/* Components of a frame of half the size. */
static void
test_scaled (void)
{
  const GstCcaComponent small = { .label = 5, .x = 20, .y = 20, .width = 15, .height = 10 };
  const GstCcaComponent large = { .label = 5, .x = 40, .y = 40, .width = 30, .height = 20 };
  const GstVideoInfo info = test_video_info ("GRAY8", WIDTH, HEIGHT);
  g_autoptr (GstBuffer) a = draw (ONLY_BOXES, "GRAY8", WIDTH, HEIGHT,
                                  add_components (test_frame (&info, 1), WIDTH / 2, HEIGHT / 2, &small, 1));
  g_autoptr (GstBuffer) b = draw (ONLY_BOXES, "GRAY8", WIDTH, HEIGHT, frame_with ("GRAY8", WIDTH, HEIGHT, &large, 1));

  g_assert_true (same_bytes (a, b));
}

/* A buffer that shows 100×80 of a whole frame's pixels. */
static void
test_crop_meta (void)
{
  g_autoptr (GstBuffer) plain = frame_with ("I420", WIDTH, HEIGHT, NULL, 0);
  g_autoptr (GstBuffer) whole =
      draw (ONLY_BOXES "line-width=2", "I420", WIDTH, HEIGHT, frame_with ("I420", WIDTH, HEIGHT, &box, 1));
  GstBuffer *buffer = frame_with ("I420", WIDTH, HEIGHT, &box, 1);
  g_autoptr (GstBuffer) drawn = NULL;
  GstVideoCropMeta *crop;
  GstVideoRectangle area;

  gst_buffer_add_video_meta (buffer, GST_VIDEO_FRAME_FLAG_NONE, GST_VIDEO_FORMAT_I420, WIDTH, HEIGHT);
  crop = gst_buffer_add_video_crop_meta (buffer);
  crop->x = 21, crop->y = 33;
  crop->width = 100, crop->height = 80;
  drawn = draw (ONLY_BOXES "line-width=2", "I420", 100, 80, buffer);
  g_assert_true (same_bytes (drawn, whole));
  area = difference_of ("I420", WIDTH, HEIGHT, drawn, plain);
  g_assert_cmpint (area.w, >, 0);
}

/* --- Frames ------------------------------------------------------------------------------------------ */

/* Frames of any size, with components anywhere. */
static void
test_sizes (gconstpointer format)
{
  static const guint sizes[][2] = { { 1, 1 }, { 2, 1 }, { 1, 9 }, { 31, 2 }, { 17, 3 }, { 63, 65 }, { 129, 7 } };

  for (guint i = 0; i < G_N_ELEMENTS (sizes); i++) {
    const guint width = sizes[i][0], height = sizes[i][1];
    const GstCcaComponent components[] = {
      { .label = 1, .width = width, .height = height, .area = 1 },
      { .label = 2, .x = width - 1, .y = height - 1, .width = 1, .height = 1, .centroid_x = width - 1 },
      { .label = 3, .x = width / 2, .y = 0, .width = 1000, .height = 1000, .centroid_x = 500, .centroid_y = 500 },
      { .label = 4, .x = 5000, .y = 1, .width = 3, .height = 3, .centroid_x = -5000, .centroid_y = 1e300 },
      { .label = G_MAXUINT,
        .x = G_MAXUINT,
        .y = G_MAXUINT,
        .width = G_MAXUINT,
        .height = G_MAXUINT,
        .area = G_MAXUINT64,
        .centroid_x = -INFINITY,
        .centroid_y = NAN },
      { .label = 0, .x = 0, .y = 0, .width = 0, .height = 0 },
    };
    g_autoptr (GstBuffer) plain = frame_with (format, width, height, NULL, 0);
    g_autoptr (GstBuffer) drawn = draw ("ccaoverlay show-area=true line-width=3", format, width, height,
                                        frame_with (format, width, height, components, G_N_ELEMENTS (components)));

    g_assert_cmpuint (gst_buffer_get_size (drawn), ==, gst_buffer_get_size (plain));
    g_assert_false (same_bytes (drawn, plain));
  }
}

/* A meta that says nothing sensible about its frame draws nothing. */
static void
test_no_size (void)
{
  const GstVideoInfo info = test_video_info ("GRAY8", WIDTH, HEIGHT);
  g_autoptr (GstHarness) harness = test_harness ("ccaoverlay", test_caps ("GRAY8", WIDTH, HEIGHT, NULL));
  g_autoptr (GstBuffer) plain = test_frame (&info, 1);
  g_autoptr (GstBuffer) drawn =
      gst_harness_push_and_pull (harness, add_components (gst_buffer_copy (plain), 0, 0, &box, 1));

  g_assert_true (same_bytes (drawn, plain));
  test_assert_warning (harness, "*not drawn*0x0*");
}

/* Each of very many components is drawn. */
static void
test_many (void)
{
  enum
  {
    CELL = 4,
    COLUMNS = 320 / CELL,
    N = COLUMNS * 240 / CELL
  };
  GstCcaComponent *components = g_new0 (GstCcaComponent, N);
  GstBuffer *boxes, *all;
  Pair pair;

  for (guint i = 0; i < N; i++)
    components[i] = (GstCcaComponent) {
      .label = i + 1, .x = i % COLUMNS * CELL + 1, .y = i / COLUMNS * CELL + 1, .width = 2, .height = 2, .area = 4
    };
  boxes =
      draw (ONLY_BOXES "line-width=1 color=0xff123456", "RGBA", 320, 240, frame_with ("RGBA", 320, 240, components, N));
  pair_map (&pair, "RGBA", 320, 240, boxes, boxes);
  for (guint i = 0; i < N; i++)
    g_assert_cmphex (sample (&pair.a, 0, (gint) components[i].x, (gint) components[i].y), ==, 0x12);
  pair_unmap (&pair);
  all = draw ("ccaoverlay show-area=true line-width=1 color=0xff123456", "RGBA", 320, 240,
              frame_with ("RGBA", 320, 240, components, N));
  g_assert_false (same_bytes (all, boxes));
  gst_buffer_unref (all);
  gst_buffer_unref (boxes);
  g_free (components);
}

/* A frame that others hold too is copied before it is drawn on. */
static void
test_shared_buffer (void)
{
  g_autoptr (GstBuffer) buffer = frame_with ("I420", WIDTH, HEIGHT, &box, 1), plain = gst_buffer_copy_deep (buffer);
  g_autoptr (GstBuffer) drawn = draw ("ccaoverlay", "I420", WIDTH, HEIGHT, gst_buffer_ref (buffer));

  g_assert_true (same_bytes (buffer, plain));
  g_assert_false (same_bytes (drawn, plain));
  g_assert_null (gst_buffer_get_video_overlay_composition_meta (buffer));
}

/* Odd offsets and strides of a GstVideoMeta make no difference. */
static void
test_padded (void)
{
  const GstVideoInfo info = test_video_info ("NV12", WIDTH, HEIGHT);
  g_autoptr (GstBuffer) plain = draw ("ccaoverlay", "NV12", WIDTH, HEIGHT, frame_with ("NV12", WIDTH, HEIGHT, &box, 1));
  g_autoptr (GstBuffer) padded =
      draw ("ccaoverlay", "NV12", WIDTH, HEIGHT, add_components (test_padded_frame (&info, 1), WIDTH, HEIGHT, &box, 1));
  const GstVideoRectangle area = difference_of ("NV12", WIDTH, HEIGHT, plain, padded);

  g_assert_cmpint (area.w, ==, 0);
}

/* On a machine without fonts everything but text is drawn, with one warning. A process looks for fonts only once. */
static void
test_no_font (void)
{
  g_autofree gchar *directory = NULL, *config = NULL;

  if (!g_test_subprocess ()) {
    g_test_trap_subprocess (NULL, 0, G_TEST_SUBPROCESS_INHERIT_STDERR);
    g_test_trap_assert_passed ();
    return;
  }
  directory = g_dir_make_tmp ("cca-no-fonts-XXXXXX", NULL);
  g_assert_nonnull (directory);
  config = g_build_filename (directory, "fonts.conf", NULL);
  g_assert_true (g_file_set_contents (config, "<?xml version=\"1.0\"?><fontconfig></fontconfig>", -1, NULL));
  g_setenv ("FONTCONFIG_FILE", config, TRUE);

  GstHarness *harness = test_harness ("ccaoverlay", test_caps ("NV12", WIDTH, HEIGHT, NULL));
  GstBuffer *expected = draw ("ccaoverlay show-labels=false show-count=false", "NV12", WIDTH, HEIGHT,
                              frame_with ("NV12", WIDTH, HEIGHT, &box, 1));

  for (guint i = 0; i < 3; i++) {
    GstBuffer *drawn = gst_harness_push_and_pull (harness, frame_with ("NV12", WIDTH, HEIGHT, &box, 1));

    g_assert_nonnull (drawn);
    g_assert_true (same_bytes (drawn, expected));
    gst_buffer_unref (drawn);
    if (i == 0)
      test_assert_warning (harness, "*no font*");
    test_assert_no_message (harness, GST_MESSAGE_ERROR | GST_MESSAGE_WARNING);
  }
  gst_buffer_unref (expected);
  test_harness_free (harness);
  g_assert_cmpint (g_remove (config), ==, 0);
  g_assert_cmpint (g_rmdir (directory), ==, 0);
}

GST_CASES_MAIN ()
{
  ADD_TESTS ("/overlay", test_no_meta, test_one_color, test_color_by_label, test_alpha, test_centroid, test_text,
             test_labels_apart, test_count, test_no_font, test_scaled, test_crop_meta, test_no_size, test_many,
             test_shared_buffer, test_padded);
  add_format_tests ("/overlay/box", test_box);
  add_format_tests ("/overlay/sides-keep-color", test_sides_keep_color);
  add_format_tests ("/overlay/labels-beside-components", test_labels_beside_components);
  add_format_tests ("/overlay/sizes", test_sizes);
}
