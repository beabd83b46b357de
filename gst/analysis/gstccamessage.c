/* gst-cca: components as an element message
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "gstccamessage.h"

#define NAMES(F)                                                                                                       \
  F (cca, "cca")                                                                                                       \
  F (scene_change, "cca-scene-change")                                                                                 \
  F (id, "id")                                                                                                         \
  F (width, "width")                                                                                                   \
  F (height, "height")                                                                                                 \
  F (n_components, "n-components")                                                                                     \
  F (truncated, "truncated")                                                                                           \
  F (components, "components")                                                                                         \
  F (component, "component")                                                                                           \
  F (label, "label")                                                                                                   \
  F (x, "x")                                                                                                           \
  F (y, "y")                                                                                                           \
  F (area, "area")                                                                                                     \
  F (centroid_x, "centroid-x")                                                                                         \
  F (centroid_y, "centroid-y")                                                                                         \
  F (covariance_xx, "covariance-xx")                                                                                   \
  F (covariance_xy, "covariance-xy")                                                                                   \
  F (covariance_yy, "covariance-yy")                                                                                   \
  F (n_overlaps, "n-overlaps")                                                                                         \
  F (overlaps, "overlaps")                                                                                             \
  F (overlap, "overlap")                                                                                               \
  F (before, "before")                                                                                                 \
  F (now, "now")                                                                                                       \
  F (pixels, "pixels")

GST_CCA_DEFINE_NAMES (NAMES)

/* --- Lists ------------------------------------------------------------------------------------------- */

void
gst_cca_message_pools_clear (GstCcaMessagePools *pools)
{
  g_clear_pointer (&pools->components, gst_cca_list_pool_unref);
  g_clear_pointer (&pools->moments, gst_cca_list_pool_unref);
  g_clear_pointer (&pools->overlaps, gst_cca_list_pool_unref);
}

static GstStructure *
component_prototype (void)
{
  return gst_structure_new_id (names.component, names.label, G_TYPE_UINT, 0, names.x, G_TYPE_UINT, 0, names.y,
                               G_TYPE_UINT, 0, names.width, G_TYPE_UINT, 0, names.height, G_TYPE_UINT, 0, names.area,
                               G_TYPE_UINT64, (guint64) 0, names.centroid_x, G_TYPE_DOUBLE, 0.0, names.centroid_y,
                               G_TYPE_DOUBLE, 0.0, NULL);
}

/* Returns the fields behind those of a component. */
static GValue *const *
set_extent (GValue *const *fields, const CcaComponent *component)
{
  g_value_set_uint (*fields++, component->label);
  g_value_set_uint (*fields++, component->x);
  g_value_set_uint (*fields++, component->y);
  g_value_set_uint (*fields++, component->width);
  g_value_set_uint (*fields++, component->height);
  g_value_set_uint64 (*fields++, component->area);
  g_value_set_double (*fields++, component->centroid_x);
  g_value_set_double (*fields++, component->centroid_y);
  return fields;
}

static void
set_component (GValue *const *fields, gconstpointer item)
{
  set_extent (fields, item);
}

static GstCcaListPool *
component_pool (GstCcaMessagePools *pools)
{
  if (!pools->components)
    pools->components = gst_cca_list_pool_new (component_prototype (), set_component, sizeof (CcaComponent));
  return pools->components;
}

static void
set_component_and_moments (GValue *const *fields, gconstpointer item)
{
  const CcaComponent *component = item;

  fields = set_extent (fields, component);
  g_value_set_double (*fields++, component->cov_xx);
  g_value_set_double (*fields++, component->cov_xy);
  g_value_set_double (*fields++, component->cov_yy);
}

static GstCcaListPool *
moment_pool (GstCcaMessagePools *pools)
{
  GstStructure *prototype;

  if (pools->moments)
    return pools->moments;
  prototype = component_prototype ();
  gst_structure_id_set (prototype, names.covariance_xx, G_TYPE_DOUBLE, 0.0, names.covariance_xy, G_TYPE_DOUBLE, 0.0,
                        names.covariance_yy, G_TYPE_DOUBLE, 0.0, NULL);
  pools->moments = gst_cca_list_pool_new (prototype, set_component_and_moments, sizeof (CcaComponent));
  return pools->moments;
}

static void
set_overlap (GValue *const *fields, gconstpointer item)
{
  const CcaOverlap *overlap = item;

  g_value_set_uint (*fields++, overlap->before);
  g_value_set_uint (*fields++, overlap->now);
  g_value_set_uint64 (*fields++, overlap->pixels);
}

static GstCcaListPool *
overlap_pool (GstCcaMessagePools *pools)
{
  if (!pools->overlaps)
    pools->overlaps =
        gst_cca_list_pool_new (gst_structure_new_id (names.overlap, names.before, G_TYPE_UINT, 0, names.now,
                                                     G_TYPE_UINT, 0, names.pixels, G_TYPE_UINT64, (guint64) 0, NULL),
                               set_overlap, sizeof (CcaOverlap));
  return pools->overlaps;
}

/* --- Messages ---------------------------------------------------------------------------------------- */

GstMessage *
gst_cca_message_new (GstCcaMessagePools *pools, GstObject *source, const gchar *id, const GstCcaMessageTimes *times,
                     guint width, guint height, gboolean covariance, const CcaMeasurement *measurement, guint n_listed,
                     guint n_listed_overlaps)
{
  GstCcaList *components, *overlaps = NULL;
  GstStructure *structure;
  GstMessage *message;

  find_names ();
  structure =
      gst_structure_new_id (names.cca, names.id, G_TYPE_STRING, id, names.width, G_TYPE_UINT, width, names.height,
                            G_TYPE_UINT, height, names.n_components, G_TYPE_UINT, measurement->n_components,
                            names.truncated, G_TYPE_BOOLEAN, (gboolean) (n_listed < measurement->n_components), NULL);
  gst_cca_message_times_set (times, structure);
  components = gst_cca_list_new (covariance ? moment_pool (pools) : component_pool (pools), structure, names.components,
                                 measurement->components, n_listed);
  if (measurement->overlaps) {
    gst_structure_id_set (structure, names.n_overlaps, G_TYPE_UINT, measurement->n_overlaps, NULL);
    overlaps =
        gst_cca_list_new (overlap_pool (pools), structure, names.overlaps, measurement->overlaps, n_listed_overlaps);
  }
  message = gst_message_new_element (source, structure);
  gst_cca_list_give (components, message);
  if (overlaps)
    gst_cca_list_give (overlaps, message);
  return message;
}

GstMessage *
gst_cca_message_new_scene_change (GstObject *source, const gchar *id, const GstCcaMessageTimes *times, guint width,
                                  guint height)
{
  GstStructure *structure;

  find_names ();
  structure = gst_structure_new_id (names.scene_change, names.id, G_TYPE_STRING, id, names.width, G_TYPE_UINT, width,
                                    names.height, G_TYPE_UINT, height, NULL);
  gst_cca_message_times_set (times, structure);
  return gst_message_new_element (source, structure);
}
