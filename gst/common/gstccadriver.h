/* gst-cca: functions and errors of the CUDA driver that libgstcuda does not offer
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <gst/gst.h>

/* A function of libcuda.so.1 that libgstcuda does not offer, or NULL. */
gpointer gst_cca_cuda_function (const gchar *name);

/* Whether a CUresult is a success; else the error says which part of the element failed in what, and why. */
gboolean gst_cca_cuda_check (gint result, GstResourceError code, const gchar *part, const gchar *what, GError **error);
