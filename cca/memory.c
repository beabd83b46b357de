/* gst-cca: host memory through the context's allocator
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "cca/memory.h"
#include "cca/status.h"

#include <string.h>

/* Precedes each aligned block. */
typedef struct
{
  void *raw; /* the allocator's block */
  size_t bytes;
} Header;

#define OVERHEAD (sizeof (Header) + CCA_ALIGNMENT)

void *
cca_alloc (const CcaAllocator *allocator, atomic_size_t *used, size_t bytes)
{
  char *raw = bytes <= SIZE_MAX - OVERHEAD ? allocator->alloc (allocator->user, bytes + OVERHEAD) : NULL;
  char *block;

  if (raw == NULL) {
    cca_fail (CCA_ERROR_MEMORY, "no memory for %zu bytes", bytes);
    return NULL;
  }
  block = raw + sizeof (Header);
  block += (CCA_ALIGNMENT - (uintptr_t) block % CCA_ALIGNMENT) % CCA_ALIGNMENT;
  ((Header *) (void *) block)[-1] = (Header) { raw, bytes };
  if (used)
    *used += bytes;
  return block;
}

void
cca_free (const CcaAllocator *allocator, atomic_size_t *used, void *block)
{
  Header *header = block;

  if (block == NULL)
    return;
  header--;
  if (used)
    *used -= header->bytes;
  allocator->free (allocator->user, header->raw);
}

bool
cca_grow (const CcaAllocator *allocator, atomic_size_t *used, void **block, size_t keep, size_t bytes)
{
  void *grown = cca_alloc (allocator, used, bytes);

  if (grown == NULL)
    return false;
  if (keep)
    memcpy (grown, *block, keep);
  cca_free (allocator, used, *block);
  *block = grown;
  return true;
}
