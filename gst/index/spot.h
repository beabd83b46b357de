/* gst-cca: objects that came to a spot of the picture, and objects that left it
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * A spot is occupied while at least half of its cells are foreground. An object that the model has learned is
 * background. When it goes away, its track begins at the spot, and its place is foreground until the model has learned
 * the change.
 */
#pragma once

#include "box.h"
#include "frame.h"

typedef enum
{
  GST_CCA_INDEX_VISITED,  /* something came, and went on at the end */
  GST_CCA_INDEX_STAYED,   /* something came, and was there until the model took it for background */
  GST_CCA_INDEX_VANISHED, /* something that had been there went away */
  GST_CCA_INDEX_CHANGED   /* it looks different from then on: something was put there, or taken away */
} GstCcaIndexSpotKind;

typedef struct
{
  uint64_t pts, utc; /* as those of frames */
} GstCcaIndexMoment;

typedef struct
{
  GstCcaIndexSpotKind kind;
  GstCcaIndexMoment at;         /* vanished: when it was last seen at the spot; else begin */
  GstCcaIndexMoment begin, end; /* occupied; end is NEVER if it still is */
  uint64_t track;               /* that vanished, or came; 0: none */
} GstCcaIndexSpotEvent;

typedef struct GstCcaIndexSpot GstCcaIndexSpot;

/* Watches a box, in pixels of the frames. Visits that are shorter than `least`, ns, are no events. Returns NULL if
 * memory is exhausted. */
GstCcaIndexSpot *gst_cca_index_spot_new (const GstCcaBox *box, uint64_t least);
void gst_cca_index_spot_free (GstCcaIndexSpot *spot); /* NULL is allowed */

/* Takes the next frame. Returns whether there is an event; one a frame at most. Sets *failed, never to FALSE, if memory
 * is exhausted. */
bool gst_cca_index_spot_add (GstCcaIndexSpot *spot, const GstCcaIndexFrame *frame, GstCcaIndexSpotEvent *event,
                             bool *failed);

/* At the end: returns whether the spot is occupied and that is an event. */
bool gst_cca_index_spot_finish (GstCcaIndexSpot *spot, GstCcaIndexSpotEvent *event);

/* Whether a frame has told where the foreground was. */
bool gst_cca_index_spot_has_foreground (const GstCcaIndexSpot *spot);
