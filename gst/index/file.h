/* gst-cca: the files of an index: a head, blocks of compressed frames, an end
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Numbers are little-endian. The head: "CCAINDEX", version (4 bytes), session (8), number of the file in its session
 * (4), length of the camera's name (4), the name. A block: "CCAB", bytes of frames compressed and not (4 each), frames
 * (4), first and last UTC (8 each, GST_CCA_INDEX_NEVER if not known), FNV-1a of these (4); then the frames, compressed
 * by zstd with its checksum. A block without frames is the end.
 *
 * A file whose writer died is read as far as its blocks are whole: each is written at once, and none is changed later.
 * So it may also be read while it is being written.
 */
#pragma once

#include "frame.h"

#define GST_CCA_INDEX_VERSION 1
#define GST_CCA_INDEX_MOST_BYTES (4u << 20) /* of a block's frames */
#define GST_CCA_INDEX_MOST_NAME 1024        /* bytes of a camera's name */

#define GST_CCA_INDEX_ERROR_SIZE 200

/* --- Writing ------------------------------------------------------------------------------------------ */

typedef struct
{
  uint64_t session; /* the same for the files of one run, and no other's */
  uint32_t number;  /* of the file in its session, from 0 */
  const char *camera;
} GstCcaIndexHead;

typedef struct GstCcaIndexWriter GstCcaIndexWriter;

/* Makes a new file. Returns NULL and sets errno if that fails, to EEXIST if there is one already. */
GstCcaIndexWriter *gst_cca_index_writer_new (const char *path, const GstCcaIndexHead *head);

/* Adds a frame. It is in the file when its block is full: after a minute or 256 KiB. Returns FALSE and sets errno if a
 * block cannot be written or memory is exhausted, to EFBIG if the frame has too many components for a block; then the
 * writer must be closed. */
bool gst_cca_index_writer_add (GstCcaIndexWriter *writer, const GstCcaIndexFrame *frame);

/* Writes the last block and the end, and frees the writer. Sets *size to the bytes of the file. Returns FALSE and sets
 * errno if that failed. */
bool gst_cca_index_writer_close (GstCcaIndexWriter *writer, uint64_t *size);

uint64_t gst_cca_index_writer_size (const GstCcaIndexWriter *writer); /* bytes in the file */

/* --- Reading ------------------------------------------------------------------------------------------ */

typedef enum
{
  GST_CCA_INDEX_ENDED,  /* the writer closed it */
  GST_CCA_INDEX_OPEN,   /* it stops behind a block: it is being written, or the writer died */
  GST_CCA_INDEX_DAMAGED /* it stops within a block, or the next bytes are not a block */
} GstCcaIndexEnd;

typedef struct
{
  uint64_t offset; /* of its compressed frames */
  uint32_t size, raw_size, n_frames;
  uint64_t first_utc, last_utc; /* the least and the greatest; or GST_CCA_INDEX_NEVER */
} GstCcaIndexBlock;

typedef struct GstCcaIndexReader GstCcaIndexReader;

/* Opens a file and finds its blocks. Returns NULL and sets error, of GST_CCA_INDEX_ERROR_SIZE bytes, to a sentence
 * without the path if it cannot be read or is no index. */
GstCcaIndexReader *gst_cca_index_reader_open (const char *path, char *error);
void gst_cca_index_reader_free (GstCcaIndexReader *reader); /* NULL is allowed */

const GstCcaIndexHead *gst_cca_index_reader_head (const GstCcaIndexReader *reader);
const GstCcaIndexBlock *gst_cca_index_reader_blocks (const GstCcaIndexReader *reader, size_t *n);
/* Returns how the file ends; *size, if not NULL, is the number of bytes up to there. */
GstCcaIndexEnd gst_cca_index_reader_end (const GstCcaIndexReader *reader, uint64_t *size);

/* Goes to the first frame of a block. Returns FALSE and sets error if it is damaged. */
bool gst_cca_index_reader_load (GstCcaIndexReader *reader, size_t block, char *error);

/* Reads the next frame of the block. Returns 1 and a frame that is valid until the next call for this reader; 0 at the
 * end of the block; -1 with error set if it is damaged. */
int gst_cca_index_reader_next (GstCcaIndexReader *reader, GstCcaIndexFrame *frame, char *error);
