/* gst-cca: an oracle for tests, the background model of samples
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * For the oracle itself; tests use oracle.h.
 */
#pragma once

#include "oracle.h"

typedef struct OracleSamples OracleSamples;

OracleSamples *oracle_samples_new (uint32_t width, uint32_t height, bool colored);
void oracle_samples_free (OracleSamples *samples);

/* Returns whether the model fits frames with or without chroma. */
bool oracle_samples_fits (const OracleSamples *samples, bool colored);

/* Replaces the rectangles to hold, which the caller keeps. */
void oracle_samples_hold (OracleSamples *samples, const OracleRectangle *rectangles, size_t n);

/* Runs a frame of 8-bit values without gaps, and sets each pixel of mask to 0 or 1. Ignores chroma if the model has
 * none. Returns whether the scene changed. */
bool oracle_samples_run (const OracleParams *params, OracleSamples *samples, const uint8_t *values,
                         const OracleChroma *chroma, uint16_t *mask);
