/* gst-cca: the background model of samples over sequences of frames
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include <glib.h>

#include "cases.h"
#include "compare.h"
#include "films.h"
#include "patterns.h"

/* The oracle finds each film's subject: comparing with empty results would prove nothing. */
static void
test_content (void)
{
  uint64_t n_found = 0, n_changes = 0, kept = 0, removed = 0, drifted = 0;

  for (size_t i = 0; i < n_films; i++)
    film_expect (&films[i]);
  for (size_t i = 0; i < n_films; i++)
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
  return count_inside (film, t, film_standing_place (film));
}

/* A deep shadow keeps the background's colour. Where there is none, a dark object would, too. */
static void
test_deep_shadows (void)
{
  Film *const shadow = film_of ("deep shadow"), *const object = film_of ("dark object without colour");
  const OracleRectangle place = film_standing_place (object);

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
  const OracleRectangle place = film_standing_place (held),
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

    if (!check_ok (cca_plan_hold (plan, places, film_held_places (film, t, places)), "what is held")
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
  for (size_t i = 0; i < n_films; i += target_is_first (target) ? 1 : 5)
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
