/* gst-cca: classes of objects by names from outside
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <glib.h>
#include <string.h>

#define GST_CCA_MAX_TYPE_SIZE 256 /* bytes of a name */
#define GST_CCA_MAX_NEW_TYPES 1024

/* Returns the class of that name, in UTF-8; 0 for an empty one. A process never frees a quark: a name that is new to it
 * gives 0 if it is longer than GST_CCA_MAX_TYPE_SIZE, or if GST_CCA_MAX_NEW_TYPES new ones came before it. The file
 * that includes this has that limit for itself. May be called from any thread. */
static inline GQuark
gst_cca_type_from_name (const gchar *name)
{
  static gint n_new;
  const GQuark known = *name != '\0' ? g_quark_try_string (name) : 0;
  gint n;

  if (known != 0 || *name == '\0' || strlen (name) > GST_CCA_MAX_TYPE_SIZE)
    return known;
  do
    n = g_atomic_int_get (&n_new);
  while (n < GST_CCA_MAX_NEW_TYPES && !g_atomic_int_compare_and_exchange (&n_new, n, n + 1));
  return n < GST_CCA_MAX_NEW_TYPES ? g_quark_from_string (name) : 0;
}
