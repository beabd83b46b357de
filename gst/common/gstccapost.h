/* gst-cca: a message of an error, a warning or a piece of advice; properties that must be names
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <gst/gst.h>

#include "gstccatext.h"

/* Posts GST_MESSAGE_ERROR, _WARNING or _INFO with a text made as by printf(): one short sentence for users. */
#define gst_cca_post(element, type, domain, code, ...)                                                                 \
  gst_cca_post_detail (element, type, domain, code, NULL, __VA_ARGS__)

/* The same with a detail for the message's debug string, such as sizes or the system's error; takes its ownership. */
#define gst_cca_post_detail(element, type, domain, code, detail, ...)                                                  \
  gst_element_message_full (GST_ELEMENT (element), type, domain, code, g_strdup_printf (__VA_ARGS__), detail,          \
                            __FILE__, G_STRFUNC, __LINE__)

/* Marks a matter, a bit, as reported to users. Returns whether this is the first time. */
static inline gboolean
gst_cca_is_first (guint *told, guint matter)
{
  const gboolean first = !(*told & matter);

  *told |= matter;
  return first;
}

/* When the element starts: posts an error and returns FALSE if a property is not a name, or NULL. */
static inline gboolean
gst_cca_check_name (gpointer element, const gchar *property)
{
  g_autofree gchar *name = NULL;
  const gchar *problem;

  g_object_get (element, property, &name, NULL);
  problem = name ? gst_cca_name_problem (name) : NULL;
  if (problem)
    gst_cca_post (element, GST_MESSAGE_ERROR, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_SETTINGS, "%s %s", property,
                  problem);
  return !problem;
}
