/* gst-cca: boxes with real sides
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The points min <= p < max, in pixels; axis 0 is x, axis 1 is y. A pixel x reaches from x to x + 1. */
typedef struct
{
  double min[2], max[2];
} GstCcaBox;

static inline double
gst_cca_box_area (const GstCcaBox *box)
{
  return (box->max[0] - box->min[0]) * (box->max[1] - box->min[1]);
}

/* fmin() and fmax() of C are calls. */
static inline double
gst_cca_min (double a, double b)
{
  return a < b ? a : b;
}

static inline double
gst_cca_max (double a, double b)
{
  return a > b ? a : b;
}

/* Returns the length of a vector; hypot() of C is slow, because it also serves numbers that nearly overflow. */
static inline double
gst_cca_length (double x, double y)
{
  return sqrt (x * x + y * y);
}

/* Returns the area that two boxes share, pixels². */
static inline double
gst_cca_box_shared (const GstCcaBox *a, const GstCcaBox *b)
{
  const double width = gst_cca_min (a->max[0], b->max[0]) - gst_cca_max (a->min[0], b->min[0]);
  const double height = gst_cca_min (a->max[1], b->max[1]) - gst_cca_max (a->min[1], b->min[1]);

  return width > 0.0 && height > 0.0 ? width * height : 0.0;
}

/* Returns how far the centres of two boxes are apart along the farther axis, pixels. */
static inline double
gst_cca_box_distance (const GstCcaBox *a, const GstCcaBox *b)
{
  double most = 0.0;

  for (int i = 0; i < 2; i++)
    most = gst_cca_max (most, fabs (a->min[i] + a->max[i] - b->min[i] - b->max[i]) / 2.0);
  return most;
}

/* Whether two boxes share points. */
static inline bool
gst_cca_box_touches (const GstCcaBox *a, const GstCcaBox *b)
{
  return (a->min[0] < b->max[0]) & (b->min[0] < a->max[0]) & (a->min[1] < b->max[1]) & (b->min[1] < a->max[1]);
}

/* Returns the smallest box over two boxes. */
static inline GstCcaBox
gst_cca_box_join (const GstCcaBox *a, const GstCcaBox *b)
{
  GstCcaBox box;

  for (int i = 0; i < 2; i++) {
    box.min[i] = gst_cca_min (a->min[i], b->min[i]);
    box.max[i] = gst_cca_max (a->max[i], b->max[i]);
  }
  return box;
}

/* Returns a box with each side moved outwards by a margin, in pixels. */
static inline GstCcaBox
gst_cca_box_grow (const GstCcaBox *box, double margin)
{
  return (GstCcaBox) { { box->min[0] - margin, box->min[1] - margin }, { box->max[0] + margin, box->max[1] + margin } };
}

/* Returns the part of a box that lies in another; without area if none does. */
static inline GstCcaBox
gst_cca_box_clip (const GstCcaBox *box, const GstCcaBox *outer)
{
  GstCcaBox both;

  for (int i = 0; i < 2; i++) {
    both.min[i] = gst_cca_max (box->min[i], outer->min[i]);
    both.max[i] = gst_cca_max (gst_cca_min (box->max[i], outer->max[i]), both.min[i]);
  }
  return both;
}

/* --- Objects ------------------------------------------------------------------------------------------ */

typedef enum
{
  GST_CCA_OBJECT_TENTATIVE, /* new; may be noise */
  GST_CCA_OBJECT_CONFIRMED, /* seen: the box lies around its components */
  GST_CCA_OBJECT_MERGED,    /* seen in a component that it shares with other objects: the box is estimated */
  GST_CCA_OBJECT_COASTING   /* confirmed, but not seen: the box is predicted */
} GstCcaObjectState;

typedef struct
{
  uint64_t id; /* from 1 on; never used again, not even after a reset */
  GstCcaObjectState state;
  GstCcaBox box;                  /* it may reach over the frame's borders where it is estimated */
  double centroid[2];             /* of its components' pixels; the box's centre where it is estimated */
  double velocity[2];             /* pixels/s */
  uint64_t area;                  /* pixels of its components; merged or coasting: as last measured */
  uint32_t age;                   /* frames since its first, which counts as 1 */
  uint64_t first_seen, last_seen; /* ns: times of frames */
  bool has_come;                  /* it has moved since it was first seen, beyond what its outline does */
  uint64_t still_since;           /* ns: since this frame its centre has stayed at a place */
  uint32_t label;                 /* of the largest of its components in this frame; 0: it has none */
  const uint32_t *labels;         /* of its components in this frame, ascending */
  size_t n_labels;
  uint32_t kind; /* of most of its components of late, as a detector says; 0: not known */
} GstCcaObject;
