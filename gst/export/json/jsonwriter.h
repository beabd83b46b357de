/* gst-cca: writes JSON
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <glib.h>

/* Each function appends a value to a text, with the comma that it needs. name is that of a member of an object, plain
 * ASCII without quotation marks; NULL for an item of an array, and for the outermost value. Numbers and texts do not
 * depend on the locale, and no value contains a line break.
 *
 * A writer of our own: json-glib takes five times as long (docs/decisions.md). */

/* '{' or '['; gst_cca_json_end() takes the same. */
void gst_cca_json_begin (GString *json, const gchar *name, gchar bracket);
void gst_cca_json_end (GString *json, gchar bracket);

/* Writes a text. Invalid UTF-8 becomes U+FFFD. */
void gst_cca_json_add_string (GString *json, const gchar *name, const gchar *value);

void gst_cca_json_add_uint (GString *json, const gchar *name, guint64 value);
void gst_cca_json_add_boolean (GString *json, const gchar *name, gboolean value);

/* Writes a finite number, rounded to thousandths. */
void gst_cca_json_add_decimal (GString *json, const gchar *name, gdouble value);
