/* gst-cca: the command line of cca-bench
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include "bench-foreground.h"
#include "bench-run.h"

typedef struct
{
  guint width, height;
} BenchSize;

typedef struct
{
  gboolean list;
  gboolean tune; /* measure for the table of the CUDA backend's `auto` */
  char **files;
  gboolean random;
  GArray *sizes;             /* BenchSize; empty: not given */
  GArray *densities;         /* guint, % */
  GArray *granularities;     /* guint */
  GArray *patterns;          /* guint, indices of patterns.h */
  GArray *families;          /* guint, Family */
  GArray *parameters;        /* guint; empty: all for leveling and subdivision, every 10 percent for others */
  guint level, subdivisions; /* of families; as many subdivisions as fit */
  GArray *foregrounds;       /* guint, BenchForeground */
  GArray *connectivities;    /* guint */
  GArray *contenders;        /* BenchContender */
  guint32 seed;
  guint n_masks; /* random ones in each case */
  BenchMaskOptions mask;
  BenchMethod method;
  const char *reference; /* NULL: the first contender */
  char *csv;
  char *masks_folder; /* write the masks there instead of measuring them; or NULL */
} BenchOptions;

/* Parses the command line. Fails with BENCH_ERROR_USAGE, or an error of GOption. */
BenchOptions *bench_options_new (int *argc, char ***argv, GError **error);
void bench_options_free (BenchOptions *options);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (BenchOptions, bench_options_free)
