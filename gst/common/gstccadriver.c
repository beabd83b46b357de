/* gst-cca: functions and errors of the CUDA driver that libgstcuda does not offer
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "gstccadriver.h"

#include <gmodule.h>
#include <gst/cuda/cuda-gst.h>

gpointer
gst_cca_cuda_function (const gchar *name)
{
  static GModule *module;
  static gsize opened;
  gpointer function = NULL;

  if (g_once_init_enter (&opened)) {
    module = g_module_open ("libcuda.so.1", G_MODULE_BIND_LAZY);
    g_once_init_leave (&opened, 1);
  }
  return module && g_module_symbol (module, name, &function) ? function : NULL;
}

gboolean
gst_cca_cuda_check (gint result, GstResourceError code, const gchar *part, const gchar *what, GError **error)
{
  const char *text = NULL;

  if (result == CUDA_SUCCESS)
    return TRUE;
  CuGetErrorString ((CUresult) result, &text);
  g_set_error (error, GST_RESOURCE_ERROR, code, "%s: %s: %s", part, what, text ? text : "unknown error");
  return FALSE;
}
