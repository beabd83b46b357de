/* gst-cca: the shapes that ccaoverlay draws; its memory of earlier frames has limits
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "../add-tests.h"
#include "gst/overlay/scene.h"

enum
{
  WIDTH = 640,
  HEIGHT = 480,
};

static const GstCcaView view = { WIDTH, HEIGHT, 0, 0, 2, 2 };

typedef struct
{
  GstCcaScene *scene;
  GstCcaDrawing *drawing;
  GstCcaFont *font;
  GstCcaLayers layers;
  GstCcaStyle style;
} Fixture;

static void
set_up (Fixture *fixture, gconstpointer data)
{
  fixture->scene = gst_cca_scene_new ();
  fixture->drawing = gst_cca_drawing_new ();
  fixture->font = gst_cca_font_new (HEIGHT);
  gst_cca_layers_init (&fixture->layers);
  fixture->style = (GstCcaStyle) { .color = 0xff000000, .line_width = 2, .trail_duration = 2 * GST_SECOND };
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  gst_cca_layers_clear (&fixture->layers);
  gst_cca_font_free (fixture->font);
  gst_cca_drawing_free (fixture->drawing);
  gst_cca_scene_free (fixture->scene);
}

/* Draws the metas of a buffer (taken). */
static void
show (Fixture *fixture, GstBuffer *buffer, GstClockTime time)
{
  gst_cca_drawing_clear (fixture->drawing);
  gst_cca_layers_collect (&fixture->layers, buffer, WIDTH, HEIGHT, NULL);
  gst_cca_scene_draw (fixture->scene, fixture->drawing, fixture->font, &fixture->style, &view, &fixture->layers, time);
  gst_buffer_unref (buffer);
}

static guint
count_shapes (const Fixture *fixture, GstCcaShapeType type)
{
  guint n = 0;

  for (guint i = 0; i < fixture->drawing->shapes->len; i++)
    n += g_array_index (fixture->drawing->shapes, GstCcaDrawnShape, i).type == type;
  return n;
}

/* A buffer with n tracks from a first identity on, each a pixel further right with each step. */
static GstBuffer *
crowd (guint64 first, guint n, guint step)
{
  GstBuffer *buffer = gst_buffer_new ();
  g_autofree GstCcaTrack *tracks = g_new0 (GstCcaTrack, n);

  for (guint i = 0; i < n; i++)
    tracks[i] = (GstCcaTrack) {
      .track_id = first + i, .label = i + 1, .x = i % 500 + step, .y = i % 400, .width = 10, .height = 20
    };
  gst_buffer_add_cca_track_meta (buffer, "crowd", WIDTH, HEIGHT, tracks, n);
  return buffer;
}

/* The number of points is limited for any life of a track and any frame rate. */
static void
test_trail_is_bounded (Fixture *fixture, gconstpointer data)
{
  fixture->style.trails = TRUE;
  for (guint frame = 0; frame < 3000; frame++) {
    show (fixture, crowd (1, 1, frame % 100), frame * GST_MSECOND);
    g_assert_cmpuint (fixture->drawing->vertices->len, <=, 64 + 8);
  }
  /* At most eight parts, from the oldest to the newest position. */
  g_assert_cmpuint (count_shapes (fixture, GST_CCA_SHAPE_LINE), <=, 9);
  g_assert_cmpuint (fixture->drawing->vertices->len, >, 32);
  g_assert_cmpfloat (g_array_index (fixture->drawing->vertices, GstCcaVertex, fixture->drawing->vertices->len - 1).x,
                     ==, 2999 % 100 + 5);
}

/* The number of trails is limited; ended tracks make room. */
static void
test_trails_are_bounded (Fixture *fixture, gconstpointer data)
{
  fixture->style.trails = TRUE;
  for (guint frame = 0; frame < 10; frame++)
    show (fixture, crowd (1 + frame / 2 * 3000, 3000, frame), frame * GST_MSECOND);
  g_assert_cmpuint (count_shapes (fixture, GST_CCA_SHAPE_LINE), ==, 4096);
  show (fixture, crowd (100001, 10, 1), 3 * GST_SECOND);
  show (fixture, crowd (100001, 10, 2), 3 * GST_SECOND + 1);
  g_assert_cmpuint (count_shapes (fixture, GST_CCA_SHAPE_LINE), ==, 10);
}

/* Two analyses may use the same identities. */
static void
test_trails_of_analyses (Fixture *fixture, gconstpointer data)
{
  fixture->style.trails = TRUE;
  for (guint frame = 0; frame < 2; frame++) {
    const GstCcaTrack there = { .track_id = 1, .x = 300 + frame, .y = 100, .width = 20, .height = 20 };
    GstBuffer *buffer = crowd (1, 1, frame);

    gst_buffer_add_cca_track_meta (buffer, "there", WIDTH, HEIGHT, &there, 1);
    show (fixture, buffer, frame * GST_MSECOND);
  }
  g_assert_cmpuint (count_shapes (fixture, GST_CCA_SHAPE_LINE), ==, 2);
  for (guint i = 0; i < 4; i += 2) {
    const GstCcaVertex *vertices = &g_array_index (fixture->drawing->vertices, GstCcaVertex, i);

    g_assert_cmpfloat (vertices[1].x - vertices[0].x, ==, 1);
  }
}

static void
test_events_are_bounded (Fixture *fixture, gconstpointer data)
{
  const GstCcaEvent event = { .type = GST_CCA_EVENT_ENTER, .rule = "zone", .x = 100, .y = 100 };

  fixture->style.events = TRUE;
  for (guint frame = 0; frame < 200; frame++) {
    GstBuffer *buffer = gst_buffer_new ();

    gst_buffer_add_cca_event_meta (buffer, NULL, WIDTH, HEIGHT, NULL, 0, &event, 1);
    show (fixture, buffer, GST_MSECOND * frame);
    g_assert_cmpuint (count_shapes (fixture, GST_CCA_SHAPE_LINE), ==, MIN (frame + 1, 64));
  }
}

/* The map's image covers only cells with heat, so that the rest need not be blended. */
static void
test_heatmap_is_small (Fixture *fixture, gconstpointer data)
{
  fixture->style.heatmap = TRUE;
  for (guint frame = 0; frame < 20; frame++) {
    const GstCcaTrack track = { .track_id = 1, .x = 310, .y = 200, .width = 20, .height = 40 };
    GstBuffer *buffer = gst_buffer_new ();

    gst_buffer_add_cca_track_meta (buffer, NULL, WIDTH, HEIGHT, &track, 1);
    show (fixture, buffer, GST_SECOND * frame / 2);
  }
  g_assert_cmpuint (fixture->drawing->shapes->len, ==, 1);
  g_assert_cmpint (g_array_index (fixture->drawing->shapes, GstCcaDrawnShape, 0).type, ==, GST_CCA_SHAPE_IMAGE);
  g_assert_cmpint (g_array_index (fixture->drawing->shapes, GstCcaDrawnShape, 0).image.place.w, <, 100);
  g_assert_cmpint (g_array_index (fixture->drawing->shapes, GstCcaDrawnShape, 0).image.place.h, <, 100);
}

/* A crop of the gate is a dashed box where it lies, if the style has crops; other regions are not drawn. */
static void
test_crops (Fixture *fixture, gconstpointer data)
{
  gint left = WIDTH, top = HEIGHT, right = 0, bottom = 0;
  guint n_dashes = 0;

  for (guint i = 0; i < 2; i++) {
    GstBuffer *buffer = gst_buffer_new ();

    gst_buffer_add_video_region_of_interest_meta (buffer, "cca-crop", 100, 60, 200, 120);
    gst_buffer_add_video_region_of_interest_meta (buffer, "person", 400, 300, 50, 100);
    fixture->style.crops = i > 0;
    show (fixture, buffer, 0);
    g_assert_cmpint (fixture->drawing->shapes->len > 0, ==, i > 0);
  }
  for (guint i = 0; i < fixture->drawing->shapes->len; i++) {
    const GstCcaDrawnShape *shape = &g_array_index (fixture->drawing->shapes, GstCcaDrawnShape, i);
    const GstCcaRect *dash = &shape->ring.outer;

    g_assert_cmpint (shape->type, ==, GST_CCA_SHAPE_RING);
    if (shape->color != GST_CCA_RULE_COLOR)
      continue;
    left = MIN (left, dash->x);
    top = MIN (top, dash->y);
    right = MAX (right, dash->x + dash->w);
    bottom = MAX (bottom, dash->y + dash->h);
    n_dashes++;
  }
  g_assert_cmpuint (n_dashes, >, 4);
  g_assert_cmpint (ABS (left - 100), <=, 2);
  g_assert_cmpint (ABS (top - 60), <=, 2);
  g_assert_cmpint (ABS (right - 300), <=, 2);
  g_assert_cmpint (ABS (bottom - 180), <=, 2);
}

/* Draws the heights of a tracker that knows them between two rows. */
static void
show_heights (Fixture *fixture, guint width, guint height, gdouble upper, gdouble lower)
{
  GstBuffer *buffer = gst_buffer_new ();
  GstCcaTrackMeta *meta = gst_buffer_add_cca_track_meta (buffer, NULL, width, height, NULL, 0);

  gst_cca_track_meta_set_heights (meta, upper, upper / 4, lower, lower / 4);
  show (fixture, buffer, 0);
}

/* Five bars, each as high as an object on its row: here a quarter of the row. */
static void
test_heights (Fixture *fixture, gconstpointer data)
{
  static const gchar *const texts[] = { "25 px", "44 px", "62 px", "81 px", "100 px" };
  guint n_texts = 0;

  show_heights (fixture, WIDTH, HEIGHT, 100, 400);
  g_assert_cmpuint (fixture->drawing->shapes->len, ==, 0);
  fixture->style.heights = TRUE;
  show (fixture, crowd (1, 3, 0), 0);
  g_assert_cmpuint (fixture->drawing->shapes->len, ==, 0);

  /* The same frame, and one of half its size in which the tracker worked. */
  for (guint scale = 1; scale <= 2; scale++) {
    guint n_bars = 0;

    show_heights (fixture, WIDTH / scale, HEIGHT / scale, 100.0 / scale, 400.0 / scale);
    for (guint i = 0; i < fixture->drawing->shapes->len; i++) {
      const GstCcaDrawnShape *shape = &g_array_index (fixture->drawing->shapes, GstCcaDrawnShape, i);
      const gdouble row = 100 + 75 * (gdouble) (n_bars / 2);
      const GstCcaVertex *vertices;

      if (shape->type == GST_CCA_SHAPE_TEXT && scale == 1) {
        g_assert_cmpstr (gst_cca_drawing_text (fixture->drawing, shape), ==, texts[n_texts++]);
        continue;
      }
      if (shape->type != GST_CCA_SHAPE_LINE)
        continue;
      vertices = gst_cca_drawing_vertices (fixture->drawing, shape);
      if (vertices[0].x != vertices[1].x)
        continue;
      /* Its dark edge, then itself. */
      g_assert_cmpfloat_with_epsilon (vertices[0].x, WIDTH * (2 * (n_bars / 2) + 1) / 10.0, 1e-9);
      g_assert_cmpfloat_with_epsilon (vertices[0].y, row - row / 4, 1e-9);
      g_assert_cmpfloat_with_epsilon (vertices[1].y, row, 1e-9);
      n_bars++;
    }
    g_assert_cmpuint (n_bars, ==, 2 * 5);
  }
  g_assert_true (n_texts == 5 || n_texts == 0); /* without a font */
}

/* A label has the class before the identity, however long that is, and whole characters of it. */
static void
test_class (Fixture *fixture, gconstpointer data)
{
  static const gchar *const cases[][2] = {
    { "person", "person #7" },
    { NULL, "#7" },
    { "öööööööööööööööööööööööööööööööööööööööö", "öööööööööööööööööööööööö #7" },
  };

  fixture->style.tracks = fixture->style.labels = TRUE;
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    const GstCcaTrack track = { .track_id = 7,
                                .label = 1,
                                .x = 200,
                                .y = 200,
                                .width = 200,
                                .height = 100,
                                .object_type = g_quark_from_string (cases[i][0]) };
    GstBuffer *buffer = gst_buffer_new ();
    guint n_texts = 0;

    gst_buffer_add_cca_track_meta (buffer, "crowd", WIDTH, HEIGHT, &track, 1);
    show (fixture, buffer, 0);
    for (guint k = 0; k < fixture->drawing->shapes->len; k++) {
      const GstCcaDrawnShape *shape = &g_array_index (fixture->drawing->shapes, GstCcaDrawnShape, k);

      if (shape->type != GST_CCA_SHAPE_TEXT)
        continue;
      g_assert_cmpstr (gst_cca_drawing_text (fixture->drawing, shape), ==, cases[i][1]);
      n_texts++;
    }
    g_assert_cmpuint (n_texts, ==, fixture->font ? 1 : 0);
  }
}

/* Rows outside of a cropped view have no bar. */
static void
test_heights_outside (Fixture *fixture, gconstpointer data)
{
  fixture->style.heights = TRUE;
  show_heights (fixture, WIDTH, HEIGHT, HEIGHT + 400, HEIGHT + 800);
  g_assert_cmpuint (fixture->drawing->shapes->len, ==, 0);
  show_heights (fixture, WIDTH, HEIGHT, 100, 1e300);
  g_assert_cmpuint (count_shapes (fixture, GST_CCA_SHAPE_LINE), ==, 6);
}

/* The order of painting: the map, rules, trails, events, boxes, centroids, texts. */
static void
test_order (Fixture *fixture, gconstpointer data)
{
  static const GstCcaPoint points[] = { { 10, 10 }, { 300, 10 }, { 300, 300 } };
  static const GstCcaRule zone = { .name = "zone", .type = GST_CCA_RULE_ZONE, .n_points = 3, .points = points };
  static const GstCcaShapeType expected[] = { GST_CCA_SHAPE_IMAGE, GST_CCA_SHAPE_POLYGON, GST_CCA_SHAPE_LINE,
                                              GST_CCA_SHAPE_RING, GST_CCA_SHAPE_TEXT };
  guint phase = 0;

  fixture->style = (GstCcaStyle) { TRUE, TRUE, TRUE, FALSE, TRUE, TRUE, TRUE, TRUE, TRUE, FALSE, GST_SECOND };
  fixture->style.color = 0xffffffff;
  for (guint frame = 0; frame < 10; frame++) {
    GstBuffer *buffer = crowd (1, 5, frame);

    gst_buffer_add_cca_event_meta (buffer, "crowd", WIDTH, HEIGHT, &zone, 1, NULL, 0);
    show (fixture, buffer, GST_SECOND * frame / 4);
  }
  for (guint i = 0; i < fixture->drawing->shapes->len; i++) {
    const GstCcaShapeType type = g_array_index (fixture->drawing->shapes, GstCcaDrawnShape, i).type;

    while (phase < G_N_ELEMENTS (expected) && type != expected[phase])
      phase++;
    g_assert_cmpuint (phase, <, G_N_ELEMENTS (expected));
  }
  g_assert_cmpuint (phase, ==, G_N_ELEMENTS (expected) - 1);
}

CASES_MAIN_AFTER (gst_init (&argc, &argv))
{
#define ADD(name, function) g_test_add ("/overlay-scene/" name, Fixture, NULL, set_up, function, tear_down)
  ADD ("trail-is-bounded", test_trail_is_bounded);
  ADD ("trails-are-bounded", test_trails_are_bounded);
  ADD ("trails-of-analyses", test_trails_of_analyses);
  ADD ("events-are-bounded", test_events_are_bounded);
  ADD ("heatmap-is-small", test_heatmap_is_small);
  ADD ("class", test_class);
  ADD ("crops", test_crops);
  ADD ("heights", test_heights);
  ADD ("heights-outside", test_heights_outside);
  ADD ("order", test_order);
}
