/* gst-cca: objects that other elements detected, from the metas that GStreamer has for them
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "gstccaforeign.h"

#include <stdlib.h>

#include "array.h"
#ifdef HAVE_GST_ANALYTICS
#include <gst/analytics/analytics.h>
#endif

#define OWN_TYPE "cca-"

void
gst_cca_foreign_clear (GstCcaForeign *self)
{
  free (self->components);
  free (self->types);
  free (self->track_ids);
  free (self->tracks);
  *self = (GstCcaForeign) { 0 };
}

gboolean
gst_cca_has_analytics (void)
{
#ifdef HAVE_GST_ANALYTICS
  return TRUE;
#else
  return FALSE;
#endif
}

void
gst_cca_foreign_frame_size (const GstCaps *caps, guint *width, guint *height)
{
  const GstStructure *structure = gst_caps_get_structure (caps, 0);
  gint w = 0, h = 0;

  gst_structure_get (structure, "width", G_TYPE_INT, &w, "height", G_TYPE_INT, &h, NULL);
  *width = (guint) MAX (w, 0);
  *height = (guint) MAX (h, 0);
}

/* --- Objects of a frame ------------------------------------------------------------------------------- */

typedef struct
{
  gint64 x, y, width, height;
  GQuark type;
  guint64 track_id;
} Object;

static gboolean
is_own (GQuark type)
{
  return type != 0 && g_str_has_prefix (g_quark_to_string (type), OWN_TYPE);
}

/* Adds the part of an object that lies in the frame, if any does. Returns FALSE if memory is exhausted. */
static gboolean
add_object (GstCcaForeign *self, const Object *object)
{
  const gint64 left = MAX (object->x, 0), right = MIN (object->x + object->width, self->meta.width);
  const gint64 top = MAX (object->y, 0), bottom = MIN (object->y + object->height, self->meta.height);
  const guint n = self->n;

  if (left >= right || top >= bottom)
    return TRUE;
  if (!GST_CCA_RESERVE (self->components, self->components_room, n + 1)
      || !GST_CCA_RESERVE (self->types, self->types_room, n + 1)
      || !GST_CCA_RESERVE (self->track_ids, self->track_ids_room, n + 1))
    return FALSE;
  self->components[n] = (GstCcaComponent) {
    .label = n + 1,
    .x = (guint) left,
    .y = (guint) top,
    .width = (guint) (right - left),
    .height = (guint) (bottom - top),
    .area = (guint64) ((right - left) * (bottom - top)),
    .centroid_x = (gdouble) (left + right - 1) / 2.0,
    .centroid_y = (gdouble) (top + bottom - 1) / 2.0,
  };
  self->types[n] = object->type;
  self->track_ids[n] = object->track_id;
  self->n++;
  return TRUE;
}

static GstVideoRegionOfInterestMeta *
next_region (GstBuffer *buffer, gpointer *state)
{
  GstMeta *meta;

  while ((meta = gst_buffer_iterate_meta_filtered (buffer, state, GST_VIDEO_REGION_OF_INTEREST_META_API_TYPE)))
    if (!is_own (((GstVideoRegionOfInterestMeta *) meta)->roi_type))
      return (GstVideoRegionOfInterestMeta *) meta;
  return NULL;
}

static gboolean
read_regions (GstCcaForeign *self, GstBuffer *buffer)
{
  GstVideoRegionOfInterestMeta *region;
  gpointer state = NULL;

  while ((region = next_region (buffer, &state))) {
    const GstStructure *param = gst_video_region_of_interest_meta_get_param (region, "object_id");
    gint id;

    if (!add_object (self, &(Object) {
                               .x = region->x,
                               .y = region->y,
                               .width = region->w,
                               .height = region->h,
                               .type = region->roi_type,
                               .track_id = param && gst_structure_get_int (param, "id", &id) && id > 0 ? id : 0,
                           }))
      return FALSE;
  }
  return TRUE;
}

#ifdef HAVE_GST_ANALYTICS
static gboolean
next_detection (GstBuffer *buffer, gpointer *meta_state, GstAnalyticsRelationMeta **meta, gpointer *state,
                GstAnalyticsODMtd *detection)
{
  for (;;) {
    while (*meta && gst_analytics_relation_meta_iterate (*meta, state, gst_analytics_od_mtd_get_mtd_type (), detection))
      if (!is_own (gst_analytics_od_mtd_get_obj_type (detection)))
        return TRUE;
    *state = NULL;
    *meta = (GstAnalyticsRelationMeta *) gst_buffer_iterate_meta_filtered (buffer, meta_state,
                                                                           GST_ANALYTICS_RELATION_META_API_TYPE);
    if (!*meta)
      return FALSE;
  }
}

/* Returns the id that a tracker gave to a detection, from 1 on: trackers count from 0. Returns 0 if there is none. */
static guint64
tracking_id (GstAnalyticsRelationMeta *meta, guint detection)
{
  GstAnalyticsTrackingMtd tracking;
  GstClockTime first, last;
  gpointer state = NULL;
  guint64 id;
  gboolean lost;

  if (!gst_analytics_relation_meta_get_direct_related (meta, detection, GST_ANALYTICS_REL_TYPE_ANY,
                                                       gst_analytics_tracking_mtd_get_mtd_type (), &state, &tracking)
      || !gst_analytics_tracking_mtd_get_info (&tracking, &id, &first, &last, &lost))
    return 0;
  return id + 1;
}
#endif

static gboolean
read_detections (GstCcaForeign *self, GstBuffer *buffer)
{
#ifdef HAVE_GST_ANALYTICS
  gpointer meta_state = NULL, state = NULL;
  GstAnalyticsRelationMeta *meta = NULL;
  GstAnalyticsODMtd detection;

  while (next_detection (buffer, &meta_state, &meta, &state, &detection)) {
    gint x, y, width, height;
    gfloat confidence;

    if (gst_analytics_od_mtd_get_location (&detection, &x, &y, &width, &height, &confidence)
        && !add_object (self, &(Object) { x, y, width, height, gst_analytics_od_mtd_get_obj_type (&detection),
                                          tracking_id (meta, detection.id) }))
      return FALSE;
  }
#endif
  return TRUE;
}

/* Reads the detections of a source from the buffer. */
static gboolean
read_objects (GstCcaForeign *self, GstBuffer *buffer, GstCcaDetections source, const gchar *id, guint width,
              guint height)
{
  self->n = 0;
  self->meta = (GstCcaMeta) { .width = width, .height = height };
  self->meta.id = id ? id : source == GST_CCA_DETECTIONS_ROI ? "roi" : "analytics";
  if (!(source == GST_CCA_DETECTIONS_ROI ? read_regions (self, buffer) : read_detections (self, buffer)))
    return FALSE;
  self->meta.components = self->components;
  self->meta.n_components = self->meta.n_stored = self->n;
  return TRUE;
}

/* --- Sources ------------------------------------------------------------------------------------------ */

static gboolean
has_detections (GstBuffer *buffer)
{
#ifdef HAVE_GST_ANALYTICS
  gpointer meta_state = NULL, state = NULL;
  GstAnalyticsRelationMeta *meta = NULL;
  GstAnalyticsODMtd detection;

  return next_detection (buffer, &meta_state, &meta, &state, &detection);
#else
  return FALSE;
#endif
}

static gboolean
has_regions (GstBuffer *buffer)
{
  gpointer state = NULL;

  return next_region (buffer, &state) != NULL;
}

GstCcaDetections
gst_cca_foreign_choose (GstCcaForeign *self, GstCcaDetections wanted, GstBuffer *buffer)
{
  if (wanted != GST_CCA_DETECTIONS_AUTO)
    self->source = wanted;
  else if (self->source != GST_CCA_DETECTIONS_COMPONENTS && gst_buffer_get_cca_meta (buffer))
    self->source = GST_CCA_DETECTIONS_COMPONENTS;
  else if (self->source <= GST_CCA_DETECTIONS_AUTO || self->source == GST_CCA_DETECTIONS_ROI) {
    if (has_detections (buffer))
      self->source = GST_CCA_DETECTIONS_ANALYTICS;
    else if (has_regions (buffer))
      self->source = GST_CCA_DETECTIONS_ROI;
  }
  return self->source;
}

gboolean
gst_cca_foreign_read (GstCcaForeign *self, GstBuffer *buffer, GstCcaDetections source, const gchar *id, guint width,
                      guint height, guint interval, const GstCcaMeta **meta)
{
  *meta = NULL;
  if (!read_objects (self, buffer, source, id, width, height))
    return FALSE;
  if (self->n == 0 && ++self->n_skipped < interval)
    return TRUE;
  self->n_skipped = 0;
  *meta = &self->meta;
  return TRUE;
}

/* --- Tracks ------------------------------------------------------------------------------------------- */

static gint
by_track_id (gconstpointer a, gconstpointer b)
{
  const guint64 one = ((const GstCcaTrack *) a)->track_id, other = ((const GstCcaTrack *) b)->track_id;

  return one < other ? -1 : one > other;
}

/* Makes tracks of the objects that have ids, by ascending id; of several with one id, the first. */
static gboolean
collect_tracks (GstCcaForeign *self, guint *n)
{
  guint kept = 0;

  *n = 0;
  if (!GST_CCA_RESERVE (self->tracks, self->tracks_room, self->n))
    return FALSE;
  for (guint i = 0; i < self->n; i++) {
    const GstCcaComponent *c = &self->components[i];

    if (self->track_ids[i] > 0)
      self->tracks[(*n)++] = (GstCcaTrack) {
        .track_id = self->track_ids[i],
        .state = GST_CCA_TRACK_STATE_CONFIRMED,
        .label = c->label,
        .x = c->x,
        .y = c->y,
        .width = c->width,
        .height = c->height,
        .area = c->area,
        .centroid_x = c->centroid_x,
        .centroid_y = c->centroid_y,
        .age = 1,
        .object_type = self->types[i],
      };
  }
  if (*n > 1)
    qsort (self->tracks, *n, sizeof *self->tracks, by_track_id);
  for (guint i = 0; i < *n; i++)
    if (kept == 0 || self->tracks[i].track_id != self->tracks[kept - 1].track_id)
      self->tracks[kept++] = self->tracks[i];
  *n = kept;
  return TRUE;
}

gboolean
gst_cca_foreign_add_tracks (GstCcaForeign *self, GstBuffer *buffer, const gchar *id, guint width, guint height)
{
  guint n = 0;

  if (gst_buffer_get_cca_track_meta (buffer) || gst_buffer_get_cca_meta (buffer))
    self->source = GST_CCA_DETECTIONS_COMPONENTS;
  for (GstCcaDetections source = GST_CCA_DETECTIONS_ANALYTICS; source >= GST_CCA_DETECTIONS_ROI; source--) {
    if (self->source != GST_CCA_DETECTIONS_AUTO && source != self->source)
      continue;
    if (!read_objects (self, buffer, source, id, width, height) || !collect_tracks (self, &n))
      return FALSE;
    if (n > 0)
      self->source = source;
    if (self->n > 0)
      break;
  }
  if (self->source != GST_CCA_DETECTIONS_ROI && self->source != GST_CCA_DETECTIONS_ANALYTICS)
    return TRUE;
  return gst_buffer_add_cca_track_meta (buffer, self->meta.id, width, height, self->tracks, n) != NULL;
}
