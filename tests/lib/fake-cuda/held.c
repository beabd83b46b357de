/* gst-cca: objects of the fake driver that its users hold
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "held.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static Held *all;
static size_t n_all, room;
static uint64_t counts[FAKE_CUDA_N_KINDS], made[FAKE_CUDA_N_KINDS], n_made;

const char *
held_kind_name (FakeCudaKind kind)
{
  static const char *const names[] = {
    "device memory", "pinned memory", "registered memory", "context",         "current context", "module", "event",
    "stream",        "graph",         "executable graph",  "registered image"
  };

  return names[kind];
}

void
held_add (FakeCudaKind kind, uintptr_t handle, size_t bytes, void *context)
{
  pthread_mutex_lock (&mutex);
  if (n_all == room) {
    room = room ? 2 * room : 64;
    all = realloc (all, room * sizeof *all);
    if (all == NULL)
      abort ();
  }
  all[n_all++] = (Held) { kind, n_made++, handle, bytes, context };
  counts[kind]++;
  made[kind]++;
  pthread_mutex_unlock (&mutex);
}

Held
held_remove (FakeCudaKind kind, uintptr_t handle)
{
  Held held;
  size_t i;

  pthread_mutex_lock (&mutex);
  for (i = n_all; i > 0 && (all[i - 1].kind != kind || all[i - 1].handle != handle);)
    i--;
  if (i == 0) {
    fprintf (stderr, "fake-cuda: %s %#jx is released but not held\n", held_kind_name (kind), (uintmax_t) handle);
    abort ();
  }
  held = all[i - 1];
  all[i - 1] = all[--n_all];
  counts[kind]--;
  pthread_mutex_unlock (&mutex);
  return held;
}

bool
held_find_since (uint64_t number, bool (*wanted) (FakeCudaKind kind), Held *held)
{
  bool found = false;

  pthread_mutex_lock (&mutex);
  for (size_t i = 0; i < n_all && !found; i++)
    if (all[i].number >= number && wanted (all[i].kind)) {
      *held = all[i];
      found = true;
    }
  pthread_mutex_unlock (&mutex);
  return found;
}

bool
held_find_pinned (uintptr_t address, Held *held)
{
  bool found = false;

  pthread_mutex_lock (&mutex);
  for (size_t i = 0; i < n_all && !found; i++) {
    found = (all[i].kind == FAKE_CUDA_PINNED || all[i].kind == FAKE_CUDA_REGISTERED) && address >= all[i].handle
            && address - all[i].handle < all[i].bytes;
    if (found)
      *held = all[i];
  }
  pthread_mutex_unlock (&mutex);
  return found;
}

static uint64_t
locked (const uint64_t *value)
{
  uint64_t copy;

  pthread_mutex_lock (&mutex);
  copy = *value;
  pthread_mutex_unlock (&mutex);
  return copy;
}

uint64_t
held_count (FakeCudaKind kind)
{
  return locked (&counts[kind]);
}

uint64_t
held_made (FakeCudaKind kind)
{
  return locked (&made[kind]);
}

uint64_t
held_made_of_all (void)
{
  return locked (&n_made);
}
