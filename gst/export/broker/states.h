/* gst-cca: the states of a camera and of its zones and lines, as messages that a broker retains
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Each state becomes a message when it changes. One thread. Knows GLib, not GStreamer.
 */
#pragma once

#include "retained.h"

/* A template of topics, and the characters that its values may have. */
typedef struct
{
  const GstCcaTemplate *topic;
  gboolean (*is_topic_char) (gunichar c);
} GstCcaBrokerTopics;

/* Appends a message for each rule of a line whose counters differ from its last message. The rule's name fills the
 * topic's {zone}. */
void gst_cca_broker_counters_tell (const GstCcaBrokerLine *line, GstCcaBrokerTopics topics,
                                   GstCcaBrokerRetained *retained, GPtrArray *messages);

/* --- The cameras of a stream of lines ---------------------------------------------------------------- */

typedef struct _GstCcaBrokerCameras GstCcaBrokerCameras;

GstCcaBrokerCameras *gst_cca_broker_cameras_new (void);
void gst_cca_broker_cameras_free (GstCcaBrokerCameras *self);
void gst_cca_broker_cameras_forget (GstCcaBrokerCameras *self);

/* Appends the state of a line's camera if it has changed: the number of its objects and whether one of them moves, if
 * the line has tracks; and its health, if that is known. An object moves if in a second it makes a tenth of its box's
 * longer side; motion ends when none has done so for two seconds. */
void gst_cca_broker_cameras_tell (GstCcaBrokerCameras *self, const GstCcaBrokerLine *line, GstCcaBrokerTopics topics,
                                  GstCcaBrokerRetained *retained, GPtrArray *messages);

/* Sets the health of the cameras, a state of ccacamera, and appends the states of those that are known. */
void gst_cca_broker_cameras_set_health (GstCcaBrokerCameras *self, const gchar *health, GstCcaBrokerRetained *retained,
                                        GPtrArray *messages);
gboolean gst_cca_broker_cameras_know_health (const GstCcaBrokerCameras *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GstCcaBrokerCameras, gst_cca_broker_cameras_free)
