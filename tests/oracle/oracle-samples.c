/* gst-cca: an oracle for tests, the background model of samples, scalar and stage by stage
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "oracle-samples.h"

#include <stdlib.h>
#include <string.h>

#include "oracle.h"

#define N_LUMA 12
#define N_CHROMA 6
#define BLOCK 16
#define SEARCH 6
#define DRIFT 32
#define N_BINS 64

typedef struct
{
  int64_t width, height;
  uint8_t *at;
} Plane;

/* How much stronger the edges of a block's foreground are in the frame than in the background. `steady` leaves out
 * those that only the background has and that have not stood still. */
typedef struct
{
  int all, steady;
} Edges;

/* Of a block: foreground that the background nearby explains, other foreground, and how busy its pixels are. */
typedef struct
{
  int explained, unexplained, busy;
} Motion;

struct OracleSamples
{
  uint64_t t; /* number of the next frame */
  bool colored;
  Plane luma[N_LUMA], u[N_CHROMA], v[N_CHROMA];
  Plane candidate, still, flips, busy, last, previous;
  int64_t n_across, n_down;
  Edges *edges;
  Motion *motion;
  uint8_t table[256];
  int ceiling, sigma;
  int n_changes;                     /* of the scene, in a row */
  int drift_x, drift_y;              /* around which the shift is looked for, pixels */
  const OracleRectangle *rectangles; /* n_rectangles that are held */
  size_t n_rectangles;
  bool *held; /* of blocks, in the current frame */
};

/* A frame on its way through the stages, in the model's coordinates behind resample(). */
typedef struct
{
  Plane p, u, v, distance, raw;
  Plane unlike, deep, shown;          /* flags; those in the mask */
  int shift_x, shift_y;               /* quarters of a pixel */
  int black, tolerance, most, before; /* before: the tolerance by the noise up to the last frame */
  bool learning, settling, changed;
  uint32_t random;
  int slot, chroma_slot;
} Frame;

static int
least (int a, int b)
{
  return a < b ? a : b;
}

static int
most (int a, int b)
{
  return a > b ? a : b;
}

static int64_t
clamp (int64_t value, int64_t low, int64_t high)
{
  return value < low ? low : value > high ? high : value;
}

/* Divides by a power of two, rounding down. */
static int
floor_shift (int value, int bits)
{
  const int divisor = 1 << bits;

  return value >= 0 ? value / divisor : -((-value + divisor - 1) / divisor);
}

static uint32_t
hash (uint32_t x)
{
  x ^= x >> 16;
  x *= 0x7feb352d;
  x ^= x >> 15;
  x *= 0x846ca68b;
  return x ^ x >> 16;
}

static bool
is_chosen (uint32_t offset, int64_t x)
{
  return ((hash (((offset + (uint32_t) x) & 4095) * 77 + 1) >> 7) & 255) < 16;
}

static Plane
plane_new (int64_t width, int64_t height)
{
  return (Plane) { width, height, oracle_alloc ((size_t) (width * height), 1) };
}

static void
plane_copy (Plane *to, const Plane *from)
{
  memcpy (to->at, from->at, (size_t) (from->width * from->height));
}

static void
plane_clear (Plane *plane)
{
  memset (plane->at, 0, (size_t) (plane->width * plane->height));
}

static uint8_t *
at (const Plane *plane, int64_t x, int64_t y)
{
  return &plane->at[y * plane->width + x];
}

static int
nearest (const Plane *plane, int64_t x, int64_t y)
{
  return *at (plane, clamp (x, 0, plane->width - 1), clamp (y, 0, plane->height - 1));
}

OracleSamples *
oracle_samples_new (uint32_t width, uint32_t height, bool colored)
{
  const uint32_t half_width = (width + 1) / 2, half_height = (height + 1) / 2;
  OracleSamples *s = oracle_alloc (1, sizeof *s);

  s->colored = colored;
  for (int k = 0; k < N_LUMA; k++)
    s->luma[k] = plane_new (width, height);
  for (int k = 0; k < N_CHROMA; k++) {
    s->u[k] = plane_new (half_width, half_height);
    s->v[k] = plane_new (half_width, half_height);
  }
  s->candidate = plane_new (width, height);
  s->still = plane_new (width, height);
  s->flips = plane_new (width, height);
  s->busy = plane_new (width, height);
  s->last = plane_new (width, height);
  s->previous = plane_new (width, height);
  s->n_across = (width + BLOCK - 1) / BLOCK;
  s->n_down = (height + BLOCK - 1) / BLOCK;
  s->edges = oracle_alloc ((size_t) (s->n_across * s->n_down), sizeof *s->edges);
  s->motion = oracle_alloc ((size_t) (s->n_across * s->n_down), sizeof *s->motion);
  s->held = oracle_alloc ((size_t) (s->n_across * s->n_down), sizeof *s->held);
  return s;
}

void
oracle_samples_free (OracleSamples *s)
{
  if (!s)
    return;
  for (int k = 0; k < N_LUMA; k++)
    free (s->luma[k].at);
  for (int k = 0; k < N_CHROMA; k++) {
    free (s->u[k].at);
    free (s->v[k].at);
  }
  free (s->candidate.at);
  free (s->still.at);
  free (s->flips.at);
  free (s->busy.at);
  free (s->last.at);
  free (s->previous.at);
  free (s->edges);
  free (s->motion);
  free (s->held);
  free (s);
}

bool
oracle_samples_fits (const OracleSamples *s, bool colored)
{
  return s->colored == colored;
}

void
oracle_samples_hold (OracleSamples *s, const OracleRectangle *rectangles, size_t n)
{
  s->rectangles = rectangles;
  s->n_rectangles = n;
}

/* Stage A, the cost of a shift; *n points have it. */
static uint64_t
shift_cost (const OracleSamples *s, const Plane *image, int i, int j, uint64_t *n)
{
  const int64_t left = 16 + (abs (s->drift_x) + 3) / 4 * 4, top = 16 + (abs (s->drift_y) + 3) / 4 * 4;
  uint64_t cost = 0;

  i += s->drift_x;
  j += s->drift_y;
  *n = 0;
  for (int64_t y = top; y < image->height - top; y += 16)
    for (int64_t x = left; x < image->width - left; x++) {
      cost += (uint64_t) least (24, abs (s->table[nearest (image, x + i, y + j)] - *at (&s->luma[0], x, y)));
      ++*n;
    }
  return cost;
}

/* Stage A, quarters of a pixel between the best whole pixel and the minimum of a V through it and its neighbours. */
static int
fit (uint64_t before, uint64_t best, uint64_t after)
{
  const int64_t l = (int64_t) before - (int64_t) best, r = (int64_t) after - (int64_t) best, q = l > r ? l : r;
  int64_t numerator;

  if (q <= 0)
    return 0;
  numerator = 4 * (l - r) + q;
  return (int) clamp (numerator >= 0 ? numerator / (2 * q) : -((-numerator + 2 * q - 1) / (2 * q)), -2, 2);
}

/* Stage A, around which shift the next frame's is looked for. */
static int
drift (int shift, int64_t side)
{
  const int64_t furthest = side / 8 < DRIFT ? side / 8 : DRIFT;

  const int64_t whole = floor_shift (shift + 2, 2);

  return whole >= -3 && whole <= 3 ? 0 : (int) clamp (whole, -furthest, furthest);
}

/* Stage A. */
static void
find_shift (OracleSamples *s, const Plane *image, Frame *frame)
{
  int best_i = 0, best_j = 0, center_i, center_j;
  uint64_t best, n;

  if (s->t == 0)
    s->drift_x = s->drift_y = 0;
  if (s->t == 0 || image->width < 64 || image->height < 64)
    return;
  best = shift_cost (s, image, 0, 0, &n);
  for (int j = -SEARCH; j <= SEARCH; j += 2)
    for (int i = -SEARCH; i <= SEARCH; i += 2) {
      const uint64_t cost = shift_cost (s, image, i, j, &n);

      if (cost < best) {
        best = cost;
        best_i = i;
        best_j = j;
      }
    }
  center_i = best_i;
  center_j = best_j;
  for (int j = center_j - 1; j <= center_j + 1; j++)
    for (int i = center_i - 1; i <= center_i + 1; i++) {
      uint64_t cost;

      if (abs (i) > SEARCH || abs (j) > SEARCH)
        continue;
      cost = shift_cost (s, image, i, j, &n);
      if (cost < best) {
        best = cost;
        best_i = i;
        best_j = j;
      }
    }
  if (best > 12 * n) {
    s->drift_x = s->drift_y = 0;
    return;
  }
  frame->shift_x = 4 * (s->drift_x + best_i);
  frame->shift_y = 4 * (s->drift_y + best_j);
  if (abs (best_i) < SEARCH)
    frame->shift_x +=
        fit (shift_cost (s, image, best_i - 1, best_j, &n), best, shift_cost (s, image, best_i + 1, best_j, &n));
  if (abs (best_j) < SEARCH)
    frame->shift_y +=
        fit (shift_cost (s, image, best_i, best_j - 1, &n), best, shift_cost (s, image, best_i, best_j + 1, &n));
  s->drift_x = drift (frame->shift_x, image->width);
  s->drift_y = drift (frame->shift_y, image->height);
}

/* Stage B: 3x3 binomial and bilinear interpolation at once. */
static Plane
resample (const Plane *image, int shift_x, int shift_y)
{
  const int whole_x = floor_shift (shift_x, 2), f = shift_x - 4 * whole_x, across[] = { 4 - f, 8 - f, 4 + f, f };
  const int whole_y = floor_shift (shift_y, 2), g = shift_y - 4 * whole_y, down[] = { 4 - g, 8 - g, 4 + g, g };
  Plane p = plane_new (image->width, image->height);

  for (int64_t y = 0; y < p.height; y++)
    for (int64_t x = 0; x < p.width; x++) {
      int sum = 128;

      for (int j = 0; j < 4; j++)
        for (int i = 0; i < 4; i++)
          sum += down[j] * across[i] * nearest (image, x + whole_x - 1 + i, y + whole_y - 1 + j);
      *at (&p, x, y) = (uint8_t) (sum / 256);
    }
  return p;
}

/* Stage C. */
static void
begin (OracleSamples *s, const Frame *frame)
{
  for (int k = 0; k < N_LUMA; k++)
    plane_copy (&s->luma[k], &frame->p);
  if (s->colored)
    for (int k = 0; k < N_CHROMA; k++) {
      plane_copy (&s->u[k], &frame->u);
      plane_copy (&s->v[k], &frame->v);
    }
  plane_clear (&s->candidate);
  plane_clear (&s->still);
  plane_clear (&s->flips);
  plane_clear (&s->busy);
  plane_clear (&s->last);
  memset (s->edges, 0, (size_t) (s->n_across * s->n_down) * sizeof *s->edges);
  memset (s->motion, 0, (size_t) (s->n_across * s->n_down) * sizeof *s->motion);
  for (int i = 0; i < 256; i++)
    s->table[i] = (uint8_t) i;
  s->ceiling = 255;
  s->sigma = 16;
}

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
static void
find_light (OracleSamples *s, const Frame *frame)
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
static void
find_noise (OracleSamples *s, const Frame *frame)
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
static int
find_black (const OracleSamples *s)
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
static int
find_tail (const OracleSamples *s, const Frame *frame)
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

/* Stage H. */
static void
schedule (const OracleParams *params, const OracleSamples *s, Frame *frame)
{
  const int tail = find_tail (s, frame);

  frame->tolerance = least (255, most ((int) params->tolerance, 20 * s->sigma / 160) + least (4 * tail / 16, 4));
  frame->most = least (255, frame->tolerance + least (40 * tail / 16, 60));
  frame->random = hash ((uint32_t) s->t * 2654435761u + 12345);
  frame->learning = s->t < params->learning;
  frame->settling = s->t == (uint64_t) params->learning + 12;
  frame->slot = frame->learning ? (int) (s->t * N_LUMA / params->learning) : (int) (frame->random % N_LUMA);
  frame->chroma_slot = frame->learning ? (int) (s->t * N_CHROMA / params->learning) : (int) (frame->random % N_CHROMA);
}

/* Two least values of a row of them. */
typedef struct
{
  int first, second;
} Least;

static void
least_add (Least *l, int value)
{
  if (value < l->first) {
    l->second = l->first;
    l->first = value;
  } else if (value < l->second)
    l->second = value;
}

/* Stage I. */
static int
luma_distance (const OracleSamples *s, int p, int64_t x, int64_t y)
{
  Least l = { 255, 255 };

  for (int k = 0; k < N_LUMA; k++)
    least_add (&l, abs (p - least (*at (&s->luma[k], x, y), s->ceiling)));
  return l.second;
}

/* Stage I; x and y of the half size. */
static int
chroma_distance (const OracleSamples *s, const Frame *frame, int64_t x, int64_t y)
{
  const int u = *at (&frame->u, x, y), v = *at (&frame->v, x, y);
  Least l = { 255, 255 };

  for (int k = 0; k < N_CHROMA; k++)
    least_add (&l, least (255, abs (u - *at (&s->u[k], x, y)) + abs (v - *at (&s->v[k], x, y))));
  return l.second;
}

/* Stage I: darker than the background, with at least a share of its light, and of its color. */
static bool
is_shadow (const OracleSamples *s, const Frame *frame, int share, int64_t x, int64_t y)
{
  const int b = most (least (*at (&s->luma[frame->slot], x, y), s->ceiling) - frame->black, 1);
  const int q = most (*at (&frame->p, x, y) - frame->black, 0);
  const int u = *at (&frame->u, x / 2, y / 2) - 128, v = *at (&frame->v, x / 2, y / 2) - 128;
  const int past_u = *at (&s->u[frame->chroma_slot], x / 2, y / 2) - 128;
  const int past_v = *at (&s->v[frame->chroma_slot], x / 2, y / 2) - 128;

  return q < b && 256 * q >= share * b && abs (u * b - past_u * q) + abs (v * b - past_v * q) <= 5 * b;
}

/* Stage I. */
static void
find_distances (const OracleParams *params, const OracleSamples *s, Frame *frame)
{
  for (int64_t y = 0; y < frame->p.height; y++)
    for (int64_t x = 0; x < frame->p.width; x++) {
      int d = luma_distance (s, *at (&frame->p, x, y), x, y);

      if (s->colored && !frame->learning) {
        d = least (255, d + most (0, chroma_distance (s, frame, x / 2, y / 2) - 4));
        if (!params->keep_shadows) {
          *at (&frame->unlike, x, y) = d > frame->before;
          *at (&frame->deep, x, y) = is_shadow (s, frame, 56, x, y);
          if (is_shadow (s, frame, 140, x, y))
            d = 0;
        }
      }
      *at (&frame->distance, x, y) = (uint8_t) d;
    }
}

/* Stage J. Returns how many pixels are foreground. */
static int64_t
find_raw (const OracleSamples *s, Frame *frame)
{
  const Plane *d = &frame->distance;
  int64_t n = 0;

  for (int64_t y = 0; y < d->height; y++)
    for (int64_t x = 0; x < d->width; x++) {
      const int restless = least (*at (&s->flips, x, y), *at (&s->busy, x, y));

      *at (&frame->raw, x, y) = *at (d, x, y) > least (frame->tolerance + restless / 4, frame->most);
      n += *at (&frame->raw, x, y);
    }
  return n;
}

/* Stage J: whether one of the first six samples of the 5x5 around a pixel is like it. */
static bool
is_nearby (const OracleSamples *s, const Frame *frame, int64_t x, int64_t y)
{
  for (int64_t j = most ((int) y - 2, 0); j <= y + 2 && j < frame->p.height; j++)
    for (int64_t i = most ((int) x - 2, 0); i <= x + 2 && i < frame->p.width; i++)
      for (int k = 0; k < 6; k++)
        if (abs (*at (&frame->p, x, y) - least (*at (&s->luma[k], i, j), s->ceiling)) <= frame->tolerance)
          return true;
  return false;
}

/* Stage J: the sums of the blocks around one; returns how many those are. */
static int
motion_around (const OracleSamples *s, int64_t across, int64_t down, Motion *sum)
{
  int n = 0;

  *sum = (Motion) { 0, 0, 0 };
  for (int64_t j = 0; j < s->n_down; j++)
    for (int64_t i = 0; i < s->n_across; i++)
      if (llabs (i - across) <= 1 && llabs (j - down) <= 1) {
        const Motion *one = &s->motion[j * s->n_across + i];

        sum->explained += one->explained;
        sum->unexplained += one->unexplained;
        sum->busy += one->busy;
        n++;
      }
  return n;
}

/* Stage J: in restless blocks, foreground that the background nearby explains is counted and, where it prevails,
 * dropped. */
static void
drop_moved (OracleSamples *s, Frame *frame)
{
  Motion *next = oracle_alloc ((size_t) (s->n_across * s->n_down), sizeof *next);

  for (int64_t down = 0; down < s->n_down; down++)
    for (int64_t across = 0; across < s->n_across; across++) {
      Motion around, *one = &next[down * s->n_across + across];
      const int n = motion_around (s, across, down, &around);
      const bool drop = 100 * around.explained >= 85 * (around.explained + around.unexplained);

      *one = s->motion[down * s->n_across + across];
      one->explained -= one->explained / 64;
      one->unexplained -= one->unexplained / 64;
      if (around.busy < 32 * BLOCK * BLOCK * n)
        continue;
      for (int64_t y = down * BLOCK; y < (down + 1) * BLOCK && y < frame->raw.height; y++)
        for (int64_t x = across * BLOCK; x < (across + 1) * BLOCK && x < frame->raw.width; x++)
          if (!*at (&frame->raw, x, y))
            continue;
          else if (!is_nearby (s, frame, x, y))
            one->unexplained += 16;
          else {
            one->explained += 16;
            if (drop)
              *at (&frame->raw, x, y) = 0;
          }
    }
  memcpy (s->motion, next, (size_t) (s->n_across * s->n_down) * sizeof *next);
  free (next);
}

/* Stage J: whether 85 percent of what is unlike the samples in the blocks around are a deep shadow. */
static bool
is_shaded (const Frame *frame, int64_t across, int64_t down)
{
  int n = 0, n_deep = 0;

  for (int64_t y = most ((int) down - 1, 0) * BLOCK; y < (down + 2) * BLOCK && y < frame->p.height; y++)
    for (int64_t x = most ((int) across - 1, 0) * BLOCK; x < (across + 2) * BLOCK && x < frame->p.width; x++)
      if (*at (&frame->unlike, x, y)) {
        n++;
        n_deep += *at (&frame->deep, x, y);
      }
  return n_deep > 0 && 100 * n_deep >= 85 * n;
}

/* Stage J: deep shadows are not shown, but not learned either. */
static void
hide_shadows (Frame *frame)
{
  plane_copy (&frame->shown, &frame->raw);
  for (int64_t down = 0; down * BLOCK < frame->p.height; down++)
    for (int64_t across = 0; across * BLOCK < frame->p.width; across++) {
      if (!is_shaded (frame, across, down))
        continue;
      for (int64_t y = down * BLOCK; y < (down + 1) * BLOCK && y < frame->p.height; y++)
        for (int64_t x = across * BLOCK; x < (across + 1) * BLOCK && x < frame->p.width; x++)
          if (*at (&frame->deep, x, y))
            *at (&frame->shown, x, y) = 0;
    }
}

/* Stage K: how busy blocks are. */
static void
sum_busy (OracleSamples *s)
{
  for (int64_t i = 0; i < s->n_across * s->n_down; i++)
    s->motion[i].busy = 0;
  for (int64_t y = 0; y < s->busy.height; y++)
    for (int64_t x = 0; x < s->busy.width; x++)
      s->motion[y / BLOCK * s->n_across + x / BLOCK].busy += *at (&s->busy, x, y);
}

/* Stage K. */
static void
count_flips (OracleSamples *s, const Frame *frame)
{
  for (int64_t i = 0; i < s->flips.width * s->flips.height; i++) {
    const int flips = s->flips.at[i];

    s->busy.at[i] = (uint8_t) (frame->distance.at[i] > frame->tolerance ? least (255, s->busy.at[i] + 2)
                                                                        : most (0, s->busy.at[i] - 1));
    s->flips.at[i] = (uint8_t) (frame->raw.at[i] != s->last.at[i] ? least (255, flips + 12) : most (0, flips - 1));
  }
}

static bool
touches (const OracleRectangle *r, int64_t across, int64_t down)
{
  return (across + 1) * BLOCK > r->x && across * BLOCK < (int64_t) r->x + r->width && (down + 1) * BLOCK > r->y
         && down * BLOCK < (int64_t) r->y + r->height;
}

/* Stage L: blocks that a rectangle touches, moved by the nearest whole blocks, are held if, up to the last frame, the
 * foreground's edges in them were more the frame's than the background's. A scene change holds all. */
static void
find_held (OracleSamples *s, const Frame *frame)
{
  const int64_t right = floor_shift (floor_shift (frame->shift_x + 2, 2) + BLOCK / 2, 4),
                below = floor_shift (floor_shift (frame->shift_y + 2, 2) + BLOCK / 2, 4);

  for (int64_t i = 0; i < s->n_across * s->n_down; i++)
    s->held[i] = frame->changed;
  for (size_t k = 0; k < s->n_rectangles; k++) {
    int64_t edges = 0;

    for (int64_t i = 0; i < s->n_across * s->n_down; i++)
      if (touches (&s->rectangles[k], i % s->n_across + right, i / s->n_across + below))
        edges += s->edges[i].all;
    for (int64_t i = 0; edges >= 0 && i < s->n_across * s->n_down; i++)
      if (touches (&s->rectangles[k], i % s->n_across + right, i / s->n_across + below))
        s->held[i] = true;
  }
}

static bool
is_held (const OracleSamples *s, int64_t x, int64_t y)
{
  return s->held[y / BLOCK * s->n_across + x / BLOCK];
}

/* Stage L: for how many frames the foreground has stood still. */
static void
watch (OracleSamples *s, const Frame *frame)
{
  for (int64_t y = 0; y < frame->p.height; y++)
    for (int64_t x = 0; x < frame->p.width; x++) {
      const int p = *at (&frame->p, x, y);
      const bool same = abs (p - *at (&s->candidate, x, y)) <= frame->tolerance;

      *at (&s->still, x, y) = (uint8_t) (same && *at (&frame->raw, x, y) ? least (255, *at (&s->still, x, y) + 1) : 0);
      if (!same)
        *at (&s->candidate, x, y) = (uint8_t) p;
    }
}

/* Stage L: how much stronger the frame's gradient is than the background's, on the axes on which the foreground ends at
 * a pixel. */
static int
judge_pixel (const OracleSamples *s, const Frame *frame, int64_t x, int64_t y)
{
  static const int axes[2][2] = { { 1, 0 }, { 0, 1 } };
  const Plane *p = &frame->p, *sample = &s->luma[frame->slot], *raw = &frame->shown;
  int sum = 0;

  for (int axis = 0; axis < 2; axis++) {
    const int i = axes[axis][0], j = axes[axis][1];

    if (!*at (raw, x - i, y - j) || !*at (raw, x + i, y + j))
      sum += abs (*at (p, x + i, y + j) - *at (p, x - i, y - j))
             - abs (*at (sample, x + i, y + j) - *at (sample, x - i, y - j));
  }
  return (int) clamp (sum, -32, 32);
}

/* Stage L: where foreground ends, has the frame or the background the edge? */
static void
judge_borders (OracleSamples *s, const Frame *frame)
{
  const int64_t n = s->n_across * s->n_down;
  Edges *sums = oracle_alloc ((size_t) n, sizeof *sums);

  for (int64_t y = 1; y < frame->raw.height - 1; y++)
    for (int64_t x = 1; x < frame->raw.width - 1; x++) {
      const int64_t block = y / BLOCK * s->n_across + x / BLOCK;
      const int change = *at (&frame->shown, x, y) ? judge_pixel (s, frame, x, y) : 0;

      sums[block].all += change;
      if (change > 0 || *at (&s->still, x, y) >= 4)
        sums[block].steady += change;
    }
  for (int64_t i = 0; i < n; i++) {
    s->edges[i].all += sums[i].all - s->edges[i].all / 10;
    s->edges[i].steady += sums[i].steady - s->edges[i].steady / 10;
  }
  free (sums);
}

/* Stage L: whether what has stood still for so many frames in a block is a ghost. */
static bool
is_ghost (const OracleSamples *s, const Frame *frame, int64_t across, int64_t down, int still)
{
  int all = 0, steady = 0;

  for (int64_t j = down - 1; j <= down + 1; j++)
    for (int64_t i = across - 1; i <= across + 1; i++)
      if (j >= 0 && j < s->n_down && i >= 0 && i < s->n_across) {
        all += s->edges[j * s->n_across + i].all;
        steady += s->edges[j * s->n_across + i].steady;
      }
  return (steady < -640 && still >= 16) || (frame->settling && still >= 10) || (all < -640 && still >= 32);
}

/* Stage L. */
static void
relearn (OracleSamples *s, const Frame *frame, int64_t x, int64_t y)
{
  for (int k = 0; k < N_LUMA; k++)
    *at (&s->luma[k], x, y) = *at (&frame->p, x, y);
  if (s->colored)
    for (int k = 0; k < N_CHROMA; k++) {
      *at (&s->u[k], x / 2, y / 2) = *at (&frame->u, x / 2, y / 2);
      *at (&s->v[k], x / 2, y / 2) = *at (&frame->v, x / 2, y / 2);
    }
  *at (&s->still, x, y) = 0;
}

/* Stage L. */
static void
remove_ghosts (OracleSamples *s, const Frame *frame)
{
  watch (s, frame);
  judge_borders (s, frame);
  for (int64_t y = 0; y < frame->p.height; y++)
    for (int64_t x = 0; x < frame->p.width; x++)
      if (!is_held (s, x, y) && is_ghost (s, frame, x / BLOCK, y / BLOCK, *at (&s->still, x, y)))
        relearn (s, frame, x, y);
}

/* Stage M, luma. */
static void
update_luma (OracleSamples *s, const Frame *frame)
{
  static const int directions[][2] = { { -1, -1 }, { 0, -1 }, { 1, -1 }, { -1, 0 },
                                       { 1, 0 },   { -1, 1 }, { 0, 1 },  { 1, 1 } };
  const int *direction = directions[frame->random >> 8 & 7];
  Plane *samples = &s->luma[frame->slot];

  for (int64_t y = 0; y < samples->height; y++) {
    const int64_t from_y = y + direction[1];
    const uint32_t own = hash (frame->random + (uint32_t) y), other = hash (frame->random + (uint32_t) y + 77777);

    for (int64_t x = 0; x < samples->width; x++)
      if (!is_held (s, x, y) && !*at (&frame->raw, x, y) && is_chosen (own, x))
        *at (samples, x, y) = *at (&frame->p, x, y);
    if (from_y < 0 || from_y >= samples->height)
      continue;
    for (int64_t x = 1; x < samples->width - 1; x++)
      if (!is_held (s, x, y) && !*at (&s->last, x + direction[0], from_y) && is_chosen (other, x))
        *at (samples, x, y) = *at (&frame->p, x + direction[0], from_y);
  }
}

/* Stage M, chroma. */
static void
update_chroma (OracleSamples *s, const Frame *frame)
{
  const Plane *raw = &frame->raw;

  for (int64_t y = 0; y < frame->u.height; y++) {
    const uint32_t offset = hash (frame->random + (uint32_t) y + 5555);

    for (int64_t x = 0; x < frame->u.width; x++) {
      bool busy = false;

      for (int64_t j = 2 * y; j < 2 * y + 2 && j < raw->height; j++)
        for (int64_t i = 2 * x; i < 2 * x + 2 && i < raw->width; i++)
          busy |= *at (raw, i, j) != 0;
      if (!busy && !is_held (s, 2 * x, 2 * y) && is_chosen (offset, x)) {
        *at (&s->u[frame->chroma_slot], x, y) = *at (&frame->u, x, y);
        *at (&s->v[frame->chroma_slot], x, y) = *at (&frame->v, x, y);
      }
    }
  }
}

/* Stages K to M. */
static void
learn (OracleSamples *s, const Frame *frame)
{
  if (frame->learning) {
    plane_copy (&s->luma[frame->slot], &frame->p);
    if (s->colored) {
      plane_copy (&s->u[frame->chroma_slot], &frame->u);
      plane_copy (&s->v[frame->chroma_slot], &frame->v);
    }
    return;
  }
  count_flips (s, frame);
  sum_busy (s);
  find_held (s, frame);
  remove_ghosts (s, frame);
  update_luma (s, frame);
  if (s->colored)
    update_chroma (s, frame);
}

/* Stage N. */
static void
put_mask (const Frame *frame, uint16_t *mask)
{
  const Plane *raw = &frame->shown;
  const int dx = floor_shift (frame->shift_x + 2, 2), dy = floor_shift (frame->shift_y + 2, 2);

  for (int64_t y = 0; y < raw->height; y++)
    for (int64_t x = 0; x < raw->width; x++)
      mask[y * raw->width + x] = (uint16_t) nearest (raw, x - dx, y - dy);
}

static Plane
read_chroma (const OracleChroma *chroma, const uint8_t *plane, int64_t width, int64_t height)
{
  Plane half = plane_new ((width + 1) / 2, (height + 1) / 2);

  for (int64_t y = 0; y < half.height; y++)
    for (int64_t x = 0; x < half.width; x++)
      *at (&half, x, y) = plane[(2 * y >> chroma->shift_y) * chroma->pitch + (2 * x >> chroma->shift_x) * chroma->step];
  return half;
}

static Plane
resampled_chroma (const OracleChroma *chroma, const uint8_t *plane, const Frame *frame)
{
  Plane in = read_chroma (chroma, plane, frame->p.width, frame->p.height);
  Plane out = resample (&in, floor_shift (frame->shift_x, 1), floor_shift (frame->shift_y, 1));

  free (in.at);
  return out;
}

bool
oracle_samples_run (const OracleParams *params, OracleSamples *s, const uint8_t *values, const OracleChroma *chroma,
                    uint16_t *mask)
{
  const int64_t width = s->last.width, height = s->last.height;
  const Plane image = { width, height, (uint8_t *) values };
  Frame frame = { .distance = plane_new (width, height),
                  .raw = plane_new (width, height),
                  .unlike = plane_new (width, height),
                  .deep = plane_new (width, height),
                  .shown = plane_new (width, height),
                  .before = most ((int) params->tolerance, 20 * s->sigma / 160) };
  int64_t n_raw;

  find_shift (s, &image, &frame);
  frame.p = resample (&image, frame.shift_x, frame.shift_y);
  if (s->colored) {
    frame.u = resampled_chroma (chroma, chroma->u, &frame);
    frame.v = resampled_chroma (chroma, chroma->v, &frame);
  }
  if (s->t == 0)
    begin (s, &frame);
  else {
    find_light (s, &frame);
    for (int64_t i = 0; i < width * height; i++) /* stage E */
      frame.p.at[i] = s->table[frame.p.at[i]];
    find_noise (s, &frame);
  }
  frame.black = find_black (s);
  schedule (params, s, &frame);
  find_distances (params, s, &frame);
  n_raw = find_raw (s, &frame);
  if (!frame.learning)
    drop_moved (s, &frame);
  hide_shadows (&frame);
  frame.changed = !frame.learning && 5 * n_raw > 3 * width * height;
  learn (s, &frame);
  plane_copy (&s->last, &frame.raw);
  if (frame.changed || frame.learning)
    memset (mask, 0, (size_t) (width * height) * sizeof *mask);
  else
    put_mask (&frame, mask);
  plane_copy (&s->previous, &frame.p);
  s->t++;
  s->n_changes = frame.changed ? s->n_changes + 1 : 0;
  if (s->n_changes == 5) { /* stage O */
    s->t = 0;
    s->n_changes = 0;
  }
  free (frame.p.at);
  free (frame.u.at);
  free (frame.v.at);
  free (frame.distance.at);
  free (frame.raw.at);
  free (frame.unlike.at);
  free (frame.deep.at);
  free (frame.shown.at);
  return frame.changed;
}
