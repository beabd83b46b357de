/* gst-cca: what a backend is
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The front (context.c, plan.c) validates every argument once and calls the backend through this table; a backend
 * trusts what it gets. To add a backend, add it to CcaBackend in cca.h, define its table, declare that at the end of
 * this file, and add a line to registry.c.
 */
#pragma once

#include "cca/cca.h"
#include "cca/fields.h"
#include "cca/samples.h"

#include <stdatomic.h>

typedef struct CcaBackendOps CcaBackendOps;

struct CcaContext
{
  CcaBackend backend;
  const CcaBackendOps *ops;
  CcaAllocator allocator;
  char description[96];
  void *state; /* the backend's */
};

/* The boxes that cca_plan_hold() got. */
typedef struct
{
  uint32_t n;
  CcaRectangle rectangles[CCA_MAX_HELD];
} CcaHeld;

struct CcaPlan
{
  CcaContext *context;
  uint32_t width, height;
  CcaOutput output;
  CcaParams params; /* validated; params.algorithm is algorithm->name */
  const CcaAlgorithm *algorithm;
  bool follows; /* the components of the last frame are known: it was run with overlaps and did not fail */
  CcaHeld held;
  CcaSamplesPast past;  /* MOTION: what the background model has seen */
  bool has_chroma;      /* of the last frame */
  CcaResult *pending;   /* of the frame in flight: enqueued, and not waited for yet; or NULL */
  atomic_size_t memory; /* bytes held, without the background model */
  void *state;          /* the backend's */
};

struct CcaResult
{
  CcaPlan *plan;
  CcaStatus status;  /* of the frame; CCA_ERROR_INVALID before any */
  CcaStatus failure; /* of a frame that was enqueued, where the backend knows before it is waited for */
  CcaMeasurement measurement;
  CcaComponent *components;
  uint32_t capacity; /* components that fit */
  CcaOverlap *overlaps;
  size_t overlap_capacity;
  CcaShape *shapes; /* and intensities, each for detail_capacity components */
  CcaIntensity *intensities;
  uint32_t detail_capacity;
  uint8_t *coverage; /* the CPU's; the colours behind it */
  size_t coverage_capacity;
  void *state; /* the backend's, NULL where it needs none */
};

struct CcaBackendOps
{
  const char *name;
  const CcaAlgorithm *const *algorithms; /* ended by NULL */

  CcaStatus (*context_open) (CcaContext *context, const CcaContextOptions *options);
  void (*context_close) (CcaContext *context);

  /* The algorithm that "auto" stands for. */
  const CcaAlgorithm *(*choose) (const CcaContext *context, uint32_t width, uint32_t height, const CcaParams *params,
                                 CcaOutput output);
  /* Bytes that plan_open would allocate without the background model; plan is filled but for state and memory. */
  size_t (*plan_estimate) (const CcaPlan *plan);
  CcaStatus (*plan_open) (CcaPlan *plan);
  void (*plan_close) (CcaPlan *plan);
  /* Prepares the workspace of `plan` for the parameters of `next`, a copy of the plan with other parameters; changes
   * nothing that the old ones need where it fails. */
  CcaStatus (*plan_change) (CcaPlan *plan, const CcaPlan *next);
  void (*plan_reset) (CcaPlan *plan);
  /* Replaces the region by an image in host memory of the plan's size, or by none where it is NULL. */
  CcaStatus (*plan_set_region) (CcaPlan *plan, const CcaImage *region);
  /* The same for the factors of cca_plan_set_sensitivity(). */
  CcaStatus (*plan_set_sensitivity) (CcaPlan *plan, const CcaImage *factors);

  /* The plan has no frame in flight. A frame that fails here has not moved the background model; once it has, `wait`,
   * called once for each frame, tells of the failure. Overlaps with the last frame are known where plan->follows. */
  CcaStatus (*run) (CcaPlan *plan, const CcaImage *input, const CcaImage *output, void *stream, CcaResult *result);
  CcaStatus (*wait) (CcaResult *result);
  CcaStatus (*result_open) (CcaResult *result);
  void (*result_close) (CcaResult *result);
};

/* Names the first parameter that an algorithm cannot serve, in words; NULL if it serves them all. */
const char *cca_algorithm_lacks (const CcaAlgorithm *algorithm, const CcaParams *params, CcaOutput output);

/* Makes room for n overlaps in result->overlaps, which is not NULL then, even for none; does not keep the old ones.
 * Without memory, returns false with the error set. */
bool cca_result_reserve_overlaps (CcaResult *result, uint32_t n);

/* Fills the shapes and intensities of the result's stored components that its parameters ask for. The details of label
 * n are details[n - 1]. Without memory, returns false with the error set. */
bool cca_result_set_details (CcaResult *result, const CcaParams *params, const CcaDetails *details);

/* Makes room for the cells of result->measurement, and their colours, in result->coverage. Without memory, returns
 * false with the error set.
 */
bool cca_result_reserve_coverage (CcaResult *result);

/* NULL for anything that is no backend. */
const CcaBackendOps *cca_backend_ops (CcaBackend backend);

extern const CcaBackendOps cca_cpu_backend, cca_cuda_backend;
