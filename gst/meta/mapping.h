/* gst-cca: coordinates carried from one frame's coordinates to another's
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <gst/cca/gstccameta.h>

/* One axis of the new frame. A position e on the old frame's axis, measured between pixels, from the frame's edge, goes
 * to e * num / den + offset. The quotient is kept apart so that whole ratios round exactly. */
typedef struct
{
  gdouble num, den, offset;
  guint low, high; /* the visible part: low <= position <= high */
} GstCcaAxis;

typedef struct
{
  GstCcaAxis x, y;
  gboolean swap; /* the new x comes from the old y and the other way round */
  gdouble
      slack; /* how far beyond a whole pixel a box's edge may lie before the box grows by one; for inexact numbers */
  guint width, height; /* of the new frame */
} GstCcaMapping;

/* Makes the mapping that stretches a whole frame to another. Returns FALSE where one of them is empty. */
gboolean gst_cca_mapping_from_sizes (GstCcaMapping *mapping, guint in_width, guint in_height, guint width,
                                     guint height);

gboolean gst_cca_mapping_from_scale (GstCcaMapping *mapping, const GstVideoMetaTransform *scale);

#if GST_CHECK_VERSION(1, 28, 0)
/* Returns FALSE where the matrix does not keep boxes upright. */
gboolean gst_cca_mapping_from_matrix (GstCcaMapping *mapping, const GstVideoMetaTransformMatrix *matrix);
#endif

/* Returns whether the new frame shows the old one pixel by pixel. */
gboolean gst_cca_mapping_is_identity (const GstCcaMapping *mapping);

/* Makes the mapping one from coordinates of a frame of another size, which stands for the whole old frame. */
void gst_cca_mapping_set_source (GstCcaMapping *mapping, guint width, guint height);

/* These map numbers in place. A box becomes the smallest one of whole pixels that covers the mapped one, clipped to
 * what is visible of the new frame; where nothing is, the function returns FALSE and the box is undefined. Nothing else
 * is clipped. */
gboolean gst_cca_mapping_box (const GstCcaMapping *mapping, guint *x, guint *y, guint *width, guint *height);
void gst_cca_mapping_point (const GstCcaMapping *mapping, gdouble *x, gdouble *y);  /* between pixels */
void gst_cca_mapping_centre (const GstCcaMapping *mapping, gdouble *x, gdouble *y); /* pixel centres at integers */
void gst_cca_mapping_vector (const GstCcaMapping *mapping, gdouble *x, gdouble *y); /* such as a velocity */
void gst_cca_mapping_covariance (const GstCcaMapping *mapping, gdouble *xx, gdouble *xy, gdouble *yy);
guint64 gst_cca_mapping_area (const GstCcaMapping *mapping, guint64 area);

/* Returns the factor of a length without direction: the root of the area's. A line along one axis is off by the root of
 * the ratio of both axes' factors. */
gdouble gst_cca_mapping_length_factor (const GstCcaMapping *mapping);

/* Returns whether a frame of that size can be another one scaled, without borders or cropping, as far as sizes tell:
 * the ratio of its sides, within a pixel, is ratio. */
gboolean gst_cca_mapping_same_shape (gdouble ratio, guint width, guint height);
