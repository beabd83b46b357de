/* gst-cca: ccaprivacy hides the foreground of the metas, and whole frames without metas
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "element-test.h"

#include <gst/cca/gstccatrackmeta.h>
#include <string.h>

/* Blocks of 8 pixels: 20 by 15. */
enum
{
  WIDTH = 160,
  HEIGHT = 120,
  CELL = 8,
  COLUMNS = 20,
  ROWS = 15,
};

/* One object. */
static const GstCcaComponent component = { .label = 1, .x = 48, .y = 40, .width = 16, .height = 24, .area = 384 };
static const guint covered[] = { 6, 5, 2, 3 }; /* its cells: left, top, width, height */

#define FILL "ccaprivacy mode=fill fill-color=0xff00ff00 dilation=0 "

static gboolean
is_covered (guint column, guint row)
{
  return column >= covered[0] && column < covered[0] + covered[2] && row >= covered[1] && row < covered[1] + covered[3];
}

static GBytes *
coverage (void)
{
  guint8 counts[COLUMNS * ROWS];

  for (guint i = 0; i < COLUMNS * ROWS; i++)
    counts[i] = is_covered (i % COLUMNS, i / COLUMNS) ? 9 : 0;
  return g_bytes_new (counts, sizeof counts);
}

static GstCcaMeta *
add_meta (GstBuffer *buffer, const gchar *id, guint width, guint n_components, gboolean with_coverage)
{
  GstCcaMeta *meta = gst_buffer_add_cca_meta (buffer, id, width, HEIGHT, n_components, &component, 1);
  g_autoptr (GBytes) bytes = coverage ();

  g_assert_nonnull (meta);
  if (with_coverage)
    g_assert_true (gst_cca_meta_set_coverage (meta, CELL, bytes));
  return meta;
}

/* Noise in all bytes of a buffer, which no color covers by chance. */
static GstBuffer *
fill_with_noise (GstBuffer *buffer)
{
  g_autoptr (GRand) random = g_rand_new_with_seed (1);
  GstMapInfo map;

  g_assert_true (gst_buffer_map (buffer, &map, GST_MAP_WRITE));
  for (gsize i = 0; i < map.size; i++)
    map.data[i] = (guint8) g_rand_int_range (random, 0, 256);
  gst_buffer_unmap (buffer, &map);
  return buffer;
}

static GstBuffer *
frame_of (const gchar *format)
{
  const GstVideoInfo info = test_video_info (format, WIDTH, HEIGHT);

  return fill_with_noise (test_frame (&info, 1));
}

static GstHarness *
harness_of (const gchar *launch, const gchar *format)
{
  return test_harness (launch, test_caps (format, WIDTH, HEIGHT, NULL));
}

/* Which blocks of two frames of a format differ in any component, one byte each. */
static void
find_changes (const gchar *format, GstBuffer *a, GstBuffer *b, guint8 changed[COLUMNS * ROWS])
{
  const GstVideoInfo info = test_video_info (format, WIDTH, HEIGHT);
  GstVideoFrame frames[2];

  memset (changed, 0, COLUMNS * ROWS);
  g_assert_true (gst_video_frame_map (&frames[0], &info, a, GST_MAP_READ));
  g_assert_true (gst_video_frame_map (&frames[1], &info, b, GST_MAP_READ));
  for (guint c = 0; c < GST_VIDEO_INFO_N_COMPONENTS (&info); c++)
    for (gint y = 0; y < GST_VIDEO_INFO_COMP_HEIGHT (&info, c); y++)
      for (gint x = 0; x < GST_VIDEO_INFO_COMP_WIDTH (&info, c); x++) {
        const guint8 *values[2];

        for (guint i = 0; i < 2; i++)
          values[i] = (const guint8 *) GST_VIDEO_FRAME_COMP_DATA (&frames[i], c)
                      + y * GST_VIDEO_FRAME_COMP_STRIDE (&frames[i], c)
                      + x * GST_VIDEO_FRAME_COMP_PSTRIDE (&frames[i], c);
        if (*values[0] != *values[1])
          changed[(y << info.finfo->h_sub[c]) / 8 * COLUMNS + (x << info.finfo->w_sub[c]) / 8] = 1;
      }
  gst_video_frame_unmap (&frames[0]);
  gst_video_frame_unmap (&frames[1]);
}

/* Returns how many blocks changed. Asserts that those of the object did and, unless all did, no others. */
static guint
count_changes (const gchar *format, GstBuffer *before, GstBuffer *after)
{
  guint8 changed[COLUMNS * ROWS];
  guint n = 0;

  find_changes (format, before, after, changed);
  for (guint i = 0; i < COLUMNS * ROWS; i++)
    n += changed[i];
  for (guint i = 0; i < COLUMNS * ROWS; i++)
    if (is_covered (i % COLUMNS, i / COLUMNS))
      g_assert_true (changed[i]);
    else if (n < COLUMNS * ROWS)
      g_assert_false (changed[i]);
  return n;
}

/* --- Hidden blocks ------------------------------------------------------------------------------------- */

/* Every format and mode, with GStreamer's layout and with another: the object's blocks change, all others do not; metas
 * stay; a frame that somebody else holds does not change. */
static void
test_formats_and_modes (void)
{
  static const gchar *const formats[] = { "NV12", "NV21",  "I420", "YV12", "Y42B", "Y444", "Y41B", "NV16", "NV61",
                                          "NV24", "GRAY8", "YUY2", "YVYU", "UYVY", "VYUY", "RGBx", "xRGB", "BGRx",
                                          "xBGR", "RGBA",  "ARGB", "BGRA", "ABGR", "RGB",  "BGR" };
  static const gchar *const modes[] = { "blur", "pixelate", "fill" };

  for (guint f = 0; f < G_N_ELEMENTS (formats); f++)
    for (guint m = 0; m < G_N_ELEMENTS (modes); m++)
      for (guint padded = 0; padded < 2; padded++) {
        const GstVideoInfo info = test_video_info (formats[f], WIDTH, HEIGHT);
        g_autofree gchar *launch = g_strdup_printf ("ccaprivacy dilation=0 mode=%s", modes[m]);
        g_autoptr (GstHarness) harness = harness_of (launch, formats[f]);
        GstBuffer *buffer = padded ? fill_with_noise (test_padded_frame (&info, 1)) : frame_of (formats[f]);
        g_autoptr (GstBuffer) before = NULL, after = NULL;

        g_test_message ("%s, %s", formats[f], modes[m]);
        add_meta (buffer, "a", WIDTH, 1, TRUE);
        gst_buffer_add_cca_meta (buffer, "b", WIDTH, HEIGHT, 0, NULL, 0);
        before = gst_buffer_ref (buffer);
        after = test_pass (harness, buffer);
        g_assert_true (before != after);
        g_assert_cmpuint (count_changes (formats[f], before, after), ==, 6);
        g_assert_nonnull (gst_buffer_get_cca_meta_by_id (after, "a"));
        g_assert_nonnull (gst_buffer_get_cca_meta_by_id (after, "a")->coverage);
        g_assert_nonnull (gst_buffer_get_cca_meta_by_id (after, "b"));
      }
}

/* A frame that no one else holds is changed in place. */
static void
test_in_place (void)
{
  g_autoptr (GstHarness) harness = harness_of (FILL, "NV12");
  GstBuffer *buffer = frame_of ("NV12");
  g_autoptr (GstBuffer) after = NULL;

  add_meta (buffer, "a", WIDTH, 1, TRUE);
  after = test_pass (harness, buffer);
  g_assert_true (after == buffer);
}

static guint
n_hidden (const gchar *launch, GstBuffer *buffer)
{
  g_autoptr (GstHarness) harness = harness_of (launch, "I420");
  g_autoptr (GstBuffer) before = gst_buffer_copy_deep (buffer), after = test_pass (harness, buffer);
  guint8 changed[COLUMNS * ROWS];
  guint n = 0;

  find_changes ("I420", before, after, changed);
  for (guint i = 0; i < COLUMNS * ROWS; i++)
    n += changed[i];
  test_assert_no_message (harness, GST_MESSAGE_WARNING);
  return n;
}

static GstBuffer *
frame_with_meta (void)
{
  GstBuffer *buffer = frame_of ("I420");

  add_meta (buffer, "a", WIDTH, 1, TRUE);
  return buffer;
}

static void
test_dilation (void)
{
  g_assert_cmpuint (n_hidden (FILL, frame_with_meta ()), ==, 2 * 3);
  g_assert_cmpuint (n_hidden (FILL "dilation=1", frame_with_meta ()), ==, 4 * 5);
  g_assert_cmpuint (n_hidden (FILL "dilation=8", frame_with_meta ()), ==, 4 * 5);
  g_assert_cmpuint (n_hidden (FILL "dilation=9", frame_with_meta ()), ==, 6 * 7);
}

/* Boxes of tracks, coasting ones too; alone, with the foreground, and from detections without components. */
static void
test_tracks (void)
{
  static const GstCcaTrack tracks[] = {
    { .track_id = 1, .label = 1, .x = 48, .y = 40, .width = 16, .height = 32, .age = 4 },
    { .track_id = 2, .state = GST_CCA_TRACK_STATE_COASTING, .x = 0, .y = 0, .width = 8, .height = 9, .age = 4 },
  };

  for (guint i = 0; i < 3; i++) {
    GstBuffer *buffer = i < 2 ? frame_with_meta () : frame_of ("I420");

    gst_buffer_add_cca_track_meta (buffer, "a", WIDTH, HEIGHT, tracks, i == 1 ? 1 : 2);
    g_assert_cmpuint (n_hidden (i == 1 ? FILL "hide=foreground+tracks" : FILL "hide=tracks", buffer), ==,
                      i == 1 ? 2 * 4 : 2 * 4 + 2);
  }
}

/* Polygons are hidden whatever the metas say; without hide, the frames need none. */
static void
test_region (void)
{
#define REGION "region={\"units\":\"pixels\",\"region\":[{\"points\":[[0,0],[32,0],[32,16],[0,16]]}]} "
  if (test_skip_without_element ("ccazones"))
    return;
  g_assert_cmpuint (n_hidden (FILL REGION, frame_with_meta ()), ==, 6 + 8);
  g_assert_cmpuint (n_hidden (FILL REGION "hide=0", frame_of ("I420")), ==, 8);
  g_assert_cmpuint (n_hidden (FILL "hide=0", frame_of ("I420")), ==, 0);
}

static void
test_wrong_region (void)
{
  g_autofree gchar *text = test_start_error ("ccaprivacy", "region", "/nowhere/region.json");
  g_autoptr (GstHarness) harness = NULL;
  g_autoptr (GstBuffer) before = NULL, after = NULL;

  g_assert_true (g_str_has_prefix (text, "region: /nowhere/region.json"));
  if (test_skip_without_element ("ccazones"))
    return;
  /* While it runs, the last region stays. */
  harness = harness_of (FILL REGION "hide=0", "I420");
  gst_buffer_unref (test_pass_frame (harness, 1));
  gst_harness_set (harness, "ccaprivacy", "region", "/nowhere/region.json", NULL);
  before = frame_of ("I420");
  after = test_pass (harness, gst_buffer_copy_deep (before));
  test_assert_warning (harness, "region: /nowhere/region.json*; keeping the previous region");
  g_assert_cmpint (gst_buffer_memcmp (after, 0, "\0", 1), !=, 0);
}

/* Fewer cells are larger. */
static guint
n_values (guint cells)
{
  g_autofree gchar *launch = g_strdup_printf ("ccaprivacy cells=%u", cells);
  g_autoptr (GstHarness) harness = harness_of (launch, "GRAY8");
  g_autoptr (GstBuffer) after = test_pass_frame (harness, 1);
  gboolean seen[256] = { FALSE };
  guint n = 0;
  GstMapInfo map;

  g_assert_true (gst_buffer_map (after, &map, GST_MAP_READ));
  for (guint i = 0; i < WIDTH * HEIGHT; i++) {
    n += !seen[map.data[i]];
    seen[map.data[i]] = TRUE;
  }
  gst_buffer_unmap (after, &map);
  return n;
}

static void
test_cells (void)
{
  g_assert_cmpuint (n_values (1), ==, 1);
  g_assert_cmpuint (n_values (4), <=, 5 * 4);
  g_assert_cmpuint (n_values (8), >, n_values (4));
}

/* Green in YUV, in the range and with the matrix of the caps. */
static void
test_fill_color (void)
{
  static const struct
  {
    const gchar *format, *colorimetry;
    guint8 values[3];
  } cases[] = {
    { "Y444", "bt601", { 145, 54, 34 } },
    { "Y444", "bt709", { 173, 42, 26 } },
    { "Y444", "1:4:0:0", { 150, 44, 21 } },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_autofree gchar *more = g_strdup_printf ("colorimetry=(string)%s", cases[i].colorimetry);
    g_autoptr (GstHarness) harness = test_harness (FILL, test_caps (cases[i].format, WIDTH, HEIGHT, more));
    g_autoptr (GstBuffer) after = test_pass_frame (harness, 1);

    for (guint c = 0; c < 3; c++) {
      guint8 value;

      gst_buffer_extract (after, (gsize) c * WIDTH * HEIGHT, &value, 1);
      g_assert_cmpint (ABS ((gint) value - cases[i].values[c]), <=, 1);
    }
  }
}

/* --- Fails closed --------------------------------------------------------------------------------------- */

/* A frame and, with an id, its meta. */
typedef struct
{
  const gchar *name, *id, *warning; /* warning: NULL: none */
  const gchar *more;                /* properties of the element */
  gboolean gap, narrower, truncated, stale, without_coverage, learning, scene_change;
} Case;

static const Case cases[] = {
  { "meta", NULL, "*a frame has no components; put an element that finds them before this one*" },
  { "gap", NULL, "*a frame has no components*", .gap = TRUE },
  { "id", "other", "*id is 'a', but the frame has the components of 'other'" },
  { "truncated", "a", "*more components than the analysis stores*", .truncated = TRUE },
  { "size", "a", "*an element reshaped the frame since its analysis*", .narrower = TRUE },
  { "stale", "a", "*an element reshaped the frame since its analysis*", .stale = TRUE },
  { "coverage", "a", "*set coverage=true*", .without_coverage = TRUE },
  { "tracks", "a", "*hide includes tracks, but a frame has none of 'a'; put ccatrack*", "hide=tracks" },
  { "learning", "a", NULL, .learning = TRUE },
  { "scene-change", "a", NULL, .scene_change = TRUE },
};

static GstBuffer *
frame_of_case (const Case *closed)
{
  GstBuffer *buffer = frame_of ("I420");

  if (closed->gap)
    GST_BUFFER_FLAG_SET (buffer, GST_BUFFER_FLAG_GAP);
  if (closed->id) {
    GstCcaMeta *meta = add_meta (buffer, closed->id, WIDTH - (closed->narrower ? 1 : 0), closed->truncated ? 2 : 1,
                                 !closed->without_coverage);

    meta->stale = closed->stale;
    meta->learning = closed->learning;
    meta->scene_change = closed->scene_change;
  }
  return buffer;
}

/* Such frames are hidden whole, in each mode that changes every block, with one warning; the next good one is not. */
static void
test_fails_closed (gconstpointer data)
{
  const Case *closed = data;
  g_autofree gchar *launch = g_strdup_printf (FILL "id=a %s", closed->more ? closed->more : "");
  g_autoptr (GstHarness) harness = harness_of (launch, "I420");

  for (guint i = 0; i < 3; i++) {
    GstBuffer *buffer = frame_of_case (closed);
    g_autoptr (GstBuffer) before = gst_buffer_copy_deep (buffer), after = test_pass (harness, buffer);

    g_assert_cmpuint (count_changes ("I420", before, after), ==, COLUMNS * ROWS);
    if (i == 0 && closed->warning)
      test_assert_warning (harness, closed->warning);
    test_assert_no_message (harness, GST_MESSAGE_WARNING);
  }
  g_assert_cmpuint (test_stat (harness->element, NULL, "frames"), ==, 3);
  g_assert_cmpuint (test_stat (harness->element, NULL, "whole"), ==, 3);
  if (!closed->more) {
    GstBuffer *buffer = frame_with_meta ();
    g_autoptr (GstBuffer) before = gst_buffer_copy_deep (buffer), after = test_pass (harness, buffer);

    g_assert_cmpuint (count_changes ("I420", before, after), ==, 6);
  }
}

/* A buffer that is too small for a frame does not pass. */
static void
test_unmappable (void)
{
  g_autoptr (GstHarness) harness = harness_of (FILL, "I420");

  g_assert_cmpint (gst_harness_push (harness, gst_buffer_new_allocate (NULL, 100, NULL)), ==, GST_FLOW_ERROR);
  test_assert_error (harness, "A buffer cannot be mapped as the frame of 160x120 pixels I420*");
  g_assert_null (gst_harness_try_pull (harness));
}

/* --- With an analysis ----------------------------------------------------------------------------------- */

/* The analysis says when it learns, at first and after a flush. */
static void
test_analysis (void)
{
  g_autoptr (GstHarness) harness = harness_of ("cca name=a foreground=motion motion-learning=5 ! " FILL "id=a", "I420");
  GstBuffer *after;

  for (guint i = 0; i < 8; i++) {
    guint8 corner;

    after = test_pass (harness, frame_of ("I420"));
    gst_buffer_extract (after, 0, &corner, 1);
    g_assert_true (gst_buffer_get_cca_meta (after)->learning == (i < 5));
    g_assert_true ((corner == 145) == (i < 5)); /* green */
    gst_buffer_unref (after);
  }
  test_push_flush (harness);
  after = test_pass (harness, frame_of ("I420"));
  g_assert_true (gst_buffer_get_cca_meta (after)->learning);
  gst_buffer_unref (after);
}

/* The coverage follows a frame that is scaled. */
static void
test_scaled (void)
{
  g_autoptr (TestPipeline) pipeline =
      test_pipeline_new ("videotestsrc num-buffers=3 pattern=ball ! video/x-raw,format=I420,width=160,height=120 ! "
                         "cca foreground=threshold coverage=true ! videoscale ! video/x-raw,width=400,height=300 ! "
                         "ccaprivacy name=privacy ! fakesink");

  test_play_to_end (pipeline);
  g_assert_cmpuint (test_stat (pipeline, "privacy", "frames"), ==, 3);
  g_assert_cmpuint (test_stat (pipeline, "privacy", "whole"), ==, 0);
}

GST_CASES_MAIN ()
{
  ADD_TESTS ("/privacy", test_formats_and_modes, test_in_place, test_dilation, test_tracks, test_region,
             test_wrong_region, test_cells, test_fill_color, test_unmappable, test_analysis, test_scaled);
  ADD_ROWS ("/privacy/fails-closed", cases, test_fails_closed);
}
