/* gst-cca: what the tracker knows of a track, and of a frame's detections
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include "box.h"
#include "look.h"
#include "motion.h"
#include "tracker.h"

typedef struct
{
  uint64_t id;
  GstCcaMotion motion;
  GstCcaObjectState state;
  GstCcaBox box, last; /* around its components, or estimated: in this frame and in the last one */
  GstCcaBox published; /* in the last frame, also where it was only predicted */
  double centroid[2];
  GstCcaLook look;
  double area;                    /* of the whole object, pixels */
  double unseen, hidden;          /* seconds since it was last seen; of these, hidden by others */
  uint64_t measured_area;         /* pixels, when it last had components to itself */
  uint64_t first_seen, last_seen; /* ns */
  double way, way_seconds;        /* of late, how far both sides of its box moved along the farther axis, pixels */
  double partly;                  /* seconds for which only a part of it has been seen */
  double in_larger;               /* seconds for which its component has been much larger than its tracks */
  double start[2];                /* the centre of its first box */
  bool has_come;                  /* it has been far enough from there to have moved */
  double place[2];                /* its centre has stayed here … */
  uint64_t still_since;           /* … since then, ns */
  double sampled;                 /* seconds since it was a sample of the sizes */
  uint32_t age, hits, misses;     /* frames: since its first; with it; without it since the last hit */
  bool occluded;                  /* in the last frame it was hidden, or merged with others in a component */
  uint32_t label;                 /* of its largest component, or 0 */
  uint32_t kind;                  /* see gst_cca_track_learn_kind(); 0: not known */
  uint32_t votes;                 /* for this kind, less those for others since */
  size_t first_label, n_labels;
} Track;

static inline bool
gst_cca_track_is_confirmed (const Track *track)
{
  return track->state != GST_CCA_OBJECT_TENTATIVE;
}

/* Returns whether a track was not seen in the last frame though nothing hid it. */
static inline bool
gst_cca_track_is_lost (const Track *track)
{
  return track->unseen > 0.0 && !track->occluded;
}

static inline double
gst_cca_track_longer_side (const Track *track)
{
  return gst_cca_max (track->motion.size[0], track->motion.size[1]);
}

/* Returns how fast both sides of the box move, pixels/s; 0: not known. */
static inline double
gst_cca_track_pace (const Track *track)
{
  return track->way_seconds > 0.0 ? track->way / track->way_seconds : 0.0;
}

/* The detections of a frame, called components as in the frame. */
typedef struct
{
  const GstCcaTrackerFrame *frame;
  const GstCcaBox *boxes;  /* of the components */
  const bool *singles;     /* which of them are surely one object */
  const GstCcaLook *looks; /* of the components; NULL: looks tell nothing */
  double seconds;          /* since the last frame */
} GstCcaScan;

/* Returns the sides of a box that do not lie at the frame's border. */
static inline GstCcaSides
gst_cca_sides_in_frame (const GstCcaTrackerFrame *frame, const GstCcaBox *box)
{
  return (box->min[0] > 0.0 ? GST_CCA_SIDE_MIN (0) : 0) | (box->max[0] < frame->width ? GST_CCA_SIDE_MAX (0) : 0)
         | (box->min[1] > 0.0 ? GST_CCA_SIDE_MIN (1) : 0) | (box->max[1] < frame->height ? GST_CCA_SIDE_MAX (1) : 0);
}
