/* gst-cca: identities of people on known ground: pairs and others walk under a camera from the first frame on
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * usage: test-objects-ground-people [-k]; with --verbose, prints the scores
 */
#include "../add-tests.h"
#include "ground-scene.h"

#include "vision.h"

#define SEEDS 6
#define GROUPS 6
#define PAIRS 4
#define FRAMES 125 /* 5 s, of which much is over before sizes are learned */
#define APART 0.5  /* metres between two of a pair */
#define WALL 9     /* metres to either side where people turn back, … */
#define NEAR 14    /* … and from the camera */
#define FAR 36
#define PERSON_WIDTH 0.34 /* of the height */

typedef struct
{
  gdouble x, y, vx, vy; /* metres, metres a second */
  gdouble height;
} Person;

typedef struct
{
  Camera camera;
  Person people[GROUPS + PAIRS];
  guint n;
} Street;

static Street
street_new (GRand *rand)
{
  Street street = { .camera = { g_rand_double_range (rand, 5, 9), g_rand_double_range (rand, 12, 20), 50 } };

  for (guint i = 0; i < GROUPS; i++) {
    const gdouble angle = g_rand_double_range (rand, 0, 2 * G_PI), speed = g_rand_double_range (rand, 1, 1.6);
    const Person person = { (i % 3 - 1.0) * 5 + g_rand_double_range (rand, -1, 1),
                            NEAR + 4 + i / 3 * 9 + g_rand_double_range (rand, -2, 2), speed * cos (angle),
                            speed * sin (angle), g_rand_double_range (rand, 1.6, 1.9) };

    street.people[street.n++] = person;
    if (i < PAIRS) {
      street.people[street.n] = person;
      street.people[street.n].height = g_rand_double_range (rand, 1.6, 1.9);
      street.people[street.n++].x += APART;
    }
  }
  return street;
}

/* Pairs turn back together: they walk in step, and the wall is as far away for both. */
static void
walk (Street *street, gdouble seconds)
{
  for (guint i = 0; i < street->n; i++) {
    Person *p = &street->people[i];

    if (ABS (p->x) > WALL && p->x * p->vx > 0)
      p->vx = -p->vx;
    if ((p->y < NEAR && p->vy < 0) || (p->y > FAR && p->vy > 0))
      p->vy = -p->vy;
    p->x += p->vx * seconds;
    p->y += p->vy * seconds;
  }
}

/* Whether a point is a person's who stands on y = 0 in the middle of x = 0, in heights. */
static gboolean
is_body (gdouble x, gdouble y, gdouble swing)
{
  return x * x / (0.07 * 0.07) + (y - 0.91) * (y - 0.91) / (0.09 * 0.09) < 1
         || (ABS (x) < PERSON_WIDTH / 2 && y > 0.45 && y < 0.82)
         || (y > 0 && y <= 0.45 && (ABS (x - swing * (0.45 - y)) < 0.06 || ABS (x + swing * (0.45 - y)) < 0.06));
}

static SceneBox
draw (const Street *street, guint i, gdouble time, guint8 *mask)
{
  const Person *p = &street->people[i];
  const GstCcaPosition foot = see (&street->camera, p->x, p->y, 0), head = see (&street->camera, p->x, p->y, p->height);
  const gdouble height = foot.y - head.y, half = 0.3 * height, swing = 0.25 * sin (6 * time + i);

  for (gint y = MAX (0, (gint) head.y); y < MIN (HEIGHT, foot.y); y++)
    for (gint x = MAX (0, (gint) (foot.x - half)); x < MIN (WIDTH, foot.x + half); x++)
      if (is_body ((x + 0.5 - foot.x) / height, (foot.y - y - 0.5) / height, swing))
        mask[y * WIDTH + x] = 255;
  return (SceneBox) { i + 1, foot.x - PERSON_WIDTH / 2 * height, head.y, PERSON_WIDTH * height, height };
}

typedef enum
{
  NOTHING,
  GROUND,
  PEOPLE
} Known;

/* Returns IDF1. */
static gdouble
run_street (guint32 seed, Known known)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (seed);
  Street street = street_new (rand);
  g_autofree guint8 *mask = g_malloc (WIDTH * HEIGHT);
  Vision *vision = vision_new (WIDTH, HEIGHT);
  GstCcaTracker *tracker = gst_cca_tracker_new (NULL);
  Identity *identity = identity_new ();
  GstCcaGroundPoint points[8];
  GstCcaGroundPicture picture = { .width = 0 };
  gdouble score;
  gsize a, b;

  calibrate (&street.camera, rand, 0.005, 8, 5, 12, 45, points);
  g_assert_cmpint (gst_cca_ground_fit (&picture.ground, points, 8, &a, &b), ==, GST_CCA_GROUND_FITS);
  if (known != NOTHING)
    gst_cca_tracker_set_ground (tracker, &picture, known == PEOPLE);
  for (guint i = 0; i < FRAMES; i++) {
    SceneBox truth[GROUPS + PAIRS];
    GstCcaTrackerFrame frame;
    const GstCcaObject *tracks;
    gsize n;

    memset (mask, 0, WIDTH * HEIGHT);
    for (guint k = 0; k < street.n; k++)
      truth[k] = draw (&street, k, i * 0.04, mask);
    vision_look (vision, mask, i * FRAME_NS, &frame);
    g_assert_true (gst_cca_tracker_run (tracker, &frame, &tracks, &n));
    vision_evaluate (identity, truth, street.n, tracks, n, true);
    walk (&street, 0.04);
  }
  score = identity_f1 (identity);
  /* Under a camera that looks down, people are a bit lower than they are. */
  if (known == NOTHING)
    g_assert_cmpfloat (gst_cca_tracker_metres (tracker), ==, 0);
  else
    g_assert_cmpfloat_with_epsilon (gst_cca_tracker_metres (tracker), 1.7, 0.2);
  identity_free (identity);
  gst_cca_tracker_free (tracker);
  vision_free (vision);
  return score;
}

/* The ground alone does not lower the score; with the height of people, pairs are separated from the first frames
 * on. */
static void
test_pairs (void)
{
  gdouble scores[3] = { 0 };

  for (guint32 seed = 1; seed <= SEEDS; seed++)
    for (Known known = NOTHING; known <= PEOPLE; known++)
      scores[known] += run_street (seed, known) / SEEDS;
  g_test_message ("IDF1 without a ground %.3f, with one %.3f, of people %.3f", scores[NOTHING], scores[GROUND],
                  scores[PEOPLE]);
  g_assert_cmpfloat (scores[GROUND], >=, scores[NOTHING] - 0.02);
  g_assert_cmpfloat (scores[PEOPLE], >=, scores[NOTHING] + 0.04);
  g_assert_cmpfloat (scores[PEOPLE], >=, 0.9);
}

TESTS_MAIN ("/ground-people", test_pairs)
