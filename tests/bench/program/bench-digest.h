/* gst-cca: a digest of label images that does not depend on how components are numbered
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <glib.h>

/* Numbers the components of an image 1, 2, … in raster order of their first pixels, and adds the image to a digest.
 * Label 0 is the background; with a mask, pixels that are 0 in it are background, whatever their labels. */
void bench_digest_add (GChecksum *digest, guint32 *labels, const guint8 *mask, gsize n_pixels);
