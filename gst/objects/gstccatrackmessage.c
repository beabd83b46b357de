/* gst-cca: tracks as an element message
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "gstccatrackmessage.h"

#include "gstccaroom.h"
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

static GstStructure *
track_structure (const GstCcaTrack *track)
{
  return gst_structure_new_id (
      names.track, names.track_id, G_TYPE_UINT64, track->track_id, names.state, GST_TYPE_CCA_TRACK_STATE, track->state,
      names.label, G_TYPE_UINT, track->label, names.x, G_TYPE_UINT, track->x, names.y, G_TYPE_UINT, track->y,
      names.width, G_TYPE_UINT, track->width, names.height, G_TYPE_UINT, track->height, names.area, G_TYPE_UINT64,
      track->area, names.centroid_x, G_TYPE_DOUBLE, track->centroid_x, names.centroid_y, G_TYPE_DOUBLE,
      track->centroid_y, names.velocity_x, G_TYPE_DOUBLE, track->velocity_x, names.velocity_y, G_TYPE_DOUBLE,
      track->velocity_y, names.age, G_TYPE_UINT, track->age, NULL);
}

static void
take_tracks (GstStructure *structure, const GstCcaTrack *tracks, guint n)
{
  GValue list = G_VALUE_INIT;

  gst_value_list_init (&list, n);
  for (guint i = 0; i < n; i++)
    gst_cca_append_structure (&list, track_structure (&tracks[i]));
  gst_structure_id_take_value (structure, names.tracks, &list);
}

/* More than a track of a message takes, in small blocks. */
#define TRACK_BYTES 1024

GstMessage *
gst_cca_track_message_new (GstObject *source, const gchar *id, const GstCcaMessageTimes *times, guint width,
                           guint height, const GstCcaTrack *tracks, guint n)
{
  GstStructure *structure;

  if (!gst_cca_has_room ((gsize) n * TRACK_BYTES))
    return NULL;
  find_names ();
  structure = gst_structure_new_id (names.cca_tracks, names.id, G_TYPE_STRING, id, names.width, G_TYPE_UINT, width,
                                    names.height, G_TYPE_UINT, height, names.n_tracks, G_TYPE_UINT, n, NULL);
  gst_cca_message_times_set (times, structure);
  take_tracks (structure, tracks, n);
  return gst_message_new_element (source, structure);
}
