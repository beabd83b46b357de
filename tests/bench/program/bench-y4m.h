/* gst-cca: masks as YUV4MPEG2 files, to be measured elsewhere
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include "bench-case.h"

/* Writes the masks of a case as the luma of a file in folder, named after the case. */
gboolean bench_case_save (const BenchCase *self, const char *folder, GError **error);
