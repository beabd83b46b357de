/* gst-cca: statistics of times for the benchmarks
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <glib.h>

#include "../times.h"

/* How often the system has taken the processor from the calling thread for other work. */
glong bench_preemptions (void);

/* The q-quantile of n >= 1 sorted samples, 0 <= q <= 1, between samples linearly. */
double bench_quantile (const double *sorted, guint n, double q);
