/* gst-cca: rules from JSON
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "gstccazonesconfig.h"

#include <string.h>

#include "gstccatext.h"
#include "gstccaparse.h"

#define MAX_BYTES GST_CCA_PARSE_MAX_BYTES /* of a file */
#define MAX_RULES 256                     /* of a kind */
#define MAX_POINTS 1024                   /* of a rule */
#define MAX_CLASSES 100
#define MAX_LENGTH 1048576.0 /* pixels */
#define MAX_AREA 1099511627776.0
#define MAX_SECONDS 1e9

#define DEFAULT_RISE 0.5
#define DEFAULT_HOLD_S 1.0

/* What a number or a truth value stands for. */
typedef enum
{
  MEMBER_LENGTH, /* pixels or relative */
  MEMBER_AREA,
  MEMBER_PART,
  MEMBER_SECONDS, /* stored as ns */
  MEMBER_BOOLEAN,
} MemberKind;

typedef struct
{
  const gchar *name;
  MemberKind kind;
  gboolean above_zero;
  gsize offset; /* in what is read */
} Member;

#define RULE(field) G_STRUCT_OFFSET (GstCcaRulesRule, field)

static const Member line_members[] = {
  { "band", MEMBER_LENGTH, FALSE, RULE (band) },
  { "min-area", MEMBER_AREA, FALSE, RULE (min_area) },
  { "max-area", MEMBER_AREA, FALSE, RULE (max_area) },
  { "min-width", MEMBER_LENGTH, FALSE, RULE (min_width) },
  { "max-width", MEMBER_LENGTH, FALSE, RULE (max_width) },
  { "min-height", MEMBER_LENGTH, FALSE, RULE (min_height) },
  { "max-height", MEMBER_LENGTH, FALSE, RULE (max_height) },
};

/* Besides those of lines. */
static const Member zone_members[] = {
  { "overlap", MEMBER_PART, FALSE, RULE (overlap) }, { "births", MEMBER_BOOLEAN, FALSE, RULE (births) },
  { "flows", MEMBER_BOOLEAN, FALSE, RULE (flows) },  { "dwell", MEMBER_SECONDS, TRUE, RULE (dwell) },
  { "left", MEMBER_SECONDS, TRUE, RULE (left) },     { "removed", MEMBER_SECONDS, TRUE, RULE (removed) },
  { "radius", MEMBER_LENGTH, FALSE, RULE (radius) }, { "match", MEMBER_PART, TRUE, RULE (match) },
};

static const Member motion_members[] = {
  { "on", MEMBER_SECONDS, FALSE, RULE (motion_on) },
  { "off", MEMBER_SECONDS, FALSE, RULE (motion_off) },
};

static const Member scene_members[] = {
  { "rise", MEMBER_PART, TRUE, G_STRUCT_OFFSET (GstCcaRulesParams, rise) },
  { "hold", MEMBER_SECONDS, FALSE, G_STRUCT_OFFSET (GstCcaRulesParams, hold) },
};

static const Member polygon_members[] = {
  { "exclude", MEMBER_BOOLEAN, FALSE, G_STRUCT_OFFSET (GstCcaZonesPolygon, exclude) },
};

static const gchar *const file_names[] = { "$schema", "units", "width",  "height", "scene-change",
                                           "zones",   "lines", "region", NULL };
static const gchar *const line_names[] = { "name", "points", "anchor", "classes", NULL };
static const gchar *const polygon_names[] = { "points", NULL };
static const gchar *const zone_names[] = { "name", "points", "anchor", "classes", "motion", NULL };
static const gchar *const no_names[] = { NULL };

/* Members that say nothing without another. */
static const gchar *const needs[][2] = {
  { "anchor", "points" },  { "band", "points" },   { "flows", "points" },
  { "removed", "points" }, { "match", "removed" }, { "overlap", "anchor" },
};

typedef struct
{
  GstCcaZonesConfig *config;
  const gchar *origin;
  GError **error;
} Reader;

/* --- Errors ------------------------------------------------------------------------------------------ */

G_GNUC_PRINTF (3, 4)
static gboolean
fail (Reader *reader, const gchar *place, const gchar *format, ...)
{
  g_autofree gchar *text = NULL;
  va_list arguments;

  va_start (arguments, format);
  text = g_strdup_vprintf (format, arguments);
  va_end (arguments);
  g_set_error (reader->error, GST_CCA_ZONES_CONFIG_ERROR, 0, "%s: %s%s%s", reader->origin, place, *place ? ": " : "",
               text);
  return FALSE;
}

static gboolean
fail_for_value (Reader *reader, const gchar *place, JsonNode *node, const gchar *wanted)
{
  g_autofree gchar *text = json_to_string (node, FALSE);

  return g_utf8_strlen (text, -1) <= 40 ? fail (reader, place, "must be %s, and is %s", wanted, text)
                                        : fail (reader, place, "must be %s", wanted);
}

static gchar *
place_of (const gchar *parent, const gchar *name)
{
  return *parent ? g_strconcat (parent, ".", name, NULL) : g_strdup (name);
}

/* --- Values ------------------------------------------------------------------------------------------ */

static gboolean
is_number (JsonNode *node)
{
  return JSON_NODE_HOLDS_VALUE (node)
         && (json_node_get_value_type (node) == G_TYPE_INT64 || json_node_get_value_type (node) == G_TYPE_DOUBLE);
}

static gboolean
is_string (JsonNode *node)
{
  return JSON_NODE_HOLDS_VALUE (node) && json_node_get_value_type (node) == G_TYPE_STRING;
}

static gboolean
read_number (Reader *reader, const gchar *place, JsonNode *node, gboolean above_zero, gdouble max, gdouble *value)
{
  g_autofree gchar *wanted = NULL;

  if (is_number (node)) {
    *value = json_node_get_double (node);
    if ((above_zero ? *value > 0.0 : *value >= 0.0) && *value <= max)
      return TRUE;
  }
  wanted = g_strdup_printf ("a number %s 0 and at most %.14g%s", above_zero ? "above" : "of at least", max,
                            reader->config->params.relative && max == 1.0 ? " (units is \"relative\")" : "");
  return fail_for_value (reader, place, node, wanted);
}

static gboolean
read_member (Reader *reader, const gchar *place, JsonNode *node, const Member *member, gpointer into)
{
  const gboolean relative = reader->config->params.relative;
  gdouble max = 1.0, value = 0.0;

  if (member->kind == MEMBER_BOOLEAN) {
    if (!JSON_NODE_HOLDS_VALUE (node) || json_node_get_value_type (node) != G_TYPE_BOOLEAN)
      return fail_for_value (reader, place, node, "true or false");
    *(bool *) into = json_node_get_boolean (node);
    return TRUE;
  }
  if (member->kind == MEMBER_SECONDS)
    max = MAX_SECONDS;
  else if (member->kind != MEMBER_PART && !relative)
    max = member->kind == MEMBER_AREA ? MAX_AREA : MAX_LENGTH;
  if (!read_number (reader, place, node, member->above_zero, max, &value))
    return FALSE;
  if (member->kind == MEMBER_SECONDS)
    *(uint64_t *) into = (uint64_t) (value * 1e9);
  else
    *(double *) into = value;
  return TRUE;
}

static gboolean
read_members (Reader *reader, const gchar *place, JsonObject *object, const Member *members, gsize n, gpointer into)
{
  for (gsize i = 0; i < n; i++) {
    JsonNode *node = json_object_get_member (object, members[i].name);
    g_autofree gchar *where = place_of (place, members[i].name);

    if (node && !read_member (reader, where, node, &members[i], (guint8 *) into + members[i].offset))
      return FALSE;
  }
  return TRUE;
}

static gboolean
has_member (const Member *members, gsize n, const gchar *name)
{
  for (gsize i = 0; i < n; i++)
    if (g_str_equal (members[i].name, name))
      return TRUE;
  return FALSE;
}

/* Refuses members that are neither among names nor in one of the tables. */
static gboolean
check_names (Reader *reader, const gchar *place, JsonObject *object, const gchar *const *names, const Member *first,
             gsize n_first, const Member *second, gsize n_second)
{
  g_autoptr (GList) members = json_object_get_members (object);

  for (GList *link = members; link; link = link->next) {
    const gchar *problem = gst_cca_name_problem (link->data);
    g_autofree gchar *where = problem ? g_strdup (place) : place_of (place, link->data);

    if (problem)
      return fail (reader, where, "a member's name %s", problem);
    if (!g_strv_contains (names, link->data) && !has_member (first, n_first, link->data)
        && !has_member (second, n_second, link->data))
      return fail (reader, where, "is an unknown member");
  }
  return TRUE;
}

/* Reads an object of numbers alone. */
static gboolean
read_group (Reader *reader, const gchar *place, JsonNode *node, const Member *members, gsize n, gpointer into)
{
  JsonObject *object;

  if (!JSON_NODE_HOLDS_OBJECT (node))
    return fail_for_value (reader, place, node, "an object");
  object = json_node_get_object (node);
  return check_names (reader, place, object, no_names, members, n, NULL, 0)
         && read_members (reader, place, object, members, n, into);
}

/* --- Points ------------------------------------------------------------------------------------------ */

static gboolean
read_point (Reader *reader, const gchar *place, JsonNode *node, GstCcaPosition *point)
{
  const GstCcaRulesParams *params = &reader->config->params;
  const gdouble max_x = params->relative ? 1.0 : params->width > 0 ? params->width : MAX_LENGTH;
  const gdouble max_y = params->relative ? 1.0 : params->height > 0 ? params->height : MAX_LENGTH;
  g_autofree gchar *x_place = g_strconcat (place, "[0]", NULL), *y_place = g_strconcat (place, "[1]", NULL);
  JsonArray *array;

  if (!JSON_NODE_HOLDS_ARRAY (node) || json_array_get_length (json_node_get_array (node)) != 2)
    return fail_for_value (reader, place, node, "an array of two numbers, [x, y]");
  array = json_node_get_array (node);
  return read_number (reader, x_place, json_array_get_element (array, 0), FALSE, max_x, &point->x)
         && read_number (reader, y_place, json_array_get_element (array, 1), FALSE, max_y, &point->y);
}

static gboolean
same_point (const GstCcaPosition *a, const GstCcaPosition *b)
{
  return a->x == b->x && a->y == b->y;
}

static gboolean
check_polygon (Reader *reader, const gchar *place, const GstCcaPosition *points, gsize n)
{
  gsize first, second;

  if (gst_cca_polygon_crosses_itself (points, n, &first, &second))
    return fail (reader, place,
                 "crosses itself: the sides from points[%" G_GSIZE_FORMAT "] and from points[%" G_GSIZE_FORMAT
                 "] meet; list the corners in the order in which one walks round it",
                 first, second);
  return (n >= 3 && gst_cca_polygon_area (points, n) > 0.0) || fail (reader, place, "encloses no area");
}

/* Reads points into an array that the caller frees, also where it fails. Points that repeat the one before are left
 * out, as is a polygon's last, that of points that are closed, if it repeats the first. */
static gboolean
read_points (Reader *reader, const gchar *place, JsonNode *node, gboolean closed, GstCcaPosition **into, gsize *n_into)
{
  const guint least = closed ? 3 : 2;
  g_autofree gchar *wanted = g_strdup_printf ("an array of %u to %d points", least, MAX_POINTS);
  GstCcaPosition *points;
  JsonArray *array;
  guint n = 0;

  if (!JSON_NODE_HOLDS_ARRAY (node))
    return fail_for_value (reader, place, node, wanted);
  array = json_node_get_array (node);
  if (json_array_get_length (array) < least || json_array_get_length (array) > MAX_POINTS)
    return fail (reader, place, "must be %s, and has %u", wanted, json_array_get_length (array));
  *into = points = g_new (GstCcaPosition, json_array_get_length (array));
  for (guint i = 0; i < json_array_get_length (array); i++) {
    g_autofree gchar *where = g_strdup_printf ("%s[%u]", place, i);

    if (!read_point (reader, where, json_array_get_element (array, i), &points[n]))
      return FALSE;
    if (n == 0 || !same_point (&points[n], &points[n - 1]))
      n++;
  }
  if (closed && n > 1 && same_point (&points[n - 1], &points[0]))
    n--;
  *n_into = n;
  if (closed)
    return check_polygon (reader, place, points, n);
  return n > 1 || fail (reader, place, "has no length");
}

/* --- Rules ------------------------------------------------------------------------------------------- */

static gboolean
read_anchor (Reader *reader, const gchar *place, JsonNode *node, GstCcaRulesRule *rule)
{
  static const gchar *const names[] = { "bottom", "center", "overlap" };
  const gboolean zone = rule->kind == GST_CCA_RULES_ZONE;

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    if (is_string (node) && g_str_equal (json_node_get_string (node), names[i])
        && (zone || i != GST_CCA_RULES_OVERLAP)) {
      rule->anchor = (GstCcaRulesAnchor) i;
      return TRUE;
    }
  return fail_for_value (reader, place, node,
                         zone ? "\"bottom\", \"center\" or \"overlap\"" : "\"bottom\" or \"center\"");
}

static gboolean
read_name (Reader *reader, const gchar *place, JsonObject *object, GstCcaRulesRule *rule)
{
  JsonNode *node = json_object_get_member (object, "name");
  g_autofree gchar *where = place_of (place, "name");
  const gchar *name, *problem;

  if (!node)
    return fail (reader, place, "has no name");
  if (!is_string (node) || *json_node_get_string (node) == '\0')
    return fail_for_value (reader, where, node, "a string that is not empty");
  name = json_node_get_string (node);
  problem = gst_cca_name_problem (name);
  if (problem)
    return fail (reader, where, "%s", problem);
  for (guint i = 0; i + 1 < reader->config->rules->len; i++)
    if (g_str_equal (g_array_index (reader->config->rules, GstCcaRulesRule, i).name, name))
      return fail (reader, where, "another rule has the name \"%s\", too", name);
  rule->name = g_strdup (name);
  return TRUE;
}

static gboolean
read_classes (Reader *reader, const gchar *place, JsonObject *object, GstCcaRulesRule *rule)
{
  JsonNode *node = json_object_get_member (object, "classes");
  g_autofree gchar *where = place_of (place, "classes");
  JsonArray *array;
  GQuark *kinds;

  if (!node)
    return TRUE;
  if (!JSON_NODE_HOLDS_ARRAY (node))
    return fail_for_value (reader, where, node, "an array of classes of a detector, such as [\"person\"]");
  array = json_node_get_array (node);
  if (json_array_get_length (array) == 0 || json_array_get_length (array) > MAX_CLASSES)
    return fail (reader, where, "must be 1 to %d classes, and has %u", MAX_CLASSES, json_array_get_length (array));
  rule->kinds = kinds = g_new (GQuark, json_array_get_length (array));
  for (guint i = 0; i < json_array_get_length (array); i++) {
    JsonNode *element = json_array_get_element (array, i);
    g_autofree gchar *at = g_strdup_printf ("%s[%u]", where, i);

    if (!is_string (element) || *json_node_get_string (element) == '\0')
      return fail_for_value (reader, at, element, "a string that is not empty");
    kinds[rule->n_kinds++] = g_quark_from_string (json_node_get_string (element));
  }
  return TRUE;
}

/* Refuses members that have no effect without others. */
static gboolean
check_needs (Reader *reader, const gchar *place, JsonObject *object, const GstCcaRulesRule *rule)
{
  for (guint i = 0; i < G_N_ELEMENTS (needs); i++) {
    g_autofree gchar *where = place_of (place, needs[i][0]);

    if (json_object_has_member (object, needs[i][0]) && !json_object_has_member (object, needs[i][1]))
      return fail (reader, where, "has no effect without %s", needs[i][1]);
  }
  if (json_object_has_member (object, "overlap") && rule->anchor != GST_CCA_RULES_OVERLAP)
    return fail (reader, place, "overlap has no effect unless anchor is \"overlap\"");
  if (json_object_has_member (object, "radius") && !json_object_has_member (object, "left")
      && !json_object_has_member (object, "removed"))
    return fail (reader, place, "radius has no effect without left or removed");
  return TRUE;
}

static gboolean
check_limits (Reader *reader, const gchar *place, const GstCcaRulesRule *rule)
{
  const gdouble limits[][2] = { { rule->min_area, rule->max_area },
                                { rule->min_width, rule->max_width },
                                { rule->min_height, rule->max_height } };
  static const gchar *const names[] = { "area", "width", "height" };

  for (guint i = 0; i < G_N_ELEMENTS (limits); i++)
    if (limits[i][1] > 0.0 && limits[i][0] > limits[i][1])
      return fail (reader, place, "min-%s is %.14g and max-%s %.14g: no track fits", names[i], limits[i][0], names[i],
                   limits[i][1]);
  return TRUE;
}

static gboolean
read_motion (Reader *reader, const gchar *place, JsonNode *node, GstCcaRulesRule *rule)
{
  if (!read_group (reader, place, node, motion_members, G_N_ELEMENTS (motion_members), rule))
    return FALSE;
  return (rule->motion_on != GST_CCA_RULES_NEVER && rule->motion_off != GST_CCA_RULES_NEVER)
         || fail (reader, place, "must have both on and off");
}

/* Reads what zones have and lines have not. */
static gboolean
read_zone (Reader *reader, const gchar *place, JsonObject *object, GstCcaRulesRule *rule)
{
  JsonNode *motion = json_object_get_member (object, "motion");
  g_autofree gchar *where = place_of (place, "motion");

  return read_members (reader, place, object, zone_members, G_N_ELEMENTS (zone_members), rule)
         && (!motion || read_motion (reader, where, motion, rule)) && check_needs (reader, place, object, rule);
}

static gboolean
read_rule (Reader *reader, const gchar *place, JsonNode *node, GstCcaRulesRule *rule)
{
  const gboolean zone = rule->kind == GST_CCA_RULES_ZONE;
  g_autofree gchar *points_place = place_of (place, "points"), *anchor_place = place_of (place, "anchor");
  GstCcaPosition *corners = NULL;
  JsonNode *points, *anchor;
  JsonObject *object;
  gboolean read;

  if (!JSON_NODE_HOLDS_OBJECT (node))
    return fail_for_value (reader, place, node, "an object");
  object = json_node_get_object (node);
  if (!check_names (reader, place, object, zone ? zone_names : line_names, line_members, G_N_ELEMENTS (line_members),
                    zone ? zone_members : NULL, zone ? G_N_ELEMENTS (zone_members) : 0)
      || !read_name (reader, place, object, rule))
    return FALSE;
  points = json_object_get_member (object, "points");
  anchor = json_object_get_member (object, "anchor");
  if (!zone && !points)
    return fail (reader, place, "has no points");
  read = !points || read_points (reader, points_place, points, zone, &corners, &rule->n_points);
  rule->points = corners;
  return read && (!anchor || read_anchor (reader, anchor_place, anchor, rule))
         && read_members (reader, place, object, line_members, G_N_ELEMENTS (line_members), rule)
         && read_classes (reader, place, object, rule) && (!zone || read_zone (reader, place, object, rule))
         && check_limits (reader, place, rule);
}

static gboolean
read_rules (Reader *reader, const gchar *place, JsonObject *root, GstCcaRulesKind kind)
{
  JsonNode *node = json_object_get_member (root, place);
  JsonArray *array;

  if (!node)
    return TRUE;
  if (!JSON_NODE_HOLDS_ARRAY (node))
    return fail_for_value (reader, place, node, "an array");
  array = json_node_get_array (node);
  if (json_array_get_length (array) > MAX_RULES)
    return fail (reader, place, "must be at most %d, and has %u", MAX_RULES, json_array_get_length (array));
  for (guint i = 0; i < json_array_get_length (array); i++) {
    g_autofree gchar *where = g_strdup_printf ("%s[%u]", place, i);
    GArray *rules = reader->config->rules;
    GstCcaRulesRule rule;

    gst_cca_rules_rule_init (&rule, kind);
    g_array_append_val (rules, rule);
    if (!read_rule (reader, where, json_array_get_element (array, i),
                    &g_array_index (rules, GstCcaRulesRule, rules->len - 1)))
      return FALSE;
  }
  return TRUE;
}

/* --- Region ------------------------------------------------------------------------------------------ */

static gboolean
read_polygon (Reader *reader, const gchar *place, JsonNode *node, GstCcaZonesPolygon *polygon)
{
  g_autofree gchar *points_place = place_of (place, "points");
  JsonObject *object;

  if (!JSON_NODE_HOLDS_OBJECT (node))
    return fail_for_value (reader, place, node, "an object");
  object = json_node_get_object (node);
  if (!check_names (reader, place, object, polygon_names, polygon_members, G_N_ELEMENTS (polygon_members), NULL, 0))
    return FALSE;
  if (!json_object_has_member (object, "points"))
    return fail (reader, place, "has no points");
  return read_points (reader, points_place, json_object_get_member (object, "points"), TRUE, &polygon->points,
                      &polygon->n_points)
         && read_members (reader, place, object, polygon_members, G_N_ELEMENTS (polygon_members), polygon);
}

static gboolean
read_region (Reader *reader, JsonObject *root)
{
  JsonNode *node = json_object_get_member (root, "region");
  GArray *polygons = reader->config->region;
  JsonArray *array;

  if (!node)
    return TRUE;
  if (!JSON_NODE_HOLDS_ARRAY (node))
    return fail_for_value (reader, "region", node, "an array");
  array = json_node_get_array (node);
  if (json_array_get_length (array) < 1 || json_array_get_length (array) > MAX_RULES)
    return fail (reader, "region", "must be 1 to %d polygons, and has %u", MAX_RULES, json_array_get_length (array));
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
read_units (Reader *reader, JsonObject *root)
{
  JsonNode *node = json_object_get_member (root, "units");

  if (!node)
    return TRUE;
  if (is_string (node) && g_str_equal (json_node_get_string (node), "relative"))
    reader->config->params.relative = TRUE;
  else if (!is_string (node) || !g_str_equal (json_node_get_string (node), "pixels"))
    return fail_for_value (reader, "units", node, "\"pixels\" or \"relative\"");
  return TRUE;
}

static gboolean
read_side (Reader *reader, JsonObject *root, const gchar *name, uint32_t *side)
{
  JsonNode *node = json_object_get_member (root, name);
  gdouble value = 0.0;

  if (!node)
    return TRUE;
  if (reader->config->params.relative)
    return fail (reader, name, "has no effect if units is \"relative\"");
  if (!read_number (reader, name, node, TRUE, MAX_LENGTH, &value))
    return FALSE;
  *side = (uint32_t) value;
  return *side == value || fail_for_value (reader, name, node, "a whole number");
}

static gboolean
read_size (Reader *reader, JsonObject *root)
{
  GstCcaRulesParams *params = &reader->config->params;

  if (!read_side (reader, root, "width", &params->width) || !read_side (reader, root, "height", &params->height))
    return FALSE;
  return (params->width > 0) == (params->height > 0)
         || fail (reader, params->width > 0 ? "width" : "height", "has no effect without %s",
                  params->width > 0 ? "height" : "width");
}

static gboolean
read_root (Reader *reader, JsonNode *node)
{
  GstCcaRulesParams *params = &reader->config->params;
  JsonNode *schema, *scene;
  JsonObject *root;

  if (!JSON_NODE_HOLDS_OBJECT (node))
    return fail (reader, "", "must be a JSON object with the members zones and lines");
  root = json_node_get_object (node);
  schema = json_object_get_member (root, "$schema");
  scene = json_object_get_member (root, "scene-change");
  if (!check_names (reader, "", root, file_names, NULL, 0, NULL, 0))
    return FALSE;
  if (schema && !is_string (schema))
    return fail_for_value (reader, "$schema", schema, "a string");
  return read_units (reader, root) && read_size (reader, root)
         && (!scene || read_group (reader, "scene-change", scene, scene_members, G_N_ELEMENTS (scene_members), params))
         && read_rules (reader, "zones", root, GST_CCA_RULES_ZONE)
         && read_rules (reader, "lines", root, GST_CCA_RULES_LINE) && read_region (reader, root);
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
  Reader reader = { config, origin, error };
  guint line = 0;

  config->params = (GstCcaRulesParams) { .rise = DEFAULT_RISE, .hold = (uint64_t) (DEFAULT_HOLD_S * 1e9) };
  config->rules = g_array_new (FALSE, FALSE, sizeof (GstCcaRulesRule));
  g_array_set_clear_func (config->rules, clear_rule);
  config->region = g_array_new (FALSE, FALSE, sizeof (GstCcaZonesPolygon));
  g_array_set_clear_func (config->region, clear_polygon);
  root = gst_cca_parse_json (text, length < 0 ? strlen (text) : (gsize) length, FALSE, &line, &problem);
  if (!root) {
    g_autofree gchar *place = line > 0 ? g_strdup_printf ("line %u", line) : g_strdup ("");

    fail (&reader, place, "%s", problem->message);
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
  g_free (config);
}
