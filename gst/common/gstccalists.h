/* gst-cca: the names and lists of structures in element messages
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Making a structure takes ten times as long as setting the fields of one that exists. So a pool takes the structures
 * of a message back when the message ends, and the next message gets them.
 */
#pragma once

#include <gst/gst.h>

#define GST_CCA_NAME_MEMBER(id, text) GQuark id;
#define GST_CCA_NAME_FIND(id, text) names.id = g_quark_from_static_string (text);

/* Defines `names`, the quarks of structures and fields that each message has anew, and find_names(), to be called
 * before they are used. NAMES is a list F (id, "text")…. Looking up a name takes a lock that all threads of a process
 * share. A list's structures are copies of its pool's prototype, whose names are looked up once. */
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

/* Structures with the same fields, as many as the messages need that exist at the same time. */
typedef struct GstCcaListPool GstCcaListPool;

/* The structures of one list. */
typedef struct GstCcaList GstCcaList;

/* Sets the fields of a structure, in the order of the prototype's, from one of the items. */
typedef void (*GstCcaSetFields) (GValue *const *fields, gconstpointer items, guint index);

/* Returns an empty pool, which the caller unrefs; lists outlive it. Takes the prototype, whose values do not matter,
 * and copies it for each new structure. */
GstCcaListPool *gst_cca_list_pool_new (GstStructure *prototype, GstCcaSetFields set_fields);
void gst_cca_list_pool_unref (GstCcaListPool *pool);

/* Sets a field of a structure to a GST_TYPE_LIST with a structure for each of the first n items, which only the pool's
 * set_fields knows. Give the list to the message that gets the structure. */
GstCcaList *gst_cca_list_new (GstCcaListPool *pool, GstStructure *structure, GQuark field, gconstpointer items,
                              guint n);

/* Makes the pool take a list back when the message ends, in any thread. */
void gst_cca_list_give (GstCcaList *list, GstMessage *message);
