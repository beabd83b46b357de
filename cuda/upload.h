/* gst-cca: brings an image in host memory to the device
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include "cuda/frame.h"

/* Replaces *input, an image in host memory, by the plan's copy in device memory, and enqueues on the frame's stream
 * what copies the planes that the plan reads: straight from memory that CUDA has pinned, else through the frame's own
 * pinned memory. If the frame runs `again`, the copy is there already. Leaves an image in device memory as it is. */
CcaStatus cca_cuda_upload (CcaPlan *plan, CcaCudaFrame *frame, CcaImage *input, bool again);
