/* gst-cca: parameters of the kernels that show what the memory can do
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <stdint.h>

/* A thread takes CEILING_UNROLL times 16 bytes, a block's threads side by side each time. */
#define CEILING_THREADS 512u
#define CEILING_UNROLL 4u
#define CEILING_BLOCK_BYTES (16u * CEILING_THREADS * CEILING_UNROLL)

typedef struct
{
  void *data;     /* aligned to 16 bytes */
  uint64_t bytes; /* of occupying: ns; else what is beyond the last whole 16 bytes is left out */
  uint32_t *any;  /* of reading: for each warp, the bits that are set anywhere in what it read */
  uint32_t value; /* of writing */
} CeilingParams;
