/* gst-cca: shared by the tests of the elements
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "../test-folder.h"
#include "element-test.h"

#include <gst/cca/gstccaeventmeta.h>
#include <stdlib.h>

#include <string.h>

const gchar *const test_formats[] = { "GRAY8", "NV12",      "NV21",      "I420",      "YV12", "Y42B", "Y444", "YUY2",
                                      "UYVY",  "P010_10LE", "GRAY16_LE", "GRAY16_BE", "BGRx", "BGRA", "RGBx", "RGBA" };
const guint test_n_formats = G_N_ELEMENTS (test_formats);

GstCaps *
test_caps (const gchar *format, guint width, guint height, const gchar *more)
{
  g_autofree gchar *text =
      g_strdup_printf ("video/x-raw,format=(string)%s,width=(int)%u,height=(int)%u,framerate=(fraction)25/1%s%s",
                       format, width, height, more ? "," : "", more ? more : "");
  GstCaps *caps = gst_caps_from_string (text);

  g_assert_nonnull (caps);
  return caps;
}

GstVideoInfo
test_video_info (const gchar *format, guint width, guint height)
{
  g_autoptr (GstCaps) caps = test_caps (format, width, height, NULL);
  GstVideoInfo info;

  g_assert_true (gst_video_info_from_caps (&info, caps));
  return info;
}

static guint
hash (guint x, guint y, guint seed)
{
  guint h = x * 0x9e3779b1u ^ y * 0x85ebca6bu ^ seed * 0xc2b2ae35u;

  h = (h ^ h >> 15) * 0x2c1b3c6du;
  h = (h ^ h >> 12) * 0x297a2d39u;
  return h ^ h >> 15;
}

/* Cells of 4x3 pixels of one of eight values, and single pixels out of line. The values lie around the elements' limits
 * of black and of the default threshold. */
static guint8
pixel (guint x, guint y, guint seed)
{
  static const guint8 values[] = { 0, 0, 16, 17, 127, 128, 200, 255 };
  const guint h = hash (x, y, seed);

  return values[h % 29 == 0 ? h >> 8 & 7 : hash (x / 4, y / 3, seed) & 7];
}

guint8 *
test_luma (guint width, guint height, guint seed)
{
  guint8 *luma = g_malloc ((gsize) width * height);

  for (guint y = 0; y < height; y++) {
    for (guint x = 0; x < width; x++)
      luma[(gsize) y * width + x] = pixel (x, y, seed);
  }
  return luma;
}

/* Writes pixel x of plane 0 so that its value is this one, with values of 16 bits, too. */
static void
put_pixel (const GstVideoInfo *info, guint8 *row, gint x, guint8 value)
{
  switch (GST_VIDEO_INFO_FORMAT (info)) {
    case GST_VIDEO_FORMAT_YUY2: row[2 * x] = value; break;
    case GST_VIDEO_FORMAT_UYVY:
    case GST_VIDEO_FORMAT_P010_10LE: row[2 * x + 1] = value; break;
    case GST_VIDEO_FORMAT_GRAY16_LE: row[2 * x] = value, row[2 * x + 1] = 0; break;
    case GST_VIDEO_FORMAT_GRAY16_BE: row[2 * x] = 0, row[2 * x + 1] = value; break;
    case GST_VIDEO_FORMAT_BGRx:
    case GST_VIDEO_FORMAT_BGRA:
    case GST_VIDEO_FORMAT_RGBx:
    case GST_VIDEO_FORMAT_RGBA: memset (row + 4 * x, value, 3); break;
    default: row[x] = value; break;
  }
}

void
test_fill_frame (GstBuffer *buffer, const GstVideoInfo *info, guint seed)
{
  GstVideoFrame frame;

  gst_buffer_memset (buffer, 0, 0xa5, gst_buffer_get_size (buffer));
  g_assert_true (gst_video_frame_map (&frame, info, buffer, GST_MAP_WRITE));
  for (gint y = 0; y < GST_VIDEO_INFO_HEIGHT (info); y++) {
    guint8 *row = (guint8 *) GST_VIDEO_FRAME_PLANE_DATA (&frame, 0) + y * GST_VIDEO_FRAME_PLANE_STRIDE (&frame, 0);

    for (gint x = 0; x < GST_VIDEO_INFO_WIDTH (info); x++)
      put_pixel (info, row, x, pixel ((guint) x, (guint) y, seed));
  }
  gst_video_frame_unmap (&frame);
}

GstBuffer *
test_frame (const GstVideoInfo *info, guint seed)
{
  GstBuffer *buffer = gst_buffer_new_allocate (NULL, GST_VIDEO_INFO_SIZE (info), NULL);

  test_fill_frame (buffer, info, seed);
  return buffer;
}

GstBuffer *
test_padded_frame (const GstVideoInfo *info, guint seed)
{
  const guint n_planes = GST_VIDEO_INFO_N_PLANES (info);
  gsize offsets[GST_VIDEO_MAX_PLANES] = { 0 }, end = 7;
  gint strides[GST_VIDEO_MAX_PLANES] = { 0 };
  GstBuffer *buffer;

  for (guint i = 0; i < n_planes; i++) {
    offsets[i] = end;
    strides[i] = GST_VIDEO_INFO_PLANE_STRIDE (info, i) + 13 + 2 * (gint) i;
    end += (gsize) strides[i] * (gsize) GST_VIDEO_INFO_HEIGHT (info) + 5;
  }
  buffer = gst_buffer_new_allocate (NULL, end, NULL);
  gst_buffer_add_video_meta_full (buffer, GST_VIDEO_FRAME_FLAG_NONE, GST_VIDEO_INFO_FORMAT (info),
                                  (guint) GST_VIDEO_INFO_WIDTH (info), (guint) GST_VIDEO_INFO_HEIGHT (info), n_planes,
                                  offsets, strides);
  test_fill_frame (buffer, info, seed);
  return buffer;
}

gboolean
test_skip_without_element (const gchar *name)
{
  GstElementFactory *factory = gst_element_factory_find (name);
  g_autofree gchar *reason = NULL;

  if (factory) {
    gst_object_unref (factory);
    return FALSE;
  }
  reason = g_strdup_printf ("%s was not built", name);
  g_test_skip (reason);
  return TRUE;
}

gchar **
test_elements (void)
{
  return g_strsplit (CCA_ELEMENTS, ",", -1);
}

gchar *
test_element_launch (const gchar *name)
{
  static const gchar *const needs[][2] = {
    { "ccazones", "rules=\"{\\\"lines\\\":[{\\\"name\\\":\\\"a\\\",\\\"points\\\":[[80,0],[80,120]]}]}\"" },
  };

  if (g_str_equal (name, "ccaindex"))
    return g_strdup_printf ("ccaindex location=%s/%%Y.ccaindex", test_folder ());
  for (guint i = 0; i < G_N_ELEMENTS (needs); i++)
    if (g_str_equal (name, needs[i][0]))
      return g_strconcat (name, " ", needs[i][1], NULL);
  return g_strdup (name);
}

/* Elements that find components read no metas; elements for CUDA memory need a GPU. */
gboolean
test_element_reads_metas (const gchar *name)
{
  g_autoptr (GstElementFactory) factory = gst_element_factory_find (name);
  g_autoptr (GstCaps) video = gst_caps_new_empty_simple ("video/x-raw");
  guint n_sinks = 0, n_sources = 0;

  g_assert_nonnull (factory);
  if (g_str_equal (name, "cca") || g_str_equal (name, "ccl") || g_str_has_prefix (name, "cuda"))
    return FALSE;
  for (const GList *at = gst_element_factory_get_static_pad_templates (factory); at; at = at->next) {
    GstStaticPadTemplate *pad = at->data;

    if (pad->direction == GST_PAD_SINK)
      n_sinks++;
    else
      n_sources++;
  }
  return n_sinks == 1 && n_sources == 1 && gst_element_factory_can_sink_any_caps (factory, video);
}

GstHarness *
test_harness_in_context (const gchar *launch, GstContext *context, GstCaps *caps)
{
  GError *error = NULL;
  g_autoptr (GstElement) element =
      gst_parse_bin_from_description_full (launch, TRUE, NULL, GST_PARSE_FLAG_NO_SINGLE_ELEMENT_BINS, &error);
  g_autoptr (GstBus) bus = gst_bus_new ();
  GstHarness *harness;

  g_assert_no_error (error);
  gst_object_ref_sink (element);
  gst_element_set_bus (element, bus);
  if (context)
    gst_element_set_context (element, context);
  harness = gst_harness_new_with_element (element, "sink", "src");
  if (caps)
    gst_harness_set_src_caps (harness, caps);
  return harness;
}

GstHarness *
test_harness (const gchar *launch, GstCaps *caps)
{
  return test_harness_in_context (launch, NULL, caps);
}

void
test_harness_free (GstHarness *harness)
{
  gst_element_set_bus (harness->element, NULL);
  gst_harness_teardown (harness);
}

GstBuffer *
test_pass (GstHarness *harness, GstBuffer *buffer)
{
  g_assert_cmpint (gst_harness_push (harness, buffer), ==, GST_FLOW_OK);
  return gst_harness_pull (harness);
}

GstBuffer *
test_pass_frame (GstHarness *harness, guint seed)
{
  g_autoptr (GstCaps) caps = gst_pad_get_current_caps (harness->srcpad);
  GstVideoInfo info;

  g_assert_true (gst_video_info_from_caps (&info, caps));
  return test_pass (harness, test_frame (&info, seed));
}

GstMessage *
test_pop_message (GstHarness *harness, GstMessageType type)
{
  g_autoptr (GstBus) bus = gst_element_get_bus (harness->element);
  GstMessage *message = gst_bus_pop_filtered (bus, type);

  return message;
}

const GstStructure *
test_pop_structure (GstHarness *harness, const gchar *name, GstMessage **message)
{
  const GstStructure *structure;

  *message = test_pop_message (harness, GST_MESSAGE_ELEMENT);
  g_assert_nonnull (*message);
  g_assert_true (GST_MESSAGE_SRC (*message) == GST_OBJECT (harness->element));
  structure = gst_message_get_structure (*message);
  g_assert_cmpstr (gst_structure_get_name (structure), ==, name);
  return structure;
}

void
test_assert_no_message (GstHarness *harness, GstMessageType type)
{
  GstMessage *message = test_pop_message (harness, type);

  if (message)
    g_error ("message that should not be: %s", test_message_text (message));
}

gchar *
test_message_text (GstMessage *message)
{
  g_autoptr (GError) error = NULL;
  g_autofree gchar *debug = NULL;
  const gchar *detail;
  gchar *text;

  g_assert_nonnull (message);
  if (GST_MESSAGE_TYPE (message) == GST_MESSAGE_ERROR)
    gst_message_parse_error (message, &error, &debug);
  else if (GST_MESSAGE_TYPE (message) == GST_MESSAGE_WARNING)
    gst_message_parse_warning (message, &error, &debug);
  /* GStreamer writes the place in the source before the detail. */
  detail = debug ? strstr (debug, ":\n") : NULL;
  text = g_strdup_printf ("%s%s%s%s", error ? error->message : GST_MESSAGE_TYPE_NAME (message), detail ? " [" : "",
                          detail ? detail + 2 : "", detail ? "]" : "");
  gst_message_unref (message);
  return text;
}

static void
assert_text (GstMessage *message, const gchar *pattern)
{
  g_autofree gchar *text = test_message_text (message);

  if (!g_pattern_match_simple (pattern, text))
    g_error ("\"%s\" does not match \"%s\"", text, pattern);
}

void
test_assert_error (GstHarness *harness, const gchar *pattern)
{
  assert_text (test_pop_message (harness, GST_MESSAGE_ERROR), pattern);
  test_assert_no_message (harness, GST_MESSAGE_ERROR);
}

void
test_assert_warning (GstHarness *harness, const gchar *pattern)
{
  assert_text (test_pop_message (harness, GST_MESSAGE_WARNING), pattern);
  test_assert_no_message (harness, GST_MESSAGE_WARNING);
}

void
test_push_segment (GstHarness *harness, GstClockTime start, GstClockTime time, GstClockTime base)
{
  GstSegment segment;

  gst_segment_init (&segment, GST_FORMAT_TIME);
  segment.start = start;
  segment.time = time;
  segment.base = base;
  g_assert_true (gst_harness_push_event (harness, gst_event_new_segment (&segment)));
}

void
test_push_flush (GstHarness *harness)
{
  g_assert_true (gst_harness_push_event (harness, gst_event_new_flush_start ()));
  g_assert_true (gst_harness_push_event (harness, gst_event_new_flush_stop (TRUE)));
  test_push_segment (harness, 0, 0, 0);
}

void
test_push_camera_state (GstHarness *harness, const gchar *state)
{
  GstStructure *structure = gst_structure_new ("cca-camera", "state", G_TYPE_STRING, state, NULL);

  g_assert_true (
      gst_harness_push_event (harness, gst_event_new_custom (GST_EVENT_CUSTOM_DOWNSTREAM_STICKY, structure)));
}

void
test_push_camera_doubt (GstHarness *harness, gboolean doubt)
{
  GstStructure *structure = gst_structure_new ("cca-camera-doubt", "doubt", G_TYPE_BOOLEAN, doubt, NULL);

  g_assert_true (
      gst_harness_push_event (harness, gst_event_new_custom (GST_EVENT_CUSTOM_DOWNSTREAM_STICKY, structure)));
}

gchar *
test_start_error (const gchar *name, const gchar *property, const gchar *value)
{
  g_autoptr (GstElement) element = gst_element_factory_make (name, NULL);
  g_autoptr (GstBus) bus = gst_bus_new ();
  gchar *text = NULL;

  gst_element_set_bus (element, bus);
  g_object_set (element, property, value, NULL);
  g_assert_null (gst_bus_pop (bus));
  if (gst_element_set_state (element, GST_STATE_PAUSED) == GST_STATE_CHANGE_FAILURE)
    text = test_message_text (gst_bus_pop_filtered (bus, GST_MESSAGE_ERROR));
  g_assert_null (gst_bus_pop_filtered (bus, GST_MESSAGE_ERROR | GST_MESSAGE_WARNING));
  gst_element_set_state (element, GST_STATE_NULL);
  gst_element_set_bus (element, NULL);
  return text;
}

TestPipeline *
test_pipeline_new (const gchar *launch)
{
  GError *error = NULL;
  GstElement *pipeline = gst_parse_launch (launch, &error);

  g_assert_no_error (error);
  return pipeline;
}

void
test_pipeline_free (TestPipeline *pipeline)
{
  gst_element_set_state (pipeline, GST_STATE_NULL);
  gst_object_unref (pipeline);
}

void
test_play_to_end (GstElement *pipeline)
{
  g_autoptr (GstMessage) message = NULL;

  gst_element_set_state (pipeline, GST_STATE_PLAYING);
  message = gst_bus_timed_pop_filtered (GST_ELEMENT_BUS (pipeline), 60 * GST_SECOND,
                                        GST_MESSAGE_EOS | GST_MESSAGE_ERROR | GST_MESSAGE_WARNING);
  g_assert_nonnull (message);
  if (GST_MESSAGE_TYPE (message) != GST_MESSAGE_EOS)
    g_error ("%s", test_message_text (message));
}

guint
test_get_uint (const GstStructure *structure, const gchar *field)
{
  guint value;

  g_assert_true (gst_structure_get_uint (structure, field, &value));
  return value;
}

guint64
test_get_uint64 (const GstStructure *structure, const gchar *field)
{
  guint64 value;

  g_assert_true (gst_structure_get_uint64 (structure, field, &value));
  return value;
}

gdouble
test_get_double (const GstStructure *structure, const gchar *field)
{
  gdouble value;

  g_assert_true (gst_structure_get_double (structure, field, &value));
  return value;
}

guint64
test_stat (GstElement *element, const gchar *name, const gchar *field)
{
  g_autoptr (GstElement) own = name ? gst_bin_get_by_name (GST_BIN (element), name) : gst_object_ref (element);
  g_autoptr (GstStructure) stats = NULL;

  g_assert_nonnull (own);
  g_object_get (own, "stats", &stats, NULL);
  return gst_structure_has_field_typed (stats, field, G_TYPE_UINT) ? test_get_uint (stats, field)
                                                                   : test_get_uint64 (stats, field);
}

void
test_assert_times (const GstStructure *structure, GstClockTime timestamp, GstClockTime stream_time,
                   GstClockTime running_time, GstClockTime duration)
{
  g_assert_cmpuint (test_get_uint64 (structure, "timestamp"), ==, timestamp);
  g_assert_cmpuint (test_get_uint64 (structure, "stream-time"), ==, stream_time);
  g_assert_cmpuint (test_get_uint64 (structure, "running-time"), ==, running_time);
  g_assert_cmpuint (test_get_uint64 (structure, "duration"), ==, duration);
}

void
test_add_reference (GstBuffer *buffer, const gchar *caps, GstClockTime time)
{
  g_autoptr (GstCaps) reference = gst_caps_from_string (caps);

  gst_buffer_add_reference_timestamp_meta (buffer, reference, time, GST_CLOCK_TIME_NONE);
}

CcaParams
test_threshold_params (void)
{
  CcaParams params;

  cca_params_init (&params);
  params.foreground = CCA_FOREGROUND_THRESHOLD;
  return params;
}

TestReference *
test_reference_new (guint width, guint height, const CcaParams *params, CcaOutput output)
{
  TestReference *reference = g_new0 (TestReference, 1);

  reference->width = width;
  reference->height = height;
  reference->output = output;
  g_assert_cmpint (cca_context_new (NULL, &reference->context), ==, CCA_OK);
  g_assert_cmpint (cca_plan_new (reference->context, width, height, params, output, &reference->plan), ==, CCA_OK);
  g_assert_cmpint (cca_result_new (reference->plan, &reference->result), ==, CCA_OK);
  if (output != CCA_OUTPUT_NONE)
    reference->pixels = g_malloc ((gsize) width * height * cca_output_pixel_size (output));
  return reference;
}

TestReference *
test_reference_of_frame (guint width, guint height, const CcaParams *params, guint seed)
{
  TestReference *reference = test_reference_new (width, height, params, CCA_OUTPUT_NONE);

  test_reference_run (reference, seed);
  return reference;
}

void
test_reference_free (TestReference *reference)
{
  cca_result_free (reference->result);
  cca_plan_free (reference->plan);
  cca_context_free (reference->context);
  g_free (reference->pixels);
  g_free (reference);
}

void
test_reference_run (TestReference *reference, guint seed)
{
  g_autofree guint8 *luma = test_luma (reference->width, reference->height, seed);
  const CcaImage input = { luma, reference->width, reference->width, reference->height, CCA_MEMORY_HOST };
  CcaImage output = input;

  output.data = reference->pixels;
  output.pitch = (ptrdiff_t) reference->width * cca_output_pixel_size (reference->output);
  g_assert_cmpint (cca_plan_run (reference->plan, &input, reference->pixels ? &output : NULL, NULL, reference->result),
                   ==, CCA_OK);
  g_assert_cmpint (cca_result_wait (reference->result, &reference->measurement), ==, CCA_OK);
}

void
test_assert_meta (GstBuffer *buffer, const TestReference *reference)
{
  const CcaMeasurement *measurement = &reference->measurement;
  GstCcaMeta *meta = gst_buffer_get_cca_meta (buffer);

  g_assert_cmpuint (gst_buffer_get_n_meta (buffer, GST_CCA_META_API_TYPE), ==, 1);
  g_assert_cmpuint (meta->width, ==, reference->width);
  g_assert_cmpuint (meta->height, ==, reference->height);
  g_assert_cmpuint (meta->n_components, ==, measurement->n_components);
  g_assert_cmpuint (meta->n_stored, ==, measurement->n_stored);
  g_assert_cmpint (meta->truncated, ==, measurement->truncated);
  for (guint i = 0; i < meta->n_stored; i++) {
    const GstCcaComponent *is = gst_cca_meta_get_component (meta, i);
    const CcaComponent *should = &measurement->components[i];

    g_assert_cmpuint (is->label, ==, should->label);
    g_assert_cmpuint (is->x, ==, should->x);
    g_assert_cmpuint (is->y, ==, should->y);
    g_assert_cmpuint (is->width, ==, should->width);
    g_assert_cmpuint (is->height, ==, should->height);
    g_assert_cmpuint (is->area, ==, should->area);
    g_assert_cmpmem (&is->centroid_x, 5 * sizeof (gdouble), &should->centroid_x, 5 * sizeof (double));
  }
  g_assert_cmpint (meta->shapes != NULL, ==, measurement->shapes != NULL);
  for (guint i = 0; meta->shapes && i < meta->n_stored; i++) {
    g_assert_cmpmem (&meta->shapes[i].perimeter, 2 * sizeof (gdouble), &measurement->shapes[i].perimeter,
                     2 * sizeof (double));
    g_assert_cmpint (meta->shapes[i].euler_number, ==, measurement->shapes[i].euler_number);
  }
  g_assert_cmpint (meta->intensities != NULL, ==, measurement->intensities != NULL);
  for (guint i = 0; meta->intensities && i < meta->n_stored; i++) {
    g_assert_cmpfloat (meta->intensities[i].mean, ==, measurement->intensities[i].mean);
    g_assert_cmpuint (meta->intensities[i].min, ==, measurement->intensities[i].min);
    g_assert_cmpuint (meta->intensities[i].max, ==, measurement->intensities[i].max);
  }
  g_assert_cmpint (meta->overlaps != NULL, ==, measurement->overlaps != NULL);
  g_assert_cmpuint (meta->n_overlaps, ==, measurement->n_overlaps);
  g_assert_cmpuint (meta->n_stored_overlaps, ==, measurement->n_stored_overlaps);
  for (guint i = 0; i < meta->n_stored_overlaps; i++) {
    g_assert_cmpuint (meta->overlaps[i].before, ==, measurement->overlaps[i].before);
    g_assert_cmpuint (meta->overlaps[i].now, ==, measurement->overlaps[i].now);
    g_assert_cmpuint (meta->overlaps[i].pixels, ==, measurement->overlaps[i].pixels);
  }
  /* The elements may count cells that the reference does not. */
  if (measurement->coverage) {
    g_assert_cmpuint (meta->coverage_cell, ==, measurement->coverage_cell);
    g_assert_cmpuint (meta->coverage_columns, ==, measurement->coverage_columns);
    g_assert_cmpuint (meta->coverage_rows, ==, measurement->coverage_rows);
    g_assert_nonnull (meta->coverage);
    g_assert_cmpint (memcmp (meta->coverage, measurement->coverage, meta->coverage_columns * meta->coverage_rows), ==,
                     0);
  }
}

void
test_assert_pixels (GstBuffer *buffer, GstCaps *caps, const TestReference *reference)
{
  const gsize row = (gsize) reference->width * cca_output_pixel_size (reference->output);
  GstVideoFrame frame;
  GstVideoInfo info;

  g_assert_true (gst_video_info_from_caps (&info, caps));
  g_assert_cmpint (GST_VIDEO_INFO_WIDTH (&info), ==, reference->width);
  g_assert_cmpint (GST_VIDEO_INFO_HEIGHT (&info), ==, reference->height);
  g_assert_cmpint (GST_VIDEO_INFO_COMP_PSTRIDE (&info, 0), ==, cca_output_pixel_size (reference->output));
  g_assert_true (gst_video_frame_map (&frame, &info, buffer, GST_MAP_READ));
  for (guint y = 0; y < reference->height; y++)
    g_assert_cmpmem ((guint8 *) GST_VIDEO_FRAME_PLANE_DATA (&frame, 0)
                         + (gssize) y * GST_VIDEO_FRAME_PLANE_STRIDE (&frame, 0),
                     row, reference->pixels + y * row, row);
  gst_video_frame_unmap (&frame);
}

guint64
test_assert_same_counts (GstBuffer *one, GstBuffer *other)
{
  const GstCcaEventMeta *a = gst_buffer_get_cca_event_meta (one), *b = gst_buffer_get_cca_event_meta (other);
  guint64 n = 0;

  g_assert_cmpuint (a->n_rules, ==, 2);
  g_assert_cmpuint (a->n_events, ==, b->n_events);
  for (guint i = 0; i < a->n_rules; i++) {
    g_assert_cmpuint (a->rules[i].n_in, ==, b->rules[i].n_in);
    g_assert_cmpuint (a->rules[i].n_out, ==, b->rules[i].n_out);
    g_assert_cmpuint (a->rules[i].occupancy, ==, b->rules[i].occupancy);
    if (a->rules[i].type == GST_CCA_RULE_LINE)
      n += a->rules[i].n_in + a->rules[i].n_out;
  }
  return n;
}
