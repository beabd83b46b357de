/* gst-cca: from a run to its component
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#ifndef CCA_COMPONENT_CUH
#define CCA_COMPONENT_CUH

#include "cuda/kernels/params.h"

/* After cca_number: the component of a run. Most runs point at their root, but a path that another thread halved late in
 * cca_flatten may be longer. */
__device__ inline uint32_t
component_of (const CcaRunsParams &p, uint32_t run)
{
  uint32_t parent = p.parent[run];

  while (!(parent & CCA_NUMBERED))
    parent = p.parent[parent];
  return parent & ~CCA_NUMBERED;
}

#endif
