/* gst-cca: how high objects are from row to row, as the tracker has learned it
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "heights.h"

#include <math.h>

enum
{
  N_BARS = 5,
  CAP = 3, /* half of a cap's length, in widths of the line */
};

/* In the view. */
typedef struct
{
  GstCcaVertex head, foot;
  gdouble height; /* pixels of the meta's frame */
} Bar;

/* Returns how many bars there are in the view. */
static guint
list_bars (const GstCcaTrackLayer *layer, const GstCcaView *view, Bar bars[N_BARS])
{
  const GstCcaTrackMeta *meta = layer->meta;
  guint n = 0;

  for (guint i = 0; i < N_BARS; i++) {
    const gdouble part = i / (N_BARS - 1.0);
    const gdouble row = MIN (meta->upper_row + part * (meta->lower_row - meta->upper_row), meta->lower_row);
    const gdouble x = gst_cca_fit_x (&layer->fit, meta->width * (2 * i + 1) / (2.0 * N_BARS));
    gdouble height;
    Bar bar;

    if (!gst_cca_track_meta_get_height (meta, row, &height))
      continue;
    bar = (Bar) { { x, gst_cca_fit_y (&layer->fit, row - height) }, { x, gst_cca_fit_y (&layer->fit, row) }, height };
    if (bar.foot.y > 0 && bar.head.y < view->height && x > 0 && x < view->width)
      bars[n++] = bar;
  }
  return n;
}

void
gst_cca_height_marks_draw (const GstCcaTrackLayer *layer, GstCcaDrawing *drawing, const GstCcaView *view, gint line)
{
  Bar bars[N_BARS];
  const guint n = list_bars (layer, view, bars);

  for (guint i = 0; i < n; i++) {
    const GstCcaVertex head = bars[i].head, foot = bars[i].foot;
    const GstCcaVertex strokes[][2] = {
      { head, foot },
      { { head.x - CAP * line, head.y }, { head.x + CAP * line, head.y } },
      { { foot.x - CAP * line, foot.y }, { foot.x + CAP * line, foot.y } },
    };

    for (guint k = 0; k < G_N_ELEMENTS (strokes); k++)
      gst_cca_drawing_add_line (drawing, strokes[k], 2, line + 2, GST_CCA_EDGE_COLOR);
    for (guint k = 0; k < G_N_ELEMENTS (strokes); k++)
      gst_cca_drawing_add_line (drawing, strokes[k], 2, line, GST_CCA_RULE_COLOR);
  }
}

/* Returns the pixels that a bar covers, as far as they are in the view. */
static GstCcaRect
rect_of (const Bar *bar, const GstCcaView *view, gint line)
{
  const gint top = (gint) MAX (bar->head.y, 0) - line, bottom = (gint) MIN (bar->foot.y, view->height) + line;
  const GstCcaRect rect = { (gint) bar->foot.x - CAP * line, top, 2 * CAP * line, bottom - top };

  return gst_cca_view_clip (view, &rect);
}

void
gst_cca_height_marks_reserve (const GstCcaTrackLayer *layer, const GstCcaView *view, GstCcaPlacement *placement,
                              gint line)
{
  Bar bars[N_BARS];
  const guint n = list_bars (layer, view, bars);

  for (guint i = 0; i < n; i++) {
    const GstCcaRect rect = rect_of (&bars[i], view, line);

    gst_cca_placement_reserve (placement, &rect);
  }
}

void
gst_cca_height_marks_label (const GstCcaTrackLayer *layer, GstCcaDrawing *drawing, const GstCcaView *view,
                            GstCcaFont *font, GstCcaPlacement *placement, gint line)
{
  Bar bars[N_BARS];
  const guint n = list_bars (layer, view, bars);

  for (guint i = 0; i < n; i++) {
    const GstCcaRect rect = rect_of (&bars[i], view, line);
    g_autofree gchar *text = g_strdup_printf ("%.0f px", bars[i].height);
    GstCcaRect places[4], place;
    gint w, h, middle;

    if (!gst_cca_font_measure (font, text, &w, &h))
      return;
    middle = gst_cca_view_align_y (view, rect.y + (rect.h - h) / 2);
    places[0] = (GstCcaRect) { gst_cca_view_align_x (view, rect.x + rect.w + line), middle, w, h };
    places[1] = (GstCcaRect) { gst_cca_view_align_x (view, rect.x - line - w), middle, w, h };
    places[2] = (GstCcaRect) { gst_cca_view_align_x (view, rect.x + (rect.w - w) / 2),
                               gst_cca_view_align_y (view, rect.y - h), w, h };
    places[3] = (GstCcaRect) { places[2].x, gst_cca_view_align_y (view, rect.y + rect.h + line), w, h };
    place = gst_cca_placement_find (placement, places, G_N_ELEMENTS (places));
    gst_cca_drawing_add_text (drawing, gst_cca_rect_is_empty (&place) ? &places[0] : &place, text, GST_CCA_RULE_COLOR);
  }
}
