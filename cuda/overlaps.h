/* gst-cca: the overlaps of a frame's components with those of the last frame
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * A plan with CcaParams.overlaps keeps the labels of the last frame on the device, and a table in which kernels count
 * the pixels that pairs of labels share. Both outlive the workspace, which loses its contents when it grows, and are
 * freed when the parameters no longer need overlaps. The form of the labels does not depend on the algorithm, so that
 * it may change between two frames.
 *
 * A frame takes two kernels, after its components are numbered. The first one stores the frame's labels beside those of
 * the last frame, tile by tile, and counts what both share; an algorithm can have its own (CcaCudaAlgorithm.overlap).
 * The second one lists the overlaps for the host, empties the table and makes the frame the last one. The host sorts
 * the list when it reads the result (cuda/order.c), which takes a few microseconds for most frames.
 *
 * A frame becomes the last one only if it is complete: neither its algorithm nor the table needed more room. So a frame
 * that must run again still finds the labels of the frame before.
 */
#pragma once

#include "cuda/algorithm.h"

typedef struct
{
  void *labels_block, *table_block; /* NULL without overlaps */
  size_t size;                      /* bytes of both */
  CcaOverlapsParams params;
  CcaDeviceHeader *header; /* in table_block: the algorithm's kernels write the header here, not to the host */
  bool fresh;              /* no frame has been enqueued with this labels_block */
} CcaCudaOverlaps;

/* Loads the kernels of this stage. The device's context must be current. */
CcaStatus cca_cuda_overlaps_load (CcaCudaDevice *device);

/* Returns the bytes of device memory that cca_cuda_overlaps_open() allocates; 0 without overlaps. */
size_t cca_cuda_overlaps_size (const CcaCudaSpec *spec);

/* Allocates a plan's memory for overlaps. A failure changes nothing. */
CcaStatus cca_cuda_overlaps_open (CcaCudaOverlaps *self, const CcaCudaDevice *device, const CcaCudaSpec *spec);
void cca_cuda_overlaps_close (CcaCudaOverlaps *self, const CcaCudaDevice *device);

/* Replaces the table by an empty one for n overlaps and some spare; the next frame's task must not follow. No frame may
 * be in flight. A failure changes nothing. */
CcaStatus cca_cuda_overlaps_grow (CcaCudaOverlaps *self, const CcaCudaDevice *device, const CcaCudaSpec *spec,
                                  uint32_t n);

/* Enqueues the clearing of new memory and of what a failed frame left, before all kernels of a frame. */
CcaStatus cca_cuda_overlaps_start (const CcaCudaOverlaps *self, const CcaCudaTask *task);

/* Enqueues both kernels, after select(). The task's kernels must write to self->header instead of the host; these
 * kernels copy it to the host, with up to params.capacity overlaps. `labels` is the painted image of labels, for an
 * algorithm without overlap(). `compares`: the labels of the last frame are known. */
CcaStatus cca_cuda_overlaps_find (const CcaCudaOverlaps *self, const CcaCudaTask *task, CcaCanvas labels, bool compares,
                                  CcaDeviceHeader *host, CcaOverlap *for_host);
