/* gst-cca: the settings of a Kafka producer
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "gstccakafkasettings.h"

#include <string.h>

/* Settings that options must not contain, and their replacements. */
static const struct
{
  const gchar *name, *instead;
} reserved[] = {
  { "bootstrap.servers", "use the property bootstrap-servers" },
  { "metadata.broker.list", "use the property bootstrap-servers" },
  { "acks", "use the property acks" },
  { "request.required.acks", "use the property acks" },
  { "sasl.username", "use the property user" },
  { "sasl.password", "use the property password or password-file" },
  { "ssl.ca.location", "use the property ca-file" },
  { "ssl.certificate.location", "use the property cert-file" },
  { "ssl.key.location", "use the property key-file" },
  { "message.timeout.ms", "messages wait until the queue is full: use max-messages or max-bytes" },
  { "delivery.timeout.ms", "messages wait until the queue is full: use max-messages or max-bytes" },
  { "statistics.interval.ms", "the element uses the statistics itself: read the property stats" },
  { "transactional.id", "the element does not use transactions" },
};

/* Parts of the names of settings that are secret. */
static const gchar *const secrets[] = { "password", "secret", ".pem", "oauthbearer.config", "token" };

static gboolean
is_secret (const gchar *name)
{
  for (guint i = 0; i < G_N_ELEMENTS (secrets); i++)
    if (strstr (name, secrets[i]))
      return TRUE;
  return FALSE;
}

GstStructure *
gst_cca_kafka_settings_without_secrets (const GstStructure *options)
{
  GstStructure *copy = options ? gst_structure_copy (options) : NULL;

  for (gint i = copy ? gst_structure_n_fields (copy) - 1 : -1; i >= 0; i--) {
    const gchar *name = gst_structure_nth_field_name (copy, i);

    if (is_secret (name))
      gst_structure_remove_field (copy, name);
  }
  return copy;
}

G_GNUC_PRINTF (2, 3)
static gboolean
fail (GError **error, const gchar *format, ...)
{
  va_list arguments;

  va_start (arguments, format);
  if (error)
    *error = g_error_new_valist (GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_SETTINGS, format, arguments);
  va_end (arguments);
  return FALSE;
}

/* Without a value, the setting keeps librdkafka's default. */
static gboolean
set (rd_kafka_conf_t *conf, const gchar *name, const gchar *value, GError **error)
{
  gchar reason[512] = "";

  if (!value || rd_kafka_conf_set (conf, name, value, reason, sizeof reason) == RD_KAFKA_CONF_OK)
    return TRUE;
  return is_secret (name) && strstr (reason, value) ? fail (error, "librdkafka refuses the value of %s", name)
                                                    : fail (error, "%s", reason);
}

static gboolean
set_option (rd_kafka_conf_t *conf, const gchar *name, const GValue *value, GError **error)
{
  g_auto (GValue) text = G_VALUE_INIT;

  for (guint i = 0; i < G_N_ELEMENTS (reserved); i++)
    if (g_str_equal (name, reserved[i].name))
      return fail (error, "options must not contain %s: %s", name, reserved[i].instead);
  g_value_init (&text, G_TYPE_STRING);
  if (!g_value_transform (value, &text) || !g_value_get_string (&text))
    return fail (error, "The value of %s in options is a %s; it must be a string, a number or a boolean", name,
                 G_VALUE_TYPE_NAME (value));
  if (set (conf, name, g_value_get_string (&text), error))
    return TRUE;
  g_prefix_error (error, "options: %s: ", name); /* librdkafka tells the name that this one stands for */
  return FALSE;
}

static gboolean
set_options (rd_kafka_conf_t *conf, const GstStructure *options, GError **error)
{
  const gint n = options ? gst_structure_n_fields (options) : 0;

  for (gint i = 0; i < n; i++) {
    const gchar *name = gst_structure_nth_field_name (options, i);

    if (!set_option (conf, name, gst_structure_get_value (options, name), error))
      return FALSE;
  }
  return TRUE;
}

static gboolean
check_properties (const GstCcaBrokerSettings *broker, const GstCcaKafkaSettings *kafka, GError **error)
{
  const gchar *servers = kafka->bootstrap_servers ? kafka->bootstrap_servers : "";

  if (servers[strspn (servers, ", ")] == '\0')
    return fail (error, "bootstrap-servers names no broker; set it to host:port, or several, separated by commas");
  if (broker->user && !broker->password)
    return fail (error, "There is a user but no password; set password-file or password");
  return TRUE;
}

static const gchar *
protocol_of (const GstCcaBrokerSettings *broker)
{
  if (broker->tls)
    return broker->user ? "sasl_ssl" : "ssl";
  return broker->user ? "sasl_plaintext" : "plaintext";
}

rd_kafka_conf_t *
gst_cca_kafka_settings_new (const GstCcaBrokerSettings *broker, const GstCcaKafkaSettings *kafka, GError **error)
{
  g_autofree gchar *acks = g_strdup_printf ("%d", kafka->acks);
  const struct
  {
    const gchar *name, *value;
  } settings[] = {
    { "client.id", "gst-cca" },
    { "bootstrap.servers", kafka->bootstrap_servers },
    { "acks", acks },
    { "enable.idempotence", kafka->acks == GST_CCA_KAFKA_ACKS_ALL ? "true" : "false" },
    { "message.timeout.ms", "0" }, /* forever: the outbox limits waiting records */
    { "statistics.interval.ms", "1000" },
    { "security.protocol", protocol_of (broker) },
    { "sasl.mechanism", broker->user ? "PLAIN" : NULL },
    { "sasl.username", broker->user },
    { "sasl.password", broker->password },
    { "ssl.ca.location", broker->ca_file },
    { "ssl.certificate.location", broker->cert_file },
    { "ssl.key.location", broker->key_file },
  };
  rd_kafka_conf_t *conf;

  if (!check_properties (broker, kafka, error))
    return NULL;
  conf = rd_kafka_conf_new ();
  for (guint i = 0; i < G_N_ELEMENTS (settings); i++)
    if (!set (conf, settings[i].name, settings[i].value, error))
      goto failed;
  if (set_options (conf, kafka->options, error))
    return conf;
failed:
  rd_kafka_conf_destroy (conf);
  return NULL;
}
