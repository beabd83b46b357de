/* gst-cca: frames with parameters, run through a target and compared with the oracle
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <glib.h>

#include "cca/cca.h"
#include "oracle.h"
#include "patterns.h"
#include "targets.h"

G_DEFINE_AUTOPTR_CLEANUP_FUNC (CcaContext, cca_context_free)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (CcaPlan, cca_plan_free)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (CcaResult, cca_result_free)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (OracleFrame, oracle_frame_free)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (OracleModel, oracle_model_free)

/* A case. The oracle runs once, when the case first runs. */
typedef struct
{
  char *name;
  uint32_t width, height;
  uint8_t *pixels;
  CcaParams params; /* algorithm and n_threads are set by cases_run() */
  OracleFrame *expected;
} Case;

GPtrArray *cases_new (void);

/* Adds a case to `cases`, with room for pixels, which the caller fills. params are the defaults, with all components
 * stored. */
Case *cases_add (GPtrArray *cases, uint32_t width, uint32_t height, uint32_t connectivity, const char *format, ...)
    G_GNUC_PRINTF (5, 6);

/* Makes room for pixels of another format than GRAY8, which the caller fills. */
void case_set_format (Case *test_case, CcaFormat format, CcaMatrix matrix);

/* Writes a pixel of this value; bytes without effect are random. */
void put_pixel (Random *random, CcaFormat format, uint8_t *pixel, uint32_t value);

const OracleFrame *case_expected (Case *test_case);

/* Runs all cases with every thread count of the target. every_output runs all outputs on one thread; the other runs
 * take outputs and layouts in turn. Of many cases a device gets every fourth from host memory, and those in turn. With
 * a sanitizer every target gets one in FRAME_STRIDE of many cases, in turn. Neighbours of equal size share plans, by
 * cca_plan_set_params(). Fails the running test at the first difference. */
void cases_run (CcaContext *context, const Target *target, GPtrArray *cases, bool every_output);

/* Adds a test as targets_add_image_test_where() does; applies may be NULL. `fill` adds the cases when the first target
 * runs; all targets share them. */
void cases_add_test (const char *path, void (*fill) (GPtrArray *cases), bool every_output,
                     bool (*applies) (const Target *target));

/* Fails the running test if difference is not NULL, and frees it. Returns whether it was NULL. */
bool check_same (char *difference, const char *format, ...) G_GNUC_PRINTF (2, 3);
/* Fails the running test if status is not CCA_OK. Returns whether it was. */
bool check_ok (CcaStatus status, const char *format, ...) G_GNUC_PRINTF (2, 3);
