/* gst-cca: tracks how elements change the geometry of frames that carry our metas
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "geometry.h"

typedef struct
{
  GstMeta meta;

  guint64 origin;      /* the sequence number of the witness that this one was made from; 0: of none */
  GstCcaChange change; /* since then */
  GstCcaMapping mapping;
} Witness;

static const GstMetaInfo *witness_info (void);

static GType
witness_api (void)
{
  static GType type = 0;

  if (g_once_init_enter (&type)) {
    static const gchar *tags[] = { GST_META_TAG_VIDEO_STR, GST_META_TAG_VIDEO_SIZE_STR,
                                   GST_META_TAG_VIDEO_ORIENTATION_STR, NULL };

    g_once_init_leave (&type, gst_meta_api_type_register ("GstCcaGeometryMetaAPI", tags));
  }
  return type;
}

static gboolean
witness_init (GstMeta *base, gpointer params, GstBuffer *buffer)
{
  Witness *witness = (Witness *) base;

  witness->origin = 0;
  witness->change = GST_CCA_CHANGE_NONE;
  return TRUE;
}

/* Returns whether the new frame shows the whole old one without borders. Up to GStreamer 1.26 videoscale reports only
 * the frames' sizes, and by default adds borders if their display aspect ratios differ. */
static gboolean
fills_frame (const GstVideoMetaTransform *scale)
{
  const GstVideoInfo *in = scale->in_info, *out = scale->out_info;
  const gdouble ratio = (gdouble) in->width * in->par_n * out->par_d / ((gdouble) in->height * in->par_d * out->par_n);

  return gst_cca_mapping_same_shape (ratio, (guint) out->width, (guint) out->height);
}

static gboolean
witness_transform (GstBuffer *to, GstMeta *base, GstBuffer *buffer, GQuark type, gpointer data)
{
  GstCcaMapping mapping = { 0 };
  GstCcaChange change = GST_CCA_CHANGE_UNKNOWN;
  Witness *copy;

  if (GST_META_TRANSFORM_IS_COPY (type))
    change = GST_CCA_CHANGE_NONE;
  else if (GST_VIDEO_META_TRANSFORM_IS_SCALE (type))
    change = gst_cca_mapping_from_scale (&mapping, data) && fills_frame (data) ? GST_CCA_CHANGE_MAPPED
                                                                               : GST_CCA_CHANGE_UNKNOWN;
#if GST_CHECK_VERSION(1, 28, 0)
  else if (GST_VIDEO_META_TRANSFORM_IS_MATRIX (type) && gst_cca_mapping_from_matrix (&mapping, data))
    change = GST_CCA_CHANGE_MAPPED;
#endif
  if (change == GST_CCA_CHANGE_MAPPED && gst_cca_mapping_is_identity (&mapping))
    change = GST_CCA_CHANGE_NONE;

  copy = (Witness *) gst_buffer_add_meta (to, witness_info (), NULL);
  copy->origin = gst_meta_get_seqnum (base);
  copy->change = change;
  copy->mapping = mapping;
  return TRUE;
}

static const GstMetaInfo *
witness_info (void)
{
  static const GstMetaInfo *info = NULL;

  if (g_once_init_enter ((GstMetaInfo **) &info)) {
    const GstMetaInfo *registered = gst_meta_register (witness_api (), "GstCcaGeometryMeta", sizeof (Witness),
                                                       witness_init, NULL, witness_transform);

    g_once_init_leave ((GstMetaInfo **) &info, (GstMetaInfo *) registered);
  }
  return info;
}

void
gst_cca_geometry_watch (GstBuffer *buffer)
{
  if (gst_buffer_get_meta (buffer, witness_api ()) == NULL)
    gst_buffer_add_meta (buffer, witness_info (), NULL);
}

/* Returns the witness of `to` that an element made from a witness of `from`, or NULL. */
static const Witness *
find_descendant (GstBuffer *from, GstBuffer *to)
{
  gpointer from_state = NULL;
  GstMeta *old, *new;

  while ((old = gst_buffer_iterate_meta_filtered (from, &from_state, witness_api ()))) {
    gpointer to_state = NULL;

    while ((new = gst_buffer_iterate_meta_filtered (to, &to_state, witness_api ())))
      if (((Witness *) new)->origin == gst_meta_get_seqnum (old))
        return (Witness *) new;
  }
  return NULL;
}

static gboolean
is_in_cuda_memory (GstBuffer *buffer)
{
  return gst_buffer_n_memory (buffer) > 0 && gst_memory_is_type (gst_buffer_peek_memory (buffer, 0), "gst.cuda.memory");
}

/* Handles elements of GStreamer's nvcodec plugin, which drop tagged metas and move, convert or scale frames: if the
 * frame keeps its shape, assumes that they scaled it. */
static GstCcaChange
compare_cuda_frames (GstBuffer *from, GstBuffer *to, guint width, guint height, GstCcaMapping *mapping)
{
  const GstVideoMeta *frame = gst_buffer_get_video_meta (to);

  if (gst_buffer_get_video_crop_meta (from) != NULL)
    return GST_CCA_CHANGE_UNKNOWN;
  if (frame == NULL || (frame->width == width && frame->height == height))
    return GST_CCA_CHANGE_NONE;
  if (!gst_cca_mapping_from_sizes (mapping, width, height, frame->width, frame->height)
      || !gst_cca_mapping_same_shape ((gdouble) width / height, frame->width, frame->height))
    return GST_CCA_CHANGE_UNKNOWN;
  return GST_CCA_CHANGE_MAPPED;
}

GstCcaChange
gst_cca_geometry_compare (GstBuffer *from, GstBuffer *to, guint width, guint height, GstCcaMapping *mapping)
{
  const Witness *witness = find_descendant (from, to);

  if (witness == NULL)
    return is_in_cuda_memory (from) || is_in_cuda_memory (to) ? compare_cuda_frames (from, to, width, height, mapping)
                                                              : GST_CCA_CHANGE_UNKNOWN;
  if (witness->change == GST_CCA_CHANGE_MAPPED) {
    if (width == 0 || height == 0)
      return GST_CCA_CHANGE_UNKNOWN;
    *mapping = witness->mapping;
    gst_cca_mapping_set_source (mapping, width, height);
  }
  return witness->change;
}
