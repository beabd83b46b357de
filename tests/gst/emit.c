/* gst-cca: metas that the elements attach to frames: their own, regions of interest, GstAnalytics
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "element-test.h"

#ifdef HAVE_GST_ANALYTICS
#include <gst/analytics/analytics.h>
#endif

enum
{
  WIDTH = 97,
  HEIGHT = 61,
};

/* The count stays exact; the stored components are the first in the order of the property. */
static void
test_truncation (void)
{
  g_autoptr (GstHarness) harness =
      test_harness ("cca foreground=threshold order=area", test_caps ("GRAY8", WIDTH, HEIGHT, NULL));
  g_autoptr (GstBuffer) all = test_pass_frame (harness, 5);
  GstBuffer *few;
  GstCcaMeta *meta = gst_buffer_get_cca_meta (all), *truncated;

  g_assert_false (meta->truncated);
  g_assert_cmpuint (meta->n_stored, >, 4);
  for (guint n = 1; n <= meta->n_stored + 1; n++) {
    g_object_set (harness->element, "max-components", n, NULL);
    few = test_pass_frame (harness, 5);
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
}

/* A meta that outlives many later frames keeps its components. */
static void
test_lasting (void)
{
  enum
  {
    N = 40
  };
  const CcaParams params = test_threshold_params ();
  GstHarness *harness = test_harness ("cca foreground=threshold", test_caps ("GRAY8", WIDTH, HEIGHT, NULL));
  GstBuffer *buffers[N];

  for (guint i = 0; i < N; i++)
    buffers[i] = test_pass_frame (harness, i);
  test_harness_free (harness);
  for (guint i = 0; i < N; i++) {
    g_autoptr (TestReference) reference = test_reference_of_frame (WIDTH, HEIGHT, &params, i);

    test_assert_meta (buffers[i], reference);
    gst_buffer_unref (buffers[i]);
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
  g_autoptr (GstMessage) message = NULL;
  const GstStructure *structure = test_pop_structure (harness, "cca", &message);

  g_assert_cmpstr (gst_structure_get_string (structure, "id"), ==, id);
}

static void
assert_id (GstHarness *harness, const gchar *expected)
{
  g_autofree gchar *id = NULL;

  g_object_get (harness->element, "id", &id, NULL);
  g_assert_cmpstr (id, ==, expected);
}

/* Pushes a frame through both elements; first_id and second_id name their metas. */
static void
check_two (GstHarness *first, const gchar *first_id, GstHarness *second, const gchar *second_id)
{
  g_autoptr (GstBuffer) buffer = test_pass_frame (first, 6);
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
}

/* Elements one behind the other leave each other's metas alone. */
static void
test_two (gconstpointer data)
{
  g_autofree gchar *launch = g_strdup_printf ("%s name=bright foreground=threshold emit=cca+roi", (const gchar *) data);
  g_autoptr (GstHarness) first =
      test_harness ("cca name=levels foreground=values emit=cca+roi", test_caps ("GRAY8", WIDTH, HEIGHT, NULL));
  g_autoptr (GstHarness) second = test_harness (launch, test_caps ("GRAY8", WIDTH, HEIGHT, NULL));

  check_two (first, "levels", second, "bright");
  g_object_set (second->element, "id", "people", NULL);
  check_two (first, "levels", second, "people");
  g_object_set (first->element, "id", "", NULL);
  check_two (first, "", second, "people");
  g_object_set (second->element, "id", NULL, NULL);
  check_two (first, "", second, "bright");
}

/* Elements of the same id are one analysis: the last one's meta replaces the others'; metas of other ids stay. */
static void
test_same_id (void)
{
  const CcaParams params = test_threshold_params ();
  g_autoptr (TestReference) reference = test_reference_of_frame (WIDTH, HEIGHT, &params, 6);
  g_autoptr (GstHarness) first =
      test_harness ("cca id=x foreground=values emit=cca+roi", test_caps ("GRAY8", WIDTH, HEIGHT, NULL));
  g_autoptr (GstHarness) second =
      test_harness ("cca id=x foreground=threshold emit=cca+roi", test_caps ("GRAY8", WIDTH, HEIGHT, NULL));
  g_autoptr (GstBuffer) buffer = test_pass_frame (first, 6);

  gst_buffer_add_video_region_of_interest_meta (buffer, "face", 1, 2, 3, 4);
  buffer = gst_harness_push_and_pull (second, buffer);
  test_assert_meta (buffer, reference);
  g_assert_cmpuint (count_rois (buffer, "x"), ==, reference->measurement.n_components);
  g_assert_cmpuint (gst_buffer_get_n_meta (buffer, GST_VIDEO_REGION_OF_INTEREST_META_API_TYPE), ==,
                    reference->measurement.n_components + 1);
}

/* Times, flags and metas that ccl's output frames inherit. */
static void
test_inherited (void)
{
  const GstVideoInfo info = test_video_info ("I420", WIDTH, HEIGHT);
  g_autoptr (GstHarness) harness = test_harness ("ccl", test_caps ("I420", WIDTH, HEIGHT, NULL));
  g_autoptr (GstBuffer) buffer = test_padded_frame (&info, 0);
  g_autoptr (GstCaps) caps = gst_caps_new_empty_simple ("timestamp/x-test");
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
  const CcaParams params = test_threshold_params ();
  g_autoptr (TestReference) reference = test_reference_of_frame (WIDTH, HEIGHT, &params, 7);
  g_autofree gchar *launch = g_strdup_printf ("%s foreground=threshold emit=roi", (const gchar *) data);
  g_autoptr (GstHarness) harness = test_harness (launch, test_caps ("GRAY8", WIDTH, HEIGHT, NULL));
  GstBuffer *buffer = test_pass_frame (harness, 7);

  check_rois (buffer, reference, "cca-component", GST_OBJECT_NAME (harness->element));
  g_assert_null (gst_buffer_get_cca_meta (buffer));
  gst_buffer_unref (buffer);

  gst_util_set_object_arg (G_OBJECT (harness->element), "emit", "cca+roi");
  g_object_set (harness->element, "id", "people", NULL);
  buffer = test_pass_frame (harness, 7);
  check_rois (buffer, reference, "cca-component/people", "people");
  test_assert_meta (buffer, reference);
  gst_buffer_unref (buffer);

  gst_util_set_object_arg (G_OBJECT (harness->element), "emit", "0");
  buffer = test_pass_frame (harness, 7);
  g_assert_null (gst_buffer_get_cca_meta (buffer));
  g_assert_cmpuint (gst_buffer_get_n_meta (buffer, GST_VIDEO_REGION_OF_INTEREST_META_API_TYPE), ==, 0);
  gst_buffer_unref (buffer);
  test_assert_no_message (harness, GST_MESSAGE_WARNING);
}

/* If an element drops the parameters, the type distinguishes two analyses. */
static void
test_roi_type_remains (void)
{
  g_autoptr (GstHarness) harness =
      gst_harness_new_parse ("cca id=a foreground=values emit=roi post-messages=false ! cca id=b "
                             "foreground=threshold emit=roi post-messages=false"
                             " ! videoconvert ! capsfilter caps=video/x-raw,format=RGB");
  const GQuark a = g_quark_from_string ("cca-component/a"), b = g_quark_from_string ("cca-component/b");
  gpointer state = NULL;
  guint n_a = 0, n_b = 0;
  g_autoptr (GstBuffer) buffer = NULL;
  GstMeta *meta;

  gst_harness_set_src_caps (harness, test_caps ("GRAY8", WIDTH, HEIGHT, NULL));
  buffer = test_pass_frame (harness, 7);
  while ((meta = gst_buffer_iterate_meta_filtered (buffer, &state, GST_VIDEO_REGION_OF_INTEREST_META_API_TYPE))) {
    n_a += ((GstVideoRegionOfInterestMeta *) meta)->roi_type == a;
    n_b += ((GstVideoRegionOfInterestMeta *) meta)->roi_type == b;
  }
  g_assert_cmpuint (n_a, >, 0);
  g_assert_cmpuint (n_b, >, 0);
  g_assert_cmpuint (n_a, !=, n_b);
  g_assert_cmpuint (n_a + n_b, ==, gst_buffer_get_n_meta (buffer, GST_VIDEO_REGION_OF_INTEREST_META_API_TYPE));
}

#ifdef HAVE_GST_ANALYTICS
static void
test_analytics (void)
{
  const CcaParams params = test_threshold_params ();
  g_autoptr (TestReference) reference = test_reference_of_frame (WIDTH, HEIGHT, &params, 8);
  g_autoptr (GstHarness) harness =
      test_harness ("cca id=people foreground=threshold emit=analytics", test_caps ("GRAY8", WIDTH, HEIGHT, NULL));
  g_autoptr (GstBuffer) buffer = test_pass_frame (harness, 8);
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
}
#else
static void
test_analytics (void)
{
  g_autoptr (GstHarness) harness = test_harness ("cca emit=cca+analytics", test_caps ("GRAY8", WIDTH, HEIGHT, NULL));

  for (guint i = 0; i < 3; i++) {
    g_autoptr (GstBuffer) buffer = test_pass_frame (harness, i);

    g_assert_nonnull (gst_buffer_get_cca_meta (buffer));
  }
  test_assert_warning (harness, "*emit=analytics*1.24*");
}
#endif

GST_CASES_MAIN ()
{
  ADD_TESTS ("/emit", test_truncation, test_lasting, test_same_id, test_inherited, test_analytics);
  ADD_STRINGS ("/emit/two", test_two, "cca", "ccl");
  ADD_STRINGS ("/emit/roi", test_roi, "cca", "ccl");
  g_test_add_func ("/emit/roi/type-remains", test_roi_type_remains);
}
