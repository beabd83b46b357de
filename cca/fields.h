/* gst-cca: the fields of a component's features, and the operation that joins each
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The one list of them, F (field, operation), for the host, the kernels, tests and docs/architecture.md. Two sets
 * of pixels are joined field by field: by SUM, MIN or MAX. No dependency; also compiles as CUDA device code.
 */
#ifndef CCA_FIELDS_H
#define CCA_FIELDS_H

#include <stdint.h>

#define CCA_SUM_FIELDS(F) F (sum_x, SUM) F (sum_y, SUM) F (area, SUM)
#define CCA_MOMENT_FIELDS(F) F (sum_xx, SUM) F (sum_xy, SUM) F (sum_yy, SUM)
#define CCA_BOX_FIELDS(F) F (x_min, MIN) F (x_max, MAX) F (y_max, MAX)

/* A component's features as integers, so that the order of joining does not matter; one cache line. All sums fit for
 * images of 65535x65535. */
typedef struct
{
#define CCA_SUM_MEMBER(field, operation) uint64_t field;
#define CCA_BOX_MEMBER(field, operation) uint32_t field;
  CCA_SUM_FIELDS (CCA_SUM_MEMBER)
  CCA_MOMENT_FIELDS (CCA_SUM_MEMBER) /* 0 where no covariance is asked for */
  uint32_t first;                    /* the first pixel in raster order, y << 16 | x: also the top of the box */
  CCA_BOX_FIELDS (CCA_BOX_MEMBER)
#undef CCA_SUM_MEMBER
#undef CCA_BOX_MEMBER
} CcaFeatures;

#endif
