/* gst-cca: buffers to messages for brokers
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#ifndef GST_CCA_BROKER_COMPOSER_H
#define GST_CCA_BROKER_COMPOSER_H

#include "gstccabrokersink.h"

G_BEGIN_DECLS

/* Of a sink. Functions are for the streaming thread, except as they say. */
typedef struct
{
  GstCcaBrokerSink *sink;
  GstCcaBrokerRecipe recipe;
  gchar *line_property, *line_placeholder; /* of the subclass, that need lines; or NULL */
  guint64 n_invalid;                       /* lines; under the sink's object lock */
  GPtrArray *messages;                     /* of the buffer that came last; the caller may take them out */

  gboolean is_json, is_checked; /* what comes in; whether it goes with the templates */
  gboolean warned_invalid;
} GstCcaBrokerComposer;

void gst_cca_broker_composer_init (GstCcaBrokerComposer *self, GstCcaBrokerSink *sink);
void gst_cca_broker_composer_clear (GstCcaBrokerComposer *self);

/* Takes the templates of topics and keys; key may be NULL. Not while the sink streams, and neither are the next two. */
gboolean gst_cca_broker_composer_open (GstCcaBrokerComposer *self, const gchar *topic, const gchar *key,
                                       GError **error);
void gst_cca_broker_composer_close (GstCcaBrokerComposer *self);
/* See gst_cca_broker_sink_set_needs_lines(). */
void gst_cca_broker_composer_set_needs_lines (GstCcaBrokerComposer *self, const gchar *property,
                                              const gchar *placeholder);

/* Begins a stream, whose caps come next, if at all. */
void gst_cca_broker_composer_start (GstCcaBrokerComposer *self);
/* Returns whether the templates go with what comes in; posts an error if not. */
gboolean gst_cca_broker_composer_set_caps (GstCcaBrokerComposer *self, const GstCaps *caps);

/* Adds the messages that a buffer makes. Posts an error on failure. */
GstFlowReturn gst_cca_broker_composer_compose (GstCcaBrokerComposer *self, GstBuffer *buffer);

G_END_DECLS

#endif
