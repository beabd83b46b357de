/* gst-cca: templates, and the messages made of lines of JSON
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include <string.h>

#include "../../add-tests.h"
#include "message.h"

/* --- Templates --------------------------------------------------------------------------------------- */

static gchar *
value_of (const gchar *name, gpointer data)
{
  return strcmp (name, "missing") == 0 ? NULL : g_strdup (data ? data : name);
}

static gboolean
is_letter (gunichar c)
{
  return g_unichar_isalpha (c);
}

static void
check_expanded (const gchar *text, const gchar *value, gboolean (*is_allowed) (gunichar c), const gchar *expected)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GstCcaTemplate) template = gst_cca_template_parse (text, &error);
  g_autofree gchar *expanded = NULL;

  g_assert_no_error (error);
  expanded = gst_cca_template_expand (template, value_of, (gpointer) value, is_allowed);
  g_assert_cmpstr (expanded, ==, expected);
}

static void
test_template_expand (void)
{
  check_expanded ("", NULL, NULL, "");
  check_expanded ("literal/topic", NULL, NULL, "literal/topic");
  check_expanded ("{camera}", NULL, NULL, "camera");
  check_expanded ("a/{camera}{zone}/{stream-time_2}z", NULL, NULL, "a/camerazone/stream-time_2z");
  check_expanded ("{x}", "a/b+c#d", is_letter, "a_b_c_d");
  check_expanded ("/{x}/", "Straße", is_letter, "/Straße/");
  check_expanded ("{x}", "\xff\xfe", NULL, "\xef\xbf\xbd\xef\xbf\xbd"); /* not UTF-8 */
  check_expanded ("a/{missing}", NULL, NULL, "a/_");
  check_expanded ("a/{x}", "", NULL, "a/_");
}

static void
test_template_errors (void)
{
  static const struct
  {
    const gchar *text, *place;
  } cases[] = {
    { "a{", "character 2" },      { "a}", "character 2" },   { "{}", "character 2" },    { "{a{b}}", "character 3" },
    { "x/{a b}", "character 5" }, { "{a}}", "character 4" }, { "{a/b}", "character 3" }, { "ok/{cam", "character 4" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_autoptr (GError) error = NULL;

    g_assert_null (gst_cca_template_parse (cases[i].text, &error));
    g_assert_error (error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE);
    g_assert_nonnull (strstr (error->message, cases[i].place));
  }
}

static void
test_template_names (void)
{
  g_autoptr (GstCcaTemplate) template = gst_cca_template_parse ("a/{camera}/{zone}", NULL);
  g_autoptr (GstCcaTemplate) literal = gst_cca_template_parse ("camera", NULL);
  g_autoptr (GstCcaTemplate) empty = gst_cca_template_parse ("", NULL);

  g_assert_cmpstr (gst_cca_template_first (template), ==, "camera");
  g_assert_true (gst_cca_template_has (template, "zone"));
  g_assert_false (gst_cca_template_has (template, "a/"));
  g_assert_null (gst_cca_template_first (literal));
  g_assert_false (gst_cca_template_has (literal, "camera"));
  g_assert_null (gst_cca_template_first (empty));
}

/* --- Lines ------------------------------------------------------------------------------------------- */

#define EVENTS                                                                                                         \
  "\"events\":[{\"type\":\"cross\",\"rule\":\"gate #1\",\"track-id\":7,\"direction\":\"forward\"},"                    \
  "{\"type\":\"motion-on\",\"rule\":\"yard\"}]"
#define FRAME                                                                                                          \
  "\"camera\":\"north\",\"id\":\"cca0\",\"timestamp\":40,\"stream-time\":41,\"running-time\":42,"                      \
  "\"utc\":\"2026-11-23T09:00:00.123456Z\",\"utc-source\":\"clock\",\"width\":768"

static GstCcaBrokerLine *
parse (const gchar *text, GError **error)
{
  g_autoptr (GBytes) bytes = g_bytes_new (text, strlen (text));

  return gst_cca_broker_line_parse (bytes, error);
}

static gboolean
is_topic_char (gunichar c)
{
  return c != '#' && c != '/';
}

/* A line whose writer says where its members end makes the same messages. */
static void
check_marked (const gchar *text, guint64 utc, const GstCcaBrokerRecipe *recipe, const GPtrArray *messages)
{
  g_autoptr (GBytes) bytes = g_bytes_new (text, strlen (text));
  g_autoptr (GArray) members = gst_cca_slices ((GstCcaSlice) { text, strlen (text) });
  g_autoptr (GArray) ends = g_array_new (FALSE, FALSE, sizeof (gsize));
  g_autoptr (GstCcaBrokerLine) line = NULL;
  g_autoptr (GPtrArray) same = g_ptr_array_new_with_free_func ((GDestroyNotify) gst_cca_broker_message_free);

  for (guint i = 0; i < members->len; i++) {
    const GstCcaSlice whole = g_array_index (members, GstCcaMember, i).whole;
    const gsize end = (gsize) (whole.text + whole.length - text);

    g_array_append_val (ends, end);
  }
  line = gst_cca_broker_line_new (bytes, (const gsize *) (gpointer) ends->data, ends->len, utc);
  if (!line) {
    g_assert_true (strpbrk (text, " \t")); /* writers that know the ends write no spaces */
    return;
  }
  gst_cca_broker_line_messages (line, recipe, same);
  g_assert_cmpuint (same->len, ==, messages->len);
  for (guint i = 0; i < same->len; i++) {
    const GstCcaBrokerMessage *a = same->pdata[i], *b = messages->pdata[i];

    g_assert_cmpstr (a->topic, ==, b->topic);
    g_assert_cmpstr (a->key, ==, b->key);
    g_assert_cmpuint (a->utc, ==, b->utc);
    g_assert_true (g_bytes_equal (a->payload, b->payload));
  }
}

/* Places that do not fit the text make no line. */
static void
test_marked_wrong (void)
{
  static const struct
  {
    const gchar *text;
    gsize ends[2];
    guint n;
  } cases[] = {
    { "{\"a\":1,\"b\":2}", { 6, 12 }, 2 }, /* right */
    { "{\"a\":1,\"b\":2}", { 6, 0 }, 1 },  /* the text is longer */
    { "{\"a\":1,\"b\":2}", { 6, 13 }, 2 }, /* behind the text */
    { "{\"a\":1,\"b\":2}", { 12, 6 }, 2 },
    { "{\"a\":1,\"b\":2}", { 5, 12 }, 2 },
    { "{\"a\":1,\"b\":2]", { 6, 12 }, 2 },
    { "[\"a\":1,\"b\":2}", { 6, 12 }, 2 },
    { "{\"a\":1,\"b\"2:}", { 6, 12 }, 2 },
    { "{\"a\":1,\"b2:3}", { 6, 12 }, 2 },
    { "{\"a\":}", { 5, 0 }, 1 },
    { "{}", { 1, 0 }, 1 },
    { "", { 0, 0 }, 0 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_autoptr (GBytes) bytes = g_bytes_new (cases[i].text, strlen (cases[i].text));
    g_autoptr (GstCcaBrokerLine) line = gst_cca_broker_line_new (bytes, cases[i].ends, cases[i].n, 7);

    g_test_message ("case %u: %s", i, cases[i].text);
    g_assert_true ((line != NULL) == (i == 0));
    if (line)
      g_assert_cmpuint (gst_cca_broker_line_utc (line), ==, 7);
  }
}

static GPtrArray *
messages_of (const gchar *text, const gchar *topic, const gchar *key)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GstCcaBrokerLine) line = parse (text, &error);
  GPtrArray *messages = g_ptr_array_new_with_free_func ((GDestroyNotify) gst_cca_broker_message_free);
  GstCcaBrokerRecipe recipe = { .is_topic_char = is_topic_char };

  g_assert_no_error (error);
  recipe.topic = gst_cca_template_parse (topic, NULL);
  recipe.key = key ? gst_cca_template_parse (key, NULL) : NULL;
  gst_cca_broker_line_messages (line, &recipe, messages);
  check_marked (text, gst_cca_broker_line_utc (line), &recipe, messages);
  gst_cca_template_free (recipe.topic);
  gst_cca_template_free (recipe.key);
  return messages;
}

static void
check_message (const GPtrArray *messages, guint index, const gchar *topic, const gchar *key, const gchar *payload)
{
  const GstCcaBrokerMessage *message = messages->pdata[index];
  g_autoptr (GBytes) expected = g_bytes_new (payload, strlen (payload));

  g_assert_cmpstr (message->topic, ==, topic);
  g_assert_cmpstr (message->key, ==, key);
  g_assert_true (g_bytes_equal (message->payload, expected));
  g_assert_false (message->retain);
}

static void
test_line_whole (void)
{
  static const gchar line[] = "{" FRAME "," EVENTS "}";
  g_autoptr (GPtrArray) messages = messages_of (line, "cca/{camera}/{width}/{id}", "{camera}");

  g_assert_cmpuint (messages->len, ==, 1);
  check_message (messages, 0, "cca/north/768/cca0", "north", line); /* as it came, not written anew */
  g_assert_cmpuint (((GstCcaBrokerMessage *) messages->pdata[0])->utc, ==, G_GUINT64_CONSTANT (1795424400123456000));
}

static void
check_events (const gchar *topic, const gchar *key, const gchar *first_topic, const gchar *first_key)
{
  static const gchar frame[] = "{\"camera\":\"north\",\"id\":\"cca0\",\"timestamp\":40,\"stream-time\":41,"
                               "\"running-time\":42,\"utc\":\"2026-11-23T09:00:00.123456Z\",\"utc-source\":\"clock\",";
  g_autoptr (GPtrArray) messages = messages_of ("{" FRAME "," EVENTS "}", topic, key);
  g_autofree gchar *cross =
      g_strconcat (frame, "\"type\":\"cross\",\"rule\":\"gate #1\",\"track-id\":7,\"direction\":\"forward\"}", NULL);
  g_autofree gchar *motion = g_strconcat (frame, "\"type\":\"motion-on\",\"rule\":\"yard\"}", NULL);
  GstCcaBrokerMessage *last;

  g_assert_cmpuint (messages->len, ==, 2);
  check_message (messages, 0, first_topic, first_key, cross);
  last = messages->pdata[1];
  g_assert_true (strstr (last->topic, "yard") || strstr (last->key, "yard"));
  check_message (messages, 1, last->topic, last->key, motion);
  g_assert_cmpuint (last->utc, ==, G_GUINT64_CONSTANT (1795424400123456000));
}

static void
test_line_events (void)
{
  check_events ("cca/{camera}/{zone}", NULL, "cca/north/gate _1", NULL);
  check_events ("cca", "{camera}/{zone}", "cca", "north/gate #1"); /* keys may have any character */
}

static void
test_line_without_events (void)
{
  g_autoptr (GPtrArray) none = messages_of ("{" FRAME "}", "{zone}", NULL);
  g_autoptr (GPtrArray) strange = messages_of ("{\"events\":[1,\"a\",null,[]]}", "{zone}", NULL);
  g_autoptr (GPtrArray) no_array = messages_of ("{\"events\":{}}", "{zone}", NULL);
  g_autoptr (GPtrArray) no_rule = messages_of ("{\"events\":[{\"type\":\"cross\"}]}", "{zone}", NULL);

  g_assert_cmpuint (none->len, ==, 0);
  g_assert_cmpuint (strange->len, ==, 0);
  g_assert_cmpuint (no_array->len, ==, 0);
  g_assert_cmpuint (no_rule->len, ==, 1);
  check_message (no_rule, 0, "_", NULL, "{\"type\":\"cross\"}");
}

static void
test_line_values (void)
{
  static const gchar line[] = "{\"s\":\"a\\u0000b\",\"i\":-3,\"d\":0.5,\"b\":true,\"n\":null,\"o\":{},\"camera\":5}";
  g_autoptr (GPtrArray) messages = messages_of (line, "{i}|{d}|{b}|{n}|{o}|{camera}|{nowhere}", NULL);

  check_message (messages, 0, "-3|0.5|_|_|_|5|_", NULL, line);
}

static void
test_line_escapes (void)
{
  g_autoptr (GPtrArray) messages =
      messages_of ("{\"camera\":\"\\\"\\\\\\n\\u00e4\\ud83d\\ude97\",\"events\":[{\"rule\":\"a\\t\\u0062\"}]}",
                   "{zone}", "{camera}");

  check_message (messages, 0, "a\tb", "\"\\\nä🚗",
                 "{\"camera\":\"\\\"\\\\\\n\\u00e4\\ud83d\\ude97\",\"rule\":\"a\\t\\u0062\"}");
}

/* A part of a line is as it was written: numbers of any size, and escapes. */
static void
test_line_digits (void)
{
#define DIGITS "\"x\":1e-99,\"y\":1e999,\"n\":18446744073709551617,\"s\":\"a\\u0000\\/b\",\"deep\" : [{ } ,[\"]\"]]"
  g_autoptr (GPtrArray) messages = messages_of ("{\"camera\":\"a\", \"timestamp\" : 18446744073709551615,"
                                                "\"events\":[7,{\"rule\":\"z\"," DIGITS "},{\"id\":3}],\"id\":9}",
                                                "{zone}", NULL);

  g_assert_cmpuint (messages->len, ==, 2);
  check_message (messages, 0, "z", NULL,
                 "{\"camera\":\"a\",\"id\":9,\"timestamp\":18446744073709551615,\"rule\":\"z\"," DIGITS "}");
  check_message (messages, 1, "_", NULL, "{\"camera\":\"a\",\"timestamp\":18446744073709551615,\"id\":3}");
}

static void
test_line_errors (void)
{
  static const gchar *const cases[] = { "", " ", "[]", "1", "\"a\"", "{\"a\":}", "{\"a\":1", "nonsense" };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_autoptr (GError) error = NULL;

    g_test_message ("'%s'", cases[i]);
    g_assert_null (parse (cases[i], &error));
    g_assert_nonnull (error);
  }
}

/* The parser would recurse as deeply, and end the process. */
static void
test_line_depth (void)
{
  for (guint i = 0; i < 2; i++) {
    const guint n = i == 0 ? 63 : 100000;
    g_autofree gchar *open = g_strnfill (n, '['), *close = g_strnfill (n, ']');
    g_autofree gchar *line = g_strdup_printf ("{\"a\":%s%s}", open, close);
    g_autoptr (GError) error = NULL;
    g_autoptr (GstCcaBrokerLine) parsed = parse (line, &error);

    if (i == 0)
      g_assert_no_error (error);
    else
      g_assert_cmpstr (error->message, ==, "more than 64 arrays and objects are in each other");
  }
}

static void
test_line_utc (void)
{
  static const struct
  {
    const gchar *line;
    guint64 utc;
  } cases[] = {
    { "{}", GST_CCA_BROKER_NO_TIME },
    { "{\"utc\":5}", GST_CCA_BROKER_NO_TIME },
    { "{\"utc\":\"yesterday\"}", GST_CCA_BROKER_NO_TIME },
    { "{\"utc\":\"1969-12-31T23:59:59Z\"}", GST_CCA_BROKER_NO_TIME },
    { "{\"utc\":\"9999-12-31T23:59:59Z\"}", GST_CCA_BROKER_NO_TIME }, /* more ns than fit */
    { "{\"utc\":\"1970-01-01T00:00:00Z\"}", 0 },
    { "{\"utc\":\"1970-01-01T01:00:01.5+01:00\"}", G_GUINT64_CONSTANT (1500000000) },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_autoptr (GstCcaBrokerLine) line = parse (cases[i].line, NULL);

    g_assert_cmpuint (gst_cca_broker_line_utc (line), ==, cases[i].utc);
  }
}

CASES_MAIN ()
{
  g_test_add_func ("/broker/messages/marked-wrong", test_marked_wrong);
  g_test_add_func ("/template/expand", test_template_expand);
  g_test_add_func ("/template/errors", test_template_errors);
  g_test_add_func ("/template/names", test_template_names);
  g_test_add_func ("/line/whole", test_line_whole);
  g_test_add_func ("/line/events", test_line_events);
  g_test_add_func ("/line/without-events", test_line_without_events);
  g_test_add_func ("/line/values", test_line_values);
  g_test_add_func ("/line/digits", test_line_digits);
  g_test_add_func ("/line/escapes", test_line_escapes);
  g_test_add_func ("/line/errors", test_line_errors);
  g_test_add_func ("/line/depth", test_line_depth);
  g_test_add_func ("/line/utc", test_line_utc);
}
