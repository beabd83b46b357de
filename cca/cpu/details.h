/* gst-cca: the shapes and intensities of a frame's components
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * A pass over the runs of the labelled frame, which the plan's algorithm has stored, by strips of rows. Two rows of
 * runs give bit rows of the links between neighbours within components; three rows of links give the counts of the
 * shapes, 64 pixels at a time.
 */
#pragma once

#include "cca/cpu/foreground.h"
#include "cca/cpu/frame_runs.h"

typedef struct CcaCpuDetails CcaCpuDetails;

/* Returns the bytes that cca_cpu_details_new() allocates. Memory for runs and components grows with the frames. */
size_t cca_cpu_details_size (const CcaCpu *cpu);

/* Makes the workspace. Without memory, returns NULL with the error set. */
CcaCpuDetails *cca_cpu_details_new (const CcaCpu *cpu);
void cca_cpu_details_free (CcaCpuDetails *self); /* NULL is allowed */

/* Returns the store for this frame's runs, for frames without overlaps. */
CcaFrameRuns *cca_cpu_details_runs (const CcaCpuDetails *self);

/* Measures the components with labels 1…n of a frame whose runs are in cpu->runs, on the threads that are awake.
 * Returns their details by label, valid until the next frame. Without memory, returns NULL with the error set. */
const CcaDetails *cca_cpu_details_find (CcaCpuDetails *self, const CcaMask *mask, uint32_t n);
