/* gst-cca: the components of a video frame, as a GstMeta
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include <gst/cca/gstccameta.h>

#include "geometry.h"
#include "serialize.h"

GST_DEBUG_CATEGORY_STATIC (cca_meta_debug);
#define GST_CAT_DEFAULT cca_meta_debug

G_DEFINE_BOXED_TYPE (GstCcaComponent, gst_cca_component, gst_cca_component_copy, gst_cca_component_free)

/**
 * gst_cca_component_copy:
 * @component: a #GstCcaComponent
 *
 * Copies a component, which then outlives its meta. Any thread.
 *
 * Returns: (transfer full): the copy, to be freed with gst_cca_component_free()
 *
 * Since: 0.1
 */
GstCcaComponent *
gst_cca_component_copy (const GstCcaComponent *component)
{
  g_return_val_if_fail (component != NULL, NULL);

  return g_memdup2 (component, sizeof *component);
}

/**
 * gst_cca_component_free: (skip)
 * @component: (transfer full) (nullable): a copy from gst_cca_component_copy()
 *
 * Frees a copy of a component. Any thread.
 *
 * Since: 0.1
 */
void
gst_cca_component_free (GstCcaComponent *component)
{
  g_free (component);
}

/* A meta of a buffer. */
typedef struct
{
  GstCcaMeta public;
  GstBuffer *storage; /* holds the components; a reference of this meta's own */
} AttachedMeta;

static gboolean
gst_cca_meta_init (GstMeta *base, gpointer params, GstBuffer *buffer)
{
  GstCcaMeta *meta = (GstCcaMeta *) base;

  ((AttachedMeta *) base)->storage = NULL;
  meta->id = NULL;
  meta->width = meta->height = 0;
  meta->n_components = meta->n_stored = 0;
  meta->truncated = FALSE;
  meta->stale = FALSE;
  meta->components = NULL;
  return TRUE;
}

static void
gst_cca_meta_free (GstMeta *base, GstBuffer *buffer)
{
  AttachedMeta *meta = (AttachedMeta *) base;

  g_clear_pointer ((GRefString **) &meta->public.id, g_ref_string_release);
  gst_clear_buffer (&meta->storage);
}

#if GST_CHECK_VERSION(1, 24, 0)
static void
gst_cca_meta_clear (GstBuffer *buffer, GstMeta *base)
{
  gst_cca_meta_free (base, buffer);
  gst_cca_meta_init (base, NULL, buffer);
}
#endif

/* Returns a storage that owns the components, allocated by GLib, or NULL for none. */
static GstBuffer *
wrap_components (GstCcaComponent *components, guint n)
{
  const gsize size = n * sizeof *components;

  return n > 0 ? gst_buffer_new_wrapped_full (0, components, size, 0, size, components, g_free) : NULL;
}

/* Adds a meta that takes ownership of id and storage. `components` points into the storage. */
static GstCcaMeta *
gst_cca_meta_new (GstBuffer *buffer, GRefString *id, guint width, guint height, guint n_components, GstBuffer *storage,
                  const GstCcaComponent *components, guint n_stored)
{
  GstCcaMeta *meta = (GstCcaMeta *) gst_buffer_add_meta (buffer, GST_CCA_META_INFO, NULL);

  meta->id = id;
  meta->width = width;
  meta->height = height;
  meta->n_components = n_components;
  meta->n_stored = n_stored;
  meta->truncated = n_stored < n_components;
  meta->components = components;
  ((AttachedMeta *) meta)->storage = storage;
  return meta;
}

/* Adds a meta of the same components. */
static GstCcaMeta *
gst_cca_meta_share (GstBuffer *to, const GstCcaMeta *meta)
{
  GstBuffer *storage = ((AttachedMeta *) meta)->storage;
  GstCcaMeta *copy = gst_cca_meta_new (to, g_ref_string_acquire ((GRefString *) meta->id), meta->width, meta->height,
                                       meta->n_components, storage != NULL ? gst_buffer_ref (storage) : NULL,
                                       meta->components, meta->n_stored);

  copy->stale = meta->stale;
  return copy;
}

/* Adds a meta with the components transformed to another frame. Returns FALSE if memory is exhausted. */
static gboolean
gst_cca_meta_map (GstBuffer *to, const GstCcaMeta *meta, const GstCcaMapping *mapping)
{
  GstCcaComponent *components = g_try_new (GstCcaComponent, meta->n_stored);
  guint n = 0;

  if (meta->n_stored > 0 && components == NULL)
    return FALSE;
  for (guint i = 0; i < meta->n_stored; i++)
    if (gst_cca_mapping_apply (mapping, &meta->components[i], &components[n]))
      n++;
  gst_cca_geometry_watch (to);
  gst_cca_meta_new (to, g_ref_string_acquire ((GRefString *) meta->id), mapping->width, mapping->height,
                    meta->n_components - (meta->n_stored - n), wrap_components (components, meta->n_stored), components,
                    n);
  return TRUE;
}

static void
gst_cca_meta_follow (GstBuffer *to, const GstCcaMeta *meta, GstBuffer *from)
{
  GstCcaChange change = GST_CCA_CHANGE_UNKNOWN;
  GstCcaMapping mapping;

  if (!meta->stale)
    change = gst_cca_geometry_compare (from, to, meta, &mapping);
  if (change == GST_CCA_CHANGE_MAPPED && gst_cca_meta_map (to, meta, &mapping))
    return;
  gst_cca_geometry_watch (to);
  gst_cca_meta_share (to, meta)->stale = change != GST_CCA_CHANGE_NONE;
}

static gboolean
gst_cca_meta_transform (GstBuffer *to, GstMeta *base, GstBuffer *buffer, GQuark type, gpointer data)
{
  const GstCcaMeta *meta = (GstCcaMeta *) base;
  GstCcaMapping mapping;
  gboolean mapped = FALSE;

  if (GST_META_TRANSFORM_IS_COPY (type) || meta->stale) {
    gst_cca_meta_follow (to, meta, buffer);
    return TRUE;
  }
  if (GST_VIDEO_META_TRANSFORM_IS_SCALE (type))
    mapped = gst_cca_mapping_from_scale (&mapping, data);
#if GST_CHECK_VERSION(1, 28, 0)
  else if (GST_VIDEO_META_TRANSFORM_IS_MATRIX (type))
    mapped = gst_cca_mapping_from_matrix (&mapping, data);
#endif
  if (!mapped || meta->width == 0 || meta->height == 0) {
    GST_DEBUG ("dropped the meta: no way to carry components through this \"%s\"", g_quark_to_string (type));
    return FALSE;
  }
  gst_cca_mapping_set_source (&mapping, meta->width, meta->height);
  return gst_cca_meta_map (to, meta, &mapping);
}

/**
 * gst_cca_meta_api_get_type:
 *
 * Returns: the #GType of the meta's API; it has no tags
 *
 * Since: 0.1
 */
GType
gst_cca_meta_api_get_type (void)
{
  static GType type = 0;

  if (g_once_init_enter (&type)) {
    static const gchar *tags[] = { NULL };

    g_once_init_leave (&type, gst_meta_api_type_register ("GstCcaMetaAPI", tags));
  }
  return type;
}

#if GST_CHECK_VERSION(1, 24, 0)
static GstMeta *
gst_cca_meta_deserialize (const GstMetaInfo *info, GstBuffer *buffer, const guint8 *data, gsize size, guint8 version)
{
  GstCcaSerialized read;
  GstCcaMeta *meta = NULL;

  if (gst_cca_serialized_read (&read, data, size, version))
    meta = gst_buffer_add_cca_meta (buffer, read.id, read.width, read.height, read.n_components, read.components,
                                    read.n_stored);
  if (meta != NULL)
    meta->stale = read.stale;
  gst_cca_serialized_clear (&read);
  return (GstMeta *) meta;
}
#endif

static const GstMetaInfo *
gst_cca_meta_register (void)
{
#if GST_CHECK_VERSION(1, 24, 0)
  GstMetaInfo *info = gst_meta_info_new (GST_CCA_META_API_TYPE, "GstCcaMeta", sizeof (AttachedMeta));

  info->init_func = gst_cca_meta_init;
  info->free_func = gst_cca_meta_free;
  info->transform_func = gst_cca_meta_transform;
  info->serialize_func = gst_cca_meta_serialize;
  info->deserialize_func = gst_cca_meta_deserialize;
  info->clear_func = gst_cca_meta_clear;
  return gst_meta_info_register (info);
#else
  return gst_meta_register (GST_CCA_META_API_TYPE, "GstCcaMeta", sizeof (AttachedMeta), gst_cca_meta_init,
                            gst_cca_meta_free, gst_cca_meta_transform);
#endif
}

/**
 * gst_cca_meta_get_info:
 *
 * Returns the meta's implementation. The first call registers it, and only then does gst_meta_deserialize() know the
 * meta. Any thread.
 *
 * Returns: (transfer none): the #GstMetaInfo
 *
 * Since: 0.1
 */
const GstMetaInfo *
gst_cca_meta_get_info (void)
{
  static const GstMetaInfo *info = NULL;

  if (g_once_init_enter ((GstMetaInfo **) &info)) {
    GST_DEBUG_CATEGORY_INIT (cca_meta_debug, "ccameta", 0, "Meta of connected components");
    g_once_init_leave ((GstMetaInfo **) &info, (GstMetaInfo *) gst_cca_meta_register ());
  }
  return info;
}

/**
 * gst_buffer_get_cca_meta:
 * @buffer: a #GstBuffer
 *
 * Returns the components of a frame. If the buffer has several metas, returns the first, which comes from the first
 * element that analysed the frame. Any thread that holds a reference to @buffer.
 *
 * Returns: (transfer none) (nullable): the meta, which lives as long as @buffer has it, or %NULL
 *
 * Since: 0.1
 */
GstCcaMeta *
gst_buffer_get_cca_meta (GstBuffer *buffer)
{
  g_return_val_if_fail (GST_IS_BUFFER (buffer), NULL);

  return (GstCcaMeta *) gst_buffer_get_meta (buffer, GST_CCA_META_API_TYPE);
}

/**
 * gst_buffer_iterate_cca_meta: (skip)
 * @buffer: a #GstBuffer
 * @state: (inout): the state of the iteration; %NULL at the start
 *
 * Returns the metas of a frame one after the other, in the order in which they were added. Do not remove metas during
 * the iteration. Any thread that holds a reference to @buffer.
 *
 * Returns: (transfer none) (nullable): the next meta, which lives as long as @buffer has it, or %NULL after the last
 *
 * Since: 0.1
 */
GstCcaMeta *
gst_buffer_iterate_cca_meta (GstBuffer *buffer, gpointer *state)
{
  g_return_val_if_fail (GST_IS_BUFFER (buffer), NULL);
  g_return_val_if_fail (state != NULL, NULL);

  return (GstCcaMeta *) gst_buffer_iterate_meta_filtered (buffer, state, GST_CCA_META_API_TYPE);
}

/**
 * gst_buffer_get_cca_meta_by_id:
 * @buffer: a #GstBuffer
 * @id: (nullable): the id of the analysis, such as an element's property `id`; %NULL for any
 *
 * Returns the components that the analysis named @id found in a frame: the first meta with this id. With %NULL, does
 * the same as gst_buffer_get_cca_meta(). Any thread that holds a reference to @buffer.
 *
 * Returns: (transfer none) (nullable): the meta, which lives as long as @buffer has it, or %NULL
 *
 * Since: 0.1
 */
const GstCcaMeta *
gst_buffer_get_cca_meta_by_id (GstBuffer *buffer, const gchar *id)
{
  gpointer state = NULL;
  GstCcaMeta *meta;

  g_return_val_if_fail (GST_IS_BUFFER (buffer), NULL);

  while ((meta = gst_buffer_iterate_cca_meta (buffer, &state)) != NULL)
    if (id == NULL || g_str_equal (meta->id, id))
      return meta;
  return NULL;
}

/**
 * gst_buffer_get_cca_meta_ids:
 * @buffer: a #GstBuffer
 *
 * Returns the ids of a frame's metas, in the order in which they were added. Any thread that holds a reference to
 * @buffer.
 *
 * Returns: (transfer full) (array zero-terminated=1): the ids, to be freed with g_strfreev(); empty without any meta
 *
 * Since: 0.1
 */
gchar **
gst_buffer_get_cca_meta_ids (GstBuffer *buffer)
{
  GPtrArray *ids;
  gpointer state = NULL;
  GstCcaMeta *meta;

  g_return_val_if_fail (GST_IS_BUFFER (buffer), NULL);

  ids = g_ptr_array_new ();
  while ((meta = gst_buffer_iterate_cca_meta (buffer, &state)) != NULL)
    g_ptr_array_add (ids, g_strdup (meta->id));
  g_ptr_array_add (ids, NULL);
  return (gchar **) g_ptr_array_free (ids, FALSE);
}

/**
 * gst_buffer_add_cca_meta:
 * @buffer: a writable #GstBuffer
 * @id: (nullable): names the analysis; %NULL is the empty name
 * @width: width of the frame that the coordinates refer to, pixels
 * @height: height of the frame that the coordinates refer to, pixels
 * @n_components: components found, at least @n_stored; more means that the list is truncated
 * @components: (array length=n_stored) (nullable): the components, which are copied
 * @n_stored: how many there are
 *
 * Adds the components of a frame, and keeps the metas that @buffer already has. An element that adds a meta to every
 * frame should recycle its memory with gst_buffer_add_cca_meta_take() instead. The thread that owns @buffer.
 *
 * Returns: (transfer none) (nullable): the meta, owned by @buffer; %NULL if memory is exhausted
 *
 * Since: 0.1
 */
GstCcaMeta *
gst_buffer_add_cca_meta (GstBuffer *buffer, const gchar *id, guint width, guint height, guint n_components,
                         const GstCcaComponent *components, guint n_stored)
{
  GstCcaComponent *copies;

  g_return_val_if_fail (GST_IS_BUFFER (buffer) && gst_buffer_is_writable (buffer), NULL);
  g_return_val_if_fail (n_stored <= n_components, NULL);
  g_return_val_if_fail (n_stored == 0 || components != NULL, NULL);

  copies = g_try_new (GstCcaComponent, n_stored);
  if (n_stored > 0 && copies == NULL)
    return NULL;
  for (guint i = 0; i < n_stored; i++)
    copies[i] = components[i];
  gst_cca_geometry_watch (buffer);
  return gst_cca_meta_new (buffer, g_ref_string_new (id != NULL ? id : ""), width, height, n_components,
                           wrap_components (copies, n_stored), copies, n_stored);
}

/**
 * gst_pad_probe_info_add_cca_meta:
 * @info: the argument of a pad probe for a buffer
 * @id: (nullable): names the analysis; %NULL is the empty name
 * @width: width of the frame that the coordinates refer to, pixels
 * @height: height of the frame that the coordinates refer to, pixels
 * @n_components: components found, at least @n_stored; more means that the list is truncated
 * @components: (array length=n_stored) (nullable): the components, which are copied
 * @n_stored: how many there are
 *
 * Adds the components of a frame to the buffer that passes a pad, like gst_buffer_add_cca_meta(). If the buffer is not
 * writable, because it has other owners, the function replaces it in @info with a copy that shares its memory. In
 * bindings this applies to any buffer that the probe looked at. The thread of the probe.
 *
 * Returns: whether the buffer now in @info has the meta; %FALSE if @info has no buffer or memory is exhausted
 *
 * Since: 0.1
 */
gboolean
gst_pad_probe_info_add_cca_meta (GstPadProbeInfo *info, const gchar *id, guint width, guint height, guint n_components,
                                 const GstCcaComponent *components, guint n_stored)
{
  GstBuffer *buffer;

  g_return_val_if_fail (info != NULL, FALSE);

  if (!(GST_PAD_PROBE_INFO_TYPE (info) & GST_PAD_PROBE_TYPE_BUFFER) || GST_PAD_PROBE_INFO_DATA (info) == NULL)
    return FALSE;
  buffer = gst_buffer_make_writable (GST_PAD_PROBE_INFO_BUFFER (info));
  GST_PAD_PROBE_INFO_DATA (info) = buffer;
  return gst_buffer_add_cca_meta (buffer, id, width, height, n_components, components, n_stored) != NULL;
}

/* Returns the components in a storage's first memory, or NULL with a critical warning if the memory is too small or of
 * another kind. The address stays valid while the memory lives, because memory of the system's allocator does not move.
 * A map held by each meta would exceed GStreamer's limit of 255 simultaneous maps. */
static const GstCcaComponent *
storage_components (GstBuffer *storage, guint n_stored)
{
  const gsize size = n_stored * sizeof (GstCcaComponent);
  GstMemory *memory = gst_buffer_n_memory (storage) > 0 ? gst_buffer_peek_memory (storage, 0) : NULL;
  const GstCcaComponent *components;
  GstMapInfo map;
  gsize there;

  if (memory == NULL || !gst_memory_is_type (memory, GST_ALLOCATOR_SYSMEM)
      || !gst_memory_map (memory, &map, GST_MAP_READ)) {
    g_critical ("gst_buffer_add_cca_meta_take: the storage does not start with readable system memory");
    return NULL;
  }
  components = (const GstCcaComponent *) map.data;
  there = map.size;
  gst_memory_unmap (memory, &map); /* and clears map, from GStreamer 1.28 on */
  if (there < size) {
    g_critical ("gst_buffer_add_cca_meta_take: the storage's first memory has %" G_GSIZE_FORMAT
                " bytes, %u components need %" G_GSIZE_FORMAT,
                there, n_stored, size);
    return NULL;
  }
  return components;
}

/**
 * gst_buffer_add_cca_meta_take: (skip)
 * @buffer: a writable #GstBuffer
 * @id: names the analysis; the function takes ownership of one reference
 * @width: width of the frame that the coordinates refer to, pixels
 * @height: height of the frame that the coordinates refer to, pixels
 * @n_components: components found, at least @n_stored; more means that the list is truncated
 * @storage: (transfer full) (nullable): a buffer whose first memory is of %GST_ALLOCATOR_SYSMEM and starts with
 *   @n_stored components, aligned as #GstCcaComponent; %NULL only if @n_stored is 0
 * @n_stored: how many there are
 *
 * Adds the components of a frame without copying them or the id. Any number of copies of the meta share @storage; do
 * not write to it or map it for writing while one of them lives. The last copy drops the last reference, which returns
 * @storage to its #GstBufferPool if it came from one. The function takes both references even if it fails. The thread
 * that owns @buffer.
 *
 * Returns: (transfer none) (nullable): the meta, owned by @buffer; %NULL if @storage is too small or of another kind of
 *   memory
 *
 * Since: 0.1
 */
GstCcaMeta *
gst_buffer_add_cca_meta_take (GstBuffer *buffer, GRefString *id, guint width, guint height, guint n_components,
                              GstBuffer *storage, guint n_stored)
{
  const GstCcaComponent *components = NULL;

  g_return_val_if_fail (GST_IS_BUFFER (buffer) && gst_buffer_is_writable (buffer), NULL);
  g_return_val_if_fail (id != NULL, NULL);
  g_return_val_if_fail (n_stored <= n_components, NULL);
  g_return_val_if_fail (n_stored == 0 || GST_IS_BUFFER (storage), NULL);

  if (n_stored > 0 && (components = storage_components (storage, n_stored)) == NULL) {
    g_ref_string_release (id);
    gst_buffer_unref (storage);
    return NULL;
  }
  gst_cca_geometry_watch (buffer);
  return gst_cca_meta_new (buffer, id, width, height, n_components, storage, components, n_stored);
}

/**
 * gst_cca_meta_get_component:
 * @meta: a #GstCcaMeta
 * @index: which of the stored components, from 0
 *
 * Returns a stored component, in the order of the analysis. Any thread that holds a reference to the meta's buffer.
 *
 * Returns: (transfer none) (nullable): the component, which lives as long as @meta; %NULL if @index is not below
 *   @n_stored
 *
 * Since: 0.1
 */
const GstCcaComponent *
gst_cca_meta_get_component (const GstCcaMeta *meta, guint index)
{
  g_return_val_if_fail (meta != NULL, NULL);

  return index < meta->n_stored ? &meta->components[index] : NULL;
}

/**
 * gst_cca_meta_get_components:
 * @meta: a #GstCcaMeta
 *
 * Copies the stored components, in the order of the analysis, to a list that outlives the meta. Bindings use this; C
 * programs read @meta.components. Any thread that holds a reference to the meta's buffer.
 *
 * Returns: (transfer full) (element-type GstCcaComponent): the components, to be freed with g_list_free_full() and
 *   gst_cca_component_free()
 *
 * Since: 0.1
 */
GList *
gst_cca_meta_get_components (const GstCcaMeta *meta)
{
  GList *list = NULL;

  g_return_val_if_fail (meta != NULL, NULL);

  for (guint i = meta->n_stored; i > 0; i--)
    list = g_list_prepend (list, gst_cca_component_copy (&meta->components[i - 1]));
  return list;
}

/**
 * gst_cca_meta_map_to_frame:
 * @meta: a #GstCcaMeta
 * @buffer: the buffer that has @meta
 * @width: width of the frame as the buffer's caps say, pixels
 * @height: height of the frame as the buffer's caps say, pixels
 * @place: (out caller-allocates): where the measured frame lies in the frame, pixels; empty for
 *   %GST_CCA_PLACE_UNKNOWN
 *
 * Finds where the components of a meta are in the frame that carries it. With a #GstVideoCropMeta the measured frame is
 * the uncropped one: @place then begins at or before (0, 0) and ends at or beyond the frame's end. Any thread that
 * holds a reference to @buffer.
 *
 * A position (x, y) of a component is shown at @place.x + x * @place.w / @meta.width and @place.y + y * @place.h /
 * @meta.height, positions measured from the frame's edge.
 *
 * Returns: whether and how positions must be mapped
 *
 * Since: 0.1
 */
GstCcaPlace
gst_cca_meta_map_to_frame (const GstCcaMeta *meta, GstBuffer *buffer, guint width, guint height,
                           GstVideoRectangle *place)
{
  const GstVideoCropMeta *crop;
  const GstVideoMeta *whole;

  g_return_val_if_fail (meta != NULL, GST_CCA_PLACE_UNKNOWN);
  g_return_val_if_fail (GST_IS_BUFFER (buffer), GST_CCA_PLACE_UNKNOWN);
  g_return_val_if_fail (place != NULL, GST_CCA_PLACE_UNKNOWN);

  crop = gst_buffer_get_video_crop_meta (buffer);
  whole = crop != NULL ? gst_buffer_get_video_meta (buffer) : NULL;
  *place = (GstVideoRectangle) { 0, 0, (gint) width, (gint) height };
  if (whole != NULL)
    *place = (GstVideoRectangle) { -(gint) crop->x, -(gint) crop->y, (gint) whole->width, (gint) whole->height };
  if (!meta->stale && place->x == 0 && place->y == 0 && (guint) place->w == meta->width
      && (guint) place->h == meta->height)
    return GST_CCA_PLACE_SAME;
  if (!meta->stale && meta->width > 0 && meta->height > 0 && place->w > 0 && place->h > 0
      && gst_cca_mapping_same_shape ((gdouble) meta->width / meta->height, (guint) place->w, (guint) place->h))
    return GST_CCA_PLACE_MAPPED;
  *place = (GstVideoRectangle) { 0 };
  return GST_CCA_PLACE_UNKNOWN;
}
