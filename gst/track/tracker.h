/* gst-cca: identities over time: tracks of objects, from the components of frames
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Prediction and assignment as in SORT (Bewley et al., ICIP 2016) with time stamps instead of frame numbers (motion.h,
 * assignment.h). An object that something cuts in pieces is one track of several components. Objects that
 * touch are several tracks of one component: each track's box is placed where, together with the others', it covers the
 * component's pixels best (fit.h). No frame moves a confirmed track farther than its motion and its size explain.
 *
 * The tracker learns how large objects are from place to place, and what they look like (sizes.h). Where it knows, it
 * takes a component that is much smaller than an object for noise, and looks in components that are not clearly one
 * upright object for those that are in them (figures.h). A track that such a single object hides keeps its velocity,
 * and so does the one in front: by it, they are told apart when they part.
 *
 * Boxes of a detector are whole objects (GstCcaTrackerFrame.whole): each is one track's, and each track has at most
 * one. Nothing is learned of their sizes, which are of several kinds of objects.
 *
 * Coordinates are libcca's: x grows to the right, y downwards, pixel (x, y) covers x…x + 1, y…y + 1 in boxes; centroids
 * have pixel centres at integers. Equal input gives equal output. One thread at a time; trackers are independent.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "box.h"
#include "sizes.h"

typedef struct
{
  uint32_t confirm_frames; /* a track is tentative until it was seen in so many frames; at least 1 */
  uint32_t max_age;        /* a confirmed track ends when it was not seen for more than so many frames, … */
  uint64_t max_age_time;   /* … for longer than so many ns, or for more frames than it was seen before */
} GstCcaTrackerParams;

/* The defaults. */
#define GST_CCA_TRACKER_CONFIRM_FRAMES 3
#define GST_CCA_TRACKER_MAX_AGE UINT32_MAX
#define GST_CCA_TRACKER_MAX_AGE_TIME 1000000000u

typedef struct
{
  uint32_t label;                /* unique in its frame, not 0 */
  uint32_t x, y, width, height;  /* pixels, in the frame; width and height at least 1 */
  uint64_t area;                 /* pixels, at most those of the box; 0: not measured */
  double centroid_x, centroid_y; /* pixels; finite */
  uint32_t kind;                 /* what a detector takes it for; 0: not known */
} GstCcaTrackerComponent;

typedef struct
{
  uint64_t time;          /* ns; never goes back; only differences count, so it may overflow */
  uint32_t width, height; /* of the frame, pixels; at least 1 */
  const GstCcaTrackerComponent *components;
  size_t n_components;
  /* The foreground pixels of each cell, by rows of `columns` cells with sides of `cell` pixels; NULL: not known, and
   * every component counts as spread evenly over its box. */
  const uint8_t *coverage;
  const uint8_t *colours; /* of the cells, as planes of Y, U and V behind each other; NULL: not known */
  uint32_t cell, columns, rows;
  bool whole; /* each component is one whole object, as a detector found it: no part of one, and not several */
} GstCcaTrackerFrame;

typedef struct GstCcaTracker GstCcaTracker;

/* Returns a tracker without tracks, which the caller frees; NULL if memory is exhausted. params may be NULL for the
 * defaults. */
GstCcaTracker *gst_cca_tracker_new (const GstCcaTrackerParams *params);
void gst_cca_tracker_free (GstCcaTracker *tracker); /* NULL is allowed */

/* Sets the parameters from the next frame on. */
void gst_cca_tracker_set_params (GstCcaTracker *tracker, const GstCcaTrackerParams *params);

/* Forgets all tracks, for seeks and scene changes; the sizes that it has learned stay until a frame has another size.
 */
void gst_cca_tracker_reset (GstCcaTracker *tracker);

/* Returns how many tracks were confirmed since the tracker was made. */
uint64_t gst_cca_tracker_n_confirmed (const GstCcaTracker *tracker);

/* A row on which objects stood, and how high they are there; pixels. */
typedef struct
{
  double row, height;
} GstCcaTrackerHeight;

/* Returns whether the tracker knows how high objects are, and two rows between which it knows: between them, heights
 * lie on a line. */
bool gst_cca_tracker_heights (const GstCcaTracker *tracker, GstCcaTrackerHeight heights[2]);

/* Takes a frame and returns its tracks by ascending id in *tracks, *n_tracks of them, tentative ones included. They are
 * valid until the next call for this tracker. Returns FALSE if memory is exhausted: then the tracker is as before the
 * frame, *tracks and *n_tracks are not changed, and the next frame may be tried. */
bool gst_cca_tracker_run (GstCcaTracker *tracker, const GstCcaTrackerFrame *frame, const GstCcaObject **tracks,
                          size_t *n_tracks);

/* Returns what the tracker has learned of sizes in frames of *width x *height pixels, 0 x 0 before the first one; valid
 * until the next call for this tracker. */
const GstCcaSizes *gst_cca_tracker_sizes (const GstCcaTracker *tracker, uint32_t *width, uint32_t *height);

/* Says where the ground is, before the first frame: the height of objects is a number of metres then, which holds in
 * the whole picture. If objects are people, the tracker knows about how large they are before it has learned it. */
void gst_cca_tracker_set_ground (GstCcaTracker *tracker, const GstCcaGroundPicture *ground, bool people);

/* Returns how high objects are, in metres; 0 where that or the ground is not known. Seen from above, objects are a bit
 * higher than that. */
double gst_cca_tracker_metres (const GstCcaTracker *tracker);

/* Goes on with sizes of another tracker, before the first frame; that forgets them if it has another size. */
void gst_cca_tracker_set_sizes (GstCcaTracker *tracker, const GstCcaSizes *sizes, uint32_t width, uint32_t height);
