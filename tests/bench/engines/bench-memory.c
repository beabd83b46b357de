/* gst-cca: where the images of cca-bench lie, and the clock that goes with it
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "bench-memory.h"

#include <string.h>

#ifdef HAVE_CUDA
#include "bench-gpu.h"
#endif

/* Of each image's first pixel. */
#define ALIGNMENT 64u

static gboolean
host_open (GError **error)
{
  return TRUE;
}

/* The last-level cache of the first processor, as far as the kernel tells its size. */
static gsize
host_cache_size (void)
{
  g_autofree char *text = NULL;

  if (!g_file_get_contents ("/sys/devices/system/cpu/cpu0/cache/index3/size", &text, NULL, NULL))
    return 0;
  return g_ascii_strtoull (text, NULL, 10) << 10;
}

static gpointer
host_alloc (gsize bytes, GError **error)
{
  gpointer block = g_aligned_alloc (1, bytes, ALIGNMENT);

  memset (block, 0xff, bytes); /* no page faults later */
  return block;
}

static gboolean
host_copy (gpointer to, gconstpointer from, gsize bytes, GError **error)
{
  memcpy (to, from, bytes);
  return TRUE;
}

const BenchMemory bench_host_memory = {
  .name = "host",
  .kind = CCA_MEMORY_HOST,
  .open = host_open,
  .cache_size = host_cache_size,
  .alloc = host_alloc,
  .free = g_aligned_free,
  .write = host_copy,
  .read = host_copy,
};

const BenchMemory *const bench_memories[] = {
  &bench_host_memory,
#ifdef HAVE_CUDA
  &bench_device_memory,
#endif
  NULL,
};
