/* gst-cca: gst-cca-find, searches an index for objects that crossed a zone, and for the time when one vanished
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include <gst/gst.h>
#include <stdio.h>
#include <stdlib.h>

#include "gst/export/json/jsonwriter.h"
#include "gstccaindexwalk.h"
#include "gstccatimes.h"
#include "spot.h"

#define DEFAULT_WARM_UP 600.0
#define DEFAULT_LEAST 10.0

static gchar *rules, *box, *from_text, *to_text;
static gdouble warm_up = DEFAULT_WARM_UP, least = DEFAULT_LEAST;
static gboolean list;

static const GOptionEntry entries[] = {
  { "rules", 'r', 0, G_OPTION_ARG_FILENAME, &rules, "Print the events of zones and lines, as ccajson does", "FILE" },
  { "box", 'b', 0, G_OPTION_ARG_STRING, &box, "Print what came to a box, and when it went away", "X,Y,W,H" },
  { "list", 'l', 0, G_OPTION_ARG_NONE, &list, "Print the files: times, frames, bytes", NULL },
  { "from", 'f', 0, G_OPTION_ARG_STRING, &from_text, "From this time on, as 2026-11-23T09:00:00+01:00", "TIME" },
  { "to", 't', 0, G_OPTION_ARG_STRING, &to_text, "Before this time", "TIME" },
  { "warm-up", 'w', 0, G_OPTION_ARG_DOUBLE, &warm_up,
    "Seconds before --from that rules and boxes see, too; -1 for all (default: 600)", "SECONDS" },
  { "least", 'm', 0, G_OPTION_ARG_DOUBLE, &least, "With --box: leave out what came and went sooner (default: 10)",
    "SECONDS" },
  { NULL },
};

/* Prints an error, and ends the program. */
static void G_GNUC_NORETURN G_GNUC_PRINTF (1, 2) fail (const gchar *format, ...)
{
  g_autofree gchar *text = NULL;
  va_list arguments;

  va_start (arguments, format);
  text = g_strdup_vprintf (format, arguments);
  va_end (arguments);
  g_printerr ("gst-cca-find: %s\n", text);
  exit (1);
}

static guint64
time_of (const gchar *option, const gchar *text, guint64 unset)
{
  const guint64 utc = text ? gst_cca_utc_from_string (text) : unset;

  if (text && utc == GST_CLOCK_TIME_NONE)
    fail ("--" GST_CCA_NOT_UTC ", or let `date -Is -d 'last Tuesday 14:00'` do it", option, text);
  return utc;
}

/* Returns when to begin, so that results from `from` on are right. */
static guint64
begin_of (guint64 from)
{
  return warm_up < 0 || from < warm_up * GST_SECOND ? 0 : from - (guint64) (warm_up * GST_SECOND);
}

static GPtrArray *
find_files (const gchar *location)
{
  g_autoptr (GError) error = NULL;
  GPtrArray *files = gst_cca_index_files_find (location, &error);

  if (!files)
    fail ("%s", error->message);
  return files;
}

/* --- Files -------------------------------------------------------------------------------------------- */

static void
add_utc (GString *line, const gchar *name, guint64 utc)
{
  g_autofree gchar *text = utc != GST_CCA_INDEX_NEVER ? gst_cca_utc_to_string (utc) : NULL;

  if (text)
    gst_cca_json_add_string (line, name, text);
}

static void
print_line (GString *line)
{
  gst_cca_json_end (line, '{');
  puts (line->str);
  g_string_truncate (line, 0);
}

static void
print_files (const gchar *location)
{
  static const gchar *const ends[] = { "ended", "open", "damaged" };
  g_autoptr (GPtrArray) files = find_files (location);
  g_autoptr (GString) line = g_string_new (NULL);

  for (guint i = 0; i < files->len; i++) {
    const GstCcaIndexFile *file = g_ptr_array_index (files, i);

    gst_cca_json_begin (line, NULL, '{');
    gst_cca_json_add_string (line, "file", file->path);
    gst_cca_json_add_string (line, "camera", file->camera);
    add_utc (line, "first", file->first_utc);
    add_utc (line, "last", file->last_utc);
    gst_cca_json_add_uint (line, "frames", file->n_frames);
    gst_cca_json_add_uint (line, "bytes", file->size);
    gst_cca_json_add_string (line, "end", ends[file->end]);
    print_line (line);
  }
}

/* --- Rules -------------------------------------------------------------------------------------------- */

/* Drops frames that only warm up. */
static GstPadProbeReturn
drop_early (GstPad *pad, GstPadProbeInfo *info, gpointer from)
{
  static GstStaticCaps caps = GST_STATIC_CAPS ("timestamp/x-unix");
  g_autoptr (GstCaps) reference = gst_static_caps_get (&caps);
  const GstReferenceTimestampMeta *meta =
      gst_buffer_get_reference_timestamp_meta (GST_PAD_PROBE_INFO_BUFFER (info), reference);

  return meta && meta->timestamp < *(guint64 *) from ? GST_PAD_PROBE_DROP : GST_PAD_PROBE_OK;
}

static void
set_string (GstElement *pipeline, const gchar *element, const gchar *property, const gchar *value)
{
  g_autoptr (GstElement) found = gst_bin_get_by_name (GST_BIN (pipeline), element);

  g_object_set (found, property, value, NULL);
}

/* Runs a pipeline to its end. Returns whether nothing failed. */
static gboolean
run (GstElement *pipeline)
{
  g_autoptr (GstBus) bus = gst_element_get_bus (pipeline);
  gboolean done = FALSE, failed = FALSE;

  gst_element_set_state (pipeline, GST_STATE_PLAYING);
  while (!done) {
    g_autoptr (GstMessage) message = gst_bus_timed_pop_filtered (
        bus, GST_CLOCK_TIME_NONE, GST_MESSAGE_EOS | GST_MESSAGE_ERROR | GST_MESSAGE_WARNING);
    g_autoptr (GError) error = NULL;

    failed = GST_MESSAGE_TYPE (message) == GST_MESSAGE_ERROR;
    done = failed || GST_MESSAGE_TYPE (message) == GST_MESSAGE_EOS;
    if (failed)
      gst_message_parse_error (message, &error, NULL);
    else if (!done)
      gst_message_parse_warning (message, &error, NULL);
    if (error)
      g_printerr ("gst-cca-find: %s%s\n", failed ? "" : "warning: ", error->message);
  }
  gst_element_set_state (pipeline, GST_STATE_NULL);
  return !failed;
}

static gboolean
print_events (const gchar *location, guint64 from)
{
  g_autoptr (GPtrArray) files = find_files (location);
  const GstCcaIndexFile *first = g_ptr_array_index (files, 0);
  g_autoptr (GError) error = NULL;
  g_autoptr (GstElement) json = NULL, pipeline = NULL;
  g_autoptr (GstPad) pad = NULL;
  g_autofree gchar *begin = gst_cca_utc_to_string (begin_of (from));

  pipeline = gst_parse_launch ("ccaindexsrc name=src ! ccazones name=zones post-messages=false ! ccajson name=json "
                               "parts=events only-events=true ! fdsink fd=1 sync=false",
                               &error);
  if (error)
    fail ("%s; set GST_PLUGIN_PATH to where the plugins of gst-cca are", error->message);
  set_string (pipeline, "src", "location", location);
  set_string (pipeline, "src", "from", begin);
  set_string (pipeline, "src", "to", to_text);
  set_string (pipeline, "zones", "config", rules);
  set_string (pipeline, "json", "camera", first->camera);
  json = gst_bin_get_by_name (GST_BIN (pipeline), "json");
  pad = gst_element_get_static_pad (json, "sink");
  gst_pad_add_probe (pad, GST_PAD_PROBE_TYPE_BUFFER, drop_early, &from, NULL);
  return run (pipeline);
}

/* --- A box -------------------------------------------------------------------------------------------- */

static void
parse_box (GstCcaBox *parsed)
{
  gchar rest;
  gdouble x, y, width, height;

  if (sscanf (box, "%lf,%lf,%lf,%lf%c", &x, &y, &width, &height, &rest) != 4 || !(width > 0 && height > 0))
    fail ("--box is '%s'; write it as X,Y,WIDTH,HEIGHT, in pixels of the analysed frames, as in 320,200,64,48", box);
  *parsed = (GstCcaBox) { { x, y }, { x + width, y + height } };
}

static void
print_moment (GString *line, const gchar *name, const GstCcaIndexMoment *moment)
{
  if (moment->utc != GST_CCA_INDEX_NEVER)
    add_utc (line, name, moment->utc);
  else if (moment->pts != GST_CCA_INDEX_NEVER)
    gst_cca_json_add_uint (line, name, moment->pts);
}

static void
print_change (GString *line, const gchar *camera, const GstCcaIndexSpotEvent *event, guint64 from)
{
  static const gchar *const kinds[] = { "visited", "stayed", "vanished", "changed" };

  /* It began and ended in the warm-up. */
  if (event->end.utc < from)
    return;
  gst_cca_json_begin (line, NULL, '{');
  gst_cca_json_add_string (line, "camera", camera);
  gst_cca_json_add_string (line, "type", kinds[event->kind]);
  print_moment (line, "utc", &event->at);
  print_moment (line, "begin", &event->begin);
  print_moment (line, "end", &event->end);
  if (event->track != 0)
    gst_cca_json_add_uint (line, "track-id", event->track);
  print_line (line);
}

static gboolean
print_changes (const gchar *location, guint64 from, guint64 to)
{
  GPtrArray *files = find_files (location);
  g_autofree gchar *camera = g_strdup (((const GstCcaIndexFile *) g_ptr_array_index (files, 0))->camera);
  g_autoptr (GString) line = g_string_new (NULL);
  GstCcaIndexSpotEvent event;
  GstCcaIndexFrame frame;
  GstCcaIndexSpot *spot;
  GstCcaIndexStep step;
  GstCcaIndexWalk walk;
  GstCcaBox parsed;
  bool failed = false;
  gboolean done;
  gchar *text;

  parse_box (&parsed);
  spot = gst_cca_index_spot_new (&parsed, (guint64) (MAX (least, 0) * GST_SECOND));
  gst_cca_index_walk_begin (&walk, files, begin_of (from), to);
  while (!failed && spot && (step = gst_cca_index_walk_next (&walk, &frame, &text)) != GST_CCA_INDEX_WALK_END)
    if (step == GST_CCA_INDEX_WALK_WARNING) {
      g_printerr ("gst-cca-find: warning: %s\n", text);
      g_free (text);
    } else if (gst_cca_index_spot_add (spot, &frame, &event, &failed)) {
      print_change (line, camera, &event, from);
    }
  if (!spot || failed)
    fail ("No memory");
  if (gst_cca_index_spot_finish (spot, &event))
    print_change (line, camera, &event, from);
  done = gst_cca_index_spot_has_foreground (spot);
  if (!done)
    g_printerr ("gst-cca-find: %s does not say where the foreground was: run ccaindex behind cca coverage=true\n",
                location);
  gst_cca_index_spot_free (spot);
  gst_cca_index_walk_end (&walk);
  return done;
}

/* --- Program ------------------------------------------------------------------------------------------ */

int
main (int argc, char **argv)
{
  g_autoptr (GOptionContext) context = g_option_context_new ("LOCATION");
  g_autoptr (GError) error = NULL;
  guint64 from, to;
  gboolean done = TRUE;

  g_option_context_set_summary (context, "Asks an index of ccaindex, and prints lines of JSON. LOCATION is a file, a "
                                         "folder of files *.ccaindex, or a quoted\npattern with * and ?.");
  g_option_context_add_main_entries (context, entries, NULL);
  g_option_context_add_group (context, gst_init_get_option_group ());
  if (!g_option_context_parse (context, &argc, &argv, &error))
    fail ("%s", error->message);
  if (argc != 2)
    fail (argc < 2 ? "Name the index: a file, a folder, or a pattern"
                   : "Name one LOCATION: a file, a folder, or a pattern in quotes");
  if ((rules != NULL) + (box != NULL) + list != 1)
    fail ("Ask for one of --rules, --box and --list; see --help");
  from = time_of ("from", from_text, 0);
  to = time_of ("to", to_text, GST_CCA_INDEX_NEVER);
  if (list)
    print_files (argv[1]);
  else if (rules)
    done = print_events (argv[1], from);
  else
    done = print_changes (argv[1], from, to);
  return done ? 0 : 1;
}
