/* gst-cca: the properties of ccamqttsink
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#ifndef GST_CCA_MQTT_SETTINGS_H
#define GST_CCA_MQTT_SETTINGS_H

#include "gstccabrokersink.h"

G_BEGIN_DECLS

/* Strings are NULL if unset. */
typedef struct
{
  gchar *host;
  guint port; /* 0: the usual one */
  int qos;
  gboolean retain;
  gchar *client_id;
  guint keep_alive; /* s */
  guint max_in_flight;
  gchar *status_topic, *counts_topic; /* templates */
} GstCcaMqttSettings;

void gst_cca_mqtt_settings_install (GObjectClass *klass);

void gst_cca_mqtt_settings_init (GstCcaMqttSettings *self);
void gst_cca_mqtt_settings_clear (GstCcaMqttSettings *self);
GstCcaMqttSettings gst_cca_mqtt_settings_copy (const GstCcaMqttSettings *self);

/* Set and get a property. Return FALSE if the id is another one's. */
gboolean gst_cca_mqtt_settings_set (GstCcaMqttSettings *self, guint id, const GValue *value);
gboolean gst_cca_mqtt_settings_get (const GstCcaMqttSettings *self, guint id, GValue *value);

/* Fills in host, port and client_id where they are unset. Fails if the client's id cannot be kept in the spool. */
gboolean gst_cca_mqtt_settings_complete (GstCcaMqttSettings *self, const GstCcaBrokerSettings *broker, GError **error);

G_END_DECLS

#endif
