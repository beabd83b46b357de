/* gst-cca: union-find on the device
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * parent[i] <= i, and a root is its own parent. Many threads unite at once: a root is lowered by an atomic minimum, and whoever
 * finds that it was no root any more goes on from where it pointed to (Komura, Computer Physics Communications 194, 2015;
 * Playne & Hawick, IEEE TPDS 29, 2018).
 *
 * Parents may be read from the first-level cache, which does not see other multiprocessors' writes: what was once a parent stays a
 * member of the same tree, and the atomic minimum has the last word on what is a root. That keeps the many readers of a large
 * component's root from queueing up at one place of the second-level cache.
 */
#ifndef CCA_UNION_FIND_CUH
#define CCA_UNION_FIND_CUH

#include <stdint.h>

constexpr uint32_t no_root = UINT32_MAX;

/* Follows parents to a root, halving the path on the way; a halving only replaces a parent by an ancestor, so that a race between
 * two of them or with a union is harmless. */
template <typename Load>
__device__ inline uint32_t
find_root_with (uint32_t *parent, uint32_t i, Load load)
{
  uint32_t p = load (parent + i);

  while (p != i) {
    const uint32_t grandparent = load (parent + p);

    if (grandparent != p)
      __stcg (parent + i, grandparent);
    i = p;
    p = grandparent;
  }
  return i;
}

/* What is or was a root of i's tree. */
__device__ inline uint32_t
find_root (uint32_t *parent, uint32_t i)
{
  return find_root_with (parent, i, [] (const uint32_t *p) { return *p; });
}

/* The root as of now. */
__device__ inline uint32_t
find_current_root (uint32_t *parent, uint32_t i)
{
  return find_root_with (parent, i, [] (const uint32_t *p) { return __ldcg (p); });
}

/* Returns the root that stops being one, or no_root. */
__device__ inline uint32_t
unite (uint32_t *parent, uint32_t a, uint32_t b)
{
  for (;;) {
    uint32_t old;

    a = find_root (parent, a);
    b = find_root (parent, b);
    if (a == b)
      return no_root;
    if (a < b) {
      const uint32_t swap = a;

      a = b;
      b = swap;
    }
    old = atomicMin (parent + a, b);
    if (old == a)
      return a;
    a = old;
  }
}

#endif
