/* gst-cca: the properties of ccamqttsink beside those of all sinks to brokers
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include "gstccabrokersink.h"

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
  gchar *status_topic, *state_topic, *counts_topic; /* templates */
  gchar *discovery_prefix;
} GstCcaMqttSettings;

extern const GstCcaProperties gst_cca_mqtt_settings;

/* Fills in host, port, client_id and, with discovery_prefix, topics where they are unset. Fails if the client's id
 * cannot be kept in the spool. */
gboolean gst_cca_mqtt_settings_complete (GstCcaMqttSettings *self, const GstCcaBrokerSettings *broker, GError **error);

/* Returns the template that a property is, which the caller frees, or NULL and an error if it cannot become a topic to
 * publish to. */
GstCcaTemplate *gst_cca_mqtt_parse_topic (const gchar *property, const gchar *text, GError **error);

/* Returns whether Home Assistant can listen to discovery_prefix; sets an error if not. */
gboolean gst_cca_mqtt_check_prefix (const gchar *prefix, GError **error);
