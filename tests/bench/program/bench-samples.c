/* gst-cca: times and their statistics for the benchmarks
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#define _GNU_SOURCE /* RUSAGE_THREAD */
#include "bench-samples.h"

#include <math.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <time.h>

double
bench_now (void)
{
  struct timespec time;

  clock_gettime (CLOCK_MONOTONIC, &time);
  return time.tv_sec * 1e9 + time.tv_nsec;
}

static int
compare_doubles (const void *a, const void *b)
{
  const double x = *(const double *) a, y = *(const double *) b;

  return (x > y) - (x < y);
}

glong
bench_preemptions (void)
{
  struct rusage usage;

  getrusage (RUSAGE_THREAD, &usage);
  return usage.ru_nivcsw;
}

void
bench_sort (double *samples, guint n)
{
  qsort (samples, n, sizeof *samples, compare_doubles);
}

double
bench_quantile (const double *sorted, guint n, double q)
{
  const double position = q * (n - 1);
  const guint below = (guint) floor (position), above = (guint) ceil (position);

  return sorted[below] + (position - below) * (sorted[above] - sorted[below]);
}
