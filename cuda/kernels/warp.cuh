/* gst-cca: what the lanes of a warp do together
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#ifndef CCA_WARP_CUH
#define CCA_WARP_CUH

#include <stdint.h>

constexpr uint32_t warp_size = 32;
constexpr uint32_t all_lanes = 0xffffffffu;

/* Threads that a multiprocessor has room for: blocks per multiprocessor, times their threads, must not be more. */
#if __CUDA_ARCH__ == 750
constexpr uint32_t most_threads = 1024;
#elif __CUDA_ARCH__ == 860 || __CUDA_ARCH__ == 870 || __CUDA_ARCH__ == 890 || __CUDA_ARCH__ >= 1200
constexpr uint32_t most_threads = 1536;
#else
constexpr uint32_t most_threads = 2048;
#endif

/* Lets the next kernel be started while this one still runs (programmatic dependent launch): as soon as all blocks of
 * this one have come here, so that whoever waits for one of them waits for one that runs. */
__device__ inline void
start_next_kernel ()
{
#if __CUDA_ARCH__ >= 900
  asm volatile ("griddepcontrol.launch_dependents;" ::: "memory");
#endif
}

/* Waits for the kernel before, and for all that it has written. */
__device__ inline void
wait_for_kernel ()
{
#if __CUDA_ARCH__ >= 900
  asm volatile ("griddepcontrol.wait;" ::: "memory");
#endif
}

/* How a kernel begins that may be started while the one before still runs. */
__device__ inline void
start_kernel ()
{
  start_next_kernel ();
  wait_for_kernel ();
}

/* A flag that tells other blocks, also of other kernels, that what was written before is there. */
__device__ inline void
raise_flag (uint32_t *flag)
{
#ifdef __CUDA_ARCH__
  asm volatile ("st.release.gpu.global.u32 [%0], %1;" ::"l"(flag), "r"(1) : "memory");
#else
  *flag = 1;
#endif
}

/* Who has seen it raised, and calls see_flagged (), sees that. */
__device__ inline bool
flag_is_raised (const uint32_t *flag)
{
#ifdef __CUDA_ARCH__
  uint32_t value;

  asm volatile ("ld.relaxed.gpu.global.u32 %0, [%1];" : "=r"(value) : "l"(flag) : "memory");
  return value != 0;
#else
  return *flag != 0;
#endif
}

__device__ inline void
see_flagged ()
{
#ifdef __CUDA_ARCH__
  asm volatile ("fence.acq_rel.gpu;" ::: "memory");
#endif
}

__device__ inline uint32_t
lane_index ()
{
  return threadIdx.x % warp_size;
}

/* The lanes before this one. */
__device__ inline uint32_t
lanes_before ()
{
  return (1u << lane_index ()) - 1;
}

/* Of all warps of the launch; blocks are one-dimensional. */
__device__ inline uint32_t
warp_index ()
{
  return (blockIdx.x * blockDim.x + threadIdx.x) / warp_size;
}

/* The sum of a value over the lanes up to and including this one. */
__device__ inline uint32_t
warp_inclusive_sum (uint32_t value)
{
  for (uint32_t d = 1; d < warp_size; d *= 2) {
    const uint32_t below = __shfl_up_sync (all_lanes, value, d);

    value += lane_index () >= d ? below : 0;
  }
  return value;
}

/* Over all lanes; before sm_80 there is no instruction for it. */
template <typename F>
__device__ inline uint32_t
warp_reduce (uint32_t value, F f)
{
  for (uint32_t d = warp_size / 2; d > 0; d /= 2)
    value = f (value, __shfl_xor_sync (all_lanes, value, d));
  return value;
}

__device__ inline uint32_t
warp_sum (uint32_t value)
{
#if __CUDA_ARCH__ >= 800
  return __reduce_add_sync (all_lanes, value);
#else
  return warp_reduce (value, [] (uint32_t a, uint32_t b) { return a + b; });
#endif
}

__device__ inline uint32_t
warp_or (uint32_t value)
{
#if __CUDA_ARCH__ >= 800
  return __reduce_or_sync (all_lanes, value);
#else
  return warp_reduce (value, [] (uint32_t a, uint32_t b) { return a | b; });
#endif
}

__device__ inline uint32_t
warp_max (uint32_t value)
{
#if __CUDA_ARCH__ >= 800
  return __reduce_max_sync (all_lanes, value);
#else
  return warp_reduce (value, [] (uint32_t a, uint32_t b) { return max (a, b); });
#endif
}

#endif
