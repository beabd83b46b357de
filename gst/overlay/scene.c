/* gst-cca: decides what is drawn of the components of a frame, and where
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "scene.h"

#include <cca/label-color.h>

#include "placement.h"

#define EDGE_COLOR 0x80000000u  /* beside lines, so that they stand out from any picture */
#define COUNT_COLOR 0xff000000u /* no label has it */

struct _GstCcaScene
{
  GstCcaPlacement *placement; /* NULL where there was no memory */

  /* Of the drawing that is under way. */
  GstCcaPainter *painter;
  const GstCcaStyle *style;
  const GstCcaView *view;
  const GstCcaLayer *layers;
  guint n_layers;
  gint line;
  const GstCcaRect *places; /* of the labels that are not painted so far */
  gsize n_places;
};

typedef void (*ComponentFunc) (GstCcaScene *scene, const GstCcaLayer *layer, const GstCcaComponent *component);

typedef gchar Text[64];

GstCcaScene *
gst_cca_scene_new (void)
{
  GstCcaScene *scene = g_new0 (GstCcaScene, 1);

  scene->placement = gst_cca_placement_new ();
  return scene;
}

void
gst_cca_scene_free (GstCcaScene *scene)
{
  g_clear_pointer (&scene->placement, gst_cca_placement_free);
  g_free (scene);
}

static guint32
component_color (const GstCcaStyle *style, const GstCcaComponent *component)
{
  guint32 color;

  if (style->color_by != GST_CCA_COLOR_BY_LABEL)
    return style->color;
  color = cca_label_color (component->label);
  return (style->color & 0xff000000) | (color & 0xff) << 16 | (color & 0xff00) | (color >> 16 & 0xff);
}

static gdouble
view_x (const GstCcaLayer *layer, gdouble x)
{
  return x * layer->content.w / layer->meta->width + layer->content.x;
}

static gdouble
view_y (const GstCcaLayer *layer, gdouble y)
{
  return y * layer->content.h / layer->meta->height + layer->content.y;
}

static GstCcaRegion
component_region (const GstCcaLayer *layer, const GstCcaComponent *component)
{
  return (GstCcaRegion) {
    .left = view_x (layer, component->x),
    .top = view_y (layer, component->y),
    .right = view_x (layer, (gdouble) component->x + component->width),
    .bottom = view_y (layer, (gdouble) component->y + component->height),
    .centroid_x = view_x (layer, component->centroid_x + 0.5),
    .centroid_y = view_y (layer, component->centroid_y + 0.5),
  };
}

/* The line that is drawn round a component, or its box where none is drawn. */
static GstCcaRing
component_ring (const GstCcaScene *scene, const GstCcaLayer *layer, const GstCcaComponent *component)
{
  const GstCcaRegion region = component_region (layer, component);

  return gst_cca_layout_ring (scene->view, &region, scene->style->boxes ? scene->line : 0);
}

static void
for_each_component (GstCcaScene *scene, ComponentFunc function)
{
  const guint max_drawn = scene->style->max_drawn;

  for (guint i = 0; i < scene->n_layers; i++) {
    const GstCcaMeta *meta = scene->layers[i].meta;
    const guint n = max_drawn == 0 ? meta->n_stored : MIN (max_drawn, meta->n_stored);

    for (guint j = 0; j < n; j++)
      function (scene, &scene->layers[i], &meta->components[j]);
  }
}

/* --- Boxes and centroids ----------------------------------------------------------------------------- */

static void
paint_box (GstCcaScene *scene, const GstCcaLayer *layer, const GstCcaComponent *component)
{
  const GstCcaRing ring = component_ring (scene, layer, component);
  const GstCcaRect outer = gst_cca_rect_grow (&ring.outer, 1), inner = gst_cca_rect_grow (&ring.inner, -1);

  if (gst_cca_rect_is_empty (&ring.outer))
    return;
  gst_cca_painter_fill (scene->painter, &outer, &inner, EDGE_COLOR);
  gst_cca_painter_fill (scene->painter, &ring.outer, &ring.inner, component_color (scene->style, component));
}

/* The bars share no pixel, so that none is painted twice. */
static void
fill_cross (GstCcaPainter *painter, const GstCcaRect *across, const GstCcaRect *down, guint32 color)
{
  const GstCcaRect none = { 0, 0, 0, 0 };
  const gint across_bottom = across->y + across->h, down_bottom = down->y + down->h;
  const GstCcaRect above = { down->x, down->y, down->w, across->y - down->y };
  const GstCcaRect below = { down->x, across_bottom, down->w, down_bottom - across_bottom };

  gst_cca_painter_fill (painter, across, &none, color);
  gst_cca_painter_fill (painter, &above, &none, color);
  gst_cca_painter_fill (painter, &below, &none, color);
}

static void
paint_centroid (GstCcaScene *scene, const GstCcaLayer *layer, const GstCcaComponent *component)
{
  const GstCcaRegion region = component_region (layer, component);
  const GstCcaCross cross = gst_cca_layout_cross (scene->view, &region, scene->line);
  const GstCcaRect across = gst_cca_rect_grow (&cross.across, 1), down = gst_cca_rect_grow (&cross.down, 1);

  if (gst_cca_rect_is_empty (&cross.across))
    return;
  fill_cross (scene->painter, &across, &down, EDGE_COLOR);
  fill_cross (scene->painter, &cross.across, &cross.down, component_color (scene->style, component));
}

/* --- Texts ------------------------------------------------------------------------------------------- */

static void
component_text (const GstCcaStyle *style, const GstCcaComponent *component, Text text)
{
  if (style->labels && style->area)
    g_snprintf (text, sizeof (Text), "%u  %" G_GUINT64_FORMAT " px", component->label, component->area);
  else if (style->labels)
    g_snprintf (text, sizeof (Text), "%u", component->label);
  else
    g_snprintf (text, sizeof (Text), "%" G_GUINT64_FORMAT " px", component->area);
}

static void
add_label (GstCcaScene *scene, const GstCcaLayer *layer, const GstCcaComponent *component)
{
  const GstCcaRing ring = component_ring (scene, layer, component);
  gint width, height;
  Text text;

  component_text (scene->style, component, text);
  if (gst_cca_painter_text_size (scene->painter, text, &width, &height))
    gst_cca_placement_add (scene->placement, &ring, width, height, component->area);
}

static void
paint_label (GstCcaScene *scene, const GstCcaLayer *layer, const GstCcaComponent *component)
{
  Text text;

  if (scene->n_places == 0)
    return;
  component_text (scene->style, component, text);
  gst_cca_painter_write (scene->painter, scene->places, text, component_color (scene->style, component));
  scene->places++;
  scene->n_places--;
}

/* Returns the text of a layer's number of components, with the layer's name if there are several. */
static gchar *
count_text (const GstCcaScene *scene, const GstCcaMeta *meta)
{
  const gboolean named = scene->n_layers > 1 && *meta->id != '\0';

  return g_strdup_printf ("%s%s%u%s component%s", named ? meta->id : "", named ? ": " : "", meta->n_components,
                          meta->truncated ? "+" : "", meta->n_components == 1 ? "" : "s");
}

/* On the next line of the view's upper left corner. */
static void
paint_count (GstCcaScene *scene, const GstCcaLayer *layer, gint *y)
{
  const GstCcaView *view = scene->view;
  const gint margin = view->height / 60;
  g_autofree gchar *text = count_text (scene, layer->meta);
  GstCcaRect plate = { gst_cca_view_align_x (view, margin), gst_cca_view_align_y (view, margin) + *y, 0, 0 };

  if (!gst_cca_painter_text_size (scene->painter, text, &plate.w, &plate.h))
    return;
  plate.x = CLAMP (plate.x, 0, MAX (0, view->width - plate.w));
  plate.y = CLAMP (plate.y, 0, MAX (0, view->height - plate.h));
  *y += plate.h;
  gst_cca_painter_write (scene->painter, &plate, text, COUNT_COLOR);
  gst_cca_placement_reserve (scene->placement, &plate);
}

static void
paint_texts (GstCcaScene *scene)
{
  const GstCcaStyle *style = scene->style;
  gint y = 0;

  if (scene->placement == NULL)
    return;
  gst_cca_placement_begin (scene->placement, scene->view);
  for (guint i = 0; i < scene->n_layers && style->count; i++)
    paint_count (scene, &scene->layers[i], &y);
  if (style->labels || style->area) {
    for_each_component (scene, add_label);
    scene->places = gst_cca_placement_run (scene->placement, &scene->n_places);
    for_each_component (scene, paint_label);
  }
}

void
gst_cca_scene_paint (GstCcaScene *scene, GstCcaPainter *painter, const GstCcaStyle *style, const GstCcaView *view,
                     const GstCcaLayer *layers, guint n_layers)
{
  scene->painter = painter;
  scene->style = style;
  scene->view = view;
  scene->layers = layers;
  scene->n_layers = n_layers;
  scene->line = style->line_width > 0 ? (gint) style->line_width : gst_cca_view_default_line (view);

  if (style->boxes)
    for_each_component (scene, paint_box);
  if (style->centroids)
    for_each_component (scene, paint_centroid);
  paint_texts (scene);
}
