/* gst-cca: arrays that grow
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* Makes room for n elements in *array, a pointer to elements of a size, of which *room fit so far. Keeps the elements.
 * Returns FALSE if memory is exhausted: then nothing changed. */
static inline bool
gst_cca_array_reserve (void *array, size_t *room, size_t n, size_t size)
{
  size_t capacity = *room > 0 ? *room : 16;
  void *block;

  if (n <= *room)
    return true;
  while (capacity < n)
    capacity *= 2;
  if (capacity > SIZE_MAX / size)
    return false;
  memcpy (&block, array, sizeof block);
  block = realloc (block, capacity * size);
  if (block == NULL)
    return false;
  memcpy (array, &block, sizeof block);
  *room = capacity;
  return true;
}

#define GST_CCA_RESERVE(array, room, n) gst_cca_array_reserve (&(array), &(room), (n), sizeof *(array))
