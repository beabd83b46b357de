/* gst-cca: the lists of a GstCcaEventMeta
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "events.h"

#include <string.h>

GST_CCA_ASSERT_FRAME_META (GstCcaEventMeta);

/* The block has the rules, the events, the points and the strings, in this order: each is aligned behind the last. */
G_STATIC_ASSERT (sizeof (GstCcaRule) % sizeof (guint64) == 0 && sizeof (GstCcaEvent) % sizeof (guint64) == 0);

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
gst_cca_event_lists_copy (GstCcaEventLists *lists, const GstCcaRule *rules, guint n_rules, const GstCcaEvent *events,
                          guint n_events)
{
  gsize n_points = 0, strings = 0;
  GstCcaPoint *points;
  gchar *to;

  for (guint i = 0; i < n_rules; i++) {
    n_points += rules[i].n_points;
    strings += strlen (string_of (rules[i].name)) + 1;
  }
  for (guint i = 0; i < n_events; i++)
    strings += strlen (string_of (events[i].rule)) + 1;
  *lists = (GstCcaEventLists) { .n_rules = n_rules, .n_events = n_events, .n_points = n_points };
  lists->size = n_rules * sizeof *rules + n_events * sizeof *events + n_points * sizeof *points + strings;
  lists->block = g_try_malloc (lists->size);
  if (lists->block == NULL)
    return lists->size == 0;

  lists->rules = lists->block;
  lists->events = (GstCcaEvent *) (lists->rules + n_rules);
  lists->points = points = (GstCcaPoint *) (lists->events + n_events);
  to = (gchar *) (points + n_points);
  for (guint i = 0; i < n_rules; i++) {
    GstCcaRule *rule = &lists->rules[i];

    *rule = rules[i];
    rule->name = put_string (&to, rules[i].name);
    rule->points = points;
    for (guint j = 0; j < rule->n_points; j++)
      *points++ = rules[i].points[j];
  }
  for (guint i = 0; i < n_events; i++) {
    lists->events[i] = events[i];
    lists->events[i].rule = put_string (&to, events[i].rule);
  }
  return TRUE;
}

void
gst_cca_event_lists_take (GstCcaEventMeta *meta, const GstCcaEventLists *lists)
{
  meta->n_rules = lists->n_rules;
  meta->rules = lists->rules;
  meta->n_events = lists->n_events;
  meta->events = lists->events;
  gst_cca_frame_meta_set_storage ((GstCcaFrameMeta *) meta, gst_cca_frame_meta_wrap (lists->block, lists->size));
}

static gboolean
map_events (GstCcaFrameMeta *base, const GstCcaMapping *mapping)
{
  GstCcaEventMeta *meta = (GstCcaEventMeta *) base;
  GstCcaEventLists lists;

  if (!gst_cca_event_lists_copy (&lists, meta->rules, meta->n_rules, meta->events, meta->n_events))
    return FALSE;
  for (gsize i = 0; i < lists.n_points; i++)
    gst_cca_mapping_point (mapping, &lists.points[i].x, &lists.points[i].y);
  for (guint i = 0; i < lists.n_events; i++)
    gst_cca_mapping_point (mapping, &lists.events[i].x, &lists.events[i].y);
  gst_cca_event_lists_take (meta, &lists);
  return TRUE;
}

/* --- As bytes ----------------------------------------------------------------------------------------- */

#define VERSION 0
#define POINT_SIZE (2 * 8)
#define RULE_SIZE (4 + 4 + 4 + 2 * 8 + 4)                  /* at least: without a name and points */
#define EVENT_SIZE (4 + 4 + 8 + 4 + 2 * 8 + 8 + 2 * 8 + 4) /* at least: without a rule's name */

/* Reading, the points are put to room, where all that may come have place. */
static void
exchange_rule (GstCcaRule *rule, GstCcaPoint *room, GstCcaBytes *bytes)
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
}

static void
exchange_event (GstCcaEvent *event, GstCcaBytes *bytes)
{
  event->type = gst_cca_bytes_enum (bytes, event->type, GST_CCA_EVENT_MOTION_OFF);
  gst_cca_bytes_string (bytes, &event->rule);
  gst_cca_bytes_u64 (bytes, &event->track_id);
  event->direction = gst_cca_bytes_enum (bytes, event->direction, GST_CCA_DIRECTION_BACKWARD);
  gst_cca_bytes_double (bytes, &event->x);
  gst_cca_bytes_double (bytes, &event->y);
  gst_cca_bytes_u64 (bytes, &event->dwell);
  gst_cca_bytes_u64 (bytes, &event->n_in);
  gst_cca_bytes_u64 (bytes, &event->n_out);
  gst_cca_bytes_u32 (bytes, &event->occupancy);
}

static void
write_events (const GstCcaFrameMeta *base, GstCcaBytes *bytes)
{
  GstCcaEventMeta meta = *(const GstCcaEventMeta *) base;

  gst_cca_frame_meta_exchange_head ((GstCcaFrameMeta *) &meta, &meta.stale, bytes);
  gst_cca_bytes_length (bytes, &meta.n_rules, RULE_SIZE);
  for (guint i = 0; i < meta.n_rules; i++) {
    GstCcaRule rule = meta.rules[i];

    exchange_rule (&rule, NULL, bytes);
  }
  gst_cca_bytes_length (bytes, &meta.n_events, EVENT_SIZE);
  for (guint i = 0; i < meta.n_events; i++) {
    GstCcaEvent event = meta.events[i];

    exchange_event (&event, bytes);
  }
}

static gboolean
read_events (GstCcaFrameMeta *base, GstCcaBytes *bytes, guint version)
{
  g_autofree GstCcaPoint *points = g_try_new (GstCcaPoint, bytes->size / POINT_SIZE + 1);
  g_autofree GstCcaRule *rules = NULL;
  g_autofree GstCcaEvent *events = NULL;
  GstCcaEventMeta *meta = (GstCcaEventMeta *) base;
  guint n_rules = 0, n_events = 0, n_rules_read = 0, n_events_read = 0;
  GstCcaPoint *room = points;
  GstCcaEventLists lists;
  gboolean done;

  gst_cca_frame_meta_exchange_head (base, &meta->stale, bytes);
  gst_cca_bytes_length (bytes, &n_rules, RULE_SIZE);
  rules = g_try_new0 (GstCcaRule, (gsize) n_rules + 1);
  for (; points != NULL && rules != NULL && n_rules_read < n_rules; n_rules_read++) {
    exchange_rule (&rules[n_rules_read], room, bytes);
    room += rules[n_rules_read].n_points;
  }
  gst_cca_bytes_length (bytes, &n_events, EVENT_SIZE);
  events = g_try_new0 (GstCcaEvent, (gsize) n_events + 1);
  for (; events != NULL && n_events_read < n_events; n_events_read++)
    exchange_event (&events[n_events_read], bytes);

  done = points != NULL && rules != NULL && events != NULL && !bytes->failed
         && gst_cca_event_lists_copy (&lists, rules, n_rules, events, n_events);
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
