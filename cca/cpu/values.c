/* gst-cca: the values of a frame's pixels
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "cca/cpu/values.h"

void
cca_values_convert (const CcaValues *values, const uint8_t *pixels, uint32_t n, void *to)
{
  switch (values->format->pixels) {
    case CCA_PIXELS_HALF: values->ops->halves (pixels, n, values->format->second, to); break;
    case CCA_PIXELS_RGB: values->ops->weigh (pixels, n, values->weights, to); break;
    case CCA_PIXELS_WORD: values->ops->exchange (pixels, n, to); break;
    case CCA_PIXELS_BYTE: break;
  }
}
