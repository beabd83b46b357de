/* gst-cca: the row primitives of the background model SAMPLES
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Plain loops, in rows.c, which is compiled for every instruction set. A row is one of bytes; n is its pixels. Flags
 * are bytes of 0 and 255. No two rows of a call overlap unless a comment allows it.
 */
#pragma once

#include "cca/samples.h"

#include <stddef.h>

/* The four samples of a place that decide whether it is in a shadow: of the frame and of the background. */
typedef struct
{
  const uint8_t *luma, *u, *v;
} CcaSamplesPlace;

typedef struct
{
  uint8_t threshold; /* no distance up to it decides anything */
  uint8_t limit;     /* what flips raise it to at most */
  uint8_t unlike;    /* a distance above it counts where deep shadows are looked for */
  uint8_t ceiling, black;
} CcaSamplesLevels;

/* A point of the light's grid: bytes, from the lowest on, of p before the table, the mean of the samples, the first of
 * them, and whether it was foreground. */
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

/* The entries of all histograms of the light's changes, by the mean sample's bin. */
#define CCA_SAMPLES_CHANGES_END (CCA_SAMPLES_LIGHT_BINS * CCA_SAMPLES_LIGHT_SPAN)

/* Pixels of the columns of a row of blocks: those that are unlike the samples, which of these a deep shadow explains,
 * and which of those have a colour. */
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
  /* Returns the sum of the differences of two rows, each cut off. */
  uint64_t (*difference) (const uint8_t *a, const uint8_t *b, uint32_t n);
  /* out = n points of the light, CCA_SAMPLES_LIGHT_GRID pixels from one to the next, of a row, its samples, `stride`
   * bytes apart, and its last mask. */
  void (*points) (const uint8_t *row, const uint8_t *samples, size_t stride, const uint8_t *last, uint32_t n,
                  CcaSamplesPoint *out);
  /* at = the entries of the histograms that count n points, CCA_SAMPLES_CHANGES_END for those that were foreground, or
   * that were not, unlike `last`. */
  void (*changes) (const CcaSamplesPoint *points, bool last, uint32_t n, uint16_t *at);
  /* firsts, distances = the first samples of n points, and the distances of p from the mean, 0 for those that were
   * foreground. Returns how many were. */
  uint32_t (*tails) (const CcaSamplesPoint *points, const CcaSamplesLight *light, uint32_t n, uint8_t *firsts,
                     uint8_t *distances);
  /* out = the second smallest distance from the samples, `stride` bytes apart, cut off at the ceiling. */
  void (*distance) (const uint8_t *row, const uint8_t *samples, size_t stride, uint32_t n, uint8_t ceiling,
                    uint8_t *out);
  /* out = the second smallest distance in chroma, less what counts as none. Samples of u and of v are `stride` bytes
   * apart. */
  void (*chroma_distance) (const uint8_t *u, const uint8_t *v, const uint8_t *us, const uint8_t *vs, size_t stride,
                           uint32_t n, uint8_t *out);
  /* Adds to n distances those in chroma, of half as many places. */
  void (*add_chroma) (const uint8_t *chroma, uint32_t n, uint8_t *distances);
  /* Sets the distances to 0 that lie in a shadow and may decide something. Before, adds the pixels to the counts. */
  void (*shadows) (const CcaSamplesPlace *frame, const CcaSamplesPlace *background, const CcaSamplesLevels *levels,
                   uint32_t n, uint8_t *distances, const CcaSamplesShadeCounts *counts);
  /* out = whether a deep shadow explains a pixel. */
  void (*shades) (const CcaSamplesPlace *frame, const CcaSamplesPlace *background, const CcaSamplesLevels *levels,
                  uint32_t n, uint8_t *out);
  /* raw = whether a pixel is foreground by its distance. */
  void (*decide) (const uint8_t *distances, const uint8_t *flips, const uint8_t *busy, const CcaSamplesLevels *levels,
                  uint32_t n, uint8_t *raw);
  /* Counts changes of the raw mask, how busy a pixel is, and frames that a foreground pixel has stood still for. */
  void (*follow) (const uint8_t *row, const uint8_t *distances, const uint8_t *raw, const uint8_t *last,
                  uint8_t threshold, uint32_t n, uint8_t *flips, uint8_t *busy, uint8_t *candidates, uint8_t *still);
  /* Sets found where pixel x is within the threshold of one of CCA_SAMPLES_REACHED samples, `stride` bytes apart, of
   * one of n_across places from x on. */
  void (*find) (const uint8_t *row, const uint8_t *samples, size_t stride, uint32_t n, uint32_t n_across,
                const CcaSamplesLevels *levels, uint8_t *found);
  /* sums += row. */
  void (*add) (const uint8_t *row, uint32_t n, uint16_t *sums);
  /* sample = row where `take` is set and `not` is not. */
  void (*update) (const uint8_t *row, const uint8_t *not, const uint8_t *take, uint32_t n, uint8_t *sample);
  /* out = whether one of two by two flags is set; n flags of either row. The rows may be the same. */
  void (*halve) (const uint8_t *above, const uint8_t *below, uint32_t n, uint8_t *out);
} CcaSamplesOps;

extern const CcaSamplesOps cca_samples_ops_c, cca_samples_ops_sse41, cca_samples_ops_avx2, cca_samples_ops_avx512,
    cca_samples_ops_neon;
