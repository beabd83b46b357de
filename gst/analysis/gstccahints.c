/* gst-cca: advice on settings that do little
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "gstccahints.h"

#include "gstccapost.h"

void
gst_cca_hints_see_settings (GstCcaHints *self, GstElement *element, const GstCcaSettings *settings,
                            const CcaParams *used, gboolean sensitivity)
{
  gchar *text = gst_cca_settings_without_effect (settings, used, sensitivity);

  if (text && !self->without_effect)
    gst_cca_post (element, GST_MESSAGE_WARNING, GST_LIBRARY_ERROR, GST_LIBRARY_ERROR_SETTINGS, "%s", text);
  self->without_effect = text != NULL;
  g_free (text);
}

void
gst_cca_hints_see_components (GstCcaHints *self, GstElement *element, const CcaParams *params, const GstVideoInfo *info,
                              const CcaMeasurement *measurement)
{
  const guint64 n_pixels = (guint64) GST_VIDEO_INFO_WIDTH (info) * (guint64) GST_VIDEO_INFO_HEIGHT (info);

  if (self->whole_frame || params->foreground != CCA_FOREGROUND_NONZERO || params->invert || measurement->n_stored == 0
      || measurement->components[0].area < n_pixels - n_pixels / 10)
    return;
  self->whole_frame = TRUE;
  gst_cca_post (element, GST_MESSAGE_INFO, GST_LIBRARY_ERROR, GST_LIBRARY_ERROR_SETTINGS,
                "One component covers nearly the whole frame, because foreground=nonzero takes all pixels above black. "
                "For video of a camera set foreground=motion, or foreground=threshold and a threshold");
}
