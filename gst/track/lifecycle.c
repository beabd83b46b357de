/* gst-cca: hits and misses of a track, and how far it may move
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "lifecycle.h"

#include <math.h>

/* From frame to frame, what is published of a track moves no more than this part of its longer side. A box that keeps
 * its longer side, to this part, may move farther: off its prediction by no more than that part, or this many times as
 * far as in the frames before. One that does not keep it moves with its outline, which is cut or torn. */
#define JUMP 0.65
#define KEPT 0.7
#define JUMP_OFF_PREDICTION 0.4
#define MAX_ACCELERATION 1.3

/* An object has moved, or left a place, when its centre is farther from there than this part of its longer side. */
#define MOVED 0.4
#define STAYS 0.5

static double
longer_side (const GstCcaBox *box)
{
  return gst_cca_max (box->max[0] - box->min[0], box->max[1] - box->min[1]);
}

bool
gst_cca_track_may_move (const GstCcaTrackerFrame *frame, const Track *track, const GstCcaMotion *predicted,
                        const GstCcaBox *now, double seconds)
{
  const GstCcaBox view = { { 0.0, 0.0 }, { frame->width, frame->height } };
  const GstCcaBox motion = gst_cca_motion_box (predicted), expected = gst_cca_box_clip (&motion, &view);
  const GstCcaBox before = gst_cca_box_clip (&track->published, &view), shown = gst_cca_box_clip (now, &view);
  const double side = longer_side (&shown), last_side = longer_side (&before);
  const double way = gst_cca_box_distance (&before, &shown);
  const double fastest = MAX_ACCELERATION * gst_cca_track_pace (track) * seconds;

  if (track->hits < 2 || way <= JUMP * side)
    return true;
  return gst_cca_min (side, last_side) >= KEPT * gst_cca_max (side, last_side)
         && ((track->hits > 3 && way < fastest)
             || (gst_cca_box_distance (&expected, &shown) <= JUMP_OFF_PREDICTION * side
                 && way < fastest + JUMP_OFF_PREDICTION * side));
}

bool
gst_cca_track_has_moved (const Track *track)
{
  const GstCcaBox *box = &track->box;

  return gst_cca_length ((box->min[0] + box->max[0]) / 2.0 - track->start[0],
                         (box->min[1] + box->max[1]) / 2.0 - track->start[1])
         >= MOVED * longer_side (box);
}

/* Notes since when the object has stayed where it is. */
static void
note_place (const GstCcaTrackerFrame *frame, Track *track)
{
  const GstCcaBox *box = &track->box;
  const double centre[2] = { (box->min[0] + box->max[0]) / 2.0, (box->min[1] + box->max[1]) / 2.0 };

  track->has_come |= gst_cca_track_has_moved (track);
  if (track->hits > 1
      && gst_cca_length (centre[0] - track->place[0], centre[1] - track->place[1]) <= STAYS * longer_side (box))
    return;
  track->place[0] = centre[0];
  track->place[1] = centre[1];
  track->still_since = frame->time;
}

void
gst_cca_track_note_hit (GstCcaTracker *tracker, const GstCcaTrackerFrame *frame, Track *track, GstCcaObjectState state)
{
  const bool was_confirmed = gst_cca_track_is_confirmed (track);

  note_place (frame, track);
  if (state == GST_CCA_OBJECT_MERGED)
    track->motion.shrinking = 0.0;
  track->hits++;
  track->misses = 0;
  track->unseen = track->hidden = 0.0;
  track->last_seen = frame->time;
  track->occluded = state == GST_CCA_OBJECT_MERGED;
  if (was_confirmed || track->hits >= tracker->params.confirm_frames) {
    track->state = state;
    tracker->n_confirmed += !was_confirmed;
  }
}

void
gst_cca_track_note_miss (Track *track, double seconds, bool hidden)
{
  track->motion.shrinking = 0.0;
  track->misses++;
  track->unseen += seconds;
  track->hidden += hidden ? seconds : 0.0;
  track->occluded = hidden;
  if (gst_cca_track_is_confirmed (track))
    track->state = GST_CCA_OBJECT_COASTING;
  if (track->state == GST_CCA_OBJECT_COASTING || !hidden) {
    track->n_labels = 0;
    track->label = 0;
  }
}
