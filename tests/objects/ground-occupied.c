/* gst-cca: how long vehicles stand on a line over a rendered road, beside a loop without length in it
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * usage: test-objects-ground-occupied [-k]; with --verbose, prints the errors by vehicle and way, too
 */
#include "../add-tests.h"
#include "ground-scene.h"

#define N_CALIBRATIONS 10
#define SECOND G_GUINT64_CONSTANT (1000000000)

static const Solid vehicles[] = { { "cycle", 1.8, 0.6, 1.75 }, { "car", 4.5, 1.8, 1.5 }, { "lorry", 12, 2.5, 3.5 } };
static const gdouble speeds[][2] = { { 8, 14 }, { 15, 30 }, { 10, 20 } }; /* km/h */

/* Where vehicles go, clockwise from the view along the ground, degrees. */
typedef struct
{
  const gchar *name;
  gdouble headings[2];
} Way;

static const Way ways[] = { { "head-on", { 0, 180 } }, { "side-on", { 90, 270 } }, { "oblique", { 45, 150 } } };

typedef struct
{
  GArray *line, *box; /* seconds told for each one that is true, and those in which the box is on the line */
} Shares;

static GstCcaPosition
turn (gdouble right, gdouble ahead, gdouble heading)
{
  const gdouble angle = heading * G_PI / 180;

  return (GstCcaPosition) { right * cos (angle) + ahead * sin (angle), ahead * cos (angle) - right * sin (angle) };
}

static void
show (GstCcaRules *rules, guint64 time, const GstCcaObject *objects, gsize n)
{
  gsize n_seen;

  show_objects (rules, time, objects, n, &n_seen);
}

/* Returns rules with a line across a way through the middle of the picture, and the line's ends. */
static GstCcaRules *
rules_with_line (const Camera *view, const GstCcaGround *ground, gdouble heading, gdouble min_area,
                 GstCcaPosition ends[2])
{
  GstCcaRulesRule rule;
  const GstCcaRulesParams params = { .rules = &rule, .n_rules = 1, .ground = ground, .rise = 1.0 };

  for (guint i = 0; i < 2; i++) {
    const GstCcaPosition end = turn (i == 0 ? -8 : 8, 0, heading);

    ends[i] = see (view, end.x, ground_at (view, 0.5) + end.y, 0);
  }
  gst_cca_rules_rule_init (&rule, GST_CCA_RULES_LINE);
  rule.name = "line";
  rule.points = ends;
  rule.n_points = 2;
  rule.window = 400 * SECOND;
  rule.min_area = min_area;
  return gst_cca_rules_new (&params);
}

/* Drives over such a line, and adds its occupied time. A vehicle must be in the picture as a whole for a second before
 * it reaches the line, and while it is on it. */
static void
drive (const Camera *view, const GstCcaGround *ground, const Solid *solid, gdouble kmh, gdouble heading, Shares *shares)
{
  const gdouble middle = ground_at (view, 0.5), speed = kmh / 3.6;
  GstCcaPosition ends[2];
  GstCcaRules *rules = rules_with_line (view, ground, heading, 0, ends);
  GstCcaRulesMeasures measures;
  gboolean whole = TRUE;
  guint64 time = 0;
  gdouble in_box = 0;

  for (gdouble ahead = -60; ahead < 60; ahead += speed * FRAME_NS / 1e9) {
    const GstCcaPosition at = turn (0, ahead, heading);
    GstCcaObject track = { .id = 1, .state = GST_CCA_OBJECT_CONFIRMED };

    if (middle + at.y < solid->length)
      continue;
    track.box = see_solid (view, solid, at.x, middle + at.y, heading);
    whole = whole && (ahead + solid->length / 2 < -speed || ahead > solid->length / 2 || is_whole (&track.box));
    if (!(gst_cca_box_area (&track.box) > 0))
      continue;
    for (guint i = 0; i < 100; i++) {
      const gdouble x = ends[0].x + (ends[1].x - ends[0].x) * i / 99, y = ends[0].y + (ends[1].y - ends[0].y) * i / 99;

      if (x >= track.box.min[0] && x <= track.box.max[0] && y >= track.box.min[1] && y <= track.box.max[1]) {
        in_box += FRAME_NS / 1e9;
        break;
      }
    }
    show (rules, time, &track, 1);
    time += FRAME_NS;
  }
  show (rules, time, NULL, 0);
  time += 200 * SECOND;
  show (rules, time, NULL, 0);
  measures = gst_cca_rules_measures (rules, 0);
  g_assert_true (measures.known & GST_CCA_RULES_OCCUPIED);
  if (whole) {
    const gdouble truth = solid->length / speed, line = measures.occupied * time / 1e9 / truth, box = in_box / truth;

    g_array_append_val (shares->line, line);
    g_array_append_val (shares->box, box);
  }
  gst_cca_rules_free (rules);
}

/* Drives a vehicle under all cameras that show enough of it, whose calibrations by eight points are off by up to a part
 * of the picture; sorts the shares. */
static void
measure (const Solid *solid, const Way *way, gdouble part, Shares *shares)
{
  GRand *rand = g_rand_new_with_seed (7);

  *shares = (Shares) { g_array_new (FALSE, FALSE, sizeof (gdouble)), g_array_new (FALSE, FALSE, sizeof (gdouble)) };
  for (guint i = 0; i < G_N_ELEMENTS (cameras); i++)
    for (guint k = 0; k < (part > 0 ? N_CALIBRATIONS : 1); k++) {
      const GstCcaGround ground =
          calibrated_ground (&cameras[i], rand, part, 8, ground_at (&cameras[i], 0.95), ground_at (&cameras[i], 0.35));

      for (guint n = 0; n < 4; n++)
        drive (&cameras[i], &ground, solid, speeds[solid - vehicles][n % 2], way->headings[n / 2], shares);
    }
  g_assert_cmpuint (shares->line->len, >=, 4);
  g_array_sort (shares->line, compare_numbers);
  g_array_sort (shares->box, compare_numbers);
  g_rand_free (rand);
}

static void
shares_clear (Shares *shares)
{
  g_array_unref (shares->line);
  g_array_unref (shares->box);
}

/* Under calibrations that are up to 1 % of the picture off, single vehicles may be; all together are not. */
static void
test_vehicles (gconstpointer data)
{
  const gdouble part = GPOINTER_TO_INT (data) / 100.0;

  for (guint i = 0; i < G_N_ELEMENTS (vehicles); i++)
    for (guint k = 0; k < G_N_ELEMENTS (ways); k++) {
      Shares shares;

      measure (&vehicles[i], &ways[k], part, &shares);
      g_test_message ("%s %s, %.0f %% off: %.2f of the true time, 90 %% from %.2f to %.2f; the box %.2f; %u vehicles",
                      vehicles[i].name, ways[k].name, part * 100, percentile (shares.line, 50),
                      percentile (shares.line, 5), percentile (shares.line, 95), percentile (shares.box, 50),
                      shares.line->len);
      g_assert_cmpfloat (percentile (shares.line, 50), >, 0.85);
      g_assert_cmpfloat (percentile (shares.line, 50), <, 1.2);
      g_assert_cmpfloat (percentile (shares.line, 5), >, part > 0 ? 0.25 : 0.65);
      g_assert_cmpfloat (percentile (shares.line, 95), <, 1.6);
      shares_clear (&shares);
    }
}

static const Camera *const camera = &cameras[1];
static const Solid *const car = &vehicles[1];

/* A car stops with its middle `beyond` metres beyond the line, and stands there for two minutes, in a state. Returns
 * the part of all time in which the line was occupied. */
static gdouble
stop_beyond (gdouble beyond, GstCcaObjectState state, gdouble min_area)
{
  g_autoptr (GRand) rand = g_rand_new ();
  const GstCcaGround ground = calibrated_ground (camera, rand, 0, 8, 12, 60);
  GstCcaPosition ends[2];
  GstCcaRules *rules = rules_with_line (camera, &ground, 180, min_area, ends);
  GstCcaObject track = { .id = 1, .state = GST_CCA_OBJECT_CONFIRMED, .area = 1000 };
  guint64 time = 0;
  GstCcaRulesMeasures measures;

  for (gdouble left = 20; left > 0; left -= 8 * FRAME_NS / 1e9, time += FRAME_NS) {
    track.box = see_solid (camera, car, 0, ground_at (camera, 0.5) - beyond + left, 180);
    show (rules, time, &track, 1);
  }
  for (guint i = 0; i < 1200; i++, time += SECOND / 10) {
    track.state = i < 20 ? GST_CCA_OBJECT_CONFIRMED : state;
    show (rules, time, &track, 1);
  }
  measures = gst_cca_rules_measures (rules, 0);
  g_assert_true (measures.known & GST_CCA_RULES_OCCUPIED);
  gst_cca_rules_free (rules);
  return measures.occupied;
}

/* The roof of one that stands before the line hides it. */
static void
test_standing (void)
{
  g_assert_cmpfloat (stop_beyond (3, GST_CCA_OBJECT_CONFIRMED, 0), <, 0.02);
  g_assert_cmpfloat (stop_beyond (0, GST_CCA_OBJECT_CONFIRMED, 0), >, 0.96);
  g_assert_cmpfloat (stop_beyond (-3, GST_CCA_OBJECT_CONFIRMED, 0), <, 0.02);
  /* One that is hidden stays where it was. */
  g_assert_cmpfloat (stop_beyond (0, GST_CCA_OBJECT_COASTING, 0), >, 0.96);
  /* The line is for larger ones. */
  g_assert_cmpfloat (stop_beyond (0, GST_CCA_OBJECT_CONFIRMED, 2000), ==, 0);
}

static void
test_without_ground (void)
{
  GstCcaPosition ends[2];
  GstCcaRules *rules = rules_with_line (camera, NULL, 0, 0, ends);

  show (rules, 0, NULL, 0);
  show (rules, 200 * SECOND, NULL, 0);
  g_assert_cmpuint (gst_cca_rules_measures (rules, 0).known, ==, GST_CCA_RULES_FLOW);
  gst_cca_rules_free (rules);
}

CASES_MAIN ()
{
  ADD_TESTS ("/ground-occupied", test_standing, test_without_ground);
  g_test_add_data_func ("/ground-occupied/exact", GINT_TO_POINTER (0), test_vehicles);
  g_test_add_data_func ("/ground-occupied/one-percent", GINT_TO_POINTER (1), test_vehicles);
}
