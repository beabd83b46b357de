/* gst-cca: paints over the hidden parts of a frame
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Knows libc only. What is painted depends on the hidden pixels only through the means of the cells: the mean of all
 * hidden blocks in a square of 8 << level pixels, on a grid that starts at the frame's corner. Pixelating paints the
 * means themselves. Blurring interpolates between them, so that it tells no more about the pixels than pixelating does;
 * a convolution, which could be inverted, is not involved.
 */
#pragma once

#include "cells.h"
#include "cover.h"

#include "gst/common/values.h"

typedef enum
{
  GST_CCA_VEIL_BLUR,
  GST_CCA_VEIL_PIXELATE,
  GST_CCA_VEIL_FILL
} GstCcaVeilMode;

typedef struct
{
  uint32_t width, height, n_components;
  GstCcaValues components[GST_CCA_VEIL_MAX_COMPONENTS];
  uint8_t fill[GST_CCA_VEIL_MAX_COMPONENTS]; /* painted by GST_CCA_VEIL_FILL */
} GstCcaVeilFrame;

/* The cells of all levels; all 0 is empty. */
typedef struct
{
  GstCcaVeilLevel levels[GST_CCA_COVER_MAX_LEVEL + 1]; /* level 0 are the blocks; its cells are the memory of all */
} GstCcaVeil;

/* Sets the sizes of all GST_CCA_COVER_MAX_LEVEL + 1 levels for a cover, and their places one after the other from
 * `cells` on, which may be NULL. Returns how many cells there are. */
size_t gst_cca_veil_lay_out (GstCcaVeilLevel *levels, const GstCcaCover *cover, GstCcaVeilCell *cells);

/* Makes room for frames of a cover's size, of which the veil had another before. Returns false without memory; the veil
 * is then empty. */
bool gst_cca_veil_begin (GstCcaVeil *veil, const GstCcaCover *cover);
void gst_cca_veil_free (GstCcaVeil *veil);

/* Paints over the hidden blocks of a frame of the cover's size, for which gst_cca_veil_begin() succeeded. Allocates
 * nothing. */
void gst_cca_veil_paint (GstCcaVeil *veil, const GstCcaCover *cover, const GstCcaVeilFrame *frame, GstCcaVeilMode mode);
