/* gst-cca: overlaps of the components of consecutive frames
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "cca/cpu/overlaps.h"

#include <string.h>

/* --- Pairs of labels --------------------------------------------------------------------------------- */

/* Two labels and the pixels they share. Labels count from 1, so no pair has the key 0. */
typedef struct
{
  uint64_t key; /* before << 32 | now */
  uint64_t pixels;
} Pair;

/* A hash table of pairs with linear probing, at most half full. Clearing it costs as much as it has pairs, however
 * large a busier frame has made it. */
typedef struct
{
  size_t n, n_slots; /* pairs; slots, a power of two */
  uint32_t shift;    /* 64 less the bits of n_slots */
  Pair *slots;       /* all 0 if empty */
  size_t *places;    /* the slot of each pair */
} PairTable;

/* The smallest number of slots. */
#define FIRST_SLOTS 1024u

static PairTable
divide (CcaLayout *layout, size_t n_slots)
{
  PairTable table = { .n_slots = n_slots, .shift = 64 - (uint32_t) __builtin_ctzll (n_slots) };

  table.slots = cca_layout_take (layout, n_slots * sizeof *table.slots);
  table.places = cca_layout_take (layout, n_slots / 2 * sizeof *table.places);
  return table;
}

/* Adds pixels to a pair; the table must have room. Adding 0 pixels to key 0 changes nothing. Multiplicative hashing:
 * Dietzfelbinger, Hagerup, Katajainen & Penttonen, A reliable randomized algorithm for the closest-pair problem,
 * Journal of Algorithms 25, 1997, section 2; the factor is a random odd number. */
static inline void
add_pair (PairTable *table, uint64_t key, uint64_t pixels)
{
  size_t slot = key * UINT64_C (0xd8d1a5ba3c7e91b7) >> table->shift;

  while (table->slots[slot].key != key) {
    if (table->slots[slot].key == 0) {
      table->slots[slot].key = key;
      table->places[table->n++] = slot;
      break;
    }
    slot = (slot + 1) & (table->n_slots - 1);
  }
  table->slots[slot].pixels += pixels;
}

static void
add_pairs (PairTable *table, const PairTable *other)
{
  for (size_t i = 0; i < other->n; i++) {
    const Pair *pair = &other->slots[other->places[i]];

    add_pair (table, pair->key, pair->pixels);
  }
}

static void
clear_pairs (PairTable *table)
{
  for (size_t i = 0; i < table->n; i++)
    table->slots[table->places[i]] = (Pair) { 0, 0 };
  table->n = 0;
}

/* Makes room for n more pairs. */
static bool
reserve_pairs (PairTable *table, const CcaAllocator *allocator, atomic_size_t *used, size_t n)
{
  CcaLayout layout = { NULL, 0 };
  size_t n_slots = FIRST_SLOTS;
  PairTable grown;

  if (table->n + n <= table->n_slots / 2)
    return true;
  while (n_slots / 2 < table->n + n)
    n_slots *= 2;
  divide (&layout, n_slots);
  layout = (CcaLayout) { cca_alloc (allocator, used, layout.size), 0 };
  if (layout.base == NULL)
    return false;
  grown = divide (&layout, n_slots);
  memset (grown.slots, 0, n_slots * sizeof *grown.slots);
  add_pairs (&grown, table);
  cca_free (allocator, used, table->slots);
  *table = grown;
  return true;
}

/* --- Workspace --------------------------------------------------------------------------------------- */

typedef struct
{
  PairTable table;
  bool failed;
} Strip;

struct CcaOverlaps
{
  const CcaAllocator *allocator;
  atomic_size_t *used;
  CcaFrameRuns *before, *now;
  uint32_t height, n_strips; /* of the current frame */
  Strip strips[CCA_MAX_STRIPS];
  size_t capacity; /* of each half of pairs */
  Pair *pairs;     /* of all strips, and as much room to sort them */
  const Pair *sorted;
};

size_t
cca_overlaps_size (uint32_t height)
{
  return sizeof (CcaOverlaps) + 2 * cca_frame_runs_size (height);
}

void
cca_overlaps_free (CcaOverlaps *self)
{
  if (self == NULL)
    return;
  cca_frame_runs_free (self->allocator, self->used, self->before);
  cca_frame_runs_free (self->allocator, self->used, self->now);
  for (uint32_t i = 0; i < CCA_MAX_STRIPS; i++)
    cca_free (self->allocator, self->used, self->strips[i].table.slots);
  cca_free (self->allocator, self->used, self->pairs);
  cca_free (self->allocator, self->used, self);
}

CcaOverlaps *
cca_overlaps_new (const CcaAllocator *allocator, atomic_size_t *used, uint32_t height)
{
  CcaOverlaps *self = cca_alloc (allocator, used, sizeof *self);

  if (self == NULL)
    return NULL;
  memset (self, 0, sizeof *self);
  self->allocator = allocator;
  self->used = used;
  self->height = height;
  self->before = cca_frame_runs_new (allocator, used, height);
  self->now = cca_frame_runs_new (allocator, used, height);
  if (self->before && self->now)
    return self;
  cca_overlaps_free (self);
  return NULL;
}

CcaFrameRuns *
cca_overlaps_next_frame (CcaOverlaps *self)
{
  CcaFrameRuns *last = self->now;

  self->now = self->before;
  self->before = last;
  return self->now;
}

/* --- Merging ----------------------------------------------------------------------------------------- */

/* Adds the overlaps of two slabs, which share `rows` rows, by a merge of their runs: each step leaves the run that ends
 * first. The branch on equal ends is predictable, because in a still scene most runs end where one of the last frame
 * does. All else is branchless: two runs that do not overlap add no pixels to key 0. */
static bool
merge_slabs (const CcaOverlaps *self, PairTable *pairs, const CcaFrameCursor *before, const CcaFrameCursor *now,
             int64_t rows)
{
  const CcaRunStore *a = &before->frame->strips[before->strip], *b = &now->frame->strips[now->strip];
  const size_t i_end = cca_frame_slab (before)[1].first, j_end = cca_frame_slab (now)[1].first;
  const CcaRun *a_runs = a->runs, *b_runs = b->runs;
  const uint32_t *a_labels = a->labels, *b_labels = b->labels;
  size_t i = cca_frame_slab (before)->first, j = cca_frame_slab (now)->first;
  PairTable table;

  if (!reserve_pairs (pairs, self->allocator, self->used, i_end - i + j_end - j))
    return false;
  table = *pairs;
  while (i < i_end && j < j_end) {
    const CcaRun run = a_runs[i], other = b_runs[j];
    const int64_t start = run.start > other.start ? run.start : other.start;
    const uint64_t key = (uint64_t) a_labels[i] << 32 | b_labels[j];

    if (run.end == other.end) {
      add_pair (&table, key, (run.end - start) * rows);
      i++;
      j++;
    } else {
      const int64_t end = run.end < other.end ? run.end : other.end;
      const int64_t shared = (start - end) >> 63; /* all bits, or none */

      add_pair (&table, key & shared, (end - start) * rows & shared);
      i += run.end < other.end;
      j += other.end < run.end;
    }
  }
  pairs->n = table.n;
  return true;
}

static void
merge_strip (void *data, uint32_t index)
{
  CcaOverlaps *self = data;
  Strip *strip = &self->strips[index];
  const CcaStrip rows = cca_strip (self->height, self->n_strips, index);
  CcaFrameCursor before = cca_frame_find_row (self->before, rows.first),
                 now = cca_frame_find_row (self->now, rows.first);

  clear_pairs (&strip->table);
  strip->failed = false;
  for (uint32_t y = rows.first, end; y < rows.last && !strip->failed; y = end) {
    end = rows.last;
    end = cca_frame_slab_end (&before) < end ? cca_frame_slab_end (&before) : end;
    end = cca_frame_slab_end (&now) < end ? cca_frame_slab_end (&now) : end;
    strip->failed = !merge_slabs (self, &strip->table, &before, &now, end - y);
    if (cca_frame_slab_end (&before) == end)
      cca_frame_next_slab (&before);
    if (cca_frame_slab_end (&now) == end)
      cca_frame_next_slab (&now);
  }
}

/* --- The whole frame --------------------------------------------------------------------------------- */

/* Adds the pairs of all other strips to the first strip's. */
static bool
join_strips (CcaOverlaps *self)
{
  PairTable *all = &self->strips[0].table;

  for (uint32_t i = 0; i < self->n_strips; i++)
    if (self->strips[i].failed)
      return false;
  for (uint32_t i = 1; i < self->n_strips; i++) {
    const PairTable *table = &self->strips[i].table;

    if (!reserve_pairs (all, self->allocator, self->used, table->n))
      return false;
    add_pairs (all, table);
  }
  return true;
}

#define DIGIT_BITS 8
#define N_DIGITS (1 << DIGIT_BITS)

/* Radix sort, least significant digit first (Knuth, The Art of Computer Programming, vol. 3, section 5.2.5), without
 * the digits that all keys share. Returns the one of both arrays that has the result. */
static Pair *
sort_pairs (Pair *pairs, Pair *spare, size_t n)
{
  uint64_t differing = 0;

  for (size_t i = 0; i < n; i++)
    differing |= pairs[i].key ^ pairs[0].key;
  for (uint32_t shift = 0; shift < 64; shift += DIGIT_BITS) {
    size_t places[N_DIGITS] = { 0 }, place = 0;
    Pair *sorted = spare;

    if ((differing >> shift) % N_DIGITS == 0)
      continue;
    for (size_t i = 0; i < n; i++)
      places[(pairs[i].key >> shift) % N_DIGITS]++;
    for (uint32_t digit = 0; digit < N_DIGITS; digit++) {
      const size_t count = places[digit];

      places[digit] = place;
      place += count;
    }
    for (size_t i = 0; i < n; i++)
      sorted[places[(pairs[i].key >> shift) % N_DIGITS]++] = pairs[i];
    spare = pairs;
    pairs = sorted;
  }
  return pairs;
}

/* Makes room to sort n pairs. */
static bool
reserve_sorting (CcaOverlaps *self, size_t n)
{
  if (n <= self->capacity)
    return true;
  if (!cca_grow (self->allocator, self->used, (void **) &self->pairs, 0, 2 * 2 * n * sizeof (Pair)))
    return false;
  self->capacity = 2 * n;
  return true;
}

bool
cca_overlaps_find (CcaOverlaps *self, CcaThreads *threads, uint32_t n_strips, size_t *n)
{
  const PairTable *all = &self->strips[0].table;

  self->n_strips = n_strips;
  cca_threads_run (threads, n_strips, merge_strip, self);
  if (!join_strips (self))
    return false;
  *n = all->n;
  if (all->n == 0)
    return true;
  if (!reserve_sorting (self, all->n))
    return false;
  for (size_t i = 0; i < all->n; i++)
    self->pairs[i] = all->slots[all->places[i]];
  self->sorted = sort_pairs (self->pairs, self->pairs + self->capacity, all->n);
  return true;
}

void
cca_overlaps_get (const CcaOverlaps *self, CcaOverlap *overlaps, size_t n)
{
  for (size_t i = 0; i < n; i++)
    overlaps[i] =
        (CcaOverlap) { (uint32_t) (self->sorted[i].key >> 32), (uint32_t) self->sorted[i].key, self->sorted[i].pixels };
}
