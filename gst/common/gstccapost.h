/* gst-cca: a message of an error, a warning or a piece of advice
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <gst/gst.h>

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
