/* gst-cca: the metas through other elements
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "meta-test.h"

/* The coordinates behind a chain of elements: they stay, follow to a frame of another size, or are lost; with
 * known_later only before GStreamer 1.28. */
typedef enum
{
  STAYS,
  FOLLOWS,
  LOST,
} Fate;

typedef struct
{
  const gchar *launch;
  Fate fate;
  guint width, height;  /* of the last frame, for FOLLOWS */
  gboolean known_later; /* GStreamer 1.28 tells: then it follows in a way that only test_followed_later() looks at */
} Chain;

static const Chain chains[] = {
  { "identity", STAYS },
  { "queue", STAYS },
  { "tee ! queue", STAYS },
  { "videoconvert ! capsfilter caps=video/x-raw,format=RGB", STAYS },
  { "videoconvert ! capsfilter caps=video/x-raw,format=NV12 ! videoconvert ! capsfilter caps=video/x-raw,format=GRAY8",
    STAYS },
  { "tee name=t ! funnel name=f ! videobalance brightness=0.1", STAYS },
  { "videoscale ! capsfilter caps=video/x-raw,width=32,height=24", FOLLOWS, 32, 24 },
  { "videoscale ! capsfilter caps=video/x-raw,width=96,height=72 ! videoconvert ! capsfilter "
    "caps=video/x-raw,format=RGB ! queue ! videoscale ! capsfilter caps=video/x-raw,width=128,height=96",
    FOLLOWS, 128, 96 },
  /* Without a pixel aspect ratio in the caps videoscale changes that, and adds no borders. */
  { "videoscale ! capsfilter caps=video/x-raw,width=100,height=20", FOLLOWS, 100, 20 },
  { "videoscale ! capsfilter caps=video/x-raw,width=100,height=20,pixel-aspect-ratio=1/1", LOST, 0, 0, TRUE },
  { "videoscale add-borders=false ! capsfilter caps=video/x-raw,width=100,height=20,pixel-aspect-ratio=1/1", LOST, 0, 0,
    TRUE },
  { "videocrop left=10 right=2 top=4 bottom=6", LOST, 0, 0, TRUE },
  { "videocrop left=32 top=24", LOST, 0, 0, TRUE },
  { "videobox left=-10 top=-4", LOST, 0, 0, TRUE },
  { "videoflip video-direction=horiz", LOST, 0, 0, TRUE },
  { "videoflip video-direction=90r", LOST, 0, 0, TRUE },
  { "videoflip video-direction=horiz ! queue ! videoconvert ! capsfilter caps=video/x-raw,format=RGB ! videoscale ! "
    "capsfilter caps=video/x-raw,width=32,height=24",
    LOST, 0, 0, TRUE },
};

/* A harness around a chain of elements. */
static GstHarness *
chain_harness (const gchar *launch)
{
  GstHarness *harness = gst_harness_new_parse (launch);

  gst_harness_set_src_caps (harness, test_caps ("I420", WIDTH, HEIGHT, NULL));
  return harness;
}

/* The size of the frames that a harness gives. */
static void
output_size (GstHarness *harness, guint *width, guint *height)
{
  GstCaps *caps = gst_pad_get_current_caps (harness->sinkpad);
  GstVideoInfo info;

  g_assert_true (gst_video_info_from_caps (&info, caps));
  gst_caps_unref (caps);
  *width = (guint) GST_VIDEO_INFO_WIDTH (&info);
  *height = (guint) GST_VIDEO_INFO_HEIGHT (&info);
}

/* Asserts that a buffer has the metas of test_buffer_with_metas() scaled to a frame. */
static void
assert_scaled_meta (GstBuffer *buffer, guint width, guint height)
{
  const GstCcaMeta *meta = gst_buffer_get_cca_meta (buffer);
  const gdouble x = width / (gdouble) WIDTH, y = height / (gdouble) HEIGHT;

  g_assert_cmpuint (meta->width, ==, width);
  g_assert_cmpuint (meta->height, ==, height);
  g_assert_cmpstr (meta->id, ==, ID);
  g_assert_cmpuint (meta->n_components, ==, 3);
  test_assert_together (buffer);
  for (guint i = 0; i < N; i++) {
    const GstCcaComponent *from = &test_components[i], *to = &meta->components[i];

    /* Each scaler rounds boxes outwards, as far as the floats of a matrix allow. */
    g_assert_cmpfloat (to->x, <=, from->x * x + 0.02);
    g_assert_cmpfloat (to->x, >, from->x * x - 2);
    g_assert_cmpfloat (to->x + to->width, >=, (from->x + from->width) * x - 0.02);
    g_assert_cmpfloat (to->x + to->width, <, (from->x + from->width) * x + 2);
    g_assert_cmpfloat (to->y, <=, from->y * y + 0.02);
    g_assert_cmpfloat (to->y, >, from->y * y - 2);
    g_assert_cmpfloat_with_epsilon (to->centroid_x, (from->centroid_x + 0.5) * x - 0.5, 1e-4);
    g_assert_cmpfloat_with_epsilon (to->centroid_y, (from->centroid_y + 0.5) * y - 0.5, 1e-4);
  }
}

static void
test_through (gconstpointer data)
{
  const GstVideoInfo info = test_video_info ("I420", WIDTH, HEIGHT);
  const Chain *chain = data;
  g_autoptr (GstHarness) harness = NULL;

#if GST_CHECK_VERSION(1, 28, 0)
  if (chain->known_later) {
    g_test_skip ("from GStreamer 1.28 on the elements tell more: /meta/followed-later");
    return;
  }
#endif
  harness = chain_harness (chain->launch);
  for (guint i = 0; i < 3; i++) {
    g_autoptr (GstBuffer) buffer = gst_harness_push_and_pull (harness, test_buffer_with_metas (test_frame (&info, i)));
    const GstCcaMeta *meta = gst_buffer_get_cca_meta (buffer);
    GstVideoRectangle place;
    guint width, height;

    output_size (harness, &width, &height);
    g_assert_cmpuint (gst_buffer_get_n_meta (buffer, GST_CCA_META_API_TYPE), ==, 1);
    g_assert_cmpuint (gst_buffer_get_n_meta (buffer, GST_CCA_TRACK_META_API_TYPE), ==, 1);
    g_assert_cmpuint (gst_buffer_get_n_meta (buffer, GST_CCA_EVENT_META_API_TYPE), ==, 1);
    g_assert_cmpint (meta->stale, ==, chain->fate == LOST);
    if (chain->fate == FOLLOWS) {
      assert_scaled_meta (buffer, chain->width, chain->height);
      g_assert_true (chain->width == width && chain->height == height);
    } else {
      test_assert_same_metas (buffer);
    }
    g_assert_cmpint (gst_cca_meta_map_to_frame (meta, buffer, width, height, &place), ==,
                     chain->fate == LOST ? GST_CCA_PLACE_UNKNOWN : GST_CCA_PLACE_SAME);
    g_assert_cmpint (place.w, ==, chain->fate == LOST ? 0 : width);
  }
}

/* Where elements tell how they change a frame. */
static void
test_followed_later (void)
{
#if GST_CHECK_VERSION(1, 28, 0)
  static const struct
  {
    const gchar *launch;
    guint x, y, width, height; /* of the first component, 10x20 at (3, 4) */
  } followed[] = {
    { "videoscale ! capsfilter caps=video/x-raw,width=64,height=96,pixel-aspect-ratio=1/1", 3, 28, 10, 20 },
    { "videocrop left=2 top=4", 1, 0, 10, 20 },
    { "videobox left=-10 top=-4", 13, 8, 10, 20 },
    { "videoflip video-direction=horiz", WIDTH - 13, 4, 10, 20 },
    { "videoflip video-direction=90r", HEIGHT - 24, 3, 20, 10 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (followed); i++) {
    const GstVideoInfo info = test_video_info ("I420", WIDTH, HEIGHT);
    g_autoptr (GstHarness) harness = chain_harness (followed[i].launch);
    g_autoptr (GstBuffer) buffer = gst_harness_push_and_pull (harness, test_buffer_with_metas (test_frame (&info, 0)));
    const GstCcaMeta *meta = gst_buffer_get_cca_meta (buffer);
    guint width, height;

    output_size (harness, &width, &height);
    g_assert_false (meta->stale);
    g_assert_true (meta->width == width && meta->height == height);
    g_assert_cmpuint (meta->components[0].x, ==, followed[i].x);
    g_assert_cmpuint (meta->components[0].y, ==, followed[i].y);
    g_assert_cmpuint (meta->components[0].width, ==, followed[i].width);
    g_assert_cmpuint (meta->components[0].height, ==, followed[i].height);
    test_assert_together (buffer);
  }
#else
  g_test_skip ("GStreamer before 1.28 does not tell metas of borders, cropping and turning");
#endif
}

/* --- Frames in CUDA memory, whose elements drop metas with tags ---------------------------------------- */

/* System memory that says it is CUDA memory. */
static GstMemory *
fake_map (GstMemory *memory, gsize size, GstMapFlags flags)
{
  return NULL;
}

static void
fake_free (GstAllocator *allocator, GstMemory *memory)
{
  g_free (memory);
}

typedef GstAllocator FakeAllocator;
typedef GstAllocatorClass FakeAllocatorClass;
GType fake_allocator_get_type (void);
G_DEFINE_TYPE (FakeAllocator, fake_allocator, GST_TYPE_ALLOCATOR)

static void
fake_allocator_init (FakeAllocator *allocator)
{
  allocator->mem_type = "gst.cuda.memory";
  allocator->mem_map = (GstMemoryMapFunction) fake_map;
}

static void
fake_allocator_class_init (FakeAllocatorClass *klass)
{
  klass->free = fake_free;
}

/* A frame of a size in CUDA memory or in system memory. */
static GstBuffer *
frame_in (GstAllocator *cuda, guint width, guint height)
{
  GstBuffer *buffer = gst_buffer_new ();

  if (cuda) {
    GstMemory *memory = g_new0 (GstMemory, 1);

    gst_memory_init (memory, 0, cuda, NULL, width * height, 0, 0, width * height);
    gst_buffer_append_memory (buffer, memory);
  } else {
    gst_buffer_append_memory (buffer, gst_allocator_alloc (NULL, width * height, NULL));
  }
  gst_buffer_add_video_meta (buffer, 0, GST_VIDEO_FORMAT_GRAY8, width, height);
  return buffer;
}

static void
test_cuda_memory (void)
{
  g_autoptr (GstAllocator) cuda = g_object_ref_sink (g_object_new (fake_allocator_get_type (), NULL));
  const GstCcaComponent *shared;
  GstBuffer *buffer;

  /* There, on the spot, and back. */
  buffer = test_buffer_with_metas (frame_in (NULL, WIDTH, HEIGHT));
  shared = gst_buffer_get_cca_meta (buffer)->components;
  buffer = test_pass_untagged (buffer, frame_in (cuda, WIDTH, HEIGHT));
  buffer = test_pass_untagged (buffer, frame_in (cuda, WIDTH, HEIGHT));
  buffer = test_pass_untagged (buffer, frame_in (NULL, WIDTH, HEIGHT));
  g_assert_true (test_assert_same_metas (buffer)->components == shared);
  g_assert_false (gst_buffer_get_cca_meta (buffer)->stale);
  gst_buffer_unref (buffer);

  /* Scaled. */
  buffer = test_pass_untagged (test_buffer_with_metas (frame_in (cuda, WIDTH, HEIGHT)),
                               frame_in (cuda, WIDTH * 2, HEIGHT * 2));
  assert_scaled_meta (buffer, WIDTH * 2, HEIGHT * 2);
  g_assert_false (gst_buffer_get_cca_meta (buffer)->stale);
  gst_buffer_unref (buffer);

  /* Another shape has borders, or is cropped, or is stretched. */
  buffer =
      test_pass_untagged (test_buffer_with_metas (frame_in (cuda, WIDTH, HEIGHT)), frame_in (cuda, WIDTH, HEIGHT / 2));
  g_assert_true (test_assert_same_metas (buffer)->stale);
  gst_buffer_unref (buffer);

  /* A crop that is carried out. */
  buffer = test_buffer_with_metas (frame_in (cuda, WIDTH, HEIGHT));
  gst_buffer_add_video_crop_meta (buffer)->width = WIDTH / 2;
  buffer = test_pass_untagged (buffer, frame_in (cuda, WIDTH, HEIGHT));
  g_assert_true (test_assert_same_metas (buffer)->stale);
  gst_buffer_unref (buffer);

  /* In system memory, an element that drops tagged metas may have changed the geometry. */
  buffer = test_pass_untagged (test_buffer_with_metas (frame_in (NULL, WIDTH, HEIGHT)), frame_in (NULL, WIDTH, HEIGHT));
  g_assert_true (test_assert_same_metas (buffer)->stale);
  gst_buffer_unref (buffer);
}

/* A meta that is added anew is not stale, whatever happened to the frame before. */
static void
test_stale_and_new (void)
{
  GstBuffer *buffer =
      test_pass_untagged (test_buffer_with_metas (frame_in (NULL, WIDTH, HEIGHT)), frame_in (NULL, WIDTH, HEIGHT));
  g_autoptr (GstBuffer) copy = NULL;

  gst_buffer_add_cca_meta (buffer, "new", WIDTH, HEIGHT, 1, test_components, 1);
  copy = gst_buffer_copy (buffer);
  gst_buffer_unref (buffer);
  g_assert_true (test_assert_same_metas (copy)->stale);
  g_assert_false (gst_buffer_get_cca_meta_by_id (copy, "new")->stale);
  copy = test_scale_metas (copy, WIDTH / 2, HEIGHT / 2);
  g_assert_true (test_assert_same_metas (copy)->stale);
}

/* Branches share the components. */
static void
test_tee (void)
{
  const GstVideoInfo info = test_video_info ("I420", WIDTH, HEIGHT);
  GstBuffer *frame = test_buffer_with_metas (test_frame (&info, 0));
  const GstCcaComponent *shared = gst_buffer_get_cca_meta (frame)->components;
  g_autoptr (GstHarness) harness =
      chain_harness ("tee name=t ! queue ! funnel name=f t. ! queue ! videoconvert ! "
                     "video/x-raw,format=GRAY8 ! videoconvert ! video/x-raw,format=I420 ! f.");

  g_assert_cmpint (gst_harness_push (harness, frame), ==, GST_FLOW_OK);
  for (guint i = 0; i < 2; i++) {
    g_autoptr (GstBuffer) buffer = gst_harness_pull (harness);

    g_assert_true (test_assert_same_metas (buffer)->components == shared);
  }
}

/* A crop that downstream follows leaves the frame whole, and so the coordinates right. */
static void
test_crop_meta (void)
{
  const GstVideoInfo info = test_video_info ("I420", WIDTH, HEIGHT);
  g_autoptr (GstHarness) harness = gst_harness_new_parse ("videocrop left=10 top=4");
  g_autoptr (GstBuffer) buffer = NULL;

  gst_harness_add_propose_allocation_meta (harness, GST_VIDEO_META_API_TYPE, NULL);
  gst_harness_add_propose_allocation_meta (harness, GST_VIDEO_CROP_META_API_TYPE, NULL);
  gst_harness_set_src_caps (harness, test_caps ("I420", WIDTH, HEIGHT, NULL));
  buffer = gst_harness_push_and_pull (harness, test_buffer_with_metas (test_frame (&info, 0)));
  test_assert_same_metas (buffer);
  g_assert_nonnull (gst_buffer_get_video_crop_meta (buffer));
  g_assert_cmpuint (gst_buffer_get_video_meta (buffer)->width, ==, WIDTH);
  g_assert_cmpuint (gst_buffer_get_video_meta (buffer)->height, ==, HEIGHT);
}

GST_CASES_MAIN ()
{
  for (guint i = 0; i < G_N_ELEMENTS (chains); i++) {
    g_autofree gchar *path = g_strdup_printf ("/meta-elements/through/%u", i);

    g_test_add_data_func (path, &chains[i], test_through);
  }
  ADD_TESTS ("/meta-elements", test_followed_later, test_cuda_memory, test_stale_and_new, test_tee, test_crop_meta);
}
