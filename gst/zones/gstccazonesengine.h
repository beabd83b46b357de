/* gst-cca: the rules that ccazones uses, which other threads read, reset and exchange between two frames
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#ifndef GST_CCA_ZONES_ENGINE_H
#define GST_CCA_ZONES_ENGINE_H

#include <gst/gst.h>
#include <gst/cca/gstccaeventmeta.h>

#include "rules.h"
#include "gstccatimes.h"
#include "gstccazonesconfig.h"

G_BEGIN_DECLS

/* Any thread may call its functions. */
typedef struct
{
  GMutex lock;
  GstCcaRules *rules; /* from the first start on */
  gboolean running;
  gboolean unseen; /* no frame has been judged by the rules so far */
} GstCcaZonesEngine;

void gst_cca_zones_engine_init (GstCcaZonesEngine *engine);
void gst_cca_zones_engine_clear (GstCcaZonesEngine *engine);

/* Begins with rules (taken), and with counters of 0. */
void gst_cca_zones_engine_start (GstCcaZonesEngine *engine, GstCcaRules *rules);

/* Counters can be read until the next start. */
void gst_cca_zones_engine_stop (GstCcaZonesEngine *engine);

gboolean gst_cca_zones_engine_is_running (GstCcaZonesEngine *engine);

/* Continues with other rules (taken), which adopt the state of rules that stay the same. Returns FALSE if memory is
 * exhausted: then the previous rules stay. */
gboolean gst_cca_zones_engine_exchange (GstCcaZonesEngine *engine, GstCcaRules *rules);

void gst_cca_zones_engine_forget (GstCcaZonesEngine *engine);
void gst_cca_zones_engine_reset_counts (GstCcaZonesEngine *engine);

/* Returns the structure "cca-counts". */
GstStructure *gst_cca_zones_engine_counts (GstCcaZonesEngine *engine);

/* Borrows the rules of a running engine: the caller has them alone until it gives them back. */
GstCcaRules *gst_cca_zones_engine_borrow (GstCcaZonesEngine *engine);
void gst_cca_zones_engine_give_back (GstCcaZonesEngine *engine);

/* With the rules borrowed. Returns, once for rules and frames of a size, the name of a rule that lies beyond the
 * frame's right or lower side; else NULL. */
const gchar *gst_cca_zones_engine_find_outside (GstCcaZonesEngine *engine, guint width, guint height,
                                                gboolean new_size);

/* --- Report ------------------------------------------------------------------------------------------- */

/* The rules and events of a frame, in the meta's types; the strings and points are the engine's or the report's. */
typedef struct
{
  GArray *rules;         /* of GstCcaRule */
  GArray *points;        /* of GstCcaPoint: the rules' */
  GArray *events;        /* of GstCcaEvent */
  GArray *ground_tracks; /* of GstCcaGroundTrack */
} GstCcaZonesReport;

void gst_cca_zones_report_init (GstCcaZonesReport *report);
void gst_cca_zones_report_clear (GstCcaZonesReport *report);

/* Fills in the rules of an engine as they are now, and events of its last frame. Valid until either is used again. */
void gst_cca_zones_report_fill (GstCcaZonesReport *report, GstCcaRules *rules, const GstCcaRulesEvent *events,
                                gsize n_events);

/* Returns the message "cca-event" on one of the report's events, of the tracks named id. */
GstMessage *gst_cca_zones_report_message (GstObject *source, const gchar *id, const GstCcaMessageTimes *times,
                                          const GstCcaEvent *event);

/* Returns a structure "cca-counts" with the lists "rules" and "flows", empty if rules is NULL. */
GstStructure *gst_cca_zones_counts (GstCcaRules *rules);

/* Returns the message "cca-ground", which says how well the ground fits its points; NULL if the rules have no ground.
 */
GstMessage *gst_cca_zones_ground_message (GstObject *source, const GstCcaZonesConfig *config);

G_END_DECLS

#endif
