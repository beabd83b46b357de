/* gst-cca: rules from JSON
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * ccazones.schema.json and docs/elements/ccazones.md describe the members.
 */
#pragma once

#include <glib.h>

#include "rules.h"

/* A polygon of the region, in the units of the rules. */
typedef struct
{
  GstCcaPosition *points;
  gsize n_points; /* at least 3 */
  bool exclude;   /* the polygon's inside is outside the region */
} GstCcaZonesPolygon;

typedef struct
{
  GstCcaRulesParams params;
  GArray *rules;         /* of GstCcaRulesRule, that params refers to */
  GArray *region;        /* of GstCcaZonesPolygon; rules do not depend on it */
  GstCcaGround ground;   /* that params refers to, if there is one */
  GArray *ground_points; /* of GstCcaGroundPoint, that it was fitted to; in pixels of params' ground_width × _height */
} GstCcaZonesConfig;

/* The error's domain; its text names the origin and a line or, as in zones[2].points[0], a place. */
#define GST_CCA_ZONES_CONFIG_ERROR (g_quark_from_static_string ("gst-cca-zones-config-error"))

/* Reads a text of length bytes, or up to its end if length is -1. Returns NULL and an error that begins with the origin
 * if the text is no JSON or no rules. */
GstCcaZonesConfig *gst_cca_zones_config_parse (const gchar *text, gssize length, const gchar *origin, GError **error);

/* The same for a file, which is the origin. */
GstCcaZonesConfig *gst_cca_zones_config_load (const gchar *path, GError **error);

void gst_cca_zones_config_free (GstCcaZonesConfig *config);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GstCcaZonesConfig, gst_cca_zones_config_free)
