/* gst-cca: an oracle for tests, the background model of samples: the camera's shake, stages A and B
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "oracle-samples-model.h"

#define SEARCH 6
#define DRIFT 32

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

/* Stage A: a leap that does not lead back, nearer to where the model was learned, needs three frames in a row that ask
 * for it: well inside of the search and within a pixel of where the frame before asked to be, or for an eighth less of
 * the cost. The first one inside counts. */
static bool
follows (OracleSamples *s, const Plane *image, int best_i, int best_j, uint64_t best)
{
  const int x = s->drift_x + best_i, y = s->drift_y + best_j;
  const int last_x = floor_shift (s->shift_x + 2, 2), last_y = floor_shift (s->shift_y + 2, 2);
  const bool inside = abs (best_i) < SEARCH && abs (best_j) < SEARCH;
  const bool same = abs (x - s->leap_x) <= 1 && abs (y - s->leap_y) <= 1;
  uint64_t n;

  s->leap_x = x;
  s->leap_y = y;
  if ((abs (x - last_x) < 3 && abs (y - last_y) < 3) || (abs (x) <= abs (last_x) && abs (y) <= abs (last_x))
      || (abs (x) <= abs (last_y) && abs (y) <= abs (last_y))) {
    s->leaps = 0;
    return true;
  }
  if ((inside && same) || 8 * best <= 7 * shift_cost (s, image, last_x - s->drift_x, last_y - s->drift_y, &n))
    s->leaps++;
  else
    s->leaps = inside ? 1 : 0;
  return s->leaps >= 3;
}

/* Stage A. */
void
oracle_samples_find_shift (OracleSamples *s, const Plane *image, Frame *frame)
{
  int best_i = 0, best_j = 0, center_i, center_j;
  uint64_t best, n;

  if (s->t == 0)
    s->shift_x = s->shift_y = s->leaps = s->leap_x = s->leap_y = 0;
  frame->shift_x = s->shift_x;
  frame->shift_y = s->shift_y;
  if (s->t == 0 || image->width < 64 || image->height < 64)
    return;
  s->drift_x = drift (s->shift_x, image->width);
  s->drift_y = drift (s->shift_y, image->height);
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
  if (best > 12 * n || !follows (s, image, best_i, best_j, best))
    return;
  frame->shift_x = 4 * (s->drift_x + best_i);
  frame->shift_y = 4 * (s->drift_y + best_j);
  if (abs (best_i) < SEARCH)
    frame->shift_x +=
        fit (shift_cost (s, image, best_i - 1, best_j, &n), best, shift_cost (s, image, best_i + 1, best_j, &n));
  if (abs (best_j) < SEARCH)
    frame->shift_y +=
        fit (shift_cost (s, image, best_i, best_j - 1, &n), best, shift_cost (s, image, best_i, best_j + 1, &n));
  s->shift_x = frame->shift_x;
  s->shift_y = frame->shift_y;
}

/* Stage B: 3x3 binomial and bilinear interpolation at once. */
Plane
oracle_samples_resample (const Plane *image, int shift_x, int shift_y)
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
