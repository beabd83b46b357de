/* gst-cca: ccatrack, follows components from frame to frame
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#ifndef GST_CCA_TRACK_H
#define GST_CCA_TRACK_H

#include <gst/base/gstbasetransform.h>

G_BEGIN_DECLS

/* The type's name gives elements theirs, ccatrack0; GstCcaTrack is a track in a frame. */
#define GST_TYPE_CCA_TRACK_ELEMENT (gst_cca_track_element_get_type ())
G_DECLARE_FINAL_TYPE (GstCCATrack, gst_cca_track_element, GST, CCA_TRACK_ELEMENT, GstBaseTransform)

GST_ELEMENT_REGISTER_DECLARE (ccatrack);

G_END_DECLS

#endif
