/* gst-cca: sorts the times of benchmarks
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <stdlib.h>

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
