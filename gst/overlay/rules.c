/* gst-cca: the marks of rules: zones, lines, their counters and events
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "rules.h"

#include <math.h>
#include <string.h>

enum
{
  MAX_VERTICES = 256, /* of a rule, that are drawn */
  MAX_ANCHORS = 16,   /* vertices that a text is tried at */
};

/* Sets the rule's vertices in the view; for a zone, repeats the first at the end. Returns their number. */
static guint
vertices_of (const GstCcaRuleLayer *layer, const GstCcaRule *rule, GstCcaVertex vertices[MAX_VERTICES + 1])
{
  const guint n = MIN (rule->n_points, MAX_VERTICES);

  for (guint i = 0; i < n; i++)
    vertices[i] = (GstCcaVertex) { gst_cca_fit_x (&layer->fit, rule->points[i].x),
                                   gst_cca_fit_y (&layer->fit, rule->points[i].y) };
  if (n == 0 || rule->type != GST_CCA_RULE_ZONE)
    return n;
  vertices[n] = vertices[0];
  return n + 1;
}

/* Returns half the way along a line, and the direction there as a unit vector; FALSE for a line without length. */
static gboolean
middle_of (const GstCcaVertex *vertices, guint n, GstCcaVertex *middle, GstCcaVertex *direction)
{
  gdouble length = 0, way = 0;

  for (guint i = 1; i < n; i++)
    length += hypot (vertices[i].x - vertices[i - 1].x, vertices[i].y - vertices[i - 1].y);
  if (!(length > 0) || !isfinite (length))
    return FALSE;
  for (guint i = 1; i < n; i++) {
    const GstCcaVertex from = vertices[i - 1], to = vertices[i];
    const gdouble part = hypot (to.x - from.x, to.y - from.y);

    if (part > 0 && way + part >= length / 2) {
      const gdouble share = (length / 2 - way) / part;

      *middle = (GstCcaVertex) { from.x + share * (to.x - from.x), from.y + share * (to.y - from.y) };
      *direction = (GstCcaVertex) { (to.x - from.x) / part, (to.y - from.y) / part };
      return TRUE;
    }
    way += part;
  }
  return FALSE;
}

/* An arrow across the line's middle, to its right-hand side. */
static void
draw_arrow (GstCcaDrawing *drawing, const GstCcaVertex *vertices, guint n, gint line)
{
  const gdouble head = 3.5 * line, shaft = 3 * head;
  GstCcaVertex middle, along, tip;

  if (!middle_of (vertices, n, &middle, &along))
    return;
  /* y points down, so to the right of (x, y) is (-y, x). */
  tip = (GstCcaVertex) { middle.x - along.y * shaft, middle.y + along.x * shaft };
  for (gint pass = 0; pass < 2; pass++) {
    const gdouble edge = pass == 0 ? 1 : 0, half = head + 2 * edge;
    const GstCcaVertex base = { tip.x + along.y * 1.6 * head, tip.y - along.x * 1.6 * head };
    const GstCcaVertex top = { tip.x - along.y * 2 * edge, tip.y + along.x * 2 * edge };
    const GstCcaVertex triangle[] = {
      top,
      { base.x + along.x * half + along.y * edge, base.y + along.y * half - along.x * edge },
      { base.x - along.x * half + along.y * edge, base.y - along.y * half - along.x * edge },
    };
    const GstCcaVertex stem[] = { middle, base };
    const guint32 color = pass == 0 ? GST_CCA_EDGE_COLOR : GST_CCA_RULE_COLOR;

    gst_cca_drawing_add_line (drawing, stem, 2, line + 2 * edge, color);
    gst_cca_drawing_add_polygon (drawing, triangle, 3, color);
  }
}

void
gst_cca_rule_marks_draw (const GstCcaRuleLayer *layer, GstCcaDrawing *drawing, gint line)
{
  GstCcaVertex vertices[MAX_VERTICES + 1];

  for (guint i = 0; i < layer->meta->n_rules; i++) {
    const GstCcaRule *rule = &layer->meta->rules[i];
    const guint n = vertices_of (layer, rule, vertices);

    if (rule->type == GST_CCA_RULE_ZONE)
      gst_cca_drawing_add_polygon (drawing, vertices, n, GST_CCA_ZONE_COLOR);
    gst_cca_drawing_add_line (drawing, vertices, n, line + 2, GST_CCA_EDGE_COLOR);
    gst_cca_drawing_add_line (drawing, vertices, n, line, GST_CCA_RULE_COLOR);
    if (rule->type == GST_CCA_RULE_LINE)
      draw_arrow (drawing, vertices, n, line);
  }
}

/* --- Texts ------------------------------------------------------------------------------------------- */

static gchar *
rule_text (const GstCcaRule *rule)
{
  if (rule->type == GST_CCA_RULE_ZONE)
    return g_strdup_printf ("%s: %u inside, %" G_GUINT64_FORMAT " in, %" G_GUINT64_FORMAT " out", rule->name,
                            rule->occupancy, rule->n_in, rule->n_out);
  return g_strdup_printf ("%s: %" G_GUINT64_FORMAT " forward, %" G_GUINT64_FORMAT " backward", rule->name, rule->n_in,
                          rule->n_out);
}

/* A rectangle moved into the view, on whole chroma samples. */
static GstCcaRect
move_inside (const GstCcaView *view, gdouble x, gdouble y, gint w, gint h)
{
  const gint left = (gint) CLAMP (x, 0, MAX (0, view->width - w));
  const gint top = (gint) CLAMP (y, 0, MAX (0, view->height - h));

  return (GstCcaRect) { MAX (0, gst_cca_view_align_x (view, left)), MAX (0, gst_cca_view_align_y (view, top)), w, h };
}

/* The places around a rule's vertices, in their order. Returns how many. */
static gint
places_around (const GstCcaView *view, const GstCcaVertex *vertices, guint n, gint gap, gint w, gint h,
               GstCcaRect places[4 * MAX_ANCHORS])
{
  gint n_places = 0;

  for (guint i = 0; i < MIN (n, MAX_ANCHORS); i++) {
    const GstCcaVertex *vertex = &vertices[i];

    if (!isfinite (vertex->x) || !isfinite (vertex->y))
      continue;
    for (gint j = 0; j < 4; j++) {
      const gdouble x = j % 2 == 0 ? vertex->x + gap : vertex->x - gap - w;
      const gdouble y = j < 2 ? vertex->y - gap - h : vertex->y + gap;

      places[n_places++] = move_inside (view, x, y, w, h);
    }
  }
  return n_places;
}

/* Puts a place in front of all others. */
static void
prefer (GstCcaRect *places, gint i)
{
  const GstCcaRect place = places[i];

  memmove (places + 1, places, i * sizeof *places);
  places[0] = place;
}

/* Labels a rule; `last` is the number of its last place among those around it. */
static void
label_rule (const GstCcaRuleLayer *layer, const GstCcaRule *rule, GstCcaDrawing *drawing, const GstCcaView *view,
            GstCcaFont *font, GstCcaPlacement *placement, gint line, gint *last)
{
  GstCcaVertex vertices[MAX_VERTICES + 1];
  GstCcaRect places[4 * MAX_ANCHORS], place;
  g_autofree gchar *text = rule_text (rule);
  const guint n = vertices_of (layer, rule, vertices);
  gint width, height, n_places;

  if (!gst_cca_font_measure (font, text, &width, &height))
    return;
  n_places = places_around (view, vertices, n, line, width, height, places);
  if (n_places == 0)
    return;
  if (*last >= n_places)
    *last = 0;
  prefer (places, *last);
  place = gst_cca_placement_find (placement, places, n_places);
  for (gint i = n_places - 1; i > 0 && memcmp (&places[0], &place, sizeof place) != 0; i--)
    if (memcmp (&places[i], &place, sizeof place) == 0)
      *last = i <= *last ? i - 1 : i;
  gst_cca_drawing_add_text (drawing, gst_cca_rect_is_empty (&place) ? &places[0] : &place, text, GST_CCA_RULE_COLOR);
}

void
gst_cca_rule_marks_label (GArray *places, const GstCcaRuleLayer *layers, guint n_layers, GstCcaDrawing *drawing,
                          const GstCcaView *view, GstCcaFont *font, GstCcaPlacement *placement, gint line)
{
  guint n = 0;

  for (guint i = 0; i < n_layers; i++) {
    const GstCcaEventMeta *meta = layers[i].meta;

    g_array_set_size (places, MAX (places->len, n + meta->n_rules));
    for (guint j = 0; j < meta->n_rules; j++)
      label_rule (&layers[i], &meta->rules[j], drawing, view, font, placement, line,
                  &g_array_index (places, gint, n++));
  }
}

/* --- Events, for a second ----------------------------------------------------------------------------- */

#define DURATION GST_SECOND

enum
{
  MAX_FLASHES = 64,
  N_VERTICES = 24, /* of a circle */
};

typedef struct
{
  gchar *text;
  guint32 color;
  GstClockTime time;
  GstCcaVertex at;                  /* 0…1 in the view */
  gdouble left, top, right, bottom; /* of the object that it happened to, 0…1 in the view */
} Flash;

struct _GstCcaFlashes
{
  GArray *array; /* of Flash, the oldest first */
  GstClockTime time;
};

static void
flash_clear (gpointer flash)
{
  g_free (((Flash *) flash)->text);
}

GstCcaFlashes *
gst_cca_flashes_new (void)
{
  GstCcaFlashes *flashes = g_new0 (GstCcaFlashes, 1);

  flashes->array = g_array_new (FALSE, FALSE, sizeof (Flash));
  g_array_set_clear_func (flashes->array, flash_clear);
  return flashes;
}

void
gst_cca_flashes_free (GstCcaFlashes *flashes)
{
  g_array_unref (flashes->array);
  g_free (flashes);
}

void
gst_cca_flashes_forget (GstCcaFlashes *flashes)
{
  g_array_set_size (flashes->array, 0);
}

/* --- What happened ----------------------------------------------------------------------------------- */

static const gchar *
nick_of (GType type, gint value)
{
  GEnumClass *enumeration = g_type_class_ref (type);
  const GEnumValue *found = g_enum_get_value (enumeration, value);

  g_type_class_unref (enumeration);
  return found != NULL ? found->value_nick : "event";
}

static gchar *
event_text (const GstCcaEvent *event)
{
  GString *text = g_string_new (NULL);

  if (event->track_id != 0)
    g_string_append_printf (text, "#%" G_GUINT64_FORMAT " ", event->track_id);
  g_string_append_printf (text, "%s %s", nick_of (GST_TYPE_CCA_EVENT_TYPE, event->type), event->rule);
  if (event->direction != GST_CCA_DIRECTION_NONE)
    g_string_append_printf (text, " %s", nick_of (GST_TYPE_CCA_DIRECTION, event->direction));
  if (event->type == GST_CCA_EVENT_DWELL && GST_CLOCK_TIME_IS_VALID (event->dwell))
    g_string_append_printf (text, " %" G_GUINT64_FORMAT " s", event->dwell / GST_SECOND);
  if ((event->measured & GST_CCA_MEASURE_SPEED) && event->speed >= 0 && event->speed < 10000)
    g_string_append_printf (text, " %.0f km/h", event->speed * 3.6);
  return g_string_free (text, FALSE);
}

/* Returns where a track of an analysis is, or a point where it is not known. */
static GstCcaExtent
object_of (const GstCcaLayers *layers, const gchar *id, guint64 track_id, GstCcaVertex at)
{
  const GstCcaTrackLayer *layer = gst_cca_layers_find_tracks (layers, id);

  for (guint i = 0; layer != NULL && i < layer->meta->n_tracks; i++)
    if (layer->meta->tracks[i].track_id == track_id)
      return gst_cca_fit_track (&layer->fit, &layer->meta->tracks[i]);
  return (GstCcaExtent) { .left = at.x, .top = at.y, .right = at.x, .bottom = at.y };
}

static void
add_event (GstCcaFlashes *flashes, const GstCcaView *view, const GstCcaLayers *layers, const GstCcaRuleLayer *layer,
           const GstCcaEvent *event)
{
  const GstCcaVertex at = { gst_cca_fit_x (&layer->fit, event->x), gst_cca_fit_y (&layer->fit, event->y) };
  const GstCcaExtent object = object_of (layers, layer->meta->id, event->track_id, at);
  const Flash flash = {
    .text = event_text (event),
    .color = event->track_id != 0 ? gst_cca_palette_color (event->track_id, 255) : GST_CCA_RULE_COLOR,
    .time = flashes->time,
    .at = { at.x / view->width, at.y / view->height },
    .left = object.left / view->width,
    .right = object.right / view->width,
    .top = object.top / view->height,
    .bottom = object.bottom / view->height,
  };

  if (flashes->array->len == MAX_FLASHES)
    g_array_remove_index (flashes->array, 0);
  g_array_append_val (flashes->array, flash);
}

void
gst_cca_flashes_update (GstCcaFlashes *flashes, const GstCcaView *view, const GstCcaLayers *layers, GstClockTime time)
{
  guint n_old = 0;

  flashes->time = time;
  while (n_old < flashes->array->len && g_array_index (flashes->array, Flash, n_old).time + DURATION <= time)
    n_old++;
  if (n_old > 0)
    g_array_remove_range (flashes->array, 0, n_old);
  for (guint i = 0; i < layers->rules->len; i++) {
    const GstCcaRuleLayer *layer = &g_array_index (layers->rules, GstCcaRuleLayer, i);

    for (guint j = 0; j < layer->meta->n_events; j++)
      add_event (flashes, view, layers, layer, &layer->meta->events[j]);
  }
}

/* --- Drawing ----------------------------------------------------------------------------------------- */

void
gst_cca_flashes_draw (const GstCcaFlashes *flashes, GstCcaDrawing *drawing, const GstCcaView *view, gint line)
{
  for (guint i = 0; i < flashes->array->len; i++) {
    const Flash *flash = &g_array_index (flashes->array, Flash, i);
    const gdouble age = (gdouble) (flashes->time - flash->time) / DURATION, radius = line * (2 + 8 * age);
    const guint32 color = (flash->color & 0xffffff) | (guint32) (255 * (1 - age)) << 24;
    GstCcaVertex circle[N_VERTICES + 1];

    for (guint j = 0; j <= N_VERTICES; j++)
      circle[j] = (GstCcaVertex) { flash->at.x * view->width + radius * cos (2 * G_PI * j / N_VERTICES),
                                   flash->at.y * view->height + radius * sin (2 * G_PI * j / N_VERTICES) };
    gst_cca_drawing_add_line (drawing, circle, N_VERTICES + 1, line, color);
  }
}

/* A position as a whole number, far beyond the view at most. */
static gint
whole (gdouble share, gint size)
{
  return (gint) floor (CLAMP (share, -1.0, 2.0) * size);
}

/* The places beside the object of an event: right and left of it from its lower edge up, below and above. */
static gint
places_beside (const Flash *flash, const GstCcaView *view, gint w, gint h, GstCcaRect places[8])
{
  const gint left = whole (flash->left, view->width), right = whole (flash->right, view->width) + 1;
  const gint top = whole (flash->top, view->height), bottom = whole (flash->bottom, view->height) + 1;
  const gint gap = gst_cca_view_default_line (view) + view->sample_w;
  const gint x[] = { right + gap, left - gap - w, left, right - w }, y[] = { bottom - h, top };
  gint n = 0;

  for (gint i = 0; i < 2; i++) {
    for (gint j = 0; j < 2; j++)
      places[n++] = (GstCcaRect) { x[j], y[i], w, h };
    for (gint j = 2; j < 4; j++)
      places[n++] = (GstCcaRect) { x[j], i == 0 ? bottom + gap : top - gap - 2 * h, w, h };
  }
  for (gint i = 0; i < n; i++) {
    places[i].x = gst_cca_view_align_x (view, CLAMP (places[i].x, 0, MAX (0, view->width - w)));
    places[i].y = gst_cca_view_align_y (view, CLAMP (places[i].y, 0, MAX (0, view->height - h)));
  }
  return n;
}

void
gst_cca_flashes_label (const GstCcaFlashes *flashes, GstCcaDrawing *drawing, const GstCcaView *view, GstCcaFont *font,
                       GstCcaPlacement *placement)
{
  for (guint i = 0; i < flashes->array->len; i++) {
    const Flash *flash = &g_array_index (flashes->array, Flash, i);
    GstCcaRect places[8], place;
    gint width, height, n;

    if (!isfinite (flash->at.x) || !isfinite (flash->at.y)
        || !gst_cca_font_measure (font, flash->text, &width, &height))
      continue;
    n = places_beside (flash, view, width, height, places);
    place = gst_cca_placement_find (placement, places, n);
    gst_cca_drawing_add_text (drawing, &place, flash->text, flash->color);
  }
}
