/* gst-cca: from the frames of a file to masks
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * All contenders get the same masks, made before anything is measured.
 */
#pragma once

#include "bench-case.h"

typedef enum
{
  BENCH_FOREGROUND_NONZERO,
  BENCH_FOREGROUND_THRESHOLD, /* above BenchMaskOptions.threshold */
  BENCH_FOREGROUND_OTSU,      /* above the threshold of Otsu, IEEE Trans. SMC 9(1), 1979, equation 12 */
  BENCH_FOREGROUND_ADAPTIVE,  /* above the mean of the 31 x 31 pixels around, less 7 */
  BENCH_FOREGROUND_MOTION     /* libcca's motion mode with its default parameters */
} BenchForeground;

/* Returns "nonzero", "threshold", …; NULL beyond the last. */
const char *bench_foreground_name (BenchForeground foreground);

typedef struct
{
  guint8 threshold;
  gboolean invert;
  gboolean denoise; /* always in motion mode */
  guint close_radius;
  guint first, every, count; /* frames kept: numbers first, first + every, …, at most count */
  guint width, height;       /* of the case; 0: the file's */
} BenchMaskOptions;

/* Returns the masks of a file's frames. */
BenchCase *bench_case_new_from_file (const char *location, BenchForeground foreground, const BenchMaskOptions *options,
                                     GError **error);
