/* gst-cca: properties of elements that are fields of a struct
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <gst/gst.h>

typedef struct
{
  const gchar *name;
  gsize offset;               /* of the field in the struct */
  GType type;                 /* of the field: G_TYPE_STRING, _BOOLEAN, _INT, _UINT, _INT64, _UINT64, _ENUM or _FLAGS */
  guint64 least, most, value; /* of numbers; value: the default, also of booleans, enums and flags */
  const gchar *text;          /* default of a string, or NULL */
  const gchar *blurb;
  GParamFlags flags;        /* instead of the class's, or 0 */
  GType (*get_type) (void); /* of an enum or flags */
  gboolean is_name;         /* a name: a GRefString, of what gst_cca_name_problem() allows; NULL sets the default */
  gboolean is_utc;          /* a time: a GRefString that gst_cca_utc_from_string() reads, or NULL */
  guint size;               /* of a number's field, bytes, where it is not that of its type; or 0 */
  gsize changed;            /* offset of a gboolean that becomes TRUE when the property is set; 0: none */

  /* With the type G_TYPE_BOXED: returns the value of a property that can only be read. Called under the object's lock.
   */
  GstStructure *(*make) (gpointer object);
} GstCcaProperty;

/* A property changes at any time. */
#define GST_CCA_PROPERTY_PLAYING ((GParamFlags) (G_PARAM_READWRITE | GST_PARAM_MUTABLE_PLAYING))

/* The properties of a class, with ids from first_id on. */
typedef struct
{
  guint first_id, n;
  const GstCcaProperty *list;
  GParamFlags flags;
} GstCcaProperties;

/* Installs the properties, whose struct is at an offset in the instance: a member, or G_PRIVATE_OFFSET(). The class
 * then gets and sets them by the functions below. */
void gst_cca_properties_install (const GstCcaProperties *self, GObjectClass *klass, gssize offset);
/* The same of numbers whose defaults are the fields of a struct. */
void gst_cca_properties_install_defaults (const GstCcaProperties *self, GObjectClass *klass, gssize offset,
                                          gconstpointer defaults);

/* Set all fields to the defaults; free all strings; replace all strings by copies, or take a reference. */
void gst_cca_properties_init (const GstCcaProperties *self, gpointer fields);
void gst_cca_properties_clear (const GstCcaProperties *self, gpointer fields);
void gst_cca_properties_copy_strings (const GstCcaProperties *self, gpointer fields);

/* When the element starts: posts an error and returns FALSE if a name or a time is wrong. */
gboolean gst_cca_properties_check (const GstCcaProperties *self, gconstpointer fields, gpointer element);

/* Set and get one of the properties under the object's lock. A wrong name or time is refused with a warning while the
 * element runs. */
void gst_cca_property_set (GObject *object, guint id, const GValue *value, GParamSpec *spec);
void gst_cca_property_get (GObject *object, guint id, GValue *value, GParamSpec *spec);
