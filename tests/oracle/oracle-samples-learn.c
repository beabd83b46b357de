/* gst-cca: an oracle for tests, the background model of samples: learning, stages K to M
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "oracle-samples-model.h"

static bool
is_chosen (uint32_t offset, int64_t x)
{
  return ((hash (((offset + (uint32_t) x) & 4095) * 77 + 1) >> 7) & 255) < 16;
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
      if (change > 0 || *at (&s->still, x, y) >= 10)
        sums[block].steady += change;
    }
  for (int64_t i = 0; i < n; i++) {
    s->edges[i].all += sums[i].all - s->edges[i].all / 10;
    s->edges[i].steady += sums[i].steady - s->edges[i].steady / 10;
  }
  free (sums);
}

/* Stage L: whether a block that has stood still for long enough is a ghost. */
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
  if (frame->settling)
    return still >= 10;
  return (steady < -640 && still >= (frame->young ? 6 : 16)) || (all < -640 && still >= 32);
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
void
oracle_samples_learn (OracleSamples *s, const Frame *frame)
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
