/* gst-cca: the paths that tracks have taken lately
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "trails.h"

enum
{
  MAX_TRAILS = 4096,
  N_POINTS = 64,
  N_FADES = 8, /* parts of a trail with the same alpha */
};

typedef struct
{
  gdouble x, y; /* 0…1 in the view */
  GstClockTime time;
} Point;

/* The key of the look-up comes first. */
typedef struct
{
  gchar *id; /* of the analysis */
  guint64 track_id;

  Point points[N_POINTS]; /* a ring, the oldest first */
  guint first, n;
} Trail;

struct _GstCcaTrails
{
  GHashTable *table; /* of Trail, as a set */
  GstClockTime time, duration;
};

static guint
trail_hash (gconstpointer data)
{
  const Trail *trail = data;

  return g_str_hash (trail->id) ^ g_int64_hash (&trail->track_id);
}

static gboolean
trail_equal (gconstpointer a, gconstpointer b)
{
  const Trail *one = a, *other = b;

  return one->track_id == other->track_id && g_str_equal (one->id, other->id);
}

static void
trail_free (gpointer data)
{
  Trail *trail = data;

  g_free (trail->id);
  g_free (trail);
}

GstCcaTrails *
gst_cca_trails_new (void)
{
  GstCcaTrails *trails = g_new0 (GstCcaTrails, 1);

  trails->table = g_hash_table_new_full (trail_hash, trail_equal, trail_free, NULL);
  return trails;
}

void
gst_cca_trails_free (GstCcaTrails *trails)
{
  g_hash_table_unref (trails->table);
  g_free (trails);
}

void
gst_cca_trails_forget (GstCcaTrails *trails)
{
  g_hash_table_remove_all (trails->table);
}

static const Point *
point_at (const Trail *trail, guint i)
{
  return &trail->points[(trail->first + i) % N_POINTS];
}

static void
drop_first (Trail *trail)
{
  trail->first = (trail->first + 1) % N_POINTS;
  trail->n--;
}

/* The newest point moves along with its track until it is some time after the one before. */
static void
add_point (Trail *trail, Point point, GstClockTime duration)
{
  if (trail->n >= 2 && point.time < point_at (trail, trail->n - 2)->time + duration / (N_POINTS - 2))
    trail->n--;
  else if (trail->n == N_POINTS)
    drop_first (trail);
  trail->points[(trail->first + trail->n++) % N_POINTS] = point;
}

static void
add_track (GstCcaTrails *trails, const GstCcaView *view, const GstCcaTrackLayer *layer, const GstCcaTrack *track)
{
  const Trail key = { .id = (gchar *) layer->meta->id, .track_id = track->track_id };
  const GstCcaExtent extent = gst_cca_fit_track (&layer->fit, track);
  const GstCcaVertex foot = gst_cca_extent_foot (&extent);
  Trail *trail = g_hash_table_lookup (trails->table, &key);

  if (trail == NULL) {
    if (g_hash_table_size (trails->table) >= MAX_TRAILS)
      return;
    trail = g_new0 (Trail, 1);
    trail->id = g_strdup (layer->meta->id);
    trail->track_id = track->track_id;
    g_hash_table_add (trails->table, trail);
  }
  add_point (trail, (Point) { foot.x / view->width, foot.y / view->height, trails->time }, trails->duration);
}

/* Returns whether nothing of a trail is left. */
static gboolean
trail_age (gpointer key, gpointer value, gpointer data)
{
  const GstCcaTrails *trails = data;
  Trail *trail = key;

  while (trail->n > 0 && point_at (trail, 0)->time + trails->duration <= trails->time)
    drop_first (trail);
  return trail->n == 0;
}

void
gst_cca_trails_update (GstCcaTrails *trails, const GstCcaView *view, const GstCcaTrackLayer *layers, guint n_layers,
                       GstClockTime time, GstClockTime duration)
{
  trails->time = time;
  trails->duration = duration;
  g_hash_table_foreach_remove (trails->table, trail_age, trails);
  for (guint i = 0; i < n_layers; i++)
    for (guint j = 0; j < layers[i].meta->n_tracks; j++)
      add_track (trails, view, &layers[i], &layers[i].meta->tracks[j]);
}

/* 0 for the newest points. */
static guint
fade_of (const GstCcaTrails *trails, const Point *point)
{
  const guint fade = gst_util_uint64_scale (trails->time - point->time, N_FADES, MAX (1, trails->duration));

  return MIN (fade, N_FADES - 1);
}

static void
draw_trail (const GstCcaTrails *trails, const Trail *trail, GstCcaDrawing *drawing, const GstCcaView *view,
            gdouble width, guint32 alpha)
{
  GstCcaVertex vertices[N_POINTS];
  guint n = 0;

  for (guint i = 0; i < trail->n; i++) {
    const Point *point = point_at (trail, i);
    const guint fade = fade_of (trails, point);

    vertices[n++] = (GstCcaVertex) { point->x * view->width, point->y * view->height };
    if (i + 1 == trail->n || fade_of (trails, point_at (trail, i + 1)) != fade) {
      if (i + 1 < trail->n) {
        const Point *next = point_at (trail, i + 1);

        vertices[n++] = (GstCcaVertex) { next->x * view->width, next->y * view->height };
      }
      gst_cca_drawing_add_line (drawing, vertices, n, width,
                                gst_cca_palette_color (trail->track_id, alpha * (N_FADES - fade) / N_FADES));
      n = 0;
    }
  }
}

void
gst_cca_trails_draw (const GstCcaTrails *trails, GstCcaDrawing *drawing, const GstCcaView *view, gdouble width,
                     guint32 alpha)
{
  GHashTableIter iter;
  gpointer trail;

  g_hash_table_iter_init (&iter, trails->table);
  while (g_hash_table_iter_next (&iter, &trail, NULL))
    draw_trail (trails, trail, drawing, view, width, alpha);
}
