/* gst-cca: the rules that ccazones uses, which other threads read, reset and exchange between two frames
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <gst/gst.h>

#include "rules.h"

/* Any thread may call its functions. */
typedef struct
{
  GMutex lock;
  GstCcaRules *rules; /* from the first start on */
  gboolean running;
  gboolean unseen; /* the rules have not seen a frame yet */
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
