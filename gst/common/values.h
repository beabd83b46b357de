/* gst-cca: where the values of a frame's pixels are, for host and device
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

/* The values of one component of the pixels, such as luma, a byte each. */
typedef struct
{
  uint8_t *data;
  ptrdiff_t pitch;           /* bytes from row to row */
  uint32_t step;             /* bytes from value to value */
  uint32_t shift_x, shift_y; /* one value serves 1 << shift_x by 1 << shift_y pixels; 0…2 */
} GstCcaValues;
