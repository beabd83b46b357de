/* gst-cca: classes of objects by names from outside; the library's sources are inside
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "../add-tests.h"
#include "framemeta.h"
#include "type.h"

#include <gst/cca/gstccaeventmeta.h>
#include <gst/cca/gstccatrackmeta.h>

/* Returns the class that a track has after its meta was bytes in which the class had that name. */
static GQuark
receive (const gchar *name)
{
  const gsize length = strlen (name);
  g_autofree gchar *known = g_strnfill (length, 'k');
  const GstCcaTrack track = { .width = 1, .height = 1, .object_type = g_quark_from_string (known) };
  g_autoptr (GstBuffer) buffer = gst_buffer_new ();
  GstCcaTrackMeta *meta = gst_buffer_add_cca_track_meta (buffer, NULL, 64, 48, &track, 1);
  const gsize size = gst_cca_frame_meta_write (&meta->meta, NULL);
  g_autofree guint8 *bytes = g_malloc (size);
  GQuark type;

  gst_cca_frame_meta_write (&meta->meta, bytes);
  memcpy (bytes + size - length, name, length); /* the last that a meta of one track says */
  gst_buffer_remove_meta (buffer, &meta->meta);
  meta = (GstCcaTrackMeta *) gst_cca_frame_meta_read (GST_CCA_TRACK_META_INFO, buffer, bytes, size, 2);
  g_assert_nonnull (meta);
  g_assert_cmpuint (meta->n_tracks, ==, 1);
  type = meta->tracks[0].object_type;
  return type;
}

/* A sender cannot let memory grow by ever new classes, since a process never forgets one. */
static void
test_bounds (void)
{
  g_autofree gchar *longest = g_strnfill (GST_CCA_MAX_TYPE_SIZE, 'a');
  g_autofree gchar *too_long = g_strnfill (GST_CCA_MAX_TYPE_SIZE + 1, 'a');
  gchar name[] = "class 0000";

  g_assert_cmpuint (receive (""), ==, 0);
  g_assert_cmpuint (receive (too_long), ==, 0);
  g_assert_cmpuint (g_quark_try_string (too_long), ==, 0);
  g_assert_cmpstr (g_quark_to_string (receive (longest)), ==, longest);
  for (guint i = 1; i < 2 * GST_CCA_MAX_NEW_TYPES; i++) {
    g_snprintf (name, sizeof name, "class %04u", i);
    g_assert_cmpstr (g_quark_to_string (receive (name)), ==, i < GST_CCA_MAX_NEW_TYPES ? name : NULL);
  }
  g_assert_cmpuint (g_quark_try_string (name), ==, 0);

  /* Classes that the process already knows do not count towards the limits, whatever their length. */
  g_assert_cmpstr (g_quark_to_string (receive ("class 0001")), ==, "class 0001");
  g_quark_from_string (too_long);
  g_assert_cmpstr (g_quark_to_string (receive (too_long)), ==, too_long);
}

/* Size classes go along as text, of events and of tracks on the ground. */
static void
test_sizes (void)
{
  const GstCcaEvent event = { .rule = "r", .size_class = g_quark_from_string ("lorry") };
  const GstCcaGroundTrack tracks[] = { { .track_id = 1, .size_class = g_quark_from_string ("walker") },
                                       { .track_id = 2 } };
  g_autoptr (GstBuffer) buffer = gst_buffer_new (), to = gst_buffer_new ();
  GstCcaEventMeta *meta = gst_buffer_add_cca_event_meta (buffer, NULL, 64, 48, NULL, 0, &event, 1);
  g_autofree guint8 *bytes = NULL;
  gsize size;

  g_assert_true (gst_cca_event_meta_set_ground_tracks (meta, tracks, G_N_ELEMENTS (tracks)));
  size = gst_cca_frame_meta_write (&meta->meta, NULL);
  bytes = g_malloc (size);
  gst_cca_frame_meta_write (&meta->meta, bytes);
  g_assert_null (gst_cca_frame_meta_read (GST_CCA_EVENT_META_INFO, to, bytes, size, 1));
  meta = (GstCcaEventMeta *) gst_cca_frame_meta_read (GST_CCA_EVENT_META_INFO, to, bytes, size, 2);
  g_assert_nonnull (meta);
  g_assert_cmpuint (meta->n_events, ==, 1);
  g_assert_cmpuint (meta->events[0].size_class, ==, event.size_class);
  g_assert_cmpuint (meta->n_ground_tracks, ==, G_N_ELEMENTS (tracks));
  for (guint i = 0; i < G_N_ELEMENTS (tracks); i++)
    g_assert_cmpuint (meta->ground_tracks[i].size_class, ==, tracks[i].size_class);
}

CASES_MAIN_AFTER (gst_init (&argc, &argv))
{
  g_test_add_func ("/meta-types/sizes", test_sizes);
  g_test_add_func ("/meta-types/bounds", test_bounds);
}
