/* gst-cca: cudaccaoverlay, draws the metas of a video in CUDA memory
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "gstccaoverlay.h"

#include "gstccacuda.h"
#include "gstccaframe.h"
#include "gstccatemplates.h"
#include "pieces.h"

typedef struct
{
  GstCcaOverlay parent;

  GstCcaCuda cuda;      /* of the frames' context; nothing is open before the first frame */
  GstCcaPieces *pieces; /* NULL before the first frame of a size */
} GstCudaCcaOverlay;

typedef GstCcaOverlayClass GstCudaCcaOverlayClass;

#define GST_CUDA_CCA_OVERLAY(object)                                                                                   \
  (G_TYPE_CHECK_INSTANCE_CAST ((object), gst_cuda_cca_overlay_get_type (), GstCudaCcaOverlay))

GType gst_cuda_cca_overlay_get_type (void);
G_DEFINE_TYPE (GstCudaCcaOverlay, gst_cuda_cca_overlay, GST_TYPE_CCA_OVERLAY)
GST_ELEMENT_REGISTER_DECLARE (cudaccaoverlay);
GST_ELEMENT_REGISTER_DEFINE (cudaccaoverlay, "cudaccaoverlay", GST_RANK_NONE, gst_cuda_cca_overlay_get_type ())

#define CUDA_OVERLAY_CAPS                                                                                              \
  "video/x-raw(memory:CUDAMemory), "                                                                                   \
  "format = (string) " GST_CCA_CUDA_FORMATS ", "                                                                       \
  "width = (int) [ 1, 32767 ], height = (int) [ 1, 32767 ], framerate = (fraction) [ 0, max ]"

/* --- Kernels ------------------------------------------------------------------------------------------ */

extern const unsigned char cca_fatbin_overlay[];

static const gchar *const names[] = { CCA_KERNELS_overlay (GST_CCA_CUDA_NAME) };

enum
{
  CCA_KERNELS_overlay (GST_CCA_CUDA_INDEX)
};

#define LEAST_MEMORY ((gsize) 256 << 10) /* bytes that are reserved at least */

static void
close_device (GstCudaCcaOverlay *self)
{
  g_clear_pointer (&self->pieces, gst_cca_pieces_free);
  gst_cca_cuda_close (&self->cuda);
}

/* Reserves memory of at least a size, with room for some frames more; that of before is kept if it has the size. */
static gsize
grow (gsize has, gsize needs)
{
  return needs <= has ? has : MAX (2 * needs, LEAST_MEMORY);
}

/* Lists the drawing and makes room for it on the device. Returns FALSE with an error if it cannot. */
static gboolean
list (GstCudaCcaOverlay *self, gint x, gint y, guint *n_tiles, GstCcaPiecesLayout *layout, GError **error)
{
  const GstCcaOverlay *base = &self->parent;
  const GstCcaCudaKernels *kernels = &self->cuda.kernels;

  if (self->pieces == NULL)
    self->pieces = gst_cca_pieces_new ((guint) base->info.width, (guint) base->info.height);
  *n_tiles = gst_cca_pieces_list (self->pieces, base->drawing, base->font, x, y);
  *layout = gst_cca_pieces_lay_out (self->pieces);
  if (layout->end <= kernels->device_size && layout->end - layout->begin <= kernels->host_size)
    return TRUE;
  /* The new memory does not have the old masks. */
  gst_cca_pieces_forget (self->pieces);
  *n_tiles = gst_cca_pieces_list (self->pieces, base->drawing, base->font, x, y);
  *layout = gst_cca_pieces_lay_out (self->pieces);
  return gst_cca_cuda_reserve (&self->cuda, grow (kernels->host_size, layout->end - layout->begin),
                               grow (kernels->device_size, layout->end), error);
}

static GstCcaDrawFrame
view_frame (GstVideoFrame *frame)
{
  GstCcaDrawFrame view = { .width = (guint) GST_VIDEO_FRAME_WIDTH (frame),
                           .height = (guint) GST_VIDEO_FRAME_HEIGHT (frame),
                           .is_rgb = GST_VIDEO_INFO_IS_RGB (&frame->info) };

  /* The fourth byte of RGBx, too, as in gst_video_blend(). */
  view.n_components = gst_cca_frame_list_values (frame, view.components);
  return view;
}

static gboolean
draw (GstCudaCcaOverlay *self, GstBuffer *buffer, GstVideoFrame *frame, guint n_tiles, const GstCcaPiecesLayout *layout,
      GError **error)
{
  const guint8 *memory = self->cuda.kernels.device;
  GstCcaDrawParams params = { .frame = view_frame (frame),
                              .tiles = (gconstpointer) (memory + layout->tiles),
                              .entries = (gconstpointer) (memory + layout->entries),
                              .pieces = (gconstpointer) (memory + layout->pieces),
                              .memory = memory };
  const GstCcaCudaLaunch launch = { KERNEL_overlay_draw, n_tiles, 1, GST_CCA_DRAW_THREADS, &params };

  gst_cca_pieces_copy (self->pieces, layout, self->cuda.kernels.host);
  if (!gst_cca_cuda_run (&self->cuda, gst_cca_cuda_stream (&self->cuda, buffer, NULL), layout->begin,
                         layout->end - layout->begin, &launch, 1, error))
    return FALSE;
  gst_cca_pieces_set_uploaded (self->pieces);
  return TRUE;
}

/* --- Element ------------------------------------------------------------------------------------------ */

static gboolean
can_blend (const GstCapsFeatures *features)
{
  return gst_caps_features_contains (features, "memory:CUDAMemory");
}

static GstFlowReturn
fail (GstCudaCcaOverlay *self, const GError *error)
{
  gst_cca_cuda_fail (&self->cuda, error);
  return GST_FLOW_ERROR;
}

static GstFlowReturn
paint (GstCcaOverlay *base, GstBuffer *buffer, gint x, gint y)
{
  GstCudaCcaOverlay *self = GST_CUDA_CCA_OVERLAY (base);
  g_autoptr (GError) error = NULL;
  GstCcaPiecesLayout layout;
  GstVideoFrame frame;
  gboolean drawn;
  guint n_tiles;

  if (gst_cca_cuda_is_foreign (&self->cuda, buffer)) {
    close_device (self);
    gst_cca_cuda_follow (&self->cuda, buffer);
  }
  /* System memory, whatever the caps say. */
  if (!gst_cca_cuda_map_flag (&self->cuda, buffer))
    return GST_CCA_OVERLAY_CLASS (gst_cuda_cca_overlay_parent_class)->paint (base, buffer, x, y);
  if (!gst_cca_cuda_load (&self->cuda, cca_fatbin_overlay, names, G_N_ELEMENTS (names), &error)
      || !list (self, x, y, &n_tiles, &layout, &error))
    return fail (self, error);
  if (n_tiles == 0)
    return GST_FLOW_OK;
  if (!gst_video_frame_map (&frame, &base->info, buffer,
                            GST_MAP_READWRITE | gst_cca_cuda_map_flag (&self->cuda, buffer)))
    return gst_cca_overlay_fail_to_map (base, buffer);
  drawn = draw (self, buffer, &frame, n_tiles, &layout, &error);
  gst_video_frame_unmap (&frame);
  return drawn ? GST_FLOW_OK : fail (self, error);
}

static void
clear (GstCcaOverlay *base)
{
  g_clear_pointer (&GST_CUDA_CCA_OVERLAY (base)->pieces, gst_cca_pieces_free);
  GST_CCA_OVERLAY_CLASS (gst_cuda_cca_overlay_parent_class)->clear (base);
}

/* The same on both sides. */
static GstCaps *
gst_cuda_cca_overlay_transform_caps (GstBaseTransform *base, GstPadDirection direction, GstCaps *caps, GstCaps *filter)
{
  return gst_cca_filter_caps (gst_caps_ref (caps), filter);
}

static gboolean
gst_cuda_cca_overlay_stop (GstBaseTransform *base)
{
  close_device (GST_CUDA_CCA_OVERLAY (base));
  return GST_BASE_TRANSFORM_CLASS (gst_cuda_cca_overlay_parent_class)->stop (base);
}

static void
gst_cuda_cca_overlay_init (GstCudaCcaOverlay *self)
{
  gst_cca_cuda_init (&self->cuda, GST_ELEMENT (self));
}

static void
gst_cuda_cca_overlay_class_init (GstCudaCcaOverlayClass *klass)
{
  GstElementClass *element_class = GST_ELEMENT_CLASS (klass);
  GstBaseTransformClass *base_class = GST_BASE_TRANSFORM_CLASS (klass);

  base_class->transform_caps = gst_cuda_cca_overlay_transform_caps;
  base_class->stop = gst_cuda_cca_overlay_stop;
  klass->can_blend = can_blend;
  klass->paint = paint;
  klass->clear = clear;
  gst_cca_class_add_templates (klass, CUDA_OVERLAY_CAPS);
  gst_element_class_set_static_metadata (
      element_class, "Connected components overlay in CUDA memory", "Filter/Editor/Video/Hardware",
      "Draws connected components, tracks, trails, zones, counts and a heatmap, on an NVIDIA GPU",
      "gst-cca developers");
}
