/* gst-cca: ccaoverlay, draws the components that a video carries
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#ifndef GST_CCA_OVERLAY_H
#define GST_CCA_OVERLAY_H

#include <gst/base/gstbasetransform.h>

G_BEGIN_DECLS

#define GST_TYPE_CCA_OVERLAY (gst_cca_overlay_get_type ())
G_DECLARE_FINAL_TYPE (GstCcaOverlay, gst_cca_overlay, GST, CCA_OVERLAY, GstBaseTransform)

GST_ELEMENT_REGISTER_DECLARE (ccaoverlay);

G_END_DECLS

#endif
