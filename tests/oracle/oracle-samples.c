/* gst-cca: an oracle for tests, the background model of samples, scalar and stage by stage
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "oracle-samples-model.h"

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
  for (int i = 0; i < N_SCENES; i++)
    for (int k = 0; k < N_REMEMBERED; k++) {
      s->scenes[i].luma[k] = plane_new (width, height);
      s->scenes[i].u[k] = plane_new (half_width, half_height);
      s->scenes[i].v[k] = plane_new (half_width, half_height);
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
  for (int i = 0; i < N_SCENES; i++)
    for (int k = 0; k < N_REMEMBERED; k++) {
      free (s->scenes[i].luma[k].at);
      free (s->scenes[i].u[k].at);
      free (s->scenes[i].v[k].at);
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

/* Stage H. */
static int
smallest (const OracleParams *params)
{
  return least ((int) params->tolerance, 4);
}

/* Stage H. */
static void
schedule (const OracleParams *params, const OracleSamples *s, Frame *frame)
{
  const int tail = oracle_samples_find_tail (s, frame);

  frame->tolerance = least (255, most (smallest (params), 20 * s->sigma / 160) + least (4 * tail / 16, 4));
  frame->most = least (255, frame->tolerance + least (40 * tail / 16, 60));
  frame->random = hash ((uint32_t) s->t * 2654435761u + 12345);
  frame->learning = s->t < params->learning;
  frame->young = s->t < (uint64_t) params->learning + 60;
  frame->settling = s->t == (uint64_t) params->learning + 12;
  frame->slot = frame->learning ? (int) (s->t * N_LUMA / params->learning) : (int) (frame->random % N_LUMA);
  frame->chroma_slot = frame->learning ? (int) (s->t * N_CHROMA / params->learning) : (int) (frame->random % N_CHROMA);
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
  Plane out = oracle_samples_resample (&in, floor_shift (frame->shift_x, 1), floor_shift (frame->shift_y, 1));

  free (in.at);
  return out;
}

/* Stage O: exchanges remembered samples for the model's, which then repeat them. */
static void
exchange_planes (Plane *samples, int n, Plane remembered[N_REMEMBERED])
{
  for (int k = 0; k < N_REMEMBERED; k++) {
    const Plane own = samples[k];

    samples[k] = remembered[k];
    remembered[k] = own;
  }
  for (int k = N_REMEMBERED; k < n; k++)
    plane_copy (&samples[k], &samples[k % N_REMEMBERED]);
}

/* Stage O. */
static void
exchange (OracleSamples *s, Scene *scene)
{
  exchange_planes (s->luma, N_LUMA, scene->luma);
  exchange_planes (s->u, N_CHROMA, scene->u);
  exchange_planes (s->v, N_CHROMA, scene->v);
  for (int i = 0; i < 256; i++)
    s->table[i] = (uint8_t) i;
}

/* Stage O: the scene has changed for five frames, and for one more for each scene that it was compared with. */
static void
leave_scene (const OracleParams *params, OracleSamples *s)
{
  const uint64_t old = (uint64_t) params->learning + 50;
  const bool known = s->t >= old;
  int next = s->n_changes - 5;

  s->shift_x = s->shift_y = s->leaps = s->leap_x = s->leap_y = 0;
  while (next < N_SCENES && !s->scenes[next].known)
    next++;
  if (next < N_SCENES) {
    exchange (s, &s->scenes[next]);
    s->scenes[next].known = known;
    s->n_changes = 5 + next;
    s->t = old;
    return;
  }
  for (int i = 0; i < N_SCENES && known; i++)
    if (!s->scenes[i].known) {
      exchange (s, &s->scenes[i]);
      s->scenes[i].known = true;
      break;
    }
  s->t = 0;
  s->n_changes = 0;
}

/* Stage O: whether so much foreground is a change of the scene. A scene that the model has just gone back to must fit
 * better. None is taken for this one in quite another light. */
static bool
is_change (const OracleSamples *s, int64_t n_raw, int64_t n)
{
  int light = 0;

  for (int i = 0; i < 256; i++)
    light += abs (s->table[i] - i);
  if (light > 48 * 256)
    return n_raw > 0;
  return s->n_changes >= 5 ? 5 * n_raw > 2 * n : 5 * n_raw > 3 * n;
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
                  .before = most (smallest (params), 20 * s->sigma / 160) };
  int64_t n_raw;

  oracle_samples_find_shift (s, &image, &frame);
  frame.p = oracle_samples_resample (&image, frame.shift_x, frame.shift_y);
  if (s->colored) {
    frame.u = resampled_chroma (chroma, chroma->u, &frame);
    frame.v = resampled_chroma (chroma, chroma->v, &frame);
  }
  if (s->t == 0)
    begin (s, &frame);
  else {
    oracle_samples_find_light (s, &frame);
    for (int64_t i = 0; i < width * height; i++) /* stage E */
      frame.p.at[i] = s->table[frame.p.at[i]];
    oracle_samples_find_noise (s, &frame);
  }
  frame.black = oracle_samples_find_black (s);
  schedule (params, s, &frame);
  n_raw = oracle_samples_find_foreground (params, s, &frame);
  frame.changed = !frame.learning && is_change (s, n_raw, width * height);
  oracle_samples_learn (s, &frame);
  plane_copy (&s->last, &frame.raw);
  if (frame.changed || frame.learning)
    memset (mask, 0, (size_t) (width * height) * sizeof *mask);
  else
    put_mask (&frame, mask);
  plane_copy (&s->previous, &frame.p);
  s->t++;
  s->n_changes = frame.changed ? s->n_changes + 1 : 0;
  if (s->n_changes >= 5)
    leave_scene (params, s);
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
