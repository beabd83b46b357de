/* gst-cca: the background model of samples over sequences of frames
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include <glib.h>
#include <string.h>

#include "cases.h"
#include "compare.h"
#include "patterns.h"

/* How a film stores its chroma. */
typedef enum
{
  CHROMA_NONE,
  CHROMA_PLANES,
  CHROMA_PAIRS,
  CHROMA_PAIRS_V_FIRST
} Chroma;

/* A film, and the expected foreground. */
typedef struct
{
  const char *name;
  uint32_t width, height, n_frames;
  Chroma chroma;
  uint32_t shift_x, shift_y;
  bool leaves;      /* the left half of the background sways; light and camera stay */
  bool stands;      /* an object stands from the end of learning on; light and camera stay */
  bool holds;       /* the model is told where objects are */
  bool drifts;      /* the camera drifts farther than it is followed, and back */
  bool returns;     /* scenes come and go; light and camera stay */
  bool opens;       /* dark at first, then it becomes light; the camera stays */
  bool shade;       /* the standing object is dark and has the background's colour, like a deep shadow */
  bool colourless;  /* all chroma is 128 */
  CcaParams params; /* algorithm and n_threads are the target's */
  uint8_t *luma, *chroma_planes;
  size_t luma_size, chroma_size; /* of a frame */
  OracleChroma *layouts;         /* of each frame */
  OracleFrame **expected;        /* once a film is first run */
} Film;

/* --- Scenes ------------------------------------------------------------------------------------------ */

/* From 0 to `span` and back within 2 `span`. */
static uint32_t
wave (uint32_t x, uint32_t span)
{
  const uint32_t phase = x % (2 * span);

  return phase < span ? phase : 2 * span - phase;
}

/* The scene of a film that is the first one with hardly any light. */
#define DARK 3

/* The model's black level in the first scene: hardly a pixel is darker. */
#define BLACK 60

/* Luma, u and v of a place. */
typedef struct
{
  int value[3];
} Color;

static Color
background (int x, int y, uint32_t scene)
{
  const uint32_t across = (uint32_t) (x + 100), down = (uint32_t) (y + 100);

  if (scene == DARK)
    return (Color) { { background (x, y, 0).value[0] / 24 + 10, 127, 129 } };
  if (scene == 2)
    return (Color) { { (int) (40 + wave (across * 9, 90) + wave (down * 11, 70)), 90, (int) (140 + wave (down, 20)) } };
  if (scene == 1)
    return (Color) { { (int) (60 + wave (down * 7 + across, 150)), 150, (int) (90 + wave (across, 30)) } };
  return (Color) { { (int) (50 + wave (across * 5 + down * 3, 70) + wave (across + 9 * down, 50)),
                     (int) (110 + wave (across * 2, 20)), (int) (120 + wave (down, 30)) } };
}

/* The story: an object leaves the place where learning found it, another wanders with its shadow, a part flickers, the
 * camera shakes, the light changes, and at last another scene is shown. Frames to the first of each: */
enum
{
  LEARNED = 10,
  LEAVES = 16,
  SHAKES = 26,
  STILL = 34,
  BRIGHTER = 42,
  SATURATED = 50,
  OTHER_SCENE = 58,
  RETURNS = 68, /* of films whose scenes come and go: the second one */
  LIGHTS_OFF = 260,
  LIGHTS_ON = 335,
  GLITCH = 40, /* of films whose light and camera stay: another scene for some frames */
  NORMAL = 43,
  OPENS = 30, /* of films that are dark at first: it becomes light, … */
  OPEN = 50   /* … and is */
};

/* Where an object stands. */
static OracleRectangle
standing_place (const Film *film)
{
  return (OracleRectangle) { film->width * 5 / 8, film->height / 8, 1 + film->width / 5, 1 + film->height / 4 };
}

/* Fills in the places held before a frame: of an object that stands, and of one that has left; now and then the whole
 * frame or many small places, at last none. Returns the number of rectangles. */
static uint32_t
held_places (const Film *film, uint32_t t, CcaRectangle places[CCA_MAX_HELD])
{
  const OracleRectangle standing = standing_place (film);
  uint32_t n = 0;

  if (!film->holds || t <= LEARNED || t >= film->n_frames - 20)
    return 0;
  places[n++] = (CcaRectangle) { standing.x, standing.y, standing.width, standing.height };
  if (t % 7 != 3)
    places[n++] = (CcaRectangle) { film->width / 8, film->height / 8, 1 + film->width / 5, 1 + film->height / 4 };
  if (t % 9 == 4)
    places[n++] = (CcaRectangle) { 0, 0, film->width, film->height };
  for (uint32_t i = 0; t % 5 == 2 && n < CCA_MAX_HELD; i++)
    places[n++] = (CcaRectangle) { (t + i * 37) % film->width, (t * 3 + i * 11) % film->height, 1, 1 };
  return n;
}

/* The scene of a frame, in films where they come and go. The first two are looked at for long enough to be remembered;
 * then each comes back, after the third one, which is not. In the end the lights go off and on. */
static uint32_t
scene_at (uint32_t t)
{
  static const struct
  {
    uint32_t first, scene;
  } scenes[] = { { LIGHTS_ON, 0 }, { LIGHTS_OFF, DARK }, { 240, 2 },     { 215, 0 }, { 195, 1 },
                 { 175, 0 },       { 150, 2 },           { RETURNS, 1 }, { 0, 0 } };
  size_t i = 0;

  while (t < scenes[i].first)
    i++;
  return scenes[i].scene;
}

/* A place of leaves: contrasts that sway by two pixels once learning is over. */
static int
leaf (int x, int y, uint32_t t)
{
  const int dx = t < LEARNED ? 0 : (int) (t * 3 % 5) - 2, dy = t < LEARNED ? 0 : (int) (t * 2 % 3) - 1;
  const uint32_t across = (uint32_t) (x + dx + 99) / 3, down = (uint32_t) (y + dy + 99) / 3;

  return 16 + (int) ((across * 7919 + down * 104729) * 2654435761u >> 24) * 7 / 8;
}

static bool
inside (int x, int y, int left, int top, int width, int height)
{
  return x >= left && x < left + width && y >= top && y < top + height;
}

/* Returns a colour with `tenths` tenths of its light above black. */
static Color
shaded (Color color, int black, int tenths)
{
  return (Color) { { black + (color.value[0] - black) * tenths / 10, 128 + (color.value[1] - 128) * tenths / 10,
                     128 + (color.value[2] - 128) * tenths / 10 } };
}

/* Returns a colour on the way from a to b. */
static Color
mixed (Color a, Color b, uint32_t done, uint32_t all)
{
  for (int i = 0; i < 3; i++)
    a.value[i] += (b.value[i] - a.value[i]) * (int) done / (int) all;
  return a;
}

static Color
color_at (const Film *film, uint32_t t, int x, int y)
{
  const int w = (int) film->width, h = (int) film->height, moved = (int) (t * 3) % (w + 20) - 10;
  const bool steady = film->leaves || film->stands || film->returns || film->opens;
  const bool shaking = !steady && t >= SHAKES && t < STILL;
  const int drift = film->drifts && t > LEARNED ? (int) (t - LEARNED) : 0;
  const int dx = shaking ? (int) (t * 5 % 13) - 6 : (int) wave ((uint32_t) drift * 2, 48),
            dy = shaking ? (int) (t * 7 % 13) - 6 : -(int) wave ((uint32_t) drift, 30);
  const uint32_t other = film->returns ? scene_at (t)
                         : film->opens ? (t < OPEN ? DARK : 0)
                         : steady      ? t >= GLITCH && t < NORMAL
                                       : t >= OTHER_SCENE;
  Color color = background (x + dx, y + dy, other);

  if (film->opens && t >= OPENS && t < OPEN)
    color = mixed (color, background (x + dx, y + dy, 0), t - OPENS, OPEN - OPENS);
  if (film->leaves && 2 * x < w && !other)
    color.value[0] = leaf (x, y, t);
  if (t < LEAVES && inside (x, y, w / 8, h / 8, 1 + w / 5, 1 + h / 4))
    color = (Color) { { 230 - x % 7, 90, 160 } };
  if (t >= LEARNED && inside (x, y, moved, h / 2, 1 + w / 10, 1 + h / 5))
    color = (Color) { { x % 4 < 2 ? 30 : 220, 170, 100 } };
  else if (t >= LEARNED && inside (x, y, moved - w / 6, h / 2 + h / 10, w / 6, 1 + h / 10))
    color = shaded (color, 16, 8);
  if (film->stands && t >= LEARNED
      && inside (x, y, (int) standing_place (film).x, (int) standing_place (film).y, 1 + w / 5, 1 + h / 4))
    color = film->shade ? shaded (color, BLACK, 4) : (Color) { { 25 + y % 9, 100, 150 } };
  if (!steady && t >= BRIGHTER)
    color.value[0] = color.value[0] * (t >= SATURATED ? 17 : 13) / 10 + 9;
  return color;
}

static uint8_t
noisy (Random *random, uint32_t t, int x, int value)
{
  const int noise = (int) random_below (random, 5) - 2, flicker = x % 32 < 5 && t % 3 == 0 ? 14 : 0;

  return (uint8_t) CLAMP (value + noise + flicker, 0, 255);
}

static uint32_t
half_size (uint32_t size, uint32_t shift)
{
  return (size + shift) >> shift;
}

static void
draw_chroma (Film *film, Random *random, uint32_t t)
{
  const uint32_t width = half_size (film->width, film->shift_x), height = half_size (film->height, film->shift_y);
  const bool planes = film->chroma == CHROMA_PLANES;
  const size_t step = planes ? 1 : 2, pitch = step * width;
  uint8_t *first = film->chroma_planes + t * film->chroma_size, *second = first + (planes ? pitch * height : 1);
  uint8_t *u = film->chroma == CHROMA_PAIRS_V_FIRST ? second : first, *v = u == first ? second : first;

  film->layouts[t] = (OracleChroma) { u, v, pitch, (uint32_t) step, film->shift_x, film->shift_y };
  for (uint32_t y = 0; y < height; y++)
    for (uint32_t x = 0; x < width; x++) {
      const Color color = color_at (film, t, (int) (x << film->shift_x), (int) (y << film->shift_y));

      u[y * pitch + x * step] = film->colourless ? 128 : (uint8_t) (color.value[1] + (int) random_below (random, 3));
      v[y * pitch + x * step] = film->colourless ? 128 : (uint8_t) (color.value[2] + (int) random_below (random, 3));
    }
}

static void
film_draw (Film *film)
{
  Random random;

  random_init (&random, 17);
  film->luma_size = (size_t) film->width * film->height;
  film->chroma_size = 2 * (size_t) half_size (film->width, film->shift_x) * half_size (film->height, film->shift_y);
  film->luma = g_malloc (film->luma_size * film->n_frames);
  film->chroma_planes = g_malloc (film->chroma_size * film->n_frames);
  film->layouts = g_new0 (OracleChroma, film->n_frames);
  for (uint32_t t = 0; t < film->n_frames; t++) {
    uint8_t *luma = film->luma + t * film->luma_size;

    for (uint32_t y = 0; y < film->height; y++)
      for (uint32_t x = 0; x < film->width; x++)
        luma[y * film->width + x] = noisy (&random, t, (int) x, color_at (film, t, (int) x, (int) y).value[0]);
    if (film->chroma != CHROMA_NONE)
      draw_chroma (film, &random, t);
  }
}

/* The film's chroma of a frame; NULL without. */
static const OracleChroma *
film_chroma (const Film *film, uint32_t t)
{
  return film->chroma == CHROMA_NONE ? NULL : &film->layouts[t];
}

static Film films[] = {
  { "pixel", 1, 1, 40, CHROMA_NONE, 1, 1 },
  { "pixel with chroma", 1, 1, 40, CHROMA_PLANES, 1, 1 },
  { "lines", 2, 63, 40, CHROMA_PAIRS, 1, 1 },
  { "just too small for a shift", 130, 63, 40, CHROMA_PLANES, 1, 1 },
  { "just large enough for one", 64, 65, 70, CHROMA_NONE, 1, 1 },
  { "NV12", 97, 71, 70, CHROMA_PAIRS, 1, 1 },
  { "NV21", 130, 67, 40, CHROMA_PAIRS_V_FIRST, 1, 1 },
  { "4:2:2", 127, 66, 40, CHROMA_PLANES, 1, 0 },
  { "4:4:4", 81, 99, 40, CHROMA_PLANES, 0, 0 },
  { "pairs of every pixel", 81, 99, 40, CHROMA_PAIRS, 0, 0 },
  { "events", 200, 150, 90, CHROMA_PLANES, 1, 1 },
  { "events in grey", 200, 150, 90, CHROMA_NONE, 1, 1 },
  { "shadows kept", 200, 150, 40, CHROMA_PLANES, 1, 1 },
  { "leaves", 150, 81, 130, CHROMA_PLANES, 1, 1, true },
  { "standing", 203, 149, 90, CHROMA_PLANES, 1, 1, false, true },
  { "held", 203, 149, 90, CHROMA_PLANES, 1, 1, false, true, true },
  { "held in grey", 130, 81, 60, CHROMA_NONE, 1, 1, false, true, true },
  { "held leaves", 150, 81, 90, CHROMA_PAIRS, 1, 1, true, true, true },
  { "drifting", 281, 262, 60, CHROMA_PAIRS, 1, 1, .stands = true, .holds = true, .drifts = true },
  { "drifting in grey", 130, 75, 60, CHROMA_NONE, 1, 1, .stands = true, .holds = true, .drifts = true },
  { "returning", 97, 71, 355, CHROMA_PAIRS, 1, 1, .returns = true },
  { "returning in grey", 67, 66, 355, CHROMA_NONE, 1, 1, .returns = true },
  { "deep shadow", 203, 149, 40, CHROMA_PLANES, 1, 1, .stands = true, .shade = true },
  { "dark object without colour", 203, 149, 40, CHROMA_PAIRS, 1, 1, .stands = true, .shade = true, .colourless = true },
  { "opening", 97, 71, 90, CHROMA_PAIRS, 1, 1, .opens = true },
};

static Film *
film_of (const char *name)
{
  for (size_t i = 0; i < G_N_ELEMENTS (films); i++)
    if (g_str_equal (films[i].name, name))
      return &films[i];
  g_error ("no film \"%s\"", name);
}

static void
films_init (void)
{
  for (size_t i = 0; i < G_N_ELEMENTS (films); i++) {
    CcaParams *params = &films[i].params;

    cca_params_init (params);
    params->foreground = CCA_FOREGROUND_MOTION;
    params->max_components = CCA_MAX_COMPONENTS;
    params->motion.model = CCA_MODEL_SAMPLES;
    params->motion.learning = i % 4 == 1 ? 1 : LEARNED;
    params->motion.tolerance = (uint8_t) (i % 3 == 2 ? 64 : 5);
    params->connectivity = i % 2 ? 4 : 8;
    params->denoise = i % 3 == 0;
    params->close_radius = i % 4 == 0 ? 2 : 0;
    params->invert = i % 5 == 4;
    film_draw (&films[i]);
  }
  film_of ("shadows kept")->params.motion.keep_shadows = true;
  film_of ("standing")->params = film_of ("held")->params;
  film_of ("returning")->params.motion.tolerance = 5;
  film_of ("dark object without colour")->params = film_of ("opening")->params = film_of ("deep shadow")->params;
}

static void
films_clear (void)
{
  for (size_t i = 0; i < G_N_ELEMENTS (films); i++) {
    for (uint32_t t = 0; films[i].expected && t < films[i].n_frames; t++)
      oracle_frame_free (films[i].expected[t]);
    g_free (films[i].expected);
    g_free (films[i].luma);
    g_free (films[i].chroma_planes);
    g_free (films[i].layouts);
  }
}

static void
film_expect (Film *film)
{
  const OracleParams oracle_params = compare_oracle_params (&film->params);
  OracleModel *model;

  if (film->expected)
    return;
  film->expected = g_new0 (OracleFrame *, film->n_frames);
  model = oracle_model_new (film->width, film->height);
  for (uint32_t t = 0; t < film->n_frames; t++) {
    CcaRectangle places[CCA_MAX_HELD];
    OracleRectangle held[CCA_MAX_HELD];
    const uint32_t n = held_places (film, t, places);

    for (uint32_t i = 0; i < n; i++)
      held[i] = (OracleRectangle) { places[i].x, places[i].y, places[i].width, places[i].height };
    oracle_model_set_chroma (model, film_chroma (film, t));
    oracle_model_hold (model, held, n);
    film->expected[t] = oracle_run (&oracle_params, model, film->luma + t * film->luma_size, film->width, film->height);
  }
  oracle_model_free (model);
}

/* --- Tests ------------------------------------------------------------------------------------------- */

/* The oracle finds each film's subject: comparing with empty results would prove nothing. */
static void
test_content (void)
{
  uint64_t n_found = 0, n_changes = 0, kept = 0, removed = 0, drifted = 0;

  for (size_t i = 0; i < G_N_ELEMENTS (films); i++)
    film_expect (&films[i]);
  for (size_t i = 0; i < G_N_ELEMENTS (films); i++)
    for (uint32_t t = 0; t < films[i].n_frames; t++) {
      n_found += films[i].expected[t]->n_components;
      n_changes += films[i].expected[t]->scene_change;
    }
  g_assert_cmpuint (n_found, >, 1000);
  g_assert_cmpuint (n_changes, >=, 3);
  for (size_t i = 0; i < film_of ("events")->luma_size; i++) {
    kept += film_of ("shadows kept")->expected[LEAVES - 2]->labels[i] != 0;
    removed += film_of ("events")->expected[LEAVES - 2]->labels[i] != 0;
  }
  g_assert_cmpuint (kept, >, removed + 100);
  /* By 20 and 10 pixels: most of the foreground belongs to the objects. */
  for (size_t i = 0; i < film_of ("drifting")->luma_size; i++)
    drifted += film_of ("drifting")->expected[LEARNED + 10]->labels[i] != 0;
  g_assert_cmpuint (drifted, >, film_of ("drifting")->luma_size / 40);
  g_assert_cmpuint (drifted, <, film_of ("drifting")->luma_size / 5);
}

/* Returns the foreground pixels of a frame inside a place. */
static uint64_t
count_inside (const Film *film, uint32_t t, OracleRectangle place)
{
  uint64_t n = 0;

  for (uint32_t y = place.y; y < place.y + place.height; y++)
    for (uint32_t x = place.x; x < place.x + place.width; x++)
      n += film->expected[t]->labels[y * film->width + x] != 0;
  return n;
}

/* The same where an object stands. */
static uint64_t
count_standing (const Film *film, uint32_t t)
{
  return count_inside (film, t, standing_place (film));
}

/* A deep shadow keeps the background's colour. Where there is none, a dark object would, too. */
static void
test_deep_shadows (void)
{
  Film *const shadow = film_of ("deep shadow"), *const object = film_of ("dark object without colour");
  const OracleRectangle place = standing_place (object);

  film_expect (shadow);
  film_expect (object);
  g_assert_cmpuint (count_standing (shadow, LEARNED + 4), <, place.width * place.height / 5);
  g_assert_cmpuint (count_standing (object, LEARNED + 4), >, place.width * place.height * 4 / 5);
}

/* A held object stays foreground; the place of one that has left does not, even if it is held. */
static void
test_held (void)
{
  Film *const standing = film_of ("standing"), *const held = film_of ("held");
  const uint32_t t = held->n_frames - 25;
  const uint32_t x = held->width / 8, y = held->height / 8;
  const OracleRectangle place = standing_place (held),
                        left = { x, y, held->width * 3 / 10 - x, held->height * 3 / 8 - y };

  film_expect (standing);
  film_expect (held);
  g_assert_cmpuint (count_standing (standing, LEARNED + 5), >, place.width * place.height / 2);
  g_assert_cmpuint (count_standing (standing, t), <, place.width * place.height / 3);
  g_assert_cmpuint (count_standing (held, t), >, place.width * place.height / 2);
  g_assert_cmpuint (count_inside (held, t, left), <, place.width * place.height / 3);
}

/* Returns the first frame from `first` on in which something is found. */
static uint32_t
find_first (const Film *film, uint32_t first)
{
  while (first < film->n_frames && film->expected[first]->n_components == 0)
    first++;
  return first;
}

/* The model resumes a scene that it has seen for long, and learns a new one. */
static void
test_returns (void)
{
  for (int i = 0; i < 2; i++) {
    Film *const film = film_of (i ? "returning in grey" : "returning");

    film_expect (film);
    g_assert_cmpuint (find_first (film, RETURNS), >, RETURNS + 5 + film->params.motion.learning - 1);
    g_assert_cmpuint (find_first (film, 175), ==, 175 + 6); /* the second scene was tried first */
    g_assert_cmpuint (find_first (film, 195), ==, 195 + 5);
    g_assert_cmpuint (find_first (film, 215), ==, 215 + 5);
    g_assert_cmpuint (find_first (film, 240), >, 240 + 6 + film->params.motion.learning - 1);
    g_assert_cmpuint (find_first (film, LIGHTS_ON), ==, LIGHTS_ON + 5); /* although darkness could be anything */
  }
}

/* A dark scene of few levels does not explain a lit one, which the model learns instead. */
static void
test_opens (void)
{
  Film *const film = film_of ("opening");
  const OracleRectangle frame = { 0, 0, film->width, film->height };

  film_expect (film);
  for (uint32_t t = OPEN + 5; t < film->n_frames; t++)
    g_assert_cmpuint (count_inside (film, t, frame), <, film->width * film->height / 10);
  g_assert_cmpuint (find_first (film, OPEN), <, OPEN + 10);
}

/* Runs a film on a plan; frame t of the plan is frame t of the film. */
static bool
film_run (const Film *film, const Target *target, CcaPlan *plan, CcaResult *result, CcaOutput output, uint32_t first,
          uint32_t last)
{
  for (uint32_t t = first; t < last; t++) {
    CcaRectangle places[CCA_MAX_HELD];

    if (!check_ok (cca_plan_hold (plan, places, held_places (film, t, places)), "what is held")
        || !check_same (compare_run_colored (plan, result, output, target_layout (target, t),
                                             film->luma + t * film->luma_size, film_chroma (film, t),
                                             film->expected[t]),
                        "\"%s\", frame %u", film->name, t))
      return false;
  }
  return true;
}

static void
test_films (CcaContext *context, const Target *target)
{
  for (size_t i = 0; i < G_N_ELEMENTS (films); i += target_is_first (target) ? 1 : 5)
    for (const uint32_t *threads = target_threads (target); *threads && !g_test_failed (); threads++) {
      Film *film = &films[i];
      CcaParams params = film->params;
      CcaOutput output = i % 2 ? CCA_OUTPUT_NONE : CCA_OUTPUT_LABELS_U32;
      CcaPlan *plan = NULL;
      CcaResult *result = NULL;

      params.algorithm = target->algorithm->name;
      params.n_threads = *threads;
      if (!compare_can (target->algorithm, &params, output))
        output = output == CCA_OUTPUT_NONE ? CCA_OUTPUT_LABELS_U32 : CCA_OUTPUT_NONE;
      if (!compare_can (target->algorithm, &params, output))
        continue;
      film_expect (film);
      if (check_ok (cca_plan_new (context, film->width, film->height, &params, output, &plan), "plan of \"%s\"",
                    film->name)
          && check_ok (cca_result_new (plan, &result), "result"))
        film_run (film, target, plan, result, output, 0, film->n_frames);
      cca_result_free (result);
      cca_plan_free (plan);
    }
}

/* A plan and the oracle's model of the same sequence. */
typedef struct
{
  const Film *film;
  Target target;
  CcaParams params;
  CcaPlan *plan;
  CcaResult *result;
  OracleModel *model;
  uint8_t *region; /* NULL: everywhere */
  uint32_t t;
} Sequence;

/* Runs n_frames frames, with chroma or without. */
static bool
sequence_run (Sequence *s, uint32_t n_frames, bool colored)
{
  OracleParams oracle_params = compare_oracle_params (&s->params);

  oracle_params.region = s->region;
  for (uint32_t i = 0; i < n_frames; i++, s->t++) {
    const uint32_t t = s->t % s->film->n_frames;
    const OracleChroma *chroma = colored ? film_chroma (s->film, t) : NULL;
    const uint8_t *pixels = s->film->luma + t * s->film->luma_size;
    OracleFrame *expected;
    bool same;

    oracle_model_set_chroma (s->model, chroma);
    expected = oracle_run (&oracle_params, s->model, pixels, s->film->width, s->film->height);
    same = check_same (compare_run_colored (s->plan, s->result, CCA_OUTPUT_NONE, target_layout (&s->target, s->t),
                                            pixels, chroma, expected),
                       "frame %u of the sequence", s->t);
    oracle_frame_free (expected);
    if (!same)
      return false;
  }
  return true;
}

static void
sequence_forget (Sequence *s)
{
  oracle_model_free (s->model);
  s->model = oracle_model_new (s->film->width, s->film->height);
}

/* Confines the foreground to a disc, or, with region NULL, to nothing less than all. */
static bool
sequence_confine (Sequence *s, uint8_t *region)
{
  const int w = (int) s->film->width, h = (int) s->film->height;
  const CcaImage image = { region, w, s->film->width, s->film->height, CCA_MEMORY_HOST };

  for (int y = 0; region && y < h; y++)
    for (int x = 0; x < w; x++)
      region[y * w + x] = (2 * x - w) * (2 * x - w) + (2 * y - h) * (2 * y - h) < h * h;
  s->region = region;
  return check_ok (cca_plan_set_region (s->plan, region ? &image : NULL), "region");
}

/* Returns FALSE, too, if the algorithm cannot run the film. */
static bool
sequence_begin (Sequence *s, const char *film, CcaContext *context, const Target *target)
{
  *s = (Sequence) { .film = film_of (film), .target = *target };
  s->params = s->film->params;
  s->params.algorithm = target->algorithm->name;
  s->params.connectivity = 8;
  if (!compare_can (target->algorithm, &s->params, CCA_OUTPUT_NONE))
    return false;
  s->model = oracle_model_new (s->film->width, s->film->height);
  return check_ok (cca_plan_new (context, s->film->width, s->film->height, &s->params, CCA_OUTPUT_NONE, &s->plan),
                   "plan")
         && check_ok (cca_result_new (s->plan, &s->result), "result");
}

static void
sequence_end (Sequence *s)
{
  cca_result_free (s->result);
  cca_plan_free (s->plan);
  oracle_model_free (s->model);
}

static bool
sequence_set (Sequence *s)
{
  return check_ok (cca_plan_set_params (s->plan, &s->params), "set_params before frame %u", s->t);
}

/* The model is kept while parameters change, and forgotten by a reset, another model and another foreground. */
static void
test_changes (CcaContext *context, const Target *target)
{
  Sequence s;
  uint8_t *region = NULL;

  if (!sequence_begin (&s, "NV12", context, target) || !sequence_run (&s, 20, true))
    goto done;

  s.params.motion.tolerance = 20;
  s.params.motion.keep_shadows = true;
  s.params.n_threads = 2;
  s.params.denoise = !s.params.denoise;
  if (!sequence_set (&s) || !sequence_run (&s, 10, true))
    goto done;

  s.params.motion.learning = 40; /* learning again from where the frames are */
  if (!sequence_set (&s) || !sequence_run (&s, 20, true))
    goto done;

  region = g_malloc (s.film->luma_size);
  s.params.invert = !s.params.invert;
  if (!sequence_confine (&s, region) || !sequence_set (&s) || !sequence_run (&s, 6, true))
    goto done;
  s.params.denoise = !s.params.denoise;
  if (!sequence_set (&s) || !sequence_run (&s, 6, true) || !sequence_confine (&s, NULL))
    goto done;

  cca_plan_reset (s.plan);
  sequence_forget (&s);
  s.params.motion.learning = 4;
  if (!sequence_set (&s) || !sequence_run (&s, 12, true))
    goto done;

  if (!sequence_run (&s, 12, false) || !sequence_run (&s, 12, true)) /* each begins anew */
    goto done;

  s.params.motion.model = CCA_MODEL_SIGMA_DELTA;
  sequence_forget (&s);
  if (!sequence_set (&s) || !sequence_run (&s, 12, true))
    goto done;
  s.params.motion.model = CCA_MODEL_SAMPLES;
  sequence_forget (&s);
  if (!sequence_set (&s) || !sequence_run (&s, 12, true))
    goto done;
  s.params.foreground = CCA_FOREGROUND_THRESHOLD;
  if (!sequence_set (&s) || !sequence_run (&s, 3, true))
    goto done;
  s.params.foreground = CCA_FOREGROUND_MOTION;
  sequence_forget (&s);
  if (!sequence_set (&s) || !sequence_run (&s, 12, true))
    goto done;

  /* A change that fails changes nothing. */
  s.params.motion.tolerance = 0;
  g_assert_cmpint (cca_plan_set_params (s.plan, &s.params), ==, CCA_ERROR_INVALID);
  s.params.motion.tolerance = 20;
  sequence_run (&s, 12, true);
done:
  sequence_end (&s);
  g_free (region);
}

/* A reset forgets the scenes that the model has left, too. */
static void
test_forgotten (CcaContext *context, const Target *target)
{
  Sequence s;

  if (sequence_begin (&s, "returning", context, target) && sequence_run (&s, 150, true)) {
    cca_plan_reset (s.plan);
    sequence_forget (&s);
    s.t = 175;
    sequence_run (&s, 35, true);
  }
  sequence_end (&s);
}

/* The values of other formats than GRAY8. Their chroma is not read. */
static void
test_formats (CcaContext *context, const Target *target)
{
  const Film *film = film_of ("just large enough for one");
  const size_t n = film->luma_size;
  Random random;

  random_init (&random, 3);
  for (CcaFormat format = CCA_FORMAT_YUY2; format <= CCA_FORMAT_BGRX && !g_test_failed (); format++) {
    const uint32_t size = cca_format_pixel_size (format);
    CcaParams params = film->params;
    OracleParams oracle_params;
    OracleModel *model = oracle_model_new (film->width, film->height);
    uint8_t *pixels = g_malloc (n * size);
    CcaPlan *plan = NULL;
    CcaResult *result = NULL;

    params.algorithm = target->algorithm->name;
    params.format = format;
    params.n_threads = format % 2 ? 2 : 1;
    oracle_params = compare_oracle_params (&params);
    if (compare_can (target->algorithm, &params, CCA_OUTPUT_NONE)
        && check_ok (cca_plan_new (context, film->width, film->height, &params, CCA_OUTPUT_NONE, &plan), "plan")
        && check_ok (cca_result_new (plan, &result), "result"))
      for (uint32_t t = 0; t < 30; t++) {
        Layout layout = target_layout (target, t);
        OracleFrame *expected;
        bool same;

        layout.format = format;
        for (size_t i = 0; i < n * size; i++)
          pixels[i] = (uint8_t) CLAMP (film->luma[t * n + i / size] + (int) random_below (&random, 9) - 4, 0, 255);
        expected = oracle_run (&oracle_params, model, pixels, film->width, film->height);
        same = check_same (compare_run (plan, result, CCA_OUTPUT_NONE, layout, pixels, expected), "%s, frame %u",
                           cca_format_name (format), t);
        oracle_frame_free (expected);
        if (!same)
          break;
      }
    cca_result_free (result);
    cca_plan_free (plan);
    oracle_model_free (model);
    g_free (pixels);
  }
}

/* Pixels of which many differ from a plain background, each on its own. */
static void
draw_crowd (Random *random, uint32_t t, uint8_t *pixels, uint32_t n)
{
  for (uint32_t i = 0; i < n; i++)
    pixels[i] = (uint8_t) (t < 3 || random_below (random, 24) > 0 ? 60 + random_below (random, 3) : 220);
}

/* Frames with more components than a backend may have room for at first: it does some of them again, but the model
 * learns from each of them once. */
static void
test_again (CcaContext *context, const Target *target)
{
  enum
  {
    WIDTH = 450,
    HEIGHT = 90,
    N_FRAMES = 12
  };
  CcaParams params = target_params (target, 4);
  OracleParams oracle_params;
  OracleModel *model = oracle_model_new (WIDTH, HEIGHT);
  CcaPlan *plan = NULL;
  CcaResult *result = NULL;
  uint8_t *pixels = g_malloc (WIDTH * HEIGHT);
  uint64_t n_found = 0;
  size_t memory;
  Random random;

  random_init (&random, 8);
  params.foreground = CCA_FOREGROUND_MOTION;
  params.motion.model = CCA_MODEL_SAMPLES;
  params.motion.learning = 2;
  params.stage_interval = 0;
  params.overlaps = compare_can (target->algorithm, &params, CCA_OUTPUT_NONE) && target->memory == CCA_MEMORY_HOST;
  if (!compare_can (target->algorithm, &params, CCA_OUTPUT_NONE))
    params.overlaps = false;
  if (!compare_can (target->algorithm, &params, CCA_OUTPUT_NONE)
      || !check_ok (cca_plan_new (context, WIDTH, HEIGHT, &params, CCA_OUTPUT_NONE, &plan), "plan")
      || !check_ok (cca_result_new (plan, &result), "result"))
    goto done;
  oracle_params = compare_oracle_params (&params);
  memory = cca_plan_memory (plan);
  for (uint32_t t = 0; t < N_FRAMES && !g_test_failed (); t++) {
    OracleFrame *expected;

    draw_crowd (&random, t, pixels, WIDTH * HEIGHT);
    expected = oracle_run (&oracle_params, model, pixels, WIDTH, HEIGHT);
    check_same (compare_run (plan, result, CCA_OUTPUT_NONE, target_layout (target, t), pixels, expected), "frame %u",
                t);
    n_found += expected->n_components;
    oracle_frame_free (expected);
  }
  /* Frames that run again had too little room. */
  if (target->memory == CCA_MEMORY_DEVICE && g_str_equal (target->algorithm->name, "patches"))
    g_assert_cmpuint (cca_plan_memory (plan), >, memory);
  g_assert_cmpuint (n_found, >, 5000);
done:
  cca_result_free (result);
  cca_plan_free (plan);
  oracle_model_free (model);
  g_free (pixels);
}

int
main (int argc, char **argv)
{
  int status;

  g_test_init (&argc, &argv, NULL);
  films_init ();
  g_test_add_func ("/samples/content", test_content);
  g_test_add_func ("/samples/deep-shadows", test_deep_shadows);
  g_test_add_func ("/samples/held", test_held);
  g_test_add_func ("/samples/returns", test_returns);
  g_test_add_func ("/samples/opens", test_opens);
  targets_add_image_test ("/samples/films", test_films);
  targets_add_image_test_where ("/samples/changes", test_changes, target_is_first);
  targets_add_image_test_where ("/samples/forgotten", test_forgotten, target_is_first);
  targets_add_image_test_where ("/samples/formats", test_formats, target_is_first);
  targets_add_image_test ("/samples/again", test_again);
  status = g_test_run ();
  films_clear ();
  return status;
}
