/* gst-cca: the colour of each cell of a frame
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#ifndef CCA_CPU_COLOURS_H
#define CCA_CPU_COLOURS_H

#include "cca/cpu/algorithm.h"
#include "cca/cpu/values.h"

/* Samples some rows of cells, as CcaMeasurement.colours says, into planes of all cells. values tell how to read the
 * image, coverage has been counted. */
void cca_colours_sample (const CcaParams *params, const CcaValues *values, const CcaImage *image,
                         const uint8_t *coverage, CcaStrip rows, uint8_t *colours);

#endif
