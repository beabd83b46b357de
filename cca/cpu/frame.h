/* gst-cca: a frame's stages on the CPU
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include "cca/backend.h"

/* Makes room for n components in a result, without keeping the old ones. Without memory, returns false. */
bool cca_cpu_frame_reserve (CcaResult *result, uint32_t n);

/* run and wait of CcaBackendOps. */
CcaStatus cca_cpu_frame_run (CcaPlan *plan, const CcaImage *input, const CcaImage *output, void *stream,
                             CcaResult *result);
CcaStatus cca_cpu_frame_wait (CcaResult *result);
