/* gst-cca: the results of cca-bench --tune
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Collects cases, and tells which algorithm is the fastest for each task and frame size: by the geometric mean of its
 * times over all cases of that size, so that each case counts alike. A larger size changes the algorithm only where the
 * one so far is slower by more than 2 %. Between two sizes with different ones the border is their geometric mean.
 */
#pragma once

#include "bench-run.h"

/* Most sizes of a run: the steps of a line of the table. */
#define BENCH_TUNING_SIZES 8

typedef struct BenchTuning BenchTuning;

BenchTuning *bench_tuning_new (void);
void bench_tuning_free (BenchTuning *self);

void bench_tuning_add (BenchTuning *self, const BenchCase *bench_case, const BenchContender *contenders,
                       guint n_contenders, const BenchSummary *summaries);

/* Returns a table for people: a line for each task and size, a column for each algorithm. */
char *bench_tuning_table (const BenchTuning *self);

/* Returns the generation's line of C for cuda/tuning.c. */
char *bench_tuning_line (const BenchTuning *self, int generation);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (BenchTuning, bench_tuning_free)
