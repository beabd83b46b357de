/* gst-cca: any bytes as the frames of an index, and as its files
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The first byte chooses. Frames: what is read is written and read again, and must be the same. A file: it is read to
 * its end. A block: the bytes are the frames of a block whose checksums are true, otherwise hardly one would be read.
 */
#define _GNU_SOURCE
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include <zstd.h>

#include "codec.h"
#include "file.h"
#include "fuzz.h"
#include "layout.h"

enum
{
  FRAMES,
  WHOLE_FILE,
  BLOCK,
  N_KINDS
};

static void
check (bool holds, const char *what)
{
  if (!holds)
    fuzz_fail (what);
}

static bool
same_text (const char *a, const char *b)
{
  return a == b || (a != NULL && b != NULL && strcmp (a, b) == 0);
}

static bool
same_doubles (const double *a, const double *b, size_t n)
{
  return memcmp (a, b, n * sizeof *a) == 0;
}

static void
check_tracks (const GstCcaIndexFrame *a, const GstCcaIndexFrame *b)
{
  for (size_t i = 0; i < a->n_tracks; i++) {
    const GstCcaIndexTrack *x = &a->tracks[i], *y = &b->tracks[i];

    check (x->id == y->id && x->state == y->state && x->label == y->label && x->age == y->age
               && same_text (x->kind, y->kind) && memcmp (&x->place, &y->place, sizeof x->place) == 0
               && same_doubles (x->velocity, y->velocity, 2),
           "a track differs after it was written");
  }
}

static void
check_components (const GstCcaIndexFrame *a, const GstCcaIndexFrame *b)
{
  for (size_t i = 0; i < a->n_components; i++) {
    const GstCcaIndexComponent *x = &a->components[i], *y = &b->components[i];

    check (x->label == y->label && memcmp (&x->place, &y->place, sizeof x->place) == 0
               && same_doubles (x->covariance, y->covariance, 3),
           "a component differs after it was written");
  }
}

static void
check_frames (const GstCcaIndexFrame *a, const GstCcaIndexFrame *b)
{
  const GstCcaIndexContext *x = &a->context, *y = &b->context;

  check (same_text (x->caps, y->caps) && same_text (x->id, y->id) && same_doubles (&x->rate, &y->rate, 1)
             && same_doubles (&x->applied_rate, &y->applied_rate, 1) && x->base == y->base && x->offset == y->offset
             && x->start == y->start && x->time == y->time && x->utc_source == y->utc_source
             && memcmp (x->components_size, y->components_size, sizeof x->components_size) == 0
             && memcmp (x->tracks_size, y->tracks_size, sizeof x->tracks_size) == 0,
         "a context differs after it was written");
  check (a->pts == b->pts && a->duration == b->duration && a->utc == b->utc, "times differ after they were written");
  check (a->has_components == b->has_components && a->components_stale == b->components_stale
             && a->scene_change == b->scene_change && a->learning == b->learning && a->n_found == b->n_found
             && a->n_components == b->n_components && a->has_tracks == b->has_tracks
             && a->tracks_stale == b->tracks_stale && a->n_tracks == b->n_tracks && a->has_cells == b->has_cells,
         "a frame differs after it was written");
  check_components (a, b);
  check_tracks (a, b);
  check (!a->has_cells
             || (a->cells.side == b->cells.side && a->cells.columns == b->cells.columns
                 && a->cells.rows == b->cells.rows
                 && ((size_t) a->cells.columns * a->cells.rows == 0
                     || memcmp (a->cells.cells, b->cells.cells, (size_t) a->cells.columns * a->cells.rows) == 0)),
         "cells differ after they were written");
}

static void
read_frames (const uint8_t *data, size_t size)
{
  GstCcaIndexCodec *first = gst_cca_index_codec_new (), *writer = gst_cca_index_codec_new ();
  GstCcaIndexCodec *second = gst_cca_index_codec_new ();
  GstCcaIndexCursor cursor = { .at = data, .end = data + size };
  GstCcaIndexFrame frame, again;

  while (cursor.at < cursor.end && gst_cca_index_decode (first, &cursor, &frame)) {
    GstCcaIndexBytes bytes = { 0 };
    GstCcaIndexCursor written;

    check (gst_cca_index_encode (writer, &frame, &bytes), "a frame cannot be written");
    written = (GstCcaIndexCursor) { .at = bytes.data, .end = bytes.data + bytes.n };
    check (gst_cca_index_decode (second, &written, &again), "a frame that was written cannot be read");
    check (written.at == written.end, "a frame that was written is longer than what is read");
    check_frames (&frame, &again);
    free (bytes.data);
  }
  gst_cca_index_codec_free (first);
  gst_cca_index_codec_free (writer);
  gst_cca_index_codec_free (second);
}

static void
read_file (const uint8_t *data, size_t size)
{
  const int fd = memfd_create ("index", MFD_CLOEXEC);
  char path[32], error[GST_CCA_INDEX_ERROR_SIZE] = "";
  GstCcaIndexReader *reader;
  GstCcaIndexFrame frame;
  size_t n;
  int got;

  check (fd >= 0 && write (fd, data, size) == (ssize_t) size, "no file in memory");
  snprintf (path, sizeof path, "/proc/self/fd/%d", fd);
  reader = gst_cca_index_reader_open (path, error);
  check (reader != NULL || *error != '\0', "a file is refused without a reason");
  if (reader != NULL) {
    gst_cca_index_reader_blocks (reader, &n);
    for (size_t i = 0; i < n; i++) {
      *error = '\0';
      got = gst_cca_index_reader_load (reader, i, error) ? 1 : -1;
      while (got > 0)
        got = gst_cca_index_reader_next (reader, &frame, error);
      check (got == 0 || *error != '\0', "a block is refused without a reason");
    }
  }
  gst_cca_index_reader_free (reader);
  close (fd);
}

/* Reads a file of a head and a block, whose bytes claim to be n_frames frames. */
static void
read_block (uint8_t n_frames, const uint8_t *data, size_t size)
{
  uint8_t *file = calloc (1, GST_CCA_INDEX_HEAD_SIZE + GST_CCA_INDEX_BLOCK_SIZE + ZSTD_compressBound (size));
  uint8_t *block = file + GST_CCA_INDEX_HEAD_SIZE, *frames = block + GST_CCA_INDEX_BLOCK_SIZE;
  const size_t compressed = ZSTD_compress (frames, ZSTD_compressBound (size), data, size, 1);

  memcpy (file, GST_CCA_INDEX_MAGIC, GST_CCA_INDEX_MAGIC_SIZE);
  gst_cca_index_store (file + GST_CCA_INDEX_MAGIC_SIZE, GST_CCA_INDEX_VERSION, 4);
  gst_cca_index_store (block, GST_CCA_INDEX_BLOCK_MAGIC, 4);
  gst_cca_index_store (block + 4, compressed, 4);
  gst_cca_index_store (block + 8, size, 4);
  gst_cca_index_store (block + 12, n_frames, 4);
  gst_cca_index_store (block + 32, gst_cca_index_check (block), 4);
  read_file (file, GST_CCA_INDEX_HEAD_SIZE + GST_CCA_INDEX_BLOCK_SIZE + compressed);
  free (file);
}

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  if (size < 2)
    return 0;
  switch (data[0] % N_KINDS) {
    case FRAMES: read_frames (data + 1, size - 1); break;
    case WHOLE_FILE: read_file (data + 1, size - 1); break;
    default: read_block (data[1], data + 2, size - 2);
  }
  return 0;
}
