/* gst-cca: the product's results against the oracle's
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Everything is compared bit for bit. A comparison returns NULL, or what differs first, to free with g_free().
 */
#ifndef COMPARE_H
#define COMPARE_H

#include "cca/cca.h"
#include "guarded.h"
#include "oracle.h"

OracleParams compare_oracle_params (const CcaParams *params);

char *compare_measurement (const CcaMeasurement *measurement, const OracleFrame *expected);
char *compare_output (const Guarded *image, CcaOutput output, const OracleFrame *expected);

/* Runs a frame of pixels without gaps through the plan, in guarded images of this layout, and compares the measurement
 * and, unless output is CCA_OUTPUT_NONE, the output image. */
char *compare_run (CcaPlan *plan, CcaResult *result, CcaOutput output, Layout layout, const uint8_t *pixels,
                   const OracleFrame *expected);

/* Whether an algorithm serves these parameters and output. */
bool compare_can (const CcaAlgorithm *algorithm, const CcaParams *params, CcaOutput output);

#endif
