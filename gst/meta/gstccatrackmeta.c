/* gst-cca: the tracks of a video frame, as a GstMeta
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include <gst/cca/gstccatrackmeta.h>

#include <math.h>
#include <string.h>

#include "framemeta.h"

/* --- The list ------------------------------------------------------------------------------------------ */

GST_CCA_ASSERT_FRAME_META (GstCcaTrackMeta);

static gboolean
allocate (GstBuffer **storage, GstCcaTrack **tracks, guint n_tracks)
{
  *tracks = gst_cca_frame_meta_allocate (storage, (gsize) n_tracks * sizeof **tracks);
  return *tracks != NULL || n_tracks == 0;
}

/* Copies tracks to a new storage, where *copies are. Sets both to NULL for none. Returns FALSE if memory is exhausted.
 */
static gboolean
store (GstBuffer **storage, GstCcaTrack **copies, const GstCcaTrack *tracks, guint n_tracks)
{
  if (!allocate (storage, copies, n_tracks))
    return FALSE;
  if (n_tracks > 0)
    memcpy (*copies, tracks, (gsize) n_tracks * sizeof *tracks);
  return TRUE;
}

/* Returns whether the meta says how high objects are. */
static gboolean
has_known_heights (const GstCcaTrackMeta *meta)
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
  if (mapping->swap || !has_known_heights (meta))
    meta->upper_row = meta->upper_height = meta->lower_row = meta->lower_height = 0;
}

static gboolean
map_tracks (GstCcaFrameMeta *base, const GstCcaMapping *mapping)
{
  GstCcaTrackMeta *meta = (GstCcaTrackMeta *) base;
  GstCcaTrack *tracks;
  GstBuffer *storage;
  guint n = 0;

  if (!store (&storage, &tracks, meta->tracks, meta->n_tracks))
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
  return has_known_heights (meta)
         || (meta->upper_row == 0 && meta->upper_height == 0 && meta->lower_row == 0 && meta->lower_height == 0);
}

static GstCcaFrameMetaKind kind = {
  .name = "GstCcaTrackMeta",
  .api_name = "GstCcaTrackMetaAPI",
  .size = sizeof (GstCcaTrackMeta),
  .stale = offsetof (GstCcaTrackMeta, stale),
  .map = map_tracks,
  .write = write_tracks,
  .read = read_tracks,
  .version = VERSION,
};

/* --- The meta ------------------------------------------------------------------------------------------ */

GST_CCA_DEFINE_PLAIN_TYPE (GstCcaTrack, gst_cca_track)

G_DEFINE_ENUM_TYPE (GstCcaTrackState, gst_cca_track_state,
                    { GST_CCA_TRACK_STATE_CONFIRMED, "GST_CCA_TRACK_STATE_CONFIRMED", "confirmed" },
                    { GST_CCA_TRACK_STATE_MERGED, "GST_CCA_TRACK_STATE_MERGED", "merged" },
                    { GST_CCA_TRACK_STATE_COASTING, "GST_CCA_TRACK_STATE_COASTING", "coasting" })

/**
 * gst_cca_track_copy:
 * @track: a #GstCcaTrack
 *
 * Copies a track, which then outlives its meta. Any thread.
 *
 * Returns: (transfer full): the copy, to be freed with gst_cca_track_free()
 *
 * Since: 0.1
 */
/**
 * gst_cca_track_free: (skip)
 * @track: (transfer full) (nullable): a copy from gst_cca_track_copy()
 *
 * Frees a copy of a track. Any thread.
 *
 * Since: 0.1
 */

GST_CCA_DEFINE_FRAME_META (GstCcaTrackMeta, cca_track_meta, kind)

/**
 * gst_cca_track_meta_api_get_type:
 *
 * Returns: the #GType of the meta's API; it has no tags
 *
 * Since: 0.1
 */

/**
 * gst_cca_track_meta_get_info:
 *
 * Returns the meta's implementation. The first call registers it, and only then does gst_meta_deserialize() know the
 * meta. Any thread.
 *
 * Returns: (transfer none): the #GstMetaInfo
 *
 * Since: 0.1
 */

/**
 * gst_buffer_get_cca_track_meta:
 * @buffer: a #GstBuffer
 *
 * Returns the tracks of a frame. If the buffer has several metas, returns the first. Any thread that holds a reference
 * to @buffer.
 *
 * Returns: (transfer none) (nullable): the meta, which lives as long as @buffer has it, or %NULL
 *
 * Since: 0.1
 */

/**
 * gst_buffer_get_cca_track_meta_by_id:
 * @buffer: a #GstBuffer
 * @id: (nullable): the id of the analysis; %NULL for any
 *
 * Returns the tracks of the analysis named @id: the first meta with this id. With %NULL, does the same
 * as gst_buffer_get_cca_track_meta(). Any thread that holds a reference to @buffer.
 *
 * Returns: (transfer none) (nullable): the meta, which lives as long as @buffer has it, or %NULL
 *
 * Since: 0.1
 */

/**
 * gst_buffer_iterate_cca_track_meta: (skip)
 * @buffer: a #GstBuffer
 * @state: (inout): the state of the iteration; %NULL at the start
 *
 * Returns the metas of a frame one after the other, in the order in which they were added. Do not remove metas during
 * the iteration. Any thread that holds a reference to @buffer.
 *
 * Returns: (transfer none) (nullable): the next meta, which lives as long as @buffer has it, or %NULL after the last
 *
 * Since: 0.1
 */

/**
 * gst_buffer_add_cca_track_meta:
 * @buffer: a writable #GstBuffer
 * @id: (nullable): the id of the analysis; %NULL is the empty name
 * @width: width of the frame that the coordinates refer to, pixels
 * @height: height of the frame that the coordinates refer to, pixels
 * @tracks: (array length=n_tracks) (nullable): the tracks, by ascending @track_id, which are copied
 * @n_tracks: number of tracks
 *
 * Adds the tracks of a frame, and keeps the metas that @buffer already has. The thread that owns @buffer.
 *
 * Returns: (transfer none) (nullable): the meta, owned by @buffer; %NULL if memory is exhausted
 *
 * Since: 0.1
 */
GstCcaTrackMeta *
gst_buffer_add_cca_track_meta (GstBuffer *buffer, const gchar *id, guint width, guint height, const GstCcaTrack *tracks,
                               guint n_tracks)
{
  GstCcaTrackMeta *meta;
  GstCcaTrack *copies;
  GstBuffer *storage;

  g_return_val_if_fail (GST_IS_BUFFER (buffer) && gst_buffer_is_writable (buffer), NULL);
  g_return_val_if_fail (n_tracks == 0 || tracks != NULL, NULL);

  if (!store (&storage, &copies, tracks, n_tracks))
    return NULL;
  meta = gst_cca_frame_meta_add (&kind, buffer, g_ref_string_new (id != NULL ? id : ""), width, height, storage);
  meta->n_tracks = n_tracks;
  meta->tracks = copies;
  return meta;
}

/**
 * gst_pad_probe_info_add_cca_track_meta:
 * @info: the argument of a pad probe for a buffer
 * @id: (nullable): the id of the analysis; %NULL is the empty name
 * @width: width of the frame that the coordinates refer to, pixels
 * @height: height of the frame that the coordinates refer to, pixels
 * @tracks: (array length=n_tracks) (nullable): the tracks, by ascending @track_id, which are copied
 * @n_tracks: number of tracks
 *
 * Adds the tracks of a frame to the buffer that passes a pad, as gst_pad_probe_info_add_cca_meta() adds components. An
 * application with a tracker of its own uses it. The thread of the probe.
 *
 * Returns: whether the buffer now in @info has the meta; %FALSE if @info has no buffer or memory is exhausted
 *
 * Since: 0.1
 */
gboolean
gst_pad_probe_info_add_cca_track_meta (GstPadProbeInfo *info, const gchar *id, guint width, guint height,
                                       const GstCcaTrack *tracks, guint n_tracks)
{
  GstBuffer *buffer;

  g_return_val_if_fail (info != NULL, FALSE);

  buffer = gst_cca_frame_meta_probed_buffer (info);
  return buffer != NULL && gst_buffer_add_cca_track_meta (buffer, id, width, height, tracks, n_tracks) != NULL;
}

/**
 * gst_cca_track_meta_get_tracks:
 * @meta: a #GstCcaTrackMeta
 *
 * Copies the tracks, by ascending @track_id, to a list that outlives the meta. Bindings use this; C programs read
 * @meta.tracks. Any thread that holds a reference to the meta's buffer.
 *
 * Returns: (transfer full) (element-type GstCcaTrack): the tracks, to be freed with g_list_free_full() and
 *   gst_cca_track_free()
 *
 * Since: 0.1
 */
GList *
gst_cca_track_meta_get_tracks (const GstCcaTrackMeta *meta)
{
  g_return_val_if_fail (meta != NULL, NULL);

  return gst_cca_frame_meta_list (meta->tracks, meta->n_tracks, sizeof *meta->tracks,
                                  (GBoxedCopyFunc) gst_cca_track_copy);
}

/**
 * gst_cca_track_meta_set_heights:
 * @meta: a #GstCcaTrackMeta
 * @upper_row: a row on which objects stood, pixels from the frame's top
 * @upper_height: how high objects are that stand on it, pixels, above 0
 * @lower_row: another row, not above @upper_row
 * @lower_height: how high objects are that stand on it, pixels, above 0
 *
 * Says how high objects are from row to row, as the tracker has learned it. The thread that owns the meta's buffer.
 *
 * Since: 0.1
 */
void
gst_cca_track_meta_set_heights (GstCcaTrackMeta *meta, gdouble upper_row, gdouble upper_height, gdouble lower_row,
                                gdouble lower_height)
{
  GstCcaTrackMeta heights = {
    .upper_row = upper_row, .upper_height = upper_height, .lower_row = lower_row, .lower_height = lower_height
  };

  g_return_if_fail (meta != NULL);
  g_return_if_fail (has_known_heights (&heights));

  meta->upper_row = upper_row;
  meta->upper_height = upper_height;
  meta->lower_row = lower_row;
  meta->lower_height = lower_height;
}

/**
 * gst_cca_track_meta_get_height:
 * @meta: a #GstCcaTrackMeta
 * @row: a row, pixels from the frame's top
 * @height: (out): how high an object is that stands on @row, pixels; 0 if that is not known
 *
 * Returns how high objects are, which on flat ground grows linearly with the row on which they stand. It is known
 * between @meta.upper_row and @meta.lower_row, once the tracker has learned it. Any thread that holds a reference to
 * the meta's buffer.
 *
 * Returns: whether the height is known
 *
 * Since: 0.1
 */
gboolean
gst_cca_track_meta_get_height (const GstCcaTrackMeta *meta, gdouble row, gdouble *height)
{
  gdouble part;

  g_return_val_if_fail (meta != NULL, FALSE);
  g_return_val_if_fail (height != NULL, FALSE);

  *height = 0;
  if (!has_known_heights (meta) || !(row >= meta->upper_row && row <= meta->lower_row))
    return FALSE;
  part = meta->lower_row > meta->upper_row ? (row - meta->upper_row) / (meta->lower_row - meta->upper_row) : 0;
  *height = meta->upper_height + part * (meta->lower_height - meta->upper_height);
  return TRUE;
}

/**
 * gst_cca_track_meta_map_to_frame:
 * @meta: a #GstCcaTrackMeta
 * @buffer: the buffer that has @meta
 * @width: width of the frame as the buffer's caps say, pixels
 * @height: height of the frame as the buffer's caps say, pixels
 * @place: (out caller-allocates): where the measured frame lies in the frame, pixels; empty for
 *   %GST_CCA_PLACE_UNKNOWN
 *
 * Finds where the tracks of a meta are in the frame that carries it, as gst_cca_meta_map_to_frame() does for
 * components. Any thread that holds a reference to @buffer.
 *
 * Returns: whether and how positions must be mapped
 *
 * Since: 0.1
 */
