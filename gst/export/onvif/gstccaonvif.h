/* gst-cca: ccaonvif, writes what is found as ONVIF's metadata
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#ifndef GST_CCA_ONVIF_H
#define GST_CCA_ONVIF_H

#include <gst/base/gstbasetransform.h>

G_BEGIN_DECLS

#define GST_TYPE_CCA_ONVIF (gst_cca_onvif_get_type ())
G_DECLARE_FINAL_TYPE (GstCcaOnvif, gst_cca_onvif, GST, CCA_ONVIF, GstBaseTransform)

GST_ELEMENT_REGISTER_DECLARE (ccaonvif);

G_END_DECLS

#endif
