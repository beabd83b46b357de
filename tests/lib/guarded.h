/* gst-cca: images with guard bytes around every row
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cca/cca.h"

/* How an image is stored: the first row `offset` bytes after an aligned address, with `gap` bytes between rows. */
typedef struct
{
  uint32_t offset, gap;
  CcaMemory memory;
  bool pinned;      /* HOST: by CUDA */
  void *context;    /* for DEVICE, or to pin; see device.h */
  CcaFormat format; /* of an input image; GRAY8 unless a test sets another */
} Layout;

extern const Layout layouts[]; /* from no offset and gap to odd ones, in host memory */
extern const size_t n_layouts;

typedef struct
{
  CcaImage image;
  Layout layout;
  uint8_t *block, *rows; /* owned; rows: the first row */
  uint8_t *device;       /* owned: DEVICE memory, whose copy in host memory is the block; else NULL */
  size_t size, row_bytes;
} Guarded;

/* Allocates an image, whose pixels have a value that no output has. With AddressSanitizer touching a guard byte in host
 * memory is an error; otherwise guarded_is_intact() finds a changed one. */
void guarded_init (Guarded *guarded, uint32_t width, uint32_t height, uint32_t pixel_size, Layout layout);
void guarded_clear (Guarded *guarded);

/* Copies pixels without gaps into the rows. */
void guarded_fill (Guarded *guarded, const uint8_t *pixels);
/* Copy DEVICE memory before and after its use there; no-ops for HOST. The functions below see the host's copy. */
void guarded_upload (const Guarded *guarded);
void guarded_download (Guarded *guarded);
uint8_t *guarded_row (const Guarded *guarded, uint32_t y);
/* Returns whether all bytes outside the rows are unchanged. */
bool guarded_is_intact (Guarded *guarded);
