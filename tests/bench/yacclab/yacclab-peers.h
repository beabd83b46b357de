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

/* Returns 4 or 8; 0 if the library has no such algorithm. */
int yacclab_connectivity (const char *name);

/* Labels an image in device memory and waits. Pixels are 0 or 1; labels are 0 where pixels are 0, and unique for each
 * component. Rows have no gaps; width is a multiple of 4; pixels and labels must be aligned to 16 bytes. Returns NULL
 * or the error, valid until the next call. */
const char *yacclab_label (const char *name, const unsigned char *pixels, unsigned int *labels, int width, int height);

#ifdef __cplusplus
}
#endif

#endif
