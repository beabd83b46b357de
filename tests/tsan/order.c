/* gst-cca: two threads with and without synchronisation, as a test of ThreadSanitizer and of glib.c
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * usage: order mutex|cond|queue|object|none
 */
#include <gst/gst.h>

typedef struct
{
  const gchar *by;
  GMutex mutex;
  GCond cond;
  gboolean done;
  GAsyncQueue *queue;
  GstBuffer *buffer;
  guint shared;
} Work;

static gpointer
write_shared (gpointer data)
{
  Work *work = data;

  if (g_str_equal (work->by, "mutex"))
    g_mutex_lock (&work->mutex);
  work->shared++;
  if (g_str_equal (work->by, "mutex"))
    g_mutex_unlock (&work->mutex);
  if (g_str_equal (work->by, "cond")) {
    g_mutex_lock (&work->mutex);
    work->done = TRUE;
    g_cond_signal (&work->cond);
    g_mutex_unlock (&work->mutex);
  }
  g_async_queue_push (work->queue, work);
  gst_buffer_unref (work->buffer);
  return NULL;
}

int
main (int argc, char **argv)
{
  Work work = { .by = argc > 1 ? argv[1] : "none" };
  GThread *thread;

  gst_init (NULL, NULL);
  work.queue = g_async_queue_new ();
  work.buffer = gst_buffer_new ();
  gst_buffer_ref (work.buffer);
  thread = g_thread_new ("writer", write_shared, &work);
  if (g_str_equal (work.by, "none"))
    g_usleep (100000); /* orders nothing */
  else if (g_str_equal (work.by, "queue"))
    g_async_queue_pop (work.queue);
  else if (g_str_equal (work.by, "object"))
    while (GST_MINI_OBJECT_REFCOUNT_VALUE (work.buffer) > 1)
      g_thread_yield ();
  else
    g_mutex_lock (&work.mutex);
  if (g_str_equal (work.by, "cond"))
    while (!work.done)
      g_cond_wait (&work.cond, &work.mutex);
  if (g_str_equal (work.by, "object"))
    gst_buffer_unref (work.buffer);
  work.shared++;
  if (g_str_equal (work.by, "mutex") || g_str_equal (work.by, "cond"))
    g_mutex_unlock (&work.mutex);
  g_thread_join (thread);
  return 0;
}
