/* gst-cca: the oracle of the samples against scenes worked out by hand
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "../add-tests.h"
#include "oracle.h"

#include <glib.h>
#include <stdlib.h>
#include <string.h>

#define SCENE_WIDTH 256
#define SCENE_HEIGHT 192
#define LEARNING 4
#define CHANGES 5 /* of the scene in a row, after which the model begins anew */

/* A frame with chroma at half the size, and the model that it goes to. */
typedef struct
{
  OracleParams params;
  OracleModel *model;
  uint8_t luma[SCENE_HEIGHT][SCENE_WIDTH], u[SCENE_HEIGHT / 2][SCENE_WIDTH / 2], v[SCENE_HEIGHT / 2][SCENE_WIDTH / 2];
  OracleChroma chroma;
  uint16_t *mask;
} Scene;

static uint32_t
knot (uint32_t seed, uint32_t x, uint32_t y)
{
  return (x * 0x9e3779b1u ^ (y + seed) * 0x85ebca6bu) * 0xc2b2ae35u >> 24;
}

/* Levels from 60 to 187, the same for the same seed, interpolated between knots of a grid of 8 pixels. Edges that lie
 * on rows of the grid that stage A compares would be taken for half a pixel of shift. */
static void
scene_draw (Scene *scene, uint32_t seed, uint32_t shift)
{
  for (uint32_t y = 0; y < SCENE_HEIGHT; y++)
    for (uint32_t x = 0; x < SCENE_WIDTH; x++) {
      const uint32_t i = (x + shift) / 8, j = y / 8, right = (x + shift) % 8, below = y % 8;
      const uint32_t sum = (8 - below) * ((8 - right) * knot (seed, i, j) + right * knot (seed, i + 1, j))
                           + below * ((8 - right) * knot (seed, i, j + 1) + right * knot (seed, i + 1, j + 1));

      scene->luma[y][x] = (uint8_t) (60 + sum / 128);
    }
  memset (scene->u, 128, sizeof scene->u);
  memset (scene->v, 128, sizeof scene->v);
}

static void
scene_init (Scene *scene, bool colored)
{
  *scene = (Scene) {
    .params = { .mode = ORACLE_MOTION, .background = ORACLE_SAMPLES, .learning = LEARNING, .tolerance = 10 },
    .model = oracle_model_new (SCENE_WIDTH, SCENE_HEIGHT),
  };
  scene->chroma = (OracleChroma) { scene->u[0], scene->v[0], SCENE_WIDTH / 2, 1, 1, 1 };
  if (colored)
    oracle_model_set_chroma (scene->model, &scene->chroma);
}

static void
scene_clear (Scene *scene)
{
  oracle_model_free (scene->model);
  free (scene->mask);
}

static void
scene_run (Scene *scene)
{
  free (scene->mask);
  scene->mask = oracle_classes (&scene->params, scene->model, scene->luma[0], SCENE_WIDTH, SCENE_HEIGHT);
}

/* Runs n frames of a scene that does not change. */
static void
scene_learn (Scene *scene, uint32_t n)
{
  for (uint32_t t = 0; t < n; t++) {
    scene_run (scene);
    g_assert_false (oracle_model_scene_changed (scene->model));
  }
}

/* Sets the square of that side at (x, y). */
static void
scene_put (Scene *scene, uint32_t x, uint32_t y, uint32_t side, uint8_t level)
{
  for (uint32_t j = y; j < y + side; j++)
    memset (&scene->luma[j][x], level, side);
}

static uint32_t
scene_count (const Scene *scene, uint32_t x, uint32_t y, uint32_t width, uint32_t height)
{
  uint32_t n = 0;

  for (uint32_t j = y; j < y + height; j++)
    for (uint32_t i = x; i < x + width; i++)
      n += scene->mask[j * SCENE_WIDTH + i];
  return n;
}

static uint32_t
scene_count_all (const Scene *scene)
{
  return scene_count (scene, 0, 0, SCENE_WIDTH, SCENE_HEIGHT);
}

/* Shows the model n frames of a row whose left half has that value. Returns whether its first pixel is in the mask. */
static bool
row_run (Scene *scene, uint8_t value, uint32_t n)
{
  uint8_t pixels[12];
  bool shown = false;

  memset (pixels, 100, sizeof pixels);
  memset (pixels, value, 5);
  while (n-- > 0) {
    uint16_t *mask = oracle_classes (&scene->params, scene->model, pixels, 12, 1);

    shown = mask[0];
    g_assert_cmpuint (mask[11], ==, 0);
    free (mask);
  }
  return shown;
}

/* The rule of the mask, worked out by hand for the first pixel of a row whose left half changes: more than 10 from all
 * but one of the samples. */
static void
test_threshold (void)
{
  static const struct
  {
    uint8_t value;
    bool foreground;
  } frames[] = {
    { 100, false }, { 140, false }, { 100, false }, { 100, false }, /* learning */
    { 110, false }, { 111, true },  { 90, false },  { 89, true },   { 140, true }, { 100, false },
  };
  Scene scene;

  scene_init (&scene, false);
  oracle_model_free (scene.model);
  scene.model = oracle_model_new (12, 1);
  for (size_t t = 0; t < G_N_ELEMENTS (frames); t++) {
    g_test_message ("frame %zu", t);
    g_assert_true (row_run (&scene, frames[t].value, 1) == frames[t].foreground);
  }
  scene_clear (&scene);
}

/* The model learns what differs by 4 or less. It does not learn what differs more, whether the mask shows it or not. */
static void
test_faint (void)
{
  for (uint8_t difference = 3; difference <= 6; difference += 3) {
    Scene scene;

    scene_init (&scene, false);
    oracle_model_free (scene.model);
    scene.model = oracle_model_new (12, 1);
    g_assert_false (row_run (&scene, 100, 2 * LEARNING + 20));
    g_assert_false (row_run (&scene, 100 + difference, 300));
    g_assert_true (row_run (&scene, 112, 1) == (difference > 4));
    scene_clear (&scene);
  }
}

/* A quarter of the frame flickers in half of the frames, in blocks of 8x8: its pixels' thresholds rise. */
static void
test_flicker (void)
{
  uint32_t n_first = 0, n_last = 0;
  Scene scene;

  scene_init (&scene, false);
  for (uint32_t t = 0; t < 300; t++) {
    scene_draw (&scene, 1, 0);
    for (uint32_t y = 0; y < SCENE_HEIGHT; y++)
      for (uint32_t x = 0; x < SCENE_WIDTH / 4; x++)
        if (t >= LEARNING && knot (t, x / 8, y / 8) < 128)
          scene.luma[y][x] += 25;
    scene_run (&scene);
    n_first += t < LEARNING + 5 ? scene_count_all (&scene) : 0;
    n_last += t >= 295 ? scene_count_all (&scene) : 0;
  }
  g_test_message ("%u and %u", n_first, n_last);
  g_assert_cmpuint (n_first, >, 5 * 1000);
  g_assert_cmpuint (n_last, <, n_first / 3);
  scene_clear (&scene);
}

static void
test_square (void)
{
  Scene scene;

  for (int colored = 0; colored < 2; colored++) {
    scene_init (&scene, colored);
    scene_draw (&scene, 1, 0);
    scene_learn (&scene, LEARNING);
    for (uint32_t x = 8; x < 60; x += 4) {
      scene_draw (&scene, 1, 0);
      scene_put (&scene, x, 30, 20, 250);
      scene_run (&scene);
      g_assert_cmpuint (scene_count (&scene, x + 1, 31, 18, 18), ==, 18 * 18);
      g_assert_cmpuint (scene_count_all (&scene), ==, scene_count (&scene, x - 1, 29, 22, 22));
    }
    scene_draw (&scene, 1, 0);
    scene_run (&scene);
    g_assert_cmpuint (scene_count_all (&scene), ==, 0);
    scene_clear (&scene);
  }
}

/* Only chroma shows it. */
static void
test_chroma (void)
{
  Scene scene;

  for (int colored = 0; colored < 2; colored++) {
    scene_init (&scene, colored);
    scene_draw (&scene, 1, 0);
    scene_learn (&scene, LEARNING);
    for (uint32_t y = 10; y < 20; y++)
      memset (&scene.u[y][10], 160, 10);
    scene_run (&scene);
    g_assert_cmpuint (scene_count (&scene, 22, 22, 16, 16), ==, colored ? 16 * 16 : 0);
    g_assert_cmpuint (scene_count_all (&scene), ==, scene_count (&scene, 18, 18, 24, 24));
    scene_clear (&scene);
  }
}

static void
test_light (void)
{
  Scene scene;

  scene_init (&scene, false);
  scene_draw (&scene, 1, 0);
  scene_learn (&scene, LEARNING + 2);
  for (uint32_t t = 0; t < 4; t++) {
    scene_draw (&scene, 1, 0);
    for (uint32_t y = 0; y < SCENE_HEIGHT; y++)
      for (uint32_t x = 0; x < SCENE_WIDTH; x++)
        scene.luma[y][x] = (uint8_t) (scene.luma[y][x] * 5 / 4 + 10);
    if (t > 1)
      scene_put (&scene, 30, 30, 20, 20);
    scene_run (&scene);
    g_assert_false (oracle_model_scene_changed (scene.model));
    g_assert_cmpuint (scene_count (&scene, 31, 31, 18, 18), ==, t > 1 ? 18 * 18 : 0);
    g_assert_cmpuint (scene_count_all (&scene), ==, scene_count (&scene, 29, 29, 22, 22));
  }
  scene_clear (&scene);
}

static void
test_shift (void)
{
  static const uint32_t shifts[] = { 4, 2, 0, 1, 3, 5, 7, 9, 11, 12 };
  Scene scene;

  scene_init (&scene, false);
  scene_draw (&scene, 1, 6);
  scene_learn (&scene, LEARNING + 2);
  for (uint32_t i = 0; i < sizeof shifts / sizeof *shifts; i++) {
    const uint32_t shift = shifts[i];

    scene_draw (&scene, 1, shift);
    scene_put (&scene, 30, 30, 20, 250);
    scene_run (&scene);
    g_test_message ("from 6 to %u", shift);
    g_assert_cmpuint (scene_count (&scene, 31, 31, 18, 18), ==, 18 * 18);
    /* Columns that come into view at an edge are new. */
    g_assert_cmpuint (scene_count (&scene, 8, 0, SCENE_WIDTH - 16, SCENE_HEIGHT), ==,
                      scene_count (&scene, 29, 29, 22, 22));
  }
  scene_clear (&scene);
}

/* Runs a frame with an object. Returns whether it is the only foreground in the part that was in view from the
 * start. */
static bool
scene_finds (Scene *scene, uint32_t seed, uint32_t shift)
{
  scene_draw (scene, seed, shift);
  scene_put (scene, 30, 30, 20, 250);
  scene_run (scene);
  return scene_count (scene, 31, 31, 18, 18) == 18 * 18
         && scene_count (scene, 0, 0, SCENE_WIDTH - 40, SCENE_HEIGHT) == scene_count (scene, 29, 29, 22, 22);
}

/* The camera is followed farther than one search reaches, up to an eighth of the frame. */
static void
test_drift (void)
{
  Scene scene;

  scene_init (&scene, false);
  scene_draw (&scene, 1, 0);
  scene_learn (&scene, LEARNING + 2);
  for (uint32_t shift = 2; shift <= 20; shift += 2) {
    g_test_message ("to %u", shift);
    g_assert_true (scene_finds (&scene, 1, shift));
  }
  /* A frame that shows something else leaves it where it was, and little of itself. */
  g_assert_false (scene_finds (&scene, 1000, 20));
  scene_finds (&scene, 1, 20);
  g_assert_cmpuint (scene_count (&scene, 31, 31, 18, 18), >=, 18 * 18 - 5);
  g_assert_cmpuint (scene_count_all (&scene), <, 22 * 22 + 5);
  for (uint32_t shift = 21; shift <= 35; shift += 2) {
    g_test_message ("to %u", shift);
    g_assert_true (scene_finds (&scene, 1, shift));
  }
  for (uint32_t shift = 34; shift >= 20; shift -= 2) {
    g_test_message ("back to %u", shift);
    g_assert_true (scene_finds (&scene, 1, shift));
  }
  /* After a jump, the model is learned anew. */
  scene_draw (&scene, 1, 3);
  for (uint32_t t = 0; t < CHANGES; t++)
    scene_run (&scene);
  scene_learn (&scene, LEARNING + 2);
  g_assert_true (scene_finds (&scene, 1, 3));
  scene_clear (&scene);
}

/* A camera that was pushed is followed in the third frame that shows so, behind which what flipped calms down, and at
 * once on its way back. A single such frame changes nothing. */
static void
test_leap (void)
{
  Scene scene;

  scene_init (&scene, false);
  scene_draw (&scene, 1, 20);
  scene_learn (&scene, LEARNING + 2);
  g_assert_false (scene_finds (&scene, 1, 24));
  g_assert_false (scene_finds (&scene, 1, 24));
  scene_finds (&scene, 1, 24);
  g_assert_cmpuint (scene_count_all (&scene), <, SCENE_WIDTH * SCENE_HEIGHT / 40);
  g_assert_true (scene_finds (&scene, 1, 24));
  g_assert_false (scene_finds (&scene, 1, 28));
  scene_finds (&scene, 1, 24);
  g_assert_cmpuint (scene_count_all (&scene), <, SCENE_WIDTH * SCENE_HEIGHT / 40);
  g_assert_true (scene_finds (&scene, 1, 24));
  g_assert_true (scene_finds (&scene, 1, 20));
  scene_clear (&scene);
}

/* Nothing but one grey. */
static void
scene_level (Scene *scene)
{
  memset (scene->luma, 90, sizeof scene->luma);
  memset (scene->u, 128, sizeof scene->u);
  memset (scene->v, 128, sizeof scene->v);
}

/* For how many frames, of n, the pixel (x, y) is foreground. */
static uint32_t
scene_last (Scene *scene, uint32_t x, uint32_t y, uint32_t n)
{
  for (uint32_t t = 0; t < n; t++) {
    scene_run (scene);
    if (scene_count (scene, x, y, 1, 1) == 0)
      return t;
  }
  return n;
}

/* An object that was there during learning leaves. Its place is foreground until the model sees that the edge of the
 * background is not in the frame, which takes 16 still frames, or soon after learning the 10 that make it steady. */
static void
test_ghost (void)
{
  Scene scene;

  for (uint32_t later = 0; later < 2; later++) {
    scene_init (&scene, true);
    scene_level (&scene);
    scene_put (&scene, 30, 30, 20, 200);
    scene_learn (&scene, LEARNING + (later ? 60 : 4));
    scene_level (&scene);
    g_assert_cmpuint (scene_last (&scene, 40, 40, 30), ==, later ? 17 : 11);
    scene_clear (&scene);
  }

  /* An object that stays has its edges in the frame, and remains. */
  scene_init (&scene, true);
  scene_level (&scene);
  scene_learn (&scene, LEARNING + 4);
  scene_put (&scene, 30, 30, 20, 200);
  for (uint32_t t = 0; t < 30; t++) {
    scene_run (&scene);
    g_assert_cmpuint (scene_count (&scene, 32, 32, 16, 16), ==, 16 * 16);
  }
  scene_clear (&scene);
}

/* Stripes of three pixels, with more contrast than a grey object before them has. */
static void
scene_stripe (Scene *scene)
{
  scene_level (scene);
  for (uint32_t y = 0; y < SCENE_HEIGHT; y++)
    for (uint32_t x = 0; x < SCENE_WIDTH; x++)
      scene->luma[y][x] = x / 3 % 2 ? 200 : 60;
}

/* An object leaves when learning ends, before a background whose edges hide its own. Pixels that have stood still since
 * are learned 12 frames later; those that the object uncovers later are not. */
static void
test_settling (void)
{
  for (uint32_t later = 0; later < 2; later++) {
    Scene scene;

    scene_init (&scene, true);
    scene_stripe (&scene);
    scene_put (&scene, 100, 100, 12, 130);
    scene_learn (&scene, LEARNING + 5 * later);
    scene_stripe (&scene);
    g_assert_cmpuint (scene_last (&scene, 106, 106, 40), ==, later ? 40 : 13);
    scene_clear (&scene);
  }
}

/* A square at three quarters of the light, then the same in another color. */
static void
test_shadow (void)
{
  static const struct
  {
    bool colored, keep, other_color, foreground;
  } cases[] = {
    { true, false, false, false },
    { false, false, false, true },
    { true, true, false, true },
    { true, false, true, true },
  };

  for (size_t i = 0; i < G_N_ELEMENTS (cases); i++) {
    Scene scene;

    scene_init (&scene, cases[i].colored);
    scene.params.keep_shadows = cases[i].keep;
    scene_draw (&scene, 1, 0);
    scene_put (&scene, 0, 0, 24, 20); /* black */
    scene_learn (&scene, LEARNING + 2);
    for (uint32_t y = 40; y < 60; y++)
      for (uint32_t x = 40; x < 60; x++)
        scene.luma[y][x] = (uint8_t) (20 + (scene.luma[y][x] - 20) * 3 / 4);
    if (cases[i].other_color)
      for (uint32_t y = 20; y < 30; y++)
        memset (&scene.v[y][20], 150, 10);
    scene_run (&scene);
    g_test_message ("case %zu", i);
    if (cases[i].foreground)
      g_assert_cmpuint (scene_count (&scene, 42, 42, 16, 16), >, 200);
    else
      g_assert_cmpuint (scene_count_all (&scene), ==, 0);
    scene_clear (&scene);
  }
}

/* The frame behind the last change is the first of the new model. */
static void
test_scene_change (void)
{
  Scene scene;

  scene_init (&scene, true);
  scene_draw (&scene, 1, 0);
  scene_learn (&scene, LEARNING + 2);
  for (uint32_t t = 0; t <= LEARNING + CHANGES + 1; t++) {
    scene_draw (&scene, 1000, 0);
    if (t >= LEARNING + CHANGES - 1)
      scene_put (&scene, 30, 30, 20, 250);
    scene_run (&scene);
    g_test_message ("frame %u", t);
    g_assert_cmpuint (oracle_model_scene_changed (scene.model), ==, t < CHANGES);
    g_assert_cmpuint (scene_count (&scene, 31, 31, 18, 18), ==, t >= LEARNING + CHANGES ? 18 * 18 : 0);
    g_assert_cmpuint (scene_count_all (&scene), ==, scene_count (&scene, 29, 29, 22, 22));
  }
  scene_clear (&scene);
}

/* The model outlives a short change, and an object with it. */
static void
test_short_change (void)
{
  Scene scene;

  scene_init (&scene, true);
  scene_draw (&scene, 1, 0);
  scene_learn (&scene, LEARNING + 2);
  for (uint32_t t = 0; t < 3 * CHANGES; t++) {
    const bool changed = t % CHANGES > 0;

    scene_draw (&scene, changed ? 1000 : 1, 0);
    if (!changed)
      scene_put (&scene, 30, 30, 20, 250);
    scene_run (&scene);
    g_test_message ("frame %u", t);
    g_assert_cmpuint (oracle_model_scene_changed (scene.model), ==, changed);
    g_assert_cmpuint (scene_count (&scene, 31, 31, 18, 18), ==, changed ? 0 : 18 * 18);
  }
  scene_clear (&scene);
}

TESTS_MAIN ("/oracle/samples", test_threshold, test_faint, test_flicker, test_square, test_chroma, test_light,
            test_shift, test_leap, test_drift, test_ghost, test_settling, test_shadow, test_scene_change,
            test_short_change)
