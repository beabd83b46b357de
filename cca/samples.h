/* gst-cca: the arithmetic of the background model SAMPLES
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The samples of a pixel's past and their random update are from Barnich & Van Droogenbroeck, IEEE Transactions on
 * Image Processing 20 (6), 2011, sections III-A to III-C. The backends share this header, also as CUDA device code. It
 * has only integers and uses no library, so that all backends give the same bits. Divisions truncate as in C; right
 * shifts of negative numbers round down.
 *
 * I is the frame; p the smoothed frame in the coordinates and the light of the model; S the samples of luma, U and V
 * those of chroma. Chroma has half the frame's size, rounded up.
 */
#pragma once

#include "cca/label-color.h"

#include <stdbool.h>
#include <stdint.h>

#define CCA_SAMPLES_LUMA 12  /* samples of luma */
#define CCA_SAMPLES_CHROMA 6 /* samples of either chroma plane */

/* The shift of the camera, pixels; sums of absolute differences on a grid. */
#define CCA_SAMPLES_SEARCH 6            /* radius of the search */
#define CCA_SAMPLES_DRIFT 32            /* the furthest shift at which the search starts, but no more than … */
#define CCA_SAMPLES_DRIFT_PART 8        /* … this part of the frame's side */
#define CCA_SAMPLES_SHIFT_GRID 16       /* distance of rows, and border without drift */
#define CCA_SAMPLES_SHIFT_MOST 24       /* a difference is clamped to this */
#define CCA_SAMPLES_SHIFT_MATCH 12      /* the largest mean difference of a frame that matches the model */
#define CCA_SAMPLES_SHIFT_LEAST_SIZE 64 /* the smallest width and height for which a shift is estimated */
#define CCA_SAMPLES_LEAP 3              /* a shift so many pixels from the last one is a leap, … */
#define CCA_SAMPLES_LEAPS 3             /* … for which so many frames in a row must ask, … */
#define CCA_SAMPLES_LEAP_GAIN 8         /* … for the same place, or with a cost that is less by this fraction */

/* The light. */
#define CCA_SAMPLES_LIGHT_GRID 4           /* distance of points, and border */
#define CCA_SAMPLES_LIGHT_BINS 64          /* bins of background levels, four levels each */
#define CCA_SAMPLES_LIGHT_LEAST 128        /* fewest points of a valid bin, … */
#define CCA_SAMPLES_LIGHT_PART 40          /* … and at least this fraction of all points */
#define CCA_SAMPLES_LIGHT_SPAN 512         /* bins of the histogram of changes; 256 is no change */
#define CCA_SAMPLES_LIGHT_DEAD 32          /* the least mean change that counts, 1/16 level */
#define CCA_SAMPLES_LIGHT_FLAT 48          /* saturation: the curve rises by no more than this, 1/16 level, … */
#define CCA_SAMPLES_LIGHT_WIDE 6           /* … over more than this many levels, … */
#define CCA_SAMPLES_LIGHT_WHITE (16 * 230) /* … at this light or more, 1/16 level */

/* The noise and the tail of the distances, 1/16 level, and their terms in the threshold. */
#define CCA_SAMPLES_NOISE_GRID 8
#define CCA_SAMPLES_NOISE_FIRST 16
#define CCA_SAMPLES_NOISE_FACTOR 20   /* of 160 */
#define CCA_SAMPLES_LEAST 4           /* the least threshold, levels; CcaMotion.tolerance can lower it */
#define CCA_SAMPLES_TOLERANCE 10      /* CcaMotion.tolerance by default: foreground up to it is not shown, levels */
#define CCA_SAMPLES_TAIL_FACTOR 4     /* of 16, … */
#define CCA_SAMPLES_TAIL_MOST 4       /* … the most that it adds, levels */
#define CCA_SAMPLES_FLICKER_FACTOR 40 /* the same for the term of pixels that flip */
#define CCA_SAMPLES_FLICKER_MOST 60

/* Black: a quantile of the background. */
#define CCA_SAMPLES_BLACK_PART 400
#define CCA_SAMPLES_BLACK_NONE 16

/* The foreground. */
#define CCA_SAMPLES_CHROMA_FREE 4    /* subtracted from the distance in chroma */
#define CCA_SAMPLES_SHADOW_LEAST 140 /* of 256: the least light in a shadow */
#define CCA_SAMPLES_SHADOW_DEEP 56   /* the same in a deep shadow, cast by the sun */
#define CCA_SAMPLES_SHADOW_PART 85   /* the least percentage of differing pixels nearby that a deep shadow explains */
#define CCA_SAMPLES_SHADOW_CHROMA 5  /* the largest difference in chroma, times the background's luma */
#define CCA_SAMPLES_FLIP 12          /* a change of a pixel's state adds this to its threshold, in quarters */
#define CCA_SAMPLES_BUSY 2           /* a pixel that differs from its samples gets busier by this, … */
#define CCA_SAMPLES_IDLE 1           /* … others less busy by this */

/* Blocks: their side, pixels. */
#define CCA_SAMPLES_BLOCK_BITS 4
#define CCA_SAMPLES_BLOCK (1 << CCA_SAMPLES_BLOCK_BITS)

/* Background that moves, as leaves do (Elgammal, Harwood & Davis, ECCV 2000, section 3). */
#define CCA_SAMPLES_REACH 2        /* radius of the search, pixels, … */
#define CCA_SAMPLES_REACHED 6      /* … and the samples of luma that it compares */
#define CCA_SAMPLES_RESTLESS 32    /* mean busyness of 3x3 blocks where the background moves */
#define CCA_SAMPLES_MOVED_LEAST 85 /* least percentage of moved background in its foreground */
#define CCA_SAMPLES_MOVED_DECAY 64 /* frames */

/* Ghosts. */
#define CCA_SAMPLES_EDGE_MOST 32   /* a difference of gradients is clamped to this */
#define CCA_SAMPLES_EDGE_STEADY 10 /* least age of a steady edge, frames; the outline of what moves is younger */
#define CCA_SAMPLES_GHOST_DECAY 10 /* frames */
#define CCA_SAMPLES_GHOST -640     /* a ghost has a sum over 3x3 blocks below this */

/* Limits of held boxes. */
#define CCA_SAMPLES_HELD_MOST 64 /* rectangles, CCA_MAX_HELD */
#define CCA_SAMPLES_HELD_LEAST 0 /* an object has left if the edges of its rectangle add up to less */

/* For how many frames a pixel must stand still before the model learns it, by the evidence for a ghost. */
#define CCA_SAMPLES_STILL_STEADY 16   /* steady edges show a ghost */
#define CCA_SAMPLES_STILL_YOUNG 6     /* the same, while the model is young */
#define CCA_SAMPLES_STILL_ALL 32      /* all edges show a ghost */
#define CCA_SAMPLES_STILL_SETTLING 10 /* the settling frame: foreground since learning ended, even without a ghost */
#define CCA_SAMPLES_SETTLING 12       /* the number of that frame after learning */
#define CCA_SAMPLES_YOUNG 60          /* for so many frames after learning the model is young */
#define CCA_SAMPLES_STILL_NEVER 256   /* more than the counter holds */

/* The update. */
#define CCA_SAMPLES_RATE 16     /* of 256: probability that a background pixel replaces a sample */
#define CCA_SAMPLES_RANDOM 4096 /* random bytes; a power of two */
#define CCA_SAMPLES_SALT_NEIGHBOUR 77777u
#define CCA_SAMPLES_SALT_CHROMA 5555u

/* Scene changes in a row after which the model leaves its scene. */
#define CCA_SAMPLES_CHANGES 5

/* Scenes that the model has left. */
#define CCA_SAMPLES_SCENES 2     /* remembered scenes, … */
#define CCA_SAMPLES_REMEMBERED 2 /* … each by this many samples of luma and of each chroma plane */
#define CCA_SAMPLES_KNOWN 50     /* frames after learning until a scene is remembered */
#define CCA_SAMPLES_LIKE 48      /* levels: the largest mean change of light within a scene */

/* Hashes 32 bits (Wellons, "Prospecting for hash functions", 2018). */
static inline CCA_HOST_DEVICE uint32_t
cca_samples_hash (uint32_t x)
{
  x ^= x >> 16;
  x *= 0x7feb352du;
  x ^= x >> 15;
  x *= 0x846ca68bu;
  return x ^ x >> 16;
}

/* Returns random byte i, 0…CCA_SAMPLES_RANDOM - 1. Pixel x of a row whose offset is o uses byte (o + x) %
 * CCA_SAMPLES_RANDOM. */
static inline CCA_HOST_DEVICE uint8_t
cca_samples_random (uint32_t i)
{
  return (uint8_t) (cca_samples_hash (i * 77 + 1) >> 7);
}

/* One frame's update of the model. */
typedef struct
{
  uint32_t hash; /* of the frame; see cca_samples_offset() */
  bool learning; /* nothing is foreground; every pixel replaces its sample `slot` */
  bool young;    /* learning has just ended: objects that were there leave ghosts now */
  bool settling; /* learn pixels that have stood still since learning ended */
  uint8_t slot;  /* the sample of luma to replace */
  uint8_t cslot; /* the samples of chroma to replace */
  int8_t dx, dy; /* the neighbour that receives the value, too */
} CcaSamplesStep;

/* Returns the step of frame t, counted from 0; frame 0 only sets the samples. */
static inline CCA_HOST_DEVICE CcaSamplesStep
cca_samples_step (uint32_t learning, uint64_t t)
{
  const uint32_t hash = cca_samples_hash ((uint32_t) t * 2654435761u + 12345), place = (hash >> 8) & 7;
  const uint32_t around = place < 4 ? place : place + 1; /* position in the 3x3, skipping the centre */
  CcaSamplesStep step;

  step.hash = hash;
  step.learning = t < learning;
  step.young = t < (uint64_t) learning + CCA_SAMPLES_YOUNG;
  step.settling = t == (uint64_t) learning + CCA_SAMPLES_SETTLING;
  step.slot = (uint8_t) (step.learning ? t * CCA_SAMPLES_LUMA / learning : hash % CCA_SAMPLES_LUMA);
  step.cslot = (uint8_t) (step.learning ? t * CCA_SAMPLES_CHROMA / learning : hash % CCA_SAMPLES_CHROMA);
  step.dx = (int8_t) ((int) (around % 3) - 1);
  step.dy = (int8_t) ((int) (around / 3) - 1);
  return step;
}

/* The gradients at the foreground's edges in the frame, less those in the samples: sums of a block. */
typedef struct
{
  int32_t all;
  int32_t steady; /* without edges that are stronger in the samples and not steady */
} CcaSamplesEdges;

/* Adds an edge's difference; its pixel has stood still for `still` frames. */
static inline CCA_HOST_DEVICE void
cca_samples_add_edge (CcaSamplesEdges *edges, int32_t difference, uint32_t still)
{
  const int32_t most = CCA_SAMPLES_EDGE_MOST;
  const int32_t d = difference > most ? most : difference < -most ? -most : difference;

  edges->all += d;
  edges->steady += ((d > 0) | (still >= CCA_SAMPLES_EDGE_STEADY)) ? d : 0;
}

/* Returns the decaying sums after a new frame. */
static inline CCA_HOST_DEVICE CcaSamplesEdges
cca_samples_next_edges (CcaSamplesEdges edges, CcaSamplesEdges frame)
{
  edges.all += frame.all - edges.all / CCA_SAMPLES_GHOST_DECAY;
  edges.steady += frame.steady - edges.steady / CCA_SAMPLES_GHOST_DECAY;
  return edges;
}

/* Returns for how many frames a pixel must stand still before the model learns it. around: sums of the 3x3 blocks. */
static inline CCA_HOST_DEVICE uint32_t
cca_samples_still_least (CcaSamplesEdges around, const CcaSamplesStep *step)
{
  return step->settling                      ? CCA_SAMPLES_STILL_SETTLING
         : around.steady < CCA_SAMPLES_GHOST ? (step->young ? CCA_SAMPLES_STILL_YOUNG : CCA_SAMPLES_STILL_STEADY)
         : around.all < CCA_SAMPLES_GHOST    ? CCA_SAMPLES_STILL_ALL
                                             : CCA_SAMPLES_STILL_NEVER;
}

/* Held blocks: columns left…right - 1 of rows top…bottom - 1. */
typedef struct
{
  uint16_t left, top, right, bottom;
} CcaSamplesHeld;

static inline CCA_HOST_DEVICE uint16_t
cca_samples_move_block (uint16_t block, int distance, uint32_t n)
{
  const int to = (int) block - distance;

  return (uint16_t) (to<0 ? 0 : to> (int) n ? (int) n : to);
}

/* Returns the blocks that a rectangle of pixels touches. */
static inline CCA_HOST_DEVICE CcaSamplesHeld
cca_samples_held (uint32_t x, uint32_t y, uint32_t width, uint32_t height)
{
  CcaSamplesHeld held;

  held.left = (uint16_t) (x / CCA_SAMPLES_BLOCK);
  held.top = (uint16_t) (y / CCA_SAMPLES_BLOCK);
  held.right = (uint16_t) ((x + width + CCA_SAMPLES_BLOCK - 1) / CCA_SAMPLES_BLOCK);
  held.bottom = (uint16_t) ((y + height + CCA_SAMPLES_BLOCK - 1) / CCA_SAMPLES_BLOCK);
  return held;
}

/* Moves blocks of the frame to the model's coordinates, to the nearest whole block; shifts are whole pixels. */
static inline CCA_HOST_DEVICE CcaSamplesHeld
cca_samples_held_in_model (CcaSamplesHeld held, int shift_x, int shift_y, uint32_t n_across, uint32_t n_down)
{
  const int across = (shift_x + CCA_SAMPLES_BLOCK / 2) >> CCA_SAMPLES_BLOCK_BITS,
            down = (shift_y + CCA_SAMPLES_BLOCK / 2) >> CCA_SAMPLES_BLOCK_BITS;

  held.left = cca_samples_move_block (held.left, across, n_across);
  held.right = cca_samples_move_block (held.right, across, n_across);
  held.top = cca_samples_move_block (held.top, down, n_down);
  held.bottom = cca_samples_move_block (held.bottom, down, n_down);
  return held;
}

/* Returns whether held blocks still show their object; edges: the sum of theirs after the last frame. */
static inline CCA_HOST_DEVICE bool
cca_samples_holds (int64_t edges)
{
  return edges >= CCA_SAMPLES_HELD_LEAST;
}

/* A block's measure of moving background. */
typedef struct
{
  int32_t moved, other; /* its foreground, 1/16 pixel: explained by a sample nearby, and the rest */
  uint32_t busy;        /* sum over its pixels */
} CcaSamplesMoves;

/* Decision on a block's foreground that samples nearby explain. */
typedef enum
{
  CCA_SAMPLES_KEEP,  /* the search is skipped */
  CCA_SAMPLES_COUNT, /* it is measured, and stays foreground */
  CCA_SAMPLES_DROP   /* it becomes background */
} CcaSamplesMoving;

/* Returns the decision for a block. around: sum of the n blocks of 3x3 that are in the image, after the last frame. */
static inline CCA_HOST_DEVICE CcaSamplesMoving
cca_samples_moving (CcaSamplesMoves around, uint32_t n)
{
  if (around.busy < CCA_SAMPLES_RESTLESS * CCA_SAMPLES_BLOCK * CCA_SAMPLES_BLOCK * n)
    return CCA_SAMPLES_KEEP;
  return 100 * around.moved >= CCA_SAMPLES_MOVED_LEAST * (around.moved + around.other) ? CCA_SAMPLES_DROP
                                                                                       : CCA_SAMPLES_COUNT;
}

/* Returns a block's decaying foreground after a new frame with n pixels of it. */
static inline CCA_HOST_DEVICE int32_t
cca_samples_next_moves (int32_t before, uint32_t n)
{
  return before - before / CCA_SAMPLES_MOVED_DECAY + 16 * (int32_t) n;
}

/* A block's measure of deep shadows: pixels unlike their samples; how many of these a deep shadow explains; how many of
 * those have a colour. */
typedef struct
{
  uint32_t unlike, shaded, coloured;
} CcaSamplesShades;

/* Returns whether a deep shadow lies on a block; around: sum of the 3x3. Clothes and tyres are as dark, but other
 * foreground surrounds them, and their colour differs if the scene has colours. */
static inline CCA_HOST_DEVICE bool
cca_samples_shaded (CcaSamplesShades around)
{
  return 100 * around.shaded >= CCA_SAMPLES_SHADOW_PART * around.unlike && around.coloured > 0;
}

/* Returns the offset of row y's random bytes; salt is 0 or one of CCA_SAMPLES_SALT_…. */
static inline CCA_HOST_DEVICE uint32_t
cca_samples_offset (uint32_t hash, uint32_t y, uint32_t salt)
{
  return cca_samples_hash (hash + y + salt) % CCA_SAMPLES_RANDOM;
}

/* --- Shift ------------------------------------------------------------------------------------------- */

/* Returns the minimum of a V through the costs of three neighbours, in quarters of their distance: -2…2. before and
 * after are the outer costs less the middle one's, and may be negative: the middle one is the least cost computed, not
 * always the least of these. */
static inline CCA_HOST_DEVICE int
cca_samples_fit (int64_t before, int64_t after)
{
  const int64_t q = before > after ? before : after, sum = 4 * (before - after) + q;

  if (q <= 0)
    return 0;
  /* sum / (2 q), rounded down, without a division, which takes long on a GPU. */
  return (sum >= -2 * q) + (sum >= 0) + (sum >= 2 * q) + (sum >= 4 * q) - 2;
}

/* Returns whether a frame with this least cost over n_points shows the model's scene. */
static inline CCA_HOST_DEVICE bool
cca_samples_matches (uint64_t cost, uint64_t n_points)
{
  return cost <= CCA_SAMPLES_SHIFT_MATCH * n_points;
}

/* Returns the shift of the mask against the model, whole pixels. */
static inline CCA_HOST_DEVICE int
cca_samples_whole (int shift)
{
  return (shift + 2) >> 2;
}

/* Returns where the search for a frame's shift starts along a side, whole pixels, by the last shift found. Close to the
 * place where the model was learned it starts there, so that it does not follow large objects. */
static inline CCA_HOST_DEVICE int
cca_samples_drift (int last_shift, uint32_t size)
{
  const int part = (int) (size / CCA_SAMPLES_DRIFT_PART), most = part < CCA_SAMPLES_DRIFT ? part : CCA_SAMPLES_DRIFT,
            whole = cca_samples_whole (last_shift);

  if (whole >= -CCA_SAMPLES_SEARCH / 2 && whole <= CCA_SAMPLES_SEARCH / 2)
    return 0;
  return whole < -most ? -most : whole > most ? most : whole;
}

/* Leaps of the shift: for how many the last frames asked in a row, and where the last one led, whole pixels. */
typedef struct
{
  uint32_t n;
  int32_t x, y;
} CcaSamplesLeaps;

static inline CCA_HOST_DEVICE bool
cca_samples_is_near (int a, int b, int distance)
{
  return a - b <= distance && b - a <= distance;
}

/* Returns how far a shift is from where the model was learned, along the farther axis. */
static inline CCA_HOST_DEVICE int
cca_samples_distance (int x, int y)
{
  const int right = x < 0 ? -x : x, down = y < 0 ? -y : y;

  return right > down ? right : down;
}

/* Returns whether the shift may move from the last frame's, quarter pixels, to (x, y), whole pixels. Objects that fill
 * the frame and move together look like a camera that leaps, but to another place in each frame. A camera that shakes
 * comes back. inside: (x, y) is not at the end of the search, beyond which the least cost may be. cost and last_cost
 * are those of the two shifts. */
static inline CCA_HOST_DEVICE bool
cca_samples_may_move (CcaSamplesLeaps *leaps, int x, int y, int last_x, int last_y, bool inside, uint64_t cost,
                      uint64_t last_cost)
{
  const int whole_x = cca_samples_whole (last_x), whole_y = cca_samples_whole (last_y);
  const bool better = CCA_SAMPLES_LEAP_GAIN * cost <= (CCA_SAMPLES_LEAP_GAIN - 1) * last_cost;
  const bool again = inside && cca_samples_is_near (x, leaps->x, 1) && cca_samples_is_near (y, leaps->y, 1);

  leaps->x = x;
  leaps->y = y;
  if ((cca_samples_is_near (x, whole_x, CCA_SAMPLES_LEAP - 1) && cca_samples_is_near (y, whole_y, CCA_SAMPLES_LEAP - 1))
      || cca_samples_distance (x, y) <= cca_samples_distance (whole_x, whole_y)) {
    leaps->n = 0;
    return true;
  }
  leaps->n = better || again ? leaps->n + 1 : inside;
  return leaps->n >= CCA_SAMPLES_LEAPS;
}

/* Returns the border of the grid, rows or columns, for a drift; aligned to words of pixels. */
static inline CCA_HOST_DEVICE uint32_t
cca_samples_shift_border (int drift)
{
  return CCA_SAMPLES_SHIFT_GRID + ((uint32_t) (drift < 0 ? -drift : drift) + 3) / 4 * 4;
}

/* Sets the four weights, sum 16, of pixels x + (shift >> 2) - 1 … + 2 that give p (x): the binomial 1, 2, 1 with linear
 * interpolation by quarters. */
static inline CCA_HOST_DEVICE void
cca_samples_weights (int shift, uint8_t weights[4])
{
  const int part = shift & 3;

  weights[0] = (uint8_t) (4 - part);
  weights[1] = (uint8_t) (8 - part);
  weights[2] = (uint8_t) (4 + part);
  weights[3] = (uint8_t) part;
}

/* --- Light ------------------------------------------------------------------------------------------- */

typedef struct
{
  uint8_t table[256]; /* from the frame's light to the model's */
  uint8_t ceiling;    /* upper limit of the table, and of samples compared with it */
  bool identity;      /* the table changes nothing */
} CcaSamplesLight;

static inline CCA_HOST_DEVICE void
cca_samples_light_init (CcaSamplesLight *light)
{
  for (int i = 0; i < 256; i++)
    light->table[i] = (uint8_t) i;
  light->ceiling = 255;
  light->identity = true;
}

/* Returns the fewest points of a valid bin: with fewer, the place that an object has left may dominate. */
static inline CCA_HOST_DEVICE uint32_t
cca_samples_light_least (uint32_t n_points)
{
  const uint32_t part = n_points / CCA_SAMPLES_LIGHT_PART;

  return part > CCA_SAMPLES_LIGHT_LEAST ? part : CCA_SAMPLES_LIGHT_LEAST;
}

/* Returns the median change of a bin of n > 0 points, 1/16 level; histogram[d + 256] points have the difference d. */
static inline CCA_HOST_DEVICE int32_t
cca_samples_median (const uint32_t histogram[CCA_SAMPLES_LIGHT_SPAN], uint32_t n)
{
  uint32_t c = 0;
  int v = 0;

  while (c + histogram[v] < (n + 1) / 2)
    c += histogram[v++];
  return (v - 256) * 16 + (int32_t) (8 * ((int64_t) n - 2 * (int64_t) c) / histogram[v]) - 8;
}

/* Interpolates the medians of bins with fewer than `least` points. Returns the last valid bin, or -1 if the light has
 * not changed; then medians may be half filled. */
static inline CCA_HOST_DEVICE int
cca_samples_fill (int32_t median[CCA_SAMPLES_LIGHT_BINS], const uint32_t n[CCA_SAMPLES_LIGHT_BINS], uint32_t least)
{
  int64_t deviation = 0, total = 0;
  int last = -1;

  for (int j = 0; j < CCA_SAMPLES_LIGHT_BINS; j++) {
    if (n[j] < least)
      continue;
    deviation += (int64_t) (median[j] < 0 ? -median[j] : median[j]) * n[j];
    total += n[j];
    if (last < 0)
      for (int k = 0; k < j; k++)
        median[k] = median[j] * (k + 1) / (j + 1);
    else
      for (int k = last + 1; k < j; k++)
        median[k] = median[last] + (median[j] - median[last]) * (k - last) / (j - last);
    last = j;
  }
  if (last < 0 || deviation / total < CCA_SAMPLES_LIGHT_DEAD)
    return -1;
  for (int k = last + 1; k < CCA_SAMPLES_LIGHT_BINS; k++)
    median[k] = median[last];
  return last;
}

/* Returns the frame's light at level b of the model, 1/16 level, before the running maximum that makes the curve
 * monotonic. */
static inline CCA_HOST_DEVICE int32_t
cca_samples_curve (const int32_t median[CCA_SAMPLES_LIGHT_BINS], int b)
{
  const int m = (b - 2) >> 2, r = (b - 2) & 3, most = CCA_SAMPLES_LIGHT_BINS - 1;
  const int32_t left = median[m > 0 ? m : 0], right = median[m + 1 < most ? m + 1 : most];

  return 16 * b + (left * (4 - r) + right * r) / 4;
}

/* Returns the level from which on the frame is saturated; 255 if it is not. The curve must be monotonic. */
static inline CCA_HOST_DEVICE uint8_t
cca_samples_ceiling (const int32_t curve[256], int last)
{
  const int top = 4 * last + 2;
  int c = top;

  while (c > 0 && curve[c - 1] >= curve[top] - CCA_SAMPLES_LIGHT_FLAT)
    c--;
  return (uint8_t) (top - c > CCA_SAMPLES_LIGHT_WIDE && curve[top] >= CCA_SAMPLES_LIGHT_WHITE ? c : 255);
}

/* Returns entry i of the table: the level of the model with the nearest light; the higher one of two. The curve must be
 * monotonic. */
static inline CCA_HOST_DEVICE uint8_t
cca_samples_invert (const int32_t curve[256], uint8_t ceiling, int i)
{
  int b = 0, span = 256, v, below, above;

  /* Binary search for the first level whose light is i or more; 255 if there is none. */
  while (span > 1) {
    span /= 2;
    if (curve[b + span - 1] < 16 * i)
      b += span;
  }
  v = b;
  if (b > 0) {
    below = curve[b - 1] - 16 * i;
    above = curve[b] - 16 * i;
    if ((below < 0 ? -below : below) < (above < 0 ? -above : above))
      v = b - 1;
  }
  return (uint8_t) (v < ceiling ? v : ceiling);
}

/* Computes the light of a frame by the functions above. Changes median. */
static inline CCA_HOST_DEVICE void
cca_samples_light (int32_t median[CCA_SAMPLES_LIGHT_BINS], const uint32_t n[CCA_SAMPLES_LIGHT_BINS], uint32_t least,
                   CcaSamplesLight *light)
{
  const int last = cca_samples_fill (median, n, least);
  int32_t curve[256];

  cca_samples_light_init (light);
  if (last < 0)
    return;
  for (int b = 0; b < 256; b++) {
    curve[b] = cca_samples_curve (median, b);
    if (b > 0 && curve[b] < curve[b - 1])
      curve[b] = curve[b - 1];
  }
  light->ceiling = cca_samples_ceiling (curve, last);
  light->identity = false;
  for (int i = 0; i < 256; i++)
    light->table[i] = cca_samples_invert (curve, light->ceiling, i);
}

/* --- Scenes ------------------------------------------------------------------------------------------ */

/* The history of the model's scene, and of the scenes that it remembers. All 0 before the first frame. */
typedef struct
{
  uint64_t t;         /* frames since the model began */
  uint32_t n_changes; /* scene changes in a row; CCA_SAMPLES_CHANGES + i after a return to scene i */
  uint32_t known;     /* bit i: scene i is remembered */
} CcaSamplesPast;

/* Returns whether the model has just returned to a scene, which the next frame must confirm. */
static inline CCA_HOST_DEVICE bool
cca_samples_returns (const CcaSamplesPast *past)
{
  return past->n_changes >= CCA_SAMPLES_CHANGES;
}

/* Returns how much a light's table changes level i. */
static inline CCA_HOST_DEVICE uint32_t
cca_samples_light_change (uint32_t entry, uint32_t i)
{
  return entry > i ? entry - i : i - entry;
}

/* Returns how many of a frame's pixels may be foreground before it is a scene change: none in quite another light. With
 * a free light, a dark scene of few levels matches anything. light_change: sum over all levels. */
static inline CCA_HOST_DEVICE uint64_t
cca_samples_most_foreground (const CcaSamplesPast *past, uint64_t n_pixels, uint32_t light_change)
{
  return light_change > 256 * CCA_SAMPLES_LIKE ? 0 : (cca_samples_returns (past) ? 2 : 3) * n_pixels / 5;
}

/* Advances by a frame. Returns the remembered scene whose samples the model exchanges for its own, or
 * CCA_SAMPLES_SCENES for none. After CCA_SAMPLES_CHANGES changes in a row the model tries the scenes that it remembers,
 * the most recent one first. If the frames show none of them, it starts anew (t is 0), and keeps its present samples if
 * a place is free. */
static inline CCA_HOST_DEVICE uint32_t
cca_samples_move_on (CcaSamplesPast *past, uint32_t learning, bool scene_change)
{
  const uint64_t old = (uint64_t) learning + CCA_SAMPLES_KNOWN;
  const uint32_t own = ++past->t >= old; /* whether it remembers the scene that it leaves */
  uint32_t scene;

  past->n_changes = scene_change ? past->n_changes + 1 : 0;
  if (past->n_changes < CCA_SAMPLES_CHANGES)
    return CCA_SAMPLES_SCENES;
  for (scene = past->n_changes - CCA_SAMPLES_CHANGES; scene < CCA_SAMPLES_SCENES; scene++)
    if (past->known >> scene & 1) {
      past->known ^= (1 - own) << scene;
      past->n_changes = CCA_SAMPLES_CHANGES + scene;
      past->t = old;
      return scene;
    }
  past->t = past->n_changes = 0;
  for (scene = 0; scene < CCA_SAMPLES_SCENES && past->known >> scene & 1;)
    scene++;
  if (!own)
    return CCA_SAMPLES_SCENES;
  past->known |= scene < CCA_SAMPLES_SCENES ? 1u << scene : 0;
  return scene;
}

/* --- Noise, black and thresholds --------------------------------------------------------------------------------- */

/* The position where a histogram's running sum reaches a part of all entries. */
typedef struct
{
  uint32_t level, before, here; /* the level; the entries below it, and its own */
} CcaSamplesQuantile;

static inline CCA_HOST_DEVICE CcaSamplesQuantile
cca_samples_find (const uint32_t histogram[256], uint32_t part)
{
  CcaSamplesQuantile q = { 0, 0, histogram[0] };

  while (q.level < 255 && q.before + q.here < part) {
    q.before += q.here;
    q.here = histogram[++q.level];
  }
  return q;
}

/* Returns the value, 1/16, below which the part lies, by linear interpolation within the level. */
static inline CCA_HOST_DEVICE int32_t
cca_samples_interpolate (CcaSamplesQuantile q, uint32_t part)
{
  return 16 * (int32_t) q.level + (int32_t) (16 * (uint64_t) (part - q.before) / (q.here > 0 ? q.here : 1));
}

/* Returns the given percentage of n. */
static inline CCA_HOST_DEVICE uint32_t
cca_samples_percent (uint32_t n, uint32_t percent)
{
  return (uint32_t) ((uint64_t) n * percent / 100);
}

/* Returns the noise after a frame, 1/16 level: a running average of the median difference from the last frame. t is not
 * 0. */
static inline CCA_HOST_DEVICE int32_t
cca_samples_average (int32_t median, uint64_t t, int32_t noise)
{
  return t == 1 ? median : (15 * noise + median + 8) / 16;
}

/* Computes the same from the histogram of n differences. */
static inline CCA_HOST_DEVICE int32_t
cca_samples_noise (const uint32_t histogram[256], uint32_t n, uint64_t t, int32_t noise)
{
  if (n == 0)
    return noise;
  return cca_samples_average (cca_samples_interpolate (cca_samples_find (histogram, n / 2), n / 2), t, noise);
}

/* Returns the level of black: a low quantile of n points of the background. */
static inline CCA_HOST_DEVICE uint8_t
cca_samples_black (const uint32_t histogram[256], uint32_t n)
{
  if (n == 0)
    return CCA_SAMPLES_BLACK_NONE;
  return (uint8_t) cca_samples_find (histogram, n / CCA_SAMPLES_BLACK_PART).level;
}

/* Returns the tail, 1/16 level: how far the 90th percentile (`most`) of the background's distances exceeds what noise
 * with their median would give. A flickering scene has a tail. */
static inline CCA_HOST_DEVICE int32_t
cca_samples_excess (int32_t most, int32_t median)
{
  const int32_t tail = most - 22 * median / 10;

  return tail > 0 ? tail : 0;
}

/* Computes the same from the histogram of n distances. */
static inline CCA_HOST_DEVICE int32_t
cca_samples_tail (const uint32_t histogram[256], uint32_t n)
{
  const uint32_t most = cca_samples_percent (n, 90), half = cca_samples_percent (n, 50);

  if (n == 0)
    return 0;
  return cca_samples_excess (cca_samples_interpolate (cca_samples_find (histogram, most), most),
                             cca_samples_interpolate (cca_samples_find (histogram, half), half));
}

/* Returns the threshold: a foreground pixel's distance exceeds it. At most 255. The mask shows only foreground whose
 * distance exceeds `tolerance`, too; the model learns none of it. */
static inline CCA_HOST_DEVICE uint8_t
cca_samples_threshold (uint8_t tolerance, int32_t noise, int32_t tail)
{
  const int32_t by_noise = CCA_SAMPLES_NOISE_FACTOR * noise / 160, by_tail = CCA_SAMPLES_TAIL_FACTOR * tail / 16;
  const int32_t least = tolerance < CCA_SAMPLES_LEAST ? tolerance : CCA_SAMPLES_LEAST;
  const int32_t r =
      (by_noise > least ? by_noise : least) + (by_tail < CCA_SAMPLES_TAIL_MOST ? by_tail : CCA_SAMPLES_TAIL_MOST);

  return (uint8_t) (r < 255 ? r : 255);
}

/* Returns the distance above which a pixel is unlike its samples, by the noise of the frames before: it is needed
 * before this frame's threshold is known. */
static inline CCA_HOST_DEVICE uint8_t
cca_samples_unlike (uint8_t tolerance, int32_t noise)
{
  return cca_samples_threshold (tolerance, noise, 0);
}

/* Returns a lower bound of this frame's threshold, by the noise of the frames before. */
static inline CCA_HOST_DEVICE uint8_t
cca_samples_lower_bound (uint8_t tolerance, uint64_t t, int32_t noise)
{
  return cca_samples_threshold (tolerance, t > 1 ? cca_samples_average (0, t, noise) : 0, 0);
}

/* Returns the upper limit of the threshold of a pixel that flips. */
static inline CCA_HOST_DEVICE uint8_t
cca_samples_limit (uint8_t threshold, int32_t tail)
{
  const int32_t by_tail = CCA_SAMPLES_FLICKER_FACTOR * tail / 16;
  const int32_t c = threshold + (by_tail < CCA_SAMPLES_FLICKER_MOST ? by_tail : CCA_SAMPLES_FLICKER_MOST);

  return (uint8_t) (c < 255 ? c : 255);
}
