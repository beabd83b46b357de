/* gst-cca: the marks of rules: zones, lines, their counters and events
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include "drawing.h"
#include "font.h"
#include "layers.h"
#include "placement.h"

/* Adds zones as outlines with a light filling, and lines with an arrow to the side that a forward crossing leads to.
 * `line` is the width of lines, pixels. */
void gst_cca_rule_marks_draw (const GstCcaRuleLayer *layer, GstCcaDrawing *drawing, gint line);

/* Adds the names and counters of the layers, near the rules and beside all that was placed. Texts stay where they stood
 * while they can: `places`, empty at first, has for each rule the number of its text's last place, a gint. */
void gst_cca_rule_marks_label (GArray *places, const GstCcaRuleLayer *layers, guint n_layers, GstCcaDrawing *drawing,
                               const GstCcaView *view, GstCcaFont *font, GstCcaPlacement *placement, gint line);

/* --- Events, for a second ----------------------------------------------------------------------------- */

typedef struct _GstCcaFlashes GstCcaFlashes;

/* One thread at a time. */
GstCcaFlashes *gst_cca_flashes_new (void);
void gst_cca_flashes_free (GstCcaFlashes *flashes);

/* Forgets all events. */
void gst_cca_flashes_forget (GstCcaFlashes *flashes);

/* Adds the events of a frame and forgets events older than a second. Times must not decrease. Keeps the latest 64;
 * positions are kept relative to the view's size, so that it may change. */
void gst_cca_flashes_update (GstCcaFlashes *flashes, const GstCcaView *view, const GstCcaLayers *layers,
                             GstClockTime time);

/* Adds a circle around the place of each event, which widens and fades. */
void gst_cca_flashes_draw (const GstCcaFlashes *flashes, GstCcaDrawing *drawing, const GstCcaView *view, gint line);

/* Adds what happened, near the places and beside all that was placed. */
void gst_cca_flashes_label (const GstCcaFlashes *flashes, GstCcaDrawing *drawing, const GstCcaView *view,
                            GstCcaFont *font, GstCcaPlacement *placement);
