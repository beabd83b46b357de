/* gst-cca: union-find on the CPU
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * parent[i] <= i, and a root is its own parent: the smallest index of a set is its root. Because provisional labels are
 * assigned in raster order, the root has the first pixel of its component.
 */
#pragma once

#include <stdint.h>

/* Returns the root, with path halving (Tarjan & van Leeuwen, J. ACM 31, 1984). */
static inline uint32_t
cca_find (uint32_t *parent, uint32_t i)
{
  while (parent[i] != i) {
    parent[i] = parent[parent[i]];
    i = parent[i];
  }
  return i;
}

/* Joins two sets and returns their root. */
static inline uint32_t
cca_unite (uint32_t *parent, uint32_t a, uint32_t b)
{
  a = cca_find (parent, a);
  b = cca_find (parent, b);
  if (b < a) {
    const uint32_t swap = a;

    a = b;
    b = swap;
  }
  parent[b] = a;
  return a;
}
