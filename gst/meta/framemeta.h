/* gst-cca: common parts of the metas that hold coordinates of a frame
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Such a meta has an id, the size of the frame that its coordinates refer to, and a payload: lists in a storage that
 * never changes, which all copies of the meta share. The functions here carry it from buffer to buffer. The file of a
 * meta adds what its payload is, and how it is mapped to the coordinates of another frame.
 */
#pragma once

#include "bytes.h"
#include "mapping.h"

/* Defines the type of a struct without pointers, and its functions to copy and free, which bindings use. */
#define GST_CCA_DEFINE_PLAIN_TYPE(Type, type)                                                                          \
  G_DEFINE_BOXED_TYPE (Type, type, type##_copy, type##_free)                                                           \
                                                                                                                       \
  Type *type##_copy (const Type *item)                                                                                 \
  {                                                                                                                    \
    g_return_val_if_fail (item != NULL, NULL);                                                                         \
                                                                                                                       \
    return g_memdup2 (item, sizeof *item);                                                                             \
  }                                                                                                                    \
                                                                                                                       \
  void type##_free (Type *item)                                                                                        \
  {                                                                                                                    \
    g_free (item);                                                                                                     \
  }

/* How each of these metas begins. */
typedef struct
{
  GstMeta meta;
  const gchar *id; /* a GRefString */
  guint width, height;
} GstCcaFrameMeta;

#define GST_CCA_ASSERT_FRAME_META(Type)                                                                                \
  G_STATIC_ASSERT (offsetof (Type, id) == offsetof (GstCcaFrameMeta, id));                                             \
  G_STATIC_ASSERT (offsetof (Type, width) == offsetof (GstCcaFrameMeta, width));                                       \
  G_STATIC_ASSERT (offsetof (Type, height) == offsetof (GstCcaFrameMeta, height))

/* One kind of meta; a variable that lives as long as the library. */
typedef struct
{
  const gchar *name, *api_name;
  gsize size;  /* of the public struct, in bytes */
  gsize stale; /* where in it the gboolean is that marks a frame which was changed in an unknown way */

  /* Replaces the payload with one in the coordinates of another frame, in a storage of its own. Returns FALSE with the
   * meta as it was if memory is exhausted. */
  gboolean (*map) (GstCcaFrameMeta *meta, const GstCcaMapping *mapping);

  /* Writes all members but the parent as bytes of the newest version. */
  void (*write) (const GstCcaFrameMeta *meta, GstCcaBytes *bytes);

  /* Reads what write() wrote, in that version or an older one, to a meta of zeros. Returns FALSE if the bytes are no
   * meta, or for want of memory. */
  gboolean (*read) (GstCcaFrameMeta *meta, GstCcaBytes *bytes, guint version);
  guint8 version; /* the newest */

  /* Set at first use. */
  gsize api;
  const GstMetaInfo *info;
} GstCcaFrameMetaKind;

GType gst_cca_frame_meta_api (GstCcaFrameMetaKind *kind);
const GstMetaInfo *gst_cca_frame_meta_info (GstCcaFrameMetaKind *kind);

/* Adds a meta of which only the payload is missing, to a writable buffer. Takes ownership of id and storage; storage
 * may be NULL. Never fails. */
gpointer gst_cca_frame_meta_add (GstCcaFrameMetaKind *kind, GstBuffer *buffer, GRefString *id, guint width,
                                 guint height, GstBuffer *storage);

/* Returns the buffer in the argument of a pad probe, made writable, or NULL where it has none. */
GstBuffer *gst_cca_frame_meta_probed_buffer (GstPadProbeInfo *info);

/* Returns the first meta of that id, or the first of all for NULL; NULL if there is none. */
gpointer gst_cca_frame_meta_find (GstCcaFrameMetaKind *kind, GstBuffer *buffer, const gchar *id);
gpointer gst_cca_frame_meta_iterate (GstCcaFrameMetaKind *kind, GstBuffer *buffer, gpointer *state);

/* gst_cca_meta_map_to_frame() for any kind. */
GstCcaPlace gst_cca_frame_meta_map_to_frame (const GstCcaFrameMetaKind *kind, gconstpointer meta, GstBuffer *buffer,
                                             guint width, guint height, GstVideoRectangle *place);

/* Copies n items, of item_size bytes each, to a list in their order. */
GList *gst_cca_frame_meta_list (gconstpointer items, guint n, gsize item_size, GBoxedCopyFunc copy);

/* Writes a meta as bytes, or only counts them where `to` is NULL. Returns how many there are; 0 if a string is too
 * long. */
gsize gst_cca_frame_meta_write (const GstMeta *meta, guint8 *to);

/* Adds the meta that bytes say to a buffer. Returns NULL if they are none, or for want of memory. */
GstMeta *gst_cca_frame_meta_read (const GstMetaInfo *info, GstBuffer *buffer, const guint8 *data, gsize size,
                                  guint8 version);

/* For read() and write(): the size of the frame, whether the meta is stale, and the id. */
void gst_cca_frame_meta_exchange_head (GstCcaFrameMeta *meta, gboolean *stale, GstCcaBytes *bytes);

/* Returns the storage of the payload, or NULL without one; the meta keeps its reference. */
GstBuffer *gst_cca_frame_meta_get_storage (const GstCcaFrameMeta *meta);

/* Takes ownership of storage, and releases the one before. */
void gst_cca_frame_meta_set_storage (GstCcaFrameMeta *meta, GstBuffer *storage);

/* Allocates a storage of `size` bytes, and returns its memory. Returns NULL and sets *storage to NULL for no bytes, or
 * if memory is exhausted. */
gpointer gst_cca_frame_meta_allocate (GstBuffer **storage, gsize size);

/* Returns a storage that owns a block of GLib's allocator; NULL for an empty one. */
GstBuffer *gst_cca_frame_meta_wrap (gpointer block, gsize size);

/* Defines the functions that each kind of meta has in the API. */
#define GST_CCA_DEFINE_FRAME_META(Meta, meta_name, kind)                                                               \
  GType gst_##meta_name##_api_get_type (void)                                                                          \
  {                                                                                                                    \
    return gst_cca_frame_meta_api (&kind);                                                                             \
  }                                                                                                                    \
                                                                                                                       \
  const GstMetaInfo *gst_##meta_name##_get_info (void)                                                                 \
  {                                                                                                                    \
    return gst_cca_frame_meta_info (&kind);                                                                            \
  }                                                                                                                    \
                                                                                                                       \
  Meta *gst_buffer_get_##meta_name (GstBuffer *buffer)                                                                 \
  {                                                                                                                    \
    g_return_val_if_fail (GST_IS_BUFFER (buffer), NULL);                                                               \
                                                                                                                       \
    return gst_cca_frame_meta_find (&kind, buffer, NULL);                                                              \
  }                                                                                                                    \
                                                                                                                       \
  const Meta *gst_buffer_get_##meta_name##_by_id (GstBuffer *buffer, const gchar *id)                                  \
  {                                                                                                                    \
    g_return_val_if_fail (GST_IS_BUFFER (buffer), NULL);                                                               \
                                                                                                                       \
    return gst_cca_frame_meta_find (&kind, buffer, id);                                                                \
  }                                                                                                                    \
                                                                                                                       \
  Meta *gst_buffer_iterate_##meta_name (GstBuffer *buffer, gpointer *state)                                            \
  {                                                                                                                    \
    g_return_val_if_fail (GST_IS_BUFFER (buffer), NULL);                                                               \
    g_return_val_if_fail (state != NULL, NULL);                                                                        \
                                                                                                                       \
    return gst_cca_frame_meta_iterate (&kind, buffer, state);                                                          \
  }                                                                                                                    \
                                                                                                                       \
  GstCcaPlace gst_##meta_name##_map_to_frame (const Meta *meta, GstBuffer *buffer, guint width, guint height,          \
                                              GstVideoRectangle *place)                                                \
  {                                                                                                                    \
    g_return_val_if_fail (meta != NULL, GST_CCA_PLACE_UNKNOWN);                                                        \
    g_return_val_if_fail (GST_IS_BUFFER (buffer), GST_CCA_PLACE_UNKNOWN);                                              \
    g_return_val_if_fail (place != NULL, GST_CCA_PLACE_UNKNOWN);                                                       \
                                                                                                                       \
    return gst_cca_frame_meta_map_to_frame (&kind, meta, buffer, width, height, place);                                \
  }
