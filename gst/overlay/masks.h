/* gst-cca: what polygons and texts cover, as masks that stay on the GPU
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Cairo and Pango draw a mask once, when it is asked for first. Its bytes, as kernels.h describes them, wait for the
 * next upload and are then known to the device, until all masks are forgotten.
 */
#pragma once

#include "drawing.h"
#include "font.h"
#include "kernels.h"

typedef struct
{
  guint32 offset; /* of its table, bytes of the device's memory */
  guint columns;  /* of the table */
  gint x, y;      /* of the frame: where the table begins; 0 of a text */
  guint n_tiles;  /* that are not empty; 0 of a text */
  guint32 *tiles; /* y << 16 | x */
} GstCcaMask;

typedef struct _GstCcaMasks GstCcaMasks;

/* For frames of that size. One thread at a time. */
GstCcaMasks *gst_cca_masks_new (guint width, guint height);
void gst_cca_masks_free (GstCcaMasks *masks);

/* Forgets all masks. */
void gst_cca_masks_clear (GstCcaMasks *masks);

/* Return a mask, valid until all are forgotten. A polygon's view has its corner at (x, y) of the frame; NULL if
 * nothing of the polygon is in the frame. A text stands in the middle of a plate of that size. */
const GstCcaMask *gst_cca_masks_find_polygon (GstCcaMasks *masks, const GstCcaDrawing *drawing,
                                              const GstCcaDrawnShape *shape, gint x, gint y);
const GstCcaMask *gst_cca_masks_find_text (GstCcaMasks *masks, GstCcaFont *font, const gchar *text, gint width,
                                           gint height);

/* Returns how many bytes the device knows. */
gsize gst_cca_masks_known (const GstCcaMasks *masks);

/* Returns the bytes that come behind those. */
const GByteArray *gst_cca_masks_fresh (const GstCcaMasks *masks);

/* Tells that the fresh bytes have been uploaded. */
void gst_cca_masks_set_uploaded (GstCcaMasks *masks);
