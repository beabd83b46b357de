/* gst-cca: a connection to an MQTT broker, by libmosquitto
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Only gst_cca_mqtt_client_poll() waits for the network, up to its timeout. One thread at a time. Knows GLib and
 * libmosquitto, not GStreamer.
 */
#pragma once

#include <glib.h>

typedef struct _GstCcaMqttClient GstCcaMqttClient;

typedef struct
{
  const gchar *host;
  guint port;
  guint keep_alive; /* s, >= 5 */
  const gchar *client_id;
  gboolean clean_session; /* the broker forgets the client when the connection ends */
  guint max_in_flight;
  const gchar *user, *password; /* or NULL */
  gboolean tls;
  const gchar *ca_file;              /* or NULL: the system's */
  const gchar *cert_file, *key_file; /* or NULL */
  const gchar *will_topic;           /* or NULL */
  const gchar *will;                 /* retained */
} GstCcaMqttOptions;

/* Called from within poll(), connect(), publish() and disconnect(), except wake(). None may free the client. */
typedef struct
{
  void (*connected) (gpointer data, gboolean session_present);
  /* Also after a failed attempt to connect. Denied: password, certificate or rights. The reason is for users. */
  void (*disconnected) (gpointer data, gboolean denied, const gchar *reason);
  /* A message was delivered: with QoS 0 written, with others confirmed. */
  void (*published) (gpointer data, int id);
  /* Asks for a poll(); from any thread. */
  void (*wake) (gpointer data);
} GstCcaMqttCallbacks;

/* Returns a client without a connection, or NULL and an error. Copies the options; callbacks are static. */
GstCcaMqttClient *gst_cca_mqtt_client_new (const GstCcaMqttOptions *options, const GstCcaMqttCallbacks *callbacks,
                                           gpointer data, GError **error);
/* Closes the connection at once: the broker publishes the will. */
void gst_cca_mqtt_client_free (GstCcaMqttClient *self);

/* Begins to connect. Once connected, the client sends unconfirmed messages again, except with QoS 0. */
void gst_cca_mqtt_client_connect (GstCcaMqttClient *self);
/* Begins to disconnect in order; calls disconnected() at the end. */
void gst_cca_mqtt_client_disconnect (GstCcaMqttClient *self);
/* Ends the connection at once: the client sends nothing more. May be called from callbacks. */
void gst_cca_mqtt_client_abort (GstCcaMqttClient *self);

/* Whether it has no connection, and does not try. */
gboolean gst_cca_mqtt_client_is_idle (const GstCcaMqttClient *self);

/* Publishes while connected. Sets *id before published() may be called with it. Returns FALSE and sets *reason, which
 * is static, if MQTT cannot carry the message. */
gboolean gst_cca_mqtt_client_publish (GstCcaMqttClient *self, const gchar *topic, GBytes *payload, int qos,
                                      gboolean retain, int *id, const gchar **reason);

/* Waits until there is something to do, until wake_fd is readable, or for timeout_ms; then does it. */
void gst_cca_mqtt_client_poll (GstCcaMqttClient *self, int wake_fd, int timeout_ms);

/* Whether a topic without wildcards may have this character within a level. */
gboolean gst_cca_mqtt_is_topic_char (gunichar c);
/* Whether messages can be published to a topic. */
gboolean gst_cca_mqtt_is_topic (const gchar *topic);
