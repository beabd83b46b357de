/* gst-cca: finds the boxes that touch a place
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "box.h"

typedef struct GstCcaGrid GstCcaGrid;

/* Returns NULL if memory is exhausted. One thread at a time. */
GstCcaGrid *gst_cca_grid_new (void);
void gst_cca_grid_free (GstCcaGrid *grid); /* NULL is allowed */

/* Sorts n boxes into a uniform grid of about n cells, if about n_searches are worth it. The boxes must live until the
 * next call. Returns FALSE if memory is exhausted: then the grid is empty. */
bool gst_cca_grid_fill (GstCcaGrid *grid, const GstCcaBox *boxes, size_t n, size_t n_searches);

/* Returns the numbers of the boxes that share points with an area, each once, in no particular but a repeatable order.
 * The array is valid until the next call of a function of the grid. */
const uint32_t *gst_cca_grid_find (GstCcaGrid *grid, const GstCcaBox *area, size_t *n_found);
