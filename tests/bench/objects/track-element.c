/* gst-cca: runs scripted scenes as pixels through cca ! ccatrack, and compares with the tracker fed directly
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * usage: track-element [--wide] [--coverage] [--check] SEED…
 *
 * Prints for each kind of scene IDF1 of the metas that come out, and of the tracker on what libcca finds, as means over
 * the seeds. --wide takes scenes of the wide range (scenes.h); --coverage asks the analysis for the coverage of cells.
 * With --check it fails if the element is worse by more than 0.01. GST_PLUGIN_PATH names the built plugin.
 */
#include <getopt.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#include <gst/app/gstappsink.h>
#include <gst/app/gstappsrc.h>
#include <gst/cca/gstccatrackmeta.h>

#include "vision.h"

#define TOLERANCE 0.01

typedef struct
{
  SceneRange range;
  bool coverage;
} Options;

/* --- Pipeline ---------------------------------------------------------------------------------------- */

typedef struct
{
  GstElement *pipeline;
  GstAppSrc *source;
  GstAppSink *sink;
  gsize size; /* of a frame, bytes */
} Stream;

static Stream
stream_new (const Scene *scene, bool coverage)
{
  const guint width = scene_width (scene), height = scene_height (scene);
  gchar *text = g_strdup_printf ("appsrc name=source format=time caps=video/x-raw,format=GRAY8,width=%u,height=%u,"
                                 "framerate=0/1 ! cca min-area=3 post-messages=false %s ! "
                                 "ccatrack post-messages=false ! appsink name=sink sync=false",
                                 width, height, coverage ? "coverage=true" : "");
  GError *error = NULL;
  Stream stream = { .pipeline = gst_parse_launch (text, &error), .size = (gsize) GST_ROUND_UP_4 (width) * height };

  if (error != NULL) {
    fprintf (stderr, "track-element: %s\n", error->message);
    exit (1);
  }
  stream.source = GST_APP_SRC (gst_bin_get_by_name (GST_BIN (stream.pipeline), "source"));
  stream.sink = GST_APP_SINK (gst_bin_get_by_name (GST_BIN (stream.pipeline), "sink"));
  gst_element_set_state (stream.pipeline, GST_STATE_PLAYING);
  g_free (text);
  return stream;
}

static void
stream_free (Stream *stream)
{
  gst_element_set_state (stream->pipeline, GST_STATE_NULL);
  gst_object_unref (stream->source);
  gst_object_unref (stream->sink);
  gst_object_unref (stream->pipeline);
}

/* Passes a mask of width x height bytes. Returns the sample that comes out. */
static GstSample *
stream_pass (Stream *stream, const guint8 *mask, guint width, guint height, guint64 time)
{
  const gsize stride = GST_ROUND_UP_4 (width);
  GstBuffer *buffer = gst_buffer_new_allocate (NULL, stream->size, NULL);
  GstSample *sample;

  for (guint y = 0; y < height; y++)
    gst_buffer_fill (buffer, y * stride, mask + (gsize) y * width, width);
  GST_BUFFER_PTS (buffer) = time;
  if (gst_app_src_push_buffer (stream->source, buffer) != GST_FLOW_OK
      || (sample = gst_app_sink_pull_sample (stream->sink)) == NULL) {
    fprintf (stderr, "track-element: the pipeline has stopped\n");
    exit (1);
  }
  return sample;
}

/* --- Scores ------------------------------------------------------------------------------------------ */

static void
add_metas (Identity *identity, GstSample *sample, const SceneBox *truth, size_t n_truth)
{
  const GstCcaTrackMeta *meta = gst_buffer_get_cca_track_meta (gst_sample_get_buffer (sample));
  GArray *boxes = g_array_new (FALSE, FALSE, sizeof (SceneBox));

  for (guint i = 0; meta != NULL && i < meta->n_tracks; i++) {
    const GstCcaTrack *track = &meta->tracks[i];
    const SceneBox box = { (uint32_t) track->track_id, track->x, track->y, track->width, track->height };

    g_array_append_val (boxes, box);
  }
  identity_add (identity, truth, n_truth, (const SceneBox *) boxes->data, boxes->len);
  g_array_free (boxes, TRUE);
}

static void
run_scene (SceneKind kind, uint32_t seed, const Options *options, double *element, double *core)
{
  Scene *scene = scene_new (kind, options->range, seed);
  const uint32_t width = scene_width (scene), height = scene_height (scene);
  guint8 *mask = g_malloc ((gsize) width * height);
  Stream stream = stream_new (scene, options->coverage);
  Vision *vision = vision_new (width, height);
  GstCcaTracker *tracker = gst_cca_tracker_new (NULL);
  Identity *of_element = identity_new (), *of_core = identity_new ();
  const SceneBox *truth;
  uint64_t time;
  size_t n_truth;

  while (scene_next (scene, mask, &time, &truth, &n_truth)) {
    GstSample *sample = stream_pass (&stream, mask, width, height, time);
    GstCcaTrackerFrame frame;
    const GstCcaObject *tracks;
    size_t n_tracks;

    add_metas (of_element, sample, truth, n_truth);
    gst_sample_unref (sample);
    vision_look (vision, mask, time, &frame);
    if (!options->coverage)
      frame.coverage = NULL;
    if (!gst_cca_tracker_run (tracker, &frame, &tracks, &n_tracks))
      abort ();
    vision_evaluate (of_core, truth, n_truth, tracks, n_tracks, false);
  }
  *element += identity_f1 (of_element);
  *core += identity_f1 (of_core);
  identity_free (of_element);
  identity_free (of_core);
  gst_cca_tracker_free (tracker);
  vision_free (vision);
  stream_free (&stream);
  scene_free (scene);
  g_free (mask);
}

int
main (int argc, char **argv)
{
  static const struct option names[] = { { "wide", no_argument, NULL, 'w' },
                                         { "coverage", no_argument, NULL, 'o' },
                                         { "check", no_argument, NULL, 'c' },
                                         { NULL, 0, NULL, 0 } };
  Options options = { SCENE_USUAL, false };
  double all_element = 0.0, all_core = 0.0;
  bool check = false, failed = false;
  int option, n;

  gst_init (NULL, NULL);
  while ((option = getopt_long (argc, argv, "", names, NULL)) != -1)
    switch (option) {
      case 'w': options.range = SCENE_WIDE; break;
      case 'o': options.coverage = true; break;
      case 'c': check = true; break;
      default: n = 0; goto usage;
    }
  n = argc - optind;
  if (n < 1)
    goto usage;
  printf ("%-6s %8s %8s\n", "scene", "element", "core");
  for (int kind = 0; kind < N_SCENES; kind++) {
    double element = 0.0, core = 0.0;

    for (int i = 0; i < n; i++)
      run_scene (kind, (uint32_t) strtoul (argv[optind + i], NULL, 10), &options, &element, &core);
    printf ("%-6s %8.3f %8.3f\n", scene_name (kind), element / n, core / n);
    failed = failed || element / n < core / n - TOLERANCE;
    all_element += element / n;
    all_core += core / n;
  }
  printf ("%-6s %8.3f %8.3f\n", "mean", all_element / N_SCENES, all_core / N_SCENES);
  return check && failed;

usage:
  fprintf (stderr, "usage: track-element [--wide] [--coverage] [--check] SEED…\n");
  return 2;
}
