/* gst-cca: the properties of sinks to brokers: connection and queue
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "gstccabrokersettings.h"

#include <string.h>

#include "gstccatext.h"

#define MAX_PASSWORD_FILE (64 * 1024)

/* --- Properties that are fields of a struct ---------------------------------------------------------- */

#define FIELD(fields, setting, type) (*(type *) ((guint8 *) (fields) + (setting)->offset))

static GParamSpec *
make_spec (const GstCcaSetting *setting)
{
  const GParamFlags flags =
      G_PARAM_STATIC_STRINGS | (setting->flags ? setting->flags : G_PARAM_READWRITE | GST_PARAM_MUTABLE_READY);
  const gchar *name = setting->name, *blurb = setting->blurb;

  switch (setting->type) {
    case G_TYPE_STRING: return g_param_spec_string (name, name, blurb, setting->text, flags);
    case G_TYPE_BOOLEAN: return g_param_spec_boolean (name, name, blurb, setting->value != 0, flags);
    case G_TYPE_INT:
      return g_param_spec_int (name, name, blurb, (gint) setting->least, (gint) setting->most, (gint) setting->value,
                               flags);
    case G_TYPE_UINT:
      return g_param_spec_uint (name, name, blurb, (guint) setting->least, (guint) setting->most,
                                (guint) setting->value, flags);
    default: return g_param_spec_uint64 (name, name, blurb, setting->least, setting->most, setting->value, flags);
  }
}

void
gst_cca_settings_install (const GstCcaSettings *settings, GObjectClass *klass)
{
  for (guint i = 0; i < settings->n; i++)
    g_object_class_install_property (klass, settings->first_id + i, make_spec (&settings->settings[i]));
}

void
gst_cca_settings_init (const GstCcaSettings *settings, gpointer fields)
{
  for (guint i = 0; i < settings->n; i++) {
    const GstCcaSetting *setting = &settings->settings[i];

    if (setting->type == G_TYPE_STRING)
      FIELD (fields, setting, gchar *) = g_strdup (setting->text);
    else if (setting->type == G_TYPE_UINT64)
      FIELD (fields, setting, guint64) = setting->value;
    else
      FIELD (fields, setting, guint) = (guint) setting->value;
  }
}

void
gst_cca_settings_clear (const GstCcaSettings *settings, gpointer fields)
{
  for (guint i = 0; i < settings->n; i++)
    if (settings->settings[i].type == G_TYPE_STRING)
      g_clear_pointer (&FIELD (fields, &settings->settings[i], gchar *), g_free);
}

void
gst_cca_settings_copy_strings (const GstCcaSettings *settings, gpointer fields)
{
  for (guint i = 0; i < settings->n; i++)
    if (settings->settings[i].type == G_TYPE_STRING)
      FIELD (fields, &settings->settings[i], gchar *) = g_strdup (FIELD (fields, &settings->settings[i], gchar *));
}

/* Returns the setting with an id; warns and returns NULL if there is none. */
static const GstCcaSetting *
find (const GstCcaSettings *settings, GObject *object, guint id, GParamSpec *spec)
{
  if (id - settings->first_id < settings->n)
    return &settings->settings[id - settings->first_id];
  G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, spec);
  return NULL;
}

void
gst_cca_settings_set (const GstCcaSettings *settings, gpointer fields, GObject *object, guint id, const GValue *value,
                      GParamSpec *spec)
{
  const GstCcaSetting *setting = find (settings, object, id, spec);

  if (!setting)
    return;
  GST_OBJECT_LOCK (object);
  switch (setting->type) {
    case G_TYPE_STRING:
      g_free (FIELD (fields, setting, gchar *));
      FIELD (fields, setting, gchar *) = g_value_dup_string (value);
      break;
    case G_TYPE_BOOLEAN: FIELD (fields, setting, gboolean) = g_value_get_boolean (value); break;
    case G_TYPE_INT: FIELD (fields, setting, gint) = g_value_get_int (value); break;
    case G_TYPE_UINT: FIELD (fields, setting, guint) = g_value_get_uint (value); break;
    default: FIELD (fields, setting, guint64) = g_value_get_uint64 (value);
  }
  GST_OBJECT_UNLOCK (object);
}

void
gst_cca_settings_get (const GstCcaSettings *settings, gpointer fields, GObject *object, guint id, GValue *value,
                      GParamSpec *spec)
{
  const GstCcaSetting *setting = find (settings, object, id, spec);

  if (!setting)
    return;
  GST_OBJECT_LOCK (object);
  switch (setting->type) {
    case G_TYPE_STRING: g_value_set_string (value, FIELD (fields, setting, gchar *)); break;
    case G_TYPE_BOOLEAN: g_value_set_boolean (value, FIELD (fields, setting, gboolean)); break;
    case G_TYPE_INT: g_value_set_int (value, FIELD (fields, setting, gint)); break;
    case G_TYPE_UINT: g_value_set_uint (value, FIELD (fields, setting, guint)); break;
    default: g_value_set_uint64 (value, FIELD (fields, setting, guint64));
  }
  GST_OBJECT_UNLOCK (object);
}

/* --- Properties of all sinks to brokers -------------------------------------------------------------- */

#define AT(field) G_STRUCT_OFFSET (GstCcaBrokerSettings, field)

static const GstCcaSetting list[] = {
  { "topic", AT (topic), G_TYPE_STRING,
    .blurb = "Topic; the element fills in {camera}, {id} and other members of a line; with {zone} each event becomes a "
             "separate message" },
  { "max-messages", AT (max_messages), G_TYPE_UINT, 1, G_MAXINT, 10000,
    .blurb = "Maximum number of messages that wait in memory; the element drops the oldest first" },
  { "max-bytes", AT (max_bytes), G_TYPE_UINT64, 1, G_MAXUINT64, 64 * 1024 * 1024,
    .blurb = "Maximum number of bytes that wait in memory; the element drops the oldest messages first" },
  { "spool-directory", AT (spool_directory), G_TYPE_STRING,
    .blurb = "Folder in which messages wait until they are delivered, also by the next run; no other sink may use it. "
             "Unset = in memory only" },
  { "spool-max-bytes", AT (spool_max_bytes), G_TYPE_UINT64, 64 * 1024, G_MAXUINT64, 256 * 1024 * 1024,
    .blurb = "Maximum number of bytes in spool-directory; the element drops the oldest messages first" },
  { "user", AT (user), G_TYPE_STRING, .blurb = "User at the broker" },
  { "password", AT (password), G_TYPE_STRING,
    .blurb = "Password of the user; GStreamer logs the arguments of gst-launch-1.0: use password-file there",
    .flags = (GParamFlags) (G_PARAM_WRITABLE | GST_PARAM_MUTABLE_READY) },
  { "password-file", AT (password_file), G_TYPE_STRING, .blurb = "File whose first line is the password" },
  { "tls", AT (tls), G_TYPE_BOOLEAN, .blurb = "Encrypt, and check the broker's certificate" },
  { "ca-file", AT (ca_file), G_TYPE_STRING,
    .blurb = "Authorities (PEM) that may sign the broker's certificate; unset = the system's" },
  { "cert-file", AT (cert_file), G_TYPE_STRING,
    .blurb = "This client's certificate (PEM), if the broker requires one" },
  { "key-file", AT (key_file), G_TYPE_STRING, .blurb = "Key (PEM) of cert-file, not encrypted" },
  { "drain-timeout", AT (drain_timeout), G_TYPE_UINT64, 0, G_MAXUINT64, 2 * GST_SECOND,
    .blurb = "How long to wait for deliveries at the end of the stream or when the sink stops, ns",
    .flags = (GParamFlags) (G_PARAM_READWRITE | GST_PARAM_MUTABLE_PLAYING) },
};
const GstCcaSettings gst_cca_broker_settings = { 1, G_N_ELEMENTS (list), list };

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
