/* gst-cca: ccaoverlay, tracks and their trails
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "overlay-test.h"

#include "cca/label-color.h"

#include <gst/cca/gstccaeventmeta.h>
#include <gst/cca/gstccatrackmeta.h>

#define QUIET "show-centroids=false show-labels=false show-count=false "
#define TRACK_BOXES "ccaoverlay trails=false line-width=2 " QUIET
#define TRAILS "ccaoverlay tracks=false show-boxes=false line-width=4 " QUIET

enum
{
  FPS = 25,
};

/* Where the component `box` is. */
static const GstCcaTrack walker = { .track_id = 7,
                                    .state = GST_CCA_TRACK_STATE_CONFIRMED,
                                    .label = 5,
                                    .x = 40,
                                    .y = 50,
                                    .width = 30,
                                    .height = 20,
                                    .area = 300,
                                    .centroid_x = 54.5,
                                    .centroid_y = 59.5,
                                    .age = 9 };

static GstBuffer *
add_tracks (GstBuffer *buffer, const gchar *id, const GstCcaTrack *tracks, guint n)
{
  g_assert_nonnull (gst_buffer_add_cca_track_meta (buffer, id, WIDTH, HEIGHT, tracks, n));
  return buffer;
}

/* A frame of components and the tracks that come from them. */
static GstBuffer *
frame_with_tracks (const gchar *format, const GstCcaTrack *tracks, guint n)
{
  return add_tracks (frame_with (format, WIDTH, HEIGHT, &box, 1), NULL, tracks, n);
}

static GstBuffer *
draw_tracks (const gchar *launch, const gchar *format, const GstCcaTrack *tracks, guint n)
{
  return draw (launch, format, WIDTH, HEIGHT, frame_with_tracks (format, tracks, n));
}

/* How much two pixels of frames differ, 0 to 3 * 255. */
static gint
contrast (guint32 a, guint32 b)
{
  gint sum = 0;

  for (gint shift = 0; shift < 24; shift += 8)
    sum += ABS ((gint) (a >> shift & 0xff) - (gint) (b >> shift & 0xff));
  return sum;
}

/* --- Tracks ------------------------------------------------------------------------------------------ */

static void
test_color_by_identity (void)
{
  for (guint64 id = 1; id < 100; id += 7) {
    GstCcaTrack track = walker;
    g_autoptr (GstBuffer) drawn = NULL;

    track.track_id = id;
    drawn = draw_tracks (TRACK_BOXES, "RGBA", &track, 1);
    g_assert_cmphex (rgb_at (drawn, WIDTH, HEIGHT, walker.x, walker.y), ==, cca_label_color ((guint) id) & 0xffffff);
  }
}

/* Tracks stand in for the components that they come from, in the same places, unless the property says otherwise. */
static void
test_instead_of_components (void)
{
  const GstCcaComponent components[] = { box, other };
  g_autoptr (GstBuffer) alone = draw (TRACK_BOXES, "I420", WIDTH, HEIGHT,
                                      add_tracks (frame_with ("I420", WIDTH, HEIGHT, NULL, 0), NULL, &walker, 1));
  g_autoptr (GstBuffer) both = draw (TRACK_BOXES, "I420", WIDTH, HEIGHT,
                                     add_tracks (frame_with ("I420", WIDTH, HEIGHT, components, 2), NULL, &walker, 1));
  g_autoptr (GstBuffer) old =
      draw (ONLY_BOXES "line-width=2", "I420", WIDTH, HEIGHT, frame_with ("I420", WIDTH, HEIGHT, components, 2));
  g_autoptr (GstBuffer) off = draw (TRACK_BOXES "tracks=false", "I420", WIDTH, HEIGHT,
                                    add_tracks (frame_with ("I420", WIDTH, HEIGHT, components, 2), NULL, &walker, 1));
  g_autoptr (GstBuffer) plain = frame_with ("I420", WIDTH, HEIGHT, NULL, 0);
  g_autoptr (GstBuffer) one =
      draw (ONLY_BOXES "line-width=2", "I420", WIDTH, HEIGHT, frame_with ("I420", WIDTH, HEIGHT, &box, 1));
  const GstVideoRectangle track_at = difference_of ("I420", WIDTH, HEIGHT, both, plain);
  const GstVideoRectangle component_at = difference_of ("I420", WIDTH, HEIGHT, one, plain);

  g_assert_true (same_bytes (alone, both));
  g_assert_true (same_bytes (old, off));
  g_assert_false (same_bytes (one, both));
  g_assert_cmpint (track_at.x, ==, component_at.x);
  g_assert_cmpint (track_at.y, ==, component_at.y);
  g_assert_cmpint (track_at.w, ==, component_at.w);
  g_assert_cmpint (track_at.h, ==, component_at.h);
}

/* The components of another analysis stay. `source` chooses tracks as it chooses components. */
static void
test_sources (void)
{
  const GstVideoInfo info = test_video_info ("RGBA", WIDTH, HEIGHT);
  static const struct
  {
    const gchar *launch;
    gboolean track, component;
  } cases[] = {
    { TRACK_BOXES, TRUE, TRUE },
    { TRACK_BOXES "source=left", TRUE, FALSE },
    { TRACK_BOXES "source=right", FALSE, TRUE },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    GstBuffer *buffer = test_frame (&info, 1);
    g_autoptr (GstBuffer) drawn = NULL;

    gst_buffer_add_cca_meta (buffer, "left", WIDTH, HEIGHT, 1, &box, 1);
    gst_buffer_add_cca_meta (buffer, "right", WIDTH, HEIGHT, 1, &other, 1);
    drawn = draw (cases[i].launch, "RGBA", WIDTH, HEIGHT, add_tracks (buffer, "left", &walker, 1));
    g_assert_cmpint (rgb_at (drawn, WIDTH, HEIGHT, walker.x, walker.y) == (cca_label_color (7) & 0xffffff), ==,
                     cases[i].track);
    g_assert_cmpint (rgb_at (drawn, WIDTH, HEIGHT, other.x, other.y) == 0x00c4ff, ==, cases[i].component);
  }
}

/* How many of the pixels along the upper side of the walker's box have the track's full colour, and half of it. */
static void
count_side (GstCcaTrackState state, guint *n_full, guint *n_painted, gboolean *corner, gboolean *middle)
{
  GstCcaTrack track = walker;
  g_autoptr (GstBuffer) plain = frame_with ("RGBA", WIDTH, HEIGHT, NULL, 0), drawn = NULL;
  const guint32 color = cca_label_color (7) & 0xffffff;
  Pair pair;

  track.state = state;
  drawn = draw_tracks (TRACK_BOXES, "RGBA", &track, 1);
  *n_full = *n_painted = 0;
  for (guint x = walker.x; x < walker.x + walker.width; x++)
    *n_full += rgb_at (drawn, WIDTH, HEIGHT, (gint) x, walker.y) == color;
  pair_map (&pair, "RGBA", WIDTH, HEIGHT, drawn, plain);
  for (guint x = walker.x; x < walker.x + walker.width; x++)
    *n_painted += differs (&pair, (gint) x, walker.y);
  *corner = differs (&pair, walker.x, walker.y);
  *middle = differs (&pair, walker.x + walker.width / 2, walker.y);
  pair_unmap (&pair);
}

/* Confirmed tracks have a whole line, merged ones corners, predicted ones faint dashes. */
static void
test_states (void)
{
  guint n_full, n_painted;
  gboolean corner, middle;

  count_side (GST_CCA_TRACK_STATE_CONFIRMED, &n_full, &n_painted, &corner, &middle);
  g_assert_cmpuint (n_full, ==, walker.width);

  count_side (GST_CCA_TRACK_STATE_MERGED, &n_full, &n_painted, &corner, &middle);
  g_assert_true (corner && !middle);
  g_assert_cmpuint (n_full, >=, walker.width / 3);
  g_assert_cmpuint (n_painted, <, walker.width * 3 / 4);

  count_side (GST_CCA_TRACK_STATE_COASTING, &n_full, &n_painted, &corner, &middle);
  g_assert_true (corner);
  g_assert_cmpuint (n_full, ==, 0);
  g_assert_cmpuint (n_painted, >, walker.width / 3);
  g_assert_cmpuint (n_painted, <, walker.width);
}

/* States look different in every format, and nothing is drawn beyond where a component's line would be. */
static void
test_states_in_formats (gconstpointer format)
{
  g_autoptr (GstBuffer) plain = frame_with (format, WIDTH, HEIGHT, NULL, 0);
  GstBuffer *drawn[3];

  for (guint i = 0; i < 3; i++) {
    GstCcaTrack track = walker;
    GstVideoRectangle area;

    track.state = (GstCcaTrackState) i;
    drawn[i] = draw_tracks (TRACK_BOXES, format, &track, 1);
    area = difference_of (format, WIDTH, HEIGHT, drawn[i], plain);
    g_assert_cmpint (area.x, >=, (gint) walker.x - 6);
    g_assert_cmpint (area.x, <, (gint) walker.x);
    g_assert_cmpint (area.x + area.w, >, (gint) (walker.x + walker.width));
    g_assert_cmpint (area.x + area.w, <=, (gint) (walker.x + walker.width) + 6);
    for (guint j = 0; j < i; j++)
      g_assert_false (same_bytes (drawn[i], drawn[j]));
  }
  for (guint i = 0; i < 3; i++)
    gst_buffer_unref (drawn[i]);
}

/* "#7" is wider than "7", and stands where a component's label would. */
static void
test_text (void)
{
  GstCcaComponent component = box;
  g_autoptr (GstBuffer) plain = frame_with ("GRAY8", WIDTH, HEIGHT, NULL, 0), drawn = NULL, labelled = NULL;
  GstVideoRectangle track_at, label_at;

  component.label = 7;
  labelled = draw (ONLY_TEXT "true", "GRAY8", WIDTH, HEIGHT, frame_with ("GRAY8", WIDTH, HEIGHT, &component, 1));
  drawn = draw_tracks (ONLY_TEXT "true trails=false", "GRAY8", &walker, 1);
  track_at = difference_of ("GRAY8", WIDTH, HEIGHT, drawn, plain);
  label_at = difference_of ("GRAY8", WIDTH, HEIGHT, labelled, plain);
  g_assert_cmpint (track_at.w, >, label_at.w);
  g_assert_cmpint (ABS (track_at.x - label_at.x), <=, 1);
  g_assert_cmpint (ABS (track_at.y - label_at.y), <=, 1);
}

/* A speed makes the text wider, where rules of the same analysis know it and the property is set. */
static void
test_speed (void)
{
  static const GstCcaGroundTrack known = { 7, GST_CCA_MEASURE_SPEED, 1, 2, 25, 0, 3 };
  static const struct
  {
    const gchar *launch, *id;
    GstCcaMeasures measured;
    gboolean wider;
  } cases[] = {
    { ONLY_TEXT "true trails=false", "", GST_CCA_MEASURE_SPEED, TRUE },
    { ONLY_TEXT "true trails=false speed=false", "", GST_CCA_MEASURE_SPEED, FALSE },
    { ONLY_TEXT "true trails=false", "", 0, FALSE },
    { ONLY_TEXT "true trails=false", "other", GST_CCA_MEASURE_SPEED, FALSE },
  };
  g_autoptr (GstBuffer) plain = frame_with ("GRAY8", WIDTH, HEIGHT, NULL, 0);
  g_autoptr (GstBuffer) alone = draw_tracks (ONLY_TEXT "true trails=false", "GRAY8", &walker, 1);
  const GstVideoRectangle label = difference_of ("GRAY8", WIDTH, HEIGHT, alone, plain);

  g_assert_cmpuint (walker.track_id, ==, known.track_id);
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    GstBuffer *frame = frame_with ("GRAY8", WIDTH, HEIGHT, NULL, 0);
    g_autoptr (GstBuffer) drawn = NULL;
    GstCcaGroundTrack track = known;
    GstVideoRectangle area;

    track.measured = cases[i].measured;
    gst_buffer_add_cca_track_meta (frame, "", WIDTH, HEIGHT, &walker, 1);
    g_assert_true (gst_cca_event_meta_set_ground_tracks (
        gst_buffer_add_cca_event_meta (frame, cases[i].id, WIDTH, HEIGHT, NULL, 0, NULL, 0), &track, 1));
    drawn = draw (cases[i].launch, "GRAY8", WIDTH, HEIGHT, frame);
    area = difference_of ("GRAY8", WIDTH, HEIGHT, drawn, plain);
    if (cases[i].wider)
      g_assert_cmpint (area.w, >, 2 * label.w);
    else
      g_assert_cmpint (area.w, ==, label.w);
  }
}

/* The class of a track's size is written as a detector's would be, where a detector named none. */
static void
test_size_class (void)
{
  static const gchar *const types[] = { NULL, "bus" };

  for (guint i = 0; i < G_N_ELEMENTS (types); i++) {
    const GstCcaGroundTrack known = { 7, 0, 1, 2, 0, 0, 3, g_quark_from_static_string ("lorry") };
    g_autoptr (GstBuffer) drawn = NULL, expected = NULL;
    GstBuffer *frame = frame_with ("GRAY8", WIDTH, HEIGHT, NULL, 0);
    GstCcaTrack track = walker;

    track.object_type = g_quark_from_static_string (types[i]);
    gst_buffer_add_cca_track_meta (frame, "", WIDTH, HEIGHT, &track, 1);
    g_assert_true (gst_cca_event_meta_set_ground_tracks (
        gst_buffer_add_cca_event_meta (frame, "", WIDTH, HEIGHT, NULL, 0, NULL, 0), &known, 1));
    drawn = draw (ONLY_TEXT "true trails=false", "GRAY8", WIDTH, HEIGHT, frame);
    track.object_type = g_quark_from_static_string (types[i] ? types[i] : "lorry");
    expected = draw_tracks (ONLY_TEXT "true trails=false", "GRAY8", &track, 1);
    g_assert_true (same_bytes (drawn, expected));
  }
}

/* The count is that of the tracks, and reads differently from one of components. */
static void
test_count (void)
{
  const GstCcaTrack tracks[] = { walker, { .track_id = 8, .x = 100, .y = 80, .width = 21, .height = 31 } };
  GstBuffer *drawn[] = {
    draw_tracks (ONLY_COUNT "trails=false", "GRAY8", tracks, 1),
    draw_tracks (ONLY_COUNT "trails=false", "GRAY8", tracks, 2),
    draw_tracks (ONLY_COUNT "trails=false tracks=false", "GRAY8", tracks, 2),
  };

  for (guint i = 0; i < G_N_ELEMENTS (drawn); i++)
    for (guint j = 0; j < i; j++)
      g_assert_false (same_bytes (drawn[i], drawn[j]));
  for (guint i = 0; i < G_N_ELEMENTS (drawn); i++)
    gst_buffer_unref (drawn[i]);
}

static gboolean
is_drawn_into (GstBuffer *drawn, GstBuffer *plain, const GstCcaComponent *component)
{
  gboolean found = FALSE;
  Pair pair;

  pair_map (&pair, "GRAY8", WIDTH, HEIGHT, drawn, plain);
  for (guint y = component->y; y < component->y + component->height; y++)
    for (guint x = component->x; x < component->x + component->width; x++)
      found = found || differs (&pair, (gint) x, (gint) y);
  pair_unmap (&pair);
  return found;
}

/* The count leaves a corner to an object that is there, for the next corner that is free. */
static void
test_count_beside_objects (void)
{
  const GstCcaComponent corners[] = {
    { .label = 1, .x = 0, .y = 0, .width = 24, .height = 40, .area = 900 },
    { .label = 2, .x = WIDTH - 24, .y = 0, .width = 24, .height = 40, .area = 900 },
    { .label = 3, .x = 0, .y = HEIGHT - 40, .width = 24, .height = 40, .area = 900 },
    { .label = 4, .x = WIDTH - 24, .y = HEIGHT - 40, .width = 24, .height = 40, .area = 900 },
  };
  g_autoptr (GstBuffer) plain = frame_with ("GRAY8", WIDTH, HEIGHT, NULL, 0);

  for (guint n = 0; n <= G_N_ELEMENTS (corners); n++) {
    g_autoptr (GstBuffer) drawn =
        draw (ONLY_COUNT, "GRAY8", WIDTH, HEIGHT, frame_with ("GRAY8", WIDTH, HEIGHT, corners, n));

    g_assert_false (same_bytes (drawn, plain));
    for (guint i = 0; i < n; i++)
      g_assert_false (is_drawn_into (drawn, plain, &corners[i]));
  }
}

static void
test_max_drawn (void)
{
  const GstCcaTrack tracks[] = { walker, { .track_id = 8, .x = 100, .y = 80, .width = 21, .height = 31 } };
  g_autoptr (GstBuffer) one = draw_tracks (TRACK_BOXES, "I420", tracks, 1);
  g_autoptr (GstBuffer) first = draw_tracks (TRACK_BOXES "max-drawn=1", "I420", tracks, 2);
  g_autoptr (GstBuffer) both = draw_tracks (TRACK_BOXES, "I420", tracks, 2);

  g_assert_true (same_bytes (one, first));
  g_assert_false (same_bytes (one, both));
}

/* Tracks behind an element that scales are where it shows them. */
static void
test_scaled (void)
{
  const GstVideoInfo info = test_video_info ("GRAY8", 2 * WIDTH, 2 * HEIGHT);
  const GstCcaComponent large = { .label = 7, .x = 80, .y = 100, .width = 60, .height = 40 };
  g_autoptr (GstBuffer) drawn =
      draw (TRACK_BOXES, "GRAY8", 2 * WIDTH, 2 * HEIGHT, add_tracks (test_frame (&info, 1), NULL, &walker, 1));
  g_autoptr (GstBuffer) boxed = draw (ONLY_BOXES "line-width=2 color-by=label", "GRAY8", 2 * WIDTH, 2 * HEIGHT,
                                      add_components (test_frame (&info, 1), 2 * WIDTH, 2 * HEIGHT, &large, 1));

  g_assert_true (same_bytes (drawn, boxed));
}

/* --- Trails ------------------------------------------------------------------------------------------ */

/* A frame at a time, with a walker of 10 by 20 pixels whose feet are at (x, y), or without anybody. */
static GstBuffer *
frame_at (gdouble seconds, gboolean present, guint x, guint y)
{
  const GstCcaTrack track = { .track_id = 3, .label = 1, .x = x - 5, .y = y - 20, .width = 10, .height = 20 };
  GstBuffer *buffer = grey_frame (WIDTH, HEIGHT);

  GST_BUFFER_PTS (buffer) = (GstClockTime) (seconds * GST_SECOND);
  return add_tracks (buffer, NULL, &track, present ? 1 : 0);
}

/* Lets the walker go from (30, 60) to (130, 60) in two seconds. Returns the last frame. */
static GstBuffer *
walk (GstHarness *harness, gdouble start)
{
  GstBuffer *drawn = NULL;

  for (gint i = 0; i <= 2 * FPS; i++) {
    gst_clear_buffer (&drawn);
    drawn = gst_harness_push_and_pull (harness, frame_at (start + (gdouble) i / FPS, TRUE, 30 + 2 * i, 60));
  }
  return drawn;
}

static gboolean
is_untouched (GstBuffer *drawn)
{
  g_autoptr (GstBuffer) plain = frame_at (0, FALSE, 0, 0);
  const gboolean same = same_bytes (drawn, plain);

  return same;
}

/* A trail leads along the feet's path and nowhere else, in the colour of the identity, the older the fainter. */
static void
test_trail (void)
{
  g_autoptr (GstHarness) harness = test_harness (TRAILS, test_caps ("RGBA", WIDTH, HEIGHT, NULL));
  const guint32 color = cca_label_color (3) & 0xffffff;
  g_autoptr (GstBuffer) drawn = walk (harness, 1), plain = frame_at (0, FALSE, 0, 0);
  const GstVideoRectangle area = difference_of ("RGBA", WIDTH, HEIGHT, drawn, plain);
  gint last = G_MAXINT;

  g_assert_cmphex (rgb_at (drawn, WIDTH, HEIGHT, 128, 60), ==, color);
  g_assert_cmpint (area.x, >=, 28);
  g_assert_cmpint (area.x, <=, 31);
  g_assert_cmpint (area.x + area.w, >=, 129);
  g_assert_cmpint (area.x + area.w, <=, 132);
  g_assert_cmpint (area.y, >=, 57);
  g_assert_cmpint (area.y + area.h, <=, 63);
  for (gint x = 124; x > 36; x -= 29) {
    const gint strength = contrast (rgb_at (drawn, WIDTH, HEIGHT, x, 60), rgb_at (plain, WIDTH, HEIGHT, x, 60));

    g_assert_cmpint (strength, >, 0);
    g_assert_cmpint (strength, <, last);
    last = strength;
  }
}

/* When a track has ended, its trail fades, and is gone after its duration. */
static void
test_trail_ends (void)
{
  g_autoptr (GstHarness) harness =
      test_harness (TRAILS "trail-duration=1000000000", test_caps ("RGBA", WIDTH, HEIGHT, NULL));
  g_autoptr (GstBuffer) plain = frame_at (0, FALSE, 0, 0);
  GstBuffer *drawn = walk (harness, 0);
  GstVideoRectangle area = difference_of ("RGBA", WIDTH, HEIGHT, drawn, plain);

  /* The last second is half of the way. */
  g_assert_cmpint (area.x, >=, 78);
  g_assert_cmpint (area.x, <=, 84);
  gst_buffer_unref (drawn);
  for (gint i = 1; i < FPS; i++) {
    const gint left = area.x;

    drawn = gst_harness_push_and_pull (harness, frame_at (2 + (gdouble) i / FPS, FALSE, 0, 0));
    area = difference_of ("RGBA", WIDTH, HEIGHT, drawn, plain);
    if (i < FPS - 2) {
      g_assert_cmpint (area.w, >, 0);
      g_assert_cmpint (area.x, >=, left);
    }
    gst_buffer_unref (drawn);
  }
  drawn = gst_harness_push_and_pull (harness, frame_at (3, FALSE, 0, 0));
  g_assert_true (same_bytes (drawn, plain));
  gst_buffer_unref (drawn);
}

/* After a flush, a new stream, a step back in time or a pause of the property nothing of the past is drawn. */
static void
test_trail_forgotten (void)
{
  g_autoptr (GstHarness) harness = test_harness (TRAILS, test_caps ("RGBA", WIDTH, HEIGHT, NULL));

  for (guint i = 0; i < 5; i++) {
    GstBuffer *drawn = walk (harness, 1);
    gdouble next = 3.1;

    g_assert_false (is_untouched (drawn));
    gst_buffer_unref (drawn);
    switch (i) {
      case 0: test_push_flush (harness); break;
      case 1: gst_harness_push_event (harness, gst_event_new_stream_start ("another")); break;
      case 2: next = 0.5; break;
      case 3:
        g_object_set (harness->element, "trails", FALSE, NULL);
        gst_buffer_unref (gst_harness_push_and_pull (harness, frame_at (3.05, FALSE, 0, 0)));
        g_object_set (harness->element, "trails", TRUE, NULL);
        break;
      default: break;
    }
    drawn = gst_harness_push_and_pull (harness, frame_at (next, FALSE, 0, 0));
    g_assert_cmpint (is_untouched (drawn), ==, i < 4);
    gst_buffer_unref (drawn);
  }
}

/* Frames without time stamps are as far apart as the caps say. */
static void
test_trail_without_times (void)
{
  g_autoptr (GstHarness) harness =
      test_harness (TRAILS "trail-duration=1000000000", test_caps ("RGBA", WIDTH, HEIGHT, NULL));

  for (gint i = 0; i < 3 * FPS; i++) {
    GstBuffer *buffer = frame_at (0, i < FPS, 30 + 2 * i, 60);
    g_autoptr (GstBuffer) drawn = NULL;

    GST_BUFFER_PTS (buffer) = GST_CLOCK_TIME_NONE;
    drawn = gst_harness_push_and_pull (harness, buffer);
    if (i == FPS + FPS / 2)
      g_assert_false (is_untouched (drawn));
    if (i > 2 * FPS)
      g_assert_true (is_untouched (drawn));
  }
}

/* A trail stays where it was seen when the frame's size changes. */
static void
test_trail_after_renegotiation (void)
{
  g_autoptr (GstHarness) harness = test_harness (TRAILS, test_caps ("RGBA", WIDTH, HEIGHT, NULL));
  g_autoptr (GstBuffer) plain = grey_frame (2 * WIDTH, 2 * HEIGHT);
  GstBuffer *buffer = gst_buffer_copy_deep (plain);
  g_autoptr (GstBuffer) drawn = NULL;
  GstVideoRectangle area;

  gst_buffer_unref (walk (harness, 0));
  gst_harness_set_src_caps (harness, test_caps ("RGBA", 2 * WIDTH, 2 * HEIGHT, NULL));
  GST_BUFFER_PTS (buffer) = 2 * GST_SECOND + GST_SECOND / FPS;
  drawn = gst_harness_push_and_pull (harness, add_tracks (buffer, NULL, NULL, 0));
  area = difference_of ("RGBA", 2 * WIDTH, 2 * HEIGHT, drawn, plain);
  g_assert_cmpint (ABS (area.x - 60), <=, 4);
  g_assert_cmpint (ABS (area.x + area.w - 260), <=, 4);
  g_assert_cmpint (ABS (area.y + area.h / 2 - 120), <=, 4);
}

/* Heights that the meta has are drawn if the property says so, while playing, too. */
static void
test_heights (void)
{
  const GstVideoInfo info = test_video_info ("RGBA", WIDTH, HEIGHT);
  g_autoptr (GstHarness) harness =
      test_harness ("ccaoverlay line-width=2 " QUIET, test_caps ("RGBA", WIDTH, HEIGHT, NULL));

  for (guint i = 0; i < 4; i++) {
    GstBuffer *buffer = add_tracks (test_frame (&info, 1), NULL, NULL, 0);
    g_autoptr (GstBuffer) drawn = NULL;
    g_autoptr (GstBuffer) plain = add_tracks (test_frame (&info, 1), NULL, NULL, 0);
    GstVideoRectangle bars;

    if (i != 2)
      gst_cca_track_meta_set_heights (gst_buffer_get_cca_track_meta (buffer), 40, 20, 100, 60);
    g_object_set (harness->element, "heights", i > 0, NULL);
    drawn = gst_harness_push_and_pull (harness, buffer);
    g_assert_cmpint (same_bytes (drawn, plain), ==, i == 0 || i == 2);
    if (i == 1 || i == 3) {
      /* The first and the last bar; the last one's text may lie below or beside. */
      bars = difference_of ("RGBA", WIDTH, HEIGHT, drawn, plain);
      g_assert_cmpint (bars.x, <=, WIDTH / 10 - 6);
      g_assert_cmpint (bars.x + bars.w, >=, WIDTH * 9 / 10 + 6);
      g_assert_cmpint (bars.y, <=, 20);
      g_assert_cmpint (bars.y + bars.h, >=, 101);
      g_assert_cmphex (rgb_at (drawn, WIDTH, HEIGHT, WIDTH / 10, 30), ==, 0xffffff);
      g_assert_cmphex (rgb_at (drawn, WIDTH, HEIGHT, WIDTH * 9 / 10, 70), ==, 0xffffff);
      g_assert_cmphex (rgb_at (drawn, WIDTH, HEIGHT, WIDTH / 10, 60), ==,
                       rgb_at (plain, WIDTH, HEIGHT, WIDTH / 10, 60));
    }
  }
}

GST_CASES_MAIN ()
{
  ADD_TESTS ("/overlay-tracks", test_color_by_identity, test_instead_of_components, test_sources, test_states,
             test_text, test_speed, test_size_class, test_count, test_count_beside_objects, test_max_drawn, test_scaled,
             test_heights);
  add_format_tests ("/overlay-tracks/states", test_states_in_formats);
  g_test_add_func ("/overlay-tracks/trails/path", test_trail);
  g_test_add_func ("/overlay-tracks/trails/ends", test_trail_ends);
  g_test_add_func ("/overlay-tracks/trails/forgotten", test_trail_forgotten);
  g_test_add_func ("/overlay-tracks/trails/without-times", test_trail_without_times);
  g_test_add_func ("/overlay-tracks/trails/after-renegotiation", test_trail_after_renegotiation);
}
