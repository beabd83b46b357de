/* gst-cca: tracks as they are published: confirmed ones in the frame, in whole pixels
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include "box.h"

typedef struct
{
  uint64_t id;
  uint64_t area; /* pixels */
  double centroid_x, centroid_y;
  double velocity_x, velocity_y; /* pixels/s */
  GstCcaObjectState state;       /* never tentative */
  uint32_t label, x, y, width, height, age, kind;
} GstCcaPublished;

/* Returns whether a track is confirmed and in a frame of that size; then *published describes it. */
bool gst_cca_publish (const GstCcaObject *track, uint32_t width, uint32_t height, GstCcaPublished *published);
