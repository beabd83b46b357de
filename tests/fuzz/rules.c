/* gst-cca: a text as rules, and tracks that wander about under them
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The input is the text up to a byte of 0, then frames: a byte with the number of tracks (its lower 3 bits) and what
 * else happens, and 6 bytes a track.
 */
#include <glib.h>
#include <math.h>
#include <string.h>

#include "fuzz.h"
#include "gst/zones/gstccazonesconfig.h"

enum
{
  SIZE = 256, /* of the frame */
  MAX_FRAMES = 64,
  RELOAD = 8, /* of a frame's first byte */
  FORGET = 16,
  RESET = 32,
  PAUSE = 64,
  LEAP = 128 /* times may overflow */
};

typedef struct
{
  guint64 n_in, n_out, told_in, told_out;
  gint64 inside; /* that entered, less those that left */
} Tally;

typedef struct
{
  GstCcaZonesConfig *config;
  GstCcaRules *rules;
  Tally *tallies;
  guint64 time;
} Run;

static gsize
read_tracks (Reader *reader, GstCcaObject *tracks, guint n)
{
  guint64 id = 0;

  for (guint i = 0; i < n; i++) {
    const guint8 byte = read_byte (reader);
    const gdouble x = read_byte (reader), y = read_byte (reader);

    id += 1 + (byte & 3);
    tracks[i] = (GstCcaObject) {
      .id = id,
      .state = (byte & 4) == 0 ? GST_CCA_OBJECT_CONFIRMED : GST_CCA_OBJECT_COASTING,
      .box = { { x, y }, { x + 1 + read_byte (reader) / 4, y + 1 + read_byte (reader) / 4 } },
      .area = 1 + read_byte (reader),
    };
  }
  return n;
}

/* A known measure is a number, and not below 0. */
static void
check_measure (gboolean known, gdouble value)
{
  if (known && !(isfinite (value) && value >= 0))
    fuzz_fail ("a measure is no number");
}

static void
check_measures (const Run *run, gsize n_tracks)
{
  gsize n;
  const GstCcaRulesGroundTrack *tracks = gst_cca_rules_ground_tracks (run->rules, &n);

  if (n > n_tracks || (n > 0 && !run->config->params.ground))
    fuzz_fail ("more are on the ground than there are");
  for (gsize i = 0; i < n; i++) {
    check_measure (TRUE, tracks[i].area);
    check_measure (tracks[i].known & GST_CCA_RULES_SPEED, tracks[i].speed);
    check_measure (tracks[i].known & GST_CCA_RULES_HEADING, tracks[i].heading);
    if (!isfinite (tracks[i].place[0]) || !isfinite (tracks[i].place[1]))
      fuzz_fail ("a place is no number");
  }
  for (gsize i = 0; i < run->config->params.n_rules; i++) {
    const GstCcaRulesMeasures measures = gst_cca_rules_measures (run->rules, i);

    check_measure (measures.known & GST_CCA_RULES_SPEED, measures.speed);
    check_measure (measures.known & GST_CCA_RULES_FLOW, measures.flow);
    check_measure (measures.known & GST_CCA_RULES_CONGESTION, measures.congestion);
    check_measure (measures.known & GST_CCA_RULES_QUEUE, measures.queue_length);
    if (measures.queue > n_tracks || !(measures.occupied >= 0 && measures.occupied <= 1.000001))
      fuzz_fail ("more wait than there are");
  }
}

static void
tally_event (Run *run, const GstCcaRulesEvent *event)
{
  Tally *tally = &run->tallies[event->rule];

  if (event->rule >= run->config->params.n_rules)
    fuzz_fail ("an event of no rule");
  if ((event->track == 0)
      != (event->type == GST_CCA_RULES_MOTION_OFF || event->type == GST_CCA_RULES_CROWD_ON
          || event->type == GST_CCA_RULES_CROWD_OFF))
    fuzz_fail ("an event of no track");
  check_measure (event->known & GST_CCA_RULES_SPEED, event->speed);
  check_measure (event->known & GST_CCA_RULES_GAP, event->gap);
  /* Wrong ways and sections are told besides the crossing, and count nothing. */
  if (event->type > GST_CCA_RULES_MOTION_OFF)
    return;
  if (event->type == GST_CCA_RULES_ENTER || event->direction > 0)
    tally->told_in++;
  else if (event->type == GST_CCA_RULES_LEAVE || event->direction < 0)
    tally->told_out++;
}

/* If births count, as many are inside as entered and did not leave; and each count has its events. */
static void
check_counts (Run *run, gsize n_tracks)
{
  for (gsize i = 0; i < run->config->params.n_rules; i++) {
    const GstCcaRulesRule *rule = &run->config->params.rules[i];
    const GstCcaRulesCounts *counts = gst_cca_rules_counts (run->rules, i);
    const guint32 occupancy = gst_cca_rules_occupancy (run->rules, i);
    Tally *tally = &run->tallies[i];

    if (counts->n_in != tally->n_in + tally->told_in || counts->n_out != tally->n_out + tally->told_out)
      fuzz_fail ("what is counted is not what is told");
    tally->inside += (gint64) tally->told_in - (gint64) tally->told_out;
    if (occupancy > n_tracks || (rule->kind == GST_CCA_RULES_LINE && occupancy > 0))
      fuzz_fail ("more are inside than there are");
    if (rule->kind == GST_CCA_RULES_ZONE && rule->births && tally->inside != occupancy)
      fuzz_fail ("those inside are not those that entered and did not leave");
    *tally = (Tally) { .n_in = counts->n_in, .n_out = counts->n_out, .inside = tally->inside };
  }
}

static void
reload (Run *run)
{
  GstCcaRules *rules = gst_cca_rules_new (&run->config->params);

  if (!gst_cca_rules_adopt (rules, run->rules))
    fuzz_fail ("no memory");
  gst_cca_rules_free (run->rules);
  run->rules = rules;
}

static void
forget (Run *run)
{
  gst_cca_rules_forget (run->rules);
  for (gsize i = 0; i < run->config->params.n_rules; i++)
    run->tallies[i].inside = 0;
  run->time = 0;
}

static void
reset (Run *run)
{
  gst_cca_rules_reset_counts (run->rules);
  for (gsize i = 0; i < run->config->params.n_rules; i++)
    run->tallies[i].n_in = run->tallies[i].n_out = 0;
}

static void
run_frame (Run *run, Reader *reader)
{
  const guint8 byte = read_byte (reader);
  GstCcaObject tracks[7];
  const GstCcaRulesFrame frame = { run->time, SIZE, SIZE, 0.0, FALSE, tracks, read_tracks (reader, tracks, byte & 7) };
  const GstCcaRulesEvent *events;
  gsize n_events;

  if (!gst_cca_rules_run (run->rules, &frame, &events, &n_events))
    fuzz_fail ("no memory");
  for (gsize i = 0; i < n_events; i++)
    tally_event (run, &events[i]);
  check_counts (run, frame.n_tracks);
  check_measures (run, frame.n_tracks);
  run->time += byte & PAUSE ? 10 * G_GUINT64_CONSTANT (1000000000) : 40 * G_GUINT64_CONSTANT (1000000);
  if (byte & LEAP)
    run->time += G_GUINT64_CONSTANT (1) << 63;
  if (byte & RELOAD)
    reload (run);
  if (byte & FORGET)
    forget (run);
  if (byte & RESET)
    reset (run);
}

/* Polygons fill the pixels that they should, and no others' memory. */
static void
draw_region (const GstCcaZonesConfig *config)
{
  g_autofree guint8 *mask = g_malloc0 (SIZE * SIZE);

  for (guint i = 0; i < config->region->len; i++) {
    const GstCcaZonesPolygon *polygon = &g_array_index (config->region, GstCcaZonesPolygon, i);
    g_autofree gdouble *crossings = g_new (gdouble, polygon->n_points);

    gst_cca_polygon_fill (polygon->points, polygon->n_points, SIZE, SIZE, 1, crossings, mask);
  }
}

static void
wander (GstCcaZonesConfig *config, Reader *reader)
{
  Run run = { .config = config };

  config->params.rise = 1.0; /* so that all is told */
  run.rules = gst_cca_rules_new (&config->params);
  run.tallies = g_new0 (Tally, config->params.n_rules + 1);
  for (guint i = 0; i < MAX_FRAMES && reader_left (reader) > 0; i++)
    run_frame (&run, reader);
  g_free (run.tallies);
  gst_cca_rules_free (run.rules);
}

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  const uint8_t *end = size > 0 ? memchr (data, 0, size) : NULL;
  const gsize length = end ? (gsize) (end - data) : size;
  Reader reader = { data, size, end ? length + 1 : size };
  g_autofree gchar *text = g_strndup ((const gchar *) data, length);
  GError *error = NULL;
  GstCcaZonesConfig *config = gst_cca_zones_config_parse (text, (gssize) length, "text", &error);

  if ((config == NULL) != (error != NULL))
    fuzz_fail ("rules with an error, or none without");
  if (error && !g_str_has_prefix (error->message, "text: "))
    fuzz_fail ("the error does not say where");
  g_clear_error (&error);
  if (config) {
    draw_region (config);
    wander (config, &reader);
    gst_cca_zones_config_free (config);
  }
  return 0;
}
