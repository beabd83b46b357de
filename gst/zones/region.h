/* gst-cca: where a rule lies in a frame, and which tracks it is for
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#ifndef GST_CCA_REGION_H
#define GST_CCA_REGION_H

#include "rules.h"

typedef struct
{
  GstCcaRulesRule params; /* name and points are owned */

  /* In the frame, in pixels. */
  GstCcaPosition *points;
  size_t n_points;
  GstCcaBox bounds; /* around the points */
  double band, band_of_box, radius, area;
  double min_area, max_area, min_width, max_width, min_height, max_height;
} GstCcaRegion;

/* Copies the parameters. Returns FALSE if memory is exhausted; the region must be cleared all the same. */
bool gst_cca_region_init (GstCcaRegion *region, const GstCcaRulesRule *params);
void gst_cca_region_clear (GstCcaRegion *region); /* one of zeros is allowed */

/* Places the region in a frame; scales are pixels of the frame for one of the parameters' units. */
void gst_cca_region_scale (GstCcaRegion *region, double scale_x, double scale_y, double width, double height);

/* Returns whether the region is a zone that is the whole frame. */
bool gst_cca_region_is_frame (const GstCcaRegion *region);

GstCcaPosition gst_cca_box_center (const GstCcaBox *box);

/* Returns the point of a box that counts; for GST_CCA_RULES_OVERLAP its centre. */
GstCcaPosition gst_cca_region_anchor (const GstCcaRegion *region, const GstCcaBox *box);

/* Returns whether the rule is for tracks of this size. */
bool gst_cca_region_admits (const GstCcaRegion *region, const GstCcaRulesTrack *track);

/* Returns how far from the rule's border a box is still on it. */
double gst_cca_region_band (const GstCcaRegion *region, const GstCcaBox *box);

/* Returns whether a box lies in a zone; one that did stays there within the band. */
bool gst_cca_region_contains (const GstCcaRegion *region, const GstCcaBox *box, bool was_inside);

/* Returns gst_cca_polyline_crossings() for a line and the way between the anchors of two boxes. */
int gst_cca_region_crossings (const GstCcaRegion *region, const GstCcaBox *from, const GstCcaBox *to);

/* Returns whether a box lies about where the zone does. */
bool gst_cca_region_matches (const GstCcaRegion *region, const GstCcaBox *box);

#endif
