/* gst-cca: the plugin
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "analysis/gstccabase.h"

GST_ELEMENT_REGISTER_DECLARE (ccacombiner);
GST_ELEMENT_REGISTER_DECLARE (ccagate);
GST_ELEMENT_REGISTER_DECLARE (ccaoverlay);
GST_ELEMENT_REGISTER_DECLARE (ccatrack);

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
  return GST_ELEMENT_REGISTER (ccacombiner, plugin) && GST_ELEMENT_REGISTER (ccaoverlay, plugin)
         && GST_ELEMENT_REGISTER (ccatrack, plugin) && GST_ELEMENT_REGISTER (ccagate, plugin);
}

GST_PLUGIN_DEFINE (GST_VERSION_MAJOR, GST_VERSION_MINOR, cca, "Connected components of video", plugin_init, VERSION,
                   "LGPL", GST_PACKAGE_NAME, GST_PACKAGE_ORIGIN)
