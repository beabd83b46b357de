/* gst-cca: what is drawn of rules: zones, lines and their counters
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

struct _GstCcaRuleMarks
{
  GArray *places; /* of gint: for each rule the number of the last place of its text */
};

GstCcaRuleMarks *
gst_cca_rule_marks_new (void)
{
  GstCcaRuleMarks *marks = g_new (GstCcaRuleMarks, 1);

  marks->places = g_array_new (FALSE, TRUE, sizeof (gint));
  return marks;
}

void
gst_cca_rule_marks_free (GstCcaRuleMarks *marks)
{
  g_array_unref (marks->places);
  g_free (marks);
}

void
gst_cca_rule_marks_forget (GstCcaRuleMarks *marks)
{
  g_array_set_size (marks->places, 0);
}

/* Returns the number of vertices: those of the rule in the view, of a zone the first once more at the end. */
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
gst_cca_rule_marks_draw (const GstCcaRuleLayer *layer, GstCcaDrawing *drawing, const GstCcaView *view, gint line)
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
gst_cca_rule_marks_label (GstCcaRuleMarks *marks, const GstCcaRuleLayer *layers, guint n_layers, GstCcaDrawing *drawing,
                          const GstCcaView *view, GstCcaFont *font, GstCcaPlacement *placement, gint line)
{
  guint n = 0;

  for (guint i = 0; i < n_layers; i++) {
    const GstCcaEventMeta *meta = layers[i].meta;

    g_array_set_size (marks->places, MAX (marks->places->len, n + meta->n_rules));
    for (guint j = 0; j < meta->n_rules; j++)
      label_rule (&layers[i], &meta->rules[j], drawing, view, font, placement, line,
                  &g_array_index (marks->places, gint, n++));
  }
}
