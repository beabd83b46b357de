/* gst-cca: finds free places for texts: labels of objects, and others
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * A greedy, deterministic algorithm: it places labels by weight, the heaviest first, each in the first free one of its
 * candidate places. No GStreamer, no drawing.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "layout.h"

typedef struct GstCcaPlacement GstCcaPlacement;

/* Returns NULL if memory is exhausted. One thread at a time. */
GstCcaPlacement *gst_cca_placement_new (void);
void gst_cca_placement_free (GstCcaPlacement *placement);

/* Begins an empty view. If memory is exhausted, no place is free until the next begin. */
void gst_cca_placement_begin (GstCcaPlacement *placement, const GstCcaView *view);

/* Keeps a rectangle free of labels. */
void gst_cca_placement_reserve (GstCcaPlacement *placement, const GstCcaRect *rect);

/* Adds an object and the size of its label, 0 for none. The ring is the line around its box. Returns FALSE if memory is
 * exhausted: then neither this object nor a later one gets a label. */
bool gst_cca_placement_add (GstCcaPlacement *placement, const GstCcaRing *ring, int width, int height, uint64_t weight);

/* Returns and reserves a place for another text of the size of the candidates, n from 1: the first of them that lies in
 * the view and covers no label, line or box; else the free place nearest to the first; else the first that covers no
 * label, no line and no box but the inside of large ones; else an empty rectangle. Call it when all objects are added.
 */
GstCcaRect gst_cca_placement_find (GstCcaPlacement *placement, const GstCcaRect *candidates, int n);

/* Places the labels. Element i of the returned array belongs to the i-th call of gst_cca_placement_add(), and is empty
 * if no place was free. The array is valid until the next begin.
 *
 * A label's place touches its box, above, below, right or left of it, lies in the view, and covers no other label, no
 * line and no box. If all such places are taken, it may lie in a corner of its own box if that is large, and then over
 * the inside of other large boxes: a component as large as the frame would otherwise leave no place for any label. A
 * box is large if it has room for 16 such labels. */
const GstCcaRect *gst_cca_placement_run (GstCcaPlacement *placement, size_t *n);
