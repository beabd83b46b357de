/* gst-cca: memory for what a frame's meta lists
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#ifndef GST_CCA_STORAGE_H
#define GST_CCA_STORAGE_H

#include "cca/cca.h"

#include <gst/gst.h>

G_BEGIN_DECLS

/* The memory of the lists in GstCcaMeta, recycled when the last copy of a meta goes. All 0 is empty. */
typedef struct
{
  GstBufferPool *pool;
  gsize capacity; /* bytes */
} GstCcaStorage;

void gst_cca_storage_clear (GstCcaStorage *storage);

/* Returns a copy of a measurement's components as an array of GstCcaComponent, right behind it of the overlaps as one
 * of GstCcaOverlap, then of the coverage and the colours; NULL if memory is exhausted. */
GstBuffer *gst_cca_storage_store (GstCcaStorage *storage, const CcaMeasurement *measurement);

G_END_DECLS

#endif
