/* gst-cca: an allocator that counts, and fails on demand
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <glib.h>

#include "cca/cca.h"

/* Counts calls and blocks; may be used from several threads at once. */
typedef struct
{
  GMutex mutex;
  uint64_t n_calls;     /* of alloc */
  uint64_t fail_at;     /* the call that fails; 0: none */
  bool once;            /* calls after it work again */
  size_t blocks, bytes; /* held */
  CcaAllocator allocator;
} CountingAllocator;

void counting_allocator_init (CountingAllocator *counting);
void counting_allocator_clear (CountingAllocator *counting);
