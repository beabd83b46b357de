/* gst-cca: the ceilings of a GPU's memory as peers of cca-bench
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * What no algorithm can be faster than: the image read once and nothing else, an image of 32-bit labels written once
 * and nothing else; a kernel that does neither, which is what the clock and a launch take; and a plain copy of as many
 * bytes as the image has to pinned host memory.
 */
#include "engine-peers.h"

#include "bench-gpu.h"
#include "ceilings.h"

extern const unsigned char bench_fatbin_ceilings[];

typedef struct
{
  const BenchJob *job;
  gpointer kernel;
  guint n_blocks;
  CeilingParams params;
} Ceiling;

static void
ceiling_close (gpointer state)
{
  Ceiling *self = state;

  bench_device_memory.free (self->params.any);
  g_free ((gpointer) self->job);
  g_free (self);
}

/* A kernel for a job, without parameters. */
static Ceiling *
ceiling_new (const BenchJob *job, const char *kernel, guint n_blocks, GError **error)
{
  Ceiling *self = g_new0 (Ceiling, 1);

  self->job = g_memdup2 (job, sizeof *job);
  self->n_blocks = n_blocks;
  self->kernel = bench_gpu_kernel (bench_fatbin_ceilings, kernel, error);
  if (self->kernel == NULL)
    g_clear_pointer (&self, ceiling_close);
  return self;
}

static gpointer
ceiling_open (const BenchJob *job, GError **error)
{
  const gboolean writes = job->task == BENCH_LABELS;
  const guint64 bytes = (guint64) job->width * job->height * (writes ? sizeof (guint32) : 1);
  Ceiling *self = ceiling_new (job, writes ? "bench_write" : "bench_read",
                               (bytes + CEILING_BLOCK_BYTES - 1) / CEILING_BLOCK_BYTES, error);

  if (self == NULL)
    return NULL;
  self->params.bytes = bytes;
  if (!writes) {
    self->params.any =
        bench_device_memory.alloc ((gsize) self->n_blocks * CEILING_THREADS / 32 * sizeof (guint32), error);
    if (self->params.any == NULL)
      g_clear_pointer (&self, ceiling_close);
  }
  return self;
}

static gpointer
launch_open (const BenchJob *job, GError **error)
{
  return ceiling_new (job, "bench_mark", 1, error);
}

typedef struct
{
  const BenchJob *job;
  gpointer pinned;
} Copy;

static void
copy_close (gpointer state)
{
  Copy *self = state;

  bench_gpu_free_pinned (self->pinned);
  g_free ((gpointer) self->job);
  g_free (self);
}

static gpointer
copy_open (const BenchJob *job, GError **error)
{
  Copy *self = g_new0 (Copy, 1);

  self->job = g_memdup2 (job, sizeof *job);
  self->pinned = bench_gpu_alloc_pinned ((gsize) job->width * job->height, error);
  if (self->pinned == NULL)
    g_clear_pointer (&self, copy_close);
  return self;
}

static gboolean
copy_run (gpointer state, guint input, guint output, GError **error)
{
  Copy *self = state;

  return bench_gpu_copy (self->pinned, self->job->inputs[input], (gsize) self->job->width * self->job->height, error);
}

static gboolean
ceiling_run (gpointer state, guint input, guint output, GError **error)
{
  Ceiling *self = state;
  CeilingParams params = self->params;

  if (self->job->task == BENCH_LABELS)
    params.data = self->job->outputs[output];
  else
    params.data = self->job->inputs[input];
  return bench_gpu_launch (self->kernel, self->n_blocks, CEILING_THREADS, &params, error);
}

static gboolean
ceiling_wait (gpointer state, guint32 *n_components, GError **error)
{
  *n_components = 0;
  return bench_gpu_finish (error);
}

static const char *
ceiling_device (gpointer state)
{
  return bench_gpu_name ();
}

static const BenchEngine engine = {
  .open = ceiling_open, .run = ceiling_run, .wait = ceiling_wait, .device = ceiling_device, .close = ceiling_close
};

static const BenchEngine launch_engine = {
  .open = launch_open, .run = ceiling_run, .wait = ceiling_wait, .device = ceiling_device, .close = ceiling_close
};

static const BenchEngine copy_engine = {
  .open = copy_open, .run = copy_run, .wait = ceiling_wait, .device = ceiling_device, .close = copy_close
};

const BenchPeer bench_peer_copy = { .name = "copy",
                                    .description = "The image's bytes, copied to pinned host memory",
                                    .task = BENCH_ANALYSIS,
                                    .memory = CCA_MEMORY_DEVICE,
                                    .engine = &copy_engine };
const BenchPeer bench_peer_launch = { .name = "launch",
                                      .description =
                                          "A kernel that does nothing: what a launch and the GPU's clock take",
                                      .task = BENCH_ANALYSIS,
                                      .memory = CCA_MEMORY_DEVICE,
                                      .engine = &launch_engine };
const BenchPeer bench_peer_read = { .name = "read",
                                    .description = "Ceiling: the image is read, 16 bytes a thread, and no more",
                                    .task = BENCH_ANALYSIS,
                                    .memory = CCA_MEMORY_DEVICE,
                                    .engine = &engine };
const BenchPeer bench_peer_write = { .name = "write",
                                     .description = "Ceiling: an image of 32-bit labels is written, and no more",
                                     .task = BENCH_LABELS,
                                     .memory = CCA_MEMORY_DEVICE,
                                     .engine = &engine };
