/* gst-cca: the tracks of a video frame, as a GstMeta
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include <gst/cca/gstccatrackmeta.h>

#include "tracks.h"

G_DEFINE_BOXED_TYPE (GstCcaTrack, gst_cca_track, gst_cca_track_copy, gst_cca_track_free)

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
GstCcaTrack *
gst_cca_track_copy (const GstCcaTrack *track)
{
  g_return_val_if_fail (track != NULL, NULL);

  return g_memdup2 (track, sizeof *track);
}

/**
 * gst_cca_track_free: (skip)
 * @track: (transfer full) (nullable): a copy from gst_cca_track_copy()
 *
 * Frees a copy of a track. Any thread.
 *
 * Since: 0.1
 */
void
gst_cca_track_free (GstCcaTrack *track)
{
  g_free (track);
}

/**
 * gst_cca_track_meta_api_get_type:
 *
 * Returns: the #GType of the meta's API; it has no tags
 *
 * Since: 0.1
 */
GType
gst_cca_track_meta_api_get_type (void)
{
  return gst_cca_frame_meta_api (&gst_cca_tracks);
}

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
const GstMetaInfo *
gst_cca_track_meta_get_info (void)
{
  return gst_cca_frame_meta_info (&gst_cca_tracks);
}

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
GstCcaTrackMeta *
gst_buffer_get_cca_track_meta (GstBuffer *buffer)
{
  g_return_val_if_fail (GST_IS_BUFFER (buffer), NULL);

  return gst_cca_frame_meta_find (&gst_cca_tracks, buffer, NULL);
}

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
const GstCcaTrackMeta *
gst_buffer_get_cca_track_meta_by_id (GstBuffer *buffer, const gchar *id)
{
  g_return_val_if_fail (GST_IS_BUFFER (buffer), NULL);

  return gst_cca_frame_meta_find (&gst_cca_tracks, buffer, id);
}

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
GstCcaTrackMeta *
gst_buffer_iterate_cca_track_meta (GstBuffer *buffer, gpointer *state)
{
  g_return_val_if_fail (GST_IS_BUFFER (buffer), NULL);
  g_return_val_if_fail (state != NULL, NULL);

  return gst_cca_frame_meta_iterate (&gst_cca_tracks, buffer, state);
}

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

  if (!gst_cca_tracks_store (&storage, &copies, tracks, n_tracks))
    return NULL;
  meta =
      gst_cca_frame_meta_add (&gst_cca_tracks, buffer, g_ref_string_new (id != NULL ? id : ""), width, height, storage);
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
  GList *list = NULL;

  g_return_val_if_fail (meta != NULL, NULL);

  for (guint i = meta->n_tracks; i > 0; i--)
    list = g_list_prepend (list, gst_cca_track_copy (&meta->tracks[i - 1]));
  return list;
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
  g_return_if_fail (gst_cca_tracks_know_heights (&heights));

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
  if (!gst_cca_tracks_know_heights (meta) || !(row >= meta->upper_row && row <= meta->lower_row))
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
GstCcaPlace
gst_cca_track_meta_map_to_frame (const GstCcaTrackMeta *meta, GstBuffer *buffer, guint width, guint height,
                                 GstVideoRectangle *place)
{
  g_return_val_if_fail (meta != NULL, GST_CCA_PLACE_UNKNOWN);
  g_return_val_if_fail (GST_IS_BUFFER (buffer), GST_CCA_PLACE_UNKNOWN);
  g_return_val_if_fail (place != NULL, GST_CCA_PLACE_UNKNOWN);

  return gst_cca_frame_meta_map_to_frame (&gst_cca_tracks, meta, buffer, width, height, place);
}
