/* gst-cca: an allocator that fails on demand; the linker puts it before the real one (--wrap)
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <glib.h>

void *__real_malloc (size_t bytes);
void *__real_calloc (size_t n, size_t bytes);
void *__real_realloc (void *block, size_t bytes);
void *__wrap_malloc (size_t bytes);
void *__wrap_calloc (size_t n, size_t bytes);
void *__wrap_realloc (void *block, size_t bytes);

static guint n_allocations, fail_at; /* the allocation that fails; 0: none */

static gboolean
fails (void)
{
  return ++n_allocations == fail_at;
}

void *
__wrap_malloc (size_t bytes)
{
  return fails () ? NULL : __real_malloc (bytes);
}

void *
__wrap_calloc (size_t n, size_t bytes)
{
  return fails () ? NULL : __real_calloc (n, bytes);
}

void *
__wrap_realloc (void *block, size_t bytes)
{
  return fails () ? NULL : __real_realloc (block, bytes);
}
