/* gst-cca: enqueues a frame's stages
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#ifndef CCA_CUDA_ENQUEUE_H
#define CCA_CUDA_ENQUEUE_H

#include "cuda/frame.h"

/* Enqueues a frame's stages on its stream, for the first time or again, and enters it among the plan's frames in
 * flight. Nothing of it is in flight after a failure. */
CcaStatus cca_cuda_enqueue (CcaPlan *plan, CcaCudaFrame *frame, bool again);

#endif
