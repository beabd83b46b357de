/* gst-cca: components carried from one frame's coordinates to another's
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "mapping.h"

#include <math.h>

gboolean
gst_cca_mapping_from_sizes (GstCcaMapping *mapping, guint in_width, guint in_height, guint width, guint height)
{
  if (in_width == 0 || in_height == 0 || width == 0 || height == 0)
    return FALSE;
  *mapping = (GstCcaMapping) {
    .x = { .num = width, .den = in_width, .high = width },
    .y = { .num = height, .den = in_height, .high = height },
    .width = width,
    .height = height,
  };
  return TRUE;
}

gboolean
gst_cca_mapping_from_scale (GstCcaMapping *mapping, const GstVideoMetaTransform *scale)
{
  return gst_cca_mapping_from_sizes (
      mapping, (guint) GST_VIDEO_INFO_WIDTH (scale->in_info), (guint) GST_VIDEO_INFO_HEIGHT (scale->in_info),
      (guint) GST_VIDEO_INFO_WIDTH (scale->out_info), (guint) GST_VIDEO_INFO_HEIGHT (scale->out_info));
}

gboolean
gst_cca_mapping_is_identity (const GstCcaMapping *mapping)
{
  const GstCcaAxis *x = &mapping->x, *y = &mapping->y;

  return !mapping->swap && x->num == mapping->width && x->den == mapping->width && x->offset == 0
         && y->num == mapping->height && y->den == mapping->height && y->offset == 0;
}

void
gst_cca_mapping_set_source (GstCcaMapping *mapping, guint width, guint height)
{
  mapping->x.den = mapping->swap ? height : width;
  mapping->y.den = mapping->swap ? width : height;
}

gboolean
gst_cca_mapping_same_shape (gdouble ratio, guint width, guint height)
{
  return fabs (width - height * ratio) < 1 || fabs (height - width / ratio) < 1;
}

#if GST_CHECK_VERSION(1, 28, 0)
/* GStreamer's matrices map pixels: a mirroring one has an offset of size - 1. Measured between pixels that is size. */
static GstCcaAxis
axis_from_matrix (gdouble factor, gdouble translation, gint in_size, gint in_start, gint out_start, gint out_extent,
                  gint out_size)
{
  return (GstCcaAxis) {
    .num = factor * in_size,
    .den = in_size,
    .offset = translation - factor * in_start + out_start + (factor < 0 ? -factor : 0),
    .low = CLAMP (out_start, 0, out_size),
    .high = CLAMP ((gint64) out_start + out_extent, 0, out_size),
  };
}

gboolean
gst_cca_mapping_from_matrix (GstCcaMapping *mapping, const GstVideoMetaTransformMatrix *matrix)
{
  const gfloat (*m)[3] = matrix->matrix;
  const GstVideoRectangle *in = &matrix->in_rectangle, *out = &matrix->out_rectangle;
  const gint in_width = GST_VIDEO_INFO_WIDTH (matrix->in_info), in_height = GST_VIDEO_INFO_HEIGHT (matrix->in_info);
  const gint width = GST_VIDEO_INFO_WIDTH (matrix->out_info), height = GST_VIDEO_INFO_HEIGHT (matrix->out_info);
  const gboolean straight = m[0][1] == 0 && m[1][0] == 0 && m[0][0] != 0 && m[1][1] != 0;
  const gboolean swap = m[0][0] == 0 && m[1][1] == 0 && m[0][1] != 0 && m[1][0] != 0;

  if (in_width <= 0 || in_height <= 0 || width <= 0 || height <= 0)
    return FALSE;
  if (!(straight || swap) || m[2][0] != 0 || m[2][1] != 0 || m[2][2] != 1)
    return FALSE;

  *mapping = (GstCcaMapping) { .swap = swap, .slack = 0.01, .width = width, .height = height };
  if (swap) {
    mapping->x = axis_from_matrix (m[0][1], m[0][2], in_height, in->y, out->x, out->w, width);
    mapping->y = axis_from_matrix (m[1][0], m[1][2], in_width, in->x, out->y, out->h, height);
  } else {
    mapping->x = axis_from_matrix (m[0][0], m[0][2], in_width, in->x, out->x, out->w, width);
    mapping->y = axis_from_matrix (m[1][1], m[1][2], in_height, in->y, out->y, out->h, height);
  }
  return TRUE;
}
#endif

static gdouble
axis_position (const GstCcaAxis *axis, gdouble position)
{
  return position * axis->num / axis->den + axis->offset;
}

static gdouble
axis_centre (const GstCcaAxis *axis, gdouble centre)
{
  return axis_position (axis, centre + 0.5) - 0.5;
}

/* Saturates: a sender may have written any area. */
static guint64
round_area (gdouble area)
{
  return area < 0x1p64 ? (guint64) round (area) : G_MAXUINT64;
}

/* Computes the whole pixels of an extent that are visible; returns FALSE if none are. */
static gboolean
axis_extent (const GstCcaAxis *axis, gdouble slack, guint from, guint length, guint *to, guint *to_length)
{
  const gdouble a = axis_position (axis, from), b = axis_position (axis, (gdouble) from + length);
  const gdouble low = MAX (floor (MIN (a, b) + slack), axis->low), high = MIN (ceil (MAX (a, b) - slack), axis->high);

  if (!(low < high))
    return FALSE;
  *to = (guint) low;
  *to_length = (guint) (high - low);
  return TRUE;
}

gboolean
gst_cca_mapping_apply (const GstCcaMapping *mapping, const GstCcaComponent *from, GstCcaComponent *to)
{
  const GstCcaAxis *x = &mapping->x, *y = &mapping->y;
  const gdouble ratio_x = x->num / x->den, ratio_y = y->num / y->den;
  GstCcaComponent turned = *from;

  if (mapping->swap) {
    turned.x = from->y, turned.y = from->x;
    turned.width = from->height, turned.height = from->width;
    turned.centroid_x = from->centroid_y, turned.centroid_y = from->centroid_x;
    turned.cov_xx = from->cov_yy, turned.cov_yy = from->cov_xx;
  }

  *to = turned;
  if (!axis_extent (x, mapping->slack, turned.x, turned.width, &to->x, &to->width)
      || !axis_extent (y, mapping->slack, turned.y, turned.height, &to->y, &to->height))
    return FALSE;
  to->area = round_area ((gdouble) turned.area * fabs (x->num * y->num) / (x->den * y->den));
  to->centroid_x = axis_centre (x, turned.centroid_x);
  to->centroid_y = axis_centre (y, turned.centroid_y);
  to->cov_xx = turned.cov_xx * ratio_x * ratio_x;
  to->cov_xy = turned.cov_xy * ratio_x * ratio_y;
  to->cov_yy = turned.cov_yy * ratio_y * ratio_y;
  return TRUE;
}
