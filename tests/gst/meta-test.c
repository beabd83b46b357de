/* gst-cca: shared by the tests of the metas
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "meta-test.h"

#include <math.h>

const GstCcaComponent test_components[N] = {
  { 1, 3, 4, 10, 20, G_GUINT64_CONSTANT (150), 7.25, 13.5, 4, -1, 9 },
  { 7, 40, 30, 5, 6, G_GUINT64_CONSTANT (0x123456789), 42, 32.5, 2, 0.5, 3 },
};

const GstCcaOverlap test_overlaps[N] = {
  { 1, 1, 100 },
  { 3, 7, G_GUINT64_CONSTANT (0x987654321) },
};

const GstCcaShape test_shapes[N] = { { 45.5, 47.25, 1 }, { 1e5, 98765.4321, -1234 } };

const GstCcaIntensity test_intensities[N] = { { 127.75, 16, 235 }, { 65534.5, 65534, 65535 } };

const GstCcaTrack test_tracks[N] = {
  { 5, GST_CCA_TRACK_STATE_CONFIRMED, 1, 3, 4, 10, 20, G_GUINT64_CONSTANT (150), 7.25, 13.5, 34.75, 19, 8 },
  { G_GUINT64_CONSTANT (0x500000000), GST_CCA_TRACK_STATE_COASTING, 0, 40, 30, 5, 6, G_GUINT64_CONSTANT (0x123456789),
    42, 32.5, 34.75, 19, 77 },
};

static const GstCcaPoint zone[] = { { 7.75, 14 }, { 42.5, 33 }, { 0, HEIGHT } };
static const GstCcaPoint line[] = { { 7.75, 14 }, { 42.5, 33 } };

const GstCcaRule test_rules[2] = {
  { "door", GST_CCA_RULE_ZONE, G_N_ELEMENTS (zone), zone, 5, 4, 1, GST_CCA_MEASURE_QUEUE | GST_CCA_MEASURE_FLOW, 0, 7.5,
    0, 0, 3, 21.25 },
  { "street", GST_CCA_RULE_LINE, G_N_ELEMENTS (line), line, G_GUINT64_CONSTANT (0x100000001), 2, 0 },
};

const GstCcaEvent test_events[N] = {
  { GST_CCA_EVENT_LEAVE, "door", 5, GST_CCA_DIRECTION_NONE, 7.75, 14, 3 * GST_SECOND, 5, 4, 1 },
  { GST_CCA_EVENT_CROSS, "street", G_GUINT64_CONSTANT (0x500000000), GST_CCA_DIRECTION_BACKWARD, 42.5, 33,
    GST_CLOCK_TIME_NONE, G_GUINT64_CONSTANT (0x100000001), 2, 0, GST_CCA_MEASURE_SPEED | GST_CCA_MEASURE_HEADWAY, 12.5,
    2 * GST_SECOND, 0 },
};

const GstCcaGroundTrack test_ground_tracks[1] = { { 5, GST_CCA_MEASURE_SPEED, -1.5, 40.25, 12.5, 0, 3.5 } };

void
test_add_tracks (GstBuffer *buffer, const GstCcaTrack *tracks)
{
  GstCcaTrackMeta *meta = gst_buffer_add_cca_track_meta (buffer, ID, WIDTH, HEIGHT, tracks, N);

  g_assert_nonnull (meta);
  gst_cca_track_meta_set_heights (meta, 14, 20, 33, 39.5);
}

void
test_add_events (GstBuffer *buffer)
{
  g_assert_true (gst_cca_event_meta_set_ground_tracks (
      gst_buffer_add_cca_event_meta (buffer, ID, WIDTH, HEIGHT, test_rules, G_N_ELEMENTS (test_rules), test_events, N),
      test_ground_tracks, 1));
}

void
test_set_details (GstCcaMeta *meta)
{
  g_assert_true (gst_cca_meta_set_shapes (meta, test_shapes, N));
  g_assert_true (gst_cca_meta_set_intensities (meta, test_intensities, N));
}

GstBuffer *
test_buffer_with_metas (GstBuffer *buffer)
{
  GstCcaMeta *meta = gst_buffer_add_cca_meta (buffer, ID, WIDTH, HEIGHT, 3, test_components, N);

  g_assert_nonnull (meta);
  g_assert_true (gst_cca_meta_set_overlaps (meta, 3, test_overlaps, N));
  test_set_details (meta);
  test_add_tracks (buffer, test_tracks);
  test_add_events (buffer);
  return buffer;
}

void
test_assert_component (const GstCcaComponent *a, const GstCcaComponent *b)
{
  g_assert_cmpuint (a->label, ==, b->label);
  g_assert_cmpuint (a->x, ==, b->x);
  g_assert_cmpuint (a->y, ==, b->y);
  g_assert_cmpuint (a->width, ==, b->width);
  g_assert_cmpuint (a->height, ==, b->height);
  g_assert_cmpuint (a->area, ==, b->area);
  g_assert_cmpfloat_with_epsilon (a->centroid_x, b->centroid_x, 1e-9);
  g_assert_cmpfloat_with_epsilon (a->centroid_y, b->centroid_y, 1e-9);
  g_assert_cmpfloat_with_epsilon (a->cov_xx, b->cov_xx, 1e-9);
  g_assert_cmpfloat_with_epsilon (a->cov_xy, b->cov_xy, 1e-9);
  g_assert_cmpfloat_with_epsilon (a->cov_yy, b->cov_yy, 1e-9);
}

static void
assert_overlaps (const GstCcaMeta *meta)
{
  g_assert_cmpuint (meta->n_overlaps, ==, 3);
  g_assert_cmpuint (meta->n_stored_overlaps, ==, N);
  for (guint i = 0; i < N; i++) {
    g_assert_cmpuint (meta->overlaps[i].before, ==, test_overlaps[i].before);
    g_assert_cmpuint (meta->overlaps[i].now, ==, test_overlaps[i].now);
    g_assert_cmpuint (meta->overlaps[i].pixels, ==, test_overlaps[i].pixels);
  }
}

/* Lengths follow areas; that of the second component is large enough for its rounding not to matter. */
static void
assert_details (const GstCcaMeta *meta)
{
  const gdouble factor = sqrt ((gdouble) meta->components[1].area / (gdouble) test_components[1].area);

  for (guint i = 0; i < N; i++) {
    const GstCcaShape *before = &test_shapes[i];

    g_assert_cmpfloat_with_epsilon (meta->shapes[i].perimeter, before->perimeter * factor, 1e-6 * before->perimeter);
    g_assert_cmpfloat_with_epsilon (meta->shapes[i].perimeter_crofton, before->perimeter_crofton * factor,
                                    1e-6 * before->perimeter_crofton);
    g_assert_cmpint (meta->shapes[i].euler_number, ==, before->euler_number);
  }
  g_assert_cmpmem (meta->intensities, sizeof test_intensities, test_intensities, sizeof test_intensities);
}

static void
assert_tracks (const GstCcaTrackMeta *meta, const GstCcaComponent *components)
{
  g_assert_cmpuint (meta->n_tracks, ==, N);
  for (guint i = 0; i < N; i++) {
    const GstCcaTrack *track = &meta->tracks[i], *before = &test_tracks[i];
    const GstCcaComponent *component = &components[i];

    g_assert_true (track->x == component->x && track->y == component->y);
    g_assert_true (track->width == component->width && track->height == component->height);
    g_assert_cmpuint (track->area, ==, component->area);
    g_assert_cmpfloat (track->centroid_x, ==, component->centroid_x);
    g_assert_cmpfloat (track->centroid_y, ==, component->centroid_y);
    g_assert_cmpfloat_with_epsilon (track->velocity_x, components[1].centroid_x - components[0].centroid_x, 1e-9);
    g_assert_cmpfloat_with_epsilon (track->velocity_y, components[1].centroid_y - components[0].centroid_y, 1e-9);
    g_assert_cmpuint (track->track_id, ==, before->track_id);
    g_assert_cmpint (track->state, ==, before->state);
    g_assert_true (track->label == before->label && track->age == before->age);
  }
}

/* The rows are those of the centroids. In a turned frame nothing stands upright. */
static void
assert_heights (const GstCcaTrackMeta *meta, const GstCcaComponent *components)
{
  const gdouble across = components[1].centroid_x - components[0].centroid_x;
  const gdouble down = components[1].centroid_y - components[0].centroid_y;

  if (fabs (across) < fabs (down)) {
    g_assert_true (meta->upper_row == 0 && meta->upper_height == 0 && meta->lower_row == 0 && meta->lower_height == 0);
    return;
  }
  g_assert_cmpfloat_with_epsilon (meta->upper_row, components[0].centroid_y + 0.5, 1e-9);
  g_assert_cmpfloat_with_epsilon (meta->lower_row, components[1].centroid_y + 0.5, 1e-9);
  g_assert_cmpfloat_with_epsilon (meta->upper_height, 20 * down / 19, 1e-9);
  g_assert_cmpfloat_with_epsilon (meta->lower_height, 39.5 * down / 19, 1e-9);
}

static void
assert_middle (gdouble x, gdouble y, const GstCcaComponent *component)
{
  g_assert_cmpfloat_with_epsilon (x, component->centroid_x + 0.5, 1e-9);
  g_assert_cmpfloat_with_epsilon (y, component->centroid_y + 0.5, 1e-9);
}

static void
assert_events (const GstCcaEventMeta *meta, const GstCcaComponent *components)
{
  g_assert_cmpuint (meta->n_rules, ==, G_N_ELEMENTS (test_rules));
  for (guint i = 0; i < meta->n_rules; i++) {
    const GstCcaRule *rule = &meta->rules[i], *before = &test_rules[i];

    g_assert_cmpstr (rule->name, ==, before->name);
    g_assert_true (rule->name != before->name && rule->points != before->points);
    g_assert_cmpint (rule->type, ==, before->type);
    g_assert_cmpuint (rule->n_points, ==, before->n_points);
    for (guint j = 0; j < N; j++)
      assert_middle (rule->points[j].x, rule->points[j].y, &components[j]);
    g_assert_true (rule->n_in == before->n_in && rule->n_out == before->n_out && rule->occupancy == before->occupancy);
    g_assert_true (rule->measured == before->measured && rule->flow == before->flow && rule->queue == before->queue
                   && rule->queue_length == before->queue_length);
  }
  g_assert_cmpuint (meta->n_events, ==, N);
  for (guint i = 0; i < N; i++) {
    const GstCcaEvent *event = &meta->events[i], *before = &test_events[i];

    g_assert_cmpint (event->type, ==, before->type);
    g_assert_cmpstr (event->rule, ==, before->rule);
    g_assert_true (event->rule != before->rule);
    g_assert_cmpuint (event->track_id, ==, before->track_id);
    g_assert_cmpint (event->direction, ==, before->direction);
    assert_middle (event->x, event->y, &components[i]);
    g_assert_cmpuint (event->dwell, ==, before->dwell);
    g_assert_true (event->n_in == before->n_in && event->n_out == before->n_out);
    g_assert_cmpuint (event->occupancy, ==, before->occupancy);
    g_assert_true (event->measured == before->measured && event->speed == before->speed);
    g_assert_true (event->headway == before->headway && event->gap == before->gap);
  }
  /* On the ground nothing is scaled. */
  g_assert_cmpuint (meta->n_ground_tracks, ==, 1);
  g_assert_true (meta->ground_tracks != test_ground_tracks);
  g_assert_cmpmem (meta->ground_tracks, sizeof test_ground_tracks, test_ground_tracks, sizeof test_ground_tracks);
}

void
test_assert_together (GstBuffer *buffer)
{
  const GstCcaMeta *meta = gst_buffer_get_cca_meta (buffer);
  const GstCcaTrackMeta *tracks = gst_buffer_get_cca_track_meta (buffer);
  const GstCcaEventMeta *events = gst_buffer_get_cca_event_meta (buffer);

  g_assert_true (meta != NULL && tracks != NULL && events != NULL);
  g_assert_cmpuint (meta->n_stored, ==, N);
  assert_overlaps (meta);
  assert_details (meta);
  g_assert_cmpstr (tracks->id, ==, meta->id);
  g_assert_cmpint (tracks->stale, ==, meta->stale);
  g_assert_true (tracks->width == meta->width && tracks->height == meta->height);
  assert_tracks (tracks, meta->components);
  assert_heights (tracks, meta->components);
  g_assert_cmpstr (events->id, ==, meta->id);
  g_assert_cmpint (events->stale, ==, meta->stale);
  g_assert_true (events->width == meta->width && events->height == meta->height);
  assert_events (events, meta->components);
}

const GstCcaMeta *
test_assert_same_components (GstBuffer *buffer)
{
  const GstCcaMeta *meta = gst_buffer_get_cca_meta (buffer);

  g_assert_nonnull (meta);
  g_assert_cmpstr (meta->id, ==, ID);
  g_assert_cmpuint (meta->width, ==, WIDTH);
  g_assert_cmpuint (meta->height, ==, HEIGHT);
  g_assert_cmpuint (meta->n_components, ==, 3);
  g_assert_cmpuint (meta->n_stored, ==, N);
  g_assert_true (meta->truncated);
  for (guint i = 0; i < N; i++)
    test_assert_component (&meta->components[i], &test_components[i]);
  return meta;
}

const GstCcaMeta *
test_assert_same_metas (GstBuffer *buffer)
{
  test_assert_together (buffer);
  return test_assert_same_components (buffer);
}

gboolean
test_transform_metas (GstBuffer *from, GstBuffer *to, const gchar *type, gpointer data)
{
  const GType apis[] = { GST_CCA_META_API_TYPE, GST_CCA_TRACK_META_API_TYPE, GST_CCA_EVENT_META_API_TYPE };
  guint n = 0, n_transformed = 0;

  for (guint i = 0; i < G_N_ELEMENTS (apis); i++) {
    GstMeta *meta = gst_buffer_get_meta (from, apis[i]);

    if (meta) {
      n++;
      n_transformed += meta->info->transform_func (to, meta, from, g_quark_from_string (type), data) ? 1 : 0;
    }
  }
  g_assert_true (n_transformed == 0 || n_transformed == n);
  return n_transformed > 0;
}

GstBuffer *
test_scale_metas (GstBuffer *from, guint width, guint height)
{
  GstVideoInfo in = test_video_info ("GRAY8", WIDTH, HEIGHT), out = test_video_info ("GRAY8", width, height);
  GstVideoMetaTransform data = { &in, &out };
  GstBuffer *to = gst_buffer_new ();

  g_assert_true (test_transform_metas (from, to, "gst-video-scale", &data));
  gst_buffer_unref (from);
  return to;
}

GstBuffer *
test_pass_untagged (GstBuffer *from, GstBuffer *to)
{
  gpointer state = NULL;
  GstMeta *meta;

  while ((meta = gst_buffer_iterate_meta (from, &state)))
    if (!gst_meta_api_type_get_tags (meta->info->api)) {
      GstMetaTransformCopy copy = { FALSE, 0, (gsize) -1 };

      meta->info->transform_func (to, meta, from, _gst_meta_transform_copy, &copy);
    }
  gst_buffer_unref (from);
  return to;
}
