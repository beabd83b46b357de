/* gst-cca: where a rule lies in a frame, and which tracks it is for
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include "rules.h"

typedef struct
{
  GstCcaRulesRule params; /* name, points and kinds are owned */

  /* In the frame, in pixels. */
  GstCcaPosition *points;
  size_t n_points;
  GstCcaBox bounds; /* around the points */
  double band, band_of_box, radius, area;
  double min_area, max_area, min_width, max_width, min_height, max_height;
} GstCcaPlace;

/* Copies the parameters. Returns FALSE if memory is exhausted; the place must be cleared all the same. */
bool gst_cca_place_init (GstCcaPlace *place, const GstCcaRulesRule *params);
void gst_cca_place_clear (GstCcaPlace *place); /* one of zeros is allowed */

/* Scales the place to a frame; scales are pixels of the frame for one of the parameters' units. */
void gst_cca_place_scale (GstCcaPlace *place, double scale_x, double scale_y, double width, double height);

/* Returns whether the place is a zone that is the whole frame. */
bool gst_cca_place_is_frame (const GstCcaPlace *place);

GstCcaPosition gst_cca_box_center (const GstCcaBox *box);

/* Returns the point of a box that counts; for GST_CCA_RULES_OVERLAP its centre. */
GstCcaPosition gst_cca_place_anchor (const GstCcaPlace *place, const GstCcaBox *box);

/* Returns whether the rule is for tracks of this kind and size. */
bool gst_cca_place_admits (const GstCcaPlace *place, const GstCcaObject *track);

/* Returns how far from the rule's border a box is still on it; back: for a track that has already crossed it, the other
 * way. */
double gst_cca_place_band (const GstCcaPlace *place, const GstCcaBox *box, bool back);

/* Returns whether a box lies in a zone; one that did stays there within the band. */
bool gst_cca_place_contains (const GstCcaPlace *place, const GstCcaBox *box, bool was_inside);

/* Returns gst_cca_polyline_crossings() for a line and the way between the anchors of two boxes. */
int gst_cca_place_crossings (const GstCcaPlace *place, const GstCcaBox *from, const GstCcaBox *to);

/* Returns whether a box lies about where the zone does. */
bool gst_cca_place_matches (const GstCcaPlace *place, const GstCcaBox *box);
