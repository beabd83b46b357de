/* gst-cca: an oracle for tests, connected components by flood fill
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Slow and plain on purpose, and apart from the product: no header, type or line in common, libc only. Running out of
 * memory ends the program.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum
{
  ORACLE_NONZERO,
  ORACLE_THRESHOLD,
  ORACLE_RANGE,
  ORACLE_VALUES,
  ORACLE_MOTION
} OracleMode;

/* How pixels are stored. Pixels of 16 bits have 16-bit values, except P010, whose value is its upper byte. */
typedef enum
{
  ORACLE_GRAY8,
  ORACLE_YUY2,
  ORACLE_UYVY,
  ORACLE_P010,
  ORACLE_RGBX,
  ORACLE_BGRX,
  ORACLE_GRAY16_LE,
  ORACLE_GRAY16_BE
} OracleFormat;

typedef enum
{
  ORACLE_SIGMA_DELTA,
  ORACLE_SAMPLES
} OracleBackground;

typedef struct
{
  bool diagonal; /* 8-connectivity */
  OracleFormat format;
  double red, green; /* RGB: their weights in luma; blue has the rest */
  OracleMode mode;
  uint32_t black, threshold, low, high;
  bool invert;
  OracleBackground background;
  uint32_t learning, period, amplification, v_min, v_max;
  uint32_t tolerance;
  bool keep_shadows;
  bool denoise;
  uint32_t close_radius;
  uint64_t min_area, max_area;                           /* 0: no limit */
  uint32_t min_width, max_width, min_height, max_height; /* of the bounding box; 0: no limit */
  const uint8_t *factors; /* width * height bytes: sixteenths that multiply v_min; NULL: 16 everywhere */
  const uint8_t *region;  /* width * height bytes; 0: background; NULL: the whole image */
  uint32_t max_components;
  bool by_area;
  bool covariance;
  bool shape, intensity;
} OracleParams;

/* The background model of a sequence of frames. */
typedef struct OracleModel OracleModel;

OracleModel *oracle_model_new (uint32_t width, uint32_t height);
void oracle_model_free (OracleModel *model);

/* Planes of color differences. The sample of pixel (x, y) is at (y >> shift_y) * pitch + (x >> shift_x) * step
 * bytes. */
typedef struct
{
  const uint8_t *u, *v;
  size_t pitch;
  uint32_t step, shift_x, shift_y;
} OracleChroma;

/* Sets the chroma of the next frames, which the caller keeps; NULL: none. ORACLE_SAMPLES starts anew when chroma
 * appears or disappears. */
void oracle_model_set_chroma (OracleModel *model, const OracleChroma *chroma);

typedef struct
{
  uint32_t x, y, width, height;
} OracleRectangle;

/* Sets rectangles, which the caller keeps, in which ORACLE_SAMPLES does not learn the next frames unless their object
 * has left. Replaces the previous ones. */
void oracle_model_hold (OracleModel *model, const OracleRectangle *rectangles, size_t n);

/* Returns whether the last frame was a scene change. */
bool oracle_model_scene_changed (const OracleModel *model);

typedef struct
{
  uint32_t label;
  /* Over all pixels (x, y). The sum of x y is sum_xy, and so on. */
  uint32_t x_min, x_max, y_min, y_max;
  uint64_t area, sum_x, sum_y, sum_xx, sum_xy, sum_yy;
  /* Computed from the sums. */
  double centroid_x, centroid_y;
  double cov_xx, cov_xy, cov_yy; /* 0 unless OracleParams.covariance */
  /* 0 unless OracleParams.shape. */
  double perimeter, perimeter_crofton;
  int64_t euler_number;
  /* From the pixels' values; 0 unless OracleParams.intensity. */
  double value_mean;
  uint32_t value_min, value_max;
} OracleComponent;

typedef struct
{
  uint32_t width, height;
  uint32_t *labels;    /* width * height */
  uint8_t *foreground; /* width * height: 1 for foreground, also of components that the size filter drops */
  bool scene_change;
  uint32_t n_components, n_stored;
  bool truncated;
  bool shape, intensity;       /* measured */
  OracleComponent *components; /* n_stored, in the requested order */
} OracleFrame;

/* Analyses a frame, whose rows must have no gaps. ORACLE_MOTION needs model, and updates it. */
OracleFrame *oracle_run (const OracleParams *params, OracleModel *model, const uint8_t *pixels, uint32_t width,
                         uint32_t height);
void oracle_frame_free (OracleFrame *frame);

/* Do the steps of oracle_run(), for tests of the oracle itself. Classes: 0 is background; neighbours of the same other
 * value connect. The caller frees them. */
uint16_t *oracle_classes (const OracleParams *params, OracleModel *model, const uint8_t *pixels, uint32_t width,
                          uint32_t height);
OracleFrame *oracle_components (const OracleParams *params, const uint16_t *classes, uint32_t width, uint32_t height);

/* Measure the shapes, or the intensities, of all components of a frame of these pixels. */
void oracle_shapes (const OracleParams *params, OracleFrame *frame);
void oracle_intensities (const OracleParams *params, const uint8_t *pixels, OracleFrame *frame);

/* A component of one frame and one of the next that share pixels. */
typedef struct
{
  uint32_t before, now; /* labels */
  uint64_t pixels;
} OracleOverlap;

/* Returns the overlaps of two frames of one size, *n of them, sorted by before, then now. The caller frees them. */
OracleOverlap *oracle_overlaps (const OracleFrame *before, const OracleFrame *now, size_t *n);

/* Returns the foreground pixels of each square cell of that side, at most 255, row by row: *columns for each of *rows.
 * The caller frees them. */
uint8_t *oracle_coverage (const OracleFrame *frame, uint32_t side, uint32_t *columns, uint32_t *rows);

/* Returns the colours of these cells: planes of Y, U and V of the pixel in each cell's middle, U and V from even
 * coordinates; all 0 without foreground. chroma: NULL for none. The caller frees them. */
uint8_t *oracle_colours (const OracleParams *params, const OracleChroma *chroma, const uint8_t *pixels,
                         const OracleFrame *frame, uint32_t side);

/* Returns the value of pixel i. */
uint32_t oracle_value (const OracleParams *params, const uint8_t *pixels, size_t i);

void *oracle_alloc (size_t n, size_t size); /* zeroed */
