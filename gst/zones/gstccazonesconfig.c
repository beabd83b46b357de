/* gst-cca: rules from JSON
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "gstccazonesground.h"

#include <string.h>

#include "gstccaparse.h"
#include "gstccatext.h"
#include "gst/meta/type.h"

#define MAX_BYTES GST_CCA_PARSE_MAX_BYTES /* of a file */
#define MAX_RULES 256                     /* of a kind */
#define MAX_CLASSES 100
#define MAX_CROWD 1000000
#define NEWEST_VERSION 3 /* of the schema */

#define DEFAULT_RISE 0.5
#define DEFAULT_HOLD_S 1.0
#define DEFAULT_WINDOW_S 60.0 /* where the ground is known */

#define RULE(field) G_STRUCT_OFFSET (GstCcaRulesRule, field)

static const GstCcaMember line_members[] = {
  { "band", GST_CCA_MEMBER_LENGTH, FALSE, RULE (band) },
  { "min-area", GST_CCA_MEMBER_AREA, FALSE, RULE (min_area) },
  { "max-area", GST_CCA_MEMBER_AREA, FALSE, RULE (max_area) },
  { "min-width", GST_CCA_MEMBER_LENGTH, FALSE, RULE (min_width) },
  { "max-width", GST_CCA_MEMBER_LENGTH, FALSE, RULE (max_width) },
  { "min-height", GST_CCA_MEMBER_LENGTH, FALSE, RULE (min_height) },
  { "max-height", GST_CCA_MEMBER_LENGTH, FALSE, RULE (max_height) },
  { "window", GST_CCA_MEMBER_SECONDS, TRUE, RULE (window) },
  { "free-speed", GST_CCA_MEMBER_SPEED, TRUE, RULE (free_speed) },
};

/* In addition to those of lines. */
static const GstCcaMember zone_members[] = {
  { "overlap", GST_CCA_MEMBER_PART, FALSE, RULE (overlap) },
  { "births", GST_CCA_MEMBER_BOOLEAN, FALSE, RULE (births) },
  { "flows", GST_CCA_MEMBER_BOOLEAN, FALSE, RULE (flows) },
  { "dwell", GST_CCA_MEMBER_SECONDS, TRUE, RULE (dwell) },
  { "left", GST_CCA_MEMBER_SECONDS, TRUE, RULE (left) },
  { "removed", GST_CCA_MEMBER_SECONDS, TRUE, RULE (removed) },
  { "radius", GST_CCA_MEMBER_LENGTH, FALSE, RULE (radius) },
  { "match", GST_CCA_MEMBER_PART, TRUE, RULE (match) },
  { "stopped", GST_CCA_MEMBER_SECONDS, TRUE, RULE (stopped) },
  { "stop-speed", GST_CCA_MEMBER_SPEED, TRUE, RULE (stop_speed) },
  { "queue-speed", GST_CCA_MEMBER_SPEED, TRUE, RULE (queue_speed) },
};

static const GstCcaMember motion_members[] = {
  { "on", GST_CCA_MEMBER_SECONDS, FALSE, RULE (motion_on) },
  { "off", GST_CCA_MEMBER_SECONDS, FALSE, RULE (motion_off) },
};

/* Of a crowd; the count is read apart. */
static const GstCcaMember crowd_members[] = {
  { "for", GST_CCA_MEMBER_SECONDS, FALSE, RULE (crowded) },
};

static const GstCcaMember section_members[] = {
  { "distance", GST_CCA_MEMBER_METRES, TRUE, RULE (distance) },
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
static const gchar *const line_names[] = { "name", "points", "anchor", "classes", "allowed", "section", NULL };
static const gchar *const size_names[] = { "name", NULL };
static const gchar *const polygon_names[] = { "points", NULL };
static const gchar *const zone_names[] = { "name", "points", "anchor", "classes", "motion", "way", "crowd", NULL };

/* Members that have no effect without another. */
static const gchar *const needs[][2] = {
  { "anchor", "points" }, { "band", "points" },    { "flows", "points" },       { "removed", "points" },
  { "match", "removed" }, { "overlap", "anchor" }, { "stop-speed", "stopped" },
};

/* Members that have no effect without the ground. */
static const gchar *const needs_ground[] = { "stopped", "queue-speed", "free-speed" };

/* --- Rules ------------------------------------------------------------------------------------------- */

static gboolean
read_anchor (GstCcaReader *reader, const gchar *place, JsonNode *node, GstCcaRulesRule *rule)
{
  static const gchar *const names[] = { "bottom", "center", "overlap" };
  const gboolean zone = rule->kind == GST_CCA_RULES_ZONE;

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    if (gst_cca_reader_is_string (node) && g_str_equal (json_node_get_string (node), names[i])
        && (zone || i != GST_CCA_RULES_OVERLAP)) {
      rule->anchor = (GstCcaRulesAnchor) i;
      return TRUE;
    }
  return gst_cca_reader_fail_for_value (reader, place, node,
                                        zone ? "\"bottom\", \"center\" or \"overlap\"" : "\"bottom\" or \"center\"");
}

/* Returns the name of a rule or class, or NULL. */
static const gchar *
read_text (GstCcaReader *reader, const gchar *place, JsonNode *node)
{
  const gchar *text = gst_cca_reader_is_string (node) ? json_node_get_string (node) : "", *problem;

  if (*text == '\0') {
    gst_cca_reader_fail_for_value (reader, place, node, "a string that is not empty");
    return NULL;
  }
  problem = gst_cca_name_problem (text);
  if (problem)
    gst_cca_reader_fail (reader, place, "%s", problem);
  return problem ? NULL : text;
}

static gboolean
read_name (GstCcaReader *reader, const gchar *place, JsonObject *object, GstCcaRulesRule *rule)
{
  JsonNode *node = json_object_get_member (object, "name");
  g_autofree gchar *where = gst_cca_reader_place (place, "name");
  const gchar *name;

  if (!node)
    return gst_cca_reader_fail (reader, place, "has no name");
  name = read_text (reader, where, node);
  if (!name)
    return FALSE;
  for (guint i = 0; i + 1 < reader->config->rules->len; i++)
    if (g_str_equal (g_array_index (reader->config->rules, GstCcaRulesRule, i).name, name))
      return gst_cca_reader_fail (reader, where, "another rule has the name \"%s\", too", name);
  rule->name = g_strdup (name);
  return TRUE;
}

static gboolean
read_class (GstCcaReader *reader, const gchar *place, JsonNode *node, GQuark *kind)
{
  const gchar *name = read_text (reader, place, node);

  if (!name)
    return FALSE;
  *kind = gst_cca_type_from_name (name);
  return *kind != 0
         || gst_cca_reader_fail (reader, place,
                                 "is one class too many: a process takes %d, and forgets none until it ends",
                                 GST_CCA_MAX_NEW_TYPES);
}

static gboolean
read_classes (GstCcaReader *reader, const gchar *place, JsonObject *object, GstCcaRulesRule *rule)
{
  JsonNode *node = json_object_get_member (object, "classes");
  g_autofree gchar *where = gst_cca_reader_place (place, "classes");
  JsonArray *array;
  GQuark *kinds;

  if (!node)
    return TRUE;
  if (!JSON_NODE_HOLDS_ARRAY (node))
    return gst_cca_reader_fail_for_value (reader, where, node,
                                          "an array of classes of a detector or of size, such as [\"person\"]");
  array = json_node_get_array (node);
  if (json_array_get_length (array) == 0 || json_array_get_length (array) > MAX_CLASSES)
    return gst_cca_reader_fail (reader, where, "must be 1 to %d classes, and has %u", MAX_CLASSES,
                                json_array_get_length (array));
  rule->kinds = kinds = g_new (GQuark, json_array_get_length (array));
  for (guint i = 0; i < json_array_get_length (array); i++) {
    g_autofree gchar *at = g_strdup_printf ("%s[%u]", where, i);

    if (!read_class (reader, at, json_array_get_element (array, i), &kinds[rule->n_kinds++]))
      return FALSE;
  }
  return TRUE;
}

/* Reads a size class, the next of the rules. */
static gboolean
read_size_class (GstCcaReader *reader, const gchar *place, JsonNode *node, gboolean last)
{
  GstCcaRulesParams *params = &reader->config->params;
  GstCcaRulesSizeClass *class = &params->size_classes[params->n_size_classes];
  g_autofree gchar *name_place = gst_cca_reader_place (place, "name"),
                   *area_place = gst_cca_reader_place (place, "max-area");
  JsonObject *object;

  if (!JSON_NODE_HOLDS_OBJECT (node))
    return gst_cca_reader_fail_for_value (reader, place, node, "an object");
  object = json_node_get_object (node);
  if (!gst_cca_reader_check_names (reader, place, object, size_names, size_members, G_N_ELEMENTS (size_members), NULL,
                                   0))
    return FALSE;
  if (!json_object_has_member (object, "name"))
    return gst_cca_reader_fail (reader, place, "has no name");
  if (!last && !json_object_has_member (object, "max-area"))
    return gst_cca_reader_fail (reader, place, "has no max-area, as only the last class may");
  if (last && json_object_has_member (object, "max-area"))
    return gst_cca_reader_fail (reader, area_place, "has no effect: the last class has all larger objects");
  if (!read_class (reader, name_place, json_object_get_member (object, "name"), &class->kind)
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
  JsonArray *array;
  guint n;

  if (!node)
    return TRUE;
  if (!JSON_NODE_HOLDS_ARRAY (node))
    return gst_cca_reader_fail_for_value (reader, place, node, "an array");
  array = json_node_get_array (node);
  n = json_array_get_length (array);
  if (n < 2 || n > GST_CCA_RULES_MAX_SIZE_CLASSES)
    return gst_cca_reader_fail (reader, place, "must be 2 to %d classes, and has %u", GST_CCA_RULES_MAX_SIZE_CLASSES,
                                n);
  if (!reader->config->params.ground)
    return gst_cca_reader_fail (reader, place, "has no effect without ground");
  for (guint i = 0; i < n; i++) {
    g_autofree gchar *where = g_strdup_printf ("%s[%u]", place, i);

    if (!read_size_class (reader, where, json_array_get_element (array, i), i + 1 == n))
      return FALSE;
  }
  return TRUE;
}

/* Refuses members that have no effect without others. */
static gboolean
check_needs (GstCcaReader *reader, const gchar *place, JsonObject *object, const GstCcaRulesRule *rule)
{
  for (guint i = 0; i < G_N_ELEMENTS (needs); i++) {
    g_autofree gchar *where = gst_cca_reader_place (place, needs[i][0]);

    if (json_object_has_member (object, needs[i][0]) && !json_object_has_member (object, needs[i][1]))
      return gst_cca_reader_fail (reader, where, "has no effect without %s", needs[i][1]);
  }
  if (json_object_has_member (object, "overlap") && rule->anchor != GST_CCA_RULES_OVERLAP)
    return gst_cca_reader_fail (reader, place, "overlap has no effect unless anchor is \"overlap\"");
  if (json_object_has_member (object, "radius") && !json_object_has_member (object, "left")
      && !json_object_has_member (object, "removed"))
    return gst_cca_reader_fail (reader, place, "radius has no effect without left or removed");
  return TRUE;
}

static gboolean
check_limits (GstCcaReader *reader, const gchar *place, const GstCcaRulesRule *rule)
{
  const gdouble limits[][2] = { { rule->min_area, rule->max_area },
                                { rule->min_width, rule->max_width },
                                { rule->min_height, rule->max_height } };
  static const gchar *const names[] = { "area", "width", "height" };

  for (guint i = 0; i < G_N_ELEMENTS (limits); i++)
    if (limits[i][1] > 0.0 && limits[i][0] > limits[i][1])
      return gst_cca_reader_fail (reader, place, "min-%s is %.14g and max-%s %.14g: no track fits", names[i],
                                  limits[i][0], names[i], limits[i][1]);
  return TRUE;
}

static gboolean
read_motion (GstCcaReader *reader, const gchar *place, JsonNode *node, GstCcaRulesRule *rule)
{
  if (!gst_cca_reader_group (reader, place, node, motion_members, G_N_ELEMENTS (motion_members), rule))
    return FALSE;
  return (rule->motion_on != GST_CCA_RULES_NEVER && rule->motion_off != GST_CCA_RULES_NEVER)
         || gst_cca_reader_fail (reader, place, "must have both on and off");
}

/* Reads the way of a zone, from one point to another. */
static gboolean
read_way (GstCcaReader *reader, const gchar *place, JsonNode *node, GstCcaRulesRule *rule)
{
  g_autofree GstCcaPosition *points = NULL;
  gsize n;

  if (!JSON_NODE_HOLDS_ARRAY (node) || json_array_get_length (json_node_get_array (node)) != 2)
    return gst_cca_reader_fail_for_value (reader, place, node, "an array of two points, from and to");
  if (!gst_cca_reader_points (reader, place, node, FALSE, &points, &n))
    return FALSE;
  memcpy (rule->way, points, sizeof rule->way);
  rule->one_way = true;
  return gst_cca_zones_check_on_ground (reader, place, rule->way, 2);
}

static gboolean
read_crowd (GstCcaReader *reader, const gchar *place, JsonNode *node, GstCcaRulesRule *rule)
{
  static const gchar *const names[] = { "count", NULL };
  g_autofree gchar *where = gst_cca_reader_place (place, "count");
  JsonObject *object;
  JsonNode *count;
  gdouble value = 0.0;

  if (!JSON_NODE_HOLDS_OBJECT (node))
    return gst_cca_reader_fail_for_value (reader, place, node, "an object");
  object = json_node_get_object (node);
  count = json_object_get_member (object, "count");
  if (!gst_cca_reader_check_names (reader, place, object, names, crowd_members, G_N_ELEMENTS (crowd_members), NULL, 0))
    return FALSE;
  if (!count || !json_object_has_member (object, "for"))
    return gst_cca_reader_fail (reader, place, "must have both count and for");
  if (!gst_cca_reader_number (reader, where, count, FALSE, MAX_CROWD, &value))
    return FALSE;
  rule->crowd = (uint32_t) value;
  if (rule->crowd != value)
    return gst_cca_reader_fail_for_value (reader, where, count, "a whole number");
  return gst_cca_reader_members (reader, place, object, crowd_members, G_N_ELEMENTS (crowd_members), rule);
}

/* Reads the members of zones alone. */
static gboolean
read_zone (GstCcaReader *reader, const gchar *place, JsonObject *object, GstCcaRulesRule *rule)
{
  static const struct
  {
    const gchar *name;
    gboolean (*read) (GstCcaReader *, const gchar *, JsonNode *, GstCcaRulesRule *);
  } parts[] = { { "motion", read_motion }, { "way", read_way }, { "crowd", read_crowd } };

  if (!gst_cca_reader_members (reader, place, object, zone_members, G_N_ELEMENTS (zone_members), rule))
    return FALSE;
  for (guint i = 0; i < G_N_ELEMENTS (parts); i++) {
    JsonNode *node = json_object_get_member (object, parts[i].name);
    g_autofree gchar *where = gst_cca_reader_place (place, parts[i].name);

    if (node && !parts[i].read (reader, where, node, rule))
      return FALSE;
  }
  return check_needs (reader, place, object, rule);
}

/* Reads the members of lines alone, except sections, which may begin at a later line. */
static gboolean
read_line (GstCcaReader *reader, const gchar *place, JsonObject *object, GstCcaRulesRule *rule)
{
  JsonNode *node = json_object_get_member (object, "allowed");
  g_autofree gchar *where = gst_cca_reader_place (place, "allowed");

  if (!node)
    return TRUE;
  if (gst_cca_reader_is_string (node) && g_str_equal (json_node_get_string (node), "forward"))
    rule->allowed = 1;
  else if (gst_cca_reader_is_string (node) && g_str_equal (json_node_get_string (node), "backward"))
    rule->allowed = -1;
  return rule->allowed != 0 || gst_cca_reader_fail_for_value (reader, where, node, "\"forward\" or \"backward\"");
}

/* Refuses members that have no effect where the ground is not known. */
static gboolean
check_ground (GstCcaReader *reader, const gchar *place, JsonObject *object)
{
  for (guint i = 0; i < G_N_ELEMENTS (needs_ground) && !reader->config->params.ground; i++) {
    g_autofree gchar *where = gst_cca_reader_place (place, needs_ground[i]);

    if (json_object_has_member (object, needs_ground[i]))
      return gst_cca_reader_fail (reader, where, "has no effect without ground");
  }
  return TRUE;
}

static gboolean
read_rule (GstCcaReader *reader, const gchar *place, JsonNode *node, GstCcaRulesRule *rule)
{
  const gboolean zone = rule->kind == GST_CCA_RULES_ZONE;
  g_autofree gchar *points_place = gst_cca_reader_place (place, "points"),
                   *anchor_place = gst_cca_reader_place (place, "anchor");
  GstCcaPosition *corners = NULL;
  JsonNode *points, *anchor;
  JsonObject *object;
  gboolean read;

  if (!JSON_NODE_HOLDS_OBJECT (node))
    return gst_cca_reader_fail_for_value (reader, place, node, "an object");
  object = json_node_get_object (node);
  if (!gst_cca_reader_check_names (reader, place, object, zone ? zone_names : line_names, line_members,
                                   G_N_ELEMENTS (line_members), zone ? zone_members : NULL,
                                   zone ? G_N_ELEMENTS (zone_members) : 0)
      || !read_name (reader, place, object, rule))
    return FALSE;
  points = json_object_get_member (object, "points");
  anchor = json_object_get_member (object, "anchor");
  if (!zone && !points)
    return gst_cca_reader_fail (reader, place, "has no points");
  read = !points || gst_cca_reader_points (reader, points_place, points, zone, &corners, &rule->n_points);
  rule->points = corners;
  return read && (!anchor || read_anchor (reader, anchor_place, anchor, rule))
         && gst_cca_reader_members (reader, place, object, line_members, G_N_ELEMENTS (line_members), rule)
         && read_classes (reader, place, object, rule)
         && (zone ? read_zone (reader, place, object, rule) : read_line (reader, place, object, rule))
         && check_ground (reader, place, object) && check_limits (reader, place, rule);
}

static gboolean
read_rules (GstCcaReader *reader, const gchar *place, JsonObject *root, GstCcaRulesKind kind)
{
  JsonNode *node = json_object_get_member (root, place);
  JsonArray *array;

  if (!node)
    return TRUE;
  if (!JSON_NODE_HOLDS_ARRAY (node))
    return gst_cca_reader_fail_for_value (reader, place, node, "an array");
  array = json_node_get_array (node);
  if (json_array_get_length (array) > MAX_RULES)
    return gst_cca_reader_fail (reader, place, "must be at most %d, and has %u", MAX_RULES,
                                json_array_get_length (array));
  for (guint i = 0; i < json_array_get_length (array); i++) {
    g_autofree gchar *where = g_strdup_printf ("%s[%u]", place, i);
    GArray *rules = reader->config->rules;
    GstCcaRulesRule rule;

    gst_cca_rules_rule_init (&rule, kind);
    if (reader->config->params.ground)
      rule.window = (uint64_t) (DEFAULT_WINDOW_S * 1e9);
    g_array_append_val (rules, rule);
    if (!read_rule (reader, where, json_array_get_element (array, i),
                    &g_array_index (rules, GstCcaRulesRule, rules->len - 1)))
      return FALSE;
  }
  return TRUE;
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

  if (!JSON_NODE_HOLDS_OBJECT (node))
    return gst_cca_reader_fail_for_value (reader, place, node, "an object");
  object = json_node_get_object (node);
  from = json_object_get_member (object, "from");
  if (!gst_cca_reader_check_names (reader, place, object, names, section_members, G_N_ELEMENTS (section_members), NULL,
                                   0)
      || !gst_cca_reader_members (reader, place, object, section_members, G_N_ELEMENTS (section_members), rule))
    return FALSE;
  if (!from)
    return gst_cca_reader_fail (reader, place, "has no from");
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
read_polygon (GstCcaReader *reader, const gchar *place, JsonNode *node, GstCcaZonesPolygon *polygon)
{
  g_autofree gchar *points_place = gst_cca_reader_place (place, "points");
  JsonObject *object;

  if (!JSON_NODE_HOLDS_OBJECT (node))
    return gst_cca_reader_fail_for_value (reader, place, node, "an object");
  object = json_node_get_object (node);
  if (!gst_cca_reader_check_names (reader, place, object, polygon_names, polygon_members,
                                   G_N_ELEMENTS (polygon_members), NULL, 0))
    return FALSE;
  if (!json_object_has_member (object, "points"))
    return gst_cca_reader_fail (reader, place, "has no points");
  return gst_cca_reader_points (reader, points_place, json_object_get_member (object, "points"), TRUE, &polygon->points,
                                &polygon->n_points)
         && gst_cca_reader_members (reader, place, object, polygon_members, G_N_ELEMENTS (polygon_members), polygon);
}

static gboolean
read_region (GstCcaReader *reader, JsonObject *root)
{
  JsonNode *node = json_object_get_member (root, "region");
  GArray *polygons = reader->config->region;
  JsonArray *array;

  if (!node)
    return TRUE;
  if (!JSON_NODE_HOLDS_ARRAY (node))
    return gst_cca_reader_fail_for_value (reader, "region", node, "an array");
  array = json_node_get_array (node);
  if (json_array_get_length (array) < 1 || json_array_get_length (array) > MAX_RULES)
    return gst_cca_reader_fail (reader, "region", "must be 1 to %d polygons, and has %u", MAX_RULES,
                                json_array_get_length (array));
  for (guint i = 0; i < json_array_get_length (array); i++) {
    g_autofree gchar *where = g_strdup_printf ("region[%u]", i);
    const GstCcaZonesPolygon polygon = { 0 };

    g_array_append_val (polygons, polygon);
    if (!read_polygon (reader, where, json_array_get_element (array, i),
                       &g_array_index (polygons, GstCcaZonesPolygon, i)))
      return FALSE;
  }
  return TRUE;
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
  config->region = g_array_new (FALSE, FALSE, sizeof (GstCcaZonesPolygon));
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
