/* gst-cca: kernels on the host
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct
{
  const char *name;
  size_t n_params; /* bytes */
  void (*call) (const void *params);
} EmulatedKernel;

/* Adds a file's kernels, which live as long as the program. */
void emulator_add (const EmulatedKernel *kernels, size_t n);

/* Returns the kernel of that name, or NULL. */
const EmulatedKernel *emulator_find (const char *name);

/* Runs all blocks, one after the other. Ends the program with a message if threads deadlock. */
void emulator_run (const EmulatedKernel *kernel, const uint32_t *grid, const uint32_t *block, const void *params);

#ifdef __cplusplus
}
#endif
