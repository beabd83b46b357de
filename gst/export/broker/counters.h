/* gst-cca: counters of zones and lines as messages that a broker retains
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Any thread. Knows GLib and json-glib, not GStreamer.
 */
#ifndef GST_CCA_BROKER_COUNTERS_H
#define GST_CCA_BROKER_COUNTERS_H

#include "message.h"

G_BEGIN_DECLS

typedef struct _GstCcaBrokerCounters GstCcaBrokerCounters;

GstCcaBrokerCounters *gst_cca_broker_counters_new (void);
void gst_cca_broker_counters_free (GstCcaBrokerCounters *self);

/* Appends a message for each rule of a line whose counters are other than those told last. The rule's name is the
 * topic's {zone}. */
void gst_cca_broker_counters_tell (GstCcaBrokerCounters *self, const GstCcaBrokerLine *line,
                                   const GstCcaTemplate *topic, gboolean (*is_topic_char) (gunichar c),
                                   GPtrArray *messages);

/* Appends what was told last of each rule once more. */
void gst_cca_broker_counters_repeat (GstCcaBrokerCounters *self, GPtrArray *messages);

void gst_cca_broker_counters_forget (GstCcaBrokerCounters *self);

G_END_DECLS

#endif
