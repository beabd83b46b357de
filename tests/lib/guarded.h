/* gst-cca: images with guard bytes around every row
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#ifndef GUARDED_H
#define GUARDED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cca/cca.h"

/* How rows lie in memory: the first one `offset` bytes behind an aligned address, `gap` bytes between rows. */
typedef struct
{
  uint32_t offset, gap;
} Layout;

extern const Layout layouts[]; /* from none at all to odd ones */
extern const size_t n_layouts;

typedef struct
{
  CcaImage image;
  uint8_t *block; /* owned */
  size_t size, row_bytes;
} Guarded;

/* Pixels are cleared to a value that no output holds. With AddressSanitizer touching a guard byte is an error; without, a
 * changed one is found by guarded_is_intact(). */
void guarded_init (Guarded *guarded, uint32_t width, uint32_t height, uint32_t pixel_size, Layout layout);
void guarded_clear (Guarded *guarded);

/* Fills the rows from pixels without gaps. */
void guarded_fill (Guarded *guarded, const uint8_t *pixels);
uint8_t *guarded_row (const Guarded *guarded, uint32_t y);
/* Whether all bytes outside of the rows are as they were. */
bool guarded_is_intact (Guarded *guarded);

#endif
