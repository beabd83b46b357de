/* gst-cca: the member ground of rules: points of the picture with their places on the ground
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "gstccazonesreader.h"

#define MAX_METRES 1e6
#define MAX_LINES 32 /* of marks */

/* Relative points are fitted as pixels of such a frame, since the video's is not known yet. */
#define NOMINAL_WIDTH 1920.0
#define NOMINAL_HEIGHT 1080.0

/* A rectangle's or the marks' distances. */
typedef struct
{
  double width, length, every;
} Distances;

static const GstCcaMember rectangle_members[] = {
  { "width", GST_CCA_MEMBER_METRES, TRUE, G_STRUCT_OFFSET (Distances, width) },
  { "length", GST_CCA_MEMBER_METRES, TRUE, G_STRUCT_OFFSET (Distances, length) },
};

static const GstCcaMember marks_members[] = {
  { "every", GST_CCA_MEMBER_METRES, TRUE, G_STRUCT_OFFSET (Distances, every) },
};

/* What is being read: points, and where the file has each. */
typedef struct
{
  GstCcaReader *reader;
  GArray *points;    /* of GstCcaGroundPoint */
  GPtrArray *places; /* of strings */
} Points;

/* Reads a coordinate on the ground, which may be below 0. */
static gboolean
read_metres (GstCcaReader *reader, const gchar *place, JsonNode *node, gdouble *value)
{
  if (gst_cca_reader_is_number (node)) {
    *value = json_node_get_double (node);
    if (*value >= -MAX_METRES && *value <= MAX_METRES)
      return TRUE;
  }
  return gst_cca_reader_fail_for_value (reader, place, node, "a number of metres from -1000000 to 1000000");
}

static gboolean
add_point (Points *points, const gchar *place, JsonNode *node, gdouble x, gdouble y)
{
  const GstCcaRulesParams *params = &points->reader->config->params;
  GstCcaGroundPoint point = { .place = { x, y } };
  GstCcaPosition image = { 0, 0 };

  if (points->points->len == GST_CCA_GROUND_MAX_POINTS)
    return gst_cca_reader_fail (points->reader, place, "is one more than the %d points that a ground may have",
                                GST_CCA_GROUND_MAX_POINTS);
  if (!gst_cca_reader_point (points->reader, place, node, &image))
    return FALSE;
  point.image[0] = image.x * (params->relative ? NOMINAL_WIDTH : 1.0);
  point.image[1] = image.y * (params->relative ? NOMINAL_HEIGHT : 1.0);
  g_array_append_val (points->points, point);
  g_ptr_array_add (points->places, g_strdup (place));
  return TRUE;
}

/* --- Three kinds of points --------------------------------------------------------------------------- */

static gboolean
read_pair (GstCcaReader *reader, const gchar *place, JsonNode *node, gpointer data)
{
  static const gchar *const names[] = { "image", "place", NULL };
  g_autofree gchar *image_place = gst_cca_reader_place (place, "image");
  g_autofree gchar *ground_place = gst_cca_reader_place (place, "place");
  JsonNode *image, *on_ground;
  JsonObject *object;
  JsonArray *array;
  gdouble at[2] = { 0, 0 };

  if (!gst_cca_reader_object (reader, place, node, names, NULL, 0, &object)
      || !gst_cca_reader_find (reader, place, object, "image", &image)
      || !gst_cca_reader_find (reader, place, object, "place", &on_ground))
    return FALSE;
  if (!JSON_NODE_HOLDS_ARRAY (on_ground) || json_array_get_length (json_node_get_array (on_ground)) != 2)
    return gst_cca_reader_fail_for_value (reader, ground_place, on_ground, "an array of two numbers, [x, y]");
  array = json_node_get_array (on_ground);
  for (guint i = 0; i < 2; i++) {
    g_autofree gchar *where = g_strdup_printf ("%s[%u]", ground_place, i);

    if (!read_metres (reader, where, json_array_get_element (array, i), &at[i]))
      return FALSE;
  }
  return add_point (data, image_place, image, at[0], at[1]);
}

static gboolean
read_pairs (Points *points, const gchar *place, JsonNode *node)
{
  return gst_cca_reader_items (points->reader, place, node, 4, GST_CCA_GROUND_MAX_POINTS, "points", read_pair, points);
}

static gboolean
read_rectangle (Points *points, const gchar *place, JsonNode *node)
{
  static const gchar *const names[] = { "points", NULL };
  g_autofree gchar *points_place = gst_cca_reader_place (place, "points");
  Distances distances = { 0 };
  JsonObject *object;
  JsonNode *corners, *unused;
  JsonArray *array;

  if (!gst_cca_reader_object (points->reader, place, node, names, rectangle_members, G_N_ELEMENTS (rectangle_members),
                              &object)
      || !gst_cca_reader_find (points->reader, place, object, "width", &unused)
      || !gst_cca_reader_find (points->reader, place, object, "length", &unused)
      || !gst_cca_reader_find (points->reader, place, object, "points", &corners)
      || !gst_cca_reader_members (points->reader, place, object, rectangle_members, G_N_ELEMENTS (rectangle_members),
                                  &distances)
      || !gst_cca_reader_array (points->reader, points_place, corners, 4, 4, "points", &array))
    return FALSE;
  for (guint i = 0; i < 4; i++) {
    g_autofree gchar *where = g_strdup_printf ("%s[%u]", points_place, i);

    if (!add_point (points, where, json_array_get_element (array, i), i == 1 || i == 2 ? distances.width : 0.0,
                    i >= 2 ? distances.length : 0.0))
      return FALSE;
  }
  return TRUE;
}

/* The marks on the ground that are being read. */
typedef struct
{
  Points *points;
  Distances distances;
} Marks;

static gboolean
read_line (GstCcaReader *reader, const gchar *place, JsonNode *node, gpointer data)
{
  const Marks *marks = data;
  static const gchar *const names[] = { "across", "along", "points", NULL };
  g_autofree gchar *points_place = gst_cca_reader_place (place, "points");
  g_autofree gchar *across_place = gst_cca_reader_place (place, "across");
  g_autofree gchar *along_place = gst_cca_reader_place (place, "along");
  gdouble across = 0.0, along = 0.0;
  JsonNode *across_node, *along_node, *points;
  JsonObject *object;
  JsonArray *array;

  if (!gst_cca_reader_object (reader, place, node, names, NULL, 0, &object)
      || !gst_cca_reader_find (reader, place, object, "across", &across_node)
      || !gst_cca_reader_find (reader, place, object, "points", &points)
      || !read_metres (reader, across_place, across_node, &across))
    return FALSE;
  along_node = json_object_get_member (object, "along");
  if ((along_node && !read_metres (reader, along_place, along_node, &along))
      || !gst_cca_reader_array (reader, points_place, points, 1, GST_CCA_GROUND_MAX_POINTS, "points", &array))
    return FALSE;
  for (guint i = 0; i < json_array_get_length (array); i++) {
    g_autofree gchar *where = g_strdup_printf ("%s[%u]", points_place, i);

    if (!add_point (marks->points, where, json_array_get_element (array, i), across,
                    along + i * marks->distances.every))
      return FALSE;
  }
  return TRUE;
}

static gboolean
read_marks (Points *points, const gchar *place, JsonNode *node)
{
  static const gchar *const names[] = { "lines", NULL };
  g_autofree gchar *lines_place = gst_cca_reader_place (place, "lines");
  Marks marks = { .points = points };
  JsonObject *object;
  JsonNode *lines, *unused;

  if (!gst_cca_reader_object (points->reader, place, node, names, marks_members, G_N_ELEMENTS (marks_members), &object)
      || !gst_cca_reader_find (points->reader, place, object, "every", &unused)
      || !gst_cca_reader_find (points->reader, place, object, "lines", &lines)
      || !gst_cca_reader_members (points->reader, place, object, marks_members, G_N_ELEMENTS (marks_members),
                                  &marks.distances))
    return FALSE;
  return gst_cca_reader_items (points->reader, lines_place, lines, 2, MAX_LINES, "lines", read_line, &marks);
}

/* --- The fit ----------------------------------------------------------------------------------------- */

static gboolean
fail_for_fault (Points *points, const gchar *place, GstCcaGroundFault fault, gsize a, gsize b)
{
  const gchar *first = a == SIZE_MAX ? place : g_ptr_array_index (points->places, a);

  switch (fault) {
    case GST_CCA_GROUND_FEW:
      return gst_cca_reader_fail (points->reader, place, "has %u points, and needs 4 at least", points->points->len);
    case GST_CCA_GROUND_REPEATED:
      return gst_cca_reader_fail (points->reader, first, "is in the picture or on the ground where %s is",
                                  (const gchar *) g_ptr_array_index (points->places, b));
    case GST_CCA_GROUND_LINE:
      return gst_cca_reader_fail (points->reader, place,
                                  "all points%s%s lie on a line in the picture or on the ground; add points beside it",
                                  a == SIZE_MAX ? "" : " but ", a == SIZE_MAX ? "" : first);
    case GST_CCA_GROUND_MIRRORED:
      return gst_cca_reader_fail (points->reader, place,
                                  "the places are a mirror image of the picture: seen from above, y must point to the "
                                  "left of x, as forwards is to the left of right; list the points in that order, or "
                                  "change the sign of all x");
    default:
      return gst_cca_reader_fail (points->reader, first,
                                  "does not fit the other points: the horizon would pass between them; check the order "
                                  "of the points and their distances");
  }
}

static void
use_ground (GstCcaZonesConfig *config, GArray *points)
{
  GstCcaRulesParams *params = &config->params;

  params->ground = &config->ground;
  params->ground_width = params->relative ? NOMINAL_WIDTH : params->width;
  params->ground_height = params->relative ? NOMINAL_HEIGHT : params->height;
  g_array_append_vals (config->ground_points, points->data, points->len);
}

gboolean
gst_cca_zones_read_ground (GstCcaReader *reader, const gchar *place, JsonNode *node)
{
  static const gchar *const names[] = { "points", "rectangle", "marks", NULL };
  static gboolean (*const readers[]) (Points *, const gchar *, JsonNode *) = { read_pairs, read_rectangle, read_marks };
  g_autoptr (GArray) array = g_array_new (FALSE, FALSE, sizeof (GstCcaGroundPoint));
  g_autoptr (GPtrArray) places = g_ptr_array_new_with_free_func (g_free);
  Points points = { reader, array, places };
  guint n = 0, kind = 0;
  g_autofree gchar *where = NULL;
  GstCcaGroundFault fault;
  JsonObject *object;
  gsize a, b;

  if (!gst_cca_reader_object (reader, place, node, names, NULL, 0, &object))
    return FALSE;
  for (guint i = 0; i < G_N_ELEMENTS (readers); i++)
    if (json_object_has_member (object, names[i])) {
      kind = i;
      n++;
    }
  if (n != 1)
    return gst_cca_reader_fail (reader, place, "must have one of points, rectangle and marks, and has %u", n);
  where = gst_cca_reader_place (place, names[kind]);
  if (!readers[kind](&points, where, json_object_get_member (object, names[kind])))
    return FALSE;
  fault = gst_cca_ground_fit (&reader->config->ground, (const GstCcaGroundPoint *) array->data, array->len, &a, &b);
  if (fault != GST_CCA_GROUND_FITS)
    return fail_for_fault (&points, where, fault, a, b);
  use_ground (reader->config, array);
  return TRUE;
}

gboolean
gst_cca_zones_check_on_ground (GstCcaReader *reader, const gchar *place, const GstCcaPosition *points, gsize n)
{
  const GstCcaRulesParams *params = &reader->config->params;

  for (gsize i = 0; params->ground && i < n; i++) {
    const gdouble image[] = { points[i].x * (params->relative ? NOMINAL_WIDTH : 1.0),
                              points[i].y * (params->relative ? NOMINAL_HEIGHT : 1.0) };
    gdouble on_ground[2];

    if (!gst_cca_ground_place (params->ground, image, on_ground, NULL)) {
      g_autofree gchar *where = g_strdup_printf ("%s[%" G_GSIZE_FORMAT "]", place, i);

      return gst_cca_reader_fail (reader, where, "is above the horizon of the ground");
    }
  }
  return TRUE;
}
