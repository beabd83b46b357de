/* gst-cca: the class that outputs show for a track
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <gst/cca/gstccaeventmeta.h>
#include <gst/cca/gstccatrackmeta.h>

/* Returns the class that a detector gave a track or, where it named none, the class of its size on the ground; 0 if
 * there is neither. on_ground may be NULL. */
static inline GQuark
gst_cca_track_class (const GstCcaTrack *track, const GstCcaGroundTrack *on_ground)
{
  return track->object_type == 0 && on_ground ? on_ground->size_class : track->object_type;
}
