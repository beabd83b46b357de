/* gst-cca: the properties of sinks to brokers: connection and queue
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#ifndef GST_CCA_BROKER_SETTINGS_H
#define GST_CCA_BROKER_SETTINGS_H

#include <gst/gst.h>

G_BEGIN_DECLS

/* --- Properties that are fields of a struct ---------------------------------------------------------- */

/* A readable and writable property that can change in READY and below, and the field that stores it. */
typedef struct
{
  const gchar *name;
  gsize offset;               /* of the field in the struct */
  GType type;                 /* of the field: G_TYPE_STRING, _BOOLEAN, _INT, _UINT or _UINT64 */
  guint64 least, most, value; /* of numbers and booleans; value: the default */
  const gchar *text;          /* default of a string, or NULL */
  const gchar *blurb;
  GParamFlags flags; /* instead of those above, or 0 */
} GstCcaSetting;

/* The properties of a class, with ids from first_id on. */
typedef struct
{
  guint first_id, n;
  const GstCcaSetting *settings;
} GstCcaSettings;

void gst_cca_settings_install (const GstCcaSettings *settings, GObjectClass *klass);

/* Set all fields to the defaults; free all strings; replace all strings by copies. */
void gst_cca_settings_init (const GstCcaSettings *settings, gpointer fields);
void gst_cca_settings_clear (const GstCcaSettings *settings, gpointer fields);
void gst_cca_settings_copy_strings (const GstCcaSettings *settings, gpointer fields);

/* Set and get a property under the object's lock. The pspec is one of the settings'. */
void gst_cca_settings_set (const GstCcaSettings *settings, gpointer fields, GObject *object, guint id,
                           const GValue *value, GParamSpec *spec);
void gst_cca_settings_get (const GstCcaSettings *settings, gpointer fields, GObject *object, guint id, GValue *value,
                           GParamSpec *spec);

/* --- Properties of all sinks to brokers -------------------------------------------------------------- */

/* Strings are NULL if unset. Never log user or password. */
typedef struct
{
  gchar *topic; /* template */
  gchar *user, *password, *password_file;
  gboolean tls;
  gchar *ca_file;         /* PEM; NULL: the system's */
  gchar *cert_file;       /* PEM, the client's; NULL together with key_file */
  gchar *key_file;        /* PEM */
  guint max_messages;     /* of the outbox in memory */
  guint64 max_bytes;      /* the same */
  gchar *spool_directory; /* NULL: messages wait in memory alone */
  guint64 spool_max_bytes;
  guint64 drain_timeout; /* ns */
} GstCcaBrokerSettings;

extern const GstCcaSettings gst_cca_broker_settings;

/* Replaces the password by that of password_file if there is one, and checks the settings. The error names the property
 * or the file. */
gboolean gst_cca_broker_settings_complete (GstCcaBrokerSettings *self, GError **error);

G_END_DECLS

#endif
