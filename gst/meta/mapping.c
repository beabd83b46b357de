/* gst-cca: coordinates carried from one frame's coordinates to another's
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

static void
swap_doubles (gdouble *a, gdouble *b)
{
  const gdouble old = *a;

  *a = *b;
  *b = old;
}

gboolean
gst_cca_mapping_box (const GstCcaMapping *mapping, guint *x, guint *y, guint *width, guint *height)
{
  const gboolean swap = mapping->swap;
  const guint from_x = swap ? *y : *x, from_width = swap ? *height : *width;
  const guint from_y = swap ? *x : *y, from_height = swap ? *width : *height;

  return axis_extent (&mapping->x, mapping->slack, from_x, from_width, x, width)
         && axis_extent (&mapping->y, mapping->slack, from_y, from_height, y, height);
}

void
gst_cca_mapping_point (const GstCcaMapping *mapping, gdouble *x, gdouble *y)
{
  if (mapping->swap)
    swap_doubles (x, y);
  *x = axis_position (&mapping->x, *x);
  *y = axis_position (&mapping->y, *y);
}

void
gst_cca_mapping_centre (const GstCcaMapping *mapping, gdouble *x, gdouble *y)
{
  *x += 0.5;
  *y += 0.5;
  gst_cca_mapping_point (mapping, x, y);
  *x -= 0.5;
  *y -= 0.5;
}

void
gst_cca_mapping_vector (const GstCcaMapping *mapping, gdouble *x, gdouble *y)
{
  if (mapping->swap)
    swap_doubles (x, y);
  *x *= mapping->x.num / mapping->x.den;
  *y *= mapping->y.num / mapping->y.den;
}

void
gst_cca_mapping_covariance (const GstCcaMapping *mapping, gdouble *xx, gdouble *xy, gdouble *yy)
{
  const gdouble ratio_x = mapping->x.num / mapping->x.den, ratio_y = mapping->y.num / mapping->y.den;

  if (mapping->swap)
    swap_doubles (xx, yy);
  *xx = *xx * ratio_x * ratio_x;
  *xy = *xy * ratio_x * ratio_y;
  *yy = *yy * ratio_y * ratio_y;
}

/* Saturates: a sender may have written any area. */
guint64
gst_cca_mapping_area (const GstCcaMapping *mapping, guint64 area)
{
  const GstCcaAxis *x = &mapping->x, *y = &mapping->y;
  const gdouble mapped = (gdouble) area * fabs (x->num * y->num) / (x->den * y->den);

  return mapped < 0x1p64 ? (guint64) round (mapped) : G_MAXUINT64;
}

gdouble
gst_cca_mapping_length_factor (const GstCcaMapping *mapping)
{
  const GstCcaAxis *x = &mapping->x, *y = &mapping->y;

  return sqrt (fabs (x->num * y->num) / (x->den * y->den));
}
