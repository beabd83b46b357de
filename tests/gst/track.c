/* gst-cca: ccatrack: identities and states of tracks
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "track-test.h"

#include <math.h>
#include <string.h>

static void
test_tracks (void)
{
  g_auto (Stream) stream = stream_new ("ccatrack");

  for (guint i = 1; i <= 10; i++) {
    const GstCcaTrackMeta *meta;
    const GstCcaTrack *track;
    g_autoptr (GstBuffer) buffer = NULL;

    add_box (&stream, 300 - 4 * (gint) i, 200, 20, 40);
    add_box (&stream, 100 + 2 * (gint) i, 100, 30, 60);
    buffer = pass_frame (&stream);
    meta = gst_buffer_get_cca_track_meta (buffer);
    g_assert_nonnull (meta);
    g_assert_cmpstr (meta->id, ==, "cca0");
    g_assert_cmpuint (meta->width, ==, WIDTH);
    g_assert_cmpuint (meta->height, ==, HEIGHT);
    g_assert_false (meta->stale);
    g_assert_cmpuint (meta->n_tracks, ==, i < 3 ? 0 : 2);
    if (i >= 3) {
      track = &meta->tracks[1];
      g_assert_cmpuint (meta->tracks[0].track_id, ==, 1);
      g_assert_cmpuint (track->track_id, ==, 2);
      g_assert_cmpint (track->state, ==, GST_CCA_TRACK_STATE_CONFIRMED);
      g_assert_cmpuint (track->label, ==, 2);
      g_assert_cmpuint (track->x, ==, 100 + 2 * i);
      g_assert_cmpuint (track->y, ==, 100);
      g_assert_cmpuint (track->width, ==, 30);
      g_assert_cmpuint (track->height, ==, 60);
      g_assert_cmpuint (track->area, ==, 1800);
      g_assert_cmpfloat (track->centroid_x, ==, 100 + 2 * i + 14.5);
      g_assert_cmpfloat (track->centroid_y, ==, 129.5);
      g_assert_cmpuint (track->age, ==, i);
    }
    /* 2 pixels in 40 ms. */
    if (i == 10) {
      g_assert_cmpfloat_with_epsilon (meta->tracks[1].velocity_x, 50.0, 2.0);
      g_assert_cmpfloat_with_epsilon (meta->tracks[1].velocity_y, 0.0, 2.0);
      g_assert_cmpfloat_with_epsilon (meta->tracks[0].velocity_x, -100.0, 4.0);
      /* Rounded, so that they are short in an index. */
      g_assert_cmpfloat (256.0 * meta->tracks[0].velocity_x, ==, rint (256.0 * meta->tracks[0].velocity_x));
      g_assert_cmpfloat (256.0 * meta->tracks[1].velocity_x, ==, rint (256.0 * meta->tracks[1].velocity_x));
    }
  }
}

static void
test_confirm_frames (void)
{
  for (guint wanted = 1; wanted <= 5; wanted++) {
    g_autofree gchar *launch = g_strdup_printf ("ccatrack confirm-frames=%u", wanted);
    g_auto (Stream) stream = stream_new (launch);

    for (guint i = 1; i <= 6; i++)
      g_assert_cmpuint (pass_for_id (&stream), ==, i < wanted ? 0 : 1);
  }
}

/* A track whose object is gone coasts on its way for max-age frames; the property counts from the next frame on. */
static void
test_max_age (void)
{
  g_auto (Stream) stream = stream_new ("ccatrack max-age=5");
  const GstCcaTrack *track;
  GstBuffer *buffer;
  gint x = 100;

  for (guint i = 0; i < 20; i++, x += 3) {
    add_box (&stream, x, 100, 30, 60);
    pass_and_drop (&stream);
  }
  for (guint i = 0; i < 5; i++, x += 3) {
    buffer = pass_frame (&stream);
    track = need_track (buffer, 1);
    g_assert_cmpint (track->state, ==, GST_CCA_TRACK_STATE_COASTING);
    g_assert_cmpuint (track->label, ==, 0);
    g_assert_cmpuint (track->area, ==, 1800);
    g_assert_cmpint (ABS ((gint) track->x - x), <=, 1);
    gst_buffer_unref (buffer);
  }
  g_object_set (stream.harness->element, "max-age", 7, NULL);
  for (guint i = 0; i < 3; i++) {
    buffer = pass_frame (&stream);
    g_assert_cmpuint (n_tracks (buffer), ==, i < 2 ? 1 : 0);
    gst_buffer_unref (buffer);
  }
}

/* Two that touch are one component and two tracks. */
static void
test_merged (void)
{
  g_auto (Stream) stream = stream_new ("ccatrack");

  for (gint i = 0; i < 60; i++) {
    const gint left = 100 + 2 * i, right = 300 - 2 * i;
    GstBuffer *buffer;

    if (left + 30 < right) {
      add_box (&stream, left, 100, 30, 60);
      add_box (&stream, right, 100, 30, 60);
    } else {
      add_box (&stream, left, 100, (guint) (right + 30 - left), 60);
    }
    buffer = pass_frame (&stream);
    if (i >= 3) {
      g_assert_cmpuint (n_tracks (buffer), ==, 2);
      for (guint64 id = 1; id <= 2; id++) {
        const GstCcaTrack *track = need_track (buffer, id);

        g_assert_cmpint (track->state, ==,
                         left + 30 < right ? GST_CCA_TRACK_STATE_CONFIRMED : GST_CCA_TRACK_STATE_MERGED);
        g_assert_cmpint (ABS ((gint) track->x - (id == 1 ? left : right)), <=, 4);
        g_assert_cmpuint (track->area, ==, 1800);
      }
    }
    gst_buffer_unref (buffer);
    if (left + 20 > right)
      break;
  }
}

/* Boxes end at the frame's borders, and tracks that have left are not listed. */
static void
test_borders (void)
{
  g_auto (Stream) stream = stream_new ("ccatrack");
  GstBuffer *buffer;
  guint n_coasting = 0;

  for (gint x = 500; x < WIDTH - 10; x += 5) {
    add_box (&stream, x, 320, (guint) MIN (40, WIDTH - x), 40);
    pass_and_drop (&stream);
  }
  for (guint i = 0; i < 20; i++) {
    const GstCcaTrack *track;

    buffer = pass_frame (&stream);
    track = find_track (buffer, 1);
    if (track) {
      n_coasting++;
      g_assert_cmpuint (track->width, >=, 1);
      g_assert_cmpuint (track->height, >=, 1);
      g_assert_cmpuint (track->x + track->width, <=, WIDTH);
      g_assert_cmpuint (track->y + track->height, <=, HEIGHT);
    }
    gst_buffer_unref (buffer);
  }
  g_assert_cmpuint (n_coasting, <, 10);
}

static void
assert_stats (Stream *stream, guint64 frames, guint64 tracks, guint alive)
{
  g_assert_cmpuint (test_stat (stream->harness->element, NULL, "frames"), ==, frames);
  g_assert_cmpuint (test_stat (stream->harness->element, NULL, "tracks"), ==, tracks);
  g_assert_cmpuint (test_stat (stream->harness->element, NULL, "alive"), ==, alive);
}

static void
test_stats (void)
{
  g_auto (Stream) stream = stream_new ("ccatrack max-age=2");

  assert_stats (&stream, 0, 0, 0);
  g_assert_true (g_str_has_prefix (GST_OBJECT_NAME (stream.harness->element), "ccatrack"));
  pass_still (&stream, 2);
  assert_stats (&stream, 2, 0, 0);
  pass_still (&stream, 3);
  assert_stats (&stream, 5, 1, 1);
  for (guint i = 0; i < 3; i++)
    pass_and_drop (&stream);
  assert_stats (&stream, 8, 1, 0);
  pass_still (&stream, 3);
  assert_stats (&stream, 11, 2, 1);
}

enum
{
  N_FRAMES = 80,
};

/* Walkers in a frame: one passes a pole, two meet and part, one comes late. x is their left side; -1: not there. */
static void
script (gint i, gint x[4], gint y[4])
{
  x[0] = 40 + 3 * i;
  y[0] = 20;
  x[1] = i < 30 ? 200 + 2 * i : i < 50 ? 260 : 260 - 2 * (i - 50);
  x[2] = i < 30 ? 338 - 2 * i : i < 50 ? 278 : 278 + 2 * (i - 50);
  y[1] = y[2] = 100;
  x[3] = i < 40 ? -1 : 500 - 2 * (i - 40);
  y[3] = 200;
}

static void
fill_box (guint8 *pixels, gint x, gint y, gint width, gint height, guint8 value)
{
  for (gint row = y; row < y + height; row++)
    memset (pixels + row * WIDTH + x, value, (gsize) width);
}

static GstBuffer *
draw_frame (gint i)
{
  GstBuffer *buffer = gst_buffer_new_allocate (NULL, WIDTH * HEIGHT, NULL);
  GstMapInfo map;
  gint x[4], y[4];

  script (i, x, y);
  g_assert_true (gst_buffer_map (buffer, &map, GST_MAP_WRITE));
  memset (map.data, 0, map.size);
  for (guint k = 0; k < 4; k++)
    if (x[k] >= 0)
      fill_box (map.data, x[k], y[k], 24, 50, 255);
  fill_box (map.data, 150, 0, 8, 80, 0);
  gst_buffer_unmap (buffer, &map);
  GST_BUFFER_PTS (buffer) = (guint64) i * FRAME;
  return buffer;
}

static void
test_pipeline (void)
{
  g_autoptr (GstHarness) harness = gst_harness_new_parse ("cca foreground=threshold ! ccatrack");
  guint64 ids[4] = { 0, 0, 0, 0 };

  gst_harness_set_src_caps (harness, test_caps ("GRAY8", WIDTH, HEIGHT, NULL));
  for (gint i = 0; i < N_FRAMES; i++) {
    g_autoptr (GstBuffer) buffer = test_pass (harness, draw_frame (i));
    const GstCcaTrackMeta *meta = gst_buffer_get_cca_track_meta (buffer);
    gint x[4], y[4];

    script (i, x, y);
    if (!meta)
      g_error ("frame %d has no tracks", i);
    g_assert_cmpuint (meta->n_tracks, ==, i < 2 ? 0 : i < 42 ? 3 : 4);
    for (guint k = 0; k < 4 && i >= 2; k++) {
      const GstCcaTrack *track = NULL;

      for (guint j = 0; j < meta->n_tracks; j++)
        if (ids[k] > 0 ? meta->tracks[j].track_id == ids[k]
                       : ABS ((gint) meta->tracks[j].x - x[k]) < 3 && ABS ((gint) meta->tracks[j].y - y[k]) < 3)
          track = &meta->tracks[j];
      if (x[k] < 0 || (k == 3 && i < 42))
        continue;
      if (!track)
        g_error ("frame %d: walker %u has no track", i, k);
      ids[k] = track->track_id;
      g_assert_cmpint (ABS ((gint) track->x - x[k]), <=, 12);
      g_assert_cmpint (ABS ((gint) track->y - y[k]), <=, 12);
    }
  }
  for (guint k = 0; k < 4; k++)
    for (guint j = 0; j < k; j++)
      g_assert_cmpuint (ids[k], !=, ids[j]);
}

GST_TESTS_MAIN ("/track", test_tracks, test_confirm_frames, test_max_age, test_merged, test_borders, test_stats,
                test_pipeline)
