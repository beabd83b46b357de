/* gst-cca: elements that make a text of each video frame
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#ifndef GST_CCA_CONVERTER_H
#define GST_CCA_CONVERTER_H

#include <gst/base/gstbasetransform.h>

G_BEGIN_DECLS

/* Makes the text on a frame; leaves *text NULL if the frame gets none. */
typedef GstFlowReturn (*GstCcaConverterTell) (GstBaseTransform *base, GstBuffer *frame, GstBuffer **text);

/* Does the work of generate_output: takes the frame that came, and makes its text unless the buffer is a gap. Pushes a
 * gap for a frame without text. */
GstFlowReturn gst_cca_converter_generate_output (GstBaseTransform *base, GstBuffer **text, GstCcaConverterTell tell);

/* Virtual functions of GstBaseTransformClass. Whatever one pad takes, the other one may have all of its template. */
GstCaps *gst_cca_converter_transform_caps (GstBaseTransform *base, GstPadDirection direction, GstCaps *caps,
                                           GstCaps *filter);
/* Chooses no pool: a text is allocated when its length is known. */
gboolean gst_cca_converter_decide_allocation (GstBaseTransform *base, GstQuery *query);

G_END_DECLS

#endif
