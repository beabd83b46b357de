/* gst-cca: what libcca sees of a scene: components, and the coverage of cells
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#ifndef VISION_H
#define VISION_H

#include "gst/track/tracker.h"

typedef struct Vision Vision;

/* Any failure aborts: these are programs of tests. */
Vision *vision_new (uint32_t width, uint32_t height);
void vision_free (Vision *vision);

/* Analyses a mask of the size given. The frame's arrays are valid until the next call. */
void vision_look (Vision *vision, uint8_t *mask, uint64_t time_ns, GstCcaTrackerFrame *frame);

#endif
