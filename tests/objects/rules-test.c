/* gst-cca: shared by the tests of rules
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "rules-test.h"

const GstCcaPosition square[4] = { { 100, 100 }, { 200, 100 }, { 200, 200 }, { 100, 200 } };
const GstCcaPosition far_square[4] = { { 300, 100 }, { 400, 100 }, { 400, 200 }, { 300, 200 } };
const GstCcaPosition gate[2] = { { 100, 300 }, { 200, 300 } };

Film *
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

Film *
film_with_zone (GstCcaRulesRule **rule)
{
  Film *film = film_new ();

  *rule = add_rule (film, GST_CCA_RULES_ZONE, "zone", square, 4);
  return film;
}

Film *
film_with_line (void)
{
  Film *film = film_new ();

  add_rule (film, GST_CCA_RULES_LINE, "gate", gate, 2);
  return film;
}

Film *
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

void
film_free (Film *film)
{
  g_assert_cmpstr (film->told->str, ==, "");
  gst_cca_rules_free (film->engine);
  g_string_free (film->told, TRUE);
  g_free (film);
}

GstCcaRulesRule *
add_rule (Film *film, GstCcaRulesKind kind, const gchar *name, const GstCcaPosition *points, gsize n)
{
  GstCcaRulesRule *rule = &film->rules[film->params.n_rules++];

  gst_cca_rules_rule_init (rule, kind);
  rule->name = name;
  rule->points = points;
  rule->n_points = n;
  rule->anchor = GST_CCA_RULES_BOTTOM; /* which put() places */
  return rule;
}

GstCcaObject *
put (Film *film, guint64 id, gdouble x, gdouble y)
{
  GstCcaObject *track = &film->tracks[film->n++];

  *track = (GstCcaObject) {
    .id = id, .state = GST_CCA_OBJECT_CONFIRMED, .box = { { x - 10, y - 40 }, { x + 10, y } }, .area = 500
  };
  return track;
}

void
coast (Film *film, guint64 id, gdouble x, gdouble y)
{
  put (film, id, x, y)->state = GST_CCA_OBJECT_COASTING;
}

static void
note_event (Film *film, const GstCcaRulesEvent *event)
{
  static const gchar *const types[] = { "enter",   "leave",     "dwell",      "cross",     "left",
                                        "removed", "motion-on", "motion-off", "wrong-way", "stopped",
                                        "section", "crowd-on",  "crowd-off" };
  static const gchar *const directions[] = { " backward", "", " forward" };

  g_string_append_printf (film->told, "%s%s %s %" G_GUINT64_FORMAT "%s", film->told->len > 0 ? ", " : "",
                          types[event->type], film->rules[event->rule].name, event->track,
                          directions[event->direction + 1]);
}

gboolean
try_frame (Film *film)
{
  const GstCcaRulesFrame frame = { film->time, film->width,  film->height, film->coverage,
                                   FALSE,      film->tracks, film->n,      film->paused };
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

void
show (Film *film)
{
  g_assert_true (try_frame (film));
  film->n = 0;
  film->time += FRAME_NS;
}

void
show_track (Film *film, guint64 id, gdouble x, gdouble y)
{
  put (film, id, x, y);
  show (film);
}

void
hide_track (Film *film, guint64 id, gdouble x, gdouble y, guint n_frames)
{
  for (guint i = 0; i < n_frames; i++) {
    coast (film, id, x, y);
    show (film);
  }
}

void
show_moving (Film *film, guint64 id, gdouble x, gdouble y, gdouble velocity_x, gdouble velocity_y)
{
  GstCcaObject *track = put (film, id, x, y);

  track->velocity[0] = velocity_x;
  track->velocity[1] = velocity_y;
  show (film);
}

void
walk (Film *film, guint64 id, gdouble from_x, gdouble from_y, gdouble to_x, gdouble to_y, guint steps)
{
  for (guint i = 0; i <= steps; i++)
    show_track (film, id, from_x + (to_x - from_x) * i / steps, from_y + (to_y - from_y) * i / steps);
}

void
stand (Film *film, guint64 id, gdouble x, gdouble y, gdouble seconds)
{
  for (guint64 i = 0; i < seconds * SECOND / FRAME_NS; i++)
    show_track (film, id, x, y);
}
