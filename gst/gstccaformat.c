/* gst-cca: the video formats of the elements
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "gstccaformat.h"

#include "gstccacuda.h"

/* The formats whose plane 0 is 8-bit luma. CUDA memory has them without GRAY8. */
#define YUV_FORMATS "NV12, NV21, I420, YV12, Y42B, Y444"

/* CCA_MAX_SIZE, spelt for caps. */
#define SHAPE "width = (int) [ 1, 65535 ], height = (int) [ 1, 65535 ], framerate = (fraction) [ 0, max ]"
G_STATIC_ASSERT (CCA_MAX_SIZE == 65535);

#define CUDA_MEMORY "memory:CUDAMemory"

/* Each output's pixels in system memory and in CUDA memory, or NULL. The field label-format tells labels from colours.
 */
static const gchar *const pixels[][2] = {
  [CCA_OUTPUT_COLORS] = { "pixels, format = (string) RGBA", "pixels, format = (string) RGBA" },
  [CCA_OUTPUT_LABELS_U16] = { "pixels, format = (string) GRAY16_LE", NULL },
  [CCA_OUTPUT_LABELS_U32] = { "pixels, format = (string) RGBA, label-format = (string) u32",
                              "pixels, format = (string) RGBA, label-format = (string) u32" },
  [CCA_OUTPUT_MASK] = { "pixels, format = (string) GRAY8", "pixels, format = (string) { " YUV_FORMATS " }" },
};

/* In order of preference: an output that was left open is colours, and frames stay in their memory where they can. */
static const GstCcaPicture pictures[][7] = {
  [CCA_MEMORY_HOST] = {
    { CCA_OUTPUT_COLORS, CCA_MEMORY_HOST },     { CCA_OUTPUT_COLORS, CCA_MEMORY_DEVICE },
    { CCA_OUTPUT_LABELS_U16, CCA_MEMORY_HOST }, { CCA_OUTPUT_LABELS_U32, CCA_MEMORY_HOST },
    { CCA_OUTPUT_LABELS_U32, CCA_MEMORY_DEVICE },
    { CCA_OUTPUT_MASK, CCA_MEMORY_HOST },       { CCA_OUTPUT_MASK, CCA_MEMORY_DEVICE },
  },
  [CCA_MEMORY_DEVICE] = {
    { CCA_OUTPUT_COLORS, CCA_MEMORY_DEVICE },   { CCA_OUTPUT_COLORS, CCA_MEMORY_HOST },
    { CCA_OUTPUT_LABELS_U32, CCA_MEMORY_DEVICE },
    { CCA_OUTPUT_LABELS_U16, CCA_MEMORY_HOST }, { CCA_OUTPUT_LABELS_U32, CCA_MEMORY_HOST },
    { CCA_OUTPUT_MASK, CCA_MEMORY_DEVICE },     { CCA_OUTPUT_MASK, CCA_MEMORY_HOST },
  },
};

static gboolean
has_cuda_memory (CcaBackend backend)
{
  return backend == CCA_BACKEND_CUDA && gst_cca_cuda_is_built ();
}

GstCaps *
gst_cca_format_input_caps (CcaBackend backend)
{
  const gchar *text = "video/x-raw, format = (string) { GRAY8, " YUV_FORMATS " }, " SHAPE;

  if (has_cuda_memory (backend))
    text = "video/x-raw(" CUDA_MEMORY "), format = (string) { " YUV_FORMATS " }, " SHAPE
           "; video/x-raw, format = (string) { GRAY8, " YUV_FORMATS " }, " SHAPE;
  return gst_caps_from_string (text);
}

gboolean
gst_cca_format_nth_picture (CcaBackend backend, CcaMemory from, guint i, GstCcaPicture *picture)
{
  for (guint j = 0; j < G_N_ELEMENTS (pictures[from]); j++) {
    if (pictures[from][j].memory == CCA_MEMORY_DEVICE && !has_cuda_memory (backend))
      continue;
    if (i-- == 0) {
      *picture = pictures[from][j];
      return TRUE;
    }
  }
  return FALSE;
}

GstCaps *
gst_cca_format_output_caps (CcaBackend backend)
{
  GstStructure *shape = gst_structure_from_string ("video/x-raw, " SHAPE, NULL);
  GstCaps *caps = gst_caps_new_empty ();
  GstCcaPicture picture;

  for (guint i = 0; gst_cca_format_nth_picture (backend, CCA_MEMORY_HOST, i, &picture); i++)
    gst_cca_format_append_picture (caps, shape, picture);
  gst_structure_free (shape);
  return caps;
}

CcaMemory
gst_cca_format_memory (const GstCaps *caps, guint index)
{
  return gst_caps_features_contains (gst_caps_get_features (caps, index), CUDA_MEMORY) ? CCA_MEMORY_DEVICE
                                                                                       : CCA_MEMORY_HOST;
}

GstStructure *
gst_cca_format_from_picture (const GstStructure *frame)
{
  GstStructure *shape = gst_structure_copy (frame);

  gst_structure_remove_fields (shape, "format", "label-format", "colorimetry", "chroma-site", "mastering-display-info",
                               "content-light-level", NULL);
  return shape;
}

static gboolean
set_field (GQuark field, const GValue *value, gpointer structure)
{
  gst_structure_id_set_value (structure, field, value);
  return TRUE;
}

static GstStructure *
to_picture (const GstStructure *frame, GstCcaPicture picture)
{
  GstStructure *shape = gst_cca_format_from_picture (frame);
  GstStructure *fields = gst_structure_from_string (pixels[picture.output][picture.memory], NULL);

  gst_structure_foreach (fields, set_field, shape);
  gst_structure_free (fields);
  return shape;
}

void
gst_cca_format_append_picture (GstCaps *caps, const GstStructure *frame, GstCcaPicture picture)
{
  gst_caps_append_structure_full (caps, to_picture (frame, picture),
                                  picture.memory == CCA_MEMORY_DEVICE ? gst_caps_features_new (CUDA_MEMORY, NULL)
                                                                      : NULL);
}

gboolean
gst_cca_format_is_picture (const GstCaps *caps, guint index, GstCcaPicture picture)
{
  const GstStructure *frame = gst_caps_get_structure (caps, index);
  GstStructure *wanted;
  gboolean possible;

  /* Caps without the field intersect with caps that have it, yet labels must not pass for colours. */
  if (gst_cca_format_memory (caps, index) != picture.memory
      || (picture.output != CCA_OUTPUT_LABELS_U32 && gst_structure_has_field (frame, "label-format")))
    return FALSE;
  wanted = to_picture (frame, picture);
  possible = gst_structure_can_intersect (frame, wanted);
  gst_structure_free (wanted);
  return possible;
}

guint8
gst_cca_format_black (const GstVideoInfo *info)
{
  const GstVideoColorRange range = GST_VIDEO_INFO_COLORIMETRY (info).range;

  if (range == GST_VIDEO_COLOR_RANGE_UNKNOWN)
    return GST_VIDEO_INFO_IS_YUV (info) ? 16 : 0;
  return range == GST_VIDEO_COLOR_RANGE_16_235 ? 16 : 0;
}
