/* gst-cca: gst-overhead, what element cca costs a pipeline beyond libcca's own time
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Two pipelines, with cca and with identity before a fakesink, are pushed the same frames in turns, each push timed.
 * A block of frames gives
 *   added = mean push through cca - mean push through identity - mean time in libcca (the element's stats),
 * means, because a disturbance inside libcca then counts on both sides of the difference; the result is the median
 * over blocks, each with new pipelines.
 */
#include <gst/video/video.h>
#include <errno.h>
#include <locale.h>
#include <stdio.h>

#include "bench-case.h"
#include "bench-engine.h"
#include "bench-media.h"
#include "bench-samples.h"

#define FRAMES_BEFORE 8 /* pushed untimed at the start of each block */

typedef struct
{
  GstElement *pipeline, *element;
  GstPad *source;
  double time; /* ns, of timed pushes */
} Lane;

typedef struct
{
  double cca, identity, library, added; /* ns a frame */
} Block;

static gboolean
lane_open (Lane *lane, const char *description, const GstVideoInfo *info, GError **error)
{
  GstElement *sink = gst_element_factory_make ("fakesink", NULL);
  g_autoptr (GstCaps) caps = gst_video_info_to_caps (info);
  g_autoptr (GstPad) pad = NULL;
  GstSegment segment;

  *lane = (Lane){ .pipeline = gst_pipeline_new (NULL), .source = gst_pad_new ("src", GST_PAD_SRC) };
  g_object_set (sink, "async", FALSE, "sync", FALSE, "enable-last-sample", FALSE, NULL);
  gst_bin_add (GST_BIN (lane->pipeline), sink);
  lane->element = gst_parse_launch_full (description, NULL, GST_PARSE_FLAG_FATAL_ERRORS, error);
  if (lane->element == NULL)
    return FALSE;
  gst_bin_add (GST_BIN (lane->pipeline), lane->element);
  pad = gst_element_get_static_pad (lane->element, "sink");
  if (pad == NULL || !gst_element_link (lane->element, sink) || gst_pad_link (lane->source, pad) != GST_PAD_LINK_OK
      || gst_element_set_state (lane->pipeline, GST_STATE_PLAYING) == GST_STATE_CHANGE_FAILURE) {
    g_set_error (error, BENCH_ERROR, BENCH_ERROR_ENGINE, "\"%s\" cannot be run between a source and a sink",
                 description);
    return FALSE;
  }
  gst_segment_init (&segment, GST_FORMAT_TIME);
  gst_pad_set_active (lane->source, TRUE);
  gst_pad_push_event (lane->source, gst_event_new_stream_start ("overhead"));
  if (!gst_pad_push_event (lane->source, gst_event_new_caps (caps))) {
    g_set_error (error, BENCH_ERROR, BENCH_ERROR_ENGINE, "\"%s\" refuses %s", description,
                 gst_video_format_to_string (GST_VIDEO_INFO_FORMAT (info)));
    return FALSE;
  }
  gst_pad_push_event (lane->source, gst_event_new_segment (&segment));
  return TRUE;
}

static void
lane_close (Lane *lane)
{
  if (lane->pipeline != NULL)
    gst_element_set_state (lane->pipeline, GST_STATE_NULL);
  gst_clear_object (&lane->source);
  gst_clear_object (&lane->pipeline);
}

static gboolean
lane_push (Lane *lane, GstBuffer *frame, guint64 number, gboolean timed, GError **error)
{
  g_autoptr (GstBus) bus = gst_element_get_bus (lane->pipeline);
  GstBuffer *buffer = gst_buffer_copy (frame); /* the shell: pixels are shared */
  GstMessage *message;
  GstFlowReturn flow;
  double start;

  GST_BUFFER_PTS (buffer) = number * GST_SECOND / 30;
  GST_BUFFER_DURATION (buffer) = GST_SECOND / 30;
  start = bench_now ();
  flow = gst_pad_push (lane->source, buffer);
  if (timed)
    lane->time += bench_now () - start;
  if (flow != GST_FLOW_OK) {
    message = gst_bus_pop_filtered (bus, GST_MESSAGE_ERROR);
    if (message != NULL) {
      gst_message_parse_error (message, error, NULL);
      gst_message_unref (message);
    } else {
      g_set_error (error, BENCH_ERROR, BENCH_ERROR_ENGINE, "a frame was refused: %s", gst_flow_get_name (flow));
    }
    return FALSE;
  }
  while ((message = gst_bus_pop (bus)) != NULL)
    gst_message_unref (message);
  return TRUE;
}

/* The sum of all stages' time so far, ns; the element's stats have means. */
static double
library_time (const Lane *lane)
{
  GstStructure *stats = NULL;
  guint64 frames = 0;
  double sum = 0;

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

static gboolean
run_block (GPtrArray *frames, const GstVideoInfo *info, const char *cca, guint n_frames, Block *block, GError **error)
{
  Lane lanes[2] = { 0 };
  double library = 0;
  gboolean done = lane_open (&lanes[0], cca, info, error) && lane_open (&lanes[1], "identity", info, error);

  for (guint64 i = 0; done && i < FRAMES_BEFORE + n_frames; i++) {
    GstBuffer *frame = g_ptr_array_index (frames, i % frames->len);

    if (i == FRAMES_BEFORE)
      library = library_time (&lanes[0]);
    for (guint l = 0; done && l < 2; l++)
      done = lane_push (&lanes[(i + l) % 2], frame, i, i >= FRAMES_BEFORE, error);
  }
  if (done) {
    block->cca = lanes[0].time / n_frames;
    block->identity = lanes[1].time / n_frames;
    block->library = (library_time (&lanes[0]) - library) / n_frames;
    block->added = block->cca - block->identity - block->library;
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

/* Prints the median and the range of a field over the blocks, and writes them to csv where there is one. */
static void
put_field (FILE *csv, const char *name, const Block *blocks, guint n, gsize offset)
{
  g_autofree double *values = g_new (double, n);
  double median;

  for (guint i = 0; i < n; i++)
    values[i] = G_STRUCT_MEMBER (double, &blocks[i], offset);
  bench_sort (values, n);
  median = bench_quantile (values, n, 0.5);
  printf ("  %-24s %10.2f %10.2f %10.2f\n", name, median / 1e3, values[0] / 1e3, values[n - 1] / 1e3);
  if (csv != NULL)
    fprintf (csv, "%s,%.0f,%.0f,%.0f\n", name, median, values[0], values[n - 1]);
}

static gboolean
report (const Block *blocks, guint n, const char *path, GError **error)
{
  FILE *csv = path != NULL ? fopen (path, "w") : NULL;

  if (csv != NULL)
    fputs ("what,median_ns,min_ns,max_ns\n", csv);
  printf ("  %-24s %10s %10s %10s\n", "us a frame", "median", "min", "max");
  put_field (csv, "push through cca", blocks, n, offsetof (Block, cca));
  put_field (csv, "push through identity", blocks, n, offsetof (Block, identity));
  put_field (csv, "libcca", blocks, n, offsetof (Block, library));
  put_field (csv, "added by the element", blocks, n, offsetof (Block, added));
  if (path == NULL || (csv != NULL && fclose (csv) == 0))
    return TRUE;
  g_set_error (error, BENCH_ERROR, BENCH_ERROR_OUTPUT, "%s cannot be written: %s", path, g_strerror (errno));
  return FALSE;
}

typedef struct
{
  int width, height, n_frames, n_blocks;
  char *properties, *format, *csv;
  char **files;
} Options;

static gboolean
parse_options (Options *options, int *argc, char ***argv, GError **error)
{
  const GOptionEntry entries[] = {
    { "width", 0, 0, G_OPTION_ARG_INT, &options->width, "Of the frames; 1920", "N" },
    { "height", 0, 0, G_OPTION_ARG_INT, &options->height, "Of the frames; 1080", "N" },
    { "format", 0, 0, G_OPTION_ARG_STRING, &options->format, "NV12", "FORMAT" },
    { "properties", 'p', 0, G_OPTION_ARG_STRING, &options->properties, "Properties of cca", "NAME=VALUE…" },
    { "frames", 'n', 0, G_OPTION_ARG_INT, &options->n_frames, "Frames in a block; 100", "N" },
    { "csv", 'o', 0, G_OPTION_ARG_FILENAME, &options->csv, "Write the results there, too", "FILE" },
    { "blocks", 0, 0, G_OPTION_ARG_INT, &options->n_blocks, "Blocks; 9", "N" },
    { G_OPTION_REMAINING, 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &options->files, NULL, "[FILE or URI]" },
    { NULL },
  };
  g_autoptr (GOptionContext) context = g_option_context_new (NULL);

  g_option_context_set_summary (context, "Measures what element cca adds to libcca's own time in a pipeline, on the "
                                         "first 100 frames of FILE scaled to size, or on random images.");
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
  return TRUE;
}

static gboolean
run (const Options *options, GError **error)
{
  const GstVideoFormat format = gst_video_format_from_string (options->format != NULL ? options->format : "NV12");
  g_autofree char *cca = g_strconcat ("cca ", options->properties, NULL);
  g_autofree Block *blocks = g_new0 (Block, options->n_blocks);
  g_autoptr (BenchCase) pictures = NULL;
  g_autoptr (GPtrArray) frames = NULL;
  GstVideoInfo info;

  if (format == GST_VIDEO_FORMAT_UNKNOWN
      || !gst_video_info_set_format (&info, format, options->width, options->height)) {
    g_set_error (error, BENCH_ERROR, BENCH_ERROR_USAGE, "--format: \"%s\" is no video format", options->format);
    return FALSE;
  }
  if (options->files != NULL) {
    pictures = bench_case_new (options->files[0], "frames", options->width, options->height);
    if (!bench_media_read (options->files[0], keep_frame, pictures, error))
      return FALSE;
  } else {
    pictures = bench_case_new_random (options->width, options->height, 10, 32, 1, 8);
  }
  frames = make_frames (pictures, &info);
  for (int b = 0; b < options->n_blocks; b++)
    if (!run_block (frames, &info, cca, options->n_frames, &blocks[b], error))
      return FALSE;
  printf ("%s, %s %dx%d, %u different frames, %d blocks of %d:\n", cca, gst_video_format_to_string (format),
          options->width, options->height, frames->len, options->n_blocks, options->n_frames);
  return report (blocks, options->n_blocks, options->csv, error);
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
  g_free (options.properties);
  g_free (options.format);
  g_free (options.csv);
  return done ? 0 : parsed ? 1 : 2;
}
