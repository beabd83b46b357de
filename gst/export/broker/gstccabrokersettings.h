/* gst-cca: the properties of sinks to brokers: connection and queue
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <gst/gst.h>

#include "gstccaproperties.h"

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

/* A property of a sink changes in READY and below. */
#define GST_CCA_BROKER_PROPERTY ((GParamFlags) (G_PARAM_READWRITE | GST_PARAM_MUTABLE_READY))

extern const GstCcaProperties gst_cca_broker_settings;

/* Replaces the password by that of password_file if there is one, and checks the settings. The error names the property
 * or the file. */
gboolean gst_cca_broker_settings_complete (GstCcaBrokerSettings *self, GError **error);
