/* gst-cca: a template and a line of JSON, as a broker's sink makes messages of them
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The input is the template up to a byte of 0, and the line.
 */
#include <string.h>

#include "fuzz.h"
#include "gst/common/gstccaparse.h"
#include "discovery.h"
#include "states.h"

#define MAX_ENDS 20

/* As a topic has them. */
static gboolean
is_topic_char (gunichar c)
{
  return c != '/' && c != '+' && c != '#' && !g_unichar_iscntrl (c);
}

/* --- Parsed nodes ------------------------------------------------------------------------------------ */

static void check_node (JsonNode *node, guint depth);

static void
check_member (JsonObject *object, const gchar *name, JsonNode *node, gpointer depth)
{
  if (!g_utf8_validate (name, -1, NULL))
    fuzz_fail ("a member's name is not UTF-8");
  check_node (node, GPOINTER_TO_UINT (depth) + 1);
}

static void
check_element (JsonArray *array, guint index, JsonNode *node, gpointer depth)
{
  check_node (node, GPOINTER_TO_UINT (depth) + 1);
}

static void
check_node (JsonNode *node, guint depth)
{
  if (!JSON_NODE_HOLDS_VALUE (node) && !JSON_NODE_HOLDS_NULL (node) && depth > GST_CCA_PARSE_MAX_DEPTH)
    fuzz_fail ("arrays and objects are in each other without end");
  if (JSON_NODE_HOLDS_OBJECT (node))
    json_object_foreach_member (json_node_get_object (node), check_member, GUINT_TO_POINTER (depth));
  else if (JSON_NODE_HOLDS_ARRAY (node))
    json_array_foreach_element (json_node_get_array (node), check_element, GUINT_TO_POINTER (depth));
  else if (JSON_NODE_HOLDS_VALUE (node) && json_node_get_value_type (node) == G_TYPE_STRING
           && !g_utf8_validate (json_node_get_string (node), -1, NULL))
    fuzz_fail ("a string is not UTF-8");
}

/* --- Messages ---------------------------------------------------------------------------------------- */

static void
check_message (const GstCcaBrokerMessage *message, const GstCcaTemplate *topic, GBytes *line)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GstCcaBrokerLine) payload = gst_cca_broker_line_parse (message->payload, &error);
  g_autofree gchar *sample = gst_cca_template_expand (topic, NULL, NULL, NULL);

  if (!payload)
    fuzz_fail ("a payload is no line of JSON");
  if (!g_utf8_validate (message->topic, -1, NULL) || strlen (message->topic) < strlen (sample))
    fuzz_fail ("a topic is not what its template says");
  if (!gst_cca_template_first (topic) && !g_str_equal (message->topic, sample))
    fuzz_fail ("a topic without placeholders differs");
  if (message->payload != line && gst_cca_broker_message_size (message) < g_bytes_get_size (message->payload))
    fuzz_fail ("a message is smaller than its payload");
}

/* Known counters are not new a second time. */
static void
check_counters (const GstCcaBrokerLine *line, const GstCcaTemplate *topic)
{
  const GstCcaBrokerTopics topics = { topic, is_topic_char };
  g_autoptr (GstCcaBrokerRetained) retained = gst_cca_broker_retained_new ();
  g_autoptr (GPtrArray) first = g_ptr_array_new_with_free_func ((GDestroyNotify) gst_cca_broker_message_free);
  g_autoptr (GPtrArray) second = g_ptr_array_new_with_free_func ((GDestroyNotify) gst_cca_broker_message_free);
  g_autoptr (GHashTable) told = g_hash_table_new (g_str_hash, g_str_equal);

  gst_cca_broker_counters_tell (line, topics, retained, first);
  for (guint i = 0; i < first->len; i++) {
    const GstCcaBrokerMessage *message = first->pdata[i];

    check_message (message, topic, NULL);
    g_hash_table_add (told, message->topic);
  }
  gst_cca_broker_counters_tell (line, topics, retained, second);
  if (g_hash_table_size (told) == first->len && second->len > 0)
    fuzz_fail ("counters are told twice");
  g_ptr_array_set_size (second, 0);
  gst_cca_broker_retained_repeat (retained, second);
  if (second->len != g_hash_table_size (told))
    fuzz_fail ("not every topic's counters are repeated");
}

/* The state of the camera and its sensors are JSON, told once. */
static void
check_states (const GstCcaBrokerLine *line, GstCcaTemplate *topic)
{
  const GstCcaBrokerTopics topics = { topic, is_topic_char };
  const GstCcaBrokerDiscoveryOptions options = { "prefix", "1", topic, topic, is_topic_char };
  g_autoptr (GstCcaBrokerRetained) retained = gst_cca_broker_retained_new ();
  g_autoptr (GstCcaBrokerCameras) cameras = gst_cca_broker_cameras_new ();
  g_autoptr (GstCcaBrokerDiscovery) discovery = gst_cca_broker_discovery_new (&options);
  g_autoptr (GPtrArray) messages = g_ptr_array_new_with_free_func ((GDestroyNotify) gst_cca_broker_message_free);

  gst_cca_broker_cameras_set_health (cameras, "well", retained, messages);
  if (messages->len > 0)
    fuzz_fail ("a camera has a state before its first line");
  gst_cca_broker_cameras_tell (cameras, line, topics, retained, messages);
  if (messages->len != 1)
    fuzz_fail ("a camera has not one state");
  check_message (messages->pdata[0], topic, NULL);
  gst_cca_broker_discovery_tell (discovery, line, "status", TRUE, retained, messages);
  for (guint i = 1; i < messages->len; i++) {
    const GstCcaBrokerMessage *message = messages->pdata[i];
    g_autoptr (GstCcaBrokerLine) payload = gst_cca_broker_line_parse (message->payload, NULL);

    if (!payload || !g_str_is_ascii (message->topic) || !g_str_has_suffix (message->topic, "/config"))
      fuzz_fail ("a sensor is no JSON, or its topic is none");
  }
  g_ptr_array_set_size (messages, 0);
  gst_cca_broker_discovery_tell (discovery, line, "status", TRUE, retained, messages);
  gst_cca_broker_cameras_tell (cameras, line, topics, retained, messages);
  if (messages->len > 0)
    fuzz_fail ("what has not changed is told twice");
}

/* Others are refused as properties. */
static gboolean
is_topic (GstCcaTemplate *topic)
{
  g_autofree gchar *sample = gst_cca_template_expand (topic, NULL, NULL, NULL);

  for (const gchar *c = sample; *c; c = g_utf8_next_char (c))
    if (g_unichar_iscntrl (g_utf8_get_char (c)))
      return FALSE;
  return TRUE;
}

static void
make_messages (const GstCcaBrokerLine *line, GstCcaTemplate *topic, GBytes *text, gboolean checked)
{
  g_autoptr (GPtrArray) messages = g_ptr_array_new_with_free_func ((GDestroyNotify) gst_cca_broker_message_free);
  const GstCcaBrokerRecipe recipe = { .topic = topic, .key = topic, .is_topic_char = is_topic_char };

  gst_cca_broker_line_messages (line, &recipe, messages);
  if (!gst_cca_template_has (topic, "zone") && messages->len != 1)
    fuzz_fail ("a line is not one message");
  for (guint i = 0; checked && i < messages->len; i++)
    check_message (messages->pdata[i], topic, text);
  if (checked) {
    check_counters (line, topic);
    if (is_topic (topic))
      check_states (line, topic);
  }
}

/* Takes each comma, and the last byte, for the end of a member. */
static guint
find_ends (const gchar *data, gsize size, gsize *ends)
{
  guint n = 0;

  for (gsize i = 0; i < size && n < MAX_ENDS; i++)
    if (data[i] == ',' || i + 1 == size)
      ends[n++] = i;
  return n;
}

static void
run_line (GstCcaTemplate *topic, GBytes *text)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GstCcaBrokerLine) line = gst_cca_broker_line_parse (text, &error);
  gsize size, ends[MAX_ENDS];
  const gchar *data = g_bytes_get_data (text, &size);
  const guint n = find_ends (data, size, ends);
  g_autoptr (GstCcaBrokerLine) marked = gst_cca_broker_line_new (text, ends, n, 0);

  if ((line == NULL) != (error != NULL))
    fuzz_fail ("a line with an error, or none without");
  if (line) {
    g_autoptr (JsonNode) root = gst_cca_parse_json (data, size, TRUE, NULL, NULL);

    check_node (root, 1);
    make_messages (line, topic, text, TRUE);
  }
  if (marked)
    make_messages (marked, topic, text, FALSE); /* whatever it is, it does no harm */
}

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  const uint8_t *end = size > 0 ? memchr (data, 0, size) : NULL;
  const gsize length = end ? (gsize) (end - data) : size, rest = end ? length + 1 : size;
  g_autofree gchar *text = g_strndup ((const gchar *) data, length);
  g_autoptr (GBytes) line = g_bytes_new (data + rest, size - rest);
  g_autoptr (GError) error = NULL;
  g_autoptr (GstCcaTemplate) topic = NULL;

  /* Properties that are no UTF-8 are refused elsewhere. */
  if (!g_utf8_validate (text, -1, NULL))
    return 0;
  topic = gst_cca_template_parse (text, &error);
  if ((topic == NULL) != (error != NULL))
    fuzz_fail ("a template with an error, or none without");
  if (topic)
    run_line (topic, line);
  return 0;
}
