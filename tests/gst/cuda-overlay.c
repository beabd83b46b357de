/* gst-cca: cudaccaoverlay draws what ccaoverlay does
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "cuda-test.h"

#include <gst/cca/gstccaeventmeta.h>
#include <gst/cca/gstccatrackmeta.h>

static const gchar *const formats[] = { "NV12", "NV21", "I420", "YV12", "Y42B", "Y444",
                                        "YUY2", "UYVY", "RGBx", "BGRx", "RGBA", "BGRA" };

/* Less than a tile, parts of tiles, and several. */
static const guint sizes[][2] = { { 1, 1 }, { 7, 5 }, { 157, 84 }, { 320, 243 } };

/* Steps of 255 by which a value may differ from that of the painter in system memory. */
#define ROUNDING 1

/* --- Scenes ------------------------------------------------------------------------------------------ */

/* What a test draws on a frame: its number says when it is. */
typedef void (*Scene) (GstBuffer *buffer, guint width, guint height, guint number);

static guint
random_below (GRand *random, guint n)
{
  return n > 1 ? (guint) g_rand_int_range (random, 0, (gint32) n) : 0;
}

/* Boxes in random places, some as far as the frame's edges, which overlap each other. */
static void
add_some_components (GstBuffer *buffer, guint width, guint height, guint n)
{
  GstCcaComponent *components = g_new0 (GstCcaComponent, n);
  GRand *random = g_rand_new_with_seed (n);

  for (guint i = 0; i < n; i++) {
    GstCcaComponent *c = &components[i];

    c->label = i + 1;
    c->x = random_below (random, width);
    c->y = random_below (random, height);
    c->width = 1 + random_below (random, width - c->x);
    c->height = 1 + random_below (random, height - c->y);
    c->area = (guint64) c->width * c->height;
    c->centroid_x = c->x + c->width / 2.0;
    c->centroid_y = c->y + c->height / 3.0;
  }
  gst_buffer_add_cca_meta (buffer, "a", width, height, n, components, n);
  g_rand_free (random);
  g_free (components);
}

static void
add_no_component (GstBuffer *buffer, guint width, guint height, guint number)
{
  add_some_components (buffer, width, height, 0);
}

static void
add_components (GstBuffer *buffer, guint width, guint height, guint number)
{
  add_some_components (buffer, width, height, 5 + number);
}

static void
add_many_components (GstBuffer *buffer, guint width, guint height, guint number)
{
  add_some_components (buffer, width, height, 1000);
}

/* Tracks of all states that move to the right and out of the frame. */
static void
add_tracks (GstBuffer *buffer, guint width, guint height, guint number)
{
  GstCcaTrack tracks[6] = { 0 };

  for (guint i = 0; i < G_N_ELEMENTS (tracks); i++)
    tracks[i] = (GstCcaTrack) { .track_id = i + 1,
                                .state = (GstCcaTrackState) (i % 3),
                                .label = i + 1,
                                .x = MIN ((i + 1) * width / 8 + number * width / 5, width - 1),
                                .y = i * height / 8 + number * height / 30,
                                .width = 1 + width / 9,
                                .height = 1 + height / 7,
                                .area = 100,
                                .centroid_x = MIN ((i + 1) * width / 8 + number * width / 5 + width / 18.0, width - 1),
                                .centroid_y = i * height / 8 + height / 14.0 };
  gst_buffer_add_cca_track_meta (buffer, "a", width, height, tracks, G_N_ELEMENTS (tracks));
}

/* A zone that crosses itself and leaves the frame, another, a line, and an event. */
static void
add_rules (GstBuffer *buffer, guint width, guint height, guint number)
{
  const gdouble w = width, h = height;
  const GstCcaPoint star[] = { { w * .1, h * .2 }, { w * 1.2, h * .5 }, { w * .15, h * .7 }, { w * .7, -h * .1 } };
  const GstCcaPoint square[] = { { w * .5, h * .5 }, { w * .9, h * .5 }, { w * .9, h * .9 }, { w * .5, h * .9 } };
  const GstCcaPoint across[] = { { w * .05, h * .95 }, { w * .4, h * .6 }, { w * .8, h * .7 } };
  const GstCcaRule rules[] = {
    { .name = "star", .type = GST_CCA_RULE_ZONE, .n_points = G_N_ELEMENTS (star), .points = star },
    { .name = "door", .type = GST_CCA_RULE_ZONE, .n_points = G_N_ELEMENTS (square), .points = square },
    { .name = "road", .type = GST_CCA_RULE_LINE, .n_points = G_N_ELEMENTS (across), .points = across, .n_in = number },
  };
  const GstCcaEvent event = { .type = GST_CCA_EVENT_CROSS, .rule = "road", .track_id = 2, .x = w * .4, .y = h * .6 };

  add_tracks (buffer, width, height, number);
  gst_buffer_add_cca_event_meta (buffer, "a", width, height, rules, G_N_ELEMENTS (rules), &event, number == 1);
}

/* --- Twins ------------------------------------------------------------------------------------------- */

/* The byte that gst_video_blend() takes for a pixel's alpha, or 255. */
static guint
alpha_at (const GstVideoFrame *frame, gint x, gint y)
{
  if (!GST_VIDEO_INFO_IS_RGB (&frame->info))
    return 255;
  return (
      (const guint8 *) GST_VIDEO_FRAME_PLANE_DATA (frame, 0))[y * GST_VIDEO_FRAME_PLANE_STRIDE (frame, 0) + 4 * x + 3];
}

/* Asserts that values differ by rounding only. The less alpha a pixel has, the coarser its colour is. */
static void
assert_like (GstBuffer *is, GstBuffer *should, const GstVideoInfo *info)
{
  GstVideoFrame frames[2];
  guint worst = 0;

  g_assert_true (gst_video_frame_map (&frames[0], info, is, GST_MAP_READ));
  g_assert_true (gst_video_frame_map (&frames[1], info, should, GST_MAP_READ));
  for (guint i = 0; i < GST_VIDEO_INFO_N_COMPONENTS (info); i++)
    for (gint y = 0; y < GST_VIDEO_INFO_COMP_HEIGHT (info, i); y++)
      for (gint x = 0; x < GST_VIDEO_INFO_COMP_WIDTH (info, i); x++) {
        const gint a = cuda_test_sample (&frames[0], i, x, y), b = cuda_test_sample (&frames[1], i, x, y);
        const guint error = (guint) ABS (a - b) * alpha_at (&frames[1], x, y) / 255;

        if (error > worst) {
          worst = error;
          g_test_message ("component %u at %d,%d: %d, not %d", i, x, y, a, b);
        }
      }
  gst_video_frame_unmap (&frames[1]);
  gst_video_frame_unmap (&frames[0]);
  g_assert_cmpuint (worst, <=, ROUNDING);
}

/* How many bytes of the frame the element has changed. */
static guint
n_changed (GstBuffer *after, GstBuffer *before, const GstVideoInfo *info)
{
  GstVideoFrame frames[2];
  guint n = 0;

  g_assert_true (gst_video_frame_map (&frames[0], info, after, GST_MAP_READ));
  g_assert_true (gst_video_frame_map (&frames[1], info, before, GST_MAP_READ));
  for (gint y = 0; y < GST_VIDEO_INFO_COMP_HEIGHT (info, 0); y++)
    for (gint x = 0; x < GST_VIDEO_INFO_COMP_WIDTH (info, 0); x++)
      n += cuda_test_sample (&frames[0], 0, x, y) != cuda_test_sample (&frames[1], 0, x, y);
  gst_video_frame_unmap (&frames[1]);
  gst_video_frame_unmap (&frames[0]);
  return n;
}

typedef struct
{
  const gchar *properties;
  Scene scene;
  guint n_frames;
} Case;

/* Asserts that both elements make the same of frames, and something where they should. */
static void
compare_twins (CudaSource *source, const Case *test)
{
  g_autofree gchar *launch = g_strdup_printf ("cudaccaoverlay %s", test->properties);
  const guint width = (guint) GST_VIDEO_INFO_WIDTH (&source->info);
  const guint height = (guint) GST_VIDEO_INFO_HEIGHT (&source->info);
  GstHarness *gpu = cuda_source_harness (source, launch, NULL);
  GstHarness *cpu =
      test_harness (launch + strlen ("cuda"), test_caps (GST_VIDEO_INFO_NAME (&source->info), width, height, NULL));

  for (guint i = 0; i < test->n_frames; i++) {
    GstBuffer *buffers[2] = { cuda_source_frame (source, i), test_frame (&source->info, i) };
    g_autoptr (GstBuffer) before = gst_buffer_copy_deep (buffers[1]);

    for (guint j = 0; j < 2; j++) {
      GST_BUFFER_PTS (buffers[j]) = i * 200 * GST_MSECOND;
      test->scene (buffers[j], width, height, i);
    }
    buffers[0] = test_pass (gpu, buffers[0]);
    buffers[1] = test_pass (cpu, buffers[1]);
    g_assert_true (cuda_test_memory_context (buffers[0]) == source->context);
    assert_like (buffers[0], buffers[1], &source->info);
    if (width * height > 10000)
      g_assert_cmpuint (n_changed (buffers[0], before, &source->info), >, 0);
    gst_buffer_unref (buffers[0]);
    gst_buffer_unref (buffers[1]);
  }
  test_harness_free (cpu);
  test_harness_free (gpu);
}

static const Case cases[] = {
  { "", add_no_component, 1 },
  { "", add_components, 2 },
  { "color-by=label color=0x9affffff show-area=true line-width=3", add_components, 1 },
  { "speed=false", add_tracks, 4 },
  { "", add_rules, 3 },
  { "heatmap=true show-count=false", add_tracks, 3 },
};

static void
test_twins (gconstpointer format)
{
  if (cuda_test_skip_without_gpu ())
    return;
  for (guint i = 0; i < G_N_ELEMENTS (sizes); i++) {
    CudaSource source;

    /* Of odd heights, libgstcuda 1.22 loses half a row of chroma where that has planes of its own. */
    if (!cuda_test_is_possible (format, sizes[i][1])
        || (sizes[i][1] % 2 != 0 && (g_str_equal (format, "I420") || g_str_equal (format, "YV12"))))
      continue;
    source = cuda_source_open (NULL, format, sizes[i][0], sizes[i][1]);
    for (guint j = 0; j < G_N_ELEMENTS (cases); j++) {
      g_test_message ("%s %ux%u, case %u: %s", (const gchar *) format, sizes[i][0], sizes[i][1], j,
                      cases[j].properties);
      compare_twins (&source, &cases[j]);
    }
    cuda_source_close (&source);
  }
}

/* More pieces in a tile than a block of threads reads at once. */
static void
test_many (void)
{
  const Case test = { "color=0x40ffc400", add_many_components, 2 };
  CudaSource source;

  if (cuda_test_skip_without_gpu ())
    return;
  source = cuda_source_open (NULL, "NV12", 640, 360);
  compare_twins (&source, &test);
  cuda_source_close (&source);
}

/* The view of a cropped frame begins in the middle of a chroma sample and of a mask's cell. */
static void
test_cropped (void)
{
  CudaSource source;
  GstHarness *gpu, *cpu;

  if (cuda_test_skip_without_gpu ())
    return;
  source = cuda_source_open (NULL, "NV12", 157, 84);
  gpu = cuda_source_harness (&source, "cudaccaoverlay", NULL);
  cpu = test_harness ("ccaoverlay", test_caps ("NV12", 157, 84, NULL));
  for (guint i = 0; i < 2; i++) {
    GstBuffer *buffers[2] = { cuda_source_frame (&source, i), test_frame (&source.info, i) };

    gst_buffer_add_video_meta (buffers[1], GST_VIDEO_FRAME_FLAG_NONE, GST_VIDEO_FORMAT_NV12, 157, 84);
    for (guint j = 0; j < 2; j++) {
      GstVideoCropMeta *crop = gst_buffer_add_video_crop_meta (buffers[j]);

      crop->x = 13, crop->y = 7, crop->width = 120, crop->height = 60;
      GST_BUFFER_PTS (buffers[j]) = i * 200 * GST_MSECOND;
      add_rules (buffers[j], 157, 84, i);
    }
    buffers[0] = test_pass (gpu, buffers[0]);
    buffers[1] = test_pass (cpu, buffers[1]);
    assert_like (buffers[0], buffers[1], &source.info);
    gst_buffer_unref (buffers[0]);
    gst_buffer_unref (buffers[1]);
  }
  test_harness_free (cpu);
  test_harness_free (gpu);
  cuda_source_close (&source);
}

/* Masks that the device has are drawn again, also with another font, and after so many that its memory grows. */
static void
test_kept_masks (void)
{
  CudaSource source;
  GstHarness *gpu, *cpu;

  if (cuda_test_skip_without_gpu ())
    return;
  source = cuda_source_open (NULL, "Y444", 320, 244);
  gpu = cuda_source_harness (&source, "cudaccaoverlay show-area=true", NULL);
  cpu = test_harness ("ccaoverlay show-area=true", test_caps ("Y444", 320, 244, NULL));
  for (guint i = 0; i < 8; i++) {
    GstBuffer *buffers[2] = { cuda_source_frame (&source, i), test_frame (&source.info, i) };
    const gchar *font = i < 4 ? "Sans Bold" : i < 6 ? "Serif 20" : "Sans Bold";

    g_object_set (gpu->element, "font-desc", font, NULL);
    g_object_set (cpu->element, "font-desc", font, NULL);
    for (guint j = 0; j < 2; j++) {
      GST_BUFFER_PTS (buffers[j]) = i * 100 * GST_MSECOND;
      add_rules (buffers[j], 320, 244, i / 2);
      if (i == 3)
        add_some_components (buffers[j], 320, 244, 2000);
    }
    buffers[0] = test_pass (gpu, buffers[0]);
    buffers[1] = test_pass (cpu, buffers[1]);
    assert_like (buffers[0], buffers[1], &source.info);
    gst_buffer_unref (buffers[0]);
    gst_buffer_unref (buffers[1]);
  }
  test_harness_free (cpu);
  test_harness_free (gpu);
  cuda_source_close (&source);
}

/* A frame of another context: the element draws there from then on. */
static void
test_other_context (void)
{
  CudaSource sources[2];
  GstCudaContext *context;
  GstHarness *harness;

  if (cuda_test_skip_without_gpu ())
    return;
  context = gst_cuda_context_new (0);
  sources[0] = cuda_source_open (NULL, "NV12", 160, 120);
  sources[1] = cuda_source_open (context, "NV12", 160, 120);
  harness = cuda_source_harness (&sources[0], "cudaccaoverlay", NULL);
  for (guint i = 0; i < 6; i++) {
    CudaSource *source = &sources[i / 2 % 2];
    g_autoptr (GstBuffer) before = cuda_source_frame (source, i);
    GstBuffer *after = gst_buffer_copy_deep (before);

    add_some_components (after, 160, 120, 3);
    after = test_pass (harness, after);
    g_assert_true (cuda_test_memory_context (after) == source->context);
    g_assert_cmpuint (n_changed (after, before, &source->info), >, 100);
    gst_buffer_unref (after);
  }
  test_harness_free (harness);
  cuda_source_close (&sources[1]);
  cuda_source_close (&sources[0]);
  gst_object_unref (context);
}

/* A frame that somebody else holds stays as it is, and so does one without metas. */
static void
test_untouched (void)
{
  CudaSource source;
  GstBuffer *in, *before, *out;
  GstHarness *harness;

  if (cuda_test_skip_without_gpu ())
    return;
  source = cuda_source_open (NULL, "NV12", 160, 120);
  harness = cuda_source_harness (&source, "cudaccaoverlay", NULL);
  in = cuda_source_frame (&source, 1);
  before = gst_buffer_copy_deep (in);
  out = test_pass (harness, gst_buffer_ref (in));
  cuda_test_assert_same_pixels (out, before, &source.info);
  gst_buffer_unref (out);
  add_some_components (in, 160, 120, 3);
  out = test_pass (harness, gst_buffer_ref (in));
  cuda_test_assert_same_pixels (in, before, &source.info);
  g_assert_cmpuint (n_changed (out, before, &source.info), >, 100);
  gst_buffer_unref (out);
  gst_buffer_unref (before);
  gst_buffer_unref (in);
  test_harness_free (harness);
  cuda_source_close (&source);
}

int
main (int argc, char **argv)
{
  gst_init (&argc, &argv);
  g_test_init (&argc, &argv, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (formats); i++) {
    g_autofree gchar *path = g_strdup_printf ("/cuda-overlay/twins/%s", formats[i]);

    g_test_add_data_func (path, formats[i], test_twins);
  }
  g_test_add_func ("/cuda-overlay/many", test_many);
  g_test_add_func ("/cuda-overlay/cropped", test_cropped);
  g_test_add_func ("/cuda-overlay/kept-masks", test_kept_masks);
  g_test_add_func ("/cuda-overlay/other-context", test_other_context);
  g_test_add_func ("/cuda-overlay/untouched", test_untouched);
  return g_test_run ();
}
