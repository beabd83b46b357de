/* gst-cca: names of structures and fields in element messages
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#ifndef GST_CCA_STRUCTURES_H
#define GST_CCA_STRUCTURES_H

#include <gst/gst.h>

G_BEGIN_DECLS

#define GST_CCA_NAME_MEMBER(id, text) GQuark id;
#define GST_CCA_NAME_FIND(id, text) names.id = g_quark_from_static_string (text);

/* Defines `names`, the quarks of structures and fields, and find_names(), to be called before they are used. NAMES is a
 * list F (id, "text")…. Looking up a name takes a lock that all threads of a process share; with hundreds of components
 * a frame, streams side by side would wait for each other. */
#define GST_CCA_DEFINE_NAMES(NAMES)                                                                                    \
  static struct                                                                                                        \
  {                                                                                                                    \
    NAMES (GST_CCA_NAME_MEMBER)                                                                                        \
  } names;                                                                                                             \
                                                                                                                       \
  static void find_names (void)                                                                                        \
  {                                                                                                                    \
    static gsize found;                                                                                                \
                                                                                                                       \
    if (!g_once_init_enter (&found))                                                                                   \
      return;                                                                                                          \
    NAMES (GST_CCA_NAME_FIND)                                                                                          \
    g_once_init_leave (&found, 1);                                                                                     \
  }

G_END_DECLS

#endif
