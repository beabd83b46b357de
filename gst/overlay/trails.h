/* gst-cca: the paths that tracks have taken lately
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include "drawing.h"
#include "layers.h"

typedef struct _GstCcaTrails GstCcaTrails;

/* One thread at a time. */
GstCcaTrails *gst_cca_trails_new (void);
void gst_cca_trails_free (GstCcaTrails *trails);

/* Forgets all paths. */
void gst_cca_trails_forget (GstCcaTrails *trails);

/* Adds the tracks of a frame to their paths, which lead through the middle of the boxes' lower edges. Times must not
 * decrease. Forgets positions that are older than the duration, and paths without positions. Keeps at most 4096 paths,
 * each of at most 64 positions; positions are kept relative to the view's size, so that it may change. */
void gst_cca_trails_update (GstCcaTrails *trails, const GstCcaView *view, const GstCcaTrackLayer *layers,
                            guint n_layers, GstClockTime time, GstClockTime duration);

/* Adds the paths, in the colours of the tracks with that alpha (0…255), the older the fainter. */
void gst_cca_trails_draw (const GstCcaTrails *trails, GstCcaDrawing *drawing, const GstCcaView *view, gdouble width,
                          guint32 alpha);
