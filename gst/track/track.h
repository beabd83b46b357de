/* gst-cca: what the tracker knows of a track
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#ifndef GST_CCA_TRACK_H
#define GST_CCA_TRACK_H

#include "look.h"
#include "motion.h"
#include "object.h"

typedef struct
{
  uint64_t id;
  GstCcaMotion motion;
  GstCcaObjectState state;
  GstCcaBox box, last; /* over its components, or where it is estimated: in this frame and in the last one */
  double centroid[2];
  GstCcaLook look;
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
  uint32_t label; /* of its largest component, or 0 */
  size_t first_label, n_labels;
} Track;

static inline bool
gst_cca_track_is_confirmed (const Track *track)
{
  return track->state != GST_CCA_OBJECT_TENTATIVE;
}

#endif
