/* gst-cca: an oracle for tests, overlaps of the components of two frames: pixel by pixel
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "oracle.h"

#include <stdlib.h>

static int
by_labels (const void *a, const void *b)
{
  const OracleOverlap *p = a, *q = b;

  if (p->before != q->before)
    return p->before < q->before ? -1 : 1;
  return p->now < q->now ? -1 : p->now > q->now;
}

OracleOverlap *
oracle_overlaps (const OracleFrame *before, const OracleFrame *now, size_t *n)
{
  const size_t n_pixels = (size_t) now->width * now->height;
  OracleOverlap *overlaps = oracle_alloc (n_pixels, sizeof *overlaps);
  size_t n_shared = 0;

  for (size_t i = 0; i < n_pixels; i++)
    if (before->labels[i] != 0 && now->labels[i] != 0)
      overlaps[n_shared++] = (OracleOverlap) { before->labels[i], now->labels[i], 1 };
  qsort (overlaps, n_shared, sizeof *overlaps, by_labels);

  *n = 0;
  for (size_t i = 0; i < n_shared; i++)
    if (*n > 0 && by_labels (&overlaps[*n - 1], &overlaps[i]) == 0)
      overlaps[*n - 1].pixels++;
    else
      overlaps[(*n)++] = overlaps[i];
  return overlaps;
}
