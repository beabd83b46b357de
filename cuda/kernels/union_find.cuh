/* gst-cca: union-find on the device
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * A parent is smaller than its children, and a root is its own parent. Many threads unite at once: each lowers a root
 * by an atomic minimum, and if the node was no longer a root, continues from the parent that it finds there (Komura,
 * Computer Physics Communications 194, 2015; Playne & Hawick, IEEE TPDS 29, 2018).
 *
 * Threads may read stale parents from the first-level cache: a former parent is still in the same tree, and the atomic
 * minimum decides what is a root. Without that cache, the many readers of a large component's root would contend for
 * one address of the second-level cache.
 */
#pragma once

#include <stdint.h>

constexpr uint32_t no_root = UINT32_MAX;

/* Parents in global memory. Every kind of parents has get (i); shorten (i, ancestor), which replaces a parent by an
 * ancestor; and lower (root, to), which makes `to` the parent if it is smaller, and returns the previous parent. */
struct GlobalParents
{
  uint32_t *parent;

  __device__ uint32_t get (uint32_t i) const { return parent[i]; }
  __device__ void shorten (uint32_t i, uint32_t ancestor) const { __stcg (parent + i, ancestor); }
  __device__ uint32_t lower (uint32_t root, uint32_t to) const { return atomicMin (parent + root, to); }
};

/* The same, bypassing the first-level cache. */
struct CurrentParents : GlobalParents
{
  __device__ uint32_t get (uint32_t i) const { return __ldcg (parent + i); }
};

/* Returns the root of i, or a former root. Halves the path on the way: it only replaces parents by
 * ancestors, so races with other threads are harmless. */
template <typename Parents, typename Index>
__device__ inline Index
find_root (const Parents &parents, Index i)
{
  Index p = parents.get (i);

  while (p != i) {
    const Index grandparent = parents.get (p);

    if (grandparent != p)
      parents.shorten (i, grandparent);
    i = p;
    p = grandparent;
  }
  return i;
}

/* Unites two nodes that are most likely roots: tries before it searches. The new parent need not be a root, only
 * smaller. If the greater node was no root, follows both paths at once and points their first nodes ahead at each step,
 * which shortens the path for other threads that start there. In the end all these nodes are in one tree, whichever
 * write came last. */
template <typename Parents, typename Index>
__device__ inline void
unite_likely_roots (const Parents &parents, Index a, Index b)
{
  while (a != b) {
    const Index greater = max (a, b), smaller = min (a, b), old = parents.lower (greater, smaller);

    if (old == greater)
      return;
    a = parents.get (old);
    b = parents.get (smaller);
    while (a != b) {
      const Index above_a = parents.get (a), above_b = parents.get (b);

      if (above_a == a && above_b == b)
        break;
      if (above_a != a) {
        parents.shorten (old, above_a);
        parents.shorten (greater, above_a);
      }
      if (above_b != b)
        parents.shorten (smaller, above_b);
      a = above_a;
      b = above_b;
    }
  }
}

/* Unites two trees. Returns the former root, or no_root if both are one tree already. */
template <typename Parents>
__device__ inline uint32_t
unite (const Parents &parents, uint32_t a, uint32_t b)
{
  for (;;) {
    uint32_t old;

    a = find_root (parents, a);
    b = find_root (parents, b);
    if (a == b)
      return no_root;
    if (a < b) {
      const uint32_t swap = a;

      a = b;
      b = swap;
    }
    old = parents.lower (a, b);
    if (old == a)
      return a;
    a = old;
  }
}
