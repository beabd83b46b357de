/* gst-cca: identities over time: tracks of objects, from the components of frames
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "tracker.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "array.h"
#include "correction.h"

/* An unseen track ends when less than this part of its predicted box lies in the frame. */
#define LEFT 0.5

/* The standard deviation of a new track's velocity, in the frame's diagonals a second. */
#define NEW_SPEED 0.8

/* How many times as long a track may be hidden by others as merely unseen. */
#define HIDDEN_LONGER 3.0

/* Where sizes are known, the least height of a component that begins a track, in heights of an object. */
#define LEAST_PART 0.4

/* Looks are measured for at most so many detections: the time grows with their square. */
#define MOST_LOOKS 200

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
  tracker->params = params != NULL ? *params
                                   : (GstCcaTrackerParams) { GST_CCA_TRACKER_CONFIRM_FRAMES, GST_CCA_TRACKER_MAX_AGE,
                                                             GST_CCA_TRACKER_MAX_AGE_TIME };
  return tracker;
}

void
gst_cca_tracker_free (GstCcaTracker *tracker)
{
  if (tracker == NULL)
    return;
  gst_cca_association_free (tracker->association);
  free (tracker->coverage.sums);
  gst_cca_figures_clear (&tracker->figures);
  free (tracker->hints);
  free (tracker->detected);
  free (tracker->tracks);
  free (tracker->labels.labels);
  free (tracker->boxes);
  free (tracker->singles);
  free (tracker->looks);
  free (tracker->users);
  free (tracker->hidden);
  free (tracker->predicted);
  free (tracker->templates);
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
  gst_cca_frame_clock_restart (&tracker->clock);
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

  const double middle = tracker->width / 2.0;
  double rows[2] = { sizes->first, sizes->last };

  if (sizes->grounded) {
    rows[1] = tracker->height;
    rows[0] = gst_cca_sizes_first_row (sizes, middle, tracker->height);
  }
  for (int i = 0; i < 2; i++)
    heights[i] = (GstCcaTrackerHeight) { rows[i], gst_cca_sizes_height (sizes, middle, rows[i]) };
  return sizes->known;
}

double
gst_cca_tracker_metres (const GstCcaTracker *tracker)
{
  return tracker->sizes.grounded && tracker->sizes.known ? tracker->sizes.metres : 0.0;
}

/* --- Sizes ------------------------------------------------------------------------------------------- */

/* Sets the ground of the sizes, in pixels of the tracker's frames. */
static void
use_ground (GstCcaTracker *tracker)
{
  GstCcaGroundScale scale;
  double pixel[2];

  gst_cca_ground_pixel (&tracker->ground, tracker->width, tracker->height, pixel);
  scale = gst_cca_ground_scale (&tracker->ground.ground, pixel);
  gst_cca_sizes_set_ground (&tracker->sizes, &scale, tracker->people);
}

static void
begin_sizes (GstCcaTracker *tracker, uint32_t width, uint32_t height)
{
  tracker->sizes = (GstCcaSizes) { 0 };
  tracker->width = width;
  tracker->height = height;
  if (tracker->grounded)
    use_ground (tracker);
}

void
gst_cca_tracker_set_ground (GstCcaTracker *tracker, const GstCcaGroundPicture *ground, bool people)
{
  tracker->ground = *ground;
  tracker->grounded = true;
  tracker->people = people;
}

/* --- Detections -------------------------------------------------------------------------------------- */

/* Reserves all memory that a frame needs besides the association's, so that nothing fails later. */
static bool
reserve (GstCcaTracker *tracker, const GstCcaTrackerFrame *frame)
{
  /* Each component may begin a track. */
  const size_t n = tracker->n + frame->n_components + 64;

  return GST_CCA_RESERVE (tracker->users, tracker->users_room, frame->n_components)
         && GST_CCA_RESERVE (tracker->hidden, tracker->hidden_room, frame->n_components)
         && GST_CCA_RESERVE (tracker->tracks, tracker->room, n)
         && GST_CCA_RESERVE (tracker->templates, tracker->templates_room, n)
         && GST_CCA_RESERVE (tracker->claims, tracker->claims_room, n)
         && GST_CCA_RESERVE (tracker->sharers, tracker->sharers_room, n)
         && GST_CCA_RESERVE (tracker->sides, tracker->sides_room, n)
         && GST_CCA_RESERVE (tracker->published, tracker->published_room, n);
}

/* Predicts the tracks and finds the frame's detections, which replace its components from here on. */
static bool
detect (GstCcaTracker *tracker, const GstCcaTrackerFrame *frame, double seconds, GstCcaTrackerFrame *detected)
{
  GstCcaFigures *figures = &tracker->figures;
  size_t n_hints = 0;

  if (!GST_CCA_RESERVE (tracker->predicted, tracker->predicted_room, tracker->n)
      || !GST_CCA_RESERVE (tracker->hints, tracker->hints_room, tracker->n)
      || (frame->coverage != NULL && !gst_cca_coverage_fill (&tracker->coverage, frame)))
    return false;
  for (size_t i = 0; i < tracker->n; i++) {
    const Track *track = &tracker->tracks[i];
    GstCcaBox box;

    tracker->predicted[i] = track->motion;
    gst_cca_motion_predict (&tracker->predicted[i], seconds);
    box = gst_cca_motion_box (&tracker->predicted[i]);
    if (gst_cca_track_is_confirmed (track))
      tracker->hints[n_hints++] = (GstCcaHint) {
        .x = (box.min[0] + box.max[0]) / 2.0,
        .foot = box.max[1],
        .speed = gst_cca_length (track->motion.centre[0].velocity, track->motion.centre[1].velocity),
      };
  }
  if (!gst_cca_figures_find (figures, frame, &tracker->coverage, &tracker->sizes, tracker->hints, n_hints)
      || !GST_CCA_RESERVE (tracker->detected, tracker->detected_room, figures->n)
      || !GST_CCA_RESERVE (tracker->singles, tracker->singles_room, figures->n)
      || !GST_CCA_RESERVE (tracker->looks, tracker->looks_room, figures->n)
      || !GST_CCA_RESERVE (tracker->boxes, tracker->boxes_room, figures->n))
    return false;
  for (size_t i = 0; i < figures->n; i++) {
    const GstCcaDetection *d = &figures->detections[i];
    GstCcaTrackerComponent *c = &tracker->detected[i];

    *c = frame->components[d->component];
    tracker->boxes[i] = d->box;
    tracker->singles[i] = d->single;
    c->area = (uint64_t) gst_cca_max (d->area, 1.0);
    c->x = (uint32_t) gst_cca_max (d->box.min[0], 0.0);
    c->y = (uint32_t) gst_cca_max (d->box.min[1], 0.0);
    c->width = (uint32_t) (d->box.max[0] - d->box.min[0] + 0.5);
    c->height = (uint32_t) (d->box.max[1] - d->box.min[1] + 0.5);
    if (d->estimated) {
      c->centroid_x = (d->box.min[0] + d->box.max[0] - 1.0) / 2.0;
      c->centroid_y = (d->box.min[1] + d->box.max[1] - 1.0) / 2.0;
    }
  }
  for (size_t i = 0; i < figures->n; i++)
    tracker->looks[i] =
        figures->n <= MOST_LOOKS ? gst_cca_look_measure (frame, tracker->boxes, figures->n, i) : (GstCcaLook) { 0 };
  *detected = *frame;
  detected->components = tracker->detected;
  detected->n_components = figures->n;
  return true;
}

/* --- A frame ----------------------------------------------------------------------------------------- */

static bool
has_ended (const GstCcaTracker *tracker, const GstCcaTrackerFrame *frame, const Track *track)
{
  const GstCcaBox view = { { 0.0, 0.0 }, { frame->width, frame->height } };
  const GstCcaBox box = gst_cca_motion_box (&track->motion);
  const double longest = tracker->params.max_age_time / 1e9;

  if (track->misses == 0)
    return false;
  if (!gst_cca_track_is_confirmed (track))
    return true;
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
begin (GstCcaTracker *tracker, const GstCcaTrackerFrame *frame, uint32_t component, const GstCcaBox *box)
{
  const GstCcaLink link = { 0, component, false };
  Track *track = &tracker->tracks[tracker->n++];

  *track = (Track) { .id = ++tracker->last_id,
                     .age = 1,
                     .hits = 1,
                     .first_seen = frame->time,
                     .last_seen = frame->time,
                     .still_since = frame->time };
  track->area = gst_cca_track_measure (tracker, frame, track, &link, 1);
  track->measured_area = (uint64_t) track->area;
  gst_cca_look_learn (&track->look, &tracker->looks[component]);
  gst_cca_track_learn_kind (track, frame->components[component].kind);
  track->state = tracker->params.confirm_frames > 1 ? GST_CCA_OBJECT_TENTATIVE : GST_CCA_OBJECT_CONFIRMED;
  tracker->n_confirmed += gst_cca_track_is_confirmed (track);
  gst_cca_motion_init (&track->motion, box, NEW_SPEED * gst_cca_length (frame->width, frame->height));
  for (int i = 0; i < 2; i++)
    track->start[i] = track->place[i] = (box->min[i] + box->max[i]) / 2.0;
}

static void
begin_tracks (GstCcaTracker *tracker, const GstCcaTrackerFrame *frame)
{
  for (uint32_t i = 0; i < frame->n_components; i++) {
    const GstCcaBox *box = &tracker->boxes[i];

    if (tracker->users[i] > 0)
      continue;
    if (!frame->whole && gst_cca_sizes_know_box (&tracker->sizes, box)
        && box->max[1] - box->min[1] < LEAST_PART * gst_cca_sizes_height_of_box (&tracker->sizes, box)
        && gst_cca_sides_in_frame (frame, box) == GST_CCA_ALL_SIDES)
      continue;
    begin (tracker, frame, i, box);
  }
}

static void
publish (const GstCcaTracker *tracker, Track *track, GstCcaObject *published)
{
  const bool estimated = track->state == GST_CCA_OBJECT_MERGED || track->n_labels == 0;
  const GstCcaBox box = estimated ? gst_cca_motion_box (&track->motion) : track->box;

  track->published = box;
  *published = (GstCcaObject) {
    .id = track->id,
    .state = track->state,
    .box = box,
    .centroid = { estimated ? (box.min[0] + box.max[0] - 1.0) / 2.0 : track->centroid[0],
                  estimated ? (box.min[1] + box.max[1] - 1.0) / 2.0 : track->centroid[1] },
    .velocity = { track->motion.centre[0].velocity, track->motion.centre[1].velocity },
    .area = track->measured_area,
    .age = track->age,
    .first_seen = track->first_seen,
    .last_seen = track->last_seen,
    .has_come = track->has_come,
    .still_since = track->still_since,
    .label = track->label,
    .labels = tracker->labels.labels + track->first_label,
    .n_labels = track->n_labels,
    .kind = track->kind,
  };
}

bool
gst_cca_tracker_run (GstCcaTracker *tracker, const GstCcaTrackerFrame *seen, const GstCcaObject **tracks,
                     size_t *n_tracks)
{
  GstCcaFrameClock clock = tracker->clock;
  const double seconds = gst_cca_frame_clock_step (&clock, seen->time);
  GstCcaTrackerFrame detected;
  const GstCcaTrackerFrame *frame = &detected;
  GstCcaScan scan;
  const GstCcaLink *links;
  size_t n_links;

  tracker->seen = seen;
  if (tracker->width != seen->width || tracker->height != seen->height)
    begin_sizes (tracker, seen->width, seen->height);
  if (!detect (tracker, seen, seconds, &detected) || !reserve (tracker, frame))
    return false;
  for (size_t i = 0; i < frame->n_components; i++)
    tracker->users[i] = tracker->hidden[i] = 0;
  scan = (GstCcaScan) { frame, tracker->boxes, tracker->singles, tracker->figures.upright ? tracker->looks : NULL,
                        seconds };
  if (!gst_cca_association_run (tracker->association, &scan, tracker->tracks, tracker->predicted, tracker->n, &links,
                                &n_links)
      || !GST_CCA_RESERVE (tracker->labels.labels, tracker->labels.room,
                           n_links + frame->n_components + seen->n_components))
    return false;
  gst_cca_tracker_correct (tracker, frame, seconds, links, n_links);
  end_tracks (tracker, frame);
  begin_tracks (tracker, frame);
  tracker->clock = clock;

  for (size_t i = 0; i < tracker->n; i++)
    publish (tracker, &tracker->tracks[i], &tracker->published[i]);
  *tracks = tracker->published;
  *n_tracks = tracker->n;
  return true;
}

const GstCcaSizes *
gst_cca_tracker_sizes (const GstCcaTracker *tracker, uint32_t *width, uint32_t *height)
{
  *width = tracker->width;
  *height = tracker->height;
  return &tracker->sizes;
}

void
gst_cca_tracker_set_sizes (GstCcaTracker *tracker, const GstCcaSizes *sizes, uint32_t width, uint32_t height)
{
  tracker->sizes = *sizes;
  tracker->width = width;
  tracker->height = height;
  if (tracker->grounded)
    use_ground (tracker);
}
