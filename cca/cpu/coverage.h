/* gst-cca: the foreground pixels of each cell of a frame, and its colour
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include "cca/cpu/algorithm.h"
#include "cca/cpu/values.h"

/* Counts the foreground of some rows of cells, whose sides are `cell` pixels. mask has `height` rows of row_words
 * words, as cca_row_words () gives them, without a set bit beyond the frame. cells has `columns` bytes for each row of
 * cells. */
void cca_coverage_count (const uint64_t *mask, uint32_t row_words, uint32_t height, uint32_t cell, uint32_t columns,
                         CcaStrip rows, uint8_t *cells);

/* Samples some rows of cells, as CcaMeasurement.colours says, into planes of all cells. values tell how to read the
 * image, coverage has been counted. */
void cca_colours_sample (const CcaParams *params, const CcaValues *values, const CcaImage *image,
                         const uint8_t *coverage, CcaStrip rows, uint8_t *colours);
