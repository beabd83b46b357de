/* gst-cca: where on flat ground a point of the picture lies, by a homography
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Image points are in pixels, x to the right and y downwards. Places on the ground are in metres, on two axes of the
 * caller's choice that are right-handed as seen from above: y points to the left of x. The picture must not be
 * mirrored, and its lens not be bent: straight lines of the ground must be straight in the picture.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#define GST_CCA_GROUND_MAX_POINTS 256

typedef struct
{
  double image[2]; /* pixels */
  double place[2]; /* metres */
} GstCcaGroundPoint;

typedef struct
{
  double to_ground[9]; /* row by row; the third coordinate is above 0 below the horizon */
  double to_image[9];  /* the inverse; the third coordinate is above 0 in front of the camera */
} GstCcaGround;

/* The ground of a picture. */
typedef struct GstCcaGroundPicture
{
  GstCcaGround ground;
  double width, height; /* of the picture, pixels; 0: those of the frames */
} GstCcaGroundPicture;

/* Finds how large a pixel of a frame of that size is in the picture. */
static inline void
gst_cca_ground_pixel (const GstCcaGroundPicture *picture, double width, double height, double pixel[2])
{
  pixel[0] = picture->width > 0.0 ? picture->width / width : 1.0;
  pixel[1] = picture->height > 0.0 ? picture->height / height : 1.0;
}

/* How many pixels a metre has at a place of the picture: x * X + y * Y + offset; 0 on the horizon, and less above. */
typedef struct
{
  double x, y, offset;
} GstCcaGroundScale;

/* How far the fit misses a point. */
typedef struct
{
  double pixels, metres;
} GstCcaGroundResidual;

typedef enum
{
  GST_CCA_GROUND_FITS,
  GST_CCA_GROUND_FEW,      /* fewer than 4 points */
  GST_CCA_GROUND_REPEATED, /* points[a] and points[b] are the same in the picture or on the ground */
  GST_CCA_GROUND_LINE,     /* all points, or all but points[a], lie on a line */
  GST_CCA_GROUND_MIRRORED, /* the places are a mirror image of the picture */
  GST_CCA_GROUND_HORIZON   /* the horizon passes between the points, as if points[a] were behind the camera */
} GstCcaGroundFault;

/* Fits a homography to n points, at most GST_CCA_GROUND_MAX_POINTS: the normalised direct linear transformation
 * (Hartley, "In defense of the eight-point algorithm", IEEE TPAMI 19 (6), 1997), and from there Levenberg's and
 * Marquardt's steps to the least sum of squared distances in the picture, since points are clicked there. If it does
 * not fit, *a and *b name the points that are to blame; SIZE_MAX where that is none. */
GstCcaGroundFault gst_cca_ground_fit (GstCcaGround *ground, const GstCcaGroundPoint *points, size_t n, size_t *a,
                                      size_t *b);

GstCcaGroundResidual gst_cca_ground_residual (const GstCcaGround *ground, const GstCcaGroundPoint *point);

/* Finds the place of an image point. If jacobian is not NULL, it gets the derivatives of the place, row by row, in
 * metres per pixel. Returns FALSE for a point on or above the horizon. */
bool gst_cca_ground_place (const GstCcaGround *ground, const double image[2], double place[2], double jacobian[4]);

/* Finds the image point of a place. Returns FALSE for a place behind the camera. */
bool gst_cca_ground_image (const GstCcaGround *ground, const double place[2], double image[2]);

/* Returns the scale of the ground parallel to the horizon, which is that of an object that stands there upright and
 * faces the camera. X and Y are in pixels of a frame, which are square, and are pixel[0] × pixel[1] large in the
 * picture that the ground was fitted to. */
GstCcaGroundScale gst_cca_ground_scale (const GstCcaGround *ground, const double pixel[2]);

static inline double
gst_cca_ground_scale_at (const GstCcaGroundScale *scale, double x, double y)
{
  return scale->x * x + scale->y * y + scale->offset;
}
