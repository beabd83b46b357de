/* gst-cca: whether there is memory for many small blocks
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "gstccaroom.h"

/* So many are not asked for, which is what a message takes by default: whatever comes next needs as many. */
#define FEW_BYTES ((gsize) 1024 * 1024)

/* The C library gives small blocks to a thread from heaps, each of which it takes in a piece. */
#define HEAP_BYTES ((gsize) 128 * 1024 * 1024)

gboolean
gst_cca_has_room (gsize bytes)
{
  gpointer block = bytes <= FEW_BYTES ? NULL : g_try_malloc (bytes + HEAP_BYTES);

  g_free (block);
  return block || bytes <= FEW_BYTES;
}
