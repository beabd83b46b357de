/* gst-cca: properties of elements that are fields of a struct
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "gstccaproperties.h"

#include "gstccapost.h"
#include "gstccatext.h"
#include "gstccatimes.h"

#define FIELD(fields, property, type) (*(type *) ((guint8 *) (fields) + (property)->offset))

/* Where a pspec has its GstCcaProperty, and the offset of the struct in the instance. */
static GQuark property_quark, offset_quark;

/* --- Numbers, which booleans and enums are, too ------------------------------------------------------ */

/* Returns the bytes of a number's field. */
static guint
size_of (const GstCcaProperty *self)
{
  if (self->size > 0)
    return self->size;
  return self->type == G_TYPE_UINT64 || self->type == G_TYPE_INT64 ? 8 : 4;
}

static guint64
get_number (const GstCcaProperty *self, gconstpointer fields)
{
  switch (size_of (self)) {
    case 1: return FIELD (fields, self, guint8);
    case 2: return FIELD (fields, self, guint16);
    case 4: return FIELD (fields, self, guint32);
    default: return FIELD (fields, self, guint64);
  }
}

static void
put_number (const GstCcaProperty *self, gpointer fields, guint64 number)
{
  switch (size_of (self)) {
    case 1: FIELD (fields, self, guint8) = (guint8) number; break;
    case 2: FIELD (fields, self, guint16) = (guint16) number; break;
    case 4: FIELD (fields, self, guint32) = (guint32) number; break;
    default: FIELD (fields, self, guint64) = number;
  }
}

static guint64
number_of (const GstCcaProperty *self, const GValue *value)
{
  switch (self->type) {
    case G_TYPE_BOOLEAN: return (guint64) g_value_get_boolean (value);
    case G_TYPE_ENUM: return (guint64) g_value_get_enum (value);
    case G_TYPE_FLAGS: return g_value_get_flags (value);
    case G_TYPE_INT: return (guint64) g_value_get_int (value);
    case G_TYPE_UINT: return g_value_get_uint (value);
    case G_TYPE_INT64: return (guint64) g_value_get_int64 (value);
    default: return g_value_get_uint64 (value);
  }
}

/* --- Properties -------------------------------------------------------------------------------------- */

static GParamSpec *
make_spec (const GstCcaProperty *property, guint64 value, GParamFlags flags)
{
  const gchar *name = property->name, *blurb = property->blurb;

  switch (property->type) {
    case G_TYPE_STRING: return g_param_spec_string (name, name, blurb, property->text, flags);
    case G_TYPE_BOOLEAN: return g_param_spec_boolean (name, name, blurb, value != 0, flags);
    case G_TYPE_ENUM: return g_param_spec_enum (name, name, blurb, property->get_type (), (gint) value, flags);
    case G_TYPE_FLAGS: return g_param_spec_flags (name, name, blurb, property->get_type (), (guint) value, flags);
    case G_TYPE_BOXED:
      return g_param_spec_boxed (name, name, blurb, GST_TYPE_STRUCTURE, G_PARAM_READABLE | G_PARAM_STATIC_STRINGS);
    case G_TYPE_INT:
      return g_param_spec_int (name, name, blurb, (gint) property->least, (gint) property->most, (gint) value, flags);
    case G_TYPE_UINT:
      return g_param_spec_uint (name, name, blurb, (guint) property->least, (guint) property->most, (guint) value,
                                flags);
    case G_TYPE_INT64:
      return g_param_spec_int64 (name, name, blurb, (gint64) property->least, (gint64) property->most, (gint64) value,
                                 flags);
    default: return g_param_spec_uint64 (name, name, blurb, property->least, property->most, value, flags);
  }
}

void
gst_cca_properties_install_defaults (const GstCcaProperties *self, GObjectClass *klass, gssize offset,
                                     gconstpointer defaults)
{
  property_quark = g_quark_from_static_string ("gst-cca-property");
  offset_quark = g_quark_from_static_string ("gst-cca-offset");
  klass->set_property = gst_cca_property_set;
  klass->get_property = gst_cca_property_get;
  for (guint i = 0; i < self->n; i++) {
    const GstCcaProperty *property = &self->list[i];
    GParamSpec *spec = make_spec (property, defaults ? get_number (property, defaults) : property->value,
                                  G_PARAM_STATIC_STRINGS | (property->flags ? property->flags : self->flags));

    g_param_spec_set_qdata (spec, property_quark, (gpointer) property);
    g_param_spec_set_qdata (spec, offset_quark, GSIZE_TO_POINTER (offset));
    g_object_class_install_property (klass, self->first_id + i, spec);
  }
}

void
gst_cca_properties_install (const GstCcaProperties *self, GObjectClass *klass, gssize offset)
{
  gst_cca_properties_install_defaults (self, klass, offset, NULL);
}

/* Whether the field is a GRefString. */
static gboolean
is_checked (const GstCcaProperty *property)
{
  return property->is_name || property->is_utc;
}

static void
clear_text (const GstCcaProperty *property, gpointer fields)
{
  gchar **text = &FIELD (fields, property, gchar *);

  if (is_checked (property))
    g_clear_pointer (text, g_ref_string_release);
  else
    g_clear_pointer (text, g_free);
}

static void
set_text (const GstCcaProperty *property, gpointer fields, const gchar *text)
{
  clear_text (property, fields);
  if (!is_checked (property))
    FIELD (fields, property, gchar *) = g_strdup (text);
  else if (text || property->text)
    FIELD (fields, property, gchar *) = g_ref_string_new (text ? text : property->text);
}

void
gst_cca_properties_init (const GstCcaProperties *self, gpointer fields)
{
  for (guint i = 0; i < self->n; i++) {
    const GstCcaProperty *property = &self->list[i];

    if (property->type == G_TYPE_STRING)
      set_text (property, fields, property->text);
    else if (property->type != G_TYPE_BOXED)
      put_number (property, fields, property->value);
  }
}

void
gst_cca_properties_clear (const GstCcaProperties *self, gpointer fields)
{
  for (guint i = 0; i < self->n; i++)
    if (self->list[i].type == G_TYPE_STRING)
      clear_text (&self->list[i], fields);
}

void
gst_cca_properties_copy_strings (const GstCcaProperties *self, gpointer fields)
{
  for (guint i = 0; i < self->n; i++)
    if (self->list[i].type == G_TYPE_STRING) {
      gchar **text = &FIELD (fields, &self->list[i], gchar *);

      if (is_checked (&self->list[i]) && *text)
        g_ref_string_acquire (*text);
      else
        *text = g_strdup (*text);
    }
}

/* --- Checks ------------------------------------------------------------------------------------------ */

/* Returns the fault of a text, to be freed, or NULL. */
static gchar *
problem_of (const GstCcaProperty *property, const gchar *text)
{
  const gchar *problem = NULL;

  if (text && property->is_utc && !GST_CLOCK_TIME_IS_VALID (gst_cca_utc_from_string (text)))
    return g_strdup_printf (GST_CCA_NOT_UTC, property->name, text);
  if (text && property->is_name)
    problem = gst_cca_name_problem (text);
  return problem ? g_strdup_printf ("%s %s", property->name, problem) : NULL;
}

/* Whether a property may be set to a text. While the element runs, one that is wrong is refused with a warning; before,
 * it is not, and gst_cca_properties_check() finds it. Call it without the object lock. */
static gboolean
accepts (gpointer element, const GstCcaProperty *property, const gchar *text)
{
  g_autofree gchar *problem = problem_of (property, text);
  GstState state;

  GST_OBJECT_LOCK (element);
  state = GST_STATE (element);
  GST_OBJECT_UNLOCK (element);
  if (!problem || state <= GST_STATE_READY)
    return TRUE;
  gst_cca_post (element, GST_MESSAGE_WARNING, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_SETTINGS,
                "%s; keeping the previous value", problem);
  return FALSE;
}

gboolean
gst_cca_properties_check (const GstCcaProperties *self, gconstpointer fields, gpointer element)
{
  g_autofree gchar *problem = NULL;

  GST_OBJECT_LOCK (element);
  for (guint i = 0; i < self->n && !problem; i++)
    if (is_checked (&self->list[i]))
      problem = problem_of (&self->list[i], FIELD (fields, &self->list[i], gchar *));
  GST_OBJECT_UNLOCK (element);
  if (problem)
    gst_cca_post (element, GST_MESSAGE_ERROR, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_SETTINGS, "%s", problem);
  return !problem;
}

/* --- Access ------------------------------------------------------------------------------------------ */

/* Returns the struct with a property's field. */
static gpointer
fields_of (GObject *object, GParamSpec *spec)
{
  return (guint8 *) object + (gssize) GPOINTER_TO_SIZE (g_param_spec_get_qdata (spec, offset_quark));
}

void
gst_cca_property_set (GObject *object, guint id, const GValue *value, GParamSpec *spec)
{
  const GstCcaProperty *property = g_param_spec_get_qdata (spec, property_quark);
  gpointer fields = fields_of (object, spec);

  if (is_checked (property) && !accepts (object, property, g_value_get_string (value)))
    return;
  GST_OBJECT_LOCK (object);
  if (property->type == G_TYPE_STRING)
    set_text (property, fields, g_value_get_string (value));
  else
    put_number (property, fields, number_of (property, value));
  if (property->changed > 0)
    *(gboolean *) ((guint8 *) fields + property->changed) = TRUE;
  GST_OBJECT_UNLOCK (object);
}

void
gst_cca_property_get (GObject *object, guint id, GValue *value, GParamSpec *spec)
{
  const GstCcaProperty *property = g_param_spec_get_qdata (spec, property_quark);
  gpointer fields = fields_of (object, spec);
  guint64 number;

  GST_OBJECT_LOCK (object);
  number = property->type != G_TYPE_STRING && property->type != G_TYPE_BOXED ? get_number (property, fields) : 0;
  switch (property->type) {
    case G_TYPE_STRING: g_value_set_string (value, FIELD (fields, property, gchar *)); break;
    case G_TYPE_BOXED: g_value_take_boxed (value, property->make (object)); break;
    case G_TYPE_BOOLEAN: g_value_set_boolean (value, number != 0); break;
    case G_TYPE_ENUM: g_value_set_enum (value, (gint) number); break;
    case G_TYPE_FLAGS: g_value_set_flags (value, (guint) number); break;
    case G_TYPE_INT: g_value_set_int (value, (gint) number); break;
    case G_TYPE_UINT: g_value_set_uint (value, (guint) number); break;
    case G_TYPE_INT64: g_value_set_int64 (value, (gint64) number); break;
    default: g_value_set_uint64 (value, number);
  }
  GST_OBJECT_UNLOCK (object);
}
