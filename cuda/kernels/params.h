/* gst-cca: the parameters that kernels of several files share, for host and device
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * A kernel takes one struct by value. The list of a folder's kernels (kernels.h beside them) names each with its
 * struct; the host's launch functions are made from it (cuda/module.h), so that a kernel cannot be launched with
 * another's parameters. Pointers are device memory.
 *
 * Bit planes: pixel x of row y is bit x % 32 of word y * row_words + x / 32; bits from the width on are 0, and there is
 * at least one of them. Rows are whole 16 bytes.
 */
#ifndef CCA_CUDA_PARAMS_H
#define CCA_CUDA_PARAMS_H

#include "cca/fields.h"
#include "cca/output.h"

#include <stdint.h>

/* A frame has fewer pixels than this, so that a pixel's id leaves a bit free. */
#define CCA_PIXELS_LIMIT 0x80000000u

/* Threads of a block: of the kernels that scan a list with one block, and of all others. */
#define CCA_SCAN_BLOCK 1024
#define CCA_BLOCK 256

#ifdef __CUDACC__
#define CCA_ALIGN(bytes) __align__ (bytes)
#else
#define CCA_ALIGN(bytes) __attribute__ ((aligned (bytes)))
#endif

/* What is voted for a segment or a component: all but its first pixel. One sector of memory. A minimum is stored as its
 * complement, so that the box grows by maxima alone. */
typedef struct CCA_ALIGN (32)
{
  unsigned long long sum_x, sum_y;
  uint32_t area;
  uint32_t x_min, x_max, y_max;
} CcaTally;

/* The same for second moments. */
typedef struct CCA_ALIGN (32)
{
  unsigned long long sum_xx, sum_xy, sum_yy, unused;
} CcaMoments;

/* A list of both; moments is NULL where they are not asked for. */
typedef struct
{
  CcaTally *tally;
  CcaMoments *moments;
} CcaTallies;

/* What a frame's result begins with, on the device and for the host. */
typedef struct
{
  uint32_t n_components; /* that pass the area filter */
  uint32_t n_all;        /* before the filter */
  uint32_t needed; /* of an algorithm that grows: 0, or where room was too little, and the frame has to be done again,
                      how much it takes */
  uint32_t n_iterations; /* CcaMeasurement.n_iterations */
  uint32_t unused[12];
} CcaDeviceHeader;

/* Counts for the kernels that follow, and for the host, whose memory needs no copy then. */
typedef struct
{
  CcaDeviceHeader *device, *host;
} CcaHeaders;

typedef struct
{
  const uint8_t *pixels;
  int64_t pitch;
  uint32_t width, height;
  uint32_t *bits;
  uint32_t row_words;
  uint32_t low, end, invert; /* (low <= v < end) ^ invert; end is up to 256, low up to 255 */
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

/* CCA_FOREGROUND_VALUES; the planes are those of CcaPlanes. */
typedef struct
{
  const uint8_t *pixels;
  int64_t pitch;
  uint32_t width, height;
  uint32_t row_words;
  uint32_t *bits, *joins, *vertical, *falling, *rising;
} CcaValuesParams;

typedef struct
{
  const uint32_t *in;
  uint32_t *out;
  uint32_t height;              /* of `out` */
  uint32_t in_words, in_height; /* of `in` */
  uint32_t out_words;
  uint32_t radius;
} CcaCleanupParams;

/* The foreground, and which neighbours connect. All but `bits` are NULL where all foreground neighbours do. */
typedef struct
{
  const uint32_t *bits;
  const uint32_t *joins;    /* (x, y) with (x - 1, y) */
  const uint32_t *vertical; /* (x, y) with (x, y - 1) */
  const uint32_t *falling;  /* (x, y) with (x - 1, y - 1) */
  const uint32_t *rising;   /* (x - 1, y) with (x, y - 1) */
  uint32_t row_words, height;
  uint32_t diagonal; /* 8-connectivity */
} CcaPlanes;

/* Where kernels store the components of a frame's result. */
typedef struct
{
  CcaHeaders headers;
  CcaFeatures *selected; /* the first n_selected components that pass */
  CcaFeatures *for_host; /* the first n_for_host of them, in the host's memory */
  uint32_t n_selected, n_for_host;
} CcaWanted;

/* The areas that pass. */
typedef struct
{
  uint64_t min, max;
} CcaAreas;

/* The output image. */
typedef struct
{
  uint8_t *out;
  int64_t pitch;
  uint32_t width, height;
  CcaOutput output;
} CcaCanvas;

#endif
