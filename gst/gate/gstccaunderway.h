/* gst-cca: whole frames and their tiles on their way from ccacrop past the detector to ccauncrop
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * A frame goes downstream in a serialised event behind its tiles, which elements in between pass on in order. So it
 * arrives when all results for it have, whichever of its tiles came through.
 */
#pragma once

#include <gst/gst.h>

#include "letterbox.h"

/* Counts the frames under way, and takes the flow back to ccacrop. Any thread. */
typedef struct GstCcaUnderway GstCcaUnderway;

GstCcaUnderway *gst_cca_underway_new (void);
void gst_cca_underway_unref (GstCcaUnderway *underway);

/* Makes waits end and fail, or sets the flow to OK. */
void gst_cca_underway_set_flushing (GstCcaUnderway *underway, gboolean flushing);

/* Waits until fewer than `most` frames are under way. Returns the result of pushing the last frame. */
GstFlowReturn gst_cca_underway_wait (GstCcaUnderway *underway, guint most);

/* Returns the result of pushing the last frame. */
GstFlowReturn gst_cca_underway_flow (GstCcaUnderway *underway);

/* --- Events ------------------------------------------------------------------------------------------- */

/* Returns an event for the frames' caps, which comes before those of the tiles. */
GstEvent *gst_cca_underway_caps_event (GstCaps *caps);
/* Returns the caps of such an event, or NULL for another event. */
GstCaps *gst_cca_underway_parse_caps (GstEvent *event);

typedef struct GstCcaUnderwayFrame GstCcaUnderwayFrame;

/* Returns an event for a frame (taken), which counts until all copies of the event are gone. */
GstEvent *gst_cca_underway_frame_event (GstCcaUnderway *underway, guint64 number, GstBuffer *buffer);
/* Takes an event for a frame. Returns NULL, and leaves it to the caller, if it is another event. */
GstCcaUnderwayFrame *gst_cca_underway_take_frame (GstEvent *event, guint64 *number);

/* Returns the buffer, to be called once; it is writable unless another event has it, too. */
GstBuffer *gst_cca_underway_frame_steal (GstCcaUnderwayFrame *frame);
/* Frees a frame that was pushed; flow is the result of the push. */
void gst_cca_underway_frame_end (GstCcaUnderwayFrame *frame, GstFlowReturn flow);

/* --- Tiles -------------------------------------------------------------------------------------------- */

/* Where a tile comes from. */
typedef struct
{
  guint64 frame;       /* the number of the frame */
  guint tile;          /* the number of the tile in it */
  guint width, height; /* of the tile when it was cut, pixels */
  GstCcaLetterbox box;
} GstCcaTileOrigin;

/* Adds a GstCcaTileMeta. It has no tags, so that elements that convert, scale or copy a tile keep it. */
void gst_buffer_add_cca_tile_meta (GstBuffer *buffer, const GstCcaTileOrigin *origin);

/* Returns NULL if the buffer has none. */
const GstCcaTileOrigin *gst_buffer_get_cca_tile_origin (GstBuffer *buffer);
