/* gst-cca: images with guard bytes around every row
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "guarded.h"

#include "device.h"

#include <stdlib.h>
#include <string.h>

#include <glib.h>

#if defined(__SANITIZE_ADDRESS__)
#define HAVE_ASAN 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define HAVE_ASAN 1
#endif
#endif

#ifdef HAVE_ASAN
#include <sanitizer/asan_interface.h>
#define POISON(address, size) ASAN_POISON_MEMORY_REGION (address, size)
#define UNPOISON(address, size) ASAN_UNPOISON_MEMORY_REGION (address, size)
#else
#define POISON(address, size) ((void) (address), (void) (size))
#define UNPOISON(address, size) ((void) (address), (void) (size))
#endif

/* Bytes before the first row and behind the last one; more than the widest vector. */
#define MARGIN 192
#define ALIGNMENT 64

const Layout layouts[] = { { 0, 0 }, { 1, 1 }, { 3, 5 }, { 0, 64 }, { 7, 31 }, { 33, 2 }, { 63, 129 } };
const size_t n_layouts = G_N_ELEMENTS (layouts);

/* Values that change from byte to byte, so that reading them would also change results. */
static uint8_t
guard_value (size_t i)
{
  return (uint8_t) ((i * 151) >> 2 | 1);
}

/* Calls step for the bytes before, between and behind the rows; whether all calls gave true. */
static bool
for_each_gap (Guarded *guarded, bool (*step) (const Guarded *guarded, uint8_t *bytes, size_t n))
{
  const CcaImage *image = &guarded->image;
  uint8_t *gap = guarded->block, *row = guarded->rows;
  bool all = true;

  for (uint32_t y = 0; y < image->height; y++, row += image->pitch) {
    all &= step (guarded, gap, (size_t) (row - gap));
    gap = row + guarded->row_bytes;
  }
  return all & step (guarded, gap, (size_t) (guarded->block + guarded->size - gap));
}

/* Poisons a gap, except in the host's copy of device memory, which is accessed as a whole. */
static void
poison_gap (const Guarded *guarded, uint8_t *bytes, size_t n)
{
  if (guarded->device == NULL)
    POISON (bytes, n);
}

static bool
fill_gap (const Guarded *guarded, uint8_t *bytes, size_t n)
{
  for (size_t i = 0; i < n; i++)
    bytes[i] = guard_value ((size_t) (bytes - guarded->block) + i);
  poison_gap (guarded, bytes, n);
  return true;
}

static bool
check_gap (const Guarded *guarded, uint8_t *bytes, size_t n)
{
  bool intact = true;

  UNPOISON (bytes, n);
  for (size_t i = 0; i < n; i++)
    intact &= bytes[i] == guard_value ((size_t) (bytes - guarded->block) + i);
  poison_gap (guarded, bytes, n);
  return intact;
}

void
guarded_init (Guarded *guarded, uint32_t width, uint32_t height, uint32_t pixel_size, Layout layout)
{
  const size_t row_bytes = (size_t) width * pixel_size, pitch = row_bytes + layout.gap;
  size_t size = MARGIN + layout.offset + (height - 1) * pitch + row_bytes + MARGIN;
  uint8_t *block, *device = NULL;

  size = (size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
  block = aligned_alloc (ALIGNMENT, size);
  g_assert_nonnull (block);
  memset (block, 0x5a, size);
  if (layout.memory == CCA_MEMORY_DEVICE)
    device = device_alloc (layout.context, size);
  if (layout.pinned)
    device_pin (layout.context, block, size);
  *guarded = (Guarded) { .image = { .data = (device ? device : block) + MARGIN + layout.offset,
                                    .pitch = (ptrdiff_t) pitch,
                                    .width = width,
                                    .height = height,
                                    .memory = layout.memory },
                         .layout = layout,
                         .block = block,
                         .rows = block + MARGIN + layout.offset,
                         .device = device,
                         .size = size,
                         .row_bytes = row_bytes };
  for_each_gap (guarded, fill_gap);
}

void
guarded_clear (Guarded *guarded)
{
  UNPOISON (guarded->block, guarded->size);
  if (guarded->layout.pinned)
    device_unpin (guarded->layout.context, guarded->block);
  free (guarded->block);
  guarded->block = NULL;
  device_free (guarded->layout.context, guarded->device);
  guarded->device = NULL;
}

void
guarded_upload (const Guarded *guarded)
{
  if (guarded->device)
    device_upload (guarded->layout.context, guarded->device, guarded->block, guarded->size);
}

void
guarded_download (Guarded *guarded)
{
  if (guarded->device)
    device_download (guarded->layout.context, guarded->block, guarded->device, guarded->size);
}

void
guarded_fill (Guarded *guarded, const uint8_t *pixels)
{
  for (uint32_t y = 0; y < guarded->image.height; y++)
    memcpy (guarded_row (guarded, y), pixels + y * guarded->row_bytes, guarded->row_bytes);
}

uint8_t *
guarded_row (const Guarded *guarded, uint32_t y)
{
  return guarded->rows + y * guarded->image.pitch;
}

bool
guarded_is_intact (Guarded *guarded)
{
  return for_each_gap (guarded, check_gap);
}
