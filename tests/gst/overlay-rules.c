/* gst-cca: ccaoverlay, rules, their events, and the heatmap
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "overlay-test.h"

#include <gst/cca/gstccaeventmeta.h>
#include <gst/cca/gstccatrackmeta.h>
#include <math.h>

#define QUIET "show-boxes=false show-centroids=false show-labels=false show-count=false trails=false "
#define RULES "ccaoverlay events=false line-width=2 " QUIET
#define EVENTS "ccaoverlay rules=false line-width=2 " QUIET
#define HEATMAP "ccaoverlay heatmap=true rules=false events=false " QUIET
#define WHITE 0xffffff
#define RED(color) ((gint) ((color) & 0xff))
#define GREEN(color) ((gint) ((color) >> 8 & 0xff))
#define BLUE(color) ((gint) ((color) >> 16 & 0xff))

/* Large enough for texts beside each other. */
enum
{
  VIEW_W = 320,
  VIEW_H = 240,
};

static const GstCcaPoint square[] = { { 40, 100 }, { 140, 100 }, { 140, 200 }, { 40, 200 } };
static const GstCcaPoint downward[] = { { 200, 40 }, { 200, 220 } };
static const GstCcaRule zone = { .name = "door", .type = GST_CCA_RULE_ZONE, .n_points = 4, .points = square };
static const GstCcaRule line = { .name = "road", .type = GST_CCA_RULE_LINE, .n_points = 2, .points = downward };

static GstBuffer *
plain_frame (void)
{
  return grey_frame (VIEW_W, VIEW_H);
}

static GstBuffer *
add_rules (GstBuffer *buffer, const GstCcaRule *rules, guint n_rules, const GstCcaEvent *events, guint n_events)
{
  g_assert_nonnull (gst_buffer_add_cca_event_meta (buffer, NULL, VIEW_W, VIEW_H, rules, n_rules, events, n_events));
  return buffer;
}

static GstBuffer *
draw_rule (const gchar *launch, const GstCcaRule *rule)
{
  return draw (launch, "RGBA", VIEW_W, VIEW_H, add_rules (plain_frame (), rule, 1, NULL, 0));
}

/* Returns how many pixels of a rectangle differ from the plain frame. */
static guint
n_changed (GstBuffer *drawn, gint x, gint y, gint w, gint h)
{
  g_autoptr (GstBuffer) plain = plain_frame ();
  guint n = 0;
  Pair pair;

  pair_map (&pair, "RGBA", VIEW_W, VIEW_H, drawn, plain);
  for (gint j = y; j < y + h; j++)
    for (gint i = x; i < x + w; i++)
      n += differs (&pair, i, j);
  pair_unmap (&pair);
  return n;
}

/* --- The camera ---------------------------------------------------------------------------------------- */

/* Draws frames without metas behind an event that tells a camera's state. */
static GstBuffer *
draw_state (const gchar *launch, const gchar *state)
{
  g_autoptr (GstHarness) harness = test_harness (launch, test_caps ("RGBA", VIEW_W, VIEW_H, NULL));

  test_push_camera_state (harness, state);
  return test_pass (harness, plain_frame ());
}

/* The state of a camera that is not well stands in red in the middle of the upper edge. */
static void
test_camera (void)
{
  GstBuffer *drawn = draw_state ("ccaoverlay", "covered");
  guint n_red = 0;

  for (gint y = 0; y < 60; y++)
    for (gint x = 0; x < VIEW_W; x++)
      n_red += rgb_at (drawn, VIEW_W, VIEW_H, x, y) == 0x0000d0;
  g_assert_cmpuint (n_red, >, 500);
  g_assert_cmpuint (n_changed (drawn, 0, 60, VIEW_W, VIEW_H - 60), ==, 0);
  gst_buffer_unref (drawn);
  drawn = draw_state ("ccaoverlay", "well");
  g_assert_cmpuint (n_changed (drawn, 0, 0, VIEW_W, VIEW_H), ==, 0);
  gst_buffer_unref (drawn);
  drawn = draw_state ("ccaoverlay camera=false", "covered");
  g_assert_cmpuint (n_changed (drawn, 0, 0, VIEW_W, VIEW_H), ==, 0);
  gst_buffer_unref (drawn);
}

/* --- Rules ------------------------------------------------------------------------------------------- */

/* A zone has an outline and a light filling through which the picture shows. */
static void
test_zone (void)
{
  g_autoptr (GstBuffer) drawn = draw_rule (RULES, &zone);

  for (gint i = 44; i < 136; i++) {
    g_assert_cmphex (rgb_at (drawn, VIEW_W, VIEW_H, 40, 64 + i), ==, WHITE);
    g_assert_cmphex (rgb_at (drawn, VIEW_W, VIEW_H, 139, 64 + i), ==, WHITE);
    g_assert_cmphex (rgb_at (drawn, VIEW_W, VIEW_H, i, 199), ==, WHITE);
    g_assert_cmpint (RED (rgb_at (drawn, VIEW_W, VIEW_H, i, 150)), >, 0x60 + 8);
    g_assert_cmpint (RED (rgb_at (drawn, VIEW_W, VIEW_H, i, 150)), <, 0x60 + 60);
  }
  g_assert_cmpuint (n_changed (drawn, 60, 120, 60, 60), >, 3000);
  g_assert_cmpuint (n_changed (drawn, 150, 100, 170, 140), ==, 0);
  g_assert_cmpuint (n_changed (drawn, 0, 210, VIEW_W, 30), ==, 0);
}

/* The arrow of a line points forward: to its right-hand side, as seen along it. */
static void
test_line (void)
{
  GstCcaPoint upward[2] = { downward[1], downward[0] };
  GstCcaRule reversed = line;
  g_autoptr (GstBuffer) drawn = draw_rule (RULES, &line), turned = NULL;

  reversed.points = upward;
  turned = draw_rule (RULES, &reversed);
  for (gint y = 60; y < 210; y++) {
    g_assert_cmphex (rgb_at (drawn, VIEW_W, VIEW_H, 200, y), ==, WHITE);
    g_assert_cmphex (rgb_at (turned, VIEW_W, VIEW_H, 199, y), ==, WHITE);
  }
  /* For a line that leads down, right is the left of the picture. */
  g_assert_cmpuint (n_changed (drawn, 180, 115, 15, 30), >, 20);
  g_assert_cmpuint (n_changed (drawn, 205, 115, 15, 30), ==, 0);
  g_assert_cmpuint (n_changed (turned, 180, 115, 15, 30), ==, 0);
  g_assert_cmpuint (n_changed (turned, 205, 115, 15, 30), >, 20);
}

/* Each counter and the name change the text, and nothing else. */
static void
test_counters (void)
{
  for (guint type = 0; type < 2; type++) {
    const GstCcaRule *base = type == 0 ? &zone : &line;
    GstCcaRule rules[4] = { *base, *base, *base, *base };
    GstBuffer *drawn[4];

    rules[1].n_in = 12;
    rules[2].n_out = 12;
    rules[3].name = "other";
    for (guint i = 0; i < 4; i++) {
      drawn[i] = draw_rule (RULES, &rules[i]);
      for (guint j = 0; j < i; j++) {
        const GstVideoRectangle area = difference_of ("RGBA", VIEW_W, VIEW_H, drawn[i], drawn[j]);

        g_assert_cmpint (area.w, >, 0);
        g_assert_cmpint (area.h, <, 30);
      }
    }
    for (guint i = 0; i < 4; i++)
      gst_buffer_unref (drawn[i]);
  }
}

static void
test_occupancy (void)
{
  GstCcaRule busy = zone;
  g_autoptr (GstBuffer) empty = draw_rule (RULES, &zone), drawn = NULL;

  busy.occupancy = 3;
  drawn = draw_rule (RULES, &busy);
  g_assert_false (same_bytes (drawn, empty));
}

static void
test_no_rules (void)
{
  g_autoptr (GstBuffer) drawn = draw_rule (RULES "rules=false", &zone);

  g_assert_cmpuint (n_changed (drawn, 0, 0, VIEW_W, VIEW_H), ==, 0);
}

/* Rules of a frame of half the size. */
static void
test_scaled (void)
{
  const GstCcaPoint half[] = { { 20, 50 }, { 70, 50 }, { 70, 100 }, { 20, 100 } };
  const GstCcaRule small = { .name = "door", .type = GST_CCA_RULE_ZONE, .n_points = 4, .points = half };
  GstBuffer *buffer = plain_frame ();
  g_autoptr (GstBuffer) drawn = NULL, whole = draw_rule (RULES, &zone);

  g_assert_nonnull (gst_buffer_add_cca_event_meta (buffer, NULL, VIEW_W / 2, VIEW_H / 2, &small, 1, NULL, 0));
  drawn = draw (RULES, "RGBA", VIEW_W, VIEW_H, buffer);
  g_assert_true (same_bytes (drawn, whole));
}

/* People stand wherever the text could go at first: it finds a place that hides none of them. */
static void
test_text_hides_nobody (void)
{
  GstCcaComponent people[24];
  GstBuffer *buffer, *drawn, *shapes;
  const gint y = 20;
  guint n = 0;
  Pair pair;

  /* In a grid around the line's two ends and the zone's corners. */
  for (gint row = 0; row < 4; row++)
    for (gint column = 0; column < 6; column++)
      people[n++] = (GstCcaComponent) { .label = n + 1,
                                        .x = 4 + 54 * (guint) column,
                                        .y = (guint) (y + 58 * row),
                                        .width = 30,
                                        .height = 40,
                                        .area = 1000 };
  for (guint i = 0; i < 2; i++) {
    const GstCcaRule *rule = i == 0 ? &zone : &line;

    buffer = add_components (add_rules (plain_frame (), rule, 1, NULL, 0), VIEW_W, VIEW_H, people, n);
    drawn = draw (RULES, "RGBA", VIEW_W, VIEW_H, buffer);
    shapes = draw_rule (RULES, rule);
    pair_map (&pair, "RGBA", VIEW_W, VIEW_H, drawn, shapes);
    for (guint j = 0; j < n; j++) {
      guint white = 0;

      for (guint py = people[j].y; py < people[j].y + people[j].height; py++)
        for (guint px = people[j].x; px < people[j].x + people[j].width; px++)
          white +=
              differs (&pair, (gint) px, (gint) py) && rgb_at (drawn, VIEW_W, VIEW_H, (gint) px, (gint) py) == WHITE;
      g_assert_cmpuint (white, ==, 0);
    }
    pair_unmap (&pair);
    gst_buffer_unref (shapes);
    gst_buffer_unref (drawn);
  }
}

/* A text that made room for somebody stays where it went. */
static void
test_text_stays (void)
{
  g_autoptr (GstHarness) harness = test_harness (RULES, test_caps ("RGBA", VIEW_W, VIEW_H, NULL));
  const GstCcaComponent person = { .label = 1, .x = 195, .y = 10, .width = 120, .height = 80, .area = 1 };
  GstBuffer *drawn[3];

  for (guint i = 0; i < 3; i++) {
    GstBuffer *buffer = add_rules (plain_frame (), &line, 1, NULL, 0);

    drawn[i] = gst_harness_push_and_pull (harness, add_components (buffer, VIEW_W, VIEW_H, &person, i == 1));
  }
  g_assert_false (same_bytes (drawn[0], drawn[1]));
  g_assert_true (same_bytes (drawn[1], drawn[2]));
  for (guint i = 0; i < 3; i++)
    gst_buffer_unref (drawn[i]);
}

/* The element draws rules with odd points as far as possible. */
static void
test_odd_rules (void)
{
  const GstCcaPoint wild[] = { { NAN, 3 }, { 1e300, -1e300 }, { -1e9, 1e9 }, { 5, 5 } };
  const GstCcaPoint same[] = { { 5, 5 }, { 5, 5 }, { 5, 5 } };
  const GstCcaRule rules[] = {
    { .name = "", .type = GST_CCA_RULE_ZONE },
    { .name = "point", .type = GST_CCA_RULE_LINE, .n_points = 1, .points = same },
    { .name = "points", .type = GST_CCA_RULE_LINE, .n_points = 3, .points = same },
    { .name = "flat", .type = GST_CCA_RULE_ZONE, .n_points = 2, .points = square },
    { .name = "nan", .type = GST_CCA_RULE_ZONE, .n_points = 4, .points = wild },
    { .name = "far", .type = GST_CCA_RULE_LINE, .n_points = 3, .points = wild + 1 },
    { .name = "größer → \xf0\x9f\x9a\xb6", .type = GST_CCA_RULE_ZONE, .n_points = 4, .points = square },
  };
  g_autoptr (GstBuffer) drawn =
      draw (RULES, "RGBA", VIEW_W, VIEW_H, add_rules (plain_frame (), rules, G_N_ELEMENTS (rules), NULL, 0));

  g_assert_cmphex (rgb_at (drawn, VIEW_W, VIEW_H, 100, 199), ==, WHITE);
}

/* --- Events ------------------------------------------------------------------------------------------ */

static const GstCcaEvent crossing = { .type = GST_CCA_EVENT_CROSS,
                                      .rule = "road",
                                      .track_id = 4,
                                      .direction = GST_CCA_DIRECTION_FORWARD,
                                      .x = 200,
                                      .y = 130,
                                      .dwell = GST_CLOCK_TIME_NONE };

static GstBuffer *
event_frame (gdouble seconds, const GstCcaEvent *events, guint n)
{
  GstBuffer *buffer = plain_frame ();

  GST_BUFFER_PTS (buffer) = (GstClockTime) (seconds * GST_SECOND);
  return add_rules (buffer, &line, 1, events, n);
}

/* An event is shown for a second at its place, together with other events near it. */
static void
test_event (void)
{
  static const struct
  {
    gdouble time;
    gboolean shown;
  } times[] = { { 5, TRUE }, { 5.5, TRUE }, { 5.95, TRUE }, { 6.05, FALSE }, { 7, FALSE } };
  g_autoptr (GstHarness) harness = test_harness (EVENTS, test_caps ("RGBA", VIEW_W, VIEW_H, NULL));

  for (guint i = 0; i < G_N_ELEMENTS (times); i++) {
    g_autoptr (GstBuffer) drawn = gst_harness_push_and_pull (harness, event_frame (times[i].time, &crossing, i == 0));

    g_assert_cmpint (n_changed (drawn, 180, 110, 40, 40) > 0, ==, times[i].shown);
    g_assert_cmpint (n_changed (drawn, 0, 0, VIEW_W, VIEW_H) > n_changed (drawn, 180, 110, 40, 40), ==, times[i].shown);
  }
}

static void
test_event_texts (void)
{
  GstCcaEvent events[5] = { crossing, crossing, crossing, crossing, crossing };
  GstBuffer *drawn[5];

  events[1].direction = GST_CCA_DIRECTION_BACKWARD;
  events[2].track_id = 5;
  events[3].rule = "path";
  events[4].type = GST_CCA_EVENT_ENTER;
  for (guint i = 0; i < G_N_ELEMENTS (events); i++) {
    drawn[i] = draw (EVENTS, "RGBA", VIEW_W, VIEW_H, event_frame (1, &events[i], 1));
    for (guint j = 0; j < i; j++)
      g_assert_false (same_bytes (drawn[i], drawn[j]));
  }
  for (guint i = 0; i < G_N_ELEMENTS (events); i++)
    gst_buffer_unref (drawn[i]);
}

static void
test_event_forgotten (void)
{
  g_autoptr (GstHarness) harness = test_harness (EVENTS, test_caps ("RGBA", VIEW_W, VIEW_H, NULL));

  for (guint i = 0; i < 3; i++) {
    g_autoptr (GstBuffer) drawn = NULL;

    gst_buffer_unref (gst_harness_push_and_pull (harness, event_frame (1, &crossing, 1)));
    if (i == 0) {
      test_push_flush (harness);
    } else if (i == 1) {
      g_object_set (harness->element, "events", FALSE, NULL);
      gst_buffer_unref (gst_harness_push_and_pull (harness, event_frame (1.1, NULL, 0)));
      g_object_set (harness->element, "events", TRUE, NULL);
    }
    drawn = gst_harness_push_and_pull (harness, event_frame (1.2, NULL, 0));
    g_assert_cmpint (n_changed (drawn, 0, 0, VIEW_W, VIEW_H) == 0, ==, i < 2);
  }
}

/* --- Heatmap ----------------------------------------------------------------------------------------- */

/* Returns a frame with a person whose feet are at (x, y), as a track or as a component, or an empty one. */
static GstBuffer *
heat_frame (gdouble seconds, gboolean as_track, gint x, gint y)
{
  const guint left = (guint) MAX (0, x - 10), top = (guint) MAX (0, y - 40), n = x > 0;
  const GstCcaTrack track = { .track_id = 1, .label = 1, .x = left, .y = top, .width = 20, .height = 40 };
  const GstCcaComponent component = { .label = 1, .x = left, .y = top, .width = 20, .height = 40 };
  GstBuffer *buffer = plain_frame ();

  GST_BUFFER_PTS (buffer) = (GstClockTime) (seconds * GST_SECOND);
  if (as_track)
    gst_buffer_add_cca_track_meta (buffer, NULL, VIEW_W, VIEW_H, &track, n);
  /* With tracks, components do not count once more. */
  gst_buffer_add_cca_meta (buffer, NULL, VIEW_W, VIEW_H, n, &component, n);
  return buffer;
}

/* Lets a person stand at a place for some seconds. Returns the last frame. */
static GstBuffer *
stand (GstHarness *harness, gdouble *time, gdouble seconds, gboolean as_track, gint x, gint y)
{
  GstBuffer *drawn = NULL;

  for (gint i = 0; i <= (gint) (seconds * 2); i++) {
    gst_clear_buffer (&drawn);
    drawn = gst_harness_push_and_pull (harness, heat_frame (*time, as_track, x, y));
    *time += 0.5;
  }
  return drawn;
}

/* The map is translucent, from blue to red: a person who stands for long becomes red. */
static void
test_heatmap (gconstpointer as_track)
{
  g_autoptr (GstHarness) harness = test_harness (HEATMAP, test_caps ("RGBA", VIEW_W, VIEW_H, NULL));
  g_autoptr (GstBuffer) drawn = NULL;
  gdouble time = 1;
  guint32 hot, warm;

  gst_buffer_unref (stand (harness, &time, 20, GPOINTER_TO_INT (as_track), 80, 120));
  drawn = stand (harness, &time, 2, GPOINTER_TO_INT (as_track), 220, 200);
  hot = rgb_at (drawn, VIEW_W, VIEW_H, 80, 120);
  warm = rgb_at (drawn, VIEW_W, VIEW_H, 220, 200);

  /* Red where somebody stood for 20 s; sqrt (2 / 20) of the scale, blue and green, at the other place. */
  g_assert_cmpint (RED (hot), >, 0x60 + 60);
  g_assert_cmpint (GREEN (hot), <, 0x60);
  g_assert_cmpint (BLUE (hot), <, 0x60);
  g_assert_cmpint (RED (warm), <, 0x60);
  g_assert_cmpint (GREEN (warm), >, 0x60);
  g_assert_cmpint (BLUE (warm), >, 0x60);
  g_assert_cmpuint (n_changed (drawn, 210, 190, 20, 20), >, 300);
  g_assert_cmpuint (n_changed (drawn, 70, 110, 20, 20), >, 300);
  g_assert_cmpuint (n_changed (drawn, 130, 0, 40, VIEW_H), ==, 0);
  g_assert_cmpuint (n_changed (drawn, 0, 0, VIEW_W, 80), ==, 0);
}

/* In five minutes without anybody, 10 s become 5: then another place where somebody stands for 5 s looks the same. */
static void
test_heatmap_cools (void)
{
  g_autoptr (GstHarness) harness = test_harness (HEATMAP, test_caps ("RGBA", VIEW_W, VIEW_H, NULL));
  gdouble time = 1;

  gst_buffer_unref (stand (harness, &time, 10, TRUE, 80, 120));
  gst_buffer_unref (stand (harness, &time, 300, TRUE, 0, 0));
  for (guint i = 0; i < 2; i++) {
    /* 1.5 s, then 5 s. */
    g_autoptr (GstBuffer) drawn = stand (harness, &time, i == 0 ? 1 : 3, TRUE, 240, 120);
    const guint32 before = rgb_at (drawn, VIEW_W, VIEW_H, 80, 120), now = rgb_at (drawn, VIEW_W, VIEW_H, 240, 120);

    g_assert_cmpint (RED (before), >, 0x60 + 60);
    if (i == 0)
      g_assert_cmpint (RED (now), <, RED (before) - 60);
    else
      g_assert_cmpint (ABS (RED (now) - RED (before)) + ABS (GREEN (now) - GREEN (before)), <, 30);
  }
}

/* Nothing is drawn unless asked for; the map begins anew when the property is set again. A flush leaves it. */
static void
test_heatmap_forgotten (void)
{
  g_autoptr (GstHarness) harness = test_harness (HEATMAP, test_caps ("RGBA", VIEW_W, VIEW_H, NULL));
  gdouble time = 1;
  GstBuffer *drawn = stand (harness, &time, 5, TRUE, 80, 120);

  g_assert_cmpuint (n_changed (drawn, 0, 0, VIEW_W, VIEW_H), >, 300);
  gst_buffer_unref (drawn);
  test_push_flush (harness);
  drawn = gst_harness_push_and_pull (harness, heat_frame (0, TRUE, 0, 0));
  g_assert_cmpuint (n_changed (drawn, 0, 0, VIEW_W, VIEW_H), >, 300);
  gst_buffer_unref (drawn);

  g_object_set (harness->element, "heatmap", FALSE, NULL);
  drawn = stand (harness, &time, 1, TRUE, 80, 120);
  g_assert_cmpuint (n_changed (drawn, 0, 0, VIEW_W, VIEW_H), ==, 0);
  gst_buffer_unref (drawn);
  g_object_set (harness->element, "heatmap", TRUE, NULL);
  drawn = gst_harness_push_and_pull (harness, heat_frame (time, TRUE, 0, 0));
  g_assert_cmpuint (n_changed (drawn, 0, 0, VIEW_W, VIEW_H), ==, 0);
  gst_buffer_unref (drawn);
}

/* --- All of them ------------------------------------------------------------------------------------- */

static void
test_properties (void)
{
  static const struct
  {
    const gchar *name;
    gboolean value;
  } properties[] = { { "tracks", TRUE }, { "trails", TRUE },   { "rules", TRUE },
                     { "events", TRUE }, { "heatmap", FALSE }, { "heights", FALSE } };
  g_autoptr (GstElement) element = gst_element_factory_make ("ccaoverlay", NULL);
  guint64 duration;

  gst_object_ref_sink (element);
  for (guint i = 0; i < G_N_ELEMENTS (properties); i++) {
    gboolean value;

    g_object_get (element, properties[i].name, &value, NULL);
    g_assert_cmpint (value, ==, properties[i].value);
    g_object_set (element, properties[i].name, !value, NULL);
    g_object_get (element, properties[i].name, &value, NULL);
    g_assert_cmpint (value, ==, !properties[i].value);
  }
  g_object_get (element, "trail-duration", &duration, NULL);
  g_assert_cmpuint (duration, ==, 3 * GST_SECOND);
  g_object_set (element, "trail-duration", GST_SECOND, NULL);
  g_object_get (element, "trail-duration", &duration, NULL);
  g_assert_cmpuint (duration, ==, GST_SECOND);
}

/* Each takes effect with the next frame. */
static void
test_properties_while_playing (void)
{
  static const gchar *const names[] = { "rules", "events", "heatmap", "tracks" };
  g_autoptr (GstHarness) harness = test_harness ("ccaoverlay rules=false events=false tracks=false " QUIET,
                                                 test_caps ("RGBA", VIEW_W, VIEW_H, NULL));
  gdouble time = 1;

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    for (guint on = 0; on < 2; on++) {
      GstBuffer *drawn;

      g_object_set (harness->element, names[i], on, "show-boxes", g_str_equal (names[i], "tracks") && on, NULL);
      for (guint frame = 0; frame < 3; frame++, time += 0.04) {
        GstBuffer *buffer = heat_frame (time, TRUE, 100, 100);

        drawn = gst_harness_push_and_pull (harness, add_rules (buffer, &zone, 1, &crossing, 1));
        if (frame == 2)
          g_assert_cmpint (n_changed (drawn, 0, 0, VIEW_W, VIEW_H) > 0, ==, on);
        gst_buffer_unref (drawn);
      }
      g_object_set (harness->element, names[i], FALSE, "show-boxes", FALSE, NULL);
    }
}

/* Everything at once, in every format and any size, attached too. */
static void
test_all (gconstpointer format)
{
  static const guint sizes[][2] = { { 1, 1 }, { 17, 3 }, { 63, 65 }, { VIEW_W, VIEW_H } };
  const GstCcaRule rules[] = { zone, line };

  for (guint i = 0; i < G_N_ELEMENTS (sizes); i++) {
    const guint width = sizes[i][0], height = sizes[i][1];
    g_autoptr (GstHarness) harness =
        test_harness ("ccaoverlay heatmap=true heights=true", test_caps (format, width, height, NULL));
    const GstVideoInfo info = test_video_info (format, width, height);

    for (guint frame = 0; frame < 5; frame++) {
      GstBuffer *buffer = test_frame (&info, 1);
      GstCcaTrack tracks[8];

      for (guint j = 0; j < G_N_ELEMENTS (tracks); j++)
        tracks[j] = (GstCcaTrack) { .track_id = j + 1,
                                    .state = (GstCcaTrackState) (j % 3),
                                    .x = 40 * j + 7 * frame,
                                    .y = j == 7 ? G_MAXUINT : 30 * j,
                                    .width = j == 6 ? G_MAXUINT : 20,
                                    .height = 40 };
      GST_BUFFER_PTS (buffer) = frame * GST_SECOND / 5;
      gst_cca_track_meta_set_heights (
          gst_buffer_add_cca_track_meta (buffer, NULL, width, height, tracks, G_N_ELEMENTS (tracks)), height / 4.0,
          height / 8.0, height, height / 2.0);
      gst_buffer_add_cca_event_meta (buffer, NULL, width, height, rules, 2, &crossing, 1);
      gst_buffer_unref (gst_harness_push_and_pull (harness, buffer));
    }
    test_assert_no_message (harness, GST_MESSAGE_ERROR | GST_MESSAGE_WARNING);
  }
}

GST_CASES_MAIN ()
{
  ADD_TESTS ("/overlay-rules", test_camera, test_zone, test_line, test_counters, test_occupancy, test_scaled,
             test_text_hides_nobody, test_text_stays);
  g_test_add_func ("/overlay-rules/off", test_no_rules);
  g_test_add_func ("/overlay-rules/odd", test_odd_rules);
  g_test_add_func ("/overlay-rules/events/shown", test_event);
  g_test_add_func ("/overlay-rules/events/texts", test_event_texts);
  g_test_add_func ("/overlay-rules/events/forgotten", test_event_forgotten);
  g_test_add_data_func ("/overlay-rules/heatmap/components", GINT_TO_POINTER (FALSE), test_heatmap);
  g_test_add_data_func ("/overlay-rules/heatmap/tracks", GINT_TO_POINTER (TRUE), test_heatmap);
  g_test_add_func ("/overlay-rules/heatmap/cools", test_heatmap_cools);
  g_test_add_func ("/overlay-rules/heatmap/forgotten", test_heatmap_forgotten);
  g_test_add_func ("/overlay-rules/properties/defaults", test_properties);
  g_test_add_func ("/overlay-rules/properties/while-playing", test_properties_while_playing);
  add_format_tests ("/overlay-rules/all", test_all);
}
