/* gst-cca: the parameters that kernels of several files share, for host and device
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * A kernel takes one struct by value. Each folder's list of kernels (kernels.h) names the struct of each kernel;
 * cuda/module.h makes the launch functions from the list, so that a launch with another kernel's parameters does not
 * compile. Pointers are device memory.
 *
 * Bit planes: pixel x of row y is bit x % 32 of word y * row_words + x / 32; bits from the width on are 0, and there is
 * at least one of them. Rows are whole 16 bytes.
 */
#pragma once

#include "cca/fields.h"
#include "cca/output.h"

#include <stdint.h>

/* A frame has fewer pixels than this, so that a pixel's id leaves a bit free. */
#define CCA_PIXELS_LIMIT 0x80000000u

/* Threads of a block: for kernels that scan a list with one block, and for all others. */
#define CCA_SCAN_BLOCK 1024
#define CCA_BLOCK 256

#ifdef __CUDACC__
#define CCA_ALIGN(bytes) __align__ (bytes)
#else
#define CCA_ALIGN(bytes) __attribute__ ((aligned (bytes)))
#endif

/* Votes for a segment or a component: its features except the first pixel, in one sector of memory. Minima are stored
 * as complements, so that all are maxima. */
typedef struct CCA_ALIGN (32)
{
  unsigned long long sum_x, sum_y;
  uint32_t area;
  uint32_t x_min, x_max, y_max;
} CcaTally;

/* Votes for second moments. */
typedef struct CCA_ALIGN (32)
{
  unsigned long long sum_xx, sum_xy, sum_yy, unused;
} CcaMoments;

/* A list of both; moments is NULL without covariance. */
typedef struct
{
  CcaTally *tally;
  CcaMoments *moments;
} CcaTallies;

/* The header of a frame's result, on the device and on the host. */
typedef struct
{
  uint32_t n_components; /* that pass the size filter */
  uint32_t n_all;        /* before the filter */
  uint32_t needed;       /* of an algorithm that grows: 0, or the capacity that the frame needs to run again */
  uint32_t n_iterations; /* CcaMeasurement.n_iterations */
  /* With overlaps: */
  uint32_t n_overlaps;
  uint32_t needed_overlaps; /* 0, or a sufficient size if the table was too small */
  uint32_t unused[10];
} CcaDeviceHeader;

/* The counts, for later kernels, and a copy that kernels write straight to the host. */
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
  const uint32_t *region;    /* outside is background; NULL for the whole image, as for algorithms that read ranges */
} CcaRangeParams;

typedef struct
{
  const uint8_t *pixels;
  int64_t pitch;
  uint32_t width, height;
  uint32_t *bits;
  uint32_t row_words;
  uint8_t *background, *spread; /* rows of row_words * 32 bytes */
  uint32_t first;               /* 1 for the first frame of all */
  uint32_t step, amplification, v_min, v_max, report, invert;
  const uint32_t *region; /* as in CcaRangeParams */
  const uint8_t *factors; /* of motion_by_place: rows as the background's */
} CcaMotionParams;

/* CCA_FOREGROUND_VALUES; the planes are those of CcaPlanes. */
typedef struct
{
  const uint8_t *pixels;
  int64_t pitch;
  uint32_t width, height;
  uint32_t row_words;
  uint32_t *bits, *joins, *vertical, *falling, *rising;
  const uint32_t *region; /* as in CcaRangeParams */
} CcaValuesParams;

/* How the bytes of a pixel give its value, if the pixel is not the value; see CcaFormatInfo. */
typedef struct
{
  uint32_t second;  /* the second byte is the value, or its lower half */
  uint32_t weights; /* of the four bytes */
  uint32_t aligned; /* pixels are aligned to their size */
} CcaReading;

/* Words of a row that a warp computes from pixels of other formats. */
#define CCA_WARP_WORDS 8

/* The structs above, for pixels of other formats. With 16-bit values, `end` is up to 65536, and the model's rows are
 * twice as long. */
typedef struct
{
  CcaRangeParams range;
  CcaReading reading;
} CcaFormatRangeParams;

typedef struct
{
  CcaMotionParams motion;
  CcaReading reading;
  uint32_t level; /* the step of the spread */
} CcaFormatMotionParams;

typedef struct
{
  CcaValuesParams values;
  CcaReading reading;
} CcaFormatValuesParams;

/* The clean-up: words and rows of a block, its threads, and the largest radius of a closing. */
#define CCA_CLEAN_WORDS 30
#define CCA_CLEAN_ROWS 16
#define CCA_CLEAN_BLOCK 512
#define CCA_CLEAN_RADIUS_MAX 8

typedef struct
{
  const uint32_t *in;
  uint32_t *out; /* NULL: only count cells */
  uint32_t row_words, height;
  uint32_t denoise, radius; /* of the closing; 0 for none */
  const uint32_t *region;   /* as in CcaRangeParams */
  uint8_t *counts; /* foreground of each cell, at most 255, then the cells' colours; in host memory; NULL for none */
  uint32_t cell;   /* side, pixels: a power of two up to CCA_CLEAN_ROWS */
  uint32_t cell_columns, cell_rows;
  /* The image, for the colours. */
  const uint8_t *input, *u, *v; /* u, v: NULL for none */
  int64_t pitch, chroma_pitch;
  uint32_t width, chroma_step, chroma_shift_x, chroma_shift_y;
  uint32_t pixels; /* how the bytes of a pixel give its value: CcaPixels */
  CcaReading reading;
} CcaCleanupParams;

/* The foreground, and the links between neighbours. All but `bits` are NULL if all foreground neighbours connect. */
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

/* The destination of the components of a frame's result. */
typedef struct
{
  CcaHeaders headers;
  CcaFeatures *selected; /* the first n_selected components that pass */
  CcaFeatures *for_host; /* the first n_for_host of them, in the host's memory */
  uint32_t n_selected, n_for_host;
} CcaWanted;

/* An overlap, as CcaOverlap. */
typedef struct CCA_ALIGN (16)
{
  uint32_t before, now;
  uint64_t pixels;
} CcaSharedPixels;

/* An entry of the table of overlaps. */
typedef struct CCA_ALIGN (16)
{
  unsigned long long labels; /* before << 32 | now; 0: empty */
  uint32_t pixels, unused;
} CcaOverlapEntry;

/* Side of a tile in which a warp finds overlaps, pixels. */
#define CCA_LABEL_TILE 32

/* In place of the label of a tile's row: the row has several. */
#define CCA_LABELS_DIFFER UINT32_MAX

/* The labels of the last frame and of the current one, by rows of tiles, and the table in which their overlaps are
 * counted. Row y of tile t is element 32 t + y of a half; tiles are in raster order. */
typedef struct
{
  uint32_t *half;       /* 0 or 1: the half of the lists with the last frame's; the other is the current one's */
  uint32_t *bits;       /* for each row: its pixels that belong to components */
  uint32_t *labels;     /* for each row: the label of all these pixels, or CCA_LABELS_DIFFER, and only then: */
  uint32_t *starts;     /* for each row: first pixels of its runs */
  uint32_t *run_labels; /* for each row 32: the labels of its runs */
  uint32_t n_rows;      /* of a half */
  uint32_t columns;     /* of tiles */

  CcaOverlapEntry *table;
  uint32_t *used;      /* the table's entries in use, in the order of insertion */
  uint32_t *counters;  /* CCA_N_OVERLAPS, CCA_N_COLLECTED; 0 between frames */
  uint32_t capacity;   /* of `used`; at most half of the table's */
  uint32_t table_bits; /* the table has 1 << table_bits entries */
} CcaOverlapsParams;

/* Indices of counters, each on its own cache line: the entries in use, or more than `capacity` if they do not fit; the
 * blocks that have read that number. */
#define CCA_N_OVERLAPS 0
#define CCA_N_COLLECTED 32
#define CCA_OVERLAP_COUNTERS 64

/* Overlaps of an image of labels. */
typedef struct
{
  CcaOverlapsParams overlaps;
  CcaPlanes planes;
  const uint32_t *labels;
  int64_t label_pitch; /* labels from row to row */
} CcaOverlapLabelsParams;

typedef struct
{
  CcaOverlapsParams overlaps;
  CcaHeaders headers;        /* the algorithm's header, and its copy for the host */
  CcaSharedPixels *for_host; /* the first n_for_host overlaps listed, in host memory */
  uint32_t n_for_host;
  uint32_t compares; /* 1 if the last frame is known, else 0 */
} CcaCollectParams;

/* An image of labels, and the destination of its components' details: label n has details[n - 1]. */
typedef struct
{
  const uint32_t *labels;
  int64_t label_pitch; /* labels from row to row */
  uint32_t width, height;
  CcaDetails *details;
  uint32_t n_details; /* greater labels are not counted */
} CcaLabelled;

/* Rows of a tile in which a warp counts details, and its columns for shapes. */
#define CCA_DETAIL_ROWS 16
#define CCA_SHAPE_COLUMNS 28

typedef struct
{
  CcaLabelled labelled;
  uint32_t diagonal; /* 8-connectivity */
} CcaShapesParams;

typedef struct
{
  CcaLabelled labelled;
  const uint8_t *pixels;
  int64_t pitch;
  uint32_t format; /* how the bytes of a pixel give its value: CcaPixels */
  CcaReading reading;
} CcaIntensitiesParams;

/* The details of a frame's components. */
typedef struct
{
  const CcaDeviceHeader *header;
  CcaDetails *details;  /* of the first n_details labels */
  CcaDetails *for_host; /* of the first n_for_host, in the host's memory */
  uint32_t n_details, n_for_host;
} CcaFoundDetails;

/* The size filter: the areas, and the sides of bounding boxes, that pass. */
typedef struct
{
  uint32_t min_area, max_area;
  uint16_t min_width, max_width, min_height, max_height;
} CcaSizes;

/* The output image. */
typedef struct
{
  uint8_t *out;
  int64_t pitch;
  uint32_t width, height;
  CcaOutput output;
} CcaCanvas;
