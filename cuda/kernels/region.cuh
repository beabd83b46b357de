/* gst-cca: the region to which the foreground is restricted
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * A region is a plane of bits, or NULL for the whole image.
 */
#pragma once

#include "cuda/kernels/params.h"

/* Returns a word of foreground without the pixels outside the region; `place` is the word's index in the plane. */
__device__ inline uint32_t
within (const uint32_t *region, size_t place, uint32_t bits)
{
  return region ? bits & region[place] : bits;
}

/* A word of each plane of regions of equal value (CcaPlanes). */
struct ValueWords
{
  uint32_t bits, joins, vertical, falling, rising;
};

/* Stores the words of row y from pixel x on, without the links of pixels outside the region. */
__device__ inline void
store_values (const CcaValuesParams &p, uint32_t x, uint32_t y, ValueWords words)
{
  const size_t place = (size_t) y * p.row_words + x / 32;

  if (p.region) {
    const uint32_t *const own = p.region + place, *const above = own - p.row_words;
    const uint32_t here = own[0], north = y > 0 ? above[0] : 0;
    const uint32_t west = __funnelshift_l (x > 0 ? own[-1] : 0, here, 1),
                   north_west = __funnelshift_l (x > 0 && y > 0 ? above[-1] : 0, north, 1);

    words.bits &= here;
    words.joins &= here & west;
    words.vertical &= here & north;
    words.falling &= here & north_west;
    words.rising &= west & north;
  }
  p.bits[place] = words.bits;
  p.joins[place] = words.joins;
  p.vertical[place] = words.vertical;
  p.falling[place] = words.falling;
  p.rising[place] = words.rising;
}
