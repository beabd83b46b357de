/* gst-cca: the plugin ccabroker, apart from the others because it needs brokers' libraries
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include <gst/gst.h>

GST_ELEMENT_REGISTER_DECLARE (ccamqttsink);
GST_ELEMENT_REGISTER_DECLARE (ccakafkasink);

static gboolean
plugin_init (GstPlugin *plugin)
{
  gboolean registered = TRUE;

#ifdef HAVE_MQTT
  registered &= GST_ELEMENT_REGISTER (ccamqttsink, plugin);
#endif
#ifdef HAVE_KAFKA
  registered &= GST_ELEMENT_REGISTER (ccakafkasink, plugin);
#endif
  return registered;
}

GST_PLUGIN_DEFINE (GST_VERSION_MAJOR, GST_VERSION_MINOR, ccabroker,
                   "Sends results of video analysis to message brokers", plugin_init, VERSION, "LGPL", GST_PACKAGE_NAME,
                   GST_PACKAGE_ORIGIN)
