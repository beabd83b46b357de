/* gst-cca: the plugin ccaonvif, apart from the others because it needs libxml2
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "gstccaonvif.h"
#include "gstccaonvifpay.h"

#include <libxml/parser.h>

static gboolean
plugin_init (GstPlugin *plugin)
{
  /* Before any thread writes. */
  xmlInitParser ();
  return GST_ELEMENT_REGISTER (ccaonvif, plugin) && GST_ELEMENT_REGISTER (ccaonvifpay, plugin);
}

GST_PLUGIN_DEFINE (GST_VERSION_MAJOR, GST_VERSION_MINOR, ccaonvif, "Results of video analysis as ONVIF metadata",
                   plugin_init, VERSION, "LGPL", GST_PACKAGE_NAME, GST_PACKAGE_ORIGIN)
