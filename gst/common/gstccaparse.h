/* gst-cca: JSON that may come from anywhere, to nodes
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * All parsing of JSON goes through this function. Knows GLib and json-glib, not GStreamer.
 */
#pragma once

#include <json-glib/json-glib.h>

#define GST_CCA_PARSE_MAX_DEPTH 64 /* arrays and objects within each other */
#define GST_CCA_PARSE_MAX_BYTES (16 * 1024 * 1024)

/* Parses a text of length bytes as RFC 8259 has it: without comments, in UTF-8, all strings valid. json-glib ends a
 * string at the character U+0000: it is an error unless allow_zero. Returns the root, immutable, that the caller
 * unrefs; or NULL, an error (JSON_PARSER_ERROR), and in *line, which may be NULL, the line that is wrong, from 1, or 0
 * where no line is. */
JsonNode *gst_cca_parse_json (const gchar *text, gsize length, gboolean allow_zero, guint *line, GError **error);
