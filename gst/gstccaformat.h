/* gst-cca: the video formats of the elements
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#ifndef GST_CCA_FORMAT_H
#define GST_CCA_FORMAT_H

#include "cca/cca.h"

#include <gst/gst.h>
#include <gst/video/video.h>

G_BEGIN_DECLS

/* The caps that a backend can analyse: what has a plane of 8-bit luma. */
GstCaps *gst_cca_format_input_caps (CcaBackend backend);

/* The caps of all outputs, the preferred first. */
GstCaps *gst_cca_format_output_caps (void);

/* Output number i in order of preference; CCA_OUTPUT_NONE behind the last. */
CcaOutput gst_cca_format_nth_output (guint i);

/* What a frame becomes as such an output: frame keeps what is no matter of pixels (size, rate, aspect ratio, …). */
GstStructure *gst_cca_format_to_output (const GstStructure *frame, CcaOutput output);

/* The frames, of any pixels, whose outputs are like frame. */
GstStructure *gst_cca_format_from_output (const GstStructure *frame);

/* Whether such frames, fixed or not, can be that output. */
gboolean gst_cca_format_is_output (const GstStructure *frame, CcaOutput output);

/* The value of black in the luma. */
guint8 gst_cca_format_black (const GstVideoInfo *info);

G_END_DECLS

#endif
