/* gst-cca: the foreground of a frame, as planes of bits: modes, background model, clean-up
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include "cuda/algorithm.h"
#include "cuda/samples/samples.h"

/* The planes of a workspace; a plane that the parameters do not need is NULL. */
typedef struct
{
  uint32_t *mask, *cleaned;
  uint32_t *joins, *vertical, *falling, *rising; /* as in CcaPlanes */
} CcaCudaMasks;

/* The background model of MOTION. */
typedef struct
{
  uint8_t *background;    /* SIGMA_DELTA: followed by the spread, values of 8 or 16 bits; else NULL */
  CcaCudaSamples samples; /* SAMPLES */
  uint64_t n_frames;      /* frames that the model has learned from */
  bool has_chroma;        /* SAMPLES: those frames had chroma */
} CcaCudaModel;

/* Returns the number of words in a row of bits: one bit more than pixels, rounded up to a multiple of 16 bytes. */
uint32_t cca_cuda_row_words (uint32_t width);

/* Returns the bytes of a plane of bits. */
size_t cca_cuda_plane_size (const CcaCudaSpec *spec);

/* Returns the bytes of CcaCudaSpec.factors. */
size_t cca_cuda_factors_size (const CcaCudaSpec *spec);

/* Takes the planes that the parameters need, or only counts their bytes. */
void cca_cuda_masks_divide (CcaCudaMasks *masks, CcaLayout *layout, const CcaCudaSpec *spec);

/* Returns whether each frame needs a mask of its own: with MOTION, if a frame may run again, because the model may
 * update only once per frame. */
bool cca_cuda_keeps_mask (const CcaCudaSpec *spec);

/* Allocate and free the memory of a model. */
CcaStatus cca_cuda_model_open (CcaCudaModel *model, const CcaCudaDevice *device, const CcaCudaSpec *spec);
void cca_cuda_model_close (CcaCudaModel *model, const CcaCudaDevice *device);

/* Allocates a region's plane and copies an image in host memory to it. The caller frees it with cca_cuda_free(). */
CcaStatus cca_cuda_region_open (uint32_t **region, const CcaCudaDevice *device, const CcaCudaSpec *spec,
                                const CcaAllocator *allocator, const CcaImage *image);

/* Allocates and copies the factors of the sensitivity, a byte a pixel, in the same way. */
CcaStatus cca_cuda_factors_open (uint8_t **factors, const CcaCudaDevice *device, const CcaCudaSpec *spec,
                                 const CcaAllocator *allocator, const CcaImage *image);

/* Returns how kernels read an image's pixels. */
CcaReading cca_cuda_reading (const CcaParams *params, const CcaImage *input);

/* Loads the kernels that the parameters need. The device's context must be current. */
CcaStatus cca_cuda_foreground_load (CcaCudaDevice *device, const CcaParams *params);

/* Enqueues the foreground of an image in device memory, before any clean-up, into `mask`: the frame's own mask if
 * cca_cuda_keeps_mask(), else masks->mask. If the algorithm applies the range itself, only sets task->range. With
 * CCA_MODEL_SAMPLES, the kernels store in *scene_change whether the frame is one. Does not count the frame in the
 * model: once the frame is enqueued, call cca_cuda_model_advance(). */
CcaStatus cca_cuda_foreground_find (const CcaCudaSpec *spec, const CcaCudaMasks *masks, uint32_t *mask,
                                    const CcaCudaModel *model, const CcaImage *input, uint32_t *scene_change,
                                    CcaCudaTask *task);

/* Enqueues the clean-up of the mask, if any, and sets task->planes. With coverage, the kernel also writes the cells'
 * foreground counts, a byte each, and then their colours in `input` to pinned host memory at counts. */
CcaStatus cca_cuda_foreground_clean (const CcaCudaSpec *spec, const CcaCudaMasks *masks, const CcaImage *input,
                                     uint32_t *mask, uint8_t *counts, CcaCudaTask *task);

/* Counts a frame that the model has learned from. */
void cca_cuda_model_advance (CcaCudaModel *model, const CcaParams *params, const CcaImage *input);
