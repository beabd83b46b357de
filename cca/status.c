/* gst-cca: status codes and the text of the last error
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "cca/status.h"

#include <stdarg.h>
#include <stdio.h>

static _Thread_local char last_error[512];

const char *
cca_status_text (CcaStatus status)
{
  switch (status) {
    case CCA_OK: return "no error";
    case CCA_ERROR_INVALID: return "invalid argument";
    case CCA_ERROR_UNSUPPORTED: return "not supported";
    case CCA_ERROR_UNAVAILABLE: return "not available here";
    case CCA_ERROR_MEMORY: return "out of memory";
    case CCA_ERROR_DEVICE: return "device failure";
  }
  return "unknown status";
}

const char *
cca_last_error (void)
{
  return last_error;
}

CcaStatus
cca_fail (CcaStatus status, const char *format, ...)
{
  va_list args;

  va_start (args, format);
  vsnprintf (last_error, sizeof last_error, format, args);
  va_end (args);
  return status;
}

const char *
cca_version (void)
{
  return CCA_VERSION;
}
