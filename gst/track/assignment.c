/* gst-cca: least-cost assignment of rows to columns
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "assignment.h"

#include <stdlib.h>

#include "array.h"

/* A column of the matrix. Each row has a dummy column, n_columns + row, that means unassigned. */
typedef struct
{
  double price;    /* the dual variable */
  double distance; /* of the shortest path found in this search */
  uint32_t row;    /* that it is assigned to */
  uint32_t from;   /* the row before it on that path */
  uint32_t place;  /* in the heap, from 1 on; 0: not reached; CLOSED: its distance is final */
} Column;

#define CLOSED UINT32_MAX

struct GstCcaAssignment
{
  Column *columns;
  size_t columns_room;
  double *row_cost; /* of the pair that the row has */
  size_t row_cost_room;
  size_t *first; /* of each row's pairs */
  size_t first_room;
  uint32_t *heap; /* of columns, the nearest first; from 1 on */
  size_t heap_room, n_heap;
  uint32_t *reached; /* columns of this search */
  size_t reached_room, n_reached;
};

GstCcaAssignment *
gst_cca_assignment_new (void)
{
  return calloc (1, sizeof (GstCcaAssignment));
}

void
gst_cca_assignment_free (GstCcaAssignment *assignment)
{
  if (assignment == NULL)
    return;
  free (assignment->columns);
  free (assignment->row_cost);
  free (assignment->first);
  free (assignment->heap);
  free (assignment->reached);
  free (assignment);
}

/* --- The heap ---------------------------------------------------------------------------------------- */

/* Ties go to the column with the lower number, so that the result does not depend on the heap. */
static bool
is_nearer (const Column *columns, uint32_t a, uint32_t b)
{
  return columns[a].distance < columns[b].distance || (columns[a].distance == columns[b].distance && a < b);
}

static void
put (GstCcaAssignment *assignment, size_t place, uint32_t column)
{
  assignment->heap[place] = column;
  assignment->columns[column].place = (uint32_t) place;
}

static void
sift_up (GstCcaAssignment *assignment, uint32_t column)
{
  size_t place = assignment->columns[column].place;

  for (; place > 1 && is_nearer (assignment->columns, column, assignment->heap[place / 2]); place /= 2)
    put (assignment, place, assignment->heap[place / 2]);
  put (assignment, place, column);
}

static uint32_t
take_nearest (GstCcaAssignment *assignment)
{
  const uint32_t nearest = assignment->heap[1], last = assignment->heap[assignment->n_heap--];
  size_t place = 1, child;

  assignment->columns[nearest].place = CLOSED;
  if (assignment->n_heap == 0)
    return nearest;
  for (; (child = 2 * place) <= assignment->n_heap; place = child) {
    if (child < assignment->n_heap
        && is_nearer (assignment->columns, assignment->heap[child + 1], assignment->heap[child]))
      child++;
    if (!is_nearer (assignment->columns, assignment->heap[child], last))
      break;
    put (assignment, place, assignment->heap[child]);
  }
  put (assignment, place, last);
  return nearest;
}

/* --- The search -------------------------------------------------------------------------------------- */

static void
reach (GstCcaAssignment *assignment, uint32_t column, uint32_t row, double distance)
{
  Column *reached = &assignment->columns[column];

  if (reached->place == CLOSED || (reached->place != 0 && reached->distance <= distance))
    return;
  reached->distance = distance;
  reached->from = row;
  if (reached->place == 0) {
    assignment->reached[assignment->n_reached++] = column;
    reached->place = (uint32_t) ++assignment->n_heap;
  }
  sift_up (assignment, column);
}

/* Reaches a row's columns; base is the length of the path to the row less its own dual variable. */
static void
scan_row (GstCcaAssignment *assignment, size_t n_columns, const GstCcaPair *pairs, const double *alone, uint32_t row,
          double base)
{
  const uint32_t own = (uint32_t) n_columns + row;

  for (size_t i = assignment->first[row]; i < assignment->first[row + 1]; i++)
    reach (assignment, pairs[i].column, row, base + pairs[i].cost - assignment->columns[pairs[i].column].price);
  reach (assignment, own, row, base + alone[row] - assignment->columns[own].price);
}

static double
cost_of (const GstCcaAssignment *assignment, size_t n_columns, const GstCcaPair *pairs, const double *alone,
         uint32_t row, uint32_t column)
{
  if (column >= n_columns)
    return alone[row];
  for (size_t i = assignment->first[row];; i++)
    if (pairs[i].column == column)
      return pairs[i].cost;
}

/* Finds the shortest path from a row to a free column and exchanges the pairs on it. */
static void
augment (GstCcaAssignment *assignment, size_t n_columns, const GstCcaPair *pairs, const double *alone, uint32_t new_row,
         uint32_t *assigned)
{
  Column *columns = assignment->columns;
  uint32_t column, row;

  assignment->n_heap = assignment->n_reached = 0;
  scan_row (assignment, n_columns, pairs, alone, new_row, 0.0);
  while ((row = columns[column = take_nearest (assignment)].row) != GST_CCA_UNASSIGNED)
    scan_row (assignment, n_columns, pairs, alone, row,
              columns[column].distance - (assignment->row_cost[row] - columns[column].price));

  for (size_t i = 0; i < assignment->n_reached; i++) {
    Column *reached = &columns[assignment->reached[i]];

    if (reached->place == CLOSED)
      reached->price += reached->distance - columns[column].distance;
    reached->place = 0;
  }
  do {
    uint32_t next;

    row = columns[column].from;
    next = assigned[row];
    columns[column].row = row;
    assigned[row] = column;
    assignment->row_cost[row] = cost_of (assignment, n_columns, pairs, alone, row, column);
    column = next;
  } while (row != new_row);
}

/* Assigns a row the column that is nearest of all, if it is free: the shortest path, of one step. */
static bool
take_free (GstCcaAssignment *assignment, size_t n_columns, const GstCcaPair *pairs, const double *alone, uint32_t row,
           uint32_t *assigned)
{
  uint32_t best = (uint32_t) n_columns + row;
  double least = alone[row], cost = alone[row];

  for (size_t i = assignment->first[row]; i < assignment->first[row + 1]; i++) {
    const double distance = pairs[i].cost - assignment->columns[pairs[i].column].price;

    if (distance < least || (distance == least && pairs[i].column < best)) {
      least = distance;
      cost = pairs[i].cost;
      best = pairs[i].column;
    }
  }
  if (assignment->columns[best].row != GST_CCA_UNASSIGNED)
    return false;
  assignment->columns[best].row = row;
  assignment->row_cost[row] = cost;
  assigned[row] = best;
  return true;
}

bool
gst_cca_assignment_run (GstCcaAssignment *assignment, size_t n_rows, size_t n_columns, const GstCcaPair *pairs,
                        size_t n_pairs, const double *alone, uint32_t *columns)
{
  const size_t n = n_rows + n_columns;
  size_t pair = 0;

  if (!GST_CCA_RESERVE (assignment->columns, assignment->columns_room, n)
      || !GST_CCA_RESERVE (assignment->row_cost, assignment->row_cost_room, n_rows)
      || !GST_CCA_RESERVE (assignment->first, assignment->first_room, n_rows + 1)
      || !GST_CCA_RESERVE (assignment->heap, assignment->heap_room, n + 1)
      || !GST_CCA_RESERVE (assignment->reached, assignment->reached_room, n))
    return false;

  for (size_t i = 0; i < n; i++)
    assignment->columns[i] = (Column) { .row = GST_CCA_UNASSIGNED };
  for (size_t row = 0; row <= n_rows; row++) {
    while (pair < n_pairs && pairs[pair].row < row)
      pair++;
    assignment->first[row] = pair;
  }
  for (size_t row = 0; row < n_rows; row++)
    columns[row] = GST_CCA_UNASSIGNED;
  for (size_t row = 0; row < n_rows; row++)
    if (!take_free (assignment, n_columns, pairs, alone, (uint32_t) row, columns))
      augment (assignment, n_columns, pairs, alone, (uint32_t) row, columns);
  for (size_t row = 0; row < n_rows; row++)
    if (columns[row] >= n_columns)
      columns[row] = GST_CCA_UNASSIGNED;
  return true;
}
