/* gst-cca: an oracle for tests, the background model of samples: shared by its stages
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <stdlib.h>
#include <string.h>

#include "oracle-samples.h"

#define N_LUMA 12
#define N_CHROMA 6
#define BLOCK 16
#define N_SCENES 2
#define N_REMEMBERED 2

typedef struct
{
  int64_t width, height;
  uint8_t *at;
} Plane;

/* The edges of a block's foreground in the frame, less those in the background. `steady` leaves out edges that only the
 * background has and that have not stood still. */
typedef struct
{
  int all, steady;
} Edges;

/* A block's foreground that the background nearby explains, its other foreground, and the busyness of its pixels. */
typedef struct
{
  int explained, unexplained, busy;
} Motion;

/* A scene that the model has left. */
typedef struct
{
  bool known; /* in use */
  Plane luma[N_REMEMBERED], u[N_REMEMBERED], v[N_REMEMBERED];
} Scene;

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
  int n_changes; /* scene changes in a row */
  Scene scenes[N_SCENES];
  int drift_x, drift_y;              /* centre of the search for the shift, pixels */
  int shift_x, shift_y;              /* of the last frame that matched, quarters of a pixel */
  int leaps, leap_x, leap_y;         /* frames in a row that asked for a leap; where the last frame asked to be */
  const OracleRectangle *rectangles; /* n_rectangles to hold */
  size_t n_rectangles;
  bool *held; /* blocks held in the current frame */
};

/* A frame on its way through the stages, after resample() in the model's coordinates. */
typedef struct
{
  Plane p, u, v, distance, raw;
  Plane unlike, deep, shown;          /* flags; shown: of the mask */
  int shift_x, shift_y;               /* quarters of a pixel */
  int black, tolerance, most, before; /* before: the tolerance by the noise up to the last frame */
  bool learning, young, settling, changed;
  uint32_t random;
  int slot, chroma_slot;
} Frame;

static inline int
least (int a, int b)
{
  return a < b ? a : b;
}

static inline int
most (int a, int b)
{
  return a > b ? a : b;
}

static inline int64_t
clamp (int64_t value, int64_t low, int64_t high)
{
  return value < low ? low : value > high ? high : value;
}

/* Divides by a power of two, rounding down. */
static inline int
floor_shift (int value, int bits)
{
  const int divisor = 1 << bits;

  return value >= 0 ? value / divisor : -((-value + divisor - 1) / divisor);
}

static inline uint32_t
hash (uint32_t x)
{
  x ^= x >> 16;
  x *= 0x7feb352d;
  x ^= x >> 15;
  x *= 0x846ca68b;
  return x ^ x >> 16;
}

static inline Plane
plane_new (int64_t width, int64_t height)
{
  return (Plane) { width, height, oracle_alloc ((size_t) (width * height), 1) };
}

static inline void
plane_copy (Plane *to, const Plane *from)
{
  memcpy (to->at, from->at, (size_t) (from->width * from->height));
}

static inline void
plane_clear (Plane *plane)
{
  memset (plane->at, 0, (size_t) (plane->width * plane->height));
}

static inline uint8_t *
at (const Plane *plane, int64_t x, int64_t y)
{
  return &plane->at[y * plane->width + x];
}

static inline int
nearest (const Plane *plane, int64_t x, int64_t y)
{
  return *at (plane, clamp (x, 0, plane->width - 1), clamp (y, 0, plane->height - 1));
}

/* Runs stages A and B. */
void oracle_samples_find_shift (OracleSamples *s, const Plane *image, Frame *frame);
Plane oracle_samples_resample (const Plane *image, int shift_x, int shift_y);

/* Runs stages D, F and G, and the tail of stage H. */
void oracle_samples_find_light (OracleSamples *s, const Frame *frame);
void oracle_samples_find_noise (OracleSamples *s, const Frame *frame);
int oracle_samples_find_black (const OracleSamples *s);
int oracle_samples_find_tail (const OracleSamples *s, const Frame *frame);

/* Runs stages I and J. Returns the number of foreground pixels before moved background is dropped. */
int64_t oracle_samples_find_foreground (const OracleParams *params, OracleSamples *s, Frame *frame);

/* Runs stages K to M. */
void oracle_samples_learn (OracleSamples *s, const Frame *frame);
