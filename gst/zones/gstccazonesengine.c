/* gst-cca: the rules that ccazones uses, which other threads read, reset and exchange between two frames
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "gstccazonesengine.h"

#include "gstccazonesreport.h"

void
gst_cca_zones_engine_init (GstCcaZonesEngine *engine)
{
  g_mutex_init (&engine->lock);
}

void
gst_cca_zones_engine_clear (GstCcaZonesEngine *engine)
{
  gst_cca_rules_free (engine->rules);
  g_mutex_clear (&engine->lock);
}

void
gst_cca_zones_engine_start (GstCcaZonesEngine *engine, GstCcaRules *rules)
{
  GstCcaRules *old;

  g_mutex_lock (&engine->lock);
  old = engine->rules;
  engine->rules = rules;
  engine->running = engine->unseen = TRUE;
  g_mutex_unlock (&engine->lock);
  gst_cca_rules_free (old);
}

void
gst_cca_zones_engine_stop (GstCcaZonesEngine *engine)
{
  g_mutex_lock (&engine->lock);
  engine->running = FALSE;
  g_mutex_unlock (&engine->lock);
}

gboolean
gst_cca_zones_engine_is_running (GstCcaZonesEngine *engine)
{
  gboolean running;

  g_mutex_lock (&engine->lock);
  running = engine->running;
  g_mutex_unlock (&engine->lock);
  return running;
}

gboolean
gst_cca_zones_engine_exchange (GstCcaZonesEngine *engine, GstCcaRules *rules)
{
  GstCcaRules *unused = rules;
  gboolean done;

  g_mutex_lock (&engine->lock);
  done = gst_cca_rules_adopt (rules, engine->rules);
  if (done) {
    unused = engine->rules;
    engine->rules = rules;
    engine->unseen = TRUE;
  }
  g_mutex_unlock (&engine->lock);
  gst_cca_rules_free (unused);
  return done;
}

void
gst_cca_zones_engine_forget (GstCcaZonesEngine *engine)
{
  g_mutex_lock (&engine->lock);
  if (engine->rules)
    gst_cca_rules_forget (engine->rules);
  g_mutex_unlock (&engine->lock);
}

void
gst_cca_zones_engine_reset_counts (GstCcaZonesEngine *engine)
{
  g_mutex_lock (&engine->lock);
  if (engine->rules)
    gst_cca_rules_reset_counts (engine->rules);
  g_mutex_unlock (&engine->lock);
}

GstStructure *
gst_cca_zones_engine_counts (GstCcaZonesEngine *engine)
{
  GstStructure *structure;

  g_mutex_lock (&engine->lock);
  structure = gst_cca_zones_counts (engine->rules);
  g_mutex_unlock (&engine->lock);
  return structure;
}

GstCcaRules *
gst_cca_zones_engine_borrow (GstCcaZonesEngine *engine)
{
  g_mutex_lock (&engine->lock);
  return engine->rules;
}

void
gst_cca_zones_engine_give_back (GstCcaZonesEngine *engine)
{
  g_mutex_unlock (&engine->lock);
}

static gboolean
is_outside (const GstCcaRules *rules, gsize rule, guint width, guint height)
{
  gdouble least_x = G_MAXDOUBLE, least_y = G_MAXDOUBLE;
  gsize n;
  const GstCcaPosition *points = gst_cca_rules_points (rules, rule, &n);

  for (gsize i = 0; i < n; i++) {
    least_x = MIN (least_x, points[i].x);
    least_y = MIN (least_y, points[i].y);
  }
  return least_x >= width || least_y >= height;
}

const gchar *
gst_cca_zones_engine_find_outside (GstCcaZonesEngine *engine, guint width, guint height, gboolean new_size)
{
  if (!engine->unseen && !new_size)
    return NULL;
  engine->unseen = FALSE;
  for (gsize i = 0; i < gst_cca_rules_n_rules (engine->rules); i++)
    if (is_outside (engine->rules, i, width, height))
      return gst_cca_rules_rule (engine->rules, i)->name;
  return NULL;
}
