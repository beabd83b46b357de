/* gst-cca: the member ground of rules: points of the picture with their places on the ground
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include "gstccazonesreader.h"

/* Reads the member, fits the ground to its points, and sets it as the rules'. Units and size are read before. */
gboolean gst_cca_zones_read_ground (GstCcaReader *reader, const gchar *place, JsonNode *node);

/* Refuses points of the picture that are not below the horizon. Without a ground all are fine. */
gboolean gst_cca_zones_check_on_ground (GstCcaReader *reader, const gchar *place, const GstCcaPosition *points,
                                        gsize n);
