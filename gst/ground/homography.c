/* gst-cca: where on flat ground a point of the picture lies, by a homography
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "homography.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

/* Points lie on a line if they spread across it by less than this part of how they spread along it. */
#define LEAST_SPREAD 0.005

/* The least part of the nearest point's depth that the farthest may have: beyond lies the horizon. */
#define LEAST_DEPTH 1e-6

#define MAX_STEPS 50
#define N 9 /* numbers of a homography */
#define N_FREE 8

/* A similarity: normalised = (point - centre) * scale. */
typedef struct
{
  double centre[2], scale;
} Similarity;

/* --- Points that say too little ----------------------------------------------------------------------- */

static const double *
coordinates (const GstCcaGroundPoint *point, bool image)
{
  return image ? point->image : point->place;
}

static bool
repeats (const GstCcaGroundPoint *points, size_t n, size_t *a, size_t *b)
{
  for (*a = 0; *a < n; ++*a)
    for (*b = *a + 1; *b < n; ++*b)
      for (int image = 0; image < 2; image++)
        if (memcmp (coordinates (&points[*a], image), coordinates (&points[*b], image), 2 * sizeof (double)) == 0)
          return true;
  return false;
}

/* Returns whether all points but one lie on a line; `but` may be none of them. */
static bool
on_line (const GstCcaGroundPoint *points, size_t n, bool image, size_t but)
{
  double mean[2] = { 0.0, 0.0 }, xx = 0.0, xy = 0.0, yy = 0.0, half, root;
  size_t used = 0;

  for (size_t i = 0; i < n; i++)
    if (i != but) {
      mean[0] += coordinates (&points[i], image)[0];
      mean[1] += coordinates (&points[i], image)[1];
      used++;
    }
  for (size_t i = 0; i < n; i++)
    if (i != but) {
      const double x = coordinates (&points[i], image)[0] - mean[0] / used;
      const double y = coordinates (&points[i], image)[1] - mean[1] / used;

      xx += x * x, xy += x * y, yy += y * y;
    }
  half = (xx + yy) / 2.0;
  root = sqrt ((xx - yy) * (xx - yy) / 4.0 + xy * xy);
  return half - root <= LEAST_SPREAD * LEAST_SPREAD * (half + root);
}

static bool
lie_on_line (const GstCcaGroundPoint *points, size_t n, size_t *a)
{
  for (int image = 0; image < 2; image++) {
    *a = SIZE_MAX;
    if (on_line (points, n, image, *a))
      return true;
    for (*a = 0; *a < n; ++*a)
      if (on_line (points, n, image, *a))
        return true;
  }
  *a = SIZE_MAX;
  return false;
}

/* --- Normalisation ----------------------------------------------------------------------------------- */

/* Puts the points' centre to 0 and their mean distance from there to √2. */
static Similarity
similarity_of (const GstCcaGroundPoint *points, size_t n, bool image)
{
  Similarity s = { { 0.0, 0.0 }, 0.0 };
  double distance = 0.0;

  for (size_t i = 0; i < n; i++)
    for (int axis = 0; axis < 2; axis++)
      s.centre[axis] += coordinates (&points[i], image)[axis] / n;
  for (size_t i = 0; i < n; i++)
    distance +=
        hypot (coordinates (&points[i], image)[0] - s.centre[0], coordinates (&points[i], image)[1] - s.centre[1]);
  s.scale = sqrt (2.0) * n / distance;
  return s;
}

static void
normalise (const Similarity *s, const double from[2], double to[2])
{
  for (int axis = 0; axis < 2; axis++)
    to[axis] = (from[axis] - s->centre[axis]) * s->scale;
}

static void
multiply (const double a[N], const double b[N], double product[N])
{
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++)
      product[3 * i + j] = a[3 * i] * b[j] + a[3 * i + 1] * b[3 + j] + a[3 * i + 2] * b[6 + j];
}

static double
determinant (const double m[N])
{
  return m[0] * (m[4] * m[8] - m[5] * m[7]) - m[1] * (m[3] * m[8] - m[5] * m[6]) + m[2] * (m[3] * m[7] - m[4] * m[6]);
}

static void
invert (const double m[N], double inverse[N])
{
  const double d = determinant (m);

  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) {
      const int r = (j + 1) % 3, s = (j + 2) % 3, t = (i + 1) % 3, u = (i + 2) % 3;

      inverse[3 * i + j] = (m[3 * r + t] * m[3 * s + u] - m[3 * r + u] * m[3 * s + t]) / d;
    }
}

/* --- The direct linear transformation ------------------------------------------------------------------ */

/* Finds the eigenvector of the least eigenvalue of a symmetric matrix, which is destroyed, by Jacobi's rotations. */
static void
least_eigenvector (double m[N][N], double vector[N])
{
  double v[N][N] = { { 0.0 } };
  int least = 0;

  for (int i = 0; i < N; i++)
    v[i][i] = 1.0;
  for (int sweep = 0; sweep < MAX_STEPS; sweep++)
    for (int p = 0; p < N; p++)
      for (int q = p + 1; q < N; q++) {
        const double angle = 0.5 * atan2 (2.0 * m[p][q], m[q][q] - m[p][p]), c = cos (angle), s = sin (angle);

        for (int k = 0; k < N; k++) {
          const double kp = m[k][p], kq = m[k][q], vp = v[k][p], vq = v[k][q];

          m[k][p] = c * kp - s * kq, m[k][q] = s * kp + c * kq;
          v[k][p] = c * vp - s * vq, v[k][q] = s * vp + c * vq;
        }
        for (int k = 0; k < N; k++) {
          const double pk = m[p][k], qk = m[q][k];

          m[p][k] = c * pk - s * qk, m[q][k] = s * pk + c * qk;
        }
      }
  for (int i = 1; i < N; i++)
    if (m[i][i] < m[least][least])
      least = i;
  for (int i = 0; i < N; i++)
    vector[i] = v[i][least];
}

/* Fits h, from normalised places to normalised image points. */
static void
fit_linear (const GstCcaGroundPoint *points, size_t n, const Similarity *ground, const Similarity *image, double h[N])
{
  double sums[N][N] = { { 0.0 } };

  for (size_t i = 0; i < n; i++) {
    double p[2], q[2];

    normalise (ground, points[i].place, p);
    normalise (image, points[i].image, q);
    for (int axis = 0; axis < 2; axis++) {
      double row[N] = { 0.0 };

      row[3 * axis] = p[0], row[3 * axis + 1] = p[1], row[3 * axis + 2] = 1.0;
      row[6] = -q[axis] * p[0], row[7] = -q[axis] * p[1], row[8] = -q[axis];
      for (int j = 0; j < N; j++)
        for (int k = 0; k < N; k++)
          sums[j][k] += row[j] * row[k];
    }
  }
  least_eigenvector (sums, h);
}

/* --- The least squares of distances in the picture ----------------------------------------------------- */

/* Adds up the normal equations of the distances, for all numbers of h but the last, which stays 1. Returns the sum of
 * squares. */
static double
add_up (const GstCcaGroundPoint *points, size_t n, const Similarity *ground, const Similarity *image, const double h[N],
        double normal[N_FREE][N_FREE], double gradient[N_FREE])
{
  double sum = 0.0;

  memset (normal, 0, N_FREE * sizeof *normal);
  memset (gradient, 0, N_FREE * sizeof *gradient);
  for (size_t i = 0; i < n; i++) {
    double p[2], q[2], w;

    normalise (ground, points[i].place, p);
    normalise (image, points[i].image, q);
    w = h[6] * p[0] + h[7] * p[1] + h[8];
    for (int axis = 0; axis < 2; axis++) {
      const double *row = &h[3 * axis], at = (row[0] * p[0] + row[1] * p[1] + row[2]) / w, error = at - q[axis];
      double d[N_FREE] = { 0.0 };

      d[3 * axis] = p[0] / w, d[3 * axis + 1] = p[1] / w, d[3 * axis + 2] = 1.0 / w;
      d[6] = -at * p[0] / w, d[7] = -at * p[1] / w;
      sum += error * error;
      for (int j = 0; j < N_FREE; j++) {
        gradient[j] += d[j] * error;
        for (int k = 0; k < N_FREE; k++)
          normal[j][k] += d[j] * d[k];
      }
    }
  }
  return sum;
}

/* Solves a symmetric positive definite system by Cholesky's factors. Returns FALSE if it is none. */
static bool
solve (double m[N_FREE][N_FREE], double x[N_FREE])
{
  for (int i = 0; i < N_FREE; i++)
    for (int j = 0; j <= i; j++) {
      double sum = m[i][j];

      for (int k = 0; k < j; k++)
        sum -= m[i][k] * m[j][k];
      if (i == j && !(sum > 0.0))
        return false;
      m[i][j] = i == j ? sqrt (sum) : sum / m[j][j];
    }
  for (int i = 0; i < N_FREE; i++) {
    for (int k = 0; k < i; k++)
      x[i] -= m[i][k] * x[k];
    x[i] /= m[i][i];
  }
  for (int i = N_FREE - 1; i >= 0; i--) {
    for (int k = i + 1; k < N_FREE; k++)
      x[i] -= m[k][i] * x[k];
    x[i] /= m[i][i];
  }
  return true;
}

static void
refine (const GstCcaGroundPoint *points, size_t n, const Similarity *ground, const Similarity *image, double h[N])
{
  double normal[N_FREE][N_FREE], gradient[N_FREE], damping = 1e-3;
  double sum = add_up (points, n, ground, image, h, normal, gradient);

  for (int step = 0; step < MAX_STEPS; step++) {
    double damped[N_FREE][N_FREE], change[N_FREE], tried[N], sum_tried;

    memcpy (damped, normal, sizeof damped);
    memcpy (change, gradient, sizeof change);
    for (int i = 0; i < N_FREE; i++)
      damped[i][i] *= 1.0 + damping;
    if (!solve (damped, change))
      return;
    memcpy (tried, h, sizeof tried);
    for (int i = 0; i < N_FREE; i++)
      tried[i] -= change[i];
    memcpy (damped, normal, sizeof damped);
    memcpy (change, gradient, sizeof change);
    sum_tried = add_up (points, n, ground, image, tried, normal, gradient);
    if (sum_tried < sum) {
      const bool done = sum - sum_tried <= 1e-12 * sum;

      memcpy (h, tried, sizeof tried);
      sum = sum_tried;
      damping /= 10.0;
      if (done)
        return;
    } else {
      memcpy (normal, damped, sizeof damped);
      memcpy (gradient, change, sizeof change);
      damping *= 10.0;
    }
  }
}

/* --- The fit ----------------------------------------------------------------------------------------- */

/* Returns whether all places are in front of the camera; the last number of h is 1, that of the points' centre. */
static bool
are_in_front (const GstCcaGroundPoint *points, size_t n, const Similarity *ground, const double h[N], size_t *a)
{
  double least = INFINITY, most = -INFINITY;

  for (size_t i = 0; i < n; i++) {
    double p[2], depth;

    normalise (ground, points[i].place, p);
    depth = h[6] * p[0] + h[7] * p[1] + 1.0;
    most = fmax (most, depth);
    if (!(depth >= least)) {
      least = depth;
      *a = i;
    }
  }
  return least > LEAST_DEPTH * most;
}

GstCcaGroundFault
gst_cca_ground_fit (GstCcaGround *ground, const GstCcaGroundPoint *points, size_t n, size_t *a, size_t *b)
{
  Similarity of_ground, of_image;
  double h[N], part[N];

  *a = *b = SIZE_MAX;
  if (n < 4)
    return GST_CCA_GROUND_FEW;
  if (repeats (points, n, a, b))
    return GST_CCA_GROUND_REPEATED;
  *b = SIZE_MAX;
  if (lie_on_line (points, n, a))
    return GST_CCA_GROUND_LINE;
  of_ground = similarity_of (points, n, false);
  of_image = similarity_of (points, n, true);
  fit_linear (points, n, &of_ground, &of_image, h);
  if (!(fabs (h[8]) > LEAST_DEPTH))
    return GST_CCA_GROUND_HORIZON;
  for (int i = 0; i < N; i++)
    h[i] /= i < N - 1 ? h[8] : 1.0;
  h[8] = 1.0;
  if (!are_in_front (points, n, &of_ground, h, a))
    return GST_CCA_GROUND_HORIZON;
  refine (points, n, &of_ground, &of_image, h);
  if (!are_in_front (points, n, &of_ground, h, a))
    return GST_CCA_GROUND_HORIZON;
  *a = SIZE_MAX;
  if (!(determinant (h) < 0.0))
    return GST_CCA_GROUND_MIRRORED;

  multiply (h,
            (const double[N]) { of_ground.scale, 0.0, -of_ground.scale * of_ground.centre[0], 0.0, of_ground.scale,
                                -of_ground.scale * of_ground.centre[1], 0.0, 0.0, 1.0 },
            part);
  multiply ((const double[N]) { 1.0 / of_image.scale, 0.0, of_image.centre[0], 0.0, 1.0 / of_image.scale,
                                of_image.centre[1], 0.0, 0.0, 1.0 },
            part, ground->to_image);
  invert (ground->to_image, ground->to_ground);
  return GST_CCA_GROUND_FITS;
}

GstCcaGroundResidual
gst_cca_ground_residual (const GstCcaGround *ground, const GstCcaGroundPoint *point)
{
  double image[2], place[2];

  if (!gst_cca_ground_image (ground, point->place, image) || !gst_cca_ground_place (ground, point->image, place, NULL))
    return (GstCcaGroundResidual) { INFINITY, INFINITY };
  return (GstCcaGroundResidual) { hypot (image[0] - point->image[0], image[1] - point->image[1]),
                                  hypot (place[0] - point->place[0], place[1] - point->place[1]) };
}

/* --- Between picture and ground ---------------------------------------------------------------------- */

static bool
project (const double h[N], const double from[2], double to[2], double jacobian[4])
{
  const double w = h[6] * from[0] + h[7] * from[1] + h[8];

  if (!(w > 0.0))
    return false;
  for (int i = 0; i < 2; i++) {
    to[i] = (h[3 * i] * from[0] + h[3 * i + 1] * from[1] + h[3 * i + 2]) / w;
    for (int j = 0; jacobian != NULL && j < 2; j++)
      jacobian[2 * i + j] = (h[3 * i + j] - to[i] * h[6 + j]) / w;
  }
  return isfinite (to[0]) && isfinite (to[1]);
}

bool
gst_cca_ground_place (const GstCcaGround *ground, const double image[2], double place[2], double jacobian[4])
{
  return project (ground->to_ground, image, place, jacobian);
}

bool
gst_cca_ground_image (const GstCcaGround *ground, const double place[2], double image[2])
{
  return project (ground->to_image, place, image, NULL);
}

/* Along a line parallel to the horizon the third coordinate of the homography stays the same. So a pixel on it has the
 * same metres everywhere, and these are in inverse proportion to that coordinate. */
GstCcaGroundScale
gst_cca_ground_scale (const GstCcaGround *ground, const double pixel[2])
{
  const double *m = ground->to_ground;
  const double depth[2] = { m[6] * pixel[0], m[7] * pixel[1] }, length = hypot (depth[0], depth[1]);
  const double along[2] = { (length > 0.0 ? depth[1] / length : 1.0) * pixel[0],
                            (length > 0.0 ? -depth[0] / length : 0.0) * pixel[1] };
  const double metres = hypot (m[0] * along[0] + m[1] * along[1], m[3] * along[0] + m[4] * along[1]);

  return (GstCcaGroundScale) { depth[0] / metres, depth[1] / metres, m[8] / metres };
}
