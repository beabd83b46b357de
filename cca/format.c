/* gst-cca: the formats of input images
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "cca/format.h"

#include <stddef.h>

static const CcaFormatInfo formats[] = {
  [CCA_FORMAT_GRAY8] = { .name = "GRAY8", .pixels = CCA_PIXELS_BYTE, .size = 1 },
  [CCA_FORMAT_YUY2] = { .name = "YUY2", .pixels = CCA_PIXELS_HALF, .size = 2 },
  [CCA_FORMAT_UYVY] = { .name = "UYVY", .pixels = CCA_PIXELS_HALF, .size = 2, .second = true },
  [CCA_FORMAT_P010] = { .name = "P010", .pixels = CCA_PIXELS_HALF, .size = 2, .second = true },
  [CCA_FORMAT_RGBX] = { .name = "RGBX", .pixels = CCA_PIXELS_RGB, .size = 4, .red = 0, .green = 1, .blue = 2 },
  [CCA_FORMAT_BGRX] = { .name = "BGRX", .pixels = CCA_PIXELS_RGB, .size = 4, .red = 2, .green = 1, .blue = 0 },
  [CCA_FORMAT_GRAY16_LE] = { .name = "GRAY16_LE", .pixels = CCA_PIXELS_WORD, .size = 2 },
  [CCA_FORMAT_GRAY16_BE] = { .name = "GRAY16_BE", .pixels = CCA_PIXELS_WORD, .size = 2, .second = true },
};

#define N_FORMATS (sizeof formats / sizeof formats[0])

const CcaFormatInfo *
cca_format_info (CcaFormat format)
{
  return &formats[format];
}

const char *
cca_format_name (CcaFormat format)
{
  return (unsigned) format < N_FORMATS ? formats[format].name : NULL;
}

uint32_t
cca_format_pixel_size (CcaFormat format)
{
  return (unsigned) format < N_FORMATS ? formats[format].size : 0;
}

uint32_t
cca_format_max_value (CcaFormat format)
{
  if ((unsigned) format >= N_FORMATS)
    return 0;
  return formats[format].pixels == CCA_PIXELS_WORD ? UINT16_MAX : UINT8_MAX;
}

/* The weights of red, green and blue in luma, in 256ths: ITU-R BT.601-7, section 2.5.1; BT.709-6, item 3.2; BT.2020-2,
 * table 4. */
static const uint8_t shares[][3] = {
  [CCA_MATRIX_BT601] = { 77, 150, 29 },
  [CCA_MATRIX_BT709] = { 54, 183, 19 },
  [CCA_MATRIX_BT2020] = { 67, 174, 15 },
};

uint32_t
cca_format_weights (CcaFormat format, CcaMatrix matrix)
{
  const CcaFormatInfo *info = cca_format_info (format);
  const uint8_t *share = shares[matrix];

  return (uint32_t) share[0] << 8 * info->red | (uint32_t) share[1] << 8 * info->green
         | (uint32_t) share[2] << 8 * info->blue;
}
