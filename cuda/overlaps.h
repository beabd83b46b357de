/* gst-cca: the overlaps of a frame's components with those of the last frame
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * A plan with CcaParams.overlaps keeps the labels of the last frame on the device, and a table in which kernels count
 * the pixels that pairs of labels share. Both outlive the workspace, whose growth would lose them, and are released
 * when the parameters no longer ask for overlaps. Labels are kept in a form that does not depend on the algorithm, so
 * that it may change between two frames.
 *
 * A frame takes two kernels, after its components are numbered. The first one stores the frame's labels beside those of
 * the last frame, tile by tile, and counts what both share; an algorithm can have its own (CcaCudaAlgorithm.overlap).
 * The second one lists the overlaps for the host, empties the table and makes the frame the last one. The host sorts
 * the list when it reads the result (cuda/order.h): what most frames have is sorted in a few microseconds.
 *
 * The last frame of a frame is the one that cca_plan_run() took before it, whatever is in flight meanwhile. Each frame
 * has an id, and knows that of the frame before it. A frame becomes the last one on the device only if it is complete:
 * neither its algorithm nor the table needed more room, and the last one on the device was the frame before it. So a
 * frame that has to run again still finds the labels of the frame before, and all frames behind it that are in flight
 * find that it is not their turn. They leave the last frame alone, and the host runs them again, too, in order
 * (cuda/frame.c). With frames that do not fail the device is never waited for. The frame after one that failed, at
 * whatever time, has no frame before it.
 */
#ifndef CCA_CUDA_OVERLAPS_H
#define CCA_CUDA_OVERLAPS_H

#include "cuda/algorithm.h"

typedef struct
{
  void *labels_block, *table_block; /* NULL without overlaps */
  size_t size;                      /* bytes of both */
  CcaOverlapsParams params;
  CcaDeviceHeader *header; /* in table_block: what the kernels of an algorithm write for the host instead of there */
  bool fresh;              /* no frame has been enqueued with this labels_block */
  uint32_t newest;         /* the id of the newest frame */
  uint32_t enqueued;       /* the id of the newest frame that was enqueued, with this labels_block; else 0 */
  CcaTurn lost;            /* of the newest frame that failed after it was enqueued */
} CcaCudaOverlaps;

/* Loads the kernels of this stage. The device's context must be current. */
CcaStatus cca_cuda_load_overlaps (CcaCudaDevice *device);

/* Returns the bytes of device memory that cca_cuda_overlaps_open() allocates; 0 without overlaps. */
size_t cca_cuda_overlaps_size (const CcaCudaSpec *spec);

/* Allocates what a plan needs with overlaps. A failure changes nothing. */
CcaStatus cca_cuda_overlaps_open (CcaCudaOverlaps *self, const CcaCudaDevice *device, const CcaCudaSpec *spec);
void cca_cuda_overlaps_close (CcaCudaOverlaps *self, const CcaCudaDevice *device);

/* Replaces the table by an empty one with room for n overlaps, and some spare; the next frame's task must not follow.
 * No frame may be in flight. A failure changes nothing. */
CcaStatus cca_cuda_overlaps_grow (CcaCudaOverlaps *self, const CcaCudaDevice *device, const CcaCudaSpec *spec,
                                  uint32_t n);

/* Returns the turn of the next frame. `follows`: the components of the frame before are known. Once the frame is
 * enqueued, its id goes to self->enqueued. */
CcaTurn cca_cuda_overlaps_next (CcaCudaOverlaps *self, bool follows);

/* Notes that a frame failed after it was enqueued. */
void cca_cuda_overlaps_lose (CcaCudaOverlaps *self, const CcaTurn *turn);

/* Takes note, in the turn of a frame that is to be run or read, of the frame before if that was lost. */
void cca_cuda_overlaps_amend (const CcaCudaOverlaps *self, CcaTurn *turn);

/* Enqueues what comes before all kernels of a frame: clears new memory, and what a frame that failed left behind. */
CcaStatus cca_cuda_overlaps_start (const CcaCudaOverlaps *self, const CcaCudaTask *task);

/* Enqueues both kernels, after select(). The task's kernels must have written for self->header instead of the host,
 * which gets its header here, and up to params.capacity overlaps. `labels` is an image of labels in device memory to
 * paint on, if the algorithm cannot do without. */
CcaStatus cca_cuda_overlaps_find (const CcaCudaOverlaps *self, const CcaCudaTask *task, CcaCanvas labels, CcaTurn turn,
                                  CcaDeviceHeader *host, CcaOverlap *for_host);

#endif
