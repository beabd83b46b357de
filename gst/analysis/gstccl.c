/* gst-cca: the elements that label, ccl and cudaccl
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "gstccabase.h"
#include "gstccaformat.h"
#include "gstccaproperties.h"
#include "gstccatemplates.h"

#include <string.h>

/* The outputs that a user can choose; for labels, the caps choose the width. */
typedef enum
{
  GST_CCL_OUTPUT_COLORS,
  GST_CCL_OUTPUT_LABELS,
  GST_CCL_OUTPUT_MASK,
} GstCclOutput;

typedef struct
{
  GstCcaBase parent;

  /* Under the object lock. */
  GstCclOutput requested;
  gboolean is_requested;

  /* Of the streaming thread. */
  GstVideoInfo output_info;
  gboolean warned_saturation;
} GstCcl;

static gpointer parent_class;

GType gst_ccl_output_get_type (void);
G_DEFINE_ENUM_TYPE (GstCclOutput, gst_ccl_output,
                    { GST_CCL_OUTPUT_COLORS, "One stable colour per label (RGBA)", "colors" },
                    { GST_CCL_OUTPUT_LABELS, "The labels (GRAY16_LE, or RGBA with label-format=u32)", "labels" },
                    { GST_CCL_OUTPUT_MASK, "255 inside components (GRAY8; in CUDA memory the luma of a YUV format)",
                      "mask" })

static const GstCcaProperty list[] = {
  { "output", G_STRUCT_OFFSET (GstCcl, requested), G_TYPE_ENUM, .value = GST_CCL_OUTPUT_COLORS,
    .get_type = gst_ccl_output_get_type, .changed = G_STRUCT_OFFSET (GstCcl, is_requested),
    .blurb = "Content of the output frames; unless set, downstream's caps choose" },
};
static const GstCcaProperties properties = { GST_CCA_BASE_LAST_PROP + 1, G_N_ELEMENTS (list), list,
                                             (GParamFlags) (G_PARAM_READWRITE | GST_PARAM_MUTABLE_READY) };

/* --- Caps -------------------------------------------------------------------------------------------- */

static GstCclOutput
kind_of_output (CcaOutput output)
{
  switch (output) {
    case CCA_OUTPUT_COLORS: return GST_CCL_OUTPUT_COLORS;
    case CCA_OUTPUT_MASK: return GST_CCL_OUTPUT_MASK;
    default: return GST_CCL_OUTPUT_LABELS;
  }
}

static gboolean
is_allowed (GstCcl *self, CcaOutput output)
{
  gboolean allowed;

  GST_OBJECT_LOCK (self);
  allowed = !self->is_requested || self->requested == kind_of_output (output);
  GST_OBJECT_UNLOCK (self);
  return allowed;
}

static CcaBackend
backend_of (GstCcl *self)
{
  return GST_CCA_BASE_GET_CLASS (self)->backend->backend;
}

/* The picture that frames are or can become, by preference. */
static gboolean
choose_picture (GstCcl *self, const GstCaps *caps, guint index, GstCcaPicture *picture)
{
  for (guint i = 0; gst_cca_format_nth_picture (backend_of (self), CCA_MEMORY_HOST, i, picture); i++) {
    if (is_allowed (self, picture->output) && gst_cca_format_is_picture (caps, index, *picture))
      return TRUE;
  }
  return FALSE;
}

static void
append_outputs (GstCcl *self, GstCaps *outputs, const GstCaps *caps, guint index)
{
  const CcaMemory memory = gst_cca_format_memory (caps, index);
  GstCcaPicture picture;

  for (guint i = 0; gst_cca_format_nth_picture (backend_of (self), memory, i, &picture); i++) {
    if (is_allowed (self, picture.output))
      gst_cca_format_append_picture (outputs, gst_caps_get_structure (caps, index), picture);
  }
}

static void
append_inputs (GstCcl *self, GstCaps *inputs, const GstCaps *caps, guint index)
{
  g_autoptr (GstCaps) shape = NULL, template = NULL;
  GstCcaPicture picture;

  if (!choose_picture (self, caps, index, &picture))
    return;
  shape = gst_caps_new_full (gst_cca_format_from_picture (gst_caps_get_structure (caps, index)), NULL);
  gst_caps_set_features_simple (shape, gst_caps_features_new_any ());
  template = gst_pad_get_pad_template_caps (GST_BASE_TRANSFORM_SINK_PAD (self));
  gst_caps_append (inputs, gst_caps_intersect_full (template, shape, GST_CAPS_INTERSECT_FIRST));
}

static GstCaps *
gst_ccl_transform_caps (GstBaseTransform *transform, GstPadDirection direction, GstCaps *caps, GstCaps *filter)
{
  GstCcl *self = (GstCcl *) transform;
  GstCaps *result = gst_caps_new_empty ();

  for (guint i = 0; i < gst_caps_get_size (caps); i++) {
    if (direction == GST_PAD_SINK)
      append_outputs (self, result, caps, i);
    else
      append_inputs (self, result, caps, i);
  }
  return gst_cca_filter_caps (result, filter);
}

/* Answers with the caps that the element takes. The base class would put downstream's caps first, as if frames could
 * pass unchanged, and upstream would choose RGBA only because the pictures are. */
static gboolean
gst_ccl_query (GstBaseTransform *transform, GstPadDirection direction, GstQuery *query)
{
  GstCaps *filter;
  g_autoptr (GstCaps) template = NULL, downstream = NULL, outputs = NULL, inputs = NULL;

  if (direction != GST_PAD_SINK || GST_QUERY_TYPE (query) != GST_QUERY_CAPS)
    return GST_BASE_TRANSFORM_CLASS (parent_class)->query (transform, direction, query);
  gst_query_parse_caps (query, &filter);
  template = gst_pad_get_pad_template_caps (GST_BASE_TRANSFORM_SRC_PAD (transform));
  downstream = gst_pad_peer_query_caps (GST_BASE_TRANSFORM_SRC_PAD (transform), template);
  outputs = gst_caps_intersect_full (downstream, template, GST_CAPS_INTERSECT_FIRST);
  inputs = gst_ccl_transform_caps (transform, GST_PAD_SRC, outputs, filter);
  gst_query_set_caps_result (query, inputs);
  return TRUE;
}

/* Fixates one structure of the caps for a picture. A mask in CUDA memory gets the input's format if the caps allow it.
 */
static GstCaps *
fixate_picture (GstCaps *caps, guint index, GstCcaPicture picture, const gchar *input_format)
{
  g_autoptr (GstCaps) possible = gst_caps_copy_nth (caps, index), pictures = gst_caps_new_empty ();
  GstCaps *chosen;

  gst_cca_format_append_picture (pictures, gst_caps_get_structure (caps, index), picture);
  chosen = gst_caps_make_writable (gst_caps_intersect (possible, pictures));
  gst_structure_fixate_field_string (gst_caps_get_structure (chosen, 0), "format", input_format);
  return gst_caps_fixate (chosen);
}

/* Downstream's order of formats does not count, ours does: colours unless something else was asked for. */
static GstCaps *
gst_ccl_fixate_caps (GstBaseTransform *transform, GstPadDirection direction, GstCaps *caps, GstCaps *other)
{
  GstCcl *self = (GstCcl *) transform;
  const CcaMemory memory = gst_cca_format_memory (caps, 0);
  GstCcaPicture picture;
  GstCaps *chosen = NULL;

  if (direction == GST_PAD_SRC)
    return gst_caps_fixate (other);
  for (guint i = 0; !chosen && gst_cca_format_nth_picture (backend_of (self), memory, i, &picture); i++) {
    for (guint j = 0; !chosen && j < gst_caps_get_size (other); j++) {
      if (is_allowed (self, picture.output) && gst_cca_format_is_picture (other, j, picture))
        chosen =
            fixate_picture (other, j, picture, gst_structure_get_string (gst_caps_get_structure (caps, 0), "format"));
    }
  }
  gst_caps_unref (other);
  return chosen ? chosen : gst_caps_new_empty ();
}

static gboolean
gst_ccl_set_output_caps (GstCcaBase *base, GstCaps *caps, CcaOutput *output)
{
  GstCcl *self = (GstCcl *) base;
  GstCcaPicture picture;

  if (!choose_picture (self, caps, 0, &picture) || !gst_video_info_from_caps (&self->output_info, caps)) {
    GST_CAT_ERROR_OBJECT (GST_CCA_BASE_GET_CLASS (self)->category, self, "no output has the caps %" GST_PTR_FORMAT,
                          caps);
    return FALSE;
  }
  *output = picture.output;
  return TRUE;
}

/* --- Allocation -------------------------------------------------------------------------------------- */

static gboolean
gst_ccl_propose_allocation (GstBaseTransform *transform, GstQuery *decide_query, GstQuery *query)
{
  if (!GST_BASE_TRANSFORM_CLASS (parent_class)->propose_allocation (transform, decide_query, query))
    return FALSE;
  gst_query_add_allocation_meta (query, GST_VIDEO_META_API_TYPE, NULL);
  gst_cca_base_propose_pool (GST_CCA_BASE (transform), query);
  return TRUE;
}

/* Chooses a pool with the options that downstream supports; the base class configures it. */
static gboolean
gst_ccl_decide_allocation (GstBaseTransform *transform, GstQuery *query)
{
  GstCcl *self = (GstCcl *) transform;
  const GstCcaCuda *cuda = &GST_CCA_BASE (self)->cuda;
  guint frame_size = (guint) GST_VIDEO_INFO_SIZE (&self->output_info);
  g_autoptr (GstBufferPool) pool = NULL;
  guint size = frame_size, min = 0, max = 0;
  gboolean in_cuda_memory;
  GstCaps *caps;

  gst_query_parse_allocation (query, &caps, NULL);
  in_cuda_memory = gst_cca_format_memory (caps, 0) == CCA_MEMORY_DEVICE;
  if (gst_query_get_n_allocation_pools (query) > 0)
    gst_query_parse_nth_allocation_pool (query, 0, &pool, &size, &min, &max);
  else
    gst_query_add_allocation_pool (query, NULL, size, min, max);
  if (pool && in_cuda_memory && !gst_cca_cuda_has_pool (cuda, pool))
    gst_clear_object (&pool);
  if (!pool)
    pool = in_cuda_memory ? gst_cca_cuda_pool_new (cuda, caps, &frame_size) : gst_video_buffer_pool_new ();
  if (!pool) {
    GST_ELEMENT_ERROR (self, RESOURCE, NO_SPACE_LEFT,
                       ("No CUDA memory for %dx%d output frames; use smaller frames or system memory",
                        GST_VIDEO_INFO_WIDTH (&self->output_info), GST_VIDEO_INFO_HEIGHT (&self->output_info)),
                       (NULL));
    return FALSE;
  }
  size = MAX (size, frame_size);
  if (gst_buffer_pool_has_option (pool, GST_BUFFER_POOL_OPTION_VIDEO_META)
      && gst_query_find_allocation_meta (query, GST_VIDEO_META_API_TYPE, NULL)) {
    GstStructure *config = gst_buffer_pool_get_config (pool);

    gst_buffer_pool_config_set_params (config, caps, size, min, max);
    gst_buffer_pool_config_add_option (config, GST_BUFFER_POOL_OPTION_VIDEO_META);
    gst_buffer_pool_set_config (pool, config);
  }
  gst_query_set_nth_allocation_pool (query, 0, pool, size, min, max);
  return GST_BASE_TRANSFORM_CLASS (parent_class)->decide_allocation (transform, query);
}

/* The size does not change, so metas whose tags are only about size or orientation stay valid. */
static gboolean
gst_ccl_transform_meta (GstBaseTransform *transform, GstBuffer *output, GstMeta *meta, GstBuffer *input)
{
  const gchar *const *tags = gst_meta_api_type_get_tags (meta->info->api);
  const gchar *const kept[] = { GST_META_TAG_VIDEO_STR, GST_META_TAG_VIDEO_SIZE_STR, GST_META_TAG_VIDEO_ORIENTATION_STR,
                                NULL };

  for (guint i = 0; tags && tags[i]; i++) {
    if (!g_strv_contains (kept, tags[i]))
      return FALSE;
  }
  return TRUE;
}

/* --- Frames ------------------------------------------------------------------------------------------ */

/* Background everywhere. */
static void
clear_image (const CcaImage *image, CcaOutput output)
{
  const guint32 pixel_size = cca_output_pixel_size (output);

  for (guint32 y = 0; y < image->height; y++) {
    guint8 *row = (guint8 *) image->data + y * image->pitch;

    memset (row, 0, (gsize) image->width * pixel_size);
    for (guint32 x = 0; output == CCA_OUTPUT_COLORS && x < image->width; x++)
      row[4 * x + 3] = 255;
  }
}

/* A mask has no colour: all planes but the first get the middle. */
static gboolean
neutralise_chroma (GstCcl *self, GstVideoFrame *frame, CcaMemory memory, gpointer stream)
{
  gboolean done = TRUE;

  for (guint plane = 1; plane < GST_VIDEO_FRAME_N_PLANES (frame) && done; plane++) {
    const GstMapInfo *map = &frame->map[frame->meta ? plane : 0];
    guint8 *data = GST_VIDEO_FRAME_PLANE_DATA (frame, plane);
    const gsize pitch = (gsize) GST_VIDEO_FRAME_PLANE_STRIDE (frame, plane);
    gint components[GST_VIDEO_MAX_COMPONENTS];
    gsize row, n_rows, room;

    gst_video_format_info_component (frame->info.finfo, plane, components);
    row = (gsize) GST_VIDEO_FRAME_COMP_WIDTH (frame, components[0])
          * (gsize) GST_VIDEO_FRAME_COMP_PSTRIDE (frame, components[0]);
    /* libgstcuda's NV21 of odd height has no room for the last row. */
    room = map->size - (gsize) (data - map->data);
    n_rows = MIN ((gsize) GST_VIDEO_FRAME_COMP_HEIGHT (frame, components[0]), (room + pitch - row) / pitch);
    if (memory == CCA_MEMORY_DEVICE) {
      done = gst_cca_cuda_fill (&GST_CCA_BASE (self)->cuda, stream, data, pitch, row, n_rows, 128);
    } else {
      for (gsize y = 0; y < n_rows; y++)
        memset (data + y * pitch, 128, row);
    }
  }
  return done;
}

static void
warn_saturation (GstCcl *self, const CcaMeasurement *measurement)
{
  if (GST_CCA_BASE (self)->output != CCA_OUTPUT_LABELS_U16 || measurement->n_components <= G_MAXUINT16
      || self->warned_saturation)
    return;
  self->warned_saturation = TRUE;
  GST_ELEMENT_WARNING (self, STREAM, FORMAT,
                       ("%u components are too many for 16-bit labels; use the caps "
                        "video/x-raw,format=RGBA,label-format=u32",
                        measurement->n_components),
                       ("labels above 65535 are painted as 65535"));
}

static GstFlowReturn
gst_ccl_transform (GstBaseTransform *transform, GstBuffer *input, GstBuffer *output)
{
  GstCcl *self = (GstCcl *) transform;
  GstCcaBase *base = GST_CCA_BASE (self);
  const gboolean gap = GST_BUFFER_FLAG_IS_SET (input, GST_BUFFER_FLAG_GAP);
  /* Cleared here, on the host: the case is rare. */
  const GstMapFlags cuda_flag = gap ? (GstMapFlags) 0 : gst_cca_cuda_map_flag (&base->cuda, output);
  const gpointer stream = gst_cca_cuda_stream (&base->cuda, input, output);
  GstFlowReturn flow = GST_FLOW_OK;
  CcaMeasurement measurement;
  GstVideoFrame frame;
  CcaImage image;

  if (!gst_video_frame_map (&frame, &self->output_info, output, GST_MAP_WRITE | cuda_flag)) {
    GST_ELEMENT_ERROR (self, RESOURCE, WRITE, ("The output buffer's memory cannot be mapped for writing"), (NULL));
    return GST_FLOW_ERROR;
  }
  image = (CcaImage) {
    .data = GST_VIDEO_FRAME_PLANE_DATA (&frame, 0),
    .pitch = GST_VIDEO_FRAME_PLANE_STRIDE (&frame, 0),
    .width = (guint32) GST_VIDEO_FRAME_WIDTH (&frame),
    .height = (guint32) GST_VIDEO_FRAME_HEIGHT (&frame),
    .memory = cuda_flag ? CCA_MEMORY_DEVICE : CCA_MEMORY_HOST,
  };
  if (!cuda_flag && !gap)
    gst_cca_cuda_see (&base->cuda, &frame.map[0]);
  if (!neutralise_chroma (self, &frame, image.memory, stream)) {
    GST_ELEMENT_ERROR (self, RESOURCE, WRITE, ("The output buffer's CUDA memory cannot be written"), (NULL));
    flow = GST_FLOW_ERROR;
  } else if (gap) {
    clear_image (&image, base->output);
  } else {
    flow = gst_cca_base_analyse (base, input, &image, stream, &measurement);
  }
  gst_video_frame_unmap (&frame);
  if (gap || flow != GST_FLOW_OK)
    return flow;
  warn_saturation (self, &measurement);
  return gst_cca_base_publish (base, output, &measurement);
}

static gboolean
gst_ccl_start (GstBaseTransform *transform)
{
  ((GstCcl *) transform)->warned_saturation = FALSE;
  return GST_BASE_TRANSFORM_CLASS (parent_class)->start (transform);
}

/* --- Object ------------------------------------------------------------------------------------------ */

static void
gst_ccl_init (GTypeInstance *instance, gpointer klass)
{
  /* A frame without analysis is still a gap behind this element. */
  gst_base_transform_set_gap_aware (GST_BASE_TRANSFORM (instance), TRUE);
}

static void
gst_ccl_class_init (gpointer klass, gpointer data)
{
  const GstCcaBackend *backend = data;
  GstElementClass *element_class = GST_ELEMENT_CLASS (klass);
  GstBaseTransformClass *transform_class = GST_BASE_TRANSFORM_CLASS (klass);
  g_autoptr (GstCaps) caps = gst_cca_format_output_caps (backend->backend);
  g_autofree gchar *long_name = g_strconcat ("Connected component labels ", backend->place, NULL);
  g_autofree gchar *description =
      g_strconcat ("Labels the connected components of video ", backend->place,
                   " as colours, numbers or a mask. Choose the pixels with foreground", NULL);

  parent_class = g_type_class_peek_parent (klass);
  gst_cca_properties_install (&properties, G_OBJECT_CLASS (klass), 0);
  gst_cca_base_class_setup (klass, backend, "ccl", CCA_CAN_ANALYSE | CCA_CAN_LABEL);
  gst_element_class_add_pad_template (element_class, gst_pad_template_new ("src", GST_PAD_SRC, GST_PAD_ALWAYS, caps));
  gst_element_class_set_metadata (element_class, long_name, "Filter/Effect/Video", description, "gst-cca developers");
  GST_CCA_BASE_CLASS (klass)->set_output_caps = gst_ccl_set_output_caps;
  transform_class->start = gst_ccl_start;
  transform_class->query = gst_ccl_query;
  transform_class->transform_caps = gst_ccl_transform_caps;
  transform_class->fixate_caps = gst_ccl_fixate_caps;
  transform_class->propose_allocation = gst_ccl_propose_allocation;
  transform_class->decide_allocation = gst_ccl_decide_allocation;
  transform_class->transform_meta = gst_ccl_transform_meta;
  transform_class->transform = gst_ccl_transform;
}

gboolean
gst_ccl_register (GstPlugin *plugin, const GstCcaBackend *backend)
{
  return gst_cca_base_register (plugin, backend, "ccl", "Ccl", gst_ccl_class_init, sizeof (GstCcl), gst_ccl_init);
}
