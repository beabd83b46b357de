/* gst-cca: a sequence of frames through a plan, as a fuzz target sees it
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include "compare.h"
#include "counting-allocator.h"
#include "fuzz.h"

/* The backend of this program, and how large its inputs may be: pixels of a frame, where a narrower row counts as
 * fuzz_min_row pixels, and what all frames may cost, where each costs fuzz_frame_cost besides its pixels. The samples
 * model adds fuzz_samples_cost to a pixel. cpu.c, emulated.c */
extern const CcaBackend fuzz_backend;
extern const uint32_t fuzz_max_pixels, fuzz_min_row, fuzz_frame_cost, fuzz_samples_cost, fuzz_budget;
/* Before the first context. */
void fuzz_backend_start (void);
/* What the device holds: memory, events, graphs, … */
uint64_t fuzz_backend_held (void);

/* Contexts live as long as it does; their allocator fails on demand. */
typedef struct
{
  CountingAllocator counting;
  CcaContext *contexts[CCA_ISA_NEON + 1]; /* by instruction set; [CCA_ISA_AUTO] is always there */
} Bench;

/* What the input has made so far. */
typedef struct
{
  Reader *reader;
  Bench *bench;
  CcaContext *context;
  uint32_t width, height;
  CcaOutput output;
  Layout layout;
  CcaParams params;      /* those that the next frame shall have */
  CcaParams plan_params; /* those that the plan has */
  CcaPlan *plan;         /* NULL until the first frame of a size */
  CcaResult *results[2];
  OracleModel *model;
  OracleRectangle held;      /* what the model was last told */
  uint8_t *region, *factors; /* that the plan has; NULL: none */
  OracleFrame *last;         /* that the plan knows; NULL where it knows none */
  uint8_t *pixels;           /* of the last frame */
  uint32_t budget;           /* what further frames may cost */
} Session;

/* Ends the program with a message on what the session was doing. */
void session_fail (const Session *session, const char *format, ...) G_GNUC_PRINTF (2, 3) G_GNUC_NORETURN;

/* Changes a parameter, to a possible or an impossible value. params.c */
void session_read_param (Session *session);
/* What a plan with these parameters must give: CCA_OK, _INVALID or _UNSUPPORTED. */
CcaStatus params_expected_status (const CcaParams *params, CcaOutput output);

/* Makes an impossible call; it must fail as cca.h says and change nothing. refusals.c */
void session_read_refusal (Session *session);
/* Asks for names, in and out of range. */
void session_read_names (Session *session);
/* Makes and frees a context. */
void session_read_context (Session *session);
