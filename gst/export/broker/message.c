/* gst-cca: messages for brokers, made of lines of JSON
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "message.h"

#include "gst/common/gstccaparse.h"

#include <string.h>

/* --- Templates --------------------------------------------------------------------------------------- */

struct _GstCcaTemplate
{
  gchar **parts; /* literal text and names by turns, beginning and ending with text */
};

static gboolean
fail (GError **error, const gchar *text, gsize position, const gchar *what)
{
  g_set_error (error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE, "\"%s\": %s at character %" G_GSIZE_FORMAT, text, what,
               position + 1);
  return FALSE;
}

static gboolean
is_well_formed (const gchar *text, GError **error)
{
  const gchar *open = NULL;

  for (const gchar *c = text; *c; c++) {
    if (*c == '{') {
      if (open)
        return fail (error, text, c - text, "a brace in a placeholder");
      open = c;
    } else if (*c == '}') {
      if (!open)
        return fail (error, text, c - text, "a closing brace without an opening one");
      if (open + 1 == c)
        return fail (error, text, c - text, "a placeholder without a name");
      open = NULL;
    } else if (open && !g_ascii_isalnum (*c) && *c != '-' && *c != '_') {
      return fail (error, text, c - text, "a placeholder's name may contain only letters, digits, '-' and '_'; wrong");
    }
  }
  return !open || fail (error, text, open - text, "an opening brace without a closing one");
}

GstCcaTemplate *
gst_cca_template_parse (const gchar *text, GError **error)
{
  GstCcaTemplate *self;

  if (!is_well_formed (text, error))
    return NULL;
  self = g_new (GstCcaTemplate, 1);
  /* An empty text has no parts, and is none. */
  self->parts = g_strsplit_set (text, "{}", -1);
  return self;
}

void
gst_cca_template_free (GstCcaTemplate *self)
{
  if (!self)
    return;
  g_strfreev (self->parts);
  g_free (self);
}

const gchar *
gst_cca_template_first (const GstCcaTemplate *self)
{
  return self->parts[0] ? self->parts[1] : NULL;
}

gboolean
gst_cca_template_has (const GstCcaTemplate *self, const gchar *name)
{
  for (guint i = 0; self->parts[i]; i++)
    if (i % 2 == 1 && strcmp (self->parts[i], name) == 0)
      return TRUE;
  return FALSE;
}

static void
append_value (GString *text, const gchar *value, gboolean (*is_allowed) (gunichar c))
{
  g_autofree gchar *valid = value ? g_utf8_make_valid (value, -1) : NULL;

  if (!valid || !valid[0])
    g_string_append_c (text, '_');
  for (const gchar *c = valid; c && *c; c = g_utf8_next_char (c)) {
    const gunichar character = g_utf8_get_char (c);

    g_string_append_unichar (text, !is_allowed || is_allowed (character) ? character : '_');
  }
}

gchar *
gst_cca_template_expand (const GstCcaTemplate *self, GstCcaTemplateValue value, gpointer data,
                         gboolean (*is_allowed) (gunichar c))
{
  GString *text = g_string_new (NULL);

  for (guint i = 0; self->parts[i]; i++) {
    if (i % 2 == 0) {
      g_string_append (text, self->parts[i]);
    } else {
      g_autofree gchar *string = value ? value (self->parts[i], data) : NULL;

      append_value (text, string, is_allowed);
    }
  }
  return g_string_free (text, FALSE);
}

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

#define NS_PER_SECOND ((guint64) 1000000000)

struct _GstCcaBrokerLine
{
  GBytes *text;
  GArray *members; /* GstCcaMember */
  guint64 utc;
};

/* The frame's members that every message of a line has. */
static const gchar *const FRAME_MEMBERS[] = { "camera",       "id",  "timestamp", "stream-time",
                                              "running-time", "utc", "utc-source" };

static guint64
parse_utc (const gchar *text)
{
  g_autoptr (GDateTime) time = text ? g_date_time_new_from_iso8601 (text, NULL) : NULL;

  if (!time || g_date_time_to_unix (time) < 0 || (guint64) g_date_time_to_unix (time) >= G_MAXUINT64 / NS_PER_SECOND)
    return GST_CCA_BROKER_NO_TIME;
  return (guint64) g_date_time_to_unix (time) * NS_PER_SECOND + (guint64) g_date_time_get_microsecond (time) * 1000;
}

/* Takes the members. */
static GstCcaBrokerLine *
line_new (GBytes *text, GArray *members, guint64 utc)
{
  GstCcaBrokerLine *line = g_new (GstCcaBrokerLine, 1);

  *line = (GstCcaBrokerLine) { g_bytes_ref (text), members, utc };
  return line;
}

GstCcaBrokerLine *
gst_cca_broker_line_parse (GBytes *text, GError **error)
{
  g_autoptr (JsonNode) root = NULL;
  g_autofree gchar *utc = NULL;
  GArray *members;
  gsize size;
  const gchar *data = g_bytes_get_data (text, &size);

  root = gst_cca_parse_json (data ? data : "", size, TRUE, NULL, error);
  if (!root)
    return NULL;
  members = JSON_NODE_HOLDS_OBJECT (root) ? gst_cca_slices ((GstCcaSlice) { data, size }) : NULL;
  if (!members) {
    g_set_error (error, JSON_PARSER_ERROR, JSON_PARSER_ERROR_PARSE, "the line is not an object");
    return NULL;
  }
  utc = gst_cca_slices_string (members, "utc");
  return line_new (text, members, parse_utc (utc));
}

GstCcaBrokerLine *
gst_cca_broker_line_new (GBytes *text, const gsize *ends, guint n, guint64 utc)
{
  gsize size;
  const gchar *data = g_bytes_get_data (text, &size);
  GArray *members = gst_cca_slices_at ((GstCcaSlice) { data, size }, ends, n);

  return members ? line_new (text, members, utc) : NULL;
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

gchar *
gst_cca_broker_line_text (const GstCcaBrokerLine *line, const gchar *name)
{
  return gst_cca_slice_text (gst_cca_slices_find (line->members, name));
}

gchar *
gst_cca_broker_line_json (const GstCcaBrokerLine *line, const gchar *name)
{
  const GstCcaSlice value = gst_cca_slices_find (line->members, name);

  return value.text ? g_strndup (value.text, value.length) : NULL;
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
