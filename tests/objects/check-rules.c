/* gst-cca: says of each file whether ccazones would take it
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * usage: check-rules FILE...    A line for each: nothing, or the error's text.
 */
#include "gst/zones/gstccazonesconfig.h"

int
main (int argc, char **argv)
{
  for (int i = 1; i < argc; i++) {
    g_autoptr (GError) error = NULL;
    g_autoptr (GstCcaZonesConfig) config = gst_cca_zones_config_load (argv[i], &error);

    g_print ("%s\n", config ? "" : error->message);
  }
  return 0;
}
