/* gst-cca: the lists of a GstCcaMeta
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include "framemeta.h"

extern GstCcaFrameMetaKind gst_cca_components;

/* Returns how many bytes the lists of a meta take in a storage, where they lie right behind each other: the components,
 * then those of overlaps, shapes, intensities, coverage and colours that are known. */
gsize gst_cca_components_size (const GstCcaMeta *lists);

/* Copies the lists of `lists` to a new storage and makes `lists` refer to the copies. Sets *storage to NULL if all are
 * empty. Returns FALSE if memory is exhausted. */
gboolean gst_cca_components_store (GstBuffer **storage, GstCcaMeta *lists);

/* Sets a meta to `lists`, a changed copy of it, with copies of the lists in a new storage. Returns FALSE with the meta
 * as it was if memory is exhausted. */
gboolean gst_cca_components_replace (GstCcaMeta *meta, GstCcaMeta *lists);

/* Says that the overlaps are known, and where n_stored of them are. */
void gst_cca_components_set_overlaps (GstCcaMeta *meta, guint n_overlaps, guint n_stored,
                                      const GstCcaOverlap *overlaps);

/* Say that the shapes or intensities are known, and where those of the stored components are. */
void gst_cca_components_set_shapes (GstCcaMeta *meta, const GstCcaShape *shapes);
void gst_cca_components_set_intensities (GstCcaMeta *meta, const GstCcaIntensity *intensities);

/* Returns the number of cells. */
gsize gst_cca_components_n_cells (const GstCcaMeta *meta);

/* Sets the side of the cells, 0 for none, and where their counts and, if not NULL, their colours are. */
void gst_cca_components_set_cells (GstCcaMeta *meta, guint cell, const guint8 *coverage, const guint8 *colours);
