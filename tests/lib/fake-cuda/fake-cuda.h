/* gst-cca: a CUDA driver that fails on demand
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * A libcuda.so.1 for LD_LIBRARY_PATH. Every call is counted, may be made to fail, and goes on to the driver whose
 * path is in FAKE_CUDA_DRIVER. Without that variable there is a null device: memory is zeroed memory of the host,
 * copies are copies, and kernels do nothing, so that all of the host's code runs on any machine. Its compute capability
 * is NULL_DEVICE_GENERATION, 10 * major + minor; there are NULL_DEVICES of it, up to 4, or one.
 *
 * Device memory and pinned memory have guard bytes around them. Where they were written, or where something is
 * released that is not held, the program ends with a message.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define FAKE_CUDA_OUT_OF_MEMORY 2     /* CUDA_ERROR_OUT_OF_MEMORY */
#define FAKE_CUDA_UNCORRECTABLE 214   /* CUDA_ERROR_ECC_UNCORRECTABLE */
#define FAKE_CUDA_ILLEGAL_ADDRESS 700 /* CUDA_ERROR_ILLEGAL_ADDRESS */
#define FAKE_CUDA_UNKNOWN 999         /* CUDA_ERROR_UNKNOWN */

/* The calls that fail, from the chosen one on. */
typedef enum
{
  FAKE_CUDA_ONCE,
  FAKE_CUDA_FROM_THEN_ON,
  /* All calls in the context of the first one, which is lost; a new context works. */
  FAKE_CUDA_IN_THIS_CONTEXT,
} FakeCudaSpan;

typedef enum
{
  FAKE_CUDA_MEMORY,
  FAKE_CUDA_PINNED,
  FAKE_CUDA_REGISTERED, /* pinned memory of others */
  FAKE_CUDA_CONTEXT,
  FAKE_CUDA_CURRENT, /* contexts pushed and not popped */
  FAKE_CUDA_MODULE,
  FAKE_CUDA_EVENT,
  FAKE_CUDA_STREAM,
  FAKE_CUDA_GRAPH,
  FAKE_CUDA_EXECUTABLE, /* of a graph */
  FAKE_CUDA_RESOURCE,   /* a registered EGLImage */
  FAKE_CUDA_N_KINDS
} FakeCudaKind;

/* An EGLImage of the null device, and an array: rows of host memory. */
typedef struct
{
  const void *frame; /* a CUeglFrame */
  size_t bytes;
} FakeCudaImage;

typedef struct
{
  const void *data;
  size_t pitch;
} FakeCudaArray;

/* The library exports this as `fake_cuda`; any thread may call it. */
typedef struct
{
  bool (*is_null) (void);
  const char *(*kind_name) (FakeCudaKind kind);

  /* Restarts the count of calls and makes the nth fail with a CUresult, and later ones by the span. 0: none. A failing
   * call that frees something still frees it, as a driver does that reports an older error. */
  void (*fail) (uint64_t nth, FakeCudaSpan span, int result);
  uint64_t (*n_calls) (void);
  const char *(*failed) (void); /* returns the first function that failed, or NULL */

  uint64_t (*n_held) (FakeCudaKind kind);
  uint64_t (*n_made) (FakeCudaKind kind); /* returns how many were made so far */
  uint64_t (*n_queries) (void);           /* returns how often events were queried so far */
  /* mark() returns a mark; release_since() frees all memory, events, modules and streams created after it, as the loss
   * of a context does. */
  uint64_t (*mark) (void);
  void (*release_since) (uint64_t mark);
} FakeCuda;
