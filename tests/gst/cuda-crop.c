/* gst-cca: cudaccacrop cuts the same tiles as ccacrop, and frames stay in CUDA memory on their way past a detector
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "cuda-test.h"

static const gchar *const formats[] = { "NV12", "NV21", "I420", "YV12", "Y42B", "Y444", "YUY2", "UYVY",
                                        "RGBx", "BGRx", "RGBA", "BGRA", "RGB",  "BGR",  "RGBP", "BGRP" };

enum
{
  WIDTH = 160,
  HEIGHT = 120,
};

typedef struct
{
  guint x, y, width, height;
} Area;

/* --- Streams ------------------------------------------------------------------------------------------ */

/* An element that cuts, and the last tile of it. */
typedef struct
{
  GstHarness *harness;
  GstVideoInfo info; /* of tiles */
  GstBuffer *tile;
} Cutter;

/* Frames stay in the harness, as there is no ccauncrop. */
#define CUTTER "ccacrop max-frames=1000"

static Cutter
open_gpu (const CudaSource *source, const gchar *format, guint width, guint height)
{
  g_autofree gchar *tiles = g_strdup_printf (CUDA_MEMORY ",format=%s,width=%u,height=%u", format, width, height);

  return (Cutter) { .harness = cuda_source_harness (source, "cuda" CUTTER, tiles) };
}

static Cutter
open_cpu (const CudaSource *source, const gchar *format, guint width, guint height)
{
  GstHarness *harness = test_harness (CUTTER, NULL);
  GstCaps *caps = gst_caps_copy (source->caps);

  gst_caps_set_features (caps, 0, NULL);
  gst_harness_set_sink_caps (harness, test_caps (format, width, height, NULL));
  gst_harness_set_src_caps (harness, caps);
  return (Cutter) { .harness = harness };
}

/* Cuts an area out of a frame (taken). The tile remains the cutter's. */
static GstBuffer *
cut (Cutter *cutter, GstBuffer *frame, const Area *area)
{
  g_autoptr (GstCaps) caps = NULL;

  gst_buffer_add_video_region_of_interest_meta (frame, "cca-crop", area->x, area->y, area->width, area->height);
  gst_clear_buffer (&cutter->tile);
  cutter->tile = test_pass (cutter->harness, frame);
  caps = gst_pad_get_current_caps (cutter->harness->sinkpad);
  g_assert_true (gst_video_info_from_caps (&cutter->info, caps));
  return cutter->tile;
}

static void
cutter_close (Cutter *cutter)
{
  test_assert_no_message (cutter->harness, GST_MESSAGE_WARNING | GST_MESSAGE_ERROR);
  gst_clear_buffer (&cutter->tile);
  test_harness_free (cutter->harness);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Cutter, cutter_close)

/* --- Pixels ------------------------------------------------------------------------------------------- */

static guint8 *
value_at (const GstVideoFrame *frame, guint component, gint x, gint y)
{
  return (guint8 *) GST_VIDEO_FRAME_COMP_DATA (frame, component) + y * GST_VIDEO_FRAME_COMP_STRIDE (frame, component)
         + x * GST_VIDEO_FRAME_COMP_PSTRIDE (frame, component);
}

typedef guint8 (*Painter) (const GstVideoInfo *info, guint component, gdouble x, gdouble y);

/* Paints a buffer by the places of values, in pixels. */
static GstBuffer *
paint (GstBuffer *buffer, const GstVideoInfo *info, Painter painter)
{
  GstVideoFrame frame;

  g_assert_true (gst_video_frame_map (&frame, info, buffer, GST_MAP_WRITE));
  for (guint i = 0; i < GST_VIDEO_INFO_N_COMPONENTS (info); i++)
    for (gint y = 0; y < GST_VIDEO_INFO_COMP_HEIGHT (info, i); y++)
      for (gint x = 0; x < GST_VIDEO_INFO_COMP_WIDTH (info, i); x++)
        *value_at (&frame, i, x, y) = painter (info, i, (x + 0.5) * (1 << GST_VIDEO_FORMAT_INFO_W_SUB (info->finfo, i)),
                                               (y + 0.5) * (1 << GST_VIDEO_FORMAT_INFO_H_SUB (info->finfo, i)));
  gst_video_frame_unmap (&frame);
  return buffer;
}

/* Runs smoothly, so that it does not matter how values between two are found; no sum of colors is out of range. */
static guint8
smooth (const GstVideoInfo *info, guint component, gdouble x, gdouble y)
{
  const gdouble u = 2 * x / WIDTH - 1, v = 2 * y / HEIGHT - 1;
  const gdouble hills[] = { u * v, (u + v) / 2, u * u - v * v, u };

  return (guint8) (GST_VIDEO_INFO_IS_YUV (info) && component > 0 ? 128 + 25 * hills[component]
                                                                 : 125 + 60 * hills[component]);
}

/* A random value of its own at each place. */
static guint8
noisy (const GstVideoInfo *info, guint component, gdouble x, gdouble y)
{
  const guint32 n = (guint32) (2 * x) * 2654435761u ^ (guint32) (2 * y) * 2246822519u ^ component * 3266489917u;

  return (guint8) ((n ^ n >> 15) * 2246822519u >> 24);
}

static GstBuffer *
source_frame (CudaSource *source, Painter painter)
{
  GstBuffer *buffer;

  g_assert_cmpint (gst_buffer_pool_acquire_buffer (source->pool, &buffer, NULL), ==, GST_FLOW_OK);
  return paint (buffer, &source->info, painter);
}

static GstBuffer *
system_frame (const CudaSource *source, Painter painter)
{
  return paint (gst_buffer_new_allocate (NULL, GST_VIDEO_INFO_SIZE (&source->info), NULL), &source->info, painter);
}

/* --- Like ccacrop --------------------------------------------------------------------------------------- */

/* Asserts that a tile was written by the GPU, and has not been read by the CPU since. */
static void
assert_on_gpu (GstBuffer *tile)
{
  g_assert_true (GST_MEMORY_FLAG_IS_SET (gst_buffer_peek_memory (tile, 0), GST_CUDA_MEMORY_TRANSFER_NEED_DOWNLOAD));
}

/* Asserts that tiles of both have the same pixels but for rounding: GStreamer's converter rounds down more than once
 * where it changes colors. */
static void
assert_alike (const Cutter *gpu, const Cutter *cpu, const CudaSource *source)
{
  const gint tolerance = GST_VIDEO_INFO_FORMAT (&source->info) == GST_VIDEO_INFO_FORMAT (&gpu->info) ? 2 : 8;
  GstVideoFrame is, should;

  g_assert_true (cuda_test_memory_context (gpu->tile) == source->context);
  assert_on_gpu (gpu->tile);
  g_assert_true (gst_video_frame_map (&is, &gpu->info, gpu->tile, GST_MAP_READ));
  g_assert_true (gst_video_frame_map (&should, &cpu->info, cpu->tile, GST_MAP_READ));
  /* The alpha of tiles is not defined if the frames have none. */
  for (guint i = 0; i < MIN (GST_VIDEO_INFO_N_COMPONENTS (&gpu->info), GST_VIDEO_INFO_N_COMPONENTS (&source->info));
       i++)
    for (gint y = 0; y < GST_VIDEO_INFO_COMP_HEIGHT (&gpu->info, i); y++)
      for (gint x = 0; x < GST_VIDEO_INFO_COMP_WIDTH (&gpu->info, i); x++)
        if (ABS (*value_at (&is, i, x, y) - *value_at (&should, i, x, y)) > tolerance) {
          g_test_fail_printf ("%s to %s: component %u at (%d, %d) is %u instead of %u",
                              GST_VIDEO_INFO_NAME (&source->info), GST_VIDEO_INFO_NAME (&gpu->info), i, x, y,
                              *value_at (&is, i, x, y), *value_at (&should, i, x, y));
          goto out;
        }
out:
  gst_video_frame_unmap (&should);
  gst_video_frame_unmap (&is);
}

/* Tiles of every format, from frames of every format, are as ccacrop makes them. */
static void
test_twins (gconstpointer format)
{
  static const Area crops[] = { { 0, 0, WIDTH, HEIGHT }, { 20, 10, 40, 30 }, { 61, 33, 80, 70 }, { 100, 90, 90, 90 } };
  g_auto (CudaSource) source = cuda_source_open (NULL, format, WIDTH, HEIGHT);

  if (cuda_test_skip_lost_chroma (format))
    return;
  for (guint i = 0; i < G_N_ELEMENTS (formats); i++) {
    Cutter gpu, cpu;

    if (!cuda_test_keeps_chroma (formats[i], 64))
      continue;
    gpu = open_gpu (&source, formats[i], 96, 64);
    cpu = open_cpu (&source, formats[i], 96, 64);
    for (guint j = 0; j < G_N_ELEMENTS (crops); j++) {
      cut (&gpu, source_frame (&source, smooth), &crops[j]);
      cut (&cpu, system_frame (&source, smooth), &crops[j]);
      assert_alike (&gpu, &cpu, &source);
    }
    cutter_close (&cpu);
    cutter_close (&gpu);
  }
}

/* --- Colors -------------------------------------------------------------------------------------------- */

/* The color of all pixels, by components of the frame's format. */
static guint8 flat_color[4];

static guint8
flat (const GstVideoInfo *info, guint component, gdouble x, gdouble y)
{
  return flat_color[component];
}

/* A standard's luma of red and blue, and its range of luma and of chroma. */
typedef struct
{
  const gchar *name;
  gdouble kr, kb, black, luma, chroma;
} Standard;

static void
convert_to_rgb (const Standard *standard, const guint8 yuv[3], gdouble rgb[3])
{
  const gdouble y = (yuv[0] - standard->black) / standard->luma, u = (yuv[1] - 128.0) / standard->chroma,
                v = (yuv[2] - 128.0) / standard->chroma;

  rgb[0] = y + 2 * (1 - standard->kr) * v;
  rgb[2] = y + 2 * (1 - standard->kb) * u;
  rgb[1] = (y - standard->kr * rgb[0] - standard->kb * rgb[2]) / (1 - standard->kr - standard->kb);
  for (guint i = 0; i < 3; i++)
    rgb[i] = CLAMP (255 * rgb[i], 0.0, 255.0);
}

/* A frame of one color has it in the tile, in each component, by the standard that the caps name. */
static void
check_color (CudaSource *source, Cutter *cutter, const gdouble should[4])
{
  static const Area area = { 30, 40, 64, 64 };
  GstVideoFrame is;

  cut (cutter, source_frame (source, flat), &area);
  g_assert_true (gst_video_frame_map (&is, &cutter->info, cutter->tile, GST_MAP_READ));
  for (guint i = 0; i < GST_VIDEO_INFO_N_COMPONENTS (&cutter->info); i++)
    g_assert_cmpfloat_with_epsilon (*value_at (&is, i, 5, 5), should[i], 0.51);
  gst_video_frame_unmap (&is);
}

static void
check_standard (const Standard *standard, const gchar *format, const gchar *tile_format)
{
  g_auto (CudaSource) source = cuda_source_open (NULL, format, WIDTH, HEIGHT);
  Cutter cutter, same;

  source.caps = gst_caps_make_writable (source.caps);
  gst_caps_set_simple (source.caps, "colorimetry", G_TYPE_STRING, standard->name, NULL);
  g_assert_true (gst_video_info_from_caps (&source.info, source.caps));
  cutter = open_gpu (&source, tile_format, 32, 32);
  same = open_gpu (&source, format, 32, 32);
  for (guint i = 0; i < 50; i++) {
    gdouble should[4] = { [3] = 255.0 }, before[4];

    for (guint j = 0; j < 3; j++) {
      flat_color[j] = noisy (&source.info, j, i, standard->kb);
      before[j] = flat_color[j];
    }
    convert_to_rgb (standard, flat_color, should);
    check_color (&source, &cutter, should);
    check_color (&source, &same, before);
  }
  cutter_close (&same);
  cutter_close (&cutter);
}

static void
test_colors (void)
{
  static const Standard standards[] = {
    { "bt601", 0.299, 0.114, 16, 219, 224 },
    { "bt709", 0.2126, 0.0722, 16, 219, 224 },
    { "bt2020", 0.2627, 0.0593, 16, 219, 224 },
    { "1:4:0:0", 0.299, 0.114, 0, 255, 255 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (standards); i++) {
    check_standard (&standards[i], "NV12", "RGB");
    check_standard (&standards[i], "Y444", "BGRP");
    check_standard (&standards[i], "YUY2", "BGRA");
  }
}

/* From RGB and back. */
static void
test_round_trip (void)
{
  static const gchar *const tiles[] = { "NV12", "Y444", "UYVY" };
  static const Standard standard = { "bt601", 0.299, 0.114, 16, 219, 224 };
  g_auto (CudaSource) source = cuda_source_open (NULL, "RGBA", WIDTH, HEIGHT);

  for (guint k = 0; k < G_N_ELEMENTS (tiles); k++) {
    g_auto (Cutter) cutter = open_gpu (&source, tiles[k], 32, 32);

    for (guint i = 0; i < 50; i++) {
      GstVideoFrame is;
      guint8 yuv[3];
      gdouble rgb[3];

      for (guint j = 0; j < 4; j++)
        flat_color[j] = noisy (&source.info, j, i, k);
      cut (&cutter, source_frame (&source, flat), &(Area) { 0, 0, 50, 50 });
      g_assert_true (gst_video_frame_map (&is, &cutter.info, cutter.tile, GST_MAP_READ));
      for (guint j = 0; j < 3; j++)
        yuv[j] = *value_at (&is, j, 3, 3);
      gst_video_frame_unmap (&is);
      convert_to_rgb (&standard, yuv, rgb);
      for (guint j = 0; j < 3; j++)
        g_assert_cmpfloat_with_epsilon (rgb[j], flat_color[j], 2.0); /* steps of values */
    }
  }
}

/* --- Values -------------------------------------------------------------------------------------------- */

/* A crop of a tile's size is a copy. */
static void
test_copy (gconstpointer format)
{
  static const Area area = { 32, 56, 96, 64 };
  GstVideoFrame is, should;
  GstBuffer *frame;
  g_auto (CudaSource) source = cuda_source_open (NULL, format, WIDTH, HEIGHT);
  g_auto (Cutter) cutter = open_gpu (&source, format, area.width, area.height);

  if (cuda_test_skip_lost_chroma (format))
    return;
  cut (&cutter, source_frame (&source, noisy), &area);
  frame = source_frame (&source, noisy);
  g_assert_true (gst_video_frame_map (&is, &cutter.info, cutter.tile, GST_MAP_READ));
  g_assert_true (gst_video_frame_map (&should, &source.info, frame, GST_MAP_READ));
  for (guint i = 0; i < GST_VIDEO_INFO_N_COMPONENTS (&cutter.info); i++) {
    const gint left = (gint) area.x >> GST_VIDEO_FORMAT_INFO_W_SUB (source.info.finfo, i);
    const gint top = (gint) area.y >> GST_VIDEO_FORMAT_INFO_H_SUB (source.info.finfo, i);

    for (gint y = 0; y < GST_VIDEO_INFO_COMP_HEIGHT (&cutter.info, i); y++)
      for (gint x = 0; x < GST_VIDEO_INFO_COMP_WIDTH (&cutter.info, i); x++)
        g_assert_cmpuint (*value_at (&is, i, x, y), ==, *value_at (&should, i, left + x, top + y));
  }
  gst_video_frame_unmap (&should);
  gst_video_frame_unmap (&is);
  gst_buffer_unref (frame);
}

/* Returns the mean of a frame's component by weights that fall to 0 at a reach from a centre, within an area. */
static gdouble
triangle_mean (const GstVideoFrame *frame, guint component, const Area *area, const gdouble centre[2],
               const gdouble reach[2])
{
  gdouble sum = 0.0, weights = 0.0;

  for (guint y = area->y; y < area->y + area->height; y++)
    for (guint x = area->x; x < area->x + area->width; x++) {
      const gdouble weight =
          MAX (1.0 - ABS (x + 0.5 - centre[0]) / reach[0], 0.0) * MAX (1.0 - ABS (y + 0.5 - centre[1]) / reach[1], 0.0);

      sum += weight * *value_at (frame, component, (gint) x, (gint) y);
      weights += weight;
    }
  return sum / weights;
}

/* Enlarged or shrunk, whole in the middle of the tile and black around, whatever the values are. */
static void
check_values (CudaSource *source, const Area *area, guint width, guint height)
{
  const gdouble scale = MIN ((gdouble) width / area->width, (gdouble) height / area->height);
  const guint sides[2] = { MAX ((guint) (area->width * scale + 0.5), 1),
                           MAX ((guint) (area->height * scale + 0.5), 1) };
  const guint left = (width - sides[0]) / 2, top = (height - sides[1]) / 2;
  const gdouble ratio[2] = { (gdouble) area->width / sides[0], (gdouble) area->height / sides[1] };
  const gdouble reach[2] = { MAX (ratio[0], 1.0), MAX (ratio[1], 1.0) };
  GstVideoFrame is, before;
  g_autoptr (GstBuffer) frame = source_frame (source, noisy);
  g_auto (Cutter) cutter = open_gpu (source, "Y444", width, height);

  cut (&cutter, source_frame (source, noisy), area);
  g_assert_true (gst_video_frame_map (&is, &cutter.info, cutter.tile, GST_MAP_READ));
  g_assert_true (gst_video_frame_map (&before, &source->info, frame, GST_MAP_READ));
  for (guint i = 0; i < 3; i++)
    for (guint y = 0; y < height; y++)
      for (guint x = 0; x < width; x++) {
        const gboolean inside = x >= left && x < left + sides[0] && y >= top && y < top + sides[1];
        const gdouble centre[2] = { area->x + (x - left + 0.5) * ratio[0], area->y + (y - top + 0.5) * ratio[1] };
        const gdouble should = inside ? triangle_mean (&before, i, area, centre, reach) : i == 0 ? 16.0 : 128.0;

        g_assert_cmpfloat_with_epsilon (*value_at (&is, i, (gint) x, (gint) y), should, 0.51);
      }
  gst_video_frame_unmap (&before);
  gst_video_frame_unmap (&is);
}

static void
test_values (void)
{
  static const Area areas[] = { { 7, 5, 48, 40 },   { 3, 9, 24, 20 },   { 0, 0, 96, 80 },  { 80, 31, 73, 61 },
                                { 0, 0, 160, 120 }, { 151, 113, 9, 7 }, { 40, 0, 1, 120 }, { 0, 77, 160, 1 } };
  g_auto (CudaSource) source = cuda_source_open (NULL, "Y444", WIDTH, HEIGHT);

  for (guint i = 0; i < G_N_ELEMENTS (areas); i++) {
    g_test_message ("%ux%u", areas[i].width, areas[i].height);
    check_values (&source, &areas[i], 48, 40);
    check_values (&source, &areas[i], 31, 50);
  }
}

/* --- Memory -------------------------------------------------------------------------------------------- */

/* A frame of another context: tiles are there from then on. */
static void
test_other_context (void)
{
  static const Area area = { 0, 0, 40, 40 };
  CudaSource sources[2];
  Cutter cutter;
  GstCudaContext *context = gst_cuda_context_new (0);

  sources[0] = cuda_source_open (NULL, "NV12", WIDTH, HEIGHT);
  sources[1] = cuda_source_open (context, "NV12", WIDTH, HEIGHT);
  cutter = open_gpu (&sources[0], "RGBA", 32, 32);
  for (guint i = 0; i < 6; i++) {
    CudaSource *source = &sources[i / 2 % 2];

    g_assert_true (cuda_test_memory_context (cut (&cutter, source_frame (source, smooth), &area)) == source->context);
  }
  cutter_close (&cutter);
  cuda_source_close (&sources[1]);
  cuda_source_close (&sources[0]);
  gst_object_unref (context);
}

/* A frame in system memory, whatever the caps say, is cut like others; before frames in CUDA memory, and behind. */
static void
test_system_memory (void)
{
  static const Area area = { 10, 20, 80, 60 };
  g_auto (CudaSource) source = cuda_source_open (NULL, "NV12", WIDTH, HEIGHT);
  g_auto (Cutter) gpu = open_gpu (&source, "BGRA", 32, 32);
  g_auto (Cutter) cpu = open_cpu (&source, "BGRA", 32, 32);

  cut (&cpu, system_frame (&source, noisy), &area);
  for (guint i = 0; i < 3; i++) {
    if (i == 1)
      cut (&gpu, source_frame (&source, smooth), &area);
    else
      cuda_test_assert_same_pixels (cut (&gpu, system_frame (&source, noisy), &area), cpu.tile, &gpu.info);
  }
}

static void
test_no_common_caps (void)
{
  g_autofree gchar *text = NULL;
  g_auto (CudaSource) source = cuda_source_open (NULL, "NV12", WIDTH, HEIGHT);
  g_autoptr (GstHarness) harness = cuda_source_harness (&source, "cudaccacrop", "video/x-raw");
  GstMessage *message = test_pop_message (harness, GST_MESSAGE_ERROR);

  g_assert_nonnull (message);
  text = test_message_text (message);
  g_assert_nonnull (strstr (text, "takes no raw video in CUDA memory at 25/1 frames per second"));
}

/* --- A detector ---------------------------------------------------------------------------------------- */

#define SIDE 20

/* A bright square on its way. */
static guint square_x;

static guint8
square (const GstVideoInfo *info, guint component, gdouble x, gdouble y)
{
  const gboolean inside = x >= square_x && x < square_x + SIDE && y >= 50 && y < 50 + SIDE;

  return component > 0 ? 128 : inside ? 235 : 16;
}

/* Whether a frame has a component where the square is. */
static gboolean
has_square (GstBuffer *frame)
{
  gpointer state = NULL;
  GstMeta *meta;

  while ((meta = gst_buffer_iterate_meta_filtered (frame, &state, GST_VIDEO_REGION_OF_INTEREST_META_API_TYPE))) {
    const GstVideoRegionOfInterestMeta *region = (GstVideoRegionOfInterestMeta *) meta;

    if (!g_str_equal (g_quark_to_string (region->roi_type), "cca-crop") && ABS ((gint) region->x - (gint) square_x) <= 1
        && ABS ((gint) region->y - 50) <= 1 && ABS ((gint) region->w - SIDE) <= 2 && ABS ((gint) region->h - SIDE) <= 2)
      return TRUE;
  }
  return FALSE;
}

static GstPadProbeReturn
check_tile (GstPad *pad, GstPadProbeInfo *info, gpointer data)
{
  const CudaSource *source = data;
  GstBuffer *tile = GST_PAD_PROBE_INFO_BUFFER (info);

  g_assert_true (cuda_test_memory_context (tile) == source->context);
  assert_on_gpu (tile);
  return GST_PAD_PROBE_OK;
}

/* From the analysis to the results on the whole frame, nothing leaves the GPU. */
static void
test_gate (void)
{
  g_autoptr (GstElement) uncrop = NULL;
  g_autoptr (GstPad) pad = NULL;
  g_auto (CudaSource) source = cuda_source_open (NULL, "NV12", WIDTH, HEIGHT);
  g_autoptr (GstHarness) harness = cuda_source_harness (
      &source,
      "cudacca foreground=threshold ! ccatrack ! ccagate mode=crops pre-roll=0 crop-width=64 crop-height=64 ! "
      "cudaccacrop ! cudacca id=detector foreground=threshold emit=roi ! ccauncrop name=uncrop",
      NULL);

  uncrop = gst_bin_get_by_name (GST_BIN (harness->element), "uncrop");
  pad = gst_element_get_static_pad (uncrop, "sink");
  gst_pad_add_probe (pad, GST_PAD_PROBE_TYPE_BUFFER, check_tile, &source, NULL);
  for (guint i = 0; i < 40; i++) {
    GstBuffer *frame;

    square_x = 10 + 3 * i;
    frame = source_frame (&source, square);
    GST_BUFFER_PTS (frame) = i * 40 * GST_MSECOND;
    GST_BUFFER_DURATION (frame) = 40 * GST_MSECOND;
    frame = test_pass (harness, frame);
    g_assert_true (cuda_test_memory_context (frame) == source.context);
    g_assert_true (has_square (frame));
    gst_buffer_unref (frame);
  }
  test_assert_no_message (harness, GST_MESSAGE_WARNING | GST_MESSAGE_ERROR);
}

/* In front of the gate the analysis offers a pool of its memory, for the frames that wait, too. */
static void
test_pool (void)
{
  g_autoptr (GstBufferPool) pool = NULL;
  guint size, least;
  g_auto (CudaSource) source = cuda_source_open (NULL, "NV12", WIDTH, HEIGHT);
  g_autoptr (GstHarness) harness =
      cuda_source_harness (&source, "cudacca ! ccatrack ! ccagate pre-roll=400000000 ! cudaccacrop", NULL);
  g_autoptr (GstQuery) query = gst_query_new_allocation (source.caps, TRUE);

  g_assert_true (gst_pad_peer_query (harness->srcpad, query));
  g_assert_cmpuint (gst_query_get_n_allocation_pools (query), ==, 1);
  gst_query_parse_nth_allocation_pool (query, 0, &pool, &size, &least, NULL);
  g_assert_true (GST_IS_CUDA_BUFFER_POOL (pool));
  g_assert_true (GST_CUDA_BUFFER_POOL (pool)->context == source.context);
  g_assert_cmpuint (least, ==, 10);
}

static void
add_cases (void)
{
  add_strings ("/cuda-crop/twins", formats, G_N_ELEMENTS (formats), test_twins);
  add_strings ("/cuda-crop/copy", formats, G_N_ELEMENTS (formats), test_copy);
  ADD_TESTS ("/cuda-crop", test_colors, test_round_trip, test_values, test_other_context, test_system_memory,
             test_no_common_caps, test_gate, test_pool);
}

int
main (int argc, char **argv)
{
  return cuda_test_main (argc, argv, "/cuda-crop", add_cases);
}
