/* gst-cca: rules from JSON
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "gstccazonesconfig.h"

#include <string.h>

#include "gstccaparse.h"
#include "gstccatext.h"
#include "gstccazonesreader.h"

#define MAX_BYTES GST_CCA_PARSE_MAX_BYTES /* of a file */
#define MAX_RULES 256                     /* of a kind */
#define NEWEST_VERSION 3                  /* of the schema */

#define DEFAULT_RISE 0.5
#define DEFAULT_HOLD_S 1.0
#define DEFAULT_WINDOW_S 60.0 /* where the ground is known */

static const GstCcaMember section_members[] = {
  { "distance", GST_CCA_MEMBER_METRES, TRUE, G_STRUCT_OFFSET (GstCcaRulesRule, distance) },
};

static const GstCcaMember scene_members[] = {
  { "rise", GST_CCA_MEMBER_PART, TRUE, G_STRUCT_OFFSET (GstCcaRulesParams, rise) },
  { "hold", GST_CCA_MEMBER_SECONDS, FALSE, G_STRUCT_OFFSET (GstCcaRulesParams, hold) },
};

/* Square metres; other areas are in pixels. */
static const GstCcaMember size_members[] = {
  { "max-area", GST_CCA_MEMBER_METRES, TRUE, G_STRUCT_OFFSET (GstCcaRulesSizeClass, max_area) },
};

static const GstCcaMember polygon_members[] = {
  { "exclude", GST_CCA_MEMBER_BOOLEAN, FALSE, G_STRUCT_OFFSET (GstCcaZonesPolygon, exclude) },
};

static const gchar *const file_names[] = { "$schema", "version",      "units", "width", "height", "scene-change",
                                           "ground",  "size-classes", "zones", "lines", "region", NULL };
static const gchar *const size_names[] = { "name", NULL };
static const gchar *const polygon_names[] = { "points", NULL };

/* --- Size classes ------------------------------------------------------------------------------------- */

/* Reads a size class, the next of the rules. */
static gboolean
read_size_class (GstCcaReader *reader, const gchar *place, JsonNode *node, gpointer classes)
{
  GstCcaRulesParams *params = &reader->config->params;
  const gboolean last = params->n_size_classes + 1 == json_array_get_length (json_node_get_array (classes));
  GstCcaRulesSizeClass *class = &params->size_classes[params->n_size_classes];
  g_autofree gchar *name_place = gst_cca_reader_place (place, "name"),
                   *area_place = gst_cca_reader_place (place, "max-area");
  JsonObject *object;
  JsonNode *name;

  if (!gst_cca_reader_object (reader, place, node, size_names, size_members, G_N_ELEMENTS (size_members), &object)
      || !gst_cca_reader_find (reader, place, object, "name", &name))
    return FALSE;
  if (!last && !json_object_has_member (object, "max-area"))
    return gst_cca_reader_fail (reader, place, "has no max-area, as only the last class may");
  if (last && json_object_has_member (object, "max-area"))
    return gst_cca_reader_fail (reader, area_place, "has no effect: the last class has all larger objects");
  if (!gst_cca_zones_read_class (reader, name_place, name, &class->kind)
      || !gst_cca_reader_members (reader, place, object, size_members, G_N_ELEMENTS (size_members), class))
    return FALSE;
  for (gsize i = 0; i < params->n_size_classes; i++)
    if (params->size_classes[i].kind == class->kind)
      return gst_cca_reader_fail (reader, name_place, "another size class has the name \"%s\", too",
                                  g_quark_to_string (class->kind));
  if (!last && params->n_size_classes > 0 && class->max_area <= class[-1].max_area)
    return gst_cca_reader_fail (reader, area_place, "is %.14g, and must be above %.14g, that of the class before",
                                class->max_area, class[-1].max_area);
  params->n_size_classes++;
  return TRUE;
}

static gboolean
read_size_classes (GstCcaReader *reader, JsonObject *root)
{
  static const gchar place[] = "size-classes";
  JsonNode *node = json_object_get_member (root, place);

  if (!node)
    return TRUE;
  if (!reader->config->params.ground)
    return gst_cca_reader_fail (reader, place, "has no effect without ground");
  return gst_cca_reader_items (reader, place, node, 2, GST_CCA_RULES_MAX_SIZE_CLASSES, "classes", read_size_class,
                               node);
}

/* --- Rules ------------------------------------------------------------------------------------------- */

static gboolean
read_rule (GstCcaReader *reader, const gchar *place, JsonNode *node, gpointer kind)
{
  GArray *rules = reader->config->rules;
  GstCcaRulesRule rule;

  gst_cca_rules_rule_init (&rule, (GstCcaRulesKind) GPOINTER_TO_INT (kind));
  if (reader->config->params.ground)
    rule.window = (uint64_t) (DEFAULT_WINDOW_S * 1e9);
  g_array_append_val (rules, rule);
  return gst_cca_zones_read_rule (reader, place, node, &g_array_index (rules, GstCcaRulesRule, rules->len - 1));
}

static gboolean
read_rules (GstCcaReader *reader, const gchar *place, JsonObject *root, GstCcaRulesKind kind)
{
  JsonNode *node = json_object_get_member (root, place);

  return !node || gst_cca_reader_items (reader, place, node, 0, MAX_RULES, place, read_rule, GINT_TO_POINTER (kind));
}

/* --- Sections ---------------------------------------------------------------------------------------- */

/* Returns the index of a line, or GST_CCA_RULES_NO_RULE. */
static gsize
find_line (GstCcaReader *reader, const gchar *name)
{
  const GArray *rules = reader->config->rules;

  for (guint i = 0; i < rules->len; i++) {
    const GstCcaRulesRule *rule = &g_array_index (rules, GstCcaRulesRule, i);

    if (rule->kind == GST_CCA_RULES_LINE && g_str_equal (rule->name, name))
      return i;
  }
  return GST_CCA_RULES_NO_RULE;
}

static gboolean
read_section (GstCcaReader *reader, const gchar *place, JsonNode *node, GstCcaRulesRule *rule)
{
  static const gchar *const names[] = { "from", NULL };
  g_autofree gchar *where = gst_cca_reader_place (place, "from");
  JsonObject *object;
  JsonNode *from;

  if (!gst_cca_reader_object (reader, place, node, names, section_members, G_N_ELEMENTS (section_members), &object)
      || !gst_cca_reader_members (reader, place, object, section_members, G_N_ELEMENTS (section_members), rule)
      || !gst_cca_reader_find (reader, place, object, "from", &from))
    return FALSE;
  if (!gst_cca_reader_is_string (from))
    return gst_cca_reader_fail_for_value (reader, where, from, "the name of a line");
  rule->from = find_line (reader, json_node_get_string (from));
  if (rule->from == GST_CCA_RULES_NO_RULE)
    return gst_cca_reader_fail_for_value (reader, where, from, "the name of a line");
  if (g_str_equal (json_node_get_string (from), rule->name))
    return gst_cca_reader_fail (reader, where, "is the line itself; name the one where the section begins");
  return rule->distance > 0.0 || reader->config->params.ground
         || gst_cca_reader_fail (reader, place, "needs a distance in metres, or the ground");
}

/* Reads the sections of the lines, which are the last rules. */
static gboolean
read_sections (GstCcaReader *reader, JsonObject *root)
{
  JsonArray *lines = json_object_has_member (root, "lines") ? json_object_get_array_member (root, "lines") : NULL;
  const guint n = lines ? json_array_get_length (lines) : 0;

  for (guint i = 0; i < n; i++) {
    JsonNode *node = json_object_get_member (json_array_get_object_element (lines, i), "section");
    g_autofree gchar *place = g_strdup_printf ("lines[%u].section", i);
    GArray *rules = reader->config->rules;

    if (node && !read_section (reader, place, node, &g_array_index (rules, GstCcaRulesRule, rules->len - n + i)))
      return FALSE;
  }
  return TRUE;
}

/* --- Region ------------------------------------------------------------------------------------------ */

static gboolean
read_polygon (GstCcaReader *reader, const gchar *place, JsonNode *node, gpointer data)
{
  g_autofree gchar *points_place = gst_cca_reader_place (place, "points");
  GArray *polygons = reader->config->region;
  GstCcaZonesPolygon *polygon;
  JsonObject *object;
  JsonNode *points;

  g_array_set_size (polygons, polygons->len + 1);
  polygon = &g_array_index (polygons, GstCcaZonesPolygon, polygons->len - 1);
  return gst_cca_reader_object (reader, place, node, polygon_names, polygon_members, G_N_ELEMENTS (polygon_members),
                                &object)
         && gst_cca_reader_find (reader, place, object, "points", &points)
         && gst_cca_reader_points (reader, points_place, points, TRUE, &polygon->points, &polygon->n_points)
         && gst_cca_reader_members (reader, place, object, polygon_members, G_N_ELEMENTS (polygon_members), polygon);
}

static gboolean
read_region (GstCcaReader *reader, JsonObject *root)
{
  JsonNode *node = json_object_get_member (root, "region");

  return !node || gst_cca_reader_items (reader, "region", node, 1, MAX_RULES, "polygons", read_polygon, NULL);
}

/* --- The whole --------------------------------------------------------------------------------------- */

static gboolean
read_units (GstCcaReader *reader, JsonObject *root)
{
  JsonNode *node = json_object_get_member (root, "units");

  if (!node)
    return TRUE;
  if (gst_cca_reader_is_string (node) && g_str_equal (json_node_get_string (node), "relative"))
    reader->config->params.relative = TRUE;
  else if (!gst_cca_reader_is_string (node) || !g_str_equal (json_node_get_string (node), "pixels"))
    return gst_cca_reader_fail_for_value (reader, "units", node, "\"pixels\" or \"relative\"");
  return TRUE;
}

static gboolean
read_side (GstCcaReader *reader, JsonObject *root, const gchar *name, uint32_t *side)
{
  JsonNode *node = json_object_get_member (root, name);
  gdouble value = 0.0;

  if (!node)
    return TRUE;
  if (reader->config->params.relative)
    return gst_cca_reader_fail (reader, name, "has no effect if units is \"relative\"");
  if (!gst_cca_reader_number (reader, name, node, TRUE, GST_CCA_MAX_LENGTH, &value))
    return FALSE;
  *side = (uint32_t) value;
  return *side == value || gst_cca_reader_fail_for_value (reader, name, node, "a whole number");
}

static gboolean
read_size (GstCcaReader *reader, JsonObject *root)
{
  GstCcaRulesParams *params = &reader->config->params;

  if (!read_side (reader, root, "width", &params->width) || !read_side (reader, root, "height", &params->height))
    return FALSE;
  return (params->width > 0) == (params->height > 0)
         || gst_cca_reader_fail (reader, params->width > 0 ? "width" : "height", "has no effect without %s",
                                 params->width > 0 ? "height" : "width");
}

/* Refuses files that are made for later versions, in which members may have other meanings. */
static gboolean
check_version (GstCcaReader *reader, JsonObject *root)
{
  JsonNode *node = json_object_get_member (root, "version");
  gdouble version;

  if (!node)
    return TRUE;
  version = gst_cca_reader_is_number (node) ? json_node_get_double (node) : 0.0;
  if (version > NEWEST_VERSION && version == (gint) MIN (version, 1e6))
    return gst_cca_reader_fail (reader, "version", "is %d, and this gst-cca knows rules up to %d: update it",
                                (gint) version, NEWEST_VERSION);
  return version == 1.0 || version == 2.0 || version == 3.0
         || gst_cca_reader_fail_for_value (reader, "version", node, "1, 2 or 3");
}

static gboolean
read_root (GstCcaReader *reader, JsonNode *node)
{
  GstCcaRulesParams *params = &reader->config->params;
  JsonNode *schema, *scene, *ground;
  JsonObject *root;

  if (!JSON_NODE_HOLDS_OBJECT (node))
    return gst_cca_reader_fail (reader, "", "must be a JSON object with the members zones and lines");
  root = json_node_get_object (node);
  schema = json_object_get_member (root, "$schema");
  scene = json_object_get_member (root, "scene-change");
  ground = json_object_get_member (root, "ground");
  if (!gst_cca_reader_check_names (reader, "", root, file_names, NULL, 0, NULL, 0))
    return FALSE;
  if (schema && !gst_cca_reader_is_string (schema))
    return gst_cca_reader_fail_for_value (reader, "$schema", schema, "a string");
  return check_version (reader, root) && read_units (reader, root) && read_size (reader, root)
         && (!ground || gst_cca_zones_read_ground (reader, "ground", ground)) && read_size_classes (reader, root)
         && (!scene
             || gst_cca_reader_group (reader, "scene-change", scene, scene_members, G_N_ELEMENTS (scene_members),
                                      params))
         && read_rules (reader, "zones", root, GST_CCA_RULES_ZONE)
         && read_rules (reader, "lines", root, GST_CCA_RULES_LINE) && read_sections (reader, root)
         && read_region (reader, root);
}

static void
clear_rule (gpointer data)
{
  GstCcaRulesRule *rule = data;

  g_free ((gpointer) rule->name);
  g_free ((gpointer) rule->points);
  g_free ((gpointer) rule->kinds);
}

static void
clear_polygon (gpointer polygon)
{
  g_free (((GstCcaZonesPolygon *) polygon)->points);
}

GstCcaZonesConfig *
gst_cca_zones_config_parse (const gchar *text, gssize length, const gchar *origin, GError **error)
{
  g_autoptr (JsonNode) root = NULL;
  g_autoptr (GError) problem = NULL;
  GstCcaZonesConfig *config = g_new0 (GstCcaZonesConfig, 1);
  GstCcaReader reader = { config, origin, error };
  guint line = 0;

  config->params = (GstCcaRulesParams) { .rise = DEFAULT_RISE, .hold = (uint64_t) (DEFAULT_HOLD_S * 1e9) };
  config->rules = g_array_new (FALSE, FALSE, sizeof (GstCcaRulesRule));
  g_array_set_clear_func (config->rules, clear_rule);
  config->region = g_array_new (FALSE, TRUE, sizeof (GstCcaZonesPolygon));
  g_array_set_clear_func (config->region, clear_polygon);
  config->ground_points = g_array_new (FALSE, FALSE, sizeof (GstCcaGroundPoint));
  root = gst_cca_parse_json (text, length < 0 ? strlen (text) : (gsize) length, FALSE, &line, &problem);
  if (!root) {
    g_autofree gchar *place = line > 0 ? g_strdup_printf ("line %u", line) : g_strdup ("");

    gst_cca_reader_fail (&reader, place, "%s", problem->message);
  } else if (read_root (&reader, root)) {
    config->params.rules = (const GstCcaRulesRule *) config->rules->data;
    config->params.n_rules = config->rules->len;
    return config;
  }
  gst_cca_zones_config_free (config);
  return NULL;
}

GstCcaZonesConfig *
gst_cca_zones_config_load (const gchar *path, GError **error)
{
  g_autoptr (GError) problem = NULL;
  g_autofree gchar *text = NULL;
  gsize length;

  text = gst_cca_file_read (path, MAX_BYTES, &length, &problem);
  if (text)
    return gst_cca_zones_config_parse (text, (gssize) length, path, error);
  g_set_error (error, GST_CCA_ZONES_CONFIG_ERROR, 0, "%s: %s", path, problem->message);
  return NULL;
}

void
gst_cca_zones_config_free (GstCcaZonesConfig *config)
{
  g_array_unref (config->rules);
  g_array_unref (config->region);
  g_array_unref (config->ground_points);
  g_free (config);
}
