/* gst-cca: components as an element message
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#ifndef GST_CCA_MESSAGE_H
#define GST_CCA_MESSAGE_H

#include "cca/cca.h"

#include <gst/gst.h>

G_BEGIN_DECLS

/* The message on what the analysis named id measured in a buffer, a frame of that size. */
GstMessage *gst_cca_message_new (GstObject *source, const gchar *id, const GstSegment *segment, GstBuffer *buffer,
                                 guint width, guint height, gboolean covariance, const CcaMeasurement *measurement);

G_END_DECLS

#endif
