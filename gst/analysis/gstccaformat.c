/* gst-cca: the video formats of the elements
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "gstccaformat.h"

#include "gstccanvmm.h"

/* The formats of frames, in order of preference: upstream elements that can produce several choose the first. In CUDA
 * memory only those that libgstcuda allocates. */
static const struct
{
  GstVideoFormat format;
  CcaFormat plane; /* how plane 0 is read; the others are not */
  gboolean in_cuda_memory;
} formats[] = {
  { GST_VIDEO_FORMAT_GRAY8, CCA_FORMAT_GRAY8, FALSE },
  { GST_VIDEO_FORMAT_NV12, CCA_FORMAT_GRAY8, TRUE },
  { GST_VIDEO_FORMAT_NV21, CCA_FORMAT_GRAY8, TRUE },
  { GST_VIDEO_FORMAT_I420, CCA_FORMAT_GRAY8, TRUE },
  { GST_VIDEO_FORMAT_YV12, CCA_FORMAT_GRAY8, TRUE },
  { GST_VIDEO_FORMAT_Y42B, CCA_FORMAT_GRAY8, TRUE },
  { GST_VIDEO_FORMAT_Y444, CCA_FORMAT_GRAY8, TRUE },
  { GST_VIDEO_FORMAT_YUY2, CCA_FORMAT_YUY2, TRUE },
  { GST_VIDEO_FORMAT_UYVY, CCA_FORMAT_UYVY, TRUE },
  { GST_VIDEO_FORMAT_P010_10LE, CCA_FORMAT_P010, TRUE },
  { GST_VIDEO_FORMAT_GRAY16_LE, CCA_FORMAT_GRAY16_LE, FALSE },
  { GST_VIDEO_FORMAT_GRAY16_BE, CCA_FORMAT_GRAY16_BE, FALSE },
  { GST_VIDEO_FORMAT_BGRx, CCA_FORMAT_BGRX, TRUE },
  { GST_VIDEO_FORMAT_BGRA, CCA_FORMAT_BGRX, TRUE },
  { GST_VIDEO_FORMAT_RGBx, CCA_FORMAT_RGBX, TRUE },
  { GST_VIDEO_FORMAT_RGBA, CCA_FORMAT_RGBX, TRUE },
};

/* CCA_MAX_SIZE, spelt for caps. */
#define SHAPE "width = (int) [ 1, 65535 ], height = (int) [ 1, 65535 ], framerate = (fraction) [ 0, max ]"
G_STATIC_ASSERT (CCA_MAX_SIZE == 65535);

#define CUDA_MEMORY "memory:CUDAMemory"

/* Each output's pixels in system memory and in CUDA memory, or NULL. The field label-format tells labels from colours.
 * Without a format it is any of 8-bit luma. */
static const gchar *const pixels[][2] = {
  [CCA_OUTPUT_COLORS] = { "pixels, format = (string) RGBA", "pixels, format = (string) RGBA" },
  [CCA_OUTPUT_LABELS_U16] = { "pixels, format = (string) GRAY16_LE", NULL },
  [CCA_OUTPUT_LABELS_U32] = { "pixels, format = (string) RGBA, label-format = (string) u32",
                              "pixels, format = (string) RGBA, label-format = (string) u32" },
  [CCA_OUTPUT_MASK] = { "pixels, format = (string) GRAY8", "pixels" },
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

/* Sets the formats that frames in a memory can have: those with a plane of 8-bit luma, or the others. */
static void
set_formats (GstStructure *frame, CcaMemory memory, gboolean luma_plane)
{
  GValue list = G_VALUE_INIT, format = G_VALUE_INIT;

  g_value_init (&list, GST_TYPE_LIST);
  g_value_init (&format, G_TYPE_STRING);
  for (guint i = 0; i < G_N_ELEMENTS (formats); i++) {
    if ((memory == CCA_MEMORY_DEVICE && !formats[i].in_cuda_memory)
        || luma_plane != (formats[i].plane == CCA_FORMAT_GRAY8))
      continue;
    g_value_set_static_string (&format, gst_video_format_to_string (formats[i].format));
    gst_value_list_append_value (&list, &format);
  }
  gst_structure_take_value (frame, "format", &list);
  g_value_unset (&format);
}

/* A plane of luma comes first, since it is the least to read: elements upstream that can give several formats take it.
 */
static void
append_inputs (GstCaps *caps, CcaMemory memory, const gchar *feature)
{
  for (gint luma_plane = TRUE; luma_plane >= FALSE; luma_plane--) {
    GstStructure *frame = gst_structure_from_string ("video/x-raw, " SHAPE, NULL);

    set_formats (frame, memory, luma_plane);
    gst_caps_append_structure_full (caps, frame, feature ? gst_caps_features_new (feature, NULL) : NULL);
  }
}

GstCaps *
gst_cca_format_input_caps (CcaBackend backend)
{
  GstCaps *caps = gst_caps_new_empty ();

  if (has_cuda_memory (backend))
    append_inputs (caps, CCA_MEMORY_DEVICE, CUDA_MEMORY);
  if (has_cuda_memory (backend) && gst_cca_nvmm_is_built ())
    append_inputs (caps, CCA_MEMORY_DEVICE, GST_CCA_NVMM);
  append_inputs (caps, CCA_MEMORY_HOST, NULL);
  return caps;
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
  g_autoptr (GstStructure) shape = gst_structure_from_string ("video/x-raw, " SHAPE, NULL);
  GstCaps *caps = gst_caps_new_empty ();
  GstCcaPicture picture;

  for (guint i = 0; gst_cca_format_nth_picture (backend, CCA_MEMORY_HOST, i, &picture); i++)
    gst_cca_format_append_picture (caps, shape, picture);
  return caps;
}

static gboolean
has_feature (const GstCaps *caps, guint index, const gchar *feature)
{
  return gst_caps_features_contains (gst_caps_get_features (caps, index), feature);
}

CcaMemory
gst_cca_format_memory (const GstCaps *caps, guint index)
{
  return has_feature (caps, index, CUDA_MEMORY) || gst_cca_format_is_nvmm (caps, index) ? CCA_MEMORY_DEVICE
                                                                                        : CCA_MEMORY_HOST;
}

gboolean
gst_cca_format_is_nvmm (const GstCaps *caps, guint index)
{
  return has_feature (caps, index, GST_CCA_NVMM);
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
  g_autoptr (GstStructure) fields = gst_structure_from_string (pixels[picture.output][picture.memory], NULL);

  if (!gst_structure_has_field (fields, "format"))
    set_formats (shape, picture.memory, TRUE);
  gst_structure_foreach (fields, set_field, shape);
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
  g_autoptr (GstStructure) possible = NULL;

  /* Caps without the field intersect with caps that have it, yet labels must not pass for colours. */
  if (gst_cca_format_memory (caps, index) != picture.memory
      || (picture.output != CCA_OUTPUT_LABELS_U32 && gst_structure_has_field (frame, "label-format")))
    return FALSE;
  possible = to_picture (frame, picture);
  return gst_structure_can_intersect (frame, possible);
}

CcaFormat
gst_cca_format_plane (const GstVideoInfo *info)
{
  for (guint i = 0; i < G_N_ELEMENTS (formats); i++) {
    if (formats[i].format == GST_VIDEO_INFO_FORMAT (info))
      return formats[i].plane;
  }
  g_return_val_if_reached (CCA_FORMAT_GRAY8);
}

gboolean
gst_cca_format_has_chroma (const GstVideoInfo *info)
{
  return gst_cca_format_plane (info) == CCA_FORMAT_GRAY8 && GST_VIDEO_INFO_N_COMPONENTS (info) >= 3;
}

/* The value of black on the scale of 8 bits. */
static guint16
black (const GstVideoInfo *info)
{
  const GstVideoColorRange range = GST_VIDEO_INFO_COLORIMETRY (info).range;

  if (range == GST_VIDEO_COLOR_RANGE_UNKNOWN)
    return GST_VIDEO_INFO_IS_YUV (info) ? 16 : 0;
  return range == GST_VIDEO_COLOR_RANGE_16_235 ? 16 : 0;
}

/* RGB has no matrix of its own. Unless the caps name one, the luma is that of the primaries. */
static CcaMatrix
matrix (const GstVideoColorimetry *colorimetry)
{
  switch (colorimetry->matrix) {
    case GST_VIDEO_COLOR_MATRIX_FCC:
    case GST_VIDEO_COLOR_MATRIX_BT601: return CCA_MATRIX_BT601;
    case GST_VIDEO_COLOR_MATRIX_BT709:
    case GST_VIDEO_COLOR_MATRIX_SMPTE240M: return CCA_MATRIX_BT709;
    case GST_VIDEO_COLOR_MATRIX_BT2020: return CCA_MATRIX_BT2020;
    default: break;
  }
  switch (colorimetry->primaries) {
    case GST_VIDEO_COLOR_PRIMARIES_BT470M:
    case GST_VIDEO_COLOR_PRIMARIES_BT470BG:
    case GST_VIDEO_COLOR_PRIMARIES_SMPTE170M:
    case GST_VIDEO_COLOR_PRIMARIES_SMPTE240M: return CCA_MATRIX_BT601;
    case GST_VIDEO_COLOR_PRIMARIES_BT2020: return CCA_MATRIX_BT2020;
    default: return CCA_MATRIX_BT709;
  }
}

void
gst_cca_format_set_params (const GstVideoInfo *info, CcaParams *params)
{
  params->format = gst_cca_format_plane (info);
  params->matrix = matrix (&GST_VIDEO_INFO_COLORIMETRY (info));
  params->black = cca_format_max_value (params->format) > G_MAXUINT8 ? black (info) << 8 : black (info);
}
