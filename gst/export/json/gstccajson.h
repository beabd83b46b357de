/* gst-cca: ccajson, writes what is known of frames as lines of JSON
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#ifndef GST_CCA_JSON_H
#define GST_CCA_JSON_H

#include <gst/base/gstbasetransform.h>

G_BEGIN_DECLS

#define GST_TYPE_CCA_JSON (gst_cca_json_get_type ())
G_DECLARE_FINAL_TYPE (GstCcaJson, gst_cca_json, GST, CCA_JSON, GstBaseTransform)

GST_ELEMENT_REGISTER_DECLARE (ccajson);

G_END_DECLS

#endif
