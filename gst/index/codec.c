/* gst-cca: what writing and reading frames of an index have in common
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include <math.h>

#include "array.h"
#include "state.h"

GstCcaIndexCodec *
gst_cca_index_codec_new (void)
{
  return calloc (1, sizeof (GstCcaIndexCodec));
}

void
gst_cca_index_codec_reset (GstCcaIndexCodec *codec)
{
  for (size_t i = 0; i < codec->n_kinds; i++)
    free (codec->kinds[i]);
  free (codec->caps);
  free (codec->id);
  codec->caps = codec->id = NULL;
  codec->context = (GstCcaIndexContext) { 0 };
  codec->pts = codec->step = codec->duration = codec->utc = 0;
  codec->n_components = codec->n_last_components = codec->n_tracks = codec->n_last_tracks = codec->n_kinds = 0;
  codec->cells = (GstCcaIndexCells) { 0 };
}

void
gst_cca_index_codec_free (GstCcaIndexCodec *codec)
{
  if (codec == NULL)
    return;
  gst_cca_index_codec_reset (codec);
  free (codec->components);
  free (codec->last_components);
  free (codec->tracks);
  free (codec->last_tracks);
  free (codec->kinds);
  free (codec->bitmap);
  free (codec);
}

/* --- What both directions predict --------------------------------------------------------------------- */

bool
gst_cca_index_turn_lists (GstCcaIndexCodec *codec, size_t n_components, size_t n_tracks)
{
  GstCcaIndexComponent *components = codec->components;
  GstCcaIndexTrack *tracks = codec->tracks;
  size_t room = codec->room_components;

  codec->components = codec->last_components, codec->last_components = components;
  codec->room_components = codec->room_last_components, codec->room_last_components = room;
  codec->n_last_components = codec->n_components;
  room = codec->room_tracks;
  codec->tracks = codec->last_tracks, codec->last_tracks = tracks;
  codec->room_tracks = codec->room_last_tracks, codec->room_last_tracks = room;
  codec->n_last_tracks = codec->n_tracks;
  codec->n_components = n_components;
  codec->n_tracks = n_tracks;
  return GST_CCA_RESERVE (codec->components, codec->room_components, n_components)
         && GST_CCA_RESERVE (codec->tracks, codec->room_tracks, n_tracks);
}

GstCcaIndexComponent
gst_cca_index_last_component (const GstCcaIndexCodec *codec, size_t index)
{
  return index < codec->n_last_components ? codec->last_components[index] : (GstCcaIndexComponent) { 0 };
}

GstCcaIndexTrack
gst_cca_index_last_track (const GstCcaIndexCodec *codec, uint64_t id, size_t *at)
{
  while (*at < codec->n_last_tracks && codec->last_tracks[*at].id < id)
    ++*at;
  return *at < codec->n_last_tracks && codec->last_tracks[*at].id == id ? codec->last_tracks[*at]
                                                                        : (GstCcaIndexTrack) { 0 };
}

const GstCcaIndexComponent *
gst_cca_index_find_component (const GstCcaIndexCodec *codec, uint32_t label)
{
  if (label > 0 && label <= codec->n_components && codec->components[label - 1].label == label)
    return &codec->components[label - 1];
  for (size_t i = 0; label > 0 && i < codec->n_components && i < MOST_SEARCHED; i++)
    if (codec->components[i].label == label)
      return &codec->components[i];
  return NULL;
}

GstCcaIndexChoice
gst_cca_index_centroid_parts (uint64_t area, uint32_t begin, uint32_t length)
{
  const uint64_t divisor = area > 0 && area < MOST_PIXELS ? area : 1;
  const uint64_t twice = (2 * (uint64_t) begin + length - 1) & UINT32_MAX;

  return (GstCcaIndexChoice) { { { (double) divisor, (int64_t) (divisor * twice / 2) },
                                 { SCALE, (int64_t) (SCALE * twice / 2) } } };
}

GstCcaIndexChoice
gst_cca_index_velocity_parts (double before)
{
  const GstCcaIndexParts parts = { SCALE, fabs (before) < 0x1p40 ? (int64_t) llround (before * SCALE) : 0 };

  return (GstCcaIndexChoice) { { parts, parts } };
}

bool
gst_cca_index_keep_context (GstCcaIndexCodec *codec, const GstCcaIndexContext *context, char *caps, char *id)
{
  free (codec->caps);
  free (codec->id);
  codec->caps = caps;
  codec->id = id;
  codec->context = *context;
  codec->context.caps = caps;
  codec->context.id = id;
  return caps != NULL && id != NULL;
}

size_t
gst_cca_index_n_cells (const GstCcaIndexCells *cells)
{
  return (size_t) cells->columns * cells->rows;
}

bool
gst_cca_index_keep_cells (GstCcaIndexCodec *codec, uint32_t side, uint32_t columns, uint32_t rows)
{
  GstCcaIndexCells *cells = &codec->cells;
  const bool same = cells->side == side && cells->columns == columns && cells->rows == rows;

  *cells = (GstCcaIndexCells) { side, columns, rows, NULL };
  if (!GST_CCA_RESERVE (codec->bitmap, codec->room_bitmap, gst_cca_index_n_cells (cells))) {
    *cells = (GstCcaIndexCells) { 0 };
    return false;
  }
  if (!same && gst_cca_index_n_cells (cells) > 0)
    memset (codec->bitmap, 0, gst_cca_index_n_cells (cells));
  cells->cells = codec->bitmap;
  return true;
}

void
gst_cca_index_keep_times (GstCcaIndexCodec *codec, const GstCcaIndexFrame *frame)
{
  codec->step = frame->pts - codec->pts;
  codec->pts = frame->pts;
  codec->duration = frame->duration;
  codec->utc = frame->utc;
}
