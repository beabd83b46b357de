/* gst-cca: the kernels of the background model SAMPLES, for host and device
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include "cuda/samples/params.h"

#define CCA_KERNELS_shift(K)                                                                                           \
  K (samples_shift, CcaSamplesFrameParams, shift)                                                                      \
  K (samples_shift_half, CcaSamplesFrameParams, shift)                                                                 \
  K (samples_shift_rgb, CcaSamplesFrameParams, shift)

#define CCA_KERNELS_resample(K)                                                                                        \
  K (samples_resample, CcaSamplesFrameParams, resample)                                                                \
  K (samples_resample_half, CcaSamplesFrameParams, resample)                                                           \
  K (samples_resample_rgb, CcaSamplesFrameParams, resample)

#define CCA_KERNELS_light(K) K (samples_light, CcaSamplesLightParams, light)

#define CCA_KERNELS_distance(K) K (samples_distance, CcaSamplesParams, distance)

#define CCA_KERNELS_decide(K) K (samples_decide, CcaSamplesParams, decide)

#define CCA_KERNELS_show(K) K (samples_show, CcaSamplesMaskParams, show)

#define CCA_KERNELS_ghosts(K) K (samples_ghosts, CcaSamplesParams, ghosts)

#define CCA_KERNELS_update(K) K (samples_update, CcaSamplesParams, update)
