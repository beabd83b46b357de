/* gst-cca: the members of an object of JSON, and the elements of an array, as they are written
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * A message that repeats a part of a line repeats its text: numbers keep their digits, and strings their escapes. These
 * functions do not check that a text is JSON, but are safe with any bytes. Knows GLib only.
 */
#pragma once

#include <glib.h>

/* A part of a text, which it does not own. */
typedef struct
{
  const gchar *text;
  gsize length;
} GstCcaSlice;

typedef struct
{
  GstCcaSlice whole; /* name, colon and value */
  GstCcaSlice name;  /* in its quotation marks; of an array's element empty */
  GstCcaSlice value;
} GstCcaMember;

/* Returns the members of the object, or the elements of the array, that the text is: an array of GstCcaMember, which
 * the caller frees. NULL if it is neither, or its JSON is invalid outside of the values, which are not checked. */
GArray *gst_cca_slices (GstCcaSlice text);

/* Returns the members of an object of which the ends are known, each "name":value and followed by a comma or the brace,
 * without looking at their values; the caller frees it. NULL if the ends do not fit the text. */
GArray *gst_cca_slices_at (GstCcaSlice text, const gsize *ends, guint n);

/* Returns the value of the last member of this name, which has no escapes; without one, a slice of NULL. */
GstCcaSlice gst_cca_slices_find (const GArray *members, const gchar *name);

/* Returns the text of the members with commas between them, which the caller frees, but for those of the name
 * `without`, which may be NULL. */
gchar *gst_cca_slices_join (const GArray *members, const gchar *without);

/* Returns a string's characters, up to U+0000, or a number's text, which the caller frees; NULL of anything else. */
gchar *gst_cca_slice_text (GstCcaSlice value);

/* Returns the value of such a member that is a string, in the same way; NULL if there is none. */
gchar *gst_cca_slices_string (const GArray *members, const gchar *name);
