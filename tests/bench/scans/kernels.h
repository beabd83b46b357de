/* gst-cca: the kernels of the scans that the evaluation compares, for host and device
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <stdint.h>

/* A block's pixels, one per thread, as in the evaluation paper's table II. */
#define SCAN_BLOCK_WIDTH 16u
#define SCAN_BLOCK_HEIGHT 8u

typedef struct
{
  const uint8_t *mask;
  uint32_t *labels;
  uint32_t width, height; /* multiples of a block's */
  uint32_t *changed;      /* whether a later Scan lowered a label since the last Analysis */
  uint32_t *n_components;
} ScanParams;

#define CCA_KERNELS_scan(K)                                                                                            \
  K (variant_prelabel, ScanParams, scan)                                                                               \
  K (variant_first_p4, ScanParams, scan)                                                                               \
  K (variant_first_f4, ScanParams, scan)                                                                               \
  K (variant_first_f8, ScanParams, scan)                                                                               \
  K (variant_scan_global, ScanParams, scan)                                                                            \
  K (variant_scan_shared, ScanParams, scan)                                                                            \
  K (variant_analyse, ScanParams, scan)                                                                                \
  K (variant_number, ScanParams, scan)
