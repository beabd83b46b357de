/* gst-cca: tells Home Assistant, by its MQTT discovery, which sensors a camera has
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * A sensor is a retained message at PREFIX/COMPONENT/CAMERA/OBJECT/config, which says in which topic its state is and
 * how to read it. One thread. Knows GLib and json-glib, not GStreamer.
 */
#pragma once

#include "retained.h"

typedef struct
{
  const gchar *prefix;                  /* that Home Assistant listens to */
  const gchar *version;                 /* of gst-cca */
  const GstCcaTemplate *counts, *state; /* of the topics that states.h fills */
  gboolean (*is_topic_char) (gunichar c);
} GstCcaBrokerDiscoveryOptions;

typedef struct _GstCcaBrokerDiscovery GstCcaBrokerDiscovery;

/* The data of the options must outlive it. */
GstCcaBrokerDiscovery *gst_cca_broker_discovery_new (const GstCcaBrokerDiscoveryOptions *options);
void gst_cca_broker_discovery_free (GstCcaBrokerDiscovery *self);

/* Appends the messages for sensors of a line's camera that are new or have changed, and empty ones for those whose rule
 * is gone. status is the topic of the client's `online` and `offline`. Sensors of health belong to cameras whose health
 * is known, and those of measures to rules that have once had them. */
void gst_cca_broker_discovery_tell (GstCcaBrokerDiscovery *self, const GstCcaBrokerLine *line, const gchar *status,
                                    gboolean has_health, GstCcaBrokerRetained *retained, GPtrArray *messages);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GstCcaBrokerDiscovery, gst_cca_broker_discovery_free)
