/* gst-cca: the features of a component are joined as their list of fields says
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "cca/features.h"

#include <glib.h>

/* What a pixel adds to each field. */
#define VALUE_area(x, y) 1
#define VALUE_sum_x(x, y) (x)
#define VALUE_sum_y(x, y) (y)
#define VALUE_sum_xx(x, y) ((x) * (x))
#define VALUE_sum_xy(x, y) ((x) * (y))
#define VALUE_sum_yy(x, y) ((y) * (y))
#define VALUE_x_min(x, y) (x)
#define VALUE_x_max(x, y) (x)
#define VALUE_y_max(x, y) (y)

#define EMPTY_SUM 0
#define EMPTY_MIN UINT64_MAX
#define EMPTY_MAX 0

static uint64_t
join (const char *operation, uint64_t a, uint64_t b)
{
  if (g_str_equal (operation, "SUM"))
    return a + b;
  return g_str_equal (operation, "MIN") ? MIN (a, b) : MAX (a, b);
}

#define FIELDS(F) CCA_SUM_FIELDS (F) CCA_MOMENT_FIELDS (F) CCA_BOX_FIELDS (F)

typedef struct
{
#define MEMBER(field, operation) uint64_t field;
  FIELDS (MEMBER)
} Expected;

/* Rows of runs, divided into two sets that are measured apart and joined, in either order. */
static void
test_join (void)
{
  GRand *random = g_rand_new_with_seed (1);

  for (uint32_t round = 0; round < 1000; round++) {
    const uint32_t n_rows = g_rand_int_range (random, 2, 20), top = g_rand_int_range (random, 0, 65000);
    CcaFeatures parts[2];
#define INITIAL(field, operation) .field = EMPTY_##operation,
    Expected expected = { FIELDS (INITIAL) };

    for (uint32_t y = top; y < top + n_rows; y++) {
      const uint32_t start = g_rand_int_range (random, 0, 65000), end = start + g_rand_int_range (random, 1, 500);
      const uint32_t part = y == top ? 0 : y == top + 1 ? 1 : g_rand_int_range (random, 0, 2);

      if (y <= top + 1)
        parts[part] = cca_features_empty (start, y);
      cca_features_add_run (&parts[part], start, end, y, y + 1);
      cca_features_add_run_moments (&parts[part], start, end, y, y + 1);
      for (uint64_t x = start; x < end; x++) {
#define ADD(field, operation) expected.field = join (#operation, expected.field, VALUE_##field (x, (uint64_t) y));
        FIELDS (ADD)
      }
    }
    cca_features_merge (&parts[0], &parts[1]);
#define CHECK(field, operation) g_assert_cmpuint (parts[0].field, ==, expected.field);
    FIELDS (CHECK)
    g_assert_cmpuint (parts[0].first >> 16, ==, top);
  }
  g_rand_free (random);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/fields/join", test_join);
  return g_test_run ();
}
