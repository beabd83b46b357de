/* gst-cca: where a rule lies in a frame, and which tracks it is for
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "region.h"

#include <stdlib.h>
#include <string.h>

#define DEFAULT_DISTANCE 0.01 /* of the frame's height */

/* The larger a box, the rougher the edge of the foreground that its sides follow. */
#define DEFAULT_BAND_OF_BOX 0.1

bool
gst_cca_region_init (GstCcaRegion *region, const GstCcaRulesRule *params)
{
  const size_t room = params->n_points > 4 ? params->n_points : 4, bytes = strlen (params->name) + 1;
  GstCcaPosition *points = malloc (room * sizeof *points);
  char *name = malloc (bytes);

  region->params = *params;
  region->params.points = points;
  region->params.name = name;
  region->points = malloc (room * sizeof *region->points);
  if (points == NULL || name == NULL || region->points == NULL)
    return false;
  memcpy (name, params->name, bytes);
  if (params->n_points > 0)
    memcpy (points, params->points, params->n_points * sizeof *points);
  return true;
}

void
gst_cca_region_clear (GstCcaRegion *region)
{
  free ((void *) region->params.points);
  free ((void *) region->params.name);
  free (region->points);
}

void
gst_cca_region_scale (GstCcaRegion *region, double scale_x, double scale_y, double width, double height)
{
  const GstCcaRulesRule *params = &region->params;
  const GstCcaPosition corners[] = { { 0.0, 0.0 }, { width, 0.0 }, { width, height }, { 0.0, height } };

  if (gst_cca_region_is_frame (region)) {
    region->n_points = 4;
    memcpy (region->points, corners, sizeof corners);
  } else {
    region->n_points = params->n_points;
    for (size_t i = 0; i < params->n_points; i++)
      region->points[i] = (GstCcaPosition) { params->points[i].x * scale_x, params->points[i].y * scale_y };
  }
  region->bounds = (GstCcaBox) { { INFINITY, INFINITY }, { -INFINITY, -INFINITY } };
  for (size_t i = 0; i < region->n_points; i++) {
    const GstCcaPosition p = region->points[i];

    region->bounds = gst_cca_box_join (&region->bounds, &(GstCcaBox) { { p.x, p.y }, { p.x, p.y } });
  }
  region->area = gst_cca_polygon_area (region->points, region->n_points);
  region->band = params->band < 0.0 ? DEFAULT_DISTANCE * height : params->band * scale_y;
  region->band_of_box = params->band < 0.0 ? DEFAULT_BAND_OF_BOX : 0.0;
  region->radius = params->radius < 0.0 ? DEFAULT_DISTANCE * height : params->radius * scale_y;
  region->min_area = params->min_area * scale_x * scale_y;
  region->max_area = params->max_area * scale_x * scale_y;
  region->min_width = params->min_width * scale_x;
  region->max_width = params->max_width * scale_x;
  region->min_height = params->min_height * scale_y;
  region->max_height = params->max_height * scale_y;
}

bool
gst_cca_region_is_frame (const GstCcaRegion *region)
{
  return region->params.n_points == 0;
}

GstCcaPosition
gst_cca_box_center (const GstCcaBox *box)
{
  return (GstCcaPosition) { (box->min[0] + box->max[0]) / 2.0, (box->min[1] + box->max[1]) / 2.0 };
}

GstCcaPosition
gst_cca_region_anchor (const GstCcaRegion *region, const GstCcaBox *box)
{
  GstCcaPosition anchor = gst_cca_box_center (box);

  if (region->params.anchor == GST_CCA_RULES_BOTTOM)
    anchor.y = box->max[1];
  return anchor;
}

static bool
is_within (double value, double min, double max)
{
  return value >= min && (max <= 0.0 || value <= max);
}

bool
gst_cca_region_admits (const GstCcaRegion *region, const GstCcaRulesTrack *track)
{
  return is_within (track->area, region->min_area, region->max_area)
         && is_within (track->box.max[0] - track->box.min[0], region->min_width, region->max_width)
         && is_within (track->box.max[1] - track->box.min[1], region->min_height, region->max_height);
}

/* Returns whether a position lies in a box or on its border. */
static bool
is_in_box (const GstCcaBox *box, GstCcaPosition position)
{
  return position.x >= box->min[0] && position.x <= box->max[0] && position.y >= box->min[1]
         && position.y <= box->max[1];
}

int
gst_cca_region_crossings (const GstCcaRegion *region, const GstCcaBox *from, const GstCcaBox *to)
{
  const GstCcaPosition a = gst_cca_region_anchor (region, from), b = gst_cca_region_anchor (region, to);

  if (fmax (a.x, b.x) < region->bounds.min[0] || fmin (a.x, b.x) > region->bounds.max[0]
      || fmax (a.y, b.y) < region->bounds.min[1] || fmin (a.y, b.y) > region->bounds.max[1])
    return 0;
  return gst_cca_polyline_crossings (region->points, region->n_points, a, b);
}

double
gst_cca_region_band (const GstCcaRegion *region, const GstCcaBox *box)
{
  return gst_cca_max (region->band, region->band_of_box * (box->max[1] - box->min[1]));
}

bool
gst_cca_region_contains (const GstCcaRegion *region, const GstCcaBox *box, bool was_inside)
{
  GstCcaPosition anchor;

  if (gst_cca_region_is_frame (region))
    return true;
  if (region->params.anchor == GST_CCA_RULES_OVERLAP) {
    const double part = gst_cca_polygon_shared (region->points, region->n_points, box) / gst_cca_box_area (box);

    return part > 0.0 && part >= (was_inside ? region->params.overlap / 2.0 : region->params.overlap);
  }
  anchor = gst_cca_region_anchor (region, box);
  return (is_in_box (&region->bounds, anchor) && gst_cca_polygon_contains (region->points, region->n_points, anchor))
         || (was_inside
             && gst_cca_polyline_distance (region->points, region->n_points, true, anchor)
                    <= gst_cca_region_band (region, box));
}

bool
gst_cca_region_matches (const GstCcaRegion *region, const GstCcaBox *box)
{
  const double shared = gst_cca_polygon_shared (region->points, region->n_points, box);

  return shared >= region->params.match * region->area && shared >= region->params.match * gst_cca_box_area (box);
}
