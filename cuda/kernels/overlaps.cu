/* gst-cca: overlaps of an algorithm that only paints labels; the list of a frame's overlaps for the host
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "cuda/kernels/overlaps.cuh"

/* Makes a lane's row of labels, from pixel column * CCA_LABEL_TILE of row y on, reading labels only at the first pixels
 * of runs. All lanes call it. */
__device__ static void
make_row (const CcaOverlapLabelsParams &q, uint32_t column, uint32_t y, LabelRowMaker maker)
{
  if (y < q.planes.height) {
    const size_t word = (size_t) y * q.planes.row_words + column;
    const uint32_t bits = q.planes.bits[word], joins = (q.planes.joins ? q.planes.joins[word] : bits & bits << 1) & ~1u;
    const uint32_t *const labels = q.labels + y * q.label_pitch + column * CCA_LABEL_TILE;

    for (uint32_t starts = bits & ~joins, ends = bits & ~(joins >> 1); starts; starts &= starts - 1, ends &= ends - 1)
      maker.add (__ffs (starts) - 1, __ffs (ends) - 1, labels[__ffs (starts) - 1]);
  }
  maker.finish ();
}

/* Makes the rows of labels from an image of labels, and counts their overlaps; a warp per tile. */
extern "C" __global__ void
__launch_bounds__ (CCA_BLOCK) cca_overlap_labels (const CcaOverlapLabelsParams q)
{
  trigger_then_sync ();
  __shared__ BlockOverlaps block;
  const CcaOverlapsParams &p = q.overlaps;
  const uint32_t column = warp_index (), tile = blockIdx.y * p.columns + column;

  block.clear ();
  __syncthreads ();
  if (column < p.columns) {
    const uint32_t half = *p.half, y = blockIdx.y * CCA_LABEL_TILE + lane_index ();

    make_row (q, column, y, LabelRowMaker (p, block, load_label_row (p, half, tile), 1 - half, tile));
  }
  __syncthreads ();
  block.vote (p);
}

/* Makes the current frame the last one, unless it must run again, and writes the header for the host. `half` and
 * `header` are the device's. */
__device__ static void
finish_frame (const CcaCollectParams &q, uint32_t n, uint32_t half, CcaDeviceHeader header)
{
  const bool too_many = q.compares && n > q.overlaps.capacity;
  uint4 parts[sizeof header / sizeof (uint4)];

  header.n_overlaps = q.compares ? n : 0;
  header.needed_overlaps = too_many ? n : 0;
  if (!too_many && header.needed == 0)
    *q.overlaps.half = 1 - half;
  memcpy (parts, &header, sizeof parts);
  for (uint32_t i = 0; i < sizeof parts / sizeof *parts; i++)
    ((uint4 *) q.headers.host)[i] = parts[i];
}

/* Stores the overlaps for the host, in any order, and empties the table. */
extern "C" __global__ void
__launch_bounds__ (CCA_BLOCK) cca_collect_overlaps (const CcaCollectParams q)
{
  trigger_then_sync ();
  const CcaOverlapsParams &p = q.overlaps;
  const uint32_t n = p.counters[CCA_N_OVERLAPS], n_threads = gridDim.x * CCA_BLOCK,
                 first = blockIdx.x * CCA_BLOCK + threadIdx.x;
  /* only for the last block, loaded early to hide the latency */
  const uint32_t half = *p.half;
  const CcaDeviceHeader header = *q.headers.device;

  __syncthreads ();
  const uint32_t n_collected = threadIdx.x == 0 ? atomicAdd (p.counters + CCA_N_COLLECTED, 1) : 0;

  for (uint32_t i = first; i < min (n, p.capacity); i += n_threads) {
    CcaOverlapEntry *const entry = p.table + p.used[i];
    const CcaOverlapEntry found = *entry;

    if (i < q.n_for_host)
      q.for_host[i] = { (uint32_t) (found.labels >> 32), (uint32_t) found.labels, found.pixels };
    *entry = {};
  }
  if (n > p.capacity) /* some overlaps are not listed */
    for (uint32_t i = first; i < 1u << p.table_bits; i += n_threads)
      p.table[i] = {};
  if (threadIdx.x == 0 && n_collected == gridDim.x - 1) {
    finish_frame (q, n, half, header);
    p.counters[CCA_N_OVERLAPS] = 0;
    p.counters[CCA_N_COLLECTED] = 0;
  }
}
