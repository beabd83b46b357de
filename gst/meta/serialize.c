/* gst-cca: the meta as bytes
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Version 0, little-endian, without padding: width, height, n_components, n_stored (32 bits each), then for each stored
 * component label, x, y, width, height (32 bits), area (64 bits), centroid_x, centroid_y, cov_xx, cov_xy, cov_yy
 * (IEEE 754 double).
 */
#include "serialize.h"

#if GST_CHECK_VERSION(1, 24, 0)

#define VERSION 0
#define HEAD_SIZE (4 * 4)
#define COMPONENT_SIZE (5 * 4 + 8 + 5 * 8)

static void
put_u32 (guint8 **to, guint32 value)
{
  GST_WRITE_UINT32_LE (*to, value);
  *to += 4;
}

static void
put_u64 (guint8 **to, guint64 value)
{
  GST_WRITE_UINT64_LE (*to, value);
  *to += 8;
}

static void
put_double (guint8 **to, gdouble value)
{
  GST_WRITE_DOUBLE_LE (*to, value);
  *to += 8;
}

static guint32
get_u32 (const guint8 **from)
{
  *from += 4;
  return GST_READ_UINT32_LE (*from - 4);
}

static guint64
get_u64 (const guint8 **from)
{
  *from += 8;
  return GST_READ_UINT64_LE (*from - 8);
}

static gdouble
get_double (const guint8 **from)
{
  *from += 8;
  return GST_READ_DOUBLE_LE (*from - 8);
}

gboolean
gst_cca_meta_serialize (const GstMeta *meta, GstByteArrayInterface *data, guint8 *version)
{
  const GstCcaMeta *cca = (const GstCcaMeta *) meta;
  guint8 *to = gst_byte_array_interface_append (data, HEAD_SIZE + (gsize) cca->n_stored * COMPONENT_SIZE);

  if (to == NULL)
    return FALSE;
  put_u32 (&to, cca->width);
  put_u32 (&to, cca->height);
  put_u32 (&to, cca->n_components);
  put_u32 (&to, cca->n_stored);
  for (guint i = 0; i < cca->n_stored; i++) {
    const GstCcaComponent *component = &cca->components[i];

    put_u32 (&to, component->label);
    put_u32 (&to, component->x);
    put_u32 (&to, component->y);
    put_u32 (&to, component->width);
    put_u32 (&to, component->height);
    put_u64 (&to, component->area);
    put_double (&to, component->centroid_x);
    put_double (&to, component->centroid_y);
    put_double (&to, component->cov_xx);
    put_double (&to, component->cov_xy);
    put_double (&to, component->cov_yy);
  }
  *version = VERSION;
  return TRUE;
}

GstMeta *
gst_cca_meta_deserialize (const GstMetaInfo *info, GstBuffer *buffer, const guint8 *data, gsize size, guint8 version)
{
  const guint8 *from = data;
  guint32 width, height, n_components, n_stored;
  g_autofree GstCcaComponent *components = NULL;

  if (version != VERSION || size < HEAD_SIZE)
    return NULL;
  width = get_u32 (&from);
  height = get_u32 (&from);
  n_components = get_u32 (&from);
  n_stored = get_u32 (&from);
  if (n_stored > n_components || (size - HEAD_SIZE) / COMPONENT_SIZE != n_stored
      || (size - HEAD_SIZE) % COMPONENT_SIZE != 0)
    return NULL;

  components = g_new (GstCcaComponent, n_stored);
  for (guint i = 0; i < n_stored; i++) {
    GstCcaComponent *component = &components[i];

    component->label = get_u32 (&from);
    component->x = get_u32 (&from);
    component->y = get_u32 (&from);
    component->width = get_u32 (&from);
    component->height = get_u32 (&from);
    component->area = get_u64 (&from);
    component->centroid_x = get_double (&from);
    component->centroid_y = get_double (&from);
    component->cov_xx = get_double (&from);
    component->cov_xy = get_double (&from);
    component->cov_yy = get_double (&from);
  }
  return (GstMeta *) gst_buffer_add_cca_meta (buffer, NULL, width, height, n_components, components, n_stored);
}

#endif
