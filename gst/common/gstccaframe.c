/* gst-cca: the values of a frame's pixels, by GStreamer's description of its format
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "gstccaframe.h"

GstCcaValues
gst_cca_frame_values (const GstVideoFrame *frame, guint component)
{
  return (GstCcaValues) {
    .data = GST_VIDEO_FRAME_COMP_DATA (frame, component),
    .pitch = GST_VIDEO_FRAME_COMP_STRIDE (frame, component),
    .step = (guint) GST_VIDEO_FRAME_COMP_PSTRIDE (frame, component),
    .shift_x = GST_VIDEO_FORMAT_INFO_W_SUB (frame->info.finfo, component),
    .shift_y = GST_VIDEO_FORMAT_INFO_H_SUB (frame->info.finfo, component),
  };
}

guint
gst_cca_frame_list_values (const GstVideoFrame *frame, GstCcaValues values[GST_VIDEO_MAX_COMPONENTS])
{
  guint n = GST_VIDEO_FRAME_N_COMPONENTS (frame);

  for (guint i = 0; i < n; i++)
    values[i] = gst_cca_frame_values (frame, i);
  if (n == 3 && values[0].step == 4 && GST_VIDEO_INFO_IS_RGB (&frame->info)) {
    values[n] = values[0];
    values[n++].data = (guint8 *) GST_VIDEO_FRAME_PLANE_DATA (frame, 0) + 3;
  }
  return n;
}

void
gst_cca_frame_color (const GstVideoInfo *info, const gdouble rgb[3], gdouble values[3])
{
  gdouble kr = 0.299, kb = 0.114, y;
  gint offset[GST_VIDEO_MAX_COMPONENTS] = { 0 }, scale[GST_VIDEO_MAX_COMPONENTS] = { 0 };

  if (GST_VIDEO_INFO_IS_RGB (info)) {
    for (guint i = 0; i < 3; i++)
      values[i] = 255.0 * rgb[i];
    return;
  }
  gst_video_color_matrix_get_Kr_Kb (info->colorimetry.matrix, &kr, &kb);
  gst_video_color_range_offsets (info->colorimetry.range, info->finfo, offset, scale);
  y = kr * rgb[0] + (1.0 - kr - kb) * rgb[1] + kb * rgb[2];
  values[0] = y;
  values[1] = (rgb[2] - y) / (2.0 * (1.0 - kb));
  values[2] = (rgb[0] - y) / (2.0 * (1.0 - kr));
  for (guint i = 0; i < 3; i++)
    values[i] = offset[i] + scale[i] * values[i];
}
