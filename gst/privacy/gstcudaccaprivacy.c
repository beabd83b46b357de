/* gst-cca: cudaccaprivacy, hides what moves in a frame in CUDA memory
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "gstccaprivacy.h"

#include "gstccacuda.h"
#include "gstccatemplates.h"
#include "kernels.h"

#include <string.h>

typedef struct
{
  GstCcaPrivacy parent;

  GstCcaCuda cuda; /* of the frames' context; nothing is open before the first frame */
} GstCudaCcaPrivacy;

typedef GstCcaPrivacyClass GstCudaCcaPrivacyClass;

#define GST_CUDA_CCA_PRIVACY(object)                                                                                   \
  (G_TYPE_CHECK_INSTANCE_CAST ((object), gst_cuda_cca_privacy_get_type (), GstCudaCcaPrivacy))

GType gst_cuda_cca_privacy_get_type (void);
G_DEFINE_TYPE (GstCudaCcaPrivacy, gst_cuda_cca_privacy, GST_TYPE_CCA_PRIVACY)
GST_ELEMENT_REGISTER_DECLARE (cudaccaprivacy);
GST_ELEMENT_REGISTER_DEFINE (cudaccaprivacy, "cudaccaprivacy", GST_RANK_NONE, gst_cuda_cca_privacy_get_type ())

#define CUDA_PRIVACY_CAPS                                                                                              \
  "video/x-raw(memory:CUDAMemory), format = (string) " GST_CCA_CUDA_FORMATS ", " GST_CCA_PRIVACY_SHAPE

/* --- Kernels ------------------------------------------------------------------------------------------ */

extern const unsigned char cca_fatbin_veil[];

static const gchar *const names[] = { CCA_KERNELS_veil (GST_CCA_CUDA_NAME) };

enum
{
  CCA_KERNELS_veil (GST_CCA_CUDA_INDEX)
};

#define COUNTER_SIZE 16u /* bytes before the cover, zeros: of GstCcaVeilParams.n_done */

/* Loads the kernels where the frame is, and makes room for a cover and for the cells behind it. */
static gboolean
prepare (GstCudaCcaPrivacy *self, gsize cover_size, gsize cells_size, GError **error)
{
  return gst_cca_cuda_load (&self->cuda, cca_fatbin_veil, names, G_N_ELEMENTS (names), error)
         && gst_cca_cuda_reserve (&self->cuda, cover_size, cover_size + cells_size, error);
}

/* The two bytes of chroma that NV12 has for 2x2 pixels. */
static gboolean
are_interleaved (const GstCcaVeilFrame *frame)
{
  const GstCcaValues *u = &frame->components[1], *v = &frame->components[2];

  return frame->n_components == 3 && u->step == 2 && v->step == 2 && u->pitch == v->pitch
         && MAX (u->data, v->data) - MIN (u->data, v->data) == 1;
}

static gboolean
run (GstCudaCcaPrivacy *self, GstBuffer *buffer, const GstCcaVeilFrame *frame, GstCcaVeilMode mode, GError **error)
{
  const GstCcaCover *cover = &self->parent.cover;
  const gsize n_blocks = (gsize) cover->columns * cover->rows;
  const gsize cover_size = (COUNTER_SIZE + n_blocks + 15) / 16 * 16;
  GstCcaVeilParams params = { .frame = *frame, .mode = mode, .highest = gst_cca_cover_highest (cover) };
  const GstCcaCudaLaunch launches[] = {
    { KERNEL_veil_measure, gst_cca_cuda_n_blocks (cover->columns, GST_CCA_VEIL_TILE),
      gst_cca_cuda_n_blocks (cover->rows, GST_CCA_VEIL_TILE), GST_CCA_VEIL_THREADS, &params },
    { KERNEL_veil_paint, gst_cca_cuda_n_blocks (cover->columns, GST_CCA_VEIL_STRIP), cover->rows, GST_CCA_VEIL_THREADS,
      &params },
  };
  const guint first = mode == GST_CCA_VEIL_FILL; /* needs no means */
  gsize n_cells;

  if (params.highest == 0)
    return TRUE;
  params.interleaved = are_interleaved (frame);
  n_cells = gst_cca_veil_lay_out (params.levels, cover, NULL);
  if (!prepare (self, cover_size, n_cells * sizeof (GstCcaVeilCell), error))
    return FALSE;
  gst_cca_veil_lay_out (params.levels, cover, (gpointer) ((guint8 *) self->cuda.kernels.device + cover_size));
  params.n_done = self->cuda.kernels.device;
  params.blocks = (guint8 *) self->cuda.kernels.device + COUNTER_SIZE;
  memset (self->cuda.kernels.host, 0, COUNTER_SIZE);
  memcpy ((guint8 *) self->cuda.kernels.host + COUNTER_SIZE, cover->blocks, n_blocks);
  return gst_cca_cuda_run (&self->cuda, gst_cca_cuda_stream (&self->cuda, buffer, NULL), 0, COUNTER_SIZE + n_blocks,
                           &launches[first], G_N_ELEMENTS (launches) - first, error);
}

/* --- Element ------------------------------------------------------------------------------------------ */

static GstMapFlags
map_flag (GstCcaPrivacy *base, GstBuffer *buffer)
{
  GstCudaCcaPrivacy *self = GST_CUDA_CCA_PRIVACY (base);

  if (gst_cca_cuda_is_foreign (&self->cuda, buffer))
    gst_cca_cuda_follow (&self->cuda, buffer);
  return gst_cca_cuda_map_flag (&self->cuda, buffer);
}

static gboolean
paint (GstCcaPrivacy *base, GstBuffer *buffer, const GstCcaVeilFrame *frame, GstCcaVeilMode mode)
{
  GstCudaCcaPrivacy *self = GST_CUDA_CCA_PRIVACY (base);
  g_autoptr (GError) error = NULL;

  /* System memory, whatever the caps say. */
  if (!gst_cca_cuda_map_flag (&self->cuda, buffer))
    return GST_CCA_PRIVACY_CLASS (gst_cuda_cca_privacy_parent_class)->paint (base, buffer, frame, mode);
  if (run (self, buffer, frame, mode, &error))
    return TRUE;
  gst_cca_cuda_fail (&self->cuda, error);
  return FALSE;
}

static gboolean
gst_cuda_cca_privacy_stop (GstBaseTransform *base)
{
  gst_cca_cuda_close (&GST_CUDA_CCA_PRIVACY (base)->cuda);
  return GST_BASE_TRANSFORM_CLASS (gst_cuda_cca_privacy_parent_class)->stop (base);
}

static void
gst_cuda_cca_privacy_init (GstCudaCcaPrivacy *self)
{
  gst_cca_cuda_init (&self->cuda, GST_ELEMENT (self));
}

static void
gst_cuda_cca_privacy_class_init (GstCudaCcaPrivacyClass *klass)
{
  GstElementClass *element_class = GST_ELEMENT_CLASS (klass);

  GST_BASE_TRANSFORM_CLASS (klass)->stop = gst_cuda_cca_privacy_stop;
  klass->map_flag = map_flag;
  klass->paint = paint;
  gst_cca_class_add_templates (klass, CUDA_PRIVACY_CAPS);
  gst_element_class_set_static_metadata (element_class, "Privacy filter in CUDA memory", "Filter/Effect/Video/Hardware",
                                         "Blurs, pixelates or fills what moves, on an NVIDIA GPU",
                                         "gst-cca developers");
}
