/* gst-cca: tracks as GstAnalytics metadata
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "gstccatrackanalytics.h"

#include "array.h"
#ifdef HAVE_GST_ANALYTICS
#include <gst/analytics/analytics.h>
#endif

void
gst_cca_track_analytics_clear (GstCcaTrackAnalytics *self)
{
  free (self->sightings);
  *self = (GstCcaTrackAnalytics) { NULL, 0, 0 };
}

gboolean
gst_cca_track_analytics_possible (void)
{
#ifdef HAVE_GST_ANALYTICS
  return TRUE;
#else
  return FALSE;
#endif
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
