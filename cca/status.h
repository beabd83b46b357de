/* gst-cca: errors with a text
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include "cca/cca.h"

/* Sets the sentence of cca_last_error() and returns status. */
CcaStatus cca_fail (CcaStatus status, const char *format, ...) __attribute__ ((format (printf, 2, 3)));

/* Fails because an argument of the calling function is NULL. */
#define cca_fail_null(argument) cca_fail (CCA_ERROR_INVALID, "%s: %s is NULL", __func__, argument)
