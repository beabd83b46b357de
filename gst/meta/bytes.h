/* gst-cca: numbers and strings as bytes, in both directions
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * A format is described once, by the calls that exchange its fields one after the other. They write the fields, read
 * them, or only count their bytes. Bytes have no padding; numbers are little-endian.
 */
#pragma once

#include <gst/gst.h>

typedef struct
{
  gboolean reading;
  const guint8 *from; /* the next byte to read */
  guint8 *to;         /* the next byte to write; NULL while counting */
  gsize size;         /* bytes that are left to read; or those written or counted so far */
  gboolean failed;    /* all further calls do nothing: the bytes ended too early, or are invalid */
} GstCcaBytes;

#define GST_CCA_BYTES_COUNT() ((GstCcaBytes) { 0 })
#define GST_CCA_BYTES_WRITE(there) ((GstCcaBytes) { .to = (there) })
#define GST_CCA_BYTES_READ(data, n) ((GstCcaBytes) { .reading = TRUE, .from = (data), .size = (n) })

/* Reading, these set *value, to 0 where they fail. */
void gst_cca_bytes_u32 (GstCcaBytes *bytes, guint *value);
void gst_cca_bytes_u64 (GstCcaBytes *bytes, guint64 *value);
void gst_cca_bytes_double (GstCcaBytes *bytes, gdouble *value); /* IEEE 754 */

/* Returns a value of an enumeration that counts from 0 to last; any other fails. 32 bits. */
guint gst_cca_bytes_enum (GstCcaBytes *bytes, guint value, guint last);

/* UTF-8, not terminated, behind its number of bytes in 32 bits. Reading sets *string to a new GRefString, which the
 * caller releases; to an empty one where it fails. */
void gst_cca_bytes_string (GstCcaBytes *bytes, const gchar **string);

/* A class of objects, 0 for none, as such a string: numbers of quarks are those of a process. Reading sets *type to 0
 * for a name of which the process takes no more. */
void gst_cca_bytes_type (GstCcaBytes *bytes, GQuark *type);

/* The length of a list whose items take item_size bytes at least. Reading fails where fewer bytes are left. 32 bits. */
void gst_cca_bytes_length (GstCcaBytes *bytes, guint *n, gsize item_size);
