/* gst-cca: the sizes that ccatrack has learned, kept in a file from run to run
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The file is a GKeyFile: the size of the frames, and lists of the samples of which the tracker learned, oldest first.
 */
#pragma once

#include <gst/gst.h>

#include "tracker.h"

/* All zero: no file. One thread at a time. */
typedef struct
{
  gchar *location;
  guint width, height; /* of the frames that the file is for; 0: the file was not there, or is of no more interest */
} GstCcaTrackSizes;

/* Gives the tracker the sizes of a file; of none if location is NULL or empty, or if the file is not there yet. Posts
 * an error and returns FALSE if the file cannot be read, is none of sizes, or cannot be written later for want of its
 * folder. */
gboolean gst_cca_track_sizes_start (GstCcaTrackSizes *self, GstElement *element, const gchar *location,
                                    GstCcaTracker *tracker);

/* Call it with the size of each frame before the tracker has the frame. Warns if the sizes are for another one: then
 * the tracker forgets them. */
void gst_cca_track_sizes_see_frame (GstCcaTrackSizes *self, GstElement *element, guint width, guint height);

/* Replaces the file at once by one of what the tracker has learned, if that is anything. Posts a warning on failure;
 * the file is then as it was. */
void gst_cca_track_sizes_stop (GstCcaTrackSizes *self, GstElement *element, const GstCcaTracker *tracker);

/* Frees what the struct has. */
void gst_cca_track_sizes_clear (GstCcaTrackSizes *self);
