/* gst-cca: the fields of a component's features, and the operation that joins each
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The host, the kernels, the comparison with the oracle (tests/lib/test-fields.c) and docs/architecture.md all use this
 * list, F (field, operation). To join two sets of pixels, apply each field's operation, SUM, MIN or MAX. Depends on
 * nothing else; also compiles as CUDA device code.
 */
#pragma once

#include <stdint.h>

#define CCA_SUM_FIELDS(F) F (sum_x, SUM) F (sum_y, SUM) F (area, SUM)
#define CCA_MOMENT_FIELDS(F) F (sum_xx, SUM) F (sum_xy, SUM) F (sum_yy, SUM)
#define CCA_BOX_FIELDS(F) F (x_min, MIN) F (x_max, MAX) F (y_max, MAX)

/* A component's features, in one cache line: integers, so that the order of joining does not matter. The sums do not
 * overflow for images of 65535x65535 pixels. */
typedef struct
{
#define CCA_SUM_MEMBER(field, operation) uint64_t field;
#define CCA_BOX_MEMBER(field, operation) uint32_t field;
  CCA_SUM_FIELDS (CCA_SUM_MEMBER)
  CCA_MOMENT_FIELDS (CCA_SUM_MEMBER) /* 0 unless covariance is requested */
  uint32_t first;                    /* the first pixel in raster order, y << 16 | x: also the top of the box */
  CCA_BOX_FIELDS (CCA_BOX_MEMBER)
#undef CCA_SUM_MEMBER
#undef CCA_BOX_MEMBER
} CcaFeatures;

/* The sums for CcaParams.shape and CcaParams.intensity, integers, too. All are 0 for an empty set. */
typedef struct
{
  /* Shape: see CcaShape. */
  uint64_t half_steps, half_slants;   /* of the perimeter: in halves of 1, and of the root of 2 */
  uint64_t entries, slanting_entries; /* along rows and columns; along both diagonals */
  int64_t euler_number;
  /* Intensity. */
  uint64_t sum;
  uint32_t not_min, max; /* ~ of the least value, so that both are maxima */
} CcaDetails;
