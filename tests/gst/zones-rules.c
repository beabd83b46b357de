/* gst-cca: ccazones: rules, their errors and their exchange while frames pass
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "zones-test.h"

#include <glib/gstdio.h>
#include <string.h>

static gchar *
write_rules (const gchar *text)
{
  GError *error = NULL;
  gchar *path;
  gint file = g_file_open_tmp ("rules-XXXXXX.json", &path, &error);

  g_assert_no_error (error);
  g_close (file, NULL);
  g_assert_true (g_file_set_contents (path, text, -1, NULL));
  return path;
}

static void
test_start_errors (void)
{
  static const struct
  {
    const gchar *text, *error;
  } files[] = {
    { "{\n  \"zones\": [\n    { \"name\": \"a\", }\n  ]\n}\n", "%s: line 3: *" },
    { "{\"zones\": [" ZONE "}, {\"name\": \"b\", \"points\": [[0, 0], [9, -9], [9, 9]]}]}",
      "%s: zones[1].points[1][1]: must be a number of at least 0 and at most 1048576, and is -9" },
    { "{\"zones\": [{\"name\": \"b\", \"dwel\": 3}]}", "%s: zones[0].dwel: is an unknown member" },
  };
  gchar *text;

  text = test_start_error ("ccazones", "rules", NULL);
  g_assert_cmpstr (text, ==, "No rules: set config to a file of rules, or rules to the text of one");
  g_free (text);
  text = test_start_error ("ccazones", "config", "/nowhere/rules.json");
  g_assert_true (g_pattern_match_simple ("/nowhere/rules.json: cannot be read: *No such file*", text));
  g_free (text);
  text = test_start_error ("ccazones", "rules", "{\n\"lines\": 3}");
  g_assert_cmpstr (text, ==, "rules: lines: must be an array of 0 to 256 lines, and is 3");
  g_free (text);
  for (guint i = 0; i < G_N_ELEMENTS (files); i++) {
    g_autofree gchar *path = write_rules (files[i].text);
    gchar **parts = g_strsplit (files[i].error, "%s", 2);

    text = test_start_error ("ccazones", "config", path);
    g_assert_true (g_str_has_prefix (text, path));
    if (!g_pattern_match_simple (parts[1], text + strlen (path)))
      g_error ("error \"%s\", expected \"%s\"", text, files[i].error);
    g_free (text);
    g_strfreev (parts);
    g_unlink (path);
  }
}

static void
test_reload_file (void)
{
  g_autofree gchar *path = write_rules (RULES), *launch = g_strdup_printf ("ccazones config=%s", path);
  g_autoptr (GstHarness) harness = test_harness (launch, test_caps ("GRAY8", WIDTH, HEIGHT, NULL));

  push_track (harness, 0, 1, 150, 100);
  push_track (harness, 1, 1, 150, 160);
  push_track (harness, 2, 1, 150, 180);
  assert_counts (harness, "door", 1, 1, 0);
  assert_counts (harness, "gate", 1, 0, 0);

  /* The gate is the same, the door elsewhere, and there is a window. */
  g_assert_true (g_file_set_contents (path,
                                      "{\"zones\": [{\"name\": \"door\", \"points\": [[0, 0], [9, 0], [9, 9]]}, "
                                      "{\"name\": \"window\"}], \"lines\": [" LINE "]}",
                                      -1, NULL));
  assert_counts (harness, "door", 1, 1, 0);
  g_assert_true (reload (harness->element));
  test_assert_no_message (harness, GST_MESSAGE_WARNING);
  assert_counts (harness, "door", 0, 0, 0);
  assert_counts (harness, "window", 0, 0, 0);
  assert_counts (harness, "gate", 1, 0, 0);
  push_track (harness, 3, 1, 150, 150);
  assert_counts (harness, "gate", 1, 1, 0);
  assert_counts (harness, "window", 0, 0, 1);

  /* Wrong ones leave things as they are. */
  g_assert_true (g_file_set_contents (path, "{\n\n\"lines\": [oops]}", -1, NULL));
  g_assert_false (reload (harness->element));
  test_assert_warning (harness, "/*: line 3: *; keeping the previous rules");
  g_unlink (path);
  g_assert_false (reload (harness->element));
  test_assert_warning (harness, "/*: cannot be read: *; keeping the previous rules");
  push_track (harness, 4, 1, 150, 180);
  assert_counts (harness, "gate", 2, 1, 0);
}

static void
test_reload_property (void)
{
  g_autoptr (GstHarness) harness = harness_with (RULES, "");

  push_track (harness, 0, 1, 150, 100);
  g_object_set (harness->element, "rules", "{\"zones\": [" ZONE ", \"dwell\": 1}]}", NULL);
  test_assert_no_message (harness, GST_MESSAGE_WARNING);
  assert_counts (harness, "door", 1, 0, 1);
  g_assert_cmpuint (counter_of (harness->element, "gate", "n-in"), ==, G_MAXUINT64);
  g_object_set (harness->element, "rules", "{", NULL);
  test_assert_warning (harness, "rules: line 1: *; keeping the previous rules");
  g_object_set (harness->element, "rules", NULL, NULL);
  test_assert_warning (harness, "No rules: *; keeping the previous rules");
  push_track (harness, GST_SECOND, 1, 250, 100);
  assert_counts (harness, "door", 1, 1, 0);
}

/* Inline rules come first. */
static void
test_rules_before_config (void)
{
  g_autoptr (GstHarness) harness = harness_with (RULES, "config=/nowhere/rules.json");

  assert_counts (harness, "gate", 0, 0, 0);
}

static void
test_idle (void)
{
  g_autoptr (GstElement) element = gst_element_factory_make ("ccazones", NULL);
  g_autoptr (GstStructure) structure = NULL;

  g_assert_false (reload (element));
  g_signal_emit_by_name (element, "reset-counts");
  g_object_get (element, "counts", &structure, NULL);
  g_assert_cmpuint (gst_value_list_get_size (gst_structure_get_value (structure, "rules")), ==, 0);
  g_assert_cmpuint (gst_value_list_get_size (gst_structure_get_value (structure, "flows")), ==, 0);
}

static void
test_reset (void)
{
  g_autoptr (GstHarness) harness = harness_with (RULES, "");

  push_track (harness, 0, 1, 150, 100);
  assert_counts (harness, "door", 1, 0, 1);
  g_signal_emit_by_name (harness->element, "reset-counts");
  assert_counts (harness, "door", 0, 0, 1);
}

static gint finished;

/* Reads, resets and reloads while frames pass. */
static gpointer
disturb (gpointer element)
{
  guint n = 0;

  while (!g_atomic_int_get (&finished)) {
    g_assert_cmpuint (counter_of (element, "door", "occupancy"), <=, 1);
    if (++n % 3 == 0)
      reload (element);
    if (n % 5 == 0)
      g_signal_emit_by_name (element, "reset-counts");
    if (n % 7 == 0)
      g_object_set (element, "rules", n % 2 ? RULES : "{\"zones\": [" ZONE "}]}", NULL);
  }
  return GUINT_TO_POINTER (n);
}

static void
test_threads (void)
{
  g_autoptr (GstHarness) harness = harness_with (RULES, "post-messages=false");
  GThread *thread = g_thread_new ("disturb", disturb, harness->element);

  for (guint i = 0; i < 2000; i++) {
    g_autoptr (GstBuffer) buffer = pass_track (harness, i * GST_MSECOND, 1, i % 2 ? 150 : 50, 100);

    g_assert_cmpuint (gst_buffer_get_cca_event_meta (buffer)->n_events, ==, i > 0);
  }
  g_atomic_int_set (&finished, TRUE);
  g_assert_cmpuint (GPOINTER_TO_UINT (g_thread_join (thread)), >, 0);
  test_assert_no_message (harness, GST_MESSAGE_WARNING);
}

GST_TESTS_MAIN ("/zones-rules", test_start_errors, test_reload_file, test_reload_property, test_rules_before_config,
                test_idle, test_reset, test_threads)
