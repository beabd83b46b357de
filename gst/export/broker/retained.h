/* gst-cca: the last message of each topic that a broker retains
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * A topic's message is sent again only if its content changed, and all of them after a reconnect: the broker may have
 * forgotten them. Any thread. Knows GLib only.
 */
#pragma once

#include "message.h"

typedef struct _GstCcaBrokerRetained GstCcaBrokerRetained;

GstCcaBrokerRetained *gst_cca_broker_retained_new (void);
void gst_cca_broker_retained_free (GstCcaBrokerRetained *self);

/* Returns whether the last message of a topic had this content, as given to gst_cca_broker_retained_add(). */
gboolean gst_cca_broker_retained_says (GstCcaBrokerRetained *self, const gchar *topic, const gchar *text);

/* Notes the message of a topic, and appends it to an array that owns GstCcaBrokerMessage. Takes the payload. */
void gst_cca_broker_retained_add (GstCcaBrokerRetained *self, const gchar *topic, const gchar *text, GBytes *payload,
                                  guint64 utc, GPtrArray *messages);

/* Appends the empty message that makes the broker forget a topic's, and forgets it. */
void gst_cca_broker_retained_remove (GstCcaBrokerRetained *self, const gchar *topic, GPtrArray *messages);

/* Appends the last message of each topic again. */
void gst_cca_broker_retained_repeat (GstCcaBrokerRetained *self, GPtrArray *messages);

void gst_cca_broker_retained_forget (GstCcaBrokerRetained *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GstCcaBrokerRetained, gst_cca_broker_retained_free)
