/* gst-cca: frames in CUDA memory, on a GPU
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "element-test.h"

#include <gst/cuda/gstcudabufferpool.h>
#include <gst/cuda/gstcudacontext.h>
#include <gst/cuda/gstcudaloader.h>
#include <gst/cuda/gstcudamemory.h>
#include <gst/cuda/gstcudautils.h>
#if GST_CHECK_VERSION(1, 24, 0)
#include <gst/cuda/gstcudastream.h>
#endif

#include <string.h>

/* Those of test_formats that CUDA memory can hold. */
static const gchar *const formats[] = { "NV12", "NV21", "I420", "YV12", "Y42B", "Y444" };

/* --- What has to be there ---------------------------------------------------------------------------------- */

/* Whether the case was skipped, as there is no GPU. */
static gboolean
skip_without_gpu (void)
{
  static gsize asked;
  static gchar *reason;

  if (g_once_init_enter (&asked)) {
    CcaContextOptions options;
    CcaContext *context;

    cca_context_options_init (&options);
    options.backend = CCA_BACKEND_CUDA;
    if (cca_context_new (&options, &context) == CCA_OK) {
      cca_context_free (context);
      if (gst_cuda_load_library ())
        gst_cuda_memory_init_once ();
      else
        reason = g_strdup ("libgstcuda cannot load the driver's library");
    } else {
      reason = g_strdup (cca_last_error ());
    }
    g_once_init_leave (&asked, 1);
  }
  if (reason)
    g_test_skip (reason);
  return reason != NULL;
}

/* The same, also for elements of nvcodec. */
static gboolean
skip_without (const gchar *element)
{
  GstElementFactory *factory;
  gchar *reason;

  if (skip_without_gpu ())
    return TRUE;
  factory = gst_element_factory_find (element);
  if (factory) {
    gst_object_unref (factory);
    return FALSE;
  }
  reason = g_strdup_printf ("no element %s: plugin nvcodec is not installed, or found nothing that it can use", element);
  g_test_skip (reason);
  g_free (reason);
  return TRUE;
}

/* --- A source of frames in CUDA memory ----------------------------------------------------------------------- */

typedef struct
{
  GstCudaContext *context;
  GstBufferPool *pool;
  GstVideoInfo info;
  GstCaps *caps;
} Source;

/* In a context, or NULL for one of its own. */
static Source
source_open (GstCudaContext *context, const gchar *format, guint width, guint height)
{
  Source source = { .context = context ? gst_object_ref (context) : gst_cuda_context_new (0),
                    .info = test_video_info (format, width, height),
                    .caps = test_caps (format, width, height, NULL) };
  GstStructure *config;

  g_assert_nonnull (source.context);
  gst_caps_set_features_simple (source.caps, gst_caps_features_new (GST_CAPS_FEATURE_MEMORY_CUDA_MEMORY, NULL));
  source.pool = gst_cuda_buffer_pool_new (source.context);
  config = gst_buffer_pool_get_config (source.pool);
  gst_buffer_pool_config_set_params (config, source.caps, (guint) GST_VIDEO_INFO_SIZE (&source.info), 0, 0);
  g_assert_true (gst_buffer_pool_set_config (source.pool, config));
  g_assert_true (gst_buffer_pool_set_active (source.pool, TRUE));
  return source;
}

static GstBuffer *
source_frame (Source *source, guint seed)
{
  GstBuffer *buffer;

  g_assert_cmpint (gst_buffer_pool_acquire_buffer (source->pool, &buffer, NULL), ==, GST_FLOW_OK);
  test_fill_frame (buffer, &source->info, seed);
  return buffer;
}

static void
source_close (Source *source)
{
  gst_buffer_pool_set_active (source->pool, FALSE);
  gst_object_unref (source->pool);
  gst_object_unref (source->context);
  gst_caps_unref (source->caps);
}

static GstHarness *
source_harness (const Source *source, const gchar *launch, const gchar *downstream)
{
  GstHarness *harness = test_harness (launch, NULL);

  if (downstream)
    gst_harness_set_sink_caps_str (harness, downstream);
  gst_harness_set_src_caps (harness, gst_caps_ref (source->caps));
  return harness;
}

/* --- What comes out ------------------------------------------------------------------------------------------ */

static GstCudaContext *
memory_context (GstBuffer *buffer)
{
  GstMemory *memory = gst_buffer_peek_memory (buffer, 0);

  g_assert_true (gst_is_cuda_memory (memory));
  return GST_CUDA_MEMORY_CAST (memory)->context;
}

/* The one that an element tells its neighbours, without a reference. */
static GstCudaContext *
element_context (GstElement *element)
{
  GstPad *pad = gst_element_get_static_pad (element, "sink");
  GstQuery *query = gst_query_new_context (GST_CUDA_CONTEXT_TYPE);
  GstCudaContext *found = NULL;
  GstContext *context;

  if (gst_pad_query (pad, query)) {
    gst_query_parse_context (query, &context);
    gst_structure_get (gst_context_get_structure (context), GST_CUDA_CONTEXT_TYPE, GST_TYPE_CUDA_CONTEXT, &found, NULL);
    gst_object_unref (found);
  }
  gst_query_unref (query);
  gst_object_unref (pad);
  return found;
}

static TestReference *
threshold_reference (guint width, guint height, CcaOutput output)
{
  CcaParams params;

  cca_params_init (&params);
  params.foreground = CCA_FOREGROUND_THRESHOLD;
  return test_reference_new (width, height, &params, output);
}

static gboolean
in_cuda_memory (const GstCaps *caps)
{
  return gst_caps_features_contains (gst_caps_get_features (caps, 0), GST_CAPS_FEATURE_MEMORY_CUDA_MEMORY);
}

static void
assert_neutral_chroma (GstBuffer *buffer, GstCaps *caps)
{
  GstVideoFrame frame;
  GstVideoInfo info;

  g_assert_true (gst_video_info_from_caps (&info, caps));
  g_assert_true (gst_video_frame_map (&frame, &info, buffer, GST_MAP_READ));
  for (guint component = 1; component < GST_VIDEO_FRAME_N_COMPONENTS (&frame); component++) {
    for (gint y = 0; y < GST_VIDEO_FRAME_COMP_HEIGHT (&frame, component); y++) {
      for (gint x = 0; x < GST_VIDEO_FRAME_COMP_WIDTH (&frame, component); x++)
        g_assert_cmpuint (((guint8 *) GST_VIDEO_FRAME_COMP_DATA (
                              &frame, component))[y * GST_VIDEO_FRAME_COMP_STRIDE (&frame, component)
                                                  + x * GST_VIDEO_FRAME_COMP_PSTRIDE (&frame, component)],
                          ==, 128);
    }
  }
  gst_video_frame_unmap (&frame);
}

/* --- Components ------------------------------------------------------------------------------------------------ */

static const guint sizes[][2] = { { 1, 1 }, { 2, 2 }, { 31, 7 }, { 157, 83 }, { 640, 360 }, { 1919, 1079 } };

/* Every size from a pool of CUDA memory. */
static void
test_components (gconstpointer format)
{
  if (skip_without_gpu ())
    return;
  for (guint i = 0; i < G_N_ELEMENTS (sizes); i++) {
    Source source = source_open (NULL, format, sizes[i][0], sizes[i][1]);
    GstHarness *harness = source_harness (&source, "cudacca foreground=threshold", NULL);
    TestReference *reference = threshold_reference (sizes[i][0], sizes[i][1], CCA_OUTPUT_NONE);

    for (guint j = 0; j < 5; j++) {
      GstBuffer *buffer = gst_harness_push_and_pull (harness, source_frame (&source, j));

      test_reference_run (reference, j);
      test_assert_meta (buffer, reference);
      g_assert_true (memory_context (buffer) == source.context);
      gst_buffer_unref (buffer);
    }
    test_reference_free (reference);
    test_harness_free (harness);
    source_close (&source);
  }
}

/* Frames that cudaupload brought. */
static void
test_uploaded (gconstpointer format)
{
  if (skip_without ("cudaupload"))
    return;
  for (guint i = 2; i < G_N_ELEMENTS (sizes); i++) {
    const GstVideoInfo info = test_video_info (format, sizes[i][0], sizes[i][1]);
    GstHarness *harness = gst_harness_new_parse ("cudaupload ! cudacca foreground=threshold");
    TestReference *reference = threshold_reference (sizes[i][0], sizes[i][1], CCA_OUTPUT_NONE);

    gst_harness_set_sink_caps_str (harness, "video/x-raw(memory:CUDAMemory)");
    gst_harness_set_src_caps (harness, test_caps (format, sizes[i][0], sizes[i][1], NULL));
    for (guint j = 0; j < 5; j++) {
      GstBuffer *buffer = gst_harness_push_and_pull (harness, test_frame (&info, j));

      test_reference_run (reference, j);
      test_assert_meta (buffer, reference);
      memory_context (buffer);
      gst_buffer_unref (buffer);
    }
    test_reference_free (reference);
    gst_harness_teardown (harness);
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
  Source source;
  GstHarness *gpu, *cpu;
  gchar *launch;

  if (skip_without_gpu ())
    return;
  source = source_open (NULL, "NV12", 317, 241);
  launch = g_strdup_printf ("cudacca %s", (const gchar *) properties);
  gpu = source_harness (&source, launch, NULL);
  cpu = test_harness (launch + strlen ("cuda"), test_caps ("NV12", 317, 241, NULL));
  for (guint i = 0; i < N_FRAMES; i++) {
    GstBuffer *on_gpu = gst_harness_push_and_pull (gpu, source_frame (&source, i / 3));
    GstBuffer *on_cpu = gst_harness_push_and_pull (cpu, test_frame (&source.info, i / 3));
    GstCcaMeta *is = gst_buffer_get_cca_meta (on_gpu), *should = gst_buffer_get_cca_meta (on_cpu);

    g_assert_cmpuint (is->n_components, ==, should->n_components);
    g_assert_cmpuint (is->n_stored, ==, should->n_stored);
    for (guint j = 0; j < is->n_stored; j++)
      g_assert_cmpmem (gst_cca_meta_get_component (is, j), sizeof (GstCcaComponent),
                       gst_cca_meta_get_component (should, j), sizeof (GstCcaComponent));
    gst_buffer_unref (on_cpu);
    gst_buffer_unref (on_gpu);
  }
  test_harness_free (cpu);
  test_harness_free (gpu);
  source_close (&source);
  g_free (launch);
}

/* Nobody else's view of a frame changes, and the pixels are not copied. */
static void
test_untouched (void)
{
  GstBuffer *in, *out, *before;
  GstHarness *harness;
  Source source;

  if (skip_without_gpu ())
    return;
  source = source_open (NULL, "NV12", 640, 360);
  harness = source_harness (&source, "cudacca foreground=threshold", NULL);
  in = source_frame (&source, 3);
  before = gst_buffer_copy_deep (in);
  out = gst_harness_push_and_pull (harness, gst_buffer_ref (in));
  g_assert_true (out != in);
  g_assert_true (gst_buffer_peek_memory (out, 0) == gst_buffer_peek_memory (in, 0));
  g_assert_null (gst_buffer_get_cca_meta (in));
  {
    GstMapInfo was, is;

    g_assert_true (gst_buffer_map (before, &was, GST_MAP_READ));
    g_assert_true (gst_buffer_map (out, &is, GST_MAP_READ));
    g_assert_cmpmem (is.data, is.size, was.data, was.size);
    gst_buffer_unmap (out, &is);
    gst_buffer_unmap (before, &was);
  }
  gst_buffer_unref (before);
  gst_buffer_unref (out);
  out = gst_harness_push_and_pull (harness, in);
  gst_buffer_unref (out);

  /* Once the shell is the element's alone, it is the one that goes on. */
  in = source_frame (&source, 4);
  out = gst_harness_push_and_pull (harness, in);
  g_assert_true (out == in);
  gst_buffer_unref (out);
  test_harness_free (harness);
  source_close (&source);
}

/* A pool that is used again at once: frames must have been read before they go back. */
static void
test_reuse (void)
{
  TestReference *reference;
  GstHarness *harness;
  Source source;

  if (skip_without_gpu ())
    return;
  source = source_open (NULL, "I420", 1280, 720);
  harness = source_harness (&source, "cudacca foreground=threshold", NULL);
  reference = threshold_reference (1280, 720, CCA_OUTPUT_NONE);
  for (guint i = 0; i < 60; i++) {
    GstBuffer *buffer = gst_harness_push_and_pull (harness, source_frame (&source, i));

    test_reference_run (reference, i);
    test_assert_meta (buffer, reference);
    gst_buffer_unref (buffer);
  }
  test_reference_free (reference);
  test_harness_free (harness);
  source_close (&source);
}

/* --- Pictures ---------------------------------------------------------------------------------------------------- */

typedef struct
{
  const gchar *name, *downstream;
  CcaOutput output;
} Picture;

static const Picture pictures[] = {
  { "cuda/colors", "video/x-raw(memory:CUDAMemory),format=RGBA", CCA_OUTPUT_COLORS },
  { "cuda/u32", "video/x-raw(memory:CUDAMemory),format=RGBA,label-format=u32", CCA_OUTPUT_LABELS_U32 },
  { "cuda/mask-nv12", "video/x-raw(memory:CUDAMemory),format=NV12", CCA_OUTPUT_MASK },
  { "cuda/mask-nv21", "video/x-raw(memory:CUDAMemory),format=NV21", CCA_OUTPUT_MASK },
  { "cuda/mask-i420", "video/x-raw(memory:CUDAMemory),format=I420", CCA_OUTPUT_MASK },
  { "cuda/mask-yv12", "video/x-raw(memory:CUDAMemory),format=YV12", CCA_OUTPUT_MASK },
  { "cuda/mask-y42b", "video/x-raw(memory:CUDAMemory),format=Y42B", CCA_OUTPUT_MASK },
  { "cuda/mask-y444", "video/x-raw(memory:CUDAMemory),format=Y444", CCA_OUTPUT_MASK },
  { "system/colors", "video/x-raw,format=RGBA", CCA_OUTPUT_COLORS },
  { "system/u16", "video/x-raw,format=GRAY16_LE", CCA_OUTPUT_LABELS_U16 },
  { "system/u32", "video/x-raw,format=RGBA,label-format=u32", CCA_OUTPUT_LABELS_U32 },
  { "system/mask", "video/x-raw,format=GRAY8", CCA_OUTPUT_MASK },
};

static void
assert_picture (GstHarness *harness, GstBuffer *buffer, const Picture *picture, const TestReference *reference)
{
  GstCaps *caps = gst_pad_get_current_caps (harness->sinkpad);

  g_assert_cmpint (in_cuda_memory (caps), ==, g_str_has_prefix (picture->name, "cuda"));
  g_assert_cmpint (gst_is_cuda_memory (gst_buffer_peek_memory (buffer, 0)), ==, in_cuda_memory (caps));
  test_assert_pixels (buffer, caps, reference);
  test_assert_meta (buffer, reference);
  if (picture->output == CCA_OUTPUT_MASK)
    assert_neutral_chroma (buffer, caps);
  gst_caps_unref (caps);
}

/* From CUDA memory and from system memory, into each memory. */
static void
test_picture (gconstpointer data)
{
  const Picture *picture = data;

  if (skip_without_gpu ())
    return;
  for (guint i = 2; i < 5; i++) {
    const guint width = sizes[i][0], height = sizes[i][1];
    TestReference *reference = threshold_reference (width, height, picture->output);
    Source source = source_open (NULL, "NV12", width, height);
    GstHarness *from_cuda = source_harness (&source, "cudaccl foreground=threshold", picture->downstream);
    GstHarness *from_system = test_harness ("cudaccl foreground=threshold", NULL);

    gst_harness_set_sink_caps_str (from_system, picture->downstream);
    gst_harness_set_src_caps (from_system, test_caps ("GRAY8", width, height, NULL));
    for (guint j = 0; j < 4; j++) {
      const GstVideoInfo gray = test_video_info ("GRAY8", width, height);
      GstBuffer *buffer;

      test_reference_run (reference, j);
      buffer = gst_harness_push_and_pull (from_cuda, source_frame (&source, j));
      assert_picture (from_cuda, buffer, picture, reference);
      gst_buffer_unref (buffer);
      buffer = gst_harness_push_and_pull (from_system, test_frame (&gray, j));
      assert_picture (from_system, buffer, picture, reference);
      gst_buffer_unref (buffer);
    }
    test_harness_free (from_system);
    test_harness_free (from_cuda);
    source_close (&source);
    test_reference_free (reference);
  }
}

/* What cudadownload brings to system memory is what ccl makes. */
static void
test_downloaded (void)
{
  static const struct
  {
    const gchar *properties, *downstream;
    CcaOutput output;
  } cases[] = {
    { "", "video/x-raw,format=RGBA", CCA_OUTPUT_COLORS },
    { "output=labels", "video/x-raw,format=RGBA", CCA_OUTPUT_LABELS_U32 },
    { "output=mask", "video/x-raw,format=I420", CCA_OUTPUT_MASK },
  };

  if (skip_without ("cudadownload"))
    return;
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    const GstVideoInfo info = test_video_info ("I420", 322, 180);
    gchar *launch = g_strdup_printf ("cudaupload ! cudaccl foreground=threshold %s ! cudadownload",
                                     cases[i].properties);
    GstHarness *harness = gst_harness_new_parse (launch);
    TestReference *reference = threshold_reference (322, 180, cases[i].output);

    gst_harness_set_sink_caps_str (harness, cases[i].downstream);
    gst_harness_set_src_caps (harness, test_caps ("I420", 322, 180, NULL));
    for (guint j = 0; j < 6; j++) {
      GstBuffer *buffer = gst_harness_push_and_pull (harness, test_frame (&info, j));
      GstCaps *caps = gst_pad_get_current_caps (harness->sinkpad);

      test_reference_run (reference, j);
      g_assert_false (in_cuda_memory (caps));
      test_assert_pixels (buffer, caps, reference);
      test_assert_meta (buffer, reference);
      gst_caps_unref (caps);
      gst_buffer_unref (buffer);
    }
    test_reference_free (reference);
    gst_harness_teardown (harness);
    g_free (launch);
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
    { "cudaccl", "video/x-raw(memory:CUDAMemory),format=RGBA" },
    { "cudaccl output=labels", "video/x-raw(memory:CUDAMemory),format=RGBA,label-format=u32" },
    { "cudaccl output=mask", "video/x-raw(memory:CUDAMemory),format=Y42B" },
  };

  if (skip_without_gpu ())
    return;
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    Source source = source_open (NULL, "Y42B", 64, 48);
    GstHarness *harness = source_harness (&source, cases[i].launch, NULL);
    GstCaps *wanted = gst_caps_from_string (cases[i].caps), *caps;

    gst_buffer_unref (gst_harness_push_and_pull (harness, source_frame (&source, 1)));
    caps = gst_pad_get_current_caps (harness->sinkpad);
    g_assert_true (gst_caps_is_subset (caps, wanted));
    gst_caps_unref (caps);
    gst_caps_unref (wanted);
    test_harness_free (harness);
    source_close (&source);
  }
}

/* A gap is an empty frame, in either memory. */
static void
test_gap (gconstpointer data)
{
  const Picture *picture = data;
  Source source;
  GstHarness *harness;

  if (skip_without_gpu ())
    return;
  source = source_open (NULL, "NV12", 64, 48);
  harness = source_harness (&source, "cudaccl", picture->downstream);
  for (guint i = 0; i < 3; i++) {
    GstBuffer *buffer = source_frame (&source, i);
    GstVideoFrame frame;
    GstVideoInfo info;
    GstCaps *caps;

    if (i != 1) {
      gst_buffer_unref (gst_harness_push_and_pull (harness, buffer));
      continue;
    }
    GST_BUFFER_FLAG_SET (buffer, GST_BUFFER_FLAG_GAP);
    buffer = gst_harness_push_and_pull (harness, buffer);
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
    gst_caps_unref (caps);
    gst_buffer_unref (buffer);
  }
  test_harness_free (harness);
  source_close (&source);
}

/* --- Contexts ----------------------------------------------------------------------------------------------------- */

/* Neighbours find one context between them, whoever starts. */
static void
test_shared_context (gconstpointer launch)
{
  GstElement *pipeline, *upload, *element, *sink;
  GstSample *sample = NULL;
  GError *error = NULL;

  if (skip_without ("cudaupload"))
    return;
  pipeline = gst_parse_launch (launch, &error);
  g_assert_no_error (error);
  upload = gst_bin_get_by_name (GST_BIN (pipeline), "upload");
  element = gst_bin_get_by_name (GST_BIN (pipeline), "element");
  sink = gst_bin_get_by_name (GST_BIN (pipeline), "sink");
  g_assert_cmpint (gst_element_set_state (pipeline, GST_STATE_PAUSED), !=, GST_STATE_CHANGE_FAILURE);
  g_assert_cmpint (gst_element_get_state (pipeline, NULL, NULL, 20 * GST_SECOND), ==, GST_STATE_CHANGE_SUCCESS);
  g_assert_nonnull (element_context (element));
  g_assert_true (element_context (element) == element_context (upload));
  g_object_get (sink, "last-sample", &sample, NULL);
  g_assert_nonnull (sample);
  g_assert_true (memory_context (gst_sample_get_buffer (sample)) == element_context (element));
  gst_sample_unref (sample);
  gst_element_set_state (pipeline, GST_STATE_NULL);
  g_assert_null (element_context (element));
  gst_object_unref (sink);
  gst_object_unref (element);
  gst_object_unref (upload);
  gst_object_unref (pipeline);
}

/* A context that the application sets is the one that is used. */
static void
test_set_context (void)
{
  GstCudaContext *cuda;
  GstElement *element;
  GstContext *context;

  if (skip_without_gpu ())
    return;
  cuda = gst_cuda_context_new (0);
  context = gst_context_new_cuda_context (cuda);
  for (guint fixed = 0; fixed < 2; fixed++) {
    element = gst_element_factory_make ("cudacca", NULL);
    g_object_set (element, "cuda-device-id", fixed ? 0 : -1, NULL);
    gst_element_set_context (element, context);
    g_assert_cmpint (gst_element_set_state (element, GST_STATE_PAUSED), ==, GST_STATE_CHANGE_SUCCESS);
    g_assert_true (element_context (element) == cuda);
    gst_element_set_state (element, GST_STATE_NULL);
    gst_object_unref (element);
  }
  gst_context_unref (context);
  gst_object_unref (cuda);
}

/* Frames of another context take the element with them; a background is learnt again there. */
static void
test_follow (gconstpointer launch)
{
  const gboolean labels = strstr (launch, "ccl") != NULL;
  Source sources[2];
  GstHarness *harness;
  guint n_moved = 0;

  if (skip_without_gpu ())
    return;
  sources[0] = source_open (NULL, "NV12", 320, 240);
  sources[1] = source_open (NULL, "NV12", 320, 240);
  g_assert_true (sources[0].context != sources[1].context);
  harness = source_harness (&sources[0], launch, labels ? "video/x-raw(memory:CUDAMemory),format=RGBA" : NULL);
  for (guint i = 0; i < 12; i++) {
    Source *source = &sources[i / 4 % 2];
    GstBuffer *buffer = gst_harness_push_and_pull (harness, source_frame (source, i % 4 / 2));
    GstCcaMeta *meta = gst_buffer_get_cca_meta (buffer);

    g_assert_true (element_context (harness->element) == source->context);
    g_assert_true (memory_context (buffer) == source->context);
    /* Four frames from each context: the third is another picture than the two that the background was made of. */
    if (i % 4 == 2)
      g_assert_cmpuint (meta->n_components, >, 0);
    else if (i % 4 < 2)
      g_assert_cmpuint (meta->n_components, ==, 0);
    n_moved += i % 4 == 0;
    gst_buffer_unref (buffer);
  }
  g_assert_cmpuint (n_moved, ==, 3);
  test_assert_no_message (harness, GST_MESSAGE_WARNING);
  test_assert_no_message (harness, GST_MESSAGE_ERROR);
  test_harness_free (harness);
  source_close (&sources[1]);
  source_close (&sources[0]);
}

/* A device that the user chose stays; frames from elsewhere come through system memory, with one warning. */
static void
test_fixed_device (void)
{
  GstCudaContext *second;
  TestReference *reference;
  GstHarness *harness;
  Source source;
  gchar *text;

  if (skip_without_gpu ())
    return;
  second = gst_cuda_context_new (1);
  if (!second) {
    g_test_skip ("there is only one GPU");
    return;
  }
  source = source_open (second, "NV12", 320, 240);
  harness = source_harness (&source, "cudacca foreground=threshold cuda-device-id=0", NULL);
  reference = threshold_reference (320, 240, CCA_OUTPUT_NONE);
  for (guint i = 0; i < 3; i++) {
    GstBuffer *buffer = gst_harness_push_and_pull (harness, source_frame (&source, i));

    test_reference_run (reference, i);
    test_assert_meta (buffer, reference);
    g_assert_true (element_context (harness->element) != second);
    gst_buffer_unref (buffer);
  }
  text = test_message_text (test_pop_message (harness, GST_MESSAGE_WARNING));
  g_assert_nonnull (strstr (text, "device 1"));
  g_assert_nonnull (strstr (text, "cuda-device-id"));
  g_free (text);
  test_assert_no_message (harness, GST_MESSAGE_WARNING);
  test_reference_free (reference);
  test_harness_free (harness);
  source_close (&source);
  gst_object_unref (second);
}

/* --- Streams ------------------------------------------------------------------------------------------------------- */

#if GST_CHECK_VERSION(1, 24, 0)
/* Frames that arrive while they are still being written on their stream. */
static void
test_streams (gconstpointer launch)
{
  enum
  {
    WIDTH = 1280,
    HEIGHT = 720,
    BUSY = 64 << 20,
    N_FRAMES = 12
  };
  const gboolean labels = strstr (launch, "ccl") != NULL;
  CUdeviceptr busy[2];
  TestReference *reference;
  GstCudaStream *stream;
  GstHarness *harness;
  Source source;
  GstStructure *config;
  GstBufferPool *pool;
  void *pinned;

  if (skip_without_gpu ())
    return;
  source = source_open (NULL, "NV12", WIDTH, HEIGHT);
  stream = gst_cuda_stream_new (source.context);
  pool = gst_cuda_buffer_pool_new (source.context);
  config = gst_buffer_pool_get_config (pool);
  gst_buffer_pool_config_set_params (config, source.caps, (guint) GST_VIDEO_INFO_SIZE (&source.info), 0, 0);
  gst_buffer_pool_config_set_cuda_stream (config, stream);
  g_assert_true (gst_buffer_pool_set_config (pool, config));
  g_assert_true (gst_buffer_pool_set_active (pool, TRUE));
  g_assert_true (gst_cuda_context_push (source.context));
  for (guint i = 0; i < 2; i++)
    g_assert_cmpint (CuMemAlloc (&busy[i], BUSY), ==, CUDA_SUCCESS);
  g_assert_cmpint (CuMemAllocHost (&pinned, WIDTH * HEIGHT), ==, CUDA_SUCCESS);
  gst_cuda_context_pop (NULL);

  harness = source_harness (&source, launch, labels ? "video/x-raw(memory:CUDAMemory),format=RGBA" : NULL);
  reference = threshold_reference (WIDTH, HEIGHT, labels ? CCA_OUTPUT_COLORS : CCA_OUTPUT_NONE);
  for (guint i = 0; i < N_FRAMES; i++) {
    guint8 *luma = test_luma (WIDTH, HEIGHT, i);
    CUDA_MEMCPY2D copy = { .WidthInBytes = WIDTH,
                           .Height = HEIGHT,
                           .srcMemoryType = CU_MEMORYTYPE_HOST,
                           .srcHost = pinned,
                           .srcPitch = WIDTH,
                           .dstMemoryType = CU_MEMORYTYPE_DEVICE };
    GstBuffer *buffer;
    GstMapInfo map;
    GstCaps *caps;

    g_assert_cmpint (gst_buffer_pool_acquire_buffer (pool, &buffer, NULL), ==, GST_FLOW_OK);
    g_assert_true (gst_buffer_map (buffer, &map, GST_MAP_WRITE | GST_MAP_CUDA));
    memcpy (pinned, luma, WIDTH * HEIGHT);
    copy.dstDevice = (CUdeviceptr) GPOINTER_TO_SIZE (map.data);
    copy.dstPitch = (gsize) gst_buffer_get_video_meta (buffer)->stride[0];
    g_assert_true (gst_cuda_context_push (source.context));
    for (guint j = 0; j < 40; j++)
      CuMemcpyDtoDAsync (busy[j & 1], busy[~j & 1], BUSY, gst_cuda_stream_get_handle (stream));
    g_assert_cmpint (CuMemcpy2DAsync (&copy, gst_cuda_stream_get_handle (stream)), ==, CUDA_SUCCESS);
    gst_cuda_context_pop (NULL);
    gst_buffer_unmap (buffer, &map);

    buffer = gst_harness_push_and_pull (harness, buffer);
    test_reference_run (reference, i);
    test_assert_meta (buffer, reference);
    if (labels) {
      caps = gst_pad_get_current_caps (harness->sinkpad);
      test_assert_pixels (buffer, caps, reference);
      gst_caps_unref (caps);
    }
    gst_buffer_unref (buffer);
    g_free (luma);
  }
  test_reference_free (reference);
  test_harness_free (harness);
  g_assert_true (gst_cuda_context_push (source.context));
  for (guint i = 0; i < 2; i++)
    CuMemFree (busy[i]);
  CuMemFreeHost (pinned);
  gst_cuda_context_pop (NULL);
  gst_buffer_pool_set_active (pool, FALSE);
  gst_object_unref (pool);
  gst_cuda_stream_unref (stream);
  source_close (&source);
}
#endif

/* --- Allocation ---------------------------------------------------------------------------------------------------- */

/* Whoever asks for CUDA memory is offered a pool of the element's context. */
static void
test_offer (gconstpointer launch)
{
  GstBufferPool *pool;
  GstHarness *harness;
  GstQuery *query;
  Source source;
  GstPad *pad;
  guint size;

  if (skip_without_gpu ())
    return;
  source = source_open (NULL, "NV12", 320, 240);
  harness = source_harness (&source, launch, NULL);
  query = gst_query_new_allocation (source.caps, TRUE);
  pad = gst_element_get_static_pad (harness->element, "sink");
  g_assert_true (gst_pad_query (pad, query));
  g_assert_cmpuint (gst_query_get_n_allocation_pools (query), ==, 1);
  gst_query_parse_nth_allocation_pool (query, 0, &pool, &size, NULL, NULL);
  g_assert_true (GST_IS_CUDA_BUFFER_POOL (pool));
  g_assert_true (GST_CUDA_BUFFER_POOL (pool)->context == element_context (harness->element));
  g_assert_cmpuint (size, >=, GST_VIDEO_INFO_SIZE (&source.info));
  gst_object_unref (pool);
  gst_object_unref (pad);
  gst_query_unref (query);
  test_harness_free (harness);
  source_close (&source);
}

/* Output frames come back from a pool: as many memories as frames under way. */
static void
test_pool (gconstpointer downstream)
{
  GHashTable *seen;
  GstHarness *harness;
  Source source;

  if (skip_without_gpu ())
    return;
  seen = g_hash_table_new (NULL, NULL);
  source = source_open (NULL, "NV12", 320, 240);
  harness = source_harness (&source, "cudaccl", downstream);
  for (guint i = 0; i < 50; i++) {
    GstBuffer *buffer = gst_harness_push_and_pull (harness, source_frame (&source, i));

    g_hash_table_add (seen, gst_buffer_peek_memory (buffer, 0));
    gst_buffer_unref (buffer);
  }
  g_assert_cmpuint (g_hash_table_size (seen), <=, 3);
  test_harness_free (harness);
  source_close (&source);
  g_hash_table_unref (seen);
}

/* --- Life ------------------------------------------------------------------------------------------------------------ */

static void
test_playing (void)
{
  TestReference *references[2];
  CcaParams params;
  GstHarness *harness;
  Source source;

  if (skip_without_gpu ())
    return;
  cca_params_init (&params);
  params.foreground = CCA_FOREGROUND_THRESHOLD;
  references[0] = test_reference_new (320, 240, &params, CCA_OUTPUT_NONE);
  params.threshold = 17;
  params.connectivity = 4;
  params.close_radius = 2;
  references[1] = test_reference_new (320, 240, &params, CCA_OUTPUT_NONE);
  source = source_open (NULL, "NV12", 320, 240);
  harness = source_harness (&source, "cudacca foreground=threshold", NULL);
  for (guint i = 0; i < 8; i++) {
    const guint other = i / 2 % 2;
    GstBuffer *buffer;

    g_object_set (harness->element, "threshold", other ? 17 : 127, "connectivity", other ? 4 : 8, "close-radius",
                  other ? 2 : 0, NULL);
    buffer = gst_harness_push_and_pull (harness, source_frame (&source, i));
    test_reference_run (references[other], i);
    test_assert_meta (buffer, references[other]);
    gst_buffer_unref (buffer);
  }
  test_harness_free (harness);
  source_close (&source);
  test_reference_free (references[1]);
  test_reference_free (references[0]);
}

static void
test_stats (void)
{
  GstStructure *stats;
  GstHarness *harness;
  guint64 frames = 0, label = 0;
  Source source;

  if (skip_without_gpu ())
    return;
  source = source_open (NULL, "NV12", 1280, 720);
  harness = source_harness (&source, "cudacca", NULL);
  for (guint i = 0; i < 5; i++)
    gst_buffer_unref (gst_harness_push_and_pull (harness, source_frame (&source, i)));
  g_object_get (harness->element, "stats", &stats, NULL);
  gst_structure_get (stats, "frames", G_TYPE_UINT64, &frames, "label-time", G_TYPE_UINT64, &label, NULL);
  g_assert_cmpuint (frames, ==, 5);
  g_assert_cmpuint (label, >, 0);
  g_assert_nonnull (strstr (gst_structure_get_string (stats, "backend"), "cuda"));
  gst_structure_free (stats);
  test_harness_free (harness);
  source_close (&source);
}

/* Components of all frames of a pipeline, by its messages, until it ends. */
static guint64
count_components (GstElement *pipeline)
{
  GstBus *bus = gst_element_get_bus (pipeline);
  guint64 sum = 0;
  gboolean done = FALSE;

  while (!done) {
    GstMessage *message = gst_bus_timed_pop_filtered (
        bus, 30 * GST_SECOND, GST_MESSAGE_ELEMENT | GST_MESSAGE_EOS | GST_MESSAGE_ERROR | GST_MESSAGE_WARNING);
    guint n = 0;

    g_assert_nonnull (message);
    if (GST_MESSAGE_TYPE (message) == GST_MESSAGE_ELEMENT) {
      if (gst_structure_get_uint (gst_message_get_structure (message), "n-components", &n))
        sum += n;
    } else {
      done = GST_MESSAGE_TYPE (message) == GST_MESSAGE_EOS;
      if (!done)
        g_error ("%s", test_message_text (gst_message_ref (message)));
    }
    gst_message_unref (message);
  }
  gst_object_unref (bus);
  return sum;
}

#define STREAM                                                                                                         \
  "videotestsrc num-buffers=30 pattern=zone-plate kx2=40 ky2=40 kt=5 ! "                                                 \
  "video/x-raw,format=NV12,width=640,height=360 ! cudaupload ! "                                                      \
  "cudacca foreground=threshold threshold=200 ! fakesink"

static void
test_restart (gconstpointer stop_at)
{
  GstElement *pipeline;
  guint64 first = 0;

  if (skip_without ("cudaupload"))
    return;
  pipeline = gst_parse_launch (STREAM, NULL);
  for (guint i = 0; i < 3; i++) {
    guint64 n;

    gst_element_set_state (pipeline, GST_STATE_PLAYING);
    n = count_components (pipeline);
    g_assert_cmpuint (n, >, 0);
    first = i ? first : n;
    g_assert_cmpuint (n, ==, first);
    gst_element_set_state (pipeline, (GstState) GPOINTER_TO_INT (stop_at));
  }
  gst_element_set_state (pipeline, GST_STATE_NULL);
  gst_object_unref (pipeline);
}

static void
test_side_by_side (gconstpointer number)
{
  const guint n = GPOINTER_TO_UINT (number);
  GstElement *pipelines[8];
  guint64 first = 0;

  if (skip_without ("cudaupload"))
    return;
  for (guint i = 0; i < n; i++) {
    pipelines[i] = gst_parse_launch (STREAM, NULL);
    gst_element_set_state (pipelines[i], GST_STATE_PLAYING);
  }
  for (guint i = 0; i < n; i++) {
    const guint64 components = count_components (pipelines[i]);

    g_assert_cmpuint (components, >, 0);
    first = i ? first : components;
    g_assert_cmpuint (components, ==, first);
    gst_element_set_state (pipelines[i], GST_STATE_NULL);
    gst_object_unref (pipelines[i]);
  }
}

/* --- NVDEC ------------------------------------------------------------------------------------------------------------ */

/* Both twins in one pipeline, the second behind the download, tell the same of each frame of the GPU's decoder. */
static void
test_decoder (gconstpointer properties)
{
  gchar *film = g_test_build_filename (G_TEST_BUILT, "film.h264", NULL), *launch;
  GHashTable *told;
  GstElement *pipeline;
  guint n_compared = 0;
  gboolean done = FALSE;
  GError *error = NULL;
  GstBus *bus;

  if (skip_without ("nvh264dec")) {
    g_free (film);
    return;
  }
  if (!g_file_test (film, G_FILE_TEST_EXISTS)) {
    g_test_skip ("no film.h264: where the tests were built there was no openh264enc");
    g_free (film);
    return;
  }
  launch = g_strdup_printf ("filesrc location=\"%s\" ! h264parse ! nvh264dec ! video/x-raw(memory:CUDAMemory) ! "
                            "cudacca name=gpu %s ! cudadownload ! cca name=cpu %s ! fakesink",
                            film, (const gchar *) properties, (const gchar *) properties);
  pipeline = gst_parse_launch (launch, &error);
  g_assert_no_error (error);
  bus = gst_element_get_bus (pipeline);
  told = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, (GDestroyNotify) gst_structure_free);
  gst_element_set_state (pipeline, GST_STATE_PLAYING);
  while (!done) {
    GstMessage *message =
        gst_bus_timed_pop_filtered (bus, 30 * GST_SECOND, GST_MESSAGE_ELEMENT | GST_MESSAGE_EOS | GST_MESSAGE_ERROR);
    const GstStructure *structure;

    g_assert_nonnull (message);
    structure = gst_message_get_structure (message);
    if (GST_MESSAGE_TYPE (message) == GST_MESSAGE_ERROR)
      g_error ("%s", test_message_text (gst_message_ref (message)));
    done = GST_MESSAGE_TYPE (message) == GST_MESSAGE_EOS;
    if (!done && gst_structure_has_name (structure, "cca")) {
      guint64 time;

      g_assert_true (gst_structure_get_uint64 (structure, "timestamp", &time));
      if (g_str_equal (GST_OBJECT_NAME (GST_MESSAGE_SRC (message)), "gpu")) {
        g_hash_table_insert (told, g_memdup2 (&time, sizeof time), gst_structure_copy (structure));
      } else {
        const GstStructure *other = g_hash_table_lookup (told, &time);

        g_assert_nonnull (other);
        g_assert_true (gst_structure_is_equal (structure, other));
        n_compared++;
      }
    }
    gst_message_unref (message);
  }
  g_assert_cmpuint (n_compared, ==, 50);
  gst_element_set_state (pipeline, GST_STATE_NULL);
  g_hash_table_unref (told);
  gst_object_unref (bus);
  gst_object_unref (pipeline);
  g_free (launch);
  g_free (film);
}

/* ---------------------------------------------------------------------------------------------------------------------- */

static void
add (const gchar *group, const gchar *name, gconstpointer data, void (*run) (gconstpointer data))
{
  gchar *path = g_strdup_printf ("/cuda/%s/%s", group, name);

  g_test_add_data_func (path, data, run);
  g_free (path);
}

#define SHARED "videotestsrc num-buffers=3 ! cudaupload name=upload ! "
#define SINK " ! fakesink name=sink"

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  gst_init (&argc, &argv);
  for (guint i = 0; i < G_N_ELEMENTS (formats); i++) {
    add ("components", formats[i], formats[i], test_components);
    add ("uploaded", formats[i], formats[i], test_uploaded);
  }
  add ("twins", "motion", "foreground=motion motion-learning=2 close-radius=1", test_twins);
  add ("twins", "area", "foreground=range min-area=5 max-area=90 order=area max-components=9", test_twins);
  add ("twins", "moments", "foreground=nonzero connectivity=4 covariance=true", test_twins);
  g_test_add_func ("/cuda/untouched", test_untouched);
  g_test_add_func ("/cuda/reuse", test_reuse);
  for (guint i = 0; i < G_N_ELEMENTS (pictures); i++) {
    add ("picture", pictures[i].name, &pictures[i], test_picture);
    add ("gap", pictures[i].name, &pictures[i], test_gap);
  }
  g_test_add_func ("/cuda/downloaded", test_downloaded);
  g_test_add_func ("/cuda/preference", test_preference);
  add ("context/shared", "cudacca", SHARED "cudacca name=element" SINK, test_shared_context);
  add ("context/shared", "cudaccl", SHARED "cudaccl name=element ! video/x-raw(memory:CUDAMemory)" SINK,
       test_shared_context);
  g_test_add_func ("/cuda/context/set", test_set_context);
  add ("context/follow", "cudacca", "cudacca foreground=motion motion-learning=2 denoise=false", test_follow);
  add ("context/follow", "cudaccl", "cudaccl foreground=motion motion-learning=2 denoise=false", test_follow);
  g_test_add_func ("/cuda/context/fixed-device", test_fixed_device);
#if GST_CHECK_VERSION(1, 24, 0)
  add ("streams", "cudacca", "cudacca foreground=threshold", test_streams);
  add ("streams", "cudaccl", "cudaccl foreground=threshold", test_streams);
#endif
  add ("offer", "cudacca", "cudacca", test_offer);
  add ("offer", "cudaccl", "cudaccl", test_offer);
  add ("pool", "cuda", "video/x-raw(memory:CUDAMemory),format=RGBA", test_pool);
  add ("pool", "system", "video/x-raw,format=RGBA", test_pool);
  g_test_add_func ("/cuda/playing", test_playing);
  g_test_add_func ("/cuda/stats", test_stats);
  add ("restart", "null", GINT_TO_POINTER (GST_STATE_NULL), test_restart);
  add ("restart", "ready", GINT_TO_POINTER (GST_STATE_READY), test_restart);
  add ("side-by-side", "two", GUINT_TO_POINTER (2), test_side_by_side);
  add ("side-by-side", "eight", GUINT_TO_POINTER (8), test_side_by_side);
  add ("decoder", "threshold", "foreground=threshold", test_decoder);
  add ("decoder", "motion", "foreground=motion", test_decoder);
  return g_test_run ();
}
