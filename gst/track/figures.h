/* gst-cca: what tracks are made from: components, or the figures in them
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * A component may be several people, and a person several components. Where the tracker knows how high upright objects
 * are from row to row and what they look like (sizes.h), it looks for these in components that are not clearly one
 * object (occupancy.h).
 */
#pragma once

#include "occupancy.h"

typedef struct
{
  GstCcaBox box;
  double area;        /* foreground pixels */
  uint32_t component; /* it, or the one that has most of the figure */
  bool single;        /* surely one object */
  bool estimated;     /* a figure whose components are others', too: the box is as large as objects are there */
  uint32_t cluster;   /* of a figure: that of its components, and its number there */
  uint32_t figure;    /* GST_CCA_NO_FIGURE: it is a component */
  double shared;      /* of an estimated one: the part of its box that another detection's has, too, at most */
} GstCcaDetection;

#define GST_CCA_NO_FIGURE UINT32_MAX

/* All zero at first. */
typedef struct
{
  GstCcaDetection *detections; /* of the last frame, n of them */
  size_t n, room;
  bool upright;       /* objects are upright figures, whose shape is known */
  uint32_t *clusters; /* which components are near each other: the number of the first of them */
  size_t clusters_room;
  uint32_t *owners; /* which figure of its cluster has a component for itself */
  size_t owners_room;
  GstCcaPlace *places; /* to look at in a cluster */
  size_t places_room;
  float *unexplained; /* of each cell: see GstCcaOccupancy */
  size_t n_unexplained, unexplained_room;
} GstCcaFigures;

void gst_cca_figures_clear (GstCcaFigures *figures);

/* Finds a frame's detections: its components where sizes are not known. coverage is the frame's. Marks the hints that
 * it uses. Returns FALSE if memory is exhausted. */
bool gst_cca_figures_find (GstCcaFigures *figures, const GstCcaTrackerFrame *frame, const GstCcaCoverage *coverage,
                           const GstCcaSizes *sizes, GstCcaHint *hints, size_t n_hints);

/* Returns whether a component is a detection's: it, or one that is a figure's own, or has most of it. */
static inline bool
gst_cca_figures_has (const GstCcaFigures *figures, const GstCcaDetection *detection, uint32_t component)
{
  return component == detection->component
         || (detection->figure != GST_CCA_NO_FIGURE && figures->clusters[component] == detection->cluster
             && figures->owners[component] == detection->figure);
}
