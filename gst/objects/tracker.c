/* gst-cca: identities over time: tracks of objects, from the components of frames
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "tracker.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "array.h"
#include "association.h"
#include "fit.h"
#include "sizes.h"

#define DEFAULT_CONFIRM_FRAMES 3
#define DEFAULT_MAX_AGE_TIME 1000000000u

/* A track that was not seen has left the frame when less than this part of its predicted box lies in it. */
#define LEFT 0.3

/* A tentative track that was seen more than once may be missing once in a row. */
#define TENTATIVE_MISSES 1

/* What part of a newly measured area goes into a track's. */
#define AREA_GAIN 0.3

/* The velocities of new tracks: their standard deviation in the frame's diagonals a second. */
#define NEW_SPEED 0.8

/* A box in a shared component is evidence of its object where so much of it is foreground, and so much of that is no
 * other object's. */
#define WIDER 1.05
#define AS_LARGE 2.0
#define UNSEEN_STEP 0.4
#define SIDE_REACH 0.1
#define FILLED 0.25
#define OWN 0.12

/* A track of so many frames or fewer may have begun with a part of an object, whose size is known to this factor. */
#define YOUNG 10
#define WHOLE_OBJECT 1.25

/* What part of a squared way a track's place is uncertain by when it comes out of a shared component. */
#define PLACED_ANEW 0.25

/* A track that others hide is kept for so many times as long as one that is just not seen. */
#define HIDDEN_LONGER 3.0

/* Of the size of a shared box, and at least pixels: how far the fit may be from the prediction, and how exact it is. */
#define FIT_REACH 0.1
#define FIT_NOISE 0.15

/* A component may be several objects' where it is so many times as wide as one; the rest of it is another object
 * where so much of a box is foreground. Objects are this much higher than wide. */
#define SEVERAL 1.6
#define REST 0.35
#define UPRIGHT 0.75
#define SOLID 0.7
#define LARGER 1.15
#define COLUMN 0.25
#define VALLEY 0.95

/* A box that is placed in a component is no higher and no wider than an object there, times these. */
#define TALLEST 1.15
#define WIDEST 1.3

/* How many objects are placed beside each other at most; each takes at least so much more of a width. */
#define MOST_BESIDE 4
#define LEAST_BESIDE 0.6

/* Where sizes are known, a track begins with a component of at least this part of an object's height. */
#define LEAST_PART 0.4

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

/* An object stays at a place while its centre is no farther from it than this part of its longer side. */
#define STAYS 0.5

typedef struct
{
  uint64_t id;
  GstCcaMotion motion;
  GstCcaTrackerState state;
  GstCcaBox box, last; /* over its components, or where it is estimated: in this frame and in the last one */
  double centroid[2];
  double area;                    /* of the whole object, pixels */
  double unseen, hidden;          /* seconds since it was last seen; of these, others hid it */
  uint64_t measured_area;         /* pixels, the last time that its components were its own */
  uint64_t first_seen, last_seen; /* ns */
  double pace;                    /* how far its box's centre moves in a second, along the farther axis: pixels */
  double partly;                  /* seconds for which only a part of it has been seen */
  double start[2];                /* the centre of its first box */
  bool has_come;                  /* it was once so far from there that it must have moved */
  double place[2];                /* where its centre has stayed … */
  uint64_t still_since;           /* … since then, ns */
  double sampled;                 /* seconds since it was a sample of the sizes */
  uint32_t age, hits, misses;
  bool shares;    /* its component is others', too */
  double own;     /* shares: the part of its box that surely is no other's */
  uint32_t label; /* of its largest component, or 0 */
  size_t first_label, n_labels;
} Track;

typedef struct
{
  uint32_t *labels;
  size_t n, room;
} Labels;

struct GstCcaTracker
{
  GstCcaTrackerParams params;
  GstCcaAssociation *association;
  GstCcaCoverage coverage;
  GstCcaSizes sizes;
  uint32_t width, height; /* of the last frame, for which the sizes are */
  uint64_t last_id, last_time, n_confirmed;
  bool started; /* last_time is a frame's */

  Track *tracks;
  size_t n, room;
  Labels labels;
  GstCcaBox *boxes; /* of the frame's components */
  size_t boxes_room;
  uint32_t *users; /* tracks of each component */
  size_t users_room;
  GstCcaMotion *predicted; /* the tracks' motions */
  size_t predicted_room;
  GstCcaCandidate *candidates;
  size_t candidates_room;
  GstCcaTemplate *templates, *expected; /* of a component's tracks, as fitted and as predicted */
  size_t templates_room, expected_room;
  GstCcaLink *claims; /* of the tracks that share components, each to the first that it shares */
  size_t claims_room, n_claims;
  uint32_t *sharers; /* tracks of a component */
  size_t sharers_room;
  GstCcaSides *sides; /* of the component's box that are the sharers' */
  size_t sides_room;
  GstCcaTrackerTrack *published;
  size_t published_room;
};

void
gst_cca_tracker_params_init (GstCcaTrackerParams *params)
{
  *params = (GstCcaTrackerParams) { DEFAULT_CONFIRM_FRAMES, UINT32_MAX, DEFAULT_MAX_AGE_TIME };
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
  free (tracker->coverage.sums);
  free (tracker->tracks);
  free (tracker->labels.labels);
  free (tracker->boxes);
  free (tracker->users);
  free (tracker->predicted);
  free (tracker->candidates);
  free (tracker->templates);
  free (tracker->expected);
  free (tracker->claims);
  free (tracker->sharers);
  free (tracker->sides);
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

bool
gst_cca_tracker_heights (const GstCcaTracker *tracker, GstCcaTrackerHeight heights[2])
{
  const GstCcaSizes *sizes = &tracker->sizes;

  heights[0] = (GstCcaTrackerHeight) { sizes->first, gst_cca_sizes_height (sizes, sizes->first) };
  heights[1] = (GstCcaTrackerHeight) { sizes->last, gst_cca_sizes_height (sizes, sizes->last) };
  return sizes->known;
}

static bool
is_confirmed (const Track *track)
{
  return track->state != GST_CCA_TRACKER_TENTATIVE;
}

/* --- What a frame brings ----------------------------------------------------------------------------- */

/* All memory that a frame needs besides the association's, so that nothing fails later. */
static bool
reserve (GstCcaTracker *tracker, const GstCcaTrackerFrame *frame)
{
  /* A component begins a track, and one that is several objects' some more. */
  const size_t n = tracker->n + 5 * frame->n_components + 64;

  return GST_CCA_RESERVE (tracker->boxes, tracker->boxes_room, frame->n_components)
         && GST_CCA_RESERVE (tracker->users, tracker->users_room, frame->n_components)
         && GST_CCA_RESERVE (tracker->predicted, tracker->predicted_room, n)
         && GST_CCA_RESERVE (tracker->candidates, tracker->candidates_room, n)
         && GST_CCA_RESERVE (tracker->tracks, tracker->room, n)
         && GST_CCA_RESERVE (tracker->templates, tracker->templates_room, n)
         && GST_CCA_RESERVE (tracker->expected, tracker->expected_room, n)
         && GST_CCA_RESERVE (tracker->claims, tracker->claims_room, n)
         && GST_CCA_RESERVE (tracker->sharers, tracker->sharers_room, n)
         && GST_CCA_RESERVE (tracker->sides, tracker->sides_room, n)
         && GST_CCA_RESERVE (tracker->published, tracker->published_room, n)
         && (frame->coverage == NULL || gst_cca_coverage_fill (&tracker->coverage, frame));
}

static void
predict (GstCcaTracker *tracker, const GstCcaTrackerFrame *frame, double seconds)
{
  for (size_t i = 0; i < frame->n_components; i++) {
    const GstCcaTrackerComponent *c = &frame->components[i];

    tracker->boxes[i] = (GstCcaBox) { { c->x, c->y }, { (double) c->x + c->width, (double) c->y + c->height } };
    tracker->users[i] = 0;
  }
  for (size_t i = 0; i < tracker->n; i++) {
    const Track *track = &tracker->tracks[i];

    tracker->predicted[i] = track->motion;
    gst_cca_motion_predict (&tracker->predicted[i], seconds);
    tracker->candidates[i] = (GstCcaCandidate) { .motion = &tracker->predicted[i],
                                                 .area = track->area,
                                                 .unseen = track->unseen,
                                                 .step = track->pace * seconds,
                                                 .hits = track->hits,
                                                 .confirmed = is_confirmed (track),
                                                 .shares = track->shares,
                                                 .own = track->own };
  }
}

/* Returns whether objects stand upright and are of a shape that shows where one ends and the next begins. */
static bool
has_figures (const GstCcaTracker *tracker)
{
  return tracker->sizes.known && tracker->sizes.aspect <= UPRIGHT && tracker->sizes.filled <= SOLID;
}

/* Returns whether a component is as large as several objects. */
static bool
is_several (const GstCcaTracker *tracker, const GstCcaBox *box)
{
  const GstCcaSizes *sizes = &tracker->sizes;
  double height;

  if (!has_figures (tracker) || !gst_cca_sizes_know (sizes, box->max[1]))
    return false;
  height = gst_cca_sizes_height (sizes, box->max[1]);
  return box->max[0] - box->min[0] > SEVERAL * sizes->aspect * height;
}

/* --- Tracks that are seen alone ---------------------------------------------------------------------- */

/* Returns a component's area, in pixels. */
static double
area_of (const GstCcaTracker *tracker, const GstCcaTrackerFrame *frame, uint32_t component)
{
  const uint64_t area = frame->components[component].area;

  return area > 0 ? (double) area : gst_cca_box_area (&tracker->boxes[component]);
}

/* Collects what a track's components are together. */
static double
measure (GstCcaTracker *tracker, const GstCcaTrackerFrame *frame, Track *track, const GstCcaLink *links, size_t n)
{
  double area = 0.0, largest = 0.0, sum[2] = { 0.0, 0.0 };

  track->first_label = tracker->labels.n;
  track->n_labels = n;
  track->label = 0;
  for (size_t i = 0; i < n; i++) {
    const GstCcaTrackerComponent *c = &frame->components[links[i].component];
    const GstCcaBox *box = &tracker->boxes[links[i].component];
    const double weight = area_of (tracker, frame, links[i].component);
    size_t place = tracker->labels.n++;

    track->box = i == 0 ? *box : gst_cca_box_join (&track->box, box);
    area += weight;
    sum[0] += weight * c->centroid_x;
    sum[1] += weight * c->centroid_y;
    for (; place > track->first_label && tracker->labels.labels[place - 1] > c->label; place--)
      tracker->labels.labels[place] = tracker->labels.labels[place - 1];
    tracker->labels.labels[place] = c->label;
    if (weight > largest) {
      largest = weight;
      track->label = c->label;
    }
  }
  for (int i = 0; n > 0 && i < 2; i++)
    track->centroid[i] = sum[i] / area;
  return area;
}

/* Learns the size of an object that moved and is seen whole. */
static void
learn_size (GstCcaTracker *tracker, Track *track, double area, double seconds)
{
  const GstCcaBox *box = &track->box;
  const double width = box->max[0] - box->min[0], height = box->max[1] - box->min[1];
  const double way = gst_cca_length ((box->min[0] + box->max[0]) / 2.0 - track->start[0],
                                     (box->min[1] + box->max[1]) / 2.0 - track->start[1]);

  track->sampled += seconds;
  if (!is_confirmed (track) || track->sampled < SAMPLE_INTERVAL || height < SAMPLE_HEIGHT
      || way < SAMPLE_WAY * gst_cca_max (width, height))
    return;
  track->sampled = 0.0;
  gst_cca_sizes_add (&tracker->sizes,
                     &(GstCcaSizeSample) { box->max[1], width, height, area / (width * height), track->id });
}

/* Returns how far the centres of two boxes are from each other along the farther axis. */
static double
way_between (const GstCcaBox *a, const GstCcaBox *b)
{
  double most = 0.0;

  for (int i = 0; i < 2; i++)
    most = gst_cca_max (most, fabs (a->min[i] + a->max[i] - b->min[i] - b->max[i]) / 2.0);
  return most;
}

/* Returns whether a track that was in one box may be in another now: by its size, because it went on as predicted, or
 * because it turned and goes as fast as before. */
static bool
may_move (const GstCcaTrackerFrame *frame, const Track *track, const GstCcaMotion *predicted, const GstCcaBox *now,
          double seconds)
{
  const bool enters = gst_cca_association_sides (frame, &track->last) != GST_CCA_ALL_SIDES;
  const GstCcaBox expected = gst_cca_motion_box (predicted);
  const double side = gst_cca_max (now->max[0] - now->min[0], now->max[1] - now->min[1]);
  const double way = way_between (&track->last, now), step = track->pace * seconds;

  return track->hits < 2 || track->misses > 0 || way <= JUMP * side || (track->hits < KNOWN && enters)
         || (way_between (&expected, now) <= JUMP_AS_PREDICTED * side && way < TURN * step + JUMP_AS_PREDICTED * side)
         || (track->hits > 2 && way < TURN * step);
}

/* Returns whether a box is so much smaller than the object that it is only a part that is not hidden. */
static bool
is_partial (const GstCcaTrackerFrame *frame, const Track *track)
{
  const GstCcaSides sides = gst_cca_association_sides (frame, &track->box);

  if (!is_confirmed (track) || track->hits < KNOWN || track->partly > LONGEST_PARTLY || sides != GST_CCA_ALL_SIDES)
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
  gst_cca_fit (&blob, &t, 1, false);
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
  const GstCcaSides sides = gst_cca_association_sides (frame, &track->box);
  GstCcaInnovation innovation = gst_cca_motion_compare (&track->motion, &track->box, sides);

  /* A side that is missing for longer is not hidden: the object is smaller now. */
  track->partly = innovation.seen == sides ? 0.0 : track->partly + seconds;
  if (track->partly > LONGEST_PARTLY)
    innovation.seen = sides;
  /* Where it was in a shared component was estimated, and how it moved there is no more than that. */
  for (int i = 0; track->shares && i < 2; i++)
    track->motion.centre[i].position_variance += PLACED_ANEW * innovation.offset[i] * innovation.offset[i];
  gst_cca_motion_update (&track->motion, &track->box, &innovation, track->unseen + seconds, track->n_labels == 1);
  if (innovation.seen == GST_CCA_ALL_SIDES) {
    track->area += AREA_GAIN * (area - track->area);
    learn_size (tracker, track, area, seconds);
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
note_seen (GstCcaTracker *tracker, const GstCcaTrackerFrame *frame, Track *track, GstCcaTrackerState state)
{
  const bool was_confirmed = is_confirmed (track);

  note_place (frame, track);
  track->hits++;
  track->misses = 0;
  track->unseen = track->hidden = 0.0;
  track->last_seen = frame->time;
  track->shares = state == GST_CCA_TRACKER_MERGED;
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
  track->shares = hidden;
  if (is_confirmed (track))
    track->state = GST_CCA_TRACKER_COASTING;
  if (track->state == GST_CCA_TRACKER_COASTING || !hidden) {
    track->n_labels = 0;
    track->label = 0;
  }
}

/* --- Components of several tracks -------------------------------------------------------------------- */

static void
begin (GstCcaTracker *tracker, const GstCcaTrackerFrame *frame, uint32_t component, const GstCcaBox *box, bool shares)
{
  const GstCcaLink link = { 0, component };
  Track *track = &tracker->tracks[tracker->n++];

  *track = (Track) { .id = ++tracker->last_id,
                     .age = 1,
                     .hits = 1,
                     .shares = shares,
                     .first_seen = frame->time,
                     .last_seen = frame->time,
                     .still_since = frame->time };
  track->area = measure (tracker, frame, track, &link, 1);
  if (shares) {
    track->area *= gst_cca_min (1.0, gst_cca_box_area (box) / gst_cca_box_area (&track->box));
    track->box = *box;
  }
  track->measured_area = (uint64_t) track->area;
  track->state = tracker->params.confirm_frames > 1 ? GST_CCA_TRACKER_TENTATIVE
                 : shares                           ? GST_CCA_TRACKER_MERGED
                                                    : GST_CCA_TRACKER_CONFIRMED;
  tracker->n_confirmed += is_confirmed (track);
  gst_cca_motion_init (&track->motion, box, NEW_SPEED * gst_cca_length (frame->width, frame->height));
  for (int i = 0; i < 2; i++)
    track->start[i] = track->place[i] = (box->min[i] + box->max[i]) / 2.0;
}

static GstCcaBlob
blob_of (const GstCcaTracker *tracker, const GstCcaTrackerFrame *frame, uint32_t component)
{
  const GstCcaTrackerComponent *c = &frame->components[component];

  return (GstCcaBlob) { .coverage = frame->coverage ? &tracker->coverage : NULL,
                        .box = tracker->boxes[component],
                        .density = c->area > 0 ? c->area / ((double) c->width * c->height) : 1.0 };
}

/* Returns the foreground pixels in a narrow column of a blob. */
static double
column_at (const GstCcaBlob *blob, double x, double width)
{
  const GstCcaBox column = { { x - width / 2.0, blob->box.min[1] }, { x + width / 2.0, blob->box.max[1] } };

  return gst_cca_blob_count (blob, &column);
}

/* Returns whether a blob is lower between an object and its nearest neighbours, as between two heads, or higher than
 * one of them. */
static bool
stands_apart (const GstCcaBlob *blob, const GstCcaTemplate *templates, size_t n)
{
  const GstCcaTemplate *t = &templates[n];
  const double width = COLUMN * t->size[0], own = column_at (blob, t->centre[0], width);

  for (size_t i = 0; i < n; i++) {
    const double between = (t->centre[0] + templates[i].centre[0]) / 2.0, way = fabs (t->centre[0] - between) * 2.0;

    if (way < 1.6 * t->size[0] && way > 0.5 * t->size[0]
        && column_at (blob, between, width)
               > VALLEY * gst_cca_min (own, column_at (blob, templates[i].centre[0], width)))
      return false;
  }
  return true;
}

/* Begins tracks where a component has more objects than tracks. */
static bool
begin_rest (GstCcaTracker *tracker, const GstCcaTrackerFrame *frame, uint32_t component, const GstCcaBlob *blob,
            size_t n)
{
  const size_t first = n;
  const double height = gst_cca_sizes_height (&tracker->sizes, blob->box.max[1]);
  const double size[2] = { tracker->sizes.aspect * height, height };
  const size_t most = n + 4;

  if (!is_several (tracker, &blob->box))
    return false;
  while (n < most && n < tracker->templates_room) {
    GstCcaTemplate *t = &tracker->templates[n];
    GstCcaBox box;

    *t = (GstCcaTemplate) { .size = { size[0], size[1] } };
    if (gst_cca_fit_rest (blob, tracker->templates, n, size, t->centre) < REST * size[0] * size[1]
        || !stands_apart (blob, tracker->templates, n))
      break;
    box = gst_cca_template_box (t);
    begin (tracker, frame, component, &box, true);
    n++;
  }
  return n > first;
}

/* Places `many` objects side by side in a component. Returns whether each explains enough of it by itself, and stands
 * apart from the next. */
static bool
place_side_by_side (GstCcaTracker *tracker, const GstCcaBlob *blob, const double size[2], size_t many)
{
  GstCcaTemplate *templates = tracker->templates;
  const double height = blob->box.max[1] - blob->box.min[1];

  for (size_t i = 0; i < many; i++) {
    GstCcaTemplate *t = &templates[i];
    const double low = blob->box.min[0] + size[0] / 2.0, high = blob->box.max[0] - size[0] / 2.0;

    *t = (GstCcaTemplate) { .size = { size[0], gst_cca_min (size[1], height) } };
    t->centre[0] = low + (high - low) * (double) i / (double) (many - 1);
    t->centre[1] = (blob->box.min[1] + blob->box.max[1]) / 2.0;
    t->deviation[0] = FIT_REACH * size[0] + 1.0;
    t->deviation[1] = (height - t->size[1]) / 2.0 + 1.0;
  }
  gst_cca_fit (blob, templates, many, has_figures (tracker));
  for (size_t i = 0; i < many; i++)
    if (templates[i].filled * templates[i].own < REST || !stands_apart (blob, templates, i))
      return false;
  return true;
}

/* Begins tracks of a component that is as wide as several objects beside each other, of which at most one has a track.
 * That track's template is the first then. Returns whether it has begun any. */
static bool
begin_beside (GstCcaTracker *tracker, const GstCcaTrackerFrame *frame, uint32_t component, const GstCcaBlob *blob,
              size_t n)
{
  const double width = blob->box.max[0] - blob->box.min[0];
  const double height = gst_cca_sizes_height (&tracker->sizes, blob->box.max[1]);
  const double size[2] = { tracker->sizes.aspect * height, height };
  GstCcaTemplate *templates = tracker->templates;
  const double expected = templates[0].centre[0];
  size_t nearest = 0;

  for (size_t many = MOST_BESIDE; many >= 2; many--) {
    if (width < (1.0 + LEAST_BESIDE * (double) (many - 1)) * size[0] || !place_side_by_side (tracker, blob, size, many))
      continue;
    for (size_t i = 1; n > 0 && i < many; i++)
      if (fabs (templates[i].centre[0] - expected) < fabs (templates[nearest].centre[0] - expected))
        nearest = i;
    for (size_t i = 0; i < many; i++) {
      const GstCcaBox box = gst_cca_template_box (&templates[i]);

      if (n == 0 || i != nearest)
        begin (tracker, frame, component, &box, true);
    }
    templates[0] = templates[nearest];
    return true;
  }
  return false;
}

/* Makes boxes as large as one object that were as large as several. */
static void
narrow (const GstCcaTracker *tracker, GstCcaTemplate *templates, size_t n)
{
  for (size_t i = 0; i < n; i++) {
    const double foot = templates[i].centre[1] + templates[i].size[1] / 2.0;
    const double height = gst_cca_sizes_height (&tracker->sizes, foot), width = tracker->sizes.aspect * height;

    if (templates[i].size[0] > SEVERAL * width)
      templates[i].size[0] = LARGER * width;
    if (templates[i].size[1] > SEVERAL * height)
      templates[i].size[1] = LARGER * height;
  }
}

/* Places the boxes of a component's n tracks, and begins tracks where it has more objects. Returns whether it has. */
static bool
split (GstCcaTracker *tracker, const GstCcaTrackerFrame *frame, uint32_t component, const GstCcaBlob *blob, size_t n)
{
  if (is_several (tracker, &blob->box)) {
    memcpy (tracker->expected, tracker->templates, n * sizeof *tracker->templates);
    if (n == 1 && begin_beside (tracker, frame, component, blob, n))
      return true;
    memcpy (tracker->templates, tracker->expected, n * sizeof *tracker->templates);
    narrow (tracker, tracker->templates, n);
    gst_cca_fit (blob, tracker->templates, n, has_figures (tracker));
    if (begin_rest (tracker, frame, component, blob, n))
      return true;
    memcpy (tracker->templates, tracker->expected, n * sizeof *tracker->templates);
  }
  if (n > 1)
    gst_cca_fit (blob, tracker->templates, n, has_figures (tracker));
  return false;
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
      && (extent->fastest - extent->slowest) * seconds < UNSEEN_STEP * extent->largest)
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
  if (gst_cca_sizes_know (sizes, t->centre[1] + t->size[1] / 2.0)) {
    const double height = gst_cca_sizes_height (sizes, t->centre[1] + t->size[1] / 2.0);
    const double change = height / gst_cca_max (gst_cca_sizes_height (sizes, last->max[1]), 1.0);

    for (int k = 0; k < 2; k++)
      size[k] *= gst_cca_min (gst_cca_max (change, 0.9), 1.1);
    size[0] = gst_cca_min (size[0], WIDEST * sizes->aspect * height);
    size[1] = gst_cca_min (size[1], TALLEST * height);
  }
}

static bool
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
  if (!split (tracker, frame, component, &blob, n) && n == 1)
    return false;
  for (size_t i = 0; i < n; i++) {
    sides[i] = 0;
    for (int k = 0; n > 1 && !has_figures (tracker) && k < 2; k++)
      sides[i] |= sides_of (tracker, &blob.box, &extents[k], i, n, k, seconds);
    sides[i] &= gst_cca_association_sides (frame, &blob.box);
    sides[i] = near_sides (tracker, &blob.box, i, sides[i]);
  }
  for (size_t i = 0; i < n; i++) {
    Track *track = &tracker->tracks[tracker->sharers[i]];
    const GstCcaTemplate *t = &templates[i];

    const GstCcaBox placed = gst_cca_template_box (t);

    track->own = has_figures (tracker) ? t->own : 0.0;

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
    note_seen (tracker, frame, track, GST_CCA_TRACKER_MERGED);
  }
  return true;
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
  tracker->sharers[0] = index;
  if (track->n_labels == 1 && is_several (tracker, &track->box)
      && correct_shared (tracker, frame, component, 1, seconds))
    return true;
  if (is_partial (frame, track))
    correct_partial (tracker, frame, track, seconds);
  else
    correct_alone (tracker, frame, track, area, seconds);
  if (seconds > 0.0)
    track->pace +=
        (track->hits > 1 ? PACE_GAIN : 1.0) * (way_between (&track->last, &track->box) / seconds - track->pace);
  note_seen (tracker, frame, track, GST_CCA_TRACKER_CONFIRMED);
  return true;
}

/* --- A frame ----------------------------------------------------------------------------------------- */

/* Corrects the tracks that have components of their own, and those that have none. */
static void
correct (GstCcaTracker *tracker, const GstCcaTrackerFrame *frame, double seconds, const GstCcaLink *links,
         size_t n_links)
{
  const size_t n_tracks = tracker->n;
  size_t link = 0;

  for (size_t i = 0; i < n_links; i++)
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
    area = measure (tracker, frame, track, links + first, link - first);
    if (claim != NULL) {
      tracker->claims[tracker->n_claims++] = *claim;
      continue;
    }
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
                      area_of (tracker, frame, claims[i].component), seconds);
    n = 0;
  }
}

static bool
has_ended (const GstCcaTracker *tracker, const GstCcaTrackerFrame *frame, const Track *track)
{
  const GstCcaBox view = { { 0.0, 0.0 }, { frame->width, frame->height } };
  const GstCcaBox box = gst_cca_motion_box (&track->motion);
  const double longest = tracker->params.max_age_time / 1e9;

  if (track->misses == 0)
    return false;
  if (!is_confirmed (track))
    return track->hits <= 1 || track->misses > TENTATIVE_MISSES;
  return track->misses > tracker->params.max_age || track->unseen - track->hidden > longest
         || track->hidden > HIDDEN_LONGER * longest || track->misses > track->hits
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
  for (uint32_t i = 0; i < frame->n_components; i++) {
    const GstCcaBox *box = &tracker->boxes[i];

    if (tracker->users[i] > 0)
      continue;
    if (is_several (tracker, box)) {
      const GstCcaBlob blob = blob_of (tracker, frame, i);

      if (begin_beside (tracker, frame, i, &blob, 0) || begin_rest (tracker, frame, i, &blob, 0))
        continue;
    }
    if (gst_cca_sizes_know (&tracker->sizes, box->max[1])
        && box->max[1] - box->min[1] < LEAST_PART * gst_cca_sizes_height (&tracker->sizes, box->max[1])
        && gst_cca_association_sides (frame, box) == GST_CCA_ALL_SIDES)
      continue;
    begin (tracker, frame, i, box, false);
  }
}

static void
publish (const GstCcaTracker *tracker, const Track *track, GstCcaTrackerTrack *published)
{
  const bool estimated = track->state == GST_CCA_TRACKER_MERGED || track->n_labels == 0;
  const GstCcaBox box = estimated ? gst_cca_motion_box (&track->motion) : track->box;

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
    .has_come = track->has_come,
    .still_since = track->still_since,
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

  if (!reserve (tracker, frame))
    return false;
  predict (tracker, frame, seconds);
  if (!gst_cca_association_run (tracker->association, frame, tracker->boxes, tracker->candidates, tracker->n, seconds,
                                &links, &n_links)
      || !GST_CCA_RESERVE (tracker->labels.labels, tracker->labels.room, n_links + 5 * frame->n_components))
    return false;
  if (tracker->width != frame->width || tracker->height != frame->height)
    tracker->sizes = (GstCcaSizes) { 0 };
  tracker->width = frame->width;
  tracker->height = frame->height;
  correct (tracker, frame, seconds, links, n_links);
  correct_sharers (tracker, frame, seconds);
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
