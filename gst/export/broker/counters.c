/* gst-cca: counters of zones and lines as messages that a broker retains
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "counters.h"

#include <string.h>

/* The counters of a rule as they were told last. */
typedef struct
{
  gchar *text; /* without the times */
  GBytes *payload;
} Counters;

struct _GstCcaBrokerCounters
{
  GMutex lock;
  GHashTable *told; /* of Counters, by their topics */
};

static void
counters_free (Counters *counters)
{
  g_free (counters->text);
  g_bytes_unref (counters->payload);
  g_free (counters);
}

GstCcaBrokerCounters *
gst_cca_broker_counters_new (void)
{
  GstCcaBrokerCounters *self = g_new (GstCcaBrokerCounters, 1);

  g_mutex_init (&self->lock);
  self->told = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, (GDestroyNotify) counters_free);
  return self;
}

void
gst_cca_broker_counters_free (GstCcaBrokerCounters *self)
{
  g_hash_table_unref (self->told);
  g_mutex_clear (&self->lock);
  g_free (self);
}

/* Notes the counters of a topic. Returns their payload, or NULL if they are those told last. */
static GBytes *
note (GstCcaBrokerCounters *self, const GstCcaBrokerLine *line, const gchar *topic, const GArray *rule)
{
  g_autofree gchar *text = gst_cca_slices_join (rule, "points");
  GBytes *payload = NULL;
  const Counters *last;

  g_mutex_lock (&self->lock);
  last = g_hash_table_lookup (self->told, topic);
  if (!last || strcmp (last->text, text) != 0) {
    Counters *counters = g_new (Counters, 1);

    payload = gst_cca_broker_line_with (line, rule, text);
    *counters = (Counters) { g_steal_pointer (&text), g_bytes_ref (payload) };
    g_hash_table_replace (self->told, g_strdup (topic), counters);
  }
  g_mutex_unlock (&self->lock);
  return payload;
}

void
gst_cca_broker_counters_tell (GstCcaBrokerCounters *self, const GstCcaBrokerLine *line, const GstCcaTemplate *topic,
                              gboolean (*is_topic_char) (gunichar c), GPtrArray *messages)
{
  g_autoptr (GPtrArray) rules = gst_cca_broker_line_objects (line, "counts");

  for (guint i = 0; i < rules->len; i++) {
    g_autofree gchar *name = gst_cca_slices_string (rules->pdata[i], "name");
    g_autofree gchar *text = gst_cca_broker_line_expand (line, topic, name, is_topic_char);
    GBytes *payload = note (self, line, text, rules->pdata[i]);

    if (payload)
      g_ptr_array_add (messages, gst_cca_broker_message_new (g_steal_pointer (&text), NULL, payload,
                                                             gst_cca_broker_line_utc (line), TRUE));
  }
}

void
gst_cca_broker_counters_repeat (GstCcaBrokerCounters *self, GPtrArray *messages)
{
  GHashTableIter iter;
  gpointer topic, counters;

  g_mutex_lock (&self->lock);
  g_hash_table_iter_init (&iter, self->told);
  while (g_hash_table_iter_next (&iter, &topic, &counters))
    g_ptr_array_add (messages,
                     gst_cca_broker_message_new (g_strdup (topic), NULL, g_bytes_ref (((Counters *) counters)->payload),
                                                 GST_CCA_BROKER_NO_TIME, TRUE));
  g_mutex_unlock (&self->lock);
}

void
gst_cca_broker_counters_forget (GstCcaBrokerCounters *self)
{
  g_mutex_lock (&self->lock);
  g_hash_table_remove_all (self->told);
  g_mutex_unlock (&self->lock);
}
