/* gst-cca: feeds a sink from standard input, and tells what it posts
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * usage: feed [--set=PROPERTY=VALUE] ELEMENT [CAPS]    ELEMENT as in gst-launch-1.0; application/x-ndjson unless CAPS
 * are given. --set sets a string as a program does, so that GStreamer's log does not have it.
 *
 * Each line of standard input becomes a buffer, with its newline, except for commands:
 *
 *   !stats    tell the element's stats
 *   !get P    tell the property P, as gst-launch-1.0 writes values
 *   !dot      draw the pipeline into $GST_DEBUG_DUMP_DOT_DIR/feed.dot
 *   !rate N   push no faster than N buffers a second from now on; 0: as fast as it goes
 *   !eos      end the stream; the end of the input does so, too
 *
 * Standard output has a line of JSON for each thing that is told: {"stats": {…}},
 * {"property": "…"}, {"warning": "…", "debug": "…"}, {"error": "…", "debug": "…"}, {"eos": true}, and {"ready": true}
 * when the element plays. Ends with 1 after an error, otherwise with 0.
 */
#include <gst/gst.h>
#include <json-glib/json-glib.h>
#include <stdio.h>

/* A feed that falls behind its rate catches up, us. */
#define MOST_BEHIND (G_USEC_PER_SEC / 10)

/* The time stamps of buffers, which come 25 times a second. */
#define DURATION (GST_SECOND / 25)

typedef struct
{
  GstElement *pipeline, *sink;
  GstPad *pad; /* where buffers come from */
  guint64 n_buffers;
  gint64 pause, next; /* us: between buffers; monotonic, the next one's time */
} Feed;

static GMutex output_lock;

/* Consumes the builder. */
static void
tell (JsonBuilder *builder)
{
  g_autoptr (JsonNode) root = NULL;
  g_autofree gchar *text = NULL;

  json_builder_end_object (builder);
  root = json_builder_get_root (builder);
  text = json_to_string (root, FALSE);
  g_mutex_lock (&output_lock);
  printf ("%s\n", text);
  fflush (stdout);
  g_mutex_unlock (&output_lock);
  g_object_unref (builder);
}

static JsonBuilder *
begin (void)
{
  return json_builder_begin_object (json_builder_new ());
}

static void
tell_true (const gchar *name)
{
  JsonBuilder *builder = begin ();

  json_builder_set_member_name (builder, name);
  tell (json_builder_add_boolean_value (builder, TRUE));
}

static gboolean
add_field (GQuark field, const GValue *value, gpointer user)
{
  JsonBuilder *builder = json_builder_set_member_name (user, g_quark_to_string (field));
  g_auto (GValue) number = G_VALUE_INIT;

  g_value_init (&number, G_TYPE_INT64);
  if (G_VALUE_HOLDS_BOOLEAN (value))
    json_builder_add_boolean_value (builder, g_value_get_boolean (value));
  else if (g_value_transform (value, &number))
    json_builder_add_int_value (builder, g_value_get_int64 (&number));
  else {
    g_autofree gchar *text = g_strdup_value_contents (value);

    json_builder_add_string_value (builder, text);
  }
  return TRUE;
}

static void
tell_stats (Feed *feed)
{
  JsonBuilder *builder = begin ();
  GstStructure *stats = NULL;

  g_object_get (feed->sink, "stats", &stats, NULL);
  json_builder_begin_object (json_builder_set_member_name (builder, "stats"));
  gst_structure_foreach (stats, add_field, builder);
  json_builder_end_object (builder);
  gst_structure_free (stats);
  tell (builder);
}

static void
tell_property (Feed *feed, const gchar *name)
{
  GParamSpec *spec = g_object_class_find_property (G_OBJECT_GET_CLASS (feed->sink), name);
  g_autofree gchar *text = NULL;
  JsonBuilder *builder = begin ();

  if (spec && spec->flags & G_PARAM_READABLE) {
    g_auto (GValue) value = G_VALUE_INIT;

    g_value_init (&value, spec->value_type);
    g_object_get_property (G_OBJECT (feed->sink), name, &value);
    text = gst_value_serialize (&value);
  }
  json_builder_set_member_name (builder, "property");
  tell (text ? json_builder_add_string_value (builder, text) : json_builder_add_null_value (builder));
}

static void
tell_problem (const gchar *kind, const GError *error, const gchar *debug)
{
  JsonBuilder *builder = begin ();

  json_builder_add_string_value (json_builder_set_member_name (builder, kind), error->message);
  tell (json_builder_add_string_value (json_builder_set_member_name (builder, "debug"), debug));
}

static GstBusSyncReply
on_message (GstBus *bus, GstMessage *message, gpointer user)
{
  g_autoptr (GError) error = NULL;
  g_autofree gchar *debug = NULL;

  switch (GST_MESSAGE_TYPE (message)) {
    case GST_MESSAGE_ERROR:
      gst_message_parse_error (message, &error, &debug);
      tell_problem ("error", error, debug);
      g_atomic_int_set ((gint *) user, TRUE);
      break;
    case GST_MESSAGE_WARNING:
      gst_message_parse_warning (message, &error, &debug);
      tell_problem ("warning", error, debug);
      break;
    case GST_MESSAGE_EOS: tell_true ("eos"); break;
    default: break;
  }
  gst_message_unref (message);
  return GST_BUS_DROP;
}

static void
begin_stream (Feed *feed, GstCaps *caps)
{
  g_autoptr (GstPad) sink_pad = gst_element_get_static_pad (feed->sink, "sink");
  GstSegment segment;

  feed->pad = gst_pad_new ("feed", GST_PAD_SRC);
  gst_pad_set_active (feed->pad, TRUE);
  if (gst_pad_link (feed->pad, sink_pad) != GST_PAD_LINK_OK)
    g_error ("The element takes nothing");
  gst_segment_init (&segment, GST_FORMAT_TIME);
  gst_pad_push_event (feed->pad, gst_event_new_stream_start ("feed"));
  gst_pad_push_event (feed->pad, gst_event_new_caps (caps));
  gst_pad_push_event (feed->pad, gst_event_new_segment (&segment));
}

static gboolean
push (Feed *feed, gchar *line, gsize size)
{
  GstBuffer *buffer = gst_buffer_new_wrapped (line, size);

  if (feed->pause > 0) {
    const gint64 now = g_get_monotonic_time ();

    g_usleep ((gulong) MAX (feed->next - now, 0));
    feed->next = MAX (feed->next, now - MOST_BEHIND) + feed->pause;
  }
  GST_BUFFER_PTS (buffer) = feed->n_buffers++ * DURATION;
  GST_BUFFER_DURATION (buffer) = DURATION;
  return gst_pad_push (feed->pad, buffer) == GST_FLOW_OK;
}

/* Returns FALSE at the end of the stream. */
static gboolean
take_line (Feed *feed, gchar *line, gsize size)
{
  guint64 rate;

  if (*line != '!')
    return push (feed, g_memdup2 (line, size), size);
  g_strchomp (line);
  if (g_str_equal (line, "!eos"))
    return FALSE;
  if (g_str_equal (line, "!stats"))
    tell_stats (feed);
  else if (g_str_equal (line, "!dot"))
    gst_debug_bin_to_dot_file (GST_BIN (feed->pipeline), GST_DEBUG_GRAPH_SHOW_VERBOSE, "feed");
  else if (g_str_has_prefix (line, "!get "))
    tell_property (feed, line + strlen ("!get "));
  else if (g_str_has_prefix (line, "!rate ")
           && g_ascii_string_to_unsigned (line + strlen ("!rate "), 10, 0, G_USEC_PER_SEC, &rate, NULL))
    feed->pause = rate > 0 ? G_USEC_PER_SEC / (gint64) rate : 0;
  else
    g_error ("Not understood: %s", line);
  return TRUE;
}

static void
set_property (GstElement *element, const gchar *setting)
{
  g_auto (GStrv) words = g_strsplit (setting, "=", 2);

  g_object_set (element, words[0], words[1], NULL);
}

int
main (int argc, char **argv)
{
  const gchar *setting = argc > 1 && g_str_has_prefix (argv[1], "--set=") ? argv[1] + strlen ("--set=") : NULL;
  g_autoptr (GError) error = NULL;
  g_autoptr (GstCaps) caps = NULL;
  g_autoptr (GstBus) bus = NULL;
  gint failed = FALSE;
  Feed feed = { 0 };
  gchar *line = NULL;
  size_t room = 0;
  ssize_t size;

  argc -= setting != NULL;
  argv += setting != NULL;
  gst_init (NULL, NULL);
  if (argc < 2 || argc > 3) {
    g_printerr ("usage: feed [--set=PROPERTY=VALUE] ELEMENT [CAPS]\n");
    return 2;
  }
  caps = gst_caps_from_string (argc > 2 ? argv[2] : "application/x-ndjson");
  feed.sink = gst_parse_launch (argv[1], &error);
  if (!feed.sink || error) {
    g_printerr ("%s\n", error->message);
    return 2;
  }
  if (setting)
    set_property (feed.sink, setting);
  feed.pipeline = gst_pipeline_new (NULL);
  gst_bin_add (GST_BIN (feed.pipeline), feed.sink);
  bus = gst_pipeline_get_bus (GST_PIPELINE (feed.pipeline));
  gst_bus_set_sync_handler (bus, on_message, &failed, NULL);
  if (gst_element_set_state (feed.pipeline, GST_STATE_PLAYING) != GST_STATE_CHANGE_FAILURE) {
    begin_stream (&feed, caps);
    tell_true ("ready");
    while ((size = getline (&line, &room, stdin)) > 0)
      if (!take_line (&feed, line, (gsize) size))
        break;
    gst_pad_push_event (feed.pad, gst_event_new_eos ());
    tell_stats (&feed);
  }
  gst_element_set_state (feed.pipeline, GST_STATE_NULL);
  g_clear_pointer (&feed.pad, gst_object_unref);
  gst_object_unref (feed.pipeline);
  free (line);
  return g_atomic_int_get (&failed);
}
