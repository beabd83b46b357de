/* gst-cca: chooses the marks on a frame and their places
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "scene.h"

#include "gst/common/gstccaclass.h"
#include "heatmap.h"
#include "heights.h"
#include "placement.h"
#include "rules.h"
#include "trails.h"

/* A component or track that is drawn. */
typedef struct
{
  GstCcaExtent extent;
  GstCcaRing ring; /* the line that is drawn round it, or its box where none is drawn */
  guint32 color;
  gboolean is_track;
  GstCcaTrackState state; /* of a track */
  guint64 id;             /* label or identity */
  guint64 area;
  const gchar *type; /* NULL: not known */
  gint speed;        /* km/h; below 0 if it is not written */
} Mark;

struct _GstCcaScene
{
  GstCcaPlacement *placement; /* NULL where there was no memory */
  GArray *rule_places;        /* of gst_cca_rule_marks_label() */
  GstCcaTrails *trails;
  GstCcaFlashes *flashes;
  GstCcaHeatmap *heatmap; /* NULL while none is drawn */
  GstClockTime time;      /* of the last frame */
  GArray *marks;          /* of Mark */

  /* Of the drawing that is under way. */
  GstCcaDrawing *drawing;
  GstCcaFont *font;
  const GstCcaStyle *style;
  const GstCcaView *view;
  const GstCcaLayers *layers;
  gint line;
};

/* Characters of a class's name that are drawn; each has at most four bytes. */
#define TYPE_CHARACTERS 24
#define TYPE_SIZE (4 * TYPE_CHARACTERS + 1)

typedef gchar Text[64 + TYPE_SIZE];

GstCcaScene *
gst_cca_scene_new (void)
{
  GstCcaScene *scene = g_new0 (GstCcaScene, 1);

  scene->placement = gst_cca_placement_new ();
  scene->rule_places = g_array_new (FALSE, TRUE, sizeof (gint));
  scene->trails = gst_cca_trails_new ();
  scene->flashes = gst_cca_flashes_new ();
  scene->marks = g_array_new (FALSE, FALSE, sizeof (Mark));
  return scene;
}

void
gst_cca_scene_free (GstCcaScene *scene)
{
  g_clear_pointer (&scene->placement, gst_cca_placement_free);
  g_array_unref (scene->rule_places);
  gst_cca_trails_free (scene->trails);
  gst_cca_flashes_free (scene->flashes);
  g_clear_pointer (&scene->heatmap, gst_cca_heatmap_free);
  g_array_unref (scene->marks);
  g_free (scene);
}

void
gst_cca_scene_break (GstCcaScene *scene)
{
  g_array_set_size (scene->rule_places, 0);
  gst_cca_trails_forget (scene->trails);
  gst_cca_flashes_forget (scene->flashes);
  scene->time = 0;
}

void
gst_cca_scene_forget (GstCcaScene *scene)
{
  gst_cca_scene_break (scene);
  g_clear_pointer (&scene->heatmap, gst_cca_heatmap_free);
}

/* --- Components and tracks --------------------------------------------------------------------------- */

static guint32
component_color (const GstCcaStyle *style, const GstCcaComponent *component)
{
  if (style->color_by != GST_CCA_COLOR_BY_LABEL)
    return style->color;
  return gst_cca_palette_color (component->label, style->color >> 24);
}

/* Predicted boxes are fainter. */
static guint32
track_color (const GstCcaStyle *style, const GstCcaTrack *track)
{
  const guint32 alpha = style->color >> 24;

  return gst_cca_palette_color (track->track_id, track->state == GST_CCA_TRACK_STATE_COASTING ? alpha / 2 : alpha);
}

static void
add_mark (GstCcaScene *scene, Mark mark)
{
  mark.ring = gst_cca_layout_ring (scene->view, &mark.extent, scene->style->boxes ? scene->line : 0);
  g_array_append_val (scene->marks, mark);
}

static guint
n_drawn (const GstCcaStyle *style, guint n)
{
  return style->max_drawn == 0 ? n : MIN (style->max_drawn, n);
}

/* Returns whether tracks are drawn instead of the components of an analysis. */
static gboolean
has_tracks (const GstCcaScene *scene, const gchar *id)
{
  return scene->style->tracks && gst_cca_layers_find_tracks (scene->layers, id) != NULL;
}

static void
add_components (GstCcaScene *scene, const GstCcaComponentLayer *layer)
{
  const guint n = n_drawn (scene->style, layer->meta->n_stored);

  if (has_tracks (scene, layer->meta->id))
    return;
  for (guint i = 0; i < n; i++) {
    const GstCcaComponent *component = &layer->meta->components[i];

    add_mark (scene, (Mark) {
                         .extent = gst_cca_fit_component (&layer->fit, component),
                         .color = component_color (scene->style, component),
                         .id = component->label,
                         .area = component->area,
                         .speed = -1,
                     });
  }
}

/* Returns the speed of a track that is written, in whole km/h, or -1. */
static gint
speed_of (const GstCcaScene *scene, const GstCcaGroundTrack *track)
{
  if (!scene->style->speed || track == NULL || !(track->measured & GST_CCA_MEASURE_SPEED)
      || !(track->speed >= 0 && track->speed < 10000))
    return -1;
  return (gint) (track->speed * 3.6 + 0.5);
}

static void
add_tracks (GstCcaScene *scene, const GstCcaTrackLayer *layer)
{
  const guint n = n_drawn (scene->style, layer->meta->n_tracks);

  for (guint i = 0; i < n; i++) {
    const GstCcaTrack *track = &layer->meta->tracks[i];
    const GstCcaGroundTrack *on_ground =
        scene->style->labels ? gst_cca_layers_find_ground_track (scene->layers, layer->meta->id, track->track_id)
                             : NULL;

    add_mark (scene, (Mark) {
                         .extent = gst_cca_fit_track (&layer->fit, track),
                         .color = track_color (scene->style, track),
                         .is_track = TRUE,
                         .state = track->state,
                         .id = track->track_id,
                         .area = track->area,
                         .type = g_quark_to_string (gst_cca_track_class (track, on_ground)),
                         .speed = speed_of (scene, on_ground),
                     });
  }
}

static void
list_marks (GstCcaScene *scene)
{
  const GstCcaLayers *layers = scene->layers;

  g_array_set_size (scene->marks, 0);
  for (guint i = 0; i < layers->components->len; i++)
    add_components (scene, &g_array_index (layers->components, GstCcaComponentLayer, i));
  for (guint i = 0; i < layers->tracks->len && scene->style->tracks; i++)
    add_tracks (scene, &g_array_index (layers->tracks, GstCcaTrackLayer, i));
}

/* --- Boxes and centroids ----------------------------------------------------------------------------- */

/* Of a merged track, shows only the corners: its box is an estimate. */
static gint
dashes_of (const GstCcaScene *scene, const Mark *mark, GstCcaRect dashes[GST_CCA_MAX_DASHES])
{
  if (!mark->is_track || mark->state == GST_CCA_TRACK_STATE_CONFIRMED)
    return 0;
  if (mark->state == GST_CCA_TRACK_STATE_MERGED)
    return gst_cca_layout_corners (scene->view, &mark->ring, dashes);
  return gst_cca_layout_dashes (scene->view, &mark->ring, dashes);
}

/* Draws a ring, or the n dashes of it. */
static void
draw_ring (GstCcaScene *scene, const GstCcaRing *ring, const GstCcaRect *dashes, gint n, guint32 color)
{
  const GstCcaRing edge = { gst_cca_rect_grow (&ring->outer, 1), gst_cca_rect_grow (&ring->inner, -1) };

  if (n == 0) {
    gst_cca_drawing_add_ring (scene->drawing, &edge, GST_CCA_EDGE_COLOR);
    gst_cca_drawing_add_ring (scene->drawing, ring, color);
  }
  for (gint i = 0; i < n; i++) {
    const GstCcaRing around = { gst_cca_rect_grow (&dashes[i], 1), dashes[i] };

    gst_cca_drawing_add_ring (scene->drawing, &around, GST_CCA_EDGE_COLOR);
  }
  for (gint i = 0; i < n; i++)
    gst_cca_drawing_add_rect (scene->drawing, &dashes[i], color);
}

static void
draw_box (GstCcaScene *scene, const Mark *mark)
{
  GstCcaRect dashes[GST_CCA_MAX_DASHES];

  if (!gst_cca_rect_is_empty (&mark->ring.outer))
    draw_ring (scene, &mark->ring, dashes, dashes_of (scene, mark, dashes), mark->color);
}

/* The bars share no pixel, so that none is painted twice. */
static void
add_cross (GstCcaDrawing *drawing, const GstCcaRect *across, const GstCcaRect *down, guint32 color)
{
  const gint across_bottom = across->y + across->h, down_bottom = down->y + down->h;
  const GstCcaRect above = { down->x, down->y, down->w, across->y - down->y };
  const GstCcaRect below = { down->x, across_bottom, down->w, down_bottom - across_bottom };

  gst_cca_drawing_add_rect (drawing, across, color);
  gst_cca_drawing_add_rect (drawing, &above, color);
  gst_cca_drawing_add_rect (drawing, &below, color);
}

static void
draw_centroid (GstCcaScene *scene, const Mark *mark)
{
  const GstCcaCross cross = gst_cca_layout_cross (scene->view, &mark->extent, scene->line);
  const GstCcaRect across = gst_cca_rect_grow (&cross.across, 1), down = gst_cca_rect_grow (&cross.down, 1);

  if (gst_cca_rect_is_empty (&cross.across))
    return;
  add_cross (scene->drawing, &across, &down, GST_CCA_EDGE_COLOR);
  add_cross (scene->drawing, &cross.across, &cross.down, mark->color);
}

/* --- Texts ------------------------------------------------------------------------------------------- */

static void
mark_text (const GstCcaStyle *style, const Mark *mark, Text text)
{
  gchar *const end = text + sizeof (Text);
  gchar *to = text, type[TYPE_SIZE];

  text[0] = '\0';
  if (style->labels && mark->type) {
    g_utf8_strncpy (type, mark->type, TYPE_CHARACTERS);
    to += g_snprintf (to, end - to, "%s ", type);
  }
  if (style->labels)
    to += g_snprintf (to, end - to, "%s%" G_GUINT64_FORMAT, mark->is_track ? "#" : "", mark->id);
  if (style->area)
    to += g_snprintf (to, end - to, "%s%" G_GUINT64_FORMAT " px", to > text ? "  " : "", mark->area);
  if (mark->speed >= 0)
    g_snprintf (to, end - to, "%s%d km/h", to > text ? "  " : "", mark->speed);
}

/* Keeps texts off an object, and wishes a label for it if objects have some. */
static void
place_mark (GstCcaScene *scene, const Mark *mark)
{
  gint width = 0, height = 0;
  Text text;

  if (scene->style->labels || scene->style->area) {
    mark_text (scene->style, mark, text);
    if (!gst_cca_font_measure (scene->font, text, &width, &height))
      width = height = 0;
  }
  gst_cca_placement_add (scene->placement, &mark->ring, width, height, mark->area);
}

static void
draw_labels (GstCcaScene *scene)
{
  gsize n;
  const GstCcaRect *places = gst_cca_placement_run (scene->placement, &n);

  for (gsize i = 0; i < n; i++) {
    const Mark *mark = &g_array_index (scene->marks, Mark, i);
    Text text;

    if (gst_cca_rect_is_empty (&places[i]))
      continue;
    mark_text (scene->style, mark, text);
    gst_cca_drawing_add_text (scene->drawing, &places[i], text, mark->color);
  }
}

/* Returns the text of the number of an analysis's objects, with the analysis's name if there are several. */
static gchar *
count_text (const gchar *id, gboolean named, guint n, gboolean more, const gchar *noun)
{
  named = named && *id != '\0';
  return g_strdup_printf ("%s%s%u%s %s%s", named ? id : "", named ? ": " : "", n, more ? "+" : "", noun,
                          n == 1 ? "" : "s");
}

static GPtrArray *
count_texts (const GstCcaScene *scene)
{
  const GstCcaLayers *layers = scene->layers;
  GPtrArray *texts = g_ptr_array_new_with_free_func (g_free);
  guint n = scene->style->tracks ? layers->tracks->len : 0;

  for (guint i = 0; i < layers->components->len; i++)
    n += !has_tracks (scene, g_array_index (layers->components, GstCcaComponentLayer, i).meta->id);
  for (guint i = 0; i < layers->components->len; i++) {
    const GstCcaMeta *meta = g_array_index (layers->components, GstCcaComponentLayer, i).meta;

    if (!has_tracks (scene, meta->id))
      g_ptr_array_add (texts, count_text (meta->id, n > 1, meta->n_components, meta->truncated, "component"));
  }
  for (guint i = 0; i < layers->tracks->len && scene->style->tracks; i++) {
    const GstCcaTrackMeta *meta = g_array_index (layers->tracks, GstCcaTrackLayer, i).meta;

    g_ptr_array_add (texts, count_text (meta->id, n > 1, meta->n_tracks, FALSE, "track"));
  }
  return texts;
}

/* The view's corners for a block of lines: upper left, upper right, lower left, lower right. */
static void
corners_of (const GstCcaView *view, gint w, gint h, GstCcaRect corners[4])
{
  const gint margin = view->height / 60;
  const gint left = gst_cca_view_align_x (view, margin), top = gst_cca_view_align_y (view, margin);
  const gint right = gst_cca_view_align_x (view, view->width - margin - w);
  const gint bottom = gst_cca_view_align_y (view, view->height - margin - h);

  for (gint i = 0; i < 4; i++)
    corners[i] = (GstCcaRect) { CLAMP (i % 2 == 0 ? left : right, 0, MAX (0, view->width - w)),
                                CLAMP (i < 2 ? top : bottom, 0, MAX (0, view->height - h)), w, h };
}

/* One below the other in a corner of the view, the upper left one if no object is there. */
static void
draw_counts (GstCcaScene *scene)
{
  g_autoptr (GPtrArray) texts = count_texts (scene);
  gint width = 0, height = 0;
  GstCcaRect corners[4], place;

  for (guint i = 0; i < texts->len; i++) {
    gint w = 0, h = 0;

    if (!gst_cca_font_measure (scene->font, texts->pdata[i], &w, &h))
      return;
    width = MAX (width, w);
    height += h;
  }
  corners_of (scene->view, width, height, corners);
  place = gst_cca_placement_find (scene->placement, corners, G_N_ELEMENTS (corners));
  if (gst_cca_rect_is_empty (&place))
    place = corners[0];
  for (guint i = 0; i < texts->len; i++) {
    gint w, h;

    gst_cca_font_measure (scene->font, texts->pdata[i], &w, &h);
    gst_cca_drawing_add_text (scene->drawing, &(GstCcaRect) { place.x, place.y, w, h }, texts->pdata[i],
                              GST_CCA_COUNT_COLOR);
    place.y += h;
  }
}

/* In the middle of the upper or lower edge. */
static void
draw_trouble (GstCcaScene *scene)
{
  g_autofree gchar *text = g_strdup_printf ("camera %s", scene->layers->trouble);
  const gint margin = scene->view->height / 60;
  GstCcaRect places[2], place;
  gint w, h;

  if (!gst_cca_font_measure (scene->font, text, &w, &h))
    return;
  places[0] = (GstCcaRect) { MAX (0, gst_cca_view_align_x (scene->view, (scene->view->width - w) / 2)),
                             gst_cca_view_align_y (scene->view, margin), w, h };
  places[1] = places[0];
  places[1].y = MAX (0, gst_cca_view_align_y (scene->view, scene->view->height - margin - h));
  place = gst_cca_placement_find (scene->placement, places, G_N_ELEMENTS (places));
  if (gst_cca_rect_is_empty (&place))
    place = places[0];
  gst_cca_drawing_add_text (scene->drawing, &place, text, GST_CCA_TROUBLE_COLOR);
}

static void
label_heights (GstCcaScene *scene)
{
  const GArray *tracks = scene->layers->tracks;

  for (guint i = 0; i < tracks->len && scene->style->heights; i++)
    gst_cca_height_marks_label (&g_array_index (tracks, GstCcaTrackLayer, i), scene->drawing, scene->view, scene->font,
                                scene->placement, scene->line);
}

/* No text covers an object where there is room beside. Counts and rules come first, as they should not move. */
static void
draw_texts (GstCcaScene *scene)
{
  const GstCcaStyle *style = scene->style;
  const GArray *rules = scene->layers->rules, *tracks = scene->layers->tracks;

  if (scene->placement == NULL)
    return;
  gst_cca_placement_begin (scene->placement, scene->view);
  for (guint i = 0; i < scene->marks->len; i++)
    place_mark (scene, &g_array_index (scene->marks, Mark, i));
  for (guint i = 0; i < tracks->len && style->heights; i++)
    gst_cca_height_marks_reserve (&g_array_index (tracks, GstCcaTrackLayer, i), scene->view, scene->placement,
                                  scene->line);
  if (style->camera && scene->layers->trouble)
    draw_trouble (scene);
  if (style->count)
    draw_counts (scene);
  if (style->rules)
    gst_cca_rule_marks_label (scene->rule_places, (const GstCcaRuleLayer *) rules->data, rules->len, scene->drawing,
                              scene->view, scene->font, scene->placement, scene->line);
  label_heights (scene);
  if (style->labels || style->area)
    draw_labels (scene);
  if (style->events)
    gst_cca_flashes_label (scene->flashes, scene->drawing, scene->view, scene->font, scene->placement);
}

/* --- All of it --------------------------------------------------------------------------------------- */

static void
draw_heatmap (GstCcaScene *scene)
{
  if (!scene->style->heatmap) {
    g_clear_pointer (&scene->heatmap, gst_cca_heatmap_free);
    return;
  }
  if (scene->heatmap == NULL)
    scene->heatmap = gst_cca_heatmap_new ();
  gst_cca_heatmap_update (scene->heatmap, scene->view, scene->layers, scene->time);
  gst_cca_heatmap_draw (scene->heatmap, scene->drawing, scene->view);
}

static void
draw_rules (GstCcaScene *scene)
{
  const GArray *rules = scene->layers->rules;

  for (guint i = 0; i < rules->len && scene->style->rules; i++)
    gst_cca_rule_marks_draw (&g_array_index (rules, GstCcaRuleLayer, i), scene->drawing, scene->line);
}

static void
draw_heights (GstCcaScene *scene)
{
  const GArray *tracks = scene->layers->tracks;

  for (guint i = 0; i < tracks->len && scene->style->heights; i++)
    gst_cca_height_marks_draw (&g_array_index (tracks, GstCcaTrackLayer, i), scene->drawing, scene->view, scene->line);
}

/* Dashed, to tell the crops of a detector from zones. */
static void
draw_crops (GstCcaScene *scene)
{
  const GArray *crops = scene->layers->crops;

  for (guint i = 0; i < crops->len && scene->style->crops; i++) {
    const GstCcaRing ring = gst_cca_layout_ring (scene->view, &g_array_index (crops, GstCcaExtent, i), scene->line);
    GstCcaRect dashes[GST_CCA_MAX_DASHES];

    if (!gst_cca_rect_is_empty (&ring.outer))
      draw_ring (scene, &ring, dashes, gst_cca_layout_dashes (scene->view, &ring, dashes), GST_CCA_RULE_COLOR);
  }
}

static void
draw_trails (GstCcaScene *scene)
{
  const GArray *tracks = scene->layers->tracks;

  if (!scene->style->trails) {
    gst_cca_trails_forget (scene->trails);
    return;
  }
  gst_cca_trails_update (scene->trails, scene->view, (const GstCcaTrackLayer *) tracks->data, tracks->len, scene->time,
                         scene->style->trail_duration);
  gst_cca_trails_draw (scene->trails, scene->drawing, scene->view, scene->line, scene->style->color >> 24);
}

static void
draw_events (GstCcaScene *scene)
{
  if (!scene->style->events) {
    gst_cca_flashes_forget (scene->flashes);
    return;
  }
  gst_cca_flashes_update (scene->flashes, scene->view, scene->layers, scene->time);
  gst_cca_flashes_draw (scene->flashes, scene->drawing, scene->view, scene->line);
}

void
gst_cca_scene_draw (GstCcaScene *scene, GstCcaDrawing *drawing, GstCcaFont *font, const GstCcaStyle *style,
                    const GstCcaView *view, const GstCcaLayers *layers, GstClockTime time)
{
  scene->drawing = drawing;
  scene->font = font;
  scene->style = style;
  scene->view = view;
  scene->layers = layers;
  scene->line = style->line_width > 0 ? (gint) style->line_width : gst_cca_view_default_line (view);
  if (time + GST_SECOND < scene->time)
    gst_cca_scene_break (scene);
  scene->time = MAX (time, scene->time);

  list_marks (scene);
  draw_heatmap (scene);
  draw_rules (scene);
  draw_heights (scene);
  draw_crops (scene);
  draw_trails (scene);
  draw_events (scene);
  for (guint i = 0; i < scene->marks->len && style->boxes; i++)
    draw_box (scene, &g_array_index (scene->marks, Mark, i));
  for (guint i = 0; i < scene->marks->len && style->centroids; i++)
    draw_centroid (scene, &g_array_index (scene->marks, Mark, i));
  draw_texts (scene);
}
