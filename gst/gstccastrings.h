/* gst-cca: properties that are strings
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#ifndef GST_CCA_STRINGS_H
#define GST_CCA_STRINGS_H

#include <glib-object.h>

G_BEGIN_DECLS

/* Replaces a string by a copy of a property's value, which may be NULL. */
static inline void
gst_cca_set_string (gchar **string, const GValue *value)
{
  g_free (*string);
  *string = g_value_dup_string (value);
}

/* The same for a string that is lent out without being copied. */
static inline void
gst_cca_set_shared_string (GRefString **string, const gchar *text)
{
  g_clear_pointer (string, g_ref_string_release);
  *string = text ? g_ref_string_new (text) : NULL;
}

G_END_DECLS

#endif
