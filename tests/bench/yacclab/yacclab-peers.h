/* gst-cca: the library of YACCLAB's GPU algorithms that build.sh makes and cca-bench opens
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * One thread at a time, with a CUDA context current.
 */
#ifndef YACCLAB_PEERS_H
#define YACCLAB_PEERS_H

#ifdef __cplusplus
extern "C" {
#endif

/* 4 or 8; 0 if the library has no such algorithm. */
int yacclab_connectivity (const char *name);

/* Labels an image in device memory and waits. Pixels are 0 or 1; labels are 0 where they are 0, and each component has
 * its own. Rows follow each other without gaps; width is a multiple of 4, pixels and labels begin at multiples of 16.
 * NULL, or the error, until the next call. */
const char *yacclab_label (const char *name, const unsigned char *pixels, unsigned int *labels, int width, int height);

#ifdef __cplusplus
}
#endif

#endif
