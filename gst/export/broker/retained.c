/* gst-cca: the last message of each topic that a broker retains
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "retained.h"

#include <string.h>

/* A topic's message. */
typedef struct
{
  gchar *text; /* its content without the times */
  GBytes *payload;
} Last;

struct _GstCcaBrokerRetained
{
  GMutex lock;
  GHashTable *topics; /* of Last */
};

static void
last_free (Last *last)
{
  g_free (last->text);
  g_bytes_unref (last->payload);
  g_free (last);
}

GstCcaBrokerRetained *
gst_cca_broker_retained_new (void)
{
  GstCcaBrokerRetained *self = g_new (GstCcaBrokerRetained, 1);

  g_mutex_init (&self->lock);
  self->topics = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, (GDestroyNotify) last_free);
  return self;
}

void
gst_cca_broker_retained_free (GstCcaBrokerRetained *self)
{
  g_hash_table_unref (self->topics);
  g_mutex_clear (&self->lock);
  g_free (self);
}

gboolean
gst_cca_broker_retained_says (GstCcaBrokerRetained *self, const gchar *topic, const gchar *text)
{
  const Last *last;
  gboolean says;

  g_mutex_lock (&self->lock);
  last = g_hash_table_lookup (self->topics, topic);
  says = last && strcmp (last->text, text) == 0;
  g_mutex_unlock (&self->lock);
  return says;
}

static void
append (GPtrArray *messages, const gchar *topic, GBytes *payload, guint64 utc)
{
  g_ptr_array_add (messages, gst_cca_broker_message_new (g_strdup (topic), NULL, payload, utc, TRUE));
}

void
gst_cca_broker_retained_add (GstCcaBrokerRetained *self, const gchar *topic, const gchar *text, GBytes *payload,
                             guint64 utc, GPtrArray *messages)
{
  Last *last = g_new (Last, 1);

  *last = (Last) { g_strdup (text), g_bytes_ref (payload) };
  g_mutex_lock (&self->lock);
  g_hash_table_replace (self->topics, g_strdup (topic), last);
  g_mutex_unlock (&self->lock);
  append (messages, topic, payload, utc);
}

void
gst_cca_broker_retained_remove (GstCcaBrokerRetained *self, const gchar *topic, GPtrArray *messages)
{
  g_mutex_lock (&self->lock);
  g_hash_table_remove (self->topics, topic);
  g_mutex_unlock (&self->lock);
  append (messages, topic, g_bytes_new_static ("", 0), GST_CCA_BROKER_NO_TIME);
}

void
gst_cca_broker_retained_repeat (GstCcaBrokerRetained *self, GPtrArray *messages)
{
  GHashTableIter iter;
  gpointer topic, last;

  g_mutex_lock (&self->lock);
  g_hash_table_iter_init (&iter, self->topics);
  while (g_hash_table_iter_next (&iter, &topic, &last))
    append (messages, topic, g_bytes_ref (((Last *) last)->payload), GST_CCA_BROKER_NO_TIME);
  g_mutex_unlock (&self->lock);
}

void
gst_cca_broker_retained_forget (GstCcaBrokerRetained *self)
{
  g_mutex_lock (&self->lock);
  g_hash_table_remove_all (self->topics);
  g_mutex_unlock (&self->lock);
}
