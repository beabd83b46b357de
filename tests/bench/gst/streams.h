/* gst-cca: --streams of the programs that run pipelines at once
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include "bench-engine.h"

/* Checks a list of numbers from 1 to `most`, such as 1,8. */
static inline gboolean
bench_check_streams (const char *text, guint most, GError **error)
{
  g_auto (GStrv) items = g_strsplit (text, ",", -1);

  for (guint i = 0; items[i] != NULL; i++) {
    if (!g_ascii_string_to_unsigned (items[i], 10, 1, most, NULL, NULL)) {
      g_set_error (error, BENCH_ERROR, BENCH_ERROR_USAGE, "--streams: \"%s\" is not a number from 1 to %u", items[i],
                   most);
      return FALSE;
    }
  }
  return TRUE;
}
