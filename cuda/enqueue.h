/* gst-cca: enqueues a frame's stages
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include "cuda/frame.h"

/* Enqueues a frame's stages on its stream, for the first time or again. The plan has no other frame in flight. Nothing
 * of the frame is in flight after a failure. */
CcaStatus cca_cuda_enqueue (CcaPlan *plan, CcaCudaFrame *frame, bool again);
