/* gst-cca: what rules tell, as metas and element messages
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <gst/cca/gstccaeventmeta.h>

#include "gstccatimes.h"
#include "gstccazonesconfig.h"

/* The rules and events of frames, in the meta's types; the strings and points are the engine's or the report's. */
typedef struct
{
  GArray *rules;  /* of GstCcaRule */
  GArray *points; /* of GstCcaPoint: the rules' */
  GstCcaEvent *events;
  gsize n_events, events_room;
  GstCcaGroundTrack *ground_tracks;
  gsize n_ground_tracks, ground_tracks_room;
} GstCcaZonesReport;

void gst_cca_zones_report_init (GstCcaZonesReport *report);
void gst_cca_zones_report_clear (GstCcaZonesReport *report);

/* Begins with no events. */
void gst_cca_zones_report_begin (GstCcaZonesReport *report);

/* Adds events of a frame. Returns FALSE and adds none if memory is exhausted. */
gboolean gst_cca_zones_report_add (GstCcaZonesReport *report, GstCcaRules *rules, const GstCcaRulesEvent *events,
                                   gsize n_events);

/* Fills in the rules and ground tracks of an engine as they are now. Valid until either is used again. Returns FALSE if
 * memory is exhausted. */
gboolean gst_cca_zones_report_fill (GstCcaZonesReport *report, GstCcaRules *rules);

/* Returns the message "cca-event" on one of the report's events, of the tracks named id. */
GstMessage *gst_cca_zones_report_message (GstObject *source, const gchar *id, const GstCcaMessageTimes *times,
                                          const GstCcaEvent *event);

/* Returns the message "cca-pause": rules pause, by the state of the camera, or go on, if it is NULL. */
GstMessage *gst_cca_zones_pause_message (GstObject *source, const GstCcaMessageTimes *times, const gchar *trouble);

/* Returns a structure "cca-counts" with the lists "rules" and "flows", empty if rules is NULL. */
GstStructure *gst_cca_zones_counts (GstCcaRules *rules);

/* Returns the message "cca-ground", which says how well the ground fits its points; NULL if the rules have no ground.
 */
GstMessage *gst_cca_zones_ground_message (GstObject *source, const GstCcaZonesConfig *config);
