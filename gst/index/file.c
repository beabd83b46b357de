/* gst-cca: writes and reads the files of an index
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "file.h"

#include "array.h"
#include "codec.h"
#include "layout.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zstd.h>

/* --- Writing ------------------------------------------------------------------------------------------ */

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

/* --- Reading ------------------------------------------------------------------------------------------ */

struct GstCcaIndexReader
{
  int fd;
  uint64_t file_size;
  GstCcaIndexHead head;
  char camera[GST_CCA_INDEX_MOST_NAME + 1];
  GstCcaIndexBlock *blocks;
  size_t n_blocks, room_blocks;
  GstCcaIndexEnd end;
  uint64_t end_at;
  GstCcaIndexCodec *codec;
  ZSTD_DCtx *zstd;
  uint8_t *compressed, *raw;
  size_t room_compressed, room_raw;
  size_t block; /* that is loaded */
  uint32_t n_left;
  GstCcaIndexCursor cursor;
};

/* Returns how many bytes there were, fewer at the file's end or after an error. */
static size_t
read_at (const GstCcaIndexReader *reader, uint64_t offset, void *to, size_t n)
{
  size_t done = 0;

  while (done < n) {
    const ssize_t got = pread (reader->fd, (uint8_t *) to + done, n - done, (off_t) (offset + done));

    if (got < 0 && errno == EINTR)
      continue;
    if (got <= 0)
      break;
    done += (size_t) got;
  }
  return done;
}

static bool
fail (char *error, const char *text)
{
  snprintf (error, GST_CCA_INDEX_ERROR_SIZE, "%s", text);
  return false;
}

static bool
read_head (GstCcaIndexReader *reader, uint64_t *end, char *error)
{
  uint8_t bytes[GST_CCA_INDEX_HEAD_SIZE];
  const uint8_t *at = bytes + GST_CCA_INDEX_MAGIC_SIZE;
  uint64_t version, length;

  if (read_at (reader, 0, bytes, sizeof bytes) < sizeof bytes
      || memcmp (bytes, GST_CCA_INDEX_MAGIC, GST_CCA_INDEX_MAGIC_SIZE) != 0)
    return fail (error, "is no index of ccaindex");
  version = gst_cca_index_fetch (at, 4);
  if (version != GST_CCA_INDEX_VERSION) {
    snprintf (error, GST_CCA_INDEX_ERROR_SIZE,
              "is an index of version %" PRIu64 ", and this program reads version %d: use the one that goes with it",
              version, GST_CCA_INDEX_VERSION);
    return false;
  }
  length = gst_cca_index_fetch (at + 16, 4);
  if (length > GST_CCA_INDEX_MOST_NAME
      || read_at (reader, GST_CCA_INDEX_HEAD_SIZE, reader->camera, (size_t) length) < length
      || memchr (reader->camera, 0, (size_t) length) != NULL)
    return fail (error, "is damaged at its beginning");
  reader->head = (GstCcaIndexHead) {
    .session = gst_cca_index_fetch (at + 4, 8),
    .number = (uint32_t) gst_cca_index_fetch (at + 12, 4),
    .camera = reader->camera,
  };
  *end = GST_CCA_INDEX_HEAD_SIZE + length;
  return true;
}

/* Reads the head of the block at an offset. Returns FALSE if there is none that is whole. */
static bool
read_block_head (const GstCcaIndexReader *reader, uint64_t offset, GstCcaIndexBlock *block)
{
  uint8_t bytes[GST_CCA_INDEX_BLOCK_SIZE];

  if (read_at (reader, offset, bytes, sizeof bytes) < sizeof bytes
      || gst_cca_index_fetch (bytes, 4) != GST_CCA_INDEX_BLOCK_MAGIC
      || gst_cca_index_fetch (bytes + 32, 4) != gst_cca_index_check (bytes))
    return false;
  *block = (GstCcaIndexBlock) {
    .offset = offset + sizeof bytes,
    .size = (uint32_t) gst_cca_index_fetch (bytes + 4, 4),
    .raw_size = (uint32_t) gst_cca_index_fetch (bytes + 8, 4),
    .n_frames = (uint32_t) gst_cca_index_fetch (bytes + 12, 4),
    .first_utc = gst_cca_index_fetch (bytes + 16, 8),
    .last_utc = gst_cca_index_fetch (bytes + 24, 8),
  };
  return block->raw_size <= GST_CCA_INDEX_MOST_BYTES && block->n_frames <= block->raw_size
         && block->size <= ZSTD_compressBound (block->raw_size) && block->offset + block->size <= reader->file_size;
}

static bool
find_blocks (GstCcaIndexReader *reader, uint64_t offset, char *error)
{
  GstCcaIndexBlock block;

  reader->end = GST_CCA_INDEX_OPEN;
  while (read_block_head (reader, offset, &block)) {
    offset = block.offset + block.size;
    if (block.n_frames == 0) {
      reader->end = GST_CCA_INDEX_ENDED;
      break;
    }
    if (!GST_CCA_RESERVE (reader->blocks, reader->room_blocks, reader->n_blocks + 1))
      return fail (error, "has too many blocks for the memory");
    reader->blocks[reader->n_blocks++] = block;
  }
  reader->end_at = offset;
  if (offset < reader->file_size)
    reader->end = GST_CCA_INDEX_DAMAGED;
  return true;
}

GstCcaIndexReader *
gst_cca_index_reader_open (const char *path, char *error)
{
  GstCcaIndexReader *reader = calloc (1, sizeof *reader);
  struct stat status;
  uint64_t offset;

  if (reader == NULL) {
    fail (error, "cannot be read: no memory");
    return NULL;
  }
  reader->fd = open (path, O_RDONLY | O_CLOEXEC);
  if (reader->fd < 0 || fstat (reader->fd, &status) != 0 || !S_ISREG (status.st_mode)) {
    snprintf (error, GST_CCA_INDEX_ERROR_SIZE, "cannot be read: %s",
              reader->fd < 0 ? strerror (errno) : "it is no regular file");
    gst_cca_index_reader_free (reader);
    return NULL;
  }
  reader->file_size = (uint64_t) status.st_size;
  reader->codec = gst_cca_index_codec_new ();
  reader->zstd = ZSTD_createDCtx ();
  if (reader->codec == NULL || reader->zstd == NULL)
    fail (error, "cannot be read: no memory");
  else if (read_head (reader, &offset, error) && find_blocks (reader, offset, error))
    return reader;
  gst_cca_index_reader_free (reader);
  return NULL;
}

void
gst_cca_index_reader_free (GstCcaIndexReader *reader)
{
  if (reader == NULL)
    return;
  if (reader->fd >= 0)
    close (reader->fd);
  gst_cca_index_codec_free (reader->codec);
  ZSTD_freeDCtx (reader->zstd);
  free (reader->blocks);
  free (reader->compressed);
  free (reader->raw);
  free (reader);
}

const GstCcaIndexHead *
gst_cca_index_reader_head (const GstCcaIndexReader *reader)
{
  return &reader->head;
}

const GstCcaIndexBlock *
gst_cca_index_reader_blocks (const GstCcaIndexReader *reader, size_t *n)
{
  *n = reader->n_blocks;
  return reader->blocks;
}

GstCcaIndexEnd
gst_cca_index_reader_end (const GstCcaIndexReader *reader, uint64_t *size)
{
  if (size != NULL)
    *size = reader->end_at;
  return reader->end;
}

static bool
fail_at (const GstCcaIndexReader *reader, char *error)
{
  snprintf (error, GST_CCA_INDEX_ERROR_SIZE, "is damaged in the block at byte %" PRIu64,
            reader->blocks[reader->block].offset);
  return false;
}

bool
gst_cca_index_reader_load (GstCcaIndexReader *reader, size_t index, char *error)
{
  const GstCcaIndexBlock *block = &reader->blocks[index];

  reader->block = index;
  reader->n_left = 0;
  gst_cca_index_codec_reset (reader->codec);
  if (!GST_CCA_RESERVE (reader->compressed, reader->room_compressed, block->size)
      || !GST_CCA_RESERVE (reader->raw, reader->room_raw, block->raw_size))
    return fail (error, "cannot be read: no memory");
  if (read_at (reader, block->offset, reader->compressed, block->size) < block->size
      || ZSTD_decompressDCtx (reader->zstd, reader->raw, block->raw_size, reader->compressed, block->size)
             != block->raw_size)
    return fail_at (reader, error);
  reader->cursor = (GstCcaIndexCursor) { .at = reader->raw, .end = reader->raw + block->raw_size };
  reader->n_left = block->n_frames;
  return true;
}

int
gst_cca_index_reader_next (GstCcaIndexReader *reader, GstCcaIndexFrame *frame, char *error)
{
  if (reader->n_left == 0)
    return 0;
  reader->n_left--;
  if (gst_cca_index_decode (reader->codec, &reader->cursor, frame)
      && (reader->n_left > 0 || reader->cursor.at == reader->cursor.end))
    return 1;
  fail_at (reader, error);
  reader->n_left = 0;
  return -1;
}
