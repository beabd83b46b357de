/* gst-cca: ccamqttsink, publishes to an MQTT broker
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#ifndef GST_CCA_MQTT_SINK_H
#define GST_CCA_MQTT_SINK_H

#include "gstccabrokersink.h"

G_BEGIN_DECLS

#define GST_TYPE_CCA_MQTT_SINK (gst_cca_mqtt_sink_get_type ())
G_DECLARE_FINAL_TYPE (GstCcaMqttSink, gst_cca_mqtt_sink, GST, CCA_MQTT_SINK, GstCcaBrokerSink)
GST_ELEMENT_REGISTER_DECLARE (ccamqttsink);

G_END_DECLS

#endif
