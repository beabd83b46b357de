/* gst-cca: which metas of a frame are drawn, and where
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "layers.h"

#include "gst/common/gstccacrops.h"

void
gst_cca_layers_init (GstCcaLayers *layers)
{
  layers->components = g_array_new (FALSE, FALSE, sizeof (GstCcaComponentLayer));
  layers->tracks = g_array_new (FALSE, FALSE, sizeof (GstCcaTrackLayer));
  layers->rules = g_array_new (FALSE, FALSE, sizeof (GstCcaRuleLayer));
  layers->crops = g_array_new (FALSE, FALSE, sizeof (GstCcaExtent));
}

void
gst_cca_layers_clear (GstCcaLayers *layers)
{
  g_clear_pointer (&layers->components, g_array_unref);
  g_clear_pointer (&layers->tracks, g_array_unref);
  g_clear_pointer (&layers->rules, g_array_unref);
  g_clear_pointer (&layers->crops, g_array_unref);
}

/* Returns whether a meta has a place in the frame, and remembers one that has none. */
static gboolean
has_place (GstCcaLayers *layers, GstCcaPlace place, const gchar *id, const GstCcaFit *fit)
{
  if (place != GST_CCA_PLACE_UNKNOWN)
    return TRUE;
  if (layers->unplaced.id == NULL) {
    layers->unplaced.id = id;
    layers->unplaced.width = fit->width;
    layers->unplaced.height = fit->height;
  }
  return FALSE;
}

/* Returns the number of metas, and adds to n_chosen those with the id asked for. */
static guint
collect_components (GstCcaLayers *layers, GstBuffer *buffer, guint width, guint height, const gchar *source,
                    guint *n_chosen)
{
  const GstCcaMeta *meta;
  gpointer state = NULL;
  guint n = 0;

  for (; (meta = gst_buffer_iterate_cca_meta (buffer, &state)) != NULL; n++) {
    GstCcaComponentLayer layer = { meta, { .width = meta->width, .height = meta->height } };

    if (source != NULL && !g_str_equal (meta->id, source))
      continue;
    (*n_chosen)++;
    if (has_place (layers, gst_cca_meta_map_to_frame (meta, buffer, width, height, &layer.fit.content), meta->id,
                   &layer.fit))
      g_array_append_val (layers->components, layer);
  }
  return n;
}

static guint
collect_tracks (GstCcaLayers *layers, GstBuffer *buffer, guint width, guint height, const gchar *source,
                guint *n_chosen)
{
  const GstCcaTrackMeta *meta;
  gpointer state = NULL;
  guint n = 0;

  for (; (meta = gst_buffer_iterate_cca_track_meta (buffer, &state)) != NULL; n++) {
    GstCcaTrackLayer layer = { meta, { .width = meta->width, .height = meta->height } };

    if (source != NULL && !g_str_equal (meta->id, source))
      continue;
    (*n_chosen)++;
    if (has_place (layers, gst_cca_track_meta_map_to_frame (meta, buffer, width, height, &layer.fit.content), meta->id,
                   &layer.fit))
      g_array_append_val (layers->tracks, layer);
  }
  return n;
}

static guint
collect_rules (GstCcaLayers *layers, GstBuffer *buffer, guint width, guint height, const gchar *source, guint *n_chosen)
{
  const GstCcaEventMeta *meta;
  gpointer state = NULL;
  guint n = 0;

  for (; (meta = gst_buffer_iterate_cca_event_meta (buffer, &state)) != NULL; n++) {
    GstCcaRuleLayer layer = { meta, { .width = meta->width, .height = meta->height } };

    if (source != NULL && !g_str_equal (meta->id, source))
      continue;
    (*n_chosen)++;
    if (has_place (layers, gst_cca_event_meta_map_to_frame (meta, buffer, width, height, &layer.fit.content), meta->id,
                   &layer.fit))
      g_array_append_val (layers->rules, layer);
  }
  return n;
}

/* Frames have regions of interest in their own coordinates. */
static void
collect_crops (GstCcaLayers *layers, GstBuffer *buffer)
{
  const GstVideoRegionOfInterestMeta *crop;
  gpointer state = NULL;

  while ((crop = gst_cca_crops_next (buffer, &state)) != NULL) {
    const GstCcaExtent extent = {
      .left = crop->x, .top = crop->y, .right = (gdouble) crop->x + crop->w, .bottom = (gdouble) crop->y + crop->h
    };

    g_array_append_val (layers->crops, extent);
  }
}

gboolean
gst_cca_layers_collect (GstCcaLayers *layers, GstBuffer *buffer, guint width, guint height, const gchar *source)
{
  guint n, n_chosen = 0;

  g_array_set_size (layers->components, 0);
  g_array_set_size (layers->tracks, 0);
  g_array_set_size (layers->rules, 0);
  g_array_set_size (layers->crops, 0);
  layers->unplaced.id = NULL;
  n = collect_components (layers, buffer, width, height, source, &n_chosen);
  n += collect_tracks (layers, buffer, width, height, source, &n_chosen);
  n += collect_rules (layers, buffer, width, height, source, &n_chosen);
  collect_crops (layers, buffer);
  layers->without_source = n > 0 && n_chosen == 0;
  return layers->components->len + layers->tracks->len + layers->rules->len + layers->crops->len > 0;
}

const GstCcaTrackLayer *
gst_cca_layers_find_tracks (const GstCcaLayers *layers, const gchar *id)
{
  for (guint i = 0; i < layers->tracks->len; i++) {
    const GstCcaTrackLayer *layer = &g_array_index (layers->tracks, GstCcaTrackLayer, i);

    if (g_str_equal (layer->meta->id, id))
      return layer;
  }
  return NULL;
}

const GstCcaGroundTrack *
gst_cca_layers_find_ground_track (const GstCcaLayers *layers, const gchar *id, guint64 track_id)
{
  const GstCcaGroundTrack *track = NULL;

  for (guint i = 0; i < layers->rules->len && track == NULL; i++) {
    const GstCcaEventMeta *meta = g_array_index (layers->rules, GstCcaRuleLayer, i).meta;

    if (g_str_equal (meta->id, id))
      track = gst_cca_event_meta_find_ground_track (meta, track_id);
  }
  return track;
}

GstCcaView
gst_cca_view_of_frames (const GstVideoInfo *info)
{
  GstCcaView view = { .width = info->width, .height = info->height };
  guint shift_x = 0, shift_y = 0;

  for (guint i = 0; i < GST_VIDEO_INFO_N_COMPONENTS (info); i++) {
    shift_x = MAX (shift_x, GST_VIDEO_FORMAT_INFO_W_SUB (info->finfo, i));
    shift_y = MAX (shift_y, GST_VIDEO_FORMAT_INFO_H_SUB (info->finfo, i));
  }
  if (shift_y > 0 && GST_VIDEO_INFO_IS_INTERLACED (info))
    shift_y++;
  view.sample_w = 1 << shift_x;
  view.sample_h = 1 << shift_y;
  return view;
}

gdouble
gst_cca_fit_x (const GstCcaFit *fit, gdouble x)
{
  return x * fit->content.w / fit->width + fit->content.x;
}

gdouble
gst_cca_fit_y (const GstCcaFit *fit, gdouble y)
{
  return y * fit->content.h / fit->height + fit->content.y;
}

static GstCcaExtent
fit_extent (const GstCcaFit *fit, guint x, guint y, guint width, guint height, gdouble centroid_x, gdouble centroid_y)
{
  return (GstCcaExtent) {
    .left = gst_cca_fit_x (fit, x),
    .top = gst_cca_fit_y (fit, y),
    .right = gst_cca_fit_x (fit, (gdouble) x + width),
    .bottom = gst_cca_fit_y (fit, (gdouble) y + height),
    .centroid_x = gst_cca_fit_x (fit, centroid_x + 0.5),
    .centroid_y = gst_cca_fit_y (fit, centroid_y + 0.5),
  };
}

GstCcaExtent
gst_cca_fit_component (const GstCcaFit *fit, const GstCcaComponent *component)
{
  return fit_extent (fit, component->x, component->y, component->width, component->height, component->centroid_x,
                     component->centroid_y);
}

GstCcaExtent
gst_cca_fit_track (const GstCcaFit *fit, const GstCcaTrack *track)
{
  return fit_extent (fit, track->x, track->y, track->width, track->height, track->centroid_x, track->centroid_y);
}

GstCcaVertex
gst_cca_extent_foot (const GstCcaExtent *extent)
{
  return (GstCcaVertex) { (extent->left + extent->right) / 2, extent->bottom };
}
