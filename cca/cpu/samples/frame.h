/* gst-cca: a frame of the background model SAMPLES, for its steps
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include "cca/cpu/samples/rows.h"
#include "cca/cpu/samples/samples.h"

/* Samples of a scene that the model has left. Rows are as the model's, with CCA_SAMPLES_REMEMBERED samples each. */
typedef struct
{
  uint8_t *luma, *u, *v;
} CcaSamplesScene;

/* Rows are `pitch` bytes apart, half_pitch in chroma. */
struct CcaSamplesModel
{
  uint32_t width, height;
  size_t pitch, half_pitch;
  uint8_t *luma;       /* all samples of a row, then those of the next row */
  uint8_t *u, *v;      /* the same for chroma */
  uint8_t *raw, *last; /* the mask of this frame and of the last one, in the model's coordinates */
  uint8_t *candidates, *still, *flips, *busy;
  uint8_t *noise_grid;       /* p of the last frame on the grid */
  CcaSamplesEdges *edges;    /* of blocks */
  CcaSamplesMoves *moves[2]; /* of blocks: moves[turn] of this frame, the other of the last one */
  uint32_t turn;
  uint8_t *take; /* random flags: 255 where a sample changes; twice CCA_SAMPLES_RANDOM */
  CcaSamplesLight light;
  int32_t noise;
  int shift_x, shift_y; /* of the last frame that matched: quarter pixels */
  CcaSamplesLeaps leaps;
  bool chroma; /* of frames */
  CcaSamplesPast past;
  CcaSamplesScene scenes[CCA_SAMPLES_SCENES]; /* valid where past.known has their bit */
};

/* Margin of a row of sums on both sides, for shifts and weights. */
#define CCA_SAMPLES_MARGIN 48

/* Pixels first…end - 1 of a row. */
typedef struct
{
  uint32_t first, end;
} CcaSamplesSpan;

/* Number of shifts to compare along an axis. */
#define CCA_SAMPLES_SHIFTS (2 * CCA_SAMPLES_SEARCH + 1)

/* Buffers of one strip. */
typedef struct
{
  uint16_t *sums;               /* a row with margins */
  uint8_t *row;                 /* a row of luma, for rows outside of the strip */
  uint8_t *chroma;              /* distances in chroma */
  uint64_t *shown;              /* bits of a row: distances above the tolerance */
  uint8_t *picked[2][4];        /* packed rows of u and v of an interleaved image; a ring buffer */
  uint32_t picked_y[2][4];      /* their row numbers */
  CcaSamplesShadeCounts counts; /* of a row of blocks */
  CcaSamplesShades *shades;     /* of a row of blocks */
  bool *in_shade;               /* the same */
  CcaSamplesEdges *edges;       /* the same */
  CcaSamplesMoves *moves;       /* the same */
  CcaSamplesMoving *moving;     /* the same */
  uint32_t *n_moved, *n_other;  /* the same: pixels of the foreground */
  uint16_t *busy;               /* sums of columns of a row of blocks */
  uint64_t costs[CCA_SAMPLES_SHIFTS][CCA_SAMPLES_SHIFTS]; /* costs of shifts, [j][i] */
  CcaSamplesSpan *free;                                   /* n_free spans of a row of blocks that the model learns */
  uint32_t n_free;
  uint64_t n_foreground;
} CcaSamplesStrip;

struct CcaSamplesWork
{
  uint8_t *luma, *u, *v;                       /* p, and smoothed chroma; rows as the model's */
  uint8_t *distances;                          /* the same */
  uint64_t *mask;                              /* a copy of the mask, if the camera has moved */
  CcaSamplesShades *shades;                    /* of blocks */
  bool *held;                                  /* the same */
  CcaSamplesPoint *grid;                       /* points of the light's grid */
  uint8_t *noise_grid;                         /* p before the light's table */
  uint32_t (*changes)[CCA_SAMPLES_LIGHT_SPAN]; /* histograms of the light, and one entry more */
  CcaSamplesStrip *strips;
};

typedef struct
{
  CcaSamplesModel *model;
  CcaSamplesWork *work;
  const CcaCpu *cpu;
  const CcaSamplesOps *ops;
  const CcaImage *input;
  uint64_t *mask;
  uint32_t n_strips;
  CcaSamplesStep step;
  int drift_x, drift_y;                                /* centre of the search for the shift, whole pixels */
  int shift_x, shift_y;                                /* quarter pixels */
  bool wanted[CCA_SAMPLES_SHIFTS][CCA_SAMPLES_SHIFTS]; /* shifts whose cost is needed, … */
  uint64_t limit;                                      /* … if it is below this */
  CcaSamplesLevels levels;
  bool scene_change;
  bool holds; /* some blocks are held */
} CcaSamplesFrame;

/* Returns the number of grid points of a side: first, first + step, … < size - border. */
static inline uint32_t
cca_samples_grid (uint32_t size, uint32_t first, uint32_t step, uint32_t border)
{
  return size > first + border ? (size - border - first + step - 1) / step : 0;
}

static inline uint32_t
cca_samples_light_grid (uint32_t size)
{
  return cca_samples_grid (size, CCA_SAMPLES_LIGHT_GRID, CCA_SAMPLES_LIGHT_GRID, CCA_SAMPLES_LIGHT_GRID);
}

/* Returns whether row y is on the light's grid. */
static inline bool
cca_samples_is_light_row (uint32_t height, uint32_t y)
{
  return y % CCA_SAMPLES_LIGHT_GRID == 0 && y >= CCA_SAMPLES_LIGHT_GRID && y + CCA_SAMPLES_LIGHT_GRID < height;
}

static inline uint32_t
cca_samples_noise_grid (uint32_t size)
{
  return cca_samples_grid (size, CCA_SAMPLES_LIGHT_GRID, CCA_SAMPLES_NOISE_GRID, CCA_SAMPLES_LIGHT_GRID);
}

static inline uint32_t
cca_samples_half (uint32_t size)
{
  return (size + 1) / 2;
}

static inline uint32_t
cca_samples_blocks (uint32_t size)
{
  return (size + CCA_SAMPLES_BLOCK - 1) / CCA_SAMPLES_BLOCK;
}

/* Returns the blocks' sums for moving background, of the last frame or of this one. */
static inline CcaSamplesMoves *
cca_samples_moves (const CcaSamplesModel *model, bool last)
{
  return model->moves[model->turn ^ last];
}

/* Returns the first block from i on that has foreground in a row of the mask, or n. Sets *foreground to its pixels'
 * bits. */
static inline uint32_t
cca_samples_next_block (const uint64_t *bits, uint32_t n, uint32_t i, uint64_t *foreground)
{
  const uint32_t each = 64 / CCA_SAMPLES_BLOCK; /* in a word */

  while (i < n) {
    const uint64_t left = bits[i / each] >> i % each * CCA_SAMPLES_BLOCK;

    if (left) {
      const uint32_t away = (uint32_t) __builtin_ctzll (left) / CCA_SAMPLES_BLOCK;

      *foreground = left >> away * CCA_SAMPLES_BLOCK & ((1u << CCA_SAMPLES_BLOCK) - 1);
      return i + away;
    }
    i = (i / each + 1) * each;
  }
  return n;
}

/* Returns whether the mask is shifted against the model by a pixel or more. */
static inline bool
cca_samples_is_shifted (const CcaSamplesFrame *frame)
{
  return cca_samples_whole (frame->shift_x) != 0 || cca_samples_whole (frame->shift_y) != 0;
}

/* Returns whether block i of row j is held. */
static inline bool
cca_samples_is_held (const CcaSamplesFrame *frame, uint32_t i, uint32_t j)
{
  return frame->holds && frame->work->held[(size_t) j * cca_samples_blocks (frame->model->width) + i];
}

/* Returns sample k of row y. */
static inline uint8_t *
cca_samples_luma (const CcaSamplesModel *model, uint32_t y, uint32_t k)
{
  return model->luma + ((size_t) y * CCA_SAMPLES_LUMA + k) * model->pitch;
}

/* Returns sample k of row y of a chroma plane. */
static inline uint8_t *
cca_samples_chroma (const CcaSamplesModel *model, uint8_t *plane, uint32_t y, uint32_t k)
{
  return plane + ((size_t) y * CCA_SAMPLES_CHROMA + k) * model->half_pitch;
}

/* Return row y of p and its chroma, and the samples of the step's slots there. */
static inline CcaSamplesPlace
cca_samples_now (const CcaSamplesFrame *frame, uint32_t y)
{
  const size_t half_place = (size_t) (y / 2) * frame->model->half_pitch;

  return (CcaSamplesPlace) { frame->work->luma + y * frame->model->pitch, frame->work->u + half_place,
                             frame->work->v + half_place };
}

static inline CcaSamplesPlace
cca_samples_background (const CcaSamplesFrame *frame, uint32_t y)
{
  const CcaSamplesModel *model = frame->model;

  return (CcaSamplesPlace) { cca_samples_luma (model, y, frame->step.slot),
                             cca_samples_chroma (model, model->u, y / 2, frame->step.cslot),
                             cca_samples_chroma (model, model->v, y / 2, frame->step.cslot) };
}

static inline const uint8_t *
cca_samples_input (const CcaSamplesFrame *frame, uint32_t y)
{
  return (const uint8_t *) frame->input->data + (ptrdiff_t) y * frame->input->pitch;
}

/* Runs a step over the strips of the frame. */
static inline void
cca_samples_strips (CcaSamplesFrame *frame, CcaStripFunc func)
{
  cca_threads_run (frame->cpu->threads, frame->n_strips, func, frame);
}

/* Returns the rows of strip `index`, of n rows. */
static inline CcaStrip
cca_samples_rows (const CcaSamplesFrame *frame, uint32_t n, uint32_t index)
{
  return cca_strip (n, frame->n_strips, index);
}

/* Forgets the packed rows of chroma of another frame. */
void cca_samples_smooth_start (CcaSamplesStrip *strip);
/* Smooth row y of luma, before the light's table, and of both chroma planes. */
void cca_samples_smooth_luma (const CcaSamplesFrame *frame, CcaSamplesStrip *strip, uint32_t y, uint8_t *out);
void cca_samples_smooth_chroma (const CcaSamplesFrame *frame, CcaSamplesStrip *strip, uint32_t y, uint8_t *u,
                                uint8_t *v);

/* The steps, in order. */
void cca_samples_find_shift (CcaSamplesFrame *frame);
void cca_samples_find_light (CcaSamplesFrame *frame);
/* Returns how many pixels are foreground; the mask is in the model's coordinates. */
uint64_t cca_samples_find_foreground (CcaSamplesFrame *frame);
/* Finds the blocks that the model does not learn: held ones, or all in a scene change. */
void cca_samples_hold (CcaSamplesFrame *frame, const CcaHeld *held);
void cca_samples_drop_ghosts (CcaSamplesFrame *frame);
/* For row j of blocks: start counting its shadows; store the counts; find its deep shadows, once all rows are counted;
 * clear the foreground in them on pixel row y, so that the model does not learn it. */
void cca_samples_begin_shades (const CcaSamplesFrame *frame, CcaSamplesStrip *strip);
void cca_samples_end_shades (const CcaSamplesFrame *frame, const CcaSamplesStrip *strip, uint32_t j);
void cca_samples_find_shades (const CcaSamplesFrame *frame, CcaSamplesStrip *strip, uint32_t j);
void cca_samples_hide_shades (const CcaSamplesFrame *frame, const CcaSamplesStrip *strip, uint32_t y);
/* For row j of blocks: find where the background moves; clear the moving background from the foreground of pixel row y;
 * store the row's measures. */
void cca_samples_begin_moves (const CcaSamplesFrame *frame, CcaSamplesStrip *strip, uint32_t j);
void cca_samples_drop_moves (const CcaSamplesFrame *frame, CcaSamplesStrip *strip, uint32_t y);
void cca_samples_end_moves (const CcaSamplesFrame *frame, const CcaSamplesStrip *strip, uint32_t j);
void cca_samples_update (CcaSamplesFrame *frame);
/* Writes the mask in the frame's coordinates. */
void cca_samples_show (CcaSamplesFrame *frame);
/* Returns how many foreground pixels the frame may have before it is a scene change. */
uint64_t cca_samples_most (const CcaSamplesFrame *frame);
/* Exchanges the samples for those of a remembered scene. */
void cca_samples_exchange (CcaSamplesFrame *frame, const CcaSamplesScene *scene);
/* Starts the model anew with this frame. */
void cca_samples_begin (CcaSamplesFrame *frame);
