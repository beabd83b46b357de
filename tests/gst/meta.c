/* gst-cca: the meta, by itself and through other elements
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "element-test.h"

#include <string.h>

enum
{
  WIDTH = 64,
  HEIGHT = 48,
};

#define ID "people"

/* Two components with every field set. */
static const GstCcaComponent components[] = {
  { 1, 3, 4, 10, 20, G_GUINT64_CONSTANT (150), 7.25, 13.5, 4, -1, 9 },
  { 7, 40, 30, 5, 6, G_GUINT64_CONSTANT (0x123456789), 42, 32.5, 2, 0.5, 3 },
};

/* A buffer that says: two components stored of three found. */
static GstBuffer *
buffer_with_meta (GstBuffer *buffer)
{
  g_assert_nonnull (gst_buffer_add_cca_meta (buffer, ID, WIDTH, HEIGHT, 3, components, G_N_ELEMENTS (components)));
  return buffer;
}

static void
assert_component (const GstCcaComponent *a, const GstCcaComponent *b)
{
  g_assert_cmpuint (a->label, ==, b->label);
  g_assert_cmpuint (a->x, ==, b->x);
  g_assert_cmpuint (a->y, ==, b->y);
  g_assert_cmpuint (a->width, ==, b->width);
  g_assert_cmpuint (a->height, ==, b->height);
  g_assert_cmpuint (a->area, ==, b->area);
  g_assert_cmpfloat_with_epsilon (a->centroid_x, b->centroid_x, 1e-9);
  g_assert_cmpfloat_with_epsilon (a->centroid_y, b->centroid_y, 1e-9);
  g_assert_cmpfloat_with_epsilon (a->cov_xx, b->cov_xx, 1e-9);
  g_assert_cmpfloat_with_epsilon (a->cov_xy, b->cov_xy, 1e-9);
  g_assert_cmpfloat_with_epsilon (a->cov_yy, b->cov_yy, 1e-9);
}

/* Asserts that the buffer has what buffer_with_meta() added. */
static const GstCcaMeta *
assert_same_meta (GstBuffer *buffer)
{
  const GstCcaMeta *meta = gst_buffer_get_cca_meta (buffer);

  g_assert_nonnull (meta);
  g_assert_cmpstr (meta->id, ==, ID);
  g_assert_cmpuint (meta->width, ==, WIDTH);
  g_assert_cmpuint (meta->height, ==, HEIGHT);
  g_assert_cmpuint (meta->n_components, ==, 3);
  g_assert_cmpuint (meta->n_stored, ==, 2);
  g_assert_true (meta->truncated);
  for (guint i = 0; i < meta->n_stored; i++)
    assert_component (&meta->components[i], &components[i]);
  return meta;
}

static void
test_add (void)
{
  GstBuffer *buffer = gst_buffer_new ();
  GstCcaComponent own[2];
  const GstCcaMeta *meta;

  g_assert_null (gst_buffer_get_cca_meta (buffer));
  memcpy (own, components, sizeof own);
  meta = gst_buffer_add_cca_meta (buffer, ID, WIDTH, HEIGHT, 3, own, 2);
  memset (own, 0, sizeof own);
  g_assert_true (meta == assert_same_meta (buffer));

  /* A second meta does not hide the first. */
  g_assert_nonnull (gst_buffer_add_cca_meta (buffer, ID, 1, 1, 0, NULL, 0));
  assert_same_meta (buffer);
  gst_buffer_unref (buffer);
}

/* Asserts that the metas of a buffer are those that test_ids() adds. */
static void
check_ids (GstBuffer *buffer)
{
  static const gchar *const ids[] = { "a", "b", "a", "" };
  gchar **listed = gst_buffer_get_cca_meta_ids (buffer);
  gpointer state = NULL;

  g_assert_cmpuint (g_strv_length (listed), ==, G_N_ELEMENTS (ids));
  for (guint i = 0; i < G_N_ELEMENTS (ids); i++) {
    const GstCcaMeta *meta = gst_buffer_iterate_cca_meta (buffer, &state);

    g_assert_cmpstr (meta->id, ==, ids[i]);
    g_assert_cmpstr (listed[i], ==, ids[i]);
    g_assert_cmpuint (meta->n_components, ==, i);
  }
  g_assert_null (gst_buffer_iterate_cca_meta (buffer, &state));
  g_strfreev (listed);
  g_assert_cmpuint (gst_buffer_get_cca_meta_by_id (buffer, NULL)->n_components, ==, 0);
  g_assert_cmpuint (gst_buffer_get_cca_meta_by_id (buffer, "a")->n_components, ==, 0);
  g_assert_cmpuint (gst_buffer_get_cca_meta_by_id (buffer, "b")->n_components, ==, 1);
  g_assert_cmpuint (gst_buffer_get_cca_meta_by_id (buffer, "")->n_components, ==, 3);
  g_assert_null (gst_buffer_get_cca_meta_by_id (buffer, "c"));
}

static void
test_ids (void)
{
  GstBuffer *buffer = gst_buffer_new (), *copy;
  gchar **none = gst_buffer_get_cca_meta_ids (buffer);
  gchar own[] = "b";

  g_assert_cmpuint (g_strv_length (none), ==, 0);
  g_strfreev (none);
  g_assert_null (gst_buffer_get_cca_meta_by_id (buffer, NULL));
  gst_buffer_add_video_region_of_interest_meta (buffer, "face", 1, 2, 3, 4);
  gst_buffer_add_cca_meta (buffer, "a", WIDTH, HEIGHT, 0, NULL, 0);
  gst_buffer_add_cca_meta (buffer, own, WIDTH, HEIGHT, 1, components, 1);
  own[0] = 'x';
  gst_buffer_add_cca_meta (buffer, "a", WIDTH, HEIGHT, 2, components, 2);
  gst_buffer_add_cca_meta (buffer, NULL, WIDTH, HEIGHT, 3, components, 2);
  check_ids (buffer);
  copy = gst_buffer_copy (buffer);
  gst_buffer_unref (buffer);
  check_ids (copy);
  gst_buffer_unref (copy);
}

static void
test_empty (void)
{
  GstBuffer *buffer = gst_buffer_new (), *copy;
  const GstCcaMeta *meta = gst_buffer_add_cca_meta (buffer, ID, WIDTH, HEIGHT, 0, NULL, 0);

  g_assert_nonnull (meta);
  g_assert_cmpuint (meta->n_components, ==, 0);
  g_assert_false (meta->truncated);
  g_assert_null (gst_cca_meta_get_component (meta, 0));
  copy = gst_buffer_copy (buffer);
  g_assert_cmpuint (gst_buffer_get_cca_meta (copy)->width, ==, WIDTH);
  gst_buffer_unref (copy);
  gst_buffer_unref (buffer);
}

static void
test_component (void)
{
  GstBuffer *buffer = buffer_with_meta (gst_buffer_new ());
  const GstCcaMeta *meta = gst_buffer_get_cca_meta (buffer);
  GstCcaComponent *copy;

  assert_component (gst_cca_meta_get_component (meta, 0), &components[0]);
  assert_component (gst_cca_meta_get_component (meta, 1), &components[1]);
  g_assert_null (gst_cca_meta_get_component (meta, 2));
  g_assert_null (gst_cca_meta_get_component (meta, G_MAXUINT));

  copy = g_boxed_copy (GST_TYPE_CCA_COMPONENT, gst_cca_meta_get_component (meta, 1));
  gst_buffer_unref (buffer);
  assert_component (copy, &components[1]);
  gst_cca_component_free (copy);
}

static void
test_no_tags (void)
{
  const gchar *const *tags = gst_meta_api_type_get_tags (GST_CCA_META_API_TYPE);

  g_assert_true (tags == NULL || tags[0] == NULL);
}

static void
test_copy_shares (void)
{
  GstBuffer *buffer = buffer_with_meta (gst_buffer_new_allocate (NULL, 100, NULL));
  GstBuffer *copy = gst_buffer_copy (buffer), *deep = gst_buffer_copy_deep (buffer);
  GstBuffer *region = gst_buffer_copy_region (buffer, GST_BUFFER_COPY_ALL, 10, 20);
  const GstCcaComponent *shared = gst_buffer_get_cca_meta (buffer)->components;

  g_assert_true (assert_same_meta (copy)->components == shared);
  g_assert_true (assert_same_meta (deep)->components == shared);
  g_assert_true (assert_same_meta (region)->components == shared);
  gst_buffer_unref (buffer);
  gst_buffer_unref (copy);
  gst_buffer_unref (deep);
  assert_same_meta (region);
  gst_buffer_unref (region);
}

/* More copies at once than a GstMemory can be mapped. */
static void
test_many_copies (void)
{
  enum
  {
    N = 1000
  };
  GstBuffer *buffer = buffer_with_meta (gst_buffer_new ()), *copies[N];
  const GstCcaComponent *shared = gst_buffer_get_cca_meta (buffer)->components;

  for (guint i = 0; i < N; i++)
    copies[i] = gst_buffer_copy (i == 0 ? buffer : copies[i - 1]);
  gst_buffer_unref (buffer);
  for (guint i = 0; i < N; i++) {
    g_assert_true (assert_same_meta (copies[i])->components == shared);
    gst_buffer_unref (copies[i]);
  }
}

/* The storage goes back to its pool with the last copy, and comes out of it again. */
static void
test_storage_pool (void)
{
  GstBufferPoolAcquireParams no_wait = { .flags = GST_BUFFER_POOL_ACQUIRE_FLAG_DONTWAIT };
  GstBufferPool *pool = gst_buffer_pool_new ();
  GstStructure *config = gst_buffer_pool_get_config (pool);
  GstBuffer *buffer = gst_buffer_new (), *storage, *copy, *none = NULL;
  const GstCcaComponent *shared;

  gst_buffer_pool_config_set_params (config, NULL, sizeof components, 0, 1);
  g_assert_true (gst_buffer_pool_set_config (pool, config));
  g_assert_true (gst_buffer_pool_set_active (pool, TRUE));
  g_assert_cmpint (gst_buffer_pool_acquire_buffer (pool, &storage, NULL), ==, GST_FLOW_OK);
  gst_buffer_fill (storage, 0, components, sizeof components);

  g_assert_nonnull (gst_buffer_add_cca_meta_take (buffer, g_ref_string_new (ID), WIDTH, HEIGHT, 3, storage, 2));
  shared = assert_same_meta (buffer)->components;
  copy = gst_buffer_copy (buffer);
  gst_buffer_unref (buffer);
  g_assert_cmpint (gst_buffer_pool_acquire_buffer (pool, &none, &no_wait), !=, GST_FLOW_OK);
  assert_same_meta (copy);
  gst_buffer_unref (copy);

  for (guint i = 0; i < 3; i++) {
    buffer = gst_buffer_new ();
    g_assert_cmpint (gst_buffer_pool_acquire_buffer (pool, &storage, &no_wait), ==, GST_FLOW_OK);
    g_assert_nonnull (gst_buffer_add_cca_meta_take (buffer, g_ref_string_new (ID), WIDTH, HEIGHT, 3, storage, 2));
    g_assert_true (assert_same_meta (buffer)->components == shared);
    gst_buffer_unref (buffer);
  }
  gst_buffer_pool_set_active (pool, FALSE);
  gst_object_unref (pool);
}

static void
storage_gone (gpointer gone)
{
  *(gboolean *) gone = TRUE;
}

static void
test_storage_too_small (void)
{
  GstBuffer *buffer = gst_buffer_new (), *storage;
  guint8 bytes[sizeof components - 1] = { 0 };
  gboolean gone = FALSE;

  storage = gst_buffer_new_wrapped_full (0, bytes, sizeof bytes, 0, sizeof bytes, &gone, storage_gone);
  g_test_expect_message (G_LOG_DOMAIN, G_LOG_LEVEL_CRITICAL, "*143 bytes, 2 components and 0 overlaps need 144");
  g_assert_null (gst_buffer_add_cca_meta_take (buffer, g_ref_string_new (ID), WIDTH, HEIGHT, 2, storage, 2));
  g_test_assert_expected_messages ();
  g_assert_true (gone);
  g_assert_null (gst_buffer_get_cca_meta (buffer));

  g_test_expect_message (G_LOG_DOMAIN, G_LOG_LEVEL_CRITICAL, "*does not start with readable system memory");
  g_assert_null (gst_buffer_add_cca_meta_take (buffer, g_ref_string_new (ID), WIDTH, HEIGHT, 2, gst_buffer_new (), 2));
  g_test_assert_expected_messages ();
  gst_buffer_unref (buffer);
}

/* --- Transforms -------------------------------------------------------------------------------------- */

static gboolean
transform (GstBuffer *from, GstBuffer *to, const gchar *type, gpointer data)
{
  GstMeta *meta = &gst_buffer_get_cca_meta (from)->meta;

  return meta->info->transform_func (to, meta, from, g_quark_from_string (type), data);
}

static GstBuffer *
scale (GstBuffer *from, guint width, guint height)
{
  GstVideoInfo in = test_video_info ("GRAY8", WIDTH, HEIGHT), out = test_video_info ("GRAY8", width, height);
  GstVideoMetaTransform data = { &in, &out };
  GstBuffer *to = gst_buffer_new ();

  g_assert_true (transform (from, to, "gst-video-scale", &data));
  gst_buffer_unref (from);
  return to;
}

static void
test_scale (void)
{
  /* To 3/2 and 1/3: x 3…13 → 4.5…19.5, y 4…24 → 1.33…8; x 40…45 → 60…67.5, y 30…36 → 10…12. */
  const GstCcaComponent expected[] = {
    { 1, 4, 1, 16, 7, 75, 7.75 * 1.5 - 0.5, 14. / 3 - 0.5, 9, -0.5, 1 },
    { 7, 60, 10, 8, 2, 0x123456789 / 2 + 1, 42.5 * 1.5 - 0.5, 33. / 3 - 0.5, 4.5, 0.25, 1. / 3 },
  };
  GstBuffer *buffer = scale (buffer_with_meta (gst_buffer_new ()), WIDTH * 3 / 2, HEIGHT / 3);
  const GstCcaMeta *meta = gst_buffer_get_cca_meta (buffer);

  g_assert_cmpuint (meta->width, ==, WIDTH * 3 / 2);
  g_assert_cmpuint (meta->height, ==, HEIGHT / 3);
  g_assert_cmpuint (meta->n_components, ==, 3);
  g_assert_cmpuint (meta->n_stored, ==, 2);
  g_assert_true (meta->truncated);
  assert_component (&meta->components[0], &expected[0]);
  assert_component (&meta->components[1], &expected[1]);
  gst_buffer_unref (buffer);
}

/* Whatever the sizes, a box is the smallest one that covers. */
static void
test_scale_covers (void)
{
  for (guint from = 1; from <= 20; from++)
    for (guint to = 1; to <= 20; to++)
      for (guint x = 0; x < from; x++) {
        const guint width = 1 + (x * 7) % (from - x);
        const GstCcaComponent component = { .label = 1, .x = x, .width = width, .height = HEIGHT, .area = 1 };
        GstBuffer *buffer = gst_buffer_new ();
        const GstCcaComponent *scaled;

        /* The meta's own size counts, not the one that the scaler saw. */
        gst_buffer_add_cca_meta (buffer, ID, from, HEIGHT, 1, &component, 1);
        buffer = scale (buffer, to, HEIGHT);
        scaled = gst_cca_meta_get_component (gst_buffer_get_cca_meta (buffer), 0);
        g_assert_cmpuint (scaled->x, ==, x * to / from);
        g_assert_cmpuint (scaled->x + scaled->width, ==, ((x + width) * to + from - 1) / from);
        gst_buffer_unref (buffer);
      }
}

static void
test_scale_to_itself (void)
{
  GstBuffer *buffer = scale (buffer_with_meta (gst_buffer_new ()), WIDTH, HEIGHT);

  assert_same_meta (buffer);
  gst_buffer_unref (buffer);
}

static void
test_unknown_transform (void)
{
  GstBuffer *buffer = buffer_with_meta (gst_buffer_new ()), *to = gst_buffer_new ();

  g_assert_false (transform (buffer, to, "gst-cca-test-unknown", NULL));
  g_assert_null (gst_buffer_get_cca_meta (to));
  gst_buffer_unref (to);
  gst_buffer_unref (buffer);
}

#if GST_CHECK_VERSION(1, 28, 0)
/* The buffer through a matrix; NULL where the matrix is refused. */
static GstBuffer *
apply_matrix (guint width, guint height, const GstVideoMetaTransformMatrix *matrix)
{
  GstVideoInfo in = test_video_info ("GRAY8", WIDTH, HEIGHT), out = test_video_info ("GRAY8", width, height);
  GstBuffer *from = buffer_with_meta (gst_buffer_new ()), *to = gst_buffer_new ();
  GstVideoMetaTransformMatrix data = *matrix;

  data.in_info = &in;
  data.out_info = &out;
  if (!transform (from, to, "gst-video-matrix", &data))
    gst_clear_buffer (&to);
  gst_buffer_unref (from);
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

  g_assert_cmpuint (meta->width, ==, 40);
  g_assert_cmpuint (meta->height, ==, 30);
  g_assert_cmpuint (meta->n_stored, ==, 1);
  g_assert_cmpuint (meta->n_components, ==, 2);
  g_assert_true (meta->truncated);
  assert_component (&meta->components[0], &expected);
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

  assert_component (gst_cca_meta_get_component (gst_buffer_get_cca_meta (buffer), 0), &mirrored);
  gst_buffer_unref (buffer);
  buffer = apply_matrix (HEIGHT, WIDTH, &clockwise);
  assert_component (gst_cca_meta_get_component (gst_buffer_get_cca_meta (buffer), 0), &turned_once);
  gst_buffer_unref (buffer);

  g_assert_null (apply_matrix (WIDTH, HEIGHT, &shear));
  g_assert_null (apply_matrix (WIDTH, HEIGHT, &perspective));
#else
  g_test_skip ("GStreamer before 1.28 has no matrix transforms of metas");
#endif
}

/* Copies the metas without tags, as cudaupload does, and drops the old frame. */
static GstBuffer *
pass_untagged (GstBuffer *from, GstBuffer *to)
{
  gpointer state = NULL;
  GstMeta *meta;

  while ((meta = gst_buffer_iterate_meta (from, &state)))
    if (!gst_meta_api_type_get_tags (meta->info->api)) {
      GstMetaTransformCopy copy = { FALSE, 0, (gsize) -1 };

      meta->info->transform_func (to, meta, from, _gst_meta_transform_copy, &copy);
    }
  gst_buffer_unref (from);
  return to;
}

/* --- As bytes ---------------------------------------------------------------------------------------- */

static void
test_serialize (void)
{
#if GST_CHECK_VERSION(1, 24, 0)
  GstBuffer *buffer = buffer_with_meta (gst_buffer_new ()), *other = gst_buffer_new ();
  GByteArray *bytes = g_byte_array_new ();
  guint32 consumed = 0;

  g_assert_true (gst_meta_serialize_simple (&gst_buffer_get_cca_meta (buffer)->meta, bytes));
  g_assert_nonnull (gst_meta_deserialize (other, bytes->data, bytes->len, &consumed));
  g_assert_cmpuint (consumed, ==, bytes->len);
  assert_same_meta (other);
  gst_buffer_unref (other);

  other = gst_buffer_new ();
  gst_buffer_add_cca_meta (other, ID, WIDTH, HEIGHT, 5, NULL, 0);
  g_byte_array_set_size (bytes, 0);
  g_assert_true (gst_meta_serialize_simple (&gst_buffer_get_cca_meta (other)->meta, bytes));
  gst_buffer_unref (other);
  other = gst_buffer_new ();
  g_assert_nonnull (gst_meta_deserialize (other, bytes->data, bytes->len, &consumed));
  g_assert_cmpuint (gst_buffer_get_cca_meta (other)->n_components, ==, 5);
  g_assert_true (gst_buffer_get_cca_meta (other)->truncated);

  /* That the frame became another one is kept. */
  gst_buffer_unref (other);
  other = pass_untagged (gst_buffer_ref (buffer), gst_buffer_new ());
  g_byte_array_set_size (bytes, 0);
  g_assert_true (gst_meta_serialize_simple (&gst_buffer_get_cca_meta (other)->meta, bytes));
  gst_buffer_unref (other);
  other = gst_buffer_new ();
  g_assert_nonnull (gst_meta_deserialize (other, bytes->data, bytes->len, &consumed));
  g_assert_true (assert_same_meta (other)->stale);

  gst_buffer_unref (other);
  gst_buffer_unref (buffer);
  g_byte_array_unref (bytes);
#else
  g_test_skip ("GStreamer before 1.24 cannot serialise metas");
#endif
}

#if GST_CHECK_VERSION(1, 24, 0)
/* Deserialises bytes at the end of their memory, so that a checker sees reads beyond them. NULL where refused. */
static const GstCcaMeta *
deserialize (GstBuffer *buffer, const guint8 *bytes, gsize size, guint8 version)
{
  guint8 *exact = g_memdup2 (bytes, size);
  const GstMetaInfo *info = GST_CCA_META_INFO;
  const GstMeta *meta = info->deserialize_func (info, buffer, exact, size, version);

  g_free (exact);
  return (const GstCcaMeta *) meta;
}
#endif

/* What names, flags and lengths version 1 may have. */
static void
test_deserialize_id (void)
{
#if GST_CHECK_VERSION(1, 24, 0)
  static const guint8 bytes[] = {
    0x40, 1, 0, 0, 0xf0, 0, 0, 0, 2,   0,    0,    0,   0,   0, 0, 0, /* 320×240, 2 found, 0 stored */
    1,    0, 0, 0, 5,    0, 0, 0, 'a', 0xc3, 0xa9, 'b', ' ',          /* stale, "aéb " */
  };
  guint8 wrong[sizeof bytes + 1] = { 0 };
  GstBuffer *buffer = gst_buffer_new ();
  const GstCcaMeta *meta;

  memcpy (wrong, bytes, sizeof bytes);
  for (gsize size = 0; size <= sizeof wrong; size++)
    if (size != sizeof bytes)
      g_assert_null (deserialize (buffer, wrong, size, 1));
  wrong[24] = 0; /* a NUL in the id */
  g_assert_null (deserialize (buffer, wrong, sizeof bytes, 1));
  wrong[24] = 0xff; /* no UTF-8 */
  g_assert_null (deserialize (buffer, wrong, sizeof bytes, 1));
  memset (wrong + 20, 0xff, 4); /* an id longer than anything */
  g_assert_null (deserialize (buffer, wrong, sizeof bytes, 1));
  g_assert_null (deserialize (buffer, bytes, sizeof bytes, 2));
  g_assert_null (gst_buffer_get_cca_meta (buffer));

  meta = deserialize (buffer, bytes, sizeof bytes, 1);
  g_assert_cmpstr (meta->id, ==,
                   "a\xc3\xa9"
                   "b ");
  g_assert_true (meta->stale);
  g_assert_cmpuint (meta->n_components, ==, 2);
  gst_buffer_unref (buffer);
#else
  g_test_skip ("GStreamer before 1.24 cannot serialise metas");
#endif
}

/* The format is fixed: what one machine wrote another reads. Version 0 had no id. */
static void
test_deserialize (void)
{
#if GST_CHECK_VERSION(1, 24, 0)
  static const guint8 bytes[] = {
    0x40, 1,    0, 0, 0xf0, 0, 0,    0,    2, 0, 0, 0, 1, 0, 0, 0,                      /* 320×240, 2 found, 1 stored */
    9,    0,    0, 0, 1,    0, 0,    0,    2, 0, 0, 0, 3, 0, 0, 0,    4, 0, 0, 0,       /* label, box */
    0,    0,    0, 0, 1,    0, 0,    0,                                                 /* area */
    0,    0,    0, 0, 0,    0, 0xf8, 0x3f, 0, 0, 0, 0, 0, 0, 0, 0xc0,                   /* centroid 1.5, -2 */
    0,    0,    0, 0, 0,    0, 0,    0,    0, 0, 0, 0, 0, 0, 0, 0,    0, 0, 0, 0, 0, 0, /* covariance 0, 0 */
    0xe0, 0x3f,                                                                         /* and 0.5 */
  };
  const GstCcaComponent expected = { 9, 1, 2, 3, 4, G_GUINT64_CONSTANT (1) << 32, 1.5, -2, 0, 0, 0.5 };
  GstBuffer *buffer = gst_buffer_new ();
  guint8 wrong[sizeof bytes + 1] = { 0 };

  /* Every wrong length, a wrong version, more stored than found and more stored than there is are refused. */
  memcpy (wrong, bytes, sizeof bytes);
  for (gsize size = 0; size <= sizeof wrong; size++)
    if (size != sizeof bytes)
      g_assert_null (deserialize (buffer, wrong, size, 0));
  g_assert_null (deserialize (buffer, bytes, sizeof bytes, 2));
  wrong[8] = 0;
  g_assert_null (deserialize (buffer, wrong, sizeof bytes, 0));
  memset (wrong + 8, 0xff, 8);
  g_assert_null (deserialize (buffer, wrong, sizeof bytes, 0));
  g_assert_null (gst_buffer_get_cca_meta (buffer));

  g_assert_nonnull (deserialize (buffer, bytes, sizeof bytes, 0));
  g_assert_cmpstr (gst_buffer_get_cca_meta (buffer)->id, ==, "");
  g_assert_false (gst_buffer_get_cca_meta (buffer)->stale);
  g_assert_cmpuint (gst_buffer_get_cca_meta (buffer)->width, ==, 320);
  assert_component (gst_cca_meta_get_component (gst_buffer_get_cca_meta (buffer), 0), &expected);
  gst_buffer_unref (buffer);
#else
  g_test_skip ("GStreamer before 1.24 cannot serialise metas");
#endif
}

/* --- Through other elements -------------------------------------------------------------------------- */

/* What becomes of the coordinates behind a chain of elements: they stay, follow to a frame of another size, or cannot
 * follow, up to a version of GStreamer that tells more. */
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

/* Asserts that a buffer has the components of buffer_with_meta() scaled to a frame. */
static void
assert_scaled_meta (GstBuffer *buffer, guint width, guint height)
{
  const GstCcaMeta *meta = gst_buffer_get_cca_meta (buffer);
  const gdouble x = width / (gdouble) WIDTH, y = height / (gdouble) HEIGHT;

  g_assert_cmpuint (meta->width, ==, width);
  g_assert_cmpuint (meta->height, ==, height);
  g_assert_cmpstr (meta->id, ==, ID);
  g_assert_cmpuint (meta->n_components, ==, 3);
  g_assert_cmpuint (meta->n_stored, ==, 2);
  for (guint i = 0; i < 2; i++) {
    const GstCcaComponent *from = &components[i], *to = &meta->components[i];

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
  GstHarness *harness;

#if GST_CHECK_VERSION(1, 28, 0)
  if (chain->known_later) {
    g_test_skip ("from GStreamer 1.28 on the elements tell more: /meta/followed-later");
    return;
  }
#endif
  harness = chain_harness (chain->launch);
  for (guint i = 0; i < 3; i++) {
    GstBuffer *buffer = gst_harness_push_and_pull (harness, buffer_with_meta (test_frame (&info, i)));
    const GstCcaMeta *meta = gst_buffer_get_cca_meta (buffer);
    GstVideoRectangle place;
    guint width, height;

    output_size (harness, &width, &height);
    g_assert_cmpuint (gst_buffer_get_n_meta (buffer, GST_CCA_META_API_TYPE), ==, 1);
    g_assert_cmpint (meta->stale, ==, chain->fate == LOST);
    if (chain->fate == FOLLOWS) {
      assert_scaled_meta (buffer, chain->width, chain->height);
      g_assert_true (chain->width == width && chain->height == height);
    } else {
      assert_same_meta (buffer);
    }
    g_assert_cmpint (gst_cca_meta_map_to_frame (meta, buffer, width, height, &place), ==,
                     chain->fate == LOST ? GST_CCA_PLACE_UNKNOWN : GST_CCA_PLACE_SAME);
    g_assert_cmpint (place.w, ==, chain->fate == LOST ? 0 : width);
    gst_buffer_unref (buffer);
  }
  gst_harness_teardown (harness);
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
    GstHarness *harness = chain_harness (followed[i].launch);
    GstBuffer *buffer = gst_harness_push_and_pull (harness, buffer_with_meta (test_frame (&info, 0)));
    const GstCcaMeta *meta = gst_buffer_get_cca_meta (buffer);
    guint width, height;

    output_size (harness, &width, &height);
    g_assert_false (meta->stale);
    g_assert_true (meta->width == width && meta->height == height);
    g_assert_cmpuint (meta->components[0].x, ==, followed[i].x);
    g_assert_cmpuint (meta->components[0].y, ==, followed[i].y);
    g_assert_cmpuint (meta->components[0].width, ==, followed[i].width);
    g_assert_cmpuint (meta->components[0].height, ==, followed[i].height);
    gst_buffer_unref (buffer);
    gst_harness_teardown (harness);
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
  GstAllocator *cuda = g_object_ref_sink (g_object_new (fake_allocator_get_type (), NULL));
  const GstCcaComponent *shared;
  GstBuffer *buffer;

  /* There, on the spot, and back. */
  buffer = buffer_with_meta (frame_in (NULL, WIDTH, HEIGHT));
  shared = gst_buffer_get_cca_meta (buffer)->components;
  buffer = pass_untagged (buffer, frame_in (cuda, WIDTH, HEIGHT));
  buffer = pass_untagged (buffer, frame_in (cuda, WIDTH, HEIGHT));
  buffer = pass_untagged (buffer, frame_in (NULL, WIDTH, HEIGHT));
  g_assert_true (assert_same_meta (buffer)->components == shared);
  g_assert_false (gst_buffer_get_cca_meta (buffer)->stale);
  gst_buffer_unref (buffer);

  /* Scaled. */
  buffer = pass_untagged (buffer_with_meta (frame_in (cuda, WIDTH, HEIGHT)), frame_in (cuda, WIDTH * 2, HEIGHT * 2));
  assert_scaled_meta (buffer, WIDTH * 2, HEIGHT * 2);
  g_assert_false (gst_buffer_get_cca_meta (buffer)->stale);
  gst_buffer_unref (buffer);

  /* Another shape has borders, or is cropped, or is stretched. */
  buffer = pass_untagged (buffer_with_meta (frame_in (cuda, WIDTH, HEIGHT)), frame_in (cuda, WIDTH, HEIGHT / 2));
  g_assert_true (assert_same_meta (buffer)->stale);
  gst_buffer_unref (buffer);

  /* A crop that is carried out. */
  buffer = buffer_with_meta (frame_in (cuda, WIDTH, HEIGHT));
  gst_buffer_add_video_crop_meta (buffer)->width = WIDTH / 2;
  buffer = pass_untagged (buffer, frame_in (cuda, WIDTH, HEIGHT));
  g_assert_true (assert_same_meta (buffer)->stale);
  gst_buffer_unref (buffer);

  /* In system memory, who drops what has tags may do anything. */
  buffer = pass_untagged (buffer_with_meta (frame_in (NULL, WIDTH, HEIGHT)), frame_in (NULL, WIDTH, HEIGHT));
  g_assert_true (assert_same_meta (buffer)->stale);
  gst_buffer_unref (buffer);
  gst_object_unref (cuda);
}

/* What is added anew is not stale, whatever the frame went through. */
static void
test_stale_and_new (void)
{
  GstBuffer *buffer = pass_untagged (buffer_with_meta (frame_in (NULL, WIDTH, HEIGHT)), frame_in (NULL, WIDTH, HEIGHT)),
            *copy;

  gst_buffer_add_cca_meta (buffer, "new", WIDTH, HEIGHT, 1, components, 1);
  copy = gst_buffer_copy (buffer);
  gst_buffer_unref (buffer);
  g_assert_true (assert_same_meta (copy)->stale);
  g_assert_false (gst_buffer_get_cca_meta_by_id (copy, "new")->stale);
  copy = scale (copy, WIDTH / 2, HEIGHT / 2);
  g_assert_true (assert_same_meta (copy)->stale);
  gst_buffer_unref (copy);
}

/* Where a consumer finds the components in its frame. */
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
  GstBuffer *buffer = buffer_with_meta (frame_in (NULL, WIDTH, HEIGHT));
  const GstCcaMeta *meta = gst_buffer_get_cca_meta (buffer);
  GstVideoCropMeta *crop;
  GstVideoRectangle place;

  for (guint i = 0; i < G_N_ELEMENTS (sizes); i++) {
    const gboolean known = sizes[i].place != GST_CCA_PLACE_UNKNOWN;

    g_assert_cmpint (gst_cca_meta_map_to_frame (meta, buffer, sizes[i].width, sizes[i].height, &place), ==,
                     sizes[i].place);
    g_assert_true (place.x == 0 && place.y == 0);
    g_assert_cmpint (place.w, ==, known ? sizes[i].width : 0);
    g_assert_cmpint (place.h, ==, known ? sizes[i].height : 0);
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

/* Branches share the components. */
static void
test_tee (void)
{
  const GstVideoInfo info = test_video_info ("I420", WIDTH, HEIGHT);
  GstBuffer *frame = buffer_with_meta (test_frame (&info, 0));
  const GstCcaComponent *shared = gst_buffer_get_cca_meta (frame)->components;
  GstHarness *harness = chain_harness ("tee name=t ! queue ! funnel name=f t. ! queue ! videoconvert ! "
                                       "video/x-raw,format=GRAY8 ! videoconvert ! video/x-raw,format=I420 ! f.");

  g_assert_cmpint (gst_harness_push (harness, frame), ==, GST_FLOW_OK);
  for (guint i = 0; i < 2; i++) {
    GstBuffer *buffer = gst_harness_pull (harness);

    g_assert_true (assert_same_meta (buffer)->components == shared);
    gst_buffer_unref (buffer);
  }
  gst_harness_teardown (harness);
}

/* A crop that downstream follows leaves the frame whole, and so the coordinates right. */
static void
test_crop_meta (void)
{
  const GstVideoInfo info = test_video_info ("I420", WIDTH, HEIGHT);
  GstHarness *harness = gst_harness_new_parse ("videocrop left=10 top=4");
  GstBuffer *buffer;

  gst_harness_add_propose_allocation_meta (harness, GST_VIDEO_META_API_TYPE, NULL);
  gst_harness_add_propose_allocation_meta (harness, GST_VIDEO_CROP_META_API_TYPE, NULL);
  gst_harness_set_src_caps (harness, test_caps ("I420", WIDTH, HEIGHT, NULL));
  buffer = gst_harness_push_and_pull (harness, buffer_with_meta (test_frame (&info, 0)));
  assert_same_meta (buffer);
  g_assert_nonnull (gst_buffer_get_video_crop_meta (buffer));
  g_assert_cmpuint (gst_buffer_get_video_meta (buffer)->width, ==, WIDTH);
  g_assert_cmpuint (gst_buffer_get_video_meta (buffer)->height, ==, HEIGHT);
  gst_buffer_unref (buffer);
  gst_harness_teardown (harness);
}

int
main (int argc, char **argv)
{
  gst_init (&argc, &argv);
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/meta/add", test_add);
  g_test_add_func ("/meta/ids", test_ids);
  g_test_add_func ("/meta/empty", test_empty);
  g_test_add_func ("/meta/component", test_component);
  g_test_add_func ("/meta/no-tags", test_no_tags);
  g_test_add_func ("/meta/copy-shares", test_copy_shares);
  g_test_add_func ("/meta/many-copies", test_many_copies);
  g_test_add_func ("/meta/storage-pool", test_storage_pool);
  g_test_add_func ("/meta/storage-too-small", test_storage_too_small);
  g_test_add_func ("/meta/scale", test_scale);
  g_test_add_func ("/meta/scale-covers", test_scale_covers);
  g_test_add_func ("/meta/scale-to-itself", test_scale_to_itself);
  g_test_add_func ("/meta/unknown-transform", test_unknown_transform);
  g_test_add_func ("/meta/matrix-crop", test_matrix_crop);
  g_test_add_func ("/meta/matrix-turn", test_matrix_turn);
  g_test_add_func ("/meta/serialize", test_serialize);
  g_test_add_func ("/meta/deserialize", test_deserialize);
  g_test_add_func ("/meta/deserialize-id", test_deserialize_id);
  for (guint i = 0; i < G_N_ELEMENTS (chains); i++) {
    gchar *path = g_strdup_printf ("/meta/through/%u", i);

    g_test_add_data_func (path, &chains[i], test_through);
    g_free (path);
  }
  g_test_add_func ("/meta/followed-later", test_followed_later);
  g_test_add_func ("/meta/cuda-memory", test_cuda_memory);
  g_test_add_func ("/meta/stale-and-new", test_stale_and_new);
  g_test_add_func ("/meta/map-to-frame", test_map_to_frame);
  g_test_add_func ("/meta/tee", test_tee);
  g_test_add_func ("/meta/crop-meta", test_crop_meta);
  return g_test_run ();
}
