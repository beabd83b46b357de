/* gst-cca: rules: speeds, sections, headways, wrong ways, stops, queues and crowds
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "rules-test.h"

/* A camera that looks straight down: 20 pixels are a metre, and y of the ground leads up the picture. */
static const GstCcaGround from_above = {
  { 0.05, 0, 0, 0, -0.05, 25, 0, 0, 1 },
  { 20, 0, 0, 0, -20, 500, 0, 0, 1 },
};

static const GstCcaPosition first[] = { { 300, 0 }, { 300, 499 } }, second[] = { { 700, 0 }, { 700, 499 } };
static const GstCcaPosition road[] = { { 50, 50 }, { 950, 50 }, { 950, 450 }, { 50, 450 } };

/* Two lines, 20 m apart, over a road; a track that goes to the right crosses them backward. */
static Film *
road_film (void)
{
  Film *film = film_new ();

  add_rule (film, GST_CCA_RULES_LINE, "first", first, 2);
  add_rule (film, GST_CCA_RULES_LINE, "second", second, 2)->from = 0;
  add_rule (film, GST_CCA_RULES_ZONE, "road", road, 4)->births = FALSE;
  for (guint i = 0; i < 3; i++)
    film->rules[i].window = 20 * (guint64) SECOND;
  film->params.ground = &from_above;
  film->params.rise = 1;
  return film;
}

static GstCcaRulesEvent last_event;

/* Shows a frame, and keeps the last event of a kind. */
static guint
count_events (Film *film, GstCcaRulesEventType type)
{
  const GstCcaRulesFrame frame = { film->time, film->width, film->height, 0, FALSE, film->tracks, film->n };
  const GstCcaRulesEvent *events;
  gsize n_events;
  guint n = 0;

  if (!film->engine)
    film->engine = gst_cca_rules_new (&film->params);
  g_assert_true (gst_cca_rules_run (film->engine, &frame, &events, &n_events));
  for (gsize i = 0; i < n_events; i++)
    if (events[i].type == type) {
      last_event = events[i];
      n++;
    }
  film->time += FRAME_NS;
  film->n = 0;
  return n;
}

/* Drives from x to x, and returns how many events of a kind there were. */
static guint
drive (Film *film, guint64 id, gdouble from, gdouble to, gdouble y, gdouble metres_a_second, GstCcaRulesEventType type)
{
  const gdouble step = (to > from ? 20 : -20) * metres_a_second * FRAME_NS / 1e9;
  guint n = 0;

  for (gdouble x = from; to > from ? x < to : x > to; x += step) {
    put (film, id, x, y)->velocity[0] = step * 25;
    n += count_events (film, type);
  }
  return n;
}

static void
test_place (void)
{
  g_autoptr (Film) film = road_film ();
  const GstCcaRulesGroundTrack *tracks;
  gsize n;

  drive (film, 7, 100, 800, 300, 10, GST_CCA_RULES_CROSS);
  tracks = gst_cca_rules_ground_tracks (film->engine, &n);
  g_assert_cmpuint (n, ==, 1);
  g_assert_cmpuint (tracks[0].id, ==, 7);
  g_assert_cmpfloat_with_epsilon (tracks[0].place[0], 39.6, 0.3);
  g_assert_cmpfloat_with_epsilon (tracks[0].place[1], 10, 0.1);
  g_assert_cmpfloat_with_epsilon (tracks[0].speed, 10, 0.1);
  g_assert_cmpfloat_with_epsilon (tracks[0].heading, 90, 1);
  g_assert_cmpfloat_with_epsilon (tracks[0].area, 500 / 400.0, 1e-9);
  /* One that is not seen has no place. */
  coast (film, 7, 820, 300);
  count_events (film, GST_CCA_RULES_CROSS);
  gst_cca_rules_ground_tracks (film->engine, &n);
  g_assert_cmpuint (n, ==, 0);
}

static void
test_crossing (void)
{
  g_autoptr (Film) film = road_film ();

  g_assert_cmpuint (drive (film, 1, 100, 500, 300, 10, GST_CCA_RULES_CROSS), ==, 1);
  g_assert_cmpuint (last_event.known, ==, GST_CCA_RULES_SPEED);
  g_assert_cmpfloat_with_epsilon (last_event.speed, 10, 0.2);
  /* The next crosses two seconds after it: the first began 1 s before its crossing, at 10 m/s; so does the next. */
  while (film->time < 2 * (guint64) SECOND)
    count_events (film, GST_CCA_RULES_CROSS);
  g_assert_cmpuint (drive (film, 2, 100, 500, 300, 10, GST_CCA_RULES_CROSS), ==, 1);
  g_assert_cmpuint (last_event.known, ==, GST_CCA_RULES_SPEED | GST_CCA_RULES_HEADWAY | GST_CCA_RULES_GAP);
  g_assert_cmpfloat_with_epsilon (last_event.headway / 1e9, 2, 0.041);
  g_assert_cmpfloat_with_epsilon (last_event.gap, 20, 0.8);
}

static void
test_section (void)
{
  g_autoptr (Film) film = road_film ();

  /* 20 m, half of them at 5 m/s and half at 10: 3 s. */
  drive (film, 1, 100, 500, 300, 5, GST_CCA_RULES_SECTION);
  g_assert_cmpuint (drive (film, 1, 500, 900, 300, 10, GST_CCA_RULES_SECTION), ==, 1);
  g_assert_cmpfloat_with_epsilon (last_event.dwell / 1e9, 3, 0.05);
  g_assert_cmpfloat_with_epsilon (last_event.speed, 20.0 / 3, 0.15);
  /* A car in the other direction passes no section. */
  g_assert_cmpuint (drive (film, 2, 900, 100, 300, 10, GST_CCA_RULES_SECTION), ==, 0);
}

/* A distance that is known needs no ground. */
static void
test_section_without_ground (void)
{
  g_autoptr (Film) film = road_film ();

  film->params.ground = NULL;
  film->rules[1].distance = 40;
  g_assert_cmpuint (drive (film, 1, 100, 900, 300, 10, GST_CCA_RULES_SECTION), ==, 1);
  g_assert_cmpfloat_with_epsilon (last_event.speed, 20, 0.1);
}

static void
test_wrong_line (void)
{
  g_autoptr (Film) film = road_film ();

  film->rules[0].allowed = -1;
  g_assert_cmpuint (drive (film, 1, 100, 900, 300, 10, GST_CCA_RULES_WRONG_WAY), ==, 0);
  g_assert_cmpuint (drive (film, 2, 900, 100, 300, 10, GST_CCA_RULES_WRONG_WAY), ==, 1);
  g_assert_cmpuint (last_event.rule, ==, 0);
  g_assert_cmpuint (last_event.track, ==, 2);
  g_assert_cmpint (last_event.direction, ==, 1);
}

static void
test_wrong_zone (gconstpointer ground)
{
  g_autoptr (Film) film = road_film ();

  film->params.ground = ground;
  film->rules[2].one_way = TRUE;
  film->rules[2].way[0] = (GstCcaPosition) { 100, 250 };
  film->rules[2].way[1] = (GstCcaPosition) { 900, 250 };
  g_assert_cmpuint (drive (film, 1, 100, 900, 300, 10, GST_CCA_RULES_WRONG_WAY), ==, 0);
  g_assert_cmpuint (drive (film, 2, 900, 100, 300, 10, GST_CCA_RULES_WRONG_WAY), ==, 1);
  g_assert_cmpuint (last_event.rule, ==, 2);
  /* A moment is not enough. */
  g_assert_cmpuint (drive (film, 3, 500, 350, 300, 10, GST_CCA_RULES_WRONG_WAY), ==, 0);
}

static void
test_stopped (void)
{
  g_autoptr (Film) film = road_film ();
  guint n = 0;

  film->rules[2].stopped = 2 * SECOND;
  g_assert_cmpuint (drive (film, 1, 100, 600, 300, 10, GST_CCA_RULES_STOPPED), ==, 0);
  for (guint i = 0; i < 50; i++) {
    put (film, 1, 600, 300);
    n += count_events (film, GST_CCA_RULES_STOPPED);
  }
  g_assert_cmpuint (n, ==, 0); /* it takes a while until the filter believes it */
  for (guint i = 0; i < 100; i++) {
    put (film, 1, 600, 300);
    n += count_events (film, GST_CCA_RULES_STOPPED);
  }
  g_assert_cmpuint (n, ==, 1);
  /* Once a stop. */
  g_assert_cmpuint (drive (film, 1, 600, 800, 300, 10, GST_CCA_RULES_STOPPED), ==, 0);
  for (guint i = 0; i < 150; i++) {
    put (film, 1, 800, 300);
    n += count_events (film, GST_CCA_RULES_STOPPED);
  }
  g_assert_cmpuint (n, ==, 2);
}

static void
test_measures (void)
{
  g_autoptr (Film) film = road_film ();
  GstCcaRulesMeasures measures;

  film->rules[0].free_speed = 20;
  /* 20 s, half of them with a car in the zone: one every 5 s at 16 m/s for 2.5 s, then none. */
  for (guint i = 0; i < 4; i++) {
    const guint64 end = film->time + 5 * (guint64) SECOND;

    drive (film, i + 1, 60, 860, 300, 16, GST_CCA_RULES_CROSS);
    while (film->time < end)
      count_events (film, GST_CCA_RULES_CROSS);
  }
  measures = gst_cca_rules_measures (film->engine, 0);
  g_assert_cmpuint (measures.known, ==,
                    GST_CCA_RULES_SPEED | GST_CCA_RULES_FLOW | GST_CCA_RULES_OCCUPIED | GST_CCA_RULES_CONGESTION);
  g_assert_cmpfloat_with_epsilon (measures.speed, 16, 0.3);
  g_assert_cmpfloat_with_epsilon (measures.flow, 12, 0.7);
  g_assert_cmpfloat_with_epsilon (measures.congestion, 0.2, 0.02);
  g_assert_cmpfloat_with_epsilon (measures.occupied, 0.0125, 0.004); /* a metre each, in a frame or two */
  measures = gst_cca_rules_measures (film->engine, 2);
  g_assert_cmpuint (measures.known, ==,
                    GST_CCA_RULES_SPEED | GST_CCA_RULES_FLOW | GST_CCA_RULES_OCCUPIED | GST_CCA_RULES_QUEUE);
  g_assert_cmpfloat_with_epsilon (measures.speed, 16, 0.4);
  g_assert_cmpfloat_with_epsilon (measures.occupied, 0.5, 0.04); /* measured up to a second ago */
  g_assert_cmpuint (measures.queue, ==, 0);
}

static void
test_queue (void)
{
  g_autoptr (Film) film = road_film ();
  GstCcaRulesMeasures measures;

  for (guint i = 0; i < 100; i++) {
    put (film, 1, 200, 200);
    put (film, 2, 320, 250);
    put (film, 3, 500, 350);
    put (film, 4, 60 + 8 * i, 400); /* drives by */
    count_events (film, GST_CCA_RULES_CROSS);
  }
  measures = gst_cca_rules_measures (film->engine, 2);
  g_assert_cmpuint (measures.queue, ==, 3);
  g_assert_cmpfloat_with_epsilon (measures.queue_length, hypot (300, 150) / 20, 0.05);
}

/* Between events, measures change once a second, so that publishers need not write with every frame. */
static void
test_steady (void)
{
  g_autoptr (Film) film = road_film ();
  GstCcaRulesMeasures last = { 0 };
  guint n_changes = 0;

  for (guint i = 0; i < 250; i++) {
    GstCcaRulesMeasures now;

    put (film, 1, 200 + 2 * i + (i % 3), 200);
    count_events (film, GST_CCA_RULES_CROSS);
    now = gst_cca_rules_measures (film->engine, 2);
    n_changes += memcmp (&now, &last, sizeof now) != 0;
    last = now;
  }
  g_assert_cmpuint (n_changes, >=, 8);
  g_assert_cmpuint (n_changes, <=, 11);
}

static void
test_crowd (void)
{
  g_autoptr (Film) film = film_new ();
  GstCcaRulesRule *rule = add_rule (film, GST_CCA_RULES_ZONE, "zone", square, 4);

  rule->crowded = SECOND;
  rule->crowd = 2;
  rule->births = FALSE; /* enters without a word */
  for (guint i = 0; i < 200; i++) {
    for (guint k = 0; k < 2 + (i >= 50 && i < 120); k++)
      put (film, k + 1, 120 + 20 * k, 150);
    show (film);
    if (i == 74)
      assert_told (film, "");
    if (i == 76)
      assert_told (film, "crowd-on zone 0");
    if (i == 119)
      assert_told (film, "");
    if (i == 122)
      g_string_truncate (film->told, 0); /* the third leaves */
    if (i == 143)
      assert_told (film, "");
  }
  assert_told (film, "crowd-off zone 0");
}

/* Exchanged rules keep the tracks on the ground and the windows. */
static void
test_adopt (void)
{
  Film *film = road_film ();
  const GstCcaRulesGroundTrack *tracks;
  GstCcaRules *engine;
  gsize n;

  drive (film, 1, 100, 500, 300, 10, GST_CCA_RULES_CROSS);
  engine = gst_cca_rules_new (&film->params);
  g_assert_true (gst_cca_rules_adopt (engine, film->engine));
  gst_cca_rules_free (film->engine);
  film->engine = engine;
  put (film, 1, 500, 300);
  count_events (film, GST_CCA_RULES_CROSS);
  tracks = gst_cca_rules_ground_tracks (film->engine, &n);
  g_assert_cmpuint (n, ==, 1);
  g_assert_cmpfloat_with_epsilon (tracks[0].speed, 10, 0.3);
  g_assert_cmpuint (drive (film, 1, 508, 900, 300, 10, GST_CCA_RULES_SECTION), ==, 1);
  film_free (film);
}

enum
{
  SMALL = 1,
  LARGE,
  NAMED /* by a detector */
};

/* A pixel is 1/400 m²: a track of put() has 1.25 m². Lines for small, large and named tracks, and a zone for large ones
 * that counts those that begin inside. */
static Film *
film_of_sizes (void)
{
  static const GstCcaRulesKind kinds[] = { GST_CCA_RULES_LINE, GST_CCA_RULES_LINE, GST_CCA_RULES_LINE,
                                           GST_CCA_RULES_ZONE };
  static const gchar *const names[] = { "small", "large", "named", "yard" };
  static const guint32 admitted[] = { SMALL, LARGE, NAMED, LARGE };
  Film *film = film_new ();

  for (guint i = 0; i < 4; i++) {
    GstCcaRulesRule *rule = kinds[i] == GST_CCA_RULES_LINE ? add_rule (film, kinds[i], names[i], first, 2)
                                                           : add_rule (film, kinds[i], names[i], road, 4);

    rule->kinds = &admitted[i];
    rule->n_kinds = 1;
  }
  film->params.ground = &from_above;
  film->params.rise = 1;
  film->params.size_classes[0] = (GstCcaRulesSizeClass) { SMALL, 2 };
  film->params.size_classes[1] = (GstCcaRulesSizeClass) { LARGE, 0 };
  film->params.n_size_classes = 2;
  return film;
}

/* Shows a track of `area` pixels, and returns its size class. */
static guint32
show_size (Film *film, guint64 id, gdouble x, gdouble y, guint64 area)
{
  const GstCcaRulesGroundTrack *tracks;
  gsize n;

  put (film, id, x, y)->area = area;
  show (film);
  tracks = gst_cca_rules_ground_tracks (film->engine, &n);
  g_assert_cmpuint (n, ==, 1);
  g_assert_cmpfloat_with_epsilon (tracks[0].area, area / 400.0, 1e-9);
  return tracks[0].size_class;
}

/* Three areas at least, and their median from then on; the limit belongs to the smaller class. */
static void
test_size (void)
{
  g_autoptr (Film) film = film_of_sizes ();

  g_assert_cmpuint (show_size (film, 1, 500, 300, 800), ==, 0);
  g_assert_cmpuint (show_size (film, 1, 500, 300, 3600), ==, 0);
  g_assert_cmpuint (show_size (film, 1, 500, 300, 800), ==, SMALL);
  g_assert_cmpuint (show_size (film, 1, 500, 300, 3600), ==, SMALL);
  g_assert_cmpuint (show_size (film, 1, 500, 300, 801), ==, LARGE);
  g_assert_cmpuint (show_size (film, 1, 500, 300, 400), ==, SMALL);
  g_assert_cmpuint (show_size (film, 1, 500, 300, 801), ==, LARGE);
  assert_told (film, "enter yard 1"); /* where it stays as it shrinks */
}

/* Boxes that the border may cut say nothing of the size, on whatever side. */
static void
test_size_at_border (void)
{
  static const GstCcaPosition places[] = { { 10, 300 }, { 990, 300 }, { 500, 500 }, { 500, 40 } };
  g_autoptr (Film) film = film_of_sizes ();

  for (guint i = 0; i < G_N_ELEMENTS (places); i++) {
    const gdouble inside_x = CLAMP (places[i].x, 11, 989), inside_y = CLAMP (places[i].y, 41, 499);

    for (guint k = 0; k < 2; k++)
      g_assert_cmpuint (show_size (film, i + 1, inside_x, inside_y, 400), ==, 0);
    for (guint k = 0; k < 5; k++)
      g_assert_cmpuint (show_size (film, i + 1, places[i].x, places[i].y, 400), ==, 0);
    g_assert_cmpuint (show_size (film, i + 1, inside_x, inside_y, 400), ==, SMALL);
  }
}

/* Rules count tracks by size where no detector named them, and events say the size. */
static void
test_size_counts (void)
{
  g_autoptr (Film) film = film_of_sizes ();

  for (guint64 id = 1; id <= 3; id++)
    for (gdouble x = 200; x <= 400; x += 10) {
      GstCcaObject *track = put (film, id, x, 300);

      track->area = id == 1 ? 400 : 4000;
      track->kind = id == 3 ? NAMED : 0;
      if (count_events (film, GST_CCA_RULES_CROSS) == 0)
        continue;
      g_assert_cmpuint (last_event.rule, ==, id - 1);
      g_assert_cmpuint (last_event.track, ==, id);
      g_assert_cmpuint (last_event.size_class, ==, id == 1 ? SMALL : LARGE);
    }
  for (guint i = 0; i < 3; i++)
    assert_counts (film, i, 0, 1, 0);
  /* The second entered the zone as soon as its size was known, and its end has a size, too. */
  assert_counts (film, 3, 1, 1, 0);
  for (guint i = 0; i < 5; i++) {
    put (film, 7, 500, 300)->area = 4000;
    g_assert_cmpuint (count_events (film, GST_CCA_RULES_ENTER), ==, i == 2);
  }
  g_assert_cmpuint (last_event.size_class, ==, LARGE);
  g_assert_cmpuint (count_events (film, GST_CCA_RULES_LEAVE), ==, 1);
  g_assert_cmpuint (last_event.track, ==, 7);
  g_assert_cmpuint (last_event.size_class, ==, LARGE);
}

/* Exchanged rules keep the sizes of tracks if the classes stay. */
static void
test_size_adopt (void)
{
  g_autoptr (Film) film = film_of_sizes ();

  for (guint i = 0; i < 2; i++) {
    GstCcaRules *engine;

    for (guint k = 0; k < 3; k++)
      show_size (film, 1, 500, 300, 400);
    film->params.size_classes[0].max_area = i == 0 ? 2 : 3;
    engine = gst_cca_rules_new (&film->params);
    g_assert_true (gst_cca_rules_adopt (engine, film->engine));
    gst_cca_rules_free (film->engine);
    film->engine = engine;
    g_assert_cmpuint (show_size (film, 1, 500, 300, 400), ==, i == 0 ? SMALL : 0);
  }
}

CASES_MAIN ()
{
  ADD_TESTS ("/rules-traffic", test_place, test_crossing, test_section, test_section_without_ground, test_wrong_line,
             test_stopped, test_measures, test_queue, test_steady, test_crowd, test_adopt, test_size,
             test_size_at_border, test_size_counts, test_size_adopt);
  g_test_add_data_func ("/rules-traffic/wrong-zone", &from_above, test_wrong_zone);
  g_test_add_data_func ("/rules-traffic/wrong-zone-without-ground", NULL, test_wrong_zone);
}
