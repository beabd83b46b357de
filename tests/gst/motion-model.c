/* gst-cca: the background model of samples in the elements: chroma of every format, changes of scene, times
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "element-test.h"

#include <string.h>

enum
{
  WIDTH = 129,
  HEIGHT = 97,
  LEARNING = 4,
  SIDE = 24,   /* of the square that comes */
  CHANGES = 5, /* of the scene in a row, after which the model begins anew */
};

#define SAMPLES "foreground=motion motion-model=samples motion-learning=4 min-area=100"

/* --- Frames ------------------------------------------------------------------------------------------ */

static guint
knot (guint x, guint y)
{
  return (x * 0x9e3779b1u ^ (y + 1) * 0x85ebca6bu) * 0xc2b2ae35u >> 24;
}

/* The scenes. */
enum
{
  YARD = 1,
  NEGATIVE /* light where the yard is dark, and of another color */
};

/* Smooth, of levels from 60 to 187. No knots lie in the rows that the model compares to find a shift, every 16th: it
 * would find half a pixel. */
static guint8
texture (guint scene, guint x, guint y)
{
  const guint i = x / 8, j = (y + 3) / 8, right = x % 8, below = (y + 3) % 8;
  const guint sum = (8 - below) * ((8 - right) * knot (i, j) + right * knot (i + 1, j))
                    + below * ((8 - right) * knot (i, j + 1) + right * knot (i + 1, j + 1));

  return (guint8) (scene == NEGATIVE ? 250 - 2 * (sum / 128) : 60 + sum / 128);
}

/* How planes lie in a buffer. */
typedef enum
{
  PLAIN,
  PADDED,  /* behind a GstVideoMeta with odd offsets and strides, the last plane first */
  MEMORIES /* one for each plane */
} Layout;

static GstBuffer *
empty_frame (const GstVideoInfo *info, Layout layout)
{
  const guint n_planes = GST_VIDEO_INFO_N_PLANES (info);
  GstBuffer *buffer;
  gsize offsets[GST_VIDEO_MAX_PLANES] = { 0 }, sizes[GST_VIDEO_MAX_PLANES] = { 0 }, end = 0;
  gint strides[GST_VIDEO_MAX_PLANES] = { 0 };

  if (layout == PLAIN)
    return gst_buffer_new_allocate (NULL, GST_VIDEO_INFO_SIZE (info), NULL);
  for (guint i = 0; i < n_planes; i++) {
    const guint plane = layout == PADDED ? n_planes - 1 - i : i;
    const gint rows = plane == 0 ? GST_VIDEO_INFO_HEIGHT (info) : GST_VIDEO_INFO_COMP_HEIGHT (info, 1);

    strides[plane] = GST_VIDEO_INFO_PLANE_STRIDE (info, plane) + 3 + (plane == 0 ? 10 : 0);
    sizes[plane] = (gsize) strides[plane] * (gsize) rows;
    offsets[plane] = end + (layout == PADDED ? 5 : 0);
    end = offsets[plane] + sizes[plane];
  }
  buffer = layout == PADDED ? gst_buffer_new_allocate (NULL, end, NULL) : gst_buffer_new ();
  for (guint i = 0; i < n_planes && layout == MEMORIES; i++)
    gst_buffer_append_memory (buffer, gst_allocator_alloc (NULL, sizes[i], NULL));
  gst_buffer_add_video_meta_full (buffer, GST_VIDEO_FRAME_FLAG_NONE, GST_VIDEO_INFO_FORMAT (info),
                                  (guint) GST_VIDEO_INFO_WIDTH (info), (guint) GST_VIDEO_INFO_HEIGHT (info), n_planes,
                                  offsets, strides);
  return buffer;
}

/* Sets all samples of a component, those within the square at (40, 32) to another value. */
static void
fill_component (GstVideoFrame *frame, guint component, gint value, gint square)
{
  guint8 *data = GST_VIDEO_FRAME_COMP_DATA (frame, component);
  const gint step = GST_VIDEO_FRAME_COMP_PSTRIDE (frame, component);
  const gint stride = GST_VIDEO_FRAME_COMP_STRIDE (frame, component);
  const guint shift_x = frame->info.finfo->w_sub[component], shift_y = frame->info.finfo->h_sub[component];

  for (gint y = 0; y < GST_VIDEO_FRAME_COMP_HEIGHT (frame, component); y++)
    for (gint x = 0; x < GST_VIDEO_FRAME_COMP_WIDTH (frame, component); x++) {
      const gint i = x << shift_x, j = y << shift_y;
      const gboolean inside = i >= 40 && i < 40 + SIDE && j >= 32 && j < 32 + SIDE;

      data[y * stride + x * step] = (guint8) (inside ? square : value);
    }
}

/* A frame whose luma is the scene's; the square has another u and v if these are not 128. */
static GstBuffer *
scene_frame (const GstVideoInfo *info, Layout layout, guint scene, gint u, gint v)
{
  GstBuffer *buffer = empty_frame (info, layout);
  GstVideoFrame frame;
  guint8 *luma;

  gst_buffer_memset (buffer, 0, 0xa5, gst_buffer_get_size (buffer));
  g_assert_true (gst_video_frame_map (&frame, info, buffer, GST_MAP_WRITE));
  luma = GST_VIDEO_FRAME_COMP_DATA (&frame, 0);
  for (guint y = 0; y < HEIGHT; y++)
    for (guint x = 0; x < WIDTH; x++)
      luma[y * (guint) GST_VIDEO_FRAME_COMP_STRIDE (&frame, 0) + x * (guint) GST_VIDEO_FRAME_COMP_PSTRIDE (&frame, 0)] =
          texture (scene, x, y);
  if (GST_VIDEO_INFO_N_COMPONENTS (info) >= 3 && GST_VIDEO_INFO_IS_YUV (info)) {
    fill_component (&frame, 1, scene == NEGATIVE ? 160 : 128, u);
    fill_component (&frame, 2, 128, v);
  }
  gst_video_frame_unmap (&frame);
  GST_BUFFER_PTS (buffer) = 3 * GST_SECOND;
  GST_BUFFER_DURATION (buffer) = 40 * GST_MSECOND;
  return buffer;
}

/* Pushes n frames of the yard; nothing may be found in them. */
static void
learn (GstHarness *harness, const GstVideoInfo *info, Layout layout, guint n)
{
  for (guint i = 0; i < n; i++) {
    g_autoptr (GstBuffer) buffer = test_pass (harness, scene_frame (info, layout, YARD, 128, 128));

    g_assert_cmpuint (gst_buffer_get_cca_meta (buffer)->n_components, ==, 0);
  }
}

/* --- Chroma ------------------------------------------------------------------------------------------ */

static void
check_square (const GstCcaMeta *meta)
{
  const GstCcaComponent *square = &meta->components[0];

  g_assert_cmpuint (meta->n_components, ==, 1);
  g_assert_cmpuint (square->x, >=, 38);
  g_assert_cmpuint (square->y, >=, 30);
  g_assert_cmpuint (square->x + square->width, <=, 40 + SIDE + 2);
  g_assert_cmpuint (square->y + square->height, <=, 32 + SIDE + 2);
  g_assert_cmpuint (square->area, >=, (SIDE - 2) * (SIDE - 2));
}

/* An object that only one chroma component shows is found in formats with planes of chroma. */
static void
test_chroma (gconstpointer data)
{
  const gchar *format = data;
  const GstVideoInfo info = test_video_info (format, WIDTH, HEIGHT);
  const gboolean colored = GST_VIDEO_INFO_N_PLANES (&info) > 1 && !g_str_equal (format, "P010_10LE");

  for (Layout layout = PLAIN; layout <= MEMORIES; layout++)
    for (guint component = 1; component <= 2; component++) {
      g_autoptr (GstHarness) harness = test_harness ("cca " SAMPLES, test_caps (format, WIDTH, HEIGHT, NULL));
      const gint u = component == 1 ? 200 : 128, v = component == 2 ? 60 : 128;
      GstBuffer *buffer;

      learn (harness, &info, layout, LEARNING + 1);
      buffer = test_pass (harness, scene_frame (&info, layout, YARD, u, v));
      if (colored)
        check_square (gst_buffer_get_cca_meta (buffer));
      else
        g_assert_cmpuint (gst_buffer_get_cca_meta (buffer)->n_components, ==, 0);
      gst_buffer_unref (buffer);
      test_assert_no_message (harness, GST_MESSAGE_ERROR);
    }
}

/* U and V keep their meaning when the stream changes to a format with the other order: the change in both would cancel
 * out if they were exchanged. */
static void
test_chroma_order (void)
{
  static const gchar *const formats[] = { "NV12", "NV21", "I420", "YV12" };
  g_autoptr (GstHarness) harness = test_harness ("cca " SAMPLES, test_caps ("I420", WIDTH, HEIGHT, NULL));

  for (guint i = 0; i < LEARNING + 1; i++) {
    const GstVideoInfo info = test_video_info ("I420", WIDTH, HEIGHT);

    gst_buffer_unref (test_pass (harness, scene_frame (&info, PLAIN, YARD, 170, 90)));
  }
  for (guint i = 0; i < G_N_ELEMENTS (formats); i++) {
    const GstVideoInfo info = test_video_info (formats[i], WIDTH, HEIGHT);
    GstBuffer *buffer;

    gst_harness_set_src_caps (harness, test_caps (formats[i], WIDTH, HEIGHT, NULL));
    buffer = test_pass (harness, scene_frame (&info, PLAIN, YARD, 170, 90));
    g_assert_cmpuint (gst_buffer_get_cca_meta (buffer)->n_components, ==, 0);
    gst_buffer_unref (buffer);
    buffer = test_pass (harness, scene_frame (&info, PLAIN, YARD, 90, 170));
    check_square (gst_buffer_get_cca_meta (buffer));
    gst_buffer_unref (buffer);
  }
}

/* A frame without its planes of chroma is one error. Without the model, the element does not read them. */
static void
test_chroma_missing (gconstpointer data)
{
  const gchar *what = data;
  const GstVideoInfo info = test_video_info ("I420", WIDTH, HEIGHT);

  for (guint samples = 0; samples < 2; samples++) {
    g_autoptr (GstHarness) harness =
        test_harness (samples ? "cca " SAMPLES : "cca foreground=motion motion-model=sigma-delta motion-learning=4",
                      test_caps ("I420", WIDTH, HEIGHT, NULL));
    GstBuffer *buffer = scene_frame (&info, PADDED, YARD, 128, 128);
    GstVideoMeta *meta = gst_buffer_get_video_meta (buffer);

    if (g_str_equal (what, "bytes"))
      meta->offset[1] = gst_buffer_get_size (buffer) - 20;
    else if (g_str_equal (what, "stride"))
      meta->stride[2] = WIDTH / 2;
    else if (g_str_equal (what, "strides"))
      meta->stride[1]--;
    else
      meta->n_planes = 2;
    if (!samples) {
      gst_buffer_unref (test_pass (harness, buffer));
      test_assert_no_message (harness, GST_MESSAGE_ERROR);
    } else {
      g_autofree gchar *text = NULL;

      g_assert_cmpint (gst_harness_push (harness, buffer), ==, GST_FLOW_ERROR);
      text = test_message_text (test_pop_message (harness, GST_MESSAGE_ERROR));
      g_test_message ("%s", text);
      g_assert_true (g_str_has_prefix (text, "Buffer does not fit its caps, 129x97 I420: it"));
      g_assert_nonnull (strstr (text, what));
    }
  }
}

/* Frames of 16 bits are refused in the elements' words. */
static void
test_wide (void)
{
  const GstVideoInfo info = test_video_info ("GRAY16_LE", WIDTH, HEIGHT);
  g_autoptr (GstHarness) harness = test_harness ("cca " SAMPLES, test_caps ("GRAY16_LE", WIDTH, HEIGHT, NULL));

  g_assert_cmpint (gst_harness_push (harness, test_frame (&info, 1)), ==, GST_FLOW_NOT_NEGOTIATED);
  test_assert_error (harness, "*motion-model*GRAY16_LE*");
}

/* Shadows go, unless they are wanted. */
static void
test_shadows (void)
{
  const GstVideoInfo info = test_video_info ("I420", WIDTH, HEIGHT);

  for (guint wanted = 0; wanted < 2; wanted++) {
    g_autoptr (GstHarness) harness = test_harness ("cca " SAMPLES, test_caps ("I420", WIDTH, HEIGHT, NULL));
    g_autoptr (GstBuffer) buffer = scene_frame (&info, PLAIN, YARD, 128, 128);
    GstVideoFrame frame;

    g_object_set (harness->element, "motion-shadows", (gboolean) wanted, NULL);
    learn (harness, &info, PLAIN, LEARNING + 1);
    g_assert_true (gst_video_frame_map (&frame, &info, buffer, GST_MAP_READWRITE));
    for (gint y = 32; y < 32 + SIDE; y++) {
      guint8 *row = (guint8 *) GST_VIDEO_FRAME_PLANE_DATA (&frame, 0) + y * GST_VIDEO_FRAME_PLANE_STRIDE (&frame, 0);

      for (gint x = 40; x < 40 + SIDE; x++)
        row[x] = (guint8) (60 + (row[x] - 60) * 3 / 4); /* 60 is black */
    }
    gst_video_frame_unmap (&frame);
    buffer = test_pass (harness, buffer);
    g_assert_cmpuint (gst_buffer_get_cca_meta (buffer)->n_components > 0, ==, wanted);
  }
}

/* --- Presets ----------------------------------------------------------------------------------------- */

/* The yard with bars, of which each is farther from the next, and with rectangles, of which each is larger. */
static GstBuffer *
shapes_frame (const GstVideoInfo *info)
{
  GstBuffer *buffer = scene_frame (info, PLAIN, YARD, 128, 128);
  GstVideoFrame frame;

  g_assert_true (gst_video_frame_map (&frame, info, buffer, GST_MAP_READWRITE));
  for (guint y = 0; y < HEIGHT; y++) {
    guint8 *row =
        (guint8 *) GST_VIDEO_FRAME_PLANE_DATA (&frame, 0) + y * (guint) GST_VIDEO_FRAME_PLANE_STRIDE (&frame, 0);

    for (guint i = 0, x = 8; i < 10; i++, x += 6 + i)
      if (y >= 10 && y < 40)
        memset (row + x, 250, 6);
    for (guint i = 0; i < 8; i++)
      if (y >= 60 && y < 63 + i)
        memset (row + 8 + 15 * i, 250, 1 + i);
  }
  gst_video_frame_unmap (&frame);
  return buffer;
}

/* Returns how many components the shapes are with the properties of a launch line; fills `components`. */
static guint
find_shapes (const gchar *launch, GstCcaComponent components[32])
{
  const GstVideoInfo info = test_video_info ("I420", WIDTH, HEIGHT);
  g_autoptr (GstHarness) harness = test_harness (launch, test_caps ("I420", WIDTH, HEIGHT, NULL));
  const GstCcaMeta *meta;
  g_autoptr (GstBuffer) buffer = NULL;
  guint n;

  learn (harness, &info, PLAIN, 9);
  buffer = test_pass (harness, shapes_frame (&info));
  meta = gst_buffer_get_cca_meta (buffer);
  n = (guint) meta->n_components;
  g_assert_cmpuint (n, <=, 32);
  memcpy (components, meta->components, n * sizeof *components);
  return n;
}

/* A preset is foreground=motion with some properties; properties set by hand win, set before it or after. */
static void
test_presets (void)
{
  static const struct
  {
    const gchar *preset, *properties;
  } cases[] = {
    { "preset=people", "foreground=motion motion-learning=8 close-radius=3 min-area=12" },
    { "preset=traffic", "foreground=motion motion-learning=8 close-radius=3 min-area=6" },
    { "preset=indoor", "foreground=motion motion-learning=8 close-radius=3 min-area=12" },
    { "foreground=motion preset=none", "foreground=motion motion-learning=8 close-radius=3 min-area=12" },
    { "preset=traffic close-radius=1", "foreground=motion motion-learning=8 close-radius=1 min-area=6" },
    { "min-area=30 preset=traffic", "foreground=motion motion-learning=8 close-radius=3 min-area=30" },
  };
  guint n[G_N_ELEMENTS (cases)];

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_autofree gchar *launch = g_strconcat ("cca ", cases[i].preset, NULL),
                     *same = g_strconcat ("cca ", cases[i].properties, NULL);
    GstCcaComponent found[32], expected[32];

    n[i] = find_shapes (launch, found);
    g_test_message ("%s: %u", launch, n[i]);
    g_assert_cmpuint (n[i], ==, find_shapes (same, expected));
    g_assert_cmpmem (found, n[i] * sizeof *found, expected, n[i] * sizeof *expected);
  }
  g_assert_cmpuint (n[1], >, n[0]);
  g_assert_cmpuint (n[4], >, n[1]);
  g_assert_cmpuint (n[5], <, n[1]);
}

/* --- Changes of scene -------------------------------------------------------------------------------- */

/* The next message of the element is of a change of the scene. */
static void
check_message (GstHarness *harness)
{
  g_autoptr (GstMessage) message = NULL;
  const GstStructure *structure = test_pop_structure (harness, "cca-scene-change", &message);

  g_assert_cmpint (gst_structure_n_fields (structure), ==, 7);
  g_assert_cmpstr (gst_structure_get_string (structure, "id"), ==, "yard");
  test_assert_times (structure, 3 * GST_SECOND, 7 * GST_SECOND, 12 * GST_SECOND, 40 * GST_MSECOND);
  g_assert_cmpuint (test_get_uint (structure, "width"), ==, WIDTH);
  g_assert_cmpuint (test_get_uint (structure, "height"), ==, HEIGHT);
}

/* Each frame of it: a message, whatever the interval of the others, and a mark in the meta. After the last one the
 * model learns anew. */
static void
test_scene_change (gconstpointer data)
{
  const gboolean posts = GPOINTER_TO_INT (data);
  const GstVideoInfo info = test_video_info ("NV12", WIDTH, HEIGHT);
  g_autoptr (GstHarness) harness = test_harness ("cca " SAMPLES " id=yard", test_caps ("NV12", WIDTH, HEIGHT, NULL));

  test_push_segment (harness, 1 * GST_SECOND, 5 * GST_SECOND, 10 * GST_SECOND);
  g_object_set (harness->element, "message-interval", G_GUINT64_CONSTANT (3600) * GST_SECOND, "post-messages", posts,
                NULL);
  learn (harness, &info, PLAIN, LEARNING + 1);
  for (GstMessage *message; (message = test_pop_message (harness, GST_MESSAGE_ELEMENT));)
    gst_message_unref (message);
  for (guint i = 0; i < CHANGES + LEARNING + 3; i++) {
    GstBuffer *buffer = test_pass (harness, scene_frame (&info, PLAIN, NEGATIVE, 160, 128));
    const GstCcaMeta *meta = gst_buffer_get_cca_meta (buffer);

    g_assert_cmpint (meta->scene_change, ==, i < CHANGES);
    g_assert_cmpint (meta->learning, ==, i >= CHANGES && i < CHANGES + LEARNING);
    g_assert_cmpuint (meta->n_components, ==, 0);
    gst_buffer_unref (buffer);
    if (i < CHANGES && posts)
      check_message (harness);
    test_assert_no_message (harness, GST_MESSAGE_ELEMENT);
  }
}

/* --- Times ------------------------------------------------------------------------------------------- */

/* Pushes frames that differ until components are found. Returns the number of frames without any. */
static guint
count_learning (GstHarness *harness, guint most)
{
  const GstVideoInfo info = test_video_info ("GRAY8", WIDTH, HEIGHT);
  guint n = 0;

  for (guint found = 0; found == 0 && n < most; n += found == 0) {
    g_autoptr (GstBuffer) buffer = test_pass (harness, test_frame (&info, n));

    found = gst_buffer_get_cca_meta (buffer)->n_components;
    g_assert_true (gst_buffer_get_cca_meta (buffer)->learning == (found == 0));
  }
  return n;
}

static GstCaps *
caps_of_rate (gint rate)
{
  GstCaps *caps = test_caps ("GRAY8", WIDTH, HEIGHT, NULL);

  gst_caps_set_simple (caps, "framerate", GST_TYPE_FRACTION, rate, 1, NULL);
  return caps;
}

/* motion-learning-time is a number of frames by the rate of the caps, also of new ones, and in caps without a rate
 * motion-learning holds. */
static void
test_learning_time (void)
{
  static const struct
  {
    gint rate;
    guint64 time;
    guint frames;
  } cases[] = { { 25, 0, 3 }, { 25, 200 * GST_MSECOND, 5 }, { 50, 200 * GST_MSECOND, 10 }, { 0, GST_SECOND, 3 } };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_autoptr (GstHarness) harness =
        test_harness ("cca foreground=motion motion-model=sigma-delta motion-learning=3", caps_of_rate (cases[i].rate));

    g_object_set (harness->element, "motion-learning-time", cases[i].time, NULL);
    g_assert_cmpuint (count_learning (harness, 100), ==, cases[i].frames);
  }
}

static void
test_new_rate (void)
{
  g_autoptr (GstHarness) harness =
      test_harness ("cca foreground=motion motion-model=sigma-delta motion-learning-time=200000000", caps_of_rate (25));

  g_assert_cmpuint (count_learning (harness, 2), ==, 2);
  gst_harness_set_src_caps (harness, caps_of_rate (50));
  g_assert_cmpuint (count_learning (harness, 100), ==, 10 - 2);
}

GST_CASES_MAIN ()
{
  static const gchar *const missing[] = { "bytes", "stride", "strides", "planes" };

  for (guint i = 0; i < test_n_formats; i++) {
    g_autofree gchar *path = g_strconcat ("/motion-model/chroma/", test_formats[i], NULL);

    if (!g_str_has_prefix (test_formats[i], "GRAY16") && !strchr ("BRP", test_formats[i][0]))
      g_test_add_data_func (path, test_formats[i], test_chroma);
  }
  ADD_TESTS ("/motion-model", test_presets, test_chroma_order, test_wide, test_shadows, test_learning_time,
             test_new_rate);
  add_strings ("/motion-model/chroma-missing", missing, G_N_ELEMENTS (missing), test_chroma_missing);
  g_test_add_data_func ("/motion-model/scene-change/posted", GINT_TO_POINTER (TRUE), test_scene_change);
  g_test_add_data_func ("/motion-model/scene-change/silent", GINT_TO_POINTER (FALSE), test_scene_change);
}
