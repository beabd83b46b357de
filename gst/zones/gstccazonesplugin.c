/* gst-cca: the plugin ccazones, apart from the others because it needs json-glib
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "gstccaregionreader.h"
#include "gstccazones.h"

static gboolean
plugin_init (GstPlugin *plugin)
{
  return GST_ELEMENT_REGISTER (ccazones, plugin) && gst_cca_region_reader_register (plugin);
}

GST_PLUGIN_DEFINE (GST_VERSION_MAJOR, GST_VERSION_MINOR, ccazones, "Zones and lines in video: counts and events",
                   plugin_init, VERSION, "LGPL", GST_PACKAGE_NAME, GST_PACKAGE_ORIGIN)
