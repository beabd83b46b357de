/* gst-cca: the rules and events of a video frame, as a GstMeta
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include <gst/cca/gstccaeventmeta.h>

#include "events.h"

/* --- Types -------------------------------------------------------------------------------------------- */

GST_CCA_DEFINE_PLAIN_TYPE (GstCcaPoint, gst_cca_point)
G_DEFINE_BOXED_TYPE (GstCcaRule, gst_cca_rule, gst_cca_rule_copy, gst_cca_rule_free)
G_DEFINE_BOXED_TYPE (GstCcaEvent, gst_cca_event, gst_cca_event_copy, gst_cca_event_free)
GST_CCA_DEFINE_PLAIN_TYPE (GstCcaGroundTrack, gst_cca_ground_track)

G_DEFINE_FLAGS_TYPE (GstCcaMeasures, gst_cca_measures, { GST_CCA_MEASURE_SPEED, "GST_CCA_MEASURE_SPEED", "speed" },
                     { GST_CCA_MEASURE_HEADING, "GST_CCA_MEASURE_HEADING", "heading" },
                     { GST_CCA_MEASURE_HEADWAY, "GST_CCA_MEASURE_HEADWAY", "headway" },
                     { GST_CCA_MEASURE_GAP, "GST_CCA_MEASURE_GAP", "gap" },
                     { GST_CCA_MEASURE_FLOW, "GST_CCA_MEASURE_FLOW", "flow" },
                     { GST_CCA_MEASURE_OCCUPIED, "GST_CCA_MEASURE_OCCUPIED", "occupied" },
                     { GST_CCA_MEASURE_CONGESTION, "GST_CCA_MEASURE_CONGESTION", "congestion" },
                     { GST_CCA_MEASURE_QUEUE, "GST_CCA_MEASURE_QUEUE", "queue" })

G_DEFINE_ENUM_TYPE (GstCcaRuleType, gst_cca_rule_type, { GST_CCA_RULE_ZONE, "GST_CCA_RULE_ZONE", "zone" },
                    { GST_CCA_RULE_LINE, "GST_CCA_RULE_LINE", "line" })

G_DEFINE_ENUM_TYPE (GstCcaEventType, gst_cca_event_type, { GST_CCA_EVENT_ENTER, "GST_CCA_EVENT_ENTER", "enter" },
                    { GST_CCA_EVENT_LEAVE, "GST_CCA_EVENT_LEAVE", "leave" },
                    { GST_CCA_EVENT_DWELL, "GST_CCA_EVENT_DWELL", "dwell" },
                    { GST_CCA_EVENT_CROSS, "GST_CCA_EVENT_CROSS", "cross" },
                    { GST_CCA_EVENT_LEFT, "GST_CCA_EVENT_LEFT", "left" },
                    { GST_CCA_EVENT_REMOVED, "GST_CCA_EVENT_REMOVED", "removed" },
                    { GST_CCA_EVENT_MOTION_ON, "GST_CCA_EVENT_MOTION_ON", "motion-on" },
                    { GST_CCA_EVENT_MOTION_OFF, "GST_CCA_EVENT_MOTION_OFF", "motion-off" },
                    { GST_CCA_EVENT_WRONG_WAY, "GST_CCA_EVENT_WRONG_WAY", "wrong-way" },
                    { GST_CCA_EVENT_STOPPED, "GST_CCA_EVENT_STOPPED", "stopped" },
                    { GST_CCA_EVENT_SECTION, "GST_CCA_EVENT_SECTION", "section" },
                    { GST_CCA_EVENT_CROWD_ON, "GST_CCA_EVENT_CROWD_ON", "crowd-on" },
                    { GST_CCA_EVENT_CROWD_OFF, "GST_CCA_EVENT_CROWD_OFF", "crowd-off" })

G_DEFINE_ENUM_TYPE (GstCcaDirection, gst_cca_direction, { GST_CCA_DIRECTION_NONE, "GST_CCA_DIRECTION_NONE", "none" },
                    { GST_CCA_DIRECTION_FORWARD, "GST_CCA_DIRECTION_FORWARD", "forward" },
                    { GST_CCA_DIRECTION_BACKWARD, "GST_CCA_DIRECTION_BACKWARD", "backward" })

/* --- Copies ------------------------------------------------------------------------------------------- */

/**
 * gst_cca_point_copy:
 * @point: a #GstCcaPoint
 *
 * Returns: (transfer full): a copy, to be freed with gst_cca_point_free()
 *
 * Since: 0.1
 */
/**
 * gst_cca_point_free: (skip)
 * @point: (transfer full) (nullable): a copy from gst_cca_point_copy()
 *
 * Frees a copy of a point. Any thread.
 *
 * Since: 0.1
 */

/**
 * gst_cca_rule_copy:
 * @rule: a #GstCcaRule
 *
 * Copies a rule with its name and points; the copy then outlives the meta. Any thread.
 *
 * Returns: (transfer full) (nullable): the copy, to be freed with gst_cca_rule_free(); %NULL if memory is exhausted
 *
 * Since: 0.1
 */
GstCcaRule *
gst_cca_rule_copy (const GstCcaRule *rule)
{
  GstCcaEventLists lists;

  g_return_val_if_fail (rule != NULL, NULL);

  return gst_cca_event_lists_copy (&lists, &(GstCcaEventLists) { .rules = (GstCcaRule *) rule, .n_rules = 1 })
             ? lists.rules
             : NULL;
}

/**
 * gst_cca_rule_free: (skip)
 * @rule: (transfer full) (nullable): a copy from gst_cca_rule_copy()
 *
 * Frees a copy of a rule. Any thread.
 *
 * Since: 0.1
 */
void
gst_cca_rule_free (GstCcaRule *rule)
{
  g_free (rule);
}

/**
 * gst_cca_rule_get_points:
 * @rule: a #GstCcaRule
 *
 * Copies the points to a list. Bindings use this; C programs read @rule.points. Any thread.
 *
 * Returns: (transfer full) (element-type GstCcaPoint): the points, to be freed with g_list_free_full() and
 *   gst_cca_point_free()
 *
 * Since: 0.1
 */
GList *
gst_cca_rule_get_points (const GstCcaRule *rule)
{
  g_return_val_if_fail (rule != NULL, NULL);

  return gst_cca_frame_meta_list (rule->points, rule->n_points, sizeof *rule->points,
                                  (GBoxedCopyFunc) gst_cca_point_copy);
}

/**
 * gst_cca_event_copy:
 * @event: a #GstCcaEvent
 *
 * Copies an event with the name of its rule; the copy then outlives the meta. Any thread.
 *
 * Returns: (transfer full) (nullable): the copy, to be freed with gst_cca_event_free(); %NULL if memory is exhausted
 *
 * Since: 0.1
 */
GstCcaEvent *
gst_cca_event_copy (const GstCcaEvent *event)
{
  GstCcaEventLists lists;

  g_return_val_if_fail (event != NULL, NULL);

  return gst_cca_event_lists_copy (&lists, &(GstCcaEventLists) { .events = (GstCcaEvent *) event, .n_events = 1 })
             ? lists.events
             : NULL;
}

/**
 * gst_cca_event_free: (skip)
 * @event: (transfer full) (nullable): a copy from gst_cca_event_copy()
 *
 * Frees a copy of an event. Any thread.
 *
 * Since: 0.1
 */
void
gst_cca_event_free (GstCcaEvent *event)
{
  g_free (event);
}

/**
 * gst_cca_ground_track_copy:
 * @track: a #GstCcaGroundTrack
 *
 * Copies a track on the ground. Any thread.
 *
 * Returns: (transfer full): a copy of @track
 *
 * Since: 0.1
 */
/**
 * gst_cca_ground_track_free:
 * @track: (transfer full): a #GstCcaGroundTrack
 *
 * Frees a track from gst_cca_ground_track_copy(). Any thread.
 *
 * Since: 0.1
 */

/* --- The meta ----------------------------------------------------------------------------------------- */

GST_CCA_DEFINE_FRAME_META (GstCcaEventMeta, cca_event_meta, gst_cca_events)

/**
 * gst_cca_event_meta_api_get_type:
 *
 * Returns: the #GType of the meta's API; it has no tags
 *
 * Since: 0.1
 */

/**
 * gst_cca_event_meta_get_info:
 *
 * Returns the meta's implementation. The first call registers it, and only then does gst_meta_deserialize() know the
 * meta. Any thread.
 *
 * Returns: (transfer none): the #GstMetaInfo
 *
 * Since: 0.1
 */

/**
 * gst_buffer_get_cca_event_meta:
 * @buffer: a #GstBuffer
 *
 * Returns the rules and events of a frame. If the buffer has several metas, returns the first. Any thread that holds a
 * reference to @buffer.
 *
 * Returns: (transfer none) (nullable): the meta, which lives as long as @buffer has it, or %NULL
 *
 * Since: 0.1
 */

/**
 * gst_buffer_get_cca_event_meta_by_id:
 * @buffer: a #GstBuffer
 * @id: (nullable): the id of the analysis; %NULL for any
 *
 * Returns the rules that watch the analysis named @id, and their events: the first meta with this id. With
 * %NULL, does the same as gst_buffer_get_cca_event_meta(). Any thread that holds a reference to @buffer.
 *
 * Returns: (transfer none) (nullable): the meta, which lives as long as @buffer has it, or %NULL
 *
 * Since: 0.1
 */

/**
 * gst_buffer_iterate_cca_event_meta: (skip)
 * @buffer: a #GstBuffer
 * @state: (inout): the state of the iteration; %NULL at the start
 *
 * Returns the metas of a frame one after the other, in the order in which they were added. Do not remove metas during
 * the iteration. Any thread that holds a reference to @buffer.
 *
 * Returns: (transfer none) (nullable): the next meta, which lives as long as @buffer has it, or %NULL after the last
 *
 * Since: 0.1
 */

/**
 * gst_buffer_add_cca_event_meta: (skip)
 * @buffer: a writable #GstBuffer
 * @id: (nullable): the id of the analysis; %NULL is the empty name
 * @width: width of the frame that the coordinates refer to, pixels
 * @height: height of the frame that the coordinates refer to, pixels
 * @rules: (array length=n_rules) (nullable): the rules, which are copied with their names and points
 * @n_rules: number of rules
 * @events: (array length=n_events) (nullable): the events, which are copied with the names of their rules
 * @n_events: number of events
 *
 * Adds the rules and events of a frame, and keeps the metas that @buffer already has. The thread that owns @buffer.
 *
 * Returns: (transfer none) (nullable): the meta, owned by @buffer; %NULL if memory is exhausted
 *
 * Since: 0.1
 */
GstCcaEventMeta *
gst_buffer_add_cca_event_meta (GstBuffer *buffer, const gchar *id, guint width, guint height, const GstCcaRule *rules,
                               guint n_rules, const GstCcaEvent *events, guint n_events)
{
  GstCcaEventMeta *meta;
  GstCcaEventLists lists;

  g_return_val_if_fail (GST_IS_BUFFER (buffer) && gst_buffer_is_writable (buffer), NULL);
  g_return_val_if_fail (n_rules == 0 || rules != NULL, NULL);
  g_return_val_if_fail (n_events == 0 || events != NULL, NULL);

  if (!gst_cca_event_lists_copy (&lists, &(GstCcaEventLists) { .rules = (GstCcaRule *) rules,
                                                               .n_rules = n_rules,
                                                               .events = (GstCcaEvent *) events,
                                                               .n_events = n_events }))
    return NULL;
  meta = gst_cca_frame_meta_add (&gst_cca_events, buffer, g_ref_string_new (id != NULL ? id : ""), width, height, NULL);
  gst_cca_event_lists_take (meta, &lists);
  return meta;
}

/**
 * gst_cca_event_meta_set_ground_tracks:
 * @meta: a #GstCcaEventMeta
 * @tracks: (array length=n_tracks) (nullable): tracks on the ground, by ascending id
 * @n_tracks: number of tracks
 *
 * Sets where tracks are on the ground; copies @tracks. Call it right after the meta was added, before anything else
 * looks at it. The thread that owns the meta's buffer, which must be writable.
 *
 * Returns: %FALSE if memory is exhausted, and the meta remains as it was
 *
 * Since: 0.1
 */
gboolean
gst_cca_event_meta_set_ground_tracks (GstCcaEventMeta *meta, const GstCcaGroundTrack *tracks, guint n_tracks)
{
  GstCcaEventLists lists;

  g_return_val_if_fail (meta != NULL, FALSE);
  g_return_val_if_fail (n_tracks == 0 || tracks != NULL, FALSE);

  if (!gst_cca_event_lists_copy (&lists, &(GstCcaEventLists) { .rules = (GstCcaRule *) meta->rules,
                                                               .n_rules = meta->n_rules,
                                                               .events = (GstCcaEvent *) meta->events,
                                                               .n_events = meta->n_events,
                                                               .ground_tracks = (GstCcaGroundTrack *) tracks,
                                                               .n_ground_tracks = n_tracks }))
    return FALSE;
  gst_cca_event_lists_take (meta, &lists);
  return TRUE;
}

/**
 * gst_cca_event_meta_find_ground_track:
 * @meta: a #GstCcaEventMeta
 * @track_id: identity of a track
 *
 * Finds where a track is on the ground. Any thread that holds a reference to the meta's buffer.
 *
 * Returns: (transfer none) (nullable): the track on the ground, which lives as long as @meta; %NULL if its place is not
 *   known
 *
 * Since: 0.1
 */
const GstCcaGroundTrack *
gst_cca_event_meta_find_ground_track (const GstCcaEventMeta *meta, guint64 track_id)
{
  g_return_val_if_fail (meta != NULL, NULL);

  for (guint i = 0; i < meta->n_ground_tracks; i++)
    if (meta->ground_tracks[i].track_id == track_id)
      return &meta->ground_tracks[i];
  return NULL;
}

/**
 * gst_cca_event_meta_get_ground_tracks:
 * @meta: a #GstCcaEventMeta
 *
 * Copies the tracks on the ground. Any thread that holds a reference to the meta's buffer.
 *
 * Returns: (transfer full) (element-type GstCcaGroundTrack): the tracks whose place is known, by ascending id
 *
 * Since: 0.1
 */
GList *
gst_cca_event_meta_get_ground_tracks (const GstCcaEventMeta *meta)
{
  g_return_val_if_fail (meta != NULL, NULL);

  return gst_cca_frame_meta_list (meta->ground_tracks, meta->n_ground_tracks, sizeof *meta->ground_tracks,
                                  (GBoxedCopyFunc) gst_cca_ground_track_copy);
}

/**
 * gst_cca_event_meta_get_rules:
 * @meta: a #GstCcaEventMeta
 *
 * Copies the rules to a list that outlives the meta. Bindings use this; C programs read @meta.rules. Any thread that
 * holds a reference to the meta's buffer.
 *
 * Returns: (transfer full) (element-type GstCcaRule): the rules, to be freed with g_list_free_full() and
 *   gst_cca_rule_free()
 *
 * Since: 0.1
 */
GList *
gst_cca_event_meta_get_rules (const GstCcaEventMeta *meta)
{
  g_return_val_if_fail (meta != NULL, NULL);

  return gst_cca_frame_meta_list (meta->rules, meta->n_rules, sizeof *meta->rules, (GBoxedCopyFunc) gst_cca_rule_copy);
}

/**
 * gst_cca_event_meta_get_events:
 * @meta: a #GstCcaEventMeta
 *
 * Copies the events, in the order in which they fired, to a list that outlives the meta. Bindings use this; C programs
 * read @meta.events. Any thread that holds a reference to the meta's buffer.
 *
 * Returns: (transfer full) (element-type GstCcaEvent): the events, to be freed with g_list_free_full() and
 *   gst_cca_event_free()
 *
 * Since: 0.1
 */
GList *
gst_cca_event_meta_get_events (const GstCcaEventMeta *meta)
{
  g_return_val_if_fail (meta != NULL, NULL);

  return gst_cca_frame_meta_list (meta->events, meta->n_events, sizeof *meta->events,
                                  (GBoxedCopyFunc) gst_cca_event_copy);
}

/**
 * gst_cca_event_meta_map_to_frame:
 * @meta: a #GstCcaEventMeta
 * @buffer: the buffer that has @meta
 * @width: width of the frame as the buffer's caps say, pixels
 * @height: height of the frame as the buffer's caps say, pixels
 * @place: (out caller-allocates): where the measured frame lies in the frame, pixels; empty for
 *   %GST_CCA_PLACE_UNKNOWN
 *
 * Finds where the points of a meta are in the frame that carries it, as gst_cca_meta_map_to_frame() does for
 * components. Any thread that holds a reference to @buffer.
 *
 * Returns: whether and how positions must be mapped
 *
 * Since: 0.1
 */
