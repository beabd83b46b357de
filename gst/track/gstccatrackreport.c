/* gst-cca: tracks as they are published, in element messages and as GstAnalytics metadata
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "gstccatrackreport.h"

#include "array.h"
#include "published.h"
#ifdef HAVE_GST_ANALYTICS
#include <gst/analytics/analytics.h>
#endif

/* --- Tracks ------------------------------------------------------------------------------------------ */

static GstCcaTrackState
state_of (const GstCcaPublished *track)
{
  switch (track->state) {
    case GST_CCA_OBJECT_MERGED: return GST_CCA_TRACK_STATE_MERGED;
    case GST_CCA_OBJECT_COASTING: return GST_CCA_TRACK_STATE_COASTING;
    default: return GST_CCA_TRACK_STATE_CONFIRMED;
  }
}

gboolean
gst_cca_track_publish (const GstCcaObject *track, guint width, guint height, GstCcaTrack *published)
{
  GstCcaPublished p;

  if (!gst_cca_publish (track, width, height, &p))
    return FALSE;
  *published = (GstCcaTrack) {
    .track_id = p.id,
    .state = state_of (&p),
    .label = p.label,
    .x = p.x,
    .y = p.y,
    .width = p.width,
    .height = p.height,
    .area = p.area,
    .centroid_x = p.centroid_x,
    .centroid_y = p.centroid_y,
    .velocity_x = p.velocity_x,
    .velocity_y = p.velocity_y,
    .age = p.age,
    .object_type = p.kind,
  };
  return TRUE;
}

/* --- Message ----------------------------------------------------------------------------------------- */

#define NAMES(F)                                                                                                       \
  F (cca_tracks, "cca-tracks")                                                                                         \
  F (id, "id")                                                                                                         \
  F (width, "width")                                                                                                   \
  F (height, "height")                                                                                                 \
  F (n_tracks, "n-tracks")                                                                                             \
  F (tracks, "tracks")

GST_CCA_DEFINE_NAMES (NAMES)

static void
set_track (GValue *const *fields, gconstpointer items, guint index)
{
  const GstCcaTrack *track = (const GstCcaTrack *) items + index;

  g_value_set_uint64 (*fields++, track->track_id);
  g_value_set_enum (*fields++, track->state);
  g_value_set_uint (*fields++, track->label);
  g_value_set_uint (*fields++, track->x);
  g_value_set_uint (*fields++, track->y);
  g_value_set_uint (*fields++, track->width);
  g_value_set_uint (*fields++, track->height);
  g_value_set_uint64 (*fields++, track->area);
  g_value_set_double (*fields++, track->centroid_x);
  g_value_set_double (*fields++, track->centroid_y);
  g_value_set_double (*fields++, track->velocity_x);
  g_value_set_double (*fields++, track->velocity_y);
  g_value_set_uint (*fields++, track->age);
  g_value_set_static_string (*fields++, g_quark_to_string (track->object_type));
}

GstCcaListPool *
gst_cca_track_message_pool_new (void)
{
  find_names ();
  return gst_cca_list_pool_new (
      gst_structure_new ("track", "track-id", G_TYPE_UINT64, (guint64) 0, "state", GST_TYPE_CCA_TRACK_STATE, 0, "label",
                         G_TYPE_UINT, 0, "x", G_TYPE_UINT, 0, "y", G_TYPE_UINT, 0, "width", G_TYPE_UINT, 0, "height",
                         G_TYPE_UINT, 0, "area", G_TYPE_UINT64, (guint64) 0, "centroid-x", G_TYPE_DOUBLE, 0.0,
                         "centroid-y", G_TYPE_DOUBLE, 0.0, "velocity-x", G_TYPE_DOUBLE, 0.0, "velocity-y",
                         G_TYPE_DOUBLE, 0.0, "age", G_TYPE_UINT, 0, "class", G_TYPE_STRING, NULL, NULL),
      set_track);
}

GstMessage *
gst_cca_track_message_new (GstCcaListPool *pool, GstObject *source, const gchar *id, const GstCcaMessageTimes *times,
                           guint width, guint height, const gchar *trouble, const GstCcaTrack *tracks, guint n)
{
  GstStructure *structure;
  GstMessage *message;
  GstCcaList *list;

  structure = gst_structure_new_id (names.cca_tracks, names.id, G_TYPE_STRING, id, names.width, G_TYPE_UINT, width,
                                    names.height, G_TYPE_UINT, height, names.n_tracks, G_TYPE_UINT, n, NULL);
  if (trouble)
    gst_structure_set (structure, "camera-state", G_TYPE_STRING, trouble, NULL);
  gst_cca_message_times_set (times, structure);
  list = gst_cca_list_new (pool, structure, names.tracks, tracks, n);
  message = gst_message_new_element (source, structure);
  gst_cca_list_give (list, message);
  return message;
}

/* --- GstAnalytics ------------------------------------------------------------------------------------ */

void
gst_cca_track_analytics_clear (GstCcaTrackAnalytics *self)
{
  free (self->sightings);
  *self = (GstCcaTrackAnalytics) { NULL, 0, 0 };
}

#ifdef HAVE_GST_ANALYTICS
static void
add_tracking (GstAnalyticsRelationMeta *meta, const GstCcaSighting *sighting, GstAnalyticsTrackingMtd *tracking)
{
  gst_analytics_relation_meta_add_tracking_mtd (meta, sighting->track_id, sighting->first_seen, tracking);
  gst_analytics_tracking_mtd_update_last_seen (tracking, sighting->last_seen);
}

static void
add_track (GstAnalyticsRelationMeta *meta, GQuark type, const GstCcaTrack *track, const GstCcaSighting *sighting)
{
  GstAnalyticsTrackingMtd tracking;
  GstAnalyticsODMtd detection;

  add_tracking (meta, sighting, &tracking);
  if (track->state == GST_CCA_TRACK_STATE_COASTING)
    return;
  gst_analytics_relation_meta_add_od_mtd (meta, type, (gint) track->x, (gint) track->y, (gint) track->width,
                                          (gint) track->height, 1.0f, &detection);
  gst_analytics_relation_meta_set_relation (meta, GST_ANALYTICS_REL_TYPE_RELATE_TO, detection.id, tracking.id);
}

static void
add_lost (GstCcaTrackAnalytics *self, GstAnalyticsRelationMeta *meta, const GstCcaTrack *tracks, guint n)
{
  guint k = 0;

  for (gsize i = 0; i < self->n; i++) {
    GstAnalyticsTrackingMtd tracking;

    while (k < n && tracks[k].track_id < self->sightings[i].track_id)
      k++;
    if (k < n && tracks[k].track_id == self->sightings[i].track_id)
      continue;
    add_tracking (meta, &self->sightings[i], &tracking);
    gst_analytics_tracking_mtd_set_lost (&tracking);
  }
}
#endif

gboolean
gst_cca_track_analytics_add (GstCcaTrackAnalytics *self, GstBuffer *buffer, GQuark type, const GstCcaTrack *tracks,
                             const GstCcaSighting *sightings, guint n)
{
#ifdef HAVE_GST_ANALYTICS
  const gsize n_entries = 2 * (gsize) n + self->n;
  /* Room for all at once: the meta grows by copying the square of what it holds. */
  GstAnalyticsRelationMetaInitParams room = { n_entries, 64 * n_entries };
  GstAnalyticsRelationMeta *meta;

  if (n_entries == 0)
    return TRUE;
  if (!GST_CCA_RESERVE (self->sightings, self->room, n))
    return FALSE;
  meta = gst_buffer_add_analytics_relation_meta_full (buffer, &room);
  for (guint i = 0; i < n; i++)
    add_track (meta, type, &tracks[i], &sightings[i]);
  add_lost (self, meta, tracks, n);
  for (guint i = 0; i < n; i++)
    self->sightings[i] = sightings[i];
  self->n = n;
#endif
  return TRUE;
}
