/* gst-cca: frames whose tracks the rules do not judge yet
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <gst/gst.h>

#include "gstccatimes.h"
#include "rules.h"

typedef struct
{
  GstCcaRulesFrame frame;
  GstCcaMessageTimes times;
} GstCcaZonesHeldFrame;

/* Frames in their order. All of zeros, it holds none. */
typedef struct
{
  GstCcaZonesHeldFrame *frames;
  gsize n_frames, frames_room;
  GstCcaObject *tracks; /* of all of them */
  gsize n_tracks, tracks_room;
} GstCcaZonesHeld;

void gst_cca_zones_held_clear (GstCcaZonesHeld *held);

/* Copies a frame and its tracks. Returns FALSE if memory is exhausted: then nothing changed. */
gboolean gst_cca_zones_held_add (GstCcaZonesHeld *held, const GstCcaRulesFrame *frame, const GstCcaMessageTimes *times);

/* Returns the frames, of which there are held->n_frames. They are valid until the next call. */
const GstCcaZonesHeldFrame *gst_cca_zones_held_frames (GstCcaZonesHeld *held);

/* Drops all frames, and keeps the memory for others. */
void gst_cca_zones_held_drop (GstCcaZonesHeld *held);
