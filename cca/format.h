/* gst-cca: the formats of input images
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include "cca/cca.h"

/* How the bytes of a pixel give its value: the ways that a backend can read. */
typedef enum
{
  CCA_PIXELS_BYTE, /* the only byte is the value */
  CCA_PIXELS_HALF, /* one of two bytes is */
  CCA_PIXELS_RGB,  /* three of four bytes, weighted, are */
  CCA_PIXELS_WORD  /* both bytes are */
} CcaPixels;

typedef struct
{
  const char *name;
  CcaPixels pixels;
  uint32_t size;            /* bytes of a pixel */
  bool second;              /* HALF: the second byte is the value; WORD: the second byte is the lower half */
  uint8_t red, green, blue; /* RGB: which bytes they are */
} CcaFormatInfo;

/* Returns the line of the table for a format that exists. */
const CcaFormatInfo *cca_format_info (CcaFormat format);

/* Returns the weights of the bytes of an RGB pixel, that of byte i in bits 8 i to 8 i + 7. They add up to 256. The
 * value is (the sum of weighted bytes + 128) / 256. */
uint32_t cca_format_weights (CcaFormat format, CcaMatrix matrix);

/* Returns whether values have 16 bits instead of 8. */
static inline bool
cca_format_is_wide (CcaFormat format)
{
  return cca_format_info (format)->pixels == CCA_PIXELS_WORD;
}
