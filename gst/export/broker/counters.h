/* gst-cca: counters of zones and lines as messages that a broker retains
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Any thread. Knows GLib only.
 */
#ifndef GST_CCA_BROKER_COUNTERS_H
#define GST_CCA_BROKER_COUNTERS_H

#include "message.h"

G_BEGIN_DECLS

typedef struct _GstCcaBrokerCounters GstCcaBrokerCounters;

GstCcaBrokerCounters *gst_cca_broker_counters_new (void);
void gst_cca_broker_counters_free (GstCcaBrokerCounters *self);

/* Appends a message for each rule of a line whose counters differ from its last message. The rule's name fills the
 * topic's {zone}. */
void gst_cca_broker_counters_tell (GstCcaBrokerCounters *self, const GstCcaBrokerLine *line,
                                   const GstCcaTemplate *topic, gboolean (*is_topic_char) (gunichar c),
                                   GPtrArray *messages);

/* Appends the last message of each rule again. */
void gst_cca_broker_counters_repeat (GstCcaBrokerCounters *self, GPtrArray *messages);

void gst_cca_broker_counters_forget (GstCcaBrokerCounters *self);

G_END_DECLS

#endif
