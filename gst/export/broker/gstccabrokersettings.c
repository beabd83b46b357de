/* gst-cca: the properties of sinks to brokers: connection and queue
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "gstccabrokersettings.h"

#include <string.h>

#include "gstccatext.h"

#define MAX_PASSWORD_FILE (64 * 1024)

/* --- Properties -------------------------------------------------------------------------------------------- */

#define AT(field) G_STRUCT_OFFSET (GstCcaBrokerSettings, field)

static const GstCcaProperty list[] = {
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
const GstCcaProperties gst_cca_broker_settings = { 1, G_N_ELEMENTS (list), list, GST_CCA_BROKER_PROPERTY };

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
