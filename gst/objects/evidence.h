/* gst-cca: which components share pixels with those that tracks had in the last frame
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#ifndef GST_CCA_EVIDENCE_H
#define GST_CCA_EVIDENCE_H

#include "tracker.h"

typedef struct GstCcaEvidence GstCcaEvidence;

/* Returns NULL if memory is exhausted. One thread at a time. */
GstCcaEvidence *gst_cca_evidence_new (void);
void gst_cca_evidence_free (GstCcaEvidence *evidence); /* NULL is allowed */

/* Begins a frame, which must live until the last call for it. Returns FALSE if memory is exhausted. */
bool gst_cca_evidence_begin (GstCcaEvidence *evidence, const GstCcaTrackerFrame *frame, size_t n_tracks);

/* Adds the next of n_tracks tracks, by the labels that its components had in the last frame. Returns FALSE if memory is
 * exhausted. */
bool gst_cca_evidence_add (GstCcaEvidence *evidence, const uint32_t *labels, size_t n_labels);

/* Returns how many pixels a track's components of the last frame share with a component of this one; both are numbers.
 */
uint64_t gst_cca_evidence_pixels (const GstCcaEvidence *evidence, uint32_t track, uint32_t component);

#endif
