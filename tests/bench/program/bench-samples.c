/* gst-cca: statistics of times for the benchmarks
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#define _GNU_SOURCE /* RUSAGE_THREAD */
#include "bench-samples.h"

#include <math.h>
#include <sys/resource.h>

glong
bench_preemptions (void)
{
  struct rusage usage;

  getrusage (RUSAGE_THREAD, &usage);
  return usage.ru_nivcsw;
}

double
bench_quantile (const double *sorted, guint n, double q)
{
  const double position = q * (n - 1);
  const guint below = (guint) floor (position), above = (guint) ceil (position);

  return sorted[below] + (position - below) * (sorted[above] - sorted[below]);
}
