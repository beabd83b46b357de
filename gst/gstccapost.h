/* gst-cca: a message of an error, a warning or a piece of advice
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#ifndef GST_CCA_POST_H
#define GST_CCA_POST_H

#include <gst/gst.h>

/* Posts GST_MESSAGE_ERROR, _WARNING or _INFO with a text made as by printf(). */
#define gst_cca_post(element, type, domain, code, ...)                                                                 \
  gst_element_message_full (GST_ELEMENT (element), type, domain, code, g_strdup_printf (__VA_ARGS__), NULL, __FILE__,  \
                            G_STRFUNC, __LINE__)

/* Marks a matter, a bit, as reported to users. Returns whether this is the first time. */
static inline gboolean
gst_cca_is_first (guint *told, guint matter)
{
  const gboolean first = !(*told & matter);

  *told |= matter;
  return first;
}

#endif
