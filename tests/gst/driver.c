/* gst-cca: the elements on a CUDA driver that is watched and fails
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Runs on the fake driver (tests/lib/fake-cuda/), in front of a GPU or of the null device, whose kernels do nothing:
 * there no component is ever found.
 */
#ifdef HAVE_GST_CUDA
#include "cuda-test.h"
#else
#include "element-test.h"
#endif

#include "tests/lib/fake-cuda/fake-cuda.h"

#include <dlfcn.h>

enum
{
  WIDTH = 160,
  HEIGHT = 90,
  N_FRAMES = 6, /* different ones */
};

static const FakeCuda *fake;

typedef struct
{
  const gchar *name, *launch;
} Element;

static const Element elements[] = {
  { "cudacca", "cudacca" },
  { "cudacca-filter", "cudacca min-area=4 order=area covariance=true" },
  { "cudacca-motion", "cudacca foreground=motion motion-model=sigma-delta motion-learning=1 close-radius=1" },
  { "cudacca-values", "cudacca foreground=values" },
  { "cudacca-details", "cudacca shape=true intensity=true" },
  { "cudacca-unwanted", "cudacca emit=0 post-messages=false" },
  { "cudaccl-colors", "cudaccl" },
  { "cudaccl-u16", "cudaccl output=labels" },
  { "cudaccl-mask", "cudaccl output=mask" },
};

static GstHarness *
open_element (const Element *element)
{
  return test_harness (element->launch, test_caps ("I420", WIDTH, HEIGHT, NULL));
}

static GstFlowReturn
push (GstHarness *harness, guint seed)
{
  const GstVideoInfo info = test_video_info ("I420", WIDTH, HEIGHT);

  return gst_harness_push (harness, test_frame (&info, seed % N_FRAMES));
}

static void
pass (GstHarness *harness, guint seed)
{
  g_assert_cmpint (push (harness, seed), ==, GST_FLOW_OK);
  gst_buffer_unref (gst_harness_pull (harness));
}

/* --- Steady state ------------------------------------------------------------------------------------ */

/* Counts the objects made so far; fails if frame i, not one of the first `n_first`, made any. */
static void
count_made (guint64 made[FAKE_CUDA_N_KINDS], guint i, guint n_first)
{
  for (FakeCudaKind kind = 0; kind < FAKE_CUDA_N_KINDS; kind++) {
    if (i >= n_first && kind != FAKE_CUDA_CURRENT && fake->n_made (kind) != made[kind])
      g_test_fail_printf ("frame %u makes %s", i, fake->kind_name (kind));
    made[kind] = fake->n_made (kind);
  }
}

static void
count_held (guint64 held[FAKE_CUDA_N_KINDS])
{
  for (FakeCudaKind kind = 0; kind < FAKE_CUDA_N_KINDS; kind++)
    held[kind] = fake->n_held (kind);
}

/* Fails if something else is held than before the nth call failed. */
static void
check_held (const guint64 before[FAKE_CUDA_N_KINDS], guint64 n)
{
  for (FakeCudaKind kind = 0; kind < FAKE_CUDA_N_KINDS; kind++)
    if (fake->n_held (kind) != before[kind])
      g_test_fail_printf ("call %" G_GUINT64_FORMAT ": of kind %s something leaks", n, fake->kind_name (kind));
}

/* Frames like those before make nothing in the driver, once their memory is pinned. */
static void
check_steady (GstHarness *harness, GstBuffer **frames)
{
  guint64 before[FAKE_CUDA_N_KINDS] = { 0 };

  for (guint i = 0; i < 8 * N_FRAMES; i++) {
    gst_buffer_unref (test_pass (harness, gst_buffer_ref (frames[i % N_FRAMES])));
    count_made (before, i, 3 * N_FRAMES);
  }
  for (guint i = 0; i < N_FRAMES; i++)
    gst_buffer_unref (frames[i]);
  test_harness_free (harness);
}

static void
test_steady (gconstpointer element)
{
  const GstVideoInfo info = test_video_info ("I420", WIDTH, HEIGHT);
  GstBuffer *frames[N_FRAMES];

  for (guint i = 0; i < N_FRAMES; i++)
    frames[i] = test_frame (&info, i);
  check_steady (open_element (element), frames);
}

#ifdef HAVE_GST_CUDA
/* Frames in CUDA memory, and pictures too. */
static void
test_steady_device (gconstpointer data)
{
  const Element *element = data;
  GstBuffer *frames[N_FRAMES];
  GstHarness *harness;
  g_auto (CudaSource) source = cuda_source_open (NULL, "I420", WIDTH, HEIGHT);

  harness =
      cuda_source_harness (&source, element->launch, g_str_has_suffix (element->name, "u16") ? NULL : CUDA_MEMORY);
  for (guint i = 0; i < N_FRAMES; i++)
    frames[i] = cuda_source_frame (&source, i);
  check_steady (harness, frames);
}
#endif

/* Exactly one error, and that of a device. */
static void
assert_one_error (GstHarness *harness)
{
  GstMessage *message = test_pop_message (harness, GST_MESSAGE_ERROR);
  GError *error = NULL;

  if (!message) {
    g_test_fail_printf ("the failure of %s gives no error", fake->failed ());
    return;
  }
  gst_message_parse_error (message, &error, NULL);
  if (!g_error_matches (error, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_FAILED))
    g_test_fail_printf ("the failure of %s gives another error: %s", fake->failed (), error->message);
  g_clear_error (&error);
  gst_message_unref (message);
  test_assert_no_message (harness, GST_MESSAGE_ERROR | GST_MESSAGE_WARNING);
}

#ifdef HAVE_GST_CUDA
/* Elements for a GPU offer upstream a pool of system memory, which comes again and again. */
static void
test_pool (void)
{
  const gchar *const names[] = { "cudacca", "cudaccl", "cca" };
  const GstVideoInfo info = test_video_info ("I420", WIDTH, HEIGHT);

  for (guint i = 0; i < G_N_ELEMENTS (names); i++) {
    g_autoptr (GstHarness) harness = test_harness (names[i], test_caps ("I420", WIDTH, HEIGHT, NULL));
    g_autoptr (GstCaps) caps = test_caps ("I420", WIDTH, HEIGHT, NULL);
    g_autoptr (GstQuery) query = gst_query_new_allocation (caps, TRUE);
    g_autoptr (GstBufferPool) pool = NULL;
    GstBuffer *frame;
    guint size;

    gst_pad_peer_query (harness->srcpad, query);
    g_assert_cmpuint (gst_query_get_n_allocation_pools (query), ==, i < 2 ? 1 : 0);
    if (i < 2) {
      gst_query_parse_nth_allocation_pool (query, 0, &pool, &size, NULL, NULL);
      g_assert_cmpuint (size, ==, GST_VIDEO_INFO_SIZE (&info));
      g_assert_true (gst_buffer_pool_set_active (pool, TRUE));
      g_assert_cmpint (gst_buffer_pool_acquire_buffer (pool, &frame, NULL), ==, GST_FLOW_OK);
      gst_buffer_unref (test_pass (harness, frame));
      gst_buffer_pool_set_active (pool, FALSE);
    }
  }
}

/* Memory that comes again is pinned until it is freed, even if that is after the element; other memory never is. */
static void
test_pins (void)
{
  const GstVideoInfo info = test_video_info ("I420", WIDTH, HEIGHT);
  GstHarness *harness = test_harness ("cudacca", test_caps ("I420", WIDTH, HEIGHT, NULL));
  const guint64 held = fake->n_held (FAKE_CUDA_REGISTERED), made = fake->n_made (FAKE_CUDA_REGISTERED);
  GstBuffer *frames[N_FRAMES];

  for (guint i = 0; i < 4 * N_FRAMES; i++)
    pass (harness, i);
  g_assert_cmpuint (fake->n_made (FAKE_CUDA_REGISTERED), ==, made);
  for (guint i = 0; i < N_FRAMES; i++)
    frames[i] = test_frame (&info, i);
  for (guint i = 0; i < 8 * N_FRAMES; i++)
    gst_buffer_unref (test_pass (harness, gst_buffer_ref (frames[i % N_FRAMES])));
  g_assert_cmpuint (fake->n_made (FAKE_CUDA_REGISTERED), ==, made + N_FRAMES);
  g_assert_cmpuint (fake->n_held (FAKE_CUDA_REGISTERED), ==, held + N_FRAMES);
  gst_buffer_unref (frames[0]);
  g_assert_cmpuint (fake->n_held (FAKE_CUDA_REGISTERED), ==, held + N_FRAMES - 1);
  test_harness_free (harness);
  for (guint i = 1; i < N_FRAMES; i++)
    gst_buffer_unref (frames[i]);
  g_assert_cmpuint (fake->n_held (FAKE_CUDA_REGISTERED), ==, held);
}

/* Any call for frames whose memory gets pinned may fail: one error, or none where the memory just stays as it was, and
 * nothing leaks. */
static void
test_pins_fail (void)
{
  const GstVideoInfo info = test_video_info ("I420", WIDTH, HEIGHT);
  gboolean reached = TRUE, was_refused = FALSE;
  guint64 n = 0;

  while (reached && !g_test_failed ()) {
    GstHarness *harness;
    GstBuffer *frame = test_frame (&info, 1);
    GstFlowReturn flow = GST_FLOW_OK;
    guint64 before[FAKE_CUDA_N_KINDS];
    guint refused;

    count_held (before);
    harness = test_harness ("cudacca", test_caps ("I420", WIDTH, HEIGHT, NULL));
    fake->fail (++n, FAKE_CUDA_ONCE, FAKE_CUDA_UNCORRECTABLE);
    for (guint i = 0; i < 5 && flow == GST_FLOW_OK; i++)
      flow = gst_harness_push (harness, gst_buffer_ref (frame));
    reached = fake->failed () != NULL;
    refused = reached && g_str_equal (fake->failed (), "cuMemHostRegister");
    if (refused)
      g_assert_cmpint (flow, ==, GST_FLOW_OK);
    was_refused |= refused;
    if (flow != GST_FLOW_OK)
      assert_one_error (harness);
    fake->fail (0, FAKE_CUDA_ONCE, 0);
    gst_buffer_unref (frame);
    test_harness_free (harness);
    check_held (before, n);
  }
  g_assert_true (was_refused);
}

/* Elements that work on frames in CUDA memory. */
static const Element painters[] = {
  { "cudaccacrop", "cudaccacrop ! ccauncrop" },
  { "cudaccaprivacy", "cudaccaprivacy mode=blur" },
  { "cudaccaoverlay", "cudaccaoverlay" },
};

/* Adds a component for the overlay, and two crops; the privacy filter hides the whole frame. */
static GstBuffer *
add_component (GstBuffer *frame)
{
  const GstCcaComponent component = { .label = 1, .x = 4, .y = 4, .width = 20, .height = 16, .area = 320 };

  for (guint i = 0; i < 2; i++)
    gst_buffer_add_video_region_of_interest_meta (frame, "cca-crop", 8 * i, 4, 20, 16);
  g_assert_nonnull (gst_buffer_add_cca_meta (frame, NULL, WIDTH, HEIGHT, 1, &component, 1));
  return frame;
}

/* The elements change frames in place if no one else holds them, and take tiles from a pool. */
static void
test_steady_painter (gconstpointer data)
{
  const Element *painter = data;
  guint64 before[FAKE_CUDA_N_KINDS] = { 0 };
  g_auto (CudaSource) source = cuda_source_open (NULL, "I420", WIDTH, HEIGHT);
  g_autoptr (GstHarness) harness = cuda_source_harness (&source, painter->launch, NULL);

  for (guint i = 0; i < 4 * N_FRAMES; i++) {
    gst_buffer_unref (test_pass (harness, add_component (cuda_source_frame (&source, i))));
    count_made (before, i, N_FRAMES);
  }
}

/* Elements in one context share their kernels until the last one has closed. */
static void
test_painters_share (gconstpointer data)
{
  const Element *painter = data;
  const guint64 n_modules = fake->n_held (FAKE_CUDA_MODULE);
  GstHarness *harnesses[2];
  g_auto (CudaSource) source = cuda_source_open (NULL, "I420", WIDTH, HEIGHT);

  for (guint i = 0; i < 2; i++) {
    harnesses[i] = cuda_source_harness (&source, painter->launch, NULL);
    gst_buffer_unref (test_pass (harnesses[i], add_component (cuda_source_frame (&source, i))));
    g_assert_cmpuint (fake->n_held (FAKE_CUDA_MODULE), ==, n_modules + 1);
  }
  test_harness_free (harnesses[0]);
  gst_buffer_unref (test_pass (harnesses[1], add_component (cuda_source_frame (&source, 2))));
  g_assert_cmpuint (fake->n_held (FAKE_CUDA_MODULE), ==, n_modules + 1);
  test_harness_free (harnesses[1]);
  g_assert_cmpuint (fake->n_held (FAKE_CUDA_MODULE), ==, n_modules);
}

/* Whether the element works without this: without a stream of its own it takes the context's; and with its first frame
 * it may make a pool, of which libgstcuda frees memory that it tried its layout with. */
static gboolean
is_harmless (const gchar *call, gboolean is_first)
{
  return g_str_equal (call, "cuCtxPushCurrent") || g_str_equal (call, "cuCtxPopCurrent")
         || g_str_equal (call, "cuStreamCreate")
         || (is_first && (g_str_equal (call, "cuMemFree") || g_str_equal (call, "cuStreamSynchronize")));
}

/* Fails the nth call of the first frame, or of the second one. Returns FALSE if the frame has fewer calls. */
static gboolean
fail_painter (const Element *painter, guint64 nth, gboolean is_first)
{
  g_auto (CudaSource) source = cuda_source_open (NULL, "I420", WIDTH, HEIGHT);
  g_autoptr (GstHarness) harness = cuda_source_harness (&source, painter->launch, NULL);
  GstFlowReturn flow;
  GstBuffer *frame;
  gboolean reached;

  if (!is_first)
    gst_buffer_unref (test_pass (harness, add_component (cuda_source_frame (&source, 0))));
  /* Its pixels do not matter: an upload by libgstcuda could fail unnoticed. */
  g_assert_cmpint (gst_buffer_pool_acquire_buffer (source.pool, &frame, NULL), ==, GST_FLOW_OK);
  add_component (frame);
  fake->fail (nth, FAKE_CUDA_ONCE, FAKE_CUDA_UNCORRECTABLE);
  flow = gst_harness_push (harness, frame);
  reached = fake->failed () != NULL;
  if (flow != GST_FLOW_OK)
    assert_one_error (harness);
  else if (reached && !is_harmless (fake->failed (), is_first))
    g_test_fail_printf ("the frame passes although %s fails", fake->failed ());
  fake->fail (0, FAKE_CUDA_ONCE, 0);
  return reached;
}

/* Any call of a frame may fail: one error, the frame does not pass, nothing leaks. */
static void
test_painter_fails (gconstpointer data)
{
  CudaSource source;

  source = cuda_source_open (NULL, "I420", WIDTH, HEIGHT); /* the shared context remains */
  cuda_source_close (&source);
  for (guint second = 0; second <= 1; second++) {
    gboolean reached = TRUE;
    guint64 n = 0;

    while (reached && !g_test_failed ()) {
      guint64 before[FAKE_CUDA_N_KINDS];

      count_held (before);
      reached = fail_painter (data, ++n, !second);
      check_held (before, n);
    }
    if (n < (second ? 5 : 10) && !g_test_failed ())
      g_test_fail_printf ("a frame calls the driver %" G_GUINT64_FORMAT " times only", n);
  }
}
#endif

/* Returns the number of calls for a frame after a change of settings, whose steps are all enqueued anew. */
static guint64
calls_of_a_change (GstHarness *harness, guint emit, gboolean post_messages, guint min_area)
{
  g_object_set (harness->element, "emit", emit, "post-messages", post_messages, "min-area", min_area, NULL);
  fake->fail (0, FAKE_CUDA_ONCE, 0);
  pass (harness, 1);
  return fake->n_calls ();
}

/* While no one receives components, the GPU only counts them, from the next frame on. Tested with an algorithm that has
 * a step for each task. */
static void
test_unwanted (void)
{
  g_autoptr (GstHarness) harness = test_harness ("cudacca algorithm=flsl-cd", test_caps ("I420", WIDTH, HEIGHT, NULL));
  guint64 wanted, n_components;

  for (guint i = 0; i < 3; i++) /* the first is not repeated, and the second is timed */
    pass (harness, 1);
  n_components = test_stat (harness->element, NULL, "components") / 3;
  g_assert_cmpuint (n_components > 0, ==, !fake->is_null ());
  calls_of_a_change (harness, 0, FALSE, 0);
  wanted = calls_of_a_change (harness, 1, TRUE, 0);
  for (guint i = 1; i <= 3; i++) {
    const guint64 before = test_stat (harness->element, NULL, "components");

    g_assert_cmpuint (calls_of_a_change (harness, 0, FALSE, 0), <, wanted);
    if (i < 3) {
      g_assert_cmpuint (calls_of_a_change (harness, i == 1 ? 1 : 0, i == 2, 0), ==, wanted);
      g_assert_cmpuint (test_stat (harness->element, NULL, "components"), ==, before + 2 * n_components);
    } else {
      g_assert_cmpuint (calls_of_a_change (harness, 0, FALSE, 2), >, wanted);
    }
  }
}

/* --- A device that is lost --------------------------------------------------------------------------- */

static void
restart (GstHarness *harness, GstState state)
{
  g_assert_cmpint (gst_element_set_state (harness->element, state), ==, GST_STATE_CHANGE_SUCCESS);
  g_assert_cmpint (gst_element_set_state (harness->element, GST_STATE_PLAYING), ==, GST_STATE_CHANGE_SUCCESS);
  gst_harness_set_src_caps (harness, test_caps ("I420", WIDTH, HEIGHT, NULL));
}

/* Loses the device at the nth call of a frame; returns FALSE if the frame has fewer calls. The frame may still pass if
 * the loss shows only while the plan makes room for the next one. */
static gboolean
lose (const Element *element, guint64 nth, int result, GstState stop_at)
{
  GstHarness *harness = open_element (element);
  GstFlowReturn flow;
  gboolean reached;

  pass (harness, 0);
  fake->fail (nth, FAKE_CUDA_IN_THIS_CONTEXT, result);
  flow = push (harness, 1);
  reached = fake->failed () != NULL;
  if (reached) {
    if (flow == GST_FLOW_OK)
      flow = push (harness, 2);
    g_assert_cmpint (flow, ==, GST_FLOW_ERROR);
    g_assert_cmpint (push (harness, 3), ==, GST_FLOW_ERROR);
    assert_one_error (harness);
    restart (harness, stop_at);
    for (guint i = 0; i < 4; i++)
      g_assert_cmpint (push (harness, i), ==, GST_FLOW_OK);
    g_assert_cmpuint (test_stat (harness->element, NULL, "frames"), ==, 4);
    g_assert_cmpuint (test_stat (harness->element, NULL, "components") > 0, ==, !fake->is_null ());
    test_assert_no_message (harness, GST_MESSAGE_ERROR | GST_MESSAGE_WARNING);
  }
  test_harness_free (harness);
  fake->fail (0, FAKE_CUDA_ONCE, 0);
  return reached;
}

typedef struct
{
  const gchar *name, *launch;
  int result;
  GstState stop_at;
} Loss;

static const Loss losses[] = {
  { "cudacca/illegal-address/null", "cudacca", FAKE_CUDA_ILLEGAL_ADDRESS, GST_STATE_NULL },
  { "cudacca/illegal-address/ready", "cudacca", FAKE_CUDA_ILLEGAL_ADDRESS, GST_STATE_READY },
  { "cudacca/uncorrectable/null", "cudacca", FAKE_CUDA_UNCORRECTABLE, GST_STATE_NULL },
  { "cudaccl/uncorrectable/ready", "cudaccl", FAKE_CUDA_UNCORRECTABLE, GST_STATE_READY },
};

/* Whichever call of a frame sees it first: one error, nothing leaks, and the next start is a new beginning. */
static void
test_lost (gconstpointer data)
{
  const Loss *loss = data;
  const Element element = { loss->name, loss->launch };
  const guint step = fake->is_null () ? 1 : 5; /* a GPU takes its time to begin anew */
  gboolean reached = TRUE;
  guint64 n;

  for (n = 1; reached && !g_test_failed (); n += step) {
    guint64 before[FAKE_CUDA_N_KINDS];

    count_held (before);
    reached = lose (&element, n, loss->result, loss->stop_at);
    check_held (before, n);
  }
  if (n < 10)
    g_test_fail_printf ("a frame calls the driver %" G_GUINT64_FORMAT " times only", n);
}

/* A bin remembers the context that its elements shared; the elements must not take a lost one from there. */
static void
test_lost_in_bin (gconstpointer stop_at)
{
  GstElement *bin = gst_parse_bin_from_description ("cudacca", TRUE, NULL);
  GstBus *bus = gst_bus_new ();
  GstHarness *harness;

  gst_object_ref_sink (bin);
  gst_element_set_bus (bin, bus);
  harness = gst_harness_new_with_element (bin, "sink", "src");
  gst_harness_set_src_caps (harness, test_caps ("I420", WIDTH, HEIGHT, NULL));
  for (guint i = 0; i < 3; i++) {
    pass (harness, i);
    fake->fail (1, FAKE_CUDA_IN_THIS_CONTEXT, FAKE_CUDA_ILLEGAL_ADDRESS);
    g_assert_cmpint (push (harness, i), ==, GST_FLOW_ERROR);
    g_assert_nonnull (fake->failed ());
    assert_one_error (harness);
    restart (harness, (GstState) GPOINTER_TO_INT (stop_at));
  }
  pass (harness, 0);
  test_harness_free (harness);
  gst_object_unref (bus);
  gst_object_unref (bin);
  fake->fail (0, FAKE_CUDA_ONCE, 0);
}

#ifdef HAVE_GST_CUDA
static GstHarness *
open_on (gint device)
{
  g_autofree gchar *launch = g_strdup_printf ("cudacca cuda-device-id=%d", device);

  return test_harness (launch, test_caps ("I420", WIDTH, HEIGHT, NULL));
}

/* Elements of several pipelines share a context on each device, and the kernels in it, until the last one has closed;
 * that which the application has set they leave to others. */
static void
test_shared_context (void)
{
  const guint64 n_contexts = fake->n_held (FAKE_CUDA_CONTEXT), n_modules = fake->n_held (FAKE_CUDA_MODULE);
  GstHarness *harnesses[3];
  CudaSource source;
  GstCudaContext *used;
  guint64 n;

  for (guint turn = 0; turn < 2; turn++) {
    harnesses[0] = open_on (-1);
    g_assert_cmpuint (fake->n_held (FAKE_CUDA_CONTEXT), ==, n_contexts + 1);
    n = fake->n_held (FAKE_CUDA_MODULE);
    harnesses[1] = open_on (0);
    used = cuda_test_element_context (harnesses[0]->element);
    g_assert_true (used && used == cuda_test_element_context (harnesses[1]->element));
    g_assert_cmpuint (fake->n_held (FAKE_CUDA_CONTEXT), ==, n_contexts + 1);
    g_assert_cmpuint (fake->n_held (FAKE_CUDA_MODULE), ==, n);
    for (guint i = 0; i < 3; i++)
      pass (harnesses[i % 2], i);
    test_harness_free (harnesses[0]);
    pass (harnesses[1], 1);
    test_harness_free (harnesses[1]);
    g_assert_cmpuint (fake->n_held (FAKE_CUDA_CONTEXT), ==, n_contexts);
    g_assert_cmpuint (fake->n_held (FAKE_CUDA_MODULE), ==, n_modules);
  }
  source = cuda_source_open (NULL, "I420", WIDTH, HEIGHT);
  harnesses[0] = cuda_source_harness (&source, "cudacca", NULL);
  harnesses[1] = open_on (0);
  g_assert_true (cuda_test_element_context (harnesses[0]->element) == source.context);
  g_assert_true (cuda_test_element_context (harnesses[1]->element) != source.context);
  test_harness_free (harnesses[0]);
  test_harness_free (harnesses[1]);
  cuda_source_close (&source);
}

/* Loses, at the nth call, the device of the stream that makes it; returns FALSE if there are fewer calls. */
static gboolean
lose_one_device (guint64 nth)
{
  enum
  {
    N_STREAMS = 4,
    N_DEVICES = 2
  };
  GstHarness *harnesses[N_STREAMS];
  GstFlowReturn flows[N_STREAMS] = { GST_FLOW_OK };
  gboolean reached;
  guint lost = 0;

  for (guint i = 0; i < N_STREAMS; i++) {
    harnesses[i] = open_on ((gint) i % N_DEVICES);
    pass (harnesses[i], i);
  }
  fake->fail (nth, FAKE_CUDA_IN_THIS_CONTEXT, FAKE_CUDA_UNCORRECTABLE);
  for (guint i = 0; i < N_STREAMS; i++) {
    flows[i] = push (harnesses[i], i);
    lost = fake->failed () ? lost : (i + 1) % N_DEVICES;
  }
  reached = fake->failed () != NULL;
  for (guint i = 0; i < N_STREAMS && reached; i++)
    flows[i] = push (harnesses[i], i);
  for (guint i = 0; i < N_STREAMS && reached; i++) {
    if (i % N_DEVICES == lost) {
      g_assert_cmpint (flows[i], ==, GST_FLOW_ERROR);
      assert_one_error (harnesses[i]);
      restart (harnesses[i], GST_STATE_READY);
    } else {
      g_assert_cmpint (flows[i], ==, GST_FLOW_OK);
      test_assert_no_message (harnesses[i], GST_MESSAGE_ERROR | GST_MESSAGE_WARNING);
    }
  }
  for (guint i = 0; i < 2 * N_STREAMS && reached; i++)
    g_assert_cmpint (push (harnesses[i % N_STREAMS], i), ==, GST_FLOW_OK);
  for (guint i = N_DEVICES; i < N_STREAMS; i++)
    g_assert_true (cuda_test_element_context (harnesses[i]->element)
                   == cuda_test_element_context (harnesses[i - N_DEVICES]->element));
  for (guint i = 0; i < N_STREAMS; i++)
    test_harness_free (harnesses[i]);
  fake->fail (0, FAKE_CUDA_ONCE, 0);
  return reached;
}

/* One of several devices is lost: its streams have one error each and can start again, streams on others continue. */
static void
test_lost_of_two (void)
{
  const guint step = fake->is_null () ? 1 : 20;
  gboolean reached = TRUE;
  GstCudaContext *second;
  guint64 n;

  if (!(second = gst_cuda_context_new (1))) {
    g_test_skip ("there is no second GPU");
    return;
  }
  gst_object_unref (second);
  for (n = 1; reached && !g_test_failed (); n += step) {
    guint64 before[FAKE_CUDA_N_KINDS];

    count_held (before);
    reached = lose_one_device (n);
    check_held (before, n);
  }
  if (n < 30)
    g_test_fail_printf ("the frames call the driver %" G_GUINT64_FORMAT " times only", n);
}
#endif

/* For a device that does not exist, the error names the property, its value, and an alternative. */
static void
test_no_device (void)
{
  g_autoptr (GstElement) element = gst_element_factory_make ("cudacca", NULL);
  g_autoptr (GstBus) bus = gst_bus_new ();
  GError *error = NULL;
  GstMessage *message;

  gst_element_set_bus (element, bus);
  g_object_set (element, "cuda-device-id", 99, NULL);
  g_assert_cmpint (gst_element_set_state (element, GST_STATE_READY), ==, GST_STATE_CHANGE_FAILURE);
  message = gst_bus_pop_filtered (bus, GST_MESSAGE_ERROR);
  g_assert_nonnull (message);
  gst_message_parse_error (message, &error, NULL);
  g_assert_true (g_str_has_prefix (error->message, "cuda-device-id=99: "));
  g_assert_true (g_str_has_suffix (error->message, "use \"cca\" instead"));
  g_error_free (error);
  gst_message_unref (message);
  gst_element_set_bus (element, NULL);
  gst_element_set_state (element, GST_STATE_NULL);
}

#ifdef HAVE_GST_CUDA
static void
add_cuda_cases (void)
{
  ADD_ROWS ("/driver/steady/device", elements, test_steady_device);
  ADD_TESTS ("/driver", test_pool, test_pins);
  g_test_add_func ("/driver/fails/pins", test_pins_fail);
  ADD_ROWS ("/driver/steady/device", painters, test_steady_painter);
  ADD_ROWS ("/driver/shared", painters, test_painters_share);
  ADD_ROWS ("/driver/fails", painters, test_painter_fails);
  g_test_add_func ("/driver/shared-context", test_shared_context);
  g_test_add_func ("/driver/lost/one-of-two", test_lost_of_two);
}
#endif

int
main (int argc, char **argv)
{
  void *library = dlopen ("libcuda.so.1", RTLD_NOW);

  fake = library ? dlsym (library, "fake_cuda") : NULL;
  if (!fake) {
    g_printerr ("driver: libcuda.so.1 is not the fake one; start it by with-fake-cuda, or for the null device with "
                "LD_LIBRARY_PATH=tests/lib/fake-cuda in the build folder\n");
    return 2;
  }
  g_test_init (&argc, &argv, NULL);
  gst_init (&argc, &argv);
  ADD_ROWS ("/driver/steady", elements, test_steady);
#ifdef HAVE_GST_CUDA
  cuda_test_add ("/driver/device", add_cuda_cases);
#endif
  g_test_add_func ("/driver/unwanted", test_unwanted);
  g_test_add_func ("/driver/no-device", test_no_device);
  ADD_ROWS ("/driver/lost", losses, test_lost);
  g_test_add_data_func ("/driver/lost/bin/null", GINT_TO_POINTER (GST_STATE_NULL), test_lost_in_bin);
  g_test_add_data_func ("/driver/lost/bin/ready", GINT_TO_POINTER (GST_STATE_READY), test_lost_in_bin);
  return g_test_run ();
}
