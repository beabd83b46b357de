/* gst-cca: words of the foreground's bit planes, and the links between two rows
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 *     row y - 1   [x-1][ x ]        vertical  (x, y) with (x, y - 1)
 *                     X             falling   (x, y) with (x - 1, y - 1)
 *     row y       [x-1][ x ]        rising    (x - 1, y) with (x, y - 1)
 *
 * A link is a union to make. load_links () drops a link if the one at the pixel on the left, or the vertical one beside
 * it, implies it (vertical ones: Playne & Hawick, IEEE TPDS 29, 2018; HA4's "start of a segment in either row", DASIP
 * 2018, algorithm 3).
 */
#pragma once

#include "cuda/kernels/params.h"

/* The pixels of a word, one per bit: 32 or 64. */
template <typename Bits> struct Word
{
  Bits here;  /* the foreground */
  Bits left;  /* bit x: the foreground at x - 1 */
  Bits joins; /* bit x: it connects with x - 1 */

  /* Return masks of the first pixels of segments, and of the pixels after their last ones. */
  __device__ Bits starts () const { return here & ~joins; }
  __device__ Bits ends () const { return left & ~joins; }
};

/* Return word i of a row, and the word of its pixels' left neighbours. */
template <typename Bits>
__device__ inline Bits
word_of_row (const uint32_t *row, uint32_t i)
{
  if (sizeof (Bits) == 4)
    return row[i];
  const uint2 both = ((const uint2 *) row)[i];
  return (Bits) ((unsigned long long) both.y << 32 | both.x);
}

template <typename Bits>
__device__ inline Bits
left_of (const uint32_t *row, uint32_t i, Bits here)
{
  const uint32_t before = i > 0 ? row[i * (sizeof (Bits) / 4) - 1] : 0;

  return here << 1 | before >> 31;
}

/* Loads word i of row y; rows outside the image have no foreground. */
template <typename Bits>
__device__ inline Word<Bits>
load_word (const CcaPlanes &p, uint32_t y, uint32_t i)
{
  const size_t row = (size_t) y * p.row_words;
  Word<Bits> word = {};

  if (y >= p.height)
    return word;
  word.here = word_of_row<Bits> (p.bits + row, i);
  word.left = left_of (p.bits + row, i, word.here);
  word.joins = p.joins ? word_of_row<Bits> (p.joins + row, i) : word.here & word.left;
  return word;
}

template <typename Bits> struct Links
{
  Bits vertical, falling, rising;

  __device__ Bits any () const { return vertical | falling | rising; }
};

/* Drops links that others imply. `vertical_left` is links.vertical of the pixels on the left; joins are those of both
 * rows. */
template <typename Bits>
__device__ inline Links<Bits>
thin_links (Links<Bits> links, Bits vertical_left, Bits joins, Bits joins_above)
{
  links.falling &= ~(links.vertical & joins_above) & ~(vertical_left & joins);
  links.rising &= ~(links.vertical & joins) & ~(vertical_left & joins_above);
  links.vertical &= ~(vertical_left & joins & joins_above);
  return links;
}

/* Loads all links between word i of row y and the row above; y is not 0. */
template <typename Bits>
__device__ inline Links<Bits>
load_all_links (const CcaPlanes &p, uint32_t y, uint32_t i, const Word<Bits> &word, const Word<Bits> &above)
{
  const size_t row = (size_t) y * p.row_words;
  Links<Bits> links = {};

  links.vertical = p.vertical ? word_of_row<Bits> (p.vertical + row, i) : word.here & above.here;
  if (p.diagonal) {
    links.falling = p.falling ? word_of_row<Bits> (p.falling + row, i) : word.here & above.left;
    links.rising = p.rising ? word_of_row<Bits> (p.rising + row, i) : word.left & above.here;
  }
  return links;
}

/* Returns the vertical links of the left neighbours of the pixels that have `vertical`. */
template <typename Bits>
__device__ inline Bits
vertical_on_left (const CcaPlanes &p, uint32_t y, uint32_t i, const Word<Bits> &word, const Word<Bits> &above,
                  Bits vertical)
{
  return p.vertical ? left_of (p.vertical + (size_t) y * p.row_words, i, vertical) : word.left & above.left;
}

/* Loads the links that no others imply. */
template <typename Bits>
__device__ inline Links<Bits>
load_links (const CcaPlanes &p, uint32_t y, uint32_t i, const Word<Bits> &word, const Word<Bits> &above)
{
  const Links<Bits> links = load_all_links (p, y, i, word, above);

  return thin_links (links, vertical_on_left (p, y, i, word, above, links.vertical), word.joins, above.joins);
}
