/* gst-cca: the video formats of the elements
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "gstccaformat.h"

/* The formats whose plane 0 is 8-bit luma. CUDA memory has them without GRAY8. */
#define YUV_FORMATS "NV12, NV21, I420, YV12, Y42B, Y444"

/* CCA_MAX_SIZE, spelt for caps. */
#define SHAPE "width = (int) [ 1, 65535 ], height = (int) [ 1, 65535 ], framerate = (fraction) [ 0, max ]"
G_STATIC_ASSERT (CCA_MAX_SIZE == 65535);

typedef struct
{
  CcaOutput output;
  const gchar *format;
  const gchar *label_format; /* the caps field that tells labels from colours, or NULL */
} OutputFormat;

/* In order of preference. */
static const OutputFormat outputs[] = {
  { CCA_OUTPUT_COLORS, "RGBA", NULL },
  { CCA_OUTPUT_LABELS_U16, "GRAY16_LE", NULL },
  { CCA_OUTPUT_LABELS_U32, "RGBA", "u32" },
  { CCA_OUTPUT_MASK, "GRAY8", NULL },
};

/* The output must be in the table. */
static const OutputFormat *
find_output (CcaOutput output)
{
  const OutputFormat *entry = outputs;

  while (entry->output != output)
    entry++;
  return entry;
}

CcaOutput
gst_cca_format_nth_output (guint i)
{
  return i < G_N_ELEMENTS (outputs) ? outputs[i].output : CCA_OUTPUT_NONE;
}

GstCaps *
gst_cca_format_input_caps (CcaBackend backend)
{
  const gchar *text = "video/x-raw, format = (string) { GRAY8, " YUV_FORMATS " }, " SHAPE;

  if (backend == CCA_BACKEND_CUDA)
    text = "video/x-raw(memory:CUDAMemory), format = (string) { " YUV_FORMATS " }, " SHAPE
           "; video/x-raw, format = (string) { GRAY8, " YUV_FORMATS " }, " SHAPE;
  return gst_caps_from_string (text);
}

GstCaps *
gst_cca_format_output_caps (void)
{
  GstStructure *shape = gst_structure_from_string ("video/x-raw, " SHAPE, NULL);
  GstCaps *caps = gst_caps_new_empty ();

  for (guint i = 0; i < G_N_ELEMENTS (outputs); i++)
    gst_caps_append_structure (caps, gst_cca_format_to_output (shape, outputs[i].output));
  gst_structure_free (shape);
  return caps;
}

GstStructure *
gst_cca_format_from_output (const GstStructure *frame)
{
  GstStructure *shape = gst_structure_copy (frame);

  gst_structure_remove_fields (shape, "format", "label-format", "colorimetry", "chroma-site", "mastering-display-info",
                               "content-light-level", NULL);
  return shape;
}

GstStructure *
gst_cca_format_to_output (const GstStructure *frame, CcaOutput output)
{
  const OutputFormat *entry = find_output (output);
  GstStructure *shape = gst_cca_format_from_output (frame);

  gst_structure_set (shape, "format", G_TYPE_STRING, entry->format, NULL);
  if (entry->label_format)
    gst_structure_set (shape, "label-format", G_TYPE_STRING, entry->label_format, NULL);
  return shape;
}

gboolean
gst_cca_format_is_output (const GstStructure *frame, CcaOutput output)
{
  const OutputFormat *entry = find_output (output);
  GstStructure *wanted;
  gboolean possible;

  /* Caps without the field intersect with caps that have it, yet labels must not pass for colours. */
  if (!entry->label_format && gst_structure_has_field (frame, "label-format"))
    return FALSE;
  wanted = gst_cca_format_to_output (frame, output);
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
