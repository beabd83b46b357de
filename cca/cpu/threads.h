/* gst-cca: a few threads that work on strips
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#ifndef CCA_CPU_THREADS_H
#define CCA_CPU_THREADS_H

#include "cca/cca.h"

#include <stdatomic.h>

typedef struct CcaThreads CcaThreads;

/* One call for each strip 0…n_strips - 1. */
typedef void (*CcaStripFunc) (void *data, uint32_t strip);

/* Threads for n strips, the caller's own among them; *threads is NULL for n = 1. CCA_ERROR_MEMORY. */
CcaStatus cca_threads_new (const CcaAllocator *allocator, atomic_size_t *used, uint32_t n, CcaThreads **threads);
void cca_threads_free (const CcaAllocator *allocator, atomic_size_t *used, CcaThreads *threads); /* NULL is allowed */

/* Bytes that cca_threads_new() allocates. */
size_t cca_threads_size (uint32_t n);

/* Calls func for every strip, side by side, and returns when all are done. */
void cca_threads_run (CcaThreads *threads, CcaStripFunc func, void *data);

#endif
