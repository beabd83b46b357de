/* gst-cca: what rules tell and count, on scripted tracks, and every way to get it wrong
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include <glib.h>
#include <string.h>

#include "gst/objects/rules.h"

#include "failing-malloc.h"

/* --- Films: frames of 1000×500 every 40 ms, with tracks of 20×40 ------------------------------------- */

#define FRAME_NS (40 * G_GUINT64_CONSTANT (1000000))
#define SECOND (25 * FRAME_NS)

typedef struct
{
  GstCcaRulesParams params;
  GstCcaRulesRule rules[4];
  GstCcaRules *engine;
  guint32 width, height;
  guint64 time;
  gdouble coverage;
  GstCcaRulesTrack tracks[64];
  gsize n;
  GString *told; /* since it was last read */
} Film;

/* A zone of 100…200 × 100…200; jitter of up to 5 pixels is within the band. */
static const GstCcaPosition square[] = { { 100, 100 }, { 200, 100 }, { 200, 200 }, { 100, 200 } };
static const GstCcaPosition far_square[] = { { 300, 100 }, { 400, 100 }, { 400, 200 }, { 300, 200 } };
/* From the left to the right at y = 300: who walks down crosses it forward. */
static const GstCcaPosition gate[] = { { 100, 300 }, { 200, 300 } };

static Film *
film_new (void)
{
  Film *film = g_new0 (Film, 1);

  film->params = (GstCcaRulesParams) { .rise = 0.5, .hold = SECOND, .rules = film->rules };
  film->width = 1000;
  film->height = 500;
  film->coverage = 0.0;
  film->told = g_string_new (NULL);
  return film;
}

static GstCcaRulesRule *
add_rule (Film *film, GstCcaRulesKind kind, const gchar *name, const GstCcaPosition *points, gsize n)
{
  GstCcaRulesRule *rule = &film->rules[film->params.n_rules++];

  gst_cca_rules_rule_init (rule, kind);
  rule->name = name;
  rule->points = points;
  rule->n_points = n;
  return rule;
}

static Film *
film_with_zone (GstCcaRulesRule **rule)
{
  Film *film = film_new ();

  *rule = add_rule (film, GST_CCA_RULES_ZONE, "zone", square, 4);
  return film;
}

static Film *
film_with_line (void)
{
  Film *film = film_new ();

  add_rule (film, GST_CCA_RULES_LINE, "gate", gate, 2);
  return film;
}

static void
film_free (Film *film)
{
  g_assert_cmpstr (film->told->str, ==, "");
  gst_cca_rules_free (film->engine);
  g_string_free (film->told, TRUE);
  g_free (film);
}

/* Puts a track into the frame by the middle of its box's lower side; by ascending ids. */
static GstCcaRulesTrack *
put (Film *film, guint64 id, gdouble x, gdouble y)
{
  GstCcaRulesTrack *track = &film->tracks[film->n++];

  *track = (GstCcaRulesTrack) { id, TRUE, { { x - 10, y - 40 }, { x + 10, y } }, 500 };
  return track;
}

static void
coast (Film *film, guint64 id, gdouble x, gdouble y)
{
  put (film, id, x, y)->seen = FALSE;
}

static void
note_event (Film *film, const GstCcaRulesEvent *event)
{
  static const gchar *const types[] = {
    "enter", "leave", "dwell", "cross", "left", "removed", "motion-on", "motion-off"
  };
  static const gchar *const directions[] = { " backward", "", " forward" };

  g_string_append_printf (film->told, "%s%s %s %" G_GUINT64_FORMAT "%s", film->told->len > 0 ? ", " : "",
                          types[event->type], film->rules[event->rule].name, event->track,
                          directions[event->direction + 1]);
}

static gboolean
try_frame (Film *film)
{
  const GstCcaRulesFrame frame = {
    film->time, film->width, film->height, film->coverage, FALSE, film->tracks, film->n
  };
  const GstCcaRulesEvent *events;
  gsize n_events;

  if (!film->engine)
    film->engine = gst_cca_rules_new (&film->params);
  if (!gst_cca_rules_run (film->engine, &frame, &events, &n_events))
    return FALSE;
  for (gsize i = 0; i < n_events; i++)
    note_event (film, &events[i]);
  return TRUE;
}

/* Shows the frame and begins the next. */
static void
show (Film *film)
{
  g_assert_true (try_frame (film));
  film->n = 0;
  film->time += FRAME_NS;
}

static void
show_track (Film *film, guint64 id, gdouble x, gdouble y)
{
  put (film, id, x, y);
  show (film);
}

/* A track walks straight to a place, a step a frame. */
static void
walk (Film *film, guint64 id, gdouble from_x, gdouble from_y, gdouble to_x, gdouble to_y, guint steps)
{
  for (guint i = 0; i <= steps; i++)
    show_track (film, id, from_x + (to_x - from_x) * i / steps, from_y + (to_y - from_y) * i / steps);
}

static void
stand (Film *film, guint64 id, gdouble x, gdouble y, gdouble seconds)
{
  for (guint64 i = 0; i < seconds * SECOND / FRAME_NS; i++)
    show_track (film, id, x, y);
}

#define assert_told(film, text)                                                                                        \
  G_STMT_START                                                                                                         \
  {                                                                                                                    \
    g_assert_cmpstr ((film)->told->str, ==, text);                                                                     \
    g_string_truncate ((film)->told, 0);                                                                               \
  }                                                                                                                    \
  G_STMT_END

#define assert_counts(film, rule, in, out, inside)                                                                     \
  G_STMT_START                                                                                                         \
  {                                                                                                                    \
    g_assert_cmpuint (gst_cca_rules_counts ((film)->engine, rule)->n_in, ==, in);                                      \
    g_assert_cmpuint (gst_cca_rules_counts ((film)->engine, rule)->n_out, ==, out);                                    \
    g_assert_cmpuint (gst_cca_rules_occupancy ((film)->engine, rule), ==, inside);                                     \
  }                                                                                                                    \
  G_STMT_END

/* --- Zones ------------------------------------------------------------------------------------------- */

static void
test_enter_leave (void)
{
  GstCcaRulesRule *rule;
  Film *film = film_with_zone (&rule);

  walk (film, 1, 50, 150, 150, 150, 10);
  assert_told (film, "enter zone 1");
  assert_counts (film, 0, 1, 0, 1);
  walk (film, 1, 150, 150, 250, 150, 10);
  assert_told (film, "leave zone 1");
  assert_counts (film, 0, 1, 1, 0);
  film_free (film);
}

static void
test_event (void)
{
  GstCcaRulesRule *rule;
  Film *film = film_with_zone (&rule);
  const GstCcaRulesEvent *events;
  gsize n_events;
  GstCcaRulesFrame frame = { 0, 1000, 500, 0.0, FALSE, film->tracks, 1 };

  film->engine = gst_cca_rules_new (&film->params);
  put (film, 7, 150, 150);
  g_assert_true (gst_cca_rules_run (film->engine, &frame, &events, &n_events));
  g_assert_cmpuint (n_events, ==, 1);
  g_assert_cmpint (events[0].type, ==, GST_CCA_RULES_ENTER);
  g_assert_cmpuint (events[0].rule, ==, 0);
  g_assert_cmpuint (events[0].track, ==, 7);
  g_assert_cmpint (events[0].direction, ==, 0);
  g_assert_cmpfloat (events[0].position.x, ==, 150.0);
  g_assert_cmpfloat (events[0].position.y, ==, 150.0);
  g_assert_cmpuint (events[0].dwell, ==, 0);
  g_assert_cmpuint (events[0].counts.n_in, ==, 1);
  g_assert_cmpuint (events[0].occupancy, ==, 1);
  frame.time = 3 * SECOND;
  film->n = 0;
  put (film, 7, 250, 160);
  g_assert_true (gst_cca_rules_run (film->engine, &frame, &events, &n_events));
  g_assert_cmpuint (n_events, ==, 1);
  g_assert_cmpint (events[0].type, ==, GST_CCA_RULES_LEAVE);
  g_assert_cmpuint (events[0].dwell, ==, 3 * SECOND);
  g_assert_cmpfloat (events[0].position.x, ==, 250.0);
  g_assert_cmpuint (events[0].counts.n_out, ==, 1);
  g_assert_cmpuint (events[0].occupancy, ==, 0);
  film_free (film);
}

static void
test_jitter_on_border (void)
{
  GstCcaRulesRule *rule;
  Film *film = film_with_zone (&rule);

  show_track (film, 1, 90, 150);
  for (guint i = 0; i < 100; i++)
    show_track (film, 1, i % 2 ? 96 : 104, 150);
  assert_told (film, "enter zone 1");
  show_track (film, 1, 94, 150);
  assert_told (film, "leave zone 1");
  film_free (film);
}

/* Narrower than the band. */
static void
test_narrow_zone (void)
{
  const GstCcaPosition slit[] = { { 100, 100 }, { 103, 100 }, { 103, 200 }, { 100, 200 } };
  Film *film = film_new ();

  add_rule (film, GST_CCA_RULES_ZONE, "slit", slit, 4);
  walk (film, 1, 90, 150, 115, 150, 25);
  assert_told (film, "enter slit 1, leave slit 1");
  film_free (film);
}

/* The notch of a U does not belong to it. */
static void
test_concave (void)
{
  const GstCcaPosition u[] = { { 100, 100 }, { 140, 100 }, { 140, 180 }, { 160, 180 },
                               { 160, 100 }, { 200, 100 }, { 200, 200 }, { 100, 200 } };
  Film *film = film_new ();

  add_rule (film, GST_CCA_RULES_ZONE, "u", u, G_N_ELEMENTS (u))->band = 0.0;
  walk (film, 1, 90, 150, 210, 150, 60);
  assert_told (film, "enter u 1, leave u 1, enter u 1, leave u 1");
  show_track (film, 2, 150, 150);
  assert_told (film, "");
  film_free (film);
}

static void
test_anchor (void)
{
  GstCcaRulesRule *rule;
  Film *film = film_with_zone (&rule);

  /* The centre is 20 above the lower side. */
  rule->anchor = GST_CCA_RULES_CENTER;
  show_track (film, 1, 150, 115);
  assert_told (film, "");
  show_track (film, 1, 150, 120);
  assert_told (film, "enter zone 1");
  show_track (film, 1, 150, 220);
  assert_told (film, "");
  show_track (film, 1, 150, 226);
  assert_told (film, "leave zone 1");
  film_free (film);
}

static void
test_overlap (void)
{
  GstCcaRulesRule *rule;
  Film *film = film_with_zone (&rule);

  rule->anchor = GST_CCA_RULES_OVERLAP;
  rule->overlap = 0.5;
  show_track (film, 1, 99, 180); /* 9 of 20 pixels */
  assert_told (film, "");
  show_track (film, 1, 100, 180);
  assert_told (film, "enter zone 1");
  show_track (film, 1, 95, 180);
  assert_told (film, "");
  show_track (film, 1, 94, 180);
  assert_told (film, "leave zone 1");
  film_free (film);

  film = film_with_zone (&rule);
  rule->anchor = GST_CCA_RULES_OVERLAP;
  rule->overlap = 0.0;
  show_track (film, 1, 90, 180); /* side by side */
  assert_told (film, "");
  show_track (film, 1, 90.5, 180);
  assert_told (film, "enter zone 1");
  show_track (film, 1, 90, 180);
  assert_told (film, "leave zone 1");
  film_free (film);
}

static void
test_birth_and_death_inside (void)
{
  GstCcaRulesRule *rule;
  Film *film = film_with_zone (&rule);

  stand (film, 1, 150, 150, 1);
  assert_told (film, "enter zone 1");
  show (film);
  assert_told (film, "leave zone 1");
  assert_counts (film, 0, 1, 1, 0);
  film_free (film);

  /* Only those over the border count; the others are inside all the same. */
  film = film_with_zone (&rule);
  rule->births = FALSE;
  rule->dwell = SECOND;
  stand (film, 1, 150, 150, 2);
  assert_told (film, "dwell zone 1");
  assert_counts (film, 0, 0, 0, 1);
  walk (film, 1, 150, 150, 250, 150, 5);
  assert_told (film, "leave zone 1");
  walk (film, 1, 250, 150, 150, 150, 5);
  assert_told (film, "enter zone 1");
  show (film);
  assert_told (film, "");
  assert_counts (film, 0, 1, 1, 0);
  film_free (film);
}

/* Two tracks become one, and two again. */
static void
test_merged_ids (void)
{
  GstCcaRulesRule *rule;
  Film *film = film_with_zone (&rule);

  for (guint i = 0; i < 5; i++) {
    put (film, 1, 120 + i, 150);
    put (film, 2, 180 - i, 150);
    show (film);
  }
  assert_told (film, "enter zone 1, enter zone 2");
  stand (film, 1, 150, 150, 1);
  assert_told (film, "leave zone 2");
  assert_counts (film, 0, 2, 1, 1);
  put (film, 1, 120, 150);
  put (film, 3, 180, 150);
  show (film);
  assert_told (film, "enter zone 3");
  assert_counts (film, 0, 3, 1, 2);
  show (film);
  assert_told (film, "leave zone 1, leave zone 3");
  assert_counts (film, 0, 3, 3, 0);
  film_free (film);
}

static void
test_sizes (void)
{
  static const struct
  {
    gdouble min_area, max_area, min_width, max_width, min_height, max_height;
    gboolean fits;
  } cases[] = {
    { 500, 500, 20, 20, 40, 40, TRUE }, { 501, 0, 0, 0, 0, 0, FALSE }, { 0, 499, 0, 0, 0, 0, FALSE },
    { 0, 0, 21, 0, 0, 0, FALSE },       { 0, 0, 0, 19, 0, 0, FALSE },  { 0, 0, 0, 0, 41, 0, FALSE },
    { 0, 0, 0, 0, 0, 39, FALSE },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    Film *film = film_new ();

    add_rule (film, GST_CCA_RULES_ZONE, "zone", square, 4);
    add_rule (film, GST_CCA_RULES_LINE, "gate", gate, 2);
    for (guint j = 0; j < 2; j++) {
      film->rules[j].min_area = cases[i].min_area;
      film->rules[j].max_area = cases[i].max_area;
      film->rules[j].min_width = cases[i].min_width;
      film->rules[j].max_width = cases[i].max_width;
      film->rules[j].min_height = cases[i].min_height;
      film->rules[j].max_height = cases[i].max_height;
    }
    walk (film, 1, 150, 150, 150, 350, 20);
    assert_told (film, cases[i].fits ? "enter zone 1, leave zone 1, cross gate 1 forward" : "");
    film_free (film);
  }
}

/* A track that enters stays inside, whatever its size becomes; one that is too small at first enters later. */
static void
test_sizes_inside (void)
{
  GstCcaRulesRule *rule;
  Film *film = film_with_zone (&rule);

  rule->min_area = 400;
  put (film, 1, 150, 150)->area = 300;
  show (film);
  assert_told (film, "");
  show_track (film, 1, 150, 150);
  assert_told (film, "enter zone 1");
  put (film, 1, 150, 150)->area = 300;
  show (film);
  assert_told (film, "");
  show_track (film, 1, 250, 150);
  assert_told (film, "leave zone 1");
  film_free (film);
}

static void
test_coasting (void)
{
  GstCcaRulesRule *rule;
  Film *film = film_with_zone (&rule);

  rule->dwell = SECOND;
  /* Predicted to enter, seen elsewhere. */
  show_track (film, 1, 90, 150);
  coast (film, 1, 150, 150);
  show (film);
  show_track (film, 1, 80, 150);
  assert_told (film, "");
  /* Seen inside again. */
  coast (film, 1, 120, 150);
  show (film);
  show_track (film, 1, 150, 150);
  assert_told (film, "enter zone 1");
  /* Predicted to leave; dwelling is told when it is seen again. */
  for (guint i = 0; i < 50; i++) {
    coast (film, 1, 150 + 10 * i, 150);
    show (film);
  }
  assert_told (film, "");
  assert_counts (film, 0, 1, 0, 1);
  show_track (film, 1, 160, 150);
  assert_told (film, "dwell zone 1");
  /* It ends where it was last seen. */
  coast (film, 1, 500, 150);
  show (film);
  show (film);
  assert_told (film, "leave zone 1");
  /* A track whose first listing is coasting has no place. */
  coast (film, 2, 150, 150);
  show (film);
  assert_told (film, "");
  show (film);
  assert_told (film, "");
  film_free (film);
}

static void
test_dwell (void)
{
  GstCcaRulesRule *rule;
  Film *film = film_with_zone (&rule);

  rule->dwell = 2 * SECOND;
  stand (film, 1, 150, 150, 2);
  assert_told (film, "enter zone 1");
  show_track (film, 1, 150, 150);
  assert_told (film, "dwell zone 1");
  walk (film, 1, 150, 150, 180, 180, 100);
  assert_told (film, "");
  /* Out and in again: another stay. */
  show_track (film, 1, 50, 50);
  assert_told (film, "leave zone 1");
  stand (film, 1, 150, 150, 2);
  assert_told (film, "enter zone 1");
  show_track (film, 1, 150, 150);
  assert_told (film, "dwell zone 1");
  g_string_truncate (film->told, 0);
  film_free (film);
}

/* Time counts, not frames. */
static void
test_dwell_over_dropped_frames (void)
{
  GstCcaRulesRule *rule;
  Film *film = film_with_zone (&rule);

  rule->dwell = 2 * SECOND;
  show_track (film, 1, 150, 150);
  assert_told (film, "enter zone 1");
  film->time += 2 * SECOND;
  show_track (film, 1, 150, 150);
  assert_told (film, "dwell zone 1");
  film_free (film);
}

static void
test_left (void)
{
  GstCcaRulesRule *rule;
  Film *film = film_with_zone (&rule);

  rule->left = 3 * SECOND;
  /* Someone walks for longer than that. */
  walk (film, 1, 110, 150, 190, 150, 50);
  walk (film, 1, 190, 150, 110, 150, 50);
  assert_told (film, "enter zone 1");
  /* Someone puts something down; it jitters. */
  for (guint i = 0; i <= 75; i++) {
    put (film, 1, 110, 150);
    put (film, 2, 150 + i % 3, 150)->area = 100;
    show (film);
  }
  assert_told (film, "enter zone 2, left zone 1, left zone 2");
  /* Told once a stop; it is pushed a little and stops again. */
  stand (film, 2, 151, 150, 5);
  assert_told (film, "leave zone 1");
  stand (film, 2, 160, 150, 3.2);
  assert_told (film, "left zone 2");
  film_free (film);
}

/* Standing still counts from where both is true: still, and inside. */
static void
test_left_counts_inside (void)
{
  GstCcaRulesRule *rule;
  Film *film = film_with_zone (&rule);

  rule->left = 2 * SECOND;
  rule->radius = 20;
  stand (film, 1, 95, 150, 5);
  assert_told (film, "");
  stand (film, 1, 102, 150, 2);
  assert_told (film, "enter zone 1");
  show_track (film, 1, 102, 150);
  assert_told (film, "left zone 1");
  film_free (film);
}

static void
test_left_of_a_size (void)
{
  GstCcaRulesRule *rule;
  Film *film = film_with_zone (&rule);

  rule->left = 1 * SECOND;
  rule->max_area = 200;
  for (guint i = 0; i < 50; i++) {
    put (film, 1, 120, 150);
    put (film, 2, 150, 150)->area = 100;
    show (film);
  }
  assert_told (film, "enter zone 2, left zone 2");
  film_free (film);
}

/* What lies in the zone's place and stands still says that the guarded object is gone. */
static void
test_removed (void)
{
  const GstCcaPosition around[] = { { 138, 108 }, { 162, 108 }, { 162, 152 }, { 138, 152 } };
  GstCcaRulesRule *rule;
  Film *film = film_new ();

  rule = add_rule (film, GST_CCA_RULES_ZONE, "statue", around, 4);
  rule->removed = 2 * SECOND;
  rule->left = 1 * SECOND;
  rule->births = FALSE;
  /* Someone passes by. */
  walk (film, 1, 100, 150, 200, 150, 100);
  assert_told (film, "enter statue 1, leave statue 1");
  /* Someone stands beside it, at its foot and half in front of it. */
  stand (film, 1, 170, 180, 4);
  assert_told (film, "");
  /* Something that is much larger than the zone stops in front of it. */
  for (guint i = 0; i < 100; i++) {
    put (film, 2, 150, 150)->box = (GstCcaBox) { { 50, 50 }, { 250, 250 } };
    show (film);
  }
  assert_told (film, "");
  /* Something small is put there. */
  for (guint i = 0; i < 100; i++) {
    put (film, 3, 150, 150)->box = (GstCcaBox) { { 145, 140 }, { 155, 150 } };
    show (film);
  }
  assert_told (film, "left statue 3");
  /* The place itself differs from the background; its lower side may even lie outside. */
  for (guint i = 0; i < 100; i++) {
    put (film, 4, 150, 154);
    show (film);
  }
  assert_told (film, "removed statue 4");
  film_free (film);
}

static void
test_whole_frame (void)
{
  Film *film = film_new ();

  add_rule (film, GST_CCA_RULES_ZONE, "all", NULL, 0);
  show_track (film, 1, 0, 0);
  assert_told (film, "enter all 1");
  show_track (film, 1, 1000, 500);
  show_track (film, 1, 1010, 520);
  assert_told (film, "");
  assert_counts (film, 0, 1, 0, 1);
  film_free (film);
}

static void
test_flows (void)
{
  const GstCcaPosition nested[] = { { 120, 120 }, { 180, 120 }, { 180, 180 }, { 120, 180 } };
  Film *film = film_new ();

  add_rule (film, GST_CCA_RULES_ZONE, "a", square, 4);
  add_rule (film, GST_CCA_RULES_ZONE, "b", far_square, 4);
  add_rule (film, GST_CCA_RULES_ZONE, "all", NULL, 0);
  add_rule (film, GST_CCA_RULES_ZONE, "aside", nested, 4)->flows = FALSE;
  /* To b and back, again into a, and two who end in between. */
  walk (film, 1, 150, 150, 350, 150, 20);
  walk (film, 1, 350, 150, 150, 150, 20);
  walk (film, 1, 150, 150, 150, 250, 20);
  walk (film, 1, 150, 250, 150, 150, 20);
  walk (film, 2, 150, 150, 250, 150, 20);
  walk (film, 3, 250, 150, 350, 150, 20);
  walk (film, 4, 120, 150, 350, 150, 20);
  g_assert_cmpuint (gst_cca_rules_flow (film->engine, 0, 1), ==, 2);
  g_assert_cmpuint (gst_cca_rules_flow (film->engine, 1, 0), ==, 1);
  for (guint i = 0; i < 4; i++)
    for (guint j = 0; j < 4; j++)
      if (i == j || i > 1 || j > 1)
        g_assert_cmpuint (gst_cca_rules_flow (film->engine, i, j), ==, 0);
  gst_cca_rules_reset_counts (film->engine);
  g_assert_cmpuint (gst_cca_rules_flow (film->engine, 0, 1), ==, 0);
  g_string_truncate (film->told, 0);
  film_free (film);
}

/* --- Lines ------------------------------------------------------------------------------------------- */

static void
test_cross (void)
{
  Film *film = film_with_line ();

  walk (film, 1, 150, 250, 150, 350, 20);
  assert_told (film, "cross gate 1 forward");
  assert_counts (film, 0, 1, 0, 0);
  walk (film, 1, 150, 350, 150, 250, 20);
  assert_told (film, "cross gate 1 backward");
  walk (film, 2, 180, 350, 120, 250, 20);
  assert_told (film, "cross gate 2 backward");
  assert_counts (film, 0, 1, 2, 0);
  film_free (film);
}

static void
test_jitter_on_line (void)
{
  Film *film = film_with_line ();

  show_track (film, 1, 150, 280);
  for (guint i = 0; i < 101; i++)
    show_track (film, 1, 150 + i % 7, i % 2 ? 296 : 304);
  assert_told (film, "");
  show_track (film, 1, 150, 306);
  assert_told (film, "cross gate 1 forward");
  /* And back to where it came from. */
  for (guint i = 0; i < 101; i++)
    show_track (film, 1, 150, i % 2 ? 296 : 304);
  show_track (film, 1, 150, 310);
  assert_told (film, "");
  film_free (film);
}

static void
test_reversal_within_band (void)
{
  Film *film = film_with_line ();

  walk (film, 1, 150, 250, 150, 304, 20);
  walk (film, 1, 150, 304, 150, 250, 20);
  assert_told (film, "");
  film_free (film);
}

/* The line counts, not its prolongation. */
static void
test_line_ends (void)
{
  Film *film = film_with_line ();

  walk (film, 1, 99, 250, 99, 350, 20);
  walk (film, 2, 201, 350, 201, 250, 20);
  /* Round the end. */
  walk (film, 3, 190, 290, 220, 290, 10);
  walk (film, 3, 220, 290, 220, 310, 10);
  walk (film, 3, 220, 310, 190, 310, 10);
  assert_told (film, "");
  /* From beyond the end across the line. */
  walk (film, 4, 220, 290, 170, 310, 10);
  assert_told (film, "cross gate 4 forward");
  film_free (film);
}

static void
test_corner (void)
{
  const GstCcaPosition bent[] = { { 100, 300 }, { 150, 250 }, { 200, 300 } };

  /* A step ends on the corner, passes it, and runs along an arm. */
  for (guint steps = 1; steps <= 10; steps++) {
    Film *film = film_new ();

    add_rule (film, GST_CCA_RULES_LINE, "bent", bent, 3);
    walk (film, 1, 150, 200, 150, 300, steps);
    assert_told (film, "cross bent 1 forward");
    walk (film, 1, 150, 300, 150, 200, steps);
    assert_told (film, "cross bent 1 backward");
    /* Over both arms: out again. */
    show_track (film, 3, 90, 280);
    show_track (film, 3, 210, 280);
    assert_told (film, "");
    film_free (film);
  }
}

static void
test_along_arm (void)
{
  const GstCcaPosition bent[] = { { 100, 300 }, { 150, 250 }, { 200, 300 } };
  Film *film = film_new ();

  add_rule (film, GST_CCA_RULES_LINE, "bent", bent, 3);
  /* Onto the first arm, along it over the corner, and down on the other side. */
  show_track (film, 1, 110, 260);
  walk (film, 1, 125, 275, 150, 250, 5);
  show_track (film, 1, 150, 290);
  assert_told (film, "cross bent 1 forward");
  /* The same, and up again. */
  show_track (film, 2, 110, 260);
  walk (film, 2, 125, 275, 150, 250, 5);
  show_track (film, 2, 150, 220);
  assert_told (film, "");
  film_free (film);
}

/* What lies between two frames is a straight way. */
static void
test_frame_drop (void)
{
  Film *film = film_with_line ();

  show_track (film, 1, 150, 200);
  film->time += 3 * SECOND;
  show_track (film, 1, 150, 400);
  assert_told (film, "cross gate 1 forward");
  /* Past the end: the prolongation is crossed, not the line. */
  film->time += 3 * SECOND;
  show_track (film, 1, 400, 200);
  assert_told (film, "");
  film_free (film);
}

static void
test_coasting_over_line (void)
{
  Film *film = film_with_line ();

  show_track (film, 1, 150, 280);
  for (guint y = 290; y <= 330; y += 10) {
    coast (film, 1, 150, y);
    show (film);
  }
  assert_told (film, "");
  show_track (film, 1, 150, 275);
  assert_told (film, "");
  coast (film, 1, 150, 310);
  show (film);
  show_track (film, 1, 150, 320);
  assert_told (film, "cross gate 1 forward");
  coast (film, 1, 150, 250);
  show (film);
  show (film);
  assert_told (film, "");
  film_free (film);
}

static void
test_birth_and_death_at_line (void)
{
  Film *film = film_with_line ();

  /* Begins within the band, before the line; the second behind it. */
  walk (film, 1, 150, 297, 150, 350, 20);
  assert_told (film, "cross gate 1 forward");
  walk (film, 2, 150, 303, 150, 350, 20);
  assert_told (film, "");
  /* Ends within the band. */
  walk (film, 3, 150, 250, 150, 304, 20);
  show (film);
  assert_told (film, "");
  /* Another goes on from there: it has not crossed. */
  walk (film, 4, 150, 304, 150, 350, 20);
  assert_told (film, "");
  film_free (film);
}

/* Of two that merge on the line, the one that goes on counts. */
static void
test_merged_ids_at_line (void)
{
  Film *film = film_with_line ();

  for (guint i = 0; i < 10; i++) {
    put (film, 1, 140 + i, 280 + 2 * i);
    put (film, 2, 160 - i, 280 + 2 * i);
    show (film);
  }
  walk (film, 1, 150, 298, 150, 350, 10);
  assert_told (film, "cross gate 1 forward");
  assert_counts (film, 0, 1, 0, 0);
  film_free (film);
}

static void
test_line_anchor (void)
{
  Film *film = film_with_line ();

  film->rules[0].anchor = GST_CCA_RULES_CENTER;
  walk (film, 1, 150, 250, 150, 324, 20);
  assert_told (film, "");
  show_track (film, 1, 150, 326);
  assert_told (film, "cross gate 1 forward");
  film_free (film);
}

/* --- Motion ------------------------------------------------------------------------------------------ */

static void
test_motion (void)
{
  GstCcaRulesRule *rule;
  Film *film = film_with_zone (&rule);

  rule->motion_on = 1 * SECOND;
  rule->motion_off = 2 * SECOND;
  /* Too short. */
  stand (film, 1, 150, 150, 1);
  show (film);
  assert_told (film, "enter zone 1, leave zone 1");
  /* One after the other, without a gap. */
  stand (film, 2, 150, 150, 0.6);
  stand (film, 3, 150, 150, 0.6);
  assert_told (film, "enter zone 2, leave zone 2, enter zone 3, motion-on zone 3");
  /* A gap that is too short to end it. */
  for (guint i = 0; i < 49; i++)
    show (film);
  assert_told (film, "leave zone 3");
  stand (film, 4, 150, 150, 2);
  assert_told (film, "enter zone 4");
  for (guint i = 0; i < 50; i++)
    show (film);
  assert_told (film, "leave zone 4");
  show (film);
  assert_told (film, "motion-off zone 0");
  for (guint i = 0; i < 100; i++)
    show (film);
  film_free (film);
}

static void
test_motion_at_once (void)
{
  Film *film = film_new ();
  GstCcaRulesRule *rule = add_rule (film, GST_CCA_RULES_ZONE, "all", NULL, 0);

  rule->motion_on = rule->motion_off = 0;
  show (film);
  show_track (film, 1, 150, 150);
  assert_told (film, "enter all 1, motion-on all 1");
  show (film);
  assert_told (film, "leave all 1, motion-off all 0");
  film_free (film);
}

/* Motion outlasts a flush, and ends after its time. */
static void
test_motion_over_flush (void)
{
  Film *film = film_new ();
  GstCcaRulesRule *rule = add_rule (film, GST_CCA_RULES_ZONE, "all", NULL, 0);

  rule->motion_on = 0;
  rule->motion_off = SECOND;
  film->time = 100 * SECOND;
  show_track (film, 1, 150, 150);
  assert_told (film, "enter all 1, motion-on all 1");
  gst_cca_rules_forget (film->engine);
  film->time = 0;
  for (guint i = 0; i < 25; i++)
    show (film);
  assert_told (film, "");
  show (film);
  assert_told (film, "motion-off all 0");
  film_free (film);
}

/* --- Scenes that change ------------------------------------------------------------------------------ */

static Film *
busy_film (void)
{
  Film *film = film_new ();
  GstCcaRulesRule *rule = add_rule (film, GST_CCA_RULES_ZONE, "zone", square, 4);

  rule->motion_on = 0;
  rule->motion_off = 0;
  rule->dwell = SECOND / 2;
  rule->left = SECOND / 2;
  add_rule (film, GST_CCA_RULES_LINE, "gate", gate, 2);
  return film;
}

/* The light goes on: tracks begin, cross, stand and end while half of the frame is foreground, and a second after. */
static void
test_scene_change (void)
{
  Film *film = busy_film ();

  for (guint i = 0; i < 25; i++)
    show (film);
  film->coverage = 0.7;
  walk (film, 1, 150, 150, 150, 350, 10);
  film->coverage = 0.0;
  walk (film, 1, 150, 350, 150, 250, 3);
  stand (film, 2, 150, 150, 0.7);
  assert_told (film, "");
  assert_counts (film, 0, 0, 0, 1);
  assert_counts (film, 1, 0, 0, 0);
  /* It is over: what is inside goes on, without having entered. */
  stand (film, 2, 150, 150, 0.3);
  assert_told (film, "dwell zone 2, left zone 2, motion-on zone 2");
  walk (film, 2, 150, 150, 150, 350, 10);
  assert_told (film, "leave zone 2, motion-off zone 0, cross gate 2 forward");
  film_free (film);
}

/* The same by the tracks' own areas. */
static void
test_scene_change_by_tracks (void)
{
  Film *film = busy_film ();

  film->coverage = -1.0;
  for (guint i = 0; i < 25; i++)
    show (film);
  put (film, 1, 150, 150)->area = 300000;
  show (film);
  show (film);
  assert_told (film, "");
  assert_counts (film, 0, 0, 0, 0);
  film_free (film);
}

static void
test_scene_change_told (void)
{
  Film *film = busy_film ();
  const GstCcaRulesEvent *events;
  gsize n_events = 1;

  show_track (film, 1, 50, 150);
  put (film, 1, 150, 150);
  g_assert_true (gst_cca_rules_run (film->engine,
                                    &(GstCcaRulesFrame) { film->time, 1000, 500, 0.0, TRUE, film->tracks, film->n },
                                    &events, &n_events));
  g_assert_cmpuint (n_events, ==, 0);
  film->time += SECOND;
  film->n = 0;
  show_track (film, 1, 50, 150);
  assert_told (film, "leave zone 1");
  film_free (film);
}

/* A scene that always covers most of the frame is none that changes; a level that stays becomes usual. */
static void
test_scene_covers_frame (void)
{
  Film *film = busy_film ();

  film->coverage = 0.8;
  show_track (film, 1, 50, 150);
  show_track (film, 1, 150, 150);
  assert_told (film, "enter zone 1, motion-on zone 1");
  film_free (film);

  film = busy_film ();
  show (film);
  film->coverage = 0.8;
  stand (film, 1, 150, 150, 10);
  assert_told (film, "");
  for (guint i = 0; i < 10 * 25; i++)
    show (film);
  show_track (film, 1, 50, 150);
  show_track (film, 1, 150, 150);
  assert_told (film, "enter zone 1, motion-on zone 1");
  film_free (film);

  /* Rise 1 never is. */
  film = busy_film ();
  film->params.rise = 1.0;
  show (film);
  film->coverage = 1.0;
  show_track (film, 1, 150, 150);
  assert_told (film, "enter zone 1, motion-on zone 1");
  film_free (film);
}

/* Tracks that the change tears about have crossed nothing. */
static void
test_scene_change_moves_tracks (void)
{
  Film *film = busy_film ();

  walk (film, 1, 150, 250, 150, 280, 5);
  film->coverage = 0.9;
  show_track (film, 1, 150, 320);
  film->coverage = 0.0;
  stand (film, 1, 150, 320, 2);
  assert_told (film, "");
  walk (film, 1, 150, 320, 150, 280, 5);
  assert_told (film, "cross gate 1 backward");
  film_free (film);
}

/* The times of motion begin anew behind a change. */
static void
test_scene_change_in_motion (void)
{
  GstCcaRulesRule *rule;
  Film *film = film_with_zone (&rule);

  rule->motion_on = 2 * SECOND;
  rule->motion_off = SECOND;
  stand (film, 1, 150, 150, 1);
  assert_told (film, "enter zone 1");
  film->coverage = 0.9;
  stand (film, 1, 150, 150, 0.2);
  film->coverage = 0.0;
  stand (film, 1, 150, 150, 2.9);
  assert_told (film, "");
  stand (film, 1, 150, 150, 0.2);
  assert_told (film, "motion-on zone 1");
  film_free (film);
}

/* A track that is not seen while the frame's size changes is where it was, in the new size. */
static void
test_frame_size_while_coasting (void)
{
  Film *film = film_new ();
  const GstCcaPosition middle[] = { { 0.5, 0.0 }, { 0.5, 1.0 } };

  add_rule (film, GST_CCA_RULES_LINE, "middle", middle, 2);
  film->params.relative = TRUE;
  film->params.hold = 0;
  show_track (film, 1, 600, 250);
  film->width *= 2;
  film->height *= 2;
  coast (film, 1, 1200, 500);
  show (film);
  show_track (film, 1, 1100, 500);
  assert_told (film, "");
  show_track (film, 1, 900, 500);
  assert_told (film, "cross middle 1 forward");
  film->width /= 2;
  film->height /= 2;
  coast (film, 1, 450, 250);
  show (film);
  show_track (film, 1, 450, 250);
  assert_told (film, "");
  film_free (film);
}

/* --- Counters, flushes, other engines ---------------------------------------------------------------- */

static void
test_large_counters (void)
{
  Film *film = film_with_line ();

  walk (film, 1, 150, 250, 150, 350, 10);
  gst_cca_rules_counts (film->engine, 0)->n_in = G_MAXUINT32;
  walk (film, 2, 150, 250, 150, 350, 10);
  assert_counts (film, 0, G_GUINT64_CONSTANT (0x100000000), 0, 0);
  gst_cca_rules_counts (film->engine, 0)->n_out = G_GUINT64_CONSTANT (0x1234567890);
  walk (film, 2, 150, 350, 150, 250, 10);
  assert_counts (film, 0, G_GUINT64_CONSTANT (0x100000000), G_GUINT64_CONSTANT (0x1234567891), 0);
  g_string_truncate (film->told, 0);
  film_free (film);
}

static void
test_reset (void)
{
  GstCcaRulesRule *rule;
  Film *film = film_with_zone (&rule);

  show_track (film, 1, 150, 150);
  assert_counts (film, 0, 1, 0, 1);
  gst_cca_rules_reset_counts (film->engine);
  assert_counts (film, 0, 0, 0, 1);
  show_track (film, 1, 250, 150);
  assert_counts (film, 0, 0, 1, 0);
  g_string_truncate (film->told, 0);
  film_free (film);
}

static void
test_forget (void)
{
  Film *film = film_new ();

  add_rule (film, GST_CCA_RULES_ZONE, "zone", square, 4);
  add_rule (film, GST_CCA_RULES_LINE, "gate", gate, 2);
  film->time = 100 * SECOND;
  put (film, 1, 150, 150);
  put (film, 2, 150, 280);
  show (film);
  assert_told (film, "enter zone 1");
  gst_cca_rules_forget (film->engine);
  assert_counts (film, 0, 1, 0, 0);
  /* An earlier time; the same ids are other tracks. */
  film->time = 0;
  put (film, 1, 150, 350);
  put (film, 2, 150, 350);
  show (film);
  assert_told (film, "");
  film_free (film);
}

/* Time that goes back stands still. */
static void
test_time_goes_back (void)
{
  GstCcaRulesRule *rule;
  Film *film = film_with_zone (&rule);

  rule->dwell = 2 * SECOND;
  film->time = 10 * SECOND;
  show_track (film, 1, 150, 150);
  film->time = 5 * SECOND;
  show_track (film, 1, 150, 150);
  assert_told (film, "enter zone 1");
  film->time = 12 * SECOND;
  show_track (film, 1, 150, 150);
  assert_told (film, "dwell zone 1");
  film_free (film);
}

/* Twice the size from one frame to the next: nobody moved, and a tracker that begins anew makes nobody enter. */
static void
test_frame_size (void)
{
  const GstCcaPosition relative[] = { { 0.1, 0.2 }, { 0.2, 0.2 }, { 0.2, 0.4 }, { 0.1, 0.4 } };
  GstCcaRulesRule *rule;
  Film *film = film_new ();
  gsize n_points;

  rule = add_rule (film, GST_CCA_RULES_ZONE, "zone", relative, 4);
  rule->left = 2 * SECOND;
  rule->min_area = 500 / 500000.0;
  rule->min_width = 20 / 1000.0;
  rule->min_height = 40 / 500.0;
  rule->band = 5 / 500.0;
  film->params.relative = TRUE;
  stand (film, 1, 150, 150, 1);
  assert_told (film, "enter zone 1");
  film->width *= 2;
  film->height *= 2;
  for (guint i = 0; i <= 25; i++) {
    GstCcaRulesTrack *track = put (film, 1, 300, 300);

    track->box = (GstCcaBox) { { 280, 220 }, { 320, 300 } };
    track->area *= 4;
    show (film);
  }
  assert_told (film, "left zone 1");
  g_assert_cmpfloat (gst_cca_rules_points (film->engine, 0, &n_points)[2].x, ==, 400.0);
  g_assert_cmpuint (n_points, ==, 4);
  show_track (film, 1, 190, 300);
  assert_told (film, "");
  show_track (film, 1, 189, 300);
  assert_told (film, "leave zone 1");
  /* Too small now. */
  show_track (film, 2, 300, 300);
  assert_told (film, "");
  put (film, 2, 300, 300)->area *= 4;
  film->tracks[0].box = (GstCcaBox) { { 280, 220 }, { 320, 300 } };
  show (film);
  assert_told (film, "enter zone 2");
  film->width /= 2;
  film->height /= 2;
  show (film);
  stand (film, 3, 150, 150, 0.5);
  assert_told (film, "");
  assert_counts (film, 0, 2, 1, 1);
  film_free (film);
}

static void
test_reference_size (void)
{
  GstCcaRulesRule *rule;
  Film *film = film_with_zone (&rule);
  gsize n_points;

  film->params.width = 500;
  film->params.height = 1000;
  show_track (film, 1, 300, 75);
  assert_told (film, "enter zone 1");
  show_track (film, 1, 300, 102);
  assert_told (film, "");
  g_assert_cmpfloat (gst_cca_rules_points (film->engine, 0, &n_points)[2].x, ==, 400.0);
  g_assert_cmpfloat (gst_cca_rules_points (film->engine, 0, &n_points)[2].y, ==, 100.0);
  film_free (film);
}

/* The film goes on with the rules that it has now. */
static void
reload (Film *film)
{
  GstCcaRules *engine = gst_cca_rules_new (&film->params);

  g_assert_true (gst_cca_rules_adopt (engine, film->engine));
  gst_cca_rules_free (film->engine);
  film->engine = engine;
}

static void
test_adopt (void)
{
  Film *film = film_new ();

  add_rule (film, GST_CCA_RULES_ZONE, "a", square, 4);
  add_rule (film, GST_CCA_RULES_ZONE, "b", far_square, 4);
  add_rule (film, GST_CCA_RULES_LINE, "gate", gate, 2);
  walk (film, 1, 150, 150, 350, 150, 10);
  walk (film, 1, 350, 150, 150, 150, 10);
  put (film, 1, 150, 150);
  put (film, 2, 120, 298);
  show (film);
  assert_told (film, "enter a 1, leave a 1, enter b 1, leave b 1, enter a 1");

  /* Another order, another time to dwell, and a new zone in which a track is. */
  film->params.n_rules = 0;
  add_rule (film, GST_CCA_RULES_LINE, "gate", gate, 2);
  add_rule (film, GST_CCA_RULES_ZONE, "c", square, 4);
  add_rule (film, GST_CCA_RULES_ZONE, "b", far_square, 4);
  add_rule (film, GST_CCA_RULES_ZONE, "a", square, 4)->dwell = 6 * FRAME_NS;
  reload (film);
  assert_counts (film, 3, 2, 1, 1);
  assert_counts (film, 2, 1, 1, 0);
  assert_counts (film, 1, 0, 0, 0);
  g_assert_cmpuint (gst_cca_rules_flow (film->engine, 3, 2), ==, 1);
  g_assert_cmpuint (gst_cca_rules_flow (film->engine, 2, 3), ==, 1);
  g_assert_cmpuint (gst_cca_rules_flow (film->engine, 1, 2), ==, 0);
  /* A crossing that had begun is completed. */
  for (guint i = 0; i < 2; i++) {
    put (film, 1, 150, 150);
    put (film, 2, 120, 302 + 10 * i);
    show (film);
  }
  assert_told (film, "cross gate 2 forward");
  assert_counts (film, 1, 0, 0, 1);
  show_track (film, 1, 150, 150);
  assert_told (film, "dwell a 1");
  show_track (film, 1, 350, 150);
  assert_told (film, "leave c 1, enter b 1, leave a 1");

  /* Another place: counts anew. */
  film->params.n_rules = 0;
  add_rule (film, GST_CCA_RULES_ZONE, "b", square, 4);
  reload (film);
  assert_counts (film, 0, 0, 0, 0);
  show (film);
  assert_told (film, "");
  film_free (film);
}

/* What is usual stays usual. */
static void
test_adopt_scene (void)
{
  GstCcaRulesRule *rule;
  Film *film = film_with_zone (&rule);

  film->coverage = 0.8;
  show_track (film, 1, 50, 150);
  reload (film);
  show_track (film, 1, 150, 150);
  assert_told (film, "enter zone 1");
  film->coverage = 1.0;
  show (film);
  assert_told (film, "leave zone 1");
  film_free (film);
}

/* Before the first frame, and without rules. */
static void
test_adopt_nothing (void)
{
  Film *film = film_new ();
  gsize n_points;

  film->engine = gst_cca_rules_new (&film->params);
  reload (film);
  show_track (film, 1, 150, 150);
  add_rule (film, GST_CCA_RULES_ZONE, "zone", square, 4);
  reload (film);
  g_assert_nonnull (gst_cca_rules_points (film->engine, 0, &n_points));
  show_track (film, 1, 150, 150);
  assert_told (film, "");
  assert_counts (film, 0, 0, 0, 1);
  film->params.n_rules = 0;
  reload (film);
  show_track (film, 1, 150, 150);
  assert_told (film, "");
  film_free (film);
}

/* --- Memory ------------------------------------------------------------------------------------------ */

static void
test_memory (void)
{
  Film *film = busy_film ();
  GstCcaRules *engine;

  /* Making one. */
  for (guint i = 1;; i++) {
    n_allocations = 0;
    fail_at = i;
    engine = gst_cca_rules_new (&film->params);
    fail_at = 0;
    if (engine)
      break;
    g_assert_cmpuint (i, <, 50);
  }
  gst_cca_rules_free (engine);
  /* Frames: the first that succeeds after each failure, and what it counts. */
  for (guint i = 1; i <= 3; i++) {
    film->engine = gst_cca_rules_new (&film->params);
    for (guint j = 0; j < 20; j++)
      put (film, j + 1, 150, 150);
    n_allocations = 0;
    fail_at = i;
    g_assert_false (try_frame (film));
    fail_at = 0;
    g_assert_true (try_frame (film));
    assert_counts (film, 0, 20, 0, 20);
    film->n = 0;
    g_string_truncate (film->told, 0);
    /* Going on from one. */
    engine = gst_cca_rules_new (&film->params);
    n_allocations = 0;
    fail_at = MIN (i, 2);
    g_assert_false (gst_cca_rules_adopt (engine, film->engine));
    fail_at = 0;
    gst_cca_rules_free (engine);
    gst_cca_rules_free (film->engine);
  }
  film->engine = NULL;
  film_free (film);
  gst_cca_rules_free (NULL);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/rules/enter-leave", test_enter_leave);
  g_test_add_func ("/rules/event", test_event);
  g_test_add_func ("/rules/jitter-on-border", test_jitter_on_border);
  g_test_add_func ("/rules/narrow-zone", test_narrow_zone);
  g_test_add_func ("/rules/concave", test_concave);
  g_test_add_func ("/rules/anchor", test_anchor);
  g_test_add_func ("/rules/overlap", test_overlap);
  g_test_add_func ("/rules/birth-and-death-inside", test_birth_and_death_inside);
  g_test_add_func ("/rules/merged-ids", test_merged_ids);
  g_test_add_func ("/rules/sizes", test_sizes);
  g_test_add_func ("/rules/sizes-inside", test_sizes_inside);
  g_test_add_func ("/rules/coasting", test_coasting);
  g_test_add_func ("/rules/dwell", test_dwell);
  g_test_add_func ("/rules/dwell-over-dropped-frames", test_dwell_over_dropped_frames);
  g_test_add_func ("/rules/left", test_left);
  g_test_add_func ("/rules/left-counts-inside", test_left_counts_inside);
  g_test_add_func ("/rules/left-of-a-size", test_left_of_a_size);
  g_test_add_func ("/rules/removed", test_removed);
  g_test_add_func ("/rules/whole-frame", test_whole_frame);
  g_test_add_func ("/rules/flows", test_flows);
  g_test_add_func ("/rules/cross", test_cross);
  g_test_add_func ("/rules/jitter-on-line", test_jitter_on_line);
  g_test_add_func ("/rules/reversal-within-band", test_reversal_within_band);
  g_test_add_func ("/rules/line-ends", test_line_ends);
  g_test_add_func ("/rules/corner", test_corner);
  g_test_add_func ("/rules/along-arm", test_along_arm);
  g_test_add_func ("/rules/frame-drop", test_frame_drop);
  g_test_add_func ("/rules/coasting-over-line", test_coasting_over_line);
  g_test_add_func ("/rules/birth-and-death-at-line", test_birth_and_death_at_line);
  g_test_add_func ("/rules/merged-ids-at-line", test_merged_ids_at_line);
  g_test_add_func ("/rules/line-anchor", test_line_anchor);
  g_test_add_func ("/rules/motion", test_motion);
  g_test_add_func ("/rules/motion-at-once", test_motion_at_once);
  g_test_add_func ("/rules/motion-over-flush", test_motion_over_flush);
  g_test_add_func ("/rules/scene-change", test_scene_change);
  g_test_add_func ("/rules/scene-change-by-tracks", test_scene_change_by_tracks);
  g_test_add_func ("/rules/scene-change-told", test_scene_change_told);
  g_test_add_func ("/rules/scene-covers-frame", test_scene_covers_frame);
  g_test_add_func ("/rules/scene-change-moves-tracks", test_scene_change_moves_tracks);
  g_test_add_func ("/rules/scene-change-in-motion", test_scene_change_in_motion);
  g_test_add_func ("/rules/frame-size-while-coasting", test_frame_size_while_coasting);
  g_test_add_func ("/rules/large-counters", test_large_counters);
  g_test_add_func ("/rules/reset", test_reset);
  g_test_add_func ("/rules/forget", test_forget);
  g_test_add_func ("/rules/time-goes-back", test_time_goes_back);
  g_test_add_func ("/rules/frame-size", test_frame_size);
  g_test_add_func ("/rules/reference-size", test_reference_size);
  g_test_add_func ("/rules/adopt", test_adopt);
  g_test_add_func ("/rules/adopt-scene", test_adopt_scene);
  g_test_add_func ("/rules/adopt-nothing", test_adopt_nothing);
  g_test_add_func ("/rules/memory", test_memory);
  return g_test_run ();
}
