/* gst-cca: cudaccacrop, cuts the crops of a frame in CUDA memory for a detector
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "gstccacrop.h"

#include "gstccacuda.h"
#include "gstccaframe.h"
#include "gstccatemplates.h"
#include "kernels.h"

/* A tile that is being filled. */
typedef struct
{
  GstVideoFrame frame;
  GstCcaCropParams params[GST_CCA_CROP_COMPONENTS]; /* of its grids of values */
} Tile;

typedef struct
{
  GstCcaCrop parent;

  GstCcaCuda cuda; /* of the frames' context; nothing is open before the first frame with a crop */
  Tile *tiles;     /* of a frame; GST_CCA_TILES_MOST */
} GstCudaCcaCrop;

typedef GstCcaCropClass GstCudaCcaCropClass;

#define GST_CUDA_CCA_CROP(object) (G_TYPE_CHECK_INSTANCE_CAST ((object), gst_cuda_cca_crop_get_type (), GstCudaCcaCrop))

GType gst_cuda_cca_crop_get_type (void);
G_DEFINE_TYPE (GstCudaCcaCrop, gst_cuda_cca_crop, GST_TYPE_CCA_CROP)
GST_ELEMENT_REGISTER_DECLARE (cudaccacrop);
GST_ELEMENT_REGISTER_DEFINE (cudaccacrop, "cudaccacrop", GST_RANK_NONE, gst_cuda_cca_crop_get_type ())

#define CUDA_CROP_CAPS                                                                                                 \
  GST_VIDEO_CAPS_MAKE_WITH_FEATURES ("memory:CUDAMemory", "{ NV12, NV21, I420, YV12, Y42B, Y444, YUY2, UYVY, RGBx, "   \
                                                          "BGRx, RGBA, BGRA, RGB, BGR, RGBP, BGRP }")

/* --- Kernel ------------------------------------------------------------------------------------------- */

extern const unsigned char cca_fatbin_crop[];

static const gchar *const names[] = { CCA_KERNELS_crop (GST_CCA_CUDA_NAME) };

enum
{
  CCA_KERNELS_crop (GST_CCA_CUDA_INDEX)
};

static void
close_device (GstCudaCcaCrop *self)
{
  gst_cca_crop_drop_pool (&self->parent);
  gst_cca_cuda_close (&self->cuda);
}

/* --- Colors ------------------------------------------------------------------------------------------- */

/* The values of a format, of the first three components, for red, green, blue and 1. */
typedef gdouble Colors[3][4];

static void
describe (const GstVideoInfo *info, Colors colors)
{
  gdouble black[3], values[3];

  gst_cca_frame_color (info, (const gdouble[]) { 0.0, 0.0, 0.0 }, black);
  for (guint j = 0; j < 3; j++) {
    const gdouble rgb[] = { j == 0, j == 1, j == 2 };

    gst_cca_frame_color (info, rgb, values);
    for (guint i = 0; i < 3; i++)
      colors[i][j] = values[i] - black[i];
  }
  for (guint i = 0; i < 3; i++)
    colors[i][3] = black[i];
}

/* Returns the minor of a 3x3 matrix without a row and a column, with its sign. */
static gdouble
cofactor (Colors m, guint row, guint column)
{
  const guint i = (row + 1) % 3, k = (row + 2) % 3, j = (column + 1) % 3, l = (column + 2) % 3;

  return m[i][j] * m[k][l] - m[i][l] * m[k][j];
}

/* Sets how values of a tile follow from those of the frame; the fourth component is the alpha. */
static void
set_colors (GstCcaCropParams *params, const GstVideoInfo *from, const GstVideoInfo *to)
{
  Colors source, target;
  gdouble determinant = 0.0;

  describe (from, source);
  describe (to, target);
  for (guint j = 0; j < 3; j++)
    determinant += source[0][j] * cofactor (source, 0, j);
  for (guint i = 0; i < 3; i++) {
    gdouble constant = target[i][3];

    for (guint j = 0; j < 3; j++) {
      gdouble factor = 0.0;

      for (guint k = 0; k < 3; k++)
        factor += target[i][k] * cofactor (source, j, k) / determinant;
      if (ABS (factor) < 1e-6)
        factor = 0.0;
      params->matrix[i][j] = (gfloat) factor;
      constant -= factor * source[j][3];
    }
    params->matrix[i][GST_CCA_CROP_COMPONENTS] = (gfloat) constant;
    params->black[i] = (gfloat) target[i][3];
  }
  params->black[3] = 255.0f;
  if (GST_VIDEO_INFO_HAS_ALPHA (from))
    params->matrix[3][3] = 1.0f;
  else
    params->matrix[3][GST_CCA_CROP_COMPONENTS] = 255.0f;
}

/* --- Tiles -------------------------------------------------------------------------------------------- */

/* Lists the launches that fill a tile, one for each of its grids of values. Returns how many there are. */
static guint
list_launches (const GstVideoFrame *from, Tile *tile, const GstCcaLetterbox *box,
               GstCcaCudaLaunch list[GST_CCA_CROP_COMPONENTS])
{
  GstCcaCropParams all = { .size = { (guint) tile->frame.info.width, (guint) tile->frame.info.height } };
  GstCcaCropParams *params = NULL;
  guint n_components, n = 0;

  gst_cca_frame_list_values (from, all.from);
  n_components = gst_cca_frame_list_values (&tile->frame, all.to);
  set_colors (&all, &from->info, &tile->frame.info);
  for (guint i = 0; i < 2; i++) {
    all.crop_begin[i] = (guint) box->crop.min[i];
    all.crop_end[i] = (guint) box->crop.max[i];
    all.place_begin[i] = (guint) box->place.min[i];
    all.place_end[i] = (guint) box->place.max[i];
  }
  for (guint i = 0; i < n_components; i++) {
    const GstCcaValues *to = &all.to[i];

    if (n == 0 || to[-1].shift_x != to->shift_x || to[-1].shift_y != to->shift_y) {
      params = &tile->params[n];
      *params = all;
      params->first = i;
      list[n++] = (GstCcaCudaLaunch) { KERNEL_crop_fill,
                                       gst_cca_cuda_n_blocks (all.size[0], GST_CCA_CROP_COLUMNS << to->shift_x),
                                       gst_cca_cuda_n_blocks (all.size[1], GST_CCA_CROP_ROWS << to->shift_y),
                                       GST_CCA_CROP_THREADS, params };
    }
    params->last = i;
    for (guint j = 0; j < GST_CCA_CROP_COMPONENTS; j++)
      if (all.matrix[i][j] != 0.0f)
        params->sources |= 1u << j;
  }
  return n;
}

static gboolean
run (GstCudaCcaCrop *self, GstBuffer *buffer, const GstVideoFrame *from, GstBuffer *tile, guint n,
     const GstCcaLetterbox *boxes)
{
  GstCcaCudaLaunch list[GST_CCA_TILES_MOST * GST_CCA_CROP_COMPONENTS];
  g_autoptr (GError) error = NULL;
  guint n_launches = 0;

  for (guint i = 0; i < n; i++)
    n_launches += list_launches (from, &self->tiles[i], &boxes[i], &list[n_launches]);
  if (gst_cca_cuda_load (&self->cuda, cca_fatbin_crop, names, G_N_ELEMENTS (names), &error)
      && gst_cca_cuda_run (&self->cuda, gst_cca_cuda_stream (&self->cuda, buffer, tile), 0, 0, list, n_launches,
                           &error))
    return TRUE;
  gst_cca_cuda_fail (&self->cuda, error);
  return FALSE;
}

/* --- Element ------------------------------------------------------------------------------------------ */

static void
prepare (GstCcaCrop *base, GstBuffer *buffer)
{
  GstCudaCcaCrop *self = GST_CUDA_CCA_CROP (base);

  if (!gst_cca_cuda_is_foreign (&self->cuda, buffer))
    return;
  close_device (self);
  gst_cca_cuda_follow (&self->cuda, buffer);
}

static GstBufferPool *
new_pool (GstCcaCrop *base, GstCaps *caps)
{
  GstCudaCcaCrop *self = GST_CUDA_CCA_CROP (base);
  guint size;

  /* System memory, whatever the caps say. */
  if (!gst_cca_cuda_native (&self->cuda))
    return GST_CCA_CROP_CLASS (gst_cuda_cca_crop_parent_class)->new_pool (base, caps);
  return gst_cca_cuda_pool_new (&self->cuda, caps, &size);
}

static gboolean
fill (GstCcaCrop *base, GstBuffer *buffer, GstBuffer *const *tiles, const GstCcaLetterbox *boxes, guint n)
{
  GstCudaCcaCrop *self = GST_CUDA_CCA_CROP (base);
  gboolean filled = FALSE;
  GstVideoFrame frame;
  guint n_mapped = 0;

  if (!gst_cca_cuda_map_flag (&self->cuda, buffer))
    return GST_CCA_CROP_CLASS (gst_cuda_cca_crop_parent_class)->fill (base, buffer, tiles, boxes, n);
  if (!gst_video_frame_map (&frame, &base->frame_info, buffer,
                            GST_MAP_READ | gst_cca_cuda_map_flag (&self->cuda, buffer)))
    return gst_cca_crop_fail (base, "cannot read the pixels");
  while (n_mapped < n
         && gst_video_frame_map (&self->tiles[n_mapped].frame, &base->tile_info, tiles[n_mapped],
                                 GST_MAP_WRITE | gst_cca_cuda_map_flag (&self->cuda, tiles[n_mapped])))
    n_mapped++;
  filled =
      n_mapped < n ? gst_cca_crop_fail (base, "cannot write a tile") : run (self, buffer, &frame, tiles[0], n, boxes);
  while (n_mapped > 0)
    gst_video_frame_unmap (&self->tiles[--n_mapped].frame);
  gst_video_frame_unmap (&frame);
  return filled;
}

static GstStateChangeReturn
gst_cuda_cca_crop_change_state (GstElement *element, GstStateChange transition)
{
  const GstStateChangeReturn changed =
      GST_ELEMENT_CLASS (gst_cuda_cca_crop_parent_class)->change_state (element, transition);

  if (transition == GST_STATE_CHANGE_PAUSED_TO_READY)
    close_device (GST_CUDA_CCA_CROP (element));
  return changed;
}

static void
gst_cuda_cca_crop_finalize (GObject *object)
{
  g_free (GST_CUDA_CCA_CROP (object)->tiles);
  G_OBJECT_CLASS (gst_cuda_cca_crop_parent_class)->finalize (object);
}

static void
gst_cuda_cca_crop_init (GstCudaCcaCrop *self)
{
  gst_cca_cuda_init (&self->cuda, GST_ELEMENT (self));
  self->tiles = g_new (Tile, GST_CCA_TILES_MOST);
}

static void
gst_cuda_cca_crop_class_init (GstCudaCcaCropClass *klass)
{
  GstElementClass *element_class = GST_ELEMENT_CLASS (klass);

  G_OBJECT_CLASS (klass)->finalize = gst_cuda_cca_crop_finalize;
  element_class->change_state = gst_cuda_cca_crop_change_state;
  klass->memory = "CUDA memory";
  klass->converter = "cudaconvert";
  klass->prepare = prepare;
  klass->new_pool = new_pool;
  klass->fill = fill;
  gst_cca_class_add_templates (klass, CUDA_CROP_CAPS);
  gst_element_class_set_static_metadata (
      element_class, "Crops for a detector in CUDA memory", "Filter/Video/Scaler/Hardware",
      "Cuts the regions of interest cca-crop of a frame into tiles of a fixed size, on an NVIDIA GPU",
      "gst-cca developers");
}
