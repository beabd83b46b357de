/* gst-cca: ccaonvifpay, puts ONVIF's metadata into RTP packets
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#ifndef GST_CCA_ONVIF_PAY_H
#define GST_CCA_ONVIF_PAY_H

#include <gst/rtp/gstrtpbasepayload.h>

G_BEGIN_DECLS

#define GST_TYPE_CCA_ONVIF_PAY (gst_cca_onvif_pay_get_type ())
G_DECLARE_FINAL_TYPE (GstCcaOnvifPay, gst_cca_onvif_pay, GST, CCA_ONVIF_PAY, GstRTPBasePayload)

GST_ELEMENT_REGISTER_DECLARE (ccaonvifpay);

G_END_DECLS

#endif
