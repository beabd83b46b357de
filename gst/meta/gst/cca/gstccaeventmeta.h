/* gst-cca: the rules and events of a video frame, as a GstMeta
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#ifndef GST_CCA_EVENT_META_H
#define GST_CCA_EVENT_META_H

#include <gst/cca/gstccameta.h>

G_BEGIN_DECLS

/**
 * SECTION:gstccaeventmeta
 * @title: GstCcaEventMeta
 * @short_description: rules with their counters, and the events of a video frame
 *
 * `#include <gst/cca/gstccaeventmeta.h>`, pkg-config `gstreamer-cca-1.0`, introspection `GstCca-1.0`.
 *
 * The meta lists all rules with their counters at this frame, and the events that fired with this frame. A buffer has
 * one meta for each analysis, identified by the @id of its #GstCcaMeta.
 *
 * Elements that change the frame treat the meta as they do #GstCcaMeta. Where they scale, crop or turn the frame,
 * points are mapped and may come to lie outside; no rule or event is dropped.
 *
 * Threads: as for #GstCcaMeta.
 */

/**
 * GstCcaPoint:
 * @x: pixels from the frame's left edge
 * @y: pixels from the frame's top edge
 *
 * A point in a frame, measured between pixels: (0, 0) is the top left corner of the frame and (width, height) the
 * bottom right one. It may lie outside the frame.
 *
 * Since: 0.1
 */
typedef struct _GstCcaPoint GstCcaPoint;
struct _GstCcaPoint
{
  gdouble x, y;
};

/**
 * GstCcaRuleType:
 * @GST_CCA_RULE_ZONE: watches an area
 * @GST_CCA_RULE_LINE: watches a line
 *
 * Since: 0.1
 */
typedef enum
{
  GST_CCA_RULE_ZONE,
  GST_CCA_RULE_LINE,
} GstCcaRuleType;

/**
 * GstCcaMeasures:
 * @GST_CCA_MEASURE_SPEED: a speed
 * @GST_CCA_MEASURE_HEADING: the direction of a speed
 * @GST_CCA_MEASURE_HEADWAY: a time between two crossings
 * @GST_CCA_MEASURE_GAP: a distance between two objects that crossed
 * @GST_CCA_MEASURE_FLOW: objects per minute
 * @GST_CCA_MEASURE_OCCUPIED: the part of the time in which a zone held objects, or one stood on a line
 * @GST_CCA_MEASURE_CONGESTION: how much slower than without congestion objects are
 * @GST_CCA_MEASURE_QUEUE: objects that wait, and from where to where they do
 *
 * Says which members of a #GstCcaRule, #GstCcaEvent or #GstCcaGroundTrack are known; the others are 0.
 *
 * Since: 0.1
 */
typedef enum
{
  GST_CCA_MEASURE_SPEED = 1 << 0,
  GST_CCA_MEASURE_HEADING = 1 << 1,
  GST_CCA_MEASURE_HEADWAY = 1 << 2,
  GST_CCA_MEASURE_GAP = 1 << 3,
  GST_CCA_MEASURE_FLOW = 1 << 4,
  GST_CCA_MEASURE_OCCUPIED = 1 << 5,
  GST_CCA_MEASURE_CONGESTION = 1 << 6,
  GST_CCA_MEASURE_QUEUE = 1 << 7,
} GstCcaMeasures;

/**
 * GstCcaRule:
 * @name: identifies the rule. Never %NULL
 * @type: zone or line
 * @n_points: number of points
 * @points: (nullable): the corners of a zone's polygon, which is closed, or those of a line, which is not
 * @n_in: zone: tracks that entered; line: tracks that crossed forward, from its left side to its right side as seen
 *   along the line from its first point
 * @n_out: zone: tracks that left; line: tracks that crossed backward
 * @occupancy: zone: tracks inside now; line: 0
 * @measured: which of the following members are known
 * @speed: mean speed over the rule's window, metres per second: of a line's crossings; of the tracks in a zone
 * @flow: line: crossings per minute; zone: entries per minute
 * @occupied: zone: the part of the time in which it held tracks; line: in which one stood on it; 0 to 1
 * @congestion: 0 where @speed is the rule's free speed, 1 where all stand
 * @queue: zone: tracks that wait inside now
 * @queue_length: zone: from the first to the last track that waits, metres
 *
 * A rule with its counters. Bindings read its points with gst_cca_rule_get_points(), which returns copies.
 *
 * Since: 0.1
 */
typedef struct _GstCcaRule GstCcaRule;
struct _GstCcaRule
{
  const gchar *name;
  GstCcaRuleType type;
  guint n_points;
#ifdef __GI_SCANNER__ /* bindings would treat it as one point; they use get_points() */
  gconstpointer _points;
#else
  const GstCcaPoint *points;
#endif
  guint64 n_in, n_out;
  guint occupancy;
  GstCcaMeasures measured;
  gdouble speed, flow, occupied, congestion;
  guint queue;
  gdouble queue_length;
};

/**
 * GstCcaEventType:
 * @GST_CCA_EVENT_ENTER: a track entered a zone
 * @GST_CCA_EVENT_LEAVE: a track left a zone
 * @GST_CCA_EVENT_DWELL: a track has been in a zone for the time that the rule asks for
 * @GST_CCA_EVENT_CROSS: a track crossed a line
 * @GST_CCA_EVENT_LEFT: an object was left in a zone
 * @GST_CCA_EVENT_REMOVED: an object was removed from a zone
 * @GST_CCA_EVENT_MOTION_ON: motion began in a zone
 * @GST_CCA_EVENT_MOTION_OFF: motion ended in a zone
 * @GST_CCA_EVENT_WRONG_WAY: a track crossed a line or moves in a zone in a direction that is not allowed
 * @GST_CCA_EVENT_STOPPED: a track stands in a zone for the time that the rule asks for
 * @GST_CCA_EVENT_SECTION: a track passed the section that ends at a line: the event has its mean speed, and as @dwell
 *   of #GstCcaEvent the time that it took
 * @GST_CCA_EVENT_CROWD_ON: a zone has held more tracks than the rule allows for a time
 * @GST_CCA_EVENT_CROWD_OFF: it has not held more for that time
 *
 * The kind of an event.
 *
 * Since: 0.1
 */
typedef enum
{
  GST_CCA_EVENT_ENTER,
  GST_CCA_EVENT_LEAVE,
  GST_CCA_EVENT_DWELL,
  GST_CCA_EVENT_CROSS,
  GST_CCA_EVENT_LEFT,
  GST_CCA_EVENT_REMOVED,
  GST_CCA_EVENT_MOTION_ON,
  GST_CCA_EVENT_MOTION_OFF,
  GST_CCA_EVENT_WRONG_WAY,
  GST_CCA_EVENT_STOPPED,
  GST_CCA_EVENT_SECTION,
  GST_CCA_EVENT_CROWD_ON,
  GST_CCA_EVENT_CROWD_OFF,
} GstCcaEventType;

/**
 * GstCcaDirection:
 * @GST_CCA_DIRECTION_NONE: the event has no direction
 * @GST_CCA_DIRECTION_FORWARD: from the line's left side to its right side, as seen along the line from its first point
 * @GST_CCA_DIRECTION_BACKWARD: from the right side to the left side
 *
 * The direction in which a track crossed a line.
 *
 * Since: 0.1
 */
typedef enum
{
  GST_CCA_DIRECTION_NONE,
  GST_CCA_DIRECTION_FORWARD,
  GST_CCA_DIRECTION_BACKWARD,
} GstCcaDirection;

/**
 * GstCcaEvent:
 * @type: kind of event
 * @rule: name of the rule that fired. Never %NULL
 * @track_id: the track, or 0 if the event has none
 * @direction: direction in which it crossed the line
 * @x: position of the event, as in #GstCcaPoint
 * @y: position of the event
 * @dwell: time that the track has been inside so far, ns; %GST_CLOCK_TIME_NONE if the event has none
 * @n_in: the rule's counter after the event
 * @n_out: the rule's counter after the event
 * @occupancy: tracks inside the rule's zone after the event
 * @measured: which of the following members are known
 * @speed: speed of the track, metres per second
 * @headway: of a crossing: time since the one before in the same direction, ns
 * @gap: of a crossing: how far ahead the track of the one before is by then, if it kept its speed, metres
 * @size_class: size class of the track, a name of the rules; 0 if not known
 *
 * An event that fired with a frame.
 *
 * Since: 0.1
 */
typedef struct _GstCcaEvent GstCcaEvent;
struct _GstCcaEvent
{
  GstCcaEventType type;
  const gchar *rule;
  guint64 track_id;
  GstCcaDirection direction;
  gdouble x, y;
  GstClockTime dwell;
  guint64 n_in, n_out;
  guint occupancy;
  GstCcaMeasures measured;
  gdouble speed;
  GstClockTime headway;
  gdouble gap;
  GQuark size_class;
};

/**
 * GstCcaGroundTrack:
 * @track_id: the track, as in #GstCcaTrack
 * @measured: whether @speed and @heading are known
 * @x: where it stands on the ground, metres on the axes of the rules' calibration
 * @y: the same
 * @speed: metres per second
 * @heading: direction of the speed, degrees clockwise from the y axis, 0 to 360
 * @area: area of its silhouette, as if it stood upright and faced the camera, square metres
 * @size_class: the rules' size class of the median of such areas so far, such as `walker`; 0 if not known
 *
 * A track on the ground.
 *
 * Since: 0.1
 */
typedef struct _GstCcaGroundTrack GstCcaGroundTrack;
struct _GstCcaGroundTrack
{
  guint64 track_id;
  GstCcaMeasures measured;
  gdouble x, y;
  gdouble speed, heading;
  gdouble area;
  GQuark size_class;
};

/**
 * GstCcaEventMeta:
 * @meta: parent
 * @id: the id of the #GstCcaMeta that the rules watch. Never %NULL; empty if the analysis has no name
 * @width: width of the frame that the coordinates refer to, pixels
 * @height: height of the frame that the coordinates refer to, pixels
 * @stale: whether an element between the rules and this buffer changed the frame in a way that the meta cannot follow,
 * as for #GstCcaMeta
 * @n_rules: number of rules
 * @rules: the @n_rules rules; read-only, shared between copies of the meta, valid as long as the meta
 * @n_events: number of events
 * @events: the @n_events events, in the order in which they fired; as @rules
 * @n_ground_tracks: number of tracks whose place on the ground is known
 * @ground_tracks: the @n_ground_tracks tracks, by ascending id; as @rules
 *
 * The rules that watch a video with their counters at this frame, and the events that fired with this frame. Bindings
 * read them with gst_cca_event_meta_get_rules() and gst_cca_event_meta_get_events(), which return copies, as
 * gst_cca_event_meta_get_ground_tracks() does; the meta itself lives as long as its buffer.
 *
 * Since: 0.1
 */
typedef struct _GstCcaEventMeta GstCcaEventMeta;
struct _GstCcaEventMeta
{
  GstMeta meta;

  const gchar *id;
  guint width, height;
  gboolean stale;
  guint n_rules;
#ifdef __GI_SCANNER__ /* bindings would treat it as one rule; they use get_rules() */
  gconstpointer _rules;
#else
  const GstCcaRule *rules;
#endif
  guint n_events;
#ifdef __GI_SCANNER__ /* as above; get_events() */
  gconstpointer _events;
#else
  const GstCcaEvent *events;
#endif
  guint n_ground_tracks;
#ifndef __GI_SCANNER__ /* as above; get_ground_tracks() */
  const GstCcaGroundTrack *ground_tracks;
#endif
};

#define GST_TYPE_CCA_POINT (gst_cca_point_get_type ())
#define GST_TYPE_CCA_MEASURES (gst_cca_measures_get_type ())
#define GST_TYPE_CCA_RULE_TYPE (gst_cca_rule_type_get_type ())
#define GST_TYPE_CCA_RULE (gst_cca_rule_get_type ())
#define GST_TYPE_CCA_EVENT_TYPE (gst_cca_event_type_get_type ())
#define GST_TYPE_CCA_DIRECTION (gst_cca_direction_get_type ())
#define GST_TYPE_CCA_EVENT (gst_cca_event_get_type ())
#define GST_TYPE_CCA_GROUND_TRACK (gst_cca_ground_track_get_type ())
#define GST_CCA_EVENT_META_API_TYPE (gst_cca_event_meta_api_get_type ())
#define GST_CCA_EVENT_META_INFO (gst_cca_event_meta_get_info ())

GST_CCA_API
GType gst_cca_point_get_type (void);

GST_CCA_API
GType gst_cca_measures_get_type (void);

GST_CCA_API
GType gst_cca_rule_type_get_type (void);

GST_CCA_API
GType gst_cca_rule_get_type (void);

GST_CCA_API
GType gst_cca_event_type_get_type (void);

GST_CCA_API
GType gst_cca_direction_get_type (void);

GST_CCA_API
GType gst_cca_event_get_type (void);

GST_CCA_API
GType gst_cca_ground_track_get_type (void);

GST_CCA_API
GType gst_cca_event_meta_api_get_type (void);

GST_CCA_API
const GstMetaInfo *gst_cca_event_meta_get_info (void);

GST_CCA_API
GstCcaEventMeta *gst_buffer_get_cca_event_meta (GstBuffer *buffer);

GST_CCA_API
const GstCcaEventMeta *gst_buffer_get_cca_event_meta_by_id (GstBuffer *buffer, const gchar *id);

GST_CCA_API
GstCcaEventMeta *gst_buffer_iterate_cca_event_meta (GstBuffer *buffer, gpointer *state);

GST_CCA_API
GstCcaEventMeta *gst_buffer_add_cca_event_meta (GstBuffer *buffer, const gchar *id, guint width, guint height,
                                                const GstCcaRule *rules, guint n_rules, const GstCcaEvent *events,
                                                guint n_events);

GST_CCA_API
GstCcaPlace gst_cca_event_meta_map_to_frame (const GstCcaEventMeta *meta, GstBuffer *buffer, guint width, guint height,
                                             GstVideoRectangle *place);

GST_CCA_API
gboolean gst_cca_event_meta_set_ground_tracks (GstCcaEventMeta *meta, const GstCcaGroundTrack *tracks, guint n_tracks);

GST_CCA_API
const GstCcaGroundTrack *gst_cca_event_meta_find_ground_track (const GstCcaEventMeta *meta, guint64 track_id);

GST_CCA_API
GList *gst_cca_event_meta_get_ground_tracks (const GstCcaEventMeta *meta);

GST_CCA_API
GList *gst_cca_event_meta_get_rules (const GstCcaEventMeta *meta);

GST_CCA_API
GList *gst_cca_event_meta_get_events (const GstCcaEventMeta *meta);

GST_CCA_API
GstCcaPoint *gst_cca_point_copy (const GstCcaPoint *point);

GST_CCA_API
void gst_cca_point_free (GstCcaPoint *point);

GST_CCA_API
GstCcaRule *gst_cca_rule_copy (const GstCcaRule *rule);

GST_CCA_API
void gst_cca_rule_free (GstCcaRule *rule);

GST_CCA_API
GList *gst_cca_rule_get_points (const GstCcaRule *rule);

GST_CCA_API
GstCcaEvent *gst_cca_event_copy (const GstCcaEvent *event);

GST_CCA_API
void gst_cca_event_free (GstCcaEvent *event);

GST_CCA_API
GstCcaGroundTrack *gst_cca_ground_track_copy (const GstCcaGroundTrack *track);

GST_CCA_API
void gst_cca_ground_track_free (GstCcaGroundTrack *track);

G_END_DECLS

#endif
