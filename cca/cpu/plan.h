/* gst-cca: the state of contexts and plans of the CPU backend
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include "cca/cpu/algorithm.h"
#include "cca/cpu/details.h"
#include "cca/cpu/foreground.h"
#include "cca/cpu/overlaps.h"
#include "cca/cpu/samples/samples.h"
#include "cca/cpu/thread_count.h"

/* The workspace of one set of parameters. */
typedef struct
{
  CcaCpu cpu;
  CcaParams params; /* cpu.params */
  const CcaCpuAlgorithm *algorithm;
  void *algorithm_state;
  CcaSelection selection;
  uint32_t n_threads; /* limit of threads per frame */
  CcaThreadCount thread_count;
  /* Parts of one block; planes that the parameters do not need are NULL. */
  char *block;
  uint64_t *mask, *cleaned, *dilated, *eroded;
  bool *seen;      /* CcaMask.seen */
  uint8_t *values; /* VALUES and SAMPLES: the converted pixels, row by row, if they are not values */
  CcaSamplesWork *samples;
  CcaCpuDetails *details; /* NULL without shapes and intensities */
} CcaCpuWorkspace;

typedef struct
{
  CcaRowOps ops;
  uint32_t n_processors;
  bool all_threads;
} CcaCpuContext;

typedef struct
{
  CcaCpuWorkspace *workspace;
  CcaMotionModel model;     /* background is NULL unless the foreground is MOTION by SIGMA_DELTA */
  CcaSamplesModel *samples; /* NULL unless it is MOTION by SAMPLES */
  CcaOverlaps *overlaps;    /* NULL without CcaParams.overlaps */
  uint64_t *region;         /* NULL: the whole image */
  CcaSensitivity sensitivity;
} CcaCpuPlan;
