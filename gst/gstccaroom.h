/* gst-cca: whether there is memory for many small blocks
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#ifndef GST_CCA_ROOM_H
#define GST_CCA_ROOM_H

#include <glib.h>

G_BEGIN_DECLS

/* Returns whether there is memory for that many bytes in small blocks. GLib ends the process if it finds none for a
 * small block, so call this before you allocate thousands of them. */
gboolean gst_cca_has_room (gsize bytes);

G_END_DECLS

#endif
