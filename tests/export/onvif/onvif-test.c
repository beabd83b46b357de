/* gst-cca: shared by the tests of ccaonvif
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "onvif-test.h"

#include <libxml/parser.h>
#include <libxml/xmlschemas.h>
#include <libxml/xpath.h>
#include <libxml/xpathInternals.h>

enum
{
  WIDTH = 320,
  HEIGHT = 200,
};

/* Of version 2.4.2, which many receivers know, and of 25.12. NULL: there are none. */
static xmlSchema *old_schema, *new_schema;
static gchar *no_schema; /* the reason */

/* Elements that the old schema does not have. */
static const gchar *const NEWER = "//tt:Behaviour/tt:Speed | //tt:Class/tt:Type";

/* --- Documents --------------------------------------------------------------------------------------- */

static xmlSchema *
load (const gchar *path)
{
  xmlSchemaParserCtxt *parser = xmlSchemaNewParserCtxt (path);
  xmlSchema *schema = xmlSchemaParse (parser);

  xmlSchemaFreeParserCtxt (parser);
  g_assert_nonnull (schema);
  return schema;
}

static void
load_schemas (void)
{
  const gchar *argv[] = { g_getenv ("ONVIF_FETCH_SCHEMA"), NULL };
  g_autofree gchar *output = NULL, *complaint = NULL;
  g_auto (GStrv) paths = NULL;
  g_autoptr (GError) error = NULL;
  gint status = 0;

  g_assert_nonnull (argv[0]);
  if (!g_spawn_sync (NULL, (gchar **) argv, NULL, G_SPAWN_DEFAULT, NULL, NULL, &output, &complaint, &status, &error)) {
    no_schema = g_strdup (error->message);
    return;
  }
  if (!g_spawn_check_wait_status (status, NULL)) {
    no_schema = g_strdelimit (g_strstrip (g_steal_pointer (&complaint)), "\n", ' ');
    return;
  }
  paths = g_strsplit (g_strstrip (output), "\n", -1);
  g_assert_cmpuint (g_strv_length (paths), ==, 2);
  old_schema = load (paths[0]);
  new_schema = load (paths[1]);
}

void
onvif_init (int *argc, char ***argv)
{
  g_test_init (argc, argv, NULL);
  gst_init (argc, argv);
  load_schemas ();
}

int
onvif_run (void)
{
  const int status = g_test_run ();

  xmlSchemaFree (old_schema);
  xmlSchemaFree (new_schema);
  g_free (no_schema);
  return status;
}

gboolean
onvif_skip_without_schema (void)
{
  if (!new_schema)
    g_test_skip (no_schema);
  return !new_schema;
}

#if LIBXML_VERSION >= 21200
typedef const xmlError Fault;
#else
typedef xmlError Fault;
#endif

static void
note_fault (void *faults, Fault *fault)
{
  g_string_append_printf (faults, "line %d: %s", fault->line, fault->message);
}

static gchar *
find_fault (xmlDoc *document, xmlSchema *schema)
{
  xmlSchemaValidCtxt *validator = xmlSchemaNewValidCtxt (schema);
  GString *faults = g_string_new (NULL);
  gint result;

  /* A plugin of GStreamer's may have taken the handler that is all libraries'. */
  xmlSchemaSetValidStructuredErrors (validator, note_fault, faults);
  result = xmlSchemaValidateDoc (validator, document);
  xmlSchemaFreeValidCtxt (validator);
  g_assert_cmpint (result, >=, 0);
  g_assert_cmpint (result != 0, ==, faults->len > 0);
  return g_string_free (faults, result == 0);
}

static xmlXPathContext *
context_of (xmlDoc *document)
{
  xmlXPathContext *context = xmlXPathNewContext (document);

  xmlXPathRegisterNs (context, BAD_CAST "tt", BAD_CAST "http://www.onvif.org/ver10/schema");
  xmlXPathRegisterNs (context, BAD_CAST "wsnt", BAD_CAST "http://docs.oasis-open.org/wsn/b-2");
  xmlXPathRegisterNs (context, BAD_CAST "cca", BAD_CAST "urn:gst-cca:onvif");
  return context;
}

/* Returns a copy of a document as a receiver of the old schema sees it. */
static xmlDoc *
without_newer (xmlDoc *document)
{
  xmlDoc *copy = xmlCopyDoc (document, 1);
  xmlXPathContext *context = context_of (copy);
  xmlXPathObject *newer = xmlXPathEvalExpression (BAD_CAST NEWER, context);

  g_assert_nonnull (newer);
  for (gint i = 0; newer->nodesetval && i < newer->nodesetval->nodeNr; i++) {
    xmlUnlinkNode (newer->nodesetval->nodeTab[i]);
    xmlFreeNode (newer->nodesetval->nodeTab[i]);
    newer->nodesetval->nodeTab[i] = NULL;
  }
  xmlXPathFreeObject (newer);
  xmlXPathFreeContext (context);
  return copy;
}

gchar *
onvif_find_fault (xmlDoc *document)
{
  gchar *fault = find_fault (document, new_schema);

  if (!fault) {
    xmlDoc *old = without_newer (document);

    fault = find_fault (old, old_schema);
    xmlFreeDoc (old);
  }
  return fault;
}

xmlDoc *
onvif_parse (GstBuffer *buffer)
{
  g_autofree gchar *fault = NULL;
  xmlDoc *document;
  GstMapInfo map;

  g_assert_nonnull (buffer);
  g_assert_true (gst_buffer_map (buffer, &map, GST_MAP_READ));
  g_assert_true (g_utf8_validate ((const gchar *) map.data, (gssize) map.size, NULL));
  document = xmlReadMemory ((const char *) map.data, (int) map.size, NULL, NULL, XML_PARSE_NONET);
  g_assert_nonnull (document);
  if (new_schema)
    fault = onvif_find_fault (document);
  if (fault)
    g_error ("%s in %.*s", fault, (int) map.size, (const gchar *) map.data);
  gst_buffer_unmap (buffer, &map);
  gst_buffer_unref (buffer);
  return document;
}

static xmlXPathObject *
evaluate (xmlDoc *document, const gchar *format, va_list arguments)
{
  g_autofree gchar *expression = g_strdup_vprintf (format, arguments);
  xmlXPathContext *context = context_of (document);
  xmlXPathObject *object = xmlXPathEvalExpression (BAD_CAST expression, context);

  if (!object)
    g_error ("wrong expression: %s", expression);
  xmlXPathFreeContext (context);
  return object;
}

gchar *
onvif_string (xmlDoc *document, const gchar *format, ...)
{
  va_list arguments;
  xmlXPathObject *object;
  xmlChar *text;
  gchar *copy;

  va_start (arguments, format);
  object = evaluate (document, format, arguments);
  va_end (arguments);
  text = xmlXPathCastToString (object);
  copy = g_strdup ((const gchar *) text);
  xmlFree (text);
  xmlXPathFreeObject (object);
  return copy;
}

gdouble
onvif_number (xmlDoc *document, const gchar *format, ...)
{
  va_list arguments;
  xmlXPathObject *object;
  gdouble number;

  va_start (arguments, format);
  object = evaluate (document, format, arguments);
  va_end (arguments);
  number = xmlXPathCastToNumber (object);
  xmlXPathFreeObject (object);
  return number;
}

/* --- Frames ------------------------------------------------------------------------------------------ */

GstHarness *
onvif_harness (const gchar *more)
{
  g_autofree gchar *launch = g_strdup_printf ("ccaonvif %s", more);

  return test_harness (launch, test_caps ("GRAY8", WIDTH, HEIGHT, NULL));
}

GstBuffer *
onvif_frame (GstClockTime time)
{
  GstBuffer *frame = gst_buffer_new ();

  GST_BUFFER_PTS (frame) = time;
  GST_BUFFER_DURATION (frame) = 40 * GST_MSECOND;
  return frame;
}

GstBuffer *
onvif_tracks (GstClockTime time, const GstCcaTrack *tracks, guint n)
{
  GstBuffer *frame = onvif_frame (time);

  g_assert_nonnull (gst_buffer_add_cca_track_meta (frame, ID, WIDTH, HEIGHT, tracks, n));
  return frame;
}

GstBuffer *
onvif_events (GstClockTime time, const GstCcaRule *rules, guint n_rules, const GstCcaEvent *events, guint n_events)
{
  GstBuffer *frame = onvif_tracks (time, NULL, 0);

  g_assert_nonnull (gst_buffer_add_cca_event_meta (frame, ID, WIDTH, HEIGHT, rules, n_rules, events, n_events));
  return frame;
}

GstCcaTrack
onvif_track (guint64 id, guint x, guint y)
{
  return (GstCcaTrack) {
    .track_id = id,
    .label = 1,
    .x = x,
    .y = y,
    .width = 10,
    .height = 20,
    .area = 100,
    .centroid_x = x + 4.5,
    .centroid_y = y + 9.5,
    .age = 10,
  };
}

xmlDoc *
onvif_pass (GstHarness *harness, GstBuffer *frame)
{
  return onvif_parse (test_pass (harness, frame));
}

/* Drops the events before it. */
static GstEvent *
pull_gap (GstHarness *harness)
{
  GstEvent *event;

  while ((event = gst_harness_try_pull_event (harness)) && GST_EVENT_TYPE (event) != GST_EVENT_GAP)
    gst_event_unref (event);
  return event;
}

void
onvif_pass_gap (GstHarness *harness, GstBuffer *frame)
{
  const GstClockTime time = GST_BUFFER_PTS (frame), duration = GST_BUFFER_DURATION (frame);
  GstClockTime gap_time, gap_duration;
  GstEvent *gap;

  while ((gap = pull_gap (harness)))
    gst_event_unref (gap);
  g_assert_cmpint (gst_harness_push (harness, frame), ==, GST_FLOW_OK);
  g_assert_null (gst_harness_try_pull (harness));
  gap = pull_gap (harness);
  g_assert_nonnull (gap);
  gst_event_parse_gap (gap, &gap_time, &gap_duration);
  g_assert_cmpuint (gap_time, ==, time);
  g_assert_cmpuint (gap_duration, ==, duration);
  gst_event_unref (gap);
}
