/* gst-cca: components as an element message
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#ifndef GST_CCA_MESSAGE_H
#define GST_CCA_MESSAGE_H

#include "cca/cca.h"
#include "gstccalists.h"
#include "gstccatimes.h"

G_BEGIN_DECLS

/* The lists of an element's messages. All 0 is empty. */
typedef struct
{
  GstCcaListPool *components, *moments, *overlaps; /* moments: components with them */
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

G_END_DECLS

#endif
