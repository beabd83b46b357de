/* gst-cca: polylines and polygons in the plane
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "polygon.h"

#include <stdlib.h>
#include <string.h>

/* Returns whether c, which lies on the line through a and b, lies between them. */
static bool
is_between (GstCcaPosition a, GstCcaPosition b, GstCcaPosition c)
{
  return fmin (a.x, b.x) <= c.x && c.x <= fmax (a.x, b.x) && fmin (a.y, b.y) <= c.y && c.y <= fmax (a.y, b.y);
}

static double
distance_from_segment (GstCcaPosition a, GstCcaPosition b, GstCcaPosition p)
{
  const double dx = b.x - a.x, dy = b.y - a.y, length2 = dx * dx + dy * dy;
  const double along = length2 > 0.0 ? ((p.x - a.x) * dx + (p.y - a.y) * dy) / length2 : 0.0;
  const double t = fmin (fmax (along, 0.0), 1.0);

  return hypot (p.x - a.x - t * dx, p.y - a.y - t * dy);
}

double
gst_cca_polyline_distance (const GstCcaPosition *points, size_t n, bool closed, GstCcaPosition position)
{
  double least = closed ? distance_from_segment (points[n - 1], points[0], position) : INFINITY;

  for (size_t i = 0; i + 1 < n; i++)
    least = fmin (least, distance_from_segment (points[i], points[i + 1], position));
  return least;
}

/* Returns whether p + (e, e²) lies to the right of the line from a to b. */
static bool
is_right (GstCcaPosition a, GstCcaPosition b, GstCcaPosition p)
{
  const double side = gst_cca_turn (a, b, p);

  if (side != 0.0)
    return side > 0.0;
  return b.y != a.y ? b.y < a.y : b.x > a.x;
}

/* Returns whether p lies to the right of the line from a + (e, e²) to b + (e, e²). */
static bool
is_right_of_way (GstCcaPosition a, GstCcaPosition b, GstCcaPosition p)
{
  const double side = gst_cca_turn (a, b, p);

  if (side != 0.0)
    return side > 0.0;
  return b.y != a.y ? b.y > a.y : b.x < a.x;
}

int
gst_cca_polyline_crossings (const GstCcaPosition *points, size_t n, GstCcaPosition from, GstCcaPosition to)
{
  int crossings = 0;

  if (from.x == to.x && from.y == to.y)
    return 0;
  for (size_t i = 0; i + 1 < n; i++) {
    const bool before = is_right (points[i], points[i + 1], from), after = is_right (points[i], points[i + 1], to);

    if (before != after && is_right_of_way (from, to, points[i]) != is_right_of_way (from, to, points[i + 1]))
      crossings += after ? 1 : -1;
  }
  return crossings;
}

bool
gst_cca_polygon_contains (const GstCcaPosition *points, size_t n, GstCcaPosition position)
{
  bool inside = false;

  /* Even or odd: the sides that a ray to the right crosses. */
  for (size_t i = 0, last = n - 1; i < n; last = i++) {
    const GstCcaPosition a = points[last], b = points[i];
    const double side = gst_cca_turn (a, b, position);

    if (side == 0.0 && is_between (a, b, position))
      return true;
    if ((a.y > position.y) != (b.y > position.y) && (side > 0.0) != (a.y > b.y))
      inside = !inside;
  }
  return inside;
}

double
gst_cca_polygon_area (const GstCcaPosition *points, size_t n)
{
  double sum = 0.0;

  for (size_t i = 1; i + 1 < n; i++)
    sum += gst_cca_turn (points[0], points[i], points[i + 1]);
  return fabs (sum) / 2.0;
}

/* Returns the integral of y over the part of a side that lies between two values of x, with y clamped to low…high and
 * counted from low. Negative if the side leads to the left. */
static double
area_under (GstCcaPosition a, GstCcaPosition b, const GstCcaBox *box)
{
  const double low = box->min[1], high = box->max[1], slope = (b.y - a.y) / (b.x - a.x);
  const double left = fmax (fmin (a.x, b.x), box->min[0]), right = fmin (fmax (a.x, b.x), box->max[0]);
  /* Where the side meets low and high, between left and right: in between it is straight. */
  double stops[4] = { left, right, right, right }, sum = 0.0;

  if (a.x == b.x || left >= right)
    return 0.0;
  if (slope != 0.0) {
    const double at_low = a.x + (low - a.y) / slope, at_high = a.x + (high - a.y) / slope;

    stops[1] = fmin (fmax (fmin (at_low, at_high), left), right);
    stops[2] = fmin (fmax (fmax (at_low, at_high), left), right);
  }
  for (int i = 0; i < 3; i++) {
    const double middle = a.y + slope * ((stops[i] + stops[i + 1]) / 2.0 - a.x);

    sum += (fmin (fmax (middle, low), high) - low) * (stops[i + 1] - stops[i]);
  }
  return b.x > a.x ? sum : -sum;
}

double
gst_cca_polygon_shared (const GstCcaPosition *points, size_t n, const GstCcaBox *box)
{
  double sum = 0.0;

  for (size_t i = 0, last = n - 1; i < n; last = i++)
    sum += area_under (points[last], points[i], box);
  return fabs (sum);
}

static int
compare_doubles (const void *a, const void *b)
{
  const double p = *(const double *) a, q = *(const double *) b;

  return (p > q) - (p < q);
}

/* Returns the first pixel of a row whose centre does not lie to the left of x; width if there is none. */
static uint32_t
first_pixel_from (double x, uint32_t width)
{
  const double first = ceil (x - 0.5);

  return first <= 0.0 ? 0 : first >= width ? width : (uint32_t) first;
}

void
gst_cca_polygon_fill (const GstCcaPosition *points, size_t n, uint32_t width, uint32_t height, uint8_t value,
                      double *crossings, uint8_t *mask)
{
  for (uint32_t row = 0; row < height; row++) {
    const double y = row + 0.5;
    size_t n_crossings = 0;

    for (size_t i = 0, last = n - 1; i < n; last = i++) {
      const GstCcaPosition a = points[last], b = points[i];

      if ((a.y > y) != (b.y > y))
        crossings[n_crossings++] = a.x + (y - a.y) / (b.y - a.y) * (b.x - a.x);
    }
    qsort (crossings, n_crossings, sizeof *crossings, compare_doubles);
    for (size_t i = 0; i + 1 < n_crossings; i += 2) {
      const uint32_t first = first_pixel_from (crossings[i], width), end = first_pixel_from (crossings[i + 1], width);

      memset (mask + (size_t) row * width + first, value, end - first);
    }
  }
}

static int
sign (double value)
{
  return (value > 0.0) - (value < 0.0);
}

static bool
segments_meet (GstCcaPosition a, GstCcaPosition b, GstCcaPosition c, GstCcaPosition d)
{
  const int at_c = sign (gst_cca_turn (a, b, c)), at_d = sign (gst_cca_turn (a, b, d));
  const int at_a = sign (gst_cca_turn (c, d, a)), at_b = sign (gst_cca_turn (c, d, b));

  return (at_c * at_d < 0 && at_a * at_b < 0) || (at_c == 0 && is_between (a, b, c))
         || (at_d == 0 && is_between (a, b, d)) || (at_a == 0 && is_between (c, d, a))
         || (at_b == 0 && is_between (c, d, b));
}

bool
gst_cca_polygon_crosses_itself (const GstCcaPosition *points, size_t n, size_t *first, size_t *second)
{
  for (size_t i = 0; i < n; i++)
    for (size_t j = i + 2; j < n; j++) {
      if (i == 0 && j == n - 1)
        continue;
      if (segments_meet (points[i], points[i + 1], points[j], points[(j + 1) % n])) {
        *first = i;
        *second = j;
        return true;
      }
    }
  return false;
}
