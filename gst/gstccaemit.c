/* gst-cca: components as metas of a buffer
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "gstccaemit.h"

#include <gst/cca/gstccameta.h>

#include <gst/video/video.h>
#ifdef HAVE_GST_ANALYTICS
#include <gst/analytics/analytics.h>
#endif
#include <string.h>

#define COMPONENT_TYPE "cca-component"

/* A measurement's components become the meta's by a plain copy. */
G_STATIC_ASSERT (sizeof (GstCcaComponent) == sizeof (CcaComponent));
G_STATIC_ASSERT (offsetof (GstCcaComponent, label) == offsetof (CcaComponent, label));
G_STATIC_ASSERT (offsetof (GstCcaComponent, x) == offsetof (CcaComponent, x));
G_STATIC_ASSERT (offsetof (GstCcaComponent, height) == offsetof (CcaComponent, height));
G_STATIC_ASSERT (offsetof (GstCcaComponent, area) == offsetof (CcaComponent, area));
G_STATIC_ASSERT (offsetof (GstCcaComponent, centroid_x) == offsetof (CcaComponent, centroid_x));
G_STATIC_ASSERT (offsetof (GstCcaComponent, cov_yy) == offsetof (CcaComponent, cov_yy));

GType
gst_cca_emit_get_type (void)
{
  static const GFlagsValue values[] = {
    { GST_CCA_EMIT_CCA, "GstCcaMeta with all components", "cca" },
    { GST_CCA_EMIT_ROI, "GstVideoRegionOfInterestMeta per component", "roi" },
    { GST_CCA_EMIT_ANALYTICS, "GstAnalyticsRelationMeta with an object detection per component (GStreamer >= 1.24)",
      "analytics" },
    { 0, NULL, NULL },
  };
  static gsize type;

  if (g_once_init_enter (&type))
    g_once_init_leave (&type, g_flags_register_static ("GstCcaEmit", values));
  return type;
}

gboolean
gst_cca_emit_has_analytics (void)
{
#ifdef HAVE_GST_ANALYTICS
  return TRUE;
#else
  return FALSE;
#endif
}

/* The type tells analyses apart where the id does not come along: videoconvert and videoscale drop the parameters of a
 * region of interest, and an object detection has none. */
void
gst_cca_identity_init (GstCcaIdentity *identity, const gchar *id, const gchar *element_name)
{
  g_autofree gchar *type = id ? g_strconcat (COMPONENT_TYPE "/", id, NULL) : g_strdup (COMPONENT_TYPE);

  identity->id = g_ref_string_new (id ? id : element_name);
  identity->component_type = g_quark_from_string (type);
}

void
gst_cca_identity_clear (GstCcaIdentity *identity)
{
  g_clear_pointer (&identity->id, g_ref_string_release);
}

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
storage_reserve (GstCcaStorage *storage, guint n_components)
{
  guint capacity = MAX (storage->capacity, 256);
  GstStructure *config;

  if (storage->pool && n_components <= storage->capacity)
    return TRUE;
  while (capacity < n_components)
    capacity *= 2;
  gst_cca_storage_clear (storage);
  storage->pool = gst_buffer_pool_new ();
  config = gst_buffer_pool_get_config (storage->pool);
  gst_buffer_pool_config_set_params (config, NULL, capacity * (guint) sizeof (GstCcaComponent), 0, 0);
  if (!gst_buffer_pool_set_config (storage->pool, config) || !gst_buffer_pool_set_active (storage->pool, TRUE)) {
    gst_cca_storage_clear (storage);
    return FALSE;
  }
  storage->capacity = capacity;
  return TRUE;
}

/* The components in a buffer of the storage's pool; NULL where memory is exhausted. */
static GstBuffer *
store_components (GstCcaStorage *storage, const CcaMeasurement *measurement)
{
  const gsize bytes = measurement->n_stored * sizeof (GstCcaComponent);
  GstBuffer *components;

  if (!storage_reserve (storage, measurement->n_stored)
      || gst_buffer_pool_acquire_buffer (storage->pool, &components, NULL) != GST_FLOW_OK)
    return NULL;
  if (gst_buffer_fill (components, 0, measurement->components, bytes) != bytes)
    gst_clear_buffer (&components);
  return components;
}

static gboolean
add_cca_meta (GstCcaStorage *storage, GstBuffer *buffer, GRefString *id, guint width, guint height,
              const CcaMeasurement *measurement)
{
  GstBuffer *components = NULL;
  const GstCcaMeta *old;

  if (measurement->n_stored > 0 && !(components = store_components (storage, measurement)))
    return FALSE;
  while ((old = gst_buffer_get_cca_meta_by_id (buffer, id)))
    gst_buffer_remove_meta (buffer, (GstMeta *) &old->meta);
  return gst_buffer_add_cca_meta_take (buffer, g_ref_string_acquire (id), width, height, measurement->n_components,
                                       components, measurement->n_stored)
         != NULL;
}

static gboolean
remove_roi_of_id (GstBuffer *buffer, GstMeta **meta, gpointer id)
{
  GstStructure *param;

  if ((*meta)->info->api != GST_VIDEO_REGION_OF_INTEREST_META_API_TYPE)
    return TRUE;
  param = gst_video_region_of_interest_meta_get_param ((GstVideoRegionOfInterestMeta *) *meta, COMPONENT_TYPE);
  if (param && g_strcmp0 (gst_structure_get_string (param, "id"), id) == 0)
    *meta = NULL;
  return TRUE;
}

static void
add_roi_metas (GstBuffer *buffer, const GstCcaIdentity *identity, const CcaMeasurement *measurement)
{
  gst_buffer_foreach_meta (buffer, remove_roi_of_id, identity->id);
  for (guint i = 0; i < measurement->n_stored; i++) {
    const CcaComponent *component = &measurement->components[i];
    GstVideoRegionOfInterestMeta *roi = gst_buffer_add_video_region_of_interest_meta_id (
        buffer, identity->component_type, component->x, component->y, component->width, component->height);

    roi->id = (gint) component->label;
    gst_video_region_of_interest_meta_add_param (
        roi, gst_structure_new (COMPONENT_TYPE, "id", G_TYPE_STRING, identity->id, "label", G_TYPE_UINT,
                                component->label, "area", G_TYPE_UINT64, component->area, "centroid-x", G_TYPE_DOUBLE,
                                component->centroid_x, "centroid-y", G_TYPE_DOUBLE, component->centroid_y, NULL));
  }
}

static void
add_analytics_meta (GstBuffer *buffer, const GstCcaIdentity *identity, const CcaMeasurement *measurement)
{
#ifdef HAVE_GST_ANALYTICS
  /* Room for all at once: the meta grows by copying the square of what it holds. */
  GstAnalyticsRelationMetaInitParams room = { measurement->n_stored, 64 * (gsize) measurement->n_stored };
  GstAnalyticsRelationMeta *meta;

  if (measurement->n_stored == 0)
    return;
  meta = gst_buffer_add_analytics_relation_meta_full (buffer, &room);
  for (guint i = 0; i < measurement->n_stored; i++) {
    const CcaComponent *component = &measurement->components[i];
    GstAnalyticsODMtd detection;

    gst_analytics_relation_meta_add_od_mtd (meta, identity->component_type, (gint) component->x, (gint) component->y,
                                            (gint) component->width, (gint) component->height, 1.0f, &detection);
  }
#endif
}

gboolean
gst_cca_emit_metas (GstCcaStorage *storage, GstBuffer *buffer, GstCcaEmit emit, const GstCcaIdentity *identity,
                    guint width, guint height, const CcaMeasurement *measurement)
{
  if ((emit & GST_CCA_EMIT_CCA) && !add_cca_meta (storage, buffer, identity->id, width, height, measurement))
    return FALSE;
  if (emit & GST_CCA_EMIT_ROI)
    add_roi_metas (buffer, identity, measurement);
  if (emit & GST_CCA_EMIT_ANALYTICS)
    add_analytics_meta (buffer, identity, measurement);
  return TRUE;
}
