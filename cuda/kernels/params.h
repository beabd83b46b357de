/* gst-cca: the parameters of every kernel, for host and device
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * A kernel takes one struct by value. CCA_KERNELS lists kernels with their structs; the host's launch functions are made from
 * it (cuda/device.h), so that a kernel cannot be launched with another's parameters. Pointers are device memory.
 *
 * Bit planes: pixel x of row y is bit x % 32 of word y * row_words + x / 32; bits from the width on are 0, and there is at
 * least one of them.
 * Runs: row y has n_runs[y] of them, run j at index y * most_runs + j; the index is also the run's provisional label.
 */
#ifndef CCA_CUDA_PARAMS_H
#define CCA_CUDA_PARAMS_H

#include <stdint.h>

/* A component's features on the device: those of CcaFeatures (cca/features.h), same layout. */
typedef struct
{
  unsigned long long area, sum_x, sum_y, sum_xx, sum_xy, sum_yy;
  uint32_t first, x_min, x_max, y_max;
} CcaDeviceFeatures;

/* What a frame's small copy begins with. */
typedef struct
{
  uint32_t n_components; /* that pass the area filter */
  uint32_t n_all;        /* before the filter */
  uint32_t unused[14];
} CcaDeviceHeader;

typedef struct
{
  const uint8_t *pixels;
  int64_t pitch;
  uint32_t width, height;
  uint32_t *bits;
  uint32_t row_words;
  uint32_t low, span, invert; /* (low <= v <= low + span) ^ invert; span 256: never */
} CcaRangeParams;

typedef struct
{
  const uint8_t *pixels;
  int64_t pitch;
  uint32_t width, height;
  uint32_t *bits;
  uint32_t row_words;
  uint8_t *background, *spread; /* rows of row_words * 32 bytes */
  uint32_t first;               /* the first frame of all */
  uint32_t step, amplification, v_min, v_max, report, invert;
} CcaMotionParams;

typedef struct
{
  const uint32_t *in;
  uint32_t *out;
  uint32_t width, height;         /* of the rows of `out` that are written */
  uint32_t in_words, in_height;   /* of `in` */
  uint32_t out_words;
  uint32_t radius;
} CcaCleanupParams;

typedef struct
{
  const uint32_t *bits;
  uint32_t row_words, height, most_runs;
  uint32_t reach;        /* 1 for 8-connectivity, else 0 */
  uint32_t *runs;        /* start | end << 16 */
  uint32_t *n_runs;      /* a row */
  uint16_t *ends_before; /* a word: ends in the words before it */
  uint32_t *parent;      /* a run; from cca_number on of a root: CCA_NUMBERED | component */
  uint32_t *row_roots;   /* a row: its roots, then the roots of the rows before it */
  CcaDeviceHeader *header;
  CcaDeviceFeatures *features; /* a component */
  uint32_t covariance;
} CcaRunsParams;

#define CCA_NUMBERED 0x80000000u

/* The chunks into which components are divided for filtering. */
#define CCA_SELECT_CHUNKS 1024

typedef struct
{
  CcaDeviceHeader *header;
  const CcaDeviceFeatures *features;
  uint64_t min_area, max_area;
  uint32_t *chunk_counts;      /* CCA_SELECT_CHUNKS: components of each that pass; then of those before it */
  uint32_t *numbers;           /* a component: 1…n, or 0 where it does not pass */
  CcaDeviceFeatures *selected; /* the first n_selected that pass */
  uint32_t n_selected;
} CcaSelectParams;

/* What a pixel of the output is made of: CcaOutput, which a kernel does not know. */
typedef enum
{
  CCA_PAINT_U32,
  CCA_PAINT_U16,
  CCA_PAINT_COLORS,
  CCA_PAINT_MASK
} CcaPaintFormat;

typedef struct
{
  CcaRunsParams runs;
  const uint32_t *numbers;
  uint8_t *out;
  int64_t pitch;
  uint32_t width;
  CcaPaintFormat format;
} CcaPaintParams;

#define CCA_KERNELS(K)                                                                                                 \
  K (range, CcaRangeParams, foreground)                                                                                \
  K (motion, CcaMotionParams, foreground)                                                                              \
  K (majority, CcaCleanupParams, cleanup)                                                                              \
  K (dilate_rows, CcaCleanupParams, cleanup)                                                                           \
  K (dilate_columns_erode_rows, CcaCleanupParams, cleanup)                                                             \
  K (erode_columns, CcaCleanupParams, cleanup)                                                                         \
  K (find_runs, CcaRunsParams, runs)                                                                                   \
  K (link_runs, CcaRunsParams, runs)                                                                                   \
  K (unite_runs, CcaRunsParams, runs)                                                                                  \
  K (flatten, CcaRunsParams, runs)                                                                                     \
  K (scan_roots, CcaRunsParams, runs)                                                                                  \
  K (number, CcaRunsParams, runs)                                                                                      \
  K (measure_runs, CcaRunsParams, features)                                                                            \
  K (measure_runs_cd, CcaRunsParams, features)                                                                         \
  K (count_selected, CcaSelectParams, select)                                                                          \
  K (scan_selected, CcaSelectParams, select)                                                                           \
  K (store_selected, CcaSelectParams, select)                                                                          \
  K (paint, CcaPaintParams, paint)

/* The files of kernels, each a module. */
#define CCA_KERNEL_FILES(F) F (foreground) F (cleanup) F (runs) F (features) F (select) F (paint)

#endif
