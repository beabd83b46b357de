/* gst-cca: prefix sums of a short list, by one block
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include "cuda/kernels/params.h"

#include <cub/block/block_scan.cuh>

/* Replaces every value by the sum of the values before it. Returns the total in every thread. One block of
 * CCA_SCAN_BLOCK threads calls it. */
__device__ inline uint32_t
scan_in_place (uint32_t *values, uint32_t n)
{
  constexpr uint32_t each = 8;
  typedef cub::BlockScan<uint32_t, CCA_SCAN_BLOCK> Scan;
  __shared__ typename Scan::TempStorage storage;
  __shared__ uint32_t list[CCA_SCAN_BLOCK * each]; /* staging buffer for coalesced loads and stores */
  uint32_t before = 0;

  for (uint32_t base = 0; base < n; base += CCA_SCAN_BLOCK * each) {
    const uint32_t end = min (n - base, CCA_SCAN_BLOCK * each);
    uint32_t items[each], total;

    for (uint32_t i = threadIdx.x; i < CCA_SCAN_BLOCK * each; i += CCA_SCAN_BLOCK)
      list[i] = i < end ? values[base + i] : 0;
    __syncthreads ();
    for (uint32_t k = 0; k < each; k++)
      items[k] = list[threadIdx.x * each + k];
    Scan (storage).ExclusiveSum (items, items, total);
    for (uint32_t k = 0; k < each; k++)
      list[threadIdx.x * each + k] = before + items[k];
    __syncthreads ();
    for (uint32_t i = threadIdx.x; i < end; i += CCA_SCAN_BLOCK)
      values[base + i] = list[i];
    before += total;
    __syncthreads ();
  }
  return before;
}
