/* gst-cca: the components of a video frame, as a GstMeta
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include <gst/cca/gstccameta.h>

#include "components.h"

GST_CCA_DEFINE_PLAIN_TYPE (GstCcaComponent, gst_cca_component)
GST_CCA_DEFINE_PLAIN_TYPE (GstCcaOverlap, gst_cca_overlap)
GST_CCA_DEFINE_PLAIN_TYPE (GstCcaShape, gst_cca_shape)
GST_CCA_DEFINE_PLAIN_TYPE (GstCcaIntensity, gst_cca_intensity)

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
/**
 * gst_cca_component_free: (skip)
 * @component: (transfer full) (nullable): a copy from gst_cca_component_copy()
 *
 * Frees a copy of a component. Any thread.
 *
 * Since: 0.1
 */

/**
 * gst_cca_overlap_copy:
 * @overlap: a #GstCcaOverlap
 *
 * Copies an overlap, which then outlives its meta. Any thread.
 *
 * Returns: (transfer full): the copy, to be freed with gst_cca_overlap_free()
 *
 * Since: 0.1
 */
/**
 * gst_cca_overlap_free: (skip)
 * @overlap: (transfer full) (nullable): a copy from gst_cca_overlap_copy()
 *
 * Frees a copy of an overlap. Any thread.
 *
 * Since: 0.1
 */

/**
 * gst_cca_shape_copy:
 * @shape: a #GstCcaShape
 *
 * Copies a shape, which then outlives its meta. Any thread.
 *
 * Returns: (transfer full): the copy, to be freed with gst_cca_shape_free()
 *
 * Since: 0.2
 */
/**
 * gst_cca_shape_free: (skip)
 * @shape: (transfer full) (nullable): a copy from gst_cca_shape_copy()
 *
 * Frees a copy of a shape. Any thread.
 *
 * Since: 0.2
 */

/**
 * gst_cca_intensity_copy:
 * @intensity: a #GstCcaIntensity
 *
 * Copies an intensity, which then outlives its meta. Any thread.
 *
 * Returns: (transfer full): the copy, to be freed with gst_cca_intensity_free()
 *
 * Since: 0.2
 */
/**
 * gst_cca_intensity_free: (skip)
 * @intensity: (transfer full) (nullable): a copy from gst_cca_intensity_copy()
 *
 * Frees a copy of an intensity. Any thread.
 *
 * Since: 0.2
 */

/* Adds a meta that takes ownership of id and storage. `components` points into the storage. */
static GstCcaMeta *
gst_cca_meta_new (GstBuffer *buffer, GRefString *id, guint width, guint height, guint n_components, GstBuffer *storage,
                  const GstCcaComponent *components, guint n_stored)
{
  GstCcaMeta *meta = gst_cca_frame_meta_add (&gst_cca_components, buffer, id, width, height, storage);

  meta->n_components = n_components;
  meta->n_stored = n_stored;
  meta->truncated = n_stored < n_components;
  meta->components = components;
  return meta;
}

GST_CCA_DEFINE_FRAME_META (GstCcaMeta, cca_meta, gst_cca_components)

/**
 * gst_cca_meta_api_get_type:
 *
 * Returns: the #GType of the meta's API; it has no tags
 *
 * Since: 0.1
 */

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
 * @n_stored: number of components in the list
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
  GstCcaMeta lists = { .n_stored = n_stored, .components = components };
  GstBuffer *storage;

  g_return_val_if_fail (GST_IS_BUFFER (buffer) && gst_buffer_is_writable (buffer), NULL);
  g_return_val_if_fail (n_stored <= n_components, NULL);
  g_return_val_if_fail (n_stored == 0 || components != NULL, NULL);

  if (!gst_cca_components_store (&storage, &lists))
    return NULL;
  return gst_cca_meta_new (buffer, g_ref_string_new (id != NULL ? id : ""), width, height, n_components, storage,
                           lists.components, n_stored);
}

/**
 * gst_pad_probe_info_add_cca_meta:
 * @info: the argument of a pad probe for a buffer
 * @id: (nullable): names the analysis; %NULL is the empty name
 * @width: width of the frame that the coordinates refer to, pixels
 * @height: height of the frame that the coordinates refer to, pixels
 * @n_components: components found, at least @n_stored; more means that the list is truncated
 * @components: (array length=n_stored) (nullable): the components, which are copied
 * @n_stored: number of components in the list
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

  buffer = gst_cca_frame_meta_probed_buffer (info);
  return buffer != NULL
         && gst_buffer_add_cca_meta (buffer, id, width, height, n_components, components, n_stored) != NULL;
}

/* Returns `size` bytes behind the first `skipped` ones of a storage's first memory, or NULL with a critical warning by
 * that function if the memory is smaller or of another kind. The address stays valid while the memory lives, because
 * memory of the system's allocator does not move. A map held by each meta would exceed GStreamer's limit of 255
 * simultaneous maps. */
static gconstpointer
storage_bytes (GstBuffer *storage, gsize skipped, gsize size, const gchar *function)
{
  GstMemory *memory = gst_buffer_n_memory (storage) > 0 ? gst_buffer_peek_memory (storage, 0) : NULL;
  const guint8 *bytes;
  GstMapInfo map;
  gsize there;

  if (memory == NULL || !gst_memory_is_type (memory, GST_ALLOCATOR_SYSMEM)
      || !gst_memory_map (memory, &map, GST_MAP_READ)) {
    g_critical ("%s: the storage does not start with readable system memory", function);
    return NULL;
  }
  bytes = map.data;
  there = map.size;
  gst_memory_unmap (memory, &map); /* and clears map, from GStreamer 1.28 on */
  if (there < skipped + size) {
    g_critical ("%s: the storage's first memory has %" G_GSIZE_FORMAT " bytes, the lists need %" G_GSIZE_FORMAT,
                function, there, skipped + size);
    return NULL;
  }
  return bytes + skipped;
}

/* Finds a list of `size` bytes that lies in a meta's storage behind those that the meta has. Returns FALSE if the
 * storage has no such list; a list of no bytes, which is NULL, needs none. */
static gboolean
find_stored (const GstCcaMeta *meta, gsize size, gconstpointer *list, const gchar *function)
{
  GstBuffer *storage = gst_cca_frame_meta_get_storage ((const GstCcaFrameMeta *) meta);

  *list = NULL;
  if (size == 0)
    return TRUE;
  g_return_val_if_fail (storage != NULL, FALSE);
  *list = storage_bytes (storage, gst_cca_components_size (meta), size, function);
  return *list != NULL;
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
 * @n_stored: number of components in the list
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

  if (n_stored > 0
      && (components = storage_bytes (storage, 0, (gsize) n_stored * sizeof *components, G_STRFUNC)) == NULL) {
    g_ref_string_release (id);
    gst_buffer_unref (storage);
    return NULL;
  }
  return gst_cca_meta_new (buffer, id, width, height, n_components, storage, components, n_stored);
}

/**
 * gst_cca_meta_set_overlaps:
 * @meta: a #GstCcaMeta that was just added to a buffer
 * @n_overlaps: overlaps there are, at least @n_stored; more means that the list is truncated
 * @overlaps: (array length=n_stored) (nullable): the overlaps, sorted by @before, then @now, which are copied
 * @n_stored: number of overlaps in the list
 *
 * Says how the components overlap with those of the last frame. Call it before anything else looks at @meta: the
 * function moves the components. An element that does so with every frame should use
 * gst_cca_meta_set_stored_overlaps() instead. The thread that owns the meta's buffer.
 *
 * Returns: %FALSE if memory is exhausted, and the overlaps remain unknown
 *
 * Since: 0.1
 */
gboolean
gst_cca_meta_set_overlaps (GstCcaMeta *meta, guint n_overlaps, const GstCcaOverlap *overlaps, guint n_stored)
{
  GstCcaMeta lists;

  g_return_val_if_fail (meta != NULL, FALSE);
  g_return_val_if_fail (n_stored <= n_overlaps, FALSE);
  g_return_val_if_fail (n_stored == 0 || overlaps != NULL, FALSE);

  lists = *meta;
  gst_cca_components_set_overlaps (&lists, n_overlaps, n_stored, overlaps);
  return gst_cca_components_replace (meta, &lists);
}

/**
 * gst_cca_meta_set_stored_overlaps: (skip)
 * @meta: a #GstCcaMeta from gst_buffer_add_cca_meta_take()
 * @n_overlaps: overlaps there are, at least @n_stored; more means that the list is truncated
 * @n_stored: how many lie in the meta's storage, right behind its @n_stored components
 *
 * Says how the components overlap with those of the last frame, without copying the list: the storage that was given to
 * gst_buffer_add_cca_meta_take() has the overlaps, sorted by @before, then @now, right behind the last component. Call
 * it before anything else looks at @meta. The thread that owns the meta's buffer.
 *
 * Returns: %FALSE if the storage is too small, and the overlaps remain unknown
 *
 * Since: 0.1
 */
gboolean
gst_cca_meta_set_stored_overlaps (GstCcaMeta *meta, guint n_overlaps, guint n_stored)
{
  gconstpointer list;

  g_return_val_if_fail (meta != NULL, FALSE);
  g_return_val_if_fail (n_stored <= n_overlaps, FALSE);

  if (!find_stored (meta, (gsize) n_stored * sizeof (GstCcaOverlap), &list, G_STRFUNC))
    return FALSE;
  gst_cca_components_set_overlaps (meta, n_overlaps, n_stored, list);
  return TRUE;
}

/**
 * gst_cca_meta_set_shapes:
 * @meta: a #GstCcaMeta that was just added to a buffer
 * @shapes: (array length=n_shapes) (nullable): the shapes of the stored components, in their order, which are copied
 * @n_shapes: how many there are, which must be @meta.n_stored
 *
 * Says what shapes the components have. Call it before anything else looks at @meta: the function moves the components.
 * An element that does so with every frame should use gst_cca_meta_set_stored_shapes() instead. The thread that owns
 * the meta's buffer.
 *
 * Returns: %FALSE if memory is exhausted, and the shapes remain as they were
 *
 * Since: 0.2
 */
gboolean
gst_cca_meta_set_shapes (GstCcaMeta *meta, const GstCcaShape *shapes, guint n_shapes)
{
  GstCcaMeta lists;

  g_return_val_if_fail (meta != NULL, FALSE);
  g_return_val_if_fail (n_shapes == meta->n_stored, FALSE);
  g_return_val_if_fail (n_shapes == 0 || shapes != NULL, FALSE);

  lists = *meta;
  gst_cca_components_set_shapes (&lists, shapes);
  return gst_cca_components_replace (meta, &lists);
}

/**
 * gst_cca_meta_set_stored_shapes: (skip)
 * @meta: a #GstCcaMeta from gst_buffer_add_cca_meta_take()
 *
 * Says what shapes the components have, without copying them: the storage that was given to
 * gst_buffer_add_cca_meta_take() has a shape for each stored component, in their order, right behind the lists that
 * @meta has so far. Call it before anything else looks at @meta. The thread that owns the meta's buffer.
 *
 * Returns: %FALSE if the storage is too small, and the shapes remain unknown
 *
 * Since: 0.2
 */
gboolean
gst_cca_meta_set_stored_shapes (GstCcaMeta *meta)
{
  gconstpointer list;

  g_return_val_if_fail (meta != NULL, FALSE);

  if (!find_stored (meta, (gsize) meta->n_stored * sizeof (GstCcaShape), &list, G_STRFUNC))
    return FALSE;
  gst_cca_components_set_shapes (meta, list);
  return TRUE;
}

/**
 * gst_cca_meta_set_intensities:
 * @meta: a #GstCcaMeta that was just added to a buffer
 * @intensities: (array length=n_intensities) (nullable): the values of the pixels of the stored components, in their
 *   order, which are copied
 * @n_intensities: how many there are, which must be @meta.n_stored
 *
 * Says what values the components' pixels have. Call it before anything else looks at @meta: the function moves the
 * components. An element that does so with every frame should use gst_cca_meta_set_stored_intensities() instead. The
 * thread that owns the meta's buffer.
 *
 * Returns: %FALSE if memory is exhausted, and the intensities remain as they were
 *
 * Since: 0.2
 */
gboolean
gst_cca_meta_set_intensities (GstCcaMeta *meta, const GstCcaIntensity *intensities, guint n_intensities)
{
  GstCcaMeta lists;

  g_return_val_if_fail (meta != NULL, FALSE);
  g_return_val_if_fail (n_intensities == meta->n_stored, FALSE);
  g_return_val_if_fail (n_intensities == 0 || intensities != NULL, FALSE);

  lists = *meta;
  gst_cca_components_set_intensities (&lists, intensities);
  return gst_cca_components_replace (meta, &lists);
}

/**
 * gst_cca_meta_set_stored_intensities: (skip)
 * @meta: a #GstCcaMeta from gst_buffer_add_cca_meta_take()
 *
 * Says what values the components' pixels have, without copying them: the storage that was given to
 * gst_buffer_add_cca_meta_take() has an intensity for each stored component, in their order, right behind the lists
 * that @meta has so far. Call it before anything else looks at @meta. The thread that owns the meta's buffer.
 *
 * Returns: %FALSE if the storage is too small, and the intensities remain unknown
 *
 * Since: 0.2
 */
gboolean
gst_cca_meta_set_stored_intensities (GstCcaMeta *meta)
{
  gconstpointer list;

  g_return_val_if_fail (meta != NULL, FALSE);

  if (!find_stored (meta, (gsize) meta->n_stored * sizeof (GstCcaIntensity), &list, G_STRFUNC))
    return FALSE;
  gst_cca_components_set_intensities (meta, list);
  return TRUE;
}

/**
 * gst_cca_meta_set_coverage:
 * @meta: a #GstCcaMeta
 * @cell: side of the cells, pixels of the measured frame, at least 1
 * @counts: how many pixels of each cell are foreground, at most 255: a byte for each cell, row by row, which are
 * copied. A row has as many cells as cover the width of @meta, and there are as many rows as cover its height. Behind
 * them, the three planes of #GstCcaMeta.cell_colours may follow
 *
 * Says where the frame has foreground. Call it before anything else looks at @meta: the function moves the components.
 * An element that does so with every frame should use gst_cca_meta_set_stored_coverage() instead. The thread that owns
 * the meta's buffer.
 *
 * Returns: %FALSE if memory is exhausted, and the coverage remains as it was
 *
 * Since: 0.1
 */
gboolean
gst_cca_meta_set_coverage (GstCcaMeta *meta, guint cell, GBytes *counts)
{
  GstCcaMeta lists;
  const guint8 *bytes;
  gsize n, size;

  g_return_val_if_fail (meta != NULL, FALSE);
  g_return_val_if_fail (cell > 0, FALSE);
  g_return_val_if_fail (counts != NULL, FALSE);

  lists = *meta;
  bytes = g_bytes_get_data (counts, &size);
  gst_cca_components_set_cells (&lists, cell, bytes, NULL);
  n = gst_cca_components_n_cells (&lists);
  g_return_val_if_fail (n > 0 && (size == n || size == 4 * n), FALSE);
  lists.cell_colours = size > n ? bytes + n : NULL;
  return gst_cca_components_replace (meta, &lists);
}

/**
 * gst_cca_meta_set_stored_coverage: (skip)
 * @meta: a #GstCcaMeta from gst_buffer_add_cca_meta_take()
 * @cell: side of the cells, pixels, at least 1
 *
 * Says where the frame has foreground, without copying the counts: the storage that was given to
 * gst_buffer_add_cca_meta_take() has the bytes that gst_cca_meta_set_coverage() takes right behind the lists that @meta
 * has so far: call it after the functions that set overlaps, shapes and intensities, and before anything else looks at
 * @meta. The thread that owns the meta's buffer.
 *
 * Returns: %FALSE if the storage is too small, and the coverage remains unknown
 *
 * Since: 0.1
 */
gboolean
gst_cca_meta_set_stored_coverage (GstCcaMeta *meta, guint cell)
{
  gconstpointer list;
  GstCcaMeta lists;

  g_return_val_if_fail (meta != NULL, FALSE);
  g_return_val_if_fail (cell > 0, FALSE);

  lists = *meta;
  gst_cca_components_set_cells (&lists, cell, NULL, NULL);
  if (!find_stored (meta, gst_cca_components_n_cells (&lists), &list, G_STRFUNC))
    return FALSE;
  gst_cca_components_set_cells (meta, cell, list, NULL);
  return TRUE;
}

/**
 * gst_cca_meta_set_stored_cell_colours: (skip)
 * @meta: a #GstCcaMeta
 *
 * Says what colour the cells have, without copying: the storage has the planes of #GstCcaMeta.cell_colours right behind
 * the coverage. Call it after gst_cca_meta_set_stored_coverage(), and before anything else looks at @meta. The thread
 * that owns the meta's buffer.
 *
 * Returns: %FALSE if the storage is too small, and the colours remain unknown
 *
 * Since: 0.1
 */
gboolean
gst_cca_meta_set_stored_cell_colours (GstCcaMeta *meta)
{
  gconstpointer list;

  g_return_val_if_fail (meta != NULL, FALSE);
  g_return_val_if_fail (meta->coverage != NULL, FALSE);

  if (!find_stored (meta, 3 * gst_cca_components_n_cells (meta), &list, G_STRFUNC))
    return FALSE;
  meta->cell_colours = list;
  return TRUE;
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
  g_return_val_if_fail (meta != NULL, NULL);

  return gst_cca_frame_meta_list (meta->components, meta->n_stored, sizeof *meta->components,
                                  (GBoxedCopyFunc) gst_cca_component_copy);
}

/**
 * gst_cca_meta_has_overlaps:
 * @meta: a #GstCcaMeta
 *
 * Bindings use this to tell an empty list of overlaps from an unknown one; C programs compare @meta.overlaps with
 * %NULL. Any thread that holds a reference to the meta's buffer.
 *
 * Returns: whether it is known how the components overlap with those of the last frame
 *
 * Since: 0.1
 */
gboolean
gst_cca_meta_has_overlaps (const GstCcaMeta *meta)
{
  g_return_val_if_fail (meta != NULL, FALSE);

  return meta->overlaps != NULL;
}

/**
 * gst_cca_meta_get_overlaps:
 * @meta: a #GstCcaMeta
 *
 * Copies the stored overlaps, sorted by @before, then @now, to a list that outlives the meta. Bindings use this; C
 * programs read @meta.overlaps. Any thread that holds a reference to the meta's buffer.
 *
 * Returns: (transfer full) (element-type GstCcaOverlap): the overlaps, to be freed with g_list_free_full() and
 *   gst_cca_overlap_free(); empty also if they are not known
 *
 * Since: 0.1
 */
GList *
gst_cca_meta_get_overlaps (const GstCcaMeta *meta)
{
  g_return_val_if_fail (meta != NULL, NULL);

  return gst_cca_frame_meta_list (meta->overlaps, meta->n_stored_overlaps, sizeof *meta->overlaps,
                                  (GBoxedCopyFunc) gst_cca_overlap_copy);
}

/**
 * gst_cca_meta_get_shapes:
 * @meta: a #GstCcaMeta
 *
 * Copies the shapes of the stored components, in their order, to a list that outlives the meta. Bindings use this; C
 * programs read @meta.shapes. Any thread that holds a reference to the meta's buffer.
 *
 * Returns: (transfer full) (element-type GstCcaShape): the shapes, to be freed with g_list_free_full() and
 *   gst_cca_shape_free(); empty if they are not known
 *
 * Since: 0.2
 */
GList *
gst_cca_meta_get_shapes (const GstCcaMeta *meta)
{
  g_return_val_if_fail (meta != NULL, NULL);

  return gst_cca_frame_meta_list (meta->shapes, meta->shapes != NULL ? meta->n_stored : 0, sizeof *meta->shapes,
                                  (GBoxedCopyFunc) gst_cca_shape_copy);
}

/**
 * gst_cca_meta_get_intensities:
 * @meta: a #GstCcaMeta
 *
 * Copies the values of the stored components' pixels, in their order, to a list that outlives the meta. Bindings use
 * this; C programs read @meta.intensities. Any thread that holds a reference to the meta's buffer.
 *
 * Returns: (transfer full) (element-type GstCcaIntensity): the intensities, to be freed with g_list_free_full() and
 *   gst_cca_intensity_free(); empty if they are not known
 *
 * Since: 0.2
 */
GList *
gst_cca_meta_get_intensities (const GstCcaMeta *meta)
{
  g_return_val_if_fail (meta != NULL, NULL);

  return gst_cca_frame_meta_list (meta->intensities, meta->intensities != NULL ? meta->n_stored : 0,
                                  sizeof *meta->intensities, (GBoxedCopyFunc) gst_cca_intensity_copy);
}

/**
 * gst_cca_meta_get_coverage:
 * @meta: a #GstCcaMeta
 *
 * Copies the foreground pixels of each cell: coverage_columns * coverage_rows bytes, row by row. For bindings, which
 * cannot read the member of that name. Any thread that holds a reference to the meta's buffer.
 *
 * Returns: (transfer full) (nullable): the bytes; %NULL if the coverage is not known
 *
 * Since: 0.1
 */
GBytes *
gst_cca_meta_get_coverage (const GstCcaMeta *meta)
{
  g_return_val_if_fail (meta != NULL, NULL);

  if (meta->coverage == NULL)
    return NULL;
  return g_bytes_new (meta->coverage, gst_cca_components_n_cells (meta));
}

/**
 * gst_cca_meta_get_cell_colours:
 * @meta: a #GstCcaMeta
 *
 * Copies the colour of each cell: three planes of coverage_columns * coverage_rows bytes, see #GstCcaMeta. For
 * bindings, which cannot read the field. Any thread that holds a reference to the meta's buffer.
 *
 * Returns: (transfer full) (nullable): the bytes; %NULL if the colours are not known
 *
 * Since: 0.1
 */
GBytes *
gst_cca_meta_get_cell_colours (const GstCcaMeta *meta)
{
  g_return_val_if_fail (meta != NULL, NULL);

  if (meta->cell_colours == NULL)
    return NULL;
  return g_bytes_new (meta->cell_colours, 3 * gst_cca_components_n_cells (meta));
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
