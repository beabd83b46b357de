/* gst-cca: which components of a frame belong to which tracks
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include "track.h"

/* A component of a track; both by number. */
typedef struct
{
  uint32_t track, component;
  bool contained; /* the component only contains the track's prediction: step 2 */
} GstCcaLink;

typedef struct GstCcaAssociation GstCcaAssociation;

/* Returns NULL if memory is exhausted. One thread at a time. */
GstCcaAssociation *gst_cca_association_new (void);
void gst_cca_association_free (GstCcaAssociation *association); /* NULL is allowed */

/* Finds each track's components, in this order:
 *   1. near: tracks get one component each near their prediction, by least cost;
 *   2. merged: a track without one gets the component that contains its prediction. A lost track gets it only if a
 *      confirmed track that is older than the loss has it. Tentative tracks lose components that they would share so;
 *   3. split: a track gets further components without a track that complete its box: something cuts the object. If
 *      components are whole objects, a track gets one only if it has none yet;
 *   4. turned: a track seen in the last frame that is still without a component gets one no farther from its last place
 *      than it moves in a frame.
 * predicted are the motions of the n_tracks tracks in this frame. On success *links has *n_links elements, by track and
 * then by component, valid until the next call. Returns FALSE if memory is exhausted. */
bool gst_cca_association_run (GstCcaAssociation *association, const GstCcaScan *scan, const Track *tracks,
                              const GstCcaMotion *predicted, size_t n_tracks, const GstCcaLink **links,
                              size_t *n_links);
