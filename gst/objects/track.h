/* gst-cca: a track, as the tracker keeps it
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#ifndef GST_CCA_TRACK_RECORD_H
#define GST_CCA_TRACK_RECORD_H

#include "motion.h"
#include "tracker.h"

typedef struct
{
  uint64_t id;
  GstCcaMotion motion;
  GstCcaTrackerState state;
  GstCcaBox box; /* over its components, where they are its own */
  double centroid[2];
  double area;                            /* of the whole object, pixels */
  double unseen;                          /* seconds since the motion was last corrected */
  uint64_t measured_area;                 /* pixels, the last time that its components were its own */
  uint64_t first_seen, last_seen;         /* ns */
  GstCcaBox whole;                        /* the box, and what of the object is hidden */
  double partly;                          /* seconds for which it has been hidden in part */
  double size_variance[2], area_variance; /* of their logarithms */
  uint32_t age, hits, misses;
  uint32_t alone;  /* frames in which it shared no component */
  uint32_t hidden; /* frames in which another track explained the shared components, less those in which none did */
  bool is_part;    /* of another track: ends */
  uint32_t label;  /* of its largest component, or 0 */
  size_t first_label, n_labels;
} GstCcaTrackRecord;

#endif
