/* gst-cca: frames of an index as bytes
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * A frame is written as its difference from the one before it in the same block. A codec either writes or reads.
 */
#pragma once

#include "bytes.h"
#include "frame.h"

typedef struct GstCcaIndexCodec GstCcaIndexCodec;

/* Returns a codec before its first frame, or NULL if memory is exhausted. */
GstCcaIndexCodec *gst_cca_index_codec_new (void);
void gst_cca_index_codec_free (GstCcaIndexCodec *codec); /* NULL is allowed */

/* Begins a block, which can be read without those before it. */
void gst_cca_index_codec_reset (GstCcaIndexCodec *codec);

/* Appends a frame, whose tracks have ascending ids. Returns FALSE if memory is exhausted: then the codec must be reset,
 * and the bytes of the block are useless. */
bool gst_cca_index_encode (GstCcaIndexCodec *codec, const GstCcaIndexFrame *frame, GstCcaIndexBytes *bytes);

/* Reads the next frame, which is valid until the next call for this codec. Returns FALSE if the bytes are no frame, or
 * memory is exhausted: then the codec must be reset. */
bool gst_cca_index_decode (GstCcaIndexCodec *codec, GstCcaIndexCursor *cursor, GstCcaIndexFrame *frame);
