/* gst-cca: the logic of a camera's health: samples, shifts, and states of composed trouble
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "../add-tests.h"
#include "gst/camera/health.h"
#include "tests/objects/camera-scene.h"

#include <glib.h>
#include <math.h>
#include <string.h>

#define WIDTH 640
#define HEIGHT 360
#define FRAME (G_GUINT64_CONSTANT (1000000000) / 25)
#define SECONDS(n) ((guint) ((n) * 25))

typedef struct
{
  CcaHealth *health;
  CcaHealthParams params;
  guint64 time;
  guint n, step; /* frames, of those of 25 a second */
  guint8 luma[WIDTH * HEIGHT], scratch[WIDTH];
} Camera;

typedef void (*Trouble) (Camera *camera);

static Camera *
camera_new (void)
{
  Camera *camera = g_new0 (Camera, 1);

  camera->health = cca_health_new (WIDTH, HEIGHT);
  camera->step = 1;
  camera->params = (CcaHealthParams) {
    .on_time = SECONDS (1) * FRAME,
    .off_time = SECONDS (2) * FRAME,
    .frozen_time = SECONDS (1.3) * FRAME,
    .accept_time = SECONDS (10) * FRAME,
  };
  return camera;
}

static void
camera_free (Camera *camera)
{
  cca_health_free (camera->health);
  g_free (camera);
}
G_DEFINE_AUTOPTR_CLEANUP_FUNC (Camera, camera_free)

static void
fill (Camera *camera, Trouble trouble)
{
  scene_fill (camera->luma, WIDTH, HEIGHT, 0, 0, 1, camera->n);
  if (trouble)
    trouble (camera);
}

/* Shows a number of frames. Returns how many of them passed until the state changed, or n if it stayed. */
static guint
show (Camera *camera, Trouble trouble, guint n)
{
  guint changed = n;

  for (guint i = 0; i < n; i++) {
    camera->time += camera->step * FRAME;
    camera->n += camera->step;
    if (!cca_health_is_due (camera->health, camera->time))
      continue;
    fill (camera, trouble);
    if (cca_health_look (camera->health, &camera->params, camera->luma, WIDTH, camera->time) && changed == n)
      changed = i;
  }
  return changed;
}

static const CcaHealthFinding *
finding (const Camera *camera)
{
  return cca_health_finding (camera->health);
}

/* --- Trouble --- */

static void
cover (Camera *camera)
{
  for (guint i = 0; i < WIDTH * HEIGHT; i++)
    if (i % WIDTH < WIDTH * 85 / 100)
      camera->luma[i] = (guint8) (90 + 30 * sin (i % WIDTH / 70.0 + i / WIDTH / 50.0) + scene_noise (i, 0, camera->n));
}

static void
cover_half (Camera *camera)
{
  for (guint i = 0; i < WIDTH * HEIGHT; i++)
    if (i % WIDTH < WIDTH / 3)
      camera->luma[i] = (guint8) (90 + scene_noise (i, 0, camera->n));
}

static void
dazzle (Camera *camera)
{
  for (guint i = 0; i < WIDTH * HEIGHT; i++)
    if (i % WIDTH > WIDTH / 2)
      camera->luma[i] = 255;
}

static void
darken (Camera *camera)
{
  for (guint i = 0; i < WIDTH * HEIGHT; i++)
    camera->luma[i] = (guint8) (camera->luma[i] / 10 + 10);
}

static void
brighten (Camera *camera)
{
  for (guint i = 0; i < WIDTH * HEIGHT; i++)
    camera->luma[i] = (guint8) (camera->luma[i] * 12 / 10);
}

static void
defocus (Camera *camera)
{
  scene_blur (camera->luma, WIDTH, HEIGHT, 4, camera->scratch);
}

static void
move (Camera *camera)
{
  scene_fill (camera->luma, WIDTH, HEIGHT, 64, -27, 1, camera->n);
}

/* Fills the frame with a view that is rolled and zoomed around the frame's middle. */
static void
fill_rolled (Camera *camera, gdouble degrees, gdouble scale)
{
  const gdouble turn = degrees * G_PI / 180, cosine = cos (turn) / scale, sine = sin (turn) / scale;

  for (gint y = 0; y < HEIGHT; y++)
    for (gint x = 0; x < WIDTH; x++) {
      const gdouble right = x - (WIDTH - 1) / 2.0, down = y - (HEIGHT - 1) / 2.0;
      const gint from_x = (gint) lround ((WIDTH - 1) / 2.0 + cosine * right + sine * down);
      const gint from_y = (gint) lround ((HEIGHT - 1) / 2.0 - sine * right + cosine * down);

      camera->luma[y * WIDTH + x] =
          (guint8) (scene_level (from_x, from_y, 1) + scene_noise ((guint32) x, (guint32) y, camera->n));
    }
}

static void
roll (Camera *camera)
{
  fill_rolled (camera, 12, 1);
}

static void
zoom (Camera *camera)
{
  fill_rolled (camera, -3, 1.1);
}

/* Stairs from above: strong stripes, and little beside. */
static void
fill_stripes (Camera *camera, gint shift)
{
  for (gint y = 0; y < HEIGHT; y++)
    for (gint x = 0; x < WIDTH; x++)
      camera->luma[y * WIDTH + x] =
          (guint8) (60 + y / 12 % 2 * 120 + scene_hash ((guint32) (x - shift + 10000) / 24, (guint32) y / 30, 3) % 32
                    + scene_noise ((guint32) x, (guint32) y, camera->n));
}

static void
stripes (Camera *camera)
{
  fill_stripes (camera, 0);
}

static void
moved_stripes (Camera *camera)
{
  fill_stripes (camera, 40);
}

/* A pixel in 0.6 s. */
static void
drift (Camera *camera)
{
  scene_fill (camera->luma, WIDTH, HEIGHT, (int) camera->n / 15, 0, 1, camera->n);
}

/* Farther by 64 pixels. */
static void
move_and_drift (Camera *camera)
{
  scene_fill (camera->luma, WIDTH, HEIGHT, (int) camera->n / 15 + 64, 0, 1, camera->n);
}

/* To and fro, by 10 pixels each second. */
static void
swing (Camera *camera)
{
  scene_fill (camera->luma, WIDTH, HEIGHT, (int) camera->n / 25 % 2 * 10, 0, 1, camera->n);
}

/* Farther by 22 pixels. */
static void
swing_far (Camera *camera)
{
  scene_fill (camera->luma, WIDTH, HEIGHT, 22, 0, 1, camera->n);
}

static void
drift_defocused (Camera *camera)
{
  drift (camera);
  defocus (camera);
}

/* After 12 s by 46 pixels, in 3 s. */
static void
pan (Camera *camera)
{
  const guint since = camera->n - MIN (camera->n, SECONDS (12));

  scene_fill (camera->luma, WIDTH, HEIGHT, (int) MIN (since * 2 / 3, 46), 0, 1, camera->n);
}

static void
pan_covered (Camera *camera)
{
  pan (camera);
  cover (camera);
}

/* A hall without anything dark. */
static void
shine (Camera *camera)
{
  for (guint i = 0; i < WIDTH * HEIGHT; i++)
    camera->luma[i] = (guint8) (130 + camera->luma[i] / 3);
}

static void
expose (Camera *camera)
{
  for (guint i = 0; i < WIDTH * HEIGHT; i++)
    camera->luma[i] = (guint8) MIN (camera->luma[i] * 168 / 100, 255);
}

static void
shine_exposed (Camera *camera)
{
  shine (camera);
  expose (camera);
}

/* Somebody in dark clothes walks through that hall. */
static void
walk (Camera *camera)
{
  const guint left = camera->n * 3 % (WIDTH - 24);

  shine (camera);
  for (guint y = 200; y < 320; y++)
    memset (camera->luma + y * WIDTH + left, 25, 24);
}

static void
walk_exposed (Camera *camera)
{
  walk (camera);
  expose (camera);
}

/* A torch into the lens: its white disc, and a veil. */
static void
walk_lit (Camera *camera)
{
  walk (camera);
  for (guint i = 0; i < WIDTH * HEIGHT; i++) {
    const gdouble x = (i % WIDTH) / (gdouble) WIDTH - 0.45, y = (i / WIDTH) / (gdouble) HEIGHT - 0.55;
    const gdouble light = 40 + 600 * exp (-(x * x + y * y) / 0.16);

    camera->luma[i] = (guint8) MIN (0.7 * camera->luma[i] + light, 255);
  }
}

/* The sky is white, and the rest is as it was. */
static void
whiten (Camera *camera)
{
  for (guint i = 0; i < WIDTH * HEIGHT / 3; i++)
    camera->luma[i] = 250;
}

static void
sway (Camera *camera)
{
  scene_fill (camera->luma, WIDTH, HEIGHT, (int) camera->n % 3 - 1, 0, 1, camera->n);
}

static void
turn_away (Camera *camera)
{
  scene_fill (camera->luma, WIDTH, HEIGHT, 0, 0, 99, camera->n);
}

static void
freeze (Camera *camera)
{
  scene_fill (camera->luma, WIDTH, HEIGHT, 0, 0, 1, 5);
}

/* Two pictures a second. */
static void
repeat (Camera *camera)
{
  scene_fill (camera->luma, WIDTH, HEIGHT, 0, 0, 1, camera->n * 2 / 25);
}

static void
blank (Camera *camera)
{
  memset (camera->luma, 100, sizeof camera->luma);
}

static void
mist (Camera *camera)
{
  for (guint i = 0; i < WIDTH * HEIGHT; i++)
    camera->luma[i] = (guint8) (100 + 4 * (i % WIDTH) / WIDTH + scene_noise (i, 0, camera->n));
}

static const struct
{
  const char *name;
  Trouble trouble;
  CcaHealthState state;
} cases[] = {
  { "covered", cover, CCA_HEALTH_COVERED },
  { "a third covered", cover_half, CCA_HEALTH_WELL },
  { "blinded", dazzle, CCA_HEALTH_BLINDED },
  { "dark", darken, CCA_HEALTH_DARK },
  { "brighter", brighten, CCA_HEALTH_WELL },
  { "a white sky", whiten, CCA_HEALTH_WELL },
  { "defocused", defocus, CCA_HEALTH_DEFOCUSED },
  { "moved", move, CCA_HEALTH_MOVED },
  { "rolled", roll, CCA_HEALTH_MOVED },
  { "zoomed", zoom, CCA_HEALTH_MOVED },
  { "sways", sway, CCA_HEALTH_WELL },
  { "turned away", turn_away, CCA_HEALTH_MOVED },
  { "frozen", freeze, CCA_HEALTH_FROZEN },
  { "repeats frames", repeat, CCA_HEALTH_WELL },
  { "blank", blank, CCA_HEALTH_LOST },
};

/* --- Tests --- */

/* Each trouble is named within two seconds, and ends within three. */
static void
test_states (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    const CcaHealthState state = cases[i].state;
    g_autoptr (Camera) camera = camera_new ();
    guint passed;

    g_test_message ("%s", cases[i].name);
    g_assert_cmpuint (show (camera, NULL, SECONDS (12)), ==, SECONDS (12));
    passed = show (camera, cases[i].trouble, SECONDS (5));
    g_assert_cmpint (finding (camera)->state, ==, state);
    if (state == CCA_HEALTH_WELL) {
      g_assert_cmpuint (passed, ==, SECONDS (5));
    } else {
      g_assert_cmpuint (passed, >=, SECONDS (1));
      g_assert_cmpuint (passed, <=, SECONDS (2));
      passed = show (camera, NULL, SECONDS (3));
      g_assert_cmpint (finding (camera)->state, ==, CCA_HEALTH_WELL);
      g_assert_cmpuint (passed, >=, SECONDS (2));
    }
  }
}

/* No trouble of less than a second changes the state, nor does a well moment within it end it. */
static void
test_hysteresis (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_autoptr (Camera) camera = camera_new ();

    g_test_message ("%s", cases[i].name);
    show (camera, NULL, SECONDS (12));
    for (guint j = 0; j < 5; j++) {
      g_assert_cmpuint (show (camera, cases[i].trouble, SECONDS (0.8)), ==, SECONDS (0.8));
      g_assert_cmpuint (show (camera, NULL, SECONDS (2)), ==, SECONDS (2));
    }
    if (cases[i].state == CCA_HEALTH_FROZEN)
      continue; /* frames that change have thawed */
    show (camera, cases[i].trouble, SECONDS (5));
    g_assert_cmpuint (show (camera, NULL, SECONDS (1)), ==, SECONDS (1));
    g_assert_cmpuint (show (camera, cases[i].trouble, SECONDS (2)), ==, SECONDS (2));
    g_assert_cmpint (finding (camera)->state, ==, cases[i].state);
  }
}

/* One trouble may follow another. */
static void
test_sequence (void)
{
  g_autoptr (Camera) camera = camera_new ();

  show (camera, NULL, SECONDS (12));
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    if (cases[i].state != CCA_HEALTH_WELL && cases[i].state != CCA_HEALTH_FROZEN) {
      show (camera, cases[i].trouble, SECONDS (3));
      g_assert_cmpint (finding (camera)->state, ==, cases[i].state);
    }
  show (camera, NULL, SECONDS (3));
  g_assert_cmpint (finding (camera)->state, ==, CCA_HEALTH_WELL);
}

/* The shift is found to half a pixel; a picture of another place has none. */
static void
test_shift (void)
{
  g_autoptr (Camera) camera = camera_new ();

  show (camera, NULL, SECONDS (12));
  show (camera, move, SECONDS (3));
  g_assert_true (finding (camera)->is_found);
  g_assert_cmpfloat_with_epsilon (finding (camera)->shift_x, 64, 1);
  g_assert_cmpfloat_with_epsilon (finding (camera)->shift_y, -27, 1);
  show (camera, turn_away, SECONDS (3));
  camera_free (camera);

  camera = camera_new ();
  show (camera, NULL, SECONDS (12));
  show (camera, turn_away, SECONDS (3));
  g_assert_false (finding (camera)->is_found);
}

/* A roll is found to a degree or two, a zoom to a few per cent. */
static void
test_roll (void)
{
  g_autoptr (Camera) camera = camera_new ();

  show (camera, NULL, SECONDS (12));
  show (camera, roll, SECONDS (3));
  g_assert_true (finding (camera)->is_found);
  g_assert_cmpfloat_with_epsilon (finding (camera)->angle, 12, 1.5);
  g_assert_cmpfloat_with_epsilon (finding (camera)->scale, 1, 0.04);
  show (camera, zoom, SECONDS (3));
  g_assert_cmpfloat_with_epsilon (finding (camera)->angle, -3, 1.5);
  g_assert_cmpfloat_with_epsilon (finding (camera)->scale, 1.1, 0.04);
}

/* A trouble that a camera has for some seconds, and its state in the end. */
typedef struct
{
  Trouble trouble;
  gdouble seconds;
  CcaHealthState state;
  gboolean stays;          /* the state never changes */
  gdouble least, most;     /* seconds until it does; 0: any */
  gdouble shift, accuracy; /* to the right, pixels; accuracy 0: any */
} Step;

static const struct
{
  const char *name;
  Step steps[12];
} stories[] = {
  { "a move along strong stripes is seen by what little else there is",
    { { stripes, 15, .stays = TRUE }, { moved_stripes, 3, CCA_HEALTH_MOVED, .shift = 40, .accuracy = 3 } } },
  { "a camera that stood still goes far", { { NULL, 19, .stays = TRUE }, { swing_far, 3, CCA_HEALTH_MOVED } } },
  { "one that swings may", { { NULL, 12 }, { swing, 7, .stays = TRUE }, { swing_far, 3 } } },
  { "the view goes with a drift of 50 pixels in half a minute, which still tells a move",
    { { drift, 30, .stays = TRUE }, { move_and_drift, 3, CCA_HEALTH_MOVED, .shift = 64, .accuracy = 12 } } },
  { "a camera that drifts and is out of focus has not moved",
    { { drift, 12 }, { drift_defocused, 16, CCA_HEALTH_DEFOCUSED } } },
  { "the view is followed to where a camera went behind something that passed",
    { { pan, 14, .stays = TRUE }, { pan_covered, 0.8, .stays = TRUE }, { pan, 4, .stays = TRUE } } },
  { "a bright view that turns white has ten seconds to find its exposure, each time",
    { { shine, 12, .stays = TRUE },
      { shine_exposed, 6, .stays = TRUE },
      { shine, 1, .stays = TRUE },
      { shine_exposed, 6, .stays = TRUE },
      { shine, 1, .stays = TRUE },
      { shine_exposed, 6, .stays = TRUE },
      { shine, 1, .stays = TRUE },
      { shine_exposed, 15, CCA_HEALTH_BLINDED, .least = 11, .most = 12 },
      { shine, 3 } } },
  { "stray light veils the dark clothes of who walks through a bright hall, exposure does not",
    { { walk, 12, .stays = TRUE },
      { walk_exposed, 6, .stays = TRUE },
      { walk, 1, .stays = TRUE },
      { walk_lit, 2, CCA_HEALTH_BLINDED },
      { walk, 3 } } },
  { "a new view is learned after accept_time; then the old one is the one that is away",
    { { NULL, 12 },
      { move, 3, CCA_HEALTH_MOVED },
      { move, 25, .least = 8 },
      { NULL, 3, CCA_HEALTH_MOVED, .shift = -64, .accuracy = 1 } } },
  { "frames of film that stand for long are known before they can be an alarm",
    { { repeat, 12 }, { freeze, 1.4, .stays = TRUE }, { freeze, 1.5, CCA_HEALTH_FROZEN } } },
  { "a picture that always stood still, as a test picture's, never was a camera's", { { freeze, 20 } } },
  { "a stream may begin with nothing for ten seconds; then it is covered",
    { { mist, 9, .stays = TRUE }, { mist, 4, CCA_HEALTH_COVERED }, { NULL, 4 } } },
  { "it may begin with less than that", { { mist, 5 }, { NULL, 10, .stays = TRUE } } },
};

static void
test_stories (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (stories); i++) {
    g_autoptr (Camera) camera = camera_new ();

    g_test_message ("%s", stories[i].name);
    for (const Step *step = stories[i].steps; step->seconds > 0; step++) {
      const guint n = SECONDS (step->seconds), passed = show (camera, step->trouble, n);

      g_assert_cmpint (finding (camera)->state, ==, step->state);
      if (step->stays)
        g_assert_cmpuint (passed, ==, n);
      g_assert_cmpuint (passed, >=, SECONDS (step->least));
      if (step->most > 0)
        g_assert_cmpuint (passed, <=, SECONDS (step->most));
      if (step->accuracy > 0)
        g_assert_cmpfloat_with_epsilon (finding (camera)->shift_x, step->shift, step->accuracy);
    }
  }
}

/* Shows one frame that is not due. */
static void
glance (Camera *camera, Trouble trouble)
{
  camera->time += FRAME;
  camera->n++;
  g_assert_false (cca_health_is_due (camera->health, camera->time));
  fill (camera, trouble);
  cca_health_glance (camera->health, &camera->params, camera->luma, WIDTH, camera->time);
}

/* Trouble is in doubt from the first glance until the state is named. A false alarm is doubt for less than two
 * seconds. */
static void
test_doubt (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    const bool is_trouble = cases[i].state != CCA_HEALTH_WELL;
    g_autoptr (Camera) camera = camera_new ();
    guint n_doubtful = 0;

    g_test_message ("%s", cases[i].name);
    show (camera, NULL, SECONDS (12));
    for (guint j = 0; j < 2; j++)
      glance (camera, NULL);
    g_assert_false (cca_health_is_doubtful (camera->health));
    glance (camera, cases[i].trouble); /* midway to the next look */
    /* A picture is frozen when it comes again. */
    if (cases[i].state == CCA_HEALTH_FROZEN) {
      show (camera, cases[i].trouble, 5);
      glance (camera, cases[i].trouble);
    }
    if (is_trouble)
      g_assert_true (cca_health_is_doubtful (camera->health));
    for (guint j = 0; j < SECONDS (3); j++) {
      show (camera, cases[i].trouble, 1);
      if (is_trouble)
        g_assert_cmpint (cca_health_is_doubtful (camera->health), ==, finding (camera)->state == CCA_HEALTH_WELL);
      n_doubtful += cca_health_is_doubtful (camera->health);
    }
    if (!is_trouble)
      g_assert_cmpuint (n_doubtful, <, SECONDS (2));
    g_assert_cmpint (finding (camera)->state, ==, cases[i].state);
    show (camera, NULL, SECONDS (4));
    g_assert_cmpint (finding (camera)->state, ==, CCA_HEALTH_WELL);
    g_assert_false (cca_health_is_doubtful (camera->health));
  }
}

/* While a camera may be finding its exposure, it is in doubt. */
static void
test_doubtful_exposure (void)
{
  g_autoptr (Camera) camera = camera_new ();

  show (camera, shine, SECONDS (12));
  g_assert_false (cca_health_is_doubtful (camera->health));
  show (camera, shine_exposed, SECONDS (6));
  g_assert_true (cca_health_is_doubtful (camera->health));
  show (camera, shine, SECONDS (1));
  g_assert_false (cca_health_is_doubtful (camera->health));
}

/* At six frames a second, trouble is told as soon as at more. */
static void
test_few_frames (void)
{
  g_autoptr (Camera) camera = camera_new ();

  camera->step = 4;
  show (camera, NULL, SECONDS (12) / 4);
  g_assert_cmpuint (show (camera, cover, SECONDS (3) / 4), <=, SECONDS (2) / 4);
  g_assert_cmpint (finding (camera)->state, ==, CCA_HEALTH_COVERED);
}

/* accept_time of 0 never learns a new view, frozen_time of 0 takes no picture for frozen. */
static void
test_no_times (void)
{
  g_autoptr (Camera) camera = camera_new ();

  camera->params.accept_time = 0;
  show (camera, NULL, SECONDS (12));
  show (camera, move, SECONDS (30));
  g_assert_cmpint (finding (camera)->state, ==, CCA_HEALTH_MOVED);
  camera_free (camera);

  camera = camera_new ();
  camera->params.frozen_time = 0;
  show (camera, NULL, SECONDS (12));
  show (camera, freeze, SECONDS (20));
  g_assert_cmpint (finding (camera)->state, ==, CCA_HEALTH_WELL);
}

/* A state that is reported from outside ends like one that is seen. */
static void
test_told (void)
{
  const CcaHealthFinding lost = { .state = CCA_HEALTH_LOST, .evidence = 2 };
  g_autoptr (Camera) camera = camera_new ();
  guint passed;

  show (camera, NULL, SECONDS (12));
  cca_health_set_finding (camera->health, &lost);
  cca_health_interrupt (camera->health);
  g_assert_cmpint (finding (camera)->state, ==, CCA_HEALTH_LOST);
  g_assert_cmpfloat (finding (camera)->evidence, ==, 2);
  passed = show (camera, NULL, SECONDS (4));
  g_assert_cmpint (finding (camera)->state, ==, CCA_HEALTH_WELL);
  g_assert_cmpuint (passed, >=, SECONDS (2));
}

/* Any size, with guard bytes around each row, which no sample reads. */
static void
test_sizes (void)
{
  static const guint sizes[][2] = { { 1, 1 },   { 1, 500 }, { 7, 3 },    { 8, 1 },     { 9, 9 },      { 16, 2 },
                                    { 33, 17 }, { 64, 48 }, { 1000, 1 }, { 1025, 73 }, { 1920, 1080 } };
  const CcaHealthParams params = { .on_time = FRAME, .off_time = FRAME, .frozen_time = FRAME };

  for (guint i = 0; i < G_N_ELEMENTS (sizes); i++) {
    const guint width = sizes[i][0], height = sizes[i][1], stride = width + 16;
    g_autofree guint8 *rows = g_malloc (stride * height);
    CcaHealth *health = cca_health_new (width, height);
    CcaPicture pictures[2];
    CcaPictureGrid grid;

    cca_picture_grid_init (&grid, width, height);
    for (guint guard = 0; guard < 2; guard++) {
      memset (rows, guard ? 255 : 0, stride * height);
      for (guint y = 0; y < height; y++)
        for (guint x = 0; x < width; x++)
          rows[y * stride + x] = (guint8) scene_level ((int) x, (int) y, 1);
      cca_picture_read (&pictures[guard], &grid, rows, stride);
    }
    g_assert_true (cca_picture_equals (&pictures[0], &pictures[1], &grid));
    g_assert_cmpfloat (pictures[0].sharpness, ==, pictures[1].sharpness);
    for (guint time = 0; time < 40; time++) {
      for (guint x = 0; x < stride * height; x++)
        rows[x] = (guint8) scene_noise (x, time, time > 20 ? 3 : 4) + 100;
      cca_health_look (health, &params, rows, stride, time * FRAME * 10);
    }
    cca_health_free (health);
  }
}

/* Samples are sums of eight pixels; an edge has the sharpness 1, a ramp that of one step of its seven. */
static void
test_samples (void)
{
  guint8 rows[64 * 16];
  CcaPictureGrid grid;
  CcaPicture picture;

  cca_picture_grid_init (&grid, 64, 16);
  g_assert_cmpuint (grid.columns, ==, 8);
  g_assert_cmpuint (grid.rows, ==, 16);
  for (guint i = 0; i < sizeof rows; i++)
    rows[i] = i % 8 < 4 ? 20 : 240;
  cca_picture_read (&picture, &grid, rows, 64);
  g_assert_cmpint (picture.samples[0], ==, 4 * 20 + 4 * 240);
  g_assert_cmpint (picture.lowest, ==, picture.highest);
  g_assert_cmpfloat (picture.sharpness, ==, 1);
  g_assert_cmpfloat (picture.textured, ==, 1);
  for (guint i = 0; i < sizeof rows; i++)
    rows[i] = (guint8) (i % 8 * 20);
  cca_picture_read (&picture, &grid, rows, 64);
  g_assert_cmpfloat_with_epsilon (picture.sharpness, 1.0 / 7, 1e-9);
  memset (rows, 3, sizeof rows);
  cca_picture_read (&picture, &grid, rows, 64);
  g_assert_cmpfloat (picture.dark, ==, 1);
  g_assert_cmpfloat (picture.textured, ==, 0);
  memset (rows, 240, sizeof rows);
  cca_picture_read (&picture, &grid, rows, 64);
  g_assert_cmpfloat (picture.bright, ==, 1);
}

TESTS_MAIN ("/camera", test_samples, test_sizes, test_states, test_hysteresis, test_sequence, test_shift, test_roll,
            test_stories, test_doubt, test_doubtful_exposure, test_few_frames, test_no_times, test_told)
