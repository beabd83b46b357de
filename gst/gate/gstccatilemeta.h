/* gst-cca: where a tile comes from, on its way from ccacrop to ccauncrop
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <gst/gst.h>

#include "letterbox.h"

/* It has no tags, so that elements that convert, scale or copy a tile keep it. */
typedef struct
{
  guint64 frame;       /* the number of the frame */
  guint tile;          /* the number of the tile in it */
  guint width, height; /* of the tile when it was cut, pixels */
  GstCcaLetterbox box;
} GstCcaTileOrigin;

typedef struct
{
  GstMeta meta;
  GstCcaTileOrigin origin;
} GstCcaTileMeta;

void gst_buffer_add_cca_tile_meta (GstBuffer *buffer, const GstCcaTileOrigin *origin);

/* Returns NULL if the buffer has none. */
const GstCcaTileOrigin *gst_buffer_get_cca_tile_origin (GstBuffer *buffer);
