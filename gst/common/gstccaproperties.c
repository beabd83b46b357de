/* gst-cca: properties of elements that are fields of a struct
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "gstccaproperties.h"

#include "gstccapost.h"

#define FIELD(fields, property, type) (*(type *) ((guint8 *) (fields) + (property)->offset))

/* Where a pspec has its GstCcaProperty, and the offset of the struct in the instance. */
static GQuark property_quark, offset_quark;

static GParamSpec *
make_spec (const GstCcaProperty *property, GParamFlags flags)
{
  const gchar *name = property->name, *blurb = property->blurb;

  switch (property->type) {
    case G_TYPE_STRING: return g_param_spec_string (name, name, blurb, property->text, flags);
    case G_TYPE_BOOLEAN: return g_param_spec_boolean (name, name, blurb, property->value != 0, flags);
    case G_TYPE_ENUM:
      return g_param_spec_enum (name, name, blurb, property->get_type (), (gint) property->value, flags);
    case G_TYPE_FLAGS:
      return g_param_spec_flags (name, name, blurb, property->get_type (), (guint) property->value, flags);
    case G_TYPE_BOXED:
      return g_param_spec_boxed (name, name, blurb, GST_TYPE_STRUCTURE, G_PARAM_READABLE | G_PARAM_STATIC_STRINGS);
    case G_TYPE_INT:
      return g_param_spec_int (name, name, blurb, (gint) property->least, (gint) property->most, (gint) property->value,
                               flags);
    case G_TYPE_UINT:
      return g_param_spec_uint (name, name, blurb, (guint) property->least, (guint) property->most,
                                (guint) property->value, flags);
    default: return g_param_spec_uint64 (name, name, blurb, property->least, property->most, property->value, flags);
  }
}

void
gst_cca_properties_install (const GstCcaProperties *self, GObjectClass *klass, gssize offset)
{
  property_quark = g_quark_from_static_string ("gst-cca-property");
  offset_quark = g_quark_from_static_string ("gst-cca-offset");
  klass->set_property = gst_cca_property_set;
  klass->get_property = gst_cca_property_get;
  for (guint i = 0; i < self->n; i++) {
    const GstCcaProperty *property = &self->list[i];
    GParamSpec *spec = make_spec (property, G_PARAM_STATIC_STRINGS | (property->flags ? property->flags : self->flags));

    g_param_spec_set_qdata (spec, property_quark, (gpointer) property);
    g_param_spec_set_qdata (spec, offset_quark, GSIZE_TO_POINTER (offset));
    g_object_class_install_property (klass, self->first_id + i, spec);
  }
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
    else if (property->type == G_TYPE_UINT64)
      FIELD (fields, property, guint64) = property->value;
    else if (property->type != G_TYPE_BOXED)
      FIELD (fields, property, guint) = (guint) property->value;
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
  switch (property->type) {
    case G_TYPE_STRING: set_text (property, fields, g_value_get_string (value)); break;
    case G_TYPE_BOOLEAN: FIELD (fields, property, gboolean) = g_value_get_boolean (value); break;
    case G_TYPE_ENUM: FIELD (fields, property, gint) = g_value_get_enum (value); break;
    case G_TYPE_FLAGS: FIELD (fields, property, guint) = g_value_get_flags (value); break;
    case G_TYPE_INT: FIELD (fields, property, gint) = g_value_get_int (value); break;
    case G_TYPE_UINT: FIELD (fields, property, guint) = g_value_get_uint (value); break;
    default: FIELD (fields, property, guint64) = g_value_get_uint64 (value);
  }
  if (property->changed > 0)
    *(gboolean *) ((guint8 *) fields + property->changed) = TRUE;
  GST_OBJECT_UNLOCK (object);
}

void
gst_cca_property_get (GObject *object, guint id, GValue *value, GParamSpec *spec)
{
  const GstCcaProperty *property = g_param_spec_get_qdata (spec, property_quark);
  gpointer fields = fields_of (object, spec);

  GST_OBJECT_LOCK (object);
  switch (property->type) {
    case G_TYPE_STRING: g_value_set_string (value, FIELD (fields, property, gchar *)); break;
    case G_TYPE_BOOLEAN: g_value_set_boolean (value, FIELD (fields, property, gboolean)); break;
    case G_TYPE_ENUM: g_value_set_enum (value, FIELD (fields, property, gint)); break;
    case G_TYPE_BOXED: g_value_take_boxed (value, property->make (object)); break;
    case G_TYPE_FLAGS: g_value_set_flags (value, FIELD (fields, property, guint)); break;
    case G_TYPE_INT: g_value_set_int (value, FIELD (fields, property, gint)); break;
    case G_TYPE_UINT: g_value_set_uint (value, FIELD (fields, property, guint)); break;
    default: g_value_set_uint64 (value, FIELD (fields, property, guint64));
  }
  GST_OBJECT_UNLOCK (object);
}
