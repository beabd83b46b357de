/* gst-cca: components as metas of a buffer
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "gstccaemit.h"

#include <gst/cca/gstccameta.h>

#include <gst/video/video.h>
#ifdef HAVE_GST_ANALYTICS
#include <gst/analytics/analytics.h>
#endif

#define COMPONENT_TYPE "cca-component"

G_DEFINE_FLAGS_TYPE (GstCcaEmit, gst_cca_emit, { GST_CCA_EMIT_CCA, "GstCcaMeta with all components", "cca" },
                     { GST_CCA_EMIT_ROI, "GstVideoRegionOfInterestMeta per component", "roi" },
                     { GST_CCA_EMIT_ANALYTICS,
                       "GstAnalyticsRelationMeta with an object detection per component (GStreamer >= 1.24)",
                       "analytics" })

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

static gboolean
add_cca_meta (GstCcaStorage *storage, GstBuffer *buffer, GRefString *id, guint width, guint height,
              const CcaMeasurement *measurement)
{
  const gboolean empty =
      measurement->n_stored == 0 && measurement->n_stored_overlaps == 0 && measurement->coverage == NULL;
  GstBuffer *lists = NULL;
  const GstCcaMeta *old;
  GstCcaMeta *meta;

  if (!empty && !(lists = gst_cca_storage_store (storage, measurement)))
    return FALSE;
  while ((old = gst_buffer_get_cca_meta_by_id (buffer, id)))
    gst_buffer_remove_meta (buffer, (GstMeta *) &old->meta);
  meta = gst_buffer_add_cca_meta_take (buffer, g_ref_string_acquire (id), width, height, measurement->n_components,
                                       lists, measurement->n_stored);
  if (meta)
    meta->scene_change = measurement->scene_change;
  if (meta && measurement->overlaps
      && !gst_cca_meta_set_stored_overlaps (meta, measurement->n_overlaps, measurement->n_stored_overlaps))
    return FALSE;
  if (meta && measurement->coverage)
    return gst_cca_meta_set_stored_coverage (meta, measurement->coverage_cell)
           && gst_cca_meta_set_stored_cell_colours (meta);
  return meta != NULL;
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

static gboolean
add_analytics_meta (GstBuffer *buffer, const GstCcaIdentity *identity, const CcaMeasurement *measurement)
{
#ifdef HAVE_GST_ANALYTICS
  const gsize n = measurement->n_stored;
  /* Room for all at once: the meta grows by copying the square of what it holds. */
  GstAnalyticsRelationMetaInitParams room = { n, 64 * n };
  GstAnalyticsRelationMeta *meta;
  gpointer block;

  if (n == 0)
    return TRUE;
  /* The relation of each detection to each other takes a byte; GStreamer aborts if it gets no such block. */
  block = g_try_malloc (n * (n + 256));
  if (!block)
    return FALSE;
  g_free (block);
  meta = gst_buffer_add_analytics_relation_meta_full (buffer, &room);
  for (guint i = 0; i < measurement->n_stored; i++) {
    const CcaComponent *component = &measurement->components[i];
    GstAnalyticsODMtd detection;

    gst_analytics_relation_meta_add_od_mtd (meta, identity->component_type, (gint) component->x, (gint) component->y,
                                            (gint) component->width, (gint) component->height, 1.0f, &detection);
  }
#endif
  return TRUE;
}

gboolean
gst_cca_emit_metas (GstCcaStorage *storage, GstBuffer *buffer, GstCcaEmit emit, const GstCcaIdentity *identity,
                    guint width, guint height, const CcaMeasurement *measurement)
{
  if ((emit & GST_CCA_EMIT_CCA) && !add_cca_meta (storage, buffer, identity->id, width, height, measurement))
    return FALSE;
  if (emit & GST_CCA_EMIT_ROI)
    add_roi_metas (buffer, identity, measurement);
  if ((emit & GST_CCA_EMIT_ANALYTICS) && !add_analytics_meta (buffer, identity, measurement))
    return FALSE;
  return TRUE;
}
