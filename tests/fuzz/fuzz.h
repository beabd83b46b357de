/* gst-cca: shared by all fuzz targets: their entry point, and how they read their bytes
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

/* Decodes bytes into calls of the product, and compares its results with the expected ones. Reports a difference and
 * aborts. Returns 0. */
int LLVMFuzzerTestOneInput (const uint8_t *data, size_t size);

/* Aborts on an input that shows a fault. libFuzzer then keeps the input: it catches the signal of abort(), but not the
 * trap of g_error(). */
static inline _Noreturn void
fuzz_fail (const char *what)
{
  fprintf (stderr, "fuzz: %s\n", what);
  abort ();
}

/* A reader of bytes; after the end it returns zeros. */
typedef struct
{
  const uint8_t *data;
  size_t size, next;
} Reader;

static inline size_t
reader_left (const Reader *reader)
{
  return reader->size - reader->next;
}

static inline uint8_t
read_byte (Reader *reader)
{
  return reader_left (reader) ? reader->data[reader->next++] : 0;
}

static inline uint32_t
read_u16 (Reader *reader)
{
  const uint32_t low = read_byte (reader);

  return low | (uint32_t) read_byte (reader) << 8;
}

static inline uint32_t
read_u32 (Reader *reader)
{
  const uint32_t low = read_u16 (reader);

  return low | read_u16 (reader) << 16;
}

/* Takes up to n bytes, which read_in_circles() repeats. */
static inline Reader
read_part (Reader *reader, size_t n)
{
  const size_t size = n < reader_left (reader) ? n : reader_left (reader);
  const Reader part = { reader->data + reader->next, size, 0 };

  reader->next += size;
  return part;
}

static inline uint8_t
read_in_circles (Reader *part)
{
  if (part->next >= part->size)
    part->next = 0;
  return read_byte (part);
}
