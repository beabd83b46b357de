/* gst-cca: least-cost assignment of rows to columns
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Successive shortest augmenting paths with dual variables, on a sparse matrix: R. Jonker & A. Volgenant, "A Shortest
 * Augmenting Path Algorithm for Dense and Sparse Linear Assignment Problems", Computing 38, 1987, section 4. A search
 * ends at the first free column, so that its work grows with the group of pairs around its row, not with the matrix.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define GST_CCA_UNASSIGNED UINT32_MAX

/* A row and a column that may be assigned to each other. */
typedef struct
{
  uint32_t row, column;
  double cost; /* finite; may be negative */
} GstCcaPair;

typedef struct GstCcaAssignment GstCcaAssignment;

/* Returns NULL if memory is exhausted. One thread at a time. */
GstCcaAssignment *gst_cca_assignment_new (void);
void gst_cca_assignment_free (GstCcaAssignment *assignment); /* NULL is allowed */

/* Assigns each row to at most one column and each column to at most one row, by the given pairs, with the least sum of
 * the pairs' costs and of alone[row] for each row without a column. The same input always gives the same result.
 *   pairs    sorted by row, each (row, column) at most once; row < n_rows, column < n_columns
 *   alone    n_rows finite costs
 *   columns  n_rows; receives each row's column, or GST_CCA_UNASSIGNED
 * Returns FALSE if memory is exhausted: then columns are undefined. Memory is kept for the next call. */
bool gst_cca_assignment_run (GstCcaAssignment *assignment, size_t n_rows, size_t n_columns, const GstCcaPair *pairs,
                             size_t n_pairs, const double *alone, uint32_t *columns);
