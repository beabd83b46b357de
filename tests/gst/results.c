/* gst-cca: the elements measure and paint as libcca does
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "element-test.h"

#include <string.h>

enum
{
  WIDTH = 157,
  HEIGHT = 83,
  N_FRAMES = 6,
};

#define MOTION                                                                                                         \
  "foreground=motion motion-model=sigma-delta motion-learning=1 motion-period=2 motion-amplification=3 motion-min=5 "  \
  "motion-max=40"
#define MOTION_PARAMS { .learning = 1, .period = 2, .amplification = 3, .v_min = 5, .v_max = 40 }
#define THRESHOLD "foreground=threshold threshold=128 "
#define AREA THRESHOLD "min-area=5 max-area=40 order=area max-components=7"

/* Properties of an element, and the same as members of libcca's parameters. The last have all lists that a meta can
 * have, one behind the other. */
#define SETTINGS(S)                                                                                                    \
  S (nonzero, "foreground=nonzero", p->black = 16)                                                                     \
  S (four_connected, "connectivity=4", p->black = 16, p->connectivity = 4)                                             \
  S (threshold, THRESHOLD, set_threshold (p))                                                                          \
  S (range, "foreground=range threshold-low=17 threshold-high=200", p->foreground = CCA_FOREGROUND_RANGE, p->low = 17, \
     p->high = 200)                                                                                                    \
  S (inverted, THRESHOLD "invert=true", set_threshold (p), p->invert = true)                                           \
  S (clean, THRESHOLD "denoise=true close-radius=2", set_threshold (p), p->denoise = true, p->close_radius = 2)        \
  S (values, "foreground=values", p->foreground = CCA_FOREGROUND_VALUES)                                               \
  S (motion, MOTION, p->foreground = CCA_FOREGROUND_MOTION, p->denoise = true, p->motion = (CcaMotion) MOTION_PARAMS)  \
  S (motion_raw, MOTION " denoise=false", p->foreground = CCA_FOREGROUND_MOTION,                                       \
     p->motion = (CcaMotion) MOTION_PARAMS)                                                                            \
  S (area, AREA, set_area (p))                                                                                         \
  S (box, THRESHOLD "min-width=2 max-width=9 min-height=3 max-height=8", set_threshold (p), p->min_width = 2,          \
     p->max_width = 9, p->min_height = 3, p->max_height = 8)                                                           \
  S (covariance, THRESHOLD "covariance=true n-threads=3", set_threshold (p), p->covariance = true, p->n_threads = 3)   \
  S (overlaps, THRESHOLD "overlaps=true min-area=3 n-threads=2", set_threshold (p), p->overlaps = true,                \
     p->min_area = 3, p->n_threads = 2)                                                                                \
  S (details, AREA " shape=true intensity=true overlaps=true coverage=true", set_area (p),                             \
     p->shape = p->intensity = p->overlaps = true, p->coverage_cell = 2)

static void
set_threshold (CcaParams *p)
{
  p->foreground = CCA_FOREGROUND_THRESHOLD;
  p->threshold = 128;
}

static void
set_area (CcaParams *p)
{
  set_threshold (p);
  p->min_area = 5;
  p->max_area = 40;
  p->order = CCA_ORDER_AREA;
  p->max_components = 7;
}

#define DEFINE(name, properties, ...)                                                                                  \
  static void name##_settings (CcaParams *p)                                                                           \
  {                                                                                                                    \
    __VA_ARGS__;                                                                                                       \
  }
SETTINGS (DEFINE)

typedef struct
{
  const gchar *name, *properties;
  void (*set) (CcaParams *params);
} Settings;

#define ROW(name, properties, ...) { #name, properties, name##_settings },
static const Settings settings[] = { SETTINGS (ROW) };

static const struct
{
  const gchar *name, *downstream;
  CcaOutput output;
} outputs[] = {
  { "colors", "video/x-raw,format=RGBA", CCA_OUTPUT_COLORS },
  { "u16", "video/x-raw,format=GRAY16_LE", CCA_OUTPUT_LABELS_U16 },
  { "u32", "video/x-raw,format=RGBA,label-format=u32", CCA_OUTPUT_LABELS_U32 },
  { "mask", "video/x-raw,format=GRAY8", CCA_OUTPUT_MASK },
};

static void
check_stream (const Settings *set, const gchar *algorithm, guint output)
{
  const GstVideoInfo info = test_video_info ("I420", WIDTH, HEIGHT);
  const gboolean labels = output < G_N_ELEMENTS (outputs);
  g_autofree gchar *launch = g_strdup_printf ("%s algorithm=%s %s", labels ? "ccl" : "cca", algorithm, set->properties);
  g_autoptr (GstHarness) harness = test_harness (launch, NULL);
  g_autoptr (TestReference) reference = NULL;
  CcaParams params;

  cca_params_init (&params);
  params.algorithm = algorithm;
  set->set (&params);
  reference = test_reference_new (WIDTH, HEIGHT, &params, labels ? outputs[output].output : CCA_OUTPUT_NONE);
  if (labels)
    gst_harness_set_sink_caps_str (harness, outputs[output].downstream);
  gst_harness_set_src_caps (harness, test_caps ("I420", WIDTH, HEIGHT, NULL));
  for (guint i = 0; i < N_FRAMES; i++) {
    g_autoptr (GstBuffer) buffer = NULL;

    test_reference_run (reference, i);
    buffer = gst_harness_push_and_pull (harness, i & 1 ? test_frame (&info, i) : test_padded_frame (&info, i));
    test_assert_meta (buffer, reference);
    if (labels) {
      g_autoptr (GstCaps) caps = gst_pad_get_current_caps (harness->sinkpad);

      test_assert_pixels (buffer, caps, reference);
    }
  }
  /* A comparison of nothing with nothing would prove nothing. */
  g_assert_cmpuint (reference->measurement.n_components, >, 0);
}

static void
test_settings (gconstpointer data)
{
  const CcaAlgorithm *const *algorithms = cca_algorithms (CCA_BACKEND_CPU);

  g_assert_nonnull (algorithms[0]);
  for (guint i = 0; i <= G_N_ELEMENTS (outputs); i++) {
    check_stream (data, "auto", i);
    for (guint j = 0; algorithms[j]; j++)
      check_stream (data, algorithms[j]->name, i);
  }
}

/* Black of foreground=nonzero follows format and colorimetry. */
static void
test_black (void)
{
  static const struct
  {
    const gchar *format, *colorimetry;
    guint16 black;
  } cases[] = {
    { "GRAY8", NULL, 0 },
    { "GRAY8", "colorimetry=(string)2:4:5:1", 16 },
    { "GRAY8", "colorimetry=(string)1:4:5:1", 0 },
    { "NV12", NULL, 16 },
    { "I420", "colorimetry=(string)bt709", 16 },
    { "Y444", "colorimetry=(string)1:4:7:1", 0 },
    { "YUY2", NULL, 16 },
    { "P010_10LE", "colorimetry=(string)bt2020-10", 16 },
    { "BGRx", NULL, 0 },
    { "RGBA", "colorimetry=(string)2:1:7:1", 16 },
    { "GRAY16_LE", NULL, 0 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    const GstVideoInfo info = test_video_info (cases[i].format, WIDTH, HEIGHT);
    g_autoptr (GstHarness) harness =
        test_harness ("cca", test_caps (cases[i].format, WIDTH, HEIGHT, cases[i].colorimetry));
    g_autoptr (TestReference) reference = NULL;
    g_autoptr (GstBuffer) buffer = NULL;
    CcaParams params;

    cca_params_init (&params);
    params.black = cases[i].black;
    reference = test_reference_of_frame (WIDTH, HEIGHT, &params, i);
    buffer = gst_harness_push_and_pull (harness, test_frame (&info, i));
    test_assert_meta (buffer, reference);
  }
}

/* Black of limited-range luma of 16 bits lies at 16 of 255. */
static void
test_black_16 (void)
{
  const GstVideoInfo info = test_video_info ("GRAY16_BE", 2, 1);
  g_autoptr (GstHarness) harness = test_harness ("cca", test_caps ("GRAY16_BE", 2, 1, "colorimetry=(string)2:4:5:1"));
  g_autoptr (GstBuffer) buffer = gst_buffer_new_allocate (NULL, GST_VIDEO_INFO_SIZE (&info), NULL);
  const GstCcaComponent *component;
  GstCcaMeta *meta;

  gst_buffer_fill (buffer, 0, "\x10\x00\x10\x01", 4);
  buffer = gst_harness_push_and_pull (harness, buffer);
  meta = gst_buffer_get_cca_meta (buffer);
  g_assert_cmpuint (meta->n_components, ==, 1);
  component = gst_cca_meta_get_component (meta, 0);
  g_assert_cmpuint (component->x, ==, 1);
  g_assert_cmpuint (component->area, ==, 1);
}

/* The luma of RGB follows the colorimetry: at the threshold, one weight more or less decides. */
static void
test_matrix (void)
{
  static const struct
  {
    const gchar *colorimetry;
    guint green; /* luma of pure green: (255 g + 128) / 256 */
  } cases[] = {
    { NULL, 182 },
    { "colorimetry=(string)sRGB", 182 },
    { "colorimetry=(string)1:4:7:4", 149 }, /* BT.601, and the primaries of SMPTE 170M */
    { "colorimetry=(string)1:1:7:4", 149 }, /* RGB with those primaries */
    { "colorimetry=(string)1:3:5:1", 182 },
    { "colorimetry=(string)1:6:7:7", 173 },
    { "colorimetry=(string)1:1:7:7", 173 },
  };
  static const gchar *const formats[] = { "BGRx", "BGRA", "RGBx", "RGBA" };

  for (guint i = 0; i < G_N_ELEMENTS (cases) * G_N_ELEMENTS (formats) * 2; i++) {
    const gchar *format = formats[i / 2 % G_N_ELEMENTS (formats)];
    const guint found = i % 2, green = cases[i / 2 / G_N_ELEMENTS (formats)].green;
    g_autofree gchar *launch = g_strdup_printf ("cca foreground=threshold threshold=%u", green - found);
    g_autoptr (GstHarness) harness =
        test_harness (launch, test_caps (format, 1, 1, cases[i / 2 / G_N_ELEMENTS (formats)].colorimetry));
    g_autoptr (GstBuffer) buffer = gst_buffer_new_allocate (NULL, 4, NULL);

    gst_buffer_fill (buffer, 0, "\x00\xff\x00\xff", 4);
    buffer = gst_harness_push_and_pull (harness, buffer);
    g_assert_cmpuint (gst_buffer_get_cca_meta (buffer)->n_components, ==, found);
  }
}

static TestReference *
threshold_reference (guint seed)
{
  const CcaParams params = test_threshold_params ();

  return test_reference_of_frame (WIDTH, HEIGHT, &params, seed);
}

/* Every format behind a GstVideoMeta with odd offsets and strides. */
static void
test_strides (void)
{
  g_autoptr (TestReference) reference = threshold_reference (3);

  for (guint i = 0; i < test_n_formats; i++) {
    const GstVideoInfo info = test_video_info (test_formats[i], WIDTH, HEIGHT);
    g_autoptr (GstHarness) harness =
        test_harness ("cca foreground=threshold", test_caps (test_formats[i], WIDTH, HEIGHT, NULL));
    g_autoptr (GstBuffer) buffer = gst_harness_push_and_pull (harness, test_padded_frame (&info, 3));

    test_assert_meta (buffer, reference);
  }
}

/* A memory per plane, and a luma that is cut in the middle of a row, with and without GstVideoMeta. */
static void
test_memories (void)
{
  const GstVideoInfo info = test_video_info ("I420", WIDTH, HEIGHT);
  const gsize size = GST_VIDEO_INFO_SIZE (&info), luma = GST_VIDEO_INFO_PLANE_OFFSET (&info, 1);
  const gsize cuts[] = { luma, 1000, luma + 17 };
  g_autoptr (TestReference) reference = threshold_reference (4);

  for (guint i = 0; i < 2 * G_N_ELEMENTS (cuts); i++) {
    const gsize cut = cuts[i / 2];
    g_autoptr (GstHarness) harness = test_harness ("cca foreground=threshold", test_caps ("I420", WIDTH, HEIGHT, NULL));
    GstBuffer *whole = test_frame (&info, 4);
    g_autoptr (GstBuffer) buffer = gst_buffer_new ();

    gst_buffer_append_memory (buffer, gst_memory_share (gst_buffer_peek_memory (whole, 0), 0, (gssize) cut));
    gst_buffer_append_memory (
        buffer, gst_memory_share (gst_buffer_peek_memory (whole, 0), (gssize) cut, (gssize) (size - cut)));
    if (i % 2)
      gst_buffer_add_video_meta (buffer, GST_VIDEO_FRAME_FLAG_NONE, GST_VIDEO_FORMAT_I420, WIDTH, HEIGHT);
    gst_buffer_unref (whole);
    buffer = gst_harness_push_and_pull (harness, buffer);
    g_assert_cmpuint (gst_buffer_n_memory (buffer), ==, 2);
    test_assert_meta (buffer, reference);
  }
}

/* Pixels that others may read pass uncopied and unchanged, even if they are read-only. */
static void
test_untouched (gconstpointer data)
{
  const gboolean read_only = GPOINTER_TO_INT (data);
  const GstVideoInfo info = test_video_info ("NV12", WIDTH, HEIGHT);
  const gsize size = GST_VIDEO_INFO_SIZE (&info);
  g_autoptr (GstHarness) harness = test_harness ("cca foreground=threshold", test_caps ("NV12", WIDTH, HEIGHT, NULL));
  g_autoptr (TestReference) reference = threshold_reference (5);
  g_autoptr (GstBuffer) frame = test_frame (&info, 5), in = gst_buffer_new (), out = NULL;
  guint8 *pixels = g_malloc (size);
  g_autofree guint8 *before = NULL;
  GstMemory *memory;

  gst_buffer_extract (frame, 0, pixels, size);
  before = g_memdup2 (pixels, size);
  memory = gst_memory_new_wrapped (read_only ? GST_MEMORY_FLAG_READONLY : 0, pixels, size, 0, size, pixels, g_free);
  gst_buffer_append_memory (in, memory);
  GST_BUFFER_PTS (in) = 40 * GST_MSECOND;

  out = gst_harness_push_and_pull (harness, gst_buffer_ref (in));
  g_assert_true (out != in);
  g_assert_cmpuint (gst_buffer_n_memory (out), ==, 1);
  g_assert_true (gst_buffer_peek_memory (out, 0) == memory);
  g_assert_cmpmem (pixels, size, before, size);
  g_assert_null (gst_buffer_get_cca_meta (in));
  g_assert_cmpuint (GST_BUFFER_PTS (out), ==, 40 * GST_MSECOND);
  test_assert_meta (out, reference);
}

/* A buffer of which the element has the only reference keeps its shell too. */
static void
test_in_place (void)
{
  const GstVideoInfo info = test_video_info ("NV12", WIDTH, HEIGHT);
  g_autoptr (GstHarness) harness = test_harness ("cca", test_caps ("NV12", WIDTH, HEIGHT, NULL));
  GstBuffer *in = test_frame (&info, 6);
  g_autoptr (GstBuffer) out = gst_harness_push_and_pull (harness, in);

  g_assert_true (out == in);
}

/* Output goes into downstream's own buffers, whatever their strides. */
static GstPadProbeReturn
propose_padded_pool (GstPad *pad, GstPadProbeInfo *probe, gpointer data)
{
  GstQuery *query = GST_PAD_PROBE_INFO_QUERY (probe);
  GstVideoAlignment alignment = { .padding_left = 3, .padding_right = 11, .padding_top = 2, .padding_bottom = 1 };
  g_autoptr (GstBufferPool) pool = NULL;
  GstStructure *config;
  GstVideoInfo info;
  GstCaps *caps;

  if (GST_QUERY_TYPE (query) != GST_QUERY_ALLOCATION)
    return GST_PAD_PROBE_OK;
  gst_query_parse_allocation (query, &caps, NULL);
  g_assert_true (gst_video_info_from_caps (&info, caps));
  pool = gst_video_buffer_pool_new ();
  config = gst_buffer_pool_get_config (pool);
  gst_buffer_pool_config_set_params (config, caps, (guint) GST_VIDEO_INFO_SIZE (&info), 0, 0);
  gst_buffer_pool_config_add_option (config, GST_BUFFER_POOL_OPTION_VIDEO_META);
  gst_buffer_pool_config_add_option (config, GST_BUFFER_POOL_OPTION_VIDEO_ALIGNMENT);
  gst_buffer_pool_config_set_video_alignment (config, &alignment);
  g_assert_true (gst_buffer_pool_set_config (pool, config));
  gst_query_add_allocation_pool (query, pool, (guint) GST_VIDEO_INFO_SIZE (&info), 0, 0);
  gst_query_add_allocation_meta (query, GST_VIDEO_META_API_TYPE, NULL);
  return GST_PAD_PROBE_HANDLED;
}

static void
test_downstream_pool (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (outputs); i++) {
    const GstVideoInfo info = test_video_info ("I420", WIDTH, HEIGHT);
    g_autoptr (GstHarness) harness = test_harness ("ccl foreground=threshold", NULL);
    const CcaParams params = test_threshold_params ();
    g_autoptr (TestReference) reference = test_reference_new (WIDTH, HEIGHT, &params, outputs[i].output);
    GstVideoMeta *meta;
    GstBuffer *buffer;
    GstCaps *caps;

    gst_pad_add_probe (harness->sinkpad, GST_PAD_PROBE_TYPE_QUERY_DOWNSTREAM, propose_padded_pool, NULL, NULL);
    gst_harness_set_sink_caps_str (harness, outputs[i].downstream);
    gst_harness_set_src_caps (harness, test_caps ("I420", WIDTH, HEIGHT, NULL));
    for (guint j = 0; j < 3; j++) {
      test_reference_run (reference, j);
      buffer = gst_harness_push_and_pull (harness, test_frame (&info, j));
      caps = gst_pad_get_current_caps (harness->sinkpad);
      meta = gst_buffer_get_video_meta (buffer);
      g_assert_nonnull (meta);
      g_assert_cmpint (meta->stride[0], >, (WIDTH + 3) * (gint) cca_output_pixel_size (outputs[i].output));
      g_assert_cmpuint (meta->offset[0], >, 0);
      test_assert_pixels (buffer, caps, reference);
      test_assert_meta (buffer, reference);
      gst_caps_unref (caps);
      gst_buffer_unref (buffer);
    }
  }
}

/* One pixel in four stands alone: more components than 16 bits can number. */
static GstBuffer *
dots (const GstVideoInfo *info)
{
  GstBuffer *buffer = gst_buffer_new_allocate (NULL, GST_VIDEO_INFO_SIZE (info), NULL);
  GstMapInfo map;

  gst_buffer_memset (buffer, 0, 0, gst_buffer_get_size (buffer));
  g_assert_true (gst_buffer_map (buffer, &map, GST_MAP_WRITE));
  for (gint y = 0; y < GST_VIDEO_INFO_HEIGHT (info); y += 2) {
    for (gint x = 0; x < GST_VIDEO_INFO_WIDTH (info); x += 2)
      map.data[y * GST_VIDEO_INFO_PLANE_STRIDE (info, 0) + x] = 255;
  }
  gst_buffer_unmap (buffer, &map);
  return buffer;
}

static guint32
label_at (GstHarness *harness, GstBuffer *buffer, gint x, gint y)
{
  g_autoptr (GstCaps) caps = gst_pad_get_current_caps (harness->sinkpad);
  const guint8 *pixel;
  GstVideoFrame frame;
  GstVideoInfo info;
  guint32 label;

  g_assert_true (gst_video_info_from_caps (&info, caps));
  g_assert_true (gst_video_frame_map (&frame, &info, buffer, GST_MAP_READ));
  pixel = (const guint8 *) GST_VIDEO_FRAME_PLANE_DATA (&frame, 0) + y * GST_VIDEO_FRAME_PLANE_STRIDE (&frame, 0)
          + x * GST_VIDEO_FRAME_COMP_PSTRIDE (&frame, 0);
  label =
      GST_VIDEO_INFO_FORMAT (&info) == GST_VIDEO_FORMAT_RGBA ? GST_READ_UINT32_LE (pixel) : GST_READ_UINT16_LE (pixel);
  gst_video_frame_unmap (&frame);
  return label;
}

static void
test_saturation (void)
{
  enum
  {
    SIDE = 520
  };
  const guint n = SIDE / 2 * SIDE / 2;
  const GstVideoInfo info = test_video_info ("GRAY8", SIDE, SIDE);
  g_autoptr (GstHarness) u16 = test_harness ("ccl output=labels", test_caps ("GRAY8", SIDE, SIDE, NULL));
  g_autoptr (GstHarness) u32 = test_harness ("ccl", NULL);
  GstBuffer *buffer;

  for (guint i = 0; i < 3; i++) {
    buffer = gst_harness_push_and_pull (u16, dots (&info));
    g_assert_cmpuint (gst_buffer_get_cca_meta (buffer)->n_components, ==, n);
    g_assert_cmpuint (label_at (u16, buffer, 2, 0), ==, 2);
    g_assert_cmpuint (label_at (u16, buffer, SIDE - 2, SIDE - 2), ==, 65535);
    gst_buffer_unref (buffer);
  }
  test_assert_warning (u16, "*67600*label-format=u32*65535*");

  gst_harness_set_sink_caps_str (u32, "video/x-raw,format=RGBA,label-format=u32");
  gst_harness_set_src_caps (u32, test_caps ("GRAY8", SIDE, SIDE, NULL));
  buffer = gst_harness_push_and_pull (u32, dots (&info));
  g_assert_cmpuint (label_at (u32, buffer, SIDE - 2, SIDE - 2), ==, n);
  g_assert_cmpuint (label_at (u32, buffer, 1, 0), ==, 0);
  gst_buffer_unref (buffer);
  test_assert_no_message (u32, GST_MESSAGE_WARNING);
}

/* Buffers that do not fit their caps end the stream with a sentence that has both sizes. */
static void
check_misfit (const gchar *launch, GstBuffer *buffer, const gchar *first, const gchar *second)
{
  g_autoptr (GstHarness) harness = test_harness (launch, test_caps ("I420", 64, 48, NULL));
  GstMessage *message;
  GError *error = NULL;

  g_assert_cmpint (gst_harness_push (harness, buffer), ==, GST_FLOW_ERROR);
  message = test_pop_message (harness, GST_MESSAGE_ERROR);
  g_assert_nonnull (message);
  gst_message_parse_error (message, &error, NULL);
  g_assert_error (error, GST_STREAM_ERROR, GST_STREAM_ERROR_FORMAT);
  g_assert_nonnull (strstr (error->message, first));
  g_assert_nonnull (strstr (error->message, second));
  g_assert_nonnull (strstr (error->message, "64x48 I420"));
  g_error_free (error);
  gst_message_unref (message);
  test_assert_no_message (harness, GST_MESSAGE_ERROR);
}

static GstBuffer *
meta_frame (gsize size, guint width, guint height, gsize offset, gint stride)
{
  GstBuffer *buffer = gst_buffer_new_allocate (NULL, size, NULL);
  gsize offsets[GST_VIDEO_MAX_PLANES] = { offset, 0, 0 };
  gint strides[GST_VIDEO_MAX_PLANES] = { stride, 32, 32 };

  gst_buffer_memset (buffer, 0, 0, size);
  gst_buffer_add_video_meta_full (buffer, GST_VIDEO_FRAME_FLAG_NONE, GST_VIDEO_FORMAT_I420, width, height, 3, offsets,
                                  strides);
  return buffer;
}

static void
test_misfits (gconstpointer data)
{
  check_misfit (data, gst_buffer_new_allocate (NULL, 100, NULL), " 100 ", " 4608");
  check_misfit (data, gst_buffer_new_allocate (NULL, 4607, NULL), " 4607 ", " 4608");
  check_misfit (data, gst_buffer_new (), " 0 ", " 4608");
  check_misfit (data, meta_frame (4608, 64, 48, 0, 100), " 4608 ", " 4764");
  check_misfit (data, meta_frame (3071, 64, 48, 0, 64), " 3071 ", " 3072");
  check_misfit (data, meta_frame (4608, 64, 48, 5000, 64), " 4608 ", " 8072");
  check_misfit (data, meta_frame (4608, 64, 48, G_MAXSIZE - 10, 64), "4608 ", "needs");
  check_misfit (data, meta_frame (4608, 64, 48, 0, 63), " 63 ", " 64");
  check_misfit (data, meta_frame (4608, 64, 48, 4000, -64), " -64 ", " 64");
  check_misfit (data, meta_frame (4608, 32, 48, 0, 64), "32x48", "GstVideoMeta");
}

GST_CASES_MAIN ()
{
  ADD_ROWS ("/results/settings", settings, test_settings);
  ADD_TESTS ("/results", test_black, test_black_16, test_matrix, test_strides, test_memories, test_in_place,
             test_downstream_pool, test_saturation);
  g_test_add_data_func ("/results/untouched/shared", GINT_TO_POINTER (FALSE), test_untouched);
  g_test_add_data_func ("/results/untouched/read-only", GINT_TO_POINTER (TRUE), test_untouched);
  ADD_STRINGS ("/results/misfits", test_misfits, "cca", "ccl");
}
