/* gst-cca: the metas as bytes
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "meta-test.h"

#include <string.h>

/* Adds to a buffer what the bytes of a meta say. */
static GstBuffer *
send (GstBuffer *to, GstMeta *meta)
{
  GByteArray *bytes = g_byte_array_new ();
  guint32 consumed = 0;

  g_assert_true (gst_meta_serialize_simple (meta, bytes));
  g_assert_nonnull (gst_meta_deserialize (to, bytes->data, bytes->len, &consumed));
  g_assert_cmpuint (consumed, ==, bytes->len);
  g_byte_array_unref (bytes);
  return to;
}

/* Returns a buffer with the three metas of another, which it drops, after they were bytes. */
static GstBuffer *
send_metas (GstBuffer *from)
{
  GstBuffer *to = gst_buffer_new ();

  send (to, &gst_buffer_get_cca_meta (from)->meta);
  send (to, &gst_buffer_get_cca_track_meta (from)->meta);
  send (to, &gst_buffer_get_cca_event_meta (from)->meta);
  gst_buffer_unref (from);
  return to;
}

static void
test_serialize (void)
{
  GstBuffer *buffer = send_metas (test_buffer_with_metas (gst_buffer_new ()));

  test_assert_same_metas (buffer);
  g_assert_cmpfloat (gst_buffer_get_cca_event_meta (buffer)->rules[0].points[2].y, ==, HEIGHT);

  /* That the frame became another one is kept. */
  buffer = send_metas (test_pass_untagged (buffer, gst_buffer_new ()));
  g_assert_true (test_assert_same_metas (buffer)->stale);
  gst_buffer_unref (buffer);
}

static void
test_serialize_empty (void)
{
  GstBuffer *buffer = gst_buffer_new ();
  GstCcaMeta *meta = gst_buffer_add_cca_meta (buffer, ID, WIDTH, HEIGHT, 5, NULL, 0);

  gst_buffer_add_cca_track_meta (buffer, NULL, WIDTH, HEIGHT, NULL, 0);
  gst_buffer_add_cca_event_meta (buffer, NULL, WIDTH, HEIGHT, NULL, 0, NULL, 0);
  buffer = send_metas (buffer);
  meta = gst_buffer_get_cca_meta (buffer);
  g_assert_cmpuint (meta->n_components, ==, 5);
  g_assert_true (meta->truncated);
  g_assert_null (meta->overlaps);
  g_assert_cmpuint (gst_buffer_get_cca_track_meta (buffer)->n_tracks, ==, 0);
  g_assert_cmpuint (gst_buffer_get_cca_event_meta (buffer)->n_rules, ==, 0);
  g_assert_cmpuint (gst_buffer_get_cca_event_meta (buffer)->n_events, ==, 0);

  g_assert_false (meta->scene_change);

  /* No overlaps are not the same as unknown ones. */
  g_assert_true (gst_cca_meta_set_overlaps (meta, 0, NULL, 0));
  buffer = send_metas (buffer);
  g_assert_nonnull (gst_buffer_get_cca_meta (buffer)->overlaps);
  g_assert_null (gst_buffer_get_cca_meta (buffer)->shapes);
  g_assert_null (gst_buffer_get_cca_meta (buffer)->intensities);

  /* The same of shapes and intensities. */
  g_assert_true (gst_cca_meta_set_shapes (gst_buffer_get_cca_meta (buffer), NULL, 0));
  buffer = send_metas (buffer);
  g_assert_nonnull (gst_buffer_get_cca_meta (buffer)->shapes);
  g_assert_null (gst_buffer_get_cca_meta (buffer)->intensities);
  g_assert_true (gst_cca_meta_set_intensities (gst_buffer_get_cca_meta (buffer), NULL, 0));
  buffer = send_metas (buffer);
  g_assert_nonnull (gst_buffer_get_cca_meta (buffer)->intensities);

  gst_buffer_get_cca_meta (buffer)->scene_change = TRUE;
  buffer = send_metas (buffer);
  g_assert_true (gst_buffer_get_cca_meta (buffer)->scene_change);
  g_assert_false (gst_buffer_get_cca_meta (buffer)->learning);

  gst_buffer_get_cca_meta (buffer)->learning = TRUE;
  buffer = send_metas (buffer);
  g_assert_true (gst_buffer_get_cca_meta (buffer)->learning);
  g_assert_false (gst_buffer_get_cca_meta (buffer)->stale);
  gst_buffer_unref (buffer);
}

/* Deserialises bytes at the end of their memory, so that a checker sees reads beyond them. NULL where refused. */
static gconstpointer
deserialize (const GstMetaInfo *info, GstBuffer *buffer, const guint8 *bytes, gsize size, guint8 version)
{
  g_autofree guint8 *exact = g_memdup2 (bytes, size);
  const GstMeta *meta = info->deserialize_func (info, buffer, exact, size, version);

  return meta;
}

/* Asserts that every wrong length and an unknown version are refused. */
static void
assert_only_whole (const GstMetaInfo *info, const guint8 *bytes, gsize size, guint8 version, guint8 unknown_version)
{
  g_autofree guint8 *longer = g_malloc0 (size + 1);
  g_autoptr (GstBuffer) buffer = gst_buffer_new ();

  memcpy (longer, bytes, size);
  for (gsize i = 0; i <= size + 1; i++)
    if (i != size)
      g_assert_null (deserialize (info, buffer, longer, i, version));
  g_assert_null (deserialize (info, buffer, bytes, size, unknown_version));
  g_assert_null (gst_buffer_get_meta (buffer, info->api));
}

/* What names, flags and lengths version 1 may have. */
static void
test_deserialize_id (void)
{
  static const guint8 bytes[] = {
    0x40, 1, 0, 0, 0xf0, 0, 0, 0, 2,   0,    0,    0,   0,   0, 0, 0, /* 320×240, 2 found, 0 stored */
    1,    0, 0, 0, 5,    0, 0, 0, 'a', 0xc3, 0xa9, 'b', ' ',          /* stale, "aéb " */
  };
  guint8 wrong[sizeof bytes];
  g_autoptr (GstBuffer) buffer = gst_buffer_new ();
  const GstCcaMeta *meta;

  assert_only_whole (GST_CCA_META_INFO, bytes, sizeof bytes, 1, 4);
  memcpy (wrong, bytes, sizeof bytes);
  wrong[24] = 0; /* a NUL in the id */
  g_assert_null (deserialize (GST_CCA_META_INFO, buffer, wrong, sizeof bytes, 1));
  wrong[24] = 0xff; /* no UTF-8 */
  g_assert_null (deserialize (GST_CCA_META_INFO, buffer, wrong, sizeof bytes, 1));
  memset (wrong + 20, 0xff, 4); /* an id longer than anything */
  g_assert_null (deserialize (GST_CCA_META_INFO, buffer, wrong, sizeof bytes, 1));
  g_assert_null (gst_buffer_get_cca_meta (buffer));

  meta = deserialize (GST_CCA_META_INFO, buffer, bytes, sizeof bytes, 1);
  g_assert_cmpstr (meta->id, ==,
                   "a\xc3\xa9"
                   "b ");
  g_assert_true (meta->stale);
  g_assert_cmpuint (meta->n_components, ==, 2);
}

/* The formats are fixed: what one machine wrote another reads. Version 0 had no id. */
static void
test_deserialize_0 (void)
{
  static const guint8 bytes[] = {
    0x40, 1,    0, 0, 0xf0, 0, 0,    0,    2, 0, 0, 0, 1, 0, 0, 0,                      /* 320×240, 2 found, 1 stored */
    9,    0,    0, 0, 1,    0, 0,    0,    2, 0, 0, 0, 3, 0, 0, 0,    4, 0, 0, 0,       /* label, box */
    0,    0,    0, 0, 1,    0, 0,    0,                                                 /* area */
    0,    0,    0, 0, 0,    0, 0xf8, 0x3f, 0, 0, 0, 0, 0, 0, 0, 0xc0,                   /* centroid 1.5, -2 */
    0,    0,    0, 0, 0,    0, 0,    0,    0, 0, 0, 0, 0, 0, 0, 0,    0, 0, 0, 0, 0, 0, /* covariance 0, 0 */
    0xe0, 0x3f,                                                                         /* and 0.5 */
  };
  const GstCcaComponent expected = { 9, 1, 2, 3, 4, G_GUINT64_CONSTANT (1) << 32, 1.5, -2, 0, 0, 0.5 };
  g_autoptr (GstBuffer) buffer = gst_buffer_new ();
  guint8 wrong[sizeof bytes];

  /* More stored than found and more stored than there is are refused. */
  assert_only_whole (GST_CCA_META_INFO, bytes, sizeof bytes, 0, 4);
  memcpy (wrong, bytes, sizeof bytes);
  wrong[8] = 0;
  g_assert_null (deserialize (GST_CCA_META_INFO, buffer, wrong, sizeof bytes, 0));
  memset (wrong + 8, 0xff, 8);
  g_assert_null (deserialize (GST_CCA_META_INFO, buffer, wrong, sizeof bytes, 0));
  g_assert_null (gst_buffer_get_cca_meta (buffer));

  g_assert_nonnull (deserialize (GST_CCA_META_INFO, buffer, bytes, sizeof bytes, 0));
  g_assert_cmpstr (gst_buffer_get_cca_meta (buffer)->id, ==, "");
  g_assert_false (gst_buffer_get_cca_meta (buffer)->stale);
  g_assert_cmpuint (gst_buffer_get_cca_meta (buffer)->width, ==, 320);
  test_assert_component (gst_cca_meta_get_component (gst_buffer_get_cca_meta (buffer), 0), &expected);
}

/* Version 2 has overlaps. */
static void
test_deserialize_overlaps (void)
{
  static const guint8 bytes[] = {
    0x40, 1, 0, 0, 0xf0, 0, 0, 0, 2,   0, 0, 0, 0, 0, 0, 0, /* 320×240, 2 found, 0 stored */
    2,    0, 0, 0, 1,    0, 0, 0, 'a',                      /* overlaps are known, "a" */
    7,    0, 0, 0, 1,    0, 0, 0,                           /* 7 found, 1 stored */
    3,    0, 0, 0, 4,    0, 0, 0, 5,   0, 0, 0, 1, 0, 0, 0, /* before, now, pixels */
  };
  g_autoptr (GstBuffer) buffer = gst_buffer_new ();
  guint8 wrong[sizeof bytes];
  const GstCcaMeta *meta;

  assert_only_whole (GST_CCA_META_INFO, bytes, sizeof bytes, 2, 4);
  g_assert_null (deserialize (GST_CCA_META_INFO, buffer, bytes, sizeof bytes, 1));
  memcpy (wrong, bytes, sizeof bytes);
  wrong[25] = 0; /* more stored than found */
  g_assert_null (deserialize (GST_CCA_META_INFO, buffer, wrong, sizeof bytes, 2));

  meta = deserialize (GST_CCA_META_INFO, buffer, bytes, sizeof bytes, 2);
  g_assert_cmpuint (meta->n_overlaps, ==, 7);
  g_assert_cmpuint (meta->n_stored_overlaps, ==, 1);
  g_assert_true (meta->overlaps[0].before == 3 && meta->overlaps[0].now == 4);
  g_assert_cmpuint (meta->overlaps[0].pixels, ==, G_GUINT64_CONSTANT (0x100000005));
}

/* Version 3 has shapes and intensities. */
static void
test_deserialize_details (void)
{
  static const guint8 bytes[] = {
    0x40, 1,    0,    0,    0xf0, 0, 0,    0,    1,   0, 0, 0, 1, 0, 0, 0,    /* 320×240, 1 found, 1 stored */
    0x30, 0,    0,    0,    1,    0, 0,    0,    'a',                         /* both are known, "a" */
    9,    0,    0,    0,    1,    0, 0,    0,    2,   0, 0, 0, 3, 0, 0, 0,    /* label, box */
    4,    0,    0,    0,    5,    0, 0,    0,    0,   0, 0, 0,                /* and area */
    0,    0,    0,    0,    0,    0, 0,    0,    0,   0, 0, 0, 0, 0, 0, 0,    /* centroid */
    0,    0,    0,    0,    0,    0, 0,    0,    0,   0, 0, 0, 0, 0, 0, 0,    /* covariance */
    0,    0,    0,    0,    0,    0, 0,    0,                                 /* and its last */
    0,    0,    0,    0,    0,    0, 0xf8, 0x3f, 0,   0, 0, 0, 0, 0, 0, 0x40, /* perimeters 1.5, 2 */
    0xfe, 0xff, 0xff, 0xff,                                                   /* Euler number -2 */
    0,    0,    0,    0,    0,    0, 0xe0, 0x3f, 7,   0, 0, 0, 8, 0, 1, 0,    /* mean 0.5, least 7, largest */
  };
  g_autoptr (GstBuffer) buffer = gst_buffer_new ();
  guint8 other[sizeof bytes];
  const GstCcaMeta *meta;

  assert_only_whole (GST_CCA_META_INFO, bytes, sizeof bytes, 3, 4);
  g_assert_null (deserialize (GST_CCA_META_INFO, buffer, bytes, sizeof bytes, 2));
  memcpy (other, bytes, sizeof bytes);
  other[16] = 0x10; /* shapes only */
  g_assert_null (deserialize (GST_CCA_META_INFO, buffer, other, sizeof bytes, 3));
  meta = deserialize (GST_CCA_META_INFO, buffer, other, sizeof bytes - 16, 3);
  g_assert_cmpint (meta->shapes[0].euler_number, ==, -2);
  g_assert_null (meta->intensities);

  meta = deserialize (GST_CCA_META_INFO, buffer, bytes, sizeof bytes, 3);
  g_assert_cmpuint (meta->components[0].area, ==, 5);
  g_assert_true (meta->shapes[0].perimeter == 1.5 && meta->shapes[0].perimeter_crofton == 2);
  g_assert_cmpint (meta->shapes[0].euler_number, ==, -2);
  g_assert_cmpfloat (meta->intensities[0].mean, ==, 0.5);
  g_assert_true (meta->intensities[0].min == 7 && meta->intensities[0].max == 0x10008);
  g_assert_null (meta->overlaps);
}

static void
test_deserialize_tracks (void)
{
  static const guint8 bytes[] = {
    0x40, 1, 0, 0, 0xf0, 0, 0,    0,    1, 0, 0, 0, 1, 0, 0, 0,    'a', /* 320×240, stale, "a" */
    1,    0, 0, 0,                                                      /* tracks */
    6,    0, 0, 0, 1,    0, 0,    0,    1, 0, 0, 0, 9, 0, 0, 0,         /* id, state, label */
    1,    0, 0, 0, 2,    0, 0,    0,    3, 0, 0, 0, 4, 0, 0, 0,         /* box */
    0,    0, 0, 0, 1,    0, 0,    0,                                    /* area */
    0,    0, 0, 0, 0,    0, 0xf8, 0x3f, 0, 0, 0, 0, 0, 0, 0, 0xc0,      /* centroid 1.5, -2 */
    0,    0, 0, 0, 0,    0, 0xe0, 0x3f, 0, 0, 0, 0, 0, 0, 0, 0,         /* velocity 0.5, 0 */
    8,    0, 0, 0,                                                      /* age */
  };
  g_autoptr (GstBuffer) buffer = gst_buffer_new ();
  const GstCcaTrackMeta *meta;
  const GstCcaTrack *track;
  guint8 wrong[sizeof bytes];

  assert_only_whole (GST_CCA_TRACK_META_INFO, bytes, sizeof bytes, 0, 3);
  memcpy (wrong, bytes, sizeof bytes);
  wrong[29] = 3; /* no state */
  g_assert_null (deserialize (GST_CCA_TRACK_META_INFO, buffer, wrong, sizeof bytes, 0));
  memset (wrong + 17, 0xff, 4); /* more tracks than anything */
  g_assert_null (deserialize (GST_CCA_TRACK_META_INFO, buffer, wrong, sizeof bytes, 0));

  meta = deserialize (GST_CCA_TRACK_META_INFO, buffer, bytes, sizeof bytes, 0);
  g_assert_true (meta->width == 320 && meta->height == 240 && meta->stale);
  g_assert_cmpstr (meta->id, ==, "a");
  g_assert_cmpuint (meta->n_tracks, ==, 1);
  track = &meta->tracks[0];
  g_assert_cmpuint (track->track_id, ==, G_GUINT64_CONSTANT (0x100000006));
  g_assert_cmpint (track->state, ==, GST_CCA_TRACK_STATE_MERGED);
  g_assert_cmpuint (track->label, ==, 9);
  g_assert_true (track->x == 1 && track->y == 2 && track->width == 3 && track->height == 4);
  g_assert_cmpuint (track->area, ==, G_GUINT64_CONSTANT (1) << 32);
  g_assert_true (track->centroid_x == 1.5 && track->centroid_y == -2);
  g_assert_true (track->velocity_x == 0.5 && track->velocity_y == 0);
  g_assert_cmpuint (track->age, ==, 8);
}

/* Version 1 has heights. */
static void
test_deserialize_heights (void)
{
  static const guint8 bytes[] = {
    0x40, 1, 0, 0, 0xf0, 0, 0,    0,    0, 0, 0, 0, 1, 0, 0,    0,    'a', /* 320×240, "a" */
    0,    0, 0, 0,                                                         /* tracks */
    0,    0, 0, 0, 0,    0, 0xf8, 0x3f, 0, 0, 0, 0, 0, 0, 0xe0, 0x3f,      /* upper: row 1.5, height 0.5 */
    0,    0, 0, 0, 0,    0, 0,    0x40, 0, 0, 0, 0, 0, 0, 0xf0, 0x3f,      /* lower: row 2, height 1 */
  };
  g_autoptr (GstBuffer) buffer = gst_buffer_new ();
  const GstCcaTrackMeta *meta;
  guint8 wrong[sizeof bytes];

  assert_only_whole (GST_CCA_TRACK_META_INFO, bytes, sizeof bytes, 1, 3);
  g_assert_null (deserialize (GST_CCA_TRACK_META_INFO, buffer, bytes, sizeof bytes, 0));
  for (guint i = 0; i < 4; i++) {
    memcpy (wrong, bytes, sizeof bytes);
    memset (wrong + 21 + 8 * i, 0xff, 8); /* not a number */
    g_assert_null (deserialize (GST_CCA_TRACK_META_INFO, buffer, wrong, sizeof bytes, 1));
  }
  memcpy (wrong, bytes, sizeof bytes);
  wrong[44] = 0; /* the lower row above the upper one */
  g_assert_null (deserialize (GST_CCA_TRACK_META_INFO, buffer, wrong, sizeof bytes, 1));
  memcpy (wrong, bytes, sizeof bytes);
  wrong[52] = 0xbf; /* a height below 0 */
  g_assert_null (deserialize (GST_CCA_TRACK_META_INFO, buffer, wrong, sizeof bytes, 1));

  meta = deserialize (GST_CCA_TRACK_META_INFO, buffer, bytes, sizeof bytes, 1);
  g_assert_true (meta->upper_row == 1.5 && meta->upper_height == 0.5);
  g_assert_true (meta->lower_row == 2 && meta->lower_height == 1);
}

static void
test_deserialize_events (void)
{
  enum
  {
    RULE = 16 + 4,
    POINTS = RULE + 5 + 4 + 2 * 8 + 4,
    EVENT = POINTS + 4 + 16 + 4,
  };
  static const guint8 bytes[] = {
    0x40, 1,    0,    0,    0xf0, 0,    0,    0,    0,   0, 0, 0, 0, 0, 0, 0,    /* 320×240, "" */
    1,    0,    0,    0,                                                         /* rules */
    1,    0,    0,    0,    'r',  1,    0,    0,    0,                           /* name, type */
    5,    0,    0,    0,    1,    0,    0,    0,    6,   0, 0, 0, 1, 0, 0, 0,    /* in, out */
    7,    0,    0,    0,                                                         /* occupancy */
    1,    0,    0,    0,                                                         /* points */
    0,    0,    0,    0,    0,    0,    0xf8, 0x3f, 0,   0, 0, 0, 0, 0, 0, 0xc0, /* 1.5, -2 */
    1,    0,    0,    0,                                                         /* events */
    3,    0,    0,    0,    1,    0,    0,    0,    'r',                         /* type, rule */
    8,    0,    0,    0,    1,    0,    0,    0,    2,   0, 0, 0,                /* track, direction */
    0,    0,    0,    0,    0,    0,    0xe0, 0x3f, 0,   0, 0, 0, 0, 0, 0, 0xc0, /* 0.5, -2 */
    0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff,                              /* no dwell time */
    9,    0,    0,    0,    1,    0,    0,    0,    10,  0, 0, 0, 1, 0, 0, 0,    /* in, out */
    11,   0,    0,    0,                                                         /* occupancy */
  };
  static const struct
  {
    gsize at;
    guint8 value;
  } wrong[] = {
    { RULE + 5, 2 },      /* type */
    { RULE + 4, 0xff },   /* name */
    { POINTS + 3, 0xff }, /* more points than anything */
    { RULE - 1, 0xff },   /* rules */
    { EVENT - 1, 0xff },  /* events */
    { EVENT, 8 },         /* type */
    { EVENT + 9 + 8, 3 }, /* direction */
    { EVENT + 8, 0xff },  /* rule */
  };
  g_autoptr (GstBuffer) buffer = gst_buffer_new ();
  const GstCcaEventMeta *meta;
  const GstCcaRule *rule;
  const GstCcaEvent *event;

  assert_only_whole (GST_CCA_EVENT_META_INFO, bytes, sizeof bytes, 0, 2);
  for (guint i = 0; i < G_N_ELEMENTS (wrong); i++) {
    guint8 copy[sizeof bytes];

    memcpy (copy, bytes, sizeof bytes);
    copy[wrong[i].at] = wrong[i].value;
    g_assert_null (deserialize (GST_CCA_EVENT_META_INFO, buffer, copy, sizeof bytes, 0));
  }

  meta = deserialize (GST_CCA_EVENT_META_INFO, buffer, bytes, sizeof bytes, 0);
  g_assert_true (meta->width == 320 && meta->height == 240 && !meta->stale);
  g_assert_true (meta->n_rules == 1 && meta->n_events == 1);
  rule = &meta->rules[0];
  g_assert_cmpstr (rule->name, ==, "r");
  g_assert_cmpint (rule->type, ==, GST_CCA_RULE_LINE);
  g_assert_cmpuint (rule->n_points, ==, 1);
  g_assert_true (rule->points[0].x == 1.5 && rule->points[0].y == -2);
  g_assert_cmpuint (rule->n_in, ==, G_GUINT64_CONSTANT (0x100000005));
  g_assert_cmpuint (rule->n_out, ==, G_GUINT64_CONSTANT (0x100000006));
  g_assert_cmpuint (rule->occupancy, ==, 7);
  event = &meta->events[0];
  g_assert_cmpint (event->type, ==, GST_CCA_EVENT_CROSS);
  g_assert_cmpstr (event->rule, ==, "r");
  g_assert_cmpuint (event->track_id, ==, G_GUINT64_CONSTANT (0x100000008));
  g_assert_cmpint (event->direction, ==, GST_CCA_DIRECTION_BACKWARD);
  g_assert_true (event->x == 0.5 && event->y == -2);
  g_assert_cmpuint (event->dwell, ==, GST_CLOCK_TIME_NONE);
  g_assert_cmpuint (event->n_in, ==, G_GUINT64_CONSTANT (0x100000009));
  g_assert_cmpuint (event->n_out, ==, G_GUINT64_CONSTANT (0x10000000a));
  g_assert_cmpuint (event->occupancy, ==, 11);
}

/* Version 2 has the classes of objects, as text: another process has other quarks. */
static void
test_types (void)
{
  const GstCcaTrack tracks[] = {
    { .track_id = 1, .width = 1, .height = 1, .object_type = g_quark_from_string ("person") },
    { .track_id = 2, .width = 1, .height = 1 },
    { .track_id = 3, .width = 1, .height = 1, .object_type = g_quark_from_string ("vélo") },
  };
  const GstCcaEvent event = { .rule = "r", .size_class = g_quark_from_string ("lorry") };
  const GstCcaGroundTrack on_ground[] = { { .track_id = 1, .size_class = g_quark_from_string ("walker") },
                                          { .track_id = 2 } };
  g_autoptr (GstBuffer) buffer = gst_buffer_new (), to = gst_buffer_new ();
  const GstCcaEventMeta *events;
  const GstCcaTrackMeta *meta;

  g_assert_true (gst_cca_event_meta_set_ground_tracks (
      gst_buffer_add_cca_event_meta (buffer, ID, WIDTH, HEIGHT, NULL, 0, &event, 1), on_ground, 2));
  send (to, &gst_buffer_get_cca_event_meta (buffer)->meta);
  events = gst_buffer_get_cca_event_meta (to);
  g_assert_cmpuint (events->n_events, ==, 1);
  g_assert_cmpuint (events->events[0].size_class, ==, event.size_class);
  g_assert_cmpuint (events->n_ground_tracks, ==, 2);
  for (guint i = 0; i < 2; i++)
    g_assert_cmpuint (events->ground_tracks[i].size_class, ==, on_ground[i].size_class);

  gst_buffer_add_cca_track_meta (buffer, ID, WIDTH, HEIGHT, tracks, G_N_ELEMENTS (tracks));
  send (to, &gst_buffer_get_cca_track_meta (buffer)->meta);
  meta = gst_buffer_get_cca_track_meta (to);
  g_assert_cmpuint (meta->n_tracks, ==, G_N_ELEMENTS (tracks));
  for (guint i = 0; i < G_N_ELEMENTS (tracks); i++)
    g_assert_cmpuint (meta->tracks[i].object_type, ==, tracks[i].object_type);
}

/* Version 1 has measures and tracks on the ground. */
static void
test_deserialize_measures (void)
{
  static const guint8 bytes[] = {
    0x40, 1, 0, 0, 0xf0, 0, 0,    0,    0,   0, 0,    0,    0, 0, 0,    0,                /* 320×240, "" */
    0,    0, 0, 0,                                                                        /* rules */
    1,    0, 0, 0,                                                                        /* events */
    10,   0, 0, 0, 1,    0, 0,    0,    'r',                                              /* a section, rule */
    8,    0, 0, 0, 0,    0, 0,    0,    2,   0, 0,    0,                                  /* track, direction */
    0,    0, 0, 0, 0,    0, 0,    0,    0,   0, 0,    0,    0, 0, 0,    0,                /* 0, 0 */
    5,    0, 0, 0, 0,    0, 0,    0,                                                      /* dwell */
    0,    0, 0, 0, 0,    0, 0,    0,    0,   0, 0,    0,    0, 0, 0,    0,    0, 0, 0, 0, /* counts */
    1,    0, 0, 0, 0,    0, 0,    0,    0,   0, 0xe0, 0x3f,                               /* speed is known: 0.5 */
    0,    0, 0, 0, 0,    0, 0,    0,    0,   0, 0,    0,    0, 0, 0,    0,                /* headway, gap */
    1,    0, 0, 0,                                                                        /* tracks on the ground */
    8,    0, 0, 0, 0,    0, 0,    0,    3,   0, 0,    0,                                  /* track, speed and heading */
    0,    0, 0, 0, 0,    0, 0,    0xc0, 0,   0, 0,    0,    0, 0, 0xe0, 0x3f,             /* -2, 0.5 */
    0,    0, 0, 0, 0,    0, 0xf8, 0x3f, 0,   0, 0,    0,    0, 0, 0,    0x40,             /* 1.5 m/s, 2° */
    0,    0, 0, 0, 0,    0, 0xf0, 0x3f,                                                   /* 1 m² */
  };
  g_autoptr (GstBuffer) buffer = gst_buffer_new ();
  const GstCcaEventMeta *meta;

  assert_only_whole (GST_CCA_EVENT_META_INFO, bytes, sizeof bytes, 1, 3);
  g_assert_null (deserialize (GST_CCA_EVENT_META_INFO, buffer, bytes, sizeof bytes, 0));
  meta = deserialize (GST_CCA_EVENT_META_INFO, buffer, bytes, sizeof bytes, 1);
  g_assert_cmpint (meta->events[0].type, ==, GST_CCA_EVENT_SECTION);
  g_assert_cmpuint (meta->events[0].measured, ==, GST_CCA_MEASURE_SPEED);
  g_assert_cmpfloat (meta->events[0].speed, ==, 0.5);
  g_assert_cmpuint (meta->n_ground_tracks, ==, 1);
  g_assert_cmpuint (meta->ground_tracks[0].track_id, ==, 8);
  g_assert_true (meta->ground_tracks[0].x == -2 && meta->ground_tracks[0].y == 0.5);
  g_assert_true (meta->ground_tracks[0].speed == 1.5 && meta->ground_tracks[0].heading == 2);
  g_assert_cmpfloat (meta->ground_tracks[0].area, ==, 1);
  g_assert_true (meta->events[0].size_class == 0 && meta->ground_tracks[0].size_class == 0);
}

GST_TESTS_MAIN ("/meta-bytes", test_serialize, test_serialize_empty, test_deserialize_0, test_deserialize_id,
                test_deserialize_overlaps, test_deserialize_details, test_deserialize_tracks, test_deserialize_heights,
                test_types, test_deserialize_events, test_deserialize_measures)
