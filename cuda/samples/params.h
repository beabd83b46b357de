/* gst-cca: the parameters of the kernels of the background model SAMPLES, for host and device
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Planes have rows of row_words * 32 bytes, those of chroma half as many rows of pairs of U and V; bytes from the width
 * on are 0 or ignored. State that a frame both reads and updates exists twice: a frame reads one half and writes the
 * other, and only its last kernel swaps them. So a frame of which only some kernels were launched leaves the model
 * unchanged.
 */
#pragma once

#include "cca/samples.h"
#include "cuda/kernels/params.h"

/* Number of shifts along one axis, and along both. */
#define CCA_SAMPLES_SHIFTS (2 * CCA_SAMPLES_SEARCH + 1)
#define CCA_SAMPLES_COSTS (CCA_SAMPLES_SHIFTS * CCA_SAMPLES_SHIFTS)
#define CCA_SAMPLES_SHIFT_ROWS 4 /* rows of the grid per block */

/* Differences in a bin of the light's histogram: entry e of bin j is difference e - 4 j - 3. */
#define CCA_SAMPLES_LIGHT_ENTRIES 260

/* Words of bits: bit i is set if random byte i is less than CCA_SAMPLES_RATE. */
#define CCA_SAMPLES_TAKEN (CCA_SAMPLES_RANDOM / 32)

/* State that a frame takes over from the last one. */
typedef struct
{
  uint32_t table[64]; /* the light's table, bytes */
  uint32_t ceiling;
  int32_t noise;
} CcaSamplesHalf;

/* State that kernels share; all 0 before the first frame. */
typedef struct CCA_ALIGN (16)
{
  CcaSamplesPast past;
  uint32_t half; /* the half that the last frame wrote */
  CcaSamplesHalf halves[2];

  /* Of the current frame. */
  int32_t shift_x, shift_y; /* quarters of a pixel; of the last frame that matched */
  CcaSamplesLeaps leaps;
  uint32_t black;
  uint32_t threshold; /* of the distance of a foreground pixel, … */
  uint32_t most;      /* … and its limit for pixels that flip */
  int32_t medians[CCA_SAMPLES_LIGHT_BINS];
  uint32_t n_points[CCA_SAMPLES_LIGHT_BINS]; /* points of each bin */
  uint32_t n_foreground, most_foreground;    /* and the most before it is a scene change */
  unsigned long long number;                 /* past.t, which learning changes */
  uint32_t n_held;                           /* rectangles that still show their objects */

  /* 0 between frames. */
  uint32_t n_shift, n_light, n_distance, n_update; /* finished blocks */
  uint32_t n_kept;                                 /* points of the light that were background */
  unsigned long long costs[CCA_SAMPLES_COSTS];     /* rows of shifts along x */
  uint32_t blacks[256];
  uint32_t noises[256];
  uint32_t tails[256]; /* distances of background points from their mean sample, by level */
  /* Histograms of points that were background, and of points that were foreground. */
  uint32_t lights[2][CCA_SAMPLES_LIGHT_BINS][CCA_SAMPLES_LIGHT_ENTRIES];

  uint32_t taken[CCA_SAMPLES_TAKEN]; /* computed with frame 0 */
} CcaSamplesState;

typedef struct
{
  CcaSamplesState *state;
  uint8_t *luma;      /* CCA_SAMPLES_LUMA planes */
  uint8_t *chroma;    /* CCA_SAMPLES_CHROMA planes */
  uint8_t *pixels;    /* the frame's p */
  uint8_t *colors;    /* its u and v */
  uint8_t *distances; /* its D */
  uint8_t *flips, *busy, *candidate, *still;
  uint32_t *foreground;     /* raw masks in the model's coordinates, planes of bits: two halves */
  uint32_t *shown;          /* the frame's raw mask without what is hidden */
  CcaSamplesShades *shades; /* of blocks of pixels */
  uint8_t *scenes;          /* CCA_SAMPLES_REMEMBERED planes of luma of each scene that the model has left, … */
  uint8_t *scene_chroma;    /* … and as many of chroma */
  uint8_t *levels;          /* mean samples at points of the light, row_words * 8 to a row */
  uint8_t *grid;            /* p on the noise's grid: two halves */
  CcaSamplesEdges *edges;   /* of blocks of pixels: two halves */
  CcaSamplesMoves *moves;   /* the same */
  uint8_t *held;            /* of blocks of pixels: the block is held; valid if state->n_held is not 0 */
  uint32_t width, height, row_words;
  uint32_t grid_width, grid_size; /* points of a row, and of all */
  uint32_t blocks_x, blocks_y;
  uint32_t has_chroma;
  uint32_t learning, tolerance, keep_shadows;
} CcaSamplesParams;

/* The chroma of a frame. Sample (i, j) at half the frame's size is at plane + (2 j >> shift_y) pitch + (2 i >> shift_x)
 * step. */
typedef struct
{
  const uint8_t *planes[2];
  int64_t pitch;
  uint32_t step, shift_x, shift_y;
} CcaSamplesChroma;

typedef struct
{
  CcaSamplesParams samples;
  const uint8_t *pixels;
  int64_t pitch;
  CcaReading reading;
  CcaSamplesChroma chroma;
} CcaSamplesFrameParams;

typedef struct
{
  CcaSamplesParams samples;
  uint32_t n_held;
  CcaSamplesHeld held[CCA_SAMPLES_HELD_MOST];
} CcaSamplesLightParams;

typedef struct
{
  CcaSamplesParams samples;
  uint32_t *bits;
  const uint32_t *region; /* as in CcaRangeParams */
  uint32_t invert;
  uint32_t *scene_change; /* in the host's memory */
} CcaSamplesMaskParams;
