/* gst-cca: properties of elements that are fields of a struct
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "gstccaproperties.h"

#include "gstccapost.h"

#define FIELD(fields, property, type) (*(type *) ((guint8 *) (fields) + (property)->offset))

/* Where a pspec has its GstCcaProperty, and the offset of the struct in the instance. */
static GQuark property_quark, offset_quark;

/* --- Numbers, which booleans and enums are, too ------------------------------------------------------ */

static guint64
get_number (const GstCcaProperty *self, gconstpointer fields)
{
  switch (self->size) {
    case 1: return FIELD (fields, self, guint8);
    case 2: return FIELD (fields, self, guint16);
    case 8: return FIELD (fields, self, guint64);
    default:
      return self->type == G_TYPE_UINT64 || self->type == G_TYPE_INT64 ? FIELD (fields, self, guint64)
                                                                       : FIELD (fields, self, guint);
  }
}

static void
put_number (const GstCcaProperty *self, gpointer fields, guint64 number)
{
  switch (self->size) {
    case 1: FIELD (fields, self, guint8) = (guint8) number; break;
    case 2: FIELD (fields, self, guint16) = (guint16) number; break;
    case 8: FIELD (fields, self, guint64) = number; break;
    default:
      if (self->type == G_TYPE_UINT64 || self->type == G_TYPE_INT64)
        FIELD (fields, self, guint64) = number;
      else
        FIELD (fields, self, guint) = (guint) number;
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

static void
set_text (const GstCcaProperty *property, gpointer fields, const gchar *text)
{
  if (property->is_name) {
    g_clear_pointer (&FIELD (fields, property, GRefString *), g_ref_string_release);
    text = text ? text : property->text;
    FIELD (fields, property, GRefString *) = text ? g_ref_string_new (text) : NULL;
  } else {
    g_free (FIELD (fields, property, gchar *));
    FIELD (fields, property, gchar *) = g_strdup (text);
  }
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
    if (self->list[i].is_name)
      g_clear_pointer (&FIELD (fields, &self->list[i], GRefString *), g_ref_string_release);
    else if (self->list[i].type == G_TYPE_STRING)
      g_clear_pointer (&FIELD (fields, &self->list[i], gchar *), g_free);
}

void
gst_cca_properties_copy_strings (const GstCcaProperties *self, gpointer fields)
{
  for (guint i = 0; i < self->n; i++)
    if (self->list[i].type == G_TYPE_STRING && !self->list[i].is_name)
      FIELD (fields, &self->list[i], gchar *) = g_strdup (FIELD (fields, &self->list[i], gchar *));
}

/* Returns the struct with a property's field. */
static gpointer
fields_of (GObject *object, GParamSpec *spec)
{
  return (guint8 *) object + (gssize) GPOINTER_TO_SIZE (g_param_spec_get_qdata (spec, offset_quark));
}

/* Whether a property may be set to a name, or to NULL. While the element runs, one that is wrong is refused with a
 * warning; before, it is not, and gst_cca_check_name() finds it. Call it without the object lock. */
static gboolean
accepts_name (gpointer element, const gchar *property, const gchar *name)
{
  const gchar *problem = name ? gst_cca_name_problem (name) : NULL;
  GstState state;

  GST_OBJECT_LOCK (element);
  state = GST_STATE (element);
  GST_OBJECT_UNLOCK (element);
  if (!problem || state <= GST_STATE_READY)
    return TRUE;
  gst_cca_post (element, GST_MESSAGE_WARNING, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_SETTINGS,
                "%s %s; keeping the previous value", property, problem);
  return FALSE;
}

void
gst_cca_property_set (GObject *object, guint id, const GValue *value, GParamSpec *spec)
{
  const GstCcaProperty *property = g_param_spec_get_qdata (spec, property_quark);
  gpointer fields = fields_of (object, spec);

  if (property->is_name && !accepts_name (object, spec->name, g_value_get_string (value)))
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
