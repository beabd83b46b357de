/* gst-cca: ccacrop cuts crops for a detector, and ccauncrop puts its results onto the whole frames
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "element-test.h"

#ifdef HAVE_GST_ANALYTICS
#include <gst/analytics/analytics.h>
#endif

#define FRAME (40 * GST_MSECOND)
#define TILES "video/x-raw,width=200,height=100"
/* The detector of a test is a probe behind the identity. */
#define DETECT(caps) "ccacrop name=crop ! " caps " ! identity name=detector ! ccauncrop name=uncrop"

enum
{
  WIDTH = 640,
  HEIGHT = 360,
};

typedef struct
{
  guint x, y, width, height;
} Area;

typedef struct
{
  GstHarness *harness;
  GstVideoInfo info; /* of the frames */
  GstClockTime time; /* of the next one */
} Stream;

static GstElement *
element_of (const Stream *stream, const gchar *name)
{
  GstElement *element = gst_bin_get_by_name (GST_BIN (stream->harness->element), name);

  g_assert_nonnull (element);
  gst_object_unref (element); /* the bin has it */
  return element;
}

/* Calls a detector for each tile. */
static void
set_detector (Stream *stream, GstPadProbeCallback detector, gpointer data)
{
  g_autoptr (GstPad) pad = gst_element_get_static_pad (element_of (stream, "detector"), "src");

  gst_pad_add_probe (pad, GST_PAD_PROBE_TYPE_BUFFER, detector, data, NULL);
}

static Stream
stream_of (const gchar *launch, const gchar *format)
{
  return (Stream) { test_harness (launch, test_caps (format, WIDTH, HEIGHT, NULL)),
                    test_video_info (format, WIDTH, HEIGHT), 0 };
}

static Stream
stream_new (const gchar *launch)
{
  return stream_of (launch, "GRAY8");
}

/* Asserts that no warning or error is left. */
static void
stream_free (Stream *stream)
{
  test_assert_no_message (stream->harness, GST_MESSAGE_WARNING | GST_MESSAGE_ERROR);
  test_harness_free (stream->harness);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Stream, stream_free)

/* A dark frame. */
static GstBuffer *
frame_of (Stream *stream)
{
  GstBuffer *buffer = gst_buffer_new_allocate (NULL, GST_VIDEO_INFO_SIZE (&stream->info), NULL);

  gst_buffer_memset (buffer, 0, 16, GST_VIDEO_INFO_SIZE (&stream->info));
  GST_BUFFER_PTS (buffer) = stream->time;
  GST_BUFFER_DURATION (buffer) = FRAME;
  stream->time += FRAME;
  return buffer;
}

static void
mark_crop (GstBuffer *buffer, guint x, guint y, guint width, guint height)
{
  gst_buffer_add_video_region_of_interest_meta (buffer, "cca-crop", x, y, width, height);
}

/* The frame with one crop. */
static GstBuffer *
cropped_frame (Stream *stream, guint x, guint y, guint width, guint height)
{
  GstBuffer *buffer = frame_of (stream);

  mark_crop (buffer, x, y, width, height);
  return buffer;
}

static const GstVideoRegionOfInterestMeta *
find_region (GstBuffer *buffer, const gchar *type, guint number)
{
  gpointer state = NULL;
  GstMeta *meta;

  while ((meta = gst_buffer_iterate_meta_filtered (buffer, &state, GST_VIDEO_REGION_OF_INTEREST_META_API_TYPE))) {
    const GstVideoRegionOfInterestMeta *region = (GstVideoRegionOfInterestMeta *) meta;

    if (g_str_equal (g_quark_to_string (region->roi_type), type) && number-- == 0)
      return region;
  }
  return NULL;
}

static void
assert_region (GstBuffer *buffer, const gchar *type, guint number, guint x, guint y, guint width, guint height)
{
  const GstVideoRegionOfInterestMeta *region = find_region (buffer, type, number);

  g_assert_nonnull (region);
  g_assert_cmpuint (region->x, ==, x);
  g_assert_cmpuint (region->y, ==, y);
  g_assert_cmpuint (region->w, ==, width);
  g_assert_cmpuint (region->h, ==, height);
}

/* --- Pixels -------------------------------------------------------------------------------------------- */

#define DARK 16
#define BRIGHT 235

/* Sets the pixels of an area: luma, or all of RGB. */
static void
draw (GstBuffer *buffer, const GstVideoInfo *info, const Area *area, guint8 value)
{
  GstVideoFrame frame;

  g_assert_true (gst_video_frame_map (&frame, info, buffer, GST_MAP_WRITE));
  for (guint i = 0; i < (GST_VIDEO_INFO_IS_YUV (info) ? 1u : GST_VIDEO_INFO_N_COMPONENTS (info)); i++)
    for (guint y = area->y; y < area->y + area->height; y++)
      for (guint x = area->x; x < area->x + area->width; x++) {
        guint8 *row =
            (guint8 *) GST_VIDEO_FRAME_COMP_DATA (&frame, i) + y * (guint) GST_VIDEO_FRAME_COMP_STRIDE (&frame, i);

        row[x * (guint) GST_VIDEO_FRAME_COMP_PSTRIDE (&frame, i)] = value;
      }
  gst_video_frame_unmap (&frame);
}

/* Marks the box round the bright pixels of a tile as a thing. */
static GstPadProbeReturn
find_bright (GstPad *pad, GstPadProbeInfo *info, gpointer data)
{
  g_autoptr (GstCaps) caps = gst_pad_get_current_caps (pad);
  guint left = G_MAXUINT, top = G_MAXUINT, right = 0, bottom = 0;
  GstBuffer *buffer;
  GstVideoFrame frame;
  GstVideoInfo tile;

  g_assert_true (gst_video_info_from_caps (&tile, caps));
  g_assert_true (gst_video_frame_map (&frame, &tile, GST_PAD_PROBE_INFO_BUFFER (info), GST_MAP_READ));
  for (guint y = 0; y < (guint) tile.height; y++)
    for (guint x = 0; x < (guint) tile.width; x++) {
      const guint8 *row =
          (guint8 *) GST_VIDEO_FRAME_COMP_DATA (&frame, 0) + y * (guint) GST_VIDEO_FRAME_COMP_STRIDE (&frame, 0);

      if (row[x * (guint) GST_VIDEO_FRAME_COMP_PSTRIDE (&frame, 0)] >= (DARK + BRIGHT) / 2) {
        left = MIN (left, x);
        right = MAX (right, x + 1);
        top = MIN (top, y);
        bottom = MAX (bottom, y + 1);
      }
    }
  gst_video_frame_unmap (&frame);
  if (right > 0) {
    buffer = gst_buffer_make_writable (GST_PAD_PROBE_INFO_BUFFER (info));
    GST_PAD_PROBE_INFO_DATA (info) = buffer;
    gst_buffer_add_video_region_of_interest_meta (buffer, "thing", left, top, right - left, bottom - top);
  }
  return GST_PAD_PROBE_OK;
}

static void
assert_near (guint found, guint truth, gdouble tolerance)
{
  g_assert_cmpfloat (ABS ((gdouble) found - truth), <=, tolerance);
}

/* A detector that looks at pixels finds a bright area of the frame, in each crop that shows it, where it is: within a
 * pixel, or within one of the tile's where that is larger. */
static void
check_pixels (const gchar *format, const gchar *tile_format)
{
  static const Area areas[] = { { 300, 120, 40, 60 }, { 10, 8, 30, 50 }, { 583, 301, 50, 55 } };
  static const Area crops[] = { { 281, 93, 100, 100 }, { 0, 0, 320, 240 }, { 399, 200, 241, 160 }, { 0, 0, 640, 360 } };
  g_autofree gchar *launch = g_strdup_printf (DETECT ("video/x-raw,format=%s,width=256,height=256"), tile_format);
  g_auto (Stream) stream = stream_of (launch, format);
  guint n_seen = 0;

  set_detector (&stream, find_bright, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (areas); i++)
    for (guint k = 0; k < G_N_ELEMENTS (crops); k++) {
      const Area *area = &areas[i], *crop = &crops[k];
      const gboolean shown = area->x >= crop->x && area->x + area->width <= crop->x + crop->width && area->y >= crop->y
                             && area->y + area->height <= crop->y + crop->height;
      const gdouble tolerance = MAX (1.0, MAX (crop->width, crop->height) / 256.0);
      GstBuffer *buffer = cropped_frame (&stream, crop->x, crop->y, crop->width, crop->height);
      const GstVideoRegionOfInterestMeta *thing;

      if (!shown) {
        gst_buffer_unref (buffer);
        continue;
      }
      gst_buffer_memset (buffer, 0, 128, (gsize) -1); /* chroma without colour */
      draw (buffer, &stream.info, &(Area) { 0, 0, WIDTH, HEIGHT }, DARK);
      draw (buffer, &stream.info, area, BRIGHT);
      buffer = test_pass (stream.harness, buffer);
      thing = find_region (buffer, "thing", 0);
      g_assert_nonnull (thing);
      assert_near (thing->x, area->x, tolerance);
      assert_near (thing->y, area->y, tolerance);
      assert_near (thing->x + thing->w, area->x + area->width, tolerance);
      assert_near (thing->y + thing->h, area->y + area->height, tolerance);
      gst_buffer_unref (buffer);
      n_seen++;
    }
  g_assert_cmpuint (n_seen, ==, 6);
}

static void
test_pixels (void)
{
  static const gchar *const formats[] = { "GRAY8", "RGB",  "BGR",  "RGBx", "BGRx", "xRGB", "xBGR",
                                          "RGBA",  "BGRA", "ARGB", "ABGR", "NV12", "NV21", "I420",
                                          "YV12",  "Y42B", "Y444", "YUY2", "UYVY", "RGBP", "BGRP" };

  for (guint i = 0; i < G_N_ELEMENTS (formats); i++) {
    check_pixels (formats[i], formats[i]);
    check_pixels (formats[i], "RGB");
  }
  check_pixels ("RGB", "NV12");
  check_pixels ("RGB", "GRAY8");
}

typedef struct
{
  guint width, height;
  guint8 *pixels;
} Picture;

static GstPadProbeReturn
keep_tile (GstPad *pad, GstPadProbeInfo *info, gpointer data)
{
  g_autoptr (GstCaps) caps = gst_pad_get_current_caps (pad);
  Picture *picture = data;
  GstVideoFrame frame;
  GstVideoInfo tile;

  g_assert_true (gst_video_info_from_caps (&tile, caps));
  g_assert_true (gst_video_frame_map (&frame, &tile, GST_PAD_PROBE_INFO_BUFFER (info), GST_MAP_READ));
  picture->width = (guint) tile.width;
  picture->height = (guint) tile.height;
  g_free (picture->pixels);
  picture->pixels = g_new (guint8, picture->width * picture->height);
  for (guint y = 0; y < picture->height; y++)
    memcpy (picture->pixels + y * picture->width,
            (guint8 *) GST_VIDEO_FRAME_PLANE_DATA (&frame, 0) + y * (guint) GST_VIDEO_FRAME_PLANE_STRIDE (&frame, 0),
            picture->width);
  gst_video_frame_unmap (&frame);
  return GST_PAD_PROBE_OK;
}

/* A crop as large as the tile comes unchanged; a flat one gets bars, which are black, exactly where it has no pixels;
 * so does one behind a GstVideoMeta. */
static void
test_letterbox (void)
{
  g_auto (Stream) stream = stream_new (DETECT (TILES));
  Picture picture = { 0 };
  g_autofree guint8 *luma = test_luma (WIDTH, HEIGHT, 5);
  GstBuffer *buffer = frame_of (&stream);

  set_detector (&stream, keep_tile, &picture);
  test_fill_frame (buffer, &stream.info, 5);
  mark_crop (buffer, 33, 57, 200, 100);
  gst_buffer_unref (test_pass (stream.harness, buffer));
  g_assert_cmpuint (picture.width, ==, 200);
  g_assert_cmpuint (picture.height, ==, 100);
  for (guint y = 0; y < 100; y++)
    g_assert_cmpmem (picture.pixels + 200 * y, 200, luma + (57 + y) * WIDTH + 33, 200);

  buffer = test_padded_frame (&stream.info, 5);
  mark_crop (buffer, 33, 57, 200, 100);
  gst_buffer_unref (test_pass (stream.harness, buffer));
  for (guint y = 0; y < 100; y++)
    g_assert_cmpmem (picture.pixels + 200 * y, 200, luma + (57 + y) * WIDTH + 33, 200);

  buffer = frame_of (&stream);
  gst_buffer_memset (buffer, 0, 255, (gsize) -1);
  mark_crop (buffer, 100, 100, 200, 50);
  gst_buffer_unref (test_pass (stream.harness, buffer));
  for (guint y = 0; y < 100; y++)
    for (guint x = 0; x < 200; x++)
      g_assert_cmpuint (picture.pixels[200 * y + x], ==, y >= 25 && y < 75 ? 255 : 0);
  g_free (picture.pixels);
}

/* --- Results ------------------------------------------------------------------------------------------- */

/* A detector's results on the tiles, in their order. */
typedef struct
{
  guint tile; /* the n-th that comes */
  const gchar *type;
  guint x, y, width, height;
  gboolean detection; /* GstAnalytics, else a region */
} Said;

typedef struct
{
  const Said *list;
  guint n, n_tiles;
} Detector;

#ifdef HAVE_GST_ANALYTICS
static void
add_detection (GstBuffer *buffer, const Said *said)
{
  GstAnalyticsRelationMeta *meta = gst_buffer_get_analytics_relation_meta (buffer);
  GstAnalyticsODMtd detection;

  if (!meta)
    meta = gst_buffer_add_analytics_relation_meta (buffer);
  gst_analytics_relation_meta_add_od_mtd (meta, g_quark_from_string (said->type), (gint) said->x, (gint) said->y,
                                          (gint) said->width, (gint) said->height, 0.75f, &detection);
}
#endif

static GstPadProbeReturn
say (GstPad *pad, GstPadProbeInfo *info, gpointer data)
{
  GstBuffer *buffer = gst_buffer_make_writable (GST_PAD_PROBE_INFO_BUFFER (info));
  Detector *detector = data;

  GST_PAD_PROBE_INFO_DATA (info) = buffer;
  for (guint i = 0; i < detector->n; i++) {
    const Said *said = &detector->list[i];

    if (said->tile != detector->n_tiles)
      continue;
#ifdef HAVE_GST_ANALYTICS
    if (said->detection) {
      add_detection (buffer, said);
      continue;
    }
#endif
    gst_buffer_add_video_region_of_interest_meta (buffer, said->type, said->x, said->y, said->width, said->height);
  }
  detector->n_tiles++;
  return GST_PAD_PROBE_OK;
}

/* Boxes are mapped back to the frame, without the parts in the bars, in the order of the tiles. */
static void
test_boxes (void)
{
  g_auto (Stream) stream = stream_new (DETECT (TILES));
  static const Said list[] = {
    { 0, "car", 10, 20, 30, 40, FALSE },   { 0, "car", 0, 0, 200, 100, FALSE },  { 1, "person", 50, 30, 50, 30, FALSE },
    { 1, "person", 0, 0, 200, 20, FALSE }, { 2, "car", 100, 0, 50, 200, FALSE },
  };
  Detector detector = { list, G_N_ELEMENTS (list), 0 };
  GstBuffer *buffer = frame_of (&stream);

  set_detector (&stream, say, &detector);
  mark_crop (buffer, 100, 50, 200, 100); /* as it is */
  mark_crop (buffer, 200, 60, 400, 100); /* half as large, with bars of 25 above and below */
  mark_crop (buffer, 0, 200, 100, 100);  /* as it is, with bars of 50 left and right */
  buffer = test_pass (stream.harness, buffer);
  g_assert_cmpuint (GST_BUFFER_PTS (buffer), ==, 0);
  g_assert_cmpuint (gst_buffer_get_size (buffer), ==, WIDTH * HEIGHT);
  assert_region (buffer, "car", 0, 110, 70, 30, 40);
  assert_region (buffer, "car", 1, 100, 50, 200, 100);
  assert_region (buffer, "car", 2, 50, 200, 50, 100);
  assert_region (buffer, "person", 0, 300, 70, 100, 60);
  g_assert_null (find_region (buffer, "car", 3));
  g_assert_null (find_region (buffer, "person", 1)); /* all in the bars */
  assert_region (buffer, "cca-crop", 2, 0, 200, 100, 100);
  gst_buffer_unref (buffer);

  g_assert_cmpuint (test_stat (stream.harness->element, "crop", "frames"), ==, 1);
  g_assert_cmpuint (test_stat (stream.harness->element, "crop", "tiles"), ==, 3);
  g_assert_cmpuint (test_stat (stream.harness->element, "crop", "pixels"), ==, 200 * 100 + 400 * 100 + 100 * 100);
  g_assert_cmpuint (test_stat (stream.harness->element, "uncrop", "tiles"), ==, 3);
}

static GstPadProbeReturn
say_more (GstPad *pad, GstPadProbeInfo *info, gpointer data)
{
  GstBuffer *buffer = gst_buffer_make_writable (GST_PAD_PROBE_INFO_BUFFER (info));
  GstVideoRegionOfInterestMeta *person, *face;

  GST_PAD_PROBE_INFO_DATA (info) = buffer;
  person = gst_buffer_add_video_region_of_interest_meta (buffer, "person", 10, 10, 50, 80);
  person->id = 1;
  gst_video_region_of_interest_meta_add_param (
      person, gst_structure_new ("detection", "confidence", G_TYPE_DOUBLE, 0.5, "x_min", G_TYPE_DOUBLE, 0.05, NULL));
  face = gst_buffer_add_video_region_of_interest_meta (buffer, "face", 20, 12, 10, 10);
  face->id = 2;
  face->parent_id = 1;
  return GST_PAD_PROBE_OK;
}

/* Parameters come along, but for places in the tile; a face keeps its person, whatever ids other tiles have. */
static void
test_params (void)
{
  g_auto (Stream) stream = stream_new (DETECT (TILES));
  GstBuffer *buffer = frame_of (&stream);

  set_detector (&stream, say_more, NULL);
  mark_crop (buffer, 0, 0, 200, 100);
  mark_crop (buffer, 300, 0, 200, 100);
  buffer = test_pass (stream.harness, buffer);
  for (guint i = 0; i < 2; i++) {
    const GstVideoRegionOfInterestMeta *person = find_region (buffer, "person", i);
    const GstVideoRegionOfInterestMeta *face = find_region (buffer, "face", i);
    gdouble confidence;
    GstStructure *params =
        gst_video_region_of_interest_meta_get_param ((GstVideoRegionOfInterestMeta *) person, "detection");

    g_assert_true (gst_structure_get_double (params, "confidence", &confidence));
    g_assert_cmpfloat (confidence, ==, 0.5);
    g_assert_false (gst_structure_has_field (params, "x_min"));
    g_assert_cmpint (face->parent_id, ==, person->id);
    g_assert_true (gst_buffer_get_video_region_of_interest_meta_id (buffer, person->id) == person);
  }
  gst_buffer_unref (buffer);
}

/* A tile that is scaled on its way has its results where they are. */
static void
test_scaled_tiles (void)
{
  g_auto (Stream) stream = stream_new ("ccacrop name=crop ! " TILES " ! videoscale add-borders=false ! "
                                       "video/x-raw,width=50,height=50 ! videoconvert ! video/x-raw,format=RGB ! "
                                       "identity name=detector ! ccauncrop name=uncrop");
  static const Said list[] = { { 0, "car", 10, 20, 20, 10, FALSE } };
  Detector detector = { list, G_N_ELEMENTS (list), 0 };
  g_autoptr (GstBuffer) buffer = NULL;

  set_detector (&stream, say, &detector);
  buffer = test_pass (stream.harness, cropped_frame (&stream, 100, 50, 200, 100));
  assert_region (buffer, "car", 0, 140, 90, 80, 20);
}

/* An object that is seen in two overlapping crops counts once. Two boxes in one tile, or of two classes, both stay. */
static void
test_seams (void)
{
  g_auto (Stream) stream = stream_new (DETECT (TILES));
  static const Said list[] = {
    { 0, "person", 170, 10, 20, 50, FALSE }, { 1, "person", 20, 10, 21, 50, FALSE },
    { 0, "person", 180, 70, 20, 30, FALSE }, { 1, "person", 30, 70, 60, 30, FALSE },
    { 0, "car", 170, 10, 20, 50, FALSE },    { 0, "car", 10, 10, 40, 40, FALSE },
    { 0, "car", 12, 10, 40, 40, FALSE },
  };
  Detector detector = { list, G_N_ELEMENTS (list), 0 };
  GstBuffer *buffer = frame_of (&stream);

  set_detector (&stream, say, &detector);
  mark_crop (buffer, 100, 100, 200, 100);
  mark_crop (buffer, 250, 100, 200, 100);
  buffer = test_pass (stream.harness, buffer);
  assert_region (buffer, "person", 0, 270, 110, 21, 50);
  assert_region (buffer, "person", 1, 280, 170, 60, 30);
  g_assert_null (find_region (buffer, "person", 2));
  g_assert_nonnull (find_region (buffer, "car", 2));
  g_assert_null (find_region (buffer, "car", 3));
  g_assert_cmpuint (test_stat (stream.harness->element, "uncrop", "repeats"), ==, 2);
  gst_buffer_unref (buffer);
}

static void
test_detections (void)
{
#ifdef HAVE_GST_ANALYTICS
  g_auto (Stream) stream = stream_new (DETECT (TILES));
  static const Said list[] = { { 0, "person", 170, 10, 20, 50, TRUE },
                               { 1, "person", 20, 10, 21, 50, TRUE },
                               { 0, "person", 170, 10, 20, 50, FALSE } };
  Detector detector = { list, G_N_ELEMENTS (list), 0 };
  GstBuffer *buffer = frame_of (&stream);
  GstAnalyticsRelationMeta *meta;
  GstAnalyticsODMtd detection;
  gint x, y, width, height;
  gpointer state = NULL;
  gfloat confidence;

  set_detector (&stream, say, &detector);
  mark_crop (buffer, 100, 100, 200, 100);
  mark_crop (buffer, 250, 100, 200, 100);
  buffer = test_pass (stream.harness, buffer);
  meta = gst_buffer_get_analytics_relation_meta (buffer);
  g_assert_nonnull (meta);
  g_assert_true (gst_analytics_relation_meta_iterate (meta, &state, gst_analytics_od_mtd_get_mtd_type (), &detection));
  g_assert_true (gst_analytics_od_mtd_get_location (&detection, &x, &y, &width, &height, &confidence));
  g_assert_cmpint (x, ==, 270);
  g_assert_cmpint (y, ==, 110);
  g_assert_cmpint (width, ==, 21);
  g_assert_cmpint (height, ==, 50);
  g_assert_cmpfloat (confidence, ==, 0.75f);
  g_assert_cmpstr (g_quark_to_string (gst_analytics_od_mtd_get_obj_type (&detection)), ==, "person");
  g_assert_false (gst_analytics_relation_meta_iterate (meta, &state, gst_analytics_od_mtd_get_mtd_type (), &detection));
  assert_region (buffer, "person", 0, 270, 110, 20, 50);
  gst_buffer_unref (buffer);
#else
  g_test_skip ("built without GstAnalytics, which GStreamer has from 1.24 on");
#endif
}

/* --- Counts -------------------------------------------------------------------------------------------- */

#define LINES                                                                                                          \
  " ! ccatrack detections=roi confirm-frames=1 ! "                                                                     \
  "ccazones rules={\\\"lines\\\":[{\\\"name\\\":\\\"a\\\",\\\"points\\\":[[320,0],[320,360]]}],\\\"zones\\\":[{"       \
  "\\\"name\\\":\\\"door\\\",\\\"points\\\":[[350,0],[450,0],[450,360],[350,360]]}]}"

/* Returns the boxes of people in a frame, who walk both ways at several speeds. */
static guint
walkers (guint frame, Area boxes[6])
{
  guint n = 0;

  for (guint i = 0; i < 6; i++) {
    const gint age = (gint) frame - 9 * (gint) i, way = age * (3 + (gint) i);
    const gint x = i % 2 ? 590 - way : 20 + way;

    if (age >= 0 && x >= 0 && x <= 600)
      boxes[n++] = (Area) { (guint) x, 5 + 58 * i, 28, 46 };
  }
  return n;
}

typedef struct
{
  const Area *boxes;
  guint n;
  guint tile;
  Area crops[8];
} Street;

/* Says of each walker whom the tile shows, whole or in part, where he is in it. */
static GstPadProbeReturn
see_walkers (GstPad *pad, GstPadProbeInfo *info, gpointer data)
{
  GstBuffer *buffer = gst_buffer_make_writable (GST_PAD_PROBE_INFO_BUFFER (info));
  Street *street = data;
  const Area *crop = &street->crops[street->tile++];

  GST_PAD_PROBE_INFO_DATA (info) = buffer;
  for (guint i = 0; i < street->n; i++) {
    const Area *box = &street->boxes[i];
    const guint left = MAX (box->x, crop->x), right = MIN (box->x + box->width, crop->x + crop->width);
    const guint top = MAX (box->y, crop->y), bottom = MIN (box->y + box->height, crop->y + crop->height);

    if (left < right && top < bottom)
      gst_buffer_add_video_region_of_interest_meta (buffer, "person", left - crop->x, top - crop->y, right - left,
                                                    bottom - top);
  }
  return GST_PAD_PROBE_OK;
}

/* Zones behind a detector that sees overlapping crops count as behind one that sees the frames. */
static void
test_counts (void)
{
  Stream whole, cut;
  Street street = { .crops = { { 0, 0, 240, 360 }, { 200, 0, 240, 360 }, { 400, 0, 240, 360 } } };
  guint64 n_crossed = 0;

  if (test_skip_without_element ("ccazones"))
    return;
  whole = stream_new ("identity" LINES);
  cut = stream_new (DETECT ("video/x-raw,width=240,height=360") LINES);
  set_detector (&cut, see_walkers, &street);
  for (guint frame = 0; frame < 240; frame++) {
    Area boxes[6];
    GstBuffer *a = frame_of (&whole), *b = frame_of (&cut);

    street.boxes = boxes;
    street.n = walkers (frame, boxes);
    street.tile = 0;
    for (guint i = 0; i < street.n; i++)
      gst_buffer_add_video_region_of_interest_meta (a, "person", boxes[i].x, boxes[i].y, boxes[i].width,
                                                    boxes[i].height);
    for (guint i = 0; i < 3; i++)
      mark_crop (b, street.crops[i].x, street.crops[i].y, street.crops[i].width, street.crops[i].height);
    a = test_pass (whole.harness, a);
    b = test_pass (cut.harness, b);
    n_crossed = test_assert_same_counts (a, b);
    gst_buffer_unref (a);
    gst_buffer_unref (b);
  }
  g_assert_cmpuint (n_crossed, ==, 6);
  g_assert_cmpuint (test_stat (cut.harness->element, "uncrop", "repeats"), >, 20);
  stream_free (&whole);
  stream_free (&cut);
}

/* --- Streams ------------------------------------------------------------------------------------------- */

static GstPadProbeReturn
drop_tile (GstPad *pad, GstPadProbeInfo *info, gpointer data)
{
  guint *n = data;

  return (*n)++ % 2 ? GST_PAD_PROBE_DROP : GST_PAD_PROBE_OK;
}

/* A frame comes out before the next one goes in: without tiles, with them, and where the detector drops some. */
static void
test_frames (void)
{
  g_auto (Stream) stream = stream_new (DETECT (TILES));
  guint n_tiles = 0;

  set_detector (&stream, drop_tile, &n_tiles);
  for (guint i = 0; i < 60; i++) {
    GstBuffer *buffer = i == 0 ? cropped_frame (&stream, 0, 0, 100, 100) : frame_of (&stream), *sent = buffer;

    if (i % 5 > 2)
      mark_crop (buffer, 10 * i, 0, 100, 100);
    if (i % 5 > 3)
      mark_crop (buffer, 10 * i, 200, 100, 100);
    if (i % 7 == 0)
      mark_crop (buffer, WIDTH, 200, 100, 100); /* outside */
    g_assert_cmpint (gst_harness_push (stream.harness, buffer), ==, GST_FLOW_OK);
    buffer = gst_harness_try_pull (stream.harness);
    g_assert_true (buffer == sent);
    g_assert_cmpint (GST_MINI_OBJECT_REFCOUNT_VALUE (buffer), ==, 1);
    g_assert_cmpuint (GST_BUFFER_PTS (buffer), ==, i * FRAME);
    gst_buffer_unref (buffer);
  }
  g_assert_cmpuint (n_tiles, ==, 1 + 12 + 2 * 12);
  g_assert_null (gst_harness_try_pull (stream.harness));
}

static void
assert_event (Stream *stream, GstEventType type)
{
  g_autoptr (GstEvent) event = gst_harness_try_pull_event (stream->harness);

  g_assert_nonnull (event);
  g_assert_cmpstr (GST_EVENT_TYPE_NAME (event), ==, gst_event_type_get_name (type));
}

/* The caps that go in come out. */
static void
assert_caps (Stream *stream)
{
  g_autoptr (GstCaps) in = gst_pad_get_current_caps (stream->harness->srcpad);
  g_autoptr (GstCaps) out = gst_pad_get_current_caps (stream->harness->sinkpad);

  g_assert_true (gst_caps_is_strictly_equal (in, out));
}

/* Downstream receives the stream of frames without traces of tiles: its caps, its gaps, and its end. */
static void
test_events (void)
{
  g_auto (Stream) stream = stream_new (DETECT (TILES));

  gst_buffer_unref (test_pass (stream.harness, cropped_frame (&stream, 0, 0, 100, 100)));
  assert_event (&stream, GST_EVENT_STREAM_START);
  assert_event (&stream, GST_EVENT_CAPS);
  assert_event (&stream, GST_EVENT_SEGMENT);
  gst_harness_push_event (stream.harness, gst_event_new_gap (stream.time, FRAME));
  assert_event (&stream, GST_EVENT_GAP);
  g_assert_cmpuint (gst_harness_events_in_queue (stream.harness), ==, 0);
  assert_caps (&stream);

  stream.info = test_video_info ("GRAY8", 320, 200);
  gst_harness_set_src_caps (stream.harness, test_caps ("GRAY8", 320, 200, NULL));
  assert_event (&stream, GST_EVENT_CAPS);
  gst_buffer_unref (test_pass (stream.harness, cropped_frame (&stream, 300, 190, 100, 100)));
  assert_caps (&stream);
  gst_harness_push_event (stream.harness, gst_event_new_eos ());
  while (gst_harness_events_in_queue (stream.harness) > 1)
    gst_event_unref (gst_harness_pull_event (stream.harness));
  assert_event (&stream, GST_EVENT_EOS);
}

static GstPadProbeReturn
drop_frame_event (GstPad *pad, GstPadProbeInfo *info, gpointer data)
{
  return gst_event_has_name (GST_PAD_PROBE_INFO_EVENT (info), "cca-frame") ? GST_PAD_PROBE_DROP : GST_PAD_PROBE_OK;
}

/* Results on the tiles of a frame that never came are on no other frame, with or without tiles or a flush. */
static void
test_lost_frames (void)
{
  g_auto (Stream) stream = stream_new (DETECT (TILES));
  static const Said list[] = { { 0, "car", 10, 20, 30, 40, FALSE },
                               { 1, "car", 10, 20, 30, 40, FALSE },
                               { 2, "car", 10, 20, 30, 40, FALSE } };
  Detector detector = { list, G_N_ELEMENTS (list), 0 };
  g_autoptr (GstPad) pad = gst_element_get_static_pad (element_of (&stream, "detector"), "src");
  GstBuffer *buffer;

  set_detector (&stream, say, &detector);
  for (guint i = 0; i < 3; i++) {
    const gulong probe = gst_pad_add_probe (pad, GST_PAD_PROBE_TYPE_EVENT_DOWNSTREAM, drop_frame_event, NULL, NULL);

    g_assert_cmpint (gst_harness_push (stream.harness, cropped_frame (&stream, 0, 0, 200, 100)), ==, GST_FLOW_OK);
    g_assert_null (gst_harness_try_pull (stream.harness));
    gst_pad_remove_probe (pad, probe);
    if (i == 1)
      test_push_flush (stream.harness);
    buffer = test_pass (stream.harness, i < 2 ? frame_of (&stream) : cropped_frame (&stream, 0, 0, 200, 100));
    g_assert_null (find_region (buffer, "car", 0));
    gst_buffer_unref (buffer);
  }
  g_assert_cmpuint (detector.n_tiles, ==, 4);
}

/* Neither element waits for anything that it does not have. */
static void
test_latency (void)
{
  g_auto (Stream) stream = stream_new (DETECT (TILES));

  gst_buffer_unref (test_pass (stream.harness, cropped_frame (&stream, 0, 0, 100, 100)));
  gst_harness_set_upstream_latency (stream.harness, 50 * GST_MSECOND);
  g_assert_cmpuint (gst_harness_query_latency (stream.harness), ==, 50 * GST_MSECOND);
}

static GstFlowReturn
refuse (GstPad *pad, GstObject *parent, GstBuffer *buffer)
{
  gst_buffer_unref (buffer);
  return GST_FLOW_EOS;
}

/* Downstream's flow return for a frame goes upstream, also without tiles. */
static void
test_flow (void)
{
  g_auto (Stream) stream = stream_new (DETECT (TILES));

  gst_buffer_unref (test_pass (stream.harness, cropped_frame (&stream, 0, 0, 100, 100)));
  gst_pad_set_chain_function (stream.harness->sinkpad, refuse);
  g_assert_cmpint (gst_harness_push (stream.harness, frame_of (&stream)), ==, GST_FLOW_EOS);
  g_assert_cmpint (gst_harness_push (stream.harness, cropped_frame (&stream, 0, 0, 9, 9)), ==, GST_FLOW_EOS);
  test_push_flush (stream.harness);
  g_assert_cmpint (gst_harness_push (stream.harness, cropped_frame (&stream, 0, 0, 9, 9)), ==, GST_FLOW_EOS);
}

static gpointer
push_frames (gpointer data)
{
  Stream *stream = data;
  GstFlowReturn flow = GST_FLOW_OK;

  while (flow == GST_FLOW_OK)
    flow = gst_harness_push (stream->harness, frame_of (stream));
  return GINT_TO_POINTER (flow);
}

static GstPadProbeReturn
block (GstPad *pad, GstPadProbeInfo *info, gpointer data)
{
  g_atomic_int_set ((gint *) data, 1);
  return GST_PAD_PROBE_OK;
}

/* With a queue, and downstream stuck, frames without tiles do not gather: ccacrop waits, until a flush. */
static void
test_bounded (void)
{
  g_auto (Stream) stream = stream_new ("ccacrop name=crop max-frames=3 ! " TILES " ! queue ! "
                                       "identity name=detector ! ccauncrop name=uncrop");
  g_autoptr (GstPad) pad = gst_element_get_static_pad (element_of (&stream, "uncrop"), "src");
  gint blocked = 0;
  GThread *thread;
  gulong probe;

  gst_buffer_unref (test_pass (stream.harness, cropped_frame (&stream, 0, 0, 100, 100)));
  probe = gst_pad_add_probe (pad, GST_PAD_PROBE_TYPE_BLOCK | GST_PAD_PROBE_TYPE_BUFFER, block, &blocked, NULL);
  thread = g_thread_new ("push", push_frames, &stream);
  while (!g_atomic_int_get (&blocked) || test_stat (stream.harness->element, "crop", "frames") < 5)
    g_usleep (1000);
  /* One is in the probe and two wait in the queue; the next does not get in. */
  g_usleep (50000);
  g_assert_cmpuint (test_stat (stream.harness->element, "crop", "frames"), ==, 5);
  g_assert_cmpuint (test_stat (stream.harness->element, "uncrop", "frames"), ==, 2);
  gst_harness_push_event (stream.harness, gst_event_new_flush_start ());
  g_assert_cmpint (GPOINTER_TO_INT (g_thread_join (thread)), ==, GST_FLOW_FLUSHING);
  gst_pad_remove_probe (pad, probe);
  gst_harness_push_event (stream.harness, gst_event_new_flush_stop (TRUE));
  test_push_segment (stream.harness, 0, 0, 0);
  gst_buffer_unref (test_pass (stream.harness, cropped_frame (&stream, 0, 0, 100, 100)));
}

/* The detector's caps rule: its size and format, or 640 x 640 of the frames' format. */
static void
test_caps_of_tiles (void)
{
  static const struct
  {
    const gchar *tiles, *format;
    gint width, height;
  } cases[] = {
    { "video/x-raw,format=RGB,width=300,height=200", "RGB", 300, 200 },
    { "video/x-raw", "NV12", 640, 640 },
    { "video/x-raw,format={BGR,NV12},width=[1,400],height=[1,500]", "NV12", 400, 500 },
    { "video/x-raw,format=BGR,width={320,416}", "BGR", 416, 640 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_autofree gchar *launch = g_strdup_printf (DETECT ("%s"), cases[i].tiles);
    g_auto (Stream) stream = stream_of (launch, "NV12");
    g_autoptr (GstPad) pad = gst_element_get_static_pad (element_of (&stream, "detector"), "src");
    g_autoptr (GstCaps) caps = NULL;
    GstVideoInfo info;

    gst_buffer_unref (test_pass (stream.harness, cropped_frame (&stream, 0, 0, 100, 100)));
    caps = gst_pad_get_current_caps (pad);
    g_assert_true (gst_video_info_from_caps (&info, caps));
    g_assert_cmpstr (gst_video_format_to_string (GST_VIDEO_INFO_FORMAT (&info)), ==, cases[i].format);
    g_assert_cmpint (info.width, ==, cases[i].width);
    g_assert_cmpint (info.height, ==, cases[i].height);
    g_assert_cmpint (info.fps_n, ==, 25);
    g_assert_true (GST_VIDEO_INFO_FORMAT (&info) != GST_VIDEO_INFO_FORMAT (&stream.info)
                   || gst_video_colorimetry_is_equal (&info.colorimetry, &stream.info.colorimetry));
  }
}

/* --- Mistakes ------------------------------------------------------------------------------------------ */

static void
test_no_crops (void)
{
  g_auto (Stream) stream = stream_new (DETECT (TILES));

  for (guint i = 0; i < 3; i++)
    gst_buffer_unref (test_pass (stream.harness, frame_of (&stream)));
  test_assert_warning (stream.harness, "*no regions of interest 'cca-crop'*put ccagate mode=crops before ccacrop*");
}

static void
test_no_ccacrop (void)
{
  g_auto (Stream) stream = stream_new ("ccauncrop");
  GstBuffer *buffer = frame_of (&stream);

  g_assert_true (test_pass (stream.harness, buffer) == buffer);
  gst_buffer_unref (buffer);
  gst_buffer_unref (test_pass (stream.harness, frame_of (&stream)));
  test_assert_warning (stream.harness, "*put ccacrop before the detector*");
}

static GstPadProbeReturn
replace_tile (GstPad *pad, GstPadProbeInfo *info, gpointer data)
{
  gst_buffer_unref (GST_PAD_PROBE_INFO_BUFFER (info));
  GST_PAD_PROBE_INFO_DATA (info) = gst_buffer_new ();
  return GST_PAD_PROBE_OK;
}

static void
test_lost_meta (void)
{
  g_auto (Stream) stream = stream_new (DETECT (TILES));

  set_detector (&stream, replace_tile, NULL);
  for (guint i = 0; i < 3; i++)
    gst_buffer_unref (test_pass (stream.harness, cropped_frame (&stream, 0, 0, 100, 100)));
  g_assert_null (gst_harness_try_pull (stream.harness));
  test_assert_warning (stream.harness, "*lost its GstCcaTileMeta*leave out the element*");
}

static void
test_no_common_caps (void)
{
  Stream stream = stream_new (DETECT ("video/x-raw,framerate=7/1"));
  GstMessage *message = test_pop_message (stream.harness, GST_MESSAGE_ERROR);
  g_autofree gchar *text = NULL;

  g_assert_nonnull (message);
  text = test_message_text (message);
  g_assert_nonnull (strstr (text, "takes no raw video in system memory at 25/1 frames per second"));
  g_assert_cmpint (gst_harness_push (stream.harness, cropped_frame (&stream, 0, 0, 9, 9)), ==, GST_FLOW_NOT_NEGOTIATED);
  test_harness_free (stream.harness);
}

/* --- Pipelines ----------------------------------------------------------------------------------------- */

/* Behind the gate: each frame that passes comes out, and a detector finds the ball. */
static void
test_pipeline (void)
{
  g_autoptr (TestPipeline) pipeline =
      test_pipeline_new ("videotestsrc num-buffers=80 pattern=ball ! video/x-raw,format=I420,width=320,height=240 "
                         "! cca foreground=threshold ! ccatrack ! ccagate mode=crops crop-width=96 crop-height=96 "
                         "! ccacrop name=crop ! queue ! video/x-raw,format=GRAY8,width=96,height=96 "
                         "! cca foreground=threshold emit=roi ! ccauncrop name=uncrop ! fakesink sync=false");

  test_play_to_end (pipeline);
  g_assert_cmpuint (test_stat (pipeline, "uncrop", "frames"), ==, 80);
  g_assert_cmpuint (test_stat (pipeline, "uncrop", "tiles"), >=, 80);
}

GST_TESTS_MAIN ("/crop", test_pixels, test_letterbox, test_boxes, test_params, test_scaled_tiles, test_seams,
                test_detections, test_counts, test_frames, test_events, test_lost_frames, test_latency, test_flow,
                test_bounded, test_caps_of_tiles, test_no_crops, test_no_ccacrop, test_lost_meta, test_no_common_caps,
                test_pipeline)
