/* gst-cca: the elements measure and paint frames in CUDA memory
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "cuda-test.h"

#include <string.h>

/* The formats of test_formats that CUDA memory can hold. */
static const gchar *const formats[] = { "NV12", "NV21", "I420", "YV12", "Y42B", "Y444", "P010_10LE",
                                        "BGRx", "BGRA", "RGBx", "RGBA", "YUY2", "UYVY" };

static const guint sizes[][2] = { { 1, 1 }, { 2, 2 }, { 31, 7 }, { 157, 83 }, { 640, 360 }, { 1919, 1079 } };

/* --- Components */

/* Every size from a pool of CUDA memory. */
static void
test_components (gconstpointer format)
{
  for (guint i = 0; i < G_N_ELEMENTS (sizes); i++) {
    TestReference *reference;
    GstHarness *harness;
    CudaSource source;

    if (!cuda_test_is_possible (format, sizes[i][1]) || (sizes[i][0] > 200 && g_getenv ("NULL_DEVICE_EMULATES")))
      continue;
    source = cuda_source_open (NULL, format, sizes[i][0], sizes[i][1]);
    harness = cuda_source_harness (&source, "cudacca foreground=threshold", NULL);
    reference = cuda_test_reference (sizes[i][0], sizes[i][1], CCA_OUTPUT_NONE);

    for (guint j = 0; j < 5; j++) {
      g_autoptr (GstBuffer) buffer = test_pass (harness, cuda_source_frame (&source, j));

      test_reference_run (reference, j);
      test_assert_meta (buffer, reference);
      g_assert_true (cuda_test_memory_context (buffer) == source.context);
    }
    test_reference_free (reference);
    test_harness_free (harness);
    cuda_source_close (&source);
  }
}

/* The same stream through both twins. */
static void
test_twins (gconstpointer properties)
{
  enum
  {
    N_FRAMES = 40
  };
  CudaSource source;
  GstHarness *gpu, *cpu;
  gchar *launch;

  source = cuda_source_open (NULL, "NV12", 317, 241);
  launch = g_strdup_printf ("cudacca %s", (const gchar *) properties);
  gpu = cuda_source_harness (&source, launch, NULL);
  cpu = test_harness (launch + strlen ("cuda"), test_caps ("NV12", 317, 241, NULL));
  for (guint i = 0; i < N_FRAMES; i++) {
    g_autoptr (GstBuffer) on_gpu = test_pass (gpu, cuda_source_frame (&source, i / 3));
    g_autoptr (GstBuffer) on_cpu = test_pass (cpu, test_frame (&source.info, i / 3));
    GstCcaMeta *is = gst_buffer_get_cca_meta (on_gpu), *should = gst_buffer_get_cca_meta (on_cpu);

    g_assert_cmpuint (is->n_components, ==, should->n_components);
    g_assert_cmpuint (is->n_stored, ==, should->n_stored);
    for (guint j = 0; j < is->n_stored; j++) {
      const GstCcaComponent *one = gst_cca_meta_get_component (is, j), *other = gst_cca_meta_get_component (should, j);

      g_assert_cmpmem (&one->label, 5 * sizeof (guint), &other->label, 5 * sizeof (guint));
      g_assert_cmpuint (one->area, ==, other->area);
      g_assert_cmpmem (&one->centroid_x, 5 * sizeof (gdouble), &other->centroid_x, 5 * sizeof (gdouble));
    }
  }
  test_harness_free (cpu);
  test_harness_free (gpu);
  cuda_source_close (&source);
  g_free (launch);
}

/* A frame that others hold does not change, and the pixels are not copied. */
static void
test_untouched (void)
{
  g_auto (CudaSource) source = cuda_source_open (NULL, "NV12", 640, 360);
  g_autoptr (GstHarness) harness = cuda_source_harness (&source, "cudacca foreground=threshold", NULL);
  GstBuffer *in = cuda_source_frame (&source, 3);
  GstBuffer *before = gst_buffer_copy_deep (in);
  GstBuffer *out = test_pass (harness, gst_buffer_ref (in));

  g_assert_true (out != in);
  g_assert_true (gst_buffer_peek_memory (out, 0) == gst_buffer_peek_memory (in, 0));
  g_assert_null (gst_buffer_get_cca_meta (in));
  cuda_test_assert_same_pixels (out, before, &source.info);
  gst_buffer_unref (before);
  gst_buffer_unref (out);
  out = test_pass (harness, in);
  gst_buffer_unref (out);

  /* Once the element alone holds the buffer, it pushes the same buffer. */
  in = cuda_source_frame (&source, 4);
  out = test_pass (harness, in);
  g_assert_true (out == in);
  gst_buffer_unref (out);
}

/* A pool that is used again at once: frames must have been read before they go back. */
static void
test_reuse (void)
{
  g_auto (CudaSource) source = cuda_source_open (NULL, "I420", 1280, 720);
  g_autoptr (GstHarness) harness = cuda_source_harness (&source, "cudacca foreground=threshold", NULL);
  g_autoptr (TestReference) reference = cuda_test_reference (1280, 720, CCA_OUTPUT_NONE);

  for (guint i = 0; i < 60; i++) {
    g_autoptr (GstBuffer) buffer = test_pass (harness, cuda_source_frame (&source, i));

    test_reference_run (reference, i);
    test_assert_meta (buffer, reference);
  }
}

/* --- Pictures */

static void
assert_neutral_chroma (GstBuffer *buffer, GstCaps *caps)
{
  GstVideoFrame frame;
  GstVideoInfo info;

  g_assert_true (gst_video_info_from_caps (&info, caps));
  if (!cuda_test_keeps_chroma (GST_VIDEO_INFO_NAME (&info), (guint) GST_VIDEO_INFO_HEIGHT (&info)))
    return;
  g_assert_true (gst_video_frame_map (&frame, &info, buffer, GST_MAP_READ));
  for (guint i = 1; i < GST_VIDEO_INFO_N_COMPONENTS (&info); i++) {
    for (gint y = 0; y < GST_VIDEO_INFO_COMP_HEIGHT (&info, i); y++) {
      for (gint x = 0; x < GST_VIDEO_INFO_COMP_WIDTH (&info, i); x++)
        g_assert_cmpuint (cuda_test_sample (&frame, i, x, y), ==, 128);
    }
  }
  gst_video_frame_unmap (&frame);
}

typedef struct
{
  const gchar *name, *downstream;
  CcaOutput output;
} Picture;

static const Picture pictures[] = {
  { "cuda/colors", CUDA_MEMORY ",format=RGBA", CCA_OUTPUT_COLORS },
  { "cuda/u32", CUDA_MEMORY ",format=RGBA,label-format=u32", CCA_OUTPUT_LABELS_U32 },
  { "cuda/mask-nv12", CUDA_MEMORY ",format=NV12", CCA_OUTPUT_MASK },
  { "cuda/mask-nv21", CUDA_MEMORY ",format=NV21", CCA_OUTPUT_MASK },
  { "cuda/mask-i420", CUDA_MEMORY ",format=I420", CCA_OUTPUT_MASK },
  { "cuda/mask-yv12", CUDA_MEMORY ",format=YV12", CCA_OUTPUT_MASK },
  { "cuda/mask-y42b", CUDA_MEMORY ",format=Y42B", CCA_OUTPUT_MASK },
  { "cuda/mask-y444", CUDA_MEMORY ",format=Y444", CCA_OUTPUT_MASK },
  { "system/colors", "video/x-raw,format=RGBA", CCA_OUTPUT_COLORS },
  { "system/u16", "video/x-raw,format=GRAY16_LE", CCA_OUTPUT_LABELS_U16 },
  { "system/u32", "video/x-raw,format=RGBA,label-format=u32", CCA_OUTPUT_LABELS_U32 },
  { "system/mask", "video/x-raw,format=GRAY8", CCA_OUTPUT_MASK },
};

static void
assert_picture (GstHarness *harness, GstBuffer *buffer, const Picture *picture, const TestReference *reference)
{
  g_autoptr (GstCaps) caps = gst_pad_get_current_caps (harness->sinkpad);

  g_assert_cmpint (cuda_test_is_cuda (caps), ==, g_str_has_prefix (picture->name, "cuda"));
  g_assert_cmpint (gst_is_cuda_memory (gst_buffer_peek_memory (buffer, 0)), ==, cuda_test_is_cuda (caps));
  test_assert_pixels (buffer, caps, reference);
  test_assert_meta (buffer, reference);
  if (picture->output == CCA_OUTPUT_MASK)
    assert_neutral_chroma (buffer, caps);
}

/* From CUDA memory and from system memory, into each memory. */
static void
test_picture (gconstpointer data)
{
  const Picture *picture = data;

  for (guint i = 2; i < 5; i++) {
    const guint width = sizes[i][0], height = sizes[i][1];
    g_autoptr (TestReference) reference = cuda_test_reference (width, height, picture->output);
    g_auto (CudaSource) source = cuda_source_open (NULL, "NV12", width, height);
    g_autoptr (GstHarness) from_cuda =
        cuda_source_harness (&source, "cudaccl foreground=threshold", picture->downstream);
    GstContext *context = gst_context_new_cuda_context (source.context);
    g_autoptr (GstHarness) from_system = test_harness_in_context ("cudaccl foreground=threshold", context, NULL);

    gst_context_unref (context);
    gst_harness_set_sink_caps_str (from_system, picture->downstream);
    gst_harness_set_src_caps (from_system, test_caps ("GRAY8", width, height, NULL));
    for (guint j = 0; j < 4; j++) {
      const GstVideoInfo gray = test_video_info ("GRAY8", width, height);
      GstBuffer *buffer;

      test_reference_run (reference, j);
      buffer = test_pass (from_cuda, cuda_source_frame (&source, j));
      assert_picture (from_cuda, buffer, picture, reference);
      gst_buffer_unref (buffer);
      buffer = test_pass (from_system, test_frame (&gray, j));
      assert_picture (from_system, buffer, picture, reference);
      gst_buffer_unref (buffer);
    }
  }
}

/* Unless downstream asks for something else, frames stay in their memory, and a mask in its format. */
static void
test_preference (void)
{
  static const struct
  {
    const gchar *launch, *caps;
  } cases[] = {
    { "cudaccl", CUDA_MEMORY ",format=RGBA" },
    { "cudaccl output=labels", CUDA_MEMORY ",format=RGBA,label-format=u32" },
    { "cudaccl output=mask", CUDA_MEMORY ",format=Y42B" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_auto (CudaSource) source = cuda_source_open (NULL, "Y42B", 64, 48);
    g_autoptr (GstHarness) harness = cuda_source_harness (&source, cases[i].launch, NULL);
    GstCaps *wanted = gst_caps_from_string (cases[i].caps), *caps;

    gst_buffer_unref (test_pass (harness, cuda_source_frame (&source, 1)));
    caps = gst_pad_get_current_caps (harness->sinkpad);
    g_assert_true (gst_caps_is_subset (caps, wanted));
    gst_caps_unref (caps);
    gst_caps_unref (wanted);
  }
}

/* A gap is an empty frame, in either memory. */
static void
test_gap (gconstpointer data)
{
  const Picture *picture = data;
  g_auto (CudaSource) source = cuda_source_open (NULL, "NV12", 64, 48);
  g_autoptr (GstHarness) harness = cuda_source_harness (&source, "cudaccl", picture->downstream);

  for (guint i = 0; i < 3; i++) {
    GstBuffer *in = cuda_source_frame (&source, i);
    g_autoptr (GstBuffer) buffer = NULL;
    g_autoptr (GstCaps) caps = NULL;
    GstVideoFrame frame;
    GstVideoInfo info;

    if (i == 1)
      GST_BUFFER_FLAG_SET (in, GST_BUFFER_FLAG_GAP);
    buffer = test_pass (harness, in);
    if (i != 1)
      continue;
    caps = gst_pad_get_current_caps (harness->sinkpad);
    g_assert_true (gst_video_info_from_caps (&info, caps));
    g_assert_true (GST_BUFFER_FLAG_IS_SET (buffer, GST_BUFFER_FLAG_GAP));
    g_assert_true (gst_video_frame_map (&frame, &info, buffer, GST_MAP_READ));
    for (gint y = 0; y < 48; y++) {
      for (gint x = 0; x < 64 * GST_VIDEO_FRAME_COMP_PSTRIDE (&frame, 0); x++)
        g_assert_cmpuint (
            ((guint8 *) GST_VIDEO_FRAME_PLANE_DATA (&frame, 0))[y * GST_VIDEO_FRAME_PLANE_STRIDE (&frame, 0) + x], ==,
            picture->output == CCA_OUTPUT_COLORS && x % 4 == 3 ? 255 : 0);
    }
    gst_video_frame_unmap (&frame);
    if (picture->output == CCA_OUTPUT_MASK)
      assert_neutral_chroma (buffer, caps);
  }
}

/* --- Life */

/* Output frames come back from a pool: as many memories as frames under way. */
static void
test_pool (gconstpointer downstream)
{
  g_autoptr (GHashTable) seen = g_hash_table_new (NULL, NULL);
  g_auto (CudaSource) source = cuda_source_open (NULL, "NV12", 320, 240);
  g_autoptr (GstHarness) harness = cuda_source_harness (&source, "cudaccl", downstream);

  for (guint i = 0; i < 50; i++) {
    g_autoptr (GstBuffer) buffer = test_pass (harness, cuda_source_frame (&source, i));

    g_hash_table_add (seen, gst_buffer_peek_memory (buffer, 0));
  }
  g_assert_cmpuint (g_hash_table_size (seen), <=, 3);
}

static void
test_playing (void)
{
  TestReference *references[2];
  GstHarness *harness;
  CudaSource source;
  CcaParams params = test_threshold_params ();

  references[0] = test_reference_new (320, 240, &params, CCA_OUTPUT_NONE);
  params.threshold = 17;
  params.connectivity = 4;
  params.close_radius = 2;
  references[1] = test_reference_new (320, 240, &params, CCA_OUTPUT_NONE);
  source = cuda_source_open (NULL, "NV12", 320, 240);
  harness = cuda_source_harness (&source, "cudacca foreground=threshold", NULL);
  for (guint i = 0; i < 8; i++) {
    const guint other = i / 2 % 2;
    g_autoptr (GstBuffer) buffer = NULL;

    g_object_set (harness->element, "threshold", other ? 17 : 127, "connectivity", other ? 4 : 8, "close-radius",
                  other ? 2 : 0, NULL);
    buffer = test_pass (harness, cuda_source_frame (&source, i));
    test_reference_run (references[other], i);
    test_assert_meta (buffer, references[other]);
  }
  test_harness_free (harness);
  cuda_source_close (&source);
  test_reference_free (references[1]);
  test_reference_free (references[0]);
}

static void
test_stats (void)
{
  GstStructure *stats;
  guint64 frames = 0, label = 0;
  g_auto (CudaSource) source = cuda_source_open (NULL, "NV12", 1280, 720);
  g_autoptr (GstHarness) harness = cuda_source_harness (&source, "cudacca", NULL);

  for (guint i = 0; i < 5; i++)
    gst_buffer_unref (test_pass (harness, cuda_source_frame (&source, i)));
  g_object_get (harness->element, "stats", &stats, NULL);
  gst_structure_get (stats, "frames", G_TYPE_UINT64, &frames, "label-time", G_TYPE_UINT64, &label, NULL);
  g_assert_cmpuint (frames, ==, 5);
  g_assert_cmpuint (label, >, 0);
  g_assert_nonnull (strstr (gst_structure_get_string (stats, "backend"), "cuda"));
  gst_structure_free (stats);
}

static void
add_cases (void)
{
  add_strings ("/cuda/components", formats, G_N_ELEMENTS (formats), test_components);
  add_case ("/cuda/twins", "motion", "foreground=motion motion-model=sigma-delta motion-learning=2 close-radius=1",
            test_twins);
  add_case ("/cuda/twins", "samples", "foreground=motion motion-model=samples motion-learning=2 close-radius=1",
            test_twins);
  add_case ("/cuda/twins", "area", "foreground=range min-area=5 max-area=90 order=area max-components=9", test_twins);
  add_case ("/cuda/twins", "moments", "foreground=nonzero connectivity=4 covariance=true", test_twins);
  add_case ("/cuda/twins", "details", "foreground=threshold shape=true intensity=true overlaps=true order=area",
            test_twins);
  ADD_ROWS ("/cuda/picture", pictures, test_picture);
  ADD_ROWS ("/cuda/gap", pictures, test_gap);
  add_case ("/cuda/pool", "cuda", CUDA_MEMORY ",format=RGBA", test_pool);
  add_case ("/cuda/pool", "system", "video/x-raw,format=RGBA", test_pool);
  ADD_TESTS ("/cuda", test_untouched, test_reuse, test_preference, test_playing, test_stats);
}

int
main (int argc, char **argv)
{
  return cuda_test_main (argc, argv, "/cuda", add_cases);
}
