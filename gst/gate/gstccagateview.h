/* gst-cca: from the metas of a frame to the gate's input and crops
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <gst/cca/gstccatrackmeta.h>

#include "gate.h"

/* All zero at first, and for another timeline but for the arrays, which gst_cca_gate_view_clear() frees. */
typedef struct
{
  GstClockTime blind; /* when it was not known what is in the picture … */
  gboolean saw;       /* … or, if FALSE, before the first frame */

  /* The last frame's; metas are valid as long as its buffer. */
  GstClockTime time;
  const GstCcaTrackMeta *tracks;
  const GstCcaMeta *components;
  GstCcaGateTrack *list; /* of the tracks */
  gsize list_room, n;
  GstCcaBox *boxes; /* to be shown by crops */
  gsize boxes_room, n_boxes;
} GstCcaGateView;

void gst_cca_gate_view_clear (GstCcaGateView *view);

/* Another timeline begins. */
void gst_cca_gate_view_reset (GstCcaGateView *view);

/* Reads the metas of the analysis named id, or of the first one for NULL, and sets *frame, whose time is `time`. A
 * frame without metas that fit it moves. Returns FALSE if memory is exhausted. */
gboolean gst_cca_gate_view_read (GstCcaGateView *view, GstBuffer *buffer, const gchar *id, GstClockTime time,
                                 GstCcaGateFrame *frame);

/* Returns whether the last frame had metas, fitting or not. */
gboolean gst_cca_gate_view_has_metas (const GstCcaGateView *view);

/* Makes the crops of the last frame, on which the gate has decided: of the tracks that move, or with `all` of all; of
 * the components, if there are no tracks; or of the whole frame for a second after it was not known what is in the
 * picture, since not all objects have tracks then. Returns FALSE if memory is exhausted. */
gboolean gst_cca_gate_view_crop (GstCcaGateView *view, const GstCcaMotionGate *gate, gboolean all,
                                 const GstCcaTilesParams *params, GstCcaTile tiles[GST_CCA_TILES_MOST], gsize *n);
