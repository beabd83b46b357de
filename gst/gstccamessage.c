/* gst-cca: components as an element message
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "gstccamessage.h"

#include "gstccaroom.h"
#include "gstccastructures.h"

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

static GstStructure *
component_structure (const CcaComponent *component, gboolean covariance)
{
  GstStructure *structure = gst_structure_new_id (
      names.component, names.label, G_TYPE_UINT, component->label, names.x, G_TYPE_UINT, component->x, names.y,
      G_TYPE_UINT, component->y, names.width, G_TYPE_UINT, component->width, names.height, G_TYPE_UINT,
      component->height, names.area, G_TYPE_UINT64, component->area, names.centroid_x, G_TYPE_DOUBLE,
      component->centroid_x, names.centroid_y, G_TYPE_DOUBLE, component->centroid_y, NULL);

  if (covariance)
    gst_structure_id_set (structure, names.covariance_xx, G_TYPE_DOUBLE, component->cov_xx, names.covariance_xy,
                          G_TYPE_DOUBLE, component->cov_xy, names.covariance_yy, G_TYPE_DOUBLE, component->cov_yy,
                          NULL);
  return structure;
}

static void
take_components (GstStructure *structure, gboolean covariance, const CcaComponent *components, guint n)
{
  GValue list = G_VALUE_INIT;

  gst_value_list_init (&list, n);
  for (guint i = 0; i < n; i++)
    gst_cca_append_structure (&list, component_structure (&components[i], covariance));
  gst_structure_id_take_value (structure, names.components, &list);
}

static void
take_overlaps (GstStructure *structure, const CcaOverlap *overlaps, guint n)
{
  GValue list = G_VALUE_INIT;

  gst_value_list_init (&list, n);
  for (guint i = 0; i < n; i++)
    gst_cca_append_structure (&list, gst_structure_new_id (names.overlap, names.before, G_TYPE_UINT, overlaps[i].before,
                                                           names.now, G_TYPE_UINT, overlaps[i].now, names.pixels,
                                                           G_TYPE_UINT64, overlaps[i].pixels, NULL));
  gst_structure_id_take_value (structure, names.overlaps, &list);
}

/* More than a component or an overlap of a message takes, in small blocks. */
#define ITEM_BYTES 1024

GstMessage *
gst_cca_message_new (GstObject *source, const gchar *id, const GstCcaMessageTimes *times, guint width, guint height,
                     gboolean covariance, const CcaMeasurement *measurement, guint n_listed, guint n_listed_overlaps)
{
  GstStructure *structure;

  if (!gst_cca_has_room (((gsize) n_listed + n_listed_overlaps) * ITEM_BYTES))
    return NULL;
  find_names ();
  structure =
      gst_structure_new_id (names.cca, names.id, G_TYPE_STRING, id, names.width, G_TYPE_UINT, width, names.height,
                            G_TYPE_UINT, height, names.n_components, G_TYPE_UINT, measurement->n_components,
                            names.truncated, G_TYPE_BOOLEAN, (gboolean) (n_listed < measurement->n_components), NULL);
  gst_cca_message_times_set (times, structure);
  take_components (structure, covariance, measurement->components, n_listed);
  if (measurement->overlaps) {
    gst_structure_id_set (structure, names.n_overlaps, G_TYPE_UINT, measurement->n_overlaps, NULL);
    take_overlaps (structure, measurement->overlaps, n_listed_overlaps);
  }
  return gst_message_new_element (source, structure);
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
