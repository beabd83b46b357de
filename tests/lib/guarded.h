/* gst-cca: images with guard bytes around every row
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cca/cca.h"

/* How an image lies in memory: the first row `offset` bytes behind an aligned address, `gap` bytes between rows. */
typedef struct
{
  uint32_t offset, gap;
  CcaMemory memory;
  bool pinned;      /* by CUDA, of HOST */
  void *context;    /* of DEVICE, or that pins, as in device.h */
  CcaFormat format; /* of an input image; GRAY8 unless a test sets another */
} Layout;

extern const Layout layouts[]; /* from none at all to odd ones, in host memory */
extern const size_t n_layouts;

typedef struct
{
  CcaImage image;
  Layout layout;
  uint8_t *block, *rows; /* owned; the first row in it */
  uint8_t *device;       /* owned: what of DEVICE memory has the block as its copy in the host's; else NULL */
  size_t size, row_bytes;
} Guarded;

/* Pixels are cleared to a value that no output holds. With AddressSanitizer touching a guard byte in host memory is an
 * error; without, and in device memory, a changed one is found by guarded_is_intact(). */
void guarded_init (Guarded *guarded, uint32_t width, uint32_t height, uint32_t pixel_size, Layout layout);
void guarded_clear (Guarded *guarded);

/* Fills the rows from pixels without gaps. */
void guarded_fill (Guarded *guarded, const uint8_t *pixels);
/* For DEVICE memory, before and after its use there; nothing elsewhere. The functions below see the host's copy. */
void guarded_upload (const Guarded *guarded);
void guarded_download (Guarded *guarded);
uint8_t *guarded_row (const Guarded *guarded, uint32_t y);
/* Whether all bytes outside of the rows are as they were. */
bool guarded_is_intact (Guarded *guarded);
