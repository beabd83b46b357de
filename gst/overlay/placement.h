/* gst-cca: finds free places for the labels of components
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Greedy, and the same for the same calls: labels are placed by weight, the heaviest first, each in the first free one
 * of its candidate places. No GStreamer, no drawing.
 */
#ifndef GST_CCA_PLACEMENT_H
#define GST_CCA_PLACEMENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "layout.h"

typedef struct GstCcaPlacement GstCcaPlacement;

/* One thread at a time. NULL where there is no memory. */
GstCcaPlacement *gst_cca_placement_new (void);
void gst_cca_placement_free (GstCcaPlacement *placement);

/* Begins an empty view. Without memory for it there is no free place until the next begin. */
void gst_cca_placement_begin (GstCcaPlacement *placement, const GstCcaView *view);

/* Keeps a rectangle free of labels. */
void gst_cca_placement_reserve (GstCcaPlacement *placement, const GstCcaRect *rect);

/* Adds a component that wants a label of that size. The ring is the line round its box. FALSE where there is no memory
 * for it: neither it nor what is added later gets a label. */
bool gst_cca_placement_add (GstCcaPlacement *placement, const GstCcaRing *ring, int width, int height, uint64_t weight);

/* Places the labels of what was added. places[i] belongs to the i-th call of gst_cca_placement_add(), and is empty
 * where there is no free place; the array is valid until the next begin.
 *
 * A label's place touches its box, above, below, right or left of it, lies in the view, and covers no other label, no
 * line and no box. If all such places are taken, it may lie in a corner of its own box if that is large, and then over
 * the inside of other large boxes: a component as large as the frame would otherwise leave no place to anything. Large
 * is a box with room for 16 such labels. */
const GstCcaRect *gst_cca_placement_run (GstCcaPlacement *placement, size_t *n);

#endif
