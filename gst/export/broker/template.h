/* gst-cca: texts with placeholders, such as "cca/{camera}/events"
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * A placeholder is a name in braces: letters, digits, '-' and '_'. Knows GLib only.
 */
#ifndef GST_CCA_TEMPLATE_H
#define GST_CCA_TEMPLATE_H

#include <glib.h>

G_BEGIN_DECLS

typedef struct _GstCcaTemplate GstCcaTemplate;

/* Returns the value for a placeholder, which the caller frees, or NULL if there is none. */
typedef gchar *(*GstCcaTemplateValue) (const gchar *name, gpointer data);

/* Returns a template that the caller frees, or NULL and an error (G_OPTION_ERROR_BAD_VALUE) that names the place. */
GstCcaTemplate *gst_cca_template_parse (const gchar *text, GError **error);
void gst_cca_template_free (GstCcaTemplate *self);

gboolean gst_cca_template_has (const GstCcaTemplate *self, const gchar *name);
/* Returns the name of the first placeholder, valid as long as the template; or NULL if the text is literal. */
const gchar *gst_cca_template_first (const GstCcaTemplate *self);

/* Returns the text with values instead of placeholders, which the caller frees. Each character of a value that
 * is_allowed does not allow becomes '_', and so does a value that is empty or missing. Without is_allowed everything is
 * allowed, without value all are missing. */
gchar *gst_cca_template_expand (const GstCcaTemplate *self, GstCcaTemplateValue value, gpointer data,
                                gboolean (*is_allowed) (gunichar c));

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GstCcaTemplate, gst_cca_template_free)

G_END_DECLS

#endif
