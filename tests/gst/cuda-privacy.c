/* gst-cca: cudaccaprivacy paints what ccaprivacy does
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "cuda-test.h"

static const gchar *const formats[] = { "NV12", "NV21", "I420", "YV12", "Y42B", "Y444",
                                        "YUY2", "UYVY", "RGBx", "BGRx", "RGBA", "BGRA" };

/* Some less than a block, some with parts of blocks; a cell of the last is larger than a tile of the kernel. */
static const guint sizes[][2] = { { 1, 1 }, { 2, 2 }, { 7, 5 }, { 31, 18 }, { 157, 84 }, { 320, 243 } };

#define CELL 8

/* Adds components in random places, and their coverage; or nothing, so that the frame is hidden as a whole. */
static void
add_objects (GstBuffer *buffer, const GstVideoInfo *info, guint n, GRand *random)
{
  const guint width = (guint) GST_VIDEO_INFO_WIDTH (info), height = (guint) GST_VIDEO_INFO_HEIGHT (info);
  const guint columns = (width + CELL - 1) / CELL, rows = (height + CELL - 1) / CELL;
  g_autofree GstCcaComponent *components = g_new0 (GstCcaComponent, n);
  g_autofree guint8 *counts = g_malloc0 ((gsize) columns * rows);
  GstCcaMeta *meta;
  GBytes *bytes;

  for (guint i = 0; i < n; i++) {
    GstCcaComponent *c = &components[i];

    c->label = i + 1;
    c->x = (guint) g_rand_int_range (random, 0, (gint32) width);
    c->y = (guint) g_rand_int_range (random, 0, (gint32) height);
    c->width = 1 + (guint) g_rand_int_range (random, 0, (gint32) (width - c->x));
    c->height = 1 + (guint) g_rand_int_range (random, 0, (gint32) (height - c->y));
    c->area = (guint64) c->width * c->height;
    for (guint y = c->y / CELL; y <= (c->y + c->height - 1) / CELL; y++)
      for (guint x = c->x / CELL; x <= (c->x + c->width - 1) / CELL; x++)
        counts[y * columns + x] = g_rand_int_range (random, 0, 4) > 0;
  }
  meta = gst_buffer_add_cca_meta (buffer, "a", width, height, n, components, n);
  bytes = g_bytes_new (counts, (gsize) columns * rows);
  g_assert_true (gst_cca_meta_set_coverage (meta, CELL, bytes));
  g_bytes_unref (bytes);
}

/* Of odd heights, libgstcuda 1.22 loses half a row of chroma where that has planes of its own. */
static gboolean
keeps_chroma (const gchar *format, guint height)
{
  return height % 2 == 0 || (!g_str_equal (format, "I420") && !g_str_equal (format, "YV12"));
}

/* Asserts that both elements with these properties make the same of a frame. */
static void
compare_twins (CudaSource *source, const gchar *properties, guint n_objects)
{
  g_autofree gchar *launch = g_strdup_printf ("cudaccaprivacy %s", properties);
  GstHarness *gpu = cuda_source_harness (source, launch, NULL);
  GstHarness *cpu =
      test_harness (launch + strlen ("cuda"),
                    test_caps (GST_VIDEO_INFO_NAME (&source->info), (guint) GST_VIDEO_INFO_WIDTH (&source->info),
                               (guint) GST_VIDEO_INFO_HEIGHT (&source->info), NULL));

  for (guint i = 0; i < 3; i++) {
    GstBuffer *buffers[2] = { cuda_source_frame (source, i), test_frame (&source->info, i) };

    for (guint j = 0; n_objects > 0 && j < 2; j++) {
      GRand *random = g_rand_new_with_seed (i);

      add_objects (buffers[j], &source->info, n_objects, random);
      g_rand_free (random);
    }
    buffers[0] = test_pass (gpu, buffers[0]);
    buffers[1] = test_pass (cpu, buffers[1]);
    g_assert_true (cuda_test_memory_context (buffers[0]) == source->context);
    cuda_test_assert_same_pixels (buffers[0], buffers[1], &source->info);
    gst_buffer_unref (buffers[0]);
    gst_buffer_unref (buffers[1]);
  }
  test_harness_free (cpu);
  test_harness_free (gpu);
}

/* Every mode, with objects and without, in cells of every level. */
static void
test_twins (gconstpointer format)
{
  static const gchar *const modes[] = { "fill fill-color=0xff123456", "pixelate", "blur" };

  if (cuda_test_skip_without_gpu ())
    return;
  for (guint i = 0; i < G_N_ELEMENTS (sizes); i++) {
    CudaSource source;

    if (!cuda_test_is_possible (format, sizes[i][1]) || !keeps_chroma (format, sizes[i][1]))
      continue;
    source = cuda_source_open (NULL, format, sizes[i][0], sizes[i][1]);
    for (guint mode = 0; mode < G_N_ELEMENTS (modes); mode++)
      for (guint cells = 1; cells <= 8; cells *= 8)
        for (guint n = 0; n <= 3; n += 3) {
          g_autofree gchar *properties = g_strdup_printf ("mode=%s cells=%u dilation=8", modes[mode], cells);

          g_test_message ("%s %ux%u, %s, %u objects", (const gchar *) format, sizes[i][0], sizes[i][1], properties, n);
          compare_twins (&source, properties, n);
        }
    cuda_source_close (&source);
  }
}

/* A frame of another context: the element works there from then on, whatever the one before was. */
static void
test_other_context (void)
{
  CudaSource sources[2];
  GstCudaContext *context;
  GstHarness *harness;

  if (cuda_test_skip_without_gpu ())
    return;
  context = gst_cuda_context_new (0);
  sources[0] = cuda_source_open (NULL, "NV12", 64, 48);
  sources[1] = cuda_source_open (context, "NV12", 64, 48);
  harness = cuda_source_harness (&sources[0], "cudaccaprivacy mode=pixelate cells=1", NULL);
  for (guint i = 0; i < 6; i++) {
    CudaSource *source = &sources[i / 2 % 2];
    GstBuffer *before = cuda_source_frame (source, i), *after = test_pass (harness, gst_buffer_copy_deep (before));
    GstVideoFrame frame;

    g_assert_true (cuda_test_memory_context (after) == source->context);
    g_assert_true (gst_video_frame_map (&frame, &source->info, after, GST_MAP_READ));
    g_assert_cmpuint (cuda_test_sample (&frame, 0, 0, 0), ==, cuda_test_sample (&frame, 0, 63, 47));
    gst_video_frame_unmap (&frame);
    gst_buffer_unref (before);
    gst_buffer_unref (after);
  }
  test_harness_free (harness);
  cuda_source_close (&sources[1]);
  cuda_source_close (&sources[0]);
  gst_object_unref (context);
}

/* A frame that somebody else holds stays as it is. */
static void
test_untouched (void)
{
  CudaSource source;
  GstBuffer *in, *before, *out;
  GstHarness *harness;

  if (cuda_test_skip_without_gpu ())
    return;
  source = cuda_source_open (NULL, "NV12", 64, 48);
  harness = cuda_source_harness (&source, "cudaccaprivacy mode=fill", NULL);
  in = cuda_source_frame (&source, 1);
  before = gst_buffer_copy_deep (in);
  out = test_pass (harness, gst_buffer_ref (in));
  cuda_test_assert_same_pixels (in, before, &source.info);
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
    g_autofree gchar *path = g_strdup_printf ("/cuda-privacy/twins/%s", formats[i]);

    g_test_add_data_func (path, formats[i], test_twins);
  }
  g_test_add_func ("/cuda-privacy/other-context", test_other_context);
  g_test_add_func ("/cuda-privacy/untouched", test_untouched);
  return g_test_run ();
}
