/* gst-cca: parameters of the kernels that show the limits of the memory
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <stdint.h>

/* A thread takes CEILING_UNROLL times 16 bytes; the threads of a block take neighbouring ones each time. */
#define CEILING_THREADS 512u
#define CEILING_UNROLL 4u
#define CEILING_BLOCK_BYTES (16u * CEILING_THREADS * CEILING_UNROLL)

typedef struct
{
  void *data;     /* aligned to 16 bytes */
  uint64_t bytes; /* to occupy: ns; otherwise the rest after the last whole 16 bytes is ignored */
  uint32_t *any;  /* to read: for each warp, the union of the bits that it read */
  uint32_t value; /* to write */
} CeilingParams;
