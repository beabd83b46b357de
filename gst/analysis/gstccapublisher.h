/* gst-cca: publishes results as metas and messages; advice on settings that do little
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include "cca/cca.h"
#include "gstccalists.h"
#include "gstccaparams.h"
#include "gstccaproperties.h"

#include <gst/base/gstbasetransform.h>
#include <gst/video/video.h>

typedef enum
{
  GST_CCA_EMIT_CCA = 1 << 0,       /* GstCcaMeta */
  GST_CCA_EMIT_ROI = 1 << 1,       /* GstVideoRegionOfInterestMeta */
  GST_CCA_EMIT_ANALYTICS = 1 << 2, /* GstAnalyticsRelationMeta with object detections */
} GstCcaEmit;

GType gst_cca_emit_get_type (void);

/* The memory of the lists in GstCcaMeta, recycled when the last copy of a meta goes. All 0 is empty. */
typedef struct
{
  GstBufferPool *pool;
  gsize capacity; /* bytes */
} GstCcaStorage;

/* Names an analysis in its metas and messages. */
typedef struct
{
  GRefString *id;
  GQuark component_type; /* of its regions of interest and object detections */
} GstCcaIdentity;

/* The lists of an element's messages. All 0 is empty. */
typedef struct
{
  GstCcaListPool *components, *overlaps;
  guint measured; /* what else the components have, as flags of gstccapublisher.c */
} GstCcaMessagePools;

typedef struct
{
  /* Properties, under the element's object lock. */
  GRefString *id; /* NULL: the element's name */
  gboolean id_changed;
  GstCcaIdentity identity; /* of one of the two, unless that changed */
  gboolean post_messages;
  GstCcaEmit emit;
  guint64 message_interval;
  guint message_max_components;

  /* Of the streaming thread. */
  GstCcaStorage storage;
  GstCcaMessagePools pools;
  GstClockTime last_message; /* running time, or GST_CLOCK_TIME_NONE */
  gboolean warned_analytics;
} GstCcaPublisher;

extern const GstCcaProperties gst_cca_publisher_properties;

/* Property ids between GST_CCA_SETTINGS_LAST_PROP and this one are the publisher's. */
#define GST_CCA_PUBLISHER_LAST_PROP 48

void gst_cca_publisher_init (GstCcaPublisher *self);
void gst_cca_publisher_clear (GstCcaPublisher *self);

/* Returns the id of the metas. The caller holds the element's object lock. */
const gchar *gst_cca_publisher_id (const GstCcaPublisher *self, GstObject *element);

/* The caller holds the element's object lock. */
void gst_cca_publisher_start (GstCcaPublisher *self);
void gst_cca_publisher_stop (GstCcaPublisher *self);
/* The next frames are on another timeline. */
void gst_cca_publisher_restart (GstCcaPublisher *self);

/* Whether components have a recipient. The caller holds the element's object lock. */
gboolean gst_cca_publisher_wants_components (const GstCcaPublisher *self);

/* Attaches metas to a writable buffer of the element and posts the message. */
GstFlowReturn gst_cca_publisher_publish (GstCcaPublisher *self, GstBaseTransform *element, GstBuffer *buffer,
                                         const GstVideoInfo *info, gboolean covariance,
                                         const CcaMeasurement *measurement);

/* The hints that were posted already. All 0: none. */
typedef struct
{
  gboolean without_effect, whole_frame;
} GstCcaHints;

/* Warns of settings that have no effect with the parameters in use; once until there are none. `sensitivity`: whether
 * that property is set. */
void gst_cca_hints_see_settings (GstCcaHints *self, GstElement *element, const GstCcaSettings *settings,
                                 const CcaParams *used, gboolean sensitivity);

/* Posts once that foreground=nonzero finds a component of nearly the whole frame. */
void gst_cca_hints_see_components (GstCcaHints *self, GstElement *element, const CcaParams *params,
                                   const GstVideoInfo *info, const CcaMeasurement *measurement);
