/* gst-cca: cca-bench, compares algorithms of libcca and their peers side by side
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Exit status: 0 done, 1 something failed or the contenders disagree, 2 the command line is wrong.
 */
#include <gst/gst.h>
#include <locale.h>
#include <stdio.h>

#include "bench-options.h"
#include "bench-report.h"
#include "bench-tuning.h"
#include "patterns.h"

static void
list_all (void)
{
  for (guint backend = 0; cca_backend_name (backend) != NULL; backend++) {
    printf ("Algorithms of backend %s:\n", cca_backend_name (backend));
    for (const CcaAlgorithm *const *a = cca_algorithms (backend); *a != NULL; a++)
      printf ("  %-16s %s\n  %-16s %s\n", (*a)->name, (*a)->description, "", (*a)->source);
    if (cca_algorithms (backend)[0] == NULL)
      printf ("  none in this build\n");
  }
  printf ("Instruction sets:\n");
  for (guint isa = 0; cca_isa_name (isa) != NULL; isa++)
    printf ("  %-16s %s\n", cca_isa_name (isa), cca_isa_available (isa) ? "available" : "not available here");
  printf ("Peers:\n");
  for (guint i = 0; bench_peers[i] != NULL; i++)
    if (bench_peer_missing (bench_peers[i]) == NULL)
      printf ("  %-16s %s\n", bench_peers[i]->name, bench_peers[i]->description);
    else
      printf ("  %-16s %s: not here, as %s\n", bench_peers[i]->name, bench_peers[i]->description,
              bench_peer_missing (bench_peers[i]));
  if (bench_peers[0] == NULL)
    printf ("  none in this build, which has neither OpenCV 4 nor CUDA\n");
  printf ("Figures:\n");
  for (gsize i = 0; i < n_patterns; i++)
    printf ("  %s\n", pattern_name (i));
  printf ("Families:\n");
  for (guint i = 0; i < N_FAMILIES; i++)
    printf ("  %s\n", family_name ((Family) i));
}

/* Where results go. */
typedef struct
{
  BenchReport *report;
  BenchTuning *tuning; /* NULL without --tune */
} Findings;

/* Measures and reports a case; takes it. */
static gboolean
do_case (const BenchOptions *options, const Findings *findings, BenchCase *taken, GError **error)
{
  g_autoptr (BenchCase) bench_case = taken;

  if (bench_case == NULL)
    return FALSE;
  if (options->masks_folder != NULL)
    return bench_case_save (bench_case, options->masks_folder, error);
  for (guint i = 0; i < options->connectivities->len; i++) {
    const guint connectivity = g_array_index (options->connectivities, guint, i);
    const guint needed = connectivity == 4 ? CCA_CAN_4 : CCA_CAN_8;
    g_autoptr (GArray) able = g_array_new (FALSE, FALSE, sizeof (BenchContender));
    g_autofree BenchSummary *summaries = g_new0 (BenchSummary, options->contenders->len);
    const BenchContender *contenders = (const BenchContender *) able->data;

    for (guint c = 0; c < options->contenders->len; c++) {
      const BenchContender *contender = &g_array_index (options->contenders, BenchContender, c);

      if (contender->algorithm != NULL ? (contender->algorithm->capabilities & needed) != 0
                                       : contender->connectivity == 0 || contender->connectivity == connectivity)
        g_array_append_vals (able, contender, 1);
    }
    if (able->len == 0)
      continue;
    contenders = (const BenchContender *) able->data;
    if (!bench_run (bench_case, connectivity, contenders, able->len, &options->method, summaries, error))
      return FALSE;
    bench_report_add (findings->report, bench_case, connectivity, contenders, able->len, summaries);
    if (findings->tuning != NULL)
      bench_tuning_add (findings->tuning, bench_case, contenders, able->len, summaries);
    for (guint c = 0; c < able->len; c++)
      bench_summary_clear (&summaries[c]);
  }
  return TRUE;
}

/* The members of a family in one size. */
static gboolean
do_family (const BenchOptions *options, const Findings *findings, Family family, guint side_bits, GError **error)
{
  const guint first = family_first (family), last = family_last (family, options->level, side_bits);
  const guint subdivisions = MIN (options->subdivisions, side_bits - options->level - 1);

  for (guint parameter = first; parameter <= last; parameter++) {
    gboolean wanted = options->parameters->len == 0 && (last < 100 || parameter % 10 == 0);

    for (guint i = 0; i < options->parameters->len; i++)
      wanted |= g_array_index (options->parameters, guint, i) == parameter;
    if (wanted
        && !do_case (options, findings,
                     bench_case_new_family (side_bits, family, options->level, subdivisions, parameter, options->seed,
                                            options->n_masks),
                     error))
      return FALSE;
  }
  return TRUE;
}

/* The generated cases of one size. */
static gboolean
do_generated (const BenchOptions *options, const Findings *findings, BenchSize size, GError **error)
{
  for (guint i = 0; i < options->patterns->len; i++) {
    const guint pattern = g_array_index (options->patterns, guint, i);

    if (!do_case (options, findings, bench_case_new_pattern (size.width, size.height, pattern), error))
      return FALSE;
  }
  for (guint i = 0; i < options->families->len; i++)
    if (!do_family (options, findings, (Family) g_array_index (options->families, guint, i),
                    g_bit_storage (size.width) - 1, error))
      return FALSE;
  for (guint g = 0; options->random && g < options->granularities->len; g++) {
    g_autoptr (BenchNoise) noise = bench_noise_new (
        size.width, size.height, g_array_index (options->granularities, guint, g), options->seed, options->n_masks);

    for (guint d = 0; d < options->densities->len; d++)
      if (!do_case (options, findings, bench_case_new_random (noise, g_array_index (options->densities, guint, d)),
                    error))
        return FALSE;
  }
  return TRUE;
}

/* The cases of the files in one size. */
static gboolean
do_files (const BenchOptions *options, const Findings *findings, BenchSize size, GError **error)
{
  BenchMaskOptions mask = options->mask;

  mask.width = size.width;
  mask.height = size.height;
  for (guint i = 0; options->files != NULL && options->files[i] != NULL; i++) {
    for (guint f = 0; f < options->foregrounds->len; f++) {
      const BenchForeground foreground = g_array_index (options->foregrounds, guint, f);

      if (!do_case (options, findings, bench_case_new_from_file (options->files[i], foreground, &mask, error), error))
        return FALSE;
    }
  }
  return TRUE;
}

static gboolean
do_all (const BenchOptions *options, const Findings *findings, GError **error)
{
  const BenchSize full_hd = { 1920, 1080 }, as_found = { 0, 0 };

  if (options->sizes->len == 0)
    return do_generated (options, findings, full_hd, error) && do_files (options, findings, as_found, error);
  for (guint s = 0; s < options->sizes->len; s++) {
    const BenchSize size = g_array_index (options->sizes, BenchSize, s);

    if (!do_generated (options, findings, size, error) || !do_files (options, findings, size, error))
      return FALSE;
  }
  return TRUE;
}

/* Prints the results of --tune. */
static void
print_tuning (const BenchOptions *options, const BenchTuning *tuning)
{
  g_autofree char *table = bench_tuning_table (tuning);
  g_autofree char *line = bench_tuning_line (tuning, options->method.memory->generation ());

  printf ("%s\nFor cuda/tuning.c:\n%s", table, line);
}

int
main (int argc, char **argv)
{
  g_autoptr (BenchOptions) options = NULL;
  g_autoptr (BenchTuning) tuning = NULL;
  g_autoptr (GError) error = NULL;
  Findings findings = { 0 };
  gboolean done;

  setlocale (LC_CTYPE, "");
  options = bench_options_new (&argc, &argv, &error);
  if (options == NULL) {
    fprintf (stderr, "cca-bench: %s\nusage: cca-bench [OPTION…] [FILE or URI…]; cca-bench --help-all tells more\n",
             error->message);
    return 2;
  }
  if (options->list) {
    list_all ();
    return 0;
  }
  gst_init (&argc, &argv);

  if (options->tune)
    findings.tuning = tuning = bench_tuning_new ();
  findings.report = bench_report_new (options->tune ? stderr : stdout, options->csv, options->reference, &error);
  done = findings.report != NULL && do_all (options, &findings, &error);
  if (findings.report != NULL)
    done = bench_report_finish (findings.report, done ? &error : NULL) && done;
  if (!done) {
    fprintf (stderr, "cca-bench: %s\n", error->message);
    return 1;
  }
  if (tuning != NULL)
    print_tuning (options, tuning);
  return 0;
}
