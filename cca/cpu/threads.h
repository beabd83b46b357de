/* gst-cca: a few threads that work on strips
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * A stage of a frame is a loop over strips, and the end of the loop is the barrier between stages. Threads take strips
 * one by one, so that one that comes late, or that other work keeps from its processor, delays nobody: the caller does
 * what is left by itself. A thread that finds nothing to do looks for the next stage for some 50 us and then sleeps.
 */
#ifndef CCA_CPU_THREADS_H
#define CCA_CPU_THREADS_H

#include "cca/cca.h"

#include <stdatomic.h>

typedef struct CcaThreads CcaThreads;

/* One call for each strip 0…n_strips - 1. */
typedef void (*CcaStripFunc) (void *data, uint32_t strip);

/* Starts n threads, the caller's own among them; *threads is NULL for n = 1. CCA_ERROR_MEMORY. */
CcaStatus cca_threads_new (const CcaAllocator *allocator, atomic_size_t *used, uint32_t n, CcaThreads **threads);
void cca_threads_free (const CcaAllocator *allocator, atomic_size_t *used, CcaThreads *threads); /* NULL is allowed */

/* Bytes that cca_threads_new() allocates. */
size_t cca_threads_size (uint32_t n);

/* Wakes so many threads for the loops from now on; all at first. */
void cca_threads_use (CcaThreads *threads, uint32_t n); /* NULL is allowed */

/* The time that all threads together spent in the functions since it was last asked for. */
uint64_t cca_threads_work_ns (CcaThreads *threads);

/* Calls func for every strip, on as many threads as come, and returns when all strips are done; one strip, and
 * with NULL all, on the caller's thread. What func wrote can be read afterwards, here and in the next loop. */
void cca_threads_run (CcaThreads *threads, uint32_t n_strips, CcaStripFunc func, void *data);

/* The processors that the calling thread may run on. */
uint32_t cca_processors (void);

#endif
