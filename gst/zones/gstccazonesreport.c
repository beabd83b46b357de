/* gst-cca: what rules tell, as metas and element messages
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "gstccazonesreport.h"
#include "array.h"

G_STATIC_ASSERT ((int) GST_CCA_RULES_ZONE == GST_CCA_RULE_ZONE && (int) GST_CCA_RULES_LINE == GST_CCA_RULE_LINE);
G_STATIC_ASSERT ((int) GST_CCA_RULES_ENTER == GST_CCA_EVENT_ENTER && (int) GST_CCA_RULES_LEAVE == GST_CCA_EVENT_LEAVE
                 && (int) GST_CCA_RULES_DWELL == GST_CCA_EVENT_DWELL && (int) GST_CCA_RULES_CROSS == GST_CCA_EVENT_CROSS
                 && (int) GST_CCA_RULES_LEFT == GST_CCA_EVENT_LEFT
                 && (int) GST_CCA_RULES_REMOVED == GST_CCA_EVENT_REMOVED
                 && (int) GST_CCA_RULES_MOTION_ON == GST_CCA_EVENT_MOTION_ON
                 && (int) GST_CCA_RULES_MOTION_OFF == GST_CCA_EVENT_MOTION_OFF
                 && (int) GST_CCA_RULES_WRONG_WAY == GST_CCA_EVENT_WRONG_WAY
                 && (int) GST_CCA_RULES_STOPPED == GST_CCA_EVENT_STOPPED
                 && (int) GST_CCA_RULES_SECTION == GST_CCA_EVENT_SECTION
                 && (int) GST_CCA_RULES_CROWD_ON == GST_CCA_EVENT_CROWD_ON
                 && (int) GST_CCA_RULES_CROWD_OFF == GST_CCA_EVENT_CROWD_OFF);
G_STATIC_ASSERT ((int) GST_CCA_RULES_SPEED == GST_CCA_MEASURE_SPEED
                 && (int) GST_CCA_RULES_HEADING == GST_CCA_MEASURE_HEADING
                 && (int) GST_CCA_RULES_HEADWAY == GST_CCA_MEASURE_HEADWAY
                 && (int) GST_CCA_RULES_GAP == GST_CCA_MEASURE_GAP && (int) GST_CCA_RULES_FLOW == GST_CCA_MEASURE_FLOW
                 && (int) GST_CCA_RULES_OCCUPIED == GST_CCA_MEASURE_OCCUPIED
                 && (int) GST_CCA_RULES_CONGESTION == GST_CCA_MEASURE_CONGESTION
                 && (int) GST_CCA_RULES_QUEUE == GST_CCA_MEASURE_QUEUE);
G_STATIC_ASSERT (GST_CCA_RULES_NEVER == GST_CLOCK_TIME_NONE);

void
gst_cca_zones_report_init (GstCcaZonesReport *report)
{
  *report = (GstCcaZonesReport) {
    .rules = g_array_new (FALSE, FALSE, sizeof (GstCcaRule)),
    .points = g_array_new (FALSE, FALSE, sizeof (GstCcaPoint)),
  };
}

void
gst_cca_zones_report_clear (GstCcaZonesReport *report)
{
  g_array_unref (report->rules);
  g_array_unref (report->points);
  free (report->events);
  free (report->ground_tracks);
}

static GstCcaRule
rule_of (GstCcaRules *rules, gsize index)
{
  const GstCcaRulesRule *params = gst_cca_rules_rule (rules, index);
  const GstCcaRulesCounts *counts = gst_cca_rules_counts (rules, index);
  const GstCcaRulesMeasures measures = gst_cca_rules_measures (rules, index);

  return (GstCcaRule) {
    .name = params->name,
    .type = (GstCcaRuleType) params->kind,
    .n_in = counts->n_in,
    .n_out = counts->n_out,
    .occupancy = gst_cca_rules_occupancy (rules, index),
    .measured = (GstCcaMeasures) measures.known,
    .speed = measures.speed,
    .flow = measures.flow,
    .occupied = measures.occupied,
    .congestion = measures.congestion,
    .queue = measures.queue,
    .queue_length = measures.queue_length,
  };
}

static void
append_points (GArray *all, const GstCcaPosition *points, gsize n)
{
  for (gsize i = 0; i < n; i++) {
    const GstCcaPoint point = { points[i].x, points[i].y };

    g_array_append_val (all, point);
  }
}

static GstCcaEvent
event_of (GstCcaRules *rules, const GstCcaRulesEvent *event)
{
  return (GstCcaEvent) {
    .type = (GstCcaEventType) event->type,
    .rule = gst_cca_rules_rule (rules, event->rule)->name,
    .track_id = event->track,
    .direction = event->direction > 0   ? GST_CCA_DIRECTION_FORWARD
                 : event->direction < 0 ? GST_CCA_DIRECTION_BACKWARD
                                        : GST_CCA_DIRECTION_NONE,
    .x = event->position.x,
    .y = event->position.y,
    .dwell = event->dwell,
    .n_in = event->counts.n_in,
    .n_out = event->counts.n_out,
    .occupancy = event->occupancy,
    .measured = (GstCcaMeasures) event->known,
    .speed = event->speed,
    .headway = event->headway,
    .gap = event->gap,
    .size_class = event->size_class,
  };
}

static gboolean
fill_ground_tracks (GstCcaZonesReport *report, const GstCcaRules *rules)
{
  gsize n;
  const GstCcaRulesGroundTrack *tracks = gst_cca_rules_ground_tracks (rules, &n);

  if (!GST_CCA_RESERVE (report->ground_tracks, report->ground_tracks_room, n))
    return FALSE;
  for (gsize i = 0; i < n; i++)
    report->ground_tracks[i] = (GstCcaGroundTrack) {
      .track_id = tracks[i].id,
      .measured = (GstCcaMeasures) tracks[i].known,
      .x = tracks[i].place[0],
      .y = tracks[i].place[1],
      .speed = MAX (tracks[i].speed, 0.0),
      .heading = MAX (tracks[i].heading, 0.0),
      .area = tracks[i].area,
      .size_class = tracks[i].size_class,
    };
  report->n_ground_tracks = n;
  return TRUE;
}

void
gst_cca_zones_report_begin (GstCcaZonesReport *report)
{
  report->n_events = 0;
}

gboolean
gst_cca_zones_report_add (GstCcaZonesReport *report, GstCcaRules *rules, const GstCcaRulesEvent *events, gsize n_events)
{
  if (!GST_CCA_RESERVE (report->events, report->events_room, report->n_events + n_events))
    return FALSE;
  for (gsize i = 0; i < n_events; i++)
    report->events[report->n_events++] = event_of (rules, &events[i]);
  return TRUE;
}

gboolean
gst_cca_zones_report_fill (GstCcaZonesReport *report, GstCcaRules *rules)
{
  gsize first = 0;

  g_array_set_size (report->rules, 0);
  g_array_set_size (report->points, 0);
  for (gsize i = 0; i < gst_cca_rules_n_rules (rules); i++) {
    GstCcaRule rule = rule_of (rules, i);
    gsize n_points;
    const GstCcaPosition *points = gst_cca_rules_points (rules, i, &n_points);

    rule.n_points = (guint) n_points;
    append_points (report->points, points, n_points);
    g_array_append_val (report->rules, rule);
  }
  /* Only now do the points stay where they are. */
  for (guint i = 0; i < report->rules->len; i++) {
    GstCcaRule *rule = &g_array_index (report->rules, GstCcaRule, i);

    rule->points = (const GstCcaPoint *) report->points->data + first;
    first += rule->n_points;
  }
  return fill_ground_tracks (report, rules);
}

GstMessage *
gst_cca_zones_report_message (GstObject *source, const gchar *id, const GstCcaMessageTimes *times,
                              const GstCcaEvent *event)
{
  GstStructure *structure =
      gst_structure_new ("cca-event", "id", G_TYPE_STRING, id, "type", GST_TYPE_CCA_EVENT_TYPE, event->type, "rule",
                         G_TYPE_STRING, event->rule, "track-id", G_TYPE_UINT64, event->track_id, "direction",
                         GST_TYPE_CCA_DIRECTION, event->direction, "x", G_TYPE_DOUBLE, event->x, "y", G_TYPE_DOUBLE,
                         event->y, "dwell", G_TYPE_UINT64, event->dwell, "n-in", G_TYPE_UINT64, event->n_in, "n-out",
                         G_TYPE_UINT64, event->n_out, "occupancy", G_TYPE_UINT, event->occupancy, NULL);

  if (event->measured & GST_CCA_MEASURE_SPEED)
    gst_structure_set (structure, "speed", G_TYPE_DOUBLE, event->speed, NULL);
  if (event->measured & GST_CCA_MEASURE_HEADWAY)
    gst_structure_set (structure, "headway", G_TYPE_UINT64, event->headway, NULL);
  if (event->measured & GST_CCA_MEASURE_GAP)
    gst_structure_set (structure, "gap", G_TYPE_DOUBLE, event->gap, NULL);
  if (event->size_class != 0)
    gst_structure_set (structure, "size-class", G_TYPE_STRING, g_quark_to_string (event->size_class), NULL);
  gst_cca_message_times_set (times, structure);
  return gst_message_new_element (source, structure);
}

GstMessage *
gst_cca_zones_pause_message (GstObject *source, const GstCcaMessageTimes *times, const gchar *trouble)
{
  GstStructure *structure = gst_structure_new ("cca-pause", "paused", G_TYPE_BOOLEAN, trouble != NULL, "camera-state",
                                               G_TYPE_STRING, trouble ? trouble : "well", NULL);

  gst_cca_message_times_set (times, structure);
  return gst_message_new_element (source, structure);
}

/* Appends a structure (taken) to a list. */
static void
append_structure (GValue *list, GstStructure *structure)
{
  GValue value = G_VALUE_INIT;

  g_value_init (&value, GST_TYPE_STRUCTURE);
  g_value_take_boxed (&value, structure);
  gst_value_list_append_and_take_value (list, &value);
}

static void
append_rule (GValue *list, GstCcaRules *rules, gsize index)
{
  const GstCcaRule rule = rule_of (rules, index);
  const struct
  {
    GstCcaMeasures flag;
    const gchar *name;
    gdouble value;
  } measures[] = {
    { GST_CCA_MEASURE_SPEED, "speed", rule.speed },
    { GST_CCA_MEASURE_FLOW, "flow", rule.flow },
    { GST_CCA_MEASURE_OCCUPIED, "occupied", rule.occupied },
    { GST_CCA_MEASURE_CONGESTION, "congestion", rule.congestion },
    { GST_CCA_MEASURE_QUEUE, "queue-length", rule.queue_length },
  };
  GstStructure *structure = gst_structure_new ("rule", "name", G_TYPE_STRING, rule.name, "type", GST_TYPE_CCA_RULE_TYPE,
                                               rule.type, "n-in", G_TYPE_UINT64, rule.n_in, "n-out", G_TYPE_UINT64,
                                               rule.n_out, "occupancy", G_TYPE_UINT, rule.occupancy, NULL);

  for (guint i = 0; i < G_N_ELEMENTS (measures); i++)
    if (rule.measured & measures[i].flag)
      gst_structure_set (structure, measures[i].name, G_TYPE_DOUBLE, measures[i].value, NULL);
  if (rule.measured & GST_CCA_MEASURE_QUEUE)
    gst_structure_set (structure, "queue", G_TYPE_UINT, rule.queue, NULL);
  append_structure (list, structure);
}

static void
append_flow (GValue *list, GstCcaRules *rules, gsize from, gsize to)
{
  const guint64 count = gst_cca_rules_flow (rules, from, to);

  if (count > 0)
    append_structure (list, gst_structure_new ("flow", "from", G_TYPE_STRING, gst_cca_rules_rule (rules, from)->name,
                                               "to", G_TYPE_STRING, gst_cca_rules_rule (rules, to)->name, "count",
                                               G_TYPE_UINT64, count, NULL));
}

GstStructure *
gst_cca_zones_counts (GstCcaRules *rules)
{
  const gsize n = rules ? gst_cca_rules_n_rules (rules) : 0;
  GstStructure *structure = gst_structure_new_empty ("cca-counts");
  GValue list = G_VALUE_INIT, flows = G_VALUE_INIT;

  gst_value_list_init (&list, n);
  gst_value_list_init (&flows, 0);
  for (gsize i = 0; i < n; i++) {
    append_rule (&list, rules, i);
    for (gsize j = 0; j < n; j++)
      append_flow (&flows, rules, i, j);
  }
  gst_structure_take_value (structure, "rules", &list);
  gst_structure_take_value (structure, "flows", &flows);
  return structure;
}

/* --- The ground -------------------------------------------------------------------------------------- */

GstMessage *
gst_cca_zones_ground_message (GstObject *source, const GstCcaZonesConfig *config)
{
  const GArray *points = config->ground_points;
  GstCcaGroundResidual sum = { 0 };
  GstStructure *structure;
  GValue list = G_VALUE_INIT;

  if (!config->params.ground)
    return NULL;
  gst_value_list_init (&list, points->len);
  for (guint i = 0; i < points->len; i++) {
    const GstCcaGroundPoint *point = &g_array_index (points, GstCcaGroundPoint, i);
    const GstCcaGroundResidual residual = gst_cca_ground_residual (config->params.ground, point);

    sum.pixels += residual.pixels * residual.pixels / points->len;
    sum.metres += residual.metres * residual.metres / points->len;
    append_structure (&list,
                      gst_structure_new ("point", "image-x", G_TYPE_DOUBLE, point->image[0], "image-y", G_TYPE_DOUBLE,
                                         point->image[1], "x", G_TYPE_DOUBLE, point->place[0], "y", G_TYPE_DOUBLE,
                                         point->place[1], "residual-pixels", G_TYPE_DOUBLE, residual.pixels,
                                         "residual-metres", G_TYPE_DOUBLE, residual.metres, NULL));
  }
  structure = gst_structure_new ("cca-ground", "rms-pixels", G_TYPE_DOUBLE, sqrt (sum.pixels), "rms-metres",
                                 G_TYPE_DOUBLE, sqrt (sum.metres), NULL);
  gst_structure_take_value (structure, "points", &list);
  return gst_message_new_element (source, structure);
}
