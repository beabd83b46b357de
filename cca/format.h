/* gst-cca: the formats of input images
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include "cca/cca.h"

/* How the bytes of a pixel give its value. Backends switch on this. */
typedef enum
{
  CCA_PIXELS_BYTE, /* the value is the only byte */
  CCA_PIXELS_HALF, /* the value is one of two bytes */
  CCA_PIXELS_RGB,  /* the value is the luma of three of four bytes */
  CCA_PIXELS_WORD  /* the value has both bytes */
} CcaPixels;

typedef struct
{
  const char *name;
  CcaPixels pixels;
  uint32_t size;            /* bytes of a pixel */
  bool second;              /* HALF: the second byte is the value; WORD: the second byte is the lower half */
  uint8_t red, green, blue; /* RGB: the bytes' positions */
} CcaFormatInfo;

/* Returns the properties of a format, which must exist. */
const CcaFormatInfo *cca_format_info (CcaFormat format);

/* Returns the weights of the bytes of an RGB pixel, that of byte i in bits 8 i to 8 i + 7. They add up to 256. The
 * value is (the weighted sum + 128) / 256. */
uint32_t cca_format_weights (CcaFormat format, CcaMatrix matrix);

/* Returns whether values have 16 bits instead of 8. */
static inline bool
cca_format_is_wide (CcaFormat format)
{
  return cca_format_info (format)->pixels == CCA_PIXELS_WORD;
}
