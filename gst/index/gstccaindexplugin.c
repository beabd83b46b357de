/* gst-cca: the plugin ccaindex, apart from the others because it needs zstd
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include <gst/gst.h>

GST_ELEMENT_REGISTER_DECLARE (ccaindex);
GST_ELEMENT_REGISTER_DECLARE (ccaindexsrc);

static gboolean
plugin_init (GstPlugin *plugin)
{
  return GST_ELEMENT_REGISTER (ccaindex, plugin) && GST_ELEMENT_REGISTER (ccaindexsrc, plugin);
}

GST_PLUGIN_DEFINE (GST_VERSION_MAJOR, GST_VERSION_MINOR, ccaindex, "An index of what was found in video", plugin_init,
                   VERSION, "LGPL", GST_PACKAGE_NAME, GST_PACKAGE_ORIGIN)
