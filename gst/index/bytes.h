/* gst-cca: numbers and strings as few bytes
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Bytes that are written. All 0 before the first; free data. */
typedef struct
{
  uint8_t *data;
  size_t n, room;
  bool failed; /* memory was exhausted: some bytes are missing */
} GstCcaIndexBytes;

/* Bytes that are read. */
typedef struct
{
  const uint8_t *at, *end;
  bool failed; /* they ended too early, or are invalid */
} GstCcaIndexCursor;

void gst_cca_index_put_byte (GstCcaIndexBytes *bytes, uint8_t value);
/* Seven bits a byte, the lowest first: 1 to 10 bytes. */
void gst_cca_index_put (GstCcaIndexBytes *bytes, uint64_t value);
/* A difference of two numbers modulo 2^64: the nearer to 0, on either side, the fewer bytes. */
void gst_cca_index_put_difference (GstCcaIndexBytes *bytes, uint64_t difference);
void gst_cca_index_put_double (GstCcaIndexBytes *bytes, double value);
void gst_cca_index_put_string (GstCcaIndexBytes *bytes, const char *string); /* NULL as an empty one */

/* These return 0 where they fail. */
uint8_t gst_cca_index_get_byte (GstCcaIndexCursor *cursor);
uint64_t gst_cca_index_get (GstCcaIndexCursor *cursor);
uint32_t gst_cca_index_get_u32 (GstCcaIndexCursor *cursor); /* fails for larger numbers */
uint64_t gst_cca_index_get_difference (GstCcaIndexCursor *cursor);
double gst_cca_index_get_double (GstCcaIndexCursor *cursor);
/* The length of a list whose items take at least so many bytes each: fails if fewer are left. */
size_t gst_cca_index_get_length (GstCcaIndexCursor *cursor, size_t item_size);
/* Returns a terminated string to be freed, or NULL where it fails or memory is exhausted. */
char *gst_cca_index_get_string (GstCcaIndexCursor *cursor);
