/* gst-cca: warps: lanes, reductions; synchronisation between grids and between blocks
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <stdint.h>

constexpr uint32_t warp_size = 32;
constexpr uint32_t all_lanes = 0xffffffffu;

/* Threads that fit on a multiprocessor: the limit of launch bounds, blocks per multiprocessor * threads per block. */
#if __CUDA_ARCH__ == 750
constexpr uint32_t max_threads = 1024;
#elif __CUDA_ARCH__ == 860 || __CUDA_ARCH__ == 870 || __CUDA_ARCH__ == 890 || __CUDA_ARCH__ >= 1200
constexpr uint32_t max_threads = 1536;
#else
constexpr uint32_t max_threads = 2048;
#endif

/* --- Programmatic dependent launch: a grid may start while the one before it still runs ---------------- */

/* Triggers the launch of the next grid, which starts once all blocks of this one have called this or ended. So a block
 * of the next grid may poll a flag of one of these blocks: that block runs. */
__device__ inline void
trigger_next_grid ()
{
#if __CUDA_ARCH__ >= 900
  asm volatile ("griddepcontrol.launch_dependents;" ::: "memory");
#endif
}

/* Waits until the grid before this one has ended and all its writes are visible. */
__device__ inline void
grid_dependency_sync ()
{
#if __CUDA_ARCH__ >= 900
  asm volatile ("griddepcontrol.wait;" ::: "memory");
#endif
}

/* Triggers the next grid, then waits for the one before: the start of most kernels of an early module. */
__device__ inline void
trigger_then_sync ()
{
  trigger_next_grid ();
  grid_dependency_sync ();
}

/* --- Flags between blocks, also those of other grids --------------------------------------------------- */

/* Stores a value with release semantics: what this thread has written or synchronised with becomes visible first. */
__device__ inline void
store_release (uint32_t *flag, uint32_t value)
{
#ifdef __CUDA_ARCH__
  asm volatile ("st.release.gpu.global.u32 [%0], %1;" ::"l"(flag), "r"(value) : "memory");
#else
  *flag = value;
#endif
}

/* Loads a value that another block may store at any time. fence_acquire () then makes it a load-acquire. */
__device__ inline uint32_t
load_relaxed (const uint32_t *flag)
{
#ifdef __CUDA_ARCH__
  uint32_t value;

  asm volatile ("ld.relaxed.gpu.global.u32 %0, [%1];" : "=r"(value) : "l"(flag) : "memory");
  return value;
#else
  return *flag;
#endif
}

/* Adds to a counter and returns its previous value. Releases this thread's writes, and those it has synchronised with;
 * acquires the writes of blocks that added before. */
__device__ inline uint32_t
add_acquire_release (uint32_t *counter, uint32_t n)
{
#ifdef __CUDA_ARCH__
  uint32_t before;

  asm volatile ("atom.acq_rel.gpu.global.add.u32 %0, [%1], %2;" : "=r"(before) : "l"(counter), "r"(n) : "memory");
  return before;
#else
  return atomicAdd (counter, n);
#endif
}

/* Acquires what other blocks wrote before the store-release that a relaxed load of this thread has seen. */
__device__ inline void
fence_acquire ()
{
#ifdef __CUDA_ARCH__
  asm volatile ("fence.acq_rel.gpu;" ::: "memory");
#endif
}

/* --- Lanes --------------------------------------------------------------------------------------------- */

__device__ inline uint32_t
lane_index ()
{
  return threadIdx.x % warp_size;
}

/* Returns a mask of the lanes before this one. */
__device__ inline uint32_t
lanes_before ()
{
  return (1u << lane_index ()) - 1;
}

/* Returns the index of this warp among those of its row of blocks; blocks are one-dimensional. */
__device__ inline uint32_t
warp_index ()
{
  return (blockIdx.x * blockDim.x + threadIdx.x) / warp_size;
}

/* Returns the sum of a value over the lanes up to and including this one. */
__device__ inline uint32_t
warp_inclusive_sum (uint32_t value)
{
  for (uint32_t d = 1; d < warp_size; d *= 2) {
    const uint32_t below = __shfl_up_sync (all_lanes, value, d);

    value += lane_index () >= d ? below : 0;
  }
  return value;
}

/* GPUs before sm_80 have no instruction that reduces a value over all lanes. */
#if !defined __CUDA_ARCH__ || __CUDA_ARCH__ >= 800
#define CCA_WARP_REDUCES 1
#else
#define CCA_WARP_REDUCES 0
#endif

/* Reduces a value over all lanes by shuffles. */
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
#if CCA_WARP_REDUCES
  return __reduce_add_sync (all_lanes, value);
#else
  return warp_reduce (value, [] (uint32_t a, uint32_t b) { return a + b; });
#endif
}

__device__ inline uint32_t
warp_or (uint32_t value)
{
#if CCA_WARP_REDUCES
  return __reduce_or_sync (all_lanes, value);
#else
  return warp_reduce (value, [] (uint32_t a, uint32_t b) { return a | b; });
#endif
}

__device__ inline uint32_t
warp_max (uint32_t value)
{
#if CCA_WARP_REDUCES
  return __reduce_max_sync (all_lanes, value);
#else
  return warp_reduce (value, [] (uint32_t a, uint32_t b) { return max (a, b); });
#endif
}
