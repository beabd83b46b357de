/* gst-cca: shared by the tests of ccaoverlay
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "overlay-test.h"

const GstCcaComponent box = {
  .label = 5, .x = 40, .y = 50, .width = 30, .height = 20, .area = 300, .centroid_x = 54.5, .centroid_y = 59.5
};
const GstCcaComponent other = {
  .label = 6, .x = 100, .y = 80, .width = 21, .height = 31, .area = 200, .centroid_x = 110, .centroid_y = 95
};

const gchar *const overlay_formats[] = { "GRAY8", "I420", "YV12", "NV12", "NV21", "Y41B", "Y42B",
                                         "Y444",  "YUY2", "AYUV", "RGB",  "BGRx", "RGBA", "ARGB" };

void
add_format_tests (const gchar *path, GTestDataFunc function)
{
  add_strings (path, overlay_formats, G_N_ELEMENTS (overlay_formats), function);
}

GstBuffer *
add_components (GstBuffer *buffer, guint width, guint height, const GstCcaComponent *components, guint n)
{
  g_assert_nonnull (gst_buffer_add_cca_meta (buffer, NULL, width, height, n, components, n));
  return buffer;
}

GstBuffer *
frame_with (const gchar *format, guint width, guint height, const GstCcaComponent *components, guint n)
{
  const GstVideoInfo info = test_video_info (format, width, height);

  return add_components (test_frame (&info, 1), width, height, components, n);
}

GstBuffer *
grey_frame (guint width, guint height)
{
  const gsize n = (gsize) width * height;
  guint32 *pixels = g_new (guint32, n);

  for (gsize i = 0; i < n; i++)
    pixels[i] = GUINT32_TO_LE (0xff606060);
  return gst_buffer_new_wrapped (pixels, n * sizeof *pixels);
}

guint32
rgb_at (GstBuffer *frame, guint width, guint height, gint x, gint y)
{
  guint32 color;
  Pair pair;

  pair_map (&pair, "RGBA", width, height, frame, frame);
  color = sample (&pair.a, 0, x, y) | sample (&pair.a, 1, x, y) << 8 | sample (&pair.a, 2, x, y) << 16;
  pair_unmap (&pair);
  return color;
}

GstBuffer *
draw (const gchar *launch, const gchar *format, guint width, guint height, GstBuffer *buffer)
{
  g_autoptr (GstHarness) harness = test_harness (launch, test_caps (format, width, height, NULL));
  GstBuffer *drawn = gst_harness_push_and_pull (harness, buffer);

  g_assert_nonnull (drawn);
  test_assert_no_message (harness, GST_MESSAGE_ERROR | GST_MESSAGE_WARNING);
  return drawn;
}

gboolean
same_bytes (GstBuffer *a, GstBuffer *b)
{
  GstMapInfo map;
  gboolean same;

  g_assert_true (gst_buffer_map (b, &map, GST_MAP_READ));
  same = gst_buffer_get_size (a) == map.size && gst_buffer_memcmp (a, 0, map.data, map.size) == 0;
  gst_buffer_unmap (b, &map);
  return same;
}

void
pair_map (Pair *pair, const gchar *format, guint width, guint height, GstBuffer *a, GstBuffer *b)
{
  GstVideoInfo info = test_video_info (format, width, height);

  g_assert_true (gst_video_frame_map (&pair->a, &info, a, GST_MAP_READ));
  g_assert_true (gst_video_frame_map (&pair->b, &info, b, GST_MAP_READ));
}

void
pair_unmap (Pair *pair)
{
  gst_video_frame_unmap (&pair->a);
  gst_video_frame_unmap (&pair->b);
}

guint
sample (const GstVideoFrame *frame, guint component, gint x, gint y)
{
  const guint8 *data = GST_VIDEO_FRAME_COMP_DATA (frame, component);

  x >>= GST_VIDEO_FORMAT_INFO_W_SUB (frame->info.finfo, component);
  y >>= GST_VIDEO_FORMAT_INFO_H_SUB (frame->info.finfo, component);
  return data[y * GST_VIDEO_FRAME_COMP_STRIDE (frame, component) + x * GST_VIDEO_FRAME_COMP_PSTRIDE (frame, component)];
}

gboolean
differs (const Pair *pair, gint x, gint y)
{
  for (guint i = 0; i < GST_VIDEO_FRAME_N_COMPONENTS (&pair->a); i++)
    if (sample (&pair->a, i, x, y) != sample (&pair->b, i, x, y))
      return TRUE;
  return FALSE;
}

static GstVideoRectangle
difference (const Pair *pair)
{
  const gint width = GST_VIDEO_FRAME_WIDTH (&pair->a), height = GST_VIDEO_FRAME_HEIGHT (&pair->a);
  gint left = width, right = 0, top = height, bottom = 0;

  for (gint y = 0; y < height; y++)
    for (gint x = 0; x < width; x++)
      if (differs (pair, x, y)) {
        left = MIN (left, x), right = MAX (right, x + 1);
        top = MIN (top, y), bottom = MAX (bottom, y + 1);
      }
  return (GstVideoRectangle) { left, top, MAX (right - left, 0), MAX (bottom - top, 0) };
}

GstVideoRectangle
difference_of (const gchar *format, guint width, guint height, GstBuffer *a, GstBuffer *b)
{
  GstVideoRectangle area;
  Pair pair;

  pair_map (&pair, format, width, height, a, b);
  area = difference (&pair);
  pair_unmap (&pair);
  return area;
}
