/* gst-cca: negotiation of the elements
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "element-test.h"

static const struct
{
  guint width, height;
} sizes[] = { { 1, 1 }, { 2, 1 }, { 1, 7 }, { 3, 5 }, { 33, 17 }, { 320, 240 }, { 641, 479 }, { 3840, 2160 } };

/* One frame through cca and ccl of every size, against libcca. */
static void
test_format (gconstpointer data)
{
  const gchar *format = data;
  const CcaParams params = test_threshold_params ();

  for (guint i = 0; i < G_N_ELEMENTS (sizes); i++) {
    const guint width = sizes[i].width, height = sizes[i].height;
    const GstVideoInfo info = test_video_info (format, width, height);
    g_autoptr (TestReference) reference = test_reference_new (width, height, &params, CCA_OUTPUT_COLORS);
    g_autoptr (GstHarness) cca =
        test_harness ("cca foreground=threshold post-messages=false", test_caps (format, width, height, 0));
    g_autoptr (GstHarness) ccl =
        test_harness ("ccl foreground=threshold post-messages=false", test_caps (format, width, height, 0));
    GstBuffer *buffer;
    g_autoptr (GstCaps) caps = NULL;

    test_reference_run (reference, i);
    buffer = gst_harness_push_and_pull (cca, test_frame (&info, i));
    test_assert_meta (buffer, reference);
    gst_buffer_unref (buffer);

    buffer = gst_harness_push_and_pull (ccl, test_frame (&info, i));
    caps = gst_pad_get_current_caps (ccl->sinkpad);
    test_assert_meta (buffer, reference);
    test_assert_pixels (buffer, caps, reference);
    gst_buffer_unref (buffer);
  }
}

/* The caps of ccl for a property `output`, or none, and for the caps that downstream accepts. */
typedef struct
{
  const gchar *name, *launch, *downstream;
  const gchar *format;       /* NULL: no negotiation possible */
  const gchar *label_format; /* NULL: the caps have no such field */
  CcaOutput output;
} Choice;

#define RAW "video/x-raw,format="

static const Choice choices[] = {
  { "default", "ccl", "video/x-raw", "RGBA", NULL, CCA_OUTPUT_COLORS },
  { "default-any", "ccl", "ANY", "RGBA", NULL, CCA_OUTPUT_COLORS },
  { "default-rgba", "ccl", RAW "RGBA", "RGBA", NULL, CCA_OUTPUT_COLORS },
  { "default-order", "ccl", RAW "GRAY8;" RAW "GRAY16_LE;" RAW "RGBA", "RGBA", NULL, CCA_OUTPUT_COLORS },
  { "default-list", "ccl", RAW "{GRAY8,GRAY16_LE}", "GRAY16_LE", NULL, CCA_OUTPUT_LABELS_U16 },
  { "default-u16", "ccl", RAW "GRAY16_LE", "GRAY16_LE", NULL, CCA_OUTPUT_LABELS_U16 },
  { "default-u32", "ccl", RAW "RGBA,label-format=u32", "RGBA", "u32", CCA_OUTPUT_LABELS_U32 },
  { "default-mask", "ccl", RAW "GRAY8", "GRAY8", NULL, CCA_OUTPUT_MASK },
  { "colors", "ccl output=colors", "video/x-raw", "RGBA", NULL, CCA_OUTPUT_COLORS },
  { "colors-order", "ccl output=colors", RAW "GRAY8;" RAW "RGBA", "RGBA", NULL, CCA_OUTPUT_COLORS },
  { "labels", "ccl output=labels", "video/x-raw", "GRAY16_LE", NULL, CCA_OUTPUT_LABELS_U16 },
  { "labels-order", "ccl output=labels", RAW "RGBA;" RAW "GRAY16_LE", "GRAY16_LE", NULL, CCA_OUTPUT_LABELS_U16 },
  { "labels-rgba", "ccl output=labels", RAW "RGBA", "RGBA", "u32", CCA_OUTPUT_LABELS_U32 },
  { "labels-u32", "ccl output=labels", RAW "RGBA,label-format=u32", "RGBA", "u32", CCA_OUTPUT_LABELS_U32 },
  { "mask", "ccl output=mask", "ANY", "GRAY8", NULL, CCA_OUTPUT_MASK },
  { "colors-u32", "ccl output=colors", RAW "RGBA,label-format=u32", NULL, NULL, CCA_OUTPUT_NONE },
  { "colors-mask", "ccl output=colors", RAW "GRAY8", NULL, NULL, CCA_OUTPUT_NONE },
  { "labels-mask", "ccl output=labels", RAW "GRAY8", NULL, NULL, CCA_OUTPUT_NONE },
  { "mask-rgba", "ccl output=mask", RAW "RGBA", NULL, NULL, CCA_OUTPUT_NONE },
  { "strange-label-format", "ccl", RAW "RGBA,label-format=u24", NULL, NULL, CCA_OUTPUT_NONE },
  { "strange-format", "ccl", RAW "I420", NULL, NULL, CCA_OUTPUT_NONE },
};

static void
check_choice (const Choice *choice, const gchar *format)
{
  const guint width = 61, height = 37;
  const GstVideoInfo info = test_video_info (format, width, height);
  const CcaParams params = test_threshold_params ();
  g_autoptr (GstHarness) harness = test_harness (choice->launch, NULL);
  const GstStructure *structure;
  g_autoptr (TestReference) reference = NULL;
  g_autoptr (GstBuffer) buffer = NULL;
  g_autoptr (GstCaps) caps = NULL;

  gst_util_set_object_arg (G_OBJECT (harness->element), "foreground", "threshold");
  gst_harness_set_sink_caps_str (harness, choice->downstream);
  gst_harness_set_src_caps (harness, test_caps (format, width, height, NULL));
  if (!choice->format) {
    g_assert_cmpint (gst_harness_push (harness, test_frame (&info, 1)), ==, GST_FLOW_NOT_NEGOTIATED);
    return;
  }
  reference = test_reference_new (width, height, &params, choice->output);
  test_reference_run (reference, 1);
  buffer = gst_harness_push_and_pull (harness, test_frame (&info, 1));
  caps = gst_pad_get_current_caps (harness->sinkpad);
  structure = gst_caps_get_structure (caps, 0);
  g_assert_cmpstr (gst_structure_get_string (structure, "format"), ==, choice->format);
  g_assert_cmpstr (gst_structure_get_string (structure, "label-format"), ==, choice->label_format);
  g_assert_cmpint (gst_structure_has_field (structure, "label-format"), ==, choice->label_format != NULL);
  test_assert_pixels (buffer, caps, reference);
  test_assert_meta (buffer, reference);
}

static void
test_choice (gconstpointer data)
{
  for (guint i = 0; i < test_n_formats; i++)
    check_choice (data, test_formats[i]);
}

/* Fields that do not describe pixels pass; ccl drops those that do. */
static void
test_fields (void)
{
  const gchar *more = "pixel-aspect-ratio=(fraction)16/15,interlace-mode=(string)interleaved,"
                      "field-order=(string)top-field-first,colorimetry=(string)bt709,chroma-site=(string)mpeg2,"
                      "multiview-mode=(string)mono";
  g_autoptr (GstHarness) ccl = test_harness ("ccl", test_caps ("NV12", 32, 16, more));
  g_autoptr (GstHarness) cca = test_harness ("cca", test_caps ("NV12", 32, 16, more));
  const GstVideoInfo info = test_video_info ("NV12", 32, 16);
  g_autoptr (GstCaps) in = test_caps ("NV12", 32, 16, more);
  GstCaps *out;
  g_autoptr (GstCaps) expected = NULL;

  gst_buffer_unref (gst_harness_push_and_pull (cca, test_frame (&info, 0)));
  out = gst_pad_get_current_caps (cca->sinkpad);
  g_assert_true (gst_caps_is_equal (in, out));
  gst_caps_unref (out);

  gst_buffer_unref (gst_harness_push_and_pull (ccl, test_frame (&info, 0)));
  out = gst_pad_get_current_caps (ccl->sinkpad);
  expected = test_caps ("RGBA", 32, 16,
                        "pixel-aspect-ratio=(fraction)16/15,interlace-mode=(string)interleaved,"
                        "field-order=(string)top-field-first,multiview-mode=(string)mono");
  g_assert_true (gst_caps_is_equal (out, expected));
  gst_caps_unref (out);
}

static void
test_refused (gconstpointer data)
{
  static const gchar *const refused[] = {
    "video/x-raw,format=RGB,width=64,height=64,framerate=25/1",
    "video/x-raw,format=I420_10LE,width=64,height=64,framerate=25/1",
    "video/x-raw,format=I420,width=65536,height=64,framerate=25/1",
    "video/x-raw,format=I420,width=64,height=65536,framerate=25/1",
    "video/x-raw(format:Interlaced),format=I420,width=64,height=64,framerate=25/1,interlace-mode=alternate",
    "video/x-raw(memory:CUDAMemory),format=NV12,width=64,height=64,framerate=25/1",
    "video/x-raw,format=I420,width=64,height=64,framerate=25/1,interlace-mode=interleaved",
  };
  const guint last = G_N_ELEMENTS (refused) - 1;
  g_autoptr (GstHarness) harness = test_harness (data, NULL);
  g_autoptr (GstPad) pad = gst_element_get_static_pad (harness->element, "sink");

  for (guint i = 0; i <= last; i++) {
    g_autoptr (GstCaps) caps = gst_caps_from_string (refused[i]);

    /* The last are fine: the query would notice where everything is refused. */
    g_assert_cmpint (gst_pad_query_accept_caps (pad, caps), ==, i == last);
  }
}

/* The answer to upstream's caps query depends on downstream's caps and on `output`. */
static void
test_query (void)
{
  g_autoptr (GstHarness) harness = test_harness ("ccl output=mask", NULL);
  g_autoptr (GstPad) pad = gst_element_get_static_pad (harness->element, "sink");
  GstCaps *caps;

  gst_harness_set_sink_caps_str (harness, "video/x-raw,format=GRAY8,width=100,framerate=[1/1,30/1]");
  caps = gst_pad_query_caps (pad, NULL);
  for (guint i = 0; i < test_n_formats; i++) {
    g_autoptr (GstCaps) good = test_caps (test_formats[i], 100, 50, NULL),
                        bad = test_caps (test_formats[i], 101, 50, NULL);

    g_assert_true (gst_caps_is_subset (good, caps));
    g_assert_false (gst_caps_can_intersect (bad, caps));
  }
  gst_caps_unref (caps);

  gst_harness_set_sink_caps_str (harness, "video/x-raw,format=RGBA");
  caps = gst_pad_query_caps (pad, NULL);
  g_assert_true (gst_caps_is_empty (caps));
  gst_caps_unref (caps);
}

/* Caps and the pad templates that tools show. */
static void
test_templates (gconstpointer data)
{
  g_autoptr (GstElementFactory) factory = gst_element_factory_find (data);
#ifdef HAVE_GST_CUDA
  const gboolean cuda = g_str_has_prefix (data, "cuda");
#else
  const gboolean cuda = FALSE;
#endif
  const gboolean labels = g_str_has_suffix (data, "ccl");
#define SIZE ",width=(int)[1,65535],height=(int)[1,65535],framerate=(fraction)[0,max]"
  static const gchar input[] = "video/x-raw,format={GRAY8,NV12,NV21,I420,YV12,Y42B,Y444}" SIZE
                               ";video/x-raw,format={YUY2,UYVY,P010_10LE,GRAY16_LE,GRAY16_BE,BGRx,BGRA,RGBx,RGBA}" SIZE;
#define DEVICE(memory)                                                                                                 \
  "video/x-raw(memory:" memory "),format={NV12,NV21,I420,YV12,Y42B,Y444}" SIZE ";video/x-raw(memory:" memory           \
  "),format={YUY2,UYVY,P010_10LE,BGRx,BGRA,RGBx,RGBA}" SIZE
#ifdef HAVE_NVMM
  static const gchar cuda_input[] = DEVICE ("CUDAMemory") ";" DEVICE ("NVMM");
#else
  static const gchar cuda_input[] = DEVICE ("CUDAMemory");
#endif
  g_autoptr (GstCaps) expected = gst_caps_from_string (cuda ? cuda_input : input);

  if (cuda)
    gst_caps_append (expected, gst_caps_from_string (input));
  g_assert_nonnull (factory);
  for (const GList *item = gst_element_factory_get_static_pad_templates (factory); item; item = item->next) {
    GstStaticPadTemplate *template = item->data;
    g_autoptr (GstCaps) caps = gst_static_caps_get (&template->static_caps);

    if (template->direction == GST_PAD_SINK || !labels) {
      g_assert_true (gst_caps_is_strictly_equal (caps, expected));
    } else {
      g_assert_cmpuint (gst_caps_get_size (caps), ==, cuda ? 7 : 4);
    }
  }
  g_assert_cmpstr (gst_element_factory_get_metadata (factory, GST_ELEMENT_METADATA_AUTHOR), ==, "gst-cca developers");
  g_assert_cmpstr (gst_element_factory_get_metadata (factory, GST_ELEMENT_METADATA_KLASS), ==,
                   labels ? "Filter/Effect/Video" : "Filter/Analyzer/Video");
}

/* Upstream that can give any format takes a plane of luma, the least to read, whatever comes out. */
static void
test_preferred (gconstpointer data)
{
  g_autoptr (TestPipeline) pipeline = test_pipeline_new (data);
  g_autoptr (GstElement) cca = gst_bin_get_by_name (GST_BIN (pipeline), "cca");
  g_autoptr (GstPad) pad = gst_element_get_static_pad (cca, "sink");
  GstVideoInfo info;
  g_autoptr (GstCaps) caps = NULL;

  gst_element_set_state (pipeline, GST_STATE_PAUSED);
  g_assert_cmpint (gst_element_get_state (pipeline, NULL, NULL, 20 * GST_SECOND), ==, GST_STATE_CHANGE_SUCCESS);
  caps = gst_pad_get_current_caps (pad);
  g_assert_true (gst_video_info_from_caps (&info, caps));
  g_assert_cmpint (GST_VIDEO_INFO_COMP_PSTRIDE (&info, 0), ==, 1);
}

/* Labels of 32 bits are RGBA by their caps only. */
static void
test_no_labels (void)
{
  const GstVideoInfo info = test_video_info ("RGBA", 8, 8);
  g_autoptr (GstHarness) harness = test_harness ("cca", NULL);

  gst_harness_set_src_caps (harness, test_caps ("RGBA", 8, 8, "label-format=(string)u32"));
  g_assert_cmpint (gst_harness_push (harness, test_frame (&info, 1)), ==, GST_FLOW_NOT_NEGOTIATED);
}

/* Whole pipelines, as a user writes them. */
static void
test_pipeline (gconstpointer data)
{
  g_autoptr (TestPipeline) pipeline = test_pipeline_new (data);

  test_play_to_end (pipeline);
}

/* Frames of a camera pass unchanged: the same buffers, without conversion before or behind. */
static void
test_untouched (gconstpointer data)
{
  const gchar *format = data;
  const GstVideoInfo info = test_video_info (format, 33, 17);
  g_autoptr (GstHarness) harness = test_harness ("cca foreground=threshold", test_caps (format, 33, 17, NULL));
  GstBuffer *frame = test_frame (&info, 5);
  g_autoptr (GstBuffer) same = test_frame (&info, 5);
  g_autoptr (GstCaps) in = test_caps (format, 33, 17, NULL);
  GstMapInfo map, expected;
  g_autoptr (GstBuffer) passed = gst_harness_push_and_pull (harness, frame);
  g_autoptr (GstCaps) out = gst_pad_get_current_caps (harness->sinkpad);

  g_assert_true (passed == frame);
  g_assert_true (gst_caps_is_equal (in, out));
  g_assert_true (gst_buffer_map (passed, &map, GST_MAP_READ) && gst_buffer_map (same, &expected, GST_MAP_READ));
  g_assert_cmpmem (map.data, map.size, expected.data, expected.size);
  gst_buffer_unmap (same, &expected);
  gst_buffer_unmap (passed, &map);
}

/* A converter before the element passes frames through, as the element accepts upstream's format. */
static void
test_no_conversion (gconstpointer data)
{
  const gchar *format = data;
  g_autofree gchar *launch =
      g_strdup_printf ("videotestsrc num-buffers=2 ! video/x-raw,format=%s,width=64,height=48 ! videoconvert ! "
                       "cca name=cca ! fakesink",
                       format);
  g_autoptr (TestPipeline) pipeline = test_pipeline_new (launch);
  g_autoptr (GstElement) cca = gst_bin_get_by_name (GST_BIN (pipeline), "cca");
  g_autoptr (GstPad) pad = gst_element_get_static_pad (cca, "sink");
  g_autoptr (GstCaps) caps = NULL;

  gst_element_set_state (pipeline, GST_STATE_PAUSED);
  g_assert_cmpint (gst_element_get_state (pipeline, NULL, NULL, 20 * GST_SECOND), ==, GST_STATE_CHANGE_SUCCESS);
  caps = gst_pad_get_current_caps (pad);
  g_assert_cmpstr (gst_structure_get_string (gst_caps_get_structure (caps, 0), "format"), ==, format);
}

static const gchar *const pipelines[] = {
  "videotestsrc num-buffers=3 ! cca ! fakesink",
  "videotestsrc num-buffers=3 ! ccl ! videoconvert ! fakesink",
  "videotestsrc num-buffers=3 ! ccl output=labels ! videoconvert ! video/x-raw,format=GRAY8 ! fakesink",
  "videotestsrc num-buffers=3 ! ccl ! video/x-raw,format=RGBA,label-format=u32 ! fakesink",
  "videotestsrc num-buffers=3 ! video/x-raw,format=RGB ! videoconvert ! ccl output=mask ! cca ! fakesink",
  "videotestsrc num-buffers=3 ! cca ! queue ! ccl ! tee name=t t. ! queue ! fakesink t. ! queue ! fakesink",
  "videotestsrc num-buffers=3 ! video/x-raw,format=GRAY16_BE ! cca threshold=40000 foreground=threshold ! fakesink",
  "videotestsrc num-buffers=3 ! video/x-raw,format=YUY2 ! ccl output=labels ! cca foreground=values ! fakesink",
  "videotestsrc num-buffers=3 ! videoconvert ! cca ! videoscale ! video/x-raw,width=99,height=55 ! videocrop left=3 ! "
  "cca "
  "! fakesink",
};

GST_CASES_MAIN ()
{
  static const gchar *const elements[] = { "cca", "ccl", "cudacca", "cudaccl" };

  add_strings ("/caps/format", test_formats, test_n_formats, test_format);
  add_strings ("/caps/untouched", test_formats, test_n_formats, test_untouched);
  add_strings ("/caps/no-conversion", test_formats, test_n_formats, test_no_conversion);
  ADD_ROWS ("/caps/output", choices, test_choice);
  add_strings ("/caps/templates", elements, G_N_ELEMENTS (elements), test_templates);
  for (guint i = 0; i < G_N_ELEMENTS (pipelines); i++) {
    g_autofree gchar *path = g_strdup_printf ("/caps/pipeline/%u", i);

    g_test_add_data_func (path, pipelines[i], test_pipeline);
  }
  g_test_add_data_func ("/caps/preferred/cca", "videotestsrc num-buffers=1 ! cca name=cca ! fakesink", test_preferred);
  g_test_add_data_func ("/caps/preferred/colors", "videotestsrc num-buffers=1 ! ccl name=cca ! fakesink",
                        test_preferred);
  g_test_add_data_func ("/caps/preferred/labels",
                        "videotestsrc num-buffers=1 ! ccl name=cca ! video/x-raw,format=GRAY16_LE ! fakesink",
                        test_preferred);
  ADD_TESTS ("/caps", test_no_labels, test_fields, test_query);
  ADD_STRINGS ("/caps/refused", test_refused, "cca", "ccl");
}
