/* gst-cca: what an output image holds
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Shared by every painter, on the CPU and in CUDA device code, which thus give the same bytes; part of <cca/cca.h>. To
 * add an output, add it here, its bytes to cca/registry.c and its caps to gst/gstccaformat.c.
 */
#ifndef CCA_OUTPUT_H
#define CCA_OUTPUT_H

#include "cca/label-color.h"

/* What an output image holds for a pixel of the component with number n, or of the background (n = 0). Pixels of
 * components that the area filter drops are background. */
typedef enum
{
  CCA_OUTPUT_NONE,
  CCA_OUTPUT_LABELS_U32, /* n; 4 bytes, little endian */
  CCA_OUTPUT_LABELS_U16, /* min (n, 65535); 2 bytes, little endian */
  CCA_OUTPUT_COLORS,     /* cca_label_color (n) as bytes R, G, B, A (<cca/label-color.h>) */
  CCA_OUTPUT_MASK        /* 255, or 0; 1 byte */
} CcaOutput;

/* Returns the pixel for the component with number n, 0 for the background. */
static inline CCA_HOST_DEVICE uint32_t
cca_output_pixel (CcaOutput output, uint32_t n)
{
  switch (output) {
    case CCA_OUTPUT_LABELS_U16: return n < 65535 ? n : 65535;
    case CCA_OUTPUT_COLORS: return cca_label_color (n);
    case CCA_OUTPUT_MASK: return n ? 255 : 0;
    default: return n;
  }
}

#endif
