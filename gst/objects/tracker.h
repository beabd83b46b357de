/* gst-cca: identities over time: tracks of objects, from the components of frames
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Prediction and assignment as in SORT (Bewley et al., ICIP 2016) with time stamps instead of frame numbers (kalman.h,
 * motion.h, assignment.h). Tracks and components are many to many: an object that something cuts in pieces is one track
 * of several components; objects that touch are several tracks of one component, each with a box that is estimated from
 * its size, its prediction and the component's sides.
 *
 * Coordinates are libcca's: x grows to the right, y downwards, pixel (x, y) covers x…x + 1, y…y + 1 in boxes; centroids
 * have pixel centres at integers. Equal input gives equal output. One thread at a time; trackers are independent.
 */
#ifndef GST_CCA_TRACKER_H
#define GST_CCA_TRACKER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct
{
  uint32_t confirm_frames; /* a track is tentative until it was seen in so many frames; at least 1 */
  uint32_t max_age;        /* a confirmed track ends when it was not seen for more than so many frames, or for more
                              than it was seen before. A merged one was a part of another, and ends, when the other
                              explained the shared components alone for so long and as long as this was seen alone, or
                              it shared them for so long and three times as long as it was seen alone */
} GstCcaTrackerParams;

/* Sets the defaults: 3 and 30 frames. */
void gst_cca_tracker_params_init (GstCcaTrackerParams *params);

typedef struct
{
  uint32_t label;                /* unique in its frame, not 0 */
  uint32_t x, y, width, height;  /* pixels, width and height at least 1 */
  uint64_t area;                 /* pixels; 0: not measured */
  double centroid_x, centroid_y; /* pixels */
} GstCcaTrackerComponent;

/* Pixels that belonged to a component of the last frame and belong to one of this frame. */
typedef struct
{
  uint32_t before, now; /* labels */
  uint64_t pixels;
} GstCcaTrackerOverlap;

typedef struct
{
  uint64_t time;          /* ns; of frames that follow each other, not earlier than the last one's */
  uint32_t width, height; /* of the frame, pixels; at least 1 */
  const GstCcaTrackerComponent *components;
  size_t n_components;
  const GstCcaTrackerOverlap *overlaps; /* by before, then by now; NULL: not known, as with the first frame */
  size_t n_overlaps;
} GstCcaTrackerFrame;

typedef enum
{
  GST_CCA_TRACKER_TENTATIVE, /* new; may be noise */
  GST_CCA_TRACKER_CONFIRMED, /* seen: the box lies around its components, and around what is hidden of it */
  GST_CCA_TRACKER_MERGED,    /* seen in components that it shares with other tracks: the box is estimated */
  GST_CCA_TRACKER_COASTING   /* confirmed, but not seen: the box is predicted */
} GstCcaTrackerState;

typedef struct
{
  uint64_t id; /* from 1 on; never used again, not even after a reset */
  GstCcaTrackerState state;
  double x, y, width, height;     /* the box, pixels; it may reach over the frame's borders where it is estimated */
  double centroid_x, centroid_y;  /* of its components' pixels; the box's centre where it is estimated */
  double velocity_x, velocity_y;  /* pixels/s */
  uint64_t area;                  /* pixels of its components; merged or coasting: as last measured */
  uint32_t age;                   /* frames since its first, which counts as 1 */
  uint64_t first_seen, last_seen; /* ns: times of frames */
  uint32_t label;                 /* of the largest of its components in this frame; 0: it has none */
  const uint32_t *labels;         /* of its components in this frame, ascending */
  size_t n_labels;
} GstCcaTrackerTrack;

typedef struct GstCcaTracker GstCcaTracker;

/* Returns a tracker without tracks, which the caller frees; NULL if memory is exhausted. params may be NULL for the
 * defaults. */
GstCcaTracker *gst_cca_tracker_new (const GstCcaTrackerParams *params);
void gst_cca_tracker_free (GstCcaTracker *tracker); /* NULL is allowed */

/* Sets the parameters from the next frame on. */
void gst_cca_tracker_set_params (GstCcaTracker *tracker, const GstCcaTrackerParams *params);

/* Forgets all tracks, for seeks and scene changes. */
void gst_cca_tracker_reset (GstCcaTracker *tracker);

/* Returns how many tracks were confirmed since the tracker was made. */
uint64_t gst_cca_tracker_n_confirmed (const GstCcaTracker *tracker);

/* Takes a frame and returns its tracks by ascending id in *tracks, *n_tracks of them, tentative ones included. They are
 * valid until the next call for this tracker. Returns FALSE if memory is exhausted: then the tracker is as before the
 * frame, *tracks and *n_tracks are not changed, and the next frame may be tried. */
bool gst_cca_tracker_run (GstCcaTracker *tracker, const GstCcaTrackerFrame *frame, const GstCcaTrackerTrack **tracks,
                          size_t *n_tracks);

#endif
