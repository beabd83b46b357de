/* gst-cca: every backend, algorithm and instruction set as a test case of its own
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include "../add-tests.h"
#include "cca/cca.h"
#include "guarded.h"

/* Tests of very many frames take one in so many: a sanitizer slows each of them down several times, and finds in a part
 * of them what it can find. Odd, as frames are often numbered by their pixels. */
#ifdef __SANITIZE_ADDRESS__
#define FRAME_STRIDE 5u
#else
#define FRAME_STRIDE 1u
#endif

typedef struct
{
  CcaBackend backend;
  CcaIsa isa; /* CCA_ISA_AUTO where the backend is not the CPU */
  const CcaAlgorithm *algorithm;
  CcaMemory memory; /* that images are in */
} Target;

/* Calls f for every entry of the registry on every instruction set that this architecture can have, with images in
 * every memory that its backend takes. */
void targets_for_each (void (*f) (const Target *target, void *data), void *data);

/* Adds the test PATH/BACKEND/ALGORITHM[/ISA] for every target with images in host memory. It is skipped, with the
 * reason, where the target cannot work. The context lives for the call. */
typedef void (*TargetTest) (CcaContext *context, const Target *target);
void targets_add_test (const char *path, TargetTest test);
/* The same for those targets only that a test is about; where there is none, PATH is skipped. */
void targets_add_test_where (const char *path, TargetTest test, bool (*applies) (const Target *target));
/* For tests that use target_layout(): also PATH/BACKEND/ALGORITHM/device, with images in device memory. */
void targets_add_image_test (const char *path, TargetTest test);
void targets_add_image_test_where (const char *path, TargetTest test, bool (*applies) (const Target *target));
/* The same with data for the test, which stay the caller's. */
typedef void (*TargetDataTest) (CcaContext *context, const Target *target, void *data);
void targets_add_image_data_test (const char *path, TargetDataTest test, void *data,
                                  bool (*applies) (const Target *target));

/* A context on the target; NULL for the default allocator. */
CcaStatus target_open (const Target *target, bool all_threads, const CcaAllocator *allocator, CcaContext **context);

/* Whether images are copied from host memory to a device, and so differ from a device's own by that only: tests need
 * not show everything twice. */
bool target_copies (const Target *target);

/* Whether the algorithm has a capability, for targets_add_test_where() and its kin. */
bool target_can_label (const Target *target);
bool target_can_values (const Target *target);
bool target_can_overlaps (const Target *target);

/* Whether the target has the processor's best instruction set, or no choice: for tests of what no row primitive does,
 * such as allocations. */
bool target_is_best_isa (const Target *target);

/* One of `layouts` in the target's memory, by turns; for a GPU, every other one in the host's memory is pinned. */
Layout target_layout (const Target *target, size_t turn);

/* The thread counts worth testing, ended by 0: just 1 where the algorithm does not use more. */
const uint32_t *target_threads (const Target *target);

/* Parameters for the target's algorithm, otherwise the defaults but all components stored. */
CcaParams target_params (const Target *target, uint32_t connectivity);
