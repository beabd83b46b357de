/* gst-cca: the tracks of a video frame, as a GstMeta
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#ifndef GST_CCA_TRACK_META_H
#define GST_CCA_TRACK_META_H

#include <gst/cca/gstccameta.h>

G_BEGIN_DECLS

/**
 * SECTION:gstccatrackmeta
 * @title: GstCcaTrackMeta
 * @short_description: the objects in a video frame, with identities that last
 *
 * `#include <gst/cca/gstccatrackmeta.h>`, pkg-config `gstreamer-cca-1.0`, introspection `GstCca-1.0`.
 *
 * A buffer has one meta for each analysis whose components are tracked, identified by the @id of its #GstCcaMeta.
 *
 * Elements that change the frame treat the meta as they do #GstCcaMeta. Where they scale, crop or turn the frame, boxes
 * are mapped as those of components are, and tracks whose boxes lie wholly outside are dropped. Areas, centroids and
 * velocities are those of the whole object.
 *
 * Threads: as for #GstCcaMeta.
 */

/**
 * GstCcaTrackState:
 * @GST_CCA_TRACK_STATE_CONFIRMED: the object is seen, apart from others
 * @GST_CCA_TRACK_STATE_MERGED: the object shares a component with others; its box is estimated within it
 * @GST_CCA_TRACK_STATE_COASTING: the object is not seen; its box is predicted
 *
 * How a track's place in a frame was found.
 *
 * Since: 0.1
 */
typedef enum
{
  GST_CCA_TRACK_STATE_CONFIRMED,
  GST_CCA_TRACK_STATE_MERGED,
  GST_CCA_TRACK_STATE_COASTING,
} GstCcaTrackState;

/**
 * GstCcaTrack:
 * @track_id: identity, from 1, never reused
 * @state: how its place was found
 * @label: label of its largest component in this frame, or number of its detection, from 1; 0 while coasting
 * @x: left of its box, which is clipped to the frame, pixels
 * @y: top of the box, pixels
 * @width: width of the box, pixels, at least 1
 * @height: height of the box, pixels, at least 1
 * @area: pixels of its components; as last measured while it is merged or coasting
 * @centroid_x: centroid, pixels, pixel centres at integers; may lie outside the frame
 * @centroid_y: centroid, pixels, pixel centres at integers
 * @velocity_x: velocity to the right, pixels per second
 * @velocity_y: velocity downwards, pixels per second
 * @age: frames since the track's first one, which counts as 1
 * @object_type: the class of the object, such as `person`, if a detector named it; 0 if not
 *
 * One object in a frame.
 *
 * Since: 0.1
 */
typedef struct _GstCcaTrack GstCcaTrack;
struct _GstCcaTrack
{
  guint64 track_id;
  GstCcaTrackState state;
  guint label;
  guint x, y, width, height;
  guint64 area;
  gdouble centroid_x, centroid_y;
  gdouble velocity_x, velocity_y;
  guint age;
  GQuark object_type;
};

/**
 * GstCcaTrackMeta:
 * @meta: parent
 * @id: the id of the #GstCcaMeta that the tracks come from. Never %NULL; empty if the analysis has no name
 * @width: width of the frame that the coordinates refer to, pixels
 * @height: height of the frame that the coordinates refer to, pixels
 * @stale: whether an element between the tracker and this buffer changed the frame in a way that the meta cannot
 * follow, as for #GstCcaMeta
 * @n_tracks: number of tracks
 * @tracks: the @n_tracks tracks, by ascending @track_id; read-only, shared between copies of the meta, valid as long as
 *   the meta
 * @upper_row: a row on which objects stood, pixels from the frame's top; it may lie outside of a cropped frame
 * @upper_height: how high objects are that stand on @upper_row, pixels; 0 if the tracker does not know
 * @lower_row: another row, not above @upper_row
 * @lower_height: how high objects are that stand on @lower_row, pixels; 0 if the tracker does not know
 *
 * The tracked objects in a frame, once they are confirmed. A track has ended when a frame's meta no longer lists it.
 * Bindings read the tracks with gst_cca_track_meta_get_tracks(), which returns copies; the meta itself lives as long as
 * its buffer. gst_cca_track_meta_get_height() gives the height of objects between the two rows.
 *
 * Since: 0.1
 */
typedef struct _GstCcaTrackMeta GstCcaTrackMeta;
struct _GstCcaTrackMeta
{
  GstMeta meta;

  const gchar *id;
  guint width, height;
  gboolean stale;
  guint n_tracks;
#ifndef __GI_SCANNER__ /* bindings would treat it as one track; they use get_tracks() */
  const GstCcaTrack *tracks;
#else
  gconstpointer _tracks;
#endif
  gdouble upper_row, upper_height;
  gdouble lower_row, lower_height;
};

#define GST_TYPE_CCA_TRACK_STATE (gst_cca_track_state_get_type ())
#define GST_TYPE_CCA_TRACK (gst_cca_track_get_type ())
#define GST_CCA_TRACK_META_API_TYPE (gst_cca_track_meta_api_get_type ())
#define GST_CCA_TRACK_META_INFO (gst_cca_track_meta_get_info ())

GST_CCA_API
GType gst_cca_track_state_get_type (void);

GST_CCA_API
GType gst_cca_track_get_type (void);

GST_CCA_API
GType gst_cca_track_meta_api_get_type (void);

GST_CCA_API
const GstMetaInfo *gst_cca_track_meta_get_info (void);

GST_CCA_API
GstCcaTrackMeta *gst_buffer_get_cca_track_meta (GstBuffer *buffer);

GST_CCA_API
const GstCcaTrackMeta *gst_buffer_get_cca_track_meta_by_id (GstBuffer *buffer, const gchar *id);

GST_CCA_API
GstCcaTrackMeta *gst_buffer_iterate_cca_track_meta (GstBuffer *buffer, gpointer *state);

GST_CCA_API
GstCcaTrackMeta *gst_buffer_add_cca_track_meta (GstBuffer *buffer, const gchar *id, guint width, guint height,
                                                const GstCcaTrack *tracks, guint n_tracks);

GST_CCA_API
gboolean gst_pad_probe_info_add_cca_track_meta (GstPadProbeInfo *info, const gchar *id, guint width, guint height,
                                                const GstCcaTrack *tracks, guint n_tracks);

GST_CCA_API
GstCcaPlace gst_cca_track_meta_map_to_frame (const GstCcaTrackMeta *meta, GstBuffer *buffer, guint width, guint height,
                                             GstVideoRectangle *place);

GST_CCA_API
void gst_cca_track_meta_set_heights (GstCcaTrackMeta *meta, gdouble upper_row, gdouble upper_height, gdouble lower_row,
                                     gdouble lower_height);

GST_CCA_API
gboolean gst_cca_track_meta_get_height (const GstCcaTrackMeta *meta, gdouble row, gdouble *height);

GST_CCA_API
GList *gst_cca_track_meta_get_tracks (const GstCcaTrackMeta *meta);

GST_CCA_API
GstCcaTrack *gst_cca_track_copy (const GstCcaTrack *track);

GST_CCA_API
void gst_cca_track_free (GstCcaTrack *track);

G_END_DECLS

#endif
