/* gst-cca: gst-streams, many cameras in one process
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * As many pipelines as asked for, "source ! element ! fakesink", play the same film at once, as fast as they can. Each
 * count has a process of its own, so that its start and its memory include all that a first pipeline brings. It tells
 *   load      the time that GStreamer takes to load the plugins of the elements, once in a process,
 *   start     the time after that until each pipeline has its first frame, at which it waits,
 *   frames/s  of all pipelines together, over --seconds after that,
 *   CPU       user and system time of the process in these seconds, by frames,
 *   shares    of these seconds that the GPU, its video decoders and its JPEG decoders were busy, as NVML says,
 *   memory    of the device at their end, less that before the first pipeline, as NVML says.
 *
 * With --gpus, pipelines go to so many GPUs in turns; shares are then means, memory the sum.
 */
#include <gst/gst.h>
#include <dlfcn.h>
#include <errno.h>
#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "bench-engine.h"
#include "bench-samples.h"
#include "streams.h"

#define MAX_STREAMS 1024
#define MAX_GPUS 16
#define GPU "@GPU@" /* stands for a pipeline's */
#define LONGEST_START (120 * G_USEC_PER_SEC)
#define SAMPLE_EVERY (G_USEC_PER_SEC / 10) /* of the shares */

typedef struct
{
  char *source, *streams, *csv;
  char **elements, **files;
  double seconds;
  gint n_gpus;
  gboolean no_sharing;
} Options;

/* --- NVML -------------------------------------------------------------------------------------------- */

/* As its nvml.h has them; a machine without a GPU need not have that. */
typedef struct
{
  guint64 total, free, used;
} NvmlMemory;

typedef struct
{
  guint gpu, memory;
} NvmlUtilization;

typedef enum
{
  SHARE_GPU,
  SHARE_DECODER,
  SHARE_JPEG,
  N_SHARES
} Share;

/* The GPUs. All NULL if there are too few; functions that the driver lacks are NULL, too. */
typedef struct
{
  guint n;
  gpointer devices[MAX_GPUS];
  int (*memory) (gpointer device, NvmlMemory *memory);
  int (*utilization) (gpointer device, NvmlUtilization *utilization);
  int (*decoder) (gpointer device, guint *percent, guint *period);
  int (*jpeg) (gpointer device, guint *percent, guint *period);
} Nvml;

static Nvml
nvml_open (guint n)
{
  void *library = dlopen ("libnvidia-ml.so.1", RTLD_NOW | RTLD_LOCAL);
  int (*init) (void), (*by_index) (guint, gpointer *);
  Nvml nvml = { 0 };

  if (library == NULL)
    return nvml;
  *(void **) &init = dlsym (library, "nvmlInit_v2");
  *(void **) &by_index = dlsym (library, "nvmlDeviceGetHandleByIndex_v2");
  if (init == NULL || by_index == NULL || init () != 0)
    return nvml;
  for (nvml.n = 0; nvml.n < n; nvml.n++)
    if (by_index (nvml.n, &nvml.devices[nvml.n]) != 0)
      return (Nvml) { 0 };
  *(void **) &nvml.memory = dlsym (library, "nvmlDeviceGetMemoryInfo");
  *(void **) &nvml.utilization = dlsym (library, "nvmlDeviceGetUtilizationRates");
  *(void **) &nvml.decoder = dlsym (library, "nvmlDeviceGetDecoderUtilization");
  *(void **) &nvml.jpeg = dlsym (library, "nvmlDeviceGetJpgUtilization");
  return nvml;
}

/* Of all together, in bytes, or NAN. */
static double
nvml_used (const Nvml *nvml)
{
  double sum = nvml->memory != NULL ? 0 : NAN;
  NvmlMemory memory;

  for (guint i = 0; i < nvml->n && nvml->memory != NULL; i++)
    sum += nvml->memory (nvml->devices[i], &memory) == 0 ? (double) memory.used : NAN;
  return sum;
}

/* Of one, in per cent, or NAN. */
static double
nvml_share_of (const Nvml *nvml, gpointer device, Share share)
{
  int (*read) (gpointer, guint *, guint *) = share == SHARE_DECODER ? nvml->decoder : nvml->jpeg;
  NvmlUtilization utilization;
  guint percent, period;

  if (share == SHARE_GPU)
    return nvml->utilization != NULL && nvml->utilization (device, &utilization) == 0 ? utilization.gpu : NAN;
  return read != NULL && read (device, &percent, &period) == 0 ? percent : NAN;
}

/* The mean of all. */
static double
nvml_share (const Nvml *nvml, Share share)
{
  double sum = 0;

  for (guint i = 0; i < nvml->n; i++)
    sum += nvml_share_of (nvml, nvml->devices[i], share);
  return sum / nvml->n;
}

/* --- Pipelines --------------------------------------------------------------------------------------- */

typedef struct Run Run;

typedef struct
{
  Run *run;
  guint gpu;
  GstElement *pipeline;
  gint n_frames;
} Stream;

struct Run
{
  const Options *options;
  const char *element;
  Stream *streams;
  guint n;
  gint all_begun;
  GMutex mutex;
  GCond begin;
  GstContext *contexts[MAX_GPUS]; /* the first of each GPU, for all pipelines there */
  char *failure;                  /* the first one's text */
};

/* The report of a process to its parent; 0 pipelines if it failed. */
typedef struct
{
  guint n;
  double load, start, rate, cpu; /* s, s, frames/s, s a frame */
  double shares[N_SHARES];       /* per cent, or NAN */
  double memory;                 /* bytes, or NAN */
} Row;

static GstPadProbeReturn
count_frame (GstPad *pad, GstPadProbeInfo *info, gpointer user)
{
  Stream *stream = user;
  Run *run = stream->run;

  g_atomic_int_inc (&stream->n_frames);
  if (!g_atomic_int_get (&run->all_begun)) {
    g_mutex_lock (&run->mutex);
    while (!run->all_begun)
      g_cond_wait (&run->begin, &run->mutex);
    g_mutex_unlock (&run->mutex);
  }
  return GST_PAD_PROBE_OK;
}

/* Keeps a context for the pipelines on its GPU. An element that was not told its GPU makes one on the first, whichever
 * GPU its pipeline has. */
static void
keep_context (Run *run, GstMessage *message)
{
  g_autoptr (GstContext) context = NULL;
  guint gpu = 0;

  gst_message_parse_have_context (message, &context);
  gst_structure_get_uint (gst_context_get_structure (context), "cuda-device-id", &gpu);
  if (gpu < MAX_GPUS && run->contexts[gpu] == NULL)
    run->contexts[gpu] = g_steal_pointer (&context);
}

/* Hands the first context of a GPU to all pipelines there, as an application with several pipelines does, and keeps the
 * first failure. With the mutex held. */
static void
see_message (Run *run, GstContext *context, GstMessage *message)
{
  const char *type;

  switch (GST_MESSAGE_TYPE (message)) {
    case GST_MESSAGE_HAVE_CONTEXT:
      if (!run->options->no_sharing)
        keep_context (run, message);
      break;
    case GST_MESSAGE_NEED_CONTEXT:
      if (context != NULL && gst_message_parse_context_type (message, &type)
          && gst_context_has_context_type (context, type))
        gst_element_set_context (GST_ELEMENT (GST_MESSAGE_SRC (message)), context);
      break;
    case GST_MESSAGE_ERROR:
      if (run->failure == NULL) {
        g_autoptr (GError) error = NULL;

        gst_message_parse_error (message, &error, NULL);
        run->failure = g_strdup_printf ("%s: %s", GST_MESSAGE_SRC_NAME (message), error->message);
      }
      break;
    default: break;
  }
}

static GstBusSyncReply
take_message (GstBus *bus, GstMessage *message, gpointer user)
{
  const Stream *stream = user;
  Run *run = stream->run;

  /* Those come with every frame, for which streams must not wait for each other. */
  if (GST_MESSAGE_TYPE (message) != GST_MESSAGE_ELEMENT) {
    g_mutex_lock (&run->mutex);
    see_message (run, run->contexts[stream->gpu], message);
    g_mutex_unlock (&run->mutex);
  }
  gst_message_unref (message);
  return GST_BUS_DROP;
}

static gboolean
run_failed (Run *run)
{
  gboolean failed;

  g_mutex_lock (&run->mutex);
  failed = run->failure != NULL;
  g_mutex_unlock (&run->mutex);
  return failed;
}

/* The elements of a pipeline on a GPU. Decoders for others than the first have names of their own. */
static char *
describe (const Run *run, guint gpu)
{
  g_autofree char *ordinal = g_strdup_printf ("%u", gpu),
                  *infix = gpu > 0 ? g_strdup_printf ("device%udec", gpu) : g_strdup ("dec");
  GString *text = g_string_new (NULL);

  g_string_printf (text, "%s ! %s ! fakesink name=last sync=false async=false enable-last-sample=false",
                   run->options->source, run->element);
  g_string_replace (text, GPU "dec", infix, 0);
  g_string_replace (text, GPU, ordinal, 0);
  return g_string_free (text, FALSE);
}

/* GStreamer loads a plugin with the first element that is made of it. */
static gboolean
load_plugins (const Run *run, GError **error)
{
  g_autofree char *description = describe (run, 0);
  GstElement *pipeline = gst_parse_launch_full (description, NULL, GST_PARSE_FLAG_FATAL_ERRORS, error);

  if (pipeline == NULL)
    return FALSE;
  gst_object_unref (pipeline);
  return TRUE;
}

static gboolean
stream_start (Run *run, Stream *stream, GError **error)
{
  g_autofree char *description = describe (run, stream->gpu);
  g_autoptr (GstElement) last = NULL;
  g_autoptr (GstBus) bus = NULL;
  g_autoptr (GstPad) pad = NULL;

  stream->pipeline = gst_parse_launch_full (description, NULL, GST_PARSE_FLAG_FATAL_ERRORS, error);
  if (stream->pipeline == NULL)
    return FALSE;
  bus = gst_element_get_bus (stream->pipeline);
  gst_bus_set_sync_handler (bus, take_message, stream, NULL);
  last = gst_bin_get_by_name (GST_BIN (stream->pipeline), "last");
  pad = gst_element_get_static_pad (last, "sink");
  gst_pad_add_probe (pad, GST_PAD_PROBE_TYPE_BUFFER, count_frame, stream, NULL);
  if (gst_element_set_state (stream->pipeline, GST_STATE_PLAYING) != GST_STATE_CHANGE_FAILURE)
    return TRUE;
  if (!run_failed (run))
    g_set_error (error, BENCH_ERROR, BENCH_ERROR_ENGINE, "\"%s\" does not start", description);
  return FALSE;
}

static guint64
n_frames (const Run *run)
{
  guint64 n = 0;

  for (guint i = 0; i < run->n; i++)
    n += (guint) g_atomic_int_get (&run->streams[i].n_frames);
  return n;
}

static gboolean
have_begun (const Run *run)
{
  for (guint i = 0; i < run->n; i++)
    if (g_atomic_int_get (&run->streams[i].n_frames) == 0)
      return FALSE;
  return TRUE;
}

static gboolean
wait_for_all (Run *run, GError **error)
{
  const gint64 end = g_get_monotonic_time () + LONGEST_START;

  while (!have_begun (run)) {
    if (run_failed (run))
      return FALSE;
    if (g_get_monotonic_time () > end) {
      g_set_error (error, BENCH_ERROR, BENCH_ERROR_ENGINE, "%u pipelines have no frame after %d s", run->n,
                   (int) (LONGEST_START / G_USEC_PER_SEC));
      return FALSE;
    }
    g_usleep (1000);
  }
  return TRUE;
}

static void
let_begin (Run *run)
{
  g_mutex_lock (&run->mutex);
  g_atomic_int_set (&run->all_begun, TRUE);
  g_cond_broadcast (&run->begin);
  g_mutex_unlock (&run->mutex);
}

static double
cpu_time (void)
{
  struct rusage usage;

  getrusage (RUSAGE_SELF, &usage);
  return (double) usage.ru_utime.tv_sec + (double) usage.ru_stime.tv_sec
         + 1e-6 * ((double) usage.ru_utime.tv_usec + (double) usage.ru_stime.tv_usec);
}

/* Lets them run for a while, and measures that. */
static void
measure (const Run *run, const Nvml *nvml, Row *row)
{
  const guint64 before = n_frames (run);
  const double cpu = cpu_time (), start = bench_now (), end = start + run->options->seconds * 1e9;
  guint n_samples = 0;
  double seconds;
  guint64 n;

  do {
    g_usleep (SAMPLE_EVERY);
    for (Share share = 0; share < N_SHARES; share++)
      row->shares[share] += nvml_share (nvml, share);
    n_samples++;
  } while (bench_now () < end);
  seconds = (bench_now () - start) / 1e9;
  n = n_frames (run) - before;
  row->rate = (double) n / seconds;
  row->cpu = (cpu_time () - cpu) / (double) n;
  for (Share share = 0; share < N_SHARES; share++)
    row->shares[share] /= n_samples;
}

static gboolean
run_streams (Run *run, Row *row, GError **error)
{
  const Nvml nvml = nvml_open ((guint) run->options->n_gpus);
  const double used = nvml_used (&nvml), first = bench_now ();
  double start;

  if (!load_plugins (run, error))
    return FALSE;
  start = bench_now ();
  row->load = (start - first) / 1e9;
  for (guint i = 0; i < run->n; i++) {
    run->streams[i].run = run;
    run->streams[i].gpu = i % (guint) run->options->n_gpus;
    if (!stream_start (run, &run->streams[i], error))
      return FALSE;
  }
  if (!wait_for_all (run, error))
    return FALSE;
  row->start = (bench_now () - start) / 1e9;
  let_begin (run);
  measure (run, &nvml, row);
  row->memory = nvml_used (&nvml) - used;
  row->n = run->n;
  return !run_failed (run);
}

/* --- A process for each count ------------------------------------------------------------------------ */

/* In the new process: exits without taking the pipelines down, which the end of the process does faster. */
static void G_GNUC_NORETURN
child_run (const Options *options, const char *element, guint n, int out)
{
  Run run = { .options = options, .element = element, .streams = g_new0 (Stream, n), .n = n };
  g_autoptr (GError) error = NULL;
  Row row = { 0 };

  g_mutex_init (&run.mutex);
  g_cond_init (&run.begin);
  gst_init (NULL, NULL);
  if (!run_streams (&run, &row, &error)) {
    fprintf (stderr, "gst-streams: %s\n", error != NULL ? error->message : run.failure);
    row.n = 0;
  }
  _exit (write (out, &row, sizeof row) == sizeof row ? 0 : 1);
}

static gboolean
run_in_child (const Options *options, const char *element, guint n, Row *row)
{
  int pipe_ends[2];
  gssize got;
  pid_t child;

  if (pipe (pipe_ends) != 0 || (child = fork ()) < 0) {
    fprintf (stderr, "gst-streams: no process can be started: %s\n", g_strerror (errno));
    return FALSE;
  }
  if (child == 0)
    child_run (options, element, n, pipe_ends[1]);
  close (pipe_ends[1]);
  got = read (pipe_ends[0], row, sizeof *row);
  close (pipe_ends[0]);
  waitpid (child, NULL, 0);
  return got == sizeof *row && row->n == n;
}

/* --- The table --------------------------------------------------------------------------------------- */

/* Prints a number, or a dash if NVML does not know it. */
static void
put_number (double value, int width, const char *suffix)
{
  if (isnan (value))
    printf (" %*s", width, "-");
  else
    printf (" %*.0f%s", width - (int) strlen (suffix), value, suffix);
}

static void
put_row (const char *element, const Row *row, FILE *csv)
{
  const double per_stream = row->memory / row->n;

  printf ("%7u %8.2f %8.2f %9.0f %8.0f %9.3f", row->n, row->load, row->start, row->rate, row->rate / row->n,
          row->cpu * 1e3);
  for (Share share = 0; share < N_SHARES; share++)
    put_number (row->shares[share], 6, "%");
  put_number (row->memory / 1e6, 9, "");
  put_number (per_stream / 1e6, 7, "");
  printf ("  %s\n", element);
  fflush (stdout);
  if (csv != NULL)
    fprintf (csv, "\"%s\",%u,%.3f,%.3f,%.1f,%.6f,%.1f,%.1f,%.1f,%.0f\n", element, row->n, row->load, row->start,
             row->rate, row->cpu * 1e3, row->shares[SHARE_GPU], row->shares[SHARE_DECODER], row->shares[SHARE_JPEG],
             row->memory);
}

static gboolean
run_all (const Options *options, FILE *csv, GError **error)
{
  g_auto (GStrv) counts = g_strsplit (options->streams, ",", -1);
  guint n_failed = 0;

  printf ("%s, %g s each\n", options->source, options->seconds);
  printf ("%7s %8s %8s %9s %8s %9s %6s %6s %6s %9s %7s  %s\n", "streams", "load s", "start s", "frames/s", "each",
          "CPU ms", "GPU", "video", "JPEG", "device MB", "each", "element");
  fflush (stdout);
  if (csv != NULL)
    fputs ("element,streams,load_s,start_s,fps,cpu_ms,gpu_percent,decoder_percent,jpeg_percent,device_bytes\n", csv);
  for (guint c = 0; counts[c] != NULL; c++) {
    for (guint e = 0; options->elements[e] != NULL; e++) {
      const guint n = (guint) g_ascii_strtoull (counts[c], NULL, 10);
      Row row = { 0 };

      if (csv != NULL)
        fflush (csv); /* nothing that a new process would write, too */
      if (run_in_child (options, options->elements[e], n, &row)) {
        put_row (options->elements[e], &row, csv);
      } else {
        printf ("%7u failed  %s\n", n, options->elements[e]);
        fflush (stdout);
        n_failed++;
      }
    }
  }
  if (n_failed > 0)
    g_set_error (error, BENCH_ERROR, BENCH_ERROR_ENGINE, "%u of the lines failed", n_failed);
  return n_failed == 0;
}

/* --- The program ------------------------------------------------------------------------------------- */

/* By the name of a film: its elementary stream again and again. NULL for others. */
static char *
source_of (const char *file)
{
  const char *end = strrchr (file, '.');

  if (end != NULL && g_str_equal (end, ".h264"))
    return g_strdup_printf ("multifilesrc location=\"%s\" loop=true caps=\"video/x-h264,stream-format=byte-stream\" ! "
                            "h264parse ! nvh264" GPU "dec ! video/x-raw(memory:CUDAMemory)",
                            file);
  if (end != NULL && g_str_equal (end, ".mjpeg"))
    return g_strdup_printf ("multifilesrc location=\"%s\" loop=true caps=image/jpeg ! jpegparse ! nvjpeg" GPU "dec ! "
                            "video/x-raw(memory:CUDAMemory)",
                            file);
  return NULL;
}

static gboolean
parse_options (Options *options, int *argc, char ***argv, GError **error)
{
  const GOptionEntry entries[] = {
    { "streams", 's', 0, G_OPTION_ARG_STRING, &options->streams, "Numbers of pipelines; 1,16,64,256", "LIST" },
    { "element", 'e', 0, G_OPTION_ARG_STRING_ARRAY, &options->elements,
      "Elements behind the source, more than once for lines of their own; identity, and cudacca. " GPU
      " stands for the number of the pipeline's GPU",
      "ELEMENTS" },
    { "source", 0, 0, G_OPTION_ARG_STRING, &options->source, "What makes frames, instead of FILE", "ELEMENTS" },
    { "gpus", 0, 0, G_OPTION_ARG_INT, &options->n_gpus, "Use so many GPUs in turns; 1", "N" },
    { "seconds", 0, 0, G_OPTION_ARG_DOUBLE, &options->seconds, "How long to measure; 5", "N" },
    { "no-sharing", 0, 0, G_OPTION_ARG_NONE, &options->no_sharing,
      "Do not hand the first pipeline's GPU context to the others", NULL },
    { "csv", 'o', 0, G_OPTION_ARG_FILENAME, &options->csv, "Write the results there, too", "FILE" },
    { G_OPTION_REMAINING, 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &options->files, NULL, "[FILE.h264|FILE.mjpeg]" },
    { NULL },
  };
  g_autoptr (GOptionContext) context = g_option_context_new (NULL);

  g_option_context_set_summary (context, "Measures many pipelines in one process, with a film that a GPU decodes.");
  g_option_context_add_main_entries (context, entries, NULL);
  if (!g_option_context_parse (context, argc, argv, error))
    return FALSE;
  if (options->source == NULL && options->files != NULL && options->files[1] == NULL)
    options->source = source_of (options->files[0]);
  if (options->source == NULL || !(options->seconds > 0) || options->n_gpus < 1 || options->n_gpus > MAX_GPUS) {
    g_set_error (
        error, BENCH_ERROR, BENCH_ERROR_USAGE,
        "give one FILE of H.264 (.h264) or JPEG (.mjpeg), or --source; --seconds is more than 0, --gpus from 1 "
        "to %d",
        MAX_GPUS);
    return FALSE;
  }
  if (options->elements == NULL)
    options->elements =
        g_strsplit ("identity,cudacca cuda-device-id=" GPU " foreground=threshold threshold=120 min-area=80", ",", -1);
  if (options->streams == NULL)
    options->streams = g_strdup ("1,16,64,256");
  return bench_check_streams (options->streams, MAX_STREAMS, error);
}

static gboolean
run (const Options *options, GError **error)
{
  FILE *csv = NULL;
  gboolean done;

  if (options->csv != NULL && (csv = fopen (options->csv, "w")) == NULL) {
    g_set_error (error, BENCH_ERROR, BENCH_ERROR_OUTPUT, "%s cannot be written: %s", options->csv, g_strerror (errno));
    return FALSE;
  }
  done = run_all (options, csv, error);
  if (csv != NULL && fclose (csv) != 0 && done) {
    g_set_error (error, BENCH_ERROR, BENCH_ERROR_OUTPUT, "%s cannot be written: %s", options->csv, g_strerror (errno));
    return FALSE;
  }
  return done;
}

int
main (int argc, char **argv)
{
  Options options = { .seconds = 5, .n_gpus = 1 };
  g_autoptr (GError) error = NULL;
  gboolean parsed, done;

  setlocale (LC_CTYPE, "");
  parsed = parse_options (&options, &argc, &argv, &error);
  done = parsed && run (&options, &error);
  if (!done)
    fprintf (stderr, "gst-streams: %s\n%s", error->message,
             parsed ? "" : "usage: gst-streams [OPTION…] FILE; gst-streams --help tells more\n");
  g_strfreev (options.files);
  g_strfreev (options.elements);
  g_free (options.source);
  g_free (options.streams);
  g_free (options.csv);
  return done ? 0 : parsed ? 1 : 2;
}
