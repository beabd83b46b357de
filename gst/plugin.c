/* gst-cca: the plugin
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "analysis/gstccabase.h"

/* The build lists the other elements: GST_CCA_ELEMENTS(F) is F (name) for each. */
#define DECLARE(name) GST_ELEMENT_REGISTER_DECLARE (name);
#define REGISTER(name) &&GST_ELEMENT_REGISTER (name, plugin)

GST_CCA_ELEMENTS (DECLARE)

static const GstCcaBackend backends[] = {
  { CCA_BACKEND_CPU, "", "Gst", "on the CPU", NULL },
  { CCA_BACKEND_CUDA, "cuda", "GstCuda", "on an NVIDIA GPU", "" },
};

static gboolean
plugin_init (GstPlugin *plugin)
{
  for (guint i = 0; i < G_N_ELEMENTS (backends); i++) {
    if (!gst_cca_register (plugin, &backends[i]) || !gst_ccl_register (plugin, &backends[i]))
      return FALSE;
  }
  return TRUE GST_CCA_ELEMENTS (REGISTER);
}

GST_PLUGIN_DEFINE (GST_VERSION_MAJOR, GST_VERSION_MINOR, cca, "Connected components of video", plugin_init, VERSION,
                   "LGPL", GST_PACKAGE_NAME, GST_PACKAGE_ORIGIN)
