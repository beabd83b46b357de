/* gst-cca: films on which the background model of samples is tested
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "films.h"

#include "patterns.h"

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

OracleRectangle
film_standing_place (const Film *film)
{
  return (OracleRectangle) { film->width * 5 / 8, film->height / 8, 1 + film->width / 5, 1 + film->height / 4 };
}

uint32_t
film_held_places (const Film *film, uint32_t t, CcaRectangle places[CCA_MAX_HELD])
{
  const OracleRectangle standing = film_standing_place (film);
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
      && inside (x, y, (int) film_standing_place (film).x, (int) film_standing_place (film).y, 1 + w / 5, 1 + h / 4))
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

const OracleChroma *
film_chroma (const Film *film, uint32_t t)
{
  return film->chroma == CHROMA_NONE ? NULL : &film->layouts[t];
}

Film films[] = {
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
  { "leaves", 150, 81, 130, CHROMA_PLANES, 1, 1, .leaves = true },
  { "standing", 203, 149, 90, CHROMA_PLANES, 1, 1, .stands = true },
  { "held", 203, 149, 90, CHROMA_PLANES, 1, 1, .stands = true, .holds = true },
  { "held in grey", 130, 81, 60, CHROMA_NONE, 1, 1, .stands = true, .holds = true },
  { "held leaves", 150, 81, 90, CHROMA_PAIRS, 1, 1, .leaves = true, .stands = true, .holds = true },
  { "drifting", 281, 262, 60, CHROMA_PAIRS, 1, 1, .stands = true, .holds = true, .drifts = true },
  { "drifting in grey", 130, 75, 60, CHROMA_NONE, 1, 1, .stands = true, .holds = true, .drifts = true },
  { "returning", 97, 71, 355, CHROMA_PAIRS, 1, 1, .returns = true },
  { "returning in grey", 67, 66, 355, CHROMA_NONE, 1, 1, .returns = true },
  { "deep shadow", 203, 149, 40, CHROMA_PLANES, 1, 1, .stands = true, .shade = true },
  { "dark object without colour", 203, 149, 40, CHROMA_PAIRS, 1, 1, .stands = true, .shade = true, .colourless = true },
  { "opening", 97, 71, 90, CHROMA_PAIRS, 1, 1, .opens = true },
};
const size_t n_films = G_N_ELEMENTS (films);

Film *
film_of (const char *name)
{
  for (size_t i = 0; i < n_films; i++)
    if (g_str_equal (films[i].name, name))
      return &films[i];
  g_error ("no film \"%s\"", name);
}

void
films_init (void)
{
  for (size_t i = 0; i < n_films; i++) {
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

void
films_clear (void)
{
  for (size_t i = 0; i < n_films; i++) {
    for (uint32_t t = 0; films[i].expected && t < films[i].n_frames; t++)
      oracle_frame_free (films[i].expected[t]);
    g_free (films[i].expected);
    g_free (films[i].luma);
    g_free (films[i].chroma_planes);
    g_free (films[i].layouts);
  }
}

void
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
    const uint32_t n = film_held_places (film, t, places);

    for (uint32_t i = 0; i < n; i++)
      held[i] = (OracleRectangle) { places[i].x, places[i].y, places[i].width, places[i].height };
    oracle_model_set_chroma (model, film_chroma (film, t));
    oracle_model_hold (model, held, n);
    film->expected[t] = oracle_run (&oracle_params, model, film->luma + t * film->luma_size, film->width, film->height);
  }
  oracle_model_free (model);
}
