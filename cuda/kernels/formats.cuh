/* gst-cca: the values of pixels that are more than a byte
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * A class for each kind of pixels (CcaPixels): value (row, x) returns the value of pixel x of a row.
 */
#pragma once

#include "cca/format.h"
#include "cuda/kernels/params.h"

/* Loads two bytes at any alignment, little-endian. */
__device__ inline uint32_t
load_two (const uint8_t *bytes, bool aligned)
{
  return aligned ? *(const uint16_t *) bytes : bytes[0] | (uint32_t) bytes[1] << 8;
}

class Half {
  const bool aligned;
  const uint32_t shift;

public:
  typedef uint8_t Value;

  __device__ explicit Half (CcaReading reading) : aligned (reading.aligned), shift (reading.second * 8) {}
  __device__ uint32_t value (const uint8_t *row, uint32_t x) const
  {
    return load_two (row + 2 * (size_t) x, aligned) >> shift & 0xff;
  }
};

class Word {
  const bool aligned, exchanged;

public:
  typedef uint16_t Value;

  __device__ explicit Word (CcaReading reading) : aligned (reading.aligned), exchanged (reading.second) {}
  __device__ uint32_t value (const uint8_t *row, uint32_t x) const
  {
    const uint32_t word = load_two (row + 2 * (size_t) x, aligned);

    return exchanged ? word >> 8 | (word & 0xff) << 8 : word;
  }
};

class Rgb {
  const bool aligned;
  const uint32_t weights;

public:
  typedef uint8_t Value;

  __device__ explicit Rgb (CcaReading reading) : aligned (reading.aligned), weights (reading.weights) {}
  __device__ uint32_t value (const uint8_t *row, uint32_t x) const
  {
    const uint8_t *const p = row + 4 * (size_t) x;
    const uint32_t bytes = aligned ? *(const uint32_t *) p : load_two (p, false) | load_two (p + 2, false) << 16;

    return __dp4a (bytes, weights, 128u) >> 8;
  }
};

/* Returns the value of pixel x of a row, by `pixels`, a CcaPixels. */
__device__ inline uint32_t
value_at (uint32_t pixels, CcaReading reading, const uint8_t *row, uint32_t x)
{
  switch (pixels) {
    case CCA_PIXELS_HALF: return Half (reading).value (row, x);
    case CCA_PIXELS_RGB: return Rgb (reading).value (row, x);
    case CCA_PIXELS_WORD: return Word (reading).value (row, x);
    default: return row[x];
  }
}
