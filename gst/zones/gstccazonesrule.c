/* gst-cca: a zone or a line from JSON
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "gstccazonesreader.h"

#include <string.h>

#include "gstccatext.h"
#include "gst/meta/type.h"

#define MAX_CLASSES 100
#define MAX_CROWD 1000000

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

static const gchar *const line_names[] = { "name", "points", "anchor", "classes", "allowed", "section", NULL };
static const gchar *const zone_names[] = { "name", "points", "anchor", "classes", "motion", "way", "crowd", NULL };

/* Members that have no effect without another. */
static const gchar *const needs[][2] = {
  { "anchor", "points" }, { "band", "points" },    { "flows", "points" },       { "removed", "points" },
  { "match", "removed" }, { "overlap", "anchor" }, { "stop-speed", "stopped" },
};

/* Members that have no effect without the ground. */
static const gchar *const needs_ground[] = { "stopped", "queue-speed", "free-speed" };

/* --- Names and classes ------------------------------------------------------------------------------- */

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
  g_autofree gchar *where = gst_cca_reader_place (place, "name");
  const gchar *name;
  JsonNode *node;

  if (!gst_cca_reader_find (reader, place, object, "name", &node))
    return FALSE;
  name = read_text (reader, where, node);
  if (!name)
    return FALSE;
  for (guint i = 0; i + 1 < reader->config->rules->len; i++)
    if (g_str_equal (g_array_index (reader->config->rules, GstCcaRulesRule, i).name, name))
      return gst_cca_reader_fail (reader, where, "another rule has the name \"%s\", too", name);
  rule->name = g_strdup (name);
  return TRUE;
}

gboolean
gst_cca_zones_read_class (GstCcaReader *reader, const gchar *place, JsonNode *node, GQuark *kind)
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
read_class (GstCcaReader *reader, const gchar *place, JsonNode *node, gpointer data)
{
  GstCcaRulesRule *rule = data;

  return gst_cca_zones_read_class (reader, place, node, (GQuark *) &rule->kinds[rule->n_kinds++]);
}

static gboolean
read_classes (GstCcaReader *reader, const gchar *place, JsonObject *object, GstCcaRulesRule *rule)
{
  JsonNode *node = json_object_get_member (object, "classes");
  g_autofree gchar *where = gst_cca_reader_place (place, "classes");

  if (!node)
    return TRUE;
  rule->kinds = g_new (GQuark, MAX_CLASSES);
  return gst_cca_reader_items (reader, where, node, 1, MAX_CLASSES, "classes of a detector or of size", read_class,
                               rule);
}

/* --- Parts ------------------------------------------------------------------------------------------- */

static gboolean
read_anchor (GstCcaReader *reader, const gchar *place, JsonNode *node, GstCcaRulesRule *rule)
{
  static const gchar *const names[] = { "foot", "bottom", "center", "overlap" };
  const gboolean zone = rule->kind == GST_CCA_RULES_ZONE;

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    if (gst_cca_reader_is_string (node) && g_str_equal (json_node_get_string (node), names[i])
        && (zone || i != GST_CCA_RULES_OVERLAP)) {
      rule->anchor = (GstCcaRulesAnchor) i;
      return TRUE;
    }
  return gst_cca_reader_fail_for_value (reader, place, node,
                                        zone ? "\"foot\", \"bottom\", \"center\" or \"overlap\""
                                             : "\"foot\", \"bottom\" or \"center\"");
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

  if (!gst_cca_reader_object (reader, place, node, names, crowd_members, G_N_ELEMENTS (crowd_members), &object))
    return FALSE;
  count = json_object_get_member (object, "count");
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

/* --- The rule ---------------------------------------------------------------------------------------- */

gboolean
gst_cca_zones_read_rule (GstCcaReader *reader, const gchar *place, JsonNode *node, GstCcaRulesRule *rule)
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
