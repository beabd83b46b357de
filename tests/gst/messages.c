/* gst-cca: messages of the elements that find components
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "element-test.h"

enum
{
  WIDTH = 97,
  HEIGHT = 61,
};

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
  GstMessage *message;
  const GstStructure *structure = test_pop_structure (harness, "cca", &message);
  const GValue *list;
  gboolean truncated;

  g_assert_cmpint (gst_structure_n_fields (structure), ==, 10);
  g_assert_cmpstr (gst_structure_get_string (structure, "id"), ==, GST_OBJECT_NAME (harness->element));
  test_assert_times (structure, 3 * GST_SECOND, 7 * GST_SECOND, 12 * GST_SECOND, 40 * GST_MSECOND);
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
  g_autoptr (GstMessage) message = test_pop_message (harness, GST_MESSAGE_ELEMENT);

  check_listed (message, reference, n);
}

/* Times as of a segment that starts at 1 s, shows 5 s of the stream and follows on 10 s of running time. */
static void
push_timed_frame (GstHarness *harness, guint seed)
{
  const GstVideoInfo info = test_video_info ("GRAY8", WIDTH, HEIGHT);
  GstBuffer *buffer = test_frame (&info, seed);

  test_push_segment (harness, 1 * GST_SECOND, 5 * GST_SECOND, 10 * GST_SECOND);
  GST_BUFFER_PTS (buffer) = 3 * GST_SECOND;
  GST_BUFFER_DURATION (buffer) = 40 * GST_MSECOND;
  gst_buffer_unref (gst_harness_push_and_pull (harness, buffer));
}

static void
test_message (gconstpointer data)
{
  CcaParams params = test_threshold_params ();
  TestReference *reference = test_reference_of_frame (WIDTH, HEIGHT, &params, 1);
  g_autofree gchar *launch = g_strdup_printf ("%s foreground=threshold", (const gchar *) data);
  g_autoptr (GstHarness) harness = test_harness (launch, test_caps ("GRAY8", WIDTH, HEIGHT, NULL));

  g_assert_cmpuint (reference->measurement.n_stored, >, 1);
  push_timed_frame (harness, 1);
  check_message (harness, reference, FALSE);
  test_reference_free (reference);

  params.covariance = true;
  reference = test_reference_of_frame (WIDTH, HEIGHT, &params, 2);
  g_object_set (harness->element, "covariance", TRUE, NULL);
  push_timed_frame (harness, 2);
  check_message (harness, reference, TRUE);
  test_reference_free (reference);

  params.covariance = false;
  params.max_components = 3;
  reference = test_reference_of_frame (WIDTH, HEIGHT, &params, 3);
  g_assert_true (reference->measurement.truncated);
  g_object_set (harness->element, "covariance", FALSE, "max-components", 3, NULL);
  push_timed_frame (harness, 3);
  check_message (harness, reference, FALSE);
  test_reference_free (reference);

  /* A frame with nothing in it is a message with an empty list. */
  params.min_area = WIDTH * HEIGHT;
  reference = test_reference_of_frame (WIDTH, HEIGHT, &params, 3);
  g_assert_cmpuint (reference->measurement.n_components, ==, 0);
  g_object_set (harness->element, "min-area", WIDTH * HEIGHT, NULL);
  push_timed_frame (harness, 3);
  check_message (harness, reference, FALSE);
  test_reference_free (reference);

  g_object_set (harness->element, "post-messages", FALSE, NULL);
  push_timed_frame (harness, 4);
  test_assert_no_message (harness, GST_MESSAGE_ELEMENT);
}

/* The next message has the reference's overlaps where they are known: the number of all, and the first n. */
static void
check_overlaps (GstHarness *harness, const TestReference *reference, guint n)
{
  const CcaMeasurement *measurement = &reference->measurement;
  g_autoptr (GstMessage) message = NULL;
  const GstStructure *structure = test_pop_structure (harness, "cca", &message);
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
}

/* Pushes a frame and compares meta and message. */
static void
push_overlapping (GstHarness *harness, TestReference *reference, guint seed, gboolean known, guint n)
{
  g_autoptr (GstBuffer) buffer = test_pass_frame (harness, seed);

  test_reference_run (reference, seed);
  g_assert_cmpint (reference->measurement.overlaps != NULL, ==, known);
  test_assert_meta (buffer, reference);
  check_overlaps (harness, reference, n);
}

static void
test_overlaps (gconstpointer data)
{
  CcaParams params = test_threshold_params ();
  g_autoptr (GstHarness) harness = test_harness (data, test_caps ("GRAY8", WIDTH, HEIGHT, NULL));
  g_autoptr (TestReference) reference = NULL;

  params.overlaps = true;
  reference = test_reference_new (WIDTH, HEIGHT, &params, CCA_OUTPUT_NONE);
  push_overlapping (harness, reference, 1, FALSE, 1024);
  push_overlapping (harness, reference, 2, TRUE, 1024);
  g_assert_cmpuint (reference->measurement.n_overlaps, >, 7);
  g_object_set (harness->element, "message-max-components", 7, NULL);
  push_overlapping (harness, reference, 3, TRUE, 7);

  /* Stored overlaps have the same limit as components. */
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
  test_push_flush (harness);
  cca_plan_reset (reference->plan);
  push_overlapping (harness, reference, 7, FALSE, 7);
  push_overlapping (harness, reference, 8, TRUE, 7);
  test_push_segment (harness, 0, 0, GST_SECOND);
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
}

/* Buffers without times, and segments that are not of time. */
static void
test_no_times (void)
{
  g_autoptr (GstHarness) harness = test_harness ("cca", test_caps ("GRAY8", WIDTH, HEIGHT, NULL));
  GstSegment segment;

  for (guint i = 0; i < 2; i++) {
    const GstStructure *structure;
    g_autoptr (GstMessage) message = NULL;

    if (i == 1) {
      gst_segment_init (&segment, GST_FORMAT_BYTES);
      g_assert_true (gst_harness_push_event (harness, gst_event_new_segment (&segment)));
    }
    gst_buffer_unref (test_pass_frame (harness, i));
    structure = test_pop_structure (harness, "cca", &message);
    test_assert_times (structure, GST_CLOCK_TIME_NONE, GST_CLOCK_TIME_NONE, GST_CLOCK_TIME_NONE, GST_CLOCK_TIME_NONE);
  }
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

/* Every frame has its meta; messages keep the interval in running time since the last one posted. */
static void
test_interval (gconstpointer data)
{
  enum
  {
    FRAME = 40
  };
  g_autoptr (GstHarness) harness = test_harness (data, test_caps ("GRAY8", WIDTH, HEIGHT, NULL));
  g_autoptr (GstBuffer) buffer = NULL;

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
  test_push_flush (harness);
  g_assert_true (is_told (harness, 31 * FRAME * GST_MSECOND));
  g_assert_false (is_told (harness, 32 * FRAME * GST_MSECOND));
  test_push_segment (harness, 0, 0, GST_SECOND);
  g_assert_true (is_told (harness, 32 * FRAME * GST_MSECOND));

  /* So is the first of a new start. */
  g_assert_false (is_told (harness, 33 * FRAME * GST_MSECOND));
  gst_element_set_state (harness->element, GST_STATE_READY);
  gst_element_set_state (harness->element, GST_STATE_PLAYING);
  g_assert_true (gst_harness_push_event (harness, gst_event_new_stream_start ("again")));
  gst_harness_set_src_caps (harness, test_caps ("GRAY8", WIDTH, HEIGHT, NULL));
  g_assert_true (is_told (harness, 34 * FRAME * GST_MSECOND));

  buffer = test_pass_frame (harness, 2);
  g_assert_nonnull (gst_buffer_get_cca_meta (buffer));
}

/* A property limits the components in a message: the first in the order of the property `order`. */
static void
test_listed (void)
{
  CcaParams params = test_threshold_params ();
  g_autoptr (GstHarness) harness = NULL;
  g_autoptr (TestReference) reference = NULL;

  params.order = CCA_ORDER_AREA;
  params.max_components = 40;
  reference = test_reference_of_frame (WIDTH, HEIGHT, &params, 5);
  g_assert_cmpuint (reference->measurement.n_components, >, 40);
  harness =
      test_harness ("cca foreground=threshold order=area max-components=40", test_caps ("GRAY8", WIDTH, HEIGHT, NULL));
  for (guint limit = 0; limit <= 41; limit++) {
    GstBuffer *buffer;

    g_object_set (harness->element, "message-max-components", limit, NULL);
    buffer = test_pass_frame (harness, 5);
    test_assert_meta (buffer, reference);
    gst_buffer_unref (buffer);
    check_list (harness, reference, MIN (limit, 40));
  }
}

#define N_HELD 7

/* Later messages reuse the structures of freed messages only; a copy has structures of its own. */
static void
test_held (void)
{
  const CcaParams params = test_threshold_params ();
  GstHarness *harness = test_harness ("cca foreground=threshold", test_caps ("GRAY8", WIDTH, HEIGHT, NULL));
  TestReference *references[N_HELD];
  GstMessage *held[N_HELD], *copy;

  for (guint round = 0; round < 3; round++) {
    for (guint i = 0; i < N_HELD; i++) {
      references[i] = test_reference_of_frame (WIDTH, HEIGHT, &params, N_HELD * round + i);
      gst_buffer_unref (test_pass_frame (harness, N_HELD * round + i));
      held[i] = test_pop_message (harness, GST_MESSAGE_ELEMENT);
    }
    copy = gst_message_copy (held[0]);
    for (guint i = 0; i < N_HELD; i++) {
      check_listed (held[i], references[i], references[i]->measurement.n_components);
      gst_message_unref (held[i]);
      gst_buffer_unref (test_pass_frame (harness, 100 + i));
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
  references[0] = test_reference_of_frame (WIDTH, HEIGHT, &params, 1);
  for (guint i = 0; i < N_HELD; i++) {
    const GValue *list;

    gst_buffer_unref (test_pass_frame (harness, 1));
    held[0] = test_pop_message (harness, GST_MESSAGE_ELEMENT);
    check_listed (held[0], references[0], references[0]->measurement.n_components);
    list = gst_structure_get_value (gst_message_get_structure (held[0]), "components");
    gst_structure_set (g_value_get_boxed (gst_value_list_get_value (list, i)), "a", G_TYPE_UINT, 1, "b", G_TYPE_UINT, 2,
                       NULL);
    if (i % 2 == 0)
      gst_structure_remove_field (g_value_get_boxed (gst_value_list_get_value (list, i + 1)), "x");
    gst_message_unref (held[0]);
  }
  gst_buffer_unref (test_pass_frame (harness, 1));
  held[0] = test_pop_message (harness, GST_MESSAGE_ELEMENT);
  test_harness_free (harness);
  check_listed (held[0], references[0], references[0]->measurement.n_components);
  gst_message_unref (held[0]);
  test_reference_free (references[0]);
}

/* By default messages list a limited number of components, as an application may keep many unread. */
static void
test_listed_by_default (void)
{
  const GstVideoInfo info = test_video_info ("GRAY8", 200, 200);
  g_autoptr (GstHarness) harness =
      test_harness ("cca connectivity=4 max-components=16777216", test_caps ("GRAY8", 200, 200, NULL));
  GstBuffer *buffer = gst_buffer_new_and_alloc (GST_VIDEO_INFO_SIZE (&info));
  const GstStructure *structure;
  g_autoptr (GstMessage) message = NULL;
  GstMapInfo map;
  gboolean truncated;

  g_assert_true (gst_buffer_map (buffer, &map, GST_MAP_WRITE));
  for (guint i = 0; i < map.size; i++)
    map.data[i] = (i % 200 + i / 200) % 2 ? 255 : 0;
  gst_buffer_unmap (buffer, &map);
  buffer = test_pass (harness, buffer);
  g_assert_cmpuint (gst_buffer_get_cca_meta (buffer)->n_stored, ==, 20000);
  gst_buffer_unref (buffer);
  structure = test_pop_structure (harness, "cca", &message);
  g_assert_cmpuint (test_get_uint (structure, "n-components"), ==, 20000);
  g_assert_cmpuint (gst_value_list_get_size (gst_structure_get_value (structure, "components")), ==, 1024);
  g_assert_true (gst_structure_get_boolean (structure, "truncated", &truncated) && truncated);
}

GST_CASES_MAIN ()
{
  ADD_STRINGS ("/messages/message", test_message, "cca", "ccl");
  g_test_add_data_func ("/messages/overlaps/cca", "cca foreground=threshold overlaps=true", test_overlaps);
  g_test_add_data_func ("/messages/overlaps/ccl", "ccl foreground=threshold overlaps=true", test_overlaps);
  ADD_TESTS ("/messages", test_no_times, test_listed, test_listed_by_default, test_held);
  ADD_STRINGS ("/messages/interval", test_interval, "cca", "ccl");
}
