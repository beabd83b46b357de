/* gst-cca: how the components of a frame correct its tracks
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "correction.h"

#include <math.h>
#include <stdlib.h>

#include "estimate.h"
#include "lifecycle.h"

/* Gains: the part of a measured area or figure's size that a track takes over. */
#define AREA_GAIN 0.3
#define FIGURE_SIZE_GAIN 0.3

/* The part of former steps that the pace keeps in each step. */
#define PACE_KEPT 0.5

/* The standard deviation of a figure's place, in its sizes, besides a pixel. It is inversely proportional to the part
 * of its box that no other has, at least this: that alone tells where it is. */
#define FIGURE_NOISE 0.1
#define LEAST_OWN 0.12

/* A track that comes out of a shared component: this part of its squared offset adds to the variance of its place. */
#define OCCLUDED_VARIANCE 0.25

/* A box with a side of less than this part of the object's is a part of it, for at most so many seconds: then the
 * object has become smaller. */
#define PARTIAL 0.5
#define MAX_PARTLY 0.4

/* A component with a side of so many times the object's holds others, too, for at most so many seconds: then the object
 * has become larger. */
#define MUCH_LARGER 1.8
#define MAX_IN_LARGER 0.4

/* Tracks whose areas are together less than this part of their component's, for as long, began with parts of one
 * object. */
#define LEAST_EXPLAINED 0.2

/* Limits the votes for a kind, and so the frames that it takes to change. */
#define MAX_VOTES 15

/* A hidden object is no farther from the one that hides it than this part of its size. */
#define HIDDEN_REACH 0.5

/* An object that moves is a sample of sizes again after so many seconds, if it has so many pixels of height. */
#define SAMPLE_INTERVAL 0.1
#define SAMPLE_HEIGHT 16.0

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
  else if (track->votes < MAX_VOTES)
    track->votes++;
}

/* Learns the size of an object that moved and is seen whole. */
static void
learn_size (GstCcaTracker *tracker, const GstCcaTrackerFrame *frame, Track *track, double area, double seconds)
{
  GstCcaSizeSample sample;
  const GstCcaBox *box = &track->box;
  const double width = box->max[0] - box->min[0], height = box->max[1] - box->min[1];

  track->sampled += seconds;
  if (frame->whole || !gst_cca_track_is_confirmed (track) || track->sampled < SAMPLE_INTERVAL
      || !gst_cca_track_has_moved (track))
    return;
  track->sampled = 0.0;
  gst_cca_sizes_add_area (&tracker->sizes, track->id, width * height);
  if (height < SAMPLE_HEIGHT)
    return;
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

/* Returns whether a track's box is only a part of its object, though nothing hides the rest: much smaller, and away
 * from the frame's border. */
static bool
is_partial (const GstCcaTrackerFrame *frame, const Track *track)
{
  const GstCcaSides sides = gst_cca_sides_in_frame (frame, &track->box);

  if (!gst_cca_track_is_confirmed (track) || !gst_cca_track_knows_size (track) || track->partly > MAX_PARTLY
      || sides != GST_CCA_ALL_SIDES)
    return false;
  for (int i = 0; i < 2; i++)
    if (track->box.max[i] - track->box.min[i] < PARTIAL * track->motion.size[i])
      return true;
  return false;
}

/* Returns whether a box is much larger than a track's object. */
static bool
is_much_larger (const Track *track, const GstCcaBox *box)
{
  for (int i = 0; i < 2; i++)
    if (box->max[i] - box->min[i] > MUCH_LARGER * track->motion.size[i] + 2.0)
      return true;
  return false;
}

/* Returns whether a track's object was seen alone and in one piece in the last frame and in this one. */
static bool
is_whole (const GstCcaTrackerFrame *frame, const Track *track, GstCcaSides sides)
{
  return track->hits > 1 && track->unseen <= 0.0 && !track->occluded && track->n_labels == 1
         && (sides & gst_cca_sides_in_frame (frame, &track->last)) == GST_CCA_ALL_SIDES;
}

static void
correct_alone (GstCcaTracker *tracker, const GstCcaTrackerFrame *frame, Track *track, double area, double seconds)
{
  const GstCcaSides sides = gst_cca_sides_in_frame (frame, &track->box);
  GstCcaInnovation innovation = gst_cca_motion_compare (&track->motion, &track->box, sides);

  /* Where upright objects are known by their size at each place, its change is known, too. */
  if (!tracker->figures.upright && is_whole (frame, track, sides) && seconds > 0.0)
    gst_cca_motion_learn_shrinking (&track->motion, &track->last, &track->box, seconds);
  /* A side that is missing for longer is not hidden: the object is smaller now. */
  track->partly = innovation.seen == sides ? 0.0 : track->partly + seconds;
  if (track->partly > MAX_PARTLY)
    innovation.seen = sides;
  /* Place and motion in a shared component were only estimated. */
  for (int i = 0; track->occluded && i < 2; i++)
    track->motion.centre[i].position_variance += OCCLUDED_VARIANCE * innovation.offset[i] * innovation.offset[i];
  gst_cca_motion_update (&track->motion, &track->box, &innovation, track->unseen + seconds, track->n_labels == 1);
  if (innovation.seen == GST_CCA_ALL_SIDES) {
    track->area += AREA_GAIN * (area - track->area);
    learn_size (tracker, frame, track, area, seconds);
  } else {
    track->area = gst_cca_max (track->area, area);
  }
  track->measured_area = (uint64_t) area;
}

/* Returns how far both sides of a box have moved, along the farther axis: where one has, the outline has changed. */
static double
way_of (const GstCcaBox *last, const GstCcaBox *now)
{
  double way = 0.0;

  for (int i = 0; i < 2; i++) {
    const double low = now->min[i] - last->min[i], high = now->max[i] - last->max[i];

    if (low * high > 0.0)
      way = gst_cca_max (way, gst_cca_min (fabs (low), fabs (high)));
  }
  return way;
}

/* Corrects a track by components that are its own; partial: its box is corrected by the part that is seen. */
static void
correct_component (GstCcaTracker *tracker, const GstCcaTrackerFrame *frame, Track *track, bool partial, double area,
                   double seconds)
{
  if (!is_much_larger (track, &track->box))
    track->in_larger = 0.0;
  if (!partial)
    correct_alone (tracker, frame, track, area, seconds);
  track->way = PACE_KEPT * track->way + way_of (&track->last, &track->box);
  track->way_seconds = PACE_KEPT * track->way_seconds + seconds;
  gst_cca_track_note_hit (tracker, frame, track, GST_CCA_OBJECT_CONFIRMED);
}

/* Corrects a track by a figure, whose box is as large as objects are there. */
static void
correct_figure (GstCcaTracker *tracker, const GstCcaTrackerFrame *frame, Track *track, double shared, double area)
{
  const double own = gst_cca_max (1.0 - shared, LEAST_OWN);

  for (int k = 0; k < 2; k++) {
    const double size = track->box.max[k] - track->box.min[k], noise = (FIGURE_NOISE * size + 1.0) / own;

    gst_cca_kalman_update (&track->motion.centre[k],
                           (track->box.min[k] + track->box.max[k]) / 2.0 - track->motion.centre[k].position,
                           noise * noise);
    track->motion.size[k] += FIGURE_SIZE_GAIN * (size - track->motion.size[k]);
  }
  track->area += AREA_GAIN * (area - track->area);
  track->partly = 0.0;
  gst_cca_track_note_hit (tracker, frame, track, GST_CCA_OBJECT_MERGED);
  track->occluded = false;
}

/* Takes back what was learned of a velocity: while an object hides others, its box may move as one of these does. */
static void
keep_velocity (GstCcaKalman *centre, const GstCcaKalman *before)
{
  centre->velocity = before->velocity;
  centre->velocity_variance = before->velocity_variance;
}

/* Corrects a track whose components are its own. Returns whether they are: not if that would be a jump. */
static bool
correct_single (GstCcaTracker *tracker, const GstCcaTrackerFrame *frame, uint32_t index, uint32_t component,
                double area, double seconds)
{
  const GstCcaDetection *detection = &tracker->figures.detections[component];
  const GstCcaMotion *predicted = &tracker->predicted[index];
  Track *track = &tracker->tracks[index];
  const bool partial = !detection->estimated && is_partial (frame, track);
  bool may_move = gst_cca_track_may_move (frame, track, predicted, &track->box, seconds);

  if (may_move && partial) {
    gst_cca_estimate_partial (tracker, frame, track, seconds);
    may_move = gst_cca_track_may_move (frame, track, predicted, &track->box, seconds);
  }
  if (!may_move) {
    track->motion = *predicted;
    track->box = track->last;
    gst_cca_track_note_miss (track, seconds, false);
    return false;
  }
  gst_cca_track_learn_kind (track, frame->components[component].kind);
  if (detection->estimated)
    correct_figure (tracker, frame, track, detection->shared, area);
  else
    correct_component (tracker, frame, track, partial, area, seconds);
  if (tracker->hidden[component] > 0)
    for (int k = 0; k < 2; k++)
      keep_velocity (&track->motion.centre[k], &predicted->centre[k]);
  return true;
}

/* --- A frame ----------------------------------------------------------------------------------------- */

/* Keeps a hidden track near the object that hides it, with its own velocity: that tells the two apart when they part.
 * How well its place is known follows from that. */
static void
hide (Track *track, const GstCcaBox *box)
{
  for (int i = 0; i < 2; i++) {
    const double centre = (box->min[i] + box->max[i]) / 2.0, reach = HIDDEN_REACH * track->motion.size[i];
    GstCcaKalman *place = &track->motion.centre[i];
    const double known = gst_cca_min (reach * reach / place->position_variance, 1.0);

    place->position = gst_cca_min (gst_cca_max (place->position, centre - reach), centre + reach);
    place->position_variance *= known;
    place->covariance *= known;
  }
}

/* Returns whether a track's detection is a single object that only hides it. */
static bool
is_hidden_by (const GstCcaTracker *tracker, const GstCcaLink *link)
{
  return link->contained && tracker->figures.detections[link->component].single;
}

/* Returns whether a track's detection holds more than the track: it is larger than the object can have become. */
static bool
is_in_group (const GstCcaTracker *tracker, const GstCcaTrackerFrame *frame, const GstCcaLink *link)
{
  const Track *track = &tracker->tracks[link->track];
  const GstCcaBox *box = &tracker->boxes[link->component];

  return link->contained && gst_cca_track_knows_size (track) && track->in_larger <= MAX_IN_LARGER
         && is_much_larger (track, box) && gst_cca_sides_in_frame (frame, box) == GST_CCA_ALL_SIDES;
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
      if (claim == NULL && (tracker->users[links[link].component] > 1 || is_in_group (tracker, frame, &links[link])))
        claim = &links[link];
    if (link == first) {
      gst_cca_track_note_miss (track, seconds, false);
      continue;
    }
    if (is_hidden_by (tracker, &links[first])) {
      hide (track, &tracker->boxes[links[first].component]);
      gst_cca_track_note_miss (track, seconds, true);
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

/* Notes for how long the n sharers together have been much smaller than their component. Returns whether that is too
 * long for several tracks. */
static bool
are_outgrown (GstCcaTracker *tracker, const GstCcaTrackerFrame *frame, uint32_t component, size_t n, double seconds)
{
  double area = 0.0, longest = 0.0;
  bool little;

  for (size_t i = 0; i < n; i++)
    area += tracker->tracks[tracker->sharers[i]].area;
  little = n == 1 || area < LEAST_EXPLAINED * (double) frame->components[component].area;
  for (size_t i = 0; i < n; i++) {
    Track *track = &tracker->tracks[tracker->sharers[i]];

    track->in_larger = little ? track->in_larger + seconds : 0.0;
    longest = gst_cca_max (longest, track->in_larger);
  }
  return n > 1 && longest > MAX_IN_LARGER;
}

/* Ends all of n sharers but the one that was seen most often. */
static void
end_all_but_one (GstCcaTracker *tracker, size_t n)
{
  size_t kept = 0;

  for (size_t i = 1; i < n; i++)
    if (tracker->tracks[tracker->sharers[i]].hits > tracker->tracks[tracker->sharers[kept]].hits)
      kept = i;
  for (size_t i = 0; i < n; i++)
    if (i != kept)
      gst_cca_track_end (&tracker->tracks[tracker->sharers[i]]);
  tracker->sharers[0] = tracker->sharers[kept];
}

/* Corrects the n sharers of a claim's component. */
static void
correct_claim (GstCcaTracker *tracker, const GstCcaTrackerFrame *frame, const GstCcaLink *claim, size_t n,
               double seconds)
{
  const uint32_t component = claim->component;
  const bool outgrown = are_outgrown (tracker, frame, component, n, seconds);

  if (outgrown)
    end_all_but_one (tracker, n);
  if (!outgrown && (n > 1 || is_in_group (tracker, frame, claim)))
    gst_cca_estimate_merged (tracker, frame, component, n, seconds);
  else
    correct_single (tracker, frame, tracker->sharers[0], component, (double) frame->components[component].area,
                    seconds);
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
    n = gst_cca_estimate_end_parts (tracker, &tracker->boxes[claims[i].component], n);
    correct_claim (tracker, frame, &claims[i], n, seconds);
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
