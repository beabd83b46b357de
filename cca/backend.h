/* gst-cca: the interface of a backend
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The front (context.c, plan.c) validates every argument once and calls the backend through this table; a backend does
 * not validate again. To add a backend, add it to CcaBackend in cca.h, define its table, declare that at the end of
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

/* The rectangles of cca_plan_hold(). */
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
  bool follows; /* the last frame's components are known: it was run with overlaps and succeeded */
  CcaHeld held;
  CcaSamplesPast past;  /* MOTION: the frames and scenes that the background model has seen */
  bool has_chroma;      /* of the last frame */
  CcaResult *pending;   /* of the frame in flight: enqueued, not yet waited for; or NULL */
  atomic_size_t memory; /* bytes held, without the background model */
  void *state;          /* the backend's */
};

struct CcaResult
{
  CcaPlan *plan;
  CcaStatus status;  /* of the frame; CCA_ERROR_INVALID before any */
  CcaStatus failure; /* of an enqueued frame, if the backend knows it before cca_result_wait() */
  CcaMeasurement measurement;
  CcaComponent *components;
  uint32_t capacity; /* of components */
  CcaOverlap *overlaps;
  size_t overlap_capacity;
  CcaShape *shapes; /* and intensities, each for detail_capacity components */
  CcaIntensity *intensities;
  uint32_t detail_capacity;
  uint8_t *coverage; /* the CPU backend's; followed by the colours */
  size_t coverage_capacity;
  void *state; /* the backend's; may be NULL */
};

struct CcaBackendOps
{
  const char *name;
  const CcaAlgorithm *const *algorithms; /* ended by NULL */

  CcaStatus (*context_open) (CcaContext *context, const CcaContextOptions *options);
  void (*context_close) (CcaContext *context);

  /* Returns the algorithm that "auto" stands for. */
  const CcaAlgorithm *(*choose) (const CcaContext *context, uint32_t width, uint32_t height, const CcaParams *params,
                                 CcaOutput output);
  /* Returns the bytes that plan_open would allocate without the background model; every member of plan but state and
   * memory is set. */
  size_t (*plan_estimate) (const CcaPlan *plan);
  CcaStatus (*plan_open) (CcaPlan *plan);
  void (*plan_close) (CcaPlan *plan);
  /* Prepares the workspace of `plan` for the parameters of `next`, a copy of the plan with other parameters. On failure
   * the plan still works with the old ones. */
  CcaStatus (*plan_change) (CcaPlan *plan, const CcaPlan *next);
  void (*plan_reset) (CcaPlan *plan);
  /* Replaces the region by an image in host memory of the plan's size; NULL: the whole image. */
  CcaStatus (*plan_set_region) (CcaPlan *plan, const CcaImage *region);
  /* The same for the factors of cca_plan_set_sensitivity(). */
  CcaStatus (*plan_set_sensitivity) (CcaPlan *plan, const CcaImage *factors);

  /* Runs a frame; the plan has none in flight. If this fails, the background model has not seen the frame; a failure
   * after the model has seen it is reported by `wait`, called once for each frame. plan->follows: find the overlaps
   * with the last frame. */
  CcaStatus (*run) (CcaPlan *plan, const CcaImage *input, const CcaImage *output, void *stream, CcaResult *result);
  CcaStatus (*wait) (CcaResult *result);
  CcaStatus (*result_open) (CcaResult *result);
  void (*result_close) (CcaResult *result);
};

/* Returns the first parameter that an algorithm does not support, in words; NULL if it supports them all. */
const char *cca_algorithm_lacks (const CcaAlgorithm *algorithm, const CcaParams *params, CcaOutput output);

/* Makes room for n overlaps in result->overlaps, without keeping the old ones; it is not NULL afterwards, even if n is
 * 0. Without memory, returns false with the error set. */
bool cca_result_reserve_overlaps (CcaResult *result, uint32_t n);

/* Fills the shapes and intensities of the result's stored components, if params ask for them. The details of label n
 * are details[n - 1]. Without memory, returns false with the error set. */
bool cca_result_set_details (CcaResult *result, const CcaParams *params, const CcaDetails *details);

/* Makes room in result->coverage for the cells of result->measurement and their colours. Without memory, returns false
 * with the error set. */
bool cca_result_reserve_coverage (CcaResult *result);

/* Returns NULL for an unknown backend. */
const CcaBackendOps *cca_backend_ops (CcaBackend backend);

extern const CcaBackendOps cca_cpu_backend, cca_cuda_backend;
