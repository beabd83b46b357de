/* gst-cca: ccaprivacy, the base of cudaccaprivacy
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include "gst/region/gstccaregion.h"
#include "veil.h"

#include <gst/base/gstbasetransform.h>
#include <gst/video/video.h>

#define GST_CCA_PRIVACY_SHAPE                                                                                          \
  "width = (int) [ 1, 65535 ], height = (int) [ 1, 65535 ], framerate = (fraction) [ 0, max ]"

#define GST_TYPE_CCA_PRIVACY (gst_cca_privacy_get_type ())
#define GST_CCA_PRIVACY(object) (G_TYPE_CHECK_INSTANCE_CAST ((object), GST_TYPE_CCA_PRIVACY, GstCcaPrivacy))
#define GST_CCA_PRIVACY_CLASS(klass) (G_TYPE_CHECK_CLASS_CAST ((klass), GST_TYPE_CCA_PRIVACY, GstCcaPrivacyClass))
#define GST_CCA_PRIVACY_GET_CLASS(object)                                                                              \
  (G_TYPE_INSTANCE_GET_CLASS ((object), GST_TYPE_CCA_PRIVACY, GstCcaPrivacyClass))

typedef enum
{
  GST_CCA_PRIVACY_HIDE_FOREGROUND = 1 << 0,
  GST_CCA_PRIVACY_HIDE_TRACKS = 1 << 1,
} GstCcaPrivacyHide;

typedef struct
{
  GstBaseTransform parent;

  /* Under the object lock. */
  GstCcaVeilMode mode;
  GstCcaPrivacyHide hide;
  GRefString *id; /* NULL: the first meta's */
  gchar *region_value;
  gboolean region_changed;
  guint dilation, n_cells, fill_color;
  guint64 n_frames, n_whole;

  GstVideoInfo info;
  GstCcaCover cover;
  GstCcaVeil veil;
  GstCcaCoverBox *boxes; /* of a frame's components */
  gsize boxes_room;
  GstCcaRegion *region;     /* NULL: none */
  GstCcaCover region_cover; /* its blocks; for no frame: not drawn yet */
  guint warned;             /* bits one for each reason that was reported */
} GstCcaPrivacy;

/* For the memory of the frames; those of ccaprivacy are for system memory. */
typedef struct
{
  GstBaseTransformClass parent_class;

  GstMapFlags (*map_flag) (GstCcaPrivacy *self, GstBuffer *buffer);
  /* Paints over the hidden blocks of the cover; posts an error and returns FALSE if it cannot. */
  gboolean (*paint) (GstCcaPrivacy *self, GstBuffer *buffer, const GstCcaVeilFrame *frame, GstCcaVeilMode mode);
} GstCcaPrivacyClass;

GType gst_cca_privacy_get_type (void);
