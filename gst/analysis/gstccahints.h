/* gst-cca: advice on settings that do little
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#ifndef GST_CCA_HINTS_H
#define GST_CCA_HINTS_H

#include "gstccaparams.h"

#include <gst/video/video.h>

G_BEGIN_DECLS

/* The hints that were posted already. All 0: none. */
typedef struct
{
  gboolean without_effect, whole_frame;
} GstCcaHints;

/* Warns of settings that have no effect with the parameters in use; once until there are none. `sensitivity`: whether
 * that property is set. */
void gst_cca_hints_see_settings (GstCcaHints *self, GstElement *element, const GstCcaSettings *settings,
                                 const CcaParams *used, gboolean sensitivity);

/* Tells once where foreground=nonzero finds a component that is nearly the whole frame. */
void gst_cca_hints_see_components (GstCcaHints *self, GstElement *element, const CcaParams *params,
                                   const GstVideoInfo *info, const CcaMeasurement *measurement);

G_END_DECLS

#endif
