/* gst-cca: contexts, streams and pools of CUDA memory
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "cuda-test.h"

#include <string.h>
#if GST_CHECK_VERSION(1, 24, 0)
#include <gst/cuda/gstcudastream.h>
#endif

/* The element uses the context that the application sets. */
static void
test_set_context (void)
{
  GstElement *element;
  GstCudaContext *cuda = gst_cuda_context_new (0);
  g_autoptr (GstContext) context = gst_context_new_cuda_context (cuda);

  for (guint fixed = 0; fixed < 2; fixed++) {
    element = gst_element_factory_make ("cudacca", NULL);
    g_object_set (element, "cuda-device-id", fixed ? 0 : -1, NULL);
    gst_element_set_context (element, context);
    g_assert_cmpint (gst_element_set_state (element, GST_STATE_PAUSED), ==, GST_STATE_CHANGE_SUCCESS);
    g_assert_true (cuda_test_element_context (element) == cuda);
    gst_element_set_state (element, GST_STATE_NULL);
    gst_object_unref (element);
  }
  gst_object_unref (cuda);
}

/* A context on a device by its number, or NULL with the test skipped. */
static GstCudaContext *
context_on (guint device)
{
  GstCudaContext *context = gst_cuda_context_new (device);

  if (!context)
    g_test_skip_printf ("there is no GPU %u", device);
  return context;
}

typedef struct
{
  const gchar *name, *launch;
  guint other_device; /* of the second context */
} Follow;

#define LEARNING "foreground=motion motion-model=sigma-delta motion-learning=2 denoise=false"

static const Follow follows[] = {
  { "context/cudacca", "cudacca " LEARNING, 0 },
  { "context/cudaccl", "cudaccl " LEARNING, 0 },
  { "device/cudacca", "cudacca " LEARNING, 1 },
  { "device/cudaccl", "cudaccl " LEARNING, 1 },
};

/* Frames of another context take the element with them, on the same device and to another; a background is learnt again
 * there. */
static void
test_follow (gconstpointer data)
{
  const Follow *follow = data;
  const gboolean labels = strstr (follow->launch, "ccl") != NULL;
  GstCudaContext *other;
  CudaSource sources[2];
  GstHarness *harness;

  if (!(other = context_on (follow->other_device)))
    return;
  sources[0] = cuda_source_open (NULL, "NV12", 320, 240);
  sources[1] = cuda_source_open (other, "NV12", 320, 240);
  gst_object_unref (other);
  g_assert_true (sources[0].context != sources[1].context);
  harness = cuda_source_harness (&sources[0], follow->launch, labels ? CUDA_MEMORY ",format=RGBA" : NULL);
  for (guint i = 0; i < 12; i++) {
    CudaSource *source = &sources[i / 4 % 2];
    g_autoptr (GstBuffer) buffer = test_pass (harness, cuda_source_frame (source, i % 4 / 2));
    GstCcaMeta *meta = gst_buffer_get_cca_meta (buffer);

    g_assert_true (cuda_test_element_context (harness->element) == source->context);
    g_assert_true (cuda_test_memory_context (buffer) == source->context);
    /* Four frames from each context: the third is another picture than the two that the background was made of. */
    if (i % 4 == 2)
      g_assert_cmpuint (meta->n_components, >, 0);
    else if (i % 4 < 2)
      g_assert_cmpuint (meta->n_components, ==, 0);
  }
  test_assert_no_message (harness, GST_MESSAGE_WARNING);
  test_assert_no_message (harness, GST_MESSAGE_ERROR);
  test_harness_free (harness);
  cuda_source_close (&sources[1]);
  cuda_source_close (&sources[0]);
}

/* A device that the user chose stays; frames from elsewhere come through system memory, with one warning. */
static void
test_fixed_device (void)
{
  GstCudaContext *second;
  TestReference *reference;
  GstHarness *harness;
  CudaSource source;

  if (!(second = context_on (1)))
    return;
  source = cuda_source_open (second, "NV12", 320, 240);
  harness = cuda_source_harness (&source, "cudacca foreground=threshold cuda-device-id=0", NULL);
  reference = cuda_test_reference (320, 240, CCA_OUTPUT_NONE);
  for (guint i = 0; i < 3; i++) {
    g_autoptr (GstBuffer) buffer = test_pass (harness, cuda_source_frame (&source, i));

    test_reference_run (reference, i);
    test_assert_meta (buffer, reference);
    g_assert_true (cuda_test_element_context (harness->element) != second);
  }
  test_assert_warning (harness, "*device 1*cuda-device-id*");
  test_reference_free (reference);
  test_harness_free (harness);
  cuda_source_close (&source);
  gst_object_unref (second);
}

/* Frames in system memory go to the device that the user chose. */
static void
test_chosen_device (void)
{
  const GstVideoInfo info = test_video_info ("NV12", 320, 240);
  GstCudaContext *second, *used;
  g_autoptr (TestReference) reference = NULL;
  g_autoptr (GstHarness) harness = NULL;
  guint device;

  if (!(second = context_on (1)))
    return;
  gst_object_unref (second);
  harness = test_harness ("cudacca foreground=threshold cuda-device-id=1", test_caps ("NV12", 320, 240, NULL));
  reference = cuda_test_reference (320, 240, CCA_OUTPUT_NONE);
  for (guint i = 0; i < 3; i++) {
    g_autoptr (GstBuffer) buffer = test_pass (harness, test_frame (&info, i));

    test_reference_run (reference, i);
    test_assert_meta (buffer, reference);
  }
  used = cuda_test_element_context (harness->element);
  g_object_get (used, "cuda-device-id", &device, NULL);
  g_assert_cmpuint (device, ==, 1);
  test_assert_no_message (harness, GST_MESSAGE_WARNING | GST_MESSAGE_ERROR);
}

/* An allocation query for CUDA memory is answered with a pool of the element's context. */
static void
test_offer (gconstpointer launch)
{
  GstBufferPool *pool;
  guint size;
  g_auto (CudaSource) source = cuda_source_open (NULL, "NV12", 320, 240);
  g_autoptr (GstHarness) harness = cuda_source_harness (&source, launch, NULL);
  g_autoptr (GstQuery) query = gst_query_new_allocation (source.caps, TRUE);
  g_autoptr (GstPad) pad = gst_element_get_static_pad (harness->element, "sink");

  g_assert_true (gst_pad_query (pad, query));
  g_assert_cmpuint (gst_query_get_n_allocation_pools (query), ==, 1);
  gst_query_parse_nth_allocation_pool (query, 0, &pool, &size, NULL, NULL);
  g_assert_true (GST_IS_CUDA_BUFFER_POOL (pool));
  g_assert_true (GST_CUDA_BUFFER_POOL (pool)->context == cuda_test_element_context (harness->element));
  g_assert_cmpuint (size, >=, GST_VIDEO_INFO_SIZE (&source.info));
  gst_object_unref (pool);
}

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
    BUSY_WIDTH = 64 << 10,
    N_FRAMES = 12
  };
  const gboolean labels = strstr (launch, "ccl") != NULL;
  CUdeviceptr busy[2];
  TestReference *reference;
  GstCudaStream *stream;
  GstHarness *harness;
  CudaSource source;
  GstStructure *config;
  GstBufferPool *pool;
  void *pinned;

  source = cuda_source_open (NULL, "NV12", WIDTH, HEIGHT);
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

  harness = cuda_source_harness (&source, launch, labels ? CUDA_MEMORY ",format=RGBA" : NULL);
  reference = cuda_test_reference (WIDTH, HEIGHT, labels ? CCA_OUTPUT_COLORS : CCA_OUTPUT_NONE);
  for (guint i = 0; i < N_FRAMES; i++) {
    g_autofree guint8 *luma = test_luma (WIDTH, HEIGHT, i);
    CUDA_MEMCPY2D copy = { .WidthInBytes = WIDTH,
                           .Height = HEIGHT,
                           .srcMemoryType = CU_MEMORYTYPE_HOST,
                           .srcHost = pinned,
                           .srcPitch = WIDTH,
                           .dstMemoryType = CU_MEMORYTYPE_DEVICE };
    g_autoptr (GstBuffer) buffer = NULL;
    GstMapInfo map;
    GstCaps *caps;

    g_assert_cmpint (gst_buffer_pool_acquire_buffer (pool, &buffer, NULL), ==, GST_FLOW_OK);
    g_assert_true (gst_buffer_map (buffer, &map, GST_MAP_WRITE | GST_MAP_CUDA));
    memcpy (pinned, luma, WIDTH * HEIGHT);
    copy.dstDevice = (CUdeviceptr) GPOINTER_TO_SIZE (map.data);
    copy.dstPitch = (gsize) gst_buffer_get_video_meta (buffer)->stride[0];
    g_assert_true (gst_cuda_context_push (source.context));
    /* libgstcuda of 1.24 has no CuMemcpyDtoDAsync (). */
    for (guint j = 0; j < 40; j++) {
      const CUDA_MEMCPY2D work = { .WidthInBytes = BUSY_WIDTH,
                                   .Height = BUSY / BUSY_WIDTH,
                                   .srcMemoryType = CU_MEMORYTYPE_DEVICE,
                                   .srcDevice = busy[~j & 1],
                                   .srcPitch = BUSY_WIDTH,
                                   .dstMemoryType = CU_MEMORYTYPE_DEVICE,
                                   .dstDevice = busy[j & 1],
                                   .dstPitch = BUSY_WIDTH };

      g_assert_cmpint (CuMemcpy2DAsync (&work, gst_cuda_stream_get_handle (stream)), ==, CUDA_SUCCESS);
    }
    g_assert_cmpint (CuMemcpy2DAsync (&copy, gst_cuda_stream_get_handle (stream)), ==, CUDA_SUCCESS);
    gst_cuda_context_pop (NULL);
    gst_buffer_unmap (buffer, &map);

    buffer = test_pass (harness, buffer);
    test_reference_run (reference, i);
    test_assert_meta (buffer, reference);
    if (labels) {
      caps = gst_pad_get_current_caps (harness->sinkpad);
      test_assert_pixels (buffer, caps, reference);
      gst_caps_unref (caps);
    }
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
  cuda_source_close (&source);
}
#endif

static void
add_cases (void)
{
  ADD_ROWS ("/cuda-context/follow", follows, test_follow);
  ADD_TESTS ("/cuda-context", test_set_context, test_fixed_device, test_chosen_device);
  ADD_STRINGS ("/cuda-context/offer", test_offer, "cudacca", "cudaccl");
#if GST_CHECK_VERSION(1, 24, 0)
  g_test_add_data_func ("/cuda-context/streams/cudacca", "cudacca foreground=threshold", test_streams);
  g_test_add_data_func ("/cuda-context/streams/cudaccl", "cudaccl foreground=threshold", test_streams);
#endif
}

int
main (int argc, char **argv)
{
  return cuda_test_main (argc, argv, "/cuda-context", add_cases);
}
