/* gst-cca: kernels that do nothing but read, or write, as fast as the memory can, or wait, or nothing at all
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "ceilings.h"

/* Keeps the stream busy for p.bytes nanoseconds. */
extern "C" __global__ void
bench_occupy (CeilingParams p)
{
  uint64_t start, now;

  asm volatile ("mov.u64 %0, %%globaltimer;" : "=l"(start));
  do
    asm volatile ("mov.u64 %0, %%globaltimer;" : "=l"(now));
  while (now - start < p.bytes);
}

/* Nothing, but a profiler sees it. */
extern "C" __global__ void
bench_mark (CeilingParams p)
{
}

/* The index of a thread's i-th 16 bytes. */
static __device__ uint64_t
item (uint32_t i)
{
  return ((uint64_t) blockIdx.x * CEILING_UNROLL + i) * CEILING_THREADS + threadIdx.x;
}

extern "C" __global__ void
__launch_bounds__ (CEILING_THREADS) bench_read (CeilingParams p)
{
  const uint4 *data = static_cast<const uint4 *> (p.data);
  uint4 items[CEILING_UNROLL];
  uint32_t any = 0;

#pragma unroll
  for (uint32_t i = 0; i < CEILING_UNROLL; i++)
    items[i] = item (i) < p.bytes / 16 ? __ldcs (data + item (i)) : make_uint4 (0, 0, 0, 0);
#pragma unroll
  for (uint32_t i = 0; i < CEILING_UNROLL; i++)
    any |= items[i].x | items[i].y | items[i].z | items[i].w;
  for (uint32_t distance = 16; distance > 0; distance /= 2)
    any |= __shfl_xor_sync (~0u, any, distance);
  if (threadIdx.x % 32 == 0)
    p.any[(blockIdx.x * CEILING_THREADS + threadIdx.x) / 32] = any;
}

extern "C" __global__ void
__launch_bounds__ (CEILING_THREADS) bench_write (CeilingParams p)
{
  uint4 *data = static_cast<uint4 *> (p.data);

#pragma unroll
  for (uint32_t i = 0; i < CEILING_UNROLL; i++)
    if (item (i) < p.bytes / 16)
      data[item (i)] = make_uint4 (p.value, p.value, p.value, p.value);
}
