/* gst-cca: test images: figures that are hard on component labeling, and random ones
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * libc only. Masks are width * height bytes without gaps, 0 or 255.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

/* The figures: empty, full, lattices, combs, spirals, rings and others, for any size from 1x1. */
extern const size_t n_patterns;
const char *pattern_name (size_t index);
void pattern_draw (size_t index, uint8_t *mask, uint32_t width, uint32_t height);
/* Returns the index of a name; n_patterns if there is none. */
size_t pattern_find (const char *name);

/* Matsumoto & Nishimura, "Mersenne Twister", ACM TOMACS 8 (1), 1998: MT19937. */
typedef struct
{
  uint32_t state[624];
  uint32_t next;
} Random;

void random_init (Random *random, uint32_t seed);
uint32_t random_next (Random *random);                  /* 32 bits */
uint32_t random_below (Random *random, uint32_t limit); /* 0…limit - 1; limit is at least 1 */

/* Fills squares of granularity x granularity pixels, each foreground with a probability of density percent. */
void pattern_random (Random *random, uint32_t density, uint32_t granularity, uint8_t *mask, uint32_t width,
                     uint32_t height);
/* Gives every pixel a value in 0…n_values - 1, in squares as above. */
void pattern_random_values (Random *random, uint32_t n_values, uint32_t granularity, uint8_t *pixels, uint32_t width,
                            uint32_t height);
