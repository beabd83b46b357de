/* gst-cca: writes the files of an index
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zstd.h>

#include "array.h"
#include "codec.h"
#include "file.h"
#include "layout.h"

#define FULL_BYTES (256u << 10)
#define FULL_NS 60000000000u
#define LEVEL 9 /* a block takes some milliseconds */

struct GstCcaIndexWriter
{
  int fd;
  uint64_t size;
  GstCcaIndexCodec *codec;
  GstCcaIndexBytes frames; /* of the block */
  uint32_t n_frames;
  uint64_t first_pts, first_utc, last_utc;
  ZSTD_CCtx *zstd;
  uint8_t *block;
  size_t room;
};

static bool
write_all (GstCcaIndexWriter *writer, const uint8_t *bytes, size_t n)
{
  while (n > 0) {
    const ssize_t written = write (writer->fd, bytes, n);

    if (written < 0 && errno == EINTR)
      continue;
    if (written < 0)
      return false;
    bytes += written;
    n -= (size_t) written;
    writer->size += (size_t) written;
  }
  return true;
}

static bool
write_head (GstCcaIndexWriter *writer, const GstCcaIndexHead *head)
{
  const size_t length = strlen (head->camera);
  uint8_t bytes[GST_CCA_INDEX_HEAD_SIZE + GST_CCA_INDEX_MOST_NAME], *at = bytes + GST_CCA_INDEX_MAGIC_SIZE;

  if (length > GST_CCA_INDEX_MOST_NAME) {
    errno = ENAMETOOLONG;
    return false;
  }
  memcpy (bytes, GST_CCA_INDEX_MAGIC, GST_CCA_INDEX_MAGIC_SIZE);
  gst_cca_index_store (at, GST_CCA_INDEX_VERSION, 4);
  gst_cca_index_store (at + 4, head->session, 8);
  gst_cca_index_store (at + 12, head->number, 4);
  gst_cca_index_store (at + 16, length, 4);
  memcpy (at + 20, head->camera, length);
  return write_all (writer, bytes, GST_CCA_INDEX_HEAD_SIZE + length);
}

static void
writer_free (GstCcaIndexWriter *writer)
{
  gst_cca_index_codec_free (writer->codec);
  ZSTD_freeCCtx (writer->zstd);
  free (writer->frames.data);
  free (writer->block);
  free (writer);
}

GstCcaIndexWriter *
gst_cca_index_writer_new (const char *path, const GstCcaIndexHead *head)
{
  GstCcaIndexWriter *writer = calloc (1, sizeof *writer);
  int error;

  if (writer == NULL)
    return NULL;
  writer->codec = gst_cca_index_codec_new ();
  writer->zstd = ZSTD_createCCtx ();
  if (writer->codec == NULL || writer->zstd == NULL) {
    writer_free (writer);
    errno = ENOMEM;
    return NULL;
  }
  ZSTD_CCtx_setParameter (writer->zstd, ZSTD_c_compressionLevel, LEVEL);
  ZSTD_CCtx_setParameter (writer->zstd, ZSTD_c_checksumFlag, 1);
  writer->fd = open (path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
  if (writer->fd >= 0 && write_head (writer, head))
    return writer;
  error = errno;
  if (writer->fd >= 0) {
    close (writer->fd);
    unlink (path);
  }
  writer_free (writer);
  errno = error;
  return NULL;
}

/* Writes a block at once, that readers find it whole or not at all. */
static bool
write_block (GstCcaIndexWriter *writer)
{
  const size_t most = ZSTD_compressBound (writer->frames.n);
  uint8_t *head;
  size_t size = 0;

  if (!GST_CCA_RESERVE (writer->block, writer->room, GST_CCA_INDEX_BLOCK_SIZE + most)) {
    errno = ENOMEM;
    return false;
  }
  head = writer->block;
  if (writer->n_frames > 0)
    size = ZSTD_compress2 (writer->zstd, head + GST_CCA_INDEX_BLOCK_SIZE, most, writer->frames.data, writer->frames.n);
  if (ZSTD_isError (size)) {
    errno = ENOMEM;
    return false;
  }
  gst_cca_index_store (head, GST_CCA_INDEX_BLOCK_MAGIC, 4);
  gst_cca_index_store (head + 4, size, 4);
  gst_cca_index_store (head + 8, writer->frames.n, 4);
  gst_cca_index_store (head + 12, writer->n_frames, 4);
  gst_cca_index_store (head + 16, writer->first_utc, 8);
  gst_cca_index_store (head + 24, writer->last_utc, 8);
  gst_cca_index_store (head + 32, gst_cca_index_check (head), 4);
  return write_all (writer, head, GST_CCA_INDEX_BLOCK_SIZE + size);
}

static void
begin_block (GstCcaIndexWriter *writer)
{
  gst_cca_index_codec_reset (writer->codec);
  writer->frames.n = 0;
  writer->n_frames = 0;
  writer->first_utc = writer->last_utc = GST_CCA_INDEX_NEVER;
}

static void
note_times (GstCcaIndexWriter *writer, const GstCcaIndexFrame *frame)
{
  if (writer->n_frames == 0)
    writer->first_pts = frame->pts;
  if (frame->utc == GST_CCA_INDEX_NEVER)
    return;
  if (writer->first_utc == GST_CCA_INDEX_NEVER || frame->utc < writer->first_utc)
    writer->first_utc = frame->utc;
  if (writer->last_utc == GST_CCA_INDEX_NEVER || frame->utc > writer->last_utc)
    writer->last_utc = frame->utc;
}

/* Whether the block has all the frames that it should; times may go back. */
static bool
is_full (const GstCcaIndexWriter *writer, const GstCcaIndexFrame *frame)
{
  return writer->frames.n >= FULL_BYTES || frame->pts - writer->first_pts >= FULL_NS;
}

bool
gst_cca_index_writer_add (GstCcaIndexWriter *writer, const GstCcaIndexFrame *frame)
{
  if (writer->n_frames > 0 && is_full (writer, frame)) {
    if (!write_block (writer))
      return false;
    writer->n_frames = 0;
  }
  if (writer->n_frames == 0)
    begin_block (writer);
  note_times (writer, frame);
  if (!gst_cca_index_encode (writer->codec, frame, &writer->frames)) {
    writer->frames.failed = true;
    errno = ENOMEM;
    return false;
  }
  writer->n_frames++;
  if (writer->frames.n <= GST_CCA_INDEX_MOST_BYTES)
    return true;
  errno = EFBIG;
  return false;
}

bool
gst_cca_index_writer_close (GstCcaIndexWriter *writer, uint64_t *size)
{
  const bool usable = !writer->frames.failed && writer->frames.n <= GST_CCA_INDEX_MOST_BYTES;
  bool done = !usable || writer->n_frames == 0 || write_block (writer);
  int error = errno;

  if (done) {
    begin_block (writer);
    done = write_block (writer);
    error = errno;
  }
  if (close (writer->fd) != 0 && done) {
    done = false;
    error = errno;
  }
  *size = writer->size;
  writer_free (writer);
  errno = error;
  return done;
}

uint64_t
gst_cca_index_writer_size (const GstCcaIndexWriter *writer)
{
  return writer->size;
}
