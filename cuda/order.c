/* gst-cca: the order of overlaps
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Kernels list overlaps as they come. Reading a frame sorts them by counting, a byte of the labels after the other
 * (Knuth, TAOCP 3, section 5.2.5). Where only few of many are wanted, it first drops those that come later for sure.
 */
#include "cuda/order.h"

#include <string.h>

#define BYTE_VALUES 256
#define CLASSES 1024 /* of labels in the last frame */

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

/* Keeps the first n_first overlaps, and those whose label before is of the same class as theirs. Returns how many it
 * keeps. */
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

/* Sorts by a byte of the labels, and keeps the order of those that have the same. */
static void
sort_by_byte (const CcaOverlap *overlaps, uint32_t n, uint32_t shift, CcaOverlap *sorted)
{
  uint32_t places[BYTE_VALUES] = { 0 }, sum = 0;

  for (uint32_t i = 0; i < n; i++)
    places[labels_of (&overlaps[i]) >> shift & 255]++;
  for (uint32_t value = 0; value < BYTE_VALUES; value++) {
    const uint32_t count = places[value];

    places[value] = sum;
    sum += count;
  }
  for (uint32_t i = 0; i < n; i++)
    sorted[places[labels_of (&overlaps[i]) >> shift & 255]++] = overlaps[i];
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
  for (uint32_t shift = 0; shift < 64; shift += 8)
    if (differing >> shift & 255) {
      CcaOverlap *const swap = from;

      sort_by_byte (from, n, shift, to);
      from = to;
      to = swap;
    }
  if (from != sorted)
    memcpy (sorted, from, n_first * sizeof *sorted);
}
