/* gst-cca: the foreground pixels of each cell of a frame, and its colour
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include "cca/cpu/algorithm.h"
#include "cca/cpu/values.h"

/* Counts the foreground in some rows of cells, whose sides are `cell` pixels. mask has `height` rows of row_words
 * words, as by cca_row_words(); bits beyond the frame are 0. cells has `columns` bytes for each row of cells. */
void cca_coverage_count (const uint64_t *mask, uint32_t row_words, uint32_t height, uint32_t cell, uint32_t columns,
                         CcaStrip rows, uint8_t *cells);

/* Samples the colours of some rows of cells into planes of all cells (CcaMeasurement.colours). `values` converts the
 * image's pixels; the coverage must be counted already. */
void cca_colours_sample (const CcaParams *params, const CcaValues *values, const CcaImage *image,
                         const uint8_t *coverage, CcaStrip rows, uint8_t *colours);
