/* gst-cca: corrects tracks whose components do not show their boxes
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "estimate.h"

#include <math.h>

#include "lifecycle.h"

/* How far the fit may move a box off its prediction, and how exact it is: in sizes of the box, besides a pixel. */
#define FIT_REACH 0.1
#define FIT_NOISE 0.15

/* A fitted box shows its object if this part of it is foreground, and no other object explains this part of that. */
#define MIN_FILLED 0.25
#define MIN_OWN 0.12

/* A side of the component may be a track's if it is no farther from that than this part of its size. */
#define SIDE_REACH 0.1

/* A track with at most so many hits may have begun with a part of an object. Its whole is at most this much larger than
 * the known size. */
#define MAX_PART_HITS 10
#define MAX_WHOLE 1.25

/* The time constant in which a track takes over the size of its visible part. */
#define SHRINKING_TIME 0.5

/* --- Tracks seen in part ----------------------------------------------------------------------------- */

void
gst_cca_estimate_partial (GstCcaTracker *tracker, const GstCcaTrackerFrame *frame, Track *track, double seconds)
{
  const GstCcaBox expected = gst_cca_motion_box (&track->motion);
  GstCcaBlob blob = { .box = track->box, .density = 1.0 };
  GstCcaTemplate t;

  if (frame->coverage != NULL)
    blob = (GstCcaBlob) { .coverage = &tracker->coverage,
                          .box = gst_cca_box_grow (&expected, 0.5 * gst_cca_track_longer_side (track)) };
  for (int k = 0; k < 2; k++) {
    t.centre[k] = track->motion.centre[k].position;
    t.size[k] = track->motion.size[k];
    t.deviation[k] = FIT_REACH * t.size[k] + 1.0;
  }
  gst_cca_fit (&blob, &t, 1);
  for (int k = 0; k < 2; k++) {
    const double noise = FIT_NOISE * t.size[k] + 1.0, seen = track->box.max[k] - track->box.min[k];

    gst_cca_kalman_update (&track->motion.centre[k], t.centre[k] - track->motion.centre[k].position, noise * noise);
    track->motion.size[k] += (seen - track->motion.size[k]) * gst_cca_min (1.0, seconds / SHRINKING_TIME);
  }
  track->box = gst_cca_motion_box (&track->motion);
  track->motion.shrinking = 0.0;
  track->partly += seconds;
}

/* --- Merged tracks ----------------------------------------------------------------------------------- */

static GstCcaBlob
blob_of (const GstCcaTracker *tracker, const GstCcaTrackerFrame *frame, uint32_t component)
{
  const GstCcaTrackerComponent *c = &frame->components[component];

  return (GstCcaBlob) { .coverage = frame->coverage ? &tracker->coverage : NULL,
                        .box = tracker->boxes[component],
                        .density = c->area / ((double) c->width * c->height) };
}

/* Returns the box around the n sharers' predicted ones. */
static GstCcaBox
extent_of (const GstCcaTracker *tracker, size_t n)
{
  GstCcaBox extent = gst_cca_motion_box (&tracker->tracks[tracker->sharers[0]].motion);

  for (size_t i = 1; i < n; i++) {
    const GstCcaBox box = gst_cca_motion_box (&tracker->tracks[tracker->sharers[i]].motion);

    extent = gst_cca_box_join (&extent, &box);
  }
  return extent;
}

/* Returns the sides of a component's box that show a sharer's: it is outermost there, and can have moved to them. */
static GstCcaSides
sides_of (const GstCcaBox *box, const GstCcaBox *extent, const GstCcaMotion *sharer)
{
  const GstCcaBox own = gst_cca_motion_box (sharer);
  GstCcaSides sides = 0;

  for (int i = 0; i < 2; i++) {
    const double reach = SIDE_REACH * sharer->size[i] + 2.0;

    if (own.min[i] <= gst_cca_max (extent->min[i], box->min[i]) && fabs (own.min[i] - box->min[i]) <= reach)
      sides |= GST_CCA_SIDE_MIN (i);
    if (own.max[i] >= gst_cca_min (extent->max[i], box->max[i]) && fabs (own.max[i] - box->max[i]) <= reach)
      sides |= GST_CCA_SIDE_MAX (i);
  }
  return sides;
}

size_t
gst_cca_estimate_end_parts (GstCcaTracker *tracker, const GstCcaBox *box, size_t n)
{
  size_t left = 0;

  for (size_t i = 0; i < n; i++) {
    Track *track = &tracker->tracks[tracker->sharers[i]];
    bool is_part = false;

    for (size_t k = 0; k < n && track->hits <= MAX_PART_HITS; k++) {
      const Track *other = &tracker->tracks[tracker->sharers[k]];

      is_part |= other->hits > 2 * track->hits && box->max[0] - box->min[0] <= MAX_WHOLE * other->motion.size[0] + 2.0
                 && box->max[1] - box->min[1] <= MAX_WHOLE * other->motion.size[1] + 2.0;
    }
    if (is_part)
      gst_cca_track_end (track);
    else
      tracker->sharers[left++] = tracker->sharers[i];
  }
  return left;
}

/* Keeps a track that was not found inside its component: it has not left that. */
static void
keep_inside (Track *track, const GstCcaBox *box)
{
  for (int i = 0; i < 2; i++) {
    const double size = track->motion.size[i], noise = FIT_NOISE * size + 1.0, place = track->motion.centre[i].position;
    const double low = gst_cca_min (box->min[i] + size / 2.0, (box->min[i] + box->max[i]) / 2.0);
    const double high = box->min[i] + box->max[i] - low;

    if (place < low || place > high)
      gst_cca_kalman_update (&track->motion.centre[i], (place < low ? low : high) - place, noise * noise);
  }
}

/* Fits the boxes of the n sharers to the component, near their predictions. */
static void
fit_sharers (GstCcaTracker *tracker, const GstCcaBlob *blob, size_t n)
{
  for (size_t i = 0; i < n; i++) {
    const GstCcaMotion *motion = &tracker->tracks[tracker->sharers[i]].motion;
    GstCcaTemplate *t = &tracker->templates[i];

    for (int k = 0; k < 2; k++) {
      t->centre[k] = motion->centre[k].position;
      t->size[k] = gst_cca_max (motion->size[k], 1.0);
      t->deviation[k] = FIT_REACH * motion->size[k] + 1.0;
    }
  }
  gst_cca_fit (blob, tracker->templates, n);
}

/* Finds the sides of the component that show a sharer's. */
static void
find_sides (GstCcaTracker *tracker, const GstCcaTrackerFrame *frame, const GstCcaBox *box, size_t n)
{
  const GstCcaSides in_frame = gst_cca_sides_in_frame (frame, box);
  const GstCcaBox extent = extent_of (tracker, n);

  for (size_t i = 0; i < n; i++)
    tracker->sides[i] = in_frame & sides_of (box, &extent, &tracker->tracks[tracker->sharers[i]].motion);
}

/* Corrects a sharer by its sides of the component and, along an axis without, by its fitted box. Returns whether it may
 * be there; if not, it stays as it was. */
static bool
correct_sharer (GstCcaTracker *tracker, const GstCcaTrackerFrame *frame, const GstCcaBox *box, size_t sharer,
                double seconds)
{
  Track *track = &tracker->tracks[tracker->sharers[sharer]];
  const GstCcaTemplate *t = &tracker->templates[sharer];
  const GstCcaSides sides = tracker->sides[sharer];
  GstCcaMotion motion = track->motion;
  GstCcaBox corrected;

  gst_cca_motion_update_sides (&motion, box, sides);
  for (int k = 0; k < 2; k++) {
    /* The less of a box only this object explains, the less is known of where it is. */
    const double noise = (FIT_NOISE * t->size[k] + 1.0) / gst_cca_max (t->own, MIN_OWN);

    if (!(sides & (GST_CCA_SIDE_MIN (k) | GST_CCA_SIDE_MAX (k))))
      gst_cca_kalman_update (&motion.centre[k], t->centre[k] - motion.centre[k].position, noise * noise);
  }
  corrected = gst_cca_motion_box (&motion);
  if (!gst_cca_track_may_move (frame, track, &track->motion, &corrected, seconds))
    return false;
  track->motion = motion;
  track->box = corrected;
  return true;
}

/* Returns whether a fitted box, one of n, shows its object. */
static bool
shows (const GstCcaTemplate *t, size_t n)
{
  return t->filled >= MIN_FILLED && (n == 1 || t->own >= MIN_OWN);
}

void
gst_cca_estimate_merged (GstCcaTracker *tracker, const GstCcaTrackerFrame *frame, uint32_t component, size_t n,
                         double seconds)
{
  const GstCcaBlob blob = blob_of (tracker, frame, component);
  size_t n_shown = 0;

  fit_sharers (tracker, &blob, n);
  find_sides (tracker, frame, &blob.box, n);
  for (size_t i = 0; i < n; i++)
    n_shown += shows (&tracker->templates[i], n);
  /* Where the boxes hide each other, as those of one object that was two, the oldest is seen. Upright objects are told
   * apart by figures. */
  for (size_t i = 0; i < n; i++) {
    Track *track = &tracker->tracks[tracker->sharers[i]];
    const GstCcaTemplate *t = &tracker->templates[i];

    if (shows (t, n_shown > 0 || tracker->figures.upright ? n : 1)
        && correct_sharer (tracker, frame, &blob.box, i, seconds)) {
      n_shown++;
      gst_cca_track_note_hit (tracker, frame, track, GST_CCA_OBJECT_MERGED);
    } else {
      keep_inside (track, &blob.box);
      gst_cca_track_note_miss (track, seconds, t->filled >= MIN_FILLED);
    }
  }
}
