/* gst-cca: the metas of a frame as a line of JSON, and the changes since the last line
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "gstccajsonline.h"

#include "jsonwriter.h"

#include <math.h>

G_DEFINE_FLAGS_TYPE (GstCcaJsonParts, gst_cca_json_parts,
                     { GST_CCA_JSON_COMPONENTS, "Components and their number", "components" },
                     { GST_CCA_JSON_TRACKS, "Tracks and their number", "tracks" },
                     { GST_CCA_JSON_EVENTS, "Events of the frame", "events" },
                     { GST_CCA_JSON_COUNTS, "Zones and lines with their counters", "counts" },
                     { GST_CCA_JSON_POINTS, "Coordinates of those zones and lines", "points" })

static const GstCcaEventMeta *
rules_of (const GstCcaJsonFrame *frame, guint index)
{
  return g_ptr_array_index (frame->rules, index);
}

gboolean
gst_cca_json_frame_is_eventful (const GstCcaJsonFrame *frame)
{
  for (guint i = 0; i < frame->rules->len; i++)
    if (rules_of (frame, i)->n_events > 0)
      return TRUE;
  return frame->scene_change || frame->camera_changed;
}

/* --- Members ----------------------------------------------------------------------------------------- */

/* Returns the nick of a value, which lives as long as the library of its type; NULL for an unknown value. */
static const gchar *
nick_of (GType type, gint value)
{
  GEnumClass *enumeration = g_type_class_ref (type);
  const GEnumValue *known = g_enum_get_value (enumeration, value);

  g_type_class_unref (enumeration);
  return known ? known->value_nick : NULL;
}

static void
add_time (GString *line, const gchar *name, GstClockTime time)
{
  if (GST_CLOCK_TIME_IS_VALID (time))
    gst_cca_json_add_uint (line, name, time);
}

static void
add_box (GString *line, guint x, guint y, guint width, guint height)
{
  gst_cca_json_add_uint (line, "x", x);
  gst_cca_json_add_uint (line, "y", y);
  gst_cca_json_add_uint (line, "width", width);
  gst_cca_json_add_uint (line, "height", height);
}

/* Notes the end of a member, if one was added since the last call. */
static void
end_member (GstCcaJsonMembers *members, const GString *line)
{
  const gsize last = members->n > 0 ? members->ends[members->n - 1] : 1;

  if (line->len > last)
    members->ends[members->n++] = line->len;
}

/* --- Components -------------------------------------------------------------------------------------- */

/* Whether second moments were measured: they are 0 where they were not, and where all components are single pixels. */
static gboolean
has_covariance (const GstCcaMeta *meta)
{
  for (guint i = 0; i < meta->n_stored; i++)
    if (meta->components[i].cov_xx != 0.0 || meta->components[i].cov_yy != 0.0)
      return TRUE;
  return FALSE;
}

static gboolean
is_finite_component (const GstCcaComponent *component)
{
  return isfinite (component->centroid_x) && isfinite (component->centroid_y) && isfinite (component->cov_xx)
         && isfinite (component->cov_xy) && isfinite (component->cov_yy);
}

static gboolean
is_finite_detail (const GstCcaMeta *meta, guint index)
{
  return (!meta->shapes
          || (isfinite (meta->shapes[index].perimeter) && isfinite (meta->shapes[index].perimeter_crofton)))
         && (!meta->intensities || isfinite (meta->intensities[index].mean));
}

static void
add_shape (GString *line, const GstCcaShape *shape)
{
  gst_cca_json_add_decimal (line, "perimeter", shape->perimeter);
  gst_cca_json_add_decimal (line, "perimeter-crofton", shape->perimeter_crofton);
  gst_cca_json_add_decimal (line, "euler-number", shape->euler_number);
}

static void
add_intensity (GString *line, const GstCcaIntensity *intensity)
{
  gst_cca_json_add_decimal (line, "intensity-mean", intensity->mean);
  gst_cca_json_add_uint (line, "intensity-min", intensity->min);
  gst_cca_json_add_uint (line, "intensity-max", intensity->max);
}

static void
add_component (GString *line, const GstCcaMeta *meta, guint index, gboolean covariance)
{
  const GstCcaComponent *component = &meta->components[index];

  if (!is_finite_component (component) || !is_finite_detail (meta, index))
    return;
  gst_cca_json_begin (line, NULL, '{');
  gst_cca_json_add_uint (line, "label", component->label);
  add_box (line, component->x, component->y, component->width, component->height);
  gst_cca_json_add_uint (line, "area", component->area);
  gst_cca_json_add_decimal (line, "centroid-x", component->centroid_x);
  gst_cca_json_add_decimal (line, "centroid-y", component->centroid_y);
  if (covariance) {
    gst_cca_json_add_decimal (line, "covariance-xx", component->cov_xx);
    gst_cca_json_add_decimal (line, "covariance-xy", component->cov_xy);
    gst_cca_json_add_decimal (line, "covariance-yy", component->cov_yy);
  }
  if (meta->shapes)
    add_shape (line, &meta->shapes[index]);
  if (meta->intensities)
    add_intensity (line, &meta->intensities[index]);
  gst_cca_json_end (line, '{');
}

static void
add_components (GString *line, GstCcaJsonMembers *members, const GstCcaMeta *meta)
{
  const gboolean covariance = has_covariance (meta);

  gst_cca_json_add_uint (line, "n-components", meta->n_components);
  end_member (members, line);
  gst_cca_json_add_boolean (line, "truncated", meta->truncated);
  end_member (members, line);
  gst_cca_json_begin (line, "components", '[');
  for (guint i = 0; i < meta->n_stored; i++)
    add_component (line, meta, i, covariance);
  gst_cca_json_end (line, '[');
  end_member (members, line);
}

/* --- Tracks ------------------------------------------------------------------------------------------ */

static gboolean
is_finite_track (const GstCcaTrack *track)
{
  return isfinite (track->centroid_x) && isfinite (track->centroid_y) && isfinite (track->velocity_x)
         && isfinite (track->velocity_y);
}

/* Adds a number if a flag says that it is known. */
static void
add_measure (GString *line, const gchar *name, GstCcaMeasures measured, GstCcaMeasures flag, gdouble value)
{
  if ((measured & flag) && isfinite (value))
    gst_cca_json_add_decimal (line, name, value);
}

/* Adds where a track is on the ground, by the first rules that say so. */
static void
add_ground (GString *line, const GstCcaJsonFrame *frame, guint64 track_id)
{
  const GstCcaGroundTrack *track = NULL;

  for (guint i = 0; i < frame->rules->len && !track; i++)
    track = gst_cca_event_meta_find_ground_track (rules_of (frame, i), track_id);
  if (!track || !isfinite (track->x) || !isfinite (track->y) || !isfinite (track->area))
    return;
  gst_cca_json_begin (line, "ground", '{');
  gst_cca_json_add_decimal (line, "x", track->x);
  gst_cca_json_add_decimal (line, "y", track->y);
  add_measure (line, "speed", track->measured, GST_CCA_MEASURE_SPEED, track->speed);
  add_measure (line, "heading", track->measured, GST_CCA_MEASURE_HEADING, track->heading);
  gst_cca_json_add_decimal (line, "area", track->area);
  if (track->size_class != 0)
    gst_cca_json_add_string (line, "size-class", g_quark_to_string (track->size_class));
  gst_cca_json_end (line, '{');
}

static void
add_track (GString *line, const GstCcaJsonFrame *frame, const GstCcaTrack *track)
{
  const gchar *state = nick_of (GST_TYPE_CCA_TRACK_STATE, track->state);

  if (!state || !is_finite_track (track))
    return;
  gst_cca_json_begin (line, NULL, '{');
  gst_cca_json_add_uint (line, "track-id", track->track_id);
  gst_cca_json_add_string (line, "state", state);
  gst_cca_json_add_uint (line, "label", track->label);
  if (track->object_type != 0)
    gst_cca_json_add_string (line, "class", g_quark_to_string (track->object_type));
  add_box (line, track->x, track->y, track->width, track->height);
  gst_cca_json_add_uint (line, "area", track->area);
  gst_cca_json_add_decimal (line, "centroid-x", track->centroid_x);
  gst_cca_json_add_decimal (line, "centroid-y", track->centroid_y);
  gst_cca_json_add_decimal (line, "velocity-x", track->velocity_x);
  gst_cca_json_add_decimal (line, "velocity-y", track->velocity_y);
  gst_cca_json_add_uint (line, "age", track->age);
  add_ground (line, frame, track->track_id);
  gst_cca_json_end (line, '{');
}

static void
add_tracks (GString *line, GstCcaJsonMembers *members, const GstCcaJsonFrame *frame)
{
  const GstCcaTrackMeta *meta = frame->tracks;

  gst_cca_json_add_uint (line, "n-tracks", meta->n_tracks);
  end_member (members, line);
  gst_cca_json_begin (line, "tracks", '[');
  for (guint i = 0; i < meta->n_tracks; i++)
    add_track (line, frame, &meta->tracks[i]);
  gst_cca_json_end (line, '[');
  end_member (members, line);
}

/* --- Events and counts ------------------------------------------------------------------------------- */

static void
add_counters (GString *line, guint64 n_in, guint64 n_out, guint occupancy)
{
  gst_cca_json_add_uint (line, "n-in", n_in);
  gst_cca_json_add_uint (line, "n-out", n_out);
  gst_cca_json_add_uint (line, "occupancy", occupancy);
}

static void
add_event (GString *line, const GstCcaEvent *event)
{
  const gboolean directed = event->direction != GST_CCA_DIRECTION_NONE;
  const gchar *type = nick_of (GST_TYPE_CCA_EVENT_TYPE, event->type);
  const gchar *direction = directed ? nick_of (GST_TYPE_CCA_DIRECTION, event->direction) : NULL;

  if (!type || !isfinite (event->x) || !isfinite (event->y))
    return;
  gst_cca_json_begin (line, NULL, '{');
  gst_cca_json_add_string (line, "type", type);
  gst_cca_json_add_string (line, "rule", event->rule);
  if (event->track_id > 0)
    gst_cca_json_add_uint (line, "track-id", event->track_id);
  if (direction)
    gst_cca_json_add_string (line, "direction", direction);
  gst_cca_json_add_decimal (line, "x", event->x);
  gst_cca_json_add_decimal (line, "y", event->y);
  add_time (line, "dwell", event->dwell);
  add_counters (line, event->n_in, event->n_out, event->occupancy);
  add_measure (line, "speed", event->measured, GST_CCA_MEASURE_SPEED, event->speed);
  if (event->measured & GST_CCA_MEASURE_HEADWAY)
    add_time (line, "headway", event->headway);
  add_measure (line, "gap", event->measured, GST_CCA_MEASURE_GAP, event->gap);
  if (event->size_class != 0)
    gst_cca_json_add_string (line, "size-class", g_quark_to_string (event->size_class));
  gst_cca_json_end (line, '{');
}

static void
add_point (GString *line, const GstCcaPoint *point)
{
  if (!isfinite (point->x) || !isfinite (point->y))
    return;
  gst_cca_json_begin (line, NULL, '[');
  gst_cca_json_add_decimal (line, NULL, point->x);
  gst_cca_json_add_decimal (line, NULL, point->y);
  gst_cca_json_end (line, '[');
}

static void
add_rule (GString *line, const GstCcaRule *rule, gboolean points)
{
  const gchar *type = nick_of (GST_TYPE_CCA_RULE_TYPE, rule->type);

  if (!type)
    return;
  gst_cca_json_begin (line, NULL, '{');
  gst_cca_json_add_string (line, "name", rule->name);
  gst_cca_json_add_string (line, "type", type);
  add_counters (line, rule->n_in, rule->n_out, rule->occupancy);
  add_measure (line, "speed", rule->measured, GST_CCA_MEASURE_SPEED, rule->speed);
  add_measure (line, "flow", rule->measured, GST_CCA_MEASURE_FLOW, rule->flow);
  add_measure (line, "occupied", rule->measured, GST_CCA_MEASURE_OCCUPIED, rule->occupied);
  add_measure (line, "congestion", rule->measured, GST_CCA_MEASURE_CONGESTION, rule->congestion);
  if (rule->measured & GST_CCA_MEASURE_QUEUE)
    gst_cca_json_add_uint (line, "queue", rule->queue);
  add_measure (line, "queue-length", rule->measured, GST_CCA_MEASURE_QUEUE, rule->queue_length);
  if (points) {
    gst_cca_json_begin (line, "points", '[');
    for (guint i = 0; i < rule->n_points; i++)
      add_point (line, &rule->points[i]);
    gst_cca_json_end (line, '[');
  }
  gst_cca_json_end (line, '{');
}

static void
add_events (GString *line, const GstCcaJsonFrame *frame)
{
  gst_cca_json_begin (line, "events", '[');
  for (guint i = 0; i < frame->rules->len; i++)
    for (guint k = 0; k < rules_of (frame, i)->n_events; k++)
      add_event (line, &rules_of (frame, i)->events[k]);
  gst_cca_json_end (line, '[');
}

static void
add_counts (GString *line, const GstCcaJsonFrame *frame, gboolean points)
{
  gst_cca_json_begin (line, "counts", '[');
  for (guint i = 0; i < frame->rules->len; i++)
    for (guint k = 0; k < rules_of (frame, i)->n_rules; k++)
      add_rule (line, &rules_of (frame, i)->rules[k], points);
  gst_cca_json_end (line, '[');
}

/* --- The line ---------------------------------------------------------------------------------------- */

static void
add_head (GString *line, GstCcaJsonMembers *members, const gchar *camera, const GstCcaMessageTimes *times,
          const GstCcaUtc *utc, const GstCcaJsonFrame *frame)
{
  const gchar *const names[] = { "timestamp", "stream-time", "running-time", "duration" };
  const GstClockTime values[] = { times->timestamp, times->stream_time, times->running_time, times->duration };

  gst_cca_json_add_string (line, "camera", camera);
  end_member (members, line);
  if (frame->id)
    gst_cca_json_add_string (line, "id", frame->id);
  end_member (members, line);
  for (guint i = 0; i < G_N_ELEMENTS (names); i++) {
    add_time (line, names[i], values[i]);
    end_member (members, line);
  }
  if (utc->source) {
    g_autofree gchar *text = gst_cca_utc_to_string (utc->utc);

    gst_cca_json_add_string (line, "utc", text);
    end_member (members, line);
    gst_cca_json_add_string (line, "utc-source", utc->source);
    end_member (members, line);
  }
  gst_cca_json_add_uint (line, "width", frame->width);
  end_member (members, line);
  gst_cca_json_add_uint (line, "height", frame->height);
  end_member (members, line);
}

void
gst_cca_json_line_write (GString *line, GstCcaJsonMembers *members, const gchar *camera,
                         const GstCcaMessageTimes *times, const GstCcaUtc *utc, const GstCcaJsonFrame *frame,
                         guint parts)
{
  *members = (GstCcaJsonMembers) { .utc = utc->utc };
  g_string_truncate (line, 0);
  gst_cca_json_begin (line, NULL, '{');
  add_head (line, members, camera, times, utc, frame);
  if (frame->stale)
    gst_cca_json_add_boolean (line, "stale", TRUE);
  end_member (members, line);
  if (frame->scene_change)
    gst_cca_json_add_boolean (line, "scene-change", TRUE);
  end_member (members, line);
  if (frame->camera_state)
    gst_cca_json_add_string (line, "camera-state", frame->camera_state);
  end_member (members, line);
  if (frame->components && (parts & GST_CCA_JSON_COMPONENTS))
    add_components (line, members, frame->components);
  if (frame->tracks && (parts & GST_CCA_JSON_TRACKS))
    add_tracks (line, members, frame);
  if (frame->rules->len > 0 && (parts & GST_CCA_JSON_EVENTS))
    add_events (line, frame);
  end_member (members, line);
  if (frame->rules->len > 0 && (parts & GST_CCA_JSON_COUNTS))
    add_counts (line, frame, (parts & GST_CCA_JSON_POINTS) != 0);
  end_member (members, line);
  gst_cca_json_end (line, '{');
  g_string_append_c (line, '\n');
}

/* --- Changes ----------------------------------------------------------------------------------------- */

typedef struct
{
  guint64 id;
  GstCcaTrackState state;
} Track;

typedef struct
{
  guint64 n_in, n_out;
  guint occupancy;
} Counters;

void
gst_cca_json_changes_init (GstCcaJsonChanges *changes)
{
  changes->tracks = g_array_new (FALSE, FALSE, sizeof (Track));
  changes->counters = g_array_new (FALSE, FALSE, sizeof (Counters));
}

void
gst_cca_json_changes_clear (GstCcaJsonChanges *changes)
{
  g_array_unref (changes->tracks);
  g_array_unref (changes->counters);
  g_free (changes->id);
}

void
gst_cca_json_changes_forget (GstCcaJsonChanges *changes)
{
  changes->any = FALSE;
}

static guint
n_tracks (const GstCcaJsonFrame *frame)
{
  return frame->tracks ? frame->tracks->n_tracks : 0;
}

static guint
n_rules (const GstCcaJsonFrame *frame)
{
  guint n = 0;

  for (guint i = 0; i < frame->rules->len; i++)
    n += ((const GstCcaEventMeta *) g_ptr_array_index (frame->rules, i))->n_rules;
  return n;
}

static guint
n_components (const GstCcaJsonFrame *frame)
{
  return frame->components ? frame->components->n_components : 0;
}

static gboolean
has_other_tracks (const GstCcaJsonChanges *changes, const GstCcaJsonFrame *frame)
{
  if (changes->tracks->len != n_tracks (frame))
    return TRUE;
  for (guint i = 0; i < n_tracks (frame); i++) {
    const Track *last = &g_array_index (changes->tracks, Track, i);
    const GstCcaTrack *track = &frame->tracks->tracks[i];

    if (last->id != track->track_id || last->state != track->state)
      return TRUE;
  }
  return FALSE;
}

static gboolean
has_other_counters (const GstCcaJsonChanges *changes, const GstCcaJsonFrame *frame)
{
  guint n = 0;

  if (changes->counters->len != n_rules (frame))
    return TRUE;
  for (guint i = 0; i < frame->rules->len; i++) {
    const GstCcaEventMeta *meta = g_ptr_array_index (frame->rules, i);

    for (guint k = 0; k < meta->n_rules; k++) {
      const Counters *last = &g_array_index (changes->counters, Counters, n++);
      const GstCcaRule *rule = &meta->rules[k];

      if (last->n_in != rule->n_in || last->n_out != rule->n_out || last->occupancy != rule->occupancy)
        return TRUE;
    }
  }
  return FALSE;
}

gboolean
gst_cca_json_changes_has_news (const GstCcaJsonChanges *changes, const GstCcaJsonFrame *frame, guint parts)
{
  if (!changes->any || g_strcmp0 (changes->id, frame->id) != 0 || changes->width != frame->width
      || changes->height != frame->height)
    return TRUE;
  if ((parts & GST_CCA_JSON_COUNTS) && has_other_counters (changes, frame))
    return TRUE;
  if ((parts & GST_CCA_JSON_TRACKS) && (frame->tracks || changes->tracks->len > 0))
    return has_other_tracks (changes, frame);
  return (parts & GST_CCA_JSON_COMPONENTS) && changes->n_components != n_components (frame);
}

static void
remember_tracks (GArray *tracks, const GstCcaTrackMeta *meta)
{
  g_array_set_size (tracks, 0);
  for (guint i = 0; meta && i < meta->n_tracks; i++) {
    const Track track = { meta->tracks[i].track_id, meta->tracks[i].state };

    g_array_append_val (tracks, track);
  }
}

static void
remember_counters (GArray *counters, const GPtrArray *rules)
{
  g_array_set_size (counters, 0);
  for (guint i = 0; i < rules->len; i++) {
    const GstCcaEventMeta *meta = g_ptr_array_index (rules, i);

    for (guint k = 0; k < meta->n_rules; k++) {
      const Counters last = { meta->rules[k].n_in, meta->rules[k].n_out, meta->rules[k].occupancy };

      g_array_append_val (counters, last);
    }
  }
}

void
gst_cca_json_changes_remember (GstCcaJsonChanges *changes, const GstCcaJsonFrame *frame)
{
  changes->any = TRUE;
  if (g_strcmp0 (changes->id, frame->id) != 0) {
    g_free (changes->id);
    changes->id = g_strdup (frame->id);
  }
  changes->width = frame->width;
  changes->height = frame->height;
  changes->n_components = n_components (frame);
  remember_tracks (changes->tracks, frame->tracks);
  remember_counters (changes->counters, frame->rules);
}
