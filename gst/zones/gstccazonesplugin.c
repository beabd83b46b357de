/* gst-cca: the plugin ccazones, apart from the others because it needs json-glib: the element ccazones, and rules from
 * JSON for other elements: regions and the ground
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include <gst/gst.h>
#include <string.h>

#include "gst/common/gstccarulesfile.h"
#include "gstccazonesconfig.h"

GST_ELEMENT_REGISTER_DECLARE (ccazones);

/* --- Rules for other elements ------------------------------------------------------------------------- */

typedef struct
{
  GObject parent;
} GstCcaRulesReader;

static GType gst_cca_rules_reader_get_type (void);
G_DEFINE_TYPE (GstCcaRulesReader, gst_cca_rules_reader, G_TYPE_OBJECT)

static gpointer
parse (const gchar *text, gsize length, const gchar *origin, GstCcaRulesFileMember member, GError **error)
{
  g_autoptr (GstCcaZonesConfig) config = gst_cca_zones_config_parse (text, (gssize) length, origin, error);

  if (!config)
    return NULL;
  if (member == GST_CCA_RULES_FILE_GROUND && !config->params.ground)
    g_set_error (error, GST_CCA_ZONES_CONFIG_ERROR, 0,
                 "%s: has no ground: add the member ground, with four or more points", origin);
  else if (member == GST_CCA_RULES_FILE_REGION && config->region->len == 0)
    g_set_error (error, GST_CCA_ZONES_CONFIG_ERROR, 0, "%s: has no polygons: list them in the member region", origin);
  else
    return g_steal_pointer (&config);
  return NULL;
}

static void
ground (gconstpointer rules, GstCcaGroundPicture *picture)
{
  const GstCcaZonesConfig *config = rules;

  *picture = (GstCcaGroundPicture) { config->ground, config->params.ground_width, config->params.ground_height };
}

static void
draw_polygon (const GstCcaZonesPolygon *polygon, gdouble scale_x, gdouble scale_y, guint width, guint height,
              guint8 *mask)
{
  GstCcaPosition *corners = g_new (GstCcaPosition, polygon->n_points);
  g_autofree gdouble *crossings = g_new (gdouble, polygon->n_points);

  for (gsize i = 0; i < polygon->n_points; i++)
    corners[i] = (GstCcaPosition) { polygon->points[i].x * scale_x, polygon->points[i].y * scale_y };
  gst_cca_polygon_fill (corners, polygon->n_points, width, height, polygon->exclude ? 0 : 255, crossings, mask);
  g_free (corners);
}

/* Polygons that are excluded are cut out of the others or, where there are no others, out of the whole frame. */
static void
draw_region (gconstpointer rules, guint width, guint height, guint8 *mask)
{
  const GstCcaZonesConfig *config = rules;
  const GstCcaRulesParams *params = &config->params;
  const gdouble scale_x = params->relative ? width : params->width > 0 ? (gdouble) width / params->width : 1.0;
  const gdouble scale_y = params->relative ? height : params->height > 0 ? (gdouble) height / params->height : 1.0;
  gboolean only_excluded = TRUE;

  for (guint i = 0; i < config->region->len; i++)
    only_excluded = only_excluded && g_array_index (config->region, GstCcaZonesPolygon, i).exclude;
  memset (mask, only_excluded ? 255 : 0, (gsize) width * height);
  for (guint exclude = 0; exclude <= 1; exclude++)
    for (guint i = 0; i < config->region->len; i++) {
      const GstCcaZonesPolygon *polygon = &g_array_index (config->region, GstCcaZonesPolygon, i);

      if (polygon->exclude == exclude)
        draw_polygon (polygon, scale_x, scale_y, width, height, mask);
    }
}

static void
release (gpointer rules)
{
  gst_cca_zones_config_free (rules);
}

static void
gst_cca_rules_reader_init (GstCcaRulesReader *self)
{
}

static void
gst_cca_rules_reader_class_init (GstCcaRulesReaderClass *klass)
{
  klass->parse = parse;
  klass->ground = ground;
  klass->draw_region = draw_region;
  klass->release = release;
}

/* --- Plugin ------------------------------------------------------------------------------------------ */

static gboolean
plugin_init (GstPlugin *plugin)
{
  return GST_ELEMENT_REGISTER (ccazones, plugin)
         && gst_dynamic_type_register (plugin, gst_cca_rules_reader_get_type ());
}

GST_PLUGIN_DEFINE (GST_VERSION_MAJOR, GST_VERSION_MINOR, ccazones, "Zones and lines in video: counts and events",
                   plugin_init, VERSION, "LGPL", GST_PACKAGE_NAME, GST_PACKAGE_ORIGIN)
