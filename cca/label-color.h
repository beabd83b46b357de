/* gst-cca: the colour of a label
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The CPU and CUDA painters and the overlay share this function. It uses integers only, so that all of them give the
 * same bytes. It depends on nothing else, and also compiles as CUDA device code.
 */
#ifndef CCA_LABEL_COLOR_H
#define CCA_LABEL_COLOR_H

#include <stdint.h>

#if defined(__CUDACC__)
#define CCA_HOST_DEVICE __host__ __device__
#else
#define CCA_HOST_DEVICE
#endif

/* Returns the colour of a label as 0xAABBGGRR: bytes R, G, B, A in little-endian memory. Label 0, the background, is
 * opaque black. Hues follow the golden ratio, so that consecutive labels differ most; every other label is paler. */
static inline CCA_HOST_DEVICE uint32_t
cca_label_color (uint32_t label)
{
  const uint32_t turn = (label * 0x9e3779b1u) >> 16; /* hue, 65536 to a full turn */
  const uint32_t sector = (turn * 6) >> 16;
  const uint32_t ramp = ((turn * 6) & 0xffff) >> 8;
  const uint32_t low = (label & 1) ? 40 : 110, span = 255 - low;
  const uint32_t rising = low + span * ramp / 255, falling = 255 - span * ramp / 255;
  uint32_t r, g, b;

  if (label == 0)
    return 0xff000000u;
  switch (sector) {
    case 0: r = 255, g = rising, b = low; break;
    case 1: r = falling, g = 255, b = low; break;
    case 2: r = low, g = 255, b = rising; break;
    case 3: r = low, g = falling, b = 255; break;
    case 4: r = rising, g = low, b = 255; break;
    default: r = 255, g = low, b = falling; break;
  }
  return 0xff000000u | b << 16 | g << 8 | r;
}

#endif
