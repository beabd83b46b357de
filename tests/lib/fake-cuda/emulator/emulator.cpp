/* gst-cca: kernels on the host
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Each thread of a block has a stack of its own and runs until it must wait. Threads are made once and serve all blocks
 * of all launches.
 */
#include "emulator.h"

#include "device.h"

#include <pthread.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <ucontext.h>

Place threadIdx, blockIdx, blockDim, gridDim;

/* --- Kernels ----------------------------------------------------------------------------------------- */

/* Zero before any constructor adds to it. */
static struct
{
  const EmulatedKernel *kernels;
  size_t n;
} files[32];
static size_t n_files;

void
emulator_add (const EmulatedKernel *kernels, size_t n)
{
  if (n_files == sizeof files / sizeof *files) {
    fprintf (stderr, "emulator: more than %zu files of kernels\n", n_files);
    abort ();
  }
  files[n_files++] = { kernels, n };
}

const EmulatedKernel *
emulator_find (const char *name)
{
  for (size_t i = 0; i < n_files; i++)
    for (size_t k = 0; k < files[i].n; k++)
      if (strcmp (files[i].kernels[k].name, name) == 0)
        return &files[i].kernels[k];
  return NULL;
}

/* --- Threads ----------------------------------------------------------------------------------------- */

static const uint32_t max_threads = 1024, stack_bytes = 128 << 10;

enum class State
{
  READY,
  WAITING,
  DONE
};

struct Thread
{
  State state;
  bool started; /* it has its stack */
  jmp_buf context;
  uint32_t lanes; /* what the last meeting gave */
  uint64_t results[32];
};

/* Lanes of a warp that do something together, by the mask that they gave. */
struct Meeting
{
  uint32_t mask, arrived;
  uint64_t values[32];
};

struct Warp
{
  uint32_t ended;
  Meeting meetings[8];
};

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER; /* one launch at a time */

static struct
{
  Thread threads[max_threads];
  Warp warps[max_threads / 32];
  uint32_t n_threads, current, n_at_barrier, n_ended;
  const EmulatedKernel *kernel;
  const void *params;
  jmp_buf scheduler;
} emulator;

static void
yield ()
{
  if (_setjmp (emulator.threads[emulator.current].context) == 0)
    _longjmp (emulator.scheduler, 1);
}

/* Whether all are there; they go on then. */
static bool
meet (uint32_t warp, Meeting &meeting)
{
  if (!meeting.arrived || (meeting.mask & ~(meeting.arrived | emulator.warps[warp].ended)))
    return false;
  for (uint32_t i = 0; i < 32; i++)
    if (meeting.arrived >> i & 1) {
      Thread &thread = emulator.threads[warp * 32 + i];

      memcpy (thread.results, meeting.values, sizeof thread.results);
      thread.lanes = meeting.arrived;
      thread.state = State::READY;
    }
  meeting.arrived = 0;
  return true;
}

static Meeting &
meeting_of (Warp &warp, uint32_t mask)
{
  for (Meeting &meeting : warp.meetings)
    if (meeting.mask == mask)
      return meeting;
  for (Meeting &meeting : warp.meetings)
    if (meeting.arrived == 0) {
      meeting.mask = mask;
      return meeting;
    }
  fprintf (stderr, "emulator: %s: too many groups of lanes wait\n", emulator.kernel->name);
  abort ();
}

uint32_t
emulator_lane ()
{
  return emulator.current % 32;
}

Gathered
emulator_gather (uint32_t mask, uint64_t value)
{
  const uint32_t warp = emulator.current / 32, lane = emulator.current % 32;
  Meeting &meeting = meeting_of (emulator.warps[warp], mask);
  Thread &thread = emulator.threads[emulator.current];

  if (!(mask >> lane & 1)) {
    fprintf (stderr, "emulator: %s: lane %u is not in its mask %#x\n", emulator.kernel->name, lane, mask);
    abort ();
  }
  meeting.values[lane] = value;
  meeting.arrived |= 1u << lane;
  thread.state = State::WAITING;
  if (!meet (warp, meeting))
    yield ();
  return { thread.lanes, thread.results };
}

static void
pass_barrier ()
{
  if (emulator.n_at_barrier == 0 || emulator.n_at_barrier + emulator.n_ended < emulator.n_threads)
    return;
  emulator.n_at_barrier = 0;
  for (uint32_t i = 0; i < emulator.n_threads; i++)
    if (emulator.threads[i].state == State::WAITING)
      emulator.threads[i].state = State::READY;
}

void
emulator_barrier ()
{
  emulator.n_at_barrier++;
  emulator.threads[emulator.current].state = State::WAITING;
  pass_barrier ();
  if (emulator.threads[emulator.current].state == State::WAITING)
    yield ();
}

static void
end_thread ()
{
  const uint32_t warp = emulator.current / 32;

  emulator.threads[emulator.current].state = State::DONE;
  emulator.n_ended++;
  emulator.warps[warp].ended |= 1u << emulator.current % 32;
  for (Meeting &meeting : emulator.warps[warp].meetings)
    meet (warp, meeting);
  pass_barrier ();
}

/* A thread's life: a block after the other. */
static void
live ()
{
  for (;;) {
    emulator.kernel->call (emulator.params);
    end_thread ();
    yield ();
  }
}

static void
start_thread (uint32_t i)
{
  static char *stacks;
  ucontext_t context;

  if (stacks == NULL && (stacks = (char *) malloc ((size_t) max_threads * stack_bytes)) == NULL)
    abort ();
  emulator.threads[i].started = true;
  getcontext (&context);
  context.uc_stack.ss_sp = stacks + (size_t) i * stack_bytes;
  context.uc_stack.ss_size = stack_bytes;
  context.uc_link = NULL;
  makecontext (&context, live, 0);
  setcontext (&context);
}

/* Lets a thread run until it waits. */
static void
run_thread (uint32_t i)
{
  emulator.current = i;
  threadIdx = { i % blockDim.x, i / blockDim.x % blockDim.y, i / blockDim.x / blockDim.y };
  if (_setjmp (emulator.scheduler) != 0)
    return;
  if (emulator.threads[i].started)
    _longjmp (emulator.threads[i].context, 1);
  start_thread (i);
}

static void
run_block ()
{
  memset (emulator.warps, 0, sizeof emulator.warps);
  emulator.n_at_barrier = emulator.n_ended = 0;
  for (uint32_t i = 0; i < emulator.n_threads; i++)
    emulator.threads[i].state = State::READY;
  for (uint32_t i = emulator.n_threads; i < (emulator.n_threads + 31) / 32 * 32; i++)
    emulator.warps[i / 32].ended |= 1u << i % 32;
  while (emulator.n_ended < emulator.n_threads) {
    bool progress = false;

    for (uint32_t i = 0; i < emulator.n_threads; i++)
      if (emulator.threads[i].state == State::READY) {
        run_thread (i);
        progress = true;
      }
    if (!progress) {
      fprintf (stderr, "emulator: %s: threads of block %u, %u wait for each other\n", emulator.kernel->name, blockIdx.x,
               blockIdx.y);
      abort ();
    }
  }
}

void
emulator_run (const EmulatedKernel *kernel, const uint32_t *grid, const uint32_t *block, const void *params)
{
  pthread_mutex_lock (&mutex);
  emulator.kernel = kernel;
  emulator.params = params;
  emulator.n_threads = block[0] * block[1] * block[2];
  gridDim = { grid[0], grid[1], grid[2] };
  blockDim = { block[0], block[1], block[2] };
  for (blockIdx.z = 0; blockIdx.z < gridDim.z; blockIdx.z++)
    for (blockIdx.y = 0; blockIdx.y < gridDim.y; blockIdx.y++)
      for (blockIdx.x = 0; blockIdx.x < gridDim.x; blockIdx.x++)
        run_block ();
  pthread_mutex_unlock (&mutex);
}
