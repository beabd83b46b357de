/* gst-cca: the properties of sinks to brokers: connection and queue
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "gstccabrokersettings.h"

#include <string.h>

#include "gstccafile.h"
#include "gstccastrings.h"

#define MAX_PASSWORD_FILE (64 * 1024)

#define DEFAULT_MAX_MESSAGES 10000
#define DEFAULT_MAX_BYTES ((guint64) 64 * 1024 * 1024)
#define DEFAULT_SPOOL_MAX_BYTES ((guint64) 256 * 1024 * 1024)
#define SMALLEST_SPOOL ((guint64) 64 * 1024)
#define DEFAULT_DRAIN_TIMEOUT (2 * GST_SECOND)

typedef enum
{
  PROP_TOPIC = 1,
  PROP_MAX_MESSAGES,
  PROP_MAX_BYTES,
  PROP_SPOOL_DIRECTORY,
  PROP_SPOOL_MAX_BYTES,
  PROP_USER,
  PROP_PASSWORD,
  PROP_PASSWORD_FILE,
  PROP_TLS,
  PROP_CA_FILE,
  PROP_CERT_FILE,
  PROP_KEY_FILE,
  PROP_DRAIN_TIMEOUT,
  N_PROPS
} Property;

G_STATIC_ASSERT (N_PROPS <= GST_CCA_BROKER_SETTINGS_LAST_PROP);

/* Returns the place of a property that is a string, or NULL. */
static gchar **
string_of (GstCcaBrokerSettings *self, guint id)
{
  switch ((Property) id) {
    case PROP_TOPIC: return &self->topic;
    case PROP_SPOOL_DIRECTORY: return &self->spool_directory;
    case PROP_USER: return &self->user;
    case PROP_PASSWORD: return &self->password;
    case PROP_PASSWORD_FILE: return &self->password_file;
    case PROP_CA_FILE: return &self->ca_file;
    case PROP_CERT_FILE: return &self->cert_file;
    case PROP_KEY_FILE: return &self->key_file;
    default: return NULL;
  }
}

void
gst_cca_broker_settings_init (GstCcaBrokerSettings *self)
{
  *self = (GstCcaBrokerSettings) {
    .max_messages = DEFAULT_MAX_MESSAGES,
    .max_bytes = DEFAULT_MAX_BYTES,
    .spool_max_bytes = DEFAULT_SPOOL_MAX_BYTES,
    .drain_timeout = DEFAULT_DRAIN_TIMEOUT,
  };
}

void
gst_cca_broker_settings_clear (GstCcaBrokerSettings *self)
{
  for (guint id = 1; id < N_PROPS; id++) {
    gchar **string = string_of (self, id);

    if (string)
      g_clear_pointer (string, g_free);
  }
}

GstCcaBrokerSettings
gst_cca_broker_settings_copy (const GstCcaBrokerSettings *self)
{
  GstCcaBrokerSettings copy = *self;

  for (guint id = 1; id < N_PROPS; id++) {
    gchar **string = string_of (&copy, id);

    if (string)
      *string = g_strdup (*string);
  }
  return copy;
}

gboolean
gst_cca_broker_settings_set (GstCcaBrokerSettings *self, guint id, const GValue *value)
{
  gchar **string = string_of (self, id);

  if (string) {
    gst_cca_set_string (string, value);
    return TRUE;
  }
  switch ((Property) id) {
    case PROP_MAX_MESSAGES: self->max_messages = g_value_get_uint (value); break;
    case PROP_MAX_BYTES: self->max_bytes = g_value_get_uint64 (value); break;
    case PROP_SPOOL_MAX_BYTES: self->spool_max_bytes = g_value_get_uint64 (value); break;
    case PROP_TLS: self->tls = g_value_get_boolean (value); break;
    case PROP_DRAIN_TIMEOUT: self->drain_timeout = g_value_get_uint64 (value); break;
    default: return FALSE;
  }
  return TRUE;
}

gboolean
gst_cca_broker_settings_get (GstCcaBrokerSettings *self, guint id, GValue *value)
{
  gchar **string = string_of (self, id);

  if (string) {
    g_value_set_string (value, *string);
    return TRUE;
  }
  switch ((Property) id) {
    case PROP_MAX_MESSAGES: g_value_set_uint (value, self->max_messages); break;
    case PROP_MAX_BYTES: g_value_set_uint64 (value, self->max_bytes); break;
    case PROP_SPOOL_MAX_BYTES: g_value_set_uint64 (value, self->spool_max_bytes); break;
    case PROP_TLS: g_value_set_boolean (value, self->tls); break;
    case PROP_DRAIN_TIMEOUT: g_value_set_uint64 (value, self->drain_timeout); break;
    default: return FALSE;
  }
  return TRUE;
}

/* --- Checks ------------------------------------------------------------------------------------------ */

/* Reads a password: the file without the end of its line. */
static gchar *
read_password (const gchar *path, GError **error)
{
  g_autoptr (GError) problem = NULL;
  gsize length;
  gchar *text = gst_cca_file_read (path, MAX_PASSWORD_FILE, &length, &problem);

  if (text)
    text[strcspn (text, "\r\n")] = '\0';
  else
    g_set_error (error, problem->domain, problem->code, "%s %s", path, problem->message);
  return text;
}

static gboolean
check (const GstCcaBrokerSettings *self, GError **error)
{
  const gchar *const files[] = { self->ca_file, self->cert_file, self->key_file };
  const gchar *what = NULL;

  if (!self->topic || !self->topic[0])
    what = "topic is empty; set it";
  else if (!self->cert_file != !self->key_file)
    what = "cert-file and key-file belong together; set both, or none";
  else if (!self->tls && (self->ca_file || self->cert_file))
    what = "ca-file, cert-file and key-file are for tls=true; set it";
  else if (self->password && !self->user)
    what = "there is a password but no user; set user";
  if (what) {
    g_set_error_literal (error, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_SETTINGS, what);
    return FALSE;
  }
  for (guint i = 0; i < G_N_ELEMENTS (files); i++) {
    g_autoptr (GMappedFile) file = files[i] ? g_mapped_file_new (files[i], FALSE, error) : NULL;

    if (files[i] && !file)
      return FALSE;
  }
  return TRUE;
}

gboolean
gst_cca_broker_settings_complete (GstCcaBrokerSettings *self, GError **error)
{
  if (self->password_file) {
    g_free (self->password);
    self->password = read_password (self->password_file, error);
    if (!self->password)
      return FALSE;
  }
  return check (self, error);
}

/* --- Properties -------------------------------------------------------------------------------------- */

static void
install_string (GObjectClass *klass, Property id, const gchar *name, const gchar *blurb, GParamFlags access)
{
  g_object_class_install_property (
      klass, id,
      g_param_spec_string (name, name, blurb, NULL, access | G_PARAM_STATIC_STRINGS | GST_PARAM_MUTABLE_READY));
}

static void
install_uint64 (GObjectClass *klass, Property id, const gchar *name, const gchar *blurb, guint64 least, guint64 value,
                GParamFlags mutable)
{
  g_object_class_install_property (klass, id,
                                   g_param_spec_uint64 (name, name, blurb, least, G_MAXUINT64, value,
                                                        G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS | mutable));
}

void
gst_cca_broker_settings_install (GObjectClass *klass)
{
  install_string (klass, PROP_TOPIC, "topic",
                  "Topic; the element fills in {camera}, {id} and other members of a line; with {zone} each event "
                  "becomes a separate message",
                  G_PARAM_READWRITE);
  g_object_class_install_property (
      klass, PROP_MAX_MESSAGES,
      g_param_spec_uint ("max-messages", "max-messages",
                         "Maximum number of messages that wait in memory; the element drops the oldest first", 1,
                         G_MAXINT, DEFAULT_MAX_MESSAGES,
                         G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS | GST_PARAM_MUTABLE_READY));
  install_uint64 (klass, PROP_MAX_BYTES, "max-bytes",
                  "Maximum number of bytes that wait in memory; the element drops the oldest messages first", 1,
                  DEFAULT_MAX_BYTES, GST_PARAM_MUTABLE_READY);
  install_string (klass, PROP_SPOOL_DIRECTORY, "spool-directory",
                  "Folder in which messages wait until they are delivered, also by the next run; no other sink may use "
                  "it. Unset = in memory only",
                  G_PARAM_READWRITE);
  install_uint64 (klass, PROP_SPOOL_MAX_BYTES, "spool-max-bytes",
                  "Maximum number of bytes in spool-directory; the element drops the oldest messages first",
                  SMALLEST_SPOOL, DEFAULT_SPOOL_MAX_BYTES, GST_PARAM_MUTABLE_READY);
  install_string (klass, PROP_USER, "user", "User at the broker", G_PARAM_READWRITE);
  install_string (klass, PROP_PASSWORD, "password",
                  "Password of the user; GStreamer logs the arguments of gst-launch-1.0: use password-file there",
                  G_PARAM_WRITABLE);
  install_string (klass, PROP_PASSWORD_FILE, "password-file", "File whose first line is the password",
                  G_PARAM_READWRITE);
  g_object_class_install_property (
      klass, PROP_TLS,
      g_param_spec_boolean ("tls", "tls", "Encrypt, and check the broker's certificate", FALSE,
                            G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS | GST_PARAM_MUTABLE_READY));
  install_string (klass, PROP_CA_FILE, "ca-file",
                  "Authorities (PEM) that may sign the broker's certificate; unset = the system's", G_PARAM_READWRITE);
  install_string (klass, PROP_CERT_FILE, "cert-file", "This client's certificate (PEM), if the broker requires one",
                  G_PARAM_READWRITE);
  install_string (klass, PROP_KEY_FILE, "key-file", "Key (PEM) of cert-file, not encrypted", G_PARAM_READWRITE);
  install_uint64 (klass, PROP_DRAIN_TIMEOUT, "drain-timeout",
                  "How long to wait for deliveries at the end of the stream or when the sink stops, ns", 0,
                  DEFAULT_DRAIN_TIMEOUT, GST_PARAM_MUTABLE_PLAYING);
}
