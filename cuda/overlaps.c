/* gst-cca: the overlaps of a frame's components with those of the last frame
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "cuda/overlaps.h"
#include "cuda/kernels/kernels.h"
#include "cuda/module.h"

#include <stddef.h>

CCA_CUDA_MODULE (overlaps, CCA_EARLY_ALWAYS);

_Static_assert (sizeof (CcaSharedPixels) == sizeof (CcaOverlap)
                    && offsetof (CcaSharedPixels, before) == offsetof (CcaOverlap, before)
                    && offsetof (CcaSharedPixels, now) == offsetof (CcaOverlap, now)
                    && offsetof (CcaSharedPixels, pixels) == offsetof (CcaOverlap, pixels),
                "kernels store what the host reads");

/* Initial capacity of a table. Real masks have some hundred overlaps. */
#define FIRST_CAPACITY 8192

/* Limit of blocks that collect overlaps. */
#define COLLECT_BLOCKS_MAX 256

CcaStatus
cca_cuda_overlaps_load (CcaCudaDevice *device)
{
  return cca_cuda_load (device, &cca_cuda_module_overlaps);
}

/* --- Memory ------------------------------------------------------------------------------------------ */

/* Takes the labels of two frames, or only counts their bytes. The part before p->starts is cleared before the first
 * frame. */
static void
divide_labels (CcaOverlapsParams *p, CcaLayout *layout, const CcaCudaSpec *spec)
{
  size_t n;

  p->columns = cca_divide_up (spec->width, CCA_LABEL_TILE);
  p->n_rows = p->columns * cca_divide_up (spec->height, CCA_LABEL_TILE) * CCA_LABEL_TILE;
  n = 2 * (size_t) p->n_rows;
  p->half = cca_layout_take (layout, sizeof *p->half);
  p->bits = cca_layout_take (layout, n * sizeof *p->bits);
  p->labels = cca_layout_take (layout, n * sizeof *p->labels);
  p->starts = cca_layout_take (layout, n * sizeof *p->starts);
  p->run_labels = cca_layout_take (layout, n * CCA_LABEL_TILE * sizeof *p->run_labels);
}

/* Takes the table for `capacity` overlaps. The part before p->used is 0 between frames, or cleared. */
static void
divide_table (CcaOverlapsParams *p, CcaDeviceHeader **header, CcaLayout *layout, uint32_t capacity)
{
  p->capacity = capacity;
  for (p->table_bits = 1; (uint64_t) 1 << p->table_bits < 2 * (uint64_t) capacity;)
    p->table_bits++;
  *header = cca_layout_take (layout, sizeof **header);
  p->counters = cca_layout_take (layout, CCA_OVERLAP_COUNTERS * sizeof *p->counters);
  p->table = cca_layout_take (layout, ((size_t) 1 << p->table_bits) * sizeof *p->table);
  p->used = cca_layout_take (layout, capacity * sizeof *p->used);
}

/* Returns the capacity for n overlaps, at most the frame's pixels. */
static uint32_t
capacity_for (const CcaCudaSpec *spec, uint64_t n)
{
  const uint64_t n_pixels = (uint64_t) spec->width * spec->height;

  return (uint32_t) (n < n_pixels ? n : n_pixels);
}

static size_t
labels_size (const CcaCudaSpec *spec)
{
  CcaLayout layout = { NULL, 0 };
  CcaOverlapsParams params;

  divide_labels (&params, &layout, spec);
  return layout.size;
}

static size_t
table_size (uint32_t capacity)
{
  CcaLayout layout = { NULL, 0 };
  CcaOverlapsParams params;
  CcaDeviceHeader *header;

  divide_table (&params, &header, &layout, capacity);
  return layout.size;
}

size_t
cca_cuda_overlaps_size (const CcaCudaSpec *spec)
{
  if (!spec->params->overlaps)
    return 0;
  return labels_size (spec) + table_size (capacity_for (spec, FIRST_CAPACITY));
}

CcaStatus
cca_cuda_overlaps_grow (CcaCudaOverlaps *self, const CcaCudaDevice *device, const CcaCudaSpec *spec, uint32_t n)
{
  const uint32_t capacity = capacity_for (spec, (uint64_t) n + n / 4);
  void *block;
  CcaStatus status = cca_cuda_alloc (device, table_size (capacity), &block);

  if (status != CCA_OK)
    return status;
  cca_cuda_free (device, self->table_block);
  self->table_block = block;
  divide_table (&self->params, &self->header, &(CcaLayout) { block, 0 }, capacity);
  self->size = labels_size (spec) + table_size (capacity);
  return CCA_OK;
}

CcaStatus
cca_cuda_overlaps_open (CcaCudaOverlaps *self, const CcaCudaDevice *device, const CcaCudaSpec *spec)
{
  const uint32_t capacity = capacity_for (spec, FIRST_CAPACITY);
  void *labels, *table;
  CcaStatus status = cca_cuda_alloc (device, labels_size (spec), &labels);

  if (status != CCA_OK)
    return status;
  if ((status = cca_cuda_alloc (device, table_size (capacity), &table)) != CCA_OK) {
    cca_cuda_free (device, labels);
    return status;
  }
  self->labels_block = labels;
  self->table_block = table;
  self->size = cca_cuda_overlaps_size (spec);
  self->fresh = true;
  divide_labels (&self->params, &(CcaLayout) { labels, 0 }, spec);
  divide_table (&self->params, &self->header, &(CcaLayout) { table, 0 }, capacity);
  return CCA_OK;
}

void
cca_cuda_overlaps_close (CcaCudaOverlaps *self, const CcaCudaDevice *device)
{
  cca_cuda_free (device, self->labels_block);
  cca_cuda_free (device, self->table_block);
  self->labels_block = NULL;
  self->table_block = NULL;
  self->size = 0;
}

/* --- Frames ------------------------------------------------------------------------------------------ */

CcaStatus
cca_cuda_overlaps_start (const CcaCudaOverlaps *self, const CcaCudaTask *task)
{
  const CcaOverlapsParams *p = &self->params;
  CcaStatus status = CCA_OK;

  if (!task->follows)
    status = cca_cuda_clear (&task->queue, self->table_block, (size_t) ((char *) p->used - (char *) self->table_block));
  if (status == CCA_OK && self->fresh)
    status =
        cca_cuda_clear (&task->queue, self->labels_block, (size_t) ((char *) p->starts - (char *) self->labels_block));
  return status;
}

/* Enqueues the kernel that stores labels and counts overlaps, reading an image of labels. */
static CcaStatus
overlap_labels (const CcaCudaOverlaps *self, const CcaCudaTask *task, CcaCanvas labels)
{
  const CcaOverlapLabelsParams p = { .overlaps = self->params,
                                     .planes = task->planes,
                                     .labels = (const uint32_t *) labels.out,
                                     .label_pitch = labels.pitch / (int64_t) sizeof (uint32_t) };
  const CcaDim grid = { cca_divide_up (self->params.columns, CCA_BLOCK / 32),
                        cca_divide_up (labels.height, CCA_LABEL_TILE), 1 },
               block = { CCA_BLOCK, 1, 1 };

  return cca_launch_overlap_labels (&task->queue, grid, block, p);
}

CcaStatus
cca_cuda_overlaps_find (const CcaCudaOverlaps *self, const CcaCudaTask *task, CcaCanvas labels, bool compares,
                        CcaDeviceHeader *host, CcaOverlap *for_host)
{
  const CcaCollectParams p = { .overlaps = self->params,
                               .headers = { self->header, host },
                               .for_host = (CcaSharedPixels *) for_host,
                               .n_for_host = task->params->max_components > 0 ? self->params.capacity : 0,
                               .compares = compares };
  const uint32_t blocks = cca_divide_up (self->params.capacity, CCA_BLOCK);
  const CcaDim grid = { blocks < COLLECT_BLOCKS_MAX ? blocks : COLLECT_BLOCKS_MAX, 1, 1 }, block = { CCA_BLOCK, 1, 1 };
  const CcaStatus status =
      task->algorithm->overlap ? task->algorithm->overlap (task, self->params) : overlap_labels (self, task, labels);

  return status == CCA_OK ? cca_launch_collect_overlaps (&task->queue, grid, block, p) : status;
}
