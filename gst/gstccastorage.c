/* gst-cca: memory for the components of frames
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "gstccastorage.h"

#include <gst/cca/gstccameta.h>

/* A measurement's components become the meta's by a plain copy. */
G_STATIC_ASSERT (sizeof (GstCcaComponent) == sizeof (CcaComponent));
G_STATIC_ASSERT (offsetof (GstCcaComponent, label) == offsetof (CcaComponent, label));
G_STATIC_ASSERT (offsetof (GstCcaComponent, x) == offsetof (CcaComponent, x));
G_STATIC_ASSERT (offsetof (GstCcaComponent, height) == offsetof (CcaComponent, height));
G_STATIC_ASSERT (offsetof (GstCcaComponent, area) == offsetof (CcaComponent, area));
G_STATIC_ASSERT (offsetof (GstCcaComponent, centroid_x) == offsetof (CcaComponent, centroid_x));
G_STATIC_ASSERT (offsetof (GstCcaComponent, cov_yy) == offsetof (CcaComponent, cov_yy));

/* --- Pool -------------------------------------------------------------------------------------------- */

/* GStreamer's own allocator of system memory ends the process where there is none. */
typedef struct
{
  GstBufferPool parent;
  gsize size;
} GstCcaPool;

typedef GstBufferPoolClass GstCcaPoolClass;

static GType gst_cca_pool_get_type (void);
G_DEFINE_TYPE (GstCcaPool, gst_cca_pool, GST_TYPE_BUFFER_POOL)

static GstFlowReturn
gst_cca_pool_alloc_buffer (GstBufferPool *pool, GstBuffer **buffer, GstBufferPoolAcquireParams *params)
{
  const gsize size = ((GstCcaPool *) pool)->size;
  gpointer block = g_try_malloc (size);

  if (!block)
    return GST_FLOW_ERROR;
  *buffer = gst_buffer_new_wrapped_full ((GstMemoryFlags) 0, block, size, 0, size, block, g_free);
  return GST_FLOW_OK;
}

static void
gst_cca_pool_class_init (GstCcaPoolClass *klass)
{
  klass->alloc_buffer = gst_cca_pool_alloc_buffer;
}

static void
gst_cca_pool_init (GstCcaPool *pool)
{
}

/* --- Storage ----------------------------------------------------------------------------------------- */

void
gst_cca_storage_clear (GstCcaStorage *storage)
{
  if (storage->pool)
    gst_buffer_pool_set_active (storage->pool, FALSE);
  gst_clear_object (&storage->pool);
  storage->capacity = 0;
}

/* A frame with more components than any before gets a pool of larger buffers; those under way return to the old one. */
static gboolean
reserve (GstCcaStorage *storage, guint n_components)
{
  guint capacity = MAX (storage->capacity, 256);
  GstStructure *config;

  if (storage->pool && n_components <= storage->capacity)
    return TRUE;
  while (capacity < n_components)
    capacity *= 2;
  gst_cca_storage_clear (storage);
  storage->pool = gst_object_ref_sink (g_object_new (gst_cca_pool_get_type (), NULL));
  ((GstCcaPool *) storage->pool)->size = capacity * sizeof (GstCcaComponent);
  config = gst_buffer_pool_get_config (storage->pool);
  gst_buffer_pool_config_set_params (config, NULL, capacity * (guint) sizeof (GstCcaComponent), 0, 0);
  if (!gst_buffer_pool_set_config (storage->pool, config) || !gst_buffer_pool_set_active (storage->pool, TRUE)) {
    gst_cca_storage_clear (storage);
    return FALSE;
  }
  storage->capacity = capacity;
  return TRUE;
}

GstBuffer *
gst_cca_storage_store (GstCcaStorage *storage, const CcaMeasurement *measurement)
{
  const gsize bytes = measurement->n_stored * sizeof (GstCcaComponent);
  GstBuffer *components;

  if (!reserve (storage, measurement->n_stored)
      || gst_buffer_pool_acquire_buffer (storage->pool, &components, NULL) != GST_FLOW_OK)
    return NULL;
  if (gst_buffer_fill (components, 0, measurement->components, bytes) != bytes)
    gst_clear_buffer (&components);
  return components;
}
