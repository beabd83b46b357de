/* gst-cca: an oracle for tests, the background model of samples: light and noise, stages D to H
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "oracle-samples-model.h"

#define N_BINS 64

static int
mean_sample (const OracleSamples *s, int64_t x, int64_t y)
{
  int sum = 6;

  for (int k = 0; k < N_LUMA; k++)
    sum += *at (&s->luma[k], x, y);
  return sum / 12;
}

/* The bins of stage D: changes of the pixels whose background is in the bin. */
typedef struct
{
  int hist[512], n;
} Bin;

/* Returns how many points count. */
static int
fill_bins (const OracleSamples *s, const Frame *frame, bool all, Bin *bins, int *total)
{
  int used = 0;

  memset (bins, 0, N_BINS * sizeof *bins);
  *total = 0;
  for (int64_t y = 4; y < frame->p.height - 4; y += 4)
    for (int64_t x = 4; x < frame->p.width - 4; x += 4) {
      const int b = mean_sample (s, x, y);

      ++*total;
      if (!all && *at (&s->last, x, y))
        continue;
      used++;
      bins[b / 4].n++;
      bins[b / 4].hist[*at (&frame->p, x, y) - b + 256]++;
    }
  return used;
}

static int
bin_median (const Bin *bin)
{
  int c = 0, v = 0;

  while (c + bin->hist[v] < (bin->n + 1) / 2)
    c += bin->hist[v++];
  return (v - 256) * 16 + 8 * (bin->n - 2 * c) / bin->hist[v] - 8;
}

/* Medians of all bins from those that have at least `least` points. Returns the last of these, -1 without; *deviation
 * is their mean amount. */
static int
find_medians (const Bin *bins, int least, int *medians, int64_t *deviation)
{
  int64_t sum = 0, n = 0;
  int last = -1;

  for (int j = 0; j < N_BINS; j++) {
    if (bins[j].n < least)
      continue;
    medians[j] = bin_median (&bins[j]);
    sum += (int64_t) abs (medians[j]) * bins[j].n;
    n += bins[j].n;
    for (int k = last + 1; k < j; k++)
      medians[k] = last < 0 ? medians[j] * (k + 1) / (j + 1)
                            : medians[last] + (medians[j] - medians[last]) * (k - last) / (j - last);
    last = j;
  }
  if (last >= 0)
    for (int k = last + 1; k < N_BINS; k++)
      medians[k] = medians[last];
  *deviation = n > 0 ? sum / n : 0;
  return last;
}

/* Stage D. */
void
oracle_samples_find_light (OracleSamples *s, const Frame *frame)
{
  static Bin bins[N_BINS];
  int medians[N_BINS], f[256], total, used, last, top, c, b = 0;
  int64_t deviation;

  used = fill_bins (s, frame, false, bins, &total);
  if (used * 2 <= total)
    fill_bins (s, frame, true, bins, &total);
  last = find_medians (bins, most (128, total / 40), medians, &deviation);
  s->ceiling = 255;
  for (int i = 0; i < 256; i++)
    s->table[i] = (uint8_t) i;
  if (last < 0 || deviation < 32)
    return;

  for (int i = 0; i < 256; i++) {
    const int m = floor_shift (i - 2, 2), r = i - 2 - 4 * m;

    f[i] = 16 * i + (medians[most (m, 0)] * (4 - r) + medians[least (most (m + 1, 0), N_BINS - 1)] * r) / 4;
    if (i > 0)
      f[i] = most (f[i], f[i - 1]);
  }
  top = 4 * last + 2;
  for (c = top; c > 0 && f[c - 1] >= f[top] - 48; c--)
    ;
  if (top - c > 6 && f[top] >= 16 * 230)
    s->ceiling = c;
  for (int i = 0; i < 256; i++) {
    int v;

    while (b < 255 && f[b] < 16 * i)
      b++;
    v = b > 0 && abs (f[b - 1] - 16 * i) < abs (f[b] - 16 * i) ? b - 1 : b;
    s->table[i] = (uint8_t) least (v, s->ceiling);
  }
}

/* Stage F. */
void
oracle_samples_find_noise (OracleSamples *s, const Frame *frame)
{
  int hist[256] = { 0 }, n = 0, c = 0, v = 0, median;

  for (int64_t y = 4; y < frame->p.height - 4; y += 8)
    for (int64_t x = 4; x < frame->p.width - 4; x += 8) {
      hist[abs (*at (&frame->p, x, y) - *at (&s->previous, x, y))]++;
      n++;
    }
  if (n == 0)
    return;
  while (c + hist[v] < n / 2)
    c += hist[v++];
  median = 16 * v + 16 * (n / 2 - c) / most (hist[v], 1);
  s->sigma = s->t == 1 ? median : (15 * s->sigma + median + 8) / 16;
}

/* Stage G. */
int
oracle_samples_find_black (const OracleSamples *s)
{
  int hist[256] = { 0 }, n = 0, c = 0, v = 0;

  for (int64_t y = 4; y < s->luma[0].height - 4; y += 4)
    for (int64_t x = 4; x < s->luma[0].width - 4; x += 4) {
      hist[*at (&s->luma[0], x, y)]++;
      n++;
    }
  if (n == 0)
    return 16;
  while (c + hist[v] < n / 400)
    c += hist[v++];
  return v;
}

/* A percentile of n values, 1/16. */
static int
percentile (const int *hist, int n, int percent)
{
  int c = 0, v = 0;

  while (v < 255 && c + hist[v] < n * percent / 100)
    c += hist[v++];
  return 16 * v + 16 * (n * percent / 100 - c) / most (hist[v], 1);
}

/* Stage H, how much heavier the tail of the distances to the mean background is than that of noise; 1/16. */
int
oracle_samples_find_tail (const OracleSamples *s, const Frame *frame)
{
  int hist[256] = { 0 }, n = 0;

  if (s->t == 0)
    return 0;
  for (int64_t y = 4; y < frame->p.height - 4; y += 4)
    for (int64_t x = 4; x < frame->p.width - 4; x += 4)
      if (!*at (&s->last, x, y)) {
        hist[abs (*at (&frame->p, x, y) - least (mean_sample (s, x, y), s->ceiling))]++;
        n++;
      }
  return n > 0 ? most (0, percentile (hist, n, 90) - 22 * percentile (hist, n, 50) / 10) : 0;
}
