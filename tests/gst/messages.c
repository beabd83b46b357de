/* gst-cca: messages and metas of the elements
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "element-test.h"

#include <string.h>
#ifdef HAVE_GST_ANALYTICS
#include <gst/analytics/analytics.h>
#endif

enum
{
  WIDTH = 97,
  HEIGHT = 61,
};

static CcaParams
threshold_params (void)
{
  CcaParams params;

  cca_params_init (&params);
  params.foreground = CCA_FOREGROUND_THRESHOLD;
  return params;
}

static TestReference *
reference_of_frame (const CcaParams *params, guint seed)
{
  TestReference *reference = test_reference_new (WIDTH, HEIGHT, params, CCA_OUTPUT_NONE);

  test_reference_run (reference, seed);
  return reference;
}

static GstBuffer *
push_frame (GstHarness *harness, guint seed)
{
  const GstVideoInfo info = test_video_info ("GRAY8", WIDTH, HEIGHT);

  return gst_harness_push_and_pull (harness, test_frame (&info, seed));
}

static void
check_component (const GstStructure *structure, const CcaComponent *component, gboolean covariance)
{
  g_assert_cmpstr (gst_structure_get_name (structure), ==, "component");
  g_assert_cmpint (gst_structure_n_fields (structure), ==, covariance ? 11 : 8);
  g_assert_cmpuint (test_get_uint (structure, "label"), ==, component->label);
  g_assert_cmpuint (test_get_uint (structure, "x"), ==, component->x);
  g_assert_cmpuint (test_get_uint (structure, "y"), ==, component->y);
  g_assert_cmpuint (test_get_uint (structure, "width"), ==, component->width);
  g_assert_cmpuint (test_get_uint (structure, "height"), ==, component->height);
  g_assert_cmpuint (test_get_uint64 (structure, "area"), ==, component->area);
  g_assert_cmpfloat (test_get_double (structure, "centroid-x"), ==, component->centroid_x);
  g_assert_cmpfloat (test_get_double (structure, "centroid-y"), ==, component->centroid_y);
  if (covariance) {
    g_assert_cmpfloat (test_get_double (structure, "covariance-xx"), ==, component->cov_xx);
    g_assert_cmpfloat (test_get_double (structure, "covariance-xy"), ==, component->cov_xy);
    g_assert_cmpfloat (test_get_double (structure, "covariance-yy"), ==, component->cov_yy);
  }
}

static void
check_message (GstHarness *harness, const TestReference *reference, gboolean covariance)
{
  const CcaMeasurement *measurement = &reference->measurement;
  GstMessage *message = test_pop_message (harness, GST_MESSAGE_ELEMENT);
  const GstStructure *structure;
  const GValue *list;
  gboolean truncated;

  g_assert_nonnull (message);
  g_assert_true (GST_MESSAGE_SRC (message) == GST_OBJECT (harness->element));
  structure = gst_message_get_structure (message);
  g_assert_cmpstr (gst_structure_get_name (structure), ==, "cca");
  g_assert_cmpint (gst_structure_n_fields (structure), ==, 10);
  g_assert_cmpstr (gst_structure_get_string (structure, "id"), ==, GST_OBJECT_NAME (harness->element));
  g_assert_cmpuint (test_get_uint64 (structure, "timestamp"), ==, 3 * GST_SECOND);
  g_assert_cmpuint (test_get_uint64 (structure, "stream-time"), ==, 7 * GST_SECOND);
  g_assert_cmpuint (test_get_uint64 (structure, "running-time"), ==, 12 * GST_SECOND);
  g_assert_cmpuint (test_get_uint64 (structure, "duration"), ==, 40 * GST_MSECOND);
  g_assert_cmpuint (test_get_uint (structure, "width"), ==, WIDTH);
  g_assert_cmpuint (test_get_uint (structure, "height"), ==, HEIGHT);
  g_assert_cmpuint (test_get_uint (structure, "n-components"), ==, measurement->n_components);
  g_assert_true (gst_structure_get_boolean (structure, "truncated", &truncated));
  g_assert_cmpint (truncated, ==, measurement->truncated);
  list = gst_structure_get_value (structure, "components");
  g_assert_true (GST_VALUE_HOLDS_LIST (list));
  g_assert_cmpuint (gst_value_list_get_size (list), ==, measurement->n_stored);
  for (guint i = 0; i < measurement->n_stored; i++) {
    const GValue *value = gst_value_list_get_value (list, i);

    g_assert_true (GST_VALUE_HOLDS_STRUCTURE (value));
    check_component (gst_value_get_structure (value), &measurement->components[i], covariance);
  }
  gst_message_unref (message);
  test_assert_no_message (harness, GST_MESSAGE_ELEMENT);
}

/* A message lists the first n components of a reference, and counts all of them. */
static void
check_listed (GstMessage *message, const TestReference *reference, guint n)
{
  const GstStructure *structure = gst_message_get_structure (message);
  const GValue *list = gst_structure_get_value (structure, "components");
  gboolean truncated;

  g_assert_cmpuint (test_get_uint (structure, "n-components"), ==, reference->measurement.n_components);
  g_assert_cmpuint (gst_value_list_get_size (list), ==, n);
  g_assert_true (gst_structure_get_boolean (structure, "truncated", &truncated));
  g_assert_cmpint (truncated, ==, n < reference->measurement.n_components);
  for (guint i = 0; i < n; i++)
    check_component (gst_value_get_structure (gst_value_list_get_value (list, i)),
                     &reference->measurement.components[i], FALSE);
}

static void
check_list (GstHarness *harness, const TestReference *reference, guint n)
{
  GstMessage *message = test_pop_message (harness, GST_MESSAGE_ELEMENT);

  check_listed (message, reference, n);
  gst_message_unref (message);
}

/* Times as of a segment that starts at 1 s, shows 5 s of the stream and follows on 10 s of running time. */
static void
push_timed_frame (GstHarness *harness, guint seed)
{
  const GstVideoInfo info = test_video_info ("GRAY8", WIDTH, HEIGHT);
  GstBuffer *buffer = test_frame (&info, seed);
  GstSegment segment;

  gst_segment_init (&segment, GST_FORMAT_TIME);
  segment.start = 1 * GST_SECOND;
  segment.time = 5 * GST_SECOND;
  segment.base = 10 * GST_SECOND;
  g_assert_true (gst_harness_push_event (harness, gst_event_new_segment (&segment)));
  GST_BUFFER_PTS (buffer) = 3 * GST_SECOND;
  GST_BUFFER_DURATION (buffer) = 40 * GST_MSECOND;
  gst_buffer_unref (gst_harness_push_and_pull (harness, buffer));
}

static void
test_message (gconstpointer data)
{
  CcaParams params = threshold_params ();
  TestReference *reference = reference_of_frame (&params, 1);
  gchar *launch = g_strdup_printf ("%s foreground=threshold", (const gchar *) data);
  GstHarness *harness = test_harness (launch, test_caps ("GRAY8", WIDTH, HEIGHT, NULL));

  g_assert_cmpuint (reference->measurement.n_stored, >, 1);
  push_timed_frame (harness, 1);
  check_message (harness, reference, FALSE);
  test_reference_free (reference);

  params.covariance = true;
  reference = reference_of_frame (&params, 2);
  g_object_set (harness->element, "covariance", TRUE, NULL);
  push_timed_frame (harness, 2);
  check_message (harness, reference, TRUE);
  test_reference_free (reference);

  params.covariance = false;
  params.max_components = 3;
  reference = reference_of_frame (&params, 3);
  g_assert_true (reference->measurement.truncated);
  g_object_set (harness->element, "covariance", FALSE, "max-components", 3, NULL);
  push_timed_frame (harness, 3);
  check_message (harness, reference, FALSE);
  test_reference_free (reference);

  /* A frame with nothing in it is a message with an empty list. */
  params.min_area = WIDTH * HEIGHT;
  reference = reference_of_frame (&params, 3);
  g_assert_cmpuint (reference->measurement.n_components, ==, 0);
  g_object_set (harness->element, "min-area", WIDTH * HEIGHT, NULL);
  push_timed_frame (harness, 3);
  check_message (harness, reference, FALSE);
  test_reference_free (reference);

  g_object_set (harness->element, "post-messages", FALSE, NULL);
  push_timed_frame (harness, 4);
  test_assert_no_message (harness, GST_MESSAGE_ELEMENT);
  test_harness_free (harness);
  g_free (launch);
}

/* The next message has the reference's overlaps where they are known: the number of all, and the first n. */
static void
check_overlaps (GstHarness *harness, const TestReference *reference, guint n)
{
  const CcaMeasurement *measurement = &reference->measurement;
  GstMessage *message = test_pop_message (harness, GST_MESSAGE_ELEMENT);
  const GstStructure *structure = gst_message_get_structure (message);
  const GValue *list = gst_structure_get_value (structure, "overlaps");

  g_assert_cmpint (gst_structure_n_fields (structure), ==, measurement->overlaps ? 12 : 10);
  g_assert_cmpint (list != NULL, ==, measurement->overlaps != NULL);
  if (list) {
    g_assert_cmpuint (test_get_uint (structure, "n-overlaps"), ==, measurement->n_overlaps);
    g_assert_cmpuint (gst_value_list_get_size (list), ==, MIN (n, measurement->n_stored_overlaps));
    for (guint i = 0; i < gst_value_list_get_size (list); i++) {
      const GstStructure *overlap = gst_value_get_structure (gst_value_list_get_value (list, i));

      g_assert_cmpstr (gst_structure_get_name (overlap), ==, "overlap");
      g_assert_cmpint (gst_structure_n_fields (overlap), ==, 3);
      g_assert_cmpuint (test_get_uint (overlap, "before"), ==, measurement->overlaps[i].before);
      g_assert_cmpuint (test_get_uint (overlap, "now"), ==, measurement->overlaps[i].now);
      g_assert_cmpuint (test_get_uint64 (overlap, "pixels"), ==, measurement->overlaps[i].pixels);
    }
  }
  gst_message_unref (message);
}

/* Pushes a frame and compares meta and message. */
static void
push_overlapping (GstHarness *harness, TestReference *reference, guint seed, gboolean known, guint n)
{
  GstBuffer *buffer = push_frame (harness, seed);

  test_reference_run (reference, seed);
  g_assert_cmpint (reference->measurement.overlaps != NULL, ==, known);
  test_assert_meta (buffer, reference);
  check_overlaps (harness, reference, n);
  gst_buffer_unref (buffer);
}

static void
test_overlaps (gconstpointer data)
{
  CcaParams params = threshold_params ();
  GstHarness *harness = test_harness (data, test_caps ("GRAY8", WIDTH, HEIGHT, NULL));
  TestReference *reference;
  GstSegment segment;

  params.overlaps = true;
  reference = test_reference_new (WIDTH, HEIGHT, &params, CCA_OUTPUT_NONE);
  push_overlapping (harness, reference, 1, FALSE, 1024);
  push_overlapping (harness, reference, 2, TRUE, 1024);
  g_assert_cmpuint (reference->measurement.n_overlaps, >, 7);
  g_object_set (harness->element, "message-max-components", 7, NULL);
  push_overlapping (harness, reference, 3, TRUE, 7);

  /* What is stored is bounded like the components are. */
  params.max_components = 5;
  g_assert_cmpint (cca_plan_set_params (reference->plan, &params), ==, CCA_OK);
  g_object_set (harness->element, "max-components", 5, NULL);
  push_overlapping (harness, reference, 4, TRUE, 7);
  g_assert_cmpuint (reference->measurement.n_stored_overlaps, ==, 5);
  g_assert_cmpuint (reference->measurement.n_overlaps, >, 5);

  /* A frame with no component in it: known overlaps, none of them. */
  params.min_area = WIDTH * HEIGHT;
  g_assert_cmpint (cca_plan_set_params (reference->plan, &params), ==, CCA_OK);
  g_object_set (harness->element, "min-area", WIDTH * HEIGHT, NULL);
  push_overlapping (harness, reference, 5, TRUE, 7);
  g_assert_cmpuint (reference->measurement.n_overlaps, ==, 0);
  params.min_area = 0;
  g_assert_cmpint (cca_plan_set_params (reference->plan, &params), ==, CCA_OK);
  g_object_set (harness->element, "min-area", 0, NULL);
  push_overlapping (harness, reference, 6, TRUE, 7);

  /* Behind a flush and on another timeline there is no last frame. */
  g_assert_true (gst_harness_push_event (harness, gst_event_new_flush_start ()));
  g_assert_true (gst_harness_push_event (harness, gst_event_new_flush_stop (TRUE)));
  gst_segment_init (&segment, GST_FORMAT_TIME);
  g_assert_true (gst_harness_push_event (harness, gst_event_new_segment (&segment)));
  cca_plan_reset (reference->plan);
  push_overlapping (harness, reference, 7, FALSE, 7);
  push_overlapping (harness, reference, 8, TRUE, 7);
  segment.base = GST_SECOND;
  g_assert_true (gst_harness_push_event (harness, gst_event_new_segment (&segment)));
  cca_plan_reset (reference->plan);
  push_overlapping (harness, reference, 9, FALSE, 7);

  params.overlaps = false;
  g_assert_cmpint (cca_plan_set_params (reference->plan, &params), ==, CCA_OK);
  g_object_set (harness->element, "overlaps", FALSE, NULL);
  push_overlapping (harness, reference, 10, FALSE, 7);
  params.overlaps = true;
  g_assert_cmpint (cca_plan_set_params (reference->plan, &params), ==, CCA_OK);
  g_object_set (harness->element, "overlaps", TRUE, NULL);
  push_overlapping (harness, reference, 11, FALSE, 7);
  push_overlapping (harness, reference, 12, TRUE, 7);
  test_harness_free (harness);
  test_reference_free (reference);
}

/* Buffers without times, and segments that are not of time. */
static void
test_no_times (void)
{
  GstHarness *harness = test_harness ("cca", test_caps ("GRAY8", WIDTH, HEIGHT, NULL));
  static const gchar *const fields[] = { "timestamp", "stream-time", "running-time", "duration" };
  GstSegment segment;

  for (guint i = 0; i < 2; i++) {
    GstMessage *message;

    if (i == 1) {
      gst_segment_init (&segment, GST_FORMAT_BYTES);
      g_assert_true (gst_harness_push_event (harness, gst_event_new_segment (&segment)));
    }
    gst_buffer_unref (push_frame (harness, i));
    message = test_pop_message (harness, GST_MESSAGE_ELEMENT);
    for (guint j = 0; j < G_N_ELEMENTS (fields); j++)
      g_assert_cmpuint (test_get_uint64 (gst_message_get_structure (message), fields[j]), ==, GST_CLOCK_TIME_NONE);
    gst_message_unref (message);
  }
  test_harness_free (harness);
}

/* Pushes a frame at a time of the segment, or without one, and returns whether it was told of. */
static gboolean
is_told (GstHarness *harness, GstClockTime time)
{
  const GstVideoInfo info = test_video_info ("GRAY8", WIDTH, HEIGHT);
  GstBuffer *buffer = test_frame (&info, 1);
  GstMessage *message;
  gboolean told;

  GST_BUFFER_PTS (buffer) = time;
  gst_buffer_unref (gst_harness_push_and_pull (harness, buffer));
  message = test_pop_message (harness, GST_MESSAGE_ELEMENT);
  told = message != NULL;
  if (told) {
    g_assert_cmpuint (test_get_uint64 (gst_message_get_structure (message), "timestamp"), ==, time);
    gst_message_unref (message);
  }
  test_assert_no_message (harness, GST_MESSAGE_ELEMENT);
  return told;
}

/* Every frame has its meta; messages keep their distance in running time, from the last one that went out. */
static void
test_interval (gconstpointer data)
{
  enum
  {
    FRAME = 40
  };
  GstHarness *harness = test_harness (data, test_caps ("GRAY8", WIDTH, HEIGHT, NULL));
  GstBuffer *buffer;
  GstSegment segment;

  for (guint i = 0; i < 3; i++)
    g_assert_true (is_told (harness, i * FRAME * GST_MSECOND));

  g_object_set (harness->element, "message-interval", 100 * (guint64) GST_MSECOND, NULL);
  for (guint i = 3; i < 20; i++)
    g_assert_cmpint (is_told (harness, i * FRAME * GST_MSECOND), ==, (i - 2) % 3 == 0);
  g_object_set (harness->element, "message-interval", FRAME * (guint64) GST_MSECOND, NULL);
  for (guint i = 20; i < 23; i++)
    g_assert_true (is_told (harness, i * FRAME * GST_MSECOND));

  /* The longest interval: one message, and one for each frame that has no time. */
  g_object_set (harness->element, "message-interval", G_MAXUINT64, NULL);
  for (guint i = 23; i < 30; i++)
    g_assert_false (is_told (harness, i * FRAME * GST_MSECOND));
  for (guint i = 0; i < 2; i++)
    g_assert_true (is_told (harness, GST_CLOCK_TIME_NONE));
  g_assert_true (is_told (harness, 30 * FRAME * GST_MSECOND));
  g_assert_false (is_told (harness, 31 * FRAME * GST_MSECOND));

  /* Behind a flush, and on another timeline, the first frame is told of. */
  g_assert_true (gst_harness_push_event (harness, gst_event_new_flush_start ()));
  g_assert_true (gst_harness_push_event (harness, gst_event_new_flush_stop (TRUE)));
  gst_segment_init (&segment, GST_FORMAT_TIME);
  g_assert_true (gst_harness_push_event (harness, gst_event_new_segment (&segment)));
  g_assert_true (is_told (harness, 31 * FRAME * GST_MSECOND));
  g_assert_false (is_told (harness, 32 * FRAME * GST_MSECOND));
  segment.base = GST_SECOND;
  g_assert_true (gst_harness_push_event (harness, gst_event_new_segment (&segment)));
  g_assert_true (is_told (harness, 32 * FRAME * GST_MSECOND));

  /* So is the first of a new start. */
  g_assert_false (is_told (harness, 33 * FRAME * GST_MSECOND));
  gst_element_set_state (harness->element, GST_STATE_READY);
  gst_element_set_state (harness->element, GST_STATE_PLAYING);
  g_assert_true (gst_harness_push_event (harness, gst_event_new_stream_start ("again")));
  gst_harness_set_src_caps (harness, test_caps ("GRAY8", WIDTH, HEIGHT, NULL));
  g_assert_true (is_told (harness, 34 * FRAME * GST_MSECOND));

  buffer = push_frame (harness, 2);
  g_assert_nonnull (gst_buffer_get_cca_meta (buffer));
  gst_buffer_unref (buffer);
  test_harness_free (harness);
}

/* What a message lists is bounded by a property of its own: the first in the order asked for. */
static void
test_listed (void)
{
  CcaParams params = threshold_params ();
  GstHarness *harness;
  TestReference *reference;

  params.order = CCA_ORDER_AREA;
  params.max_components = 40;
  reference = reference_of_frame (&params, 5);
  g_assert_cmpuint (reference->measurement.n_components, >, 40);
  harness =
      test_harness ("cca foreground=threshold order=area max-components=40", test_caps ("GRAY8", WIDTH, HEIGHT, NULL));
  for (guint limit = 0; limit <= 41; limit++) {
    GstBuffer *buffer;

    g_object_set (harness->element, "message-max-components", limit, NULL);
    buffer = push_frame (harness, 5);
    test_assert_meta (buffer, reference);
    gst_buffer_unref (buffer);
    check_list (harness, reference, MIN (limit, 40));
  }
  test_harness_free (harness);
  test_reference_free (reference);
}

#define N_HELD 7

/* Later messages get the structures of those that ended, and of no other; a copy has structures of its own. */
static void
test_held (void)
{
  const CcaParams params = threshold_params ();
  GstHarness *harness = test_harness ("cca foreground=threshold", test_caps ("GRAY8", WIDTH, HEIGHT, NULL));
  TestReference *references[N_HELD];
  GstMessage *held[N_HELD], *copy;

  for (guint round = 0; round < 3; round++) {
    for (guint i = 0; i < N_HELD; i++) {
      references[i] = reference_of_frame (&params, N_HELD * round + i);
      gst_buffer_unref (push_frame (harness, N_HELD * round + i));
      held[i] = test_pop_message (harness, GST_MESSAGE_ELEMENT);
    }
    copy = gst_message_copy (held[0]);
    for (guint i = 0; i < N_HELD; i++) {
      check_listed (held[i], references[i], references[i]->measurement.n_components);
      gst_message_unref (held[i]);
      gst_buffer_unref (push_frame (harness, 100 + i));
      held[i] = test_pop_message (harness, GST_MESSAGE_ELEMENT);
    }
    check_listed (copy, references[0], references[0]->measurement.n_components);
    gst_message_unref (copy);
    for (guint i = 0; i < N_HELD; i++) {
      test_reference_free (references[i]);
      gst_message_unref (held[i]);
    }
  }
  /* One that an application changed is not used again. */
  references[0] = reference_of_frame (&params, 1);
  for (guint i = 0; i < N_HELD; i++) {
    const GValue *list;

    gst_buffer_unref (push_frame (harness, 1));
    held[0] = test_pop_message (harness, GST_MESSAGE_ELEMENT);
    check_listed (held[0], references[0], references[0]->measurement.n_components);
    list = gst_structure_get_value (gst_message_get_structure (held[0]), "components");
    gst_structure_set (g_value_get_boxed (gst_value_list_get_value (list, i)), "a", G_TYPE_UINT, 1, "b", G_TYPE_UINT, 2,
                       NULL);
    if (i % 2 == 0)
      gst_structure_remove_field (g_value_get_boxed (gst_value_list_get_value (list, i + 1)), "x");
    gst_message_unref (held[0]);
  }
  gst_buffer_unref (push_frame (harness, 1));
  held[0] = test_pop_message (harness, GST_MESSAGE_ELEMENT);
  test_harness_free (harness);
  check_listed (held[0], references[0], references[0]->measurement.n_components);
  gst_message_unref (held[0]);
  test_reference_free (references[0]);
}

/* By default, an application that reads no message keeps no more of each than this. */
static void
test_listed_by_default (void)
{
  const GstVideoInfo info = test_video_info ("GRAY8", 200, 200);
  GstHarness *harness =
      test_harness ("cca connectivity=4 max-components=16777216", test_caps ("GRAY8", 200, 200, NULL));
  GstBuffer *buffer = gst_buffer_new_and_alloc (GST_VIDEO_INFO_SIZE (&info));
  const GstStructure *structure;
  GstMessage *message;
  GstMapInfo map;
  gboolean truncated;

  g_assert_true (gst_buffer_map (buffer, &map, GST_MAP_WRITE));
  for (guint i = 0; i < map.size; i++)
    map.data[i] = (i % 200 + i / 200) % 2 ? 255 : 0;
  gst_buffer_unmap (buffer, &map);
  buffer = test_pass (harness, buffer);
  g_assert_cmpuint (gst_buffer_get_cca_meta (buffer)->n_stored, ==, 20000);
  gst_buffer_unref (buffer);
  message = test_pop_message (harness, GST_MESSAGE_ELEMENT);
  structure = gst_message_get_structure (message);
  g_assert_cmpuint (test_get_uint (structure, "n-components"), ==, 20000);
  g_assert_cmpuint (gst_value_list_get_size (gst_structure_get_value (structure, "components")), ==, 1024);
  g_assert_true (gst_structure_get_boolean (structure, "truncated", &truncated) && truncated);
  gst_message_unref (message);
  test_harness_free (harness);
}

/* The count stays exact; what is stored is the first in the order asked for. */
static void
test_truncation (void)
{
  GstHarness *harness = test_harness ("cca foreground=threshold order=area", test_caps ("GRAY8", WIDTH, HEIGHT, NULL));
  GstBuffer *all = push_frame (harness, 5), *few;
  GstCcaMeta *meta = gst_buffer_get_cca_meta (all), *truncated;

  g_assert_false (meta->truncated);
  g_assert_cmpuint (meta->n_stored, >, 4);
  for (guint n = 1; n <= meta->n_stored + 1; n++) {
    g_object_set (harness->element, "max-components", n, NULL);
    few = push_frame (harness, 5);
    truncated = gst_buffer_get_cca_meta (few);
    g_assert_cmpuint (truncated->n_components, ==, meta->n_components);
    g_assert_cmpuint (truncated->n_stored, ==, MIN (n, meta->n_stored));
    g_assert_cmpint (truncated->truncated, ==, n < meta->n_stored);
    for (guint i = 0; i < truncated->n_stored; i++)
      g_assert_cmpuint (truncated->components[i].label, ==, meta->components[i].label);
    for (guint i = 1; i < truncated->n_stored; i++)
      g_assert_cmpuint (truncated->components[i - 1].area, >=, truncated->components[i].area);
    gst_buffer_unref (few);
  }
  gst_buffer_unref (all);
  test_harness_free (harness);
}

/* A meta that outlives many later frames keeps its components. */
static void
test_lasting (void)
{
  enum
  {
    N = 40
  };
  const CcaParams params = threshold_params ();
  GstHarness *harness = test_harness ("cca foreground=threshold", test_caps ("GRAY8", WIDTH, HEIGHT, NULL));
  GstBuffer *buffers[N];

  for (guint i = 0; i < N; i++)
    buffers[i] = push_frame (harness, i);
  test_harness_free (harness);
  for (guint i = 0; i < N; i++) {
    TestReference *reference = reference_of_frame (&params, i);

    test_assert_meta (buffers[i], reference);
    gst_buffer_unref (buffers[i]);
    test_reference_free (reference);
  }
}

/* The number of regions of interest of a buffer whose parameters carry an id. */
static guint
count_rois (GstBuffer *buffer, const gchar *id)
{
  gpointer state = NULL;
  GstMeta *meta;
  guint n = 0;

  while ((meta = gst_buffer_iterate_meta_filtered (buffer, &state, GST_VIDEO_REGION_OF_INTEREST_META_API_TYPE))) {
    const GstStructure *param =
        gst_video_region_of_interest_meta_get_param ((GstVideoRegionOfInterestMeta *) meta, "cca-component");

    n += param && g_strcmp0 (gst_structure_get_string (param, "id"), id) == 0;
  }
  return n;
}

static void
assert_message_id (GstHarness *harness, const gchar *id)
{
  GstMessage *message = test_pop_message (harness, GST_MESSAGE_ELEMENT);

  g_assert_cmpstr (gst_structure_get_string (gst_message_get_structure (message), "id"), ==, id);
  gst_message_unref (message);
}

static void
assert_id (GstHarness *harness, const gchar *expected)
{
  gchar *id;

  g_object_get (harness->element, "id", &id, NULL);
  g_assert_cmpstr (id, ==, expected);
  g_free (id);
}

/* Pushes a frame through both elements; first_id and second_id name their metas. */
static void
check_two (GstHarness *first, const gchar *first_id, GstHarness *second, const gchar *second_id)
{
  GstBuffer *buffer = push_frame (first, 6);
  const guint n_first = gst_buffer_get_cca_meta (buffer)->n_components;
  const GstCcaMeta *meta;
  guint n_second;

  assert_id (first, first_id);
  assert_id (second, second_id);
  g_assert_cmpuint (gst_buffer_get_n_meta (buffer, GST_CCA_META_API_TYPE), ==, 1);
  buffer = gst_harness_push_and_pull (second, buffer);
  g_assert_cmpuint (gst_buffer_get_n_meta (buffer, GST_CCA_META_API_TYPE), ==, 2);
  /* The first element's comes first. */
  meta = gst_buffer_get_cca_meta (buffer);
  g_assert_cmpstr (meta->id, ==, first_id);
  g_assert_true (meta == gst_buffer_get_cca_meta_by_id (buffer, first_id));
  g_assert_cmpuint (meta->n_components, ==, n_first);
  meta = gst_buffer_get_cca_meta_by_id (buffer, second_id);
  g_assert_cmpstr (meta->id, ==, second_id);
  n_second = meta->n_components;
  g_assert_cmpuint (n_first, !=, n_second);
  g_assert_cmpuint (count_rois (buffer, first_id), ==, n_first);
  g_assert_cmpuint (count_rois (buffer, second_id), ==, n_second);
  assert_message_id (first, first_id);
  assert_message_id (second, second_id);
  gst_buffer_unref (buffer);
}

/* Elements one behind the other leave each other's metas alone. */
static void
test_two (gconstpointer data)
{
  gchar *launch = g_strdup_printf ("%s name=bright foreground=threshold emit=cca+roi", (const gchar *) data);
  GstHarness *first =
      test_harness ("cca name=levels foreground=values emit=cca+roi", test_caps ("GRAY8", WIDTH, HEIGHT, NULL));
  GstHarness *second = test_harness (launch, test_caps ("GRAY8", WIDTH, HEIGHT, NULL));

  check_two (first, "levels", second, "bright");
  g_object_set (second->element, "id", "people", NULL);
  check_two (first, "levels", second, "people");
  g_object_set (first->element, "id", "", NULL);
  check_two (first, "", second, "people");
  g_object_set (second->element, "id", NULL, NULL);
  check_two (first, "", second, "bright");
  test_harness_free (second);
  test_harness_free (first);
  g_free (launch);
}

/* Elements of the same id are one analysis: the last one's counts, and nobody else's goes. */
static void
test_same_id (void)
{
  const CcaParams params = threshold_params ();
  TestReference *reference = reference_of_frame (&params, 6);
  GstHarness *first =
      test_harness ("cca id=x foreground=values emit=cca+roi", test_caps ("GRAY8", WIDTH, HEIGHT, NULL));
  GstHarness *second =
      test_harness ("cca id=x foreground=threshold emit=cca+roi", test_caps ("GRAY8", WIDTH, HEIGHT, NULL));
  GstBuffer *buffer = push_frame (first, 6);

  gst_buffer_add_video_region_of_interest_meta (buffer, "face", 1, 2, 3, 4);
  buffer = gst_harness_push_and_pull (second, buffer);
  test_assert_meta (buffer, reference);
  g_assert_cmpuint (count_rois (buffer, "x"), ==, reference->measurement.n_components);
  g_assert_cmpuint (gst_buffer_get_n_meta (buffer, GST_VIDEO_REGION_OF_INTEREST_META_API_TYPE), ==,
                    reference->measurement.n_components + 1);
  gst_buffer_unref (buffer);
  test_harness_free (second);
  test_harness_free (first);
  test_reference_free (reference);
}

/* What ccl's output frames inherit. */
static void
test_inherited (void)
{
  const GstVideoInfo info = test_video_info ("I420", WIDTH, HEIGHT);
  GstHarness *harness = test_harness ("ccl", test_caps ("I420", WIDTH, HEIGHT, NULL));
  GstBuffer *buffer = test_padded_frame (&info, 0);
  GstCaps *caps = gst_caps_new_empty_simple ("timestamp/x-test");
  GstReferenceTimestampMeta *time;
  GstVideoMeta *video;

  GST_BUFFER_PTS (buffer) = 5;
  GST_BUFFER_DTS (buffer) = 4;
  GST_BUFFER_DURATION (buffer) = 3;
  GST_BUFFER_OFFSET (buffer) = 2;
  GST_BUFFER_FLAG_SET (buffer, GST_BUFFER_FLAG_MARKER);
  gst_buffer_add_video_region_of_interest_meta (buffer, "face", 1, 2, 3, 4);
  gst_buffer_add_reference_timestamp_meta (buffer, caps, 77, GST_CLOCK_TIME_NONE);

  buffer = gst_harness_push_and_pull (harness, buffer);
  g_assert_cmpuint (GST_BUFFER_PTS (buffer), ==, 5);
  g_assert_cmpuint (GST_BUFFER_DTS (buffer), ==, 4);
  g_assert_cmpuint (GST_BUFFER_DURATION (buffer), ==, 3);
  g_assert_true (GST_BUFFER_FLAG_IS_SET (buffer, GST_BUFFER_FLAG_MARKER));
  g_assert_cmpuint (gst_buffer_n_memory (buffer), ==, 1);
  g_assert_cmpuint (gst_buffer_get_n_meta (buffer, GST_VIDEO_REGION_OF_INTEREST_META_API_TYPE), ==, 1);
  time = gst_buffer_get_reference_timestamp_meta (buffer, caps);
  g_assert_nonnull (time);
  g_assert_cmpuint (time->timestamp, ==, 77);
  /* The layout is the output's own. */
  video = gst_buffer_get_video_meta (buffer);
  g_assert_true (!video || video->format == GST_VIDEO_FORMAT_RGBA);
  gst_buffer_unref (buffer);
  gst_caps_unref (caps);
  test_harness_free (harness);
}

static void
check_rois (GstBuffer *buffer, const TestReference *reference, const gchar *type, const gchar *id)
{
  gpointer state = NULL;
  GstMeta *meta;
  guint n = 0;

  while ((meta = gst_buffer_iterate_meta_filtered (buffer, &state, GST_VIDEO_REGION_OF_INTEREST_META_API_TYPE))) {
    const GstVideoRegionOfInterestMeta *roi = (GstVideoRegionOfInterestMeta *) meta;
    const CcaComponent *component = &reference->measurement.components[n++];
    const GstStructure *param =
        gst_video_region_of_interest_meta_get_param ((GstVideoRegionOfInterestMeta *) meta, "cca-component");

    g_assert_cmpstr (g_quark_to_string (roi->roi_type), ==, type);
    g_assert_cmpint (roi->id, ==, component->label);
    g_assert_cmpuint (roi->x, ==, component->x);
    g_assert_cmpuint (roi->y, ==, component->y);
    g_assert_cmpuint (roi->w, ==, component->width);
    g_assert_cmpuint (roi->h, ==, component->height);
    g_assert_nonnull (param);
    g_assert_cmpstr (gst_structure_get_string (param, "id"), ==, id);
    g_assert_cmpuint (test_get_uint (param, "label"), ==, component->label);
    g_assert_cmpuint (test_get_uint64 (param, "area"), ==, component->area);
    g_assert_cmpfloat (test_get_double (param, "centroid-x"), ==, component->centroid_x);
    g_assert_cmpfloat (test_get_double (param, "centroid-y"), ==, component->centroid_y);
  }
  g_assert_cmpuint (n, ==, reference->measurement.n_stored);
  g_assert_cmpuint (n, >, 0);
}

static void
test_roi (gconstpointer data)
{
  const CcaParams params = threshold_params ();
  TestReference *reference = reference_of_frame (&params, 7);
  gchar *launch = g_strdup_printf ("%s foreground=threshold emit=roi", (const gchar *) data);
  GstHarness *harness = test_harness (launch, test_caps ("GRAY8", WIDTH, HEIGHT, NULL));
  GstBuffer *buffer = push_frame (harness, 7);

  check_rois (buffer, reference, "cca-component", GST_OBJECT_NAME (harness->element));
  g_assert_null (gst_buffer_get_cca_meta (buffer));
  gst_buffer_unref (buffer);

  gst_util_set_object_arg (G_OBJECT (harness->element), "emit", "cca+roi");
  g_object_set (harness->element, "id", "people", NULL);
  buffer = push_frame (harness, 7);
  check_rois (buffer, reference, "cca-component/people", "people");
  test_assert_meta (buffer, reference);
  gst_buffer_unref (buffer);

  gst_util_set_object_arg (G_OBJECT (harness->element), "emit", "0");
  buffer = push_frame (harness, 7);
  g_assert_null (gst_buffer_get_cca_meta (buffer));
  g_assert_cmpuint (gst_buffer_get_n_meta (buffer, GST_VIDEO_REGION_OF_INTEREST_META_API_TYPE), ==, 0);
  gst_buffer_unref (buffer);
  test_assert_no_message (harness, GST_MESSAGE_WARNING);
  test_harness_free (harness);
  test_reference_free (reference);
  g_free (launch);
}

/* Where an element drops the parameters, the type tells two analyses apart. */
static void
test_roi_type_remains (void)
{
  GstHarness *harness = gst_harness_new_parse ("cca id=a foreground=values emit=roi post-messages=false ! cca id=b "
                                               "foreground=threshold emit=roi post-messages=false"
                                               " ! videoconvert ! capsfilter caps=video/x-raw,format=RGB");
  const GQuark a = g_quark_from_string ("cca-component/a"), b = g_quark_from_string ("cca-component/b");
  gpointer state = NULL;
  guint n_a = 0, n_b = 0;
  GstBuffer *buffer;
  GstMeta *meta;

  gst_harness_set_src_caps (harness, test_caps ("GRAY8", WIDTH, HEIGHT, NULL));
  buffer = push_frame (harness, 7);
  while ((meta = gst_buffer_iterate_meta_filtered (buffer, &state, GST_VIDEO_REGION_OF_INTEREST_META_API_TYPE))) {
    n_a += ((GstVideoRegionOfInterestMeta *) meta)->roi_type == a;
    n_b += ((GstVideoRegionOfInterestMeta *) meta)->roi_type == b;
  }
  g_assert_cmpuint (n_a, >, 0);
  g_assert_cmpuint (n_b, >, 0);
  g_assert_cmpuint (n_a, !=, n_b);
  g_assert_cmpuint (n_a + n_b, ==, gst_buffer_get_n_meta (buffer, GST_VIDEO_REGION_OF_INTEREST_META_API_TYPE));
  gst_buffer_unref (buffer);
  gst_harness_teardown (harness);
}

#ifdef HAVE_GST_ANALYTICS
static void
test_analytics (void)
{
  const CcaParams params = threshold_params ();
  TestReference *reference = reference_of_frame (&params, 8);
  GstHarness *harness =
      test_harness ("cca id=people foreground=threshold emit=analytics", test_caps ("GRAY8", WIDTH, HEIGHT, NULL));
  GstBuffer *buffer = push_frame (harness, 8);
  GstAnalyticsRelationMeta *meta = gst_buffer_get_analytics_relation_meta (buffer);
  GstAnalyticsODMtd detection;
  gpointer state = NULL;
  guint n = 0;

  g_assert_nonnull (meta);
  while (gst_analytics_relation_meta_iterate (meta, &state, gst_analytics_od_mtd_get_mtd_type (), &detection)) {
    const CcaComponent *component = &reference->measurement.components[n++];
    gint x, y, width, height;
    gfloat confidence;

    g_assert_true (gst_analytics_od_mtd_get_location (&detection, &x, &y, &width, &height, &confidence));
    g_assert_cmpstr (g_quark_to_string (gst_analytics_od_mtd_get_obj_type (&detection)), ==, "cca-component/people");
    g_assert_cmpint (x, ==, component->x);
    g_assert_cmpint (y, ==, component->y);
    g_assert_cmpint (width, ==, component->width);
    g_assert_cmpint (height, ==, component->height);
    g_assert_cmpfloat (confidence, ==, 1.0f);
  }
  g_assert_cmpuint (n, ==, reference->measurement.n_stored);
  test_assert_no_message (harness, GST_MESSAGE_WARNING);
  gst_buffer_unref (buffer);
  test_harness_free (harness);
  test_reference_free (reference);
}
#else
static void
test_analytics (void)
{
  GstHarness *harness = test_harness ("cca emit=cca+analytics", test_caps ("GRAY8", WIDTH, HEIGHT, NULL));
  gchar *text;

  for (guint i = 0; i < 3; i++) {
    GstBuffer *buffer = push_frame (harness, i);

    g_assert_nonnull (gst_buffer_get_cca_meta (buffer));
    gst_buffer_unref (buffer);
  }
  text = test_message_text (test_pop_message (harness, GST_MESSAGE_WARNING));
  g_assert_nonnull (strstr (text, "emit=analytics"));
  g_assert_nonnull (strstr (text, "1.24"));
  g_free (text);
  test_assert_no_message (harness, GST_MESSAGE_WARNING);
  test_harness_free (harness);
}
#endif

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  gst_init (&argc, &argv);
  g_test_add_data_func ("/messages/message/cca", "cca", test_message);
  g_test_add_data_func ("/messages/message/ccl", "ccl", test_message);
  g_test_add_data_func ("/messages/overlaps/cca", "cca foreground=threshold overlaps=true", test_overlaps);
  g_test_add_data_func ("/messages/overlaps/ccl", "ccl foreground=threshold overlaps=true", test_overlaps);
  g_test_add_func ("/messages/no-times", test_no_times);
  g_test_add_data_func ("/messages/interval/cca", "cca", test_interval);
  g_test_add_data_func ("/messages/interval/ccl", "ccl", test_interval);
  g_test_add_func ("/messages/listed", test_listed);
  g_test_add_func ("/messages/listed-by-default", test_listed_by_default);
  g_test_add_func ("/messages/held", test_held);
  g_test_add_func ("/metas/truncation", test_truncation);
  g_test_add_func ("/metas/lasting", test_lasting);
  g_test_add_data_func ("/metas/two/cca", "cca", test_two);
  g_test_add_data_func ("/metas/two/ccl", "ccl", test_two);
  g_test_add_func ("/metas/same-id", test_same_id);
  g_test_add_func ("/metas/inherited", test_inherited);
  g_test_add_data_func ("/metas/roi/cca", "cca", test_roi);
  g_test_add_data_func ("/metas/roi/ccl", "ccl", test_roi);
  g_test_add_func ("/metas/roi/type-remains", test_roi_type_remains);
  g_test_add_func ("/metas/analytics", test_analytics);
  return g_test_run ();
}
