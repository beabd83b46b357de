/* gst-cca: where in the frame an element looks: its region and its sensitivity
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "gstccaplaces.h"

#include "gstccapost.h"

/* Uses of a place: each converts grey levels to the library's bytes. */
typedef struct
{
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
  [REGION] = { GST_CCA_REGION_ANY, is_inside, cca_plan_set_region },
  [SENSITIVITY] = { GST_CCA_REGION_IMAGE, factor_of, cca_plan_set_sensitivity },
};

#define AT(field) G_STRUCT_OFFSET (GstCcaPlaces, field)

static const GstCcaProperty list[GST_CCA_N_PLACES] = {
  [REGION] = { "region", AT (values[REGION]), G_TYPE_STRING, .changed = AT (changed[REGION]),
               .blurb = "The part of the frame to analyse: a PNG or PGM file, white inside; a JSON file with polygons "
                        "in the member region, as for ccazones; or such JSON itself. NULL = the whole frame" },
  [SENSITIVITY] = { "sensitivity", AT (values[SENSITIVITY]), G_TYPE_STRING, .changed = AT (changed[SENSITIVITY]),
                    .blurb = "motion-model=sigma-delta: a PNG or PGM file whose grey levels multiply the sensitivity: "
                             "128 = unchanged, 255 = twice, 64 = half, 0 = a sixteenth. NULL = unchanged everywhere" },
};
const GstCcaProperties gst_cca_places_properties = { GST_CCA_PUBLISHER_LAST_PROP + 1, GST_CCA_N_PLACES, list,
                                                     GST_CCA_PROPERTY_PLAYING };

void
gst_cca_places_clear (GstCcaPlaces *self)
{
  gst_cca_properties_clear (&gst_cca_places_properties, self);
  for (guint i = 0; i < GST_CCA_N_PLACES; i++)
    g_clear_pointer (&self->regions[i], gst_cca_region_free);
}

gboolean
gst_cca_places_has_sensitivity (const GstCcaPlaces *self)
{
  return self->values[SENSITIVITY] && *self->values[SENSITIVITY];
}

/* --- Loading ----------------------------------------------------------------------------------------- */

/* Returns the file that a property names, to be freed, or NULL for none; with the object lock held. */
static gchar *
take_value (GstCcaPlaces *self, guint index)
{
  const gchar *value = self->values[index];

  self->changed[index] = FALSE;
  return value && *value ? g_strdup (value) : NULL;
}

static void
replace (GstCcaPlaces *self, guint index, GstCcaRegion *region)
{
  self->pending[index] = self->pending[index] || region || self->regions[index];
  gst_cca_region_free (self->regions[index]);
  self->regions[index] = region;
}

gboolean
gst_cca_places_start (GstCcaPlaces *self, GstElement *element)
{
  for (guint i = 0; i < GST_CCA_N_PLACES; i++) {
    g_autoptr (GError) error = NULL;
    g_autofree gchar *value = NULL;

    GST_OBJECT_LOCK (element);
    value = take_value (self, i);
    GST_OBJECT_UNLOCK (element);
    replace (self, i, value ? gst_cca_region_load (value, places[i].kind, &error) : NULL);
    if (error) {
      gst_cca_post (element, GST_MESSAGE_ERROR, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_SETTINGS, "%s: %s", list[i].name,
                    error->message);
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

/* Returns a region as the library's bytes, to be freed; NULL and an error on failure. */
static guint8 *
draw (guint index, const GstCcaRegion *region, const GstVideoInfo *info, GError **error)
{
  const guint width = (guint) GST_VIDEO_INFO_WIDTH (info), height = (guint) GST_VIDEO_INFO_HEIGHT (info);
  guint8 *pixels = gst_cca_region_draw (region, width, height, error);

  for (gsize i = 0; pixels && i < (gsize) width * height; i++)
    pixels[i] = places[index].convert (pixels[i]);
  return pixels;
}

/* Loads a file that was set since the last call, and returns its pixels, if any. Changes nothing if it cannot be read.
 */
static guint8 *
take_change (GstCcaPlaces *self, GstElement *element, guint index, const GstVideoInfo *info)
{
  g_autoptr (GError) error = NULL;
  g_autofree gchar *value = NULL;
  GstCcaRegion *region = NULL;
  guint8 *pixels = NULL;
  gboolean changed;

  GST_OBJECT_LOCK (element);
  changed = self->changed[index];
  if (changed)
    value = take_value (self, index);
  GST_OBJECT_UNLOCK (element);
  if (!changed)
    return NULL;
  if (value && (region = gst_cca_region_load (value, places[index].kind, &error)))
    pixels = draw (index, region, info, &error);
  if (error) {
    gst_cca_post (element, GST_MESSAGE_WARNING, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_SETTINGS,
                  "%s: %s; keeping the previous %s", list[index].name, error->message, list[index].name);
    gst_cca_region_free (region);
  } else {
    replace (self, index, region);
  }
  return pixels;
}

/* Gives the plan the loaded file; takes its pixels if they were drawn already. */
static gboolean
give (const GstCcaPlaces *self, GstElement *element, guint index, CcaPlan *plan, const GstVideoInfo *info,
      guint8 *pixels)
{
  CcaImage image = {
    .pitch = GST_VIDEO_INFO_WIDTH (info),
    .width = (guint) GST_VIDEO_INFO_WIDTH (info),
    .height = (guint) GST_VIDEO_INFO_HEIGHT (info),
    .memory = CCA_MEMORY_HOST,
  };
  const GstCcaRegion *region = self->regions[index];
  g_autoptr (GError) error = NULL;
  CcaStatus status = CCA_OK;

  if (region && !pixels)
    pixels = draw (index, region, info, &error);
  image.data = pixels;
  if (!error)
    status = places[index].set (plan, region ? &image : NULL);
  g_free (pixels);
  if (error)
    gst_cca_post (element, GST_MESSAGE_ERROR, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_SETTINGS, "%s: %s",
                  list[index].name, error->message);
  else if (status != CCA_OK)
    gst_cca_post (element, GST_MESSAGE_ERROR, GST_RESOURCE_ERROR,
                  status == CCA_ERROR_MEMORY ? GST_RESOURCE_ERROR_NO_SPACE_LEFT : GST_RESOURCE_ERROR_FAILED,
                  "%s: for frames of %ux%u pixels: %s", list[index].name, image.width, image.height,
                  status == CCA_ERROR_MEMORY ? "there is no memory" : cca_last_error ());
  return !error && status == CCA_OK;
}

gboolean
gst_cca_places_update (GstCcaPlaces *self, GstElement *element, CcaPlan *plan, const GstVideoInfo *info)
{
  for (guint i = 0; i < GST_CCA_N_PLACES; i++) {
    guint8 *pixels = take_change (self, element, i, info);

    if (self->pending[i] && !give (self, element, i, plan, info, pixels))
      return FALSE;
    self->pending[i] = FALSE;
  }
  return TRUE;
}
