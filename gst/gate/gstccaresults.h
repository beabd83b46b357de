/* gst-cca: what a detector found in the tiles of a frame, put onto the frame
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include "gstccaunderway.h"

/* All zero at first. */
typedef struct
{
  guint64 frame;   /* the frame whose results they are */
  GArray *list;    /* of what was found; NULL: nothing so far */
  GArray *boxes;   /* GstCcaFound, in the same order */
  guint n_repeats; /* of the last frame: what was left out because it was found in two tiles */
} GstCcaResults;

/* Forgets all results. */
void gst_cca_results_clear (GstCcaResults *results);

/* Reads the regions of interest and object detections of a tile of this size, which may have been scaled since it was
 * cut. Those of tiles of an earlier frame are forgotten. */
void gst_cca_results_read (GstCcaResults *results, GstBuffer *tile, const GstCcaTileOrigin *origin, guint width,
                           guint height);

/* Adds what was found in the tiles of a frame to it, in the frame's coordinates, objects at seams once. Returns the
 * frame (taken), writable if anything was added, and forgets the results. */
GstBuffer *gst_cca_results_add (GstCcaResults *results, guint64 number, GstBuffer *frame, guint width, guint height);
