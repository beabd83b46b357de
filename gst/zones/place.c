/* gst-cca: where a rule lies in a frame, and which tracks it is for
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "place.h"

#include <stdlib.h>
#include <string.h>

#define DEFAULT_DISTANCE 0.01 /* of the frame's height */

/* The larger a box, the rougher the edge of the foreground that its sides follow. */
#define DEFAULT_BAND_OF_BOX 0.1

/* Of the same track back over a line: its box grows and shrinks while it stands there. */
#define DEFAULT_BAND_BACK 4.0

/* An object stands this part of its box's height above the lower side: shadows, reflections and the nearer leg reach
 * farther down. It is the median of 598 crossings whose times were seen by eye, on twelve clips and their variants. */
#define FOOT 0.07

bool
gst_cca_place_init (GstCcaPlace *place, const GstCcaRulesRule *params)
{
  const size_t room = params->n_points > 4 ? params->n_points : 4, bytes = strlen (params->name) + 1;
  GstCcaPosition *points = malloc (room * sizeof *points);
  char *name = malloc (bytes);
  uint32_t *kinds = malloc ((params->n_kinds + 1) * sizeof *kinds);

  place->params = *params;
  place->params.points = points;
  place->params.name = name;
  place->params.kinds = kinds;
  place->points = malloc (room * sizeof *place->points);
  if (points == NULL || name == NULL || kinds == NULL || place->points == NULL)
    return false;
  if (params->n_kinds > 0)
    memcpy (kinds, params->kinds, params->n_kinds * sizeof *kinds);
  memcpy (name, params->name, bytes);
  if (params->n_points > 0)
    memcpy (points, params->points, params->n_points * sizeof *points);
  return true;
}

void
gst_cca_place_clear (GstCcaPlace *place)
{
  free ((void *) place->params.points);
  free ((void *) place->params.name);
  free ((void *) place->params.kinds);
  free (place->points);
}

void
gst_cca_place_scale (GstCcaPlace *place, double scale_x, double scale_y, double width, double height)
{
  const GstCcaRulesRule *params = &place->params;
  const GstCcaPosition corners[] = { { 0.0, 0.0 }, { width, 0.0 }, { width, height }, { 0.0, height } };

  if (gst_cca_place_is_frame (place)) {
    place->n_points = 4;
    memcpy (place->points, corners, sizeof corners);
  } else {
    place->n_points = params->n_points;
    for (size_t i = 0; i < params->n_points; i++)
      place->points[i] = (GstCcaPosition) { params->points[i].x * scale_x, params->points[i].y * scale_y };
  }
  place->bounds = (GstCcaBox) { { INFINITY, INFINITY }, { -INFINITY, -INFINITY } };
  for (size_t i = 0; i < place->n_points; i++) {
    const GstCcaPosition p = place->points[i];

    place->bounds = gst_cca_box_join (&place->bounds, &(GstCcaBox) { { p.x, p.y }, { p.x, p.y } });
  }
  place->area = gst_cca_polygon_area (place->points, place->n_points);
  place->band = params->band < 0.0 ? DEFAULT_DISTANCE * height : params->band * scale_y;
  place->band_of_box = params->band < 0.0 ? DEFAULT_BAND_OF_BOX : 0.0;
  place->radius = params->radius < 0.0 ? DEFAULT_DISTANCE * height : params->radius * scale_y;
  place->min_area = params->min_area * scale_x * scale_y;
  place->max_area = params->max_area * scale_x * scale_y;
  place->min_width = params->min_width * scale_x;
  place->max_width = params->max_width * scale_x;
  place->min_height = params->min_height * scale_y;
  place->max_height = params->max_height * scale_y;
}

bool
gst_cca_place_is_frame (const GstCcaPlace *place)
{
  return place->params.n_points == 0;
}

GstCcaPosition
gst_cca_box_center (const GstCcaBox *box)
{
  return (GstCcaPosition) { (box->min[0] + box->max[0]) / 2.0, (box->min[1] + box->max[1]) / 2.0 };
}

GstCcaPosition
gst_cca_place_anchor (const GstCcaPlace *place, const GstCcaBox *box)
{
  GstCcaPosition anchor = gst_cca_box_center (box);

  if (place->params.anchor == GST_CCA_RULES_BOTTOM)
    anchor.y = box->max[1];
  else if (place->params.anchor == GST_CCA_RULES_FOOT)
    anchor.y = box->max[1] - FOOT * (box->max[1] - box->min[1]);
  return anchor;
}

static bool
is_within (double value, double min, double max)
{
  return value >= min && (max <= 0.0 || value <= max);
}

static bool
is_of_kind (const GstCcaRulesRule *params, uint32_t kind)
{
  for (size_t i = 0; i < params->n_kinds; i++)
    if (params->kinds[i] == kind)
      return true;
  return params->n_kinds == 0;
}

bool
gst_cca_place_admits (const GstCcaPlace *place, const GstCcaObject *track)
{
  return is_of_kind (&place->params, track->kind) && is_within (track->area, place->min_area, place->max_area)
         && is_within (track->box.max[0] - track->box.min[0], place->min_width, place->max_width)
         && is_within (track->box.max[1] - track->box.min[1], place->min_height, place->max_height);
}

/* Returns whether a position lies in a box or on its border. */
static bool
is_in_box (const GstCcaBox *box, GstCcaPosition position)
{
  return position.x >= box->min[0] && position.x <= box->max[0] && position.y >= box->min[1]
         && position.y <= box->max[1];
}

int
gst_cca_place_crossings (const GstCcaPlace *place, const GstCcaBox *from, const GstCcaBox *to)
{
  const GstCcaPosition a = gst_cca_place_anchor (place, from), b = gst_cca_place_anchor (place, to);

  if (fmax (a.x, b.x) < place->bounds.min[0] || fmin (a.x, b.x) > place->bounds.max[0]
      || fmax (a.y, b.y) < place->bounds.min[1] || fmin (a.y, b.y) > place->bounds.max[1])
    return 0;
  return gst_cca_polyline_crossings (place->points, place->n_points, a, b);
}

double
gst_cca_place_band (const GstCcaPlace *place, const GstCcaBox *box, bool back)
{
  const double of_box = place->band_of_box * (back ? DEFAULT_BAND_BACK : 1.0);

  return gst_cca_max (place->band, of_box * (box->max[1] - box->min[1]));
}

bool
gst_cca_place_contains (const GstCcaPlace *place, const GstCcaBox *box, bool was_inside)
{
  GstCcaPosition anchor;

  if (gst_cca_place_is_frame (place))
    return true;
  if (place->params.anchor == GST_CCA_RULES_OVERLAP) {
    const double part = gst_cca_polygon_shared (place->points, place->n_points, box) / gst_cca_box_area (box);

    return part > 0.0 && part >= (was_inside ? place->params.overlap / 2.0 : place->params.overlap);
  }
  anchor = gst_cca_place_anchor (place, box);
  return (is_in_box (&place->bounds, anchor) && gst_cca_polygon_contains (place->points, place->n_points, anchor))
         || (was_inside
             && gst_cca_polyline_distance (place->points, place->n_points, true, anchor)
                    <= gst_cca_place_band (place, box, false));
}

bool
gst_cca_place_matches (const GstCcaPlace *place, const GstCcaBox *box)
{
  const double shared = gst_cca_polygon_shared (place->points, place->n_points, box);

  return shared >= place->params.match * place->area && shared >= place->params.match * gst_cca_box_area (box);
}
