/* gst-cca: cudaccaoverlay and cudaccaprivacy paint the same pixels as their twins
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "cuda-test.h"

#include <gst/cca/gstccaeventmeta.h>
#include <gst/cca/gstccatrackmeta.h>

static const gchar *const formats[] = { "NV12", "NV21", "I420", "YV12", "Y42B", "Y444",
                                        "YUY2", "UYVY", "RGBx", "BGRx", "RGBA", "BGRA" };

/* Less than a tile or a block, parts of them, and several; a cell of the last is larger than a tile. */
static const guint sizes[][2] = { { 1, 1 }, { 2, 2 }, { 7, 5 }, { 31, 18 }, { 157, 84 }, { 320, 243 } };

/* --- Scenes ------------------------------------------------------------------------------------------ */

/* Attaches the metas that a test draws to frame `number`. */
typedef void (*Scene) (GstBuffer *buffer, guint width, guint height, guint number);

static guint
random_below (GRand *random, guint n)
{
  return n > 1 ? (guint) g_rand_int_range (random, 0, (gint32) n) : 0;
}

/* Boxes in random places, some as far as the frame's edges, which overlap each other. */
static GstCcaMeta *
add_some_components (GstBuffer *buffer, guint width, guint height, guint n)
{
  g_autofree GstCcaComponent *components = g_new0 (GstCcaComponent, n);
  GRand *random = g_rand_new_with_seed (n);

  for (guint i = 0; i < n; i++) {
    GstCcaComponent *c = &components[i];

    c->label = i + 1;
    c->x = random_below (random, width);
    c->y = random_below (random, height);
    c->width = 1 + random_below (random, width - c->x);
    c->height = 1 + random_below (random, height - c->y);
    c->area = (guint64) c->width * c->height;
    c->centroid_x = c->x + c->width / 2.0;
    c->centroid_y = c->y + c->height / 3.0;
  }
  g_rand_free (random);
  return gst_buffer_add_cca_meta (buffer, "a", width, height, n, components, n);
}

static void
add_no_component (GstBuffer *buffer, guint width, guint height, guint number)
{
  add_some_components (buffer, width, height, 0);
}

static void
add_components (GstBuffer *buffer, guint width, guint height, guint number)
{
  add_some_components (buffer, width, height, 5 + number);
}

static void
add_many_components (GstBuffer *buffer, guint width, guint height, guint number)
{
  add_some_components (buffer, width, height, 1000);
}

/* Components with most of their cells. */
static void
add_covered_components (GstBuffer *buffer, guint width, guint height, guint number)
{
  enum
  {
    CELL = 8
  };
  const guint columns = (width + CELL - 1) / CELL, rows = (height + CELL - 1) / CELL;
  GstCcaMeta *meta = add_some_components (buffer, width, height, 3 + number);
  guint8 *counts = g_malloc0 ((gsize) columns * rows);
  g_autoptr (GBytes) bytes = g_bytes_new_take (counts, (gsize) columns * rows);
  GRand *random = g_rand_new_with_seed (number);

  for (guint i = 0; i < meta->n_stored; i++) {
    const GstCcaComponent *c = &meta->components[i];

    for (guint y = c->y / CELL; y <= (c->y + c->height - 1) / CELL; y++)
      for (guint x = c->x / CELL; x <= (c->x + c->width - 1) / CELL; x++)
        counts[y * columns + x] = random_below (random, 4) > 0;
  }
  g_rand_free (random);
  g_assert_true (gst_cca_meta_set_coverage (meta, CELL, bytes));
}

/* Tracks of all states that move to the right and out of the frame. */
static void
add_tracks (GstBuffer *buffer, guint width, guint height, guint number)
{
  GstCcaTrack tracks[6] = { 0 };

  for (guint i = 0; i < G_N_ELEMENTS (tracks); i++)
    tracks[i] = (GstCcaTrack) { .track_id = i + 1,
                                .state = (GstCcaTrackState) (i % 3),
                                .label = i + 1,
                                .x = MIN ((i + 1) * width / 8 + number * width / 5, width - 1),
                                .y = i * height / 8 + number * height / 30,
                                .width = 1 + width / 9,
                                .height = 1 + height / 7,
                                .area = 100,
                                .centroid_x = MIN ((i + 1) * width / 8 + number * width / 5 + width / 18.0, width - 1),
                                .centroid_y = i * height / 8 + height / 14.0 };
  gst_buffer_add_cca_track_meta (buffer, "a", width, height, tracks, G_N_ELEMENTS (tracks));
}

/* A zone that crosses itself and leaves the frame, another, a line, and an event. */
static void
add_rules (GstBuffer *buffer, guint width, guint height, guint number)
{
  const gdouble w = width, h = height;
  const GstCcaPoint star[] = { { w * .1, h * .2 }, { w * 1.2, h * .5 }, { w * .15, h * .7 }, { w * .7, -h * .1 } };
  const GstCcaPoint square[] = { { w * .5, h * .5 }, { w * .9, h * .5 }, { w * .9, h * .9 }, { w * .5, h * .9 } };
  const GstCcaPoint across[] = { { w * .05, h * .95 }, { w * .4, h * .6 }, { w * .8, h * .7 } };
  const GstCcaRule rules[] = {
    { .name = "star", .type = GST_CCA_RULE_ZONE, .n_points = G_N_ELEMENTS (star), .points = star },
    { .name = "door", .type = GST_CCA_RULE_ZONE, .n_points = G_N_ELEMENTS (square), .points = square },
    { .name = "road", .type = GST_CCA_RULE_LINE, .n_points = G_N_ELEMENTS (across), .points = across, .n_in = number },
  };
  const GstCcaEvent event = { .type = GST_CCA_EVENT_CROSS, .rule = "road", .track_id = 2, .x = w * .4, .y = h * .6 };

  add_tracks (buffer, width, height, number);
  gst_buffer_add_cca_event_meta (buffer, "a", width, height, rules, G_N_ELEMENTS (rules), &event, number == 1);
}

/* --- Pixels ------------------------------------------------------------------------------------------ */

/* The byte that gst_video_blend() takes for a pixel's alpha, or 255. */
static guint
alpha_at (const GstVideoFrame *frame, gint x, gint y)
{
  if (!GST_VIDEO_INFO_IS_RGB (&frame->info))
    return 255;
  return (
      (const guint8 *) GST_VIDEO_FRAME_PLANE_DATA (frame, 0))[y * GST_VIDEO_FRAME_PLANE_STRIDE (frame, 0) + 4 * x + 3];
}

/* Asserts that values differ by rounding only. The less alpha a pixel has, the coarser its colour is. */
static void
assert_like (GstBuffer *is, GstBuffer *should, const GstVideoInfo *info, guint rounding)
{
  GstVideoFrame frames[2];
  guint worst = 0;

  g_assert_true (gst_video_frame_map (&frames[0], info, is, GST_MAP_READ));
  g_assert_true (gst_video_frame_map (&frames[1], info, should, GST_MAP_READ));
  for (guint i = 0; i < GST_VIDEO_INFO_N_COMPONENTS (info); i++)
    for (gint y = 0; y < GST_VIDEO_INFO_COMP_HEIGHT (info, i); y++)
      for (gint x = 0; x < GST_VIDEO_INFO_COMP_WIDTH (info, i); x++) {
        const gint a = cuda_test_sample (&frames[0], i, x, y), b = cuda_test_sample (&frames[1], i, x, y);
        const guint error = (guint) ABS (a - b) * alpha_at (&frames[1], x, y) / 255;

        if (error > worst) {
          worst = error;
          g_test_message ("component %u at %d,%d: %d, not %d", i, x, y, a, b);
        }
      }
  gst_video_frame_unmap (&frames[1]);
  gst_video_frame_unmap (&frames[0]);
  g_assert_cmpuint (worst, <=, rounding);
}

/* How many bytes of the frame the element has changed. */
static guint
n_changed (GstBuffer *after, GstBuffer *before, const GstVideoInfo *info)
{
  GstVideoFrame frames[2];
  guint n = 0;

  g_assert_true (gst_video_frame_map (&frames[0], info, after, GST_MAP_READ));
  g_assert_true (gst_video_frame_map (&frames[1], info, before, GST_MAP_READ));
  for (gint y = 0; y < GST_VIDEO_INFO_COMP_HEIGHT (info, 0); y++)
    for (gint x = 0; x < GST_VIDEO_INFO_COMP_WIDTH (info, 0); x++)
      n += cuda_test_sample (&frames[0], 0, x, y) != cuda_test_sample (&frames[1], 0, x, y);
  gst_video_frame_unmap (&frames[1]);
  gst_video_frame_unmap (&frames[0]);
  return n;
}

/* --- Twins ------------------------------------------------------------------------------------------- */

typedef struct
{
  const gchar *properties;
  Scene scene; /* NULL: none */
  guint n_frames;
} Case;

static const Case drawn[] = {
  { "", add_no_component, 1 },
  { "", add_components, 2 },
  { "color-by=label color=0x9affffff show-area=true line-width=3", add_components, 1 },
  { "speed=false", add_tracks, 4 },
  { "", add_rules, 3 },
  { "heatmap=true show-count=false", add_tracks, 3 },
};

/* With objects and without, so that the frame is hidden as a whole, in cells of every level. */
#define HIDE(mode)                                                                                                     \
  { "mode=" mode " cells=1 dilation=8", NULL, 3 }, { "mode=" mode " cells=1 dilation=8", add_covered_components, 3 },  \
      { "mode=" mode " cells=8 dilation=8", NULL, 3 },                                                                 \
      { "mode=" mode " cells=8 dilation=8", add_covered_components, 3 }

static const Case hidden[] = { HIDE ("fill fill-color=0xff123456"), HIDE ("pixelate"), HIDE ("blur") };

typedef struct
{
  const gchar *element;
  const Case *cases;
  guint n_cases;
  guint rounding; /* by which the twins may differ */
  Case some;      /* that paints a lot of pixels */
} Painter;

static const Painter painters[] = {
  { "cudaccaoverlay", drawn, G_N_ELEMENTS (drawn), 1, { "", add_components } },
  { "cudaccaprivacy", hidden, G_N_ELEMENTS (hidden), 0, { "mode=pixelate cells=1", NULL } },
};

/* An element in CUDA memory, its twin in system memory, and the frame that is to be painted in each. */
typedef struct
{
  const Painter *painter;
  CudaSource source;
  GstHarness *harnesses[2];
  GstBuffer *frames[2];
} Twins;

static Twins
twins_new (const Painter *painter, const gchar *properties, const gchar *format, guint width, guint height)
{
  g_autofree gchar *launch = g_strdup_printf ("%s %s", painter->element, properties);
  Twins twins = { .painter = painter, .source = cuda_source_open (NULL, format, width, height) };

  twins.harnesses[0] = cuda_source_harness (&twins.source, launch, NULL);
  twins.harnesses[1] = test_harness (launch + strlen ("cuda"), test_caps (format, width, height, NULL));
  return twins;
}

/* Twins of zeros are none. */
static void
twins_clear (Twins *self)
{
  if (!self->painter)
    return;
  test_harness_free (self->harnesses[1]);
  test_harness_free (self->harnesses[0]);
  cuda_source_close (&self->source);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Twins, twins_clear)

static void
add_scene (const CudaSource *source, GstBuffer *frame, Scene scene, guint number)
{
  if (scene)
    scene (frame, (guint) GST_VIDEO_INFO_WIDTH (&source->info), (guint) GST_VIDEO_INFO_HEIGHT (&source->info), number);
}

/* Makes the frames. */
static void
twins_begin (Twins *self, Scene scene, guint number)
{
  self->frames[0] = cuda_source_frame (&self->source, number);
  self->frames[1] = test_frame (&self->source.info, number);
  for (guint i = 0; i < 2; i++) {
    GST_BUFFER_PTS (self->frames[i]) = number * 200 * GST_MSECOND;
    add_scene (&self->source, self->frames[i], scene, number);
  }
}

/* Asserts that both elements make the same of the frames, and something of larger ones. */
static void
twins_end (Twins *self)
{
  const GstVideoInfo *info = &self->source.info;
  g_autoptr (GstBuffer) before = gst_buffer_copy_deep (self->frames[1]);

  for (guint i = 0; i < 2; i++)
    self->frames[i] = test_pass (self->harnesses[i], self->frames[i]);
  g_assert_true (cuda_test_memory_context (self->frames[0]) == self->source.context);
  if (self->painter->rounding > 0)
    assert_like (self->frames[0], self->frames[1], info, self->painter->rounding);
  else
    cuda_test_assert_same_pixels (self->frames[0], self->frames[1], info);
  if (GST_VIDEO_INFO_WIDTH (info) * GST_VIDEO_INFO_HEIGHT (info) > 10000)
    g_assert_cmpuint (n_changed (self->frames[0], before, info), >, 0);
  for (guint i = 0; i < 2; i++)
    gst_buffer_unref (self->frames[i]);
}

static void
check_case (const Painter *painter, const Case *test, const gchar *format, guint width, guint height)
{
  g_auto (Twins) twins = twins_new (painter, test->properties, format, width, height);

  g_test_message ("%s %s: %s %ux%u", painter->element, test->properties, format, width, height);
  for (guint i = 0; i < test->n_frames; i++) {
    twins_begin (&twins, test->scene, i);
    twins_end (&twins);
  }
}

typedef struct
{
  const Painter *painter;
  const gchar *format;
} Pair;

static void
test_twins (gconstpointer data)
{
  const Pair *pair = data;

  if (cuda_test_skip_lost_chroma (pair->format))
    return;
  for (guint i = 0; i < G_N_ELEMENTS (sizes); i++)
    if (cuda_test_is_possible (pair->format, sizes[i][1]) && cuda_test_keeps_chroma (pair->format, sizes[i][1]))
      for (guint j = 0; j < pair->painter->n_cases; j++)
        check_case (pair->painter, &pair->painter->cases[j], pair->format, sizes[i][0], sizes[i][1]);
}

/* A frame of another context: the element paints there from then on. */
static void
test_other_context (gconstpointer data)
{
  const Painter *painter = data;
  g_autofree gchar *launch = g_strdup_printf ("%s %s", painter->element, painter->some.properties);
  CudaSource sources[2];
  GstHarness *harness;
  GstCudaContext *context = gst_cuda_context_new (0);

  sources[0] = cuda_source_open (NULL, "NV12", 160, 120);
  sources[1] = cuda_source_open (context, "NV12", 160, 120);
  harness = cuda_source_harness (&sources[0], launch, NULL);
  for (guint i = 0; i < 6; i++) {
    CudaSource *source = &sources[i / 2 % 2];
    g_autoptr (GstBuffer) before = cuda_source_frame (source, i);
    GstBuffer *after = gst_buffer_copy_deep (before);

    add_scene (source, after, painter->some.scene, i);
    after = test_pass (harness, after);
    g_assert_true (cuda_test_memory_context (after) == source->context);
    g_assert_cmpuint (n_changed (after, before, &source->info), >, 100);
    gst_buffer_unref (after);
  }
  test_harness_free (harness);
  cuda_source_close (&sources[1]);
  cuda_source_close (&sources[0]);
  gst_object_unref (context);
}

/* A frame that somebody else holds stays as it is. */
static void
test_untouched (gconstpointer data)
{
  const Painter *painter = data;
  g_autoptr (GstBuffer) out = NULL;
  g_auto (Twins) twins = twins_new (painter, painter->some.properties, "NV12", 160, 120);
  g_autoptr (GstBuffer) in = cuda_source_frame (&twins.source, 1);
  g_autoptr (GstBuffer) before = gst_buffer_copy_deep (in);

  add_scene (&twins.source, in, painter->some.scene, 1);
  out = test_pass (twins.harnesses[0], gst_buffer_ref (in));
  cuda_test_assert_same_pixels (in, before, &twins.source.info);
  g_assert_cmpuint (n_changed (out, before, &twins.source.info), >, 100);
}

/* --- The overlay ------------------------------------------------------------------------------------- */

/* Without metas, nothing is drawn. */
static void
test_no_metas (void)
{
  g_auto (Twins) twins = twins_new (&painters[0], "", "NV12", 160, 120);
  g_autoptr (GstBuffer) before = test_frame (&twins.source.info, 1);
  g_autoptr (GstBuffer) out = test_pass (twins.harnesses[0], cuda_source_frame (&twins.source, 1));

  cuda_test_assert_same_pixels (out, before, &twins.source.info);
}

/* More pieces in a tile than a block of threads reads at once. */
static void
test_many (void)
{
  g_auto (Twins) twins = twins_new (&painters[0], "color=0x40ffc400", "NV12", 640, 360);

  for (guint i = 0; i < 2; i++) {
    twins_begin (&twins, add_many_components, i);
    twins_end (&twins);
  }
}

/* The view of a cropped frame begins in the middle of a chroma sample and of a mask's cell. */
static void
test_cropped (void)
{
  g_auto (Twins) twins = twins_new (&painters[0], "", "NV12", 157, 84);

  for (guint i = 0; i < 2; i++) {
    twins_begin (&twins, add_rules, i);
    gst_buffer_add_video_meta (twins.frames[1], GST_VIDEO_FRAME_FLAG_NONE, GST_VIDEO_FORMAT_NV12, 157, 84);
    for (guint j = 0; j < 2; j++) {
      GstVideoCropMeta *crop = gst_buffer_add_video_crop_meta (twins.frames[j]);

      crop->x = 13, crop->y = 7, crop->width = 120, crop->height = 60;
    }
    twins_end (&twins);
  }
}

/* Masks that the device holds are drawn again, also with another font, and after its memory has grown. */
static void
test_kept_masks (void)
{
  g_auto (Twins) twins = twins_new (&painters[0], "show-area=true", "Y444", 320, 244);

  for (guint i = 0; i < 8; i++) {
    twins_begin (&twins, NULL, i);
    for (guint j = 0; j < 2; j++) {
      g_object_set (twins.harnesses[j]->element, "font-desc", i == 4 || i == 5 ? "Serif 20" : "Sans Bold", NULL);
      add_rules (twins.frames[j], 320, 244, i / 2);
      if (i == 3)
        add_some_components (twins.frames[j], 320, 244, 2000);
    }
    twins_end (&twins);
  }
}

static void
add_test (const gchar *name, const Painter *painter, gpointer data, GTestDataFunc test, GDestroyNotify destroy)
{
  g_autofree gchar *path = g_strdup_printf ("/cuda-painters/%s/%s", painter->element, name);

  g_test_add_data_func_full (path, data, test, destroy);
}

static void
add_cases (void)
{
  for (const Painter *painter = painters; painter < painters + G_N_ELEMENTS (painters); painter++) {
    for (guint i = 0; i < G_N_ELEMENTS (formats); i++)
      add_test (formats[i], painter, g_memdup2 (&(Pair) { painter, formats[i] }, sizeof (Pair)), test_twins, g_free);
    add_test ("other-context", painter, (gpointer) painter, test_other_context, NULL);
    add_test ("untouched", painter, (gpointer) painter, test_untouched, NULL);
  }
  ADD_TESTS ("/cuda-painters/overlay", test_no_metas, test_many, test_cropped, test_kept_masks);
}

int
main (int argc, char **argv)
{
  return cuda_test_main (argc, argv, "/cuda-painters", add_cases);
}
