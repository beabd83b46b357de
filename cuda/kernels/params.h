/* gst-cca: the parameters of every kernel, for host and device
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * A kernel takes one struct by value. CCA_KERNELS lists kernels with their structs; the host's launch functions are
 * made from it (cuda/device.h), so that a kernel cannot be launched with another's parameters. Pointers are device
 * memory.
 *
 * Bit planes: pixel x of row y is bit x % 32 of word y * row_words + x / 32; bits from the width on are 0, and there is
 * at least one of them. Rows are whole 16 bytes. Segments: what an algorithm unites, pieces of rows that are connected
 * by themselves: pixels, runs cut at words, or full runs. A segment's id grows in raster order and is its provisional
 * label.
 */
#ifndef CCA_CUDA_PARAMS_H
#define CCA_CUDA_PARAMS_H

#include <stdint.h>

/* Threads of a block: of the kernels that scan a list with one block, and of all others. */
#define CCA_SCAN_BLOCK 1024
#define CCA_BLOCK 256

#ifdef __CUDACC__
#define CCA_ALIGN(bytes) __align__ (bytes)
#else
#define CCA_ALIGN(bytes) __attribute__ ((aligned (bytes)))
#endif

/* What is voted for a segment or a component: all but its first pixel. One sector of memory. */
typedef struct CCA_ALIGN (32)
{
  unsigned long long sum_x, sum_y;
  uint32_t area;
  uint32_t left; /* ~x_min, so that the box grows by maxima alone */
  uint32_t right, bottom;
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

/* A component's features as the host reads them: CcaFeatures (cca/features.h), same layout. */
typedef struct
{
  unsigned long long area, sum_x, sum_y, sum_xx, sum_xy, sum_yy;
  uint32_t first, x_min, x_max, y_max;
} CcaDeviceFeatures;

/* What a frame's result begins with, on the device and for the host. */
typedef struct
{
  uint32_t n_components; /* that pass the area filter */
  uint32_t n_all;        /* before the filter */
  uint32_t needed; /* of an algorithm that grows: 0, or where room was too little, and the frame has to be done again,
                      how much it takes */
  uint32_t unused[13];
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

/* Rows of the strips into which full runs are divided for uniting. */
#define CCA_RUN_STRIP 8

/* The ids of segments, or words, are divided into this many chunks of raster order, a warp each. */
#define CCA_CHUNKS 8192

typedef struct
{
  CcaPlanes planes;

  /* Pixels, and runs cut at words: the id of the segment that starts at (x, y) is y * row_ids + (x >> id_shift). */
  uint32_t row_ids, id_shift;

  /* Full runs: the id is their rank. */
  uint32_t *runs;        /* a run: start | end << 16 */
  uint16_t *rows;        /* a run */
  uint32_t *row_runs;    /* a row: its runs, then those of the rows before it; behind the last row all runs */
  uint16_t *ends_before; /* a word: run ends in the words before it in the row */

  uint32_t *parent;       /* a segment; numbered: CCA_NUMBERED | component */
  CcaTallies of_segments; /* votes so far; NULL without on-the-fly merging */
  uint32_t *chunk_roots;  /* a chunk: its roots, then those of the chunks before it */
  CcaHeaders headers;
  CcaTallies of_components;
  uint32_t *firsts; /* a component: its first pixel, y << 16 | x */
} CcaSegmentsParams;

#define CCA_NUMBERED 0x80000000u

/* The chunks into which components are divided for filtering, a block each. */
#define CCA_SELECT_CHUNKS 1024

/* What a frame's result takes. */
typedef struct
{
  CcaHeaders headers;
  CcaDeviceFeatures *selected; /* the first n_selected components that pass */
  CcaDeviceFeatures *for_host; /* the first n_for_host of them, in the host's memory */
  uint32_t n_selected, n_for_host;
} CcaWanted;

/* The areas that pass. */
typedef struct
{
  uint64_t min, max;
} CcaAreas;

typedef struct
{
  CcaWanted wanted;
  CcaAreas areas;
  CcaTallies components;
  const uint32_t *firsts;
  uint32_t *chunk_counts; /* CCA_SELECT_CHUNKS: components of each that pass; then of those before it */
  uint32_t *numbers;      /* a component: 1…n, or 0 where it does not pass; NULL where all do */
} CcaSelectParams;

/* What a pixel of the output is made of: CcaOutput, which a kernel does not know. */
typedef enum
{
  CCA_PAINT_U32,
  CCA_PAINT_U16,
  CCA_PAINT_COLORS,
  CCA_PAINT_MASK
} CcaPaintFormat;

/* The output image. */
typedef struct
{
  uint8_t *out;
  int64_t pitch;
  uint32_t width, height;
  CcaPaintFormat format;
} CcaCanvas;

typedef struct
{
  CcaSegmentsParams segments;
  const uint32_t *numbers; /* as in CcaSelectParams */
  CcaCanvas canvas;
} CcaPaintParams;

/* Patches of CCA_PATCH x CCA_PATCH pixels, a warp each, and groups of CCA_GROUP x CCA_GROUP patches, a block each. */
#define CCA_PATCH 32
#define CCA_GROUP 8

/* Threads of a block of patches, and of one for a group; regions of equal value want more shared memory. */
#define CCA_PATCH_BLOCK 128
#define CCA_GROUP_BLOCK 512
#define CCA_GROUP_BLOCK_OF_VALUES 256

/* Most runs of a patch, where neighbours in a row connect, and where they need not. */
#define CCA_PATCH_RUNS 512
#define CCA_PATCH_RUNS_OF_VALUES 1024

/* A patch's components that touch its rim: at most every other of its 124 pixels, or all. */
#define CCA_RIM 62
#define CCA_RIM_OF_VALUES 124

/* More than a group's components that touch its rim: as above, every other of its pixels or all. */
#define CCA_GROUP_RIM (2 * CCA_GROUP * CCA_PATCH)
#define CCA_GROUP_RIM_OF_VALUES (4 * CCA_GROUP * CCA_PATCH)

/* Added to the number of a group's outer components, 1, where all of its patches are one component which is all of
 * their sides. */
#define CCA_WHOLE_GROUP 0x80000000u

/* A patch with no more components than this has records of its own, which nobody else is asked for. */
#define CCA_PATCH_RECORDS 8

/* Counters: records taken from the pool by patches with more; blocks that are done; and for each row the first pixels
 * of components that pass. They are in lines of the cache of their own. */
#define CCA_N_POOLED 0
#define CCA_N_DONE 1
#define CCA_ROW_FIRSTS 32

/* Threads of a block that numbers components, and its patches, side by side: where some components are to be stored,
 * and where none are. */
#define CCA_NUMBER_BLOCK 512
#define CCA_NUMBERED_PATCHES (CCA_NUMBER_BLOCK / CCA_PATCH_RECORDS)
#define CCA_RANKED_PATCHES (2 * CCA_NUMBERED_PATCHES)

/* A patch's components have consecutive records; first those that touch the rim. A side, top, bottom, left and right
 * from the low byte on, is of one component, of none, or of several or a part of one. */
#define CCA_NO_RIM 255
#define CCA_MIXED_RIM 254
typedef struct
{
  uint32_t first;
  uint16_t n_rim, n;
  uint32_t sides;
  uint32_t ready; /* without groups: not 0 from when rim and names can be read until cast_rims has seen it */
} CcaPatch;       /* one access of 16 bytes */

typedef struct
{
  CcaPlanes planes;
  CcaAreas areas;
  uint32_t columns, rows; /* patches */
  CcaPatch *patches;
  uint32_t
      *rims; /* a patch with a mixed side, a lane i: the components at (i, 0), (i, 31), (0, i), (31, i), as in sides */
  uint32_t *firsts; /* a patch, a row: bits, the first pixels of components that pass */
  uint32_t *before; /* a patch, a row with one: such pixels before it, in raster order; NULL without an output image */
  uint32_t *counters; /* 0 between frames */
  uint32_t pool_size; /* records; a frame that takes more is done again with a larger one */
  uint32_t filters;   /* by area */
  uint32_t direct;    /* components are united over the borders of patches at once, without groups */

  uint64_t *names;   /* a record: the name of its parent, a record of its component with an earlier first pixel, or its
                      * own name:   first pixel, y << 16 | x, above; its place below */
  CcaTallies votes;  /* a record; NULL where nothing is measured */
  uint32_t *n_outer; /* a group: its components that touch its rim, or CCA_WHOLE_GROUP + 1; NULL without groups */
  uint32_t *outer;   /* a group, group_rim: their records */
  uint32_t group_rim;

  /* For an output image, or NULL. A patch that is not empty, a row: foreground. A patch with more than one component, a
   * run: its component's place among them. */
  uint32_t *bits;
  uint16_t *run_components;
} CcaPatchesParams;

/* What changes from frame to frame is for those kernels alone that need it: others keep their parameters. */
typedef struct
{
  CcaPatchesParams patches;
  CcaRangeParams range; /* instead of the foreground's plane */
} CcaPatchesSolveParams;

typedef struct
{
  CcaPatchesParams patches;
  CcaWanted wanted;
} CcaPatchesNumberParams;

typedef struct
{
  CcaPatchesParams patches;
  CcaCanvas canvas;
} CcaPatchesPaintParams;

/* What every kind of segments has. */
#define CCA_SEGMENT_KERNELS(K, kind, file)                                                                             \
  K (flatten_##kind, CcaSegmentsParams, file)                                                                          \
  K (number_##kind, CcaSegmentsParams, file)                                                                           \
  K (measure_##kind, CcaSegmentsParams, file)                                                                          \
  K (measure_##kind##_cd, CcaSegmentsParams, file)                                                                     \
  K (measure_##kind##_cd_moments, CcaSegmentsParams, file)                                                             \
  K (paint_##kind, CcaPaintParams, file)

#define CCA_WORD_KERNELS(K, kind)                                                                                      \
  K (label_strips_##kind, CcaSegmentsParams, words)                                                                    \
  K (label_strips_##kind##_otf, CcaSegmentsParams, words)                                                              \
  K (merge_strips_##kind, CcaSegmentsParams, words)                                                                    \
  K (merge_strips_##kind##_otf, CcaSegmentsParams, words)                                                              \
  CCA_SEGMENT_KERNELS (K, kind, words)

#define CCA_SOLVE_KERNELS(K, source)                                                                                   \
  K (solve_patches_##source, CcaPatchesSolveParams, patches)                                                           \
  K (solve_patches_##source##_moments, CcaPatchesSolveParams, patches)                                                 \
  K (solve_patches_##source##_direct, CcaPatchesSolveParams, patches)                                                  \
  K (solve_patches_##source##_moments_direct, CcaPatchesSolveParams, patches)

#define CCA_KERNELS(K)                                                                                                 \
  K (range, CcaRangeParams, foreground)                                                                                \
  K (motion, CcaMotionParams, foreground)                                                                              \
  K (values, CcaValuesParams, foreground)                                                                              \
  K (majority, CcaCleanupParams, cleanup)                                                                              \
  K (dilate_rows, CcaCleanupParams, cleanup)                                                                           \
  K (dilate_columns_erode_rows, CcaCleanupParams, cleanup)                                                             \
  K (erode_columns, CcaCleanupParams, cleanup)                                                                         \
  K (init_pixels, CcaSegmentsParams, pixels)                                                                           \
  K (unite_pixels, CcaSegmentsParams, pixels)                                                                          \
  CCA_SEGMENT_KERNELS (K, pixels, pixels)                                                                              \
  CCA_WORD_KERNELS (K, words32)                                                                                        \
  CCA_WORD_KERNELS (K, words64)                                                                                        \
  K (count_runs, CcaSegmentsParams, runs)                                                                              \
  K (scan_runs, CcaSegmentsParams, runs)                                                                               \
  K (store_runs, CcaSegmentsParams, runs)                                                                              \
  K (link_runs, CcaSegmentsParams, runs)                                                                               \
  K (unite_runs, CcaSegmentsParams, runs)                                                                              \
  K (unite_runs_otf, CcaSegmentsParams, runs)                                                                          \
  K (unite_strips, CcaSegmentsParams, runs)                                                                            \
  K (unite_strips_otf, CcaSegmentsParams, runs)                                                                        \
  K (unite_runs_of_values, CcaSegmentsParams, runs)                                                                    \
  K (unite_runs_of_values_otf, CcaSegmentsParams, runs)                                                                \
  K (vote_runs, CcaSegmentsParams, runs)                                                                               \
  CCA_SEGMENT_KERNELS (K, runs, runs)                                                                                  \
  CCA_SOLVE_KERNELS (K, of_bits)                                                                                       \
  CCA_SOLVE_KERNELS (K, of_range)                                                                                      \
  CCA_SOLVE_KERNELS (K, of_values)                                                                                     \
  K (unite_patches, CcaPatchesParams, groups)                                                                          \
  K (unite_patches_moments, CcaPatchesParams, groups)                                                                  \
  K (unite_patches_of_values, CcaPatchesParams, groups)                                                                \
  K (unite_patches_of_values_moments, CcaPatchesParams, groups)                                                        \
  K (unite_groups, CcaPatchesParams, borders)                                                                          \
  K (cast_outer, CcaPatchesParams, borders)                                                                            \
  K (cast_outer_moments, CcaPatchesParams, borders)                                                                    \
  K (pass_outer, CcaPatchesParams, borders)                                                                            \
  K (unite_rims, CcaPatchesParams, borders)                                                                            \
  K (cast_rims, CcaPatchesParams, borders)                                                                             \
  K (cast_rims_moments, CcaPatchesParams, borders)                                                                     \
  K (pass_rims, CcaPatchesParams, borders)                                                                             \
  K (number_patches, CcaPatchesNumberParams, numbers)                                                                  \
  K (rank_patches, CcaPatchesNumberParams, numbers)                                                                    \
  K (paint_patches, CcaPatchesPaintParams, numbers)                                                                    \
  K (paint_patches_of_values, CcaPatchesPaintParams, numbers)                                                          \
  K (scan_roots, CcaSegmentsParams, select)                                                                            \
  K (count_selected, CcaSelectParams, select)                                                                          \
  K (scan_selected, CcaSelectParams, select)                                                                           \
  K (store_selected, CcaSelectParams, select)                                                                          \
  K (store_first, CcaSelectParams, select)

/* The files of kernels, each a module. */
#define CCA_KERNEL_FILES(F)                                                                                            \
  F (foreground) F (cleanup) F (pixels) F (words) F (runs) F (patches) F (groups) F (borders) F (numbers) F (select)

#endif
