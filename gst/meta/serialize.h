/* gst-cca: the meta as bytes
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#ifndef GST_CCA_SERIALIZE_H
#define GST_CCA_SERIALIZE_H

#include <gst/cca/gstccameta.h>

#if GST_CHECK_VERSION(1, 24, 0)
/* Writes a meta as bytes; GstMetaSerializeFunction. */
gboolean gst_cca_meta_serialize (const GstMeta *meta, GstByteArrayInterface *data, guint8 *version);
#endif

/* What bytes say: the members of a GstCcaMeta. The strings and components are the struct's own. */
typedef struct
{
  gchar *id;
  guint width, height;
  guint n_components, n_stored;
  gboolean stale;
  GstCcaComponent *components;
} GstCcaSerialized;

/* Reads the bytes of a version into *self; returns FALSE if they are no meta, or for want of memory. Clear *self in
 * either case. */
gboolean gst_cca_serialized_read (GstCcaSerialized *self, const guint8 *data, gsize size, guint8 version);
void gst_cca_serialized_clear (GstCcaSerialized *self);

#endif
