/* gst-cca: a drawing as pieces in tiles, for the GPU
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The device's memory holds, one behind the other: the masks that it knows, fresh masks, images and segments of
 * lines, and the lists that kernels.h describes. Everything behind the known masks is uploaded at once.
 */
#pragma once

#include "drawing.h"
#include "font.h"
#include "kernels.h"

typedef struct _GstCcaPieces GstCcaPieces;

/* Where the parts of an upload are, bytes of the device's memory. Each is a multiple of 16. */
typedef struct
{
  gsize begin, extras, pieces, tiles, entries, end;
} GstCcaPiecesLayout;

/* For frames of that size, in 1…32767. One thread at a time. */
GstCcaPieces *gst_cca_pieces_new (guint width, guint height);
void gst_cca_pieces_free (GstCcaPieces *pieces);

/* Lists a drawing whose view has its corner at (x, y) of the frame. Returns the number of tiles that it may touch. */
guint gst_cca_pieces_list (GstCcaPieces *pieces, const GstCcaDrawing *drawing, GstCcaFont *font, gint x, gint y);

/* Returns where the list and what it needs are in the device's memory. */
GstCcaPiecesLayout gst_cca_pieces_lay_out (const GstCcaPieces *pieces);

/* Copies the upload, layout->end - layout->begin bytes. */
void gst_cca_pieces_copy (const GstCcaPieces *pieces, const GstCcaPiecesLayout *layout, guint8 *to);

/* Tells that the device has the last list. */
void gst_cca_pieces_set_uploaded (GstCcaPieces *pieces);

/* Tells that the device's memory is lost. List again. */
void gst_cca_pieces_forget (GstCcaPieces *pieces);
