/* gst-cca: frames that carry overlays for an element downstream that composes them
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "compose.h"

static gboolean
set_composition_feature (GstCapsFeatures *features, GstStructure *structure, gpointer present)
{
  if (gst_caps_features_is_any (features))
    return TRUE;
  if (!present)
    gst_caps_features_remove (features, GST_CCA_COMPOSITION);
  else if (!gst_caps_features_contains (features, GST_CCA_COMPOSITION))
    gst_caps_features_add (features, GST_CCA_COMPOSITION);
  return TRUE;
}

static GstCaps *
caps_with_composition (GstCaps *caps, gboolean present)
{
  GstCaps *changed = gst_caps_copy (caps);

  gst_caps_map_in_place (changed, set_composition_feature, GINT_TO_POINTER (present));
  return changed;
}

GstCaps *
gst_cca_compose_transform_caps (GstPadDirection direction, GstCaps *caps, GstCaps *filter)
{
  GstCaps *result, *filtered;

  if (direction == GST_PAD_SINK)
    result = gst_caps_merge (caps_with_composition (caps, TRUE), gst_caps_ref (caps));
  else
    result = gst_caps_merge (gst_caps_ref (caps), caps_with_composition (caps, FALSE));
  if (filter == NULL)
    return result;
  filtered = gst_caps_intersect_full (filter, result, GST_CAPS_INTERSECT_FIRST);
  gst_caps_unref (result);
  return filtered;
}

gboolean
gst_cca_compose_is_plain (const GstCapsFeatures *features)
{
  for (guint i = 0; i < gst_caps_features_get_size (features); i++) {
    const gchar *feature = gst_caps_features_get_nth (features, i);

    if (!g_str_equal (feature, GST_CAPS_FEATURE_MEMORY_SYSTEM_MEMORY) && !g_str_equal (feature, GST_CCA_COMPOSITION))
      return FALSE;
  }
  return TRUE;
}

void
gst_cca_compose_attach (GstBuffer *buffer, GstVideoOverlayComposition *drawing)
{
  GstVideoOverlayCompositionMeta *meta = gst_buffer_get_video_overlay_composition_meta (buffer);

  if (meta == NULL) {
    gst_buffer_add_video_overlay_composition_meta (buffer, drawing);
    return;
  }
  meta->overlay = gst_video_overlay_composition_make_writable (meta->overlay);
  for (guint i = 0; i < gst_video_overlay_composition_n_rectangles (drawing); i++)
    gst_video_overlay_composition_add_rectangle (meta->overlay,
                                                 gst_video_overlay_composition_get_rectangle (drawing, i));
}
