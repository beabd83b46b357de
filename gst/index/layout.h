/* gst-cca: where the numbers of an index's files are
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <stdint.h>

#define GST_CCA_INDEX_MAGIC "CCAINDEX"
#define GST_CCA_INDEX_MAGIC_SIZE 8
#define GST_CCA_INDEX_HEAD_SIZE (GST_CCA_INDEX_MAGIC_SIZE + 4 + 8 + 4 + 4) /* the name follows */
#define GST_CCA_INDEX_BLOCK_MAGIC 0x42414343u                              /* "CCAB" */
#define GST_CCA_INDEX_BLOCK_SIZE (4 * 4 + 2 * 8 + 4)                       /* the frames follow */

static inline void
gst_cca_index_store (uint8_t *to, uint64_t value, int size)
{
  for (int i = 0; i < size; i++)
    to[i] = (uint8_t) (value >> (8 * i));
}

static inline uint64_t
gst_cca_index_fetch (const uint8_t *from, int size)
{
  uint64_t value = 0;

  for (int i = 0; i < size; i++)
    value |= (uint64_t) from[i] << (8 * i);
  return value;
}

/* FNV-1a of a block's numbers. */
static inline uint32_t
gst_cca_index_check (const uint8_t *bytes)
{
  uint32_t hash = 2166136261u;

  for (int i = 0; i < GST_CCA_INDEX_BLOCK_SIZE - 4; i++)
    hash = (hash ^ bytes[i]) * 16777619u;
  return hash;
}
