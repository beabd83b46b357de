/* gst-cca: the colours of objects on an overlay
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#ifndef GST_CCA_PALETTE_H
#define GST_CCA_PALETTE_H

#include <cca/label-color.h>
#include <glib.h>

#define GST_CCA_EDGE_COLOR 0x80000000u  /* beside lines, so that they stand out from any picture */
#define GST_CCA_COUNT_COLOR 0xff000000u /* no label has it */
#define GST_CCA_RULE_COLOR 0xffffffffu  /* nor this one */
#define GST_CCA_ZONE_COLOR 0x28ffffffu

/* Returns the colour of a label, or of a track's identity from 1, as 0xAARRGGBB with that alpha (0…255). */
static inline guint32
gst_cca_palette_color (guint64 id, guint32 alpha)
{
  const guint32 color = cca_label_color ((guint32) id);

  return alpha << 24 | (color & 0xff) << 16 | (color & 0xff00) | (color >> 16 & 0xff);
}

#endif
