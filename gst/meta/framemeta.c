/* gst-cca: common parts of the metas that hold coordinates of a frame
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "framemeta.h"

#include <string.h>

GST_DEBUG_CATEGORY_STATIC (cca_meta_debug);
#define GST_CAT_DEFAULT cca_meta_debug

/* --- The witness -------------------------------------------------------------------------------------- */

/* Our metas have no tags, because elements that move frames to or from a GPU drop tagged metas. But elements tell only
 * tagged metas how they change a frame. So a second meta, the witness, goes with ours: its tags are those of
 * GStreamer's own metas with coordinates. An element that changes the frame's geometry tells the witness how, or drops
 * it. */

typedef enum
{
  CHANGE_NONE,    /* the new frame shows the old one pixel by pixel */
  CHANGE_MAPPED,  /* a mapping leads from the old frame to the new one */
  CHANGE_UNKNOWN, /* nothing can be said */
} Change;

typedef struct
{
  GstMeta meta;

  guint64 origin; /* the sequence number of the witness that this one was made from; 0: of none */
  Change change;  /* since then */
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
  witness->change = CHANGE_NONE;
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
  Change change = CHANGE_UNKNOWN;
  Witness *copy;

  if (GST_META_TRANSFORM_IS_COPY (type))
    change = CHANGE_NONE;
  else if (GST_VIDEO_META_TRANSFORM_IS_SCALE (type))
    change = gst_cca_mapping_from_scale (&mapping, data) && fills_frame (data) ? CHANGE_MAPPED : CHANGE_UNKNOWN;
#if GST_CHECK_VERSION(1, 28, 0)
  else if (GST_VIDEO_META_TRANSFORM_IS_MATRIX (type) && gst_cca_mapping_from_matrix (&mapping, data))
    change = CHANGE_MAPPED;
#endif
  if (change == CHANGE_MAPPED && gst_cca_mapping_is_identity (&mapping))
    change = CHANGE_NONE;

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

/* Adds a witness to a writable buffer that has none. Call it before a meta is added: elements copy the metas of a
 * buffer in their order. */
static void
watch_geometry (GstBuffer *buffer)
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
static Change
compare_cuda_frames (GstBuffer *from, GstBuffer *to, guint width, guint height, GstCcaMapping *mapping)
{
  const GstVideoMeta *frame = gst_buffer_get_video_meta (to);

  if (gst_buffer_get_video_crop_meta (from) != NULL)
    return CHANGE_UNKNOWN;
  if (frame == NULL || (frame->width == width && frame->height == height))
    return CHANGE_NONE;
  if (!gst_cca_mapping_from_sizes (mapping, width, height, frame->width, frame->height)
      || !gst_cca_mapping_same_shape ((gdouble) width / height, frame->width, frame->height))
    return CHANGE_UNKNOWN;
  return CHANGE_MAPPED;
}

/* Returns how the frame changed between two buffers, while a meta of from is being copied to to. width and height are
 * the size of the frame that the meta's coordinates refer to. mapping is for these, and set only for
 * CHANGE_MAPPED. */
static Change
compare_geometry (GstBuffer *from, GstBuffer *to, guint width, guint height, GstCcaMapping *mapping)
{
  const Witness *witness = find_descendant (from, to);

  if (witness == NULL)
    return is_in_cuda_memory (from) || is_in_cuda_memory (to) ? compare_cuda_frames (from, to, width, height, mapping)
                                                              : CHANGE_UNKNOWN;
  if (witness->change == CHANGE_MAPPED) {
    if (width == 0 || height == 0)
      return CHANGE_UNKNOWN;
    *mapping = witness->mapping;
    gst_cca_mapping_set_source (mapping, width, height);
  }
  return witness->change;
}

/* --- Members that only this file knows --------------------------------------------------------------- */

/* The storage lies behind the public struct. */
static GstBuffer **
storage_of (const GstCcaFrameMeta *meta)
{
  return (GstBuffer **) ((guint8 *) meta + meta->meta.info->size) - 1;
}

/* Each kind has an API of its own. */
static GQuark
kind_quark (void)
{
  static GQuark quark;

  if (G_UNLIKELY (quark == 0))
    quark = g_quark_from_static_string ("GstCcaFrameMetaKind");
  return quark;
}

static const GstCcaFrameMetaKind *
kind_of (const GstMetaInfo *info)
{
  return g_type_get_qdata (info->api, kind_quark ());
}

static gboolean *
stale_of (const GstCcaFrameMetaKind *kind, gconstpointer meta)
{
  return (gboolean *) ((guint8 *) meta + kind->stale);
}

GstBuffer *
gst_cca_frame_meta_get_storage (const GstCcaFrameMeta *meta)
{
  return *storage_of (meta);
}

void
gst_cca_frame_meta_set_storage (GstCcaFrameMeta *meta, GstBuffer *storage)
{
  gst_clear_buffer (storage_of (meta));
  *storage_of (meta) = storage;
}

gpointer
gst_cca_frame_meta_allocate (GstBuffer **storage, gsize size)
{
  gpointer block = g_try_malloc (size);

  *storage = block != NULL ? gst_cca_frame_meta_wrap (block, size) : NULL;
  return block;
}

GstBuffer *
gst_cca_frame_meta_wrap (gpointer block, gsize size)
{
  return size > 0 ? gst_buffer_new_wrapped (block, size) : NULL;
}

/* --- Life --------------------------------------------------------------------------------------------- */

static gboolean
frame_meta_init (GstMeta *base, gpointer params, GstBuffer *buffer)
{
  memset (base + 1, 0, base->info->size - sizeof *base);
  return TRUE;
}

static void
frame_meta_free (GstMeta *base, GstBuffer *buffer)
{
  GstCcaFrameMeta *meta = (GstCcaFrameMeta *) base;

  g_clear_pointer ((GRefString **) &meta->id, g_ref_string_release);
  gst_clear_buffer (storage_of (meta));
}

#if GST_CHECK_VERSION(1, 24, 0)
static void
frame_meta_clear (GstBuffer *buffer, GstMeta *base)
{
  frame_meta_free (base, buffer);
  frame_meta_init (base, NULL, buffer);
}
#endif

/* --- From frame to frame ------------------------------------------------------------------------------ */

/* Adds a meta of the same payload. */
static GstCcaFrameMeta *
share (GstBuffer *to, const GstCcaFrameMeta *meta)
{
  const GstMetaInfo *info = meta->meta.info;
  GstCcaFrameMeta *copy;

  watch_geometry (to);
  copy = (GstCcaFrameMeta *) gst_buffer_add_meta (to, info, NULL);
  memcpy (&copy->meta + 1, &meta->meta + 1, info->size - sizeof (GstMeta));
  g_ref_string_acquire ((GRefString *) copy->id);
  if (*storage_of (copy) != NULL)
    gst_buffer_ref (*storage_of (copy));
  return copy;
}

static gboolean
map (const GstCcaFrameMetaKind *kind, GstCcaFrameMeta *meta, const GstCcaMapping *mapping)
{
  if (!kind->map (meta, mapping))
    return FALSE;
  meta->width = mapping->width;
  meta->height = mapping->height;
  return TRUE;
}

static void
follow (const GstCcaFrameMetaKind *kind, GstBuffer *to, const GstCcaFrameMeta *meta, GstBuffer *from)
{
  GstCcaFrameMeta *copy;
  Change change = CHANGE_UNKNOWN;
  GstCcaMapping mapping;

  if (!*stale_of (kind, meta))
    change = compare_geometry (from, to, meta->width, meta->height, &mapping);
  copy = share (to, meta);
  *stale_of (kind, copy) = change == CHANGE_UNKNOWN || (change == CHANGE_MAPPED && !map (kind, copy, &mapping));
}

static gboolean
frame_meta_transform (GstBuffer *to, GstMeta *base, GstBuffer *buffer, GQuark type, gpointer data)
{
  const GstCcaFrameMetaKind *kind = kind_of (base->info);
  const GstCcaFrameMeta *meta = (const GstCcaFrameMeta *) base;
  GstCcaFrameMeta *copy;
  GstCcaMapping mapping;
  gboolean mapped = FALSE;

  if (GST_META_TRANSFORM_IS_COPY (type) || *stale_of (kind, meta)) {
    follow (kind, to, meta, buffer);
    return TRUE;
  }
  if (GST_VIDEO_META_TRANSFORM_IS_SCALE (type))
    mapped = gst_cca_mapping_from_scale (&mapping, data);
#if GST_CHECK_VERSION(1, 28, 0)
  else if (GST_VIDEO_META_TRANSFORM_IS_MATRIX (type))
    mapped = gst_cca_mapping_from_matrix (&mapping, data);
#endif
  if (!mapped || meta->width == 0 || meta->height == 0) {
    GST_DEBUG ("dropped the %s: no way to carry it through this \"%s\"", kind->name, g_quark_to_string (type));
    return FALSE;
  }
  gst_cca_mapping_set_source (&mapping, meta->width, meta->height);
  copy = share (to, meta);
  if (map (kind, copy, &mapping))
    return TRUE;
  gst_buffer_remove_meta (to, &copy->meta);
  return FALSE;
}

GstCcaPlace
gst_cca_frame_meta_map_to_frame (const GstCcaFrameMetaKind *kind, gconstpointer base, GstBuffer *buffer, guint width,
                                 guint height, GstVideoRectangle *place)
{
  const GstCcaFrameMeta *meta = base;
  const gboolean stale = *stale_of (kind, meta);
  const GstVideoCropMeta *crop = gst_buffer_get_video_crop_meta (buffer);
  const GstVideoMeta *whole = crop != NULL ? gst_buffer_get_video_meta (buffer) : NULL;

  *place = (GstVideoRectangle) { 0, 0, (gint) width, (gint) height };
  if (whole != NULL)
    *place = (GstVideoRectangle) { -(gint) crop->x, -(gint) crop->y, (gint) whole->width, (gint) whole->height };
  if (!stale && place->x == 0 && place->y == 0 && (guint) place->w == meta->width && (guint) place->h == meta->height)
    return GST_CCA_PLACE_SAME;
  if (!stale && meta->width > 0 && meta->height > 0 && place->w > 0 && place->h > 0
      && gst_cca_mapping_same_shape ((gdouble) meta->width / meta->height, (guint) place->w, (guint) place->h))
    return GST_CCA_PLACE_MAPPED;
  *place = (GstVideoRectangle) { 0 };
  return GST_CCA_PLACE_UNKNOWN;
}

/* --- As bytes ----------------------------------------------------------------------------------------- */

#define FLAG_STALE 1 /* other bits are for later versions */

gsize
gst_cca_frame_meta_write (const GstMeta *meta, guint8 *to)
{
  GstCcaBytes bytes = to != NULL ? GST_CCA_BYTES_WRITE (to) : GST_CCA_BYTES_COUNT ();

  kind_of (meta->info)->write ((const GstCcaFrameMeta *) meta, &bytes);
  return bytes.failed ? 0 : bytes.size;
}

GstMeta *
gst_cca_frame_meta_read (const GstMetaInfo *info, GstBuffer *buffer, const guint8 *data, gsize size, guint8 version)
{
  const GstCcaFrameMetaKind *kind = kind_of (info);
  GstCcaBytes bytes = GST_CCA_BYTES_READ (data, size);
  GstCcaFrameMeta *meta = g_malloc0 (info->size);
  GstCcaFrameMeta *added = NULL;

  meta->meta.info = info;
  if (version <= kind->version && kind->read (meta, &bytes, version) && !bytes.failed && bytes.size == 0)
    added = share (buffer, meta);
  frame_meta_free (&meta->meta, NULL);
  g_free (meta);
  return (GstMeta *) added;
}

void
gst_cca_frame_meta_exchange_head (GstCcaFrameMeta *meta, gboolean *stale, GstCcaBytes *bytes)
{
  guint flags = *stale ? FLAG_STALE : 0;

  gst_cca_bytes_u32 (bytes, &meta->width);
  gst_cca_bytes_u32 (bytes, &meta->height);
  gst_cca_bytes_u32 (bytes, &flags);
  gst_cca_bytes_string (bytes, &meta->id);
  *stale = (flags & FLAG_STALE) != 0;
}

#if GST_CHECK_VERSION(1, 24, 0)
static gboolean
frame_meta_serialize (const GstMeta *meta, GstByteArrayInterface *data, guint8 *version)
{
  const gsize size = gst_cca_frame_meta_write (meta, NULL);
  guint8 *to = size > 0 ? gst_byte_array_interface_append (data, size) : NULL;

  if (to == NULL)
    return FALSE;
  gst_cca_frame_meta_write (meta, to);
  *version = kind_of (meta->info)->version;
  return TRUE;
}
#endif

/* --- Registration, adding, finding -------------------------------------------------------------------- */

GType
gst_cca_frame_meta_api (GstCcaFrameMetaKind *kind)
{
  if (g_once_init_enter (&kind->api)) {
    static const gchar *tags[] = { NULL };
    const GType api = gst_meta_api_type_register (kind->api_name, tags);

    g_type_set_qdata (api, kind_quark (), kind);
    g_once_init_leave (&kind->api, api);
  }
  return (GType) kind->api;
}

static const GstMetaInfo *
register_kind (GstCcaFrameMetaKind *kind)
{
  const GType api = gst_cca_frame_meta_api (kind);
  const gsize size = kind->size + sizeof (GstBuffer *);
#if GST_CHECK_VERSION(1, 24, 0)
  GstMetaInfo *info = gst_meta_info_new (api, kind->name, size);

  info->init_func = frame_meta_init;
  info->free_func = frame_meta_free;
  info->transform_func = frame_meta_transform;
  info->serialize_func = frame_meta_serialize;
  info->deserialize_func = gst_cca_frame_meta_read;
  info->clear_func = frame_meta_clear;
  return gst_meta_info_register (info);
#else
  return gst_meta_register (api, kind->name, size, frame_meta_init, frame_meta_free, frame_meta_transform);
#endif
}

const GstMetaInfo *
gst_cca_frame_meta_info (GstCcaFrameMetaKind *kind)
{
  if (g_once_init_enter ((GstMetaInfo **) &kind->info)) {
    GST_DEBUG_CATEGORY_INIT (cca_meta_debug, "ccameta", 0, "Metas of connected components");
    g_once_init_leave ((GstMetaInfo **) &kind->info, (GstMetaInfo *) register_kind (kind));
  }
  return kind->info;
}

gpointer
gst_cca_frame_meta_add (GstCcaFrameMetaKind *kind, GstBuffer *buffer, GRefString *id, guint width, guint height,
                        GstBuffer *storage)
{
  GstCcaFrameMeta *meta;

  watch_geometry (buffer);
  meta = (GstCcaFrameMeta *) gst_buffer_add_meta (buffer, gst_cca_frame_meta_info (kind), NULL);
  meta->id = id;
  meta->width = width;
  meta->height = height;
  *storage_of (meta) = storage;
  return meta;
}

GstBuffer *
gst_cca_frame_meta_probed_buffer (GstPadProbeInfo *info)
{
  GstBuffer *buffer;

  if (!(GST_PAD_PROBE_INFO_TYPE (info) & GST_PAD_PROBE_TYPE_BUFFER) || GST_PAD_PROBE_INFO_DATA (info) == NULL)
    return NULL;
  buffer = gst_buffer_make_writable (GST_PAD_PROBE_INFO_BUFFER (info));
  GST_PAD_PROBE_INFO_DATA (info) = buffer;
  return buffer;
}

gpointer
gst_cca_frame_meta_iterate (GstCcaFrameMetaKind *kind, GstBuffer *buffer, gpointer *state)
{
  return gst_buffer_iterate_meta_filtered (buffer, state, gst_cca_frame_meta_api (kind));
}

gpointer
gst_cca_frame_meta_find (GstCcaFrameMetaKind *kind, GstBuffer *buffer, const gchar *id)
{
  gpointer state = NULL;
  GstCcaFrameMeta *meta;

  while ((meta = gst_cca_frame_meta_iterate (kind, buffer, &state)) != NULL)
    if (id == NULL || g_str_equal (meta->id, id))
      return meta;
  return NULL;
}

GList *
gst_cca_frame_meta_list (gconstpointer items, guint n, gsize item_size, GBoxedCopyFunc copy)
{
  GList *list = NULL;

  for (guint i = n; i > 0; i--)
    list = g_list_prepend (list, copy ((guint8 *) items + (i - 1) * item_size));
  return list;
}
