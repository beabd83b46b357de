/* gst-cca: NPP's connected components as a peer of cca-bench
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * nppiLabelMarkersUF_8u32u_C1R_Ctx and nppiCompressMarkerLabelsUF_32u_C1IR_Ctx of CUDA 13's libnppif, opened at run
 * time. Both give labels only; the background's regions get labels, too, so that its number is another one than ours.
 */
#include "engine-peers.h"

#include <cuda.h>
#include <dlfcn.h>

#include "bench-gpu.h"

/* The declarations of NPP's headers, which not every toolkit has. */
typedef struct
{
  int width, height;
} NppSize;

typedef enum
{
  NPP_NORM_INF, /* 8-connectivity */
  NPP_NORM_L1   /* 4-connectivity */
} NppNorm;

typedef struct
{
  CUstream stream;
  int device, n_multiprocessors, threads_per_multiprocessor, threads_per_block;
  size_t shared_per_block;
  int major, minor;
  unsigned int stream_flags;
  int reserved;
} NppContext;

static struct
{
  int (*label_size) (NppSize size, int *bytes);
  int (*label) (guint8 *pixels, int pitch, guint32 *labels, int label_pitch, NppSize size, NppNorm norm,
                guint8 *workspace, NppContext context);
  int (*compress_size) (int n_before, int *bytes);
  int (*compress) (guint32 *labels, int pitch, NppSize size, int n_before, int *n_after, guint8 *workspace,
                   NppContext context);
} npp;

typedef struct
{
  const BenchJob *job;
  NppSize size;
  NppNorm norm;
  NppContext context;
  guint8 *label_workspace, *compress_workspace;
  gsize memory;
  int n_labels;
} Npp;

/* NULL, or why there is no NPP here. */
static const char *
npp_missing (void)
{
  static const struct
  {
    void **function;
    const char *name;
  } functions[] = { { (void **) &npp.label_size, "nppiLabelMarkersUFGetBufferSize_32u_C1R" },
                    { (void **) &npp.label, "nppiLabelMarkersUF_8u32u_C1R_Ctx" },
                    { (void **) &npp.compress_size, "nppiCompressMarkerLabelsGetBufferSize_32u_C1R" },
                    { (void **) &npp.compress, "nppiCompressMarkerLabelsUF_32u_C1IR_Ctx" } };
  void *library = dlopen ("libnppif.so.13", RTLD_NOW | RTLD_LOCAL);

  if (library == NULL)
    return "libnppif.so.13 of CUDA 13 was not found";
  for (gsize i = 0; i < G_N_ELEMENTS (functions); i++) {
    *functions[i].function = dlsym (library, functions[i].name);
    if (*functions[i].function == NULL)
      return "libnppif.so.13 lacks one of its functions for labels";
  }
  return NULL;
}

static gboolean
check (int status, const char *action, GError **error)
{
  if (status == 0)
    return TRUE;
  g_set_error (error, BENCH_ERROR, BENCH_ERROR_ENGINE, "NPP failed to %s: status %d", action, status);
  return FALSE;
}

static void
npp_close (gpointer state)
{
  Npp *self = state;

  bench_device_memory.free (self->label_workspace);
  bench_device_memory.free (self->compress_workspace);
  g_free ((gpointer) self->job);
  g_free (self);
}

static gpointer
npp_open (const BenchJob *job, GError **error)
{
  Npp *self = g_new0 (Npp, 1);
  int label_bytes, compress_bytes;

  self->job = g_memdup2 (job, sizeof *job);
  self->size = (NppSize) { (int) job->width, (int) job->height };
  self->norm = job->connectivity == 8 ? NPP_NORM_INF : NPP_NORM_L1;
  self->context = (NppContext) {
    .stream = job->memory->stream (),
    .n_multiprocessors = bench_gpu_attribute (CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT),
    .threads_per_multiprocessor = bench_gpu_attribute (CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR),
    .threads_per_block = bench_gpu_attribute (CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK),
    .shared_per_block = bench_gpu_attribute (CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK),
    .major = bench_gpu_attribute (CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR),
    .minor = bench_gpu_attribute (CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR),
    .stream_flags = CU_STREAM_NON_BLOCKING,
  };
  if (check (npp.label_size (self->size, &label_bytes), "size its workspace", error)
      && check (npp.compress_size (self->size.width * self->size.height, &compress_bytes), "size its workspace", error)
      && (self->label_workspace = job->memory->alloc (label_bytes, error)) != NULL
      && (self->compress_workspace = job->memory->alloc (compress_bytes, error)) != NULL) {
    self->memory = (gsize) label_bytes + compress_bytes;
    return self;
  }
  npp_close (self);
  return NULL;
}

static gboolean
npp_run (gpointer state, guint input, guint output, GError **error)
{
  Npp *self = state;
  guint32 *labels = self->job->outputs[output];
  const int pitch = self->size.width * (int) sizeof *labels;

  return check (npp.label (self->job->inputs[input], self->size.width, labels, pitch, self->size, self->norm,
                           self->label_workspace, self->context),
                "label", error)
         && check (npp.compress (labels, pitch, self->size, self->size.width * self->size.height, &self->n_labels,
                                 self->compress_workspace, self->context),
                   "number labels", error);
}

static gboolean
npp_wait (gpointer state, guint32 *n_components, GError **error)
{
  Npp *self = state;

  if (!bench_gpu_finish (error))
    return FALSE;
  *n_components = self->n_labels;
  return TRUE;
}

static gsize
npp_memory (gpointer state)
{
  return ((Npp *) state)->memory;
}

static const char *
npp_device (gpointer state)
{
  return bench_gpu_name ();
}

static const BenchEngine engine = {
  .open = npp_open, .run = npp_run, .wait = npp_wait, .memory = npp_memory, .device = npp_device, .close = npp_close
};

const BenchPeer bench_peer_npp = { .name = "npp",
                                   .description = "NPP, LabelMarkersUF and CompressMarkerLabelsUF: labels without "
                                                  "features, the background's regions, too",
                                   .task = BENCH_LABELS,
                                   .memory = CCA_MEMORY_DEVICE,
                                   .missing = npp_missing,
                                   .engine = &engine };
