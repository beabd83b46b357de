/* gst-cca: which frames of a video are worth a detector's time
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "gate.h"

#include "array.h"

/* Of less, in pixels, a box's outline may be uncertain however small it is. */
#define LEAST_STEP 2.0

/* A track, and where it was when it last moved. */
typedef struct
{
  uint64_t id, moved;
  double place[2];
  bool moves;
} Known;

struct GstCcaGate
{
  Known *tracks, *next; /* of the last frame, and of this one, by ascending id */
  size_t tracks_room, next_room, n;
  uint64_t moved, passed; /* when something moved, and when the last frame passed */
  bool open, started;
};

GstCcaGate *
gst_cca_gate_new (void)
{
  GstCcaGate *gate = calloc (1, sizeof *gate);

  if (gate != NULL)
    gst_cca_gate_reset (gate);
  return gate;
}

void
gst_cca_gate_free (GstCcaGate *gate)
{
  if (gate == NULL)
    return;
  free (gate->tracks);
  free (gate->next);
  free (gate);
}

void
gst_cca_gate_reset (GstCcaGate *gate)
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

/* Returns what is known of a track after this frame. */
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
follow_tracks (GstCcaGate *gate, const GstCcaGateParams *params, const GstCcaGateFrame *frame)
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
keep_tracks (GstCcaGate *gate, size_t n)
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
gst_cca_gate_run (GstCcaGate *gate, const GstCcaGateParams *params, const GstCcaGateFrame *frame,
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
gst_cca_gate_track_moves (const GstCcaGate *gate, size_t track)
{
  return gate->tracks[track].moves;
}
