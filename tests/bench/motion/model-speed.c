/* gst-cca: the time of a frame by foreground, background model and format
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * usage: model-speed host|device WIDTH HEIGHT FILE [CASE]
 *
 * CASE is part of the names of the cases that are measured.
 *
 * FILE has frames of NV12, of that size and without gaps, at least two; up to 24 of them lie in the memory that is
 * named. They come forwards and backwards, so that nothing jumps, in blocks of 24. Prints the median and the least time
 * of a frame in 31 blocks, after two: on the host until the result is there; on a GPU by its clock, which starts once
 * the frame is enqueued, behind work that keeps the GPU busy until then. Other formats have the luma of the file.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../times.h"
#include "bench-gpu.h"

enum
{
  MAX_FRAMES = 24,
  AHEAD = 100000, /* ns for which the GPU is busy before each frame */
  WARM_UP = 2,
  BLOCKS = 31,
  BLOCK = 24,
  COVERAGE_CELL = 8 /* what the elements take at 1080p */
};

typedef struct
{
  const char *name;
  CcaForeground foreground;
  CcaModel model;
  CcaFormat format;
  bool chroma, clean, region, overlaps, coverage;
} Case;

static const Case cases[] = {
  { "threshold, NV12", CCA_FOREGROUND_THRESHOLD, 0, CCA_FORMAT_GRAY8 },
  { "threshold, NV12, region", CCA_FOREGROUND_THRESHOLD, 0, CCA_FORMAT_GRAY8, .region = true },
  { "threshold, YUY2", CCA_FOREGROUND_THRESHOLD, 0, CCA_FORMAT_YUY2 },
  { "threshold, P010", CCA_FOREGROUND_THRESHOLD, 0, CCA_FORMAT_P010 },
  { "threshold, RGBx", CCA_FOREGROUND_THRESHOLD, 0, CCA_FORMAT_RGBX },
  { "sigma-delta, NV12, no clean-up", CCA_FOREGROUND_MOTION, CCA_MODEL_SIGMA_DELTA, CCA_FORMAT_GRAY8 },
  { "sigma-delta, NV12", CCA_FOREGROUND_MOTION, CCA_MODEL_SIGMA_DELTA, CCA_FORMAT_GRAY8, .clean = true },
  { "sigma-delta, NV12, region", CCA_FOREGROUND_MOTION, CCA_MODEL_SIGMA_DELTA, CCA_FORMAT_GRAY8, .clean = true,
    .region = true },
  { "sigma-delta, P010", CCA_FOREGROUND_MOTION, CCA_MODEL_SIGMA_DELTA, CCA_FORMAT_P010, .clean = true },
  { "sigma-delta, RGBx", CCA_FOREGROUND_MOTION, CCA_MODEL_SIGMA_DELTA, CCA_FORMAT_RGBX, .clean = true },
  { "samples, luma", CCA_FOREGROUND_MOTION, CCA_MODEL_SAMPLES, CCA_FORMAT_GRAY8, .clean = true },
  { "samples, NV12", CCA_FOREGROUND_MOTION, CCA_MODEL_SAMPLES, CCA_FORMAT_GRAY8, .chroma = true, .clean = true },
  { "samples, NV12, overlaps", CCA_FOREGROUND_MOTION, CCA_MODEL_SAMPLES, CCA_FORMAT_GRAY8, .chroma = true,
    .clean = true, .overlaps = true },
  { "samples, NV12, coverage", CCA_FOREGROUND_MOTION, CCA_MODEL_SAMPLES, CCA_FORMAT_GRAY8, .chroma = true,
    .clean = true, .coverage = true },
};

static const BenchMemory *memory;
static CcaContext *context;
static uint32_t width, height;
static guint8 *file;
static guint n_frames;
static const char *chosen = "";

static G_NORETURN void
fail (const char *what, const char *why)
{
  fprintf (stderr, "model-speed: %s: %s\n", what, why);
  exit (1);
}

static void
must (CcaStatus status, const char *what)
{
  if (status != CCA_OK)
    fail (what, cca_last_error ());
}

static void
must_do (gboolean done, GError *const *error, const char *what)
{
  if (!done)
    fail (what, (*error)->message);
}

static gsize
size_of_nv12 (void)
{
  return (gsize) width * height + 2 * (gsize) ((width + 1) / 2) * ((height + 1) / 2);
}

static gsize
frame_size (const Case *one)
{
  return one->format == CCA_FORMAT_GRAY8 ? size_of_nv12 ()
                                         : (gsize) width * height * cca_format_pixel_size (one->format);
}

/* Makes a frame of a case's format from one of the file. */
static void
convert (const Case *one, const guint8 *nv12, guint8 *frame)
{
  const gsize n = (gsize) width * height, size = cca_format_pixel_size (one->format);

  if (one->format == CCA_FORMAT_GRAY8) {
    memcpy (frame, nv12, size_of_nv12 ());
    return;
  }
  for (gsize i = 0; i < n; i++) {
    memset (frame + i * size, one->format == CCA_FORMAT_RGBX ? nv12[i] : 128, size);
    frame[i * size + (one->format == CCA_FORMAT_P010)] = nv12[i];
  }
}

static CcaImage
image_of (const Case *one, guint8 *frame)
{
  const gsize pitch = (gsize) width * cca_format_pixel_size (one->format), chroma_pitch = 2 * ((width + 1) / 2);
  guint8 *chroma = frame + pitch * height;
  CcaImage image = { frame, (ptrdiff_t) pitch, width, height, memory->kind };

  if (one->chroma)
    image.chroma = (CcaChroma) { chroma, chroma + 1, (ptrdiff_t) chroma_pitch, 2, 1, 1 };
  return image;
}

static guint8 *
load_frames (const Case *one)
{
  const gsize size = frame_size (one);
  GError *error = NULL;
  guint8 *frames = memory->alloc (n_frames * size, &error), *frame = g_malloc (size);

  must_do (frames != NULL, &error, "memory of the frames");
  for (guint i = 0; i < n_frames; i++) {
    convert (one, file + i * size_of_nv12 (), frame);
    must_do (memory->write (frames + i * size, frame, size, &error), &error, "copy");
  }
  g_free (frame);
  return frames;
}

static CcaPlan *
make_plan (const Case *one)
{
  CcaParams params;
  CcaPlan *plan;

  cca_params_init (&params);
  params.foreground = one->foreground;
  params.format = one->format;
  params.threshold = 150;
  params.motion.model = one->model;
  params.motion.learning = BLOCK / 2;
  params.overlaps = one->overlaps;
  params.coverage_cell = one->coverage ? COVERAGE_CELL : 0;
  params.stage_interval = 0;
  if (one->clean) {
    params.denoise = true;
    params.close_radius = 3;
    params.min_area = 200;
  }
  must (cca_plan_new (context, width, height, &params, CCA_OUTPUT_NONE, &plan), one->name);
  if (one->region) {
    guint8 *bytes = g_malloc0 ((gsize) width * height);

    memset (bytes + (gsize) width * (height / 8), 1, (gsize) width * (height - height / 8));
    must (cca_plan_set_region (plan, &(CcaImage) { bytes, width, width, height, CCA_MEMORY_HOST }), "region");
    g_free (bytes);
  }
  return plan;
}

/* Runs a block of frames and returns the ns of one. */
static double
run_block (const Case *one, CcaPlan *plan, CcaResult *result, guint8 *frames, guint64 *number)
{
  void *const stream = memory->stream ? memory->stream () : NULL;
  const gint64 start = g_get_monotonic_time ();
  GError *error = NULL;
  double sum = 0;

  for (guint i = 0; i < BLOCK; i++, ++*number) {
    const guint turn = *number % (2 * n_frames - 2), frame = MIN (turn, 2 * n_frames - 2 - turn);
    const CcaImage image = image_of (one, frames + frame * frame_size (one));
    CcaMeasurement measurement;
    double ns = 0;

    if (memory->mark)
      must_do (memory->occupy (AHEAD, &error) && memory->mark (0, &error), &error, "clock");
    must (cca_plan_run (plan, &image, NULL, stream, result), one->name);
    if (memory->mark)
      must_do (memory->mark (1, &error) && memory->elapsed (&ns, &error), &error, "clock");
    must (cca_result_wait (result, &measurement), "wait");
    sum += ns;
  }
  return memory->mark ? sum / BLOCK : (g_get_monotonic_time () - start) * 1e3 / BLOCK;
}

static void
time_case (const Case *one)
{
  CcaPlan *const plan = make_plan (one);
  guint8 *const frames = load_frames (one);
  CcaResult *result;
  double times[BLOCKS];
  guint64 number = 0;

  must (cca_result_new (plan, &result), "result");
  for (guint i = 0; i < WARM_UP; i++)
    run_block (one, plan, result, frames, &number);
  for (guint i = 0; i < BLOCKS; i++)
    times[i] = run_block (one, plan, result, frames, &number);
  bench_sort (times, BLOCKS);
  printf ("%-32s %9.2f us, least %9.2f us\n", one->name, times[BLOCKS / 2] / 1e3, times[0] / 1e3);
  fflush (stdout);
  cca_result_free (result);
  cca_plan_free (plan);
  memory->free (frames);
}

static void
open_context (void)
{
  CcaContextOptions options;
  GError *error = NULL;

  cca_context_options_init (&options);
  must_do (memory->open (&error), &error, memory->name);
  if (memory->kind == CCA_MEMORY_DEVICE) {
    options.backend = CCA_BACKEND_CUDA;
    options.native = memory->native ();
  }
  must (cca_context_new (&options, &context), "context");
  printf ("%s, %ux%u, %u frames\n", cca_context_description (context), width, height, n_frames);
}

static void
read_arguments (int argc, char **argv)
{
  gsize n_bytes = 0;
  GError *error = NULL;

  if (argc != 5 && argc != 6) {
    fprintf (stderr, "usage: model-speed host|device WIDTH HEIGHT FILE [CASE]\n");
    exit (2);
  }
  if (argc == 6)
    chosen = argv[5];
  for (const BenchMemory *const *each = bench_memories; *each; each++)
    if (strcmp ((*each)->name, argv[1]) == 0)
      memory = *each;
  width = (uint32_t) atoi (argv[2]);
  height = (uint32_t) atoi (argv[3]);
  if (!memory || width == 0 || height == 0)
    fail (memory ? "size" : argv[1], memory ? "must be two positive numbers" : "this build has no such memory");
  must_do (g_file_get_contents (argv[4], (gchar **) &file, &n_bytes, &error), &error, argv[4]);
  n_frames = (guint) MIN (n_bytes / size_of_nv12 (), MAX_FRAMES);
  if (n_frames < 2)
    fail (argv[4], "has fewer than two frames of that size");
}

int
main (int argc, char **argv)
{
  read_arguments (argc, argv);
  open_context ();
  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    if (strstr (cases[i].name, chosen))
      time_case (&cases[i]);
  cca_context_free (context);
  g_free (file);
  return 0;
}
