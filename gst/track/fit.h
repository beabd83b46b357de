/* gst-cca: where objects are that share a component
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Boxes of known sizes are placed where together they cover the most foreground, near where they are expected: a search
 * of one box after the other for the occupancy that explains the foreground best, as in Fleuret, Berclaz, Lengagne &
 * Fua, "Multicamera People Tracking with a Probabilistic Occupancy Map", PAMI 30, 2008, section 4, for one camera.
 */
#pragma once

#include "coverage.h"

/* A component's pixels. */
typedef struct
{
  const GstCcaCoverage *coverage; /* NULL: the pixels are spread evenly */
  GstCcaBox box;
  double density; /* pixels of its area, for NULL */
} GstCcaBlob;

typedef struct
{
  double centre[2];    /* expected; the fit moves it */
  double size[2];      /* pixels */
  double deviation[2]; /* of the centre, pixels; above 0 */
  double filled;       /* the fit's: the part of the box that is foreground, 0…1 */
  double own;          /* the fit's: the part of that which no other box covers, 0…1 */
} GstCcaTemplate;

static inline GstCcaBox
gst_cca_template_box (const GstCcaTemplate *t)
{
  return (GstCcaBox) { { t->centre[0] - t->size[0] / 2.0, t->centre[1] - t->size[1] / 2.0 },
                       { t->centre[0] + t->size[0] / 2.0, t->centre[1] + t->size[1] / 2.0 } };
}

/* Returns the foreground pixels of a blob in a box. */
double gst_cca_blob_count (const GstCcaBlob *blob, const GstCcaBox *box);

/* Returns those that none of n other boxes covers; where three boxes overlap, fewer. */
double gst_cca_blob_count_own (const GstCcaBlob *blob, const GstCcaBox *box, const GstCcaTemplate *others, size_t n,
                               size_t self);

/* Moves n templates. */
void gst_cca_fit (const GstCcaBlob *blob, GstCcaTemplate *templates, size_t n);
