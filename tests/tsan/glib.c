/* gst-cca: tells ThreadSanitizer how GLib and GStreamer order threads
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The system's GLib and GStreamer are not instrumented, and their locks are system calls and atomic operations of their
 * own, so that everything they protect would look like a race. This library is loaded before them (LD_PRELOAD). Its
 * functions take the place of theirs for whoever calls them from another library, and add what
 * ThreadSanitizer misses: what was done before an unlock is seen after the next lock, and what was done before a
 * reference is dropped is seen by who frees the object. Two threads that only share an object whose references both
 * drop count as ordered by that; races between them before the first of these stay visible.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <gst/gst.h>
#include <pthread.h>
#include <stdlib.h>
#include <threads.h>

void __tsan_acquire (void *address);
void __tsan_release (void *address);

/* Defines `real`, the function whose place this one takes. */
#define FIND(name)                                                                                                     \
  static __typeof__ (&name) real;                                                                                      \
  if (__builtin_expect (__atomic_load_n (&real, __ATOMIC_RELAXED) == NULL, 0))                                         \
  __atomic_store_n (&real, (__typeof__ (&name)) dlsym (RTLD_NEXT, #name), __ATOMIC_RELAXED)

#define DEFINE_LOCK(name, Type)                                                                                        \
  void name (Type *lock)                                                                                               \
  {                                                                                                                    \
    FIND (name);                                                                                                       \
    real (lock);                                                                                                       \
    __tsan_acquire (lock);                                                                                             \
  }

#define DEFINE_TRYLOCK(name, Type)                                                                                     \
  gboolean name (Type *lock)                                                                                           \
  {                                                                                                                    \
    FIND (name);                                                                                                       \
    if (!real (lock))                                                                                                  \
      return FALSE;                                                                                                    \
    __tsan_acquire (lock);                                                                                             \
    return TRUE;                                                                                                       \
  }

#define DEFINE_UNLOCK(name, Type)                                                                                      \
  void name (Type *lock)                                                                                               \
  {                                                                                                                    \
    FIND (name);                                                                                                       \
    __tsan_release (lock);                                                                                             \
    real (lock);                                                                                                       \
  }

DEFINE_LOCK (g_mutex_lock, GMutex)
DEFINE_TRYLOCK (g_mutex_trylock, GMutex)
DEFINE_UNLOCK (g_mutex_unlock, GMutex)
DEFINE_LOCK (g_rec_mutex_lock, GRecMutex)
DEFINE_TRYLOCK (g_rec_mutex_trylock, GRecMutex)
DEFINE_UNLOCK (g_rec_mutex_unlock, GRecMutex)
DEFINE_LOCK (g_rw_lock_reader_lock, GRWLock)
DEFINE_UNLOCK (g_rw_lock_reader_unlock, GRWLock)
DEFINE_LOCK (g_rw_lock_writer_lock, GRWLock)
DEFINE_UNLOCK (g_rw_lock_writer_unlock, GRWLock)

void
g_cond_wait (GCond *cond, GMutex *mutex)
{
  FIND (g_cond_wait);
  __tsan_release (mutex);
  real (cond, mutex);
  __tsan_acquire (mutex);
}

gboolean
g_cond_wait_until (GCond *cond, GMutex *mutex, gint64 end_time)
{
  gboolean signalled;

  FIND (g_cond_wait_until);
  __tsan_release (mutex);
  signalled = real (cond, mutex, end_time);
  __tsan_acquire (mutex);
  return signalled;
}

void (g_once_init_leave) (volatile void *location, gsize result)
{
  static void (*real) (volatile void *, gsize);

  if (!real)
    real = (void (*) (volatile void *, gsize)) dlsym (RTLD_NEXT, "g_once_init_leave");
  __tsan_release ((void *) location);
  real (location, result);
}

void
g_async_queue_push (GAsyncQueue *queue, gpointer data)
{
  FIND (g_async_queue_push);
  __tsan_release (queue);
  real (queue, data);
}

#define DEFINE_POP(name, parameters, arguments)                                                                        \
  gpointer name parameters                                                                                             \
  {                                                                                                                    \
    gpointer data;                                                                                                     \
    FIND (name);                                                                                                       \
    data = real arguments;                                                                                             \
    __tsan_acquire (queue);                                                                                            \
    return data;                                                                                                       \
  }

DEFINE_POP (g_async_queue_pop, (GAsyncQueue * queue), (queue))
DEFINE_POP (g_async_queue_try_pop, (GAsyncQueue * queue), (queue))
DEFINE_POP (g_async_queue_timeout_pop, (GAsyncQueue * queue, guint64 timeout), (queue, timeout))

/* --- C11's threads, which librdkafka uses and gcc 12's ThreadSanitizer does not know ----------------------- */

typedef struct
{
  thrd_start_t start;
  void *data;
} Start;

static void *
start_thread (void *data)
{
  const Start start = *(Start *) data;

  free (data);
  return (void *) (intptr_t) start.start (start.data);
}

int
thrd_create (thrd_t *thread, thrd_start_t start, void *data)
{
  Start *made = malloc (sizeof *made);

  *made = (Start) { start, data };
  return pthread_create (thread, NULL, start_thread, made) == 0 ? thrd_success : thrd_error;
}

int
thrd_join (thrd_t thread, int *result)
{
  void *returned;

  if (pthread_join (thread, &returned) != 0)
    return thrd_error;
  if (result)
    *result = (int) (intptr_t) returned;
  return thrd_success;
}

int
mtx_lock (mtx_t *mutex)
{
  int status;

  FIND (mtx_lock);
  status = real (mutex);
  __tsan_acquire (mutex);
  return status;
}

int
mtx_unlock (mtx_t *mutex)
{
  FIND (mtx_unlock);
  __tsan_release (mutex);
  return real (mutex);
}

int
cnd_wait (cnd_t *cond, mtx_t *mutex)
{
  int status;

  FIND (cnd_wait);
  __tsan_release (mutex);
  status = real (cond, mutex);
  __tsan_acquire (mutex);
  return status;
}

int
cnd_timedwait (cnd_t *cond, mtx_t *mutex, const struct timespec *end)
{
  int status;

  FIND (cnd_timedwait);
  __tsan_release (mutex);
  status = real (cond, mutex, end);
  __tsan_acquire (mutex);
  return status;
}

/* --- References ---------------------------------------------------------------------------------------- */

/* The thread that frees an object sees all other threads' writes to it. */
#define DEFINE_UNREF(name, Pointer)                                                                                    \
  void name (Pointer object)                                                                                           \
  {                                                                                                                    \
    FIND (name);                                                                                                       \
    __tsan_release ((void *) object);                                                                                  \
    __tsan_acquire ((void *) object);                                                                                  \
    real (object);                                                                                                     \
  }

DEFINE_UNREF (g_object_unref, gpointer)
DEFINE_UNREF (gst_object_unref, gpointer)
DEFINE_UNREF (gst_mini_object_unref, GstMiniObject *)
DEFINE_UNREF (g_ref_string_release, char *)
DEFINE_UNREF (g_bytes_unref, GBytes *)
