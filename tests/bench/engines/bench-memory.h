/* gst-cca: where the images of cca-bench lie, and the clock that goes with it
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <glib.h>

#include "cca/cca.h"

G_BEGIN_DECLS

/* A kind of memory, for one thread. */
typedef struct
{
  const char *name; /* "host", "device" */
  CcaMemory kind;

  /* Opens the memory; call it first. May be called again. */
  gboolean (*open) (GError **error);
  /* Returns the bytes of the cache that images must exceed; 0: unknown. */
  gsize (*cache_size) (void);

  gpointer (*alloc) (gsize bytes, GError **error);
  void (*free) (gpointer block); /* NULL is allowed */
  gboolean (*write) (gpointer to, gconstpointer from, gsize bytes, GError **error);
  gboolean (*read) (gpointer to, gconstpointer from, gsize bytes, GError **error); /* after wait() */

  /* For device memory, else NULL: the context and the stream, and the device's clock. mark() records the time at which
   * the stream gets there; elapsed() waits for both marks and sets the ns between them. */
  gpointer (*native) (void);
  gpointer (*stream) (void);
  gboolean (*mark) (guint end, GError **error); /* 0: start, 1: stop */
  gboolean (*elapsed) (double *ns, GError **error);
  gboolean (*occupy) (guint64 ns, GError **error); /* enqueues work of this duration */
  gboolean (*sign) (GError **error);               /* enqueues a kernel named bench_mark, for profilers */
  int (*generation) (void);                        /* compute capability, 10 * major + minor */
} BenchMemory;

extern const BenchMemory bench_host_memory;

/* Every kind of memory in this build, ended by NULL. */
extern const BenchMemory *const bench_memories[];

G_END_DECLS
