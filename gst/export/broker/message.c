/* gst-cca: messages for brokers, made of lines of JSON
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "message.h"

#include "gst/gstccaparse.h"

#include <string.h>

#define NS_PER_SECOND ((guint64) 1000000000)

struct _GstCcaBrokerLine
{
  GBytes *text;
  GArray *members; /* GstCcaMember */
  guint64 utc;
};

/* What every message of a line says of its frame. */
static const gchar *const FRAME_MEMBERS[] = { "camera",       "id",  "timestamp", "stream-time",
                                              "running-time", "utc", "utc-source" };

/* --- Messages ---------------------------------------------------------------------------------------- */

GstCcaBrokerMessage *
gst_cca_broker_message_new (gchar *topic, gchar *key, GBytes *payload, guint64 utc, gboolean retain)
{
  GstCcaBrokerMessage *message = g_new (GstCcaBrokerMessage, 1);

  *message = (GstCcaBrokerMessage) { .topic = topic, .key = key, .payload = payload, .utc = utc, .retain = retain };
  return message;
}

void
gst_cca_broker_message_free (GstCcaBrokerMessage *message)
{
  if (!message)
    return;
  g_free (message->topic);
  g_free (message->key);
  g_bytes_unref (message->payload);
  g_free (message);
}

gsize
gst_cca_broker_message_size (const GstCcaBrokerMessage *message)
{
  return sizeof *message + strlen (message->topic) + (message->key ? strlen (message->key) : 0)
         + g_bytes_get_size (message->payload);
}

/* --- Lines ------------------------------------------------------------------------------------------- */

static guint64
parse_utc (const gchar *text)
{
  g_autoptr (GDateTime) time = text ? g_date_time_new_from_iso8601 (text, NULL) : NULL;

  if (!time || g_date_time_to_unix (time) < 0 || (guint64) g_date_time_to_unix (time) >= G_MAXUINT64 / NS_PER_SECOND)
    return GST_CCA_BROKER_NO_TIME;
  return (guint64) g_date_time_to_unix (time) * NS_PER_SECOND + (guint64) g_date_time_get_microsecond (time) * 1000;
}

GstCcaBrokerLine *
gst_cca_broker_line_parse (GBytes *text, gboolean trusted, GError **error)
{
  g_autoptr (JsonNode) root = NULL;
  g_autoptr (GArray) members = NULL;
  g_autofree gchar *utc = NULL;
  GstCcaBrokerLine *line;
  gsize size;
  const gchar *data = g_bytes_get_data (text, &size);

  if (!trusted && !(root = gst_cca_parse_json (data ? data : "", size, TRUE, NULL, error)))
    return NULL;
  members = size > 0 ? gst_cca_slices ((GstCcaSlice) { data, size }) : NULL;
  if (!members || (members->len > 0 && g_array_index (members, GstCcaMember, 0).name.length == 0)
      || (root && !JSON_NODE_HOLDS_OBJECT (root))) {
    g_set_error (error, JSON_PARSER_ERROR, JSON_PARSER_ERROR_PARSE, "the line is not an object");
    return NULL;
  }
  utc = gst_cca_slices_string (members, "utc");
  line = g_new (GstCcaBrokerLine, 1);
  *line = (GstCcaBrokerLine) { g_bytes_ref (text), g_steal_pointer (&members), parse_utc (utc) };
  return line;
}

void
gst_cca_broker_line_free (GstCcaBrokerLine *line)
{
  if (!line)
    return;
  g_bytes_unref (line->text);
  g_array_unref (line->members);
  g_free (line);
}

guint64
gst_cca_broker_line_utc (const GstCcaBrokerLine *line)
{
  return line->utc;
}

/* --- Values of placeholders -------------------------------------------------------------------------- */

typedef struct
{
  const GArray *members;
  const gchar *zone; /* or NULL */
} Values;

static gchar *
find_value (const gchar *name, gpointer data)
{
  const Values *values = data;

  if (strcmp (name, "zone") == 0)
    return g_strdup (values->zone);
  return gst_cca_slice_text (gst_cca_slices_find (values->members, name));
}

gchar *
gst_cca_broker_line_expand (const GstCcaBrokerLine *line, const GstCcaTemplate *text, const gchar *zone,
                            gboolean (*is_allowed) (gunichar c))
{
  Values values = { .members = line->members, .zone = zone };

  return gst_cca_template_expand (text, find_value, &values, is_allowed);
}

/* --- Messages of lines ------------------------------------------------------------------------------- */

GPtrArray *
gst_cca_broker_line_objects (const GstCcaBrokerLine *line, const gchar *name)
{
  const GstCcaSlice text = gst_cca_slices_find (line->members, name);
  g_autoptr (GArray) items = text.text && text.text[0] == '[' ? gst_cca_slices (text) : NULL;
  GPtrArray *objects = g_ptr_array_new_with_free_func ((GDestroyNotify) g_array_unref);

  for (guint i = 0; items && i < items->len; i++) {
    const GstCcaSlice item = g_array_index (items, GstCcaMember, i).value;
    GArray *members = item.text[0] == '{' ? gst_cca_slices (item) : NULL;

    if (members)
      g_ptr_array_add (objects, members);
  }
  return objects;
}

GBytes *
gst_cca_broker_line_with (const GstCcaBrokerLine *line, const GArray *members, const gchar *joined)
{
  GString *text = g_string_new ("{");

  for (guint i = 0; i < G_N_ELEMENTS (FRAME_MEMBERS); i++) {
    const GstCcaSlice value = gst_cca_slices_find (line->members, FRAME_MEMBERS[i]);

    if (!value.text || gst_cca_slices_find (members, FRAME_MEMBERS[i]).text)
      continue;
    g_string_append_printf (text, "%s\"%s\":", text->len > 1 ? "," : "", FRAME_MEMBERS[i]);
    g_string_append_len (text, value.text, (gssize) value.length);
  }
  g_string_append_printf (text, "%s%s}", text->len > 1 && *joined ? "," : "", joined);
  return g_string_free_to_bytes (text);
}

static GstCcaBrokerMessage *
make_message (const GstCcaBrokerLine *line, const GstCcaBrokerRecipe *recipe, const gchar *zone, GBytes *payload)
{
  gchar *topic = gst_cca_broker_line_expand (line, recipe->topic, zone, recipe->is_topic_char);
  gchar *key = recipe->key ? gst_cca_broker_line_expand (line, recipe->key, zone, NULL) : NULL;

  return gst_cca_broker_message_new (topic, key, payload, line->utc, FALSE);
}

static void
add_events (const GstCcaBrokerLine *line, const GstCcaBrokerRecipe *recipe, GPtrArray *messages)
{
  g_autoptr (GPtrArray) events = gst_cca_broker_line_objects (line, "events");

  for (guint i = 0; i < events->len; i++) {
    g_autofree gchar *joined = gst_cca_slices_join (events->pdata[i], NULL);
    g_autofree gchar *rule = gst_cca_slices_string (events->pdata[i], "rule");

    g_ptr_array_add (messages,
                     make_message (line, recipe, rule, gst_cca_broker_line_with (line, events->pdata[i], joined)));
  }
}

void
gst_cca_broker_line_messages (const GstCcaBrokerLine *line, const GstCcaBrokerRecipe *recipe, GPtrArray *messages)
{
  if (gst_cca_template_has (recipe->topic, "zone") || (recipe->key && gst_cca_template_has (recipe->key, "zone")))
    add_events (line, recipe, messages);
  else
    g_ptr_array_add (messages, make_message (line, recipe, NULL, g_bytes_ref (line->text)));
}
