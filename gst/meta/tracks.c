/* gst-cca: the list of a GstCcaTrackMeta
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "tracks.h"

#include <math.h>
#include <string.h>

GST_CCA_ASSERT_FRAME_META (GstCcaTrackMeta);

static gboolean
allocate (GstBuffer **storage, GstCcaTrack **tracks, guint n_tracks)
{
  *tracks = gst_cca_frame_meta_allocate (storage, (gsize) n_tracks * sizeof **tracks);
  return *tracks != NULL || n_tracks == 0;
}

gboolean
gst_cca_tracks_store (GstBuffer **storage, GstCcaTrack **copies, const GstCcaTrack *tracks, guint n_tracks)
{
  if (!allocate (storage, copies, n_tracks))
    return FALSE;
  if (n_tracks > 0)
    memcpy (*copies, tracks, (gsize) n_tracks * sizeof *tracks);
  return TRUE;
}

gboolean
gst_cca_tracks_know_heights (const GstCcaTrackMeta *meta)
{
  return isfinite (meta->upper_row) && isfinite (meta->lower_row) && meta->upper_row <= meta->lower_row
         && isfinite (meta->upper_height) && meta->upper_height > 0 && isfinite (meta->lower_height)
         && meta->lower_height > 0;
}

static gboolean
map_track (const GstCcaMapping *mapping, GstCcaTrack *track)
{
  if (!gst_cca_mapping_box (mapping, &track->x, &track->y, &track->width, &track->height))
    return FALSE;
  track->area = gst_cca_mapping_area (mapping, track->area);
  gst_cca_mapping_centre (mapping, &track->centroid_x, &track->centroid_y);
  gst_cca_mapping_vector (mapping, &track->velocity_x, &track->velocity_y);
  return TRUE;
}

/* Upright objects must stay upright in the new frame. */
static void
map_heights (const GstCcaMapping *mapping, GstCcaTrackMeta *meta)
{
  gdouble x = 0;

  gst_cca_mapping_point (mapping, &x, &meta->upper_row);
  gst_cca_mapping_point (mapping, &x, &meta->lower_row);
  gst_cca_mapping_vector (mapping, &x, &meta->upper_height);
  gst_cca_mapping_vector (mapping, &x, &meta->lower_height);
  if (mapping->swap || !gst_cca_tracks_know_heights (meta))
    meta->upper_row = meta->upper_height = meta->lower_row = meta->lower_height = 0;
}

static gboolean
map_tracks (GstCcaFrameMeta *base, const GstCcaMapping *mapping)
{
  GstCcaTrackMeta *meta = (GstCcaTrackMeta *) base;
  GstCcaTrack *tracks;
  GstBuffer *storage;
  guint n = 0;

  if (!gst_cca_tracks_store (&storage, &tracks, meta->tracks, meta->n_tracks))
    return FALSE;
  for (guint i = 0; i < meta->n_tracks; i++) {
    tracks[n] = tracks[i];
    if (map_track (mapping, &tracks[n]))
      n++;
  }
  meta->n_tracks = n;
  meta->tracks = tracks;
  map_heights (mapping, meta);
  gst_cca_frame_meta_set_storage (base, storage);
  return TRUE;
}

/* --- As bytes ----------------------------------------------------------------------------------------- */

/* Version 0 had no heights, version 1 no types. */
#define VERSION 2
#define TRACK_SIZE (2 * 8 + 7 * 4 + 4 * 8)

static void
exchange_head (GstCcaTrackMeta *meta, GstCcaBytes *bytes)
{
  gst_cca_frame_meta_exchange_head ((GstCcaFrameMeta *) meta, &meta->stale, bytes);
  gst_cca_bytes_length (bytes, &meta->n_tracks, TRACK_SIZE);
}

static void
exchange_track (GstCcaTrack *track, GstCcaBytes *bytes)
{
  gst_cca_bytes_u64 (bytes, &track->track_id);
  track->state = gst_cca_bytes_enum (bytes, track->state, GST_CCA_TRACK_STATE_COASTING);
  gst_cca_bytes_u32 (bytes, &track->label);
  gst_cca_bytes_u32 (bytes, &track->x);
  gst_cca_bytes_u32 (bytes, &track->y);
  gst_cca_bytes_u32 (bytes, &track->width);
  gst_cca_bytes_u32 (bytes, &track->height);
  gst_cca_bytes_u64 (bytes, &track->area);
  gst_cca_bytes_double (bytes, &track->centroid_x);
  gst_cca_bytes_double (bytes, &track->centroid_y);
  gst_cca_bytes_double (bytes, &track->velocity_x);
  gst_cca_bytes_double (bytes, &track->velocity_y);
  gst_cca_bytes_u32 (bytes, &track->age);
}

static void
exchange_heights (GstCcaTrackMeta *meta, GstCcaBytes *bytes)
{
  gst_cca_bytes_double (bytes, &meta->upper_row);
  gst_cca_bytes_double (bytes, &meta->upper_height);
  gst_cca_bytes_double (bytes, &meta->lower_row);
  gst_cca_bytes_double (bytes, &meta->lower_height);
}

static void
write_tracks (const GstCcaFrameMeta *base, GstCcaBytes *bytes)
{
  GstCcaTrackMeta meta = *(const GstCcaTrackMeta *) base;

  exchange_head (&meta, bytes);
  for (guint i = 0; i < meta.n_tracks; i++) {
    GstCcaTrack track = meta.tracks[i];

    exchange_track (&track, bytes);
  }
  exchange_heights (&meta, bytes);
  for (guint i = 0; i < meta.n_tracks; i++) {
    GstCcaTrack track = meta.tracks[i];

    gst_cca_bytes_type (bytes, &track.object_type);
  }
}

static gboolean
read_tracks (GstCcaFrameMeta *base, GstCcaBytes *bytes, guint version)
{
  GstCcaTrackMeta *meta = (GstCcaTrackMeta *) base;
  GstCcaTrack *tracks;
  GstBuffer *storage;

  exchange_head (meta, bytes);
  if (bytes->failed || !allocate (&storage, &tracks, meta->n_tracks))
    return FALSE;
  gst_cca_frame_meta_set_storage (base, storage);
  meta->tracks = tracks;
  for (guint i = 0; i < meta->n_tracks; i++) {
    exchange_track (&tracks[i], bytes);
    tracks[i].object_type = 0;
  }
  if (version == 0)
    return TRUE;
  exchange_heights (meta, bytes);
  for (guint i = 0; version > 1 && i < meta->n_tracks; i++)
    gst_cca_bytes_type (bytes, &tracks[i].object_type);
  return gst_cca_tracks_know_heights (meta)
         || (meta->upper_row == 0 && meta->upper_height == 0 && meta->lower_row == 0 && meta->lower_height == 0);
}

GstCcaFrameMetaKind gst_cca_tracks = {
  .name = "GstCcaTrackMeta",
  .api_name = "GstCcaTrackMetaAPI",
  .size = sizeof (GstCcaTrackMeta),
  .stale = offsetof (GstCcaTrackMeta, stale),
  .map = map_tracks,
  .write = write_tracks,
  .read = read_tracks,
  .version = VERSION,
};
