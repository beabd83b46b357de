/* gst-cca: statistics of times for the benchmarks
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <glib.h>

#include "../times.h"

/* Returns how often the system has preempted the calling thread. */
glong bench_preemptions (void);

/* Returns the q-quantile of n >= 1 sorted samples, 0 <= q <= 1, by linear interpolation. */
double bench_quantile (const double *sorted, guint n, double q);
