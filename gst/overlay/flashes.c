/* gst-cca: the events of rules, shown for a second where they fired
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "flashes.h"

#include <math.h>

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
