/* gst-cca: polylines and polygons in the plane
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * x grows to the right, y downwards. A polygon's last point is joined to its first; its sides do not cross, and it may
 * be concave and of either orientation. Coordinates below 2^20 in steps of 2^-5 are judged exactly.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "box.h"

typedef struct
{
  double x, y;
} GstCcaPosition;

/* Returns the cross product of b - a and c - a: above 0 if c lies to the right of the line from a to b. */
static inline double
gst_cca_turn (GstCcaPosition a, GstCcaPosition b, GstCcaPosition c)
{
  return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
}

/* Returns the distance of a position from a polyline of at least 2 points or, if closed, from a polygon's border. */
double gst_cca_polyline_distance (const GstCcaPosition *points, size_t n, bool closed, GstCcaPosition position);

/* Returns how often the straight way between two positions crosses a polyline from its left to its right side, as seen
 * along it from its first point, less how often it crosses the other way. Ways that follow each other count each
 * crossing once, also through the polyline's points and where they begin or end on it: the way is taken to lie an
 * infinitesimal step (e, e²) beside itself, so that nothing coincides (simulation of simplicity: Edelsbrunner and
 * Mücke, ACM Transactions on Graphics 9 (1), 1990). */
int gst_cca_polyline_crossings (const GstCcaPosition *points, size_t n, GstCcaPosition from, GstCcaPosition to);

/* Returns whether a position lies in a polygon or on its border. */
bool gst_cca_polygon_contains (const GstCcaPosition *points, size_t n, GstCcaPosition position);

/* Returns the polygon's area. */
double gst_cca_polygon_area (const GstCcaPosition *points, size_t n);

/* Returns the area that a polygon and a box share. */
double gst_cca_polygon_shared (const GstCcaPosition *points, size_t n, const GstCcaBox *box);

/* Sets to `value` the bytes of a mask of width * height pixels whose centres lie in a polygon; pixel (x, y) has its
 * centre at (x + 0.5, y + 0.5). Of centres on the border, those on left and on upper sides lie in it, so that two
 * polygons with a common side share no pixel. The caller provides room for n crossings. */
void gst_cca_polygon_fill (const GstCcaPosition *points, size_t n, uint32_t width, uint32_t height, uint8_t value,
                           double *crossings, uint8_t *mask);

/* Finds two sides of a polygon that are no neighbours and meet; side i leads from point i to the next. Returns FALSE if
 * there are none. */
bool gst_cca_polygon_crosses_itself (const GstCcaPosition *points, size_t n, size_t *first, size_t *second);
