/* gst-cca: the product's results against the oracle's
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Everything is compared bit for bit. A comparison returns NULL, or a text of the first difference, to free with
 * g_free().
 */
#pragma once

#include "cca/cca.h"
#include "guarded.h"
#include "oracle.h"

OracleParams compare_oracle_params (const CcaParams *params);

/* Returns the component that a backend must report for the oracle's. */
CcaComponent compare_expected_component (const OracleComponent *expected);

char *compare_components (const CcaComponent *actual, const CcaComponent *expected);
/* Compares the cells and their colours, of a frame of these pixels. cell is CcaParams.coverage_cell; chroma: NULL for
 * none. */
char *compare_coverage (const CcaMeasurement *measurement, const OracleParams *params, const OracleChroma *chroma,
                        const uint8_t *pixels, const OracleFrame *expected, uint32_t cell);
char *compare_measurement (const CcaMeasurement *measurement, const OracleFrame *expected);
/* Compares the overlaps; before is NULL if they are unknown. */
char *compare_overlaps (const CcaMeasurement *measurement, const OracleFrame *before, const OracleFrame *now,
                        uint32_t max_components);
char *compare_output (const Guarded *image, CcaOutput output, const OracleFrame *expected);

/* A frame on its way through a plan, in guarded images. */
typedef struct
{
  CcaOutput output;
  const uint8_t *pixels;      /* the caller's */
  Guarded in, out;            /* out unless output is CCA_OUTPUT_NONE */
  const OracleChroma *colors; /* the caller's, NULL: none */
  Guarded chroma[2];          /* n_chroma of them: one with u and v interleaved, or one of each */
  uint32_t n_chroma;
  CcaResult *result;
} CompareFrame;

/* Prepares a frame; pixels have no gaps. Everything that may wait for a stream happens here and in
 * compare_frame_finish(). */
void compare_frame_init (CompareFrame *frame, uint32_t width, uint32_t height, CcaOutput output, Layout layout,
                         const uint8_t *pixels);
void compare_frame_clear (CompareFrame *frame);
/* Gives the frame chroma; its planes have no gaps. */
void compare_frame_set_chroma (CompareFrame *frame, const OracleChroma *chroma, Layout layout);
/* Calls cca_plan_run(). */
CcaStatus compare_frame_start (CompareFrame *frame, CcaPlan *plan, void *stream, CcaResult *result);
/* Waits for the result, and compares measurement and output image. */
char *compare_frame_finish (CompareFrame *frame, const OracleFrame *expected);

/* Does all of that on the default stream. */
char *compare_run (CcaPlan *plan, CcaResult *result, CcaOutput output, Layout layout, const uint8_t *pixels,
                   const OracleFrame *expected);
/* Does the same with chroma, unless it is NULL. */
char *compare_run_colored (CcaPlan *plan, CcaResult *result, CcaOutput output, Layout layout, const uint8_t *pixels,
                           const OracleChroma *chroma, const OracleFrame *expected);

/* Returns whether an algorithm supports these parameters and output. */
bool compare_can (const CcaAlgorithm *algorithm, const CcaParams *params, CcaOutput output);
