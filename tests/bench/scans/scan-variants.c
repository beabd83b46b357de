/* gst-cca: scan-variants, times the ways to write the Scan of label equivalence that the evaluation paper compares
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Figures 5 and 6 of the paper, on its families. The kernels are in scan.cu. A time is that of the first Scan, or of
 * all Scans of an image, by the GPU's clock; the host reads the flag after each Scan, as in the paper. Labels and
 * iterations must be those of the product's label-equivalence.
 *
 * Exit status: 0 done, 1 something failed or a variant is wrong, 2 the command line is wrong.
 */
#include <locale.h>
#include <stdio.h>
#include <string.h>

#include "bench-gpu.h"
#include "bench-report.h"
#include "kernels.h"

#define MIN_SIDE_BITS 6 /* room for a pattern of level 5 */

extern const unsigned char bench_fatbin_scan[];

typedef enum
{
#define ID(kernel, type, file) KERNEL_##kernel,
  CCA_KERNELS_scan (ID)
#undef ID
      N_KERNELS
} Kernel;

static const char *const kernel_names[N_KERNELS] = {
#define NAME(kernel, type, file) "cca_" #kernel,
  CCA_KERNELS_scan (NAME)
#undef NAME
};

/* The results that the kernels store for the host. */
typedef struct
{
  guint32 changed, n_components;
} Words;

typedef struct
{
  BenchJob job;
  Kernel first, later;
  gboolean times_all; /* Scans, not only the first */
  Words *device, *pinned;
  guint32 n_iterations; /* of the last image */
} Variant;

/* Looked up when the first variant is opened. */
static gpointer kernels[N_KERNELS];

/* The time of the Scans of the image in work, ns; negative where the engine takes none. */
static double scan_ns;

static void
variant_close (gpointer state)
{
  Variant *self = state;

  self->job.memory->free (self->device);
  bench_gpu_free_pinned (self->pinned);
  g_free (self);
}

static gpointer
variant_open (const BenchJob *job, Kernel first, Kernel later, gboolean times_all, GError **error)
{
  const Words none = { 0, 0 };
  Variant *self = g_new0 (Variant, 1);
  gboolean done = TRUE;

  self->job = *job;
  self->first = first;
  self->later = later;
  self->times_all = times_all;
  for (guint k = 0; done && k < N_KERNELS; k++) {
    if (kernels[k] == NULL)
      kernels[k] = bench_gpu_kernel (bench_fatbin_scan, kernel_names[k], error);
    done = kernels[k] != NULL;
  }
  done = done && (self->device = job->memory->alloc (sizeof none, error)) != NULL
         && job->memory->write (self->device, &none, sizeof none, error)
         && (self->pinned = bench_gpu_alloc_pinned (sizeof none, error)) != NULL;
  if (!done)
    g_clear_pointer (&self, variant_close);
  return self;
}

static gboolean
launch (Kernel kernel, ScanParams *params, GError **error)
{
  const guint n_threads = SCAN_BLOCK_WIDTH * SCAN_BLOCK_HEIGHT;

  return bench_gpu_launch (kernels[kernel], params->width * params->height / n_threads, n_threads, params, error);
}

/* Waits for a Scan, and adds its time to the image's if it counts. The kernel before it keeps the GPU busy until all of
 * this is enqueued. */
static gboolean
time_scan (const Variant *self, Kernel kernel, ScanParams *params, gboolean counts, GError **error)
{
  double ns;

  if (!bench_device_memory.mark (0, error) || !launch (kernel, params, error) || !bench_device_memory.mark (1, error)
      || !bench_gpu_copy (self->pinned, self->device, sizeof (Words), error) || !bench_gpu_finish (error)
      || !bench_device_memory.elapsed (&ns, error))
    return FALSE;
  if (counts)
    scan_ns += ns;
  return TRUE;
}

static gboolean
variant_run (gpointer state, guint input, guint output, GError **error)
{
  Variant *self = state;
  ScanParams params = { .mask = self->job.inputs[input],
                        .labels = self->job.outputs[output],
                        .width = self->job.width,
                        .height = self->job.height,
                        .changed = &self->device->changed,
                        .n_components = &self->device->n_components };
  const guint32 enough = 2 * g_bit_storage (params.width * params.height); /* label-equivalence.c says why */

  scan_ns = 0;
  self->n_iterations = 0;
  if (!launch (KERNEL_variant_prelabel, &params, error) || !time_scan (self, self->first, &params, TRUE, error))
    return FALSE;
  do {
    if (self->n_iterations++ == enough) {
      g_set_error (error, BENCH_ERROR, BENCH_ERROR_ENGINE, "%s still changes labels after %u iterations",
                   kernel_names[self->later], enough);
      return FALSE;
    }
    if (!launch (KERNEL_variant_analyse, &params, error)
        || !time_scan (self, self->later, &params, self->times_all, error))
      return FALSE;
  } while (self->pinned->changed);
  return launch (KERNEL_variant_number, &params, error)
         && bench_gpu_copy (self->pinned, self->device, sizeof (Words), error);
}

static gboolean
variant_wait (gpointer state, guint32 *n_components, GError **error)
{
  Variant *self = state;

  if (!bench_gpu_finish (error))
    return FALSE;
  *n_components = self->pinned->n_components;
  return TRUE;
}

static guint32
variant_iterations (gpointer state)
{
  return ((Variant *) state)->n_iterations;
}

static const char *
variant_device (gpointer state)
{
  return bench_gpu_name ();
}

/* The paper recommends F4, later F8 with the block's flag. */
#define VARIANT(id, first, later, times_all)                                                                           \
  static gpointer id##_open (const BenchJob *job, GError **error)                                                      \
  {                                                                                                                    \
    return variant_open (job, KERNEL_variant_##first, KERNEL_variant_##later, times_all, error);                       \
  }                                                                                                                    \
  static const BenchEngine id##_engine = { .open = id##_open,                                                          \
                                           .run = variant_run,                                                         \
                                           .wait = variant_wait,                                                       \
                                           .iterations = variant_iterations,                                           \
                                           .device = variant_device,                                                   \
                                           .close = variant_close };
VARIANT (first_p4, first_p4, scan_shared, FALSE)
VARIANT (first_f8, first_f8, scan_shared, FALSE)
VARIANT (first_f4, first_f4, scan_shared, FALSE)
VARIANT (global_flag, first_f4, scan_global, TRUE)
VARIANT (shared_flag, first_f4, scan_shared, TRUE)

#define CONTENDER(id, label)                                                                                           \
  { .name = label, .task = BENCH_LABELS, .engine = &id##_engine, .counts = TRUE, .n_threads = 1 }
static const BenchContender all_variants[] = {
  CONTENDER (first_p4, "first-p4"),       CONTENDER (first_f8, "first-f8"),       CONTENDER (first_f4, "first-f4"),
  CONTENDER (global_flag, "global-flag"), CONTENDER (shared_flag, "shared-flag"),
};
/* Ratios refer to the last one of each. */
#define FIRST_SCANS all_variants, 3
#define FLAGS all_variants + 3, 2
#define ALL_VARIANTS all_variants, G_N_ELEMENTS (all_variants)

/* The families of a figure. The text on figure 6 (a) speaks of subdivisions, its caption of Leveling: here are both. */
static const struct
{
  const BenchContender *variants;
  guint n_variants;
  Family family;
  guint level, subdivisions; /* as many as there is room for */
} series[] = {
  { FIRST_SCANS, FAMILY_SUBDIVISION, 1, 0 }, { FIRST_SCANS, FAMILY_RANDOM_INSTANCING, 1, 9 },
  { FLAGS, FAMILY_LEVELING, 0, 0 },          { FLAGS, FAMILY_SUBDIVISION, 3, 0 },
  { FLAGS, FAMILY_SUBDIVISION, 5, 0 },       { FLAGS, FAMILY_RANDOM_INSTANCING, 3, 5 },
  { FLAGS, FAMILY_RANDOM_INSTANCING, 5, 5 },
};

/* The GPU's clock, but for engines that have timed their Scans. */
static gboolean
mark (guint end, GError **error)
{
  if (end == 0)
    scan_ns = -1;
  return bench_device_memory.mark (end, error);
}

static gboolean
elapsed (double *ns, GError **error)
{
  const gboolean done = bench_device_memory.elapsed (ns, error);

  if (scan_ns >= 0)
    *ns = scan_ns;
  return done;
}

static const CcaAlgorithm *
find_product (GError **error)
{
  const CcaAlgorithm *const *all = cca_algorithms (CCA_BACKEND_CUDA);

  while (*all != NULL && !g_str_equal ((*all)->name, "label-equivalence"))
    all++;
  if (*all == NULL)
    g_set_error_literal (error, BENCH_ERROR, BENCH_ERROR_ENGINE, "libcca has no label-equivalence to compare with");
  return *all;
}

/* Compares the iterations with those of the first contender, the product's algorithm. It counts none in an image where
 * no pixel has a neighbour; a variant, whose first Scan tells nothing, counts that. A first Scan that lowers the wrong
 * labels takes more of them. */
static gboolean
check_iterations (const BenchCase *member, const BenchContender *contenders, guint n, const BenchSummary *summaries,
                  GError **error)
{
  const guint32 expected = MAX (summaries[0].n_iterations, 1);
  g_autofree char *what = bench_case_describe (member);

  for (guint c = 1; c < n; c++)
    if (summaries[c].n_iterations != expected) {
      g_set_error (error, BENCH_ERROR, BENCH_ERROR_MISMATCH, "%s: %s takes %u iterations instead of %u", what,
                   contenders[c].name, summaries[c].n_iterations, expected);
      return FALSE;
    }
  return TRUE;
}

/* Runs the product's algorithm and variants, the last of which ratios refer to. Adds the times to a report, which may
 * be NULL. Takes the case. */
static gboolean
run_case (BenchCase *taken, const BenchContender *variants, guint n_variants, const BenchMethod *method,
          BenchReport *report, GError **error)
{
  g_autoptr (BenchCase) bench_case = taken;
  BenchContender contenders[1 + G_N_ELEMENTS (all_variants)] = {
    { .name = "label-equivalence", .task = BENCH_LABELS, .engine = &bench_engine_cca, .counts = TRUE, .n_threads = 1 }
  };
  BenchSummary summaries[G_N_ELEMENTS (contenders)] = { 0 };
  gboolean done;

  contenders[0].algorithm = find_product (error);
  memcpy (contenders + 1, variants, n_variants * sizeof *variants);
  done = contenders[0].algorithm != NULL
         && bench_run (bench_case, 8, contenders, n_variants + 1, method, summaries, error)
         && check_iterations (bench_case, contenders, n_variants + 1, summaries, error);
  if (done && report != NULL)
    bench_report_add (report, bench_case, 8, contenders, n_variants + 1, summaries);
  for (guint c = 0; c <= n_variants; c++)
    bench_summary_clear (&summaries[c]);
  return done;
}

/* Checks all variants on images that the families lack: links in one direction only, and every neighbourhood. */
static gboolean
check_small (const BenchMethod *method, GError **error)
{
  static const char *const figures[] = { "rows", "columns", "diagonals", "antidiagonals" };
  const guint side = 1u << MIN_SIDE_BITS;
  g_autoptr (BenchNoise) noise = bench_noise_new (side, side, 1, 1, 4);
  gboolean done = run_case (bench_case_new_random (noise, 40), ALL_VARIANTS, method, NULL, error);

  for (guint i = 0; done && i < G_N_ELEMENTS (figures); i++)
    done = run_case (bench_case_new_pattern (side, side, pattern_find (figures[i])), ALL_VARIANTS, method, NULL, error);
  return done;
}

static gboolean
measure_all (guint side_bits, guint step, const BenchMethod *method, BenchReport *report, GError **error)
{
  for (guint s = 0; s < G_N_ELEMENTS (series); s++) {
    const guint last = family_last (series[s].family, series[s].level, side_bits);
    const guint subdivisions = MIN (series[s].subdivisions, side_bits - series[s].level - 1);

    for (guint parameter = family_first (series[s].family); parameter <= last; parameter += last == 100 ? step : 1)
      if (!run_case (
              bench_case_new_family (side_bits, series[s].family, series[s].level, subdivisions, parameter, 1, 1),
              series[s].variants, series[s].n_variants, method, report, error))
        return FALSE;
  }
  return TRUE;
}

/* Returns n with a side of 2ⁿ pixels, or 0. */
static guint
side_bits_of (int side)
{
  for (guint bits = MIN_SIDE_BITS; bits < RIDGE_MAX_SIDE_BITS; bits++)
    if (side == 1 << bits)
      return bits;
  return 0;
}

int
main (int argc, char **argv)
{
  int side = 8192, iterations = 21, warm_up = 2, step = 10;
  g_autofree char *csv = NULL;
  const GOptionEntry entries[] = {
    { "size", 's', 0, G_OPTION_ARG_INT, &side, "Side of the images, a power of two from 64 to 16384; 8192", "PIXELS" },
    { "step", 0, 0, G_OPTION_ARG_INT, &step, "Between members of random families, 1 to 100 per cent; 10", "N" },
    { "iterations", 'n', 0, G_OPTION_ARG_INT, &iterations, "Images timed in each case; 21", "N" },
    { "warm-up", 0, 0, G_OPTION_ARG_INT, &warm_up, "Images before; 2", "N" },
    { "csv", 'o', 0, G_OPTION_ARG_FILENAME, &csv, "Write the results there, too", "FILE" },
    { NULL },
  };
  g_autoptr (GOptionContext) context = g_option_context_new (NULL);
  g_autoptr (GError) error = NULL;
  BenchMemory memory = bench_device_memory;
  BenchMethod method = { .check_labels = TRUE, .memory = &memory };
  BenchReport *report;
  gboolean done;

  setlocale (LC_CTYPE, "");
  g_option_context_set_summary (context, "Times the ways to write the Scan of label equivalence, on a GPU.");
  g_option_context_add_main_entries (context, entries, NULL);
  if (g_option_context_parse (context, &argc, &argv, &error)) {
    if (argc > 1)
      g_set_error (&error, BENCH_ERROR, BENCH_ERROR_USAGE, "unknown argument: %s", argv[1]);
    else if (side_bits_of (side) == 0)
      g_set_error (&error, BENCH_ERROR, BENCH_ERROR_USAGE, "--size: %d is not a power of two from 64 to 16384", side);
    else if (step < 1 || step > 100 || iterations < 1 || warm_up < 0)
      g_set_error_literal (&error, BENCH_ERROR, BENCH_ERROR_USAGE,
                           "--step is 1 to 100, --iterations at least 1, --warm-up at least 0");
  }
  if (error != NULL) {
    fprintf (stderr, "scan-variants: %s\n", error->message);
    return 2;
  }

  memory.mark = mark;
  memory.elapsed = elapsed;
  method.iterations = (guint) iterations;
  method.warm_up = (guint) warm_up;
  report = bench_report_new (stdout, csv, "shared-flag", &error);
  done = report != NULL && check_small (&method, &error)
         && measure_all (side_bits_of (side), (guint) step, &method, report, &error);
  if (report != NULL)
    done = bench_report_finish (report, done ? &error : NULL) && done;
  if (!done) {
    fprintf (stderr, "scan-variants: %s\n", error->message);
    return 1;
  }
  return 0;
}
