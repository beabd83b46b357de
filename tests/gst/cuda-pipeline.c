/* gst-cca: pipelines with the elements of plugin nvcodec
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "cuda-test.h"

/* The formats of test_formats that CUDA memory can hold. */
static const gchar *const formats[] = { "NV12", "NV21", "I420", "YV12", "Y42B", "Y444", "P010_10LE",
                                        "BGRx", "BGRA", "RGBx", "RGBA", "YUY2", "UYVY" };

static const guint sizes[][2] = { { 157, 83 }, { 640, 360 }, { 1919, 1079 } };

/* Frames that cudaupload brought. */
static void
test_uploaded (gconstpointer format)
{
  if (cuda_test_skip_without ("cudaupload"))
    return;
  for (guint i = 0; i < G_N_ELEMENTS (sizes); i++) {
    const GstVideoInfo info = test_video_info (format, sizes[i][0], sizes[i][1]);
    g_autoptr (TestReference) reference = NULL;
    GstHarness *harness;

    if (!cuda_test_is_possible (format, sizes[i][1]))
      continue;
    harness = gst_harness_new_parse ("cudaupload ! cudacca foreground=threshold");
    reference = cuda_test_reference (sizes[i][0], sizes[i][1], CCA_OUTPUT_NONE);
    gst_harness_set_sink_caps_str (harness, CUDA_MEMORY);
    gst_harness_set_src_caps (harness, test_caps (format, sizes[i][0], sizes[i][1], NULL));
    for (guint j = 0; j < 5; j++) {
      g_autoptr (GstBuffer) buffer = test_pass (harness, test_frame (&info, j));

      test_reference_run (reference, j);
      test_assert_meta (buffer, reference);
      cuda_test_memory_context (buffer);
    }
    gst_harness_teardown (harness);
  }
}

/* Frames of cudaccl that cudadownload brings to system memory equal those of ccl. */
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

  if (cuda_test_skip_without ("cudadownload"))
    return;
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    const GstVideoInfo info = test_video_info ("I420", 322, 180);
    g_autofree gchar *launch =
        g_strdup_printf ("cudaupload ! cudaccl foreground=threshold %s ! cudadownload", cases[i].properties);
    GstHarness *harness = gst_harness_new_parse (launch);
    g_autoptr (TestReference) reference = cuda_test_reference (322, 180, cases[i].output);

    gst_harness_set_sink_caps_str (harness, cases[i].downstream);
    gst_harness_set_src_caps (harness, test_caps ("I420", 322, 180, NULL));
    for (guint j = 0; j < 6; j++) {
      g_autoptr (GstBuffer) buffer = test_pass (harness, test_frame (&info, j));
      g_autoptr (GstCaps) caps = gst_pad_get_current_caps (harness->sinkpad);

      test_reference_run (reference, j);
      g_assert_false (cuda_test_is_cuda (caps));
      test_assert_pixels (buffer, caps, reference);
      test_assert_meta (buffer, reference);
    }
    gst_harness_teardown (harness);
  }
}

/* Neighbours share one context, whichever starts first. */
static void
test_shared_context (gconstpointer launch)
{
  g_autoptr (GstElement) pipeline = NULL, upload = NULL, element = NULL, sink = NULL;
  GstSample *sample = NULL;
  GError *error = NULL;

  if (cuda_test_skip_without ("cudaupload"))
    return;
  pipeline = gst_parse_launch (launch, &error);
  g_assert_no_error (error);
  upload = gst_bin_get_by_name (GST_BIN (pipeline), "upload");
  element = gst_bin_get_by_name (GST_BIN (pipeline), "element");
  sink = gst_bin_get_by_name (GST_BIN (pipeline), "sink");
  g_assert_cmpint (gst_element_set_state (pipeline, GST_STATE_PAUSED), !=, GST_STATE_CHANGE_FAILURE);
  g_assert_cmpint (gst_element_get_state (pipeline, NULL, NULL, 20 * GST_SECOND), ==, GST_STATE_CHANGE_SUCCESS);
  g_assert_nonnull (cuda_test_element_context (element));
  g_assert_true (cuda_test_element_context (element) == cuda_test_element_context (upload));
  g_object_get (sink, "last-sample", &sample, NULL);
  g_assert_nonnull (sample);
  g_assert_true (cuda_test_memory_context (gst_sample_get_buffer (sample)) == cuda_test_element_context (element));
  gst_sample_unref (sample);
  gst_element_set_state (pipeline, GST_STATE_NULL);
  g_assert_null (cuda_test_element_context (element));
}

/* Components of all frames of a pipeline, by its messages, until it ends. */
static guint64
count_components (GstElement *pipeline)
{
  g_autoptr (GstBus) bus = gst_element_get_bus (pipeline);
  guint64 sum = 0;
  gboolean done = FALSE;

  while (!done) {
    g_autoptr (GstMessage) message = gst_bus_timed_pop_filtered (
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
  }
  return sum;
}

/* Full-size frames stay in CUDA memory, in a pool of the neighbours' context, while small ones are analysed. */
static void
test_combined (void)
{
  g_autoptr (GstElement) pipeline = NULL, sink = NULL;
  GstSample *sample = NULL;
  const GstCcaMeta *meta;
  GError *error = NULL;

  if (cuda_test_skip_without ("cudascale"))
    return;
  pipeline = gst_parse_launch (
      "videotestsrc num-buffers=30 pattern=ball ! video/x-raw,format=NV12,width=1280,height=720,framerate=30/1 ! "
      "cudaupload ! " CUDA_MEMORY " ! tee name=t "
      "t. ! queue ! ccacombiner name=combiner missing=none ! " CUDA_MEMORY " ! fakesink name=sink "
      "t. ! queue ! cudascale ! " CUDA_MEMORY ",width=320,height=180 ! "
      "cudacca foreground=threshold post-messages=false ! combiner.meta",
      &error);
  g_assert_no_error (error);
  sink = gst_bin_get_by_name (GST_BIN (pipeline), "sink");
  gst_element_set_state (pipeline, GST_STATE_PLAYING);
  count_components (pipeline); /* until the end */
  g_assert_cmpuint (test_stat (pipeline, "combiner", "matched"), ==, 30);
  g_object_get (sink, "last-sample", &sample, NULL);
  g_assert_nonnull (sample);
  cuda_test_memory_context (gst_sample_get_buffer (sample));
  meta = gst_buffer_get_cca_meta (gst_sample_get_buffer (sample));
  g_assert_nonnull (meta);
  g_assert_false (meta->stale);
  g_assert_cmpuint (meta->width, ==, 1280);
  g_assert_cmpuint (meta->n_components, ==, 1);
  gst_sample_unref (sample);
  gst_element_set_state (pipeline, GST_STATE_NULL);
}

#define STREAM                                                                                                         \
  "videotestsrc num-buffers=30 pattern=zone-plate kx2=40 ky2=40 kt=5 ! "                                               \
  "video/x-raw,format=NV12,width=640,height=360 ! cudaupload ! " CUDA_MEMORY " ! "                                     \
  "cudacca foreground=threshold threshold=200 ! fakesink"

static void
test_restart (gconstpointer stop_at)
{
  g_autoptr (GstElement) pipeline = NULL;
  guint64 first = 0;

  if (cuda_test_skip_without ("cudaupload"))
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
}

static void
test_side_by_side (gconstpointer number)
{
  const guint n = GPOINTER_TO_UINT (number);
  GstElement *pipelines[8];
  guint64 first = 0;

  if (cuda_test_skip_without ("cudaupload"))
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

/* Both twins in one pipeline, the second behind the download, tell the same of each frame of the GPU's decoder. */
static void
test_decoder (gconstpointer properties)
{
  g_autofree gchar *film = g_test_build_filename (G_TEST_BUILT, "film.h264", NULL), *launch = NULL;
  g_autoptr (GHashTable) told = NULL;
  g_autoptr (GstElement) pipeline = NULL;
  guint n_compared = 0, n_found = 0;
  gboolean done = FALSE;
  GError *error = NULL;
  g_autoptr (GstBus) bus = NULL;

  if (cuda_test_skip_without ("nvh264dec"))
    return;
  if (!g_file_test (film, G_FILE_TEST_EXISTS)) {
    g_test_skip ("no film.h264: where the tests were built there was no openh264enc");
    return;
  }
  launch = g_strdup_printf ("filesrc location=\"%s\" ! h264parse ! nvh264dec ! video/x-raw(memory:CUDAMemory) ! "
                            "cudacca name=gpu id=same %s ! cudadownload ! cca name=cpu id=same %s ! fakesink",
                            film, (const gchar *) properties, (const gchar *) properties);
  pipeline = gst_parse_launch (launch, &error);
  g_assert_no_error (error);
  bus = gst_element_get_bus (pipeline);
  told = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, (GDestroyNotify) gst_structure_free);
  gst_element_set_state (pipeline, GST_STATE_PLAYING);
  while (!done) {
    g_autoptr (GstMessage) message =
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
        guint n;

        g_assert_nonnull (other);
        g_assert_true (gst_structure_is_equal (structure, other));
        g_assert_true (gst_structure_get_uint (structure, "n-components", &n));
        n_found += n;
        n_compared++;
      }
    }
  }
  g_assert_cmpuint (n_compared, ==, 50);
  g_assert_cmpuint (n_found, >, 0);
  gst_element_set_state (pipeline, GST_STATE_NULL);
}

/* Counts frames in CUDA memory that have a region where the first component is. */
static GstPadProbeReturn
check_result (GstPad *pad, GstPadProbeInfo *info, gpointer n_right)
{
  GstBuffer *buffer = GST_PAD_PROBE_INFO_BUFFER (info);
  const GstCcaMeta *meta = gst_buffer_get_cca_meta (buffer);
  const GstCcaComponent *ball = meta && meta->n_stored > 0 ? &meta->components[0] : NULL;
  gpointer state = NULL;
  GstMeta *found;
  gboolean right = FALSE;

  g_assert_nonnull (cuda_test_memory_context (buffer));
  while (ball && !right
         && (found = gst_buffer_iterate_meta_filtered (buffer, &state, GST_VIDEO_REGION_OF_INTEREST_META_API_TYPE))) {
    const GstVideoRegionOfInterestMeta *region = (GstVideoRegionOfInterestMeta *) found;

    right = !g_str_equal (g_quark_to_string (region->roi_type), "cca-crop")
            && ABS ((gint) region->x - (gint) ball->x) <= 3 && ABS ((gint) region->y - (gint) ball->y) <= 3
            && ABS ((gint) region->w - (gint) ball->width) <= 6 && ABS ((gint) region->h - (gint) ball->height) <= 6;
  }
  *(guint *) n_right += right;
  return GST_PAD_PROBE_OK;
}

/* From the GPU's decoder through the gate and past a detector, frames stay in CUDA memory and get the results. */
static void
test_gate (void)
{
  g_autofree gchar *film = g_test_build_filename (G_TEST_BUILT, "film.h264", NULL), *launch = NULL;
  g_autoptr (TestPipeline) pipeline = NULL;
  g_autoptr (GstElement) sink = NULL;
  g_autoptr (GstPad) pad = NULL;
  guint n_right = 0;

  if (cuda_test_skip_without ("nvh264dec"))
    return;
  if (!g_file_test (film, G_FILE_TEST_EXISTS)) {
    g_test_skip ("no film.h264: where the tests were built there was no openh264enc");
    return;
  }
  launch = g_strdup_printf (
      "filesrc location=\"%s\" ! h264parse ! capssetter caps=video/x-h264,framerate=25/1 ! nvh264dec "
      "! " CUDA_MEMORY " ! cudacca id=ball foreground=threshold ! "
      "ccatrack ! ccagate mode=crops crop-width=160 crop-height=160 ! cudaccacrop ! " CUDA_MEMORY
      ",format=NV12,width=320,height=320 ! cudacca id=detector foreground=threshold emit=roi ! ccauncrop ! "
      "fakesink name=sink sync=false",
      film);
  pipeline = test_pipeline_new (launch);
  sink = gst_bin_get_by_name (GST_BIN (pipeline), "sink");
  pad = gst_element_get_static_pad (sink, "sink");
  gst_pad_add_probe (pad, GST_PAD_PROBE_TYPE_BUFFER, check_result, &n_right, NULL);
  test_play_to_end (pipeline);
  g_assert_cmpuint (n_right, ==, 50);
}

/* While the gate is closed, more frames wait than the decoder has surfaces by default, and it still does not stall. */
static void
test_closed_gate (void)
{
  g_autoptr (TestPipeline) pipeline = NULL;
  g_autoptr (GstElement) gate = NULL;
  g_autoptr (GstStructure) stats = NULL;

  if (cuda_test_skip_without ("nvh264dec") || test_skip_without_element ("openh264enc"))
    return;
  pipeline =
      test_pipeline_new ("videotestsrc num-buffers=150 pattern=circular ! video/x-raw,format=I420,width=640,height=362,"
                         "framerate=25/1 ! openh264enc ! h264parse ! nvh264dec ! " CUDA_MEMORY
                         " ! cudacca foreground=motion ! ccatrack ! ccagate name=gate hold=0 pre-roll=2000000000 "
                         "! fakesink sync=false");
  gate = gst_bin_get_by_name (GST_BIN (pipeline), "gate");
  test_play_to_end (pipeline);
  g_object_get (gate, "stats", &stats, NULL);
  g_assert_cmpuint (test_get_uint64 (stats, "frames"), ==, 150);
  g_assert_cmpuint (test_get_uint64 (stats, "passed"), <, 50);
}

#define UPLOAD "videotestsrc num-buffers=3 ! cudaupload name=upload ! " CUDA_MEMORY " ! "
#define SINK " ! fakesink name=sink"

GST_CASES_MAIN ()
{
  add_strings ("/cuda-pipeline/uploaded", formats, G_N_ELEMENTS (formats), test_uploaded);
  g_test_add_func ("/cuda-pipeline/downloaded", test_downloaded);
  g_test_add_data_func ("/cuda-pipeline/context/cudacca", UPLOAD "cudacca name=element" SINK, test_shared_context);
  g_test_add_data_func ("/cuda-pipeline/context/cudaccl", UPLOAD "cudaccl name=element ! " CUDA_MEMORY SINK,
                        test_shared_context);
  g_test_add_func ("/cuda-pipeline/combined", test_combined);
  g_test_add_data_func ("/cuda-pipeline/restart/null", GINT_TO_POINTER (GST_STATE_NULL), test_restart);
  g_test_add_data_func ("/cuda-pipeline/restart/ready", GINT_TO_POINTER (GST_STATE_READY), test_restart);
  g_test_add_data_func ("/cuda-pipeline/side-by-side/two", GUINT_TO_POINTER (2), test_side_by_side);
  g_test_add_data_func ("/cuda-pipeline/side-by-side/eight", GUINT_TO_POINTER (8), test_side_by_side);
  g_test_add_data_func ("/cuda-pipeline/decoder/threshold", "foreground=threshold", test_decoder);
  g_test_add_data_func ("/cuda-pipeline/decoder/motion", "foreground=motion", test_decoder);
  g_test_add_func ("/cuda-pipeline/decoder/gate", test_gate);
  g_test_add_func ("/cuda-pipeline/decoder/closed-gate", test_closed_gate);
}
