/* gst-cca: memory for what a frame's meta lists
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "gstccastorage.h"

#include <gst/cca/gstccameta.h>

/* A measurement's lists become the meta's by plain copies. */
G_STATIC_ASSERT (sizeof (GstCcaComponent) == sizeof (CcaComponent));
G_STATIC_ASSERT (offsetof (GstCcaComponent, label) == offsetof (CcaComponent, label));
G_STATIC_ASSERT (offsetof (GstCcaComponent, x) == offsetof (CcaComponent, x));
G_STATIC_ASSERT (offsetof (GstCcaComponent, height) == offsetof (CcaComponent, height));
G_STATIC_ASSERT (offsetof (GstCcaComponent, area) == offsetof (CcaComponent, area));
G_STATIC_ASSERT (offsetof (GstCcaComponent, centroid_x) == offsetof (CcaComponent, centroid_x));
G_STATIC_ASSERT (offsetof (GstCcaComponent, cov_yy) == offsetof (CcaComponent, cov_yy));
G_STATIC_ASSERT (sizeof (GstCcaOverlap) == sizeof (CcaOverlap));
G_STATIC_ASSERT (offsetof (GstCcaOverlap, before) == offsetof (CcaOverlap, before));
G_STATIC_ASSERT (offsetof (GstCcaOverlap, now) == offsetof (CcaOverlap, now));
G_STATIC_ASSERT (offsetof (GstCcaOverlap, pixels) == offsetof (CcaOverlap, pixels));

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

/* A pool's buffers have room for so many components at least. */
#define FEW_COMPONENTS 256

/* A frame with longer lists than any before gets a pool of larger buffers; those under way return to the old one. */
static gboolean
reserve (GstCcaStorage *storage, gsize bytes)
{
  gsize capacity = MAX (storage->capacity, FEW_COMPONENTS * sizeof (GstCcaComponent));
  GstStructure *config;

  if (storage->pool && bytes <= storage->capacity)
    return TRUE;
  while (capacity < bytes)
    capacity *= 2;
  gst_cca_storage_clear (storage);
  storage->pool = gst_object_ref_sink (g_object_new (gst_cca_pool_get_type (), NULL));
  ((GstCcaPool *) storage->pool)->size = capacity;
  config = gst_buffer_pool_get_config (storage->pool);
  gst_buffer_pool_config_set_params (config, NULL, (guint) MIN (capacity, G_MAXUINT), 0, 0);
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
  const gsize component_bytes = measurement->n_stored * sizeof (GstCcaComponent);
  const gsize overlap_bytes = measurement->n_stored_overlaps * sizeof (GstCcaOverlap);
  const gsize cells = measurement->coverage ? (gsize) measurement->coverage_columns * measurement->coverage_rows : 0;
  GstBuffer *lists;

  if (!reserve (storage, component_bytes + overlap_bytes + 4 * cells)
      || gst_buffer_pool_acquire_buffer (storage->pool, &lists, NULL) != GST_FLOW_OK)
    return NULL;
  if (gst_buffer_fill (lists, 0, measurement->components, component_bytes) != component_bytes
      || (overlap_bytes > 0
          && gst_buffer_fill (lists, component_bytes, measurement->overlaps, overlap_bytes) != overlap_bytes)
      || (cells > 0
          && (gst_buffer_fill (lists, component_bytes + overlap_bytes, measurement->coverage, cells) != cells
              || gst_buffer_fill (lists, component_bytes + overlap_bytes + cells, measurement->colours, 3 * cells)
                     != 3 * cells)))
    gst_clear_buffer (&lists);
  return lists;
}
