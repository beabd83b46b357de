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
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <ucontext.h>

Place threadIdx, blockIdx, blockDim, gridDim;
uint32_t emulator_current;

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

/* --- Changing stacks --------------------------------------------------------------------------------- */

typedef void Entry ();

/* AVX-512 has registers that the list below lacks. */
#if defined __x86_64__ && !defined __AVX512F__
struct Context
{
  void *stack, *frame, *next;
};

/* Saves the state of this stack, and continues with another. It calls nothing, so that the processor predicts returns
 * right: it expects one for each call, and the lanes of a warp make the same calls. */
[[gnu::always_inline]] static inline void
switch_context (Context *from, Context *to)
{
  asm volatile ("lea 1f(%%rip), %%rax\n\t"
                "mov %%rsp, (%0)\n\t"
                "mov %%rbp, 8(%0)\n\t"
                "mov %%rax, 16(%0)\n\t"
                "mov (%1), %%rsp\n\t"
                "mov 8(%1), %%rbp\n\t"
                "jmp *16(%1)\n"
                "1:"
                : "+D"(from), "+S"(to)
                :
                : "rax", "rbx", "rcx", "rdx", "r8", "r9", "r10", "r11", "r12", "r13", "r14", "r15", "xmm0", "xmm1",
                  "xmm2", "xmm3", "xmm4", "xmm5", "xmm6", "xmm7", "xmm8", "xmm9", "xmm10", "xmm11", "xmm12", "xmm13",
                  "xmm14", "xmm15", "memory", "cc");
}

static void
make_context (Context *context, char *stack, size_t size, Entry *entry)
{
  /* As after a call: the return address lies below a multiple of 16. */
  char *top = (char *) ((uintptr_t) (stack + size) & ~(uintptr_t) 15) - 8;

  memset (top, 0, 8);
  *context = { top, NULL, (void *) entry };
}
#else
struct Context
{
  jmp_buf next;
  ucontext_t fresh;
  bool begun;
};

static void
make_context (Context *context, char *stack, size_t size, Entry *entry)
{
  getcontext (&context->fresh);
  context->fresh.uc_stack.ss_sp = stack;
  context->fresh.uc_stack.ss_size = size;
  context->fresh.uc_link = NULL;
  makecontext (&context->fresh, entry, 0);
  context->begun = false;
}

/* Saves the state of this stack, and continues with another. */
[[gnu::noinline]] static void
switch_context (Context *from, Context *to)
{
  bool begun;

  from->begun = true;
  begun = to->begun;
  to->begun = true;
  if (_setjmp (from->next))
    return;
  if (begun)
    _longjmp (to->next, 1);
  setcontext (&to->fresh);
}
#endif

/* --- Threads ----------------------------------------------------------------------------------------- */

static const uint32_t warp_size = 32, max_threads = 1024, max_warps = max_threads / warp_size;
/* Stacks do not begin at the same place of the caches. */
static const size_t stack_bytes = (128 << 10) + 17 * 64;

/* Lanes of a warp that do something together, by the mask that they gave. */
struct Meeting
{
  uint32_t mask, arrived;
  Together what;
  uint8_t from[warp_size];
  uint64_t values[warp_size];
};

/* Masks of lanes. A lane that is in none of them waits in a meeting. */
struct Warp
{
  uint32_t fresh, ready, at_barrier, ended;
  Meeting meetings[8];
};

struct alignas (64) Thread
{
  Place place;
  Context context; /* where it waits */
  uint64_t result; /* of its last meeting */
};

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER; /* one launch at a time */

static struct
{
  Thread threads[max_threads];
  Warp warps[max_warps];
  uint32_t n_threads, n_warps, n_at_barrier, n_ended;
  bool all_true, barrier_result;
  const EmulatedKernel *kernel;
  const void *params;
  Context caller;            /* of run_block () */
  Context idle[max_threads]; /* stacks whose thread has ended */
  uint32_t n_idle, n_stacks;
} emulator;

/* Ends the program. */
[[noreturn]] static void
fail (const char *format, ...)
{
  va_list args;

  fprintf (stderr, "emulator: %s: block %u, %u: ", emulator.kernel->name, blockIdx.x, blockIdx.y);
  va_start (args, format);
  vfprintf (stderr, format, args);
  va_end (args);
  fputc ('\n', stderr);
  abort ();
}

/* Takes the first lane out of a mask of a warp; it becomes the current thread. */
static Thread &
take_lane (uint32_t warp, uint32_t &lanes)
{
  const uint32_t thread = warp * warp_size + (uint32_t) __builtin_ctz (lanes);

  lanes &= lanes - 1;
  emulator_current = thread;
  threadIdx = emulator.threads[thread].place;
  return emulator.threads[thread];
}

/* A stack's life: a thread after the other. */
[[noreturn]] static void live ();

/* Takes a stack that no thread has. */
static Context *
take_stack ()
{
  static char *stacks;

  if (stacks == NULL && (stacks = (char *) malloc (max_threads * stack_bytes)) == NULL)
    abort ();
  if (emulator.n_idle == 0) {
    make_context (&emulator.idle[0], stacks + emulator.n_stacks++ * stack_bytes, stack_bytes, live);
    emulator.n_idle = 1;
  }
  return &emulator.idle[--emulator.n_idle];
}

/* Makes a thread of a warp that can continue the current one, and returns its context; NULL if there is none. All lanes
 * of a warp begin before one continues. */
static inline Context *
next_lane (uint32_t i)
{
  Warp &warp = emulator.warps[i];

  if (warp.ready && !warp.fresh)
    return &take_lane (i, warp.ready).context;
  if (!warp.fresh)
    return NULL;
  take_lane (i, warp.fresh);
  return take_stack ();
}

/* Returns where a thread of another warp can go on; where run_block () does if all have ended. */
[[gnu::noinline]] static Context *
next_warp ()
{
  const uint32_t own = emulator_current / warp_size;
  Context *next;

  if (emulator.n_ended == emulator.n_threads)
    return &emulator.caller;
  for (uint32_t n = 1, i = own; n < emulator.n_warps; n++) {
    i = i + 1 < emulator.n_warps ? i + 1 : 0;
    if ((next = next_lane (i)))
      return next;
  }
  fail ("threads wait for each other");
}

/* Switches to the stack of another thread, of this warp if possible. */
[[gnu::always_inline]] static inline void
run_another (Context *from)
{
  Context *next = next_lane (emulator_current / warp_size);

  switch_context (from, next ? next : next_warp ());
}

/* Lets other threads run until this one may go on. */
[[gnu::always_inline]] static inline void
wait ()
{
  run_another (&emulator.threads[emulator_current].context);
}

/* --- Warps ------------------------------------------------------------------------------------------- */

static uint32_t
matching (const Meeting &meeting, uint64_t value)
{
  uint32_t same = 0;

  for (uint32_t i = 0; i < warp_size; i++)
    same |= (uint32_t) (meeting.values[i] == value) << i;
  return same & meeting.arrived;
}

/* Returns the result that all lanes of a meeting get. */
static uint64_t
common_result (const Meeting &meeting)
{
  uint32_t result = 0;

  for (uint32_t lanes = meeting.arrived; lanes; lanes &= lanes - 1) {
    const uint32_t i = (uint32_t) __builtin_ctz (lanes), value = (uint32_t) meeting.values[i];

    switch (meeting.what) {
      case Together::COLLECT: result |= (uint32_t) (meeting.values[i] != 0) << i; break;
      case Together::ADD: result += value; break;
      case Together::OR: result |= value; break;
      case Together::MAX: result = value > result ? value : result; break;
      default: break;
    }
  }
  return result;
}

/* Gives all lanes their results, and lets them go on. */
static void
end_meeting (uint32_t warp, Meeting &meeting)
{
  const uint64_t common = common_result (meeting);

  for (uint32_t lanes = meeting.arrived; lanes; lanes &= lanes - 1) {
    const uint32_t i = (uint32_t) __builtin_ctz (lanes), from = meeting.from[i];
    uint64_t &result = emulator.threads[warp * warp_size + i].result;

    switch (meeting.what) {
      case Together::MATCH: result = matching (meeting, meeting.values[i]); break;
      case Together::EXCHANGE: result = meeting.values[meeting.arrived >> from & 1 ? from : i]; break;
      default: result = common; break;
    }
  }
  emulator.warps[warp].ready |= meeting.arrived;
  meeting.arrived = 0;
}

static bool
is_complete (const Warp &warp, const Meeting &meeting)
{
  return meeting.arrived && !(meeting.mask & ~(meeting.arrived | warp.ended));
}

static inline Meeting &
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
  fail ("too many groups of lanes wait");
}

uint64_t
emulator_meet (uint32_t mask, Together what, uint64_t value, uint32_t from)
{
  const uint32_t current = emulator_current, lane = current % warp_size;
  Warp &warp = emulator.warps[current / warp_size];
  Meeting &meeting = meeting_of (warp, mask);

  if (!(mask >> lane & 1))
    fail ("lane %u is not in its mask %#x", lane, mask);
  if (meeting.arrived && meeting.what != what)
    fail ("lanes %#x and lane %u do different things together", meeting.arrived, lane);
  meeting.what = what;
  meeting.values[lane] = value;
  meeting.from[lane] = (uint8_t) from;
  meeting.arrived |= 1u << lane;
  if (is_complete (warp, meeting)) {
    end_meeting (current / warp_size, meeting);
    warp.ready &= ~(1u << lane);
  } else {
    wait ();
  }
  return emulator.threads[emulator_current].result;
}

/* --- Blocks ------------------------------------------------------------------------------------------ */

/* Whether all threads have arrived or ended; they may go on then. */
static bool
pass_barrier ()
{
  if (emulator.n_at_barrier + emulator.n_ended < emulator.n_threads)
    return false;
  for (uint32_t i = 0; i < emulator.n_warps; i++) {
    emulator.warps[i].ready |= emulator.warps[i].at_barrier;
    emulator.warps[i].at_barrier = 0;
  }
  emulator.n_at_barrier = 0;
  emulator.barrier_result = emulator.all_true;
  emulator.all_true = true;
  return true;
}

bool
emulator_barrier (bool value)
{
  Warp &warp = emulator.warps[emulator_current / warp_size];
  const uint32_t lane = 1u << emulator_current % warp_size;

  emulator.all_true = emulator.all_true && value;
  emulator.n_at_barrier++;
  warp.at_barrier |= lane;
  if (pass_barrier ())
    warp.ready &= ~lane;
  else
    wait ();
  return emulator.barrier_result;
}

static void
end_thread ()
{
  Warp &warp = emulator.warps[emulator_current / warp_size];

  emulator.n_ended++;
  warp.ended |= 1u << emulator_current % warp_size;
  if (~(warp.fresh | warp.ready | warp.at_barrier | warp.ended))
    for (Meeting &meeting : warp.meetings)
      if (is_complete (warp, meeting))
        end_meeting (emulator_current / warp_size, meeting);
  if (emulator.n_at_barrier)
    pass_barrier ();
}

/* Whether this warp has another thread to begin, which becomes the current one. */
static bool
begin_next ()
{
  const uint32_t i = emulator_current / warp_size;

  return emulator.warps[i].fresh && (take_lane (i, emulator.warps[i].fresh), true);
}

static void
live ()
{
  for (;;) {
    do {
      emulator.kernel->call (emulator.params);
      end_thread ();
    } while (begin_next ());
    run_another (&emulator.idle[emulator.n_idle++]);
  }
}

static void
run_block ()
{
  for (uint32_t i = 0; i < emulator.n_warps; i++) {
    const uint32_t n = emulator.n_threads - i * warp_size;

    emulator.warps[i].fresh = n < warp_size ? (1u << n) - 1 : ~0u;
    emulator.warps[i].ended = ~emulator.warps[i].fresh;
  }
  emulator.n_ended = 0;
  emulator_current = 0;
  run_another (&emulator.caller);
}

void
emulator_run (const EmulatedKernel *kernel, const uint32_t *grid, const uint32_t *block, const void *params)
{
  pthread_mutex_lock (&mutex);
  emulator.kernel = kernel;
  emulator.params = params;
  emulator.n_threads = block[0] * block[1] * block[2];
  emulator.n_warps = (emulator.n_threads + warp_size - 1) / warp_size;
  emulator.all_true = true;
  gridDim = { grid[0], grid[1], grid[2] };
  blockDim = { block[0], block[1], block[2] };
  for (uint32_t i = 0; i < emulator.n_threads; i++)
    emulator.threads[i].place = { i % block[0], i / block[0] % block[1], i / block[0] / block[1] };
  for (blockIdx.z = 0; blockIdx.z < gridDim.z; blockIdx.z++)
    for (blockIdx.y = 0; blockIdx.y < gridDim.y; blockIdx.y++)
      for (blockIdx.x = 0; blockIdx.x < gridDim.x; blockIdx.x++)
        run_block ();
  pthread_mutex_unlock (&mutex);
}
