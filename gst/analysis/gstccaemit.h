/* gst-cca: components as metas of a buffer and as an element message
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include "cca/cca.h"
#include "gstccalists.h"
#include "gstccatimes.h"

#include <gst/gst.h>

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

void gst_cca_storage_clear (GstCcaStorage *storage);

/* Names an analysis in its metas and messages. */
typedef struct
{
  GRefString *id;
  GQuark component_type; /* of its regions of interest and object detections */
} GstCcaIdentity;

/* Makes the identity of an element. id is its property, or NULL. */
void gst_cca_identity_init (GstCcaIdentity *identity, const gchar *id, const gchar *element_name);
void gst_cca_identity_clear (GstCcaIdentity *identity);

/* Attaches the metas of an analysis for a frame of that size, and replaces the buffer's metas with the same
 * id. Returns FALSE if memory is exhausted. */
gboolean gst_cca_emit_metas (GstCcaStorage *storage, GstBuffer *buffer, GstCcaEmit emit, const GstCcaIdentity *identity,
                             guint width, guint height, const CcaMeasurement *measurement);

/* The lists of an element's messages. All 0 is empty. */
typedef struct
{
  GstCcaListPool *components, *overlaps;
  guint measured; /* what else the components have, as flags of gstccaemit.c */
} GstCcaMessagePools;

void gst_cca_message_pools_clear (GstCcaMessagePools *pools);

/* Returns the message with the measurement of the analysis named id for a frame of that size. It lists the first
 * n_listed components and, if they are known, the first n_listed_overlaps overlaps. */
GstMessage *gst_cca_message_new (GstCcaMessagePools *pools, GstObject *source, const gchar *id,
                                 const GstCcaMessageTimes *times, guint width, guint height, gboolean covariance,
                                 const CcaMeasurement *measurement, guint n_listed, guint n_listed_overlaps);

/* The message that the analysis named id found a change of the scene in a frame of that size. */
GstMessage *gst_cca_message_new_scene_change (GstObject *source, const gchar *id, const GstCcaMessageTimes *times,
                                              guint width, guint height);
