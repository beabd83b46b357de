/* gst-cca: union-find on the device
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * A parent is smaller than its children, and a root is its own parent. Many threads unite at once: a root is lowered
 * by an atomic operation, and whoever finds that it was no root any more goes on from where it pointed to (Komura,
 * Computer Physics Communications 194, 2015; Playne & Hawick, IEEE TPDS 29, 2018).
 *
 * Parents may be read from the first-level cache, which does not see other multiprocessors' writes: what was once a
 * parent stays a member of the same tree, and the atomic minimum has the last word on what is a root. That keeps the
 * many readers of a large component's root from queueing up at one place of the second-level cache.
 */
#ifndef CCA_UNION_FIND_CUH
#define CCA_UNION_FIND_CUH

#include <stdint.h>

constexpr uint32_t no_root = UINT32_MAX;

/* How parents are read and written: get (i); shorten (i, ancestor); lower (root, to), which returns the parent until
 * then and changes it where it was a root, or to the smaller one. */
struct GlobalParents
{
  uint32_t *parent;

  __device__ uint32_t get (uint32_t i) const { return parent[i]; }
  __device__ void shorten (uint32_t i, uint32_t ancestor) const { __stcg (parent + i, ancestor); }
  __device__ uint32_t lower (uint32_t root, uint32_t to) const { return atomicMin (parent + root, to); }
};

/* The same as of now. */
struct CurrentParents : GlobalParents
{
  __device__ uint32_t get (uint32_t i) const { return __ldcg (parent + i); }
};

/* Follows parents to what is or was a root, halving the path on the way; a halving only replaces a parent by an
 * ancestor, so that a race between two of them or with a union is harmless. */
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

/* Unites what are roots most likely: tries before it looks. What a root is given to need not be one, only be smaller.
 * Where it was none, both paths are followed at once, and at each step those they began with are pointed to where they
 * have come to: others, who begin there, find the way shortened while it is still looked for. In the end all are in one
 * tree, whoever overwrites whom. */
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

/* Returns the root that stops being one, or no_root. */
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

#endif
