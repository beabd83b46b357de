/* gst-cca: union-find on the device
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * parent[i] <= i, and a root is its own parent. Many threads unite at once: a root is lowered by an atomic minimum, and whoever
 * finds that it was no root any more goes on from where it pointed to (Komura, Computer Physics Communications 194, 2015;
 * Playne & Hawick, IEEE TPDS 29, 2018).
 */
#ifndef CCA_UNION_FIND_CUH
#define CCA_UNION_FIND_CUH

#include <stdint.h>

/* Parents are read past the first-level cache, which does not see other multiprocessors' writes. */
__device__ inline uint32_t
load_parent (const uint32_t *parent, uint32_t i)
{
  return __ldcg (parent + i);
}

/* The root as of now, halving the path on the way; a halving only replaces a parent by an ancestor, so that a race between two
 * of them or with a union is harmless. */
__device__ inline uint32_t
find_root (uint32_t *parent, uint32_t i)
{
  uint32_t p = load_parent (parent, i);

  while (p != i) {
    const uint32_t grandparent = load_parent (parent, p);

    if (grandparent != p)
      __stcg (parent + i, grandparent);
    i = p;
    p = grandparent;
  }
  return i;
}

/* Calls lost (root) for the root that stops being one, if any. */
template <typename Lost>
__device__ inline void
unite (uint32_t *parent, uint32_t a, uint32_t b, Lost lost)
{
  for (;;) {
    uint32_t old;

    a = find_root (parent, a);
    b = find_root (parent, b);
    if (a == b)
      return;
    if (a < b) {
      const uint32_t swap = a;

      a = b;
      b = swap;
    }
    old = atomicMin (parent + a, b);
    if (old == a) {
      lost (a);
      return;
    }
    a = old;
  }
}

#endif
