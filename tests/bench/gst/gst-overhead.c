/* gst-cca: gst-overhead, the time that an element adds to a pipeline, and the rate of several pipelines at once
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Two pipelines, with the element and with identity before a fakesink, are pushed the same frames in turns, each push
 * timed. A block of frames gives
 *   whole = mean push through the element - mean push through identity,
 *   added = whole - mean time in libcca (the element's stats),
 * means, because a disturbance inside libcca then counts on both sides of the difference; the result is the median
 * over blocks, each with new pipelines. Frames in memory of a device are made once by cudaupload in front, and what it
 * made is pushed again and again.
 *
 * With --then, the two pipelines are the element alone and the element with others behind it; ratio is the rate of the
 * latter by that of the former.
 *
 * With --streams, as many pipelines with the element are pushed their frames at once, each from its own thread.
 */
#include <gst/video/video.h>
#include <errno.h>
#include <locale.h>
#include <stdio.h>

#include "bench-case.h"
#include "bench-engine.h"
#include "bench-media.h"
#include "bench-samples.h"
#include "streams.h"

#define FRAMES_BEFORE 8 /* pushed untimed at the start of each block */
#define MAX_STREAMS 256

typedef struct
{
  int width, height, n_frames, n_blocks;
  char *element, *properties, *then, *format, *streams, *csv;
  gboolean device, own_contexts;
  char **files;
} Options;

/* The frames that are pushed. */
typedef struct
{
  const Options *options;
  GstVideoInfo info;
  GPtrArray *buffers;  /* GstBuffer, in system memory */
  GstContext *context; /* of the first pipeline's GPU, for the others; NULL before, and where they have their own */
} Frames;

typedef struct
{
  GstElement *pipeline, *element;
  GstPad *source, *feed; /* where frames are pushed at first, and when timed */
  GPtrArray *buffers;    /* as they are pushed when timed */
  double time;           /* ns, of timed pushes */
} Lane;

typedef struct
{
  double element, other, library, whole, added; /* ns a frame */
  double ratio;                                 /* other / element */
} Block;

/* Fails with the pipeline's error, or else with the given text. */
static gboolean lane_fail (const Lane *lane, GError **error, const char *format, ...) G_GNUC_PRINTF (3, 4);

static gboolean
lane_fail (const Lane *lane, GError **error, const char *format, ...)
{
  g_autoptr (GstBus) bus = gst_element_get_bus (lane->pipeline);
  g_autoptr (GstMessage) message = gst_bus_pop_filtered (bus, GST_MESSAGE_ERROR);
  va_list args;

  if (message != NULL) {
    gst_message_parse_error (message, error, NULL);
  } else {
    va_start (args, format);
    g_propagate_error (error, g_error_new_valist (BENCH_ERROR, BENCH_ERROR_ENGINE, format, args));
    va_end (args);
  }
  return FALSE;
}

/* Hands the first pipeline's GPU context to all others, as an application with several pipelines does. */
static GstBusSyncReply
share_context (GstBus *bus, GstMessage *message, gpointer user)
{
  Frames *frames = user;
  const char *type;

  if (GST_MESSAGE_TYPE (message) == GST_MESSAGE_HAVE_CONTEXT && frames->context == NULL)
    gst_message_parse_have_context (message, &frames->context);
  else if (GST_MESSAGE_TYPE (message) == GST_MESSAGE_NEED_CONTEXT && frames->context != NULL
           && gst_message_parse_context_type (message, &type) && gst_context_has_context_type (frames->context, type))
    gst_element_set_context (GST_ELEMENT (GST_MESSAGE_SRC (message)), frames->context);
  return GST_BUS_PASS;
}

static GstPadProbeReturn
keep_buffer (GstPad *pad, GstPadProbeInfo *info, gpointer user)
{
  g_ptr_array_add (user, gst_buffer_ref (GST_PAD_PROBE_INFO_BUFFER (info)));
  return GST_PAD_PROBE_OK;
}

static GstElement *
add (Lane *lane, const char *description, GError **error)
{
  GstElement *element = gst_parse_bin_from_description_full (
      description, TRUE, NULL, GST_PARSE_FLAG_FATAL_ERRORS | GST_PARSE_FLAG_NO_SINGLE_ELEMENT_BINS, error);

  if (element != NULL)
    gst_bin_add (GST_BIN (lane->pipeline), element);
  return element;
}

static gboolean
lane_start (Lane *lane, const GstVideoInfo *info, const char *description, GError **error)
{
  g_autoptr (GstCaps) caps = gst_video_info_to_caps (info);
  GstSegment segment;

  gst_segment_init (&segment, GST_FORMAT_TIME);
  gst_pad_set_active (lane->source, TRUE);
  gst_pad_push_event (lane->source, gst_event_new_stream_start ("overhead"));
  if (!gst_pad_push_event (lane->source, gst_event_new_caps (caps)))
    return lane_fail (lane, error, "\"%s\" refuses %s", description,
                      gst_video_format_to_string (GST_VIDEO_INFO_FORMAT (info)));
  gst_pad_push_event (lane->source, gst_event_new_segment (&segment));
  return TRUE;
}

static gboolean lane_push (Lane *lane, GstPad *pad, GstBuffer *frame, guint64 number, gboolean timed, GError **error);

/* Passes each frame once, and keeps the element's input in lane->buffers. */
static gboolean
lane_prepare (Lane *lane, const Frames *frames, GError **error)
{
  const gulong probe = gst_pad_add_probe (lane->feed, GST_PAD_PROBE_TYPE_BUFFER, keep_buffer, lane->buffers, NULL);

  for (guint i = 0; i < frames->buffers->len; i++)
    if (!lane_push (lane, lane->source, g_ptr_array_index (frames->buffers, i), i, FALSE, error))
      return FALSE;
  gst_pad_remove_probe (lane->feed, probe);
  return TRUE;
}

static gboolean
lane_open (Lane *lane, const char *description, Frames *frames, GError **error)
{
  GstElement *sink = gst_element_factory_make ("fakesink", NULL), *upload = NULL;
  g_autoptr (GstBus) bus = NULL;
  g_autoptr (GstPad) first = NULL, pad = NULL;

  *lane = (Lane) { .pipeline = gst_pipeline_new (NULL),
                   .source = gst_pad_new ("src", GST_PAD_SRC),
                   .buffers = g_ptr_array_new_with_free_func ((GDestroyNotify) gst_buffer_unref) };
  bus = gst_element_get_bus (lane->pipeline);
  if (!frames->options->own_contexts)
    gst_bus_set_sync_handler (bus, share_context, frames, NULL);
  g_object_set (sink, "async", FALSE, "sync", FALSE, "enable-last-sample", FALSE, NULL);
  gst_bin_add (GST_BIN (lane->pipeline), sink);
  lane->element = add (lane, description, error);
  if (lane->element == NULL)
    return FALSE;
  if (frames->options->device) {
    upload = add (lane, "cudaupload ! capsfilter caps=\"video/x-raw(memory:CUDAMemory)\"", error);
    if (upload == NULL)
      return FALSE;
    if (frames->options->own_contexts) /* it makes one if it has no neighbours; they take it */
      gst_element_set_state (upload, GST_STATE_READY);
  }
  first = gst_element_get_static_pad (upload != NULL ? upload : lane->element, "sink");
  pad = gst_element_get_static_pad (lane->element, "sink");
  if (first == NULL || pad == NULL || !gst_element_link (lane->element, sink)
      || (upload != NULL && !gst_element_link (upload, lane->element))
      || gst_pad_link (lane->source, first) != GST_PAD_LINK_OK
      || gst_element_set_state (lane->pipeline, GST_STATE_PLAYING) == GST_STATE_CHANGE_FAILURE)
    return lane_fail (lane, error, "\"%s\" cannot be run between a source and a sink", description);
  lane->feed = gst_pad_get_peer (pad);
  return lane_start (lane, &frames->info, description, error) && lane_prepare (lane, frames, error);
}

static void
lane_close (Lane *lane)
{
  if (lane->pipeline != NULL)
    gst_element_set_state (lane->pipeline, GST_STATE_NULL);
  g_clear_pointer (&lane->buffers, g_ptr_array_unref);
  gst_clear_object (&lane->source);
  gst_clear_object (&lane->feed);
  gst_clear_object (&lane->pipeline);
}

static gboolean
lane_push (Lane *lane, GstPad *pad, GstBuffer *frame, guint64 number, gboolean timed, GError **error)
{
  g_autoptr (GstBus) bus = gst_element_get_bus (lane->pipeline);
  GstBuffer *buffer = gst_buffer_copy (frame); /* the shell: pixels are shared */
  GstMessage *message;
  GstFlowReturn flow;
  double start;

  GST_BUFFER_PTS (buffer) = number * GST_SECOND / 30;
  GST_BUFFER_DURATION (buffer) = GST_SECOND / 30;
  start = bench_now ();
  flow = gst_pad_push (pad, buffer);
  if (timed)
    lane->time += bench_now () - start;
  if (flow != GST_FLOW_OK)
    return lane_fail (lane, error, "a frame was refused: %s", gst_flow_get_name (flow));
  while ((message = gst_bus_pop (bus)) != NULL)
    gst_message_unref (message);
  return TRUE;
}

/* Returns the sum of all stages' times so far, ns; the element's stats have means. 0 for a chain of elements. */
static double
library_time (const Lane *lane)
{
  GstStructure *stats = NULL;
  guint64 frames = 0;
  double sum = 0;

  if (GST_IS_BIN (lane->element))
    return 0;
  g_object_get (lane->element, "stats", &stats, NULL);
  gst_structure_get_uint64 (stats, "frames", &frames);
  for (guint stage = 0; stage < CCA_N_STAGES; stage++) {
    g_autofree char *field = g_strconcat (cca_stage_name (stage), "-time", NULL);
    const GValue *value = gst_structure_get_value (stats, field);
    GValue time = G_VALUE_INIT;

    g_value_init (&time, G_TYPE_DOUBLE);
    if (value != NULL && g_value_transform (value, &time))
      sum += g_value_get_double (&time) * frames;
    g_value_unset (&time);
  }
  gst_structure_free (stats);
  return sum;
}

/* Pushes frame number i after the preparation. */
static gboolean
lane_push_next (Lane *lane, guint64 i, gboolean timed, GError **error)
{
  GstBuffer *frame = g_ptr_array_index (lane->buffers, i % lane->buffers->len);

  return lane_push (lane, lane->feed, frame, lane->buffers->len + i, timed, error);
}

static gboolean
run_block (Frames *frames, const char *element, const char *other, Block *block, GError **error)
{
  const guint n_frames = frames->options->n_frames;
  Lane lanes[2] = { 0 };
  double library = 0;
  gboolean done = lane_open (&lanes[0], element, frames, error) && lane_open (&lanes[1], other, frames, error);

  for (guint64 i = 0; done && i < FRAMES_BEFORE + n_frames; i++) {
    if (i == FRAMES_BEFORE)
      library = library_time (&lanes[0]);
    for (guint l = 0; done && l < 2; l++)
      done = lane_push_next (&lanes[(i + l) % 2], i, i >= FRAMES_BEFORE, error);
  }
  if (done) {
    block->element = lanes[0].time / n_frames;
    block->other = lanes[1].time / n_frames;
    block->library = (library_time (&lanes[0]) - library) / n_frames;
    block->whole = block->element - block->other;
    block->added = block->whole - block->library;
    block->ratio = block->other / block->element;
  }
  lane_close (&lanes[0]);
  lane_close (&lanes[1]);
  return done;
}

static gboolean
keep_frame (const GstVideoFrame *frame, guint number, gpointer user, GError **error)
{
  BenchCase *pictures = user;
  const guint width = GST_VIDEO_FRAME_WIDTH (frame), height = GST_VIDEO_FRAME_HEIGHT (frame);
  g_autofree guint8 *dense = g_malloc ((gsize) width * height);

  for (guint y = 0; y < height; y++)
    memcpy (dense + (gsize) y * width,
            (guint8 *) GST_VIDEO_FRAME_PLANE_DATA (frame, 0) + (gsize) y * GST_VIDEO_FRAME_PLANE_STRIDE (frame, 0),
            width);
  bench_case_add (pictures, dense, width, height);
  return pictures->masks->len < 100;
}

/* Frames whose luma are the pictures. */
static GPtrArray *
make_frames (const BenchCase *pictures, const GstVideoInfo *info)
{
  GPtrArray *frames = g_ptr_array_new_with_free_func ((GDestroyNotify) gst_buffer_unref);

  for (guint i = 0; i < pictures->masks->len; i++) {
    const guint8 *picture = g_ptr_array_index (pictures->masks, i);
    GstBuffer *buffer = gst_buffer_new_allocate (NULL, GST_VIDEO_INFO_SIZE (info), NULL);
    GstVideoFrame frame;

    gst_buffer_memset (buffer, 0, 128, GST_VIDEO_INFO_SIZE (info));
    gst_video_frame_map (&frame, info, buffer, GST_MAP_WRITE);
    for (guint y = 0; y < pictures->height; y++)
      memcpy ((guint8 *) GST_VIDEO_FRAME_PLANE_DATA (&frame, 0) + (gsize) y * GST_VIDEO_FRAME_PLANE_STRIDE (&frame, 0),
              picture + (gsize) y * pictures->width, pictures->width);
    gst_video_frame_unmap (&frame);
    g_ptr_array_add (frames, buffer);
  }
  return frames;
}

/* Prints the median and the range of a field over the blocks in units, and writes them to csv where there is one. */
static void
put_field (FILE *csv, const char *name, const Block *blocks, guint n, gsize offset, double unit)
{
  g_autofree double *values = g_new (double, n);
  double median;

  for (guint i = 0; i < n; i++)
    values[i] = G_STRUCT_MEMBER (double, &blocks[i], offset);
  bench_sort (values, n);
  median = bench_quantile (values, n, 0.5);
  printf ("  %-24s %10.2f %10.2f %10.2f\n", name, median / unit, values[0] / unit, values[n - 1] / unit);
  if (csv != NULL)
    fprintf (csv, "%s,%.9g,%.9g,%.9g\n", name, median, values[0], values[n - 1]);
}

static void
report_element (const Block *blocks, guint n, FILE *csv)
{
  put_field (csv, "push through the element", blocks, n, offsetof (Block, element), 1e3);
  put_field (csv, "push through identity", blocks, n, offsetof (Block, other), 1e3);
  put_field (csv, "the element as a whole", blocks, n, offsetof (Block, whole), 1e3);
  put_field (csv, "libcca", blocks, n, offsetof (Block, library), 1e3);
  put_field (csv, "added by the element", blocks, n, offsetof (Block, added), 1e3);
}

static void
report_chain (const Block *blocks, guint n, FILE *csv)
{
  put_field (csv, "push through all", blocks, n, offsetof (Block, element), 1e3);
  put_field (csv, "push through the element", blocks, n, offsetof (Block, other), 1e3);
  put_field (csv, "added behind it", blocks, n, offsetof (Block, whole), 1e3);
  put_field (csv, "ratio", blocks, n, offsetof (Block, ratio), 1.0);
}

static gboolean
measure_element (Frames *frames, const char *element, FILE *csv, GError **error)
{
  const Options *options = frames->options;
  g_autofree char *chain = options->then != NULL ? g_strconcat (element, " ! ", options->then, NULL) : NULL;
  const guint n = options->n_blocks;
  g_autofree Block *blocks = g_new0 (Block, n);

  for (guint b = 0; b < n; b++)
    if (!run_block (frames, chain != NULL ? chain : element, chain != NULL ? element : "identity", &blocks[b], error))
      return FALSE;
  if (csv != NULL)
    fputs ("what,median_ns,min_ns,max_ns\n", csv);
  printf ("  %-24s %10s %10s %10s\n", "us a frame", "median", "min", "max");
  if (chain != NULL)
    report_chain (blocks, n, csv);
  else
    report_element (blocks, n, csv);
  return TRUE;
}

/* --- Side by side ------------------------------------------------------------------------------------ */

/* A lane with its thread. */
typedef struct
{
  Lane lane;
  guint n_frames;
  GThread *thread;
  GMutex *gate; /* held until all may go */
  GError *error;
} Stream;

static gpointer
stream_run (gpointer user)
{
  Stream *stream = user;

  g_mutex_lock (stream->gate);
  g_mutex_unlock (stream->gate);
  for (guint64 i = 0; i < stream->n_frames && stream->error == NULL; i++)
    lane_push_next (&stream->lane, i, FALSE, &stream->error);
  return NULL;
}

/* Frames per second of all together. */
static gboolean
run_streams (Frames *frames, const char *element, guint n, double *rate, GError **error)
{
  g_autofree Stream *streams = g_new0 (Stream, n);
  gboolean done = TRUE;
  GMutex gate;
  double start;

  g_mutex_init (&gate);
  for (guint s = 0; done && s < n; s++)
    done = lane_open (&streams[s].lane, element, frames, error);
  if (done) {
    g_mutex_lock (&gate);
    for (guint s = 0; s < n; s++) {
      streams[s].gate = &gate;
      streams[s].n_frames = frames->options->n_frames;
      streams[s].thread = g_thread_new ("stream", stream_run, &streams[s]);
    }
    start = bench_now ();
    g_mutex_unlock (&gate);
    for (guint s = 0; s < n; s++)
      g_thread_join (streams[s].thread);
    *rate = (double) n * frames->options->n_frames / (bench_now () - start) * 1e9;
  }
  for (guint s = 0; s < n; s++) {
    if (streams[s].error != NULL && done) {
      g_propagate_error (error, g_steal_pointer (&streams[s].error));
      done = FALSE;
    }
    g_clear_error (&streams[s].error);
    lane_close (&streams[s].lane);
  }
  g_mutex_clear (&gate);
  return done;
}

static gboolean
measure_streams (Frames *frames, const char *element, FILE *csv, GError **error)
{
  g_auto (GStrv) counts = g_strsplit (frames->options->streams, ",", -1);
  const guint n_blocks = frames->options->n_blocks;
  g_autofree double *rates = g_new (double, n_blocks);
  double first = 0;

  if (csv != NULL)
    fputs ("streams,median_fps,min_fps,max_fps\n", csv);
  printf ("  %-24s %10s %10s %10s %10s\n", "frames/s of all", "median", "min", "max", "ratio");
  for (guint i = 0; counts[i] != NULL; i++) {
    const guint n = (guint) g_ascii_strtoull (counts[i], NULL, 10);
    double median;

    for (guint b = 0; b < n_blocks; b++)
      if (!run_streams (frames, element, n, &rates[b], error))
        return FALSE;
    bench_sort (rates, n_blocks);
    median = bench_quantile (rates, n_blocks, 0.5);
    if (i == 0)
      first = median;
    printf ("  %-24u %10.0f %10.0f %10.0f %10.2f\n", n, median, rates[0], rates[n_blocks - 1], median / first);
    if (csv != NULL)
      fprintf (csv, "%u,%.1f,%.1f,%.1f\n", n, median, rates[0], rates[n_blocks - 1]);
  }
  return TRUE;
}

/* --- The program ------------------------------------------------------------------------------------- */

static gboolean
parse_options (Options *options, int *argc, char ***argv, GError **error)
{
  const GOptionEntry entries[] = {
    { "width", 0, 0, G_OPTION_ARG_INT, &options->width, "Of the frames; 1920", "N" },
    { "height", 0, 0, G_OPTION_ARG_INT, &options->height, "Of the frames; 1080", "N" },
    { "format", 0, 0, G_OPTION_ARG_STRING, &options->format, "NV12", "FORMAT" },
    { "element", 'e', 0, G_OPTION_ARG_STRING, &options->element, "cca, ccl, cudacca or cudaccl; cca", "NAME" },
    { "properties", 'p', 0, G_OPTION_ARG_STRING, &options->properties, "Its properties", "NAME=VALUE…" },
    { "then", 't', 0, G_OPTION_ARG_STRING, &options->then,
      "Measure what these elements behind it add, such as \"ccatrack ! ccazones\"", "ELEMENTS" },
    { "device", 'd', 0, G_OPTION_ARG_NONE, &options->device, "Frames in memory of a GPU, made by cudaupload", NULL },
    { "streams", 's', 0, G_OPTION_ARG_STRING, &options->streams, "Measure that many pipelines at once, such as 1,8",
      "LIST" },
    { "own-contexts", 0, 0, G_OPTION_ARG_NONE, &options->own_contexts, "Pipelines do not share a GPU's context", NULL },
    { "frames", 'n', 0, G_OPTION_ARG_INT, &options->n_frames, "Frames in a block; 100", "N" },
    { "csv", 'o', 0, G_OPTION_ARG_FILENAME, &options->csv, "Write the results there, too", "FILE" },
    { "blocks", 0, 0, G_OPTION_ARG_INT, &options->n_blocks, "Blocks; 9", "N" },
    { G_OPTION_REMAINING, 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &options->files, NULL, "[FILE or URI]" },
    { NULL },
  };
  g_autoptr (GOptionContext) context = g_option_context_new (NULL);

  g_option_context_set_summary (context, "Measures what an element adds to libcca's own time in a pipeline, or the "
                                         "rate of pipelines side by side, on the first 100 frames of FILE scaled to "
                                         "size, or on random images.");
  g_option_context_add_main_entries (context, entries, NULL);
  if (!g_option_context_parse (context, argc, argv, error))
    return FALSE;
  if (options->width < 1 || options->width > 65535 || options->height < 1 || options->height > 65535
      || options->n_frames < 1 || options->n_blocks < 1
      || (options->files != NULL && g_strv_length (options->files) > 1)) {
    g_set_error (error, BENCH_ERROR, BENCH_ERROR_USAGE,
                 "sizes are from 1 to 65535, frames and blocks at least 1, and one FILE at most");
    return FALSE;
  }
  if (options->own_contexts && !options->device) {
    g_set_error (error, BENCH_ERROR, BENCH_ERROR_USAGE, "--own-contexts are those of cudaupload: it needs --device");
    return FALSE;
  }
  if (options->streams != NULL && options->then != NULL) {
    g_set_error (error, BENCH_ERROR, BENCH_ERROR_USAGE, "--streams and --then measure different things: give one");
    return FALSE;
  }
  return options->streams == NULL || bench_check_streams (options->streams, MAX_STREAMS, error);
}

static gboolean
run (const Options *options, GError **error)
{
  const GstVideoFormat format = gst_video_format_from_string (options->format != NULL ? options->format : "NV12");
  const char *name = options->element != NULL ? options->element : "cca";
  g_autofree char *element =
      options->properties != NULL ? g_strconcat (name, " ", options->properties, NULL) : g_strdup (name);
  g_autoptr (BenchCase) pictures = NULL;
  Frames frames = { .options = options };
  FILE *csv = NULL;
  gboolean done;

  if (format == GST_VIDEO_FORMAT_UNKNOWN
      || !gst_video_info_set_format (&frames.info, format, options->width, options->height)) {
    g_set_error (error, BENCH_ERROR, BENCH_ERROR_USAGE, "--format: \"%s\" is no video format", options->format);
    return FALSE;
  }
  if (options->files != NULL) {
    pictures = bench_case_new (options->files[0], "frames", options->width, options->height);
    if (!bench_media_read (options->files[0], keep_frame, pictures, error))
      return FALSE;
  } else {
    g_autoptr (BenchNoise) noise = bench_noise_new (options->width, options->height, 32, 1, 8);

    pictures = bench_case_new_random (noise, 10);
  }
  if (options->csv != NULL && (csv = fopen (options->csv, "w")) == NULL) {
    g_set_error (error, BENCH_ERROR, BENCH_ERROR_OUTPUT, "%s cannot be written: %s", options->csv, g_strerror (errno));
    return FALSE;
  }
  frames.buffers = make_frames (pictures, &frames.info);
  printf ("%s, %s %dx%d in memory of the %s, %u different frames, %d blocks of %d:\n", element,
          gst_video_format_to_string (format), options->width, options->height, options->device ? "device" : "host",
          frames.buffers->len, options->n_blocks, options->n_frames);
  done = options->streams != NULL ? measure_streams (&frames, element, csv, error)
                                  : measure_element (&frames, element, csv, error);
  g_ptr_array_unref (frames.buffers);
  g_clear_pointer (&frames.context, gst_context_unref);
  if (csv != NULL && fclose (csv) != 0 && done) {
    g_set_error (error, BENCH_ERROR, BENCH_ERROR_OUTPUT, "%s cannot be written: %s", options->csv, g_strerror (errno));
    return FALSE;
  }
  return done;
}

int
main (int argc, char **argv)
{
  Options options = { .width = 1920, .height = 1080, .n_frames = 100, .n_blocks = 9 };
  g_autoptr (GError) error = NULL;
  gboolean parsed, done = FALSE;

  setlocale (LC_CTYPE, "");
  parsed = parse_options (&options, &argc, &argv, &error);
  if (parsed) {
    gst_init (&argc, &argv);
    done = run (&options, &error);
  }
  if (!done)
    fprintf (stderr, "gst-overhead: %s\n%s", error->message,
             parsed ? "" : "usage: gst-overhead [OPTION…] [FILE or URI]; gst-overhead --help tells more\n");
  g_strfreev (options.files);
  g_free (options.element);
  g_free (options.properties);
  g_free (options.then);
  g_free (options.streams);
  g_free (options.format);
  g_free (options.csv);
  return done ? 0 : parsed ? 1 : 2;
}
