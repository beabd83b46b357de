/* gst-cca: every backend, algorithm and instruction set as a test case of its own
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include "../add-tests.h"
#include "cca/cca.h"
#include "guarded.h"

/* Tests of very many frames take one in FRAME_STRIDE: a sanitizer makes each several times slower, and finds its faults
 * in a part of them. Odd, because frames are often numbered by their pixels. */
#ifdef __SANITIZE_ADDRESS__
#define FRAME_STRIDE 5u
#else
#define FRAME_STRIDE 1u
#endif

typedef struct
{
  CcaBackend backend;
  CcaIsa isa; /* CCA_ISA_AUTO if the backend is not the CPU */
  const CcaAlgorithm *algorithm;
  CcaMemory memory; /* of images */
} Target;

/* Calls f for every entry of the registry, with every instruction set of this architecture and every memory of its
 * backend. */
void targets_for_each (void (*f) (const Target *target, void *data), void *data);

/* Adds the test PATH/BACKEND/ALGORITHM[/ISA] for every target with images in host memory. If the target cannot work,
 * the test is skipped with the reason. The context is valid during the call. */
typedef void (*TargetTest) (CcaContext *context, const Target *target);
void targets_add_test (const char *path, TargetTest test);
/* Does the same only for targets to which `applies`; if there is none, PATH is skipped. */
void targets_add_test_where (const char *path, TargetTest test, bool (*applies) (const Target *target));
/* Does the same for tests that use target_layout(), and adds PATH/BACKEND/ALGORITHM/device, with images in device
 * memory. */
void targets_add_image_test (const char *path, TargetTest test);
void targets_add_image_test_where (const char *path, TargetTest test, bool (*applies) (const Target *target));
/* Do the same with data for the test, which the caller keeps. */
typedef void (*TargetDataTest) (CcaContext *context, const Target *target, void *data);
void targets_add_image_data_test (const char *path, TargetDataTest test, void *data,
                                  bool (*applies) (const Target *target));

/* Opens a context on the target; allocator is NULL for the default. */
CcaStatus target_open (const Target *target, bool all_threads, const CcaAllocator *allocator, CcaContext **context);

/* Returns whether the backend copies the target's images from host memory to a device: tests need not repeat everything
 * for them. */
bool target_copies (const Target *target);

/* Return whether the algorithm has a capability, for targets_add_test_where() and its kin. */
bool target_can_label (const Target *target);
bool target_can_values (const Target *target);
bool target_can_overlaps (const Target *target);

/* Returns whether the algorithm is its backend's first: what all share, the background models say, need not be repeated
 * for the others. */
bool target_is_first (const Target *target);

/* Returns whether the target has the processor's best instruction set, or no choice: for tests of code without row
 * primitives, such as allocations. */
bool target_is_best_isa (const Target *target);

/* Returns one of `layouts` in the target's memory, in turn; for a GPU, every other one in host memory is pinned. */
Layout target_layout (const Target *target, size_t turn);

/* Returns the thread counts worth testing, ended by 0: only 1 if the algorithm uses no more. */
const uint32_t *target_threads (const Target *target);

/* Returns parameters for the target's algorithm: the defaults, with all components stored. */
CcaParams target_params (const Target *target, uint32_t connectivity);
