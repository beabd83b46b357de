/* gst-cca: identities over time: tracks of objects, from the components of frames
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "tracker.h"

#include <math.h>
#include <stdlib.h>

#include "array.h"
#include "association.h"
#include "groups.h"
#include "track.h"

#define DEFAULT_CONFIRM_FRAMES 3
#define DEFAULT_MAX_AGE 30

/* A track that was not seen has left the frame when less than this part of its predicted box lies in it. */
#define LEFT 0.3

/* A tentative track that was seen more than once may be missing once in a row. */
#define TENTATIVE_MISSES 1

/* A track that shares a component with one that was seen alone more often is a part of the other that looked like an
 * object, if it was seen alone in fewer frames than this, or shares components for so many times as long. */
#define SEEN_ALONE 8
#define SHARED_LONG 3

/* A side that is missing for longer, in seconds, is not hidden: the object is smaller now. */
#define LONGEST_HIDDEN 2.0

/* Standard deviations of a size's logarithm: of one that is new, and that of any is not less. */
#define FIRST_VARIATION 0.3
#define LEAST_VARIATION 0.05
#define VARIATION_GAIN 0.1

/* A track that moves by less, in pixels a frame, stands still. */
#define STILL 0.5

/* What part of a newly measured area goes into a track's. */
#define AREA_GAIN 0.3

/* The labels of the tracks' components in a frame. */
typedef struct
{
  uint32_t *labels;
  size_t n, room;
} Labels;

struct GstCcaTracker
{
  GstCcaTrackerParams params;
  GstCcaAssociation *association;
  GstCcaGroups groups;
  uint64_t last_id, last_time, n_confirmed;
  bool started; /* last_time is a frame's */

  GstCcaTrackRecord *tracks;
  size_t n, room;
  Labels labels, last_labels;
  GstCcaBox *boxes; /* of the frame's components */
  size_t boxes_room;
  GstCcaMotion *predicted; /* the tracks' motions */
  size_t predicted_room;
  GstCcaCandidate *candidates;
  size_t candidates_room;
  GstCcaTrackerTrack *published;
  size_t published_room;
};

void
gst_cca_tracker_params_init (GstCcaTrackerParams *params)
{
  *params = (GstCcaTrackerParams) { DEFAULT_CONFIRM_FRAMES, DEFAULT_MAX_AGE };
}

GstCcaTracker *
gst_cca_tracker_new (const GstCcaTrackerParams *params)
{
  GstCcaTracker *tracker = calloc (1, sizeof *tracker);

  if (tracker == NULL)
    return NULL;
  tracker->association = gst_cca_association_new ();
  if (tracker->association == NULL) {
    free (tracker);
    return NULL;
  }
  if (params != NULL)
    tracker->params = *params;
  else
    gst_cca_tracker_params_init (&tracker->params);
  return tracker;
}

void
gst_cca_tracker_free (GstCcaTracker *tracker)
{
  if (tracker == NULL)
    return;
  gst_cca_association_free (tracker->association);
  gst_cca_groups_clear (&tracker->groups);
  free (tracker->tracks);
  free (tracker->labels.labels);
  free (tracker->last_labels.labels);
  free (tracker->boxes);
  free (tracker->predicted);
  free (tracker->candidates);
  free (tracker->published);
  free (tracker);
}

void
gst_cca_tracker_set_params (GstCcaTracker *tracker, const GstCcaTrackerParams *params)
{
  tracker->params = *params;
}

void
gst_cca_tracker_reset (GstCcaTracker *tracker)
{
  tracker->n = 0;
  tracker->started = false;
}

uint64_t
gst_cca_tracker_n_confirmed (const GstCcaTracker *tracker)
{
  return tracker->n_confirmed;
}

static bool
is_confirmed (const GstCcaTrackRecord *track)
{
  return track->state != GST_CCA_TRACKER_TENTATIVE;
}

/* --- What a frame brings ----------------------------------------------------------------------------- */

/* All memory that a frame needs besides the association's, so that nothing fails later. */
static bool
reserve (GstCcaTracker *tracker, const GstCcaTrackerFrame *frame)
{
  const size_t n = tracker->n + frame->n_components;

  return GST_CCA_RESERVE (tracker->boxes, tracker->boxes_room, frame->n_components)
         && GST_CCA_RESERVE (tracker->predicted, tracker->predicted_room, tracker->n)
         && GST_CCA_RESERVE (tracker->candidates, tracker->candidates_room, tracker->n)
         && gst_cca_groups_reserve (&tracker->groups, tracker->n, frame->n_components)
         && GST_CCA_RESERVE (tracker->tracks, tracker->room, n)
         && GST_CCA_RESERVE (tracker->published, tracker->published_room, n);
}

/* Whether a track is expected to be exactly where it was. */
static bool
stands_still (const GstCcaTrackRecord *track, double seconds)
{
  const GstCcaKalman *centre = track->motion.centre;
  const double speed = gst_cca_max (fabs (centre[0].velocity), fabs (centre[1].velocity));

  return track->state == GST_CCA_TRACKER_CONFIRMED && track->misses == 0 && track->n_labels == 1 && track->partly == 0.0
         && track->alone >= SEEN_ALONE && speed * seconds < STILL;
}

static void
predict (GstCcaTracker *tracker, const GstCcaTrackerFrame *frame, double seconds)
{
  for (size_t i = 0; i < frame->n_components; i++) {
    const GstCcaTrackerComponent *c = &frame->components[i];

    tracker->boxes[i] = (GstCcaBox) { { c->x, c->y }, { (double) c->x + c->width, (double) c->y + c->height } };
  }
  for (size_t i = 0; i < tracker->n; i++) {
    const GstCcaTrackRecord *track = &tracker->tracks[i];

    tracker->predicted[i] = track->motion;
    gst_cca_motion_predict (&tracker->predicted[i], seconds);
    tracker->candidates[i] = (GstCcaCandidate) {
      .motion = &tracker->predicted[i],
      .area = track->area,
      .hits = track->hits,
      .misses = track->misses,
      .confirmed = is_confirmed (track),
      .still = stands_still (track, seconds) ? &track->box : NULL,
      .still_area = track->measured_area,
      .merged = track->state == GST_CCA_TRACKER_MERGED,
      .size_variance = { track->size_variance[0], track->size_variance[1] },
      .area_variance = track->area_variance,
      .labels = tracker->labels.labels + track->first_label,
      .n_labels = track->n_labels,
    };
  }
}

/* --- Correction -------------------------------------------------------------------------------------- */

static void
add_label (Labels *all, GstCcaTrackRecord *track, uint32_t label)
{
  uint32_t *labels = all->labels + track->first_label;
  size_t place = track->n_labels++;

  for (; place > 0 && labels[place - 1] > label; place--)
    labels[place] = labels[place - 1];
  labels[place] = label;
  all->n++;
}

/* Collects what a track's components are together. */
static double
measure (GstCcaTracker *tracker, const GstCcaTrackerFrame *frame, GstCcaTrackRecord *track, const GstCcaLink *links,
         size_t n)
{
  double area = 0.0, largest = 0.0, sum[2] = { 0.0, 0.0 };

  track->first_label = tracker->labels.n;
  track->n_labels = 0;
  track->label = 0;
  for (size_t i = 0; i < n; i++) {
    const GstCcaTrackerComponent *c = &frame->components[links[i].component];
    const GstCcaBox *box = &tracker->boxes[links[i].component];
    const double weight = c->area > 0 ? (double) c->area : gst_cca_box_area (box);

    track->box = i == 0 ? *box : gst_cca_box_join (&track->box, box);
    area += weight;
    sum[0] += weight * c->centroid_x;
    sum[1] += weight * c->centroid_y;
    add_label (&tracker->labels, track, c->label);
    if (weight > largest) {
      largest = weight;
      track->label = c->label;
    }
  }
  for (int i = 0; n > 0 && i < 2; i++)
    track->centroid[i] = sum[i] / area;
  return area;
}

static void
vary (double *variance, double is, double should)
{
  const double difference = is != should ? log (is / should) : 0.0;

  *variance += VARIATION_GAIN * (difference * difference + LEAST_VARIATION * LEAST_VARIATION - *variance);
}

/* Learns how a track's size varies while it is seen alone and whole. */
static void
note_variation (GstCcaTrackRecord *track, double area)
{
  for (int i = 0; i < 2; i++)
    vary (&track->size_variance[i], track->box.max[i] - track->box.min[i] + 1.0, track->motion.size[i] + 1.0);
  vary (&track->area_variance, area + 2.0, track->area + 2.0);
}

/* Puts the object's size where a side is hidden. */
static void
complete (GstCcaTrackRecord *track, GstCcaSides seen, GstCcaSides sides)
{
  track->whole = track->box;
  for (int i = 0; i < 2; i++) {
    const bool low = seen & GST_CCA_SIDE_MIN (i), high = seen & GST_CCA_SIDE_MAX (i);

    if (!low && high && (sides & GST_CCA_SIDE_MIN (i)))
      track->whole.min[i] = gst_cca_min (track->box.min[i], track->box.max[i] - track->motion.size[i]);
    if (low && !high && (sides & GST_CCA_SIDE_MAX (i)))
      track->whole.max[i] = gst_cca_max (track->box.max[i], track->box.min[i] + track->motion.size[i]);
  }
}

static void
correct_alone (const GstCcaTrackerFrame *frame, GstCcaTrackRecord *track, double area)
{
  const GstCcaSides sides = gst_cca_association_sides (frame, &track->box);
  GstCcaInnovation innovation = gst_cca_motion_compare (&track->motion, &track->box, sides);

  track->partly = innovation.seen == sides ? 0.0 : track->partly + track->unseen;
  if (track->partly > LONGEST_HIDDEN)
    innovation.seen = sides;
  if (innovation.seen == GST_CCA_ALL_SIDES && track->n_labels == 1)
    note_variation (track, area);
  gst_cca_motion_update (&track->motion, &track->box, &innovation, track->unseen, track->n_labels == 1);
  complete (track, innovation.seen, sides);
  if (innovation.seen == GST_CCA_ALL_SIDES)
    track->area += AREA_GAIN * (area - track->area);
  else
    track->area = gst_cca_max (track->area, area);
  track->unseen = 0.0;
}

static void
correct_merged (const GstCcaTrackerFrame *frame, double seconds, uint32_t index, GstCcaTrackRecord *track,
                const GstCcaGroup *group)
{
  const GstCcaSides sides = gst_cca_group_sides (group, index, &track->motion, seconds);

  gst_cca_motion_update_sides (&track->motion, &group->box, sides & gst_cca_association_sides (frame, &group->box));
}

/* Notes what speaks against a track that shares components. */
static void
note_sharing (const GstCcaTrackerParams *params, GstCcaTrackRecord *track, const GstCcaGroup *group)
{
  const uint32_t shared = track->hits - track->alone;

  if (group->covering_id != 0 && group->covering_id != track->id)
    track->hidden++;
  else if (track->hidden > 0)
    track->hidden--;
  track->is_part = track->id != group->first_id
                   && (track->alone < SEEN_ALONE || (shared > params->max_age && shared / SHARED_LONG > track->alone));
}

static void
correct (GstCcaTracker *tracker, const GstCcaTrackerFrame *frame, double seconds, const GstCcaLink *links,
         size_t n_links)
{
  size_t link = 0;

  for (uint32_t i = 0; i < tracker->n; i++) {
    const GstCcaGroup *group = gst_cca_groups_find (&tracker->groups, i);
    GstCcaTrackRecord *track = &tracker->tracks[i];
    const size_t first = link;
    double area;

    track->age++;
    track->unseen += seconds;
    track->motion = tracker->predicted[i];
    while (link < n_links && links[link].track == i)
      link++;
    area = measure (tracker, frame, track, links + first, link - first);
    if (link == first) {
      track->misses++;
      if (is_confirmed (track))
        track->state = GST_CCA_TRACKER_COASTING;
      continue;
    }
    track->hits++;
    track->misses = 0;
    track->last_seen = frame->time;
    if (!is_confirmed (track) && track->hits >= tracker->params.confirm_frames)
      tracker->n_confirmed++;
    if (is_confirmed (track) || track->hits >= tracker->params.confirm_frames)
      track->state = group != NULL ? GST_CCA_TRACKER_MERGED : GST_CCA_TRACKER_CONFIRMED;
    if (group == NULL) {
      correct_alone (frame, track, area);
      track->measured_area = (uint64_t) area;
      track->alone++;
      track->hidden = 0;
    } else {
      correct_merged (frame, seconds, i, track, group);
      note_sharing (&tracker->params, track, group);
    }
  }
}

/* --- Birth and death --------------------------------------------------------------------------------- */

static bool
has_ended (const GstCcaTracker *tracker, const GstCcaTrackerFrame *frame, const GstCcaTrackRecord *track)
{
  const GstCcaBox view = { { 0.0, 0.0 }, { frame->width, frame->height } };
  const GstCcaBox box = gst_cca_motion_box (&track->motion);

  if (track->misses == 0)
    return track->is_part || track->hidden > tracker->params.max_age + track->alone;
  if (!is_confirmed (track))
    return track->hits <= 1 || track->misses > TENTATIVE_MISSES;
  return track->misses > tracker->params.max_age || track->misses > track->hits
         || gst_cca_box_shared (&box, &view) < LEFT * gst_cca_box_area (&box);
}

static void
end_tracks (GstCcaTracker *tracker, const GstCcaTrackerFrame *frame)
{
  size_t n = 0;

  for (size_t i = 0; i < tracker->n; i++)
    if (!has_ended (tracker, frame, &tracker->tracks[i])) {
      if (n < i)
        tracker->tracks[n] = tracker->tracks[i];
      n++;
    }
  tracker->n = n;
}

static void
begin_tracks (GstCcaTracker *tracker, const GstCcaTrackerFrame *frame)
{
  /* Three standard deviations are fast. */
  const double speed = gst_cca_association_speed (frame) / 3.0;

  for (uint32_t i = 0; i < frame->n_components; i++) {
    const GstCcaLink link = { 0, i };
    GstCcaTrackRecord *track;

    if (gst_cca_groups_has_owner (&tracker->groups, i))
      continue;
    track = &tracker->tracks[tracker->n++];
    *track =
        (GstCcaTrackRecord) { .id = ++tracker->last_id,
                              .age = 1,
                              .hits = 1,
                              .alone = 1,
                              .size_variance = { FIRST_VARIATION * FIRST_VARIATION, FIRST_VARIATION * FIRST_VARIATION },
                              .area_variance = FIRST_VARIATION * FIRST_VARIATION,
                              .first_seen = frame->time,
                              .last_seen = frame->time };
    track->area = measure (tracker, frame, track, &link, 1);
    track->measured_area = (uint64_t) track->area;
    track->state = tracker->params.confirm_frames <= 1 ? GST_CCA_TRACKER_CONFIRMED : GST_CCA_TRACKER_TENTATIVE;
    tracker->n_confirmed += is_confirmed (track);
    gst_cca_motion_init (&track->motion, &track->box, speed);
    track->whole = track->box;
  }
}

/* --- Publication ------------------------------------------------------------------------------------- */

static void
publish (const GstCcaTracker *tracker, const GstCcaTrackRecord *track, GstCcaTrackerTrack *published)
{
  const bool estimated = track->state == GST_CCA_TRACKER_MERGED || track->n_labels == 0;
  const GstCcaBox box = estimated ? gst_cca_motion_box (&track->motion) : track->whole;

  *published = (GstCcaTrackerTrack) {
    .id = track->id,
    .state = track->state,
    .x = box.min[0],
    .y = box.min[1],
    .width = box.max[0] - box.min[0],
    .height = box.max[1] - box.min[1],
    .centroid_x = estimated ? (box.min[0] + box.max[0] - 1.0) / 2.0 : track->centroid[0],
    .centroid_y = estimated ? (box.min[1] + box.max[1] - 1.0) / 2.0 : track->centroid[1],
    .velocity_x = track->motion.centre[0].velocity,
    .velocity_y = track->motion.centre[1].velocity,
    .area = track->measured_area,
    .age = track->age,
    .first_seen = track->first_seen,
    .last_seen = track->last_seen,
    .label = track->label,
    .labels = tracker->labels.labels + track->first_label,
    .n_labels = track->n_labels,
  };
}

bool
gst_cca_tracker_run (GstCcaTracker *tracker, const GstCcaTrackerFrame *frame, const GstCcaTrackerTrack **tracks,
                     size_t *n_tracks)
{
  const double seconds =
      tracker->started && frame->time > tracker->last_time ? (frame->time - tracker->last_time) / 1e9 : 0.0;
  const GstCcaLink *links;
  size_t n_links;
  Labels last;

  if (!reserve (tracker, frame))
    return false;
  predict (tracker, frame, seconds);
  if (!gst_cca_association_run (tracker->association, frame, tracker->boxes, tracker->candidates, tracker->n, seconds,
                                &links, &n_links)
      || !GST_CCA_RESERVE (tracker->last_labels.labels, tracker->last_labels.room, n_links + frame->n_components))
    return false;
  last = tracker->labels;
  tracker->labels = tracker->last_labels;
  tracker->labels.n = 0;
  tracker->last_labels = last;
  gst_cca_groups_make (&tracker->groups, tracker->tracks, tracker->predicted, tracker->n, tracker->boxes,
                       frame->n_components, links, n_links);
  correct (tracker, frame, seconds, links, n_links);
  end_tracks (tracker, frame);
  begin_tracks (tracker, frame);
  tracker->last_time = frame->time;
  tracker->started = true;

  for (size_t i = 0; i < tracker->n; i++)
    publish (tracker, &tracker->tracks[i], &tracker->published[i]);
  *tracks = tracker->published;
  *n_tracks = tracker->n;
  return true;
}
