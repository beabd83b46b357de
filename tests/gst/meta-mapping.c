/* gst-cca: the metas in frames of other sizes
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "meta-test.h"

static void
test_scale (void)
{
  /* To 3/2 and 1/3: x 3…13 → 4.5…19.5, y 4…24 → 1.33…8; x 40…45 → 60…67.5, y 30…36 → 10…12. */
  const GstCcaComponent expected[] = {
    { 1, 4, 1, 16, 7, 75, 7.75 * 1.5 - 0.5, 14. / 3 - 0.5, 9, -0.5, 1 },
    { 7, 60, 10, 8, 2, 0x123456789 / 2 + 1, 42.5 * 1.5 - 0.5, 33. / 3 - 0.5, 4.5, 0.25, 1. / 3 },
  };
  g_autoptr (GstBuffer) buffer =
      test_scale_metas (test_buffer_with_metas (gst_buffer_new ()), WIDTH * 3 / 2, HEIGHT / 3);
  const GstCcaMeta *meta = gst_buffer_get_cca_meta (buffer);
  const GstCcaRule *door;

  g_assert_cmpuint (meta->width, ==, WIDTH * 3 / 2);
  g_assert_cmpuint (meta->height, ==, HEIGHT / 3);
  g_assert_cmpuint (meta->n_components, ==, 3);
  g_assert_cmpuint (meta->n_stored, ==, 2);
  g_assert_true (meta->truncated);
  test_assert_component (&meta->components[0], &expected[0]);
  test_assert_component (&meta->components[1], &expected[1]);
  test_assert_together (buffer);
  /* The root of 3/2 * 1/3. */
  g_assert_cmpfloat_with_epsilon (meta->shapes[0].perimeter, 45.5 / G_SQRT2, 1e-9);
  g_assert_cmpfloat_with_epsilon (meta->shapes[0].perimeter_crofton, 47.25 / G_SQRT2, 1e-9);
  g_assert_cmpint (meta->shapes[1].euler_number, ==, -1234);
  door = &gst_buffer_get_cca_event_meta (buffer)->rules[0];
  g_assert_cmpfloat (door->points[2].x, ==, 0);
  g_assert_cmpfloat (door->points[2].y, ==, HEIGHT / 3);
}

/* For any sizes, a mapped box is the smallest one that covers the original. */
static void
test_scale_covers (void)
{
  for (guint from = 1; from <= 20; from++)
    for (guint to = 1; to <= 20; to++)
      for (guint x = 0; x < from; x++) {
        const guint width = 1 + (x * 7) % (from - x);
        const GstCcaComponent component = { .label = 1, .x = x, .width = width, .height = HEIGHT, .area = 1 };
        g_autoptr (GstBuffer) buffer = gst_buffer_new ();
        const GstCcaComponent *scaled;

        /* The meta's own size counts, not the scaler's input size. */
        gst_buffer_add_cca_meta (buffer, ID, from, HEIGHT, 1, &component, 1);
        buffer = test_scale_metas (buffer, to, HEIGHT);
        scaled = gst_cca_meta_get_component (gst_buffer_get_cca_meta (buffer), 0);
        g_assert_cmpuint (scaled->x, ==, x * to / from);
        g_assert_cmpuint (scaled->x + scaled->width, ==, ((x + width) * to + from - 1) / from);
      }
}

static void
test_scale_to_itself (void)
{
  g_autoptr (GstBuffer) buffer = test_scale_metas (test_buffer_with_metas (gst_buffer_new ()), WIDTH, HEIGHT);

  test_assert_same_metas (buffer);
}

/* Components keep their shapes and intensities when others before them are dropped. */
static void
test_dropped (void)
{
  GstCcaComponent components[] = { test_components[0], test_components[1] };
  GstBuffer *buffer = gst_buffer_new ();
  GstCcaMeta *meta;

  components[0].x = 10 * WIDTH; /* as a sender may have said */
  meta = gst_buffer_add_cca_meta (buffer, ID, WIDTH, HEIGHT, 3, components, N);
  test_set_details (meta);
  buffer = test_scale_metas (buffer, 2 * WIDTH, 2 * HEIGHT);
  meta = gst_buffer_get_cca_meta (buffer);
  g_assert_cmpuint (meta->n_stored, ==, 1);
  g_assert_cmpuint (meta->components[0].label, ==, test_components[1].label);
  g_assert_cmpfloat (meta->shapes[0].perimeter, ==, 2 * test_shapes[1].perimeter);
  g_assert_cmpfloat (meta->shapes[0].perimeter_crofton, ==, 2 * test_shapes[1].perimeter_crofton);
  g_assert_cmpint (meta->shapes[0].euler_number, ==, test_shapes[1].euler_number);
  g_assert_cmpmem (meta->intensities, sizeof test_intensities[1], &test_intensities[1], sizeof test_intensities[1]);
  gst_buffer_unref (buffer);
}

static void
test_unknown_transform (void)
{
  g_autoptr (GstBuffer) buffer = test_buffer_with_metas (gst_buffer_new ()), to = gst_buffer_new ();

  g_assert_false (test_transform_metas (buffer, to, "gst-cca-test-unknown", NULL));
  g_assert_null (gst_buffer_get_cca_meta (to));
  g_assert_null (gst_buffer_get_cca_track_meta (to));
  g_assert_null (gst_buffer_get_cca_event_meta (to));
}

#if GST_CHECK_VERSION(1, 28, 0)
/* The buffer through a matrix; NULL where the matrix is refused. */
static GstBuffer *
apply_matrix (guint width, guint height, const GstVideoMetaTransformMatrix *matrix)
{
  GstVideoInfo in = test_video_info ("GRAY8", WIDTH, HEIGHT), out = test_video_info ("GRAY8", width, height);
  g_autoptr (GstBuffer) from = test_buffer_with_metas (gst_buffer_new ());
  GstBuffer *to = gst_buffer_new ();
  GstVideoMetaTransformMatrix data = *matrix;

  data.in_info = &in;
  data.out_info = &out;
  if (!test_transform_metas (from, to, "gst-video-matrix", &data))
    gst_clear_buffer (&to);
  return to;
}
#endif

static void
test_matrix_crop (void)
{
#if GST_CHECK_VERSION(1, 28, 0)
  const GstVideoMetaTransformMatrix matrix = {
    .in_rectangle = { 5, 10, 20, 30 },
    .out_rectangle = { 0, 0, 40, 30 },
    .matrix = { { 2, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } },
  };
  /* x 3…13 → -4…16, clipped; y 4…24 → -6…14, clipped. The other lies to the right of the crop. */
  const GstCcaComponent expected = { 1, 0, 0, 16, 14, 300, 2 * (7.75 - 5) - 0.5, 3.5, 16, -2, 9 };
  GstBuffer *buffer = apply_matrix (40, 30, &matrix);
  const GstCcaMeta *meta = gst_buffer_get_cca_meta (buffer);
  const GstCcaTrackMeta *tracks = gst_buffer_get_cca_track_meta (buffer);
  const GstCcaEventMeta *events = gst_buffer_get_cca_event_meta (buffer);

  g_assert_cmpuint (meta->width, ==, 40);
  g_assert_cmpuint (meta->height, ==, 30);
  g_assert_cmpuint (meta->n_stored, ==, 1);
  g_assert_cmpuint (meta->n_components, ==, 2);
  g_assert_true (meta->truncated);
  test_assert_component (&meta->components[0], &expected);
  g_assert_cmpuint (meta->n_stored_overlaps, ==, N);
  g_assert_cmpuint (meta->overlaps[1].pixels, ==, test_overlaps[1].pixels);
  g_assert_cmpfloat_with_epsilon (meta->shapes[0].perimeter, 45.5 * G_SQRT2, 1e-9);
  g_assert_cmpmem (meta->intensities, sizeof test_intensities[0], &test_intensities[0], sizeof test_intensities[0]);

  g_assert_true (tracks->width == 40 && tracks->height == 30);
  g_assert_cmpuint (tracks->n_tracks, ==, 1);
  g_assert_true (tracks->tracks[0].x == 0 && tracks->tracks[0].y == 0);
  g_assert_true (tracks->tracks[0].width == 16 && tracks->tracks[0].height == 14);
  g_assert_cmpuint (tracks->tracks[0].area, ==, 300);
  g_assert_cmpfloat_with_epsilon (tracks->tracks[0].velocity_x, 2 * 34.75, 1e-9);
  g_assert_cmpfloat_with_epsilon (tracks->tracks[0].velocity_y, 19, 1e-9);

  /* Rules and events outside stay. */
  g_assert_true (events->width == 40 && events->height == 30);
  g_assert_true (events->n_rules == 2 && events->n_events == N);
  g_assert_cmpfloat_with_epsilon (events->rules[0].points[2].x, -10, 1e-9);
  g_assert_cmpfloat_with_epsilon (events->rules[0].points[2].y, HEIGHT - 10, 1e-9);
  g_assert_cmpfloat_with_epsilon (events->events[1].x, 2 * (42.5 - 5), 1e-9);
  g_assert_cmpfloat_with_epsilon (events->events[1].y, 23, 1e-9);
  gst_buffer_unref (buffer);
#else
  g_test_skip ("GStreamer before 1.28 has no matrix transforms of metas");
#endif
}

static void
test_matrix_turn (void)
{
#if GST_CHECK_VERSION(1, 28, 0)
  const GstVideoRectangle in = { 0, 0, WIDTH, HEIGHT }, turned = { 0, 0, HEIGHT, WIDTH };
  const GstVideoMetaTransformMatrix mirror = { .in_rectangle = in,
                                               .out_rectangle = in,
                                               .matrix = { { -1, 0, WIDTH - 1 }, { 0, 1, 0 }, { 0, 0, 1 } } };
  const GstVideoMetaTransformMatrix clockwise = { .in_rectangle = in,
                                                  .out_rectangle = turned,
                                                  .matrix = { { 0, -1, HEIGHT - 1 }, { 1, 0, 0 }, { 0, 0, 1 } } };
  const GstVideoMetaTransformMatrix shear = { .in_rectangle = in,
                                              .out_rectangle = in,
                                              .matrix = { { 1, 0.5, 0 }, { 0, 1, 0 }, { 0, 0, 1 } } };
  const GstVideoMetaTransformMatrix perspective = { .in_rectangle = in,
                                                    .out_rectangle = in,
                                                    .matrix = { { 1, 0, 0 }, { 0, 1, 0 }, { 0.5, 0, 1 } } };
  const GstCcaComponent mirrored = { 1, WIDTH - 13, 4, 10, 20, 150, WIDTH - 1 - 7.25, 13.5, 4, 1, 9 };
  const GstCcaComponent turned_once = { 1, HEIGHT - 24, 3, 20, 10, 150, HEIGHT - 1 - 13.5, 7.25, 9, 1, 4 };
  GstBuffer *buffer = apply_matrix (WIDTH, HEIGHT, &mirror);

  test_assert_component (gst_cca_meta_get_component (gst_buffer_get_cca_meta (buffer), 0), &mirrored);
  test_assert_together (buffer);
  gst_buffer_unref (buffer);
  buffer = apply_matrix (HEIGHT, WIDTH, &clockwise);
  test_assert_component (gst_cca_meta_get_component (gst_buffer_get_cca_meta (buffer), 0), &turned_once);
  test_assert_together (buffer);
  gst_buffer_unref (buffer);

  g_assert_null (apply_matrix (WIDTH, HEIGHT, &shear));
  g_assert_null (apply_matrix (WIDTH, HEIGHT, &perspective));
#else
  g_test_skip ("GStreamer before 1.28 has no matrix transforms of metas");
#endif
}

/* Maps components to a consumer's frame. */
static void
test_map_to_frame (void)
{
  static const struct
  {
    guint width, height;
    GstCcaPlace place;
  } sizes[] = {
    { WIDTH, HEIGHT, GST_CCA_PLACE_SAME },
    { WIDTH * 2, HEIGHT * 2, GST_CCA_PLACE_MAPPED },
    { WIDTH / 2, HEIGHT / 2, GST_CCA_PLACE_MAPPED },
    { 101, 76, GST_CCA_PLACE_MAPPED }, /* 101 × 75.75 */
    { WIDTH, HEIGHT / 2, GST_CCA_PLACE_UNKNOWN },
    { WIDTH, 0, GST_CCA_PLACE_UNKNOWN },
    { 0, 0, GST_CCA_PLACE_UNKNOWN },
  };
  GstBuffer *buffer = test_buffer_with_metas (gst_buffer_new_allocate (NULL, WIDTH * HEIGHT, NULL));
  const GstCcaMeta *meta = gst_buffer_get_cca_meta (buffer);
  const GstCcaTrackMeta *tracks = gst_buffer_get_cca_track_meta (buffer);
  const GstCcaEventMeta *events = gst_buffer_get_cca_event_meta (buffer);
  GstVideoCropMeta *crop;
  GstVideoRectangle place, other;

  gst_buffer_add_video_meta (buffer, 0, GST_VIDEO_FORMAT_GRAY8, WIDTH, HEIGHT);

  for (guint i = 0; i < G_N_ELEMENTS (sizes); i++) {
    const gboolean known = sizes[i].place != GST_CCA_PLACE_UNKNOWN;

    g_assert_cmpint (gst_cca_meta_map_to_frame (meta, buffer, sizes[i].width, sizes[i].height, &place), ==,
                     sizes[i].place);
    g_assert_true (place.x == 0 && place.y == 0);
    g_assert_cmpint (place.w, ==, known ? sizes[i].width : 0);
    g_assert_cmpint (place.h, ==, known ? sizes[i].height : 0);
    g_assert_cmpint (gst_cca_track_meta_map_to_frame (tracks, buffer, sizes[i].width, sizes[i].height, &other), ==,
                     sizes[i].place);
    g_assert_true (other.w == place.w && other.h == place.h);
    g_assert_cmpint (gst_cca_event_meta_map_to_frame (events, buffer, sizes[i].width, sizes[i].height, &other), ==,
                     sizes[i].place);
    g_assert_true (other.w == place.w && other.h == place.h);
  }
  crop = gst_buffer_add_video_crop_meta (buffer);
  crop->x = 10, crop->y = 4, crop->width = 20, crop->height = 15;
  g_assert_cmpint (gst_cca_meta_map_to_frame (meta, buffer, 20, 15, &place), ==, GST_CCA_PLACE_MAPPED);
  g_assert_true (place.x == -10 && place.y == -4 && place.w == WIDTH && place.h == HEIGHT);
  gst_buffer_unref (buffer);

  buffer = gst_buffer_new ();
  meta = gst_buffer_add_cca_meta (buffer, NULL, 0, 0, 0, NULL, 0);
  g_assert_cmpint (gst_cca_meta_map_to_frame (meta, buffer, 20, 15, &place), ==, GST_CCA_PLACE_UNKNOWN);
  gst_buffer_unref (buffer);
}

GST_TESTS_MAIN ("/meta-mapping", test_scale, test_scale_covers, test_scale_to_itself, test_dropped,
                test_unknown_transform, test_matrix_crop, test_matrix_turn, test_map_to_frame)
