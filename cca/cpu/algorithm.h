/* gst-cca: the interface of a CPU algorithm
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * To add an algorithm, write a file that defines a CcaCpuAlgorithm; CONTRIBUTING.md lists the steps.
 */
#pragma once

#include "cca/backend.h"
#include "cca/cpu/rows.h"
#include "cca/cpu/threads.h"
#include "cca/memory.h"
#include "cca/selection.h"

/* A frame's foreground; see foreground.h. */
typedef struct CcaMask CcaMask;

/* A frame's runs with their labels; see frame_runs.h. */
typedef struct CcaFrameRuns CcaFrameRuns;

#define CCA_MAX_STRIPS CCA_MAX_THREADS

/* Rows first…last - 1 of strip i of n. */
typedef struct
{
  uint32_t first, last;
} CcaStrip;

static inline CcaStrip
cca_strip (uint32_t height, uint32_t n, uint32_t i)
{
  return (CcaStrip) { (uint64_t) height * i / n, (uint64_t) height * (i + 1) / n };
}

/* What an algorithm gets from its plan; lives as long as its state. */
typedef struct
{
  const CcaAllocator *allocator;
  atomic_size_t *used; /* bytes, for cca_alloc() */
  const CcaRowOps *ops;
  CcaThreads *threads;  /* for cca_threads_run() over strips */
  uint32_t most_strips; /* several per thread; 1 with one thread */
  uint32_t n_strips;    /* of the current frame: most_strips, or 1 if more threads save no time */
  uint32_t width, height, row_words;
  CcaOutput output;
  const CcaParams *params; /* of the current frame */
  CcaFrameRuns *runs;      /* for the current frame's runs; only with cca_params_labels() */
} CcaCpu;

typedef struct
{
  CcaAlgorithm entry; /* the registry's entry; must stand first */

  /* Returns the bytes that open() allocates. */
  size_t (*estimate) (const CcaCpu *cpu);
  CcaStatus (*open) (const CcaCpu *cpu, void **state);
  void (*close) (void *state);
  /* Finds and measures the components, and adds each one to the selection. Reads each row of the mask once. With
   * CCA_CAN_OVERLAPS and cca_params_labels(), also stores the labelled runs of all components that pass the selection
   * in cpu->runs. */
  CcaStatus (*label) (void *state, const CcaMask *mask, CcaSelection *selection);
  /* Writes the output image of the frame that was just labelled. */
  void (*paint) (void *state, const CcaSelection *selection, const CcaImage *output);
} CcaCpuAlgorithm;

extern const CcaCpuAlgorithm cca_cpu_two_pass, cca_cpu_runs;
