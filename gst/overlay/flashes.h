/* gst-cca: the events of rules, shown for a second where they fired
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#ifndef GST_CCA_FLASHES_H
#define GST_CCA_FLASHES_H

#include "drawing.h"
#include "font.h"
#include "layers.h"
#include "placement.h"

G_BEGIN_DECLS

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

G_END_DECLS

#endif
