/* gst-cca: what writing and reading frames of an index have in common
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include "codec.h"

/* A frame's first byte. */
#define HAS_CONTEXT 1
#define HAS_TIMES 2 /* they differ from the prediction by the last frames */
#define HAS_COMPONENTS 4
#define HAS_TRACKS 8
#define SCENE_CHANGE 16
#define LEARNING 32
#define HAS_CELLS 64
#define HAS_MORE 128 /* another byte of flags follows */
/* The second one, 0 if it is missing. */
#define COMPONENTS_STALE 1
#define TRACKS_STALE 2
#define HAS_COVARIANCE 4
#define TRUNCATED 8
#define LAST_MORE 15

/* A track's first byte; the lowest two bits are its state. */
#define STATE_MASK 3
#define AS_COMPONENT 4 /* box, area and centroid are those of the component that it is in */
#define HAS_AGE 8      /* it is not a frame older */
#define HAS_KIND 16
#define LAST_TRACK_FLAGS 31

/* What ccatrack estimates are multiples of 1 / SCALE, in pixels. Any other numbers are written at full length. */
#define SCALE 256
#define AS_IT_IS 2
/* Sums of so many pixels have no rounding. */
#define MOST_PIXELS (1 << 26)

#define MOST_SEARCHED 256 /* components, for a track's label; files may have any number of both */

/* The least bytes of an item. */
#define LEAST_COMPONENT 8
#define LEAST_TRACK 5

/* State that the next frame is compared with. */
struct GstCcaIndexCodec
{
  GstCcaIndexContext context;
  char *caps, *id;
  uint64_t pts, step, duration, utc;
  GstCcaIndexComponent *components, *last_components;
  size_t n_components, n_last_components, room_components, room_last_components;
  GstCcaIndexTrack *tracks, *last_tracks;
  size_t n_tracks, n_last_tracks, room_tracks, room_last_tracks;
  char **kinds; /* those so far */
  size_t n_kinds, room_kinds;
  GstCcaIndexCells cells;
  uint8_t *bitmap; /* of cells */
  size_t room_bitmap;
};

/* A number is a whole number of these parts of 1, near a prediction. */
typedef struct
{
  double scale;
  int64_t prediction;
} GstCcaIndexParts;

typedef struct
{
  GstCcaIndexParts parts[2];
} GstCcaIndexChoice;

/* Lists of this frame become those of the last one. Returns whether there is room for the new ones. */
bool gst_cca_index_turn_lists (GstCcaIndexCodec *codec, size_t n_components, size_t n_tracks);

GstCcaIndexComponent gst_cca_index_last_component (const GstCcaIndexCodec *codec, size_t index);

/* Returns the track of the last frame, from *at on, with an id; one of zeros if there is none. */
GstCcaIndexTrack gst_cca_index_last_track (const GstCcaIndexCodec *codec, uint64_t id, size_t *at);

/* Returns the component of this frame with a label, or NULL if it is not at its label's place or among the first. */
const GstCcaIndexComponent *gst_cca_index_find_component (const GstCcaIndexCodec *codec, uint32_t label);

/* A centroid is a sum of whole pixels over the area, or what ccatrack makes of it: near the middle of the box. */
GstCcaIndexChoice gst_cca_index_centroid_parts (uint64_t area, uint32_t begin, uint32_t length);

GstCcaIndexChoice gst_cca_index_velocity_parts (double before);

/* Keeps a context with copies of its strings. */
bool gst_cca_index_keep_context (GstCcaIndexCodec *codec, const GstCcaIndexContext *context, char *caps, char *id);

size_t gst_cca_index_n_cells (const GstCcaIndexCells *cells);

/* Makes room for cells, and clears them if they are not those of the last time. */
bool gst_cca_index_keep_cells (GstCcaIndexCodec *codec, uint32_t side, uint32_t columns, uint32_t rows);

void gst_cca_index_keep_times (GstCcaIndexCodec *codec, const GstCcaIndexFrame *frame);
