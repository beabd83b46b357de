/* gst-cca: reads the files of an index
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zstd.h>

#include "array.h"
#include "codec.h"
#include "file.h"
#include "layout.h"

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
