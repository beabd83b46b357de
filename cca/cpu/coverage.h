/* gst-cca: the foreground pixels of each cell of a frame
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#ifndef CCA_CPU_COVERAGE_H
#define CCA_CPU_COVERAGE_H

#include "cca/cpu/algorithm.h"

/* Counts the foreground of some rows of cells. mask has row_words words for each of `height` rows of pixels, none set
 * beyond the frame; cells has `columns` for each row of cells with sides of `cell` pixels. */
void cca_coverage_count (const uint64_t *mask, uint32_t row_words, uint32_t height, uint32_t cell, uint32_t columns,
                         CcaStrip rows, uint8_t *cells);

#endif
