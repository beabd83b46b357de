/* gst-cca: the emulator runs kernels as a GPU does, and ends the program where a GPU would hang or behave undefined
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "device.h"
#include "emulator.h"

#include "cuda/kernels/warp.cuh"

#include <cub/block/block_reduce.cuh>
#include <glib.h>

static const uint32_t all = 0xffffffff;

static void
run (void (*call) (const void *), uint32_t n_blocks, uint32_t n_threads, const void *params)
{
  const EmulatedKernel kernel = { "kernel", sizeof params, call };
  const uint32_t grid[] = { n_blocks, 1, 1 }, block[] = { n_threads, 1, 1 };

  emulator_run (&kernel, grid, block, params);
}

/* --- Defined behaviour ------------------------------------------------------------------------------- */

static uint32_t n_calls[4][3][2][8][6][5]; /* of blockIdx and threadIdx */

static void
count_calls (const void *)
{
  n_calls[blockIdx.x][blockIdx.y][blockIdx.z][threadIdx.x][threadIdx.y][threadIdx.z]++;
}

static void
test_grid (void)
{
  const EmulatedKernel kernel = { "count_calls", 0, count_calls };
  const uint32_t grid[] = { 4, 3, 2 }, block[] = { 8, 6, 5 };
  const uint32_t *first = &n_calls[0][0][0][0][0][0];

  emulator_run (&kernel, grid, block, NULL);
  for (size_t i = 0; i < sizeof n_calls / sizeof *first; i++)
    g_assert_cmpuint (first[i], ==, 1);
}

/* A block of 40 threads, whose second warp has eight. */
static void
meet (const void *)
{
  const uint32_t t = threadIdx.x, lane = t % 32, there = t < 32 ? all : 0xff;

  g_assert_cmphex (__ballot_sync (all, t % 3 == 0), ==, 0x49249249u << (t < 32 ? 0 : 1) & there);
  g_assert_cmpuint (__shfl_sync (all, t, 5), ==, t / 32 * 32 + 5);
  g_assert_cmpuint (__shfl_up_sync (all, t, 3), ==, lane < 3 ? t : t - 3);
  g_assert_cmpuint (__shfl_down_sync (all, t, 3), ==, lane > 28 || t + 3 >= blockDim.x ? t : t + 3);
  g_assert_cmpuint (__shfl_xor_sync (all, t, 1), ==, t ^ 1);
  g_assert_cmphex (__match_any_sync (all, lane / 4), ==, 0xfu << lane / 4 * 4);
  g_assert_cmpuint (__reduce_add_sync (all, t), ==, t < 32 ? 31 * 32 / 2 : 32 + 33 + 34 + 35 + 36 + 37 + 38 + 39);
  g_assert_cmphex (__reduce_or_sync (all, 1u << lane), ==, there);
  g_assert_cmpuint (__reduce_max_sync (all, 100 - lane), ==, 100);
  /* groups that go different ways, one of them twice as long */
  const uint32_t odd = lane % 2 ? 0xaaaaaaaa : 0x55555555;

  for (uint32_t i = 0; i <= lane % 2; i++)
    g_assert_cmphex (__ballot_sync (odd, true), ==, odd & there);
  if (lane == 2)
    return; /* the others do not wait for it */
  g_assert_cmphex (__ballot_sync (all, true), ==, there & ~4u);
}

static void
test_meetings (void)
{
  run (meet, 3, 40, NULL);
}

/* Threads that have ended are not waited for. */
static void
pass_barriers (const void *)
{
  static uint32_t n_before;

  if (threadIdx.x == 0)
    n_before = 0;
  __syncthreads ();
  n_before++;
  __syncthreads ();
  g_assert_cmpuint (n_before, ==, 100);
  g_assert_true (__syncthreads_and (true));
  g_assert_false (__syncthreads_and (threadIdx.x != 70));
  g_assert_true (__syncthreads_and (1));
  if (threadIdx.x % 2)
    return;
  n_before++;
  __syncthreads ();
  g_assert_cmpuint (n_before, ==, 150);
}

static void
test_barriers (void)
{
  run (pass_barriers, 3, 100, NULL);
}

static void
sum_up (const void *)
{
  typedef cub::BlockScan<uint32_t, 64> Scan;
  typedef cub::BlockReduce<uint32_t, 64> Reduce;
  static Scan::TempStorage storage;
  static Reduce::TempStorage reduce_storage;
  const uint32_t t = threadIdx.x;
  uint32_t pair[] = { t, 1 }, before, total;

  Scan (storage).ExclusiveSum (t, before, total);
  g_assert_cmpuint (before, ==, t * (t - 1) / 2);
  g_assert_cmpuint (total, ==, 64 * 63 / 2);
  __syncthreads ();
  Scan (storage).ExclusiveSum (pair, pair, total);
  g_assert_cmpuint (pair[0], ==, t * (t + 1) / 2);
  g_assert_cmpuint (pair[1], ==, t * (t + 1) / 2 + t);
  g_assert_cmpuint (total, ==, 64 * 65 / 2);
  g_assert_cmpuint (Reduce (reduce_storage).Sum (2), ==, 128);
}

/* The reductions of kernels, by shuffles on GPUs without reductions. */
static void
reduce (const void *)
{
  const uint32_t t = threadIdx.x, lane = t % 32;
  const auto add = [] (uint32_t a, uint32_t b) { return a + b; };
  const auto join = [] (uint32_t a, uint32_t b) { return a | b; };
  const auto greater = [] (uint32_t a, uint32_t b) { return max (a, b); };

  g_assert_cmpuint (warp_reduce (t, add), ==, warp_sum (t));
  g_assert_cmphex (warp_reduce (1u << lane, join), ==, warp_or (1u << lane));
  g_assert_cmpuint (warp_reduce (t, greater), ==, warp_max (t));
  g_assert_cmpuint (warp_inclusive_sum (lane), ==, lane * (lane + 1) / 2);
}

static void
test_reductions (void)
{
  run (reduce, 2, 64, NULL);
}

static void
test_sums (void)
{
  run (sum_up, 2, 64, NULL);
}

/* --- Undefined behaviour ----------------------------------------------------------------------------- */

static void
wait_in_vain (const void *)
{
  if (threadIdx.x % 2)
    __syncthreads ();
  else
    __syncwarp ();
}

static void
forget_itself (const void *)
{
  __syncwarp (0xfffffffe);
}

static void
differ (const void *)
{
  if (threadIdx.x < 16)
    __ballot_sync (all, true);
  else
    __shfl_sync (all, 1, 0);
}

static void
disagree (const void *)
{
  if (threadIdx.x < 2)
    __ballot_sync (threadIdx.x == 0 ? 0x3 : 0x7, true);
}

typedef struct
{
  const char *name;
  void (*call) (const void *);
  const char *message;
} Mistake;

static const Mistake mistakes[] = {
  { "wait-in-vain", wait_in_vain, "*threads wait for each other*" },
  { "lane-outside-mask", forget_itself, "*lane 0 is not in its mask*" },
  { "different-things", differ, "*do different things together*" },
  { "different-masks", disagree, "*threads wait for each other*" },
};

static void
test_mistake (gconstpointer data)
{
  const Mistake *mistake = (const Mistake *) data;

  if (g_test_subprocess ()) {
    run (mistake->call, 1, 32, NULL);
    return;
  }
  g_test_trap_subprocess (NULL, 0, (GTestSubprocessFlags) 0);
  g_test_trap_assert_failed ();
  g_test_trap_assert_stderr (mistake->message);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/emulator/grid", test_grid);
  g_test_add_func ("/emulator/meetings", test_meetings);
  g_test_add_func ("/emulator/barriers", test_barriers);
  g_test_add_func ("/emulator/reductions", test_reductions);
  g_test_add_func ("/emulator/sums", test_sums);
  for (const Mistake &mistake : mistakes) {
    char *path = g_strdup_printf ("/emulator/mistakes/%s", mistake.name);

    g_test_add_data_func (path, &mistake, test_mistake);
    g_free (path);
  }
  return g_test_run ();
}
