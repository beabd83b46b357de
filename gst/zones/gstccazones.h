/* gst-cca: ccazones, watches zones and lines
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#ifndef GST_CCA_ZONES_H
#define GST_CCA_ZONES_H

#include <gst/base/gstbasetransform.h>

G_BEGIN_DECLS

#define GST_TYPE_CCA_ZONES (gst_cca_zones_get_type ())
G_DECLARE_FINAL_TYPE (GstCcaZones, gst_cca_zones, GST, CCA_ZONES, GstBaseTransform)

GST_ELEMENT_REGISTER_DECLARE (ccazones);

G_END_DECLS

#endif
