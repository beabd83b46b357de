/* gst-cca: shared by the tests of ccatrack
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "track-test.h"

Stream
stream_of (const gchar *launch, GstCaps *caps)
{
  return (Stream) { .harness = test_harness (launch, caps), .id = "cca0", .width = WIDTH, .height = HEIGHT };
}

Stream
stream_new (const gchar *launch)
{
  return stream_of (launch, test_caps ("GRAY8", WIDTH, HEIGHT, NULL));
}

void
stream_free (Stream *stream)
{
  test_assert_no_message (stream->harness, GST_MESSAGE_WARNING | GST_MESSAGE_ERROR);
  test_harness_free (stream->harness);
}

void
add_box (Stream *stream, gint x, gint y, guint width, guint height)
{
  stream->components[stream->n] = (GstCcaComponent) { .label = stream->n + 1,
                                                      .x = (guint) x,
                                                      .y = (guint) y,
                                                      .width = width,
                                                      .height = height,
                                                      .area = (guint64) width * height,
                                                      .centroid_x = x + (width - 1) / 2.0,
                                                      .centroid_y = y + (height - 1) / 2.0 };
  stream->n++;
}

GstBuffer *
bare_frame (Stream *stream)
{
  GstBuffer *buffer = gst_buffer_new_allocate (NULL, 16, NULL);

  GST_BUFFER_PTS (buffer) = stream->time;
  GST_BUFFER_FLAG_SET (buffer, stream->flags);
  if (GST_CLOCK_TIME_IS_VALID (stream->time))
    stream->time += FRAME;
  stream->flags = 0;
  return buffer;
}

GstCcaMeta *
add_analysis (Stream *stream, GstBuffer *buffer, const gchar *id)
{
  GstCcaMeta *meta =
      gst_buffer_add_cca_meta (buffer, id, stream->width, stream->height, stream->n, stream->components, stream->n);

  stream->n = 0;
  return meta;
}

GstBuffer *
next_frame (Stream *stream)
{
  GstBuffer *buffer = bare_frame (stream);

  add_analysis (stream, buffer, stream->id);
  return buffer;
}

GstBuffer *
pass_frame (Stream *stream)
{
  return test_pass (stream->harness, next_frame (stream));
}

void
pass_and_drop (Stream *stream)
{
  gst_buffer_unref (pass_frame (stream));
}

void
pass_still (Stream *stream, guint n)
{
  for (guint i = 0; i < n; i++) {
    add_box (stream, 100, 100, 30, 60);
    pass_and_drop (stream);
  }
}

const GstCcaTrack *
find_track (GstBuffer *buffer, guint64 id)
{
  const GstCcaTrackMeta *meta = gst_buffer_get_cca_track_meta (buffer);

  g_assert_nonnull (meta);
  for (guint i = 0; i < meta->n_tracks; i++)
    if (meta->tracks[i].track_id == id)
      return &meta->tracks[i];
  return NULL;
}

const GstCcaTrack *
need_track (GstBuffer *buffer, guint64 id)
{
  const GstCcaTrack *track = find_track (buffer, id);

  if (!track)
    g_error ("no track %" G_GUINT64_FORMAT, id);
  return track;
}

guint
n_tracks (GstBuffer *buffer)
{
  const GstCcaTrackMeta *meta = gst_buffer_get_cca_track_meta (buffer);

  g_assert_nonnull (meta);
  return meta->n_tracks;
}

guint64
pass_for_id (Stream *stream)
{
  const GstCcaTrackMeta *meta;
  g_autoptr (GstBuffer) buffer = NULL;
  guint64 id;

  add_box (stream, 100, 100, 30, 60);
  buffer = pass_frame (stream);
  meta = gst_buffer_get_cca_track_meta (buffer);
  g_assert_nonnull (meta);
  g_assert_cmpuint (meta->n_tracks, <=, 1);
  id = meta->n_tracks > 0 ? meta->tracks[0].track_id : 0;
  return id;
}
