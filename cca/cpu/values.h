/* gst-cca: the values of a frame's pixels
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Values have 8 bits, or 16 if the format is wide. In some formats the pixels are the values. Other formats are
 * converted, in pieces of a row, into a buffer that stays in the first-level cache.
 */
#pragma once

#include "cca/cpu/rows.h"
#include "cca/format.h"

/* Bytes of pixels in a piece of a row; the fastest measured. A piece is whole words of bits, so that those of a row do
 * not overlap. */
#define CCA_VALUES_PIECE 2048

/* Room for the values of a piece. */
typedef union
{
  uint8_t narrow[CCA_VALUES_PIECE / 2];
  CcaPixel16 wide[CCA_VALUES_PIECE / 2];
} CcaValuesRoom;

/* How the pixels of a plan's frames give values. */
typedef struct
{
  const CcaRowOps *ops;
  const CcaFormatInfo *format;
  bool wide;        /* values have 16 bits */
  uint32_t weights; /* of RGB formats */
} CcaValues;

static inline CcaValues
cca_values (const CcaRowOps *ops, const CcaParams *params)
{
  return (CcaValues) { ops, cca_format_info (params->format), cca_format_is_wide (params->format),
                       cca_format_weights (params->format, params->matrix) };
}

/* Returns whether pixels are values, without conversion. */
static inline bool
cca_values_are_pixels (const CcaValues *values)
{
  return values->format->pixels == CCA_PIXELS_BYTE
         || (values->format->pixels == CCA_PIXELS_WORD && !values->format->second);
}

/* Returns value x of a row of values. */
static inline uint32_t
cca_value_at (const void *row, uint32_t x, bool wide)
{
  return wide ? ((const CcaPixel16 *) row)[x] : ((const uint8_t *) row)[x];
}

/* Returns how many values of a row of n one call of cca_values_get() may ask for. */
static inline uint32_t
cca_values_piece (const CcaValues *values, uint32_t n)
{
  return cca_values_are_pixels (values) ? n : CCA_VALUES_PIECE / values->format->size;
}

/* Converts n pixels; only for formats whose pixels are not values. */
void cca_values_convert (const CcaValues *values, const uint8_t *pixels, uint32_t n, void *to);

/* Returns n values, at most a piece: the pixels themselves, or converted ones in `room`. */
static inline const void *
cca_values_get (const CcaValues *values, const uint8_t *pixels, uint32_t n, CcaValuesRoom *room)
{
  if (cca_values_are_pixels (values))
    return pixels;
  cca_values_convert (values, pixels, n, room);
  return room;
}
