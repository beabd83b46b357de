/* gst-cca: how the components of a frame correct its tracks
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "correction.h"

#include <math.h>
#include <stdlib.h>

/* What part of a newly measured area goes into a track's. */
#define AREA_GAIN 0.3

/* A box in a shared component is evidence of its object where so much of it is foreground, and so much of that is no
 * other object's. */
#define FILLED 0.25
#define OWN 0.12

/* Two objects side by side keep their order where their component is so much wider than one, in parts and pixels, and
 * they do not pass each other by more than this part of one in a frame. */
#define WIDER 1.05
#define AS_LARGE 2.0
#define PASSING 0.4

/* A side of a shared component may be an object's that is expected this near to it, in sizes of it. */
#define SIDE_REACH 0.1

/* A track of so many frames or fewer may have begun with a part of an object, whose size is known to this factor. */
#define YOUNG 10
#define WHOLE_OBJECT 1.25

/* A track's kind has at most so many votes, so that it changes when as many frames in a row say otherwise. */
#define MOST_VOTES 15

/* What part of a squared way a track's place is uncertain by when it comes out of a shared component. */
#define PLACED_ANEW 0.25

/* How exact a figure's place is, and what part of a difference in size a track takes over from it. */
#define FIGURE_NOISE 0.1
#define FIGURE_SIZE_GAIN 0.3

/* An object stays at a place while its centre is no farther from it than this part of its longer side. */
#define STAYS 0.5

/* A hidden object is no farther from the one that hides it than this part of its size. */
#define HIDDEN_REACH 0.5

/* Of the size of a shared box, and at least pixels: how far the fit may be from the prediction, and how exact it is. */
#define FIT_REACH 0.1
#define FIT_NOISE 0.15

/* A box that is placed in a component is no higher and no wider than an object there, times these. */
#define TALLEST 1.15
#define WIDEST 1.3

/* An object is a sample of the sizes when it has moved by this part of its longer side, and so long after the last. */
#define SAMPLE_WAY 0.4
#define SAMPLE_INTERVAL 0.1
#define SAMPLE_HEIGHT 16.0

/* A track that was seen in so many frames knows its size. A box with a side of less than this part of it is a part; for
 * so many seconds, in which it shrinks. */
#define KNOWN 6
#define PARTIAL 0.5
#define LONGEST_PARTLY 0.4
#define SHRINKING_TIME 0.5

/* A frame moves a box by no more than this part of its longer side, or off its prediction by that part, or by so many
 * times as much as the frames before, of which this part goes into the mean. */
#define JUMP 0.65
#define JUMP_AS_PREDICTED 0.4
#define TURN 1.3
#define PACE_GAIN 0.5

/* --- Tracks that are seen alone ---------------------------------------------------------------------- */

/* Adds a label to a track's, in order. */
static void
add_label (GstCcaTracker *tracker, Track *track, uint32_t label)
{
  uint32_t *labels = tracker->labels.labels;
  size_t place = tracker->labels.n++;

  track->n_labels++;
  for (; place > track->first_label && labels[place - 1] > label; place--)
    labels[place] = labels[place - 1];
  labels[place] = label;
}

double
gst_cca_track_measure (GstCcaTracker *tracker, const GstCcaTrackerFrame *frame, Track *track, const GstCcaLink *links,
                       size_t n)
{
  double area = 0.0, largest = 0.0, sum[2] = { 0.0, 0.0 };

  track->first_label = tracker->labels.n;
  track->n_labels = 0;
  track->label = 0;
  for (size_t i = 0; i < n; i++) {
    const GstCcaDetection *detection = &tracker->figures.detections[links[i].component];
    const GstCcaTrackerComponent *c = &frame->components[links[i].component];
    const double weight = (double) c->area;

    track->box = i == 0 ? detection->box : gst_cca_box_join (&track->box, &detection->box);
    area += weight;
    sum[0] += weight * c->centroid_x;
    sum[1] += weight * c->centroid_y;
    if (detection->figure == GST_CCA_NO_FIGURE) {
      add_label (tracker, track, c->label);
    } else {
      for (uint32_t k = 0; k < tracker->seen->n_components; k++)
        if (gst_cca_figures_has (&tracker->figures, detection, k))
          add_label (tracker, track, tracker->seen->components[k].label);
    }
    if (weight > largest) {
      largest = weight;
      track->label = c->label;
    }
  }
  for (int i = 0; n > 0 && i < 2; i++)
    track->centroid[i] = sum[i] / area;
  return area;
}

void
gst_cca_track_learn_kind (Track *track, uint32_t kind)
{
  if (kind == 0)
    return;
  if (track->votes == 0)
    track->kind = kind;
  if (track->kind != kind)
    track->votes--;
  else if (track->votes < MOST_VOTES)
    track->votes++;
}

/* Learns the size of an object that moved and is seen whole. */
static void
learn_size (GstCcaTracker *tracker, const GstCcaTrackerFrame *frame, Track *track, double area, double seconds)
{
  GstCcaSizeSample sample;
  const GstCcaBox *box = &track->box;
  const double width = box->max[0] - box->min[0], height = box->max[1] - box->min[1];
  const double way = gst_cca_length ((box->min[0] + box->max[0]) / 2.0 - track->start[0],
                                     (box->min[1] + box->max[1]) / 2.0 - track->start[1]);

  track->sampled += seconds;
  if (frame->whole || !gst_cca_track_is_confirmed (track) || track->sampled < SAMPLE_INTERVAL || height < SAMPLE_HEIGHT
      || way < SAMPLE_WAY * gst_cca_max (width, height))
    return;
  track->sampled = 0.0;
  sample = (GstCcaSizeSample) {
    .x = (box->min[0] + box->max[0]) / 2.0,
    .foot = box->max[1],
    .width = width,
    .height = height,
    .filled = area / (width * height),
    .id = track->id,
  };
  sample.has_silhouette = gst_cca_silhouette_sample (frame, box, sample.silhouette);
  gst_cca_sizes_add (&tracker->sizes, &sample);
}

/* Returns whether a track that was in one box may be in another now: by its size, because it went on as predicted, or
 * because it turned and goes as fast as before. */
static bool
may_move (const GstCcaTrackerFrame *frame, const Track *track, const GstCcaMotion *predicted, const GstCcaBox *now,
          double seconds)
{
  const bool enters = gst_cca_sides_in_frame (frame, &track->last) != GST_CCA_ALL_SIDES;
  const GstCcaBox expected = gst_cca_motion_box (predicted);
  const double side = gst_cca_max (now->max[0] - now->min[0], now->max[1] - now->min[1]);
  const double way = gst_cca_box_distance (&track->last, now), step = track->pace * seconds;

  return track->hits < 2 || track->misses > 0 || way <= JUMP * side || (track->hits < KNOWN && enters)
         || (gst_cca_box_distance (&expected, now) <= JUMP_AS_PREDICTED * side
             && way < TURN * step + JUMP_AS_PREDICTED * side)
         || (track->hits > 2 && way < TURN * step);
}

/* Returns whether a box is so much smaller than the object that it is only a part that is not hidden. */
static bool
is_partial (const GstCcaTrackerFrame *frame, const Track *track)
{
  const GstCcaSides sides = gst_cca_sides_in_frame (frame, &track->box);

  if (!gst_cca_track_is_confirmed (track) || track->hits < KNOWN || track->partly > LONGEST_PARTLY
      || sides != GST_CCA_ALL_SIDES)
    return false;
  for (int i = 0; i < 2; i++)
    if (track->box.max[i] - track->box.min[i] < PARTIAL * track->motion.size[i])
      return true;
  return false;
}

/* Corrects a track of which only parts are seen: its box lies where it covers most of them. */
static void
correct_partial (GstCcaTracker *tracker, const GstCcaTrackerFrame *frame, Track *track, double seconds)
{
  const GstCcaBox expected = gst_cca_motion_box (&track->motion);
  GstCcaBlob blob = { .box = track->box, .density = 1.0 };
  GstCcaTemplate t;

  if (frame->coverage != NULL)
    blob = (GstCcaBlob) { .coverage = &tracker->coverage,
                          .box = gst_cca_box_grow (&expected,
                                                   0.5 * gst_cca_max (track->motion.size[0], track->motion.size[1])) };
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
  track->partly += seconds;
}

static void
correct_alone (GstCcaTracker *tracker, const GstCcaTrackerFrame *frame, Track *track, double area, double seconds)
{
  const GstCcaSides sides = gst_cca_sides_in_frame (frame, &track->box);
  GstCcaInnovation innovation = gst_cca_motion_compare (&track->motion, &track->box, sides);

  /* A side that is missing for longer is not hidden: the object is smaller now. */
  track->partly = innovation.seen == sides ? 0.0 : track->partly + seconds;
  if (track->partly > LONGEST_PARTLY)
    innovation.seen = sides;
  /* Where it was in a shared component was estimated, and how it moved there is no more than that. */
  for (int i = 0; track->occluded && i < 2; i++)
    track->motion.centre[i].position_variance += PLACED_ANEW * innovation.offset[i] * innovation.offset[i];
  gst_cca_motion_update (&track->motion, &track->box, &innovation, track->unseen + seconds, track->n_labels == 1);
  if (innovation.seen == GST_CCA_ALL_SIDES) {
    track->area += AREA_GAIN * (area - track->area);
    learn_size (tracker, frame, track, area, seconds);
  } else {
    track->area = gst_cca_max (track->area, area);
  }
  track->measured_area = (uint64_t) area;
}

/* --- Tracks that are seen, or not -------------------------------------------------------------------- */

/* Notes how long the object has stood where it is. */
static void
note_place (const GstCcaTrackerFrame *frame, Track *track)
{
  const GstCcaBox *box = &track->box;
  const double side = gst_cca_max (box->max[0] - box->min[0], box->max[1] - box->min[1]);
  const double centre[2] = { (box->min[0] + box->max[0]) / 2.0, (box->min[1] + box->max[1]) / 2.0 };

  track->has_come |= gst_cca_length (centre[0] - track->start[0], centre[1] - track->start[1]) >= SAMPLE_WAY * side;
  if (track->hits > 1 && gst_cca_length (centre[0] - track->place[0], centre[1] - track->place[1]) <= STAYS * side)
    return;
  track->place[0] = centre[0];
  track->place[1] = centre[1];
  track->still_since = frame->time;
}

static void
note_seen (GstCcaTracker *tracker, const GstCcaTrackerFrame *frame, Track *track, GstCcaObjectState state)
{
  const bool was_confirmed = gst_cca_track_is_confirmed (track);

  note_place (frame, track);
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

static void
note_unseen (Track *track, double seconds, bool hidden)
{
  track->misses++;
  track->unseen += seconds;
  track->partly = 0.0;
  track->hidden += hidden ? seconds : 0.0;
  track->occluded = hidden;
  if (gst_cca_track_is_confirmed (track))
    track->state = GST_CCA_OBJECT_COASTING;
  if (track->state == GST_CCA_OBJECT_COASTING || !hidden) {
    track->n_labels = 0;
    track->label = 0;
  }
}

/* --- Components of several tracks -------------------------------------------------------------------- */

static GstCcaBlob
blob_of (const GstCcaTracker *tracker, const GstCcaTrackerFrame *frame, uint32_t component)
{
  const GstCcaTrackerComponent *c = &frame->components[component];

  return (GstCcaBlob) { .coverage = frame->coverage ? &tracker->coverage : NULL,
                        .box = tracker->boxes[component],
                        .density = c->area / ((double) c->width * c->height) };
}

/* What the tracks of a component are together, along an axis. */
typedef struct
{
  double least, most;      /* of their predicted sides */
  double largest;          /* of their sizes */
  double slowest, fastest; /* of their velocities */
  size_t first, last;      /* the sharers whose centres were the first and the last in the frame before */
} Extent;

static Extent
extent_of (const GstCcaTracker *tracker, size_t n, int axis, double seconds)
{
  Extent extent = { INFINITY, -INFINITY, 0.0, INFINITY, -INFINITY, 0, 0 };
  double low = INFINITY, high = -INFINITY;

  for (size_t i = 0; i < n; i++) {
    const GstCcaMotion *motion = &tracker->tracks[tracker->sharers[i]].motion;
    const GstCcaKalman *centre = &motion->centre[axis];
    const double before = centre->position - centre->velocity * seconds;

    extent.least = gst_cca_min (extent.least, centre->position - motion->size[axis] / 2.0);
    extent.most = gst_cca_max (extent.most, centre->position + motion->size[axis] / 2.0);
    extent.largest = gst_cca_max (extent.largest, motion->size[axis]);
    extent.slowest = gst_cca_min (extent.slowest, centre->velocity);
    extent.fastest = gst_cca_max (extent.fastest, centre->velocity);
    if (before < low) {
      low = before;
      extent.first = i;
    }
    if (before > high) {
      high = before;
      extent.last = i;
    }
  }
  return extent;
}

/* Returns the sides of a component's box that are a sharer's: of the one that reaches farthest, and a limit for all. */
static GstCcaSides
sides_of (const GstCcaTracker *tracker, const GstCcaBox *box, const Extent *extent, size_t sharer, size_t n, int axis,
          double seconds)
{
  const GstCcaBox own = gst_cca_motion_box (&tracker->tracks[tracker->sharers[sharer]].motion);
  const double length = box->max[axis] - box->min[axis];

  /* Two that stay side by side keep their order. */
  if (axis == 0 && n == 2 && length > WIDER * extent->largest + AS_LARGE
      && (extent->fastest - extent->slowest) * seconds < PASSING * extent->largest)
    return (extent->first == sharer ? GST_CCA_SIDE_MIN (axis) : 0)
           | (extent->last == sharer ? GST_CCA_SIDE_MAX (axis) : 0);
  return (own.min[axis] <= gst_cca_max (extent->least, box->min[axis]) ? GST_CCA_SIDE_MIN (axis) : 0)
         | (own.max[axis] >= gst_cca_min (extent->most, box->max[axis]) ? GST_CCA_SIDE_MAX (axis) : 0);
}

/* Returns those sides of a box that are not farther from a sharer's than it can have moved. */
static GstCcaSides
near_sides (const GstCcaTracker *tracker, const GstCcaBox *box, size_t sharer, GstCcaSides sides)
{
  const GstCcaMotion *motion = &tracker->tracks[tracker->sharers[sharer]].motion;
  const GstCcaBox own = gst_cca_motion_box (motion);
  GstCcaSides near = 0;

  for (int i = 0; i < 2; i++) {
    const double most = SIDE_REACH * motion->size[i] + 2.0;

    near |= fabs (own.min[i] - box->min[i]) <= most ? GST_CCA_SIDE_MIN (i) : 0;
    near |= fabs (own.max[i] - box->max[i]) <= most ? GST_CCA_SIDE_MAX (i) : 0;
  }
  return sides & near;
}

/* Ends young tracks of a component that is no larger than the object of another one: they began with parts of it.
 * Returns how many are left. */
static size_t
end_parts (GstCcaTracker *tracker, const GstCcaBox *box, size_t n)
{
  size_t left = 0;

  for (size_t i = 0; i < n; i++) {
    Track *track = &tracker->tracks[tracker->sharers[i]];
    bool is_part = false;

    for (size_t k = 0; k < n && track->hits <= YOUNG; k++) {
      const Track *other = &tracker->tracks[tracker->sharers[k]];

      is_part |= other->hits > 2 * track->hits
                 && box->max[0] - box->min[0] <= WHOLE_OBJECT * other->motion.size[0] + 2.0
                 && box->max[1] - box->min[1] <= WHOLE_OBJECT * other->motion.size[1] + 2.0;
    }
    if (is_part)
      track->misses = track->hits + 1;
    else
      tracker->sharers[left++] = tracker->sharers[i];
  }
  return left;
}

/* Corrects a track that a component hides: it has not left it. */
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

/* Gives a box that was placed its size: that of before, changed as objects change in size from row to row, and near
 * that of an object there. */
static void
follow_perspective (const GstCcaTracker *tracker, const GstCcaTemplate *t, const GstCcaBox *last, double size[2])
{
  const GstCcaSizes *sizes = &tracker->sizes;

  size[0] = t->size[0];
  size[1] = t->size[1];
  if (gst_cca_sizes_know (sizes, t->centre[0], t->centre[1] + t->size[1] / 2.0)) {
    const double height = gst_cca_sizes_height (sizes, t->centre[0], t->centre[1] + t->size[1] / 2.0);
    const double change = height / gst_cca_max (gst_cca_sizes_height_of_box (sizes, last), 1.0);

    for (int k = 0; k < 2; k++)
      size[k] *= gst_cca_min (gst_cca_max (change, 0.9), 1.1);
    size[0] = gst_cca_min (size[0], WIDEST * sizes->aspect * height);
    size[1] = gst_cca_min (size[1], TALLEST * height);
  }
}

static void
correct_shared (GstCcaTracker *tracker, const GstCcaTrackerFrame *frame, uint32_t component, size_t n, double seconds)
{
  const GstCcaBlob blob = blob_of (tracker, frame, component);
  GstCcaTemplate *templates = tracker->templates;
  const Extent extents[2] = { extent_of (tracker, n, 0, seconds), extent_of (tracker, n, 1, seconds) };
  GstCcaSides *sides = tracker->sides;

  for (size_t i = 0; i < n; i++) {
    const Track *track = &tracker->tracks[tracker->sharers[i]];
    GstCcaTemplate *t = &templates[i];

    for (int k = 0; k < 2; k++) {
      const GstCcaKalman *centre = &track->motion.centre[k];
      const double reach = FIT_REACH * track->motion.size[k] + 1.0;

      t->centre[k] = centre->position;
      t->size[k] = gst_cca_max (track->motion.size[k], 1.0);
      t->deviation[k] = reach;
    }
  }
  gst_cca_fit (&blob, templates, n);
  for (size_t i = 0; i < n; i++) {
    sides[i] = 0;
    for (int k = 0; k < 2; k++)
      sides[i] |= sides_of (tracker, &blob.box, &extents[k], i, n, k, seconds);
    sides[i] &= gst_cca_sides_in_frame (frame, &blob.box);
    sides[i] = near_sides (tracker, &blob.box, i, sides[i]);
  }
  for (size_t i = 0; i < n; i++) {
    Track *track = &tracker->tracks[tracker->sharers[i]];
    const GstCcaTemplate *t = &templates[i];

    const GstCcaBox placed = gst_cca_template_box (t);

    if (t->filled < FILLED || (n > 1 && t->own < OWN)
        || !may_move (frame, track, &tracker->predicted[tracker->sharers[i]], &placed, seconds)) {
      keep_inside (track, &blob.box);
      note_unseen (track, seconds, t->filled >= FILLED);
      continue;
    }
    gst_cca_motion_update_sides (&track->motion, &blob.box, sides[i]);
    for (int k = 0; k < 2; k++) {
      /* The less of a box only this object explains, the less is known of where it is. */
      const double noise = (FIT_NOISE * t->size[k] + 1.0) / gst_cca_max (t->own, OWN);

      if (sides[i] & (GST_CCA_SIDE_MIN (k) | GST_CCA_SIDE_MAX (k)))
        continue;
      gst_cca_kalman_update (&track->motion.centre[k], t->centre[k] - track->motion.centre[k].position, noise * noise);
    }
    follow_perspective (tracker, t, &track->last, track->motion.size);
    track->box = gst_cca_motion_box (&track->motion);
    note_seen (tracker, frame, track, GST_CCA_OBJECT_MERGED);
  }
}

/* Corrects a track by components that are its own. */
static void
correct_component (GstCcaTracker *tracker, const GstCcaTrackerFrame *frame, Track *track, double area, double seconds)
{
  if (is_partial (frame, track))
    correct_partial (tracker, frame, track, seconds);
  else
    correct_alone (tracker, frame, track, area, seconds);
  if (seconds > 0.0)
    track->pace += (track->hits > 1 ? PACE_GAIN : 1.0)
                   * (gst_cca_box_distance (&track->last, &track->box) / seconds - track->pace);
  note_seen (tracker, frame, track, GST_CCA_OBJECT_CONFIRMED);
}

/* Corrects a track by a figure, whose box is as large as objects are there. */
static void
correct_figure (GstCcaTracker *tracker, const GstCcaTrackerFrame *frame, Track *track, double area)
{
  for (int k = 0; k < 2; k++) {
    const double size = track->box.max[k] - track->box.min[k], noise = FIGURE_NOISE * size + 1.0;

    gst_cca_kalman_update (&track->motion.centre[k],
                           (track->box.min[k] + track->box.max[k]) / 2.0 - track->motion.centre[k].position,
                           noise * noise);
    track->motion.size[k] += FIGURE_SIZE_GAIN * (size - track->motion.size[k]);
  }
  track->area += AREA_GAIN * (area - track->area);
  track->partly = 0.0;
  note_seen (tracker, frame, track, GST_CCA_OBJECT_MERGED);
  track->occluded = false;
}

/* Takes a place, and all else from before: how the object in front seems to move while it hides others may be how one
 * of these moves. */
static void
keep_velocity (GstCcaKalman *centre, const GstCcaKalman *before)
{
  const double position = centre->position;

  *centre = *before;
  centre->position = position;
}

/* Corrects a track whose components are its own. Returns whether they are: not if that would be a jump. */
static bool
correct_single (GstCcaTracker *tracker, const GstCcaTrackerFrame *frame, uint32_t index, uint32_t component,
                double area, double seconds)
{
  Track *track = &tracker->tracks[index];

  if (!may_move (frame, track, &tracker->predicted[index], &track->box, seconds)) {
    track->box = track->last;
    note_unseen (track, seconds, false);
    return false;
  }
  gst_cca_track_learn_kind (track, frame->components[component].kind);
  if (tracker->figures.detections[component].estimated)
    correct_figure (tracker, frame, track, area);
  else
    correct_component (tracker, frame, track, area, seconds);
  if (tracker->hidden[component] > 0)
    for (int k = 0; k < 2; k++)
      keep_velocity (&track->motion.centre[k], &tracker->predicted[index].centre[k]);
  return true;
}

/* --- A frame ----------------------------------------------------------------------------------------- */

/* Places a track that a single object hides: near that, with the velocity of before, which tells the two apart when
 * they part. */
static void
hide (Track *track, const GstCcaBox *box)
{
  for (int i = 0; i < 2; i++) {
    const double centre = (box->min[i] + box->max[i]) / 2.0, reach = HIDDEN_REACH * track->motion.size[i];
    double *place = &track->motion.centre[i].position;

    *place = gst_cca_min (gst_cca_max (*place, centre - reach), centre + reach);
  }
}

/* Returns whether a track's detection is a single object that only hides it. */
static bool
is_hidden_by (const GstCcaTracker *tracker, const GstCcaLink *link)
{
  return link->contained && tracker->figures.detections[link->component].single;
}

/* Corrects the tracks that have components of their own, and those that have none. */
static void
correct_each (GstCcaTracker *tracker, const GstCcaTrackerFrame *frame, double seconds, const GstCcaLink *links,
              size_t n_links)
{
  const size_t n_tracks = tracker->n;
  size_t link = 0;

  for (size_t i = 0; i < n_links; i++)
    if (is_hidden_by (tracker, &links[i]))
      tracker->hidden[links[i].component]++;
    else
      tracker->users[links[i].component]++;
  tracker->labels.n = tracker->n_claims = 0;
  for (uint32_t i = 0; i < n_tracks; i++) {
    Track *track = &tracker->tracks[i];
    const size_t first = link;
    const GstCcaLink *claim = NULL;
    double area;

    track->age++;
    track->last = track->box;
    track->motion = tracker->predicted[i];
    for (; link < n_links && links[link].track == i; link++)
      if (claim == NULL && tracker->users[links[link].component] > 1)
        claim = &links[link];
    if (link == first) {
      note_unseen (track, seconds, false);
      continue;
    }
    if (is_hidden_by (tracker, &links[first])) {
      hide (track, &tracker->boxes[links[first].component]);
      note_unseen (track, seconds, true);
      continue;
    }
    area = gst_cca_track_measure (tracker, frame, track, links + first, link - first);
    if (claim != NULL) {
      tracker->claims[tracker->n_claims++] = *claim;
      continue;
    }
    if (link - first == 1)
      gst_cca_look_learn (&track->look, &tracker->looks[links[first].component]);
    if (!correct_single (tracker, frame, i, links[first].component, area, seconds))
      for (size_t k = first; k < link; k++)
        tracker->users[links[k].component]--;
  }
}

static int
by_component (const void *a, const void *b)
{
  const GstCcaLink *one = a, *other = b;

  if (one->component != other->component)
    return one->component < other->component ? -1 : 1;
  return one->track < other->track ? -1 : one->track > other->track;
}

/* Corrects the tracks that share components. */
static void
correct_sharers (GstCcaTracker *tracker, const GstCcaTrackerFrame *frame, double seconds)
{
  const GstCcaLink *claims = tracker->claims;
  size_t n = 0;

  qsort (tracker->claims, tracker->n_claims, sizeof *claims, by_component);
  for (size_t i = 0; i < tracker->n_claims; i++) {
    tracker->sharers[n++] = claims[i].track;
    if (i + 1 < tracker->n_claims && claims[i + 1].component == claims[i].component)
      continue;
    n = end_parts (tracker, &tracker->boxes[claims[i].component], n);
    if (n > 1)
      correct_shared (tracker, frame, claims[i].component, n, seconds);
    else
      correct_single (tracker, frame, tracker->sharers[0], claims[i].component,
                      (double) frame->components[claims[i].component].area, seconds);
    n = 0;
  }
}

void
gst_cca_tracker_correct (GstCcaTracker *tracker, const GstCcaTrackerFrame *frame, double seconds,
                         const GstCcaLink *links, size_t n_links)
{
  correct_each (tracker, frame, seconds, links, n_links);
  correct_sharers (tracker, frame, seconds);
}
