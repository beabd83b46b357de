/* gst-cca: the reports of cca-bench
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "bench-report.h"

#include <errno.h>
#include <math.h>

/* A contender over all cases. */
typedef struct
{
  guint n_cases;
  double log_ratios, worst_ratio; /* of medians, reference to contender */
  double time, reference_time;    /* sums of medians, ns */
} Total;

/* A contender over the densities of random images of one size and granularity. */
typedef struct
{
  guint n_cases, n_pixels;
  double throughputs; /* sum of pixels over median, Gpixel/s */
  double time;        /* sum of medians, ns */
} Sweep;

struct BenchReport
{
  FILE *out;
  char *csv_path;
  FILE *csv;
  const char *reference;
  guint64 n_calls, n_preempted; /* timed calls, and those that other work disturbed */
  GPtrArray *names;             /* of contenders, in order of appearance */
  GHashTable *totals;           /* name -> Total */
  GPtrArray *sweep_names;       /* in order of appearance */
  GHashTable *sweeps;           /* name -> Sweep */
};

BenchReport *
bench_report_new (FILE *out, const char *csv_path, const char *reference, GError **error)
{
  BenchReport *self;
  FILE *csv = NULL;

  if (csv_path != NULL) {
    csv = fopen (csv_path, "w");
    if (csv == NULL) {
      g_set_error (error, BENCH_ERROR, BENCH_ERROR_OUTPUT, "%s cannot be written: %s", csv_path, g_strerror (errno));
      return NULL;
    }
    fputs (
        "source,foreground,width,height,connectivity,density,granularity,parameter,masks,backend,algorithm,task,device,"
        "threads,components,iterations,preempted,min_ns,p10_ns,median_ns,p90_ns,mean_ns,mpixel_per_s,ratio,"
        "memory_bytes,memory_per_pixel,call_ns",
        csv);
    for (guint stage = 0; stage < CCA_N_STAGES; stage++)
      fprintf (csv, ",%s_ns", cca_stage_name (stage));
    fputs (",label_iterations,digest,format\n", csv);
  }
  self = g_new0 (BenchReport, 1);
  self->out = out;
  self->csv_path = g_strdup (csv_path);
  self->csv = csv;
  self->reference = reference;
  self->names = g_ptr_array_new ();
  self->totals = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  self->sweep_names = g_ptr_array_new ();
  self->sweeps = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  return self;
}

/* "runs analysis avx512 x2 YUY2". */
static char *
describe_contender (const BenchContender *contender, const BenchSummary *summary)
{
  GString *text = g_string_new (NULL);

  g_string_printf (text, "%s %s %s", contender->name, bench_task_name (contender->task), summary->device);
  if (contender->n_threads > 1)
    g_string_append_printf (text, " x%u", contender->n_threads);
  if (contender->format != CCA_FORMAT_GRAY8)
    g_string_append_printf (text, " %s", cca_format_name (contender->format));
  return g_string_free (text, FALSE);
}

static void
add_to_total (BenchReport *self, const char *name, double time, double reference_time)
{
  const double ratio = reference_time / time;
  Total *total = g_hash_table_lookup (self->totals, name);

  if (total == NULL) {
    char *key = g_strdup (name);

    total = g_new0 (Total, 1);
    total->worst_ratio = INFINITY;
    g_hash_table_insert (self->totals, key, total);
    g_ptr_array_add (self->names, key);
  }
  total->n_cases++;
  total->log_ratios += log (ratio);
  total->worst_ratio = MIN (total->worst_ratio, ratio);
  total->time += time;
  total->reference_time += reference_time;
}

static void
add_to_sweep (BenchReport *self, const char *name, const BenchCase *bench_case, guint connectivity, double time)
{
  const guint n_pixels = bench_case->width * bench_case->height;
  char *key = g_strdup_printf ("g=%u, %ux%u, %u-connectivity: %s", bench_case->granularity, bench_case->width,
                               bench_case->height, connectivity, name);
  Sweep *sweep = g_hash_table_lookup (self->sweeps, key);

  if (sweep == NULL) {
    sweep = g_new0 (Sweep, 1);
    sweep->n_pixels = n_pixels;
    g_hash_table_insert (self->sweeps, key, sweep);
    g_ptr_array_add (self->sweep_names, key);
  } else {
    g_free (key);
  }
  sweep->n_cases++;
  sweep->throughputs += n_pixels / time;
  sweep->time += time;
}

/* A text as a CSV field. */
static void
put_field (FILE *csv, const char *text)
{
  if (strpbrk (text, ",\"\r\n") == NULL) {
    fputs (text, csv);
  } else {
    fputc ('"', csv);
    for (; *text != '\0'; text++) {
      if (*text == '"')
        fputc ('"', csv);
      fputc (*text, csv);
    }
    fputc ('"', csv);
  }
  fputc (',', csv);
}

static void
put_line (FILE *csv, const BenchCase *bench_case, guint connectivity, const BenchContender *contender,
          const BenchSummary *summary, double ratio)
{
  const double n_pixels = (double) bench_case->width * bench_case->height;

  put_field (csv, bench_case->source);
  put_field (csv, bench_case->foreground);
  fprintf (csv, "%u,%u,%u,%.4g,%u,", bench_case->width, bench_case->height, connectivity, bench_case->density,
           bench_case->granularity);
  if (bench_case->parameter >= 0)
    fprintf (csv, "%d", bench_case->parameter);
  fprintf (csv, ",%u,", bench_case->masks->len);
  put_field (csv, contender->algorithm != NULL ? cca_backend_name (contender->algorithm->backend) : "peer");
  put_field (csv, contender->name);
  put_field (csv, bench_task_name (contender->task));
  put_field (csv, summary->device);
  fprintf (csv, "%u,%.0f,%u,%u,%.0f,%.0f,%.0f,%.0f,%.0f,%.1f,%.3f,", contender->n_threads, summary->n_components,
           summary->iterations, summary->preempted, summary->min, summary->p10, summary->median, summary->p90,
           summary->mean, n_pixels / summary->median * 1e3, ratio);
  if (summary->memory != 0)
    fprintf (csv, "%" G_GSIZE_FORMAT ",%.4f,%.0f", summary->memory, summary->memory / n_pixels, summary->call);
  else
    fprintf (csv, ",,%.0f", summary->call);
  for (guint stage = 0; stage < CCA_N_STAGES; stage++)
    if (summary->has_stages)
      fprintf (csv, ",%.0f", summary->stages[stage]);
    else
      fputc (',', csv);
  fprintf (csv, ",%u,%s,%s\n", summary->n_iterations, summary->digest != NULL ? summary->digest : "",
           cca_format_name (contender->format));
}

void
bench_report_add (BenchReport *self, const BenchCase *bench_case, guint connectivity, const BenchContender *contenders,
                  guint n_contenders, const BenchSummary *summaries)
{
  const double n_pixels = (double) bench_case->width * bench_case->height;
  g_autofree char *title = bench_case_describe (bench_case);
  guint reference = 0, counting = 0;

  while (counting + 1 < n_contenders && !contenders[counting].counts)
    counting++;
  while (self->reference != NULL && reference + 1 < n_contenders
         && g_strcmp0 (contenders[reference].name, self->reference) != 0)
    reference++;

  fprintf (self->out, "\n%s, %u-connectivity: %u mask%s, %.1f %% foreground, %.0f components\n", title, connectivity,
           bench_case->masks->len, bench_case->masks->len == 1 ? "" : "s", bench_case->density,
           summaries[counting].n_components);
  fprintf (self->out, "  %-40s %10s %10s %10s %10s %10s %10s %8s %8s\n", "", "min us", "p10 us", "median us", "p90 us",
           "call us", "Mpixel/s", "ratio", "B/pixel");
  for (guint c = 0; c < n_contenders; c++) {
    const BenchSummary *summary = &summaries[c];
    g_autofree char *name = describe_contender (&contenders[c], summary);

    fprintf (self->out, "  %-40s %10.1f %10.1f %10.1f %10.1f %10.1f %10.1f %8.2f", name, summary->min / 1e3,
             summary->p10 / 1e3, summary->median / 1e3, summary->p90 / 1e3, summary->call / 1e3,
             n_pixels / summary->median * 1e3, summaries[reference].median / summary->median);
    if (summary->memory != 0)
      fprintf (self->out, " %8.3f", summary->memory / n_pixels);
    else
      fprintf (self->out, " %8s", "-");
    if (summary->n_iterations != 0)
      fprintf (self->out, "  %u iterations", summary->n_iterations);
    fputc ('\n', self->out);
    self->n_calls += summary->iterations;
    self->n_preempted += summary->preempted;
    add_to_total (self, name, summary->median, summaries[reference].median);
    if (bench_case->granularity != 0)
      add_to_sweep (self, name, bench_case, connectivity, summary->median);
    if (self->csv != NULL)
      put_line (self->csv, bench_case, connectivity, &contenders[c], summary,
                summaries[reference].median / summary->median);
  }
  fflush (self->out);
  if (self->csv != NULL)
    fflush (self->csv); /* results stay if a later failure ends the program */
}

/* The mean over density in both ways that are in use. */
static void
print_sweeps (const BenchReport *self)
{
  if (self->sweep_names->len == 0)
    return;
  fprintf (self->out, "\nRandom images: Gpixel/s over all densities\n  %-72s %10s %16s %16s\n", "", "densities",
           "mean throughput", "pixels/mean time");
  for (guint i = 0; i < self->sweep_names->len; i++) {
    const char *name = g_ptr_array_index (self->sweep_names, i);
    const Sweep *sweep = g_hash_table_lookup (self->sweeps, name);

    fprintf (self->out, "  %-72s %10u %16.3f %16.3f\n", name, sweep->n_cases, sweep->throughputs / sweep->n_cases,
             (double) sweep->n_pixels * sweep->n_cases / sweep->time);
  }
}

static void
print_totals (const BenchReport *self)
{
  if (self->names->len == 0)
    return;
  fprintf (self->out, "\nAll cases: median times, %s to contender\n",
           self->reference != NULL ? self->reference : "first");
  fprintf (self->out, "  %-40s %10s %10s %10s %10s\n", "", "cases", "of sums", "geo. mean", "worst");
  for (guint i = 0; i < self->names->len; i++) {
    const char *name = g_ptr_array_index (self->names, i);
    const Total *total = g_hash_table_lookup (self->totals, name);

    fprintf (self->out, "  %-40s %10u %10.2f %10.2f %10.2f\n", name, total->n_cases,
             total->reference_time / total->time, exp (total->log_ratios / total->n_cases), total->worst_ratio);
  }
  fprintf (self->out, "Other work took the processor away in %.1f %% of the timed calls%s\n",
           100.0 * self->n_preempted / self->n_calls,
           self->n_preempted > self->n_calls / 20 ? ": too often to trust the times." : ".");
}

gboolean
bench_report_finish (BenchReport *self, GError **error)
{
  gboolean written = TRUE;

  print_sweeps (self);
  print_totals (self);
  if (self->csv != NULL) {
    written = !ferror (self->csv);
    written = fclose (self->csv) == 0 && written;
    if (!written)
      g_set_error (error, BENCH_ERROR, BENCH_ERROR_OUTPUT, "%s was not written: is the disk full?", self->csv_path);
  }
  g_ptr_array_unref (self->names);
  g_hash_table_unref (self->totals);
  g_ptr_array_unref (self->sweep_names);
  g_hash_table_unref (self->sweeps);
  g_free (self->csv_path);
  g_free (self);
  return written;
}
