/* gst-cca: components: filter, order, truncation, moments; and flipped images give the same
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include <glib.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cases.h"
#include "compare.h"
#include "patterns.h"

/* --- Selection --------------------------------------------------------------------------------------- */

static void
selection_cases (GPtrArray *cases)
{
  static const uint64_t areas[][2] = { { 0, 0 }, { 1, 0 }, { 2, 0 },          { 5, 20 },    { 0, 3 },
                                       { 7, 7 }, { 0, 1 }, { 9, UINT64_MAX }, { 100000, 0 } };
  static const uint32_t limits[] = { CCA_MAX_COMPONENTS, 0, 1, 2, 7, 50 };
  Random random;

  random_init (&random, 11);
  for (size_t a = 0; a < G_N_ELEMENTS (areas); a++)
    for (size_t l = 0; l < G_N_ELEMENTS (limits); l++)
      for (int order = CCA_ORDER_RASTER; order <= CCA_ORDER_AREA; order++) {
        Case *test_case = cases_add (cases, 150, 47, l % 2 ? 4 : 8, "areas from %d to %d, %u components, order %d",
                                     (int) areas[a][0], (int) areas[a][1], limits[l], order);

        pattern_random (&random, l == 0 ? 55 : 35, 1 + l % 2, test_case->pixels, 150, 47);
        test_case->params.min_area = areas[a][0];
        test_case->params.max_area = areas[a][1];
        test_case->params.max_components = limits[l];
        test_case->params.order = order;
        test_case->params.covariance = true;
      }
}

/* Limits of the bounding box, alone, together and with areas. */
static void
box_cases (GPtrArray *cases)
{
  static const struct
  {
    uint32_t min_width, max_width, min_height, max_height;
    uint64_t min_area, max_area;
  } limits[] = { { 2, 0, 0, 0, 0, 0 },
                 { 0, 3, 0, 0, 0, 0 },
                 { 0, 0, 2, 0, 0, 0 },
                 { 0, 0, 0, 3, 0, 0 },
                 { 2, 5, 2, 5, 0, 0 },
                 { 0, 1, 0, 1, 0, 0 },
                 { 3, 3, 0, 0, 0, 0 },
                 { 0, 0, 4, 4, 0, 0 },
                 { 1, 0, 1, 0, 0, 0 },
                 { 3, 0, 0, 4, 5, 20 },
                 { 0, 4, 3, 0, 0, 12 },
                 { 0, CCA_MAX_SIZE, 2, CCA_MAX_SIZE, 0, 0 },
                 { CCA_MAX_SIZE, 0, 0, 0, 0, 0 },
                 { 60, 0, 30, 0, 0, 0 } };
  static const uint32_t stored[] = { CCA_MAX_COMPONENTS, 0, 3 };
  Random random;

  random_init (&random, 13);
  for (size_t l = 0; l < G_N_ELEMENTS (limits); l++)
    for (size_t s = 0; s < G_N_ELEMENTS (stored); s++)
      for (int density = 0; density < 2; density++) {
        Case *test_case =
            cases_add (cases, 150, 47, (l + s) % 2 ? 4 : 8, "width %u-%u, height %u-%u, area %d-%d, %u components",
                       limits[l].min_width, limits[l].max_width, limits[l].min_height, limits[l].max_height,
                       (int) limits[l].min_area, (int) limits[l].max_area, stored[s]);
        CcaParams *params = &test_case->params;

        pattern_random (&random, density ? 55 : 30, 1 + l % 3, test_case->pixels, 150, 47);
        params->min_width = limits[l].min_width;
        params->max_width = limits[l].max_width;
        params->min_height = limits[l].min_height;
        params->max_height = limits[l].max_height;
        params->min_area = limits[l].min_area;
        params->max_area = limits[l].max_area;
        params->max_components = stored[s];
        params->order = s == 2 ? CCA_ORDER_AREA : CCA_ORDER_RASTER;
        params->covariance = density;
        params->foreground = l % 4 == 3 ? CCA_FOREGROUND_VALUES : CCA_FOREGROUND_NONZERO;
      }
}

/* Images with as many components as are stored, with fewer and with more. */
static void
truncation_cases (GPtrArray *cases)
{

  for (uint32_t limit = 1; limit <= 40; limit++) {
    Case *test_case = cases_add (cases, 13, 9, 8, "35 components, %u stored", limit);

    pattern_draw (pattern_find ("dots"), test_case->pixels, 13, 9);
    test_case->params.max_components = limit;
    test_case->params.order = limit % 2 ? CCA_ORDER_AREA : CCA_ORDER_RASTER;
  }
}

/* --- Flips and transposition ------------------------------------------------------------------------- */

typedef struct
{
  uint64_t area;
  uint32_t width, height;
  double cov_xx, cov_xy, cov_yy;
} Shape;

static int
compare_shapes (const void *a, const void *b)
{
  const Shape *p = a, *q = b;
  const double d[] = { (double) p->area - (double) q->area,
                       (double) p->width - q->width,
                       (double) p->height - q->height,
                       p->cov_xx - q->cov_xx,
                       p->cov_yy - q->cov_yy,
                       p->cov_xy - q->cov_xy };

  for (size_t i = 0; i < G_N_ELEMENTS (d); i++)
    if (d[i] != 0)
      return d[i] < 0 ? -1 : 1;
  return 0;
}

typedef enum
{
  FLIP_X = 1,
  FLIP_Y = 2,
  TRANSPOSE = 4,
  N_SYMMETRIES = 8
} Symmetry;

/* Measures the image seen through a symmetry; the shapes are turned back, then sorted. */
static GArray *
measure_shapes (CcaContext *context, const CcaParams *params, const uint8_t *pixels, uint32_t width, uint32_t height,
                uint32_t symmetry)
{
  const bool transposed = symmetry & TRANSPOSE;
  const double sign = !(symmetry & FLIP_X) == !(symmetry & FLIP_Y) ? 1 : -1;
  const uint32_t w = transposed ? height : width, h = transposed ? width : height;
  g_autofree uint8_t *seen = g_malloc ((size_t) width * height);
  const CcaImage image = { seen, w, w, h, CCA_MEMORY_HOST };
  GArray *shapes = g_array_new (FALSE, FALSE, sizeof (Shape));
  CcaMeasurement measurement;
  g_autoptr (CcaPlan) plan = NULL;
  g_autoptr (CcaResult) result = NULL;

  for (uint32_t y = 0; y < height; y++)
    for (uint32_t x = 0; x < width; x++) {
      const uint32_t u = symmetry & FLIP_X ? width - 1 - x : x, v = symmetry & FLIP_Y ? height - 1 - y : y;
      seen[transposed ? u * w + v : v * w + u] = pixels[y * width + x];
    }
  if (check_ok (cca_plan_new (context, w, h, params, CCA_OUTPUT_NONE, &plan), "plan")
      && check_ok (cca_result_new (plan, &result), "result")
      && check_ok (cca_plan_run (plan, &image, NULL, NULL, result), "run")
      && check_ok (cca_result_wait (result, &measurement), "wait"))
    for (uint32_t i = 0; i < measurement.n_stored; i++) {
      const CcaComponent *c = &measurement.components[i];
      const Shape shape = { .area = c->area,
                            .width = transposed ? c->height : c->width,
                            .height = transposed ? c->width : c->height,
                            .cov_xx = transposed ? c->cov_yy : c->cov_xx,
                            .cov_xy = c->cov_xy * sign + 0.0, /* no negative zero */
                            .cov_yy = transposed ? c->cov_xx : c->cov_yy };
      g_array_append_val (shapes, shape);
    }
  g_array_sort (shapes, compare_shapes);
  return shapes;
}

/* Central moments do not depend on where a component lies, and their numerators are exact: all must be equal. */
static void
test_symmetries (CcaContext *context, const Target *target)
{
  const uint32_t width = 131, height = 70;
  g_autofree uint8_t *pixels = g_malloc (width * height);
  Random random;

  random_init (&random, 12);
  for (uint32_t round = 0; round < 12; round++) {
    CcaParams params = target_params (target, round % 2 ? 4 : 8);
    g_autoptr (GArray) original = NULL;

    params.covariance = true;
    if (!compare_can (target->algorithm, &params, CCA_OUTPUT_NONE))
      continue;
    pattern_random (&random, 25 + round * 5, 1 + round % 3, pixels, width, height);
    original = measure_shapes (context, &params, pixels, width, height, 0);
    g_assert_cmpuint (original->len, >, 0);
    for (uint32_t symmetry = 1; symmetry < N_SYMMETRIES; symmetry++) {
      g_autoptr (GArray) seen = measure_shapes (context, &params, pixels, width, height, symmetry);

      if (seen->len != original->len)
        g_test_fail_printf ("round %u, symmetry %u: %u components, not %u", round, symmetry, seen->len, original->len);
      for (guint i = 0; i < seen->len && !g_test_failed (); i++)
        if (compare_shapes (&g_array_index (seen, Shape, i), &g_array_index (original, Shape, i)) != 0)
          g_test_fail_printf ("round %u, symmetry %u: other shapes", round, symmetry);
    }
  }
}

/* --- Ellipses ---------------------------------------------------------------------------------------- */

static void
assert_ellipse (double xx, double xy, double yy, double major, double minor, double angle)
{
  const CcaComponent c = { .cov_xx = xx, .cov_xy = xy, .cov_yy = yy };
  double a, b, t;

  cca_component_ellipse (&c, &a, &b, &t);
  g_assert_cmpfloat_with_epsilon (a, major, 1e-9 * (1 + major));
  g_assert_cmpfloat_with_epsilon (b, minor, 1e-9 * (1 + major));
  g_assert_cmpfloat_with_epsilon (t, angle, 1e-9);
  g_assert_true (a >= b && b >= 0);
  g_assert_true (t > -G_PI_2 && t <= G_PI_2);
}

/* A filled ellipse with half axes a and b has the variances a^2 / 4 and b^2 / 4 along them. */
static void
test_ellipse (void)
{
  assert_ellipse (9, 0, 1, 6, 2, 0);
  assert_ellipse (1, 0, 9, 6, 2, G_PI_2);
  assert_ellipse (5, 4, 5, 6, 2, G_PI_4);
  assert_ellipse (5, -4, 5, 6, 2, -G_PI_4);
  assert_ellipse (0, 0, 0, 0, 0, 0);
  assert_ellipse (2.25, 0, 2.25, 3, 3, 0);
  assert_ellipse (0, 0, 4, 4, 0, G_PI_2);
  for (double t = -1.5; t < 1.57; t += 0.1) {
    const double c = cos (t), s = sin (t);
    assert_ellipse (25 * c * c + 4 * s * s, 21 * c * s, 25 * s * s + 4 * c * c, 10, 4, t);
  }
}

/* A drawn bar gives its direction on the screen back, y downwards. */
static void
test_drawn_ellipse (CcaContext *context, const Target *target)
{
  const uint32_t size = 101;
  const double angle = 0.5, half = 45, thickness = 6;
  g_autofree uint8_t *pixels = g_malloc0 (size * size);
  const CcaImage image = { pixels, size, size, size, CCA_MEMORY_HOST };
  CcaParams params = target_params (target, 8);
  g_autoptr (CcaPlan) plan = NULL;
  g_autoptr (CcaResult) result = NULL;
  CcaMeasurement measurement;
  double major, minor, measured;

  for (uint32_t y = 0; y < size; y++)
    for (uint32_t x = 0; x < size; x++) {
      const double dx = x - 50.0, dy = y - 50.0;
      const double along = dx * cos (angle) + dy * sin (angle), across = dy * cos (angle) - dx * sin (angle);
      pixels[y * size + x] = fabs (along) <= half && fabs (across) <= thickness ? 255 : 0;
    }
  params.covariance = true;
  if (check_ok (cca_plan_new (context, size, size, &params, CCA_OUTPUT_NONE, &plan), "plan")
      && check_ok (cca_result_new (plan, &result), "result")
      && check_ok (cca_plan_run (plan, &image, NULL, NULL, result), "run")
      && check_ok (cca_result_wait (result, &measurement), "wait")) {
    g_assert_cmpuint (measurement.n_stored, ==, 1);
    cca_component_ellipse (&measurement.components[0], &major, &minor, &measured);
    g_assert_cmpfloat_with_epsilon (measured, angle, 0.01);
    g_assert_cmpfloat_with_epsilon (major * sqrt (3) / 2, half, 1);
    g_assert_cmpfloat_with_epsilon (minor * sqrt (3) / 2, thickness, 1);
  }
}

CASES_MAIN ()
{
  g_test_add_func ("/components/ellipse", test_ellipse);
  cases_add_test ("/components/selection", selection_cases, true, NULL);
  cases_add_test ("/components/boxes", box_cases, true, NULL);
  cases_add_test ("/components/truncation", truncation_cases, true, NULL);
  targets_add_test ("/components/symmetries", test_symmetries);
  targets_add_test ("/components/drawn-ellipse", test_drawn_ellipse);
}
