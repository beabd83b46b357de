/* gst-cca: where objects have been, as a map of colours
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "heatmap.h"

#include <math.h>

#define HALF_LIFE 300.0 /* seconds */
#define LEAST_SCALE 1.0 /* seconds: the least heat that is shown in the hottest colour */
#define MAX_ALPHA 0.7   /* of the hottest colour */
#define VISIBLE 0.1     /* of the scale of colours; colder places are transparent */
#define REACH 3.0       /* standard deviations */

enum
{
  COLUMNS = 128,
  ROWS = 72,
  N_COLORS = 256,
};

struct _GstCcaHeatmap
{
  GstClockTime time; /* of the last frame, or GST_CLOCK_TIME_NONE */
  gfloat heat[ROWS][COLUMNS];
  guint32 pixels[ROWS][COLUMNS];
  guint32 colors[N_COLORS];
};

/* The colours, multiplied by their alpha. */
static guint32
color_at (gdouble value)
{
  const gdouble alpha = value < VISIBLE ? 0 : MAX_ALPHA * value;
  const gdouble red = CLAMP (4 * value - 2, 0, 1), blue = CLAMP (2 - 4 * value, 0, 1);
  const gdouble green = CLAMP (value < 0.5 ? 4 * value : 4 - 4 * value, 0, 1);

  return (guint32) (255 * alpha) << 24 | (guint32) (255 * alpha * red) << 16 | (guint32) (255 * alpha * green) << 8
         | (guint32) (255 * alpha * blue);
}

GstCcaHeatmap *
gst_cca_heatmap_new (void)
{
  GstCcaHeatmap *heatmap = g_new0 (GstCcaHeatmap, 1);

  heatmap->time = GST_CLOCK_TIME_NONE;
  for (guint i = 0; i < N_COLORS; i++)
    heatmap->colors[i] = color_at (i / (N_COLORS - 1.0));
  return heatmap;
}

void
gst_cca_heatmap_free (GstCcaHeatmap *heatmap)
{
  g_free (heatmap);
}

/* --- Heating ----------------------------------------------------------------------------------------- */

static void
cool_down (GstCcaHeatmap *heatmap, gdouble seconds)
{
  const gfloat factor = (gfloat) exp2 (-seconds / HALF_LIFE);
  gfloat *heat = heatmap->heat[0];

  for (guint i = 0; i < ROWS * COLUMNS; i++)
    heat[i] *= factor;
}

/* The weights of the cells of an axis around a position: first, number, and each. All in cells. */
typedef struct
{
  gint first, n;
  gfloat weights[COLUMNS];
} Kernel;

static void
make_kernel (Kernel *kernel, gdouble position, gdouble deviation, gint n_cells)
{
  const gint first = (gint) CLAMP (floor (position - REACH * deviation), 0, n_cells);
  const gint end = (gint) CLAMP (ceil (position + REACH * deviation), 0, n_cells);

  kernel->first = first;
  kernel->n = end - first;
  for (gint i = 0; i < kernel->n; i++) {
    const gdouble distance = (first + i + 0.5 - position) / deviation;

    kernel->weights[i] = (gfloat) exp (-distance * distance / 2);
  }
}

static void
heat_up (GstCcaHeatmap *heatmap, const GstCcaView *view, const GstCcaExtent *extent, gdouble seconds)
{
  const GstCcaVertex foot = gst_cca_extent_foot (extent);
  const gdouble columns = (gdouble) COLUMNS / view->width, rows = (gdouble) ROWS / view->height; /* a pixel */
  const gdouble deviation = (extent->right - extent->left) / 4;
  Kernel across, down;

  make_kernel (&across, foot.x * columns, fmax (deviation * columns, 1), COLUMNS);
  make_kernel (&down, foot.y * rows, fmax (deviation * rows, 1), ROWS);
  for (gint i = 0; i < down.n; i++) {
    gfloat *row = heatmap->heat[down.first + i] + across.first;
    const gfloat weight = down.weights[i] * (gfloat) seconds;

    for (gint j = 0; j < across.n; j++)
      row[j] += weight * across.weights[j];
  }
}

static gdouble
seconds_since (GstClockTime last, GstClockTime time)
{
  if (!GST_CLOCK_TIME_IS_VALID (last) || time < last || time - last > GST_SECOND)
    return 0;
  return (gdouble) (time - last) / GST_SECOND;
}

void
gst_cca_heatmap_update (GstCcaHeatmap *heatmap, const GstCcaView *view, const GstCcaLayers *layers, GstClockTime time)
{
  const gdouble seconds = seconds_since (heatmap->time, time);

  heatmap->time = time;
  cool_down (heatmap, seconds);
  for (guint i = 0; i < layers->tracks->len; i++) {
    const GstCcaTrackLayer *layer = &g_array_index (layers->tracks, GstCcaTrackLayer, i);

    for (guint j = 0; j < layer->meta->n_tracks; j++) {
      const GstCcaExtent extent = gst_cca_fit_track (&layer->fit, &layer->meta->tracks[j]);

      heat_up (heatmap, view, &extent, seconds);
    }
  }
  for (guint i = 0; i < layers->components->len; i++) {
    const GstCcaComponentLayer *layer = &g_array_index (layers->components, GstCcaComponentLayer, i);

    for (guint j = 0; j < layer->meta->n_stored && gst_cca_layers_find_tracks (layers, layer->meta->id) == NULL; j++) {
      const GstCcaExtent extent = gst_cca_fit_component (&layer->fit, &layer->meta->components[j]);

      heat_up (heatmap, view, &extent, seconds);
    }
  }
}

/* --- Drawing ----------------------------------------------------------------------------------------- */

void
gst_cca_heatmap_draw (GstCcaHeatmap *heatmap, GstCcaDrawing *drawing, const GstCcaView *view)
{
  const gfloat *heat = heatmap->heat[0];
  gint left = COLUMNS, right = 0, top = ROWS, bottom = 0;
  gfloat hottest = LEAST_SCALE;
  GstCcaRect place;

  for (guint i = 0; i < ROWS * COLUMNS; i++)
    hottest = MAX (hottest, heat[i]);
  for (gint y = 0; y < ROWS; y++)
    for (gint x = 0; x < COLUMNS; x++) {
      const guint32 color = heatmap->colors[(guint) (sqrtf (heatmap->heat[y][x] / hottest) * (N_COLORS - 1))];

      heatmap->pixels[y][x] = color;
      if (color != 0) {
        left = MIN (left, x), right = MAX (right, x + 1);
        top = MIN (top, y), bottom = MAX (bottom, y + 1);
      }
    }
  if (left >= right)
    return;
  /* A cell more on each side, to which the colours fade. */
  left = MAX (left - 1, 0), right = MIN (right + 1, COLUMNS);
  top = MAX (top - 1, 0), bottom = MIN (bottom + 1, ROWS);
  place.x = left * view->width / COLUMNS, place.w = right * view->width / COLUMNS - place.x;
  place.y = top * view->height / ROWS, place.h = bottom * view->height / ROWS - place.y;
  gst_cca_drawing_add_image (drawing, &place, &heatmap->pixels[top][left], right - left, bottom - top, COLUMNS);
}
