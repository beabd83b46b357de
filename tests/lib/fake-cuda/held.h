/* gst-cca: objects of the fake driver that its users hold
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include "fake-cuda.h"

#include <stddef.h>

typedef struct
{
  FakeCudaKind kind;
  uint64_t number; /* in the order of creation */
  uintptr_t handle;
  size_t bytes;  /* of memory */
  void *context; /* the current one at creation */
} Held;

/* Adds an object; the same handle may be held several times. */
void held_add (FakeCudaKind kind, uintptr_t handle, size_t bytes, void *context);
/* Removes an object; ends the program with a message if it is not held. */
Held held_remove (FakeCudaKind kind, uintptr_t handle);
/* Finds a wanted object created after `number` others; returns false if there is none. */
bool held_find_since (uint64_t number, bool (*wanted) (FakeCudaKind kind), Held *held);
/* Finds the pinned or registered memory of an address; returns false if there is none. */
bool held_find_pinned (uintptr_t address, Held *held);

uint64_t held_count (FakeCudaKind kind);
uint64_t held_made (FakeCudaKind kind);
uint64_t held_made_of_all (void);
const char *held_kind_name (FakeCudaKind kind);
