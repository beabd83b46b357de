/* gst-cca: the details of components: counts of a lane, of a block, of a frame
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * A lane goes down a column of pixels and counts while their label stays the same. A block sums its lanes' counts for
 * each label in a small hash table before it votes in the frame's details: many votes for one component would contend.
 */
#pragma once

#include "cuda/kernels/params.h"
#include "cuda/kernels/warp.cuh"

typedef unsigned long long Sum;

/* Counts are a struct with
 *   any ()          returns whether a count is not 0
 *   add (other)     adds other counts, in registers
 *   add_to (other)  adds these to other counts, in shared memory
 *   vote (details)  adds these to a component's details
 *   of_lanes (mine) returns the sum over the lanes with `mine`; all lanes call it */
struct ShapeCounts
{
  uint32_t half_steps, half_slants, entries, slanting_entries;
  int32_t euler_number;

  __device__ bool any () const { return half_steps | half_slants | entries | slanting_entries | euler_number; }
  __device__ void add (const ShapeCounts &o)
  {
    half_steps += o.half_steps;
    half_slants += o.half_slants;
    entries += o.entries;
    slanting_entries += o.slanting_entries;
    euler_number += o.euler_number;
  }
  __device__ void add_to (ShapeCounts &o) const
  {
    if (half_steps)
      atomicAdd (&o.half_steps, half_steps);
    if (half_slants)
      atomicAdd (&o.half_slants, half_slants);
    if (entries)
      atomicAdd (&o.entries, entries);
    if (slanting_entries)
      atomicAdd (&o.slanting_entries, slanting_entries);
    if (euler_number)
      atomicAdd (&o.euler_number, euler_number);
  }
  __device__ void vote (CcaDetails &d) const
  {
    if (half_steps)
      atomicAdd ((Sum *) &d.half_steps, (Sum) half_steps);
    if (half_slants)
      atomicAdd ((Sum *) &d.half_slants, (Sum) half_slants);
    if (entries)
      atomicAdd ((Sum *) &d.entries, (Sum) entries);
    if (slanting_entries)
      atomicAdd ((Sum *) &d.slanting_entries, (Sum) slanting_entries);
    if (euler_number)
      atomicAdd ((Sum *) &d.euler_number, (Sum) (int64_t) euler_number);
  }
  __device__ ShapeCounts of_lanes (bool mine) const
  {
    return { warp_sum (mine ? half_steps : 0), warp_sum (mine ? half_slants : 0), warp_sum (mine ? entries : 0),
             warp_sum (mine ? slanting_entries : 0), (int32_t) warp_sum (mine ? (uint32_t) euler_number : 0) };
  }
};

struct IntensityCounts
{
  uint32_t sum, not_min, max;

  __device__ bool any () const { return not_min; } /* values have 16 bits */
  __device__ void add (const IntensityCounts &o)
  {
    sum += o.sum;
    not_min = ::max (not_min, o.not_min);
    max = ::max (max, o.max);
  }
  __device__ void add_to (IntensityCounts &o) const
  {
    atomicAdd (&o.sum, sum);
    atomicMax (&o.not_min, not_min);
    atomicMax (&o.max, max);
  }
  __device__ void vote (CcaDetails &d) const
  {
    atomicAdd ((Sum *) &d.sum, (Sum) sum);
    atomicMax (&d.not_min, not_min);
    atomicMax (&d.max, max);
  }
  __device__ IntensityCounts of_lanes (bool mine) const
  {
    return { warp_sum (mine ? sum : 0), warp_max (mine ? not_min : 0), warp_max (mine ? max : 0) };
  }
};

/* A block's counts, in shared memory. */
template <typename Counts> struct BlockCounts
{
  static constexpr uint32_t n = 256, most_probes = 4;

  uint32_t labels[n];
  Counts counts[n];

  /* Empties the table with all threads; a barrier must follow. */
  __device__ void clear ()
  {
    for (uint32_t i = threadIdx.x; i < n; i += blockDim.x) {
      labels[i] = 0;
      counts[i] = {};
    }
  }

  /* Adds counts for a label. If there is no room near its place, votes for the component at once. */
  __device__ void add (const CcaLabelled &p, uint32_t label, const Counts &its)
  {
    uint32_t i = label % n;

    if (label > p.n_details)
      return;
    for (uint32_t probe = 0; probe < most_probes; probe++) {
      const uint32_t found = atomicCAS (labels + i, 0u, label);

      if (found == 0 || found == label) {
        its.add_to (counts[i]);
        return;
      }
      i = (i + 1) % n;
    }
    its.vote (p.details[label - 1]);
  }

  /* Votes with all threads; call after a barrier. */
  __device__ void vote (const CcaLabelled &p) const
  {
    for (uint32_t i = threadIdx.x; i < n; i += blockDim.x)
      if (labels[i] != 0)
        counts[i].vote (p.details[labels[i] - 1]);
  }
};

/* A lane's counts on its way down. */
template <typename Counts> struct LaneCounts
{
  const CcaLabelled &p;
  BlockCounts<Counts> &block;
  uint32_t label;
  Counts counts;

  __device__ LaneCounts (const CcaLabelled &p, BlockCounts<Counts> &block) : p (p), block (block), label (0), counts{}
  {
  }

  /* Adds a pixel's counts to its component. */
  __device__ void add (uint32_t its_label, const Counts &its)
  {
    if (its_label != label) {
      if (counts.any ())
        block.add (p, label, counts);
      label = its_label;
      counts = {};
    }
    counts.add (its);
  }

  /* Adds the last counts; all lanes call it. Lanes with the same label as the first one are summed first. */
  __device__ void finish ()
  {
    const uint32_t lanes = __ballot_sync (all_lanes, counts.any ());

    if (!lanes)
      return;
    const uint32_t first = __ffs (lanes) - 1;
    const bool like_first = label == __shfl_sync (all_lanes, label, first);
    const Counts sum = counts.of_lanes (like_first);

    if (lane_index () == first)
      block.add (p, label, sum);
    else if (!like_first && counts.any ())
      block.add (p, label, counts);
  }
};
