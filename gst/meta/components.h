/* gst-cca: the lists of a GstCcaMeta
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include "framemeta.h"

extern GstCcaFrameMetaKind gst_cca_components;

/* Copies the lists of `lists` to a new storage and makes `lists` refer to the copies: the components, right behind them
 * the overlaps, then the coverage, then the colours. Sets *storage to NULL if all are empty. Returns FALSE if memory is
 * exhausted. */
gboolean gst_cca_components_store (GstBuffer **storage, GstCcaMeta *lists);

/* Sets a meta to `lists`, a changed copy of it, with copies of the lists in a new storage. Returns FALSE with the meta
 * as it was if memory is exhausted. */
gboolean gst_cca_components_replace (GstCcaMeta *meta, GstCcaMeta *lists);

/* Says that the overlaps are known, and where n_stored of them are. */
void gst_cca_components_set_overlaps (GstCcaMeta *meta, guint n_overlaps, guint n_stored,
                                      const GstCcaOverlap *overlaps);

/* Returns the number of cells. */
gsize gst_cca_components_n_cells (const GstCcaMeta *meta);

/* Sets the side of the cells, 0 for none, and where their counts and, if not NULL, their colours are. */
void gst_cca_components_set_cells (GstCcaMeta *meta, guint cell, const guint8 *coverage, const guint8 *colours);
