/* gst-cca: host memory through the context's allocator
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include "cca/cca.h"

#include <stdatomic.h>

/* The alignment of every block, bytes: a cache line and the widest vector. */
#define CCA_ALIGNMENT 64

/* Returns bytes, rounded up to the alignment. */
static inline size_t
cca_align (size_t bytes)
{
  return (bytes + CCA_ALIGNMENT - 1) / CCA_ALIGNMENT * CCA_ALIGNMENT;
}

/* Hands out aligned parts of a block. With base NULL it only counts, so that one function both sizes and divides a
 * block. */
typedef struct
{
  char *base;
  size_t size; /* bytes handed out */
} CcaLayout;

static inline void *
cca_layout_take (CcaLayout *layout, size_t bytes)
{
  void *part = layout->base ? layout->base + layout->size : NULL;

  layout->size += cca_align (bytes);
  return part;
}

/* Returns an aligned block, not cleared, or NULL with cca_last_error() set. *used, if not NULL, counts the bytes held;
 * the threads of a plan share it. */
void *cca_alloc (const CcaAllocator *allocator, atomic_size_t *used, size_t bytes);
void cca_free (const CcaAllocator *allocator, atomic_size_t *used, void *block); /* NULL is allowed */

/* Replaces *block by one of `bytes` bytes and copies its first `keep`. Without memory, returns false with the error set
 * and changes nothing. */
bool cca_grow (const CcaAllocator *allocator, atomic_size_t *used, void **block, size_t keep, size_t bytes);
