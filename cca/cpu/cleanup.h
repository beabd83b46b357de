/* gst-cca: clean-up of bit planes
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Planes have rows of cca_row_words () words whose bits from the width on are 0. Each function processes the rows of
 * one strip. All strips must finish a function before any strip starts the next one.
 */
#pragma once

#include "cca/cpu/algorithm.h"

/* Sets a pixel of `out` if at least 5 of the 3x3 pixels around it are set; outside the image is background. */
void cca_majority (const uint64_t *in, uint64_t *out, uint32_t row_words, uint32_t height, CcaStrip rows);

/* Closes by a square of side 2 r + 1: a dilation on the plane padded by r on all sides, then an erosion, each split
 * into its horizontal and vertical part. `dilated` has height and `eroded` height + 2 r rows of cca_row_words (width +
 * 2 r) words. */
void cca_dilate_rows (const uint64_t *in, uint64_t *dilated, uint32_t width, uint32_t radius, CcaStrip rows);
/* Fills rows of `eroded`: dilates vertically, then erodes horizontally. */
void cca_dilate_columns_erode_rows (const uint64_t *dilated, uint64_t *eroded, uint32_t width, uint32_t height,
                                    uint32_t radius, CcaStrip rows);
void cca_erode_columns (const uint64_t *eroded, uint64_t *out, uint32_t width, uint32_t radius, CcaStrip rows);
