/* gst-cca: a strip of the image for the algorithm "runs": its runs, their labels and its components
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Strips can be worked on side by side.
 */
#ifndef CCA_CPU_RUN_STRIP_H
#define CCA_CPU_RUN_STRIP_H

#include "cca/cpu/foreground.h"

/* What the strips of an image have in common. */
typedef struct
{
  const CcaCpu *cpu;
  bool values, labeling;
  uint32_t most_runs;  /* in a row */
  const CcaMask *mask; /* of the frame under way */
} CcaRunImage;

/* Where a slab's rows, and its runs in the store, begin. */
typedef struct
{
  uint32_t top;
  size_t first;
} CcaStoredSlab;

/* All runs of a strip, for painting. */
typedef struct
{
  size_t n, capacity;
  CcaRun *runs;
  uint32_t *labels;
  uint32_t n_slabs;
  CcaStoredSlab *slabs; /* n_slabs, and the end of the last */
} CcaRunStore;

/* After labeling: the folded table of the strip's labels, without those of components that an analysis gave away; the
 * runs of its first row, where another strip lies above, and of its last one. */
typedef struct
{
  CcaStrip rows;
  CcaStatus status;
  CcaLabelTable table;
  uint32_t base;     /* where the strip's labels begin among those of all strips */
  uint32_t n_found;  /* components that begin in the strip and are reported */
  uint32_t n_before; /* the same of the strips above */

  CcaRow row[2], top; /* the slab under way and the one above in turn; the first row, where another strip lies above */
  CcaRow *last;       /* the last slab */
  uint64_t *bits[2];  /* room for their rows of the mask */
  uint64_t *differ;   /* values: pixels that differ from their left neighbour */
  uint16_t *scratch[3]; /* of label_row */

  /* Analysis: where finished components go, the frame's selection, or the strip's own where there are others. */
  CcaSelection *finished, own;
  CcaRunStore store;    /* labeling */
  uint32_t *row_pixels; /* labeling: the output pixel of each run of a row */
} CcaRunStrip;

/* Takes a strip's fixed part of the workspace from the layout; its rows are set. */
void cca_run_strip_take (CcaLayout *layout, const CcaRunImage *image, CcaRunStrip *strip);

/* The labels that a strip's table starts with. */
size_t cca_run_strip_first_labels (const CcaRunImage *image, CcaStrip rows);

/* Gives back what the strip has grown to. */
void cca_run_strip_free (const CcaRunImage *image, CcaRunStrip *strip);

/* Labels and measures the strip; false with the error set where there is no memory. */
bool cca_run_strip_label (const CcaRunImage *image, CcaRunStrip *strip);

/* Writes the strip's rows of the output; the table's `renamed` has the pixel of each provisional label. */
void cca_run_strip_paint (const CcaRunImage *image, const CcaRunStrip *strip, const CcaImage *output);

#endif
