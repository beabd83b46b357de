/* gst-cca: what rules measure of tracks: speeds on the ground, flows, queues, crowds
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Works on the frames of the rules, and knows tracks by their ids, too: finds them on the ground before the rules run,
 * and measures behind them.
 */
#pragma once

#include "place.h"

typedef struct GstCcaTraffic GstCcaTraffic;

/* Returns whether rules measure anything, or ask for what only this file tells. */
bool gst_cca_traffic_is_needed (const GstCcaRulesParams *params);

/* Copies its parameters. The places must live as long as the traffic. Returns NULL if memory is exhausted. */
GstCcaTraffic *gst_cca_traffic_new (const GstCcaRulesParams *params);
void gst_cca_traffic_free (GstCcaTraffic *traffic); /* NULL is allowed */

/* Makes room for a frame of so many tracks. Returns FALSE if memory is exhausted: then nothing changed. */
bool gst_cca_traffic_reserve (GstCcaTraffic *traffic, size_t n_tracks);

/* A rule in a frame. */
typedef struct
{
  const GstCcaPlace *place; /* scaled to the frame */
  uint32_t occupancy;
} GstCcaTrafficRule;

typedef struct
{
  uint64_t time;                          /* ns; only differences count */
  double width, height, scale_x, scale_y; /* of the frame, and its pixels for one of the rules' units */
  bool silent;                            /* tell nothing */
  const GstCcaObject *tracks;
  size_t n_tracks;
  const GstCcaTrafficRule *rules;
  bool (*is_inside) (const void *rules, size_t track, size_t rule); /* whether a zone holds a track of the frame */
  const void *inside;                                               /* its first argument */
  GstCcaRulesEvent *events;                                         /* that the rules told; measures are added */
  size_t n_events;
} GstCcaTrafficFrame;

/* Takes a frame's tracks, for which there is room, and finds them on the ground. The rules and events of the frame are
 * not read. */
void gst_cca_traffic_begin (GstCcaTraffic *traffic, const GstCcaTrafficFrame *frame);

/* After that: returns the size class of a track of the frame; 0: not known. */
uint32_t gst_cca_traffic_size_class (const GstCcaTraffic *traffic, size_t track);

/* Takes the rest of the frame. Returns its own events, without counts and occupancy; valid until
 * the next call. Returns FALSE if memory is exhausted: then some of them are lost. */
bool gst_cca_traffic_run (GstCcaTraffic *traffic, const GstCcaTrafficFrame *frame, const GstCcaRulesEvent **events,
                          size_t *n_events);

/* Forgets all tracks and the last time. Windows stay. */
void gst_cca_traffic_forget (GstCcaTraffic *traffic);

/* Takes the tracks of another, with their state on the ground if the ground is the same. Returns FALSE if memory is
 * exhausted. */
bool gst_cca_traffic_adopt (GstCcaTraffic *traffic, const GstCcaTraffic *old);

/* After that: takes another's state of a rule. */
void gst_cca_traffic_adopt_rule (GstCcaTraffic *traffic, size_t rule, const GstCcaTraffic *old, size_t from);

/* As gst_cca_rules_measures() and gst_cca_rules_ground_tracks(). */
const GstCcaRulesMeasures *gst_cca_traffic_measures (const GstCcaTraffic *traffic, size_t rule);
const GstCcaRulesGroundTrack *gst_cca_traffic_tracks (const GstCcaTraffic *traffic, size_t *n);
