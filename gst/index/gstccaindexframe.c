/* gst-cca: the metas of a frame to a frame of an index, and back
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "gstccaindexframe.h"

#include <string.h>

#include "array.h"
#include "gst/meta/type.h"

G_STATIC_ASSERT (GST_CCA_TRACK_STATE_COASTING == GST_CCA_INDEX_LAST_STATE);

static const gchar *const utc_sources[] = { NULL, "ntp", "unix", "start", "clock" };
G_STATIC_ASSERT (G_N_ELEMENTS (utc_sources) == GST_CCA_INDEX_LAST_UTC_SOURCE + 1);

GstCcaIndexUtcSource
gst_cca_index_utc_source_by_name (const gchar *name)
{
  guint i = G_N_ELEMENTS (utc_sources) - 1;

  while (i > 0 && g_strcmp0 (utc_sources[i], name) != 0)
    i--;
  return i;
}

void
gst_cca_index_lists_clear (GstCcaIndexLists *lists)
{
  free (lists->components);
  free (lists->tracks);
  *lists = (GstCcaIndexLists) { 0 };
}

/* --- From metas --------------------------------------------------------------------------------------- */

static gboolean
read_components (GstCcaIndexFrame *frame, GstCcaIndexLists *lists, const GstCcaMeta *meta)
{
  if (!GST_CCA_RESERVE (lists->components, lists->room_components, meta->n_stored))
    return FALSE;
  for (guint i = 0; i < meta->n_stored; i++) {
    const GstCcaComponent *from = &meta->components[i];

    lists->components[i] = (GstCcaIndexComponent) {
      .label = from->label,
      .place = { from->x, from->y, from->width, from->height, from->area, { from->centroid_x, from->centroid_y } },
      .covariance = { from->cov_xx, from->cov_xy, from->cov_yy },
    };
  }
  frame->has_components = true;
  frame->components_stale = meta->stale;
  frame->scene_change = meta->scene_change;
  frame->learning = meta->learning;
  frame->context.components_size[0] = meta->width;
  frame->context.components_size[1] = meta->height;
  frame->n_found = meta->n_components;
  frame->components = lists->components;
  frame->n_components = meta->n_stored;
  return TRUE;
}

static gboolean
read_tracks (GstCcaIndexFrame *frame, GstCcaIndexLists *lists, const GstCcaTrackMeta *meta)
{
  gsize n = 0;

  if (!GST_CCA_RESERVE (lists->tracks, lists->room_tracks, meta->n_tracks))
    return FALSE;
  for (guint i = 0; i < meta->n_tracks; i++) {
    const GstCcaTrack *from = &meta->tracks[i];

    if (n > 0 && from->track_id <= lists->tracks[n - 1].id)
      continue; /* a malformed one of a third party, which rules skip, too */
    lists->tracks[n++] = (GstCcaIndexTrack) {
      .id = from->track_id,
      .state = MIN (from->state, GST_CCA_INDEX_LAST_STATE),
      .label = from->label,
      .place = { from->x, from->y, from->width, from->height, from->area, { from->centroid_x, from->centroid_y } },
      .velocity = { from->velocity_x, from->velocity_y },
      .age = from->age,
      .kind = from->object_type != 0 ? g_quark_to_string (from->object_type) : NULL,
    };
  }
  frame->has_tracks = true;
  frame->tracks_stale = meta->stale;
  frame->context.tracks_size[0] = meta->width;
  frame->context.tracks_size[1] = meta->height;
  frame->tracks = lists->tracks;
  frame->n_tracks = n;
  return TRUE;
}

gboolean
gst_cca_index_frame_read (GstCcaIndexFrame *frame, GstCcaIndexLists *lists, const GstCcaMeta *components,
                          const GstCcaTrackMeta *tracks)
{
  return (!components || read_components (frame, lists, components)) && (!tracks || read_tracks (frame, lists, tracks));
}

/* --- To metas ----------------------------------------------------------------------------------------- */

static gboolean
attach_components (const GstCcaIndexFrame *frame, GstBuffer *buffer)
{
  const gsize n = frame->n_components;
  GstCcaComponent few[16] = { 0 }, *list = n <= G_N_ELEMENTS (few) ? few : g_try_new (GstCcaComponent, n);
  GstCcaMeta *meta;

  if (!list)
    return FALSE;
  for (gsize i = 0; i < n; i++) {
    const GstCcaIndexComponent *from = &frame->components[i];
    const GstCcaIndexPlace *place = &from->place;

    list[i] = (GstCcaComponent) {
      .label = from->label,
      .x = place->x,
      .y = place->y,
      .width = place->width,
      .height = place->height,
      .area = place->area,
      .centroid_x = place->centroid[0],
      .centroid_y = place->centroid[1],
      .cov_xx = from->covariance[0],
      .cov_xy = from->covariance[1],
      .cov_yy = from->covariance[2],
    };
  }
  meta = gst_buffer_add_cca_meta (buffer, frame->context.id, frame->context.components_size[0],
                                  frame->context.components_size[1], frame->n_found, list, (guint) n);
  if (list != few)
    g_free (list);
  if (!meta)
    return FALSE;
  meta->stale = frame->components_stale;
  meta->scene_change = frame->scene_change;
  meta->learning = frame->learning;
  return TRUE;
}

static gboolean
attach_tracks (const GstCcaIndexFrame *frame, GstBuffer *buffer)
{
  const gsize n = frame->n_tracks;
  GstCcaTrack few[16] = { 0 }, *list = n <= G_N_ELEMENTS (few) ? few : g_try_new (GstCcaTrack, n);
  GstCcaTrackMeta *meta;

  if (!list)
    return FALSE;
  for (gsize i = 0; i < n; i++) {
    const GstCcaIndexTrack *from = &frame->tracks[i];
    const GstCcaIndexPlace *place = &from->place;

    list[i] = (GstCcaTrack) {
      .track_id = from->id,
      .state = from->state,
      .label = from->label,
      .x = place->x,
      .y = place->y,
      .width = place->width,
      .height = place->height,
      .area = place->area,
      .centroid_x = place->centroid[0],
      .centroid_y = place->centroid[1],
      .velocity_x = from->velocity[0],
      .velocity_y = from->velocity[1],
      .age = from->age,
      .object_type = from->kind && g_utf8_validate (from->kind, -1, NULL) ? gst_cca_type_from_name (from->kind) : 0,
    };
  }
  meta = gst_buffer_add_cca_track_meta (buffer, frame->context.id, frame->context.tracks_size[0],
                                        frame->context.tracks_size[1], list, (guint) n);
  if (list != few)
    g_free (list);
  if (!meta)
    return FALSE;
  meta->stale = frame->tracks_stale;
  return TRUE;
}

/* Returns caps of timestamp/x-unix that name the source. */
static GstCaps *
reference_of (GstCcaIndexUtcSource source)
{
  static gsize all;

  if (g_once_init_enter (&all)) {
    GstCaps **made = g_new0 (GstCaps *, G_N_ELEMENTS (utc_sources));

    for (guint i = 1; i < G_N_ELEMENTS (utc_sources); i++) {
      made[i] = gst_caps_new_simple ("timestamp/x-unix", "source", G_TYPE_STRING, utc_sources[i], NULL);
      GST_MINI_OBJECT_FLAG_SET (made[i], GST_MINI_OBJECT_FLAG_MAY_BE_LEAKED);
    }
    g_once_init_leave (&all, (gsize) made);
  }
  return ((GstCaps **) all)[source];
}

gboolean
gst_cca_index_frame_attach (const GstCcaIndexFrame *frame, GstBuffer *buffer)
{
  const GstCcaIndexUtcSource source = frame->context.utc_source;

  GST_BUFFER_PTS (buffer) = frame->pts;
  GST_BUFFER_DURATION (buffer) = frame->duration;
  if (source != GST_CCA_INDEX_UTC_NONE && frame->utc != GST_CCA_INDEX_NEVER)
    gst_buffer_add_reference_timestamp_meta (buffer, reference_of (source), frame->utc, GST_CLOCK_TIME_NONE);
  return (!frame->has_components || attach_components (frame, buffer))
         && (!frame->has_tracks || attach_tracks (frame, buffer));
}
