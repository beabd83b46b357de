/* gst-cca: a pool of threads for the strips of a frame
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * A stage of a frame is a loop over strips, and the end of the loop is the barrier between stages. Threads take strips
 * one by one, so a thread that starts late or loses its processor does not delay the others: the caller processes the
 * remaining strips itself. An idle thread polls for the next stage for some 50 us and then sleeps.
 */
#pragma once

#include "cca/cca.h"

#include <stdatomic.h>

typedef struct CcaThreads CcaThreads;

/* Processes one strip, 0…n_strips - 1. */
typedef void (*CcaStripFunc) (void *data, uint32_t strip);

/* Makes a pool of n threads, the caller's included; *threads is NULL for n = 1. CCA_ERROR_MEMORY. */
CcaStatus cca_threads_new (const CcaAllocator *allocator, atomic_size_t *used, uint32_t n, CcaThreads **threads);
void cca_threads_free (const CcaAllocator *allocator, atomic_size_t *used, CcaThreads *threads); /* NULL is allowed */

/* Returns the bytes that cca_threads_new() allocates. */
size_t cca_threads_size (uint32_t n);

/* Sets how many threads later loops wake; initially all. */
void cca_threads_use (CcaThreads *threads, uint32_t n); /* NULL is allowed */

/* Returns the time that all threads together have spent in strip functions since the last call, ns. */
uint64_t cca_threads_work_ns (CcaThreads *threads);

/* Calls func for every strip, on all threads that are awake, and returns when all strips are done. A single strip, and
 * all strips with threads = NULL, run on the caller's thread. The caller and the next loop see all that func wrote. */
void cca_threads_run (CcaThreads *threads, uint32_t n_strips, CcaStripFunc func, void *data);

/* Returns the number of processors that the calling thread may run on. */
uint32_t cca_processors (void);
