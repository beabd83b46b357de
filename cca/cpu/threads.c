/* gst-cca: a few threads that work on strips
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "cca/cpu/threads.h"
#include "cca/memory.h"
#include "cca/status.h"

#include <pthread.h>
#include <string.h>

typedef struct
{
  CcaThreads *threads;
  pthread_t thread;
  uint32_t strip;
} Worker;

struct CcaThreads
{
  pthread_mutex_t mutex;
  pthread_cond_t started, done;
  uint64_t round; /* counts the calls of cca_threads_run() */
  uint32_t working;
  bool stop;
  CcaStripFunc func;
  void *data;
  uint32_t n_workers;
  Worker workers[]; /* of strips 1… */
};

static void *
work (void *data)
{
  Worker *worker = data;
  CcaThreads *threads = worker->threads;
  uint64_t seen = 0;

  pthread_mutex_lock (&threads->mutex);
  for (;;) {
    while (threads->round == seen && !threads->stop)
      pthread_cond_wait (&threads->started, &threads->mutex);
    if (threads->stop)
      break;
    seen = threads->round;
    pthread_mutex_unlock (&threads->mutex);
    threads->func (threads->data, worker->strip);
    pthread_mutex_lock (&threads->mutex);
    if (--threads->working == 0)
      pthread_cond_signal (&threads->done);
  }
  pthread_mutex_unlock (&threads->mutex);
  return NULL;
}

size_t
cca_threads_size (uint32_t n)
{
  return n > 1 ? sizeof (CcaThreads) + (n - 1) * sizeof (Worker) : 0;
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
    Worker *worker = &made->workers[i];

    *worker = (Worker) { .threads = made, .strip = i + 1 };
    if (pthread_create (&worker->thread, NULL, work, worker) != 0) {
      cca_threads_free (allocator, used, made);
      return cca_fail (CCA_ERROR_MEMORY, "the system refuses thread %u of the %u asked for by n_threads", i + 2, n);
    }
    made->n_workers++;
  }
  *threads = made;
  return CCA_OK;
}

void
cca_threads_free (const CcaAllocator *allocator, atomic_size_t *used, CcaThreads *threads)
{
  if (threads == NULL)
    return;
  pthread_mutex_lock (&threads->mutex);
  threads->stop = true;
  pthread_cond_broadcast (&threads->started);
  pthread_mutex_unlock (&threads->mutex);
  for (uint32_t i = 0; i < threads->n_workers; i++)
    pthread_join (threads->workers[i].thread, NULL);
  pthread_cond_destroy (&threads->done);
  pthread_cond_destroy (&threads->started);
  pthread_mutex_destroy (&threads->mutex);
  cca_free (allocator, used, threads);
}

void
cca_threads_run (CcaThreads *threads, CcaStripFunc func, void *data)
{
  if (threads == NULL) {
    func (data, 0);
    return;
  }
  pthread_mutex_lock (&threads->mutex);
  threads->func = func;
  threads->data = data;
  threads->working = threads->n_workers;
  threads->round++;
  pthread_cond_broadcast (&threads->started);
  pthread_mutex_unlock (&threads->mutex);

  func (data, 0);

  pthread_mutex_lock (&threads->mutex);
  while (threads->working > 0)
    pthread_cond_wait (&threads->done, &threads->mutex);
  pthread_mutex_unlock (&threads->mutex);
}
