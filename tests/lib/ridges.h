/* gst-cca: ridge patterns, and the families of images made of them
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Asad, Marroquim & Souza, "On GPU Connected Components and Properties", IEEE Trans. Image Processing 28 (1), 2019,
 * §IV and appendix A. libc only. Masks are bytes without gaps, 0 or 255.
 *
 * The ridge pattern of level l, Rˡ, is one component of which label equivalence needs exactly l iterations: scans
 * that lower a label, each followed by an analysis; a scan reads the labels that the analysis before it left. This
 * holds with 4- and 8-connectivity, and at every scale. A crest of 2^(l - 2) + 1 peaks, three pixels apart, delays the
 * smallest label; a base connects the peaks:
 *
 *   R³:  #.....#....      R²:  #..#.      R¹:  ##
 *        #..#..#....           #..#.           ##
 *        #..#..#....           ####.
 *        #######....           .####
 *        .#######...
 *        ..#######..
 *        ...#######.
 *
 * Every row of the base is as long as the crest is wide and starts one pixel further right than the row above
 * (45 degrees), which is what formula 11 computes: w(T) = 2 w(C) - h(C) - 1. The paper's closed forms in 11 and 15 are
 * one pixel wider. R¹ has no peaks; its crest is a full row.
 *
 * Scale k makes peaks and gaps 2ᵏ times as wide, keeps the peaks' heights, and gives a base of the new width.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "patterns.h"

#define RIDGE_MAX_SIDE_BITS 15 /* 32768 x 32768 */

/* The measures of a pattern, pixels. Level l at scale k, with c = crest_width: c = 2^(k + 1) for l = 1, else (3 * 2^(l
 * - 2) + 1) * 2ᵏ; width = 2c - l - 1; height = c. For R³: 7, 10 and 7; for R¹⁰ at scale 0: 769, 1527 and 769. width + 2
 * is at most 2^(k + l + 1). */
typedef struct
{
  uint32_t level, scale;
  uint32_t crest_width, width, height;
} Ridge;

/* Returns a pattern's measures. level is at least 1, and level + scale less than RIDGE_MAX_SIDE_BITS. */
Ridge ridge_new (uint32_t level, uint32_t scale);

/* Sets the pattern's pixels only. pixels points at the upper left one of width x height in an image of pitch bytes a
 * row. */
void ridge_draw (const Ridge *ridge, uint8_t *pixels, size_t pitch);

/* Families of square images with 2ⁿ pixels a side. A member is chosen by a parameter; l and s are those of the family.
 * A pattern that divides the side's length by 2ˢ has scale n - l - 1 - s and the upper left place of its square but
 * for one pixel. At most 25 % are foreground, in spirals 50 %; merged patterns have the lines in addition. */
typedef enum
{
  FAMILY_LEVELING,          /* one pattern of level 1…n - 1, the parameter, as large as fits */
  FAMILY_SCALING,           /* one pattern of level l, scaled to 0…100 percent by nearest neighbour */
  FAMILY_SUBDIVISION,       /* 4ˢ patterns of level l; s = 0…n - l - 1 is the parameter */
  FAMILY_RANDOM_INSTANCING, /* 4ˢ patterns of level l, each kept with a probability of 0…100 percent */
  FAMILY_RANDOM_MERGING,    /* 4ˢ patterns of level l; neighbours in a row or column are joined by a line with a
                               probability of 0…100 percent */
  FAMILY_SPIRAL             /* "spiral-clockwise" of patterns.h, with a side of 0…100 percent of the image's */
} Family;

#define N_FAMILIES 6

/* Returns "leveling", "scaling", "subdivision", "random-instancing", "random-merging" or "spiral". */
const char *family_name (Family family);

/* Return the smallest and the largest parameter; n is side_bits. */
uint32_t family_first (Family family);
uint32_t family_last (Family family, uint32_t level, uint32_t side_bits);

/* Draws a member: 2^side_bits rows of as many bytes. side_bits is 2…RIDGE_MAX_SIDE_BITS; 1 <= level < side_bits and
 * subdivisions < side_bits - level, or, for families without them, anything. Only random families use random; the same
 * state gives the same image. */
void family_draw (Family family, uint32_t level, uint32_t subdivisions, uint32_t parameter, Random *random,
                  uint8_t *mask, uint32_t side_bits);
