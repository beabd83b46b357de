/* gst-cca: numbers and strings as bytes, in both directions
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "bytes.h"

#include <string.h>

#include "type.h"

/* Returns FALSE, without a change, if fewer bytes are left to read. */
static gboolean
exchange (GstCcaBytes *bytes, gpointer value, gsize size)
{
  if (bytes->reading) {
    bytes->failed |= size > bytes->size;
    if (bytes->failed)
      return FALSE;
    memcpy (value, bytes->from, size);
    bytes->from += size;
    bytes->size -= size;
    return TRUE;
  }
  if (bytes->to != NULL) {
    memcpy (bytes->to, value, size);
    bytes->to += size;
  }
  bytes->size += size;
  return TRUE;
}

void
gst_cca_bytes_u32 (GstCcaBytes *bytes, guint *value)
{
  guint32 ordered = GUINT32_TO_LE (*value);

  *value = exchange (bytes, &ordered, sizeof ordered) ? GUINT32_FROM_LE (ordered) : 0;
}

void
gst_cca_bytes_u64 (GstCcaBytes *bytes, guint64 *value)
{
  guint64 ordered = GUINT64_TO_LE (*value);

  *value = exchange (bytes, &ordered, sizeof ordered) ? GUINT64_FROM_LE (ordered) : 0;
}

void
gst_cca_bytes_double (GstCcaBytes *bytes, gdouble *value)
{
  guint64 bits;

  memcpy (&bits, value, sizeof bits);
  gst_cca_bytes_u64 (bytes, &bits);
  memcpy (value, &bits, sizeof bits);
}

guint
gst_cca_bytes_enum (GstCcaBytes *bytes, guint value, guint last)
{
  gst_cca_bytes_u32 (bytes, &value);
  bytes->failed |= value > last;
  return MIN (value, last);
}

void
gst_cca_bytes_string (GstCcaBytes *bytes, const gchar **string)
{
  const gsize length = bytes->reading ? 0 : strlen (*string);
  guint size = (guint) length;

  bytes->failed |= length > G_MAXUINT32;
  gst_cca_bytes_u32 (bytes, &size);
  if (!bytes->reading) {
    exchange (bytes, (gpointer) *string, size);
    return;
  }
  bytes->failed = bytes->failed || size > bytes->size || !g_utf8_validate ((const gchar *) bytes->from, size, NULL);
  *string = bytes->failed ? g_ref_string_new ("") : g_ref_string_new_len ((const gchar *) bytes->from, size);
  if (bytes->failed)
    return;
  bytes->from += size;
  bytes->size -= size;
}

void
gst_cca_bytes_type (GstCcaBytes *bytes, GQuark *type)
{
  const gchar *text = !bytes->reading && *type != 0 ? g_quark_to_string (*type) : "";

  gst_cca_bytes_string (bytes, &text);
  if (!bytes->reading)
    return;
  *type = gst_cca_type_from_name (text);
  g_ref_string_release ((GRefString *) text);
}

void
gst_cca_bytes_length (GstCcaBytes *bytes, guint *n, gsize item_size)
{
  gst_cca_bytes_u32 (bytes, n);
  if (bytes->reading && *n > bytes->size / item_size) {
    bytes->failed = TRUE;
    *n = 0;
  }
}
