/* gst-cca: a frame of the background model SAMPLES, for its steps
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include "cca/cpu/samples/rows.h"
#include "cca/cpu/samples/samples.h"

/* Samples of a scene that the model has left; sample k of row y lies where CCA_SAMPLES_REMEMBERED make a row. */
typedef struct
{
  uint8_t *luma, *u, *v;
} CcaSamplesScene;

/* Rows are `pitch` bytes apart, half_pitch in chroma. */
struct CcaSamplesModel
{
  uint32_t width, height;
  size_t pitch, half_pitch;
  uint8_t *luma;       /* the samples of a row, one behind the other, then the next row's */
  uint8_t *u, *v;      /* the same, in chroma */
  uint8_t *raw, *last; /* the mask of this frame and of the last one, in the model's coordinates */
  uint8_t *candidates, *still, *flips, *busy;
  uint8_t *noise_grid;       /* p of the last frame */
  CcaSamplesEdges *edges;    /* of blocks */
  CcaSamplesMoves *moves[2]; /* of blocks: moves[turn] of this frame, the other of the last one */
  uint32_t turn;
  uint8_t *take; /* random flags: 255 where a sample changes; twice CCA_SAMPLES_RANDOM */
  CcaSamplesLight light;
  int32_t noise;
  int shift_x, shift_y; /* of the last frame that matched: quarter pixels */
  bool chroma;          /* frames have it */
  CcaSamplesPast past;
  CcaSamplesScene scenes[CCA_SAMPLES_SCENES]; /* those that past.known tells */
};

/* Margin of rows of sums on both sides of the image, for shifts and weights. */
#define CCA_SAMPLES_MARGIN 48

/* Pixels first…end - 1 of a row. */
typedef struct
{
  uint32_t first, end;
} CcaSamplesSpan;

/* Shifts to compare. */
#define CCA_SAMPLES_SHIFTS (2 * CCA_SAMPLES_SEARCH + 1)

/* Buffers of one strip. */
typedef struct
{
  uint16_t *sums;               /* a row with margins */
  uint8_t *row;                 /* of luma, outside of the strip */
  uint8_t *chroma;              /* its distances */
  uint8_t *picked[2][4];        /* rows of u and of v that the image stores with gaps, by turns */
  uint32_t picked_y[2][4];      /* their numbers */
  CcaSamplesShadeCounts counts; /* of a row of blocks */
  CcaSamplesShades *shades;     /* of a row of blocks */
  bool *in_shade;               /* the same */
  CcaSamplesEdges *edges;       /* the same */
  CcaSamplesMoves *moves;       /* the same */
  CcaSamplesMoving *moving;     /* the same */
  uint32_t *n_moved, *n_other;  /* the same: pixels of the foreground */
  uint16_t *busy;               /* of columns of a row of blocks, the sums */
  uint64_t costs[CCA_SAMPLES_SHIFTS][CCA_SAMPLES_SHIFTS]; /* of shifts, [j][i] */
  CcaSamplesSpan *free;                                   /* what is learned of a row of blocks, n_free of them */
  uint32_t n_free;
  uint64_t n_foreground;
} CcaSamplesStrip;

struct CcaSamplesWork
{
  uint8_t *luma, *u, *v;                       /* p, and the same of chroma; rows as the model's */
  uint8_t *distances;                          /* the same */
  uint64_t *mask;                              /* a copy, where the camera has moved */
  CcaSamplesShades *shades;                    /* of blocks */
  bool *held;                                  /* the same */
  CcaSamplesPoint *grid;                       /* of the light */
  uint8_t *noise_grid;                         /* p before the table */
  uint32_t (*changes)[CCA_SAMPLES_LIGHT_SPAN]; /* the histograms of the light, and one entry */
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
  int drift_x, drift_y;                                /* where the search for the shift begins: whole pixels */
  int shift_x, shift_y;                                /* quarter pixels */
  bool wanted[CCA_SAMPLES_SHIFTS][CCA_SAMPLES_SHIFTS]; /* shifts whose cost is looked for, … */
  uint64_t limit;                                      /* … if it is below this */
  CcaSamplesLevels levels;
  bool scene_change;
  bool holds; /* some blocks are held */
} CcaSamplesFrame;

/* The number of grid points of a side: first, first + step, … < size - border. */
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

/* Whether row y is one of the light's grid. */
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

/* The blocks' sums for moving background, after this frame and after the last one. */
static inline CcaSamplesMoves *
cca_samples_moves (const CcaSamplesModel *model, bool last)
{
  return model->moves[model->turn ^ last];
}

/* Finds the first block from i on that has foreground in a row of the mask; returns their number where none has.
 * Sets *foreground to its pixels' bits. */
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

/* Whether the mask is shown at another place than the model's. */
static inline bool
cca_samples_is_shifted (const CcaSamplesFrame *frame)
{
  return cca_samples_whole (frame->shift_x) != 0 || cca_samples_whole (frame->shift_y) != 0;
}

/* Whether block i of row j is held. */
static inline bool
cca_samples_is_held (const CcaSamplesFrame *frame, uint32_t i, uint32_t j)
{
  return frame->holds && frame->work->held[(size_t) j * cca_samples_blocks (frame->model->width) + i];
}

/* Sample k of row y. */
static inline uint8_t *
cca_samples_luma (const CcaSamplesModel *model, uint32_t y, uint32_t k)
{
  return model->luma + ((size_t) y * CCA_SAMPLES_LUMA + k) * model->pitch;
}

/* Sample k of row y of either chroma plane. */
static inline uint8_t *
cca_samples_chroma (const CcaSamplesModel *model, uint8_t *plane, uint32_t y, uint32_t k)
{
  return plane + ((size_t) y * CCA_SAMPLES_CHROMA + k) * model->half_pitch;
}

/* Row y of p, with the row of chroma that it shares, and the samples of the step's slots there. */
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

/* The rows of a strip of so many. */
static inline CcaStrip
cca_samples_rows (const CcaSamplesFrame *frame, uint32_t n, uint32_t index)
{
  return cca_strip (n, frame->n_strips, index);
}

/* Forgets the rows of chroma that the strip has picked of another frame. */
void cca_samples_smooth_start (CcaSamplesStrip *strip);
/* Smooths row y of luma, which the table has yet to change; of both chroma planes. */
void cca_samples_smooth_luma (const CcaSamplesFrame *frame, CcaSamplesStrip *strip, uint32_t y, uint8_t *out);
void cca_samples_smooth_chroma (const CcaSamplesFrame *frame, CcaSamplesStrip *strip, uint32_t y, uint8_t *u,
                                uint8_t *v);

/* The steps, in order. */
void cca_samples_find_shift (CcaSamplesFrame *frame);
void cca_samples_find_light (CcaSamplesFrame *frame);
/* Returns how many pixels are foreground; their mask is in the model's coordinates. */
uint64_t cca_samples_find_foreground (CcaSamplesFrame *frame);
/* Finds the blocks that the model does not learn: held ones, or all in a scene change. */
void cca_samples_hold (CcaSamplesFrame *frame, const CcaHeld *held);
void cca_samples_drop_ghosts (CcaSamplesFrame *frame);
/* For row j of blocks: begins to count its shadows; stores the counts; finds its deep shadows, once all rows are
 * counted; hides the foreground in them on pixel row y, which the model then does not learn. */
void cca_samples_begin_shades (const CcaSamplesFrame *frame, CcaSamplesStrip *strip);
void cca_samples_end_shades (const CcaSamplesFrame *frame, const CcaSamplesStrip *strip, uint32_t j);
void cca_samples_find_shades (const CcaSamplesFrame *frame, CcaSamplesStrip *strip, uint32_t j);
void cca_samples_hide_shades (const CcaSamplesFrame *frame, const CcaSamplesStrip *strip, uint32_t y);
/* For row j of blocks: finds where the background moves; drops the moving background from the foreground of pixel row
 * y; stores the row's measures. */
void cca_samples_begin_moves (const CcaSamplesFrame *frame, CcaSamplesStrip *strip, uint32_t j);
void cca_samples_drop_moves (const CcaSamplesFrame *frame, CcaSamplesStrip *strip, uint32_t y);
void cca_samples_end_moves (const CcaSamplesFrame *frame, const CcaSamplesStrip *strip, uint32_t j);
void cca_samples_update (CcaSamplesFrame *frame);
/* Writes the mask in the frame's coordinates. */
void cca_samples_show (CcaSamplesFrame *frame);
/* How much foreground the frame may have if its scene is the model's. */
uint64_t cca_samples_most (const CcaSamplesFrame *frame);
/* Exchanges the samples for those of a scene that the model remembers. */
void cca_samples_exchange (CcaSamplesFrame *frame, const CcaSamplesScene *scene);
/* Begins with this frame. */
void cca_samples_begin (CcaSamplesFrame *frame);
