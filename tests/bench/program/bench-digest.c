/* gst-cca: a digest of label images that does not depend on how components are numbered
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "bench-digest.h"

void
bench_digest_add (GChecksum *digest, guint32 *labels, const guint8 *mask, gsize n_pixels)
{
  g_autoptr (GHashTable) numbers = g_hash_table_new (NULL, NULL);
  guint32 label = 0, number = 0; /* of the pixel before */

  for (gsize i = 0; i < n_pixels; i++) {
    if (mask != NULL ? mask[i] == 0 : labels[i] == 0) {
      labels[i] = 0;
      continue;
    }
    if (number == 0 || labels[i] != label) {
      label = labels[i];
      number = GPOINTER_TO_UINT (g_hash_table_lookup (numbers, GUINT_TO_POINTER (label)));
      if (number == 0) {
        number = g_hash_table_size (numbers) + 1;
        g_hash_table_insert (numbers, GUINT_TO_POINTER (label), GUINT_TO_POINTER (number));
      }
    }
    labels[i] = GUINT32_TO_LE (number);
  }
  g_checksum_update (digest, (const guchar *) labels, (gssize) (n_pixels * sizeof *labels));
}
