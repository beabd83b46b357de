/* gst-cca: a case of cca-bench: masks of one size and how they came about
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <glib.h>

#include "ridges.h"

typedef struct
{
  char *source;      /* "random", the name of a figure or a file, or a family such as "random-merging(3,5)" */
  char *foreground;  /* "random", "pattern", "family", or the name of a foreground mode */
  double density;    /* foreground, %: the requested one of random images, the measured one of others */
  guint granularity; /* side of a random image's blocks, pixels; 0 for others */
  int parameter;     /* a family's parameter; -1 for others */
  guint width, height;
  GPtrArray *masks; /* distinct ones: guint8 *, 0 or 255, width bytes a row */
} BenchCase;

BenchCase *bench_case_new (const char *source, const char *foreground, guint width, guint height);
void bench_case_free (BenchCase *self);

/* Adds a mask of any size, scaled to the case's by nearest neighbour. */
void bench_case_add (BenchCase *self, const guint8 *mask, guint width, guint height);

/* Sets density to that of the masks. */
void bench_case_measure_density (BenchCase *self);

/* The random values behind the masks of all densities. */
typedef struct
{
  guint width, height, granularity;
  GPtrArray *values; /* guint8 *, 0…99 */
} BenchNoise;

BenchNoise *bench_noise_new (guint width, guint height, guint granularity, guint32 seed, guint n);
void bench_noise_free (BenchNoise *noise);

/* Returns a case of random masks, as by pattern_random (). */
BenchCase *bench_case_new_random (const BenchNoise *noise, guint density);

/* Returns a case of one of the figures in patterns.h. */
BenchCase *bench_case_new_pattern (guint width, guint height, gsize pattern);

/* Returns a member of a family in ridges.h, with n different masks if it is random. */
BenchCase *bench_case_new_family (guint side_bits, Family family, guint level, guint subdivisions, guint parameter,
                                  guint32 seed, guint n);

/* Returns a description for people and reports: "random g=4 50 %, 1920x1080", "vtest.avi, motion, 1920x1080". */
char *bench_case_describe (const BenchCase *self);

/* Writes the masks as the luma of a YUV4MPEG2 file in folder, named after the case. */
gboolean bench_case_save (const BenchCase *self, const char *folder, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (BenchCase, bench_case_free)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (BenchNoise, bench_noise_free)
