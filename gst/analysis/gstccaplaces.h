/* gst-cca: where in the frame an element looks: its region and its sensitivity
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include "cca/cca.h"
#include "gst/region/gstccaregion.h"

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

void gst_cca_places_clear (GstCcaPlaces *self);

/* Installs GST_CCA_N_PLACES properties, with ids from first_prop_id on. */
void gst_cca_places_install_properties (GObjectClass *klass, guint first_prop_id);

/* Set and get property `index`, counted from 0, with the object lock held. */
void gst_cca_places_set (GstCcaPlaces *self, guint index, const GValue *value);
void gst_cca_places_get (const GstCcaPlaces *self, guint index, GValue *value);

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
