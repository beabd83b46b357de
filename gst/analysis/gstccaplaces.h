/* gst-cca: where in the frame an element looks: its region and its sensitivity
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include "cca/cca.h"
#include "gst/region/gstccaregion.h"
#include "gstccapublisher.h"

#include <gst/video/video.h>

#define GST_CCA_N_PLACES 2

/* Both properties name a file that is read before the first frame, and again when they are set while frames pass. */
typedef struct
{
  /* Under the object lock. */
  gchar *values[GST_CCA_N_PLACES]; /* the properties */
  gboolean changed[GST_CCA_N_PLACES];

  /* Of the streaming thread. */
  GstCcaRegion *regions[GST_CCA_N_PLACES]; /* as loaded; NULL: none */
  gboolean pending[GST_CCA_N_PLACES];      /* loaded, but not in the plan yet */
} GstCcaPlaces;

extern const GstCcaProperties gst_cca_places_properties;

/* Property ids between GST_CCA_PUBLISHER_LAST_PROP and this one are the places'. */
#define GST_CCA_PLACES_LAST_PROP 52

void gst_cca_places_clear (GstCcaPlaces *self);

/* Returns whether the property `sensitivity` is set; with the object lock held. */
gboolean gst_cca_places_has_sensitivity (const GstCcaPlaces *self);

/* Loads the files that the properties name; large images are decoded with the first frame. Posts an error and returns
 * FALSE on failure. */
gboolean gst_cca_places_start (GstCcaPlaces *self, GstElement *element);

/* Gives the plan the changed regions, or all if the plan is new; call it before each frame. If a file cannot be read,
 * posts a warning and keeps the previous region. Posts an error and returns FALSE if a large image from the start
 * cannot be decoded, or the plan refuses a region. */
gboolean gst_cca_places_update (GstCcaPlaces *self, GstElement *element, CcaPlan *plan, const GstVideoInfo *info);

/* Call it before the plan is replaced. */
void gst_cca_places_forget_plan (GstCcaPlaces *self);
