/* gst-cca: the metas by themselves
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "meta-test.h"

#include <math.h>

#include <string.h>

static void
test_add (void)
{
  g_autoptr (GstBuffer) buffer = gst_buffer_new ();
  GstCcaComponent own[N];
  const GstCcaMeta *meta;

  g_assert_null (gst_buffer_get_cca_meta (buffer));
  memcpy (own, test_components, sizeof own);
  meta = gst_buffer_add_cca_meta (buffer, ID, WIDTH, HEIGHT, 3, own, N);
  memset (own, 0, sizeof own);
  g_assert_true (meta == test_assert_same_components (buffer));
  g_assert_null (meta->overlaps);
  g_assert_cmpuint (meta->n_overlaps, ==, 0);
  g_assert_true (meta->shapes == NULL && meta->intensities == NULL);
  g_assert_null (gst_cca_meta_get_shapes (meta));
  g_assert_null (gst_cca_meta_get_intensities (meta));

  /* A second meta does not hide the first. */
  g_assert_nonnull (gst_buffer_add_cca_meta (buffer, ID, 1, 1, 0, NULL, 0));
  test_assert_same_components (buffer);
}

/* The meta has copies, strings and points included. */
static void
test_add_tracks_and_events (void)
{
  g_autoptr (GstBuffer) buffer = gst_buffer_new ();
  gchar door[] = "door", street[] = "street", *const names[] = { door, street };
  GstCcaTrack tracks[N];
  GstCcaRule rules[2];
  GstCcaPoint points[2][3];
  GstCcaEvent events[N];

  g_assert_null (gst_buffer_get_cca_track_meta (buffer));
  g_assert_null (gst_buffer_get_cca_event_meta (buffer));
  gst_buffer_add_cca_meta (buffer, ID, WIDTH, HEIGHT, 3, test_components, N);
  gst_cca_meta_set_overlaps (gst_buffer_get_cca_meta (buffer), 3, test_overlaps, N);
  test_set_details (gst_buffer_get_cca_meta (buffer));
  for (guint i = 0; i < N; i++) {
    tracks[i] = test_tracks[i];
    events[i] = test_events[i];
    events[i].rule = names[i];
    rules[i] = test_rules[i];
    rules[i].name = names[i];
    rules[i].points = memcpy (points[i], test_rules[i].points, test_rules[i].n_points * sizeof (GstCcaPoint));
  }
  test_add_tracks (buffer, tracks);
  g_assert_true (gst_cca_event_meta_set_ground_tracks (
      gst_buffer_add_cca_event_meta (buffer, ID, WIDTH, HEIGHT, rules, 2, events, N), test_ground_tracks, 1));
  memset (tracks, 0, sizeof tracks);
  memset (rules, 0, sizeof rules);
  memset (points, 0, sizeof points);
  memset (events, 0, sizeof events);
  door[0] = street[0] = 'x';
  test_assert_same_metas (buffer);
}

/* Asserts that a buffer has the metas that test_ids() adds. */
static void
check_ids (GstBuffer *buffer)
{
  static const gchar *const ids[] = { "a", "b", "a", "" };
  gchar **listed = gst_buffer_get_cca_meta_ids (buffer);
  gpointer state = NULL;

  g_assert_cmpuint (g_strv_length (listed), ==, G_N_ELEMENTS (ids));
  for (guint i = 0; i < G_N_ELEMENTS (ids); i++) {
    const GstCcaMeta *meta = gst_buffer_iterate_cca_meta (buffer, &state);

    g_assert_cmpstr (meta->id, ==, ids[i]);
    g_assert_cmpstr (listed[i], ==, ids[i]);
    g_assert_cmpuint (meta->n_components, ==, i);
  }
  g_assert_null (gst_buffer_iterate_cca_meta (buffer, &state));
  g_strfreev (listed);
  g_assert_cmpuint (gst_buffer_get_cca_meta_by_id (buffer, NULL)->n_components, ==, 0);
  g_assert_cmpuint (gst_buffer_get_cca_meta_by_id (buffer, "a")->n_components, ==, 0);
  g_assert_cmpuint (gst_buffer_get_cca_meta_by_id (buffer, "b")->n_components, ==, 1);
  g_assert_cmpuint (gst_buffer_get_cca_meta_by_id (buffer, "")->n_components, ==, 3);
  g_assert_null (gst_buffer_get_cca_meta_by_id (buffer, "c"));
}

static void
test_ids (void)
{
  GstBuffer *buffer = gst_buffer_new ();
  g_autoptr (GstBuffer) copy = NULL;
  gchar **none = gst_buffer_get_cca_meta_ids (buffer);
  gchar own[] = "b";

  g_assert_cmpuint (g_strv_length (none), ==, 0);
  g_strfreev (none);
  g_assert_null (gst_buffer_get_cca_meta_by_id (buffer, NULL));
  gst_buffer_add_video_region_of_interest_meta (buffer, "face", 1, 2, 3, 4);
  gst_buffer_add_cca_meta (buffer, "a", WIDTH, HEIGHT, 0, NULL, 0);
  gst_buffer_add_cca_meta (buffer, own, WIDTH, HEIGHT, 1, test_components, 1);
  own[0] = 'x';
  gst_buffer_add_cca_meta (buffer, "a", WIDTH, HEIGHT, 2, test_components, 2);
  gst_buffer_add_cca_meta (buffer, NULL, WIDTH, HEIGHT, 3, test_components, 2);
  check_ids (buffer);
  copy = gst_buffer_copy (buffer);
  gst_buffer_unref (buffer);
  check_ids (copy);
}

/* Each kind of meta has ids of its own. */
static void
test_ids_of_kinds (void)
{
  static const gchar *const ids[] = { "a", "b", "a", "" };
  g_autoptr (GstBuffer) buffer = gst_buffer_new ();
  gpointer state = NULL, other_state = NULL;

  gst_buffer_add_cca_meta (buffer, "c", WIDTH, HEIGHT, 0, NULL, 0);
  for (guint i = 0; i < G_N_ELEMENTS (ids); i++) {
    gst_buffer_add_cca_track_meta (buffer, ids[i][0] ? ids[i] : NULL, WIDTH, HEIGHT + i, NULL, 0);
    gst_buffer_add_cca_event_meta (buffer, ids[i][0] ? ids[i] : NULL, WIDTH, HEIGHT + i, NULL, 0, NULL, 0);
  }
  for (guint i = 0; i < G_N_ELEMENTS (ids); i++) {
    const GstCcaTrackMeta *tracks = gst_buffer_iterate_cca_track_meta (buffer, &state);
    const GstCcaEventMeta *events = gst_buffer_iterate_cca_event_meta (buffer, &other_state);

    g_assert_cmpstr (tracks->id, ==, ids[i]);
    g_assert_cmpstr (events->id, ==, ids[i]);
    g_assert_true (tracks->height == HEIGHT + i && events->height == HEIGHT + i);
  }
  g_assert_null (gst_buffer_iterate_cca_track_meta (buffer, &state));
  g_assert_null (gst_buffer_iterate_cca_event_meta (buffer, &other_state));
  g_assert_cmpuint (gst_buffer_get_cca_track_meta_by_id (buffer, NULL)->height, ==, HEIGHT);
  g_assert_cmpuint (gst_buffer_get_cca_track_meta_by_id (buffer, "b")->height, ==, HEIGHT + 1);
  g_assert_null (gst_buffer_get_cca_track_meta_by_id (buffer, "c"));
  g_assert_cmpuint (gst_buffer_get_cca_event_meta_by_id (buffer, NULL)->height, ==, HEIGHT);
  g_assert_cmpuint (gst_buffer_get_cca_event_meta_by_id (buffer, "")->height, ==, HEIGHT + 3);
  g_assert_null (gst_buffer_get_cca_event_meta_by_id (buffer, "c"));
}

static void
test_empty (void)
{
  GstBuffer *buffer = gst_buffer_new ();
  g_autoptr (GstBuffer) copy = NULL;
  GstCcaMeta *meta = gst_buffer_add_cca_meta (buffer, ID, WIDTH, HEIGHT, 0, NULL, 0);

  g_assert_nonnull (meta);
  g_assert_cmpuint (meta->n_components, ==, 0);
  g_assert_false (meta->truncated);
  g_assert_null (gst_cca_meta_get_component (meta, 0));
  g_assert_true (gst_cca_meta_set_overlaps (meta, 0, NULL, 0));
  g_assert_true (gst_cca_meta_set_shapes (meta, NULL, 0));
  g_assert_true (gst_cca_meta_set_intensities (meta, NULL, 0));
  gst_buffer_add_cca_track_meta (buffer, ID, WIDTH, HEIGHT, NULL, 0);
  gst_buffer_add_cca_event_meta (buffer, ID, WIDTH, HEIGHT, NULL, 0, NULL, 0);
  copy = gst_buffer_copy (buffer);
  gst_buffer_unref (buffer);
  g_assert_cmpuint (gst_buffer_get_cca_meta (copy)->width, ==, WIDTH);
  g_assert_nonnull (gst_buffer_get_cca_meta (copy)->overlaps);
  g_assert_cmpuint (gst_buffer_get_cca_meta (copy)->n_overlaps, ==, 0);
  g_assert_nonnull (gst_buffer_get_cca_meta (copy)->shapes);
  g_assert_nonnull (gst_buffer_get_cca_meta (copy)->intensities);
  g_assert_null (gst_cca_meta_get_shapes (gst_buffer_get_cca_meta (copy)));
  g_assert_null (gst_cca_meta_get_intensities (gst_buffer_get_cca_meta (copy)));
  g_assert_cmpuint (gst_buffer_get_cca_track_meta (copy)->n_tracks, ==, 0);
  g_assert_null (gst_cca_track_meta_get_tracks (gst_buffer_get_cca_track_meta (copy)));
  g_assert_cmpuint (gst_buffer_get_cca_event_meta (copy)->n_rules, ==, 0);
  g_assert_null (gst_cca_event_meta_get_rules (gst_buffer_get_cca_event_meta (copy)));
  g_assert_null (gst_cca_event_meta_get_events (gst_buffer_get_cca_event_meta (copy)));
}

static void
test_component (void)
{
  GstBuffer *buffer = test_buffer_with_metas (gst_buffer_new ());
  const GstCcaMeta *meta = gst_buffer_get_cca_meta (buffer);
  GstCcaComponent *copy;

  test_assert_component (gst_cca_meta_get_component (meta, 0), &test_components[0]);
  test_assert_component (gst_cca_meta_get_component (meta, 1), &test_components[1]);
  g_assert_null (gst_cca_meta_get_component (meta, 2));
  g_assert_null (gst_cca_meta_get_component (meta, G_MAXUINT));

  copy = g_boxed_copy (GST_TYPE_CCA_COMPONENT, gst_cca_meta_get_component (meta, 1));
  gst_buffer_unref (buffer);
  test_assert_component (copy, &test_components[1]);
  gst_cca_component_free (copy);
}

/* Copies of items outlive the metas. */
static void
test_lists (void)
{
  GstBuffer *buffer = test_buffer_with_metas (gst_buffer_new ());
  const GstCcaMeta *meta = gst_buffer_get_cca_meta (buffer);
  GList *overlaps = gst_cca_meta_get_overlaps (meta);
  GList *shapes = gst_cca_meta_get_shapes (meta), *intensities = gst_cca_meta_get_intensities (meta);
  GList *tracks = gst_cca_track_meta_get_tracks (gst_buffer_get_cca_track_meta (buffer));
  GList *rules = gst_cca_event_meta_get_rules (gst_buffer_get_cca_event_meta (buffer));
  GList *events = gst_cca_event_meta_get_events (gst_buffer_get_cca_event_meta (buffer));
  GList *points;

  g_assert_true (gst_cca_meta_has_overlaps (meta));
  gst_buffer_unref (buffer);
  g_assert_cmpuint (g_list_length (overlaps), ==, N);
  g_assert_cmpuint (((GstCcaOverlap *) overlaps->next->data)->pixels, ==, test_overlaps[1].pixels);
  g_assert_cmpuint (g_list_length (shapes), ==, N);
  g_assert_cmpfloat (((GstCcaShape *) shapes->data)->perimeter, ==, test_shapes[0].perimeter);
  g_assert_cmpint (((GstCcaShape *) shapes->next->data)->euler_number, ==, test_shapes[1].euler_number);
  g_assert_cmpuint (g_list_length (intensities), ==, N);
  g_assert_cmpfloat (((GstCcaIntensity *) intensities->data)->mean, ==, test_intensities[0].mean);
  g_assert_cmpuint (((GstCcaIntensity *) intensities->next->data)->max, ==, test_intensities[1].max);
  g_assert_cmpuint (g_list_length (tracks), ==, N);
  g_assert_cmpuint (((GstCcaTrack *) tracks->next->data)->track_id, ==, test_tracks[1].track_id);
  g_assert_cmpuint (g_list_length (rules), ==, 2);
  g_assert_cmpstr (((GstCcaRule *) rules->data)->name, ==, "door");
  points = gst_cca_rule_get_points (rules->data);
  g_assert_cmpuint (g_list_length (points), ==, 3);
  g_assert_cmpfloat (((GstCcaPoint *) points->next->data)->x, ==, 42.5);
  g_assert_cmpuint (g_list_length (events), ==, N);
  g_assert_cmpstr (((GstCcaEvent *) events->next->data)->rule, ==, "street");
  g_list_free_full (overlaps, (GDestroyNotify) gst_cca_overlap_free);
  g_list_free_full (shapes, (GDestroyNotify) gst_cca_shape_free);
  g_list_free_full (intensities, (GDestroyNotify) gst_cca_intensity_free);
  g_list_free_full (tracks, (GDestroyNotify) gst_cca_track_free);
  g_list_free_full (points, (GDestroyNotify) gst_cca_point_free);
  g_list_free_full (rules, (GDestroyNotify) gst_cca_rule_free);
  g_list_free_full (events, (GDestroyNotify) gst_cca_event_free);
}

static void
test_no_tags (void)
{
  const GType apis[] = { GST_CCA_META_API_TYPE, GST_CCA_TRACK_META_API_TYPE, GST_CCA_EVENT_META_API_TYPE };

  for (guint i = 0; i < G_N_ELEMENTS (apis); i++) {
    const gchar *const *tags = gst_meta_api_type_get_tags (apis[i]);

    g_assert_true (tags == NULL || tags[0] == NULL);
  }
}

static void
test_copy_shares (void)
{
  GstBuffer *buffer = test_buffer_with_metas (gst_buffer_new_allocate (NULL, 100, NULL));
  GstBuffer *copies[] = { gst_buffer_copy (buffer), gst_buffer_copy_deep (buffer),
                          gst_buffer_copy_region (buffer, GST_BUFFER_COPY_ALL, 10, 20) };
  const GstCcaMeta shared = *gst_buffer_get_cca_meta (buffer);
  const GstCcaTrackMeta shared_tracks = *gst_buffer_get_cca_track_meta (buffer);
  const GstCcaEventMeta shared_events = *gst_buffer_get_cca_event_meta (buffer);

  gst_buffer_unref (buffer);
  for (guint i = 0; i < G_N_ELEMENTS (copies); i++) {
    test_assert_same_metas (copies[i]);
    g_assert_true (gst_buffer_get_cca_meta (copies[i])->components == shared.components);
    g_assert_true (gst_buffer_get_cca_meta (copies[i])->overlaps == shared.overlaps);
    g_assert_true (gst_buffer_get_cca_meta (copies[i])->shapes == shared.shapes);
    g_assert_true (gst_buffer_get_cca_meta (copies[i])->intensities == shared.intensities);
    g_assert_true (gst_buffer_get_cca_track_meta (copies[i])->tracks == shared_tracks.tracks);
    g_assert_true (gst_buffer_get_cca_event_meta (copies[i])->rules == shared_events.rules);
    g_assert_true (gst_buffer_get_cca_event_meta (copies[i])->events == shared_events.events);
    gst_buffer_unref (copies[i]);
  }
}

/* More copies at once than a GstMemory can be mapped. */
static void
test_many_copies (void)
{
  GstBuffer *buffer = test_buffer_with_metas (gst_buffer_new ()), *copies[1000];
  const GstCcaComponent *shared = gst_buffer_get_cca_meta (buffer)->components;

  for (guint i = 0; i < G_N_ELEMENTS (copies); i++)
    copies[i] = gst_buffer_copy (i == 0 ? buffer : copies[i - 1]);
  gst_buffer_unref (buffer);
  for (guint i = 0; i < G_N_ELEMENTS (copies); i++) {
    g_assert_true (test_assert_same_metas (copies[i])->components == shared);
    gst_buffer_unref (copies[i]);
  }
}

/* The storage goes back to its pool with the last copy, and comes out of it again. */
static void
test_storage_pool (void)
{
  GstBufferPoolAcquireParams no_wait = { .flags = GST_BUFFER_POOL_ACQUIRE_FLAG_DONTWAIT };
  g_autoptr (GstBufferPool) pool = gst_buffer_pool_new ();
  GstStructure *config = gst_buffer_pool_get_config (pool);
  GstBuffer *buffer = gst_buffer_new (), *storage, *copy, *none = NULL;
  const GstCcaComponent *shared;

  gst_buffer_pool_config_set_params (config, NULL, sizeof test_components, 0, 1);
  g_assert_true (gst_buffer_pool_set_config (pool, config));
  g_assert_true (gst_buffer_pool_set_active (pool, TRUE));
  g_assert_cmpint (gst_buffer_pool_acquire_buffer (pool, &storage, NULL), ==, GST_FLOW_OK);
  gst_buffer_fill (storage, 0, test_components, sizeof test_components);

  g_assert_nonnull (gst_buffer_add_cca_meta_take (buffer, g_ref_string_new (ID), WIDTH, HEIGHT, 3, storage, 2));
  shared = test_assert_same_components (buffer)->components;
  copy = gst_buffer_copy (buffer);
  gst_buffer_unref (buffer);
  g_assert_cmpint (gst_buffer_pool_acquire_buffer (pool, &none, &no_wait), !=, GST_FLOW_OK);
  test_assert_same_components (copy);
  gst_buffer_unref (copy);

  for (guint i = 0; i < 3; i++) {
    buffer = gst_buffer_new ();
    g_assert_cmpint (gst_buffer_pool_acquire_buffer (pool, &storage, &no_wait), ==, GST_FLOW_OK);
    g_assert_nonnull (gst_buffer_add_cca_meta_take (buffer, g_ref_string_new (ID), WIDTH, HEIGHT, 3, storage, 2));
    g_assert_true (test_assert_same_components (buffer)->components == shared);
    gst_buffer_unref (buffer);
  }
  gst_buffer_pool_set_active (pool, FALSE);
}

static void
storage_gone (gpointer gone)
{
  *(gboolean *) gone = TRUE;
}

static void
test_storage_too_small (void)
{
  g_autoptr (GstBuffer) buffer = gst_buffer_new ();
  guint8 bytes[sizeof test_components - 1] = { 0 };
  gboolean gone = FALSE;
  GstBuffer *storage = gst_buffer_new_wrapped_full (0, bytes, sizeof bytes, 0, sizeof bytes, &gone, storage_gone);

  g_test_expect_message (G_LOG_DOMAIN, G_LOG_LEVEL_CRITICAL, "*143 bytes, the lists need 144");
  g_assert_null (gst_buffer_add_cca_meta_take (buffer, g_ref_string_new (ID), WIDTH, HEIGHT, 2, storage, 2));
  g_test_assert_expected_messages ();
  g_assert_true (gone);
  g_assert_null (gst_buffer_get_cca_meta (buffer));

  g_test_expect_message (G_LOG_DOMAIN, G_LOG_LEVEL_CRITICAL, "*does not start with readable system memory");
  g_assert_null (gst_buffer_add_cca_meta_take (buffer, g_ref_string_new (ID), WIDTH, HEIGHT, 2, gst_buffer_new (), 2));
  g_test_assert_expected_messages ();
}

/* Components with overlaps, shapes and intensities right behind them, as an element stores them. */
static void
test_stored_lists (void)
{
  const gsize shapes = sizeof test_components + sizeof test_overlaps, intensities = shapes + sizeof test_shapes;
  GstBuffer *storage = gst_buffer_new_allocate (NULL, intensities + sizeof test_intensities, NULL);
  GstBuffer *buffer = gst_buffer_new ();
  g_autoptr (GstBuffer) copy = NULL;
  GstCcaMeta *meta;

  gst_buffer_fill (storage, 0, test_components, sizeof test_components);
  gst_buffer_fill (storage, sizeof test_components, test_overlaps, sizeof test_overlaps);
  gst_buffer_fill (storage, shapes, test_shapes, sizeof test_shapes);
  gst_buffer_fill (storage, intensities, test_intensities, sizeof test_intensities);
  meta = gst_buffer_add_cca_meta_take (buffer, g_ref_string_new (ID), WIDTH, HEIGHT, 3, storage, N);
  g_assert_false (gst_cca_meta_has_overlaps (meta));
  g_test_expect_message (G_LOG_DOMAIN, G_LOG_LEVEL_CRITICAL, "*256 bytes, the lists need 272");
  g_assert_false (gst_cca_meta_set_stored_overlaps (meta, 8, 8));
  g_test_assert_expected_messages ();
  g_assert_null (meta->overlaps);

  g_assert_true (gst_cca_meta_set_stored_overlaps (meta, 3, N));
  g_assert_true ((const guint8 *) meta->overlaps == (const guint8 *) meta->components + sizeof test_components);
  g_assert_true (gst_cca_meta_set_stored_shapes (meta));
  g_assert_true (gst_cca_meta_set_stored_intensities (meta));
  g_assert_true ((const guint8 *) meta->shapes == (const guint8 *) meta->components + shapes);
  g_assert_true ((const guint8 *) meta->intensities == (const guint8 *) meta->components + intensities);
  copy = gst_buffer_copy (buffer);
  gst_buffer_unref (buffer);
  test_add_tracks (copy, test_tracks);
  test_add_events (copy);
  test_assert_same_metas (copy);

  /* With nothing to store there may be no storage. */
  meta = gst_buffer_add_cca_meta_take (copy, g_ref_string_new ("none"), WIDTH, HEIGHT, 0, NULL, 0);
  g_assert_true (gst_cca_meta_set_stored_overlaps (meta, 4, 0));
  g_assert_true (gst_cca_meta_has_overlaps (meta));
  g_assert_cmpuint (meta->n_overlaps, ==, 4);
  g_assert_null (gst_cca_meta_get_overlaps (meta));
  g_assert_true (gst_cca_meta_set_stored_shapes (meta) && gst_cca_meta_set_stored_intensities (meta));
  g_assert_true (meta->shapes != NULL && meta->intensities != NULL);
}

/* Without room for them, shapes and intensities stay unknown; a list of another length is a bug of the caller. */
static void
test_no_details (void)
{
  GstBuffer *storage = gst_buffer_new_allocate (NULL, sizeof test_components + sizeof test_intensities, NULL);
  g_autoptr (GstBuffer) buffer = gst_buffer_new ();
  GstCcaMeta *meta;

  gst_buffer_fill (storage, 0, test_components, sizeof test_components);
  gst_buffer_fill (storage, sizeof test_components, test_intensities, sizeof test_intensities);
  meta = gst_buffer_add_cca_meta_take (buffer, g_ref_string_new (ID), WIDTH, HEIGHT, 3, storage, N);
  g_test_expect_message (G_LOG_DOMAIN, G_LOG_LEVEL_CRITICAL, "*176 bytes, the lists need 192");
  g_assert_false (gst_cca_meta_set_stored_shapes (meta));
  g_test_assert_expected_messages ();
  g_assert_null (meta->shapes);
  g_assert_true (gst_cca_meta_set_stored_intensities (meta));
  g_assert_cmpmem (meta->intensities, sizeof test_intensities, test_intensities, sizeof test_intensities);

  g_test_expect_message (G_LOG_DOMAIN, G_LOG_LEVEL_CRITICAL, "*n_shapes == meta->n_stored*");
  g_assert_false (gst_cca_meta_set_shapes (meta, test_shapes, N - 1));
  g_test_assert_expected_messages ();
  g_assert_null (meta->shapes);
  g_test_expect_message (G_LOG_DOMAIN, G_LOG_LEVEL_CRITICAL, "*n_intensities == meta->n_stored*");
  g_assert_false (gst_cca_meta_set_intensities (meta, test_intensities, 0));
  g_test_assert_expected_messages ();
  test_assert_same_components (buffer);
}

static void
assert_coverage (const GstCcaMeta *meta, guint cell, const guint8 *counts, gsize n)
{
  g_autoptr (GBytes) bytes = gst_cca_meta_get_coverage (meta);

  g_assert_cmpuint (meta->coverage_cell, ==, cell);
  g_assert_cmpuint (meta->coverage_columns, ==, (WIDTH + cell - 1) / cell);
  g_assert_cmpuint (meta->coverage_rows, ==, (HEIGHT + cell - 1) / cell);
  g_assert_cmpmem (meta->coverage, n, counts, n);
  g_assert_cmpmem (g_bytes_get_data (bytes, NULL), g_bytes_get_size (bytes), counts, n);
}

static void
assert_colours (const GstCcaMeta *meta, const guint8 *colours, gsize n)
{
  g_autoptr (GBytes) bytes = gst_cca_meta_get_cell_colours (meta);

  g_assert_cmpmem (meta->cell_colours, n, colours, n);
  g_assert_cmpmem (g_bytes_get_data (bytes, NULL), g_bytes_get_size (bytes), colours, n);
}

enum
{
  CELL = 10,
  N_CELLS = ((WIDTH + CELL - 1) / CELL) * ((HEIGHT + CELL - 1) / CELL),
};

/* The counts, and behind them the colours. */
static const guint8 *
test_counts (void)
{
  static guint8 counts[4 * N_CELLS];

  for (guint i = 0; i < 4 * N_CELLS; i++)
    counts[i] = (guint8) (i * 7);
  return counts;
}

/* Asserts that a meta of twice the width has the cells of test_counts(), each become two, without colours. */
static void
assert_scaled_coverage (const GstCcaMeta *meta, const guint8 *counts)
{
  g_assert_cmpuint (meta->coverage_cell, ==, CELL);
  g_assert_cmpuint (meta->coverage_columns, ==, (2 * WIDTH + CELL - 1) / CELL);
  g_assert_cmpuint (meta->coverage_rows, ==, (HEIGHT + CELL - 1) / CELL);
  g_assert_null (meta->cell_colours);
  for (guint y = 0; y < meta->coverage_rows; y++)
    for (guint x = 0; x < meta->coverage_columns; x++) {
      const guint columns = (WIDTH + CELL - 1) / CELL, count = counts[y * columns + x / 2];
      const guint old_width = MIN (CELL, WIDTH - x / 2 * CELL), width = MIN (CELL, 2 * WIDTH - x * CELL);

      g_assert_cmpuint (meta->coverage[y * meta->coverage_columns + x], ==,
                        MIN (255, (count * width + old_width - 1) / old_width));
    }
}

/* Coverage and overlaps, set in either order, are copies, and leave each other and the components as they are. Scaling
 * spreads the coverage over the new cells, and drops the colours. */
static void
test_coverage (void)
{
  const guint8 *counts = test_counts ();
  g_autoptr (GBytes) bytes = g_bytes_new (counts, N_CELLS), few = g_bytes_new (counts, N_CELLS - 1),
                     coloured = g_bytes_new (counts, 4 * N_CELLS);

  for (guint order = 0; order < 2; order++) {
    GstBuffer *buffer = gst_buffer_new ();
    g_autoptr (GstBuffer) copy = NULL;
    GstCcaMeta *meta = gst_buffer_add_cca_meta (buffer, ID, WIDTH, HEIGHT, 3, test_components, N);

    g_assert_null (gst_cca_meta_get_coverage (meta));
    if (order == 0)
      g_assert_true (gst_cca_meta_set_overlaps (meta, 3, test_overlaps, N));
    g_assert_null (gst_cca_meta_get_cell_colours (meta));
    g_assert_true (gst_cca_meta_set_coverage (meta, CELL, bytes));
    g_assert_null (gst_cca_meta_get_cell_colours (meta));
    g_assert_true (gst_cca_meta_set_coverage (meta, CELL, coloured));
    if (order == 1)
      g_assert_true (gst_cca_meta_set_overlaps (meta, 3, test_overlaps, N));
    test_set_details (meta);
    g_test_expect_message (G_LOG_DOMAIN, G_LOG_LEVEL_CRITICAL, "*size == n ||*");
    g_assert_false (gst_cca_meta_set_coverage (meta, CELL, few));
    g_test_assert_expected_messages ();

    copy = gst_buffer_copy (buffer);
    gst_buffer_unref (buffer);
    assert_coverage (gst_buffer_get_cca_meta (copy), CELL, counts, N_CELLS);
    assert_colours (gst_buffer_get_cca_meta (copy), counts + N_CELLS, 3 * N_CELLS);
    test_add_tracks (copy, test_tracks);
    test_add_events (copy);
    test_assert_same_metas (copy);
    copy = test_scale_metas (copy, 2 * WIDTH, HEIGHT);
    assert_scaled_coverage (gst_buffer_get_cca_meta (copy), counts);
  }
}

/* Components, overlaps, shapes, cells and colours right behind each other, as an element stores them; without room for
 * the colours, these stay unknown. */
static void
test_stored_coverage (gconstpointer data)
{
  const gboolean has_colours = GPOINTER_TO_INT (data);
  const gsize shapes = sizeof test_components + sizeof test_overlaps;
  const gsize place = shapes + sizeof test_shapes;
  const guint8 *counts = test_counts ();
  GstBuffer *storage = gst_buffer_new_allocate (NULL, place + (has_colours ? 4 : 1) * N_CELLS, NULL);
  g_autoptr (GstBuffer) buffer = gst_buffer_new ();
  GstCcaMeta *meta;

  gst_buffer_fill (storage, 0, test_components, sizeof test_components);
  gst_buffer_fill (storage, sizeof test_components, test_overlaps, sizeof test_overlaps);
  gst_buffer_fill (storage, shapes, test_shapes, sizeof test_shapes);
  gst_buffer_fill (storage, place, counts, (has_colours ? 4 : 1) * N_CELLS);
  meta = gst_buffer_add_cca_meta_take (buffer, g_ref_string_new (ID), WIDTH, HEIGHT, 3, storage, N);
  g_assert_true (gst_cca_meta_set_stored_overlaps (meta, 3, N) && gst_cca_meta_set_stored_shapes (meta));
  g_test_expect_message (G_LOG_DOMAIN, G_LOG_LEVEL_CRITICAL, "*the lists need *");
  g_assert_false (gst_cca_meta_set_stored_coverage (meta, CELL / 3));
  g_test_assert_expected_messages ();
  g_assert_null (meta->coverage);
  g_assert_cmpuint (meta->coverage_cell, ==, 0);
  g_assert_true (gst_cca_meta_set_stored_coverage (meta, CELL));
  g_assert_true (meta->coverage == (const guint8 *) meta->components + place);
  assert_coverage (meta, CELL, counts, N_CELLS);
  if (!has_colours)
    g_test_expect_message (G_LOG_DOMAIN, G_LOG_LEVEL_CRITICAL, "*the lists need *");
  g_assert_true (gst_cca_meta_set_stored_cell_colours (meta) == has_colours);
  g_test_assert_expected_messages ();
  if (has_colours)
    assert_colours (meta, counts + N_CELLS, 3 * N_CELLS);
  else
    g_assert_null (meta->cell_colours);
}

/* Bindings make structs that are all zeros. */
static void
test_copies_of_nothing (void)
{
  static const GstCcaRule no_rule;
  static const GstCcaEvent no_event;
  GstCcaRule *rule = g_boxed_copy (GST_TYPE_CCA_RULE, &no_rule);
  GstCcaEvent *event = g_boxed_copy (GST_TYPE_CCA_EVENT, &no_event);

  g_assert_cmpstr (rule->name, ==, "");
  g_assert_cmpuint (rule->n_points, ==, 0);
  g_assert_cmpstr (event->rule, ==, "");
  g_boxed_free (GST_TYPE_CCA_RULE, rule);
  g_boxed_free (GST_TYPE_CCA_EVENT, event);
}

static void
test_nicks (void)
{
  static const gchar *const states[] = { "confirmed", "merged", "coasting" };
  static const gchar *const rules[] = { "zone", "line" };
  static const gchar *const directions[] = { "none", "forward", "backward" };
  static const gchar *const events[] = { "enter",   "leave",     "dwell",      "cross",     "left",
                                         "removed", "motion-on", "motion-off", "wrong-way", "stopped",
                                         "section", "crowd-on",  "crowd-off" };
  const struct
  {
    GType type;
    const gchar *const *nicks;
    guint n;
  } enums[] = {
    { GST_TYPE_CCA_TRACK_STATE, states, G_N_ELEMENTS (states) },
    { GST_TYPE_CCA_RULE_TYPE, rules, G_N_ELEMENTS (rules) },
    { GST_TYPE_CCA_DIRECTION, directions, G_N_ELEMENTS (directions) },
    { GST_TYPE_CCA_EVENT_TYPE, events, G_N_ELEMENTS (events) },
  };

  for (guint i = 0; i < G_N_ELEMENTS (enums); i++) {
    GEnumClass *klass = g_type_class_ref (enums[i].type);

    g_assert_cmpuint (klass->n_values, ==, enums[i].n);
    for (guint j = 0; j < enums[i].n; j++)
      g_assert_cmpstr (g_enum_get_value (klass, (gint) j)->value_nick, ==, enums[i].nicks[j]);
    g_type_class_unref (klass);
  }
}

/* Tracks on the ground come after rules and events, and copies of the meta share them. */
static void
test_on_ground (void)
{
  static const GstCcaGroundTrack tracks[] = {
    { 3, GST_CCA_MEASURE_SPEED | GST_CCA_MEASURE_HEADING, -1.5, 20, 13.75, 350, 6 },
    { 9, 0, 4, 30, 0, 0, 0.75 },
  };
  GstBuffer *buffer = gst_buffer_new ();
  g_autoptr (GstBuffer) copy = NULL;
  GstCcaEventMeta *meta =
      gst_buffer_add_cca_event_meta (buffer, ID, WIDTH, HEIGHT, test_rules, 2, test_events, G_N_ELEMENTS (tracks));
  const GstCcaEventMeta *copied;
  GList *list;

  g_assert_cmpuint (meta->n_ground_tracks, ==, 0);
  g_assert_null (gst_cca_event_meta_find_ground_track (meta, 3));
  g_assert_true (gst_cca_event_meta_set_ground_tracks (meta, tracks, G_N_ELEMENTS (tracks)));
  g_assert_cmpstr (meta->rules[1].name, ==, test_rules[1].name);
  g_assert_cmpstr (meta->events[1].rule, ==, test_events[1].rule);
  copy = gst_buffer_copy (buffer);
  gst_buffer_unref (buffer);
  copied = gst_buffer_get_cca_event_meta (copy);
  g_assert_cmpuint (copied->n_ground_tracks, ==, 2);
  g_assert_cmpmem (gst_cca_event_meta_find_ground_track (copied, 9), sizeof tracks[1], &tracks[1], sizeof tracks[1]);
  g_assert_null (gst_cca_event_meta_find_ground_track (copied, 4));
  list = gst_cca_event_meta_get_ground_tracks (copied);
  g_assert_cmpuint (g_list_length (list), ==, 2);
  g_assert_cmpfloat (((GstCcaGroundTrack *) list->data)->speed, ==, 13.75);
  g_list_free_full (list, (GDestroyNotify) gst_cca_ground_track_free);
  g_assert_true (gst_cca_event_meta_set_ground_tracks ((GstCcaEventMeta *) copied, NULL, 0));
  g_assert_cmpuint (copied->n_ground_tracks, ==, 0);
}

/* Heights lie on a line between the two rows, and nowhere else. */
static void
test_heights (void)
{
  g_autoptr (GstBuffer) buffer = gst_buffer_new ();
  GstCcaTrackMeta *meta = gst_buffer_add_cca_track_meta (buffer, ID, WIDTH, HEIGHT, NULL, 0);
  gdouble height = 1;

  g_assert_false (gst_cca_track_meta_get_height (meta, 0, &height));
  g_assert_cmpfloat (height, ==, 0);
  gst_cca_track_meta_set_heights (meta, 10, 20, 30, 60);
  for (gdouble row = 10; row <= 30; row++) {
    g_assert_true (gst_cca_track_meta_get_height (meta, row, &height));
    g_assert_cmpfloat_with_epsilon (height, 2 * row, 1e-9);
  }
  g_assert_false (gst_cca_track_meta_get_height (meta, 9.9, &height));
  g_assert_false (gst_cca_track_meta_get_height (meta, 30.1, &height));
  g_assert_false (gst_cca_track_meta_get_height (meta, NAN, &height));
  /* All on one row. */
  gst_cca_track_meta_set_heights (meta, 10, 20, 10, 20);
  g_assert_true (gst_cca_track_meta_get_height (meta, 10, &height));
  g_assert_cmpfloat (height, ==, 20);
  g_assert_false (gst_cca_track_meta_get_height (meta, 11, &height));
}

/* Heights that are no perspective are a bug of the caller, and change nothing. */
static void
test_wrong_heights (void)
{
  static const gdouble wrong[][4] = {
    { 30, 20, 10, 20 }, { 10, 0, 30, 20 }, { 10, 20, 30, -1 }, { NAN, 20, 30, 20 }, { 10, 20, INFINITY, 20 },
  };
  g_autoptr (GstBuffer) buffer = gst_buffer_new ();
  GstCcaTrackMeta *meta = gst_buffer_add_cca_track_meta (buffer, ID, WIDTH, HEIGHT, NULL, 0);
  gdouble height;

  gst_cca_track_meta_set_heights (meta, 10, 20, 30, 60);
  for (guint i = 0; i < G_N_ELEMENTS (wrong); i++) {
    g_test_expect_message (G_LOG_DOMAIN, G_LOG_LEVEL_CRITICAL, "*has_known_heights*");
    gst_cca_track_meta_set_heights (meta, wrong[i][0], wrong[i][1], wrong[i][2], wrong[i][3]);
    g_test_assert_expected_messages ();
    g_assert_true (gst_cca_track_meta_get_height (meta, 20, &height));
    g_assert_cmpfloat (height, ==, 40);
  }
}

GST_CASES_MAIN ()
{
  ADD_TESTS ("/meta", test_add, test_add_tracks_and_events, test_ids, test_ids_of_kinds, test_empty, test_component,
             test_lists, test_no_tags, test_copy_shares, test_many_copies, test_storage_pool, test_storage_too_small,
             test_stored_lists, test_no_details, test_coverage, test_copies_of_nothing, test_nicks, test_heights,
             test_wrong_heights);
  g_test_add_data_func ("/meta/stored-coverage", GINT_TO_POINTER (FALSE), test_stored_coverage);
  g_test_add_data_func ("/meta/stored-colours", GINT_TO_POINTER (TRUE), test_stored_coverage);
  g_test_add_func ("/meta/ground-tracks", test_on_ground);
}
