/* gst-cca: libcca analyses scenes: components, and the coverage of cells
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include "gst/track/tracker.h"
#include "identity.h"

typedef struct Vision Vision;

/* Makes an analysis; failures abort the program. */
Vision *vision_new (uint32_t width, uint32_t height);
void vision_free (Vision *vision);

/* Analyses a mask of that size. The frame's arrays are valid until the next call. */
void vision_look (Vision *vision, uint8_t *mask, uint64_t time_ns, GstCcaTrackerFrame *frame);

/* Returns a track's box. */
static inline SceneBox
vision_box (const GstCcaObject *track)
{
  const GstCcaBox *box = &track->box;

  return (SceneBox) { (uint32_t) track->id, box->min[0], box->min[1], box->max[0] - box->min[0],
                      box->max[1] - box->min[1] };
}

/* Adds a frame to an evaluation: the true boxes, and the published tracks' or, if `seen`, those of them that are not
 * predicted. */
void vision_evaluate (Identity *identity, const SceneBox *truth, size_t n_truth, const GstCcaObject *tracks,
                      size_t n_tracks, bool seen);
