/* gst-cca: ccacrop, the base of cudaccacrop
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <gst/video/video.h>

#include "gstccaunderway.h"
#include "letterbox.h"

#define GST_TYPE_CCA_CROP (gst_cca_crop_get_type ())
#define GST_CCA_CROP(object) (G_TYPE_CHECK_INSTANCE_CAST ((object), GST_TYPE_CCA_CROP, GstCcaCrop))
#define GST_CCA_CROP_CLASS(klass) (G_TYPE_CHECK_CLASS_CAST ((klass), GST_TYPE_CCA_CROP, GstCcaCropClass))
#define GST_CCA_CROP_GET_CLASS(object) (G_TYPE_INSTANCE_GET_CLASS ((object), GST_TYPE_CCA_CROP, GstCcaCropClass))

typedef struct
{
  GstElement parent;
  GstPad *sink, *src;

  /* Under the object lock. */
  guint max_frames;
  guint64 n_frames, n_tiles, n_pixels;

  GstCcaUnderway *underway;
  GstVideoInfo frame_info, tile_info; /* format UNKNOWN: no caps so far */
  GstBufferPool *pool;                /* of tiles; NULL before the first one of these caps */
  guint64 number;                     /* of the next frame */
  guint warned;
} GstCcaCrop;

/* For the memory of frames and tiles; ccacrop itself has those for system memory. */
typedef struct
{
  GstElementClass parent_class;

  const gchar *memory, *converter; /* for messages: where pixels are, and the element that converts them */

  /* Before the tiles of a frame are made. */
  void (*prepare) (GstCcaCrop *self, GstBuffer *frame);
  /* Returns a configured pool of tiles, or NULL. */
  GstBufferPool *(*new_pool) (GstCcaCrop *self, GstCaps *caps);
  /* Fills n tiles of the pool with crops of a frame; posts an error and returns FALSE if it cannot. */
  gboolean (*fill) (GstCcaCrop *self, GstBuffer *frame, GstBuffer *const *tiles, const GstCcaLetterbox *boxes, guint n);
} GstCcaCropClass;

GType gst_cca_crop_get_type (void);

/* Makes the next tile come from a new pool. */
void gst_cca_crop_drop_pool (GstCcaCrop *self);

/* Posts an error about a frame, and returns FALSE. */
gboolean gst_cca_crop_fail (GstCcaCrop *self, const gchar *problem);
