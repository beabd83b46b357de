/* gst-cca: a strip of the image for the algorithm "runs": its runs, their labels and its components
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Several threads can process different strips at once.
 */
#pragma once

#include "cca/cpu/foreground.h"
#include "cca/cpu/frame_runs.h"

/* What the strips of an image share. */
typedef struct
{
  const CcaCpu *cpu;
  bool values;
  bool labeling;       /* keeps all runs, to paint or return them; false: analysis */
  bool stores_runs;    /* returns the runs in cpu->runs, with their components' labels */
  uint32_t most_runs;  /* runs of a row */
  const CcaMask *mask; /* of the current frame */
} CcaRunImage;

/* A strip. After cca_run_strip_label() it has the folded table of its labels (an analysis has removed finished
 * components), the runs of its last row and, if another strip lies above, of its first row. */
typedef struct
{
  CcaStrip rows;
  CcaStatus status;
  CcaLabelTable table;
  uint32_t base;     /* offset of the strip's labels among those of all strips */
  uint32_t n_found;  /* components that begin in the strip and are reported */
  uint32_t n_before; /* the same in the strips above */

  CcaRow row[2], top; /* the current slab and the one above, alternating; the first row, if another strip lies above */
  CcaRow *last;       /* the last slab */
  uint64_t *bits[2];  /* mask rows of row[] */
  uint64_t *differ;   /* values: pixels that differ from their left neighbour */
  uint16_t *scratch[3]; /* of label_row */

  /* Analysis: receives finished components; the frame's selection or, if there are several strips, the strip's own. */
  CcaSelection *finished, own;
  CcaRunStore *store;   /* labeling: all runs of the strip; already started */
  uint32_t *row_pixels; /* labeling: the output pixel of each run of a row */
} CcaRunStrip;

/* Takes a strip's fixed part of the workspace from the layout; strip->rows must be set. */
void cca_run_strip_take (CcaLayout *layout, const CcaRunImage *image, CcaRunStrip *strip);

/* Returns the initial capacity of a strip's label table. */
size_t cca_run_strip_first_labels (const CcaRunImage *image, CcaStrip rows);

/* Frees the memory that the strip has grown. */
void cca_run_strip_free (const CcaRunImage *image, CcaRunStrip *strip);

/* Labels and measures the strip. Without memory, returns false with the error set. */
bool cca_run_strip_label (const CcaRunImage *image, CcaRunStrip *strip);

/* Replaces the label of each stored run by its component's, from the table's `renamed`. */
void cca_run_strip_rename (CcaRunStrip *strip);

/* Drops the stored runs with label 0. */
void cca_run_strip_drop (CcaRunStrip *strip);

/* Writes the strip's rows of the output. If image->stores_runs is false, the table's `renamed` must have the pixel of
 * each provisional label. */
void cca_run_strip_paint (const CcaRunImage *image, const CcaRunStrip *strip, const CcaImage *output);
