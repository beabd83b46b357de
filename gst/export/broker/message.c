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
  JsonNode *root;  /* an object */
  GArray *members; /* of it: GstCcaMember */
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

static const gchar *
string_member (JsonObject *object, const gchar *name)
{
  JsonNode *node = json_object_get_member (object, name);

  return node && JSON_NODE_HOLDS_VALUE (node) ? json_node_get_string (node) : NULL;
}

static guint64
parse_utc (const gchar *text)
{
  g_autoptr (GDateTime) time = text ? g_date_time_new_from_iso8601 (text, NULL) : NULL;

  if (!time || g_date_time_to_unix (time) < 0 || (guint64) g_date_time_to_unix (time) >= G_MAXUINT64 / NS_PER_SECOND)
    return GST_CCA_BROKER_NO_TIME;
  return (guint64) g_date_time_to_unix (time) * NS_PER_SECOND + (guint64) g_date_time_get_microsecond (time) * 1000;
}

GstCcaBrokerLine *
gst_cca_broker_line_parse (GBytes *text, GError **error)
{
  g_autoptr (JsonNode) root = NULL;
  g_autoptr (GArray) members = NULL;
  GstCcaBrokerLine *line;
  gsize size;
  const gchar *data = g_bytes_get_data (text, &size);

  root = gst_cca_parse_json (data ? data : "", size, TRUE, NULL, error);
  if (!root)
    return NULL;
  members = gst_cca_slices ((GstCcaSlice) { data, size });
  if (!members || !JSON_NODE_HOLDS_OBJECT (root)) {
    g_set_error (error, JSON_PARSER_ERROR, JSON_PARSER_ERROR_PARSE, "the line is not an object");
    return NULL;
  }
  line = g_new (GstCcaBrokerLine, 1);
  line->text = g_bytes_ref (text);
  line->root = g_steal_pointer (&root);
  line->members = g_steal_pointer (&members);
  line->utc = parse_utc (string_member (json_node_get_object (line->root), "utc"));
  return line;
}

void
gst_cca_broker_line_free (GstCcaBrokerLine *line)
{
  if (!line)
    return;
  g_bytes_unref (line->text);
  json_node_unref (line->root);
  g_array_unref (line->members);
  g_free (line);
}

JsonObject *
gst_cca_broker_line_object (const GstCcaBrokerLine *line)
{
  return json_node_get_object (line->root);
}

guint64
gst_cca_broker_line_utc (const GstCcaBrokerLine *line)
{
  return line->utc;
}

/* --- Values of placeholders -------------------------------------------------------------------------- */

typedef struct
{
  JsonObject *object;
  const gchar *zone; /* or NULL */
} Values;

static gchar *
find_value (const gchar *name, gpointer data)
{
  const Values *values = data;
  JsonNode *node = json_object_get_member (values->object, name);
  gchar number[G_ASCII_DTOSTR_BUF_SIZE];

  if (strcmp (name, "zone") == 0)
    return g_strdup (values->zone);
  if (!node || !JSON_NODE_HOLDS_VALUE (node))
    return NULL;
  switch (json_node_get_value_type (node)) {
    case G_TYPE_STRING: return g_strdup (json_node_get_string (node));
    case G_TYPE_INT64: return g_strdup_printf ("%" G_GINT64_FORMAT, json_node_get_int (node));
    case G_TYPE_DOUBLE: return g_strdup (g_ascii_dtostr (number, sizeof number, json_node_get_double (node)));
    default: return NULL;
  }
}

gchar *
gst_cca_broker_line_expand (const GstCcaBrokerLine *line, const GstCcaTemplate *text, const gchar *zone,
                            gboolean (*is_allowed) (gunichar c))
{
  Values values = { .object = gst_cca_broker_line_object (line), .zone = zone };

  return gst_cca_template_expand (text, find_value, &values, is_allowed);
}

/* --- Messages of lines ------------------------------------------------------------------------------- */

GArray *
gst_cca_broker_line_items (const GstCcaBrokerLine *line, const gchar *name, JsonArray **nodes)
{
  JsonNode *node = json_object_get_member (gst_cca_broker_line_object (line), name);
  const GstCcaSlice text = gst_cca_slices_find (line->members, name);
  g_autoptr (GArray) items = NULL;

  if (!text.text || !node || !JSON_NODE_HOLDS_ARRAY (node))
    return NULL;
  *nodes = json_node_get_array (node);
  items = gst_cca_slices (text);
  return items && items->len == json_array_get_length (*nodes) ? g_steal_pointer (&items) : NULL;
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
  JsonArray *nodes;
  g_autoptr (GArray) events = gst_cca_broker_line_items (line, "events", &nodes);

  for (guint i = 0; events && i < events->len; i++) {
    JsonNode *node = json_array_get_element (nodes, i);
    g_autoptr (GArray) members = gst_cca_slices (g_array_index (events, GstCcaMember, i).value);

    if (members && JSON_NODE_HOLDS_OBJECT (node)) {
      g_autofree gchar *joined = gst_cca_slices_join (members, NULL);

      g_ptr_array_add (messages, make_message (line, recipe, string_member (json_node_get_object (node), "rule"),
                                               gst_cca_broker_line_with (line, members, joined)));
    }
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
