/* gst-cca: members of JSON to numbers and points
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "gstccazonesreader.h"

#include "gstccatext.h"

#define MAX_POINTS 1024 /* of a rule */
#define MAX_AREA 1099511627776.0
#define MAX_SECONDS 1e9
#define MAX_SPEED 10000.0 /* km/h */
#define MAX_METRES 1e6

static const gchar *const no_names[] = { NULL };

/* --- Errors ------------------------------------------------------------------------------------------ */

G_GNUC_PRINTF (3, 4)
gboolean
gst_cca_reader_fail (GstCcaReader *reader, const gchar *place, const gchar *format, ...)
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

gboolean
gst_cca_reader_fail_for_value (GstCcaReader *reader, const gchar *place, JsonNode *node, const gchar *expected)
{
  g_autofree gchar *text = json_to_string (node, FALSE);

  return g_utf8_strlen (text, -1) <= 40 ? gst_cca_reader_fail (reader, place, "must be %s, and is %s", expected, text)
                                        : gst_cca_reader_fail (reader, place, "must be %s", expected);
}

gchar *
gst_cca_reader_place (const gchar *parent, const gchar *name)
{
  return *parent ? g_strconcat (parent, ".", name, NULL) : g_strdup (name);
}

/* --- Values ------------------------------------------------------------------------------------------ */

gboolean
gst_cca_reader_is_number (JsonNode *node)
{
  return JSON_NODE_HOLDS_VALUE (node)
         && (json_node_get_value_type (node) == G_TYPE_INT64 || json_node_get_value_type (node) == G_TYPE_DOUBLE);
}

gboolean
gst_cca_reader_is_string (JsonNode *node)
{
  return JSON_NODE_HOLDS_VALUE (node) && json_node_get_value_type (node) == G_TYPE_STRING;
}

gboolean
gst_cca_reader_number (GstCcaReader *reader, const gchar *place, JsonNode *node, gboolean above_zero, gdouble max,
                       gdouble *value)
{
  g_autofree gchar *expected = NULL;

  if (gst_cca_reader_is_number (node)) {
    *value = json_node_get_double (node);
    if ((above_zero ? *value > 0.0 : *value >= 0.0) && *value <= max)
      return TRUE;
  }
  expected = g_strdup_printf ("a number %s 0 and at most %.14g%s", above_zero ? "above" : "of at least", max,
                              reader->config->params.relative && max == 1.0 ? " (units is \"relative\")" : "");
  return gst_cca_reader_fail_for_value (reader, place, node, expected);
}

static gboolean
read_member (GstCcaReader *reader, const gchar *place, JsonNode *node, const GstCcaMember *member, gpointer into)
{
  const gboolean relative = reader->config->params.relative;
  gdouble max = 1.0, value = 0.0;

  if (member->kind == GST_CCA_MEMBER_BOOLEAN) {
    if (!JSON_NODE_HOLDS_VALUE (node) || json_node_get_value_type (node) != G_TYPE_BOOLEAN)
      return gst_cca_reader_fail_for_value (reader, place, node, "true or false");
    *(bool *) into = json_node_get_boolean (node);
    return TRUE;
  }
  if (member->kind == GST_CCA_MEMBER_SECONDS)
    max = MAX_SECONDS;
  else if (member->kind == GST_CCA_MEMBER_SPEED)
    max = MAX_SPEED;
  else if (member->kind == GST_CCA_MEMBER_METRES)
    max = MAX_METRES;
  else if (member->kind != GST_CCA_MEMBER_PART && !relative)
    max = member->kind == GST_CCA_MEMBER_AREA ? MAX_AREA : GST_CCA_MAX_LENGTH;
  if (!gst_cca_reader_number (reader, place, node, member->above_zero, max, &value))
    return FALSE;
  if (member->kind == GST_CCA_MEMBER_SECONDS)
    *(uint64_t *) into = (uint64_t) (value * 1e9);
  else
    *(double *) into = member->kind == GST_CCA_MEMBER_SPEED ? value / 3.6 : value;
  return TRUE;
}

gboolean
gst_cca_reader_members (GstCcaReader *reader, const gchar *place, JsonObject *object, const GstCcaMember *members,
                        gsize n, gpointer into)
{
  for (gsize i = 0; i < n; i++) {
    JsonNode *node = json_object_get_member (object, members[i].name);
    g_autofree gchar *where = gst_cca_reader_place (place, members[i].name);

    if (node && !read_member (reader, where, node, &members[i], (guint8 *) into + members[i].offset))
      return FALSE;
  }
  return TRUE;
}

static gboolean
has_member (const GstCcaMember *members, gsize n, const gchar *name)
{
  for (gsize i = 0; i < n; i++)
    if (g_str_equal (members[i].name, name))
      return TRUE;
  return FALSE;
}

gboolean
gst_cca_reader_check_names (GstCcaReader *reader, const gchar *place, JsonObject *object, const gchar *const *names,
                            const GstCcaMember *first, gsize n_first, const GstCcaMember *second, gsize n_second)
{
  g_autoptr (GList) members = json_object_get_members (object);

  for (GList *link = members; link; link = link->next) {
    const gchar *problem = gst_cca_name_problem (link->data);
    g_autofree gchar *where = problem ? g_strdup (place) : gst_cca_reader_place (place, link->data);

    if (problem)
      return gst_cca_reader_fail (reader, where, "a member's name %s", problem);
    if (!g_strv_contains (names, link->data) && !has_member (first, n_first, link->data)
        && !has_member (second, n_second, link->data))
      return gst_cca_reader_fail (reader, where, "is an unknown member");
  }
  return TRUE;
}

gboolean
gst_cca_reader_object (GstCcaReader *reader, const gchar *place, JsonNode *node, const gchar *const *names,
                       const GstCcaMember *members, gsize n, JsonObject **object)
{
  *object = NULL;
  if (!JSON_NODE_HOLDS_OBJECT (node))
    return gst_cca_reader_fail_for_value (reader, place, node, "an object");
  *object = json_node_get_object (node);
  return gst_cca_reader_check_names (reader, place, *object, names, members, n, NULL, 0);
}

gboolean
gst_cca_reader_find (GstCcaReader *reader, const gchar *place, JsonObject *object, const gchar *name, JsonNode **node)
{
  *node = json_object_get_member (object, name);
  return *node || gst_cca_reader_fail (reader, place, "has no %s", name);
}

gboolean
gst_cca_reader_group (GstCcaReader *reader, const gchar *place, JsonNode *node, const GstCcaMember *members, gsize n,
                      gpointer into)
{
  JsonObject *object;

  return gst_cca_reader_object (reader, place, node, no_names, members, n, &object)
         && gst_cca_reader_members (reader, place, object, members, n, into);
}

/* --- Arrays ------------------------------------------------------------------------------------------ */

gboolean
gst_cca_reader_array (GstCcaReader *reader, const gchar *place, JsonNode *node, guint least, guint most,
                      const gchar *of, JsonArray **array)
{
  g_autofree gchar *expected = least == most ? g_strdup_printf ("an array of %u %s", least, of)
                                             : g_strdup_printf ("an array of %u to %u %s", least, most, of);

  if (!JSON_NODE_HOLDS_ARRAY (node))
    return gst_cca_reader_fail_for_value (reader, place, node, expected);
  *array = json_node_get_array (node);
  if (json_array_get_length (*array) >= least && json_array_get_length (*array) <= most)
    return TRUE;
  return gst_cca_reader_fail (reader, place, "must be %s, and has %u", expected, json_array_get_length (*array));
}

gboolean
gst_cca_reader_items (GstCcaReader *reader, const gchar *place, JsonNode *node, guint least, guint most,
                      const gchar *of, GstCcaReadItem read, gpointer data)
{
  JsonArray *array;

  if (!gst_cca_reader_array (reader, place, node, least, most, of, &array))
    return FALSE;
  for (guint i = 0; i < json_array_get_length (array); i++) {
    g_autofree gchar *where = g_strdup_printf ("%s[%u]", place, i);

    if (!read (reader, where, json_array_get_element (array, i), data))
      return FALSE;
  }
  return TRUE;
}

/* --- Points ------------------------------------------------------------------------------------------ */

gboolean
gst_cca_reader_point (GstCcaReader *reader, const gchar *place, JsonNode *node, GstCcaPosition *point)
{
  const GstCcaRulesParams *params = &reader->config->params;
  const gdouble max_x = params->relative ? 1.0 : params->width > 0 ? params->width : GST_CCA_MAX_LENGTH;
  const gdouble max_y = params->relative ? 1.0 : params->height > 0 ? params->height : GST_CCA_MAX_LENGTH;
  g_autofree gchar *x_place = g_strconcat (place, "[0]", NULL), *y_place = g_strconcat (place, "[1]", NULL);
  JsonArray *array;

  if (!JSON_NODE_HOLDS_ARRAY (node) || json_array_get_length (json_node_get_array (node)) != 2)
    return gst_cca_reader_fail_for_value (reader, place, node, "an array of two numbers, [x, y]");
  array = json_node_get_array (node);
  return gst_cca_reader_number (reader, x_place, json_array_get_element (array, 0), FALSE, max_x, &point->x)
         && gst_cca_reader_number (reader, y_place, json_array_get_element (array, 1), FALSE, max_y, &point->y);
}

static gboolean
same_point (const GstCcaPosition *a, const GstCcaPosition *b)
{
  return a->x == b->x && a->y == b->y;
}

static gboolean
check_polygon (GstCcaReader *reader, const gchar *place, const GstCcaPosition *points, gsize n)
{
  gsize first, second;

  if (gst_cca_polygon_crosses_itself (points, n, &first, &second))
    return gst_cca_reader_fail (reader, place,
                                "crosses itself: the sides from points[%" G_GSIZE_FORMAT
                                "] and from points[%" G_GSIZE_FORMAT
                                "] meet; list the corners in the order in which one walks round it",
                                first, second);
  return (n >= 3 && gst_cca_polygon_area (points, n) > 0.0) || gst_cca_reader_fail (reader, place, "encloses no area");
}

gboolean
gst_cca_reader_points (GstCcaReader *reader, const gchar *place, JsonNode *node, gboolean closed, GstCcaPosition **into,
                       gsize *n_into)
{
  GstCcaPosition *points;
  JsonArray *array;
  guint n = 0;

  if (!gst_cca_reader_array (reader, place, node, closed ? 3 : 2, MAX_POINTS, "points", &array))
    return FALSE;
  *into = points = g_new (GstCcaPosition, json_array_get_length (array));
  for (guint i = 0; i < json_array_get_length (array); i++) {
    g_autofree gchar *where = g_strdup_printf ("%s[%u]", place, i);

    if (!gst_cca_reader_point (reader, where, json_array_get_element (array, i), &points[n]))
      return FALSE;
    if (n == 0 || !same_point (&points[n], &points[n - 1]))
      n++;
  }
  if (closed && n > 1 && same_point (&points[n - 1], &points[0]))
    n--;
  *n_into = n;
  if (closed)
    return check_polygon (reader, place, points, n);
  return n > 1 || gst_cca_reader_fail (reader, place, "has no length");
}
