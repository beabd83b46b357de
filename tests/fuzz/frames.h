/* gst-cca: a sequence of frames through a plan, as a fuzz target sees it
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include "compare.h"
#include "counting-allocator.h"
#include "fuzz.h"

/* The backend of this program, and the limits of its inputs: pixels of a frame, where a narrower row counts as
 * fuzz_min_row pixels, and the cost of all frames, where each costs its pixels and fuzz_frame_cost. The samples model
 * adds fuzz_samples_cost to a pixel. cpu.c, emulated.c */
extern const CcaBackend fuzz_backend;
extern const uint32_t fuzz_max_pixels, fuzz_min_row, fuzz_frame_cost, fuzz_samples_cost, fuzz_budget;
/* Prepares the backend; call it before the first context. */
void fuzz_backend_start (void);
/* Returns the number of objects that the device holds: memory, events, graphs, … */
uint64_t fuzz_backend_held (void);

/* The contexts of all inputs; their allocator fails on demand. */
typedef struct
{
  CountingAllocator counting;
  CcaContext *contexts[CCA_ISA_NEON + 1]; /* by instruction set; [CCA_ISA_AUTO] is always there */
} Bench;

/* The objects that an input has made. */
typedef struct
{
  Reader *reader;
  Bench *bench;
  CcaContext *context;
  uint32_t width, height;
  CcaOutput output;
  Layout layout;
  CcaParams params;      /* for the next frame */
  CcaParams plan_params; /* of the plan */
  CcaPlan *plan;         /* NULL until the first frame of a size */
  CcaResult *results[2];
  OracleModel *model;
  OracleRectangle held;      /* of the plan */
  uint8_t *region, *factors; /* of the plan; NULL: none */
  OracleFrame *last;         /* the plan's last frame; NULL: none */
  uint8_t *pixels;           /* of the last frame */
  uint32_t budget;           /* cost left for further frames */
} Session;

/* Ends the program with a message and the state of the session. */
void session_fail (const Session *session, const char *format, ...) G_GNUC_PRINTF (2, 3) G_GNUC_NORETURN;

/* Changes a parameter, to a possible or an impossible value. params.c */
void session_read_param (Session *session);
/* Returns the status that a plan with these parameters must give: CCA_OK, _INVALID or _UNSUPPORTED. */
CcaStatus params_expected_status (const CcaParams *params, CcaOutput output);

/* Makes an impossible call; it must fail as cca.h says and change nothing. refusals.c */
void session_read_refusal (Session *session);
/* Asks for names, in and out of range. */
void session_read_names (Session *session);
/* Makes and frees a context. */
void session_read_context (Session *session);
