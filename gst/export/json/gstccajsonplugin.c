/* gst-cca: the plugin ccajson
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "gstccajson.h"

static gboolean
plugin_init (GstPlugin *plugin)
{
  return GST_ELEMENT_REGISTER (ccajson, plugin);
}

GST_PLUGIN_DEFINE (GST_VERSION_MAJOR, GST_VERSION_MINOR, ccajson, "Results of video analysis as JSON", plugin_init,
                   VERSION, "LGPL", GST_PACKAGE_NAME, GST_PACKAGE_ORIGIN)
