/* gst-cca: counting components, size filter, final numbers, and storing the features of the first components
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The filter divides components into n_chunks chunks, a block each, and takes three steps: count, scan, then number
 * and store in order.
 */
#include "cuda/algorithms/segments/params.h"
#include "cuda/kernels/features.cuh"
#include "cuda/kernels/scan.cuh"

#include <cub/block/block_reduce.cuh>

/* Stores the features of the first components if there is no filter. */
extern "C" __global__ void
cca_store_first (const CcaSelectParams p)
{
  trigger_then_sync ();
  const uint32_t n = min (p.wanted.headers.device->n_all, p.wanted.n_selected);

  for (uint32_t first = blockIdx.x * blockDim.x; first < n; first += gridDim.x * blockDim.x) {
    const uint32_t i = first + threadIdx.x;

    store_features (p.wanted, i < n, i, i < n ? features_of (p.components, i, p.firsts[i]) : CcaFeatures{});
  }
}

__device__ static uint32_t
chunk_size (const CcaSelectParams &p)
{
  return (p.wanted.headers.device->n_all + p.n_chunks - 1) / p.n_chunks;
}

__device__ static bool
passes (const CcaSelectParams &p, uint32_t component)
{
  return size_passes (p.sizes, p.components.tally[component], p.firsts[component] >> 16);
}

extern "C" __global__ void
cca_count_selected (const CcaSelectParams p)
{
  trigger_then_sync ();
  typedef cub::BlockReduce<uint32_t, CCA_BLOCK> Reduce;
  __shared__ typename Reduce::TempStorage storage;
  const uint32_t size = chunk_size (p), first = blockIdx.x * size,
                 last = min (first + size, p.wanted.headers.device->n_all);
  uint32_t count = 0;

  for (uint32_t i = first + threadIdx.x; i < last; i += CCA_BLOCK)
    count += passes (p, i);
  count = Reduce (storage).Sum (count);
  if (threadIdx.x == 0)
    p.chunk_counts[blockIdx.x] = count;
}

/* Computes the prefix sums of chunk_counts, and the total. One block. */
extern "C" __global__ void
__launch_bounds__ (CCA_SCAN_BLOCK) cca_scan_selected (const CcaSelectParams p)
{
  trigger_then_sync ();
  const uint32_t n = scan_in_place (p.chunk_counts, p.n_chunks);

  if (threadIdx.x == 0)
    store_count (p.wanted.headers, n);
}

extern "C" __global__ void
cca_store_selected (const CcaSelectParams p)
{
  trigger_then_sync ();
  typedef cub::BlockScan<uint32_t, CCA_BLOCK> Scan;
  __shared__ typename Scan::TempStorage storage;
  const uint32_t size = chunk_size (p), first = blockIdx.x * size,
                 last = min (first + size, p.wanted.headers.device->n_all);
  uint32_t before = p.chunk_counts[blockIdx.x];

  for (uint32_t base = first; base < last; base += CCA_BLOCK) {
    const uint32_t i = base + threadIdx.x;
    const bool selected = i < last && passes (p, i);
    uint32_t rank, total;

    Scan (storage).ExclusiveSum ((uint32_t) selected, rank, total);
    if (i < last)
      p.numbers[i] = selected ? before + rank + 1 : 0;
    const bool stores = selected && before + rank < p.wanted.n_selected;

    store_features (p.wanted, stores, before + rank,
                    stores ? features_of (p.components, i, p.firsts[i]) : CcaFeatures{});
    before += total;
    __syncthreads ();
  }
}
