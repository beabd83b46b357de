/* gst-cca: an allocator that counts, and fails on demand
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "counting-allocator.h"

#include <stdlib.h>
#include <string.h>

/* Stands before each block; its size keeps the block aligned for any object, and for nothing more. */
typedef union
{
  size_t bytes;
  max_align_t align;
} Header;

static void *
counting_alloc (void *user, size_t bytes)
{
  CountingAllocator *counting = user;
  Header *header = NULL;
  bool fails;

  g_mutex_lock (&counting->mutex);
  counting->n_calls++;
  fails = counting->fail_at
          && (counting->once ? counting->n_calls == counting->fail_at : counting->n_calls >= counting->fail_at);
  if (!fails)
    header = malloc (sizeof *header + bytes);
  if (header) {
    counting->blocks++;
    counting->bytes += bytes;
  }
  g_mutex_unlock (&counting->mutex);
  if (!header)
    return NULL;
  memset (header, 0xa5, sizeof *header + bytes); /* callers must not rely on zeros */
  header->bytes = bytes;
  return header + 1;
}

static void
counting_free (void *user, void *block)
{
  CountingAllocator *counting = user;
  Header *header = (Header *) block - 1;

  g_assert_nonnull (block);
  g_mutex_lock (&counting->mutex);
  counting->blocks--;
  counting->bytes -= header->bytes;
  g_mutex_unlock (&counting->mutex);
  free (header);
}

void
counting_allocator_init (CountingAllocator *counting)
{
  *counting = (CountingAllocator) { .allocator = { counting_alloc, counting_free, counting } };
  g_mutex_init (&counting->mutex);
}

void
counting_allocator_clear (CountingAllocator *counting)
{
  g_mutex_clear (&counting->mutex);
}
