/* gst-cca: components carried from one frame's coordinates to another's
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#ifndef GST_CCA_MAPPING_H
#define GST_CCA_MAPPING_H

#include <gst/cca/gstccameta.h>

/* One axis of the new frame. A position e on the old frame's axis, measured between pixels, from the frame's edge, goes
 * to e * num / den + offset. The quotient is kept apart so that whole ratios round exactly. */
typedef struct
{
  gdouble num, den, offset;
  guint low, high; /* what is visible: low <= position <= high */
} GstCcaAxis;

typedef struct
{
  GstCcaAxis x, y;
  gboolean swap; /* the new x comes from the old y and the other way round */
  gdouble
      slack; /* how far beyond a whole pixel a box's edge may lie before the box grows by one; for inexact numbers */
  guint width, height; /* of the new frame */
} GstCcaMapping;

gboolean gst_cca_mapping_from_scale (GstCcaMapping *mapping, const GstCcaMeta *meta,
                                     const GstVideoMetaTransform *scale);

#if GST_CHECK_VERSION(1, 28, 0)
gboolean gst_cca_mapping_from_matrix (GstCcaMapping *mapping, const GstCcaMeta *meta,
                                      const GstVideoMetaTransformMatrix *matrix);
#endif

/* FALSE where nothing of the component is left in the new frame. */
gboolean gst_cca_mapping_apply (const GstCcaMapping *mapping, const GstCcaComponent *from, GstCcaComponent *to);

#endif
