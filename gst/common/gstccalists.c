/* gst-cca: the lists of structures in element messages
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "gstccalists.h"

/* The most lists that a pool keeps, and structures of a list. */
#define MOST_IDLE 4
#define MOST_STRUCTURES 4096

struct GstCcaListPool
{
  gint n_references; /* not g_atomic_rc_box_new(), whose order ThreadSanitizer does not see */
  GstStructure *prototype;
  guint n_fields;
  GstCcaSetFields set_fields;

  GMutex lock;
  GstCcaList *idle[MOST_IDLE];
  guint n_idle;
};

/* A structure of a list, and a value that shares it. To ask a value for its structure takes a type check each time. */
typedef struct
{
  GstStructure *structure;
  GValue value;
} Item;

struct GstCcaList
{
  GstCcaListPool *pool; /* while a message has the list */
  GArray *items;
  GPtrArray *fields; /* the GValues in all structures, one structure's after the other's */
};

static void
clear_item (gpointer item)
{
  gst_structure_free (((Item *) item)->structure);
}

static GstCcaList *
list_new (void)
{
  GstCcaList *list = g_new (GstCcaList, 1);

  list->items = g_array_new (FALSE, TRUE, sizeof (Item));
  g_array_set_clear_func (list->items, clear_item);
  list->fields = g_ptr_array_new ();
  return list;
}

static void
list_free (GstCcaList *list)
{
  g_array_unref (list->items);
  g_ptr_array_unref (list->fields);
  g_free (list);
}

static gboolean
append_field (GQuark name, GValue *value, gpointer fields)
{
  g_ptr_array_add (fields, value);
  return TRUE;
}

static void
list_grow (GstCcaList *list)
{
  Item item = { gst_structure_copy (list->pool->prototype), G_VALUE_INIT };

  g_value_init (&item.value, GST_TYPE_STRUCTURE);
  g_value_set_static_boxed (&item.value, item.structure);
  g_array_append_val (list->items, item);
  gst_structure_map_in_place (item.structure, append_field, list->fields);
}

static void
list_truncate (GstCcaList *list, guint n)
{
  if (list->items->len <= n)
    return;
  g_array_set_size (list->items, n);
  g_ptr_array_set_size (list->fields, (gint) (n * list->pool->n_fields));
}

static void
pool_free (GstCcaListPool *pool)
{
  for (guint i = 0; i < pool->n_idle; i++)
    list_free (pool->idle[i]);
  gst_structure_free (pool->prototype);
  g_mutex_clear (&pool->lock);
  g_free (pool);
}

GstCcaListPool *
gst_cca_list_pool_new (GstStructure *prototype, GstCcaSetFields set_fields)
{
  GstCcaListPool *pool = g_new0 (GstCcaListPool, 1);

  pool->n_references = 1;
  pool->prototype = prototype;
  pool->n_fields = (guint) gst_structure_n_fields (prototype);
  pool->set_fields = set_fields;
  g_mutex_init (&pool->lock);
  return pool;
}

void
gst_cca_list_pool_unref (GstCcaListPool *pool)
{
  if (g_atomic_int_dec_and_test (&pool->n_references))
    pool_free (pool);
}

static GstCcaList *
acquire (GstCcaListPool *pool)
{
  GstCcaList *list = NULL;

  g_mutex_lock (&pool->lock);
  if (pool->n_idle > 0)
    list = pool->idle[--pool->n_idle];
  g_mutex_unlock (&pool->lock);
  if (!list)
    list = list_new ();
  g_atomic_int_inc (&pool->n_references);
  list->pool = pool;
  return list;
}

/* Whether the structures still have exactly the list's fields, at the places that the list knows. */
static gboolean
is_intact (const GstCcaList *list)
{
  for (guint i = 0; i < list->items->len; i++)
    if ((guint) gst_structure_n_fields (g_array_index (list->items, Item, i).structure) != list->pool->n_fields)
      return FALSE;
  return TRUE;
}

static void
release (gpointer data, GstMiniObject *message)
{
  GstCcaList *list = data;
  GstCcaListPool *pool = list->pool;
  gboolean intact;

  list_truncate (list, MOST_STRUCTURES);
  intact = is_intact (list);
  g_mutex_lock (&pool->lock);
  if (intact && pool->n_idle < MOST_IDLE)
    pool->idle[pool->n_idle++] = g_steal_pointer (&list);
  g_mutex_unlock (&pool->lock);
  g_clear_pointer (&list, list_free);
  gst_cca_list_pool_unref (pool);
}

GstCcaList *
gst_cca_list_new (GstCcaListPool *pool, GstStructure *structure, GQuark field, gconstpointer items, guint n)
{
  GstCcaList *list = acquire (pool);
  GValue value = G_VALUE_INIT;

  gst_value_list_init (&value, n);
  while (list->items->len < n)
    list_grow (list);
  for (guint i = 0; i < n; i++) {
    GValue shared = g_array_index (list->items, Item, i).value;

    pool->set_fields ((GValue *const *) list->fields->pdata + (gsize) i * pool->n_fields, items, i);
    gst_value_list_append_and_take_value (&value, &shared);
  }
  gst_structure_id_take_value (structure, field, &value);
  return list;
}

void
gst_cca_list_give (GstCcaList *list, GstMessage *message)
{
  gst_mini_object_weak_ref (GST_MINI_OBJECT_CAST (message), release, list);
}
