/* gst-cca: where in the frame an element looks: its region and its sensitivity
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "gstccaplaces.h"

#include "gstccapost.h"
#include "gstccastrings.h"

/* What a place is for: from grey levels to the bytes that the library wants. */
typedef struct
{
  const gchar *name, *blurb;
  GstCcaRegionKind kind;
  guint8 (*convert) (guint8 grey);
  CcaStatus (*set) (CcaPlan *plan, const CcaImage *image);
} Place;

static guint8
is_inside (guint8 grey)
{
  return grey >= 128;
}

/* The least spread is multiplied by 128 / grey. The library counts in sixteenths. */
static guint8
factor_of (guint8 grey)
{
  return grey > 0 ? (guint8) MIN ((16 * 128 + grey / 2) / grey, 255) : 255;
}

/* The places, in the order of their properties. */
enum
{
  REGION,
  SENSITIVITY,
};

static const Place places[GST_CCA_N_PLACES] = {
  [REGION] = { "region",
               "The part of the frame to analyse: a PNG or PGM file, white inside; a JSON file with polygons in the "
               "member "
               "region, as for ccazones; or such JSON itself. NULL = the whole frame",
               GST_CCA_REGION_ANY, is_inside, cca_plan_set_region },
  [SENSITIVITY] = { "sensitivity",
                    "motion-model=sigma-delta: a PNG or PGM file whose grey levels multiply the sensitivity: 128 = "
                    "unchanged, 255 = "
                    "twice, 64 = half, 0 = a sixteenth. NULL = unchanged everywhere",
                    GST_CCA_REGION_IMAGE, factor_of, cca_plan_set_sensitivity },
};

void
gst_cca_places_clear (GstCcaPlaces *self)
{
  for (guint i = 0; i < GST_CCA_N_PLACES; i++) {
    g_clear_pointer (&self->values[i], g_free);
    g_clear_pointer (&self->regions[i], gst_cca_region_free);
  }
}

/* --- Properties -------------------------------------------------------------------------------------- */

void
gst_cca_places_install_properties (GObjectClass *klass, guint first_prop_id)
{
  for (guint i = 0; i < GST_CCA_N_PLACES; i++)
    g_object_class_install_property (
        klass, first_prop_id + i,
        g_param_spec_string (places[i].name, places[i].name, places[i].blurb, NULL,
                             G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS | GST_PARAM_MUTABLE_PLAYING));
}

void
gst_cca_places_set (GstCcaPlaces *self, guint index, const GValue *value)
{
  gst_cca_set_string (&self->values[index], value);
  self->changed[index] = TRUE;
}

void
gst_cca_places_get (const GstCcaPlaces *self, guint index, GValue *value)
{
  g_value_set_string (value, self->values[index]);
}

gboolean
gst_cca_places_has_sensitivity (const GstCcaPlaces *self)
{
  return self->values[SENSITIVITY] && *self->values[SENSITIVITY];
}

/* --- Loading ----------------------------------------------------------------------------------------- */

/* Replaces what is loaded by what a value names, which is nothing if it is NULL or empty. */
static gboolean
load (GstCcaPlaces *self, guint index, const gchar *value, GError **error)
{
  GstCcaRegion *region = NULL;

  if (value && *value && !(region = gst_cca_region_load (value, places[index].kind, error)))
    return FALSE;
  self->pending[index] = self->pending[index] || region || self->regions[index];
  gst_cca_region_free (self->regions[index]);
  self->regions[index] = region;
  return TRUE;
}

/* Loads what a property names: always, or if it was set since the last time. */
static gboolean
load_property (GstCcaPlaces *self, GstElement *element, guint index, gboolean always, GError **error)
{
  g_autofree gchar *value = NULL;
  gboolean loads;

  GST_OBJECT_LOCK (element);
  loads = always || self->changed[index];
  self->changed[index] = FALSE;
  if (loads)
    value = g_strdup (self->values[index]);
  GST_OBJECT_UNLOCK (element);
  return !loads || load (self, index, value, error);
}

gboolean
gst_cca_places_start (GstCcaPlaces *self, GstElement *element)
{
  for (guint i = 0; i < GST_CCA_N_PLACES; i++) {
    g_autoptr (GError) error = NULL;

    if (!load_property (self, element, i, TRUE, &error)) {
      gst_cca_post (element, GST_MESSAGE_ERROR, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_SETTINGS, "%s: %s",
                    places[i].name, error->message);
      return FALSE;
    }
  }
  return TRUE;
}

/* --- Plans ------------------------------------------------------------------------------------------- */

void
gst_cca_places_forget_plan (GstCcaPlaces *self)
{
  for (guint i = 0; i < GST_CCA_N_PLACES; i++)
    self->pending[i] = self->regions[i] != NULL;
}

/* Draws what is loaded in `pixels`, and gives it to the plan. */
static CcaStatus
give (const GstCcaPlaces *self, guint index, CcaPlan *plan, guint8 *pixels, guint width, guint height)
{
  const CcaImage image = {
    .data = pixels, .pitch = (ptrdiff_t) width, .width = width, .height = height, .memory = CCA_MEMORY_HOST
  };

  gst_cca_region_draw (self->regions[index], width, height, pixels);
  for (gsize i = 0; i < (gsize) width * height; i++)
    pixels[i] = places[index].convert (pixels[i]);
  return places[index].set (plan, &image);
}

static gboolean
give_or_fail (const GstCcaPlaces *self, GstElement *element, guint index, CcaPlan *plan, const GstVideoInfo *info)
{
  const guint width = (guint) GST_VIDEO_INFO_WIDTH (info), height = (guint) GST_VIDEO_INFO_HEIGHT (info);
  guint8 *pixels = NULL;
  CcaStatus status;

  if (!self->regions[index])
    status = places[index].set (plan, NULL);
  else if ((pixels = g_try_malloc ((gsize) width * height)))
    status = give (self, index, plan, pixels, width, height);
  else
    status = CCA_ERROR_MEMORY;
  g_free (pixels);
  if (status != CCA_OK)
    gst_cca_post (element, GST_MESSAGE_ERROR, GST_RESOURCE_ERROR,
                  status == CCA_ERROR_MEMORY ? GST_RESOURCE_ERROR_NO_SPACE_LEFT : GST_RESOURCE_ERROR_FAILED,
                  "%s: for frames of %ux%u pixels: %s", places[index].name, width, height,
                  status == CCA_ERROR_MEMORY ? "there is no memory" : cca_last_error ());
  return status == CCA_OK;
}

gboolean
gst_cca_places_update (GstCcaPlaces *self, GstElement *element, CcaPlan *plan, const GstVideoInfo *info)
{
  for (guint i = 0; i < GST_CCA_N_PLACES; i++) {
    g_autoptr (GError) error = NULL;

    if (!load_property (self, element, i, FALSE, &error))
      gst_cca_post (element, GST_MESSAGE_WARNING, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_SETTINGS,
                    "%s: %s; keeping the previous %s", places[i].name, error->message, places[i].name);
    if (self->pending[i] && !give_or_fail (self, element, i, plan, info))
      return FALSE;
    self->pending[i] = FALSE;
  }
  return TRUE;
}
