/* gst-cca: connected components of images
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * libcca labels and measures the connected components of images. This header, with <cca/output.h> and
 * <cca/label-color.h> that it includes, is the whole API.
 *
 * Coordinates: x grows to the right, y downwards, pixel centres lie at integers, the first pixel is (0, 0).
 *
 * Numbering: the components that pass the size filter are numbered 1…n in raster order of their first pixel (the
 * leftmost in the topmost row); 0 is the background. Backend, algorithm, instruction set and thread count never change
 * a result: the same frame always gives the same bits.
 *
 * Errors: a function that can fail returns a CcaStatus. On failure it changes nothing, leaves its out parameters
 * untouched unless a comment says otherwise, and cca_last_error() returns one sentence that names the value and the
 * limit. The library never prints and never aborts.
 *
 * NULL: no function crashes on a NULL argument. Unless a comment below allows NULL, a function returns
 * CCA_ERROR_INVALID, NULL, 0 or CCA_BACKEND_CPU, by its type, or does nothing, and cca_last_error() names the argument.
 *
 * Threads: a CcaContext may be used from many threads at once. A CcaPlan and its CcaResults belong to one
 * thread at a time; different plans are independent.
 */
#ifndef CCA_H
#define CCA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cca/output.h" /* CcaOutput */

#if defined(__GNUC__)
#define CCA_API __attribute__ ((visibility ("default")))
#else
#define CCA_API
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* The largest width and height of an image, in pixels. */
#define CCA_MAX_SIZE 65535u
/* The largest value of CcaParams.close_radius, in pixels. */
#define CCA_MAX_CLOSE_RADIUS 8u
/* The largest value of CcaParams.coverage_cell, in pixels. */
#define CCA_MAX_COVERAGE_CELL 16u
/* The largest value of CcaParams.max_components. */
#define CCA_MAX_COMPONENTS (1u << 24)
/* The largest value of CcaMotion.tolerance, grey levels. */
#define CCA_MAX_TOLERANCE 64u
/* The largest value of CcaParams.n_threads. */
#define CCA_MAX_THREADS 64u
/* The most rectangles of cca_plan_hold(). */
#define CCA_MAX_HELD 64u

/* --- Status ------------------------------------------------------------------------------------------ */

typedef enum
{
  CCA_OK = 0,
  CCA_ERROR_INVALID,     /* an argument is impossible */
  CCA_ERROR_UNSUPPORTED, /* this build, backend or algorithm does not support a valid request */
  CCA_ERROR_UNAVAILABLE, /* the backend cannot work here: no driver, no device, not built */
  CCA_ERROR_MEMORY,      /* host or device memory is exhausted */
  CCA_ERROR_DEVICE       /* the device failed; make a new context */
} CcaStatus;

/* Returns the status in a few words, a static string. */
CCA_API const char *cca_status_text (CcaStatus status);

/* Returns one sentence on the calling thread's last failure (what, which value, which limit), or "" before the first.
 * The text is valid until the thread's next failing call. */
CCA_API const char *cca_last_error (void);

/* Returns the library's version, "major.minor.micro", a static string. */
CCA_API const char *cca_version (void);

/* --- Backends and algorithms ------------------------------------------------------------------------- */

typedef enum
{
  CCA_BACKEND_CPU,
  CCA_BACKEND_CUDA
} CcaBackend;

/* Returns "cpu" or "cuda"; NULL for anything else. */
CCA_API const char *cca_backend_name (CcaBackend backend);

/* Abilities of an algorithm (CcaAlgorithm.capabilities). */
typedef enum
{
  CCA_CAN_4 = 1 << 0,       /* 4-connectivity */
  CCA_CAN_8 = 1 << 1,       /* 8-connectivity */
  CCA_CAN_ANALYSE = 1 << 2, /* components */
  CCA_CAN_LABEL = 1 << 3,   /* an output image */
  CCA_CAN_VALUES = 1 << 4,  /* CCA_FOREGROUND_VALUES */
  CCA_CAN_THREADS = 1 << 5, /* uses CcaParams.n_threads */
  CCA_CAN_OVERLAPS = 1 << 6 /* CcaParams.overlaps, shape and intensity */
} CcaCapabilities;

/* An entry of the registry; static and constant. */
typedef struct
{
  const char *name;        /* as in CcaParams.algorithm */
  const char *description; /* one line */
  const char *source;      /* the publication: authors, title, venue, year, section or algorithm number */
  CcaBackend backend;
  uint32_t capabilities; /* CcaCapabilities */
} CcaAlgorithm;

/* Returns the algorithms of a backend, generally fastest first, terminated by NULL. The list is empty if the backend is
 * not built. "auto" is not listed: the backend resolves it by frame size and parameters. */
CCA_API const CcaAlgorithm *const *cca_algorithms (CcaBackend backend);

/* CPU instruction sets. Each includes those before it; NEON stands alone. */
typedef enum
{
  CCA_ISA_AUTO, /* the best that is available */
  CCA_ISA_C,
  CCA_ISA_SSE41,
  CCA_ISA_AVX2,
  CCA_ISA_AVX512, /* F, BW, VL, VBMI, VBMI2, BITALG: Ice Lake, Zen 4 and later */
  CCA_ISA_NEON
} CcaIsa;

/* Returns "auto", "c", "sse4.1", "avx2", "avx512" or "neon"; NULL for anything else. */
CCA_API const char *cca_isa_name (CcaIsa isa);

/* Returns whether this build includes the level and this processor can run it; always true for AUTO and C. */
CCA_API bool cca_isa_available (CcaIsa isa);

/* --- Contexts ---------------------------------------------------------------------------------------- */

/* Provides the host memory that a context and its plans allocate. The library calls both functions from any thread that
 * uses the context. */
typedef struct
{
  void *(*alloc) (void *user, size_t bytes); /* suitably aligned for any object, or NULL */
  void (*free) (void *user, void *block);    /* block is never NULL */
  void *user;
} CcaAllocator;

typedef struct
{
  CcaBackend backend;
  int device;             /* CUDA: ordinal, or -1 for the first usable one; ignored where native is given */
  void *native;           /* CUDA: the caller's CUcontext, which must outlive this context; or NULL */
  CcaIsa isa;             /* CPU: the level to use */
  bool all_threads;       /* CPU: use CcaParams.n_threads for every frame, even if fewer are faster; for tests */
  CcaAllocator allocator; /* all NULL: malloc and free */
} CcaContextOptions;

/* Sets the defaults: CPU, device -1, no native context, best ISA, threads where they save time, malloc. */
CCA_API void cca_context_options_init (CcaContextOptions *options);

typedef struct CcaContext CcaContext;

/* Makes a context: a backend on a device. options may be NULL for the defaults. On success the caller owns *context and
 * frees it with cca_context_free() after all of its plans.
 * CCA_ERROR_UNAVAILABLE: the text says why (no driver, no device, not built). CCA_ERROR_UNSUPPORTED: the ISA.
 * CCA_ERROR_MEMORY, _DEVICE. */
CCA_API CcaStatus cca_context_new (const CcaContextOptions *options, CcaContext **context);
CCA_API void cca_context_free (CcaContext *context); /* NULL is allowed */

/* Returns the context's backend. */
CCA_API CcaBackend cca_context_backend (const CcaContext *context);

/* Returns the ISA level of a CPU context, or the device's name of a CUDA one. Valid until the context is freed. */
CCA_API const char *cca_context_description (const CcaContext *context);

/* --- Images ------------------------------------------------------------------------------------------ */

typedef enum
{
  CCA_MEMORY_HOST,  /* host memory; the GPU transfers it faster if CUDA has pinned it */
  CCA_MEMORY_DEVICE /* device memory of the plan's context */
} CcaMemory;

/* The colour-difference planes of a YUV image. Sample (i, j) of a plane starts at (char *) plane + j * pitch + i * step
 * and belongs to the pixels (x, y) with x >> shift_x = i and y >> shift_y = j. */
typedef struct
{
  const void *u, *v;         /* NULL: none */
  ptrdiff_t pitch;           /* bytes from row to row of either plane */
  uint32_t step;             /* bytes from sample to sample: 1, or 2 where both planes share their rows */
  uint32_t shift_x, shift_y; /* 0 or 1 */
} CcaChroma;

/* A view of pixels that the caller owns. Row y starts at (char *) data + y * pitch, at any alignment. The library
 * neither reads nor writes the padding between rows. */
typedef struct
{
  void *data;
  ptrdiff_t pitch; /* bytes from row to row, at least the bytes of a row */
  uint32_t width, height;
  CcaMemory memory;
  CcaChroma chroma; /* input images only, in the same memory; only CCA_MODEL_SAMPLES reads it */
} CcaImage;

/* How an input image stores its pixels. CcaForeground compares one value v of each pixel. */
typedef enum
{
  CCA_FORMAT_GRAY8, /* 1 byte, v; also the luma plane of NV12, I420 and the like */
  CCA_FORMAT_YUY2,  /* 2 bytes, luma and chroma; v is the luma */
  CCA_FORMAT_UYVY,  /* 2 bytes, chroma and luma; v is the luma */
  CCA_FORMAT_P010,  /* the luma plane of P010: a little-endian word with the luma in its upper 10 bits; v is its upper 8
                       bits, so that limits mean the same as with NV12 */
  CCA_FORMAT_RGBX,  /* 4 bytes: red, green, blue, padding; v is the luma, see CcaMatrix */
  CCA_FORMAT_BGRX,  /* 4 bytes: blue, green, red, padding; v is the luma, see CcaMatrix */
  CCA_FORMAT_GRAY16_LE, /* 2 bytes, v as a little-endian word */
  CCA_FORMAT_GRAY16_BE  /* 2 bytes, v as a big-endian word */
} CcaFormat;

/* Returns "GRAY8", "YUY2", …; NULL for anything else. */
CCA_API const char *cca_format_name (CcaFormat format);

/* Returns the bytes of an input pixel: 1, 2 or 4; 0 for anything else. */
CCA_API uint32_t cca_format_pixel_size (CcaFormat format);

/* Returns the largest value of a pixel: 255 or, of GRAY16, 65535; 0 for anything else. */
CCA_API uint32_t cca_format_max_value (CcaFormat format);

/* The standard whose weights give the luma of an RGB pixel: (r R + g G + b B + 128) / 256, rounded down. Below are r,
 * g, b, in 256ths, which add up to 256. */
typedef enum
{
  CCA_MATRIX_BT601, /* 77, 150, 29 */
  CCA_MATRIX_BT709, /* 54, 183, 19 */
  CCA_MATRIX_BT2020 /* 67, 174, 15 */
} CcaMatrix;

/* Returns the bytes of an output pixel: 0, 4, 2, 4, 1 in the order of CcaOutput; 0 for anything else. */
CCA_API uint32_t cca_output_pixel_size (CcaOutput output);

/* --- Parameters -------------------------------------------------------------------------------------- */

/* The test that makes a pixel foreground; v is its value (CcaFormat). */
typedef enum
{
  CCA_FOREGROUND_NONZERO,   /* v > black */
  CCA_FOREGROUND_THRESHOLD, /* v > threshold */
  CCA_FOREGROUND_RANGE,     /* low <= v <= high */
  CCA_FOREGROUND_VALUES,    /* v != 0, and only neighbours of equal value connect (Stava & Benes, GPU Computing Gems
                               2011, ch. 35); invert, denoise and close_radius have no effect */
  CCA_FOREGROUND_MOTION     /* v differs from a background model; see CcaMotion */
} CcaForeground;

typedef enum
{
  CCA_ORDER_RASTER, /* by label */
  CCA_ORDER_AREA    /* largest first, equal areas by label */
} CcaOrder;

/* The background model of MOTION; see CcaMotion. */
typedef enum
{
  CCA_MODEL_SIGMA_DELTA, /* a grey level and its spread for each pixel: fast */
  CCA_MODEL_SAMPLES /* samples of each pixel's past in luma and, if the image has it, chroma; follows changes of light
                       and a shaking camera, removes shadows and ghosts; 8-bit formats only */
} CcaModel;

/* The background model SIGMA_DELTA (Manzanera & Richefeu, ICVGIP 2004, section 2; Pattern Recognition Letters 28,
 * 2007, section 2). Each pixel has a background M and a spread V. The first frame sets M = I and V = v_min. Every
 * `period` frames M moves by one grey level towards the frame's pixel I. With every frame, O = |I - M|; if O is not 0,
 * V moves by one towards amplification * O; then V is clamped to v_min…v_max; the pixel is foreground if O >= V. During
 * the first `learning` frames nothing is foreground, and M moves with every frame: by up to 8 levels at first, falling
 * linearly to 1, so that objects of the first frame leave the model. A grey level is a value of 8 bits; of 16 bits it
 * is v_min / 16 values, rounded down, at least 1, so that the model's speed follows the noise. */
typedef struct
{
  CcaModel model;
  uint32_t learning;     /* frames; at least 1 */
  uint32_t period;       /* SIGMA_DELTA: frames; at least 1 */
  uint8_t amplification; /* SIGMA_DELTA: 1…16 */
  uint16_t v_min, v_max; /* SIGMA_DELTA: values; 1 <= v_min <= v_max <= the format's largest */
  uint8_t tolerance;     /* SAMPLES: the distance from the samples above which the mask shows foreground, grey levels;
                            1…CCA_MAX_TOLERANCE */
  bool keep_shadows;     /* SAMPLES: do not remove shadows from the foreground */
} CcaMotion;

typedef struct
{
  const char *algorithm; /* "auto", NULL for the same, or a registry name; only read during the call */
  uint32_t connectivity; /* 4 or 8 */

  CcaFormat format; /* of the input images */
  CcaMatrix matrix; /* of RGBX and BGRX; no effect with other formats */

  /* black, threshold, low and high must not exceed cca_format_max_value (format). */
  CcaForeground foreground;
  uint16_t black;     /* NONZERO: the value of black, 0 or 16 in limited-range luma */
  uint16_t threshold; /* THRESHOLD */
  uint16_t low, high; /* RANGE; low <= high */
  bool invert;        /* swap foreground and background before the clean-up; not for VALUES */
  CcaMotion motion;   /* MOTION */

  /* Clean-up of the mask, in this order; outside the image, and outside the plan's region, is background. */
  bool denoise;          /* 3x3 majority: a pixel is foreground where 5 or more of its 3x3 are */
  uint32_t close_radius; /* closing by a square of side 2 r + 1, 0…CCA_MAX_CLOSE_RADIUS; 0 = off */

  /* The size filter: limits of a component's area and of the sides of its bounding box. Pixels, inclusive; 0 = no
   * limit; a minimum must not exceed its maximum where both are given. */
  uint64_t min_area, max_area;
  uint32_t min_width, max_width, min_height, max_height; /* 0…CCA_MAX_SIZE */

  uint32_t max_components; /* components stored per frame, 0…CCA_MAX_COMPONENTS; the count stays exact. With 0 the CUDA
                              backend measures nothing that the size filter does not need */
  CcaOrder order;          /* of the stored components; labels do not depend on it */
  bool covariance;         /* measure second central moments too */
  bool overlaps;           /* find the overlaps with the components of the last frame; see CcaOverlap */
  bool shape;              /* measure the shapes of the stored components; see CcaShape */
  bool intensity;          /* measure the values of their pixels; see CcaIntensity */

  /* Count the foreground of square cells of this side, pixels: a power of two, 1…CCA_MAX_COVERAGE_CELL; 0 counts none.
   * See CcaMeasurement.coverage and colours. VALUES supports only 0 (CCA_ERROR_UNSUPPORTED). */
  uint32_t coverage_cell;

  uint32_t n_threads; /* CPU: the most threads, 1…CCA_MAX_THREADS; a frame uses no more than there are processors, and
                         only as many as save time */

  /* CUDA: time the stages of every n-th frame, starting with the plan's second, as the first is not typical; 1 = every
   * frame, 0 = none. A timed frame is slower: its kernels are launched one by one, with events between them. */
  uint32_t stage_interval;
} CcaParams;

/* Sets the defaults: auto, 8-connectivity, GRAY8, BT601, NONZERO above 0, threshold 127, range 128…255, no inversion,
 * no clean-up, no size limits, 4096 components, raster order, no covariance, no overlaps, no shapes, no intensities,
 * no coverage, one thread, every frame timed; motion: SIGMA_DELTA, learning 32, period 4, amplification 2, v_min 16,
 * v_max 64, tolerance 10, no shadows. */
CCA_API void cca_params_init (CcaParams *params);

/* --- Plans ------------------------------------------------------------------------------------------- */

/* A context, a frame size and parameters, with the workspace and, for MOTION, the background model. */
typedef struct CcaPlan CcaPlan;

/* Estimates the bytes that cca_plan_new() allocates for these arguments: the workspace without the background model.
 * (The model takes 2 bytes a pixel, or 4 with 16-bit values, in rows of whole 64 pixels; SAMPLES up to 22.) With an
 * output the CPU backend also keeps the image's runs; with overlaps those of two images; with shapes or intensities
 * those of one. Not included: memory that grows with the content of the frames (see cca_plan_memory()) and, on CUDA,
 * the copy of an image in host memory, allocated with the first such image. CCA_ERROR_INVALID, _UNSUPPORTED. */
CCA_API CcaStatus cca_plan_estimate (const CcaContext *context, uint32_t width, uint32_t height,
                                     const CcaParams *params, CcaOutput output, size_t *bytes);

/* Validates the arguments once and allocates. The context must outlive the plan. On success the caller owns *plan.
 * CCA_ERROR_INVALID, _UNSUPPORTED (algorithm), _MEMORY. */
CCA_API CcaStatus cca_plan_new (CcaContext *context, uint32_t width, uint32_t height, const CcaParams *params,
                                CcaOutput output, CcaPlan **plan);
CCA_API void cca_plan_free (CcaPlan *plan); /* NULL is allowed; waits for the plan's work */

/* Sets the parameters from the next cca_plan_run() on. The plan keeps the background model if foreground stays MOTION,
 * model does not change and values keep their 8 or 16 bits. It keeps the last frame's components if overlaps stays
 * true. On failure the plan keeps its old parameters. On CUDA the function waits for the frame in flight.
 * CCA_ERROR_INVALID, _UNSUPPORTED, _MEMORY, _DEVICE. */
CCA_API CcaStatus cca_plan_set_params (CcaPlan *plan, const CcaParams *params);

/* Restricts the foreground to a region, from the next cca_plan_run() on: in every mode a pixel whose byte in `region`
 * is 0 is background, before the clean-up and after each of its steps. NULL: the whole image, the default. region is an
 * image in host memory, of the plan's size, 1 byte a pixel; the plan copies it. The background model also learns
 * outside the region. cca_plan_set_params() and cca_plan_reset() keep the region. On failure the plan keeps its old
 * one. On CUDA the function waits for the frame in flight. CCA_ERROR_INVALID, _MEMORY, _DEVICE. */
CCA_API CcaStatus cca_plan_set_region (CcaPlan *plan, const CcaImage *region);

/* Sets the sensitivity of MOTION by SIGMA_DELTA for each pixel, from the next cca_plan_run() on: a pixel's least spread
 * is motion.v_min * its byte in `factors` / 16, rounded, at least 1 and at most the format's largest value; it may
 * exceed v_max. NULL: v_min everywhere, the default. Otherwise as cca_plan_set_region(). CCA_ERROR_INVALID, _MEMORY,
 * _DEVICE. */
CCA_API CcaStatus cca_plan_set_sensitivity (CcaPlan *plan, const CcaImage *factors);

/* A rectangle of pixels, x…x + width - 1 and y…y + height - 1. */
typedef struct
{
  uint32_t x, y, width, height;
} CcaRectangle;

/* Keeps MOTION by SAMPLES from learning objects, such as people who stand still: from the next cca_plan_run() until the
 * next call of this function, the model does not change in the blocks of 16x16 pixels that a rectangle touches. A
 * rectangle loses its effect once the outline of its foreground is an edge of the background and not of the frame,
 * because its object has left. The plan copies the n rectangles; 0, the default, holds nothing. cca_plan_reset() drops
 * them. CCA_ERROR_INVALID: more than CCA_MAX_HELD, or one that is empty or not in the image. */
CCA_API CcaStatus cca_plan_hold (CcaPlan *plan, const CcaRectangle *rectangles, uint32_t n);

/* Forgets the background model and the last frame's components, so that the next frame is treated as the first. Call it
 * after seeks and cuts. */
CCA_API void cca_plan_reset (CcaPlan *plan);

/* Returns the algorithm that the plan uses; for "auto", the one that it chose. */
CCA_API const CcaAlgorithm *cca_plan_algorithm (const CcaPlan *plan);

/* Returns the bytes that the plan holds now, without the background model. The workspace grows with the components of
 * the busiest frame so far and never shrinks; no other frame allocates. */
CCA_API size_t cca_plan_memory (const CcaPlan *plan);

/* --- Results ----------------------------------------------------------------------------------------- */

typedef struct
{
  uint32_t label;
  uint32_t x, y, width, height;  /* bounding box, pixels */
  uint64_t area;                 /* pixels */
  double centroid_x, centroid_y; /* pixels */
  /* Second central moments divided by the area, pixels^2; 0 unless CcaParams.covariance. */
  double cov_xx, cov_xy, cov_yy;
} CcaComponent;

/* The shape of a component. Pixels outside the image and pixels of other components count as background. */
typedef struct
{
  /* The length of the line through the centres of the border pixels, pixels; scikit-image's `perimeter` (neighborhood
   * 4), after Benkrid & Crookes, Design and FPGA Implementation of a Perimeter Estimator, Queen's University of
   * Belfast. A border pixel has a side on a pixel outside the component. With s border pixels at its sides and c at its
   * corners it counts 1 if s is 2 or 3 and c up to 2; the root of 2 if s is 0 and c is 2, or s is 1 and c is 3; half of
   * both if s is 1 and c is 1 or 2; and 0 otherwise, such as a single pixel. */
  double perimeter;
  /* The length of the outline by Crofton's formula, pixels: pi / 4 times (the entries into the component along rows and
   * columns + those along both diagonals / the root of 2); scikit-image's `perimeter_crofton` (4 directions). */
  double perimeter_crofton;
  /* 1 minus the number of holes. Holes are 4-connected if connectivity is 8, and 8-connected if it is 4 (Gray, Local
   * Properties of Binary Images in Two Dimensions, IEEE Transactions on Computers C-20, 1971). */
  int32_t euler_number;
} CcaShape;

/* The values v (CcaFormat) of a component's pixels in the input image. */
typedef struct
{
  double mean;
  uint32_t min, max;
} CcaIntensity;

/* A component of the last frame and one of this frame that share pixels; labels can be inherited from it (Windisch et
 * al., Algorithms 16, 2023, section 1, step 3). Both have passed the size filter of their frame, stored or not. */
typedef struct
{
  uint32_t before, now; /* labels in the last and in this frame */
  uint64_t pixels;      /* shared; at least 1 */
} CcaOverlap;

/* The stages of a frame, each timed. */
typedef enum
{
  CCA_STAGE_FOREGROUND, /* pixels to bit words, if a clean-up needs the whole mask; otherwise part of LABEL */
  CCA_STAGE_CLEANUP,    /* denoise, close */
  CCA_STAGE_LABEL,      /* runs, unions, features */
  CCA_STAGE_COMPONENTS, /* filter, number, order, overlaps, shapes, intensities */
  CCA_STAGE_OUTPUT,     /* painting the output image */
  CCA_N_STAGES
} CcaStage;

/* Returns "foreground", "cleanup", "label", "components" or "output"; NULL for anything else. */
CCA_API const char *cca_stage_name (CcaStage stage);

typedef struct
{
  /* MOTION with SAMPLES: most of the frame changed at once, for example because the camera moved, or the light is quite
   * another one. The frame has no foreground, and the model does not learn it. After five such frames in a row the
   * model returns to one of the last two scenes that it has left or, if the frames show neither, learns a new one. */
  bool scene_change;
  /* MOTION: the model is in its first CcaMotion.learning frames; nothing is foreground. */
  bool learning;
  uint32_t n_components;           /* all that passed the size filter */
  uint32_t n_stored;               /* length of components: min (n_components, max_components) */
  bool truncated;                  /* n_stored < n_components */
  const CcaComponent *components;  /* the first n_stored in the order of CcaParams.order */
  const CcaShape *shapes;          /* one for each of components; NULL without CcaParams.shape */
  const CcaIntensity *intensities; /* the same; NULL without CcaParams.intensity */
  uint32_t n_overlaps;             /* found; 0 if unknown, see overlaps */
  uint32_t n_stored_overlaps;      /* length of overlaps: min (n_overlaps, max_components) */
  /* The first n_stored_overlaps, sorted by before, then now. NULL if they are unknown: without CcaParams.overlaps, in
   * the first frame with it, in the first after cca_plan_reset(), and in the one after a frame that failed with
   * CCA_ERROR_MEMORY or _DEVICE. Otherwise not NULL, even if there are none. */
  const CcaOverlap *overlaps;
  /* The foreground pixels of each cell, at most 255, row by row: coverage_columns * coverage_rows bytes. Counts the
   * mask after the clean-up, including components that the size filter drops. NULL without CcaParams.coverage_cell.
   * Lives as long as the components. */
  const uint8_t *coverage;
  /* The colour of each cell, three planes like coverage, one after the other: Y, U and V of the pixel in the cell's
   * middle, (cell / 2, cell / 2) from its corner, or of the last row or column if the frame ends before it; 0 if the
   * cell has no foreground. Y is v, or the upper byte of a 16-bit v. U and V are those of the pixel with both
   * coordinates rounded down to even ones, or 128 if the image has no chroma or the foreground is not MOTION by
   * SAMPLES. NULL without CcaParams.coverage_cell. Lives as long as the components. */
  const uint8_t *colours;
  uint32_t coverage_cell;                   /* CcaParams.coverage_cell */
  uint32_t coverage_columns, coverage_rows; /* the frame's size / coverage_cell, rounded up; 0 without coverage */
  /* Passes that changed a label, for an algorithm that repeats a pass until no label changes; 0 for all others. The
   * last pass, which changes none, does not count. Depends only on the frame. */
  uint32_t n_iterations;
  /* Time of each stage in ns, of the last frame that was timed (CcaParams.stage_interval). */
  uint64_t stage_ns[CCA_N_STAGES];
} CcaMeasurement;

/* Receives one frame's measurement from cca_plan_run(). Make one for each measurement that you keep at the same
 * time. */
typedef struct CcaResult CcaResult;

/* Makes a result. The plan must outlive it. On success the caller owns *result. CCA_ERROR_MEMORY, _DEVICE. */
CCA_API CcaStatus cca_result_new (CcaPlan *plan, CcaResult **result);
CCA_API void cca_result_free (CcaResult *result); /* NULL is allowed; waits for its work */

/* Enqueues one frame, which reads input, writes output if given, and leaves its measurement in result.
 *   input   width and height as the plan's; pixels of CcaParams.format.
 *   output  NULL, or an image of the plan's size and of the output that the plan was made with; may not overlap input.
 *   stream  CUDA: the CUstream to enqueue on (NULL: the default stream); CPU: must be NULL.
 *   result  of this plan.
 * A plan has one frame in flight: before the next one, call cca_result_wait() or free the result. To keep a GPU busy,
 * run several plans on streams of their own. Never waits for the stream. Images must stay valid, and input unchanged,
 * until the work is done: on the CPU when the call returns, on CUDA after cca_result_wait(), which repeats a frame that
 * had more components than the workspace had room for. Only then is an output image complete.
 * CCA_ERROR_INVALID, _MEMORY, _DEVICE: the frame is lost, and the background model has not seen it; the plan stays
 * usable except after _DEVICE. CCA_ERROR_INVALID if the plan has a frame in flight, which is not affected. */
CCA_API CcaStatus cca_plan_run (CcaPlan *plan, const CcaImage *input, const CcaImage *output, void *stream,
                                CcaResult *result);

/* Waits for the frame and fills *measurement, whose arrays live until the result is used again or freed. */
CCA_API CcaStatus cca_result_wait (CcaResult *result, CcaMeasurement *measurement);

/* Computes the ellipse that has a component's second moments, from its covariance: the half axes in pixels,
 * major >= minor >= 0 (those of the component itself if it is a filled ellipse), and the angle from the x axis to the
 * major axis in radians in (-pi/2, pi/2], positive clockwise on the screen. An oriented box has the same centre and
 * angle; its sides are 2 major * sqrt (3) / 2 and 2 minor * sqrt (3) / 2 if the component is a filled rectangle. */
CCA_API void cca_component_ellipse (const CcaComponent *component, double *major, double *minor, double *angle);

#ifdef __cplusplus
}
#endif
#endif
