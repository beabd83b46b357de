/* gst-cca: numbers and strings as few bytes
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "bytes.h"

#include "array.h"

static void
put_block (GstCcaIndexBytes *bytes, const void *data, size_t size)
{
  if (bytes->failed || !GST_CCA_RESERVE (bytes->data, bytes->room, bytes->n + size)) {
    bytes->failed = true;
    return;
  }
  if (size > 0)
    memcpy (bytes->data + bytes->n, data, size);
  bytes->n += size;
}

void
gst_cca_index_put_byte (GstCcaIndexBytes *bytes, uint8_t value)
{
  put_block (bytes, &value, 1);
}

void
gst_cca_index_put (GstCcaIndexBytes *bytes, uint64_t value)
{
  uint8_t digits[10];
  size_t n = 0;

  for (; value > 0x7f; value >>= 7)
    digits[n++] = (uint8_t) (value | 0x80);
  digits[n++] = (uint8_t) value;
  put_block (bytes, digits, n);
}

/* The sign goes to the lowest bit. */
void
gst_cca_index_put_difference (GstCcaIndexBytes *bytes, uint64_t difference)
{
  const uint64_t sign = difference >> 63;

  gst_cca_index_put (bytes, (difference << 1) ^ (0 - sign));
}

void
gst_cca_index_put_double (GstCcaIndexBytes *bytes, double value)
{
  uint64_t bits;
  uint8_t ordered[8];

  memcpy (&bits, &value, sizeof bits);
  for (int i = 0; i < 8; i++)
    ordered[i] = (uint8_t) (bits >> (8 * i));
  put_block (bytes, ordered, sizeof ordered);
}

void
gst_cca_index_put_string (GstCcaIndexBytes *bytes, const char *string)
{
  const size_t length = string != NULL ? strlen (string) : 0;

  gst_cca_index_put (bytes, length);
  put_block (bytes, string, length);
}

uint8_t
gst_cca_index_get_byte (GstCcaIndexCursor *cursor)
{
  cursor->failed |= cursor->at == cursor->end;
  return cursor->failed ? 0 : *cursor->at++;
}

uint64_t
gst_cca_index_get (GstCcaIndexCursor *cursor)
{
  uint64_t value = 0;

  for (int shift = 0; shift < 64; shift += 7) {
    const uint8_t digit = gst_cca_index_get_byte (cursor);

    if (shift == 63 && digit > 1)
      break;
    value |= (uint64_t) (digit & 0x7f) << shift;
    if (!(digit & 0x80))
      return cursor->failed ? 0 : value;
  }
  cursor->failed = true;
  return 0;
}

uint32_t
gst_cca_index_get_u32 (GstCcaIndexCursor *cursor)
{
  const uint64_t value = gst_cca_index_get (cursor);

  cursor->failed |= value > UINT32_MAX;
  return cursor->failed ? 0 : (uint32_t) value;
}

uint64_t
gst_cca_index_get_difference (GstCcaIndexCursor *cursor)
{
  const uint64_t value = gst_cca_index_get (cursor);

  return (value >> 1) ^ (0 - (value & 1));
}

double
gst_cca_index_get_double (GstCcaIndexCursor *cursor)
{
  uint64_t bits = 0;
  double value;

  for (int i = 0; i < 8; i++)
    bits |= (uint64_t) gst_cca_index_get_byte (cursor) << (8 * i);
  if (cursor->failed)
    return 0.0;
  memcpy (&value, &bits, sizeof value);
  return value;
}

size_t
gst_cca_index_get_length (GstCcaIndexCursor *cursor, size_t item_size)
{
  const uint64_t n = gst_cca_index_get (cursor);

  cursor->failed |= n > (uint64_t) (cursor->end - cursor->at) / item_size;
  return cursor->failed ? 0 : (size_t) n;
}

char *
gst_cca_index_get_string (GstCcaIndexCursor *cursor)
{
  const size_t length = gst_cca_index_get_length (cursor, 1);
  char *string;

  if (cursor->failed || memchr (cursor->at, 0, length) != NULL) {
    cursor->failed = true;
    return NULL;
  }
  string = malloc (length + 1);
  if (string == NULL) {
    cursor->failed = true;
    return NULL;
  }
  memcpy (string, cursor->at, length);
  string[length] = '\0';
  cursor->at += length;
  return string;
}
