/* gst-cca: the row primitives of the background model SAMPLES
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Plain loops in rows.c, which is compiled for every instruction set. Rows are of bytes; n is their number of pixels.
 * Flags are bytes of 0 and 255. No two rows of a call overlap unless a comment allows it.
 */
#pragma once

#include "cca/samples.h"

#include <stddef.h>

/* The pixels that decide whether a place is in a shadow, of the frame or of the background. */
typedef struct
{
  const uint8_t *luma, *u, *v;
} CcaSamplesPlace;

typedef struct
{
  uint8_t threshold; /* a foreground pixel's distance exceeds it */
  uint8_t limit;     /* the most to which flips raise it */
  uint8_t unlike;    /* a pixel with a distance above it is unlike its samples */
  uint8_t ceiling, black;
} CcaSamplesLevels;

/* A point of the light's grid. Bytes, from the lowest: p before the table, the mean of the samples, the first of them,
 * whether it was foreground. */
typedef uint32_t CcaSamplesPoint;

static inline uint32_t
cca_samples_point_p (CcaSamplesPoint point)
{
  return point & 255;
}

static inline uint32_t
cca_samples_point_mean (CcaSamplesPoint point)
{
  return point >> 8 & 255;
}

static inline uint32_t
cca_samples_point_first (CcaSamplesPoint point)
{
  return point >> 16 & 255;
}

static inline bool
cca_samples_point_last (CcaSamplesPoint point)
{
  return point >> 24;
}

/* Entries of all histograms of the light's changes, one for each bin of the mean sample. */
#define CCA_SAMPLES_CHANGES_END (CCA_SAMPLES_LIGHT_BINS * CCA_SAMPLES_LIGHT_SPAN)

/* Counts of pixels in the columns of a row of blocks: unlike their samples; of these, explained by a deep shadow; of
 * those, with a colour. */
typedef struct
{
  uint8_t *unlike, *shaded, *coloured;
} CcaSamplesShadeCounts;

typedef struct
{
  /* sums = the four rows, weighted. */
  void (*columns) (const uint8_t *const rows[4], const uint8_t weights[4], uint32_t n, uint16_t *sums);
  /* out (x) = (sums (x) … sums (x + 3), weighted, + 128) / 256. */
  void (*line) (const uint16_t *sums, const uint8_t weights[4], uint32_t n, uint8_t *out);
  /* row (x) = table (row (x)). */
  void (*look_up) (const uint8_t table[256], uint32_t n, const uint8_t *row, uint8_t *out);
  /* Returns the sum of the clamped differences of two rows. */
  uint64_t (*difference) (const uint8_t *a, const uint8_t *b, uint32_t n);
  /* out = n points of the light's grid, CCA_SAMPLES_LIGHT_GRID pixels apart, from a row, its samples, `stride` bytes
   * apart, and its last mask. */
  void (*points) (const uint8_t *row, const uint8_t *samples, size_t stride, const uint8_t *last, uint32_t n,
                  CcaSamplesPoint *out);
  /* at = the histogram entries to which n points belong; CCA_SAMPLES_CHANGES_END for points whose last mask is not
   * `last`. */
  void (*changes) (const CcaSamplesPoint *points, bool last, uint32_t n, uint16_t *at);
  /* firsts = the first samples of n points; distances = those of p from the mean, 0 for points that were foreground.
   * Returns how many were. */
  uint32_t (*tails) (const CcaSamplesPoint *points, const CcaSamplesLight *light, uint32_t n, uint8_t *firsts,
                     uint8_t *distances);
  /* out = the second smallest distance from the samples, which are `stride` bytes apart and clamped to the ceiling. */
  void (*distance) (const uint8_t *row, const uint8_t *samples, size_t stride, uint32_t n, uint8_t ceiling,
                    uint8_t *out);
  /* out = the second smallest distance in chroma, less CCA_SAMPLES_CHROMA_FREE. Samples of u and of v are `stride`
   * bytes apart. */
  void (*chroma_distance) (const uint8_t *u, const uint8_t *v, const uint8_t *us, const uint8_t *vs, size_t stride,
                           uint32_t n, uint8_t *out);
  /* Adds the distances in chroma, of half as many places, to n distances. */
  void (*add_chroma) (const uint8_t *chroma, uint32_t n, uint8_t *distances);
  /* Sets distances in shadows to 0, unless they are too small to matter. Before that, adds the pixels to the counts. */
  void (*shadows) (const CcaSamplesPlace *frame, const CcaSamplesPlace *background, const CcaSamplesLevels *levels,
                   uint32_t n, uint8_t *distances, const CcaSamplesShadeCounts *counts);
  /* out = whether a deep shadow explains the pixel. */
  void (*shades) (const CcaSamplesPlace *frame, const CcaSamplesPlace *background, const CcaSamplesLevels *levels,
                  uint32_t n, uint8_t *out);
  /* raw = whether the pixel's distance makes it foreground. */
  void (*decide) (const uint8_t *distances, const uint8_t *flips, const uint8_t *busy, const CcaSamplesLevels *levels,
                  uint32_t n, uint8_t *raw);
  /* Updates each pixel's counts: changes of the raw mask, busyness, and frames that a foreground pixel has stood
   * still. */
  void (*follow) (const uint8_t *row, const uint8_t *distances, const uint8_t *raw, const uint8_t *last,
                  uint8_t threshold, uint32_t n, uint8_t *flips, uint8_t *busy, uint8_t *candidates, uint8_t *still);
  /* Sets found[x] if pixel x is within the threshold of one of CCA_SAMPLES_REACHED samples, `stride` bytes apart, at
   * one of n_across places from x on. */
  void (*find) (const uint8_t *row, const uint8_t *samples, size_t stride, uint32_t n, uint32_t n_across,
                const CcaSamplesLevels *levels, uint8_t *found);
  /* sums += row. */
  void (*add) (const uint8_t *row, uint32_t n, uint16_t *sums);
  /* sample = row where `take` is set and `not` is not. */
  void (*update) (const uint8_t *row, const uint8_t *not, const uint8_t *take, uint32_t n, uint8_t *sample);
  /* out = whether one of 2x2 flags is set; n flags of either row. The rows may be the same. */
  void (*halve) (const uint8_t *above, const uint8_t *below, uint32_t n, uint8_t *out);
} CcaSamplesOps;

extern const CcaSamplesOps cca_samples_ops_c, cca_samples_ops_sse41, cca_samples_ops_avx2, cca_samples_ops_avx512,
    cca_samples_ops_neon;
