/* gst-cca: shared by classes of elements: pads and their caps; bases that several plugins compile
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <gst/gst.h>

/* Adds templates of the pads "sink" and "src", with the same caps. */
static inline void
gst_cca_class_add_templates (gpointer klass, const gchar *text)
{
  g_autoptr (GstCaps) caps = gst_caps_from_string (text);

  gst_element_class_add_pad_template (klass, gst_pad_template_new ("sink", GST_PAD_SINK, GST_PAD_ALWAYS, caps));
  gst_element_class_add_pad_template (klass, gst_pad_template_new ("src", GST_PAD_SRC, GST_PAD_ALWAYS, caps));
}

/* Adds the pad of one of the class's templates, and returns it. */
static inline GstPad *
gst_cca_add_pad (gpointer element, const gchar *name)
{
  GstPadTemplate *template = gst_element_class_get_pad_template (GST_ELEMENT_GET_CLASS (element), name);
  GstPad *pad = gst_pad_new_from_template (template, name);

  gst_element_add_pad (element, pad);
  return pad;
}

/* Returns caps, which it takes, restricted to those that a filter allows, in the filter's order; filter may be NULL. */
static inline GstCaps *
gst_cca_filter_caps (GstCaps *caps, GstCaps *filter)
{
  GstCaps *filtered;

  if (!filter)
    return caps;
  filtered = gst_caps_intersect_full (filter, caps, GST_CAPS_INTERSECT_FIRST);
  gst_caps_unref (caps);
  return filtered;
}

/* Defines a subclass of GstBaseTransform that several plugins compile, each with a name of its own for the type:
 * G_DEFINE_TYPE would give all the same. */
#define GST_CCA_DEFINE_BASE(Type, prefix, NAME)                                                                        \
  static GstBaseTransformClass *parent_class;                                                                          \
                                                                                                                       \
  static Type##Class *class_of (Type *self)                                                                            \
  {                                                                                                                    \
    return G_TYPE_INSTANCE_GET_CLASS (self, prefix##_get_type (), Type##Class);                                        \
  }                                                                                                                    \
                                                                                                                       \
  static void prefix##_init (GTypeInstance *instance, gpointer klass);                                                 \
  static void prefix##_class_init (gpointer klass, gpointer data);                                                     \
                                                                                                                       \
  GType prefix##_get_type (void)                                                                                       \
  {                                                                                                                    \
    static gsize type;                                                                                                 \
                                                                                                                       \
    if (g_once_init_enter (&type))                                                                                     \
      g_once_init_leave (&type, g_type_register_static_simple (GST_TYPE_BASE_TRANSFORM, NAME, sizeof (Type##Class),    \
                                                               prefix##_class_init, sizeof (Type), prefix##_init,      \
                                                               G_TYPE_FLAG_ABSTRACT));                                 \
    return type;                                                                                                       \
  }
