/* gst-cca: members of JSON to numbers, points, rules and the ground
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The functions that return a gboolean return FALSE and set the reader's error, which names the place, if the file says
 * something else. A place is like zones[2].points[0].
 */
#pragma once

#include "gstccaparse.h"
#include "gstccazonesconfig.h"

#define GST_CCA_MAX_LENGTH 1048576.0 /* pixels */

typedef struct
{
  GstCcaZonesConfig *config; /* says the units */
  const gchar *origin;
  GError **error;
} GstCcaReader;

/* Meaning of a number or a truth value. */
typedef enum
{
  GST_CCA_MEMBER_LENGTH, /* pixels or relative */
  GST_CCA_MEMBER_AREA,
  GST_CCA_MEMBER_PART,
  GST_CCA_MEMBER_SECONDS, /* stored as ns */
  GST_CCA_MEMBER_BOOLEAN,
  GST_CCA_MEMBER_SPEED, /* km/h, stored as m/s */
  GST_CCA_MEMBER_METRES,
} GstCcaMemberKind;

typedef struct
{
  const gchar *name;
  GstCcaMemberKind kind;
  gboolean above_zero;
  gsize offset; /* in the struct */
} GstCcaMember;

G_GNUC_PRINTF (3, 4)
gboolean gst_cca_reader_fail (GstCcaReader *reader, const gchar *place, const gchar *format, ...);
gboolean gst_cca_reader_fail_for_value (GstCcaReader *reader, const gchar *place, JsonNode *node,
                                        const gchar *expected);

/* Returns the place of a member. */
gchar *gst_cca_reader_place (const gchar *parent, const gchar *name);

gboolean gst_cca_reader_is_number (JsonNode *node);
gboolean gst_cca_reader_is_string (JsonNode *node);

/* Reads a number from 0, or above 0, to max. */
gboolean gst_cca_reader_number (GstCcaReader *reader, const gchar *place, JsonNode *node, gboolean above_zero,
                                gdouble max, gdouble *value);

/* Reads those of n members that an object has into a struct. */
gboolean gst_cca_reader_members (GstCcaReader *reader, const gchar *place, JsonObject *object,
                                 const GstCcaMember *members, gsize n, gpointer into);

/* Refuses members that are neither among names nor in one of the tables. */
gboolean gst_cca_reader_check_names (GstCcaReader *reader, const gchar *place, JsonObject *object,
                                     const gchar *const *names, const GstCcaMember *first, gsize n_first,
                                     const GstCcaMember *second, gsize n_second);

/* Returns an object, whose members are among names or in the table, in *object. */
gboolean gst_cca_reader_object (GstCcaReader *reader, const gchar *place, JsonNode *node, const gchar *const *names,
                                const GstCcaMember *members, gsize n, JsonObject **object);

/* Returns a member that must be there in *node. */
gboolean gst_cca_reader_find (GstCcaReader *reader, const gchar *place, JsonObject *object, const gchar *name,
                              JsonNode **node);

/* Reads an object of such members alone. */
gboolean gst_cca_reader_group (GstCcaReader *reader, const gchar *place, JsonNode *node, const GstCcaMember *members,
                               gsize n, gpointer into);

/* Returns an array of least to most items in *array. `of` says what they are, such as "points". */
gboolean gst_cca_reader_array (GstCcaReader *reader, const gchar *place, JsonNode *node, guint least, guint most,
                               const gchar *of, JsonArray **array);

/* Reads each item of such an array, until one fails. */
typedef gboolean (*GstCcaReadItem) (GstCcaReader *reader, const gchar *place, JsonNode *node, gpointer data);
gboolean gst_cca_reader_items (GstCcaReader *reader, const gchar *place, JsonNode *node, guint least, guint most,
                               const gchar *of, GstCcaReadItem read, gpointer data);

/* Reads a point of the picture. */
gboolean gst_cca_reader_point (GstCcaReader *reader, const gchar *place, JsonNode *node, GstCcaPosition *point);

/* Reads points into an array that the caller frees, also where it fails. Points that repeat the one before are left
 * out, as is a polygon's last, that of points that are closed, if it repeats the first. */
gboolean gst_cca_reader_points (GstCcaReader *reader, const gchar *place, JsonNode *node, gboolean closed,
                                GstCcaPosition **into, gsize *n_into);

/* --- gstccazonesground.c: the member ground ----------------------------------------------------------- */

/* Reads the member, fits the ground to its points, and sets it as the rules'. Units and size are read before. */
gboolean gst_cca_zones_read_ground (GstCcaReader *reader, const gchar *place, JsonNode *node);

/* Refuses points of the picture that are not below the horizon. Without a ground all are fine. */
gboolean gst_cca_zones_check_on_ground (GstCcaReader *reader, const gchar *place, const GstCcaPosition *points,
                                        gsize n);

/* --- gstccazonesrule.c: a zone or a line -------------------------------------------------------------- */

/* Reads a rule, the last of the config's, all but its section. Its kind is set before; units, size and ground are read
 * before. What the rule refers to is the caller's to free, also where it fails. */
gboolean gst_cca_zones_read_rule (GstCcaReader *reader, const gchar *place, JsonNode *node, GstCcaRulesRule *rule);

/* Reads the name of a class. */
gboolean gst_cca_zones_read_class (GstCcaReader *reader, const gchar *place, JsonNode *node, GQuark *kind);
