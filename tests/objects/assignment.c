/* gst-cca: least-cost assignment, compared with all assignments
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include <glib.h>
#include <math.h>

#include "../add-tests.h"
#include "gst/track/assignment.h"

#define MAX_SIZE 6

/* The cost of the best assignment of row…n_rows, given the columns that are taken. cost is NAN where there is no pair.
 */
static gdouble
best_cost (gdouble cost[MAX_SIZE][MAX_SIZE], const gdouble *alone, gsize n_rows, gsize n_columns, gsize row,
           guint taken)
{
  gdouble best;

  if (row == n_rows)
    return 0.0;
  best = alone[row] + best_cost (cost, alone, n_rows, n_columns, row + 1, taken);
  for (gsize column = 0; column < n_columns; column++)
    if (!(taken & 1u << column) && !isnan (cost[row][column]))
      best = MIN (best, cost[row][column] + best_cost (cost, alone, n_rows, n_columns, row + 1, taken | 1u << column));
  return best;
}

static void
check_random (GRand *random, GstCcaAssignment *assignment)
{
  const gsize n_rows = g_rand_int_range (random, 0, MAX_SIZE + 1);
  const gsize n_columns = g_rand_int_range (random, 0, MAX_SIZE + 1);
  /* Few values make many ties. */
  const gint values = g_rand_boolean (random) ? 4 : 1000;
  gdouble cost[MAX_SIZE][MAX_SIZE], alone[MAX_SIZE], sum = 0.0;
  GstCcaPair pairs[MAX_SIZE * MAX_SIZE];
  guint32 columns[MAX_SIZE], taken = 0;
  gsize n_pairs = 0;

  for (gsize row = 0; row < n_rows; row++) {
    alone[row] = g_rand_int_range (random, -values / 4, values);
    for (gsize column = 0; column < n_columns; column++) {
      if (g_rand_int_range (random, 0, 3) == 0) {
        cost[row][column] = (gdouble) NAN;
        continue;
      }
      cost[row][column] = g_rand_int_range (random, -values / 2, values);
      pairs[n_pairs++] = (GstCcaPair) { row, column, cost[row][column] };
    }
  }
  g_assert_true (gst_cca_assignment_run (assignment, n_rows, n_columns, pairs, n_pairs, alone, columns));
  for (gsize row = 0; row < n_rows; row++) {
    if (columns[row] == GST_CCA_UNASSIGNED) {
      sum += alone[row];
      continue;
    }
    g_assert_cmpuint (columns[row], <, n_columns);
    g_assert_false (isnan (cost[row][columns[row]]));
    g_assert_false (taken & 1u << columns[row]);
    taken |= 1u << columns[row];
    sum += cost[row][columns[row]];
  }
  g_assert_cmpfloat (sum, ==, best_cost (cost, alone, n_rows, n_columns, 0, 0));
}

static void
test_brute_force (void)
{
  g_autoptr (GRand) random = g_rand_new_with_seed (1);
  GstCcaAssignment *assignment = gst_cca_assignment_new ();

  for (gint i = 0; i < 20000; i++)
    check_random (random, assignment);
  gst_cca_assignment_free (assignment);
}

/* A chain in which each new row moves all rows before it: row i has columns i (cheap) and i + 1, the last row only the
 * first column. */
static void
test_chain (void)
{
  enum
  {
    N = 1000
  };
  GstCcaAssignment *assignment = gst_cca_assignment_new ();
  GstCcaPair *pairs = g_new (GstCcaPair, 2 * N + 1);
  gdouble *alone = g_new (gdouble, N + 1);
  guint32 *columns = g_new (guint32, N + 1);
  gsize n = 0;

  for (guint32 i = 0; i < N; i++) {
    alone[i] = 1e6;
    pairs[n++] = (GstCcaPair) { i, i, 0.0 };
    pairs[n++] = (GstCcaPair) { i, i + 1, 1.0 };
  }
  alone[N] = 1e6;
  pairs[n++] = (GstCcaPair) { N, 0, 0.0 };
  g_assert_true (gst_cca_assignment_run (assignment, N + 1, N + 1, pairs, n, alone, columns));
  for (guint32 i = 0; i < N; i++)
    g_assert_cmpuint (columns[i], ==, i + 1);
  g_assert_cmpuint (columns[N], ==, 0);
  g_free (pairs);
  g_free (alone);
  g_free (columns);
  gst_cca_assignment_free (assignment);
}

TESTS_MAIN ("/assignment", test_brute_force, test_chain)
