/* gst-cca: ccacombiner, puts what a small branch found onto the full-size video
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#ifndef GST_CCA_COMBINER_H
#define GST_CCA_COMBINER_H

#include <gst/gst.h>

G_BEGIN_DECLS

#define GST_TYPE_CCA_COMBINER (gst_cca_combiner_get_type ())
G_DECLARE_FINAL_TYPE (GstCcaCombiner, gst_cca_combiner, GST, CCA_COMBINER, GstElement)

GST_ELEMENT_REGISTER_DECLARE (ccacombiner);

G_END_DECLS

#endif
