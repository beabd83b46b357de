/* gst-cca: the kinds of output images
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Part of <cca/cca.h>. All painters, on the CPU and in CUDA device code, share this header, so that they give the same
 * bytes. To add an output, add it here, its bytes per pixel to cca/registry.c and its caps to
 * gst/analysis/gstccaformat.c.
 */
#ifndef CCA_OUTPUT_H
#define CCA_OUTPUT_H

#include "cca/label-color.h"

/* The kind of an output image, by the value of a pixel of the component with label n; n = 0 is the background, as are
 * components that the size filter drops. */
typedef enum
{
  CCA_OUTPUT_NONE,
  CCA_OUTPUT_LABELS_U32, /* n; 4 bytes, little endian */
  CCA_OUTPUT_LABELS_U16, /* min (n, 65535); 2 bytes, little endian */
  CCA_OUTPUT_COLORS,     /* cca_label_color (n) as bytes R, G, B, A (<cca/label-color.h>) */
  CCA_OUTPUT_MASK        /* 255, or 0; 1 byte */
} CcaOutput;

/* Returns the value of a pixel of the component with label n; n = 0 is the background. */
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
