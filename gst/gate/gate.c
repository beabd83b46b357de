/* gst-cca: which frames of a video are worth a detector's time
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "gate.h"

#include "array.h"

/* A smaller step, in pixels, may be noise in the outline of a box of any size. */
#define LEAST_STEP 2.0

/* A track, and where it was when it last moved. */
typedef struct
{
  uint64_t id, moved;
  double place[2];
  bool moves;
} Known;

struct GstCcaMotionGate
{
  Known *tracks, *next; /* of the last frame, and of this one, by ascending id */
  size_t tracks_room, next_room, n;
  uint64_t moved, passed; /* when something moved, and when the last frame passed */
  bool open, started;
};

GstCcaMotionGate *
gst_cca_motion_gate_new (void)
{
  GstCcaMotionGate *gate = calloc (1, sizeof *gate);

  if (gate != NULL)
    gst_cca_motion_gate_reset (gate);
  return gate;
}

void
gst_cca_motion_gate_free (GstCcaMotionGate *gate)
{
  if (gate == NULL)
    return;
  free (gate->tracks);
  free (gate->next);
  free (gate);
}

void
gst_cca_motion_gate_reset (GstCcaMotionGate *gate)
{
  gate->n = 0;
  gate->open = true;
  gate->started = false;
}

static Known
begin (const GstCcaGateTrack *track, uint64_t time)
{
  const GstCcaBox *box = &track->box;

  return (Known) { track->id, time, { (box->min[0] + box->max[0]) / 2.0, (box->min[1] + box->max[1]) / 2.0 }, true };
}

/* Returns the state of a track after this frame. */
static Known
follow (const Known *before, const GstCcaGateTrack *track, const GstCcaGateParams *params, uint64_t time)
{
  const GstCcaBox *box = &track->box;
  const double side = gst_cca_max (box->max[0] - box->min[0], box->max[1] - box->min[1]);
  const double step = gst_cca_max (params->step * side, LEAST_STEP);
  const Known now = begin (track, time);
  Known known = *before;

  if (track->seen && gst_cca_length (now.place[0] - known.place[0], now.place[1] - known.place[1]) > step)
    known = now;
  known.moves = time - known.moved <= params->hold;
  return known;
}

/* Follows the tracks of a frame. Returns whether one moved with it. */
static bool
follow_tracks (GstCcaMotionGate *gate, const GstCcaGateParams *params, const GstCcaGateFrame *frame)
{
  bool moved = false;
  size_t old = 0;

  for (size_t i = 0; i < frame->n_tracks; i++) {
    const GstCcaGateTrack *track = &frame->tracks[i];

    while (old < gate->n && gate->tracks[old].id < track->id)
      old++;
    if (old < gate->n && gate->tracks[old].id == track->id)
      gate->next[i] = follow (&gate->tracks[old], track, params, frame->time);
    else
      gate->next[i] = begin (track, frame->time);
    moved |= gate->next[i].moved == frame->time;
  }
  return moved;
}

static void
keep_tracks (GstCcaMotionGate *gate, size_t n)
{
  Known *tracks = gate->next;
  const size_t room = gate->next_room;

  gate->next = gate->tracks;
  gate->next_room = gate->tracks_room;
  gate->tracks = tracks;
  gate->tracks_room = room;
  gate->n = n;
}

bool
gst_cca_motion_gate_run (GstCcaMotionGate *gate, const GstCcaGateParams *params, const GstCcaGateFrame *frame,
                         GstCcaGateDecision *decision)
{
  const bool stands = frame->n_tracks > 0 || frame->stands;

  if (!GST_CCA_RESERVE (gate->next, gate->next_room, frame->n_tracks))
    return false;
  if (follow_tracks (gate, params, frame) || frame->moves || !gate->started)
    gate->moved = frame->time;
  keep_tracks (gate, frame->n_tracks);
  gate->open = frame->time - gate->moved <= params->hold;
  if (gate->open)
    *decision = GST_CCA_GATE_PASS;
  else if (stands && params->keep_alive > 0 && frame->time - gate->passed >= params->keep_alive)
    *decision = GST_CCA_GATE_KEEP_ALIVE;
  else
    *decision = GST_CCA_GATE_DROP;
  if (*decision != GST_CCA_GATE_DROP)
    gate->passed = frame->time;
  gate->started = true;
  return true;
}

bool
gst_cca_motion_gate_track_moves (const GstCcaMotionGate *gate, size_t track)
{
  return gate->tracks[track].moves;
}

/* --- Tiles -------------------------------------------------------------------------------------------- */

typedef struct
{
  GstCcaBox needed; /* to be covered, in the frame */
  GstCcaTile tile;
} Region;

/* Returns the side of a tile that covers so much, at least `least`, in a frame that has `most`. */
static uint32_t
side_of (double needed, uint32_t least, uint32_t multiple, uint32_t most)
{
  const double side = gst_cca_max (needed, least);
  const double rounded = ceil (side / multiple) * multiple;

  return (uint32_t) gst_cca_min (gst_cca_max (rounded, 1.0), most);
}

/* Returns where a tile of a side lies that covers min…max about in its middle. */
static uint32_t
place_of (double min, double max, uint32_t side, uint32_t frame)
{
  const double middle = floor ((min + max - side) / 2.0);
  const double first = gst_cca_min (gst_cca_max (middle, ceil (max) - side), floor (min));

  return (uint32_t) gst_cca_min (gst_cca_max (first, 0.0), (double) frame - side);
}

static GstCcaTile
tile_of (const GstCcaTilesParams *params, const GstCcaBox *box)
{
  const double from[2] = { floor (box->min[0]), floor (box->min[1]) };
  double size[2] = { ceil (box->max[0]) - from[0], ceil (box->max[1]) - from[1] };
  GstCcaTile tile;

  size[0] = gst_cca_max (size[0], params->min_width);
  size[1] = gst_cca_max (size[1], params->min_height);
  if (params->aspect > 0.0) {
    size[0] = gst_cca_max (size[0], size[1] * params->aspect);
    size[1] = gst_cca_max (size[1], size[0] / params->aspect);
  }
  tile.width = side_of (size[0], params->min_width, params->multiple, params->width);
  tile.height = side_of (size[1], params->min_height, params->multiple, params->height);
  tile.x = place_of (box->min[0], box->max[0], tile.width, params->width);
  tile.y = place_of (box->min[1], box->max[1], tile.height, params->height);
  return tile;
}

static double
area_of (const GstCcaTile *tile)
{
  return (double) tile->width * tile->height;
}

static Region
region_of (const GstCcaTilesParams *params, const GstCcaBox *needed)
{
  return (Region) { *needed, tile_of (params, needed) };
}

static Region
join (const GstCcaTilesParams *params, const Region *a, const Region *b)
{
  const GstCcaBox both = gst_cca_box_join (&a->needed, &b->needed);

  return region_of (params, &both);
}

/* Makes one of the two regions whose union wastes the fewest pixels; or, unless it must, of none if any would waste
 * some. Returns whether it did. */
static bool
merge (const GstCcaTilesParams *params, Region *regions, size_t *n, bool must)
{
  size_t best[2] = { 0, 0 };
  double least = must ? INFINITY : 1e-9;
  Region merged;

  for (size_t i = 0; i < *n; i++)
    for (size_t k = 0; k < i; k++) {
      const Region both = join (params, &regions[k], &regions[i]);
      const double waste = area_of (&both.tile) - area_of (&regions[k].tile) - area_of (&regions[i].tile);

      if (waste < least) {
        least = waste;
        best[0] = k;
        best[1] = i;
      }
    }
  if (best[1] == 0)
    return false;
  merged = join (params, &regions[best[0]], &regions[best[1]]);
  regions[best[0]] = merged;
  regions[best[1]] = regions[--*n];
  return true;
}

size_t
gst_cca_tiles_cover (const GstCcaTilesParams *params, const GstCcaBox *boxes, size_t n,
                     GstCcaTile tiles[GST_CCA_TILES_MOST])
{
  const GstCcaBox frame = { { 0.0, 0.0 }, { params->width, params->height } };
  Region regions[GST_CCA_TILES_MOST + 1];
  size_t n_regions = 0;

  for (size_t i = 0; i < n; i++) {
    const GstCcaBox *box = &boxes[i];
    const double side = gst_cca_max (box->max[0] - box->min[0], box->max[1] - box->min[1]);
    const GstCcaBox grown = gst_cca_box_grow (box, params->margin * side);
    const GstCcaBox needed = gst_cca_box_clip (&grown, &frame);

    if (!gst_cca_box_touches (box, &frame))
      continue;
    regions[n_regions++] = region_of (params, &needed);
    if (n_regions > GST_CCA_TILES_MOST)
      merge (params, regions, &n_regions, true);
  }
  while (n_regions > 1 && merge (params, regions, &n_regions, n_regions > params->most))
    continue;
  for (size_t i = 0; i < n_regions; i++)
    tiles[i] = regions[i].tile;
  return n_regions;
}
