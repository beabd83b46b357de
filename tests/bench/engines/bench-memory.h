/* gst-cca: where the images of cca-bench lie, and the clock that goes with it
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <glib.h>

#include "cca/cca.h"

G_BEGIN_DECLS

/* A kind of memory. One thread uses it. */
typedef struct
{
  const char *name; /* "host", "device" */
  CcaMemory kind;

  /* Must come before anything else; may be called again. */
  gboolean (*open) (GError **error);
  /* Bytes of the cache that images should not stay in; 0: unknown. */
  gsize (*cache_size) (void);

  gpointer (*alloc) (gsize bytes, GError **error);
  void (*free) (gpointer block); /* NULL is allowed */
  gboolean (*write) (gpointer to, gconstpointer from, gsize bytes, GError **error);
  gboolean (*read) (gpointer to, gconstpointer from, gsize bytes, GError **error); /* after wait() */

  /* For memory of a device, else NULL: the context and the stream to work in, and the device's clock, which takes the
   * time when the stream has come there. elapsed() waits for both marks: the ns between them. */
  gpointer (*native) (void);
  gpointer (*stream) (void);
  gboolean (*mark) (guint end, GError **error); /* 0: start, 1: stop */
  gboolean (*elapsed) (double *ns, GError **error);
  gboolean (*occupy) (guint64 ns, GError **error); /* enqueues work that takes so long */
  gboolean (*sign) (GError **error);               /* enqueues a kernel named bench_mark, for profilers */
  int (*generation) (void);                        /* compute capability, 10 * major + minor */
} BenchMemory;

extern const BenchMemory bench_host_memory;

/* Every kind of this build, ended by NULL. */
extern const BenchMemory *const bench_memories[];

G_END_DECLS
