/* gst-cca: tracks as an element message
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "gstccatrackmessage.h"

#include "gstccastructures.h"

#define NAMES(F)                                                                                                       \
  F (cca_tracks, "cca-tracks")                                                                                         \
  F (id, "id")                                                                                                         \
  F (width, "width")                                                                                                   \
  F (height, "height")                                                                                                 \
  F (n_tracks, "n-tracks")                                                                                             \
  F (tracks, "tracks")                                                                                                 \
  F (track, "track")                                                                                                   \
  F (track_id, "track-id")                                                                                             \
  F (state, "state")                                                                                                   \
  F (label, "label")                                                                                                   \
  F (x, "x")                                                                                                           \
  F (y, "y")                                                                                                           \
  F (area, "area")                                                                                                     \
  F (centroid_x, "centroid-x")                                                                                         \
  F (centroid_y, "centroid-y")                                                                                         \
  F (velocity_x, "velocity-x")                                                                                         \
  F (velocity_y, "velocity-y")                                                                                         \
  F (age, "age")

GST_CCA_DEFINE_NAMES (NAMES)

static void
set_track (GValue *const *fields, gconstpointer item)
{
  const GstCcaTrack *track = item;

  g_value_set_uint64 (*fields++, track->track_id);
  g_value_set_enum (*fields++, track->state);
  g_value_set_uint (*fields++, track->label);
  g_value_set_uint (*fields++, track->x);
  g_value_set_uint (*fields++, track->y);
  g_value_set_uint (*fields++, track->width);
  g_value_set_uint (*fields++, track->height);
  g_value_set_uint64 (*fields++, track->area);
  g_value_set_double (*fields++, track->centroid_x);
  g_value_set_double (*fields++, track->centroid_y);
  g_value_set_double (*fields++, track->velocity_x);
  g_value_set_double (*fields++, track->velocity_y);
  g_value_set_uint (*fields++, track->age);
}

GstCcaListPool *
gst_cca_track_message_pool_new (void)
{
  find_names ();
  return gst_cca_list_pool_new (
      gst_structure_new_id (names.track, names.track_id, G_TYPE_UINT64, (guint64) 0, names.state,
                            GST_TYPE_CCA_TRACK_STATE, 0, names.label, G_TYPE_UINT, 0, names.x, G_TYPE_UINT, 0, names.y,
                            G_TYPE_UINT, 0, names.width, G_TYPE_UINT, 0, names.height, G_TYPE_UINT, 0, names.area,
                            G_TYPE_UINT64, (guint64) 0, names.centroid_x, G_TYPE_DOUBLE, 0.0, names.centroid_y,
                            G_TYPE_DOUBLE, 0.0, names.velocity_x, G_TYPE_DOUBLE, 0.0, names.velocity_y, G_TYPE_DOUBLE,
                            0.0, names.age, G_TYPE_UINT, 0, NULL),
      set_track, sizeof (GstCcaTrack));
}

GstMessage *
gst_cca_track_message_new (GstCcaListPool *pool, GstObject *source, const gchar *id, const GstCcaMessageTimes *times,
                           guint width, guint height, const GstCcaTrack *tracks, guint n)
{
  GstStructure *structure;
  GstMessage *message;
  GstCcaList *list;

  structure = gst_structure_new_id (names.cca_tracks, names.id, G_TYPE_STRING, id, names.width, G_TYPE_UINT, width,
                                    names.height, G_TYPE_UINT, height, names.n_tracks, G_TYPE_UINT, n, NULL);
  gst_cca_message_times_set (times, structure);
  list = gst_cca_list_new (pool, structure, names.tracks, tracks, n);
  message = gst_message_new_element (source, structure);
  gst_cca_list_give (list, message);
  return message;
}
