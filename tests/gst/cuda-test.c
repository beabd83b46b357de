/* gst-cca: shared by the tests on a GPU
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "cuda-test.h"

/* Why there is no GPU; NULL: there is one. */
static const gchar *
reason_without_gpu (void)
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
  return reason;
}

gboolean
cuda_test_skip_without_gpu (void)
{
  const gchar *reason = reason_without_gpu ();

  if (reason)
    g_test_skip (reason);
  return reason != NULL;
}

gboolean
cuda_test_skip_without (const gchar *element)
{
  GstElementFactory *factory;
  g_autofree gchar *reason = NULL;

  if (cuda_test_skip_without_gpu ())
    return TRUE;
  factory = gst_element_factory_find (element);
  if (factory) {
    gst_object_unref (factory);
    return FALSE;
  }
  reason =
      g_strdup_printf ("no element %s: plugin nvcodec is not installed, or found nothing that it can use", element);
  g_test_skip (reason);
  return TRUE;
}

static void
test_without_gpu (void)
{
  g_test_skip (reason_without_gpu ());
}

void
cuda_test_add (const gchar *folder, void (*add_cases) (void))
{
  if (reason_without_gpu ())
    g_test_add_func (folder, test_without_gpu);
  else
    add_cases ();
}

int
cuda_test_main (int argc, char **argv, const gchar *folder, void (*add_cases) (void))
{
  g_test_init (&argc, &argv, NULL);
  gst_init (&argc, &argv);
  cuda_test_add (folder, add_cases);
  return g_test_run ();
}

static GstCudaContext *
shared_context (void)
{
  static GstCudaContext *context;

  if (!context)
    context = gst_cuda_context_new (0);
  return context;
}

CudaSource
cuda_source_open (GstCudaContext *context, const gchar *format, guint width, guint height)
{
  CudaSource source = { .context = gst_object_ref (context ? context : shared_context ()),
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

GstBuffer *
cuda_source_frame (CudaSource *source, guint seed)
{
  GstBuffer *buffer;

  g_assert_cmpint (gst_buffer_pool_acquire_buffer (source->pool, &buffer, NULL), ==, GST_FLOW_OK);
  test_fill_frame (buffer, &source->info, seed);
  return buffer;
}

void
cuda_source_close (CudaSource *source)
{
  gst_buffer_pool_set_active (source->pool, FALSE);
  gst_object_unref (source->pool);
  gst_object_unref (source->context);
  gst_caps_unref (source->caps);
}

GstHarness *
cuda_source_harness (const CudaSource *source, const gchar *launch, const gchar *downstream)
{
  g_autoptr (GstContext) context = gst_context_new_cuda_context (source->context);
  GstHarness *harness = test_harness_in_context (launch, context, NULL);

  if (downstream)
    gst_harness_set_sink_caps_str (harness, downstream);
  gst_harness_set_src_caps (harness, gst_caps_ref (source->caps));
  return harness;
}

GstCudaContext *
cuda_test_memory_context (GstBuffer *buffer)
{
  GstMemory *memory = gst_buffer_peek_memory (buffer, 0);

  g_assert_true (gst_is_cuda_memory (memory));
  return GST_CUDA_MEMORY_CAST (memory)->context;
}

GstCudaContext *
cuda_test_element_context (GstElement *element)
{
  g_autoptr (GstPad) pad = gst_element_get_static_pad (element, "sink");
  g_autoptr (GstQuery) query = gst_query_new_context (GST_CUDA_CONTEXT_TYPE);
  GstCudaContext *found = NULL;
  GstContext *context;

  if (gst_pad_query (pad, query)) {
    gst_query_parse_context (query, &context);
    gst_structure_get (gst_context_get_structure (context), GST_CUDA_CONTEXT_TYPE, GST_TYPE_CUDA_CONTEXT, &found, NULL);
    gst_object_unref (found);
  }
  return found;
}

TestReference *
cuda_test_reference (guint width, guint height, CcaOutput output)
{
  const CcaParams params = test_threshold_params ();

  return test_reference_new (width, height, &params, output);
}

gboolean
cuda_test_is_cuda (const GstCaps *caps)
{
  return gst_caps_features_contains (gst_caps_get_features (caps, 0), GST_CAPS_FEATURE_MEMORY_CUDA_MEMORY);
}

gboolean
cuda_test_is_possible (const gchar *format, guint height)
{
  return !g_str_equal (format, "NV21") || height % 2 == 0;
}

gboolean
cuda_test_keeps_chroma (const gchar *format, guint height)
{
  guint major, minor, micro, nano;

  if (!g_str_equal (format, "I420") && !g_str_equal (format, "YV12"))
    return cuda_test_is_possible (format, height);
  gst_version (&major, &minor, &micro, &nano);
  return height % 2 == 0 && (minor != 24 || micro >= 4);
}

gboolean
cuda_test_skip_lost_chroma (const gchar *format)
{
  if (cuda_test_keeps_chroma (format, 2))
    return FALSE;
  g_test_skip ("libgstcuda before 1.24.4 loses chroma on its way to system memory");
  return TRUE;
}

guint8
cuda_test_sample (const GstVideoFrame *frame, guint component, gint x, gint y)
{
  return ((const guint8 *) GST_VIDEO_FRAME_COMP_DATA (
      frame, component))[y * GST_VIDEO_FRAME_COMP_STRIDE (frame, component)
                         + x * GST_VIDEO_FRAME_COMP_PSTRIDE (frame, component)];
}

void
cuda_test_assert_same_pixels (GstBuffer *is, GstBuffer *should, const GstVideoInfo *info)
{
  GstVideoFrame frames[2];

  g_assert_true (gst_video_frame_map (&frames[0], info, is, GST_MAP_READ));
  g_assert_true (gst_video_frame_map (&frames[1], info, should, GST_MAP_READ));
  for (guint i = 0; i < GST_VIDEO_INFO_N_COMPONENTS (info); i++) {
    for (gint y = 0; y < GST_VIDEO_INFO_COMP_HEIGHT (info, i); y++) {
      for (gint x = 0; x < GST_VIDEO_INFO_COMP_WIDTH (info, i); x++)
        g_assert_cmpuint (cuda_test_sample (&frames[0], i, x, y), ==, cuda_test_sample (&frames[1], i, x, y));
    }
  }
  gst_video_frame_unmap (&frames[1]);
  gst_video_frame_unmap (&frames[0]);
}
