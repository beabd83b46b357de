/* gst-cca: polygons from JSON, for the elements that find components
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#ifndef GST_CCA_REGION_READER_TYPE_H
#define GST_CCA_REGION_READER_TYPE_H

#include <gst/gst.h>

G_BEGIN_DECLS

/* Registers the type of gst/region/reader.h. */
gboolean gst_cca_region_reader_register (GstPlugin *plugin);

G_END_DECLS

#endif
