/* gst-cca: the lists of a GstCcaMeta
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#ifndef GST_CCA_COMPONENTS_H
#define GST_CCA_COMPONENTS_H

#include "framemeta.h"

extern GstCcaFrameMetaKind gst_cca_components;

/* Copies both lists to a new storage, which begins with *block: the components, and right behind them the overlaps.
 * Sets both to NULL for empty lists. Returns FALSE if memory is exhausted. */
gboolean gst_cca_components_store (GstBuffer **storage, GstCcaComponent **block, const GstCcaComponent *components,
                                   guint n_stored, const GstCcaOverlap *overlaps, guint n_stored_overlaps);

/* Says that the overlaps are known, and that n_stored of them lie behind the components of the meta, which begin at
 * block. */
void gst_cca_components_set_overlaps (GstCcaMeta *meta, guint n_overlaps, guint n_stored, const GstCcaComponent *block);

#endif
