/* gst-cca: the meta as bytes
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Version 1, little-endian, without padding: width, height, n_components, n_stored, flags (bit 0: stale), the number of
 * bytes of the id (32 bits each), the id (UTF-8, not terminated), then for each stored component label, x, y, width,
 * height (32 bits), area (64 bits), centroid_x, centroid_y, cov_xx, cov_xy, cov_yy (IEEE 754 double).
 *
 * Version 0 had neither flags nor an id; it is still read.
 */
#include "serialize.h"

#include <string.h>

#define VERSION 1
#define HEAD_SIZE_0 (4 * 4)
#define HEAD_SIZE (6 * 4)
#define FLAG_STALE 1
#define COMPONENT_SIZE (5 * 4 + 8 + 5 * 8)

#if GST_CHECK_VERSION(1, 24, 0)
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

gboolean
gst_cca_meta_serialize (const GstMeta *meta, GstByteArrayInterface *data, guint8 *version)
{
  const GstCcaMeta *cca = (const GstCcaMeta *) meta;
  const gsize id_size = strlen (cca->id);
  guint8 *to;

  if (id_size > G_MAXUINT32)
    return FALSE;
  to = gst_byte_array_interface_append (data, HEAD_SIZE + id_size + (gsize) cca->n_stored * COMPONENT_SIZE);
  if (to == NULL)
    return FALSE;
  put_u32 (&to, cca->width);
  put_u32 (&to, cca->height);
  put_u32 (&to, cca->n_components);
  put_u32 (&to, cca->n_stored);
  put_u32 (&to, cca->stale ? FLAG_STALE : 0);
  put_u32 (&to, (guint32) id_size);
  memcpy (to, cca->id, id_size);
  to += id_size;
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
#endif

/* GST_READ_UINT64_LE() may read a whole number where it lies, at any address. */
static guint32
get_u32 (const guint8 **from)
{
  guint32 value;

  memcpy (&value, *from, sizeof value);
  *from += sizeof value;
  return GUINT32_FROM_LE (value);
}

static guint64
get_u64 (const guint8 **from)
{
  guint64 value;

  memcpy (&value, *from, sizeof value);
  *from += sizeof value;
  return GUINT64_FROM_LE (value);
}

static gdouble
get_double (const guint8 **from)
{
  const guint64 bits = get_u64 (from);
  gdouble value;

  memcpy (&value, &bits, sizeof value);
  return value;
}

gboolean
gst_cca_serialized_read (GstCcaSerialized *self, const guint8 *data, gsize size, guint8 version)
{
  const gsize head_size = version == 0 ? HEAD_SIZE_0 : HEAD_SIZE;
  const guint8 *from = data;
  guint32 id_size = 0;

  memset (self, 0, sizeof *self);
  if (version > VERSION || size < head_size)
    return FALSE;
  self->width = get_u32 (&from);
  self->height = get_u32 (&from);
  self->n_components = get_u32 (&from);
  self->n_stored = get_u32 (&from);
  if (version > 0) {
    self->stale = (get_u32 (&from) & FLAG_STALE) != 0;
    id_size = get_u32 (&from);
  }
  size -= head_size;
  if (self->n_stored > self->n_components || id_size > size || (size - id_size) / COMPONENT_SIZE != self->n_stored
      || (size - id_size) % COMPONENT_SIZE != 0 || !g_utf8_validate ((const gchar *) from, id_size, NULL))
    return FALSE;
  self->id = g_strndup ((const gchar *) from, id_size);
  from += id_size;

  self->components = g_try_new (GstCcaComponent, self->n_stored);
  if (self->n_stored > 0 && self->components == NULL)
    return FALSE;
  for (guint i = 0; i < self->n_stored; i++) {
    GstCcaComponent *component = &self->components[i];

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
  return TRUE;
}

void
gst_cca_serialized_clear (GstCcaSerialized *self)
{
  g_clear_pointer (&self->id, g_free);
  g_clear_pointer (&self->components, g_free);
}
