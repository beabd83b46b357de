/* gst-cca: how the benchmarks take times, and sort them
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <stdlib.h>
#include <time.h>

static inline double
bench_time_of (clockid_t clock)
{
  struct timespec time;

  clock_gettime (clock, &time);
  return (double) time.tv_sec * 1e9 + (double) time.tv_nsec;
}

/* Returns the monotonic time, ns. */
static inline double
bench_now (void)
{
  return bench_time_of (CLOCK_MONOTONIC);
}

/* Returns the processor time of the calling thread, ns. */
static inline double
bench_processor_time (void)
{
  return bench_time_of (CLOCK_THREAD_CPUTIME_ID);
}

static inline int
bench_compare (const void *a, const void *b)
{
  const double one = *(const double *) a, other = *(const double *) b;

  return (one > other) - (one < other);
}

static inline void
bench_sort (double *samples, size_t n)
{
  qsort (samples, n, sizeof *samples, bench_compare);
}
