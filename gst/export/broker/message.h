/* gst-cca: messages for brokers, made of lines of JSON
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * A line becomes one message, or one for each of its events where topic or key has the placeholder {zone}. Other
 * placeholders are the line's own members. Knows GLib and, to check lines, json-glib, not GStreamer.
 */
#pragma once

#include "slices.h"

/* --- Templates: texts with placeholders, such as "cca/{camera}/events" ------------------------------- */

/* A placeholder is a name in braces: letters, digits, '-' and '_'. */
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

/* --- Messages ---------------------------------------------------------------------------------------- */

#define GST_CCA_BROKER_NO_TIME G_MAXUINT64

typedef struct
{
  gchar *topic;
  gchar *key; /* or NULL */
  GBytes *payload;
  guint64 utc;     /* of the frame, ns since 1970, or GST_CCA_BROKER_NO_TIME */
  gboolean retain; /* for the broker to keep as the topic's last */
} GstCcaBrokerMessage;

/* How a line becomes messages. */
typedef struct
{
  GstCcaTemplate *topic, *key; /* key may be NULL */
  gboolean (*is_topic_char) (gunichar c);
} GstCcaBrokerRecipe;

/* A line of JSON, parsed. */
typedef struct _GstCcaBrokerLine GstCcaBrokerLine;

/* Takes ownership of the strings and the payload; key may be NULL. */
GstCcaBrokerMessage *gst_cca_broker_message_new (gchar *topic, gchar *key, GBytes *payload, guint64 utc,
                                                 gboolean retain);
void gst_cca_broker_message_free (GstCcaBrokerMessage *message);

/* Returns the bytes that the message takes in memory, roughly. */
gsize gst_cca_broker_message_size (const GstCcaBrokerMessage *message);

/* Returns the line, which the caller frees, or NULL and an error if the text is not one object of JSON. Keeps a
 * reference to the text. */
GstCcaBrokerLine *gst_cca_broker_line_parse (GBytes *text, GError **error);
/* The same for an object whose writer says where its members end, as gst_cca_slices_at(), and its UTC. NULL if the ends
 * do not fit the text. */
GstCcaBrokerLine *gst_cca_broker_line_new (GBytes *text, const gsize *ends, guint n, guint64 utc);
void gst_cca_broker_line_free (GstCcaBrokerLine *line);

/* Of the member "utc", ns since 1970, or GST_CCA_BROKER_NO_TIME. */
guint64 gst_cca_broker_line_utc (const GstCcaBrokerLine *line);

/* Returns a template's text for this line, which the caller frees; zone is the value of {zone}, or NULL. */
gchar *gst_cca_broker_line_expand (const GstCcaBrokerLine *line, const GstCcaTemplate *text, const gchar *zone,
                                   gboolean (*is_allowed) (gunichar c));

/* Returns the value of a member that is a string or a number, which the caller frees; NULL if there is none. */
gchar *gst_cca_broker_line_text (const GstCcaBrokerLine *line, const gchar *name);
/* Returns the value of any member as it is written, which the caller frees; NULL if there is none. */
gchar *gst_cca_broker_line_json (const GstCcaBrokerLine *line, const gchar *name);

/* Returns the objects of a member that is an array, which the caller frees: each an array of GstCcaMember. */
GPtrArray *gst_cca_broker_line_objects (const GstCcaBrokerLine *line, const gchar *name);

/* Returns the text of an object with the line's camera, id, times and UTC, as far as `members` has none of that name,
 * and behind them `joined`, which gst_cca_slices_join() made of the members. The caller frees it. */
GBytes *gst_cca_broker_line_with (const GstCcaBrokerLine *line, const GArray *members, const gchar *joined);

/* Appends the messages of a line to an array that owns GstCcaBrokerMessage. */
void gst_cca_broker_line_messages (const GstCcaBrokerLine *line, const GstCcaBrokerRecipe *recipe, GPtrArray *messages);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GstCcaTemplate, gst_cca_template_free)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GstCcaBrokerMessage, gst_cca_broker_message_free)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GstCcaBrokerLine, gst_cca_broker_line_free)
