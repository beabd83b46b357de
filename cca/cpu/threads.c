/* gst-cca: a pool of threads for the strips of a frame
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#define _GNU_SOURCE
#include "cca/cpu/threads.h"
#include "cca/clock.h"
#include "cca/memory.h"
#include "cca/status.h"

#include <pthread.h>
#include <sched.h>
#include <string.h>

/* How long a thread polls before it sleeps: longer than most single-threaded stages, and negligible beside the time
 * between two frames. */
#define SPIN_NS 50000

struct CcaThreads
{
  /* The current loop. A thread that has taken a strip may read func, data and n_strips, which do not change until all
   * strips are done. */
  CcaStripFunc func;
  void *data;
  uint32_t n_strips;
  atomic_uint n_untaken, n_undone; /* strips */
  atomic_ullong work_ns;

  pthread_mutex_t mutex;
  pthread_cond_t started, done;
  atomic_uint n_asleep; /* workers in `started` */
  atomic_bool awaited;  /* the caller is in `done` */
  atomic_bool stop;
  uint32_t n_workers, n_used;
  pthread_t workers[];
};

/* Yields the core's resources to its other hardware thread for a moment. */
static void
pause_core (void)
{
#if defined(__x86_64__)
  __builtin_ia32_pause ();
#elif defined(__aarch64__)
  __asm__ volatile ("yield");
#endif
}

/* Polls for a condition. Returns false if that took too long. */
static bool
spin_until (bool (*holds) (CcaThreads *threads), CcaThreads *threads)
{
  const uint64_t end = cca_now_ns () + SPIN_NS;

  do {
    for (uint32_t i = 0; i < 16; i++) {
      if (holds (threads))
        return true;
      pause_core ();
    }
  } while (cca_now_ns () < end);
  return false;
}

static bool
has_work (CcaThreads *threads)
{
  return atomic_load (&threads->n_untaken) > 0 || atomic_load (&threads->stop);
}

static bool
is_done (CcaThreads *threads)
{
  return atomic_load (&threads->n_undone) == 0;
}

/* Takes and processes one strip. Returns false if all are taken. */
static bool
process_strip (CcaThreads *threads)
{
  uint32_t n = atomic_load (&threads->n_untaken);
  uint64_t start;

  do {
    if (n == 0)
      return false;
  } while (!atomic_compare_exchange_weak (&threads->n_untaken, &n, n - 1));
  start = cca_now_ns ();
  threads->func (threads->data, threads->n_strips - n);
  atomic_fetch_add (&threads->work_ns, cca_now_ns () - start);
  if (atomic_fetch_sub (&threads->n_undone, 1) == 1 && atomic_load (&threads->awaited)) {
    pthread_mutex_lock (&threads->mutex);
    pthread_cond_signal (&threads->done);
    pthread_mutex_unlock (&threads->mutex);
  }
  return true;
}

static void *
work (void *data)
{
  CcaThreads *threads = data;

  while (!atomic_load (&threads->stop)) {
    if (process_strip (threads) || spin_until (has_work, threads))
      continue;
    pthread_mutex_lock (&threads->mutex);
    atomic_fetch_add (&threads->n_asleep, 1);
    while (!has_work (threads))
      pthread_cond_wait (&threads->started, &threads->mutex);
    atomic_fetch_sub (&threads->n_asleep, 1);
    pthread_mutex_unlock (&threads->mutex);
  }
  return NULL;
}

size_t
cca_threads_size (uint32_t n)
{
  return n > 1 ? sizeof (CcaThreads) + (n - 1) * sizeof (pthread_t) : 0;
}

CcaStatus
cca_threads_new (const CcaAllocator *allocator, atomic_size_t *used, uint32_t n, CcaThreads **threads)
{
  CcaThreads *made;

  *threads = NULL;
  if (n == 1)
    return CCA_OK;
  made = cca_alloc (allocator, used, cca_threads_size (n));
  if (made == NULL)
    return CCA_ERROR_MEMORY;
  memset (made, 0, sizeof *made);
  pthread_mutex_init (&made->mutex, NULL);
  pthread_cond_init (&made->started, NULL);
  pthread_cond_init (&made->done, NULL);
  for (uint32_t i = 0; i + 1 < n; i++) {
    if (pthread_create (&made->workers[i], NULL, work, made) != 0) {
      cca_threads_free (allocator, used, made);
      return cca_fail (CCA_ERROR_MEMORY, "the system cannot start thread %u of %u; lower n_threads", i + 2, n);
    }
    made->n_workers++;
  }
  made->n_used = made->n_workers;
  *threads = made;
  return CCA_OK;
}

/* Wakes workers until n are awake. Workers check their condition with the mutex held, so none misses the signal. */
static void
wake_workers (CcaThreads *threads, uint32_t n)
{
  if (threads->n_workers - atomic_load (&threads->n_asleep) >= n)
    return;
  pthread_mutex_lock (&threads->mutex);
  for (uint32_t awake = threads->n_workers - atomic_load (&threads->n_asleep); awake < n; awake++)
    pthread_cond_signal (&threads->started);
  pthread_mutex_unlock (&threads->mutex);
}

void
cca_threads_free (const CcaAllocator *allocator, atomic_size_t *used, CcaThreads *threads)
{
  if (threads == NULL)
    return;
  atomic_store (&threads->stop, true);
  wake_workers (threads, threads->n_workers);
  for (uint32_t i = 0; i < threads->n_workers; i++)
    pthread_join (threads->workers[i], NULL);
  pthread_cond_destroy (&threads->done);
  pthread_cond_destroy (&threads->started);
  pthread_mutex_destroy (&threads->mutex);
  cca_free (allocator, used, threads);
}

void
cca_threads_use (CcaThreads *threads, uint32_t n)
{
  if (threads)
    threads->n_used = n - 1;
}

uint64_t
cca_threads_work_ns (CcaThreads *threads)
{
  return atomic_exchange (&threads->work_ns, 0);
}

void
cca_threads_run (CcaThreads *threads, uint32_t n_strips, CcaStripFunc func, void *data)
{
  if (threads == NULL || n_strips == 1) {
    for (uint32_t i = 0; i < n_strips; i++)
      func (data, i);
    return;
  }
  threads->func = func;
  threads->data = data;
  threads->n_strips = n_strips;
  atomic_store (&threads->n_undone, n_strips);
  atomic_store (&threads->n_untaken, n_strips);
  wake_workers (threads, threads->n_used);
  while (process_strip (threads))
    continue;
  if (spin_until (is_done, threads))
    return;
  pthread_mutex_lock (&threads->mutex);
  atomic_store (&threads->awaited, true);
  while (!is_done (threads))
    pthread_cond_wait (&threads->done, &threads->mutex);
  atomic_store (&threads->awaited, false);
  pthread_mutex_unlock (&threads->mutex);
}

uint32_t
cca_processors (void)
{
#ifdef __linux__
  cpu_set_t set;

  /* The call fails if there are more processors than the set has room for. */
  if (sched_getaffinity (0, sizeof set, &set) == 0)
    return (uint32_t) CPU_COUNT (&set);
#endif
  return CCA_MAX_THREADS;
}
