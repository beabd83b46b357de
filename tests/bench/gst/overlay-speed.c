/* gst-cca: overlay-speed, the time that cudaccaoverlay takes for a frame, beside ccaoverlay
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * usage: overlay-speed [FORMAT [WIDTH HEIGHT]]
 *
 * Pushes frames with scripted metas through the element, and through identity, in turns. Prints the median time of a
 * push through the element less that through identity, µs: in CUDA memory, where a push returns when the frame is
 * drawn, and in system memory. The time of the kernel alone:
 *
 *   ncu --metrics gpu__time_duration.sum -k regex:cca_overlay -c 20 -s 100 overlay-speed
 *
 * or, for all scenes, nsys profile --stats=true overlay-speed
 */
#include "../times.h"
#include "tests/gst/cuda-test.h"

#include <gst/cca/gstccaeventmeta.h>
#include <gst/cca/gstccatrackmeta.h>
#include <stdio.h>
#include <stdlib.h>

enum
{
  FRAMES = 100,
  WARM_UP = 20,
};

typedef struct
{
  const gchar *name, *properties;
  guint n_components, n_tracks;
  gboolean zone;
} Scene;

static const Scene scenes[] = {
  { "no object", "", 0, 0, FALSE },
  { "10 components", "", 10, 0, FALSE },
  { "100 components", "", 100, 0, FALSE },
  { "1000 components", "", 1000, 0, FALSE },
  { "100 boxes without texts", "show-labels=false show-count=false", 100, 0, FALSE },
  { "100 tracks", "trails=false", 0, 100, FALSE },
  { "100 tracks with trails", "", 0, 100, FALSE },
  { "10 tracks with trails, a zone of a quarter", "", 0, 10, TRUE },
  { "10 tracks, heatmap", "trails=false heatmap=true", 0, 10, FALSE },
};

/* Objects on a grid, of a hundredth of the frame at most, each on a way of its own. */
static void
add_metas (GstBuffer *buffer, const Scene *scene, guint width, guint height, guint frame)
{
  const guint n = MAX (scene->n_components, scene->n_tracks);
  g_autofree GstCcaComponent *components = g_new0 (GstCcaComponent, n);
  g_autofree GstCcaTrack *tracks = g_new0 (GstCcaTrack, n);
  guint columns = 1;

  while (columns * columns < n)
    columns++;
  for (guint i = 0; i < n; i++) {
    const guint cell_w = width / columns, cell_h = height / columns, w = cell_w / 2, h = cell_h / 2;
    const guint x = i % columns * cell_w + (frame * (1 + i % 3)) % MAX (1, cell_w - w);
    const guint y = i / columns * cell_h + (frame * (1 + i % 2)) % MAX (1, cell_h - h);

    components[i] = (GstCcaComponent) { .label = i + 1,
                                        .x = x,
                                        .y = y,
                                        .width = w,
                                        .height = h,
                                        .area = w * h / 2,
                                        .centroid_x = x + w / 2.0,
                                        .centroid_y = y + h / 2.0 };
    tracks[i] = (GstCcaTrack) { .track_id = i + 1,
                                .state = GST_CCA_TRACK_STATE_CONFIRMED,
                                .label = i + 1,
                                .x = x,
                                .y = y,
                                .width = w,
                                .height = h,
                                .area = w * h / 2,
                                .centroid_x = x + w / 2.0,
                                .centroid_y = y + h / 2.0 };
  }
  gst_buffer_add_cca_meta (buffer, "a", width, height, scene->n_components, components, scene->n_components);
  if (scene->n_tracks > 0)
    gst_buffer_add_cca_track_meta (buffer, "a", width, height, tracks, scene->n_tracks);
  if (scene->zone) {
    const gdouble w = width, h = height;
    const GstCcaPoint points[] = { { w / 4, h / 5 }, { w * .8, h / 4 }, { w * .75, h * .8 }, { w / 3, h * .75 } };
    const GstCcaRule rule = { .name = "zone", .type = GST_CCA_RULE_ZONE, .n_points = 4, .points = points };

    gst_buffer_add_cca_event_meta (buffer, "a", width, height, &rule, 1, NULL, 0);
  }
}

/* Returns ns. */
static gdouble
time_push (GstHarness *harness, GstBuffer *buffer)
{
  const GstClockTime before = gst_util_get_timestamp ();
  GstClockTime after;

  if (gst_harness_push (harness, buffer) != GST_FLOW_OK) {
    fprintf (stderr, "overlay-speed: a frame does not pass\n");
    exit (1);
  }
  after = gst_util_get_timestamp ();
  gst_buffer_unref (gst_harness_pull (harness));
  return (gdouble) (after - before);
}

/* Returns the median of the extra time of frames in the first harness, compared with the second, µs. */
static gdouble
measure (GstHarness *harnesses[2], GstBufferPool *pool, const Scene *scene, const GstVideoInfo *info)
{
  gdouble times[2][FRAMES];

  for (guint i = 0; i < WARM_UP + FRAMES; i++)
    for (guint j = 0; j < 2; j++) {
      GstBuffer *buffer;
      gdouble time;

      g_assert_cmpint (gst_buffer_pool_acquire_buffer (pool, &buffer, NULL), ==, GST_FLOW_OK);
      GST_BUFFER_PTS (buffer) = i * 40 * GST_MSECOND;
      add_metas (buffer, scene, (guint) GST_VIDEO_INFO_WIDTH (info), (guint) GST_VIDEO_INFO_HEIGHT (info), i);
      time = time_push (harnesses[j], buffer);
      if (i >= WARM_UP)
        times[j][i - WARM_UP] = time;
    }
  for (guint j = 0; j < 2; j++)
    bench_sort (times[j], FRAMES);
  return (times[0][FRAMES / 2] - times[1][FRAMES / 2]) / 1e3;
}

static gdouble
measure_device (CudaSource *source, const Scene *scene)
{
  g_autofree gchar *launch = g_strdup_printf ("cudaccaoverlay %s", scene->properties);
  GstHarness *harnesses[2] = { cuda_source_harness (source, launch, NULL),
                               cuda_source_harness (source, "identity", NULL) };
  const gdouble time = measure (harnesses, source->pool, scene, &source->info);

  test_harness_free (harnesses[0]);
  test_harness_free (harnesses[1]);
  return time;
}

static gdouble
measure_host (const GstVideoInfo *info, const Scene *scene)
{
  g_autofree gchar *launch = g_strdup_printf ("ccaoverlay %s", scene->properties);
  g_autoptr (GstCaps) caps = gst_video_info_to_caps (info);
  GstHarness *harnesses[2] = { test_harness (launch, gst_caps_ref (caps)),
                               test_harness ("identity", gst_caps_ref (caps)) };
  g_autoptr (GstBufferPool) pool = gst_video_buffer_pool_new ();
  GstStructure *config = gst_buffer_pool_get_config (pool);
  gdouble time;

  gst_buffer_pool_config_set_params (config, caps, (guint) GST_VIDEO_INFO_SIZE (info), 0, 0);
  g_assert_true (gst_buffer_pool_set_config (pool, config));
  g_assert_true (gst_buffer_pool_set_active (pool, TRUE));
  time = measure (harnesses, pool, scene, info);
  test_harness_free (harnesses[0]);
  test_harness_free (harnesses[1]);
  gst_buffer_pool_set_active (pool, FALSE);
  return time;
}

int
main (int argc, char **argv)
{
  const gchar *format = argc > 1 ? argv[1] : "NV12";
  const guint width = argc > 3 ? (guint) atoi (argv[2]) : 1920, height = argc > 3 ? (guint) atoi (argv[3]) : 1080;
  CudaSource source;

  gst_init (&argc, &argv);
  g_test_init (&argc, &argv, NULL);
  if (cuda_test_skip_without_gpu ()) {
    fprintf (stderr, "overlay-speed: no GPU\n");
    return 1;
  }
  source = cuda_source_open (NULL, format, width, height);
  printf ("%s %ux%u, median of %d frames, us\n%-44s%12s%12s\n", format, width, height, FRAMES, "", "CUDA", "system");
  for (guint i = 0; i < G_N_ELEMENTS (scenes); i++)
    printf ("%-44s%12.1f%12.1f\n", scenes[i].name, measure_device (&source, &scenes[i]),
            measure_host (&source.info, &scenes[i]));
  cuda_source_close (&source);
  return 0;
}
