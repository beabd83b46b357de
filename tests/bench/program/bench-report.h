/* gst-cca: the reports of cca-bench
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <stdio.h>

#include "bench-run.h"

typedef struct BenchReport BenchReport;

/* Makes a report to a stream and, if csv_path is not NULL, to a CSV file. reference is the name of the contender that
 * ratios refer to, or NULL for the first of each case; it must outlive the report. */
BenchReport *bench_report_new (FILE *out, const char *csv_path, const char *reference, GError **error);

/* Adds a case: one block of the table, one CSV line for each contender. */
void bench_report_add (BenchReport *report, const BenchCase *bench_case, guint connectivity,
                       const BenchContender *contenders, guint n_contenders, const BenchSummary *summaries);

/* Prints the closing table of ratios over all cases, and closes the file. Frees the report in any case. */
gboolean bench_report_finish (BenchReport *report, GError **error);
