/* gst-cca: the order of overlaps
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Kernels list overlaps in any order. When the host reads a frame, this file radix-sorts them by labels (Knuth, TAOCP
 * 3, section 5.2.5). If only few of many are wanted, it first drops those that cannot be among them.
 */
#include "cuda/result.h"

#include <string.h>

#define DIGIT_MIN 6 /* bits */
#define DIGIT_MAX 12
#define LONG_LIST 4096
#define CLASSES 1024 /* classes of labels in the last frame */

static uint64_t
labels_of (const CcaOverlap *overlap)
{
  return (uint64_t) overlap->before << 32 | overlap->now;
}

/* Returns the bits in which labels differ. */
static uint64_t
differences (const CcaOverlap *overlaps, uint32_t n)
{
  uint64_t bits = 0;

  for (uint32_t i = 0; i < n; i++)
    bits |= labels_of (&overlaps[i]) ^ labels_of (&overlaps[0]);
  return bits;
}

/* Keeps the overlaps up to the class, of labels in the last frame, that has the n_first-th. Returns the number kept. */
static uint32_t
drop_later (CcaOverlap *overlaps, uint32_t n, uint32_t n_first)
{
  uint32_t counts[CLASSES] = { 0 }, greatest = 0, last = 0, n_kept = 0, sum, shift = 0;

  for (uint32_t i = 0; i < n; i++)
    greatest = overlaps[i].before > greatest ? overlaps[i].before : greatest;
  while (greatest >> shift >= CLASSES)
    shift++;
  for (uint32_t i = 0; i < n; i++)
    counts[overlaps[i].before >> shift]++;
  for (sum = counts[0]; sum < n_first; sum += counts[last])
    last++;
  for (uint32_t i = 0; i < n; i++)
    if (overlaps[i].before >> shift <= last)
      overlaps[n_kept++] = overlaps[i];
  return n_kept;
}

/* Sorts by one digit of the labels; stable. */
static void
sort_by_digit (const CcaOverlap *overlaps, uint32_t n, uint32_t shift, uint32_t width, CcaOverlap *sorted)
{
  const uint32_t mask = (1u << width) - 1;
  uint32_t places[1 << DIGIT_MAX], sum = 0;

  memset (places, 0, (mask + 1) * sizeof *places);
  for (uint32_t i = 0; i < n; i++)
    places[labels_of (&overlaps[i]) >> shift & mask]++;
  for (uint32_t value = 0; value <= mask; value++) {
    const uint32_t count = places[value];

    places[value] = sum;
    sum += count;
  }
  for (uint32_t i = 0; i < n; i++)
    sorted[places[labels_of (&overlaps[i]) >> shift & mask]++] = overlaps[i];
}

/* Returns the width of the digits for sorting n overlaps whose labels differ in these bits. Wide digits need fewer
 * passes, but no more values than n justifies, nor, for long lists, more places than the cache holds. */
static uint32_t
digit_width (uint32_t bits, uint32_t n)
{
  uint32_t n_bits = 0, most = n > LONG_LIST ? 8 : DIGIT_MAX, n_digits;

  for (; bits; bits >>= 1)
    n_bits++;
  while (most > DIGIT_MIN && 1u << most > 4 * n)
    most--;
  n_digits = n_bits > most ? (n_bits + most - 1) / most : 1;
  return (n_bits + n_digits - 1) / n_digits;
}

void
cca_cuda_order_overlaps (CcaOverlap *overlaps, uint32_t n, uint32_t n_first, CcaOverlap *sorted)
{
  CcaOverlap *from = overlaps, *to = sorted;
  uint64_t differing;

  if (n_first == 0)
    return;
  if (n_first < n)
    n = drop_later (overlaps, n, n_first);
  differing = differences (overlaps, n);
  for (uint32_t label = 0; label < 64; label += 32) {
    const uint32_t bits = (uint32_t) (differing >> label), width = digit_width (bits, n);

    for (uint32_t shift = 0; shift < 32 && bits >> shift; shift += width)
      if (bits >> shift & ((1u << width) - 1)) {
        CcaOverlap *const swap = from;

        sort_by_digit (from, n, label + shift, width, to);
        from = to;
        to = swap;
      }
  }
  if (from != sorted)
    memcpy (sorted, from, n_first * sizeof *sorted);
}
