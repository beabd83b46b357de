/* gst-cca: the background model SAMPLES on the CPU
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The steps of a frame, each a loop over strips: shift.c finds the camera's shift; light.c the light, the noise and
 * black; distance.c the foreground; shades.c the deep shadows on it; hold.c the blocks that the model must not learn;
 * ghosts.c the places of objects that have left. update.c updates the samples and writes the mask; scenes.c returns to
 * a remembered scene. cca/samples.h has the arithmetic.
 */
#pragma once

#include "cca/cpu/algorithm.h"

/* The model, kept between frames. */
typedef struct CcaSamplesModel CcaSamplesModel;

/* A frame's buffers, not kept between frames. */
typedef struct CcaSamplesWork CcaSamplesWork;

/* Makes a model; free it with cca_free(). Without memory, returns NULL with the error set. */
CcaSamplesModel *cca_samples_model_new (const CcaAllocator *allocator, uint32_t width, uint32_t height);
/* Makes the next frame a first frame. */
void cca_samples_model_reset (CcaSamplesModel *model);

/* Takes the buffers of a frame from the layout, with cpu->most_strips strips. */
CcaSamplesWork *cca_samples_work_take (CcaLayout *layout, const CcaCpu *cpu);

/* Finds the foreground of the next frame, writes it to `mask`, and updates the model. The input has contiguous 8-bit
 * values. Returns whether the frame is a scene change. */
bool cca_samples_run (CcaSamplesModel *model, CcaSamplesWork *work, const CcaCpu *cpu, const CcaImage *input,
                      const CcaHeld *held, uint64_t *mask);
