/* gst-cca: the boxes near a place, compared with all boxes
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include <glib.h>

#include "../add-tests.h"
#include "gst/track/grid.h"

#define MAX_BOXES 600

static GstCcaBox
random_box (GRand *random, gdouble largest)
{
  GstCcaBox box;

  for (gint i = 0; i < 2; i++) {
    box.min[i] = g_rand_int_range (random, -20, 1000);
    box.max[i] = box.min[i] + 1.0 + g_rand_int_range (random, 0, (gint) largest);
  }
  return box;
}

static void
check_area (GstCcaGrid *grid, const GstCcaBox *boxes, gsize n, const GstCcaBox *area)
{
  gboolean found[MAX_BOXES] = { FALSE };
  gsize n_found;
  const guint32 *numbers = gst_cca_grid_find (grid, area, &n_found);

  for (gsize i = 0; i < n_found; i++) {
    g_assert_cmpuint (numbers[i], <, n);
    g_assert_false (found[numbers[i]]);
    found[numbers[i]] = TRUE;
  }
  for (gsize i = 0; i < n; i++)
    g_assert_cmpint (found[i], ==, gst_cca_box_shared (area, &boxes[i]) > 0.0);
}

/* Queries of few and many boxes, small and large, also outside the grid; sorted and not. */
static void
test_brute_force (void)
{
  static const gsize counts[] = { 0, 1, 2, 63, 64, 65, 66, 200, MAX_BOXES, 3 };
  GstCcaGrid *grid = gst_cca_grid_new ();
  g_autoptr (GRand) random = g_rand_new_with_seed (1);
  GstCcaBox boxes[MAX_BOXES];

  for (guint round = 0; round < 20; round++)
    for (guint k = 0; k < G_N_ELEMENTS (counts); k++) {
      for (gsize i = 0; i < counts[k]; i++)
        boxes[i] = random_box (random, i % 7 == 0 ? 700 : 10);
      g_assert_true (gst_cca_grid_fill (grid, boxes, counts[k], round % 2 ? 30 : 1));
      for (guint search = 0; search < 30; search++) {
        const GstCcaBox area = random_box (random, search % 3 == 0 ? 500 : 20);

        check_area (grid, boxes, counts[k], &area);
      }
      for (gsize i = 0; i < counts[k]; i += 5)
        check_area (grid, boxes, counts[k], &boxes[i]);
    }
  gst_cca_grid_free (grid);
}

/* Boxes that only touch share no points. */
static void
test_touching (void)
{
  const GstCcaBox boxes[] = { { { 0, 0 }, { 10, 10 } }, { { 10, 0 }, { 20, 10 } }, { { 0, 10 }, { 10, 20 } } };
  GstCcaGrid *grid = gst_cca_grid_new ();

  g_assert_true (gst_cca_grid_fill (grid, boxes, G_N_ELEMENTS (boxes), G_N_ELEMENTS (boxes)));
  for (gsize i = 0; i < G_N_ELEMENTS (boxes); i++)
    check_area (grid, boxes, G_N_ELEMENTS (boxes), &boxes[i]);
  gst_cca_grid_free (grid);
}

TESTS_MAIN ("/grid", test_brute_force, test_touching)
