/* gst-cca: an NVIDIA GPU for the benchmarks
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The first GPU, by its driver, opened at run time; its primary context, so that libraries over the CUDA run-time
 * work in the same one. Apart from the product, whose own use of the driver is measured.
 */
#pragma once

#include "bench-memory.h"

extern const BenchMemory bench_device_memory;

/* Returns the GPU's name; bench_device_memory must be open. */
const char *bench_gpu_name (void);

/* Return a kernel of an embedded fatbin, and launch it on the stream with n blocks. */
gpointer bench_gpu_kernel (gconstpointer fatbin, const char *name, GError **error);
gboolean bench_gpu_launch (gpointer kernel, guint n_blocks, guint n_threads, gpointer params, GError **error);

/* Allocates pinned host memory; bench_gpu_copy() enqueues a copy to it on the stream. */
gpointer bench_gpu_alloc_pinned (gsize bytes, GError **error);
void bench_gpu_free_pinned (gpointer block); /* NULL is allowed */
gboolean bench_gpu_copy (gpointer to, gconstpointer from, gsize bytes, GError **error);

/* Waits for all work on the stream. */
gboolean bench_gpu_finish (GError **error);

/* Returns a CUdevice_attribute; 0 if unknown. */
int bench_gpu_attribute (int attribute);
