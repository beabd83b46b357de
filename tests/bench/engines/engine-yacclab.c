/* gst-cca: YACCLAB's algorithms for GPUs, and others, as peers of cca-bench
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * tests/bench/yacclab/build.sh makes the library of checkouts that the user has; CCA_BENCH_YACCLAB names it.
 */
#include "engine-peers.h"

#include <dlfcn.h>

#include "bench-gpu.h"
#include "tests/bench/yacclab/yacclab-peers.h"

#define PREFIX "yacclab-"
#define ALIGNMENT 256u /* of each image's first byte */

static struct
{
  typeof (yacclab_connectivity) *connectivity;
  typeof (yacclab_label) *label;
} library;

typedef struct
{
  const BenchJob *job;
  const char *name; /* YACCLAB's */
  guint8 *inputs;   /* the job's, one after the other: masks of 0 and 1, which some algorithms want */
} Yacclab;

/* NULL, or why the library is not here. */
static const char *
open_library (void)
{
  const char *path = g_getenv ("CCA_BENCH_YACCLAB");
  void *handle;

  if (library.label != NULL)
    return NULL;
  if (path == NULL)
    return "CCA_BENCH_YACCLAB does not name a library of tests/bench/yacclab/build.sh";
  handle = dlopen (path, RTLD_NOW | RTLD_LOCAL);
  if (handle == NULL)
    return dlerror ();
  library.connectivity = (typeof (library.connectivity)) dlsym (handle, "yacclab_connectivity");
  library.label = (typeof (library.label)) dlsym (handle, "yacclab_label");
  return library.connectivity != NULL && library.label != NULL
             ? NULL
             : "the library that CCA_BENCH_YACCLAB names is not one of tests/bench/yacclab/build.sh";
}

static const char *
missing (const char *name, guint connectivity)
{
  const char *problem = open_library ();

  if (problem != NULL)
    return problem;
  return library.connectivity (name) == (int) connectivity ? NULL : "the library is without it";
}

#define NAME_OF(id, text, connected) { PREFIX #id, text },
static const struct
{
  const char *peer, *name;
} names[] = { BENCH_YACCLAB (NAME_OF){ "opencv-cuda", "OPENCV" }, { "torchcc", "TORCHCC" } };

static void
yacclab_close (gpointer state)
{
  Yacclab *self = state;

  if (self->inputs != NULL)
    self->job->memory->free (self->inputs);
  g_free ((gpointer) self->job);
  g_free (self);
}

static gsize
input_size (const BenchJob *job)
{
  return ((gsize) job->width * job->height + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
}

static gboolean
convert_inputs (Yacclab *self, GError **error)
{
  const BenchJob *job = self->job;
  const gsize n_pixels = (gsize) job->width * job->height;
  g_autofree guint8 *mask = g_malloc (n_pixels);

  self->inputs = job->memory->alloc (input_size (job) * job->n_inputs, error);
  for (guint i = 0; self->inputs != NULL && i < job->n_inputs; i++) {
    if (!job->memory->read (mask, job->inputs[i], n_pixels, error))
      return FALSE;
    for (gsize k = 0; k < n_pixels; k++)
      mask[k] &= 1;
    if (!job->memory->write (self->inputs + i * input_size (job), mask, n_pixels, error))
      return FALSE;
  }
  return self->inputs != NULL;
}

static gpointer
yacclab_open (const BenchJob *job, GError **error)
{
  Yacclab *self;

  /* Some of them read pairs of pixels at once. */
  if (job->width % 4 != 0) {
    g_set_error (error, BENCH_ERROR, BENCH_ERROR_ENGINE, "%s needs a width that is a multiple of 4, not %u", job->peer,
                 job->width);
    return NULL;
  }
  self = g_new0 (Yacclab, 1);
  self->job = g_memdup2 (job, sizeof *job);
  for (gsize i = 0; i < G_N_ELEMENTS (names); i++)
    if (g_str_equal (names[i].peer, job->peer))
      self->name = names[i].name;
  if (convert_inputs (self, error))
    return self;
  yacclab_close (self);
  return NULL;
}

static gboolean
yacclab_run (gpointer state, guint input, guint output, GError **error)
{
  const Yacclab *self = state;
  const BenchJob *job = self->job;
  const char *problem = library.label (self->name, self->inputs + input * input_size (job), job->outputs[output],
                                       (int) job->width, (int) job->height);

  if (problem != NULL)
    g_set_error (error, BENCH_ERROR, BENCH_ERROR_ENGINE, "%s failed: %s", job->peer, problem);
  return problem == NULL;
}

/* They label without counting, and wait by themselves. */
static gboolean
yacclab_wait (gpointer state, guint32 *n_components, GError **error)
{
  *n_components = 0;
  return TRUE;
}

static const char *
yacclab_device (gpointer state)
{
  return bench_gpu_name ();
}

static const BenchEngine engine = {
  .open = yacclab_open, .run = yacclab_run, .wait = yacclab_wait, .device = yacclab_device, .close = yacclab_close
};

#define PEER(id, its_name, its_description, text, connected)                                                           \
  static const char *id##_missing (void)                                                                               \
  {                                                                                                                    \
    return missing (text, connected);                                                                                  \
  }                                                                                                                    \
  const BenchPeer bench_peer_##id = { .name = its_name,                                                                \
                                      .description = its_description ": labels, neither counted nor numbered in turn", \
                                      .task = BENCH_LABELS,                                                            \
                                      .memory = CCA_MEMORY_DEVICE,                                                     \
                                      .connectivity = connected,                                                       \
                                      .missing = id##_missing,                                                         \
                                      .engine = &engine };
#define YACCLAB_PEER(id, text, connected) PEER (yacclab_##id, PREFIX #id, "YACCLAB's " text, text, connected)
BENCH_YACCLAB (YACCLAB_PEER)
PEER (opencv_cuda, "opencv-cuda", "OpenCV's cv::cuda::connectedComponents", "OPENCV", 8)
PEER (torchcc, "torchcc", "torchcc's ccl2d", "TORCHCC", 8)
