/* gst-cca: the parameters of libcca as GObject properties
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include "cca/cca.h"

#include <gst/gst.h>
#include <gst/video/video.h>

#define GST_CCA_SETTINGS_N_SET 13

/* How far away objects are. */
typedef enum
{
  GST_CCA_DISTANCE_UNKNOWN,
  GST_CCA_DISTANCE_NEAR,
  GST_CCA_DISTANCE_FAR,
} GstCcaDistance;

/* The settings of an element: parameters, and values that depend on the stream. */
typedef struct
{
  CcaParams params;
  guint preset; /* an index of the presets; 0: none */
  gboolean coverage;
  gboolean is_set[GST_CCA_SETTINGS_N_SET]; /* properties that were set; other values depend on each other */
  guint64 learning_time;                   /* ns; 0: params.motion.learning */
  guint64 period_time;                     /* ns; 0: params.motion.period */
  GstCcaDistance distance;                 /* as a tracker saw it */
} GstCcaSettings;

/* Property ids above this one are free for the element. */
#define GST_CCA_SETTINGS_LAST_PROP 40

void gst_cca_settings_init (GstCcaSettings *settings);

/* An enumeration of "auto" and the backend's algorithms that have all of the capabilities (CcaCapabilities), registered
 * under type_name. */
GType gst_cca_algorithm_type_new (const gchar *type_name, CcaBackend backend, guint capabilities);

/* Installs the properties that have a meaning for the backend; the settings are at an offset in the instance. */
void gst_cca_settings_install_properties (GObjectClass *klass, gssize offset, CcaBackend backend, GType algorithm_type);

/* The properties that are more than a field; for others, return FALSE. The caller holds whatever guards the settings.
 */
gboolean gst_cca_settings_set_algorithm (GstCcaSettings *settings, guint prop_id, const GValue *value);
gboolean gst_cca_settings_get_effective (const GstCcaSettings *settings, GParamSpec *spec, GValue *value);

/* Takes which part of the frame the box of a typical moving object is, as a tracker saw it; 0: not known. Returns
 * whether the settings have changed. */
gboolean gst_cca_settings_see_objects (GstCcaSettings *settings, gdouble part);

/* The parameters for a stream: times become frames by its frame rate, where it has one. The rest of what its caps say
 * is left to gst_cca_format_set_params(). */
CcaParams gst_cca_settings_resolve (const GstCcaSettings *settings, const GstVideoInfo *info);

/* Returns a sentence that names the properties that are set and have no effect with the foreground or the background
 * model in use, and what to do, to be freed; NULL if there are none. `sensitivity`: whether that property is set. */
gchar *gst_cca_settings_without_effect (const GstCcaSettings *settings, const CcaParams *used, gboolean sensitivity);

/* A text of the library on parameters, with the properties' names in place of the members', to be freed. */
gchar *gst_cca_settings_error_text (const gchar *error);
