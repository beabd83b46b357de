/* gst-cca: messages for brokers, made of buffers
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * A line of JSON becomes one message, or one for each of its events where topic or key has a placeholder {zone}.
 * Anything else becomes one message with the bytes as they are. Knows GLib and json-glib, not GStreamer.
 */
#ifndef GST_CCA_BROKER_MESSAGE_H
#define GST_CCA_BROKER_MESSAGE_H

#include <glib.h>

G_BEGIN_DECLS

#define GST_CCA_BROKER_NO_TIME G_MAXUINT64

typedef struct
{
  gchar *topic;
  gchar *key; /* or NULL */
  GBytes *payload;
  guint64 utc;    /* of the frame, ns since 1970, or GST_CCA_BROKER_NO_TIME */
  gboolean retain; /* for the broker to keep as the topic's last */
} GstCcaBrokerMessage;

/* A line of JSON, parsed. */
typedef struct _GstCcaBrokerLine GstCcaBrokerLine;

/* Takes ownership of the strings and the payload; key may be NULL. */
GstCcaBrokerMessage *gst_cca_broker_message_new (gchar *topic, gchar *key, GBytes *payload, guint64 utc,
                                                 gboolean retain);
void gst_cca_broker_message_free (GstCcaBrokerMessage *message);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GstCcaBrokerMessage, gst_cca_broker_message_free)

G_END_DECLS

#endif
