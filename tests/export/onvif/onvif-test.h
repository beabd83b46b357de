/* gst-cca: shared by the tests of ccaonvif
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include "element-test.h"

#include <gst/cca/gstccaeventmeta.h>
#include <gst/cca/gstccatrackmeta.h>
#include <libxml/tree.h>

#define ID "people"
#define START_UTC "2026-11-23T09:00:00Z"

/* Begins a program of tests. Fetches ONVIF's schemas with the program in the environment variable
 * ONVIF_FETCH_SCHEMA. */
void onvif_init (int *argc, char ***argv);
/* Runs the added tests. Returns the program's status. */
int onvif_run (void);

/* Skips the test and returns TRUE if there are no schemas. */
gboolean onvif_skip_without_schema (void);

/* Returns why a document violates ONVIF's newest schema or, without its newer elements, that of 2.4.2; NULL if it does
 * not. */
gchar *onvif_find_fault (xmlDoc *document);

/* Parses a document (taken). It must be well-formed and, if there are schemas, valid. */
xmlDoc *onvif_parse (GstBuffer *buffer);

/* Evaluates an XPath expression, made as by printf(), with the prefixes tt, wsnt and cca. */
gchar *onvif_string (xmlDoc *document, const gchar *format, ...) G_GNUC_PRINTF (2, 3);
gdouble onvif_number (xmlDoc *document, const gchar *format, ...) G_GNUC_PRINTF (2, 3);

/* Compares the string value of an expression. */
#define onvif_assert_string(document, expected, ...)                                                                   \
  G_STMT_START                                                                                                         \
  {                                                                                                                    \
    g_autofree gchar *found_ = onvif_string (document, __VA_ARGS__);                                                   \
    g_assert_cmpstr (found_, ==, expected);                                                                            \
  }                                                                                                                    \
  G_STMT_END

/* Returns a harness around ccaonvif with more properties, for frames of 320x200 at 25 a second. */
GstHarness *onvif_harness (const gchar *more);

/* Returns a frame without pixels and metas. */
GstBuffer *onvif_frame (GstClockTime time);

/* Return frames of 320x200 with tracks of the analysis ID, and with rules and events as well. */
GstBuffer *onvif_tracks (GstClockTime time, const GstCcaTrack *tracks, guint n);
GstBuffer *onvif_events (GstClockTime time, const GstCcaRule *rules, guint n_rules, const GstCcaEvent *events,
                         guint n_events);

/* Returns a track of 10x20 pixels at a place. */
GstCcaTrack onvif_track (guint64 id, guint x, guint y);

/* Pushes a frame, and parses the resulting document. */
xmlDoc *onvif_pass (GstHarness *harness, GstBuffer *frame);

/* Pushes a frame that must give a gap and no document. */
void onvif_pass_gap (GstHarness *harness, GstBuffer *frame);
