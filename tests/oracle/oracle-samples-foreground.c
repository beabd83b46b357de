/* gst-cca: an oracle for tests, the background model of samples: the foreground, stages I and J
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "oracle-samples-model.h"

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

/* Stage I: whether the frame or the background has a color at a place. */
static bool
has_color (const OracleSamples *s, const Frame *frame, int64_t x, int64_t y)
{
  return *at (&frame->u, x / 2, y / 2) != 128 || *at (&frame->v, x / 2, y / 2) != 128
         || *at (&s->u[frame->chroma_slot], x / 2, y / 2) != 128
         || *at (&s->v[frame->chroma_slot], x / 2, y / 2) != 128;
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

/* Stage J: whether 85 percent of the pixels unlike the samples in the blocks around are a deep shadow, at least one
 * with a colour. */
static bool
is_shaded (const OracleSamples *s, const Frame *frame, int64_t across, int64_t down)
{
  int n = 0, n_deep = 0;
  bool colored = false;

  for (int64_t y = most ((int) down - 1, 0) * BLOCK; y < (down + 2) * BLOCK && y < frame->p.height; y++)
    for (int64_t x = most ((int) across - 1, 0) * BLOCK; x < (across + 2) * BLOCK && x < frame->p.width; x++)
      if (*at (&frame->unlike, x, y)) {
        n++;
        n_deep += *at (&frame->deep, x, y);
        colored |= *at (&frame->deep, x, y) && has_color (s, frame, x, y);
      }
  return colored && 100 * n_deep >= 85 * n;
}

/* Stage J: faint foreground is not shown, but not learned either. */
static void
hide_faint (const OracleParams *params, Frame *frame)
{
  for (int64_t i = 0; i < frame->shown.width * frame->shown.height; i++)
    frame->shown.at[i] = frame->raw.at[i] && frame->distance.at[i] > params->tolerance;
}

/* Stage J: nor are deep shadows. */
static void
hide_shadows (const OracleSamples *s, Frame *frame)
{
  for (int64_t down = 0; down * BLOCK < frame->p.height; down++)
    for (int64_t across = 0; across * BLOCK < frame->p.width; across++) {
      if (!is_shaded (s, frame, across, down))
        continue;
      for (int64_t y = down * BLOCK; y < (down + 1) * BLOCK && y < frame->p.height; y++)
        for (int64_t x = across * BLOCK; x < (across + 1) * BLOCK && x < frame->p.width; x++)
          if (*at (&frame->deep, x, y))
            *at (&frame->shown, x, y) = 0;
    }
}

int64_t
oracle_samples_find_foreground (const OracleParams *params, OracleSamples *s, Frame *frame)
{
  int64_t n_raw;

  find_distances (params, s, frame);
  n_raw = find_raw (s, frame);
  if (!frame->learning)
    drop_moved (s, frame);
  hide_faint (params, frame);
  hide_shadows (s, frame);
  return n_raw;
}
