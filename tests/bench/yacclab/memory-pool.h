/* gst-cca: what YACCLAB's algorithms allocate for each image comes from a pool
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Allocating takes longer than labelling; that an algorithm should not pay for it is to its advantage.
 */
#ifndef YACCLAB_MEMORY_POOL_H
#define YACCLAB_MEMORY_POOL_H

#include <cuda_runtime.h>

cudaError_t yacclab_pool_alloc (void **memory, size_t size);
cudaError_t yacclab_pool_alloc_pitch (void **memory, size_t *pitch, size_t width, size_t height);
cudaError_t yacclab_pool_free (void *memory);

#define cudaMalloc(memory, size) yacclab_pool_alloc ((void **) (memory), size)
#define cudaMallocPitch(memory, ...) yacclab_pool_alloc_pitch ((void **) (memory), __VA_ARGS__)
#define cudaFree(memory) yacclab_pool_free (memory)

#endif
