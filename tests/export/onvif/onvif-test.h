/* gst-cca: what the tests of ccaonvif share
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include "element-test.h"

#include <gst/cca/gstccaeventmeta.h>
#include <gst/cca/gstccatrackmeta.h>
#include <libxml/tree.h>

#define ID "people"
#define START_UTC "2026-11-23T09:00:00Z"

/* Begins a program of tests. Fetches ONVIF's schemas, by the program that the environment variable ONVIF_FETCH_SCHEMA
 * names. */
void onvif_init (int *argc, char ***argv);
/* Runs the tests that were added. Returns the program's status. */
int onvif_run (void);

/* Skips the test if there are no schemas. */
gboolean onvif_skip_without_schema (void);

/* Returns why a document does not keep to ONVIF's newest schema or, without what is newer, to that of 2.4.2; NULL if it
 * does. */
gchar *onvif_find_fault (xmlDoc *document);

/* Parses a document (taken), which must be well-formed and, where there are schemas, keep to them. */
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

/* A harness around ccaonvif with more properties, for frames of 320x200 at 25 a second. */
GstHarness *onvif_harness (const gchar *more);

/* A frame without pixels, of which nothing is known. */
GstBuffer *onvif_frame (GstClockTime time);

/* Frames of 320x200 with tracks of the analysis ID, and with rules and events as well. */
GstBuffer *onvif_tracks (GstClockTime time, const GstCcaTrack *tracks, guint n);
GstBuffer *onvif_events (GstClockTime time, const GstCcaRule *rules, guint n_rules, const GstCcaEvent *events,
                         guint n_events);

/* A track of 10x20 pixels at a place. */
GstCcaTrack onvif_track (guint64 id, guint x, guint y);

/* Pushes a frame, and parses the document that comes. */
xmlDoc *onvif_pass (GstHarness *harness, GstBuffer *frame);

/* Pushes a frame, for which a gap comes and no document. */
void onvif_pass_gap (GstHarness *harness, GstBuffer *frame);
