/* gst-cca: a strip of the image for the algorithm "runs": its runs, their labels and its components
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Several threads can process different strips at once.
 */
#pragma once

#include "cca/cpu/foreground.h"
#include "cca/cpu/frame_runs.h"

/* Data shared by the strips of an image. */
typedef struct
{
  const CcaCpu *cpu;
  bool values;
  bool labeling;       /* keeps all runs, to paint them or to give them; an analysis otherwise */
  bool gives_runs;     /* to cpu->runs: the runs' labels become those of their components */
  uint32_t most_runs;  /* in a row */
  const CcaMask *mask; /* of the current frame */
} CcaRunImage;

/* A strip. After labeling it has the folded table of its labels, without those of components that an analysis has
 * finished, the runs of its last row and, if another strip lies above, of its first row. */
typedef struct
{
  CcaStrip rows;
  CcaStatus status;
  CcaLabelTable table;
  uint32_t base;     /* the first of the strip's labels, among all strips' labels */
  uint32_t n_found;  /* components that begin in the strip and are reported */
  uint32_t n_before; /* the same of the strips above */

  CcaRow row[2], top;   /* the current slab and the one above, in turn; the first row, if another strip lies above */
  CcaRow *last;         /* the last slab */
  uint64_t *bits[2];    /* their rows of the mask */
  uint64_t *differ;     /* values: pixels that differ from their left neighbour */
  uint16_t *scratch[3]; /* of label_row */

  /* Analysis: receives finished components; the frame's selection or, if there are several strips, the strip's own. */
  CcaSelection *finished, own;
  CcaRunStore *store;   /* labeling: all runs of the strip, which was started */
  uint32_t *row_pixels; /* labeling: the output pixel of each run of a row */
} CcaRunStrip;

/* Takes a strip's fixed part of the workspace from the layout; its rows are set. */
void cca_run_strip_take (CcaLayout *layout, const CcaRunImage *image, CcaRunStrip *strip);

/* Returns the number of labels that a strip's table has room for at first. */
size_t cca_run_strip_first_labels (const CcaRunImage *image, CcaStrip rows);

/* Releases the memory that the strip has grown. */
void cca_run_strip_free (const CcaRunImage *image, CcaRunStrip *strip);

/* Labels and measures the strip. Returns false with the error set if memory is exhausted. */
bool cca_run_strip_label (const CcaRunImage *image, CcaRunStrip *strip);

/* Sets the label of each stored run to that of its component, which the table's `renamed` must have. */
void cca_run_strip_rename (CcaRunStrip *strip);

/* Drops the stored runs with label 0. */
void cca_run_strip_drop (CcaRunStrip *strip);

/* Writes the strip's rows of the output. If it does not give its runs, the table's `renamed` must have the pixel of
 * each provisional label. */
void cca_run_strip_paint (const CcaRunImage *image, const CcaRunStrip *strip, const CcaImage *output);
