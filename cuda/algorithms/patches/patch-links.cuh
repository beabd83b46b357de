/* gst-cca: which runs of a patch connect
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include "cuda/algorithms/patches/patch-runs.cuh"

template <bool values>
__device__ static Links<uint32_t>
links_in_patch (const CcaPlanes &p, uint32_t column, uint32_t row, const PatchRow &own, const PatchRow &above)
{
  Links<uint32_t> links = {};

  if (own.repeats ())
    return links;
  if (values) {
    const uint32_t y = row * patch_size + lane_index ();
    const size_t word = (size_t) y * p.row_words + column;
    const bool inside = lane_index () > 0 && y < p.height;

    links.vertical = inside ? p.vertical[word] : 0;
    if (p.diagonal && inside) {
      links.falling = p.falling[word] & ~1u;
      links.rising = p.rising[word] & ~1u;
    }
  } else {
    links.vertical = own.here & above.here;
    if (p.diagonal) {
      links.falling = own.here & above.here << 1;
      links.rising = own.here << 1 & above.here;
    }
  }
  return thin_links (links, links.vertical << 1, own.joins, above.joins);
}

/* Returns the row above within the patch. */
__device__ static PatchRow
row_above (const PatchRow &own)
{
  PatchRow above;

  above.here = __shfl_up_sync (all_lanes, own.here, 1);
  above.joins = __shfl_up_sync (all_lanes, own.joins, 1);
  above.slab = __shfl_up_sync (all_lanes, own.slab, 1);
  above.first_run = __shfl_up_sync (all_lanes, own.first_run, 1);
  if (lane_index () == 0)
    above.here = above.joins = 0;
  return above;
}

/* Links runs with the first run above that touches them, and unites them with the other ones. A call may bring links of
 * several kinds if no pixel has two. */
struct Linker
{
  uint32_t *runs;
  PatchRow own, above;
  uint32_t two_above; /* the row above the slab above; 0 among regions of equal value */
  uint32_t linked;    /* mask of starts of runs that have a parent already */
  bool diagonal;

  /* Returns whether a run above the slab above touches both the run above that starts at x and the one on its left. */
  __device__ bool gap_is_bridged (uint32_t x) const
  {
    const uint32_t left = above.here & ((1u << x) - 1); /* not 0: the run here touches a run on the left of x */
    const uint32_t last = 31 - __clz (left);
    const uint32_t span = diagonal ? (1u << x) - (2u << last) : (2u << x) - (1u << last);

    return (two_above & span) == span;
  }

  /* Return the pixels that a link at x connects. */
  __device__ static uint32_t own_pixel (const Links<uint32_t> &links, uint32_t x)
  {
    return x - (links.rising >> x & 1);
  }
  __device__ static uint32_t above_pixel (const Links<uint32_t> &links, uint32_t x)
  {
    return x - (links.falling >> x & 1);
  }

  /* Makes each run's first link its parent. Returns the links that are left to unite. */
  __device__ uint32_t link (const Links<uint32_t> &links)
  {
    uint32_t unions = 0;

    for (uint32_t bits = links.any (); bits; bits &= bits - 1) {
      const uint32_t x = __ffs (bits) - 1;
      const uint32_t own_starts = own.starts () & (all_lanes >> (31 - own_pixel (links, x)));
      const uint32_t start = 31 - __clz (own_starts);

      if (linked >> start & 1) {
        unions |= bits & -bits;
      } else {
        const uint32_t run = own.first_run + __popc (own_starts) - 1;

        linked |= 1u << start;
        runs[run] = (runs[run] & ~parent_bits) | above.run_at (above_pixel (links, x));
      }
    }
    return unions;
  }

  __device__ void unite_at (uint32_t bits, const Links<uint32_t> &links) const
  {
    for (; bits; bits &= bits - 1) {
      const uint32_t x = __ffs (bits) - 1;

      unite (RunParents{ runs }, own.run_at (own_pixel (links, x)), above.run_at (above_pixel (links, x)));
    }
  }

  __device__ uint32_t without_bridged (uint32_t unions) const
  {
    for (uint32_t bits = unions; bits; bits &= bits - 1)
      if (gap_is_bridged (__ffs (bits) - 1))
        unions &= ~(bits & -bits);
    return unions;
  }
};
