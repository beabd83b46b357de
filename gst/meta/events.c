/* gst-cca: the lists of a GstCcaEventMeta
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "events.h"

#include <string.h>

GST_CCA_ASSERT_FRAME_META (GstCcaEventMeta);

/* The block has the rules, the events, the tracks on the ground, the points and the strings, in this order: each is
 * aligned behind the last. */
G_STATIC_ASSERT (sizeof (GstCcaRule) % sizeof (guint64) == 0 && sizeof (GstCcaEvent) % sizeof (guint64) == 0
                 && sizeof (GstCcaGroundTrack) % sizeof (guint64) == 0);

/* Bindings make structs that are all zeros. */
static const gchar *
string_of (const gchar *string)
{
  return string != NULL ? string : "";
}

/* Copies a string to *to, and moves *to behind it. */
static const gchar *
put_string (gchar **to, const gchar *string)
{
  const gsize size = strlen (string_of (string)) + 1;
  gchar *copy = memcpy (*to, string_of (string), size);

  *to += size;
  return copy;
}

gboolean
gst_cca_event_lists_copy (GstCcaEventLists *lists, const GstCcaEventLists *from)
{
  const guint n_rules = from->n_rules, n_events = from->n_events, n_tracks = from->n_ground_tracks;
  gsize n_points = 0, strings = 0;
  GstCcaPoint *points;
  gchar *to;

  for (guint i = 0; i < n_rules; i++) {
    n_points += from->rules[i].n_points;
    strings += strlen (string_of (from->rules[i].name)) + 1;
  }
  for (guint i = 0; i < n_events; i++)
    strings += strlen (string_of (from->events[i].rule)) + 1;
  *lists = (GstCcaEventLists) {
    .n_rules = n_rules, .n_events = n_events, .n_ground_tracks = n_tracks, .n_points = n_points
  };
  lists->size = n_rules * sizeof *lists->rules + n_events * sizeof *lists->events
                + n_tracks * sizeof *lists->ground_tracks + n_points * sizeof *points + strings;
  lists->block = g_try_malloc (lists->size);
  if (lists->block == NULL)
    return lists->size == 0;

  lists->rules = lists->block;
  lists->events = (GstCcaEvent *) (lists->rules + n_rules);
  lists->ground_tracks = (GstCcaGroundTrack *) (lists->events + n_events);
  lists->points = points = (GstCcaPoint *) (lists->ground_tracks + n_tracks);
  to = (gchar *) (points + n_points);
  for (guint i = 0; i < n_rules; i++) {
    GstCcaRule *rule = &lists->rules[i];

    *rule = from->rules[i];
    rule->name = put_string (&to, from->rules[i].name);
    rule->points = points;
    for (guint j = 0; j < rule->n_points; j++)
      *points++ = from->rules[i].points[j];
  }
  for (guint i = 0; i < n_events; i++) {
    lists->events[i] = from->events[i];
    lists->events[i].rule = put_string (&to, from->events[i].rule);
  }
  if (n_tracks > 0)
    memcpy (lists->ground_tracks, from->ground_tracks, n_tracks * sizeof *lists->ground_tracks);
  return TRUE;
}

/* The lists of a meta, which stay its own. */
static GstCcaEventLists
lists_of (const GstCcaEventMeta *meta)
{
  return (GstCcaEventLists) {
    .rules = (GstCcaRule *) meta->rules,
    .n_rules = meta->n_rules,
    .events = (GstCcaEvent *) meta->events,
    .n_events = meta->n_events,
    .ground_tracks = (GstCcaGroundTrack *) meta->ground_tracks,
    .n_ground_tracks = meta->n_ground_tracks,
  };
}

void
gst_cca_event_lists_take (GstCcaEventMeta *meta, const GstCcaEventLists *lists)
{
  meta->n_rules = lists->n_rules;
  meta->rules = lists->rules;
  meta->n_events = lists->n_events;
  meta->events = lists->events;
  meta->n_ground_tracks = lists->n_ground_tracks;
  meta->ground_tracks = lists->ground_tracks;
  gst_cca_frame_meta_set_storage ((GstCcaFrameMeta *) meta, gst_cca_frame_meta_wrap (lists->block, lists->size));
}

/* Places on the ground stay where they are. */
static gboolean
map_events (GstCcaFrameMeta *base, const GstCcaMapping *mapping)
{
  GstCcaEventMeta *meta = (GstCcaEventMeta *) base;
  const GstCcaEventLists old = lists_of (meta);
  GstCcaEventLists lists;

  if (!gst_cca_event_lists_copy (&lists, &old))
    return FALSE;
  for (gsize i = 0; i < lists.n_points; i++)
    gst_cca_mapping_point (mapping, &lists.points[i].x, &lists.points[i].y);
  for (guint i = 0; i < lists.n_events; i++)
    gst_cca_mapping_point (mapping, &lists.events[i].x, &lists.events[i].y);
  gst_cca_event_lists_take (meta, &lists);
  return TRUE;
}

/* --- As bytes ----------------------------------------------------------------------------------------- */

/* Version 0 had no measures and no tracks on the ground, version 1 no size classes. */
#define VERSION 2
#define POINT_SIZE (2 * 8)
#define RULE_SIZE (4 + 4 + 4 + 2 * 8 + 4)                  /* at least: without a name and points */
#define EVENT_SIZE (4 + 4 + 8 + 4 + 2 * 8 + 8 + 2 * 8 + 4) /* at least: without a rule's name */
#define GROUND_TRACK_SIZE (8 + 4 + 5 * 8)                  /* at least: without a size class */

static void
exchange_measured (GstCcaMeasures *measured, GstCcaBytes *bytes)
{
  guint flags = *measured;

  gst_cca_bytes_u32 (bytes, &flags);
  *measured = flags;
}

static void
exchange_rule_measures (GstCcaRule *rule, GstCcaBytes *bytes)
{
  exchange_measured (&rule->measured, bytes);
  gst_cca_bytes_double (bytes, &rule->speed);
  gst_cca_bytes_double (bytes, &rule->flow);
  gst_cca_bytes_double (bytes, &rule->occupied);
  gst_cca_bytes_double (bytes, &rule->congestion);
  gst_cca_bytes_u32 (bytes, &rule->queue);
  gst_cca_bytes_double (bytes, &rule->queue_length);
}

static void
exchange_event_measures (GstCcaEvent *event, GstCcaBytes *bytes)
{
  exchange_measured (&event->measured, bytes);
  gst_cca_bytes_double (bytes, &event->speed);
  gst_cca_bytes_u64 (bytes, &event->headway);
  gst_cca_bytes_double (bytes, &event->gap);
}

static void
exchange_ground_track (GstCcaGroundTrack *track, GstCcaBytes *bytes, guint version)
{
  gst_cca_bytes_u64 (bytes, &track->track_id);
  exchange_measured (&track->measured, bytes);
  gst_cca_bytes_double (bytes, &track->x);
  gst_cca_bytes_double (bytes, &track->y);
  gst_cca_bytes_double (bytes, &track->speed);
  gst_cca_bytes_double (bytes, &track->heading);
  gst_cca_bytes_double (bytes, &track->area);
  if (version > 1)
    gst_cca_bytes_type (bytes, &track->size_class);
}

/* Reading, the points are put to room, where all that may come have place. */
static void
exchange_rule (GstCcaRule *rule, GstCcaPoint *room, GstCcaBytes *bytes, guint version)
{
  gst_cca_bytes_string (bytes, &rule->name);
  rule->type = gst_cca_bytes_enum (bytes, rule->type, GST_CCA_RULE_LINE);
  gst_cca_bytes_u64 (bytes, &rule->n_in);
  gst_cca_bytes_u64 (bytes, &rule->n_out);
  gst_cca_bytes_u32 (bytes, &rule->occupancy);
  gst_cca_bytes_length (bytes, &rule->n_points, POINT_SIZE);
  for (guint i = 0; i < rule->n_points; i++) {
    GstCcaPoint point = bytes->reading ? (GstCcaPoint) { 0 } : rule->points[i];

    gst_cca_bytes_double (bytes, &point.x);
    gst_cca_bytes_double (bytes, &point.y);
    if (bytes->reading)
      room[i] = point;
  }
  if (bytes->reading)
    rule->points = room;
  if (version > 0)
    exchange_rule_measures (rule, bytes);
}

static void
exchange_event (GstCcaEvent *event, GstCcaBytes *bytes, guint version)
{
  event->type =
      gst_cca_bytes_enum (bytes, event->type, version > 0 ? GST_CCA_EVENT_CROWD_OFF : GST_CCA_EVENT_MOTION_OFF);
  gst_cca_bytes_string (bytes, &event->rule);
  gst_cca_bytes_u64 (bytes, &event->track_id);
  event->direction = gst_cca_bytes_enum (bytes, event->direction, GST_CCA_DIRECTION_BACKWARD);
  gst_cca_bytes_double (bytes, &event->x);
  gst_cca_bytes_double (bytes, &event->y);
  gst_cca_bytes_u64 (bytes, &event->dwell);
  gst_cca_bytes_u64 (bytes, &event->n_in);
  gst_cca_bytes_u64 (bytes, &event->n_out);
  gst_cca_bytes_u32 (bytes, &event->occupancy);
  if (version > 0)
    exchange_event_measures (event, bytes);
  if (version > 1)
    gst_cca_bytes_type (bytes, &event->size_class);
}

static void
write_events (const GstCcaFrameMeta *base, GstCcaBytes *bytes)
{
  GstCcaEventMeta meta = *(const GstCcaEventMeta *) base;

  gst_cca_frame_meta_exchange_head ((GstCcaFrameMeta *) &meta, &meta.stale, bytes);
  gst_cca_bytes_length (bytes, &meta.n_rules, RULE_SIZE);
  for (guint i = 0; i < meta.n_rules; i++) {
    GstCcaRule rule = meta.rules[i];

    exchange_rule (&rule, NULL, bytes, VERSION);
  }
  gst_cca_bytes_length (bytes, &meta.n_events, EVENT_SIZE);
  for (guint i = 0; i < meta.n_events; i++) {
    GstCcaEvent event = meta.events[i];

    exchange_event (&event, bytes, VERSION);
  }
  gst_cca_bytes_length (bytes, &meta.n_ground_tracks, GROUND_TRACK_SIZE);
  for (guint i = 0; i < meta.n_ground_tracks; i++) {
    GstCcaGroundTrack track = meta.ground_tracks[i];

    exchange_ground_track (&track, bytes, VERSION);
  }
}

static gboolean
read_events (GstCcaFrameMeta *base, GstCcaBytes *bytes, guint version)
{
  g_autofree GstCcaPoint *points = g_try_new (GstCcaPoint, bytes->size / POINT_SIZE + 1);
  g_autofree GstCcaRule *rules = NULL;
  g_autofree GstCcaEvent *events = NULL;
  g_autofree GstCcaGroundTrack *tracks = NULL;
  GstCcaEventMeta *meta = (GstCcaEventMeta *) base;
  guint n_rules = 0, n_events = 0, n_tracks = 0, n_rules_read = 0, n_events_read = 0;
  GstCcaPoint *room = points;
  GstCcaEventLists lists;
  gboolean done;

  gst_cca_frame_meta_exchange_head (base, &meta->stale, bytes);
  gst_cca_bytes_length (bytes, &n_rules, RULE_SIZE);
  rules = g_try_new0 (GstCcaRule, (gsize) n_rules + 1);
  for (; points != NULL && rules != NULL && n_rules_read < n_rules; n_rules_read++) {
    exchange_rule (&rules[n_rules_read], room, bytes, version);
    room += rules[n_rules_read].n_points;
  }
  gst_cca_bytes_length (bytes, &n_events, EVENT_SIZE);
  events = g_try_new0 (GstCcaEvent, (gsize) n_events + 1);
  for (; events != NULL && n_events_read < n_events; n_events_read++)
    exchange_event (&events[n_events_read], bytes, version);
  if (version > 0)
    gst_cca_bytes_length (bytes, &n_tracks, GROUND_TRACK_SIZE);
  tracks = g_try_new0 (GstCcaGroundTrack, (gsize) n_tracks + 1);
  for (guint i = 0; tracks != NULL && i < n_tracks; i++)
    exchange_ground_track (&tracks[i], bytes, version);

  done = points != NULL && rules != NULL && events != NULL && tracks != NULL && !bytes->failed
         && gst_cca_event_lists_copy (&lists, &(GstCcaEventLists) { .rules = rules,
                                                                    .n_rules = n_rules,
                                                                    .events = events,
                                                                    .n_events = n_events,
                                                                    .ground_tracks = tracks,
                                                                    .n_ground_tracks = n_tracks });
  if (done)
    gst_cca_event_lists_take (meta, &lists);
  for (guint i = 0; i < n_rules_read; i++)
    g_ref_string_release ((GRefString *) rules[i].name);
  for (guint i = 0; i < n_events_read; i++)
    g_ref_string_release ((GRefString *) events[i].rule);
  return done;
}

GstCcaFrameMetaKind gst_cca_events = {
  .name = "GstCcaEventMeta",
  .api_name = "GstCcaEventMetaAPI",
  .size = sizeof (GstCcaEventMeta),
  .stale = offsetof (GstCcaEventMeta, stale),
  .map = map_events,
  .write = write_events,
  .read = read_events,
  .version = VERSION,
};
