/* gst-cca: shared by the tests on the fake driver: the driver, and frames of images that exist once
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The fake driver (fake-cuda/) stands in front of a GPU or of the null device, whose kernels do nothing: there results
 * are not compared.
 */
#pragma once

#include "counting-allocator.h"
#include "fake-cuda/fake-cuda.h"
#include "targets.h"

#define WIDTH 90u
#define HEIGHT 60u
#define OUTPUT CCA_OUTPUT_LABELS_U32

/* Figures, from few components to many and back. Odd ones, and their output images, are in pinned host memory. */
enum
{
  DOTS = 3,
  CHECKERBOARD = 4,
  N_FIGURES = 6,
};

extern const FakeCuda *fake;

/* Finds the fake driver, and initialises GLib's tests. Ends the program if the driver is another. */
void driver_init (int *argc, char ***argv);

/* Allocates the figures in host and device memory, and output images, so that the tests count only libcca's calls. */
void images_init (void);
void images_clear (void);
/* Returns a figure in host memory, without gaps. */
const uint8_t *image_of (size_t figure);

/* Runs a figure from one memory, with an output image in it. */
CcaStatus run (CcaPlan *plan, CcaResult *result, size_t figure, CcaMemory memory);
/* Compares with the oracle if kernels work, except for MOTION, which needs a model. */
void check_measurement (const CcaMeasurement *measurement, const CcaParams *params, size_t figure);

CcaStatus open_context (CountingAllocator *counting, CcaContext **context);

/* Returns whether the target is CUDA's, for targets_add_test_where() and its kin. */
bool is_cuda (const Target *target);
