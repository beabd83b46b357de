/* gst-cca: runs cut at words of 32 or 64 pixels: HA4
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Hennequin, Lacassagne, Cabaret & Meunier, A new direct connected component labeling and analysis algorithm for GPUs,
 * DASIP 2018: strip labeling (algorithm 3), border merging (4), relabeling (5), features (6), with words of 32 pixels
 * and of 64 (7). The paper's warps exchange bit masks by ballots; ours read words from the foreground's plane, a lane
 * each, and then share out what the words hold: a lane has a segment or a link, not a pixel.
 *
 *     strip of 4 rows   y      [  a   ][  a'  ][  b ...     a' continues a from the word before: its parent is a
 *                       y + 1     [ c ][ c'          ...    c touches a first: its parent is a
 */
#include "cuda/algorithms/segments/segments.cuh"

constexpr uint32_t strip_height = 4;

/* A list for each warp of a block, of bits in the words of its lanes. */
constexpr uint32_t list_size = 512;

__device__ static uint16_t *
warp_list ()
{
  __shared__ uint16_t lists[CCA_BLOCK / warp_size][list_size];

  return lists[threadIdx.x / warp_size];
}

template <typename Bits> struct Words
{
  static constexpr uint32_t lanes = warp_size, size = 8 * sizeof (Bits);

  __device__ static uint32_t in_row (const CcaSegmentsParams &p) { return p.planes.row_words / (size / 32); }
  __device__ static uint32_t count (const CcaSegmentsParams &p) { return in_row (p) * p.planes.height; }

  /* Returns the first pixels of segments. A run that continues from the word before starts a new segment. */
  __device__ static Bits starts (const Word<Bits> &word) { return word.here & ~(word.joins & ~(Bits) 1); }

  /* Algorithms 1 and 7: return where the segment of a pixel starts, and how long the segment is that starts at a pixel.
   */
  __device__ static uint32_t start_of (Bits starts, uint32_t bit)
  {
    return 63 - __clzll (starts & (~(Bits) 0 >> (size - 1 - bit)));
  }
  __device__ static uint32_t length_from (Bits joins, uint32_t bit)
  {
    return __ffsll (~(unsigned long long) (joins >> 1 >> bit));
  }

  __device__ static uint32_t id (const CcaSegmentsParams &p, uint32_t y, uint32_t x)
  {
    return y * p.row_ids + (x >> p.id_shift);
  }

  __device__ static Segment at (const CcaSegmentsParams &p, uint32_t item, uint32_t lane)
  {
    constexpr uint32_t pixels = size / warp_size; /* of a lane; at most one of them starts a segment */
    const uint32_t y = item / in_row (p), i = item % in_row (p);
    const Word<Bits> word = load_word<Bits> (p.planes, y, i);
    const Bits start = starts (word) & (((Bits) 1 << pixels) - 1) << lane * pixels;

    if (!start)
      return {};
    const uint32_t bit = __ffsll (start) - 1, x = i * size + bit;
    return { id (p, y, x), y, x, x + length_from (word.joins, bit) };
  }

  __device__ static uint32_t of_pixel (const CcaSegmentsParams &p, uint32_t y, uint32_t x)
  {
    const uint32_t i = x / size;

    return id (p, y, i * size + start_of (starts (load_word<Bits> (p.planes, y, i)), x % size));
  }
};

/* --- From words to segments: a lane for each word, then for each bit ---------------------------------- */

/* Calls f (exists, lane, bit) with all lanes together, for the bits that are set in `bits` of each lane, in order.
 * However many bits a word has, no lane is idle but in the last call. */
template <typename Bits, typename F>
__device__ inline void
for_each_bit (Bits bits, F f)
{
  uint16_t *const list = warp_list ();

  for (;;) {
    const uint32_t n = __popcll (bits), sum = warp_inclusive_sum (n);
    const uint32_t total = min (__shfl_sync (all_lanes, sum, warp_size - 1), list_size);

    if (total == 0)
      return;
    for (uint32_t at = sum - n; bits && at < list_size; bits &= bits - 1)
      list[at++] = lane_index () << 6 | (__ffsll (bits) - 1);
    __syncwarp ();
    for (uint32_t first = 0; first < total; first += warp_size) {
      const bool exists = first + lane_index () < total;
      const uint32_t entry = exists ? list[first + lane_index ()] : 0;

      f (exists, entry >> 6, entry & 63);
    }
    __syncwarp ();
  }
}

template <typename Bits> struct SegmentsOf<Words<Bits>>
{
  template <uint32_t, typename F>
  __device__ static void for_each (const CcaSegmentsParams &p, uint32_t first, uint32_t last, F f)
  {
    typedef Words<Bits> Kind;

    for (uint32_t base = first; base < last; base += warp_size) {
      const uint32_t item = base + lane_index (), y = item / Kind::in_row (p), i = item % Kind::in_row (p);
      const Word<Bits> word = item < last ? load_word<Bits> (p.planes, y, i) : Word<Bits>{};

      for_each_bit (Kind::starts (word), [&] (bool exists, uint32_t lane, uint32_t bit) {
        const Bits joins = __shfl_sync (all_lanes, word.joins, lane);
        const uint32_t its_y = __shfl_sync (all_lanes, y, lane),
                       x = __shfl_sync (all_lanes, i, lane) * Kind::size + bit;

        const Segment one[] = { exists ? Segment{ Kind::id (p, its_y, x), its_y, x, x + Kind::length_from (joins, bit) }
                                       : Segment{} };

        f (one);
      });
    }
  }
};

/* --- Strip labeling and border merging --------------------------------------------------------------- */

/* Up to 32 words of a row, a lane each, with those above them. */
template <typename Bits> struct Span
{
  uint32_t y, i; /* this lane's word */
  Word<Bits> word, above;
  Links<Bits> links; /* not united yet */
  Links<Bits> first; /* those by which segments get their first parents */
};

/* Divides the links of a word: the first one of each segment, unless that continues a run, gives its parent without an
 * atomic operation, as a segment has no other parent yet. */
template <typename Bits>
__device__ static void
take_first_links (Span<Bits> &span)
{
  const Bits joins = span.word.joins, continued = joins & ~(joins + 1);
  const Links<Bits> all = span.links;
  Bits linked = (all.vertical | all.falling | all.rising >> 1) & ~continued; /* rising: at the pixel of this row */
  Bits seen = linked, through = joins;

  for (uint32_t d = 1; d < 8 * sizeof (Bits); d *= 2) {
    seen |= through & seen << d;
    through &= through << d;
  }
  linked &= ~(joins & seen << 1);
  span.first.falling = linked & all.falling;
  span.first.vertical = linked & ~all.falling & all.vertical;
  span.first.rising = (linked & ~all.falling & ~all.vertical) << 1;
  span.links.falling &= ~span.first.falling;
  span.links.vertical &= ~span.first.vertical;
  span.links.rising &= ~span.first.rising;
}

/* Loads the words from `base` on of row y, with the links to the row above. */
template <typename Bits>
__device__ static Span<Bits>
load_span (const CcaSegmentsParams &p, uint32_t y, uint32_t base)
{
  Span<Bits> span = {};

  span.y = y;
  span.i = base + lane_index ();
  if (span.i >= Words<Bits>::in_row (p))
    return span;
  span.word = load_word<Bits> (p.planes, y, span.i);
  if (y == 0)
    return span;
  span.above = load_word<Bits> (p.planes, y - 1, span.i);
  span.links = load_links (p.planes, y, span.i, span.word, span.above);
  return span;
}

/* Loads the words from `base` on of row y, with the links to the row above in the strip. On-the-fly merging has to see
 * every union, and takes no first links. */
template <typename Bits, bool otf>
__device__ static Span<Bits>
load_span_of_strip (const CcaSegmentsParams &p, uint32_t y, uint32_t base)
{
  Span<Bits> span = load_span<Bits> (p, y, base);

  if (y % strip_height == 0)
    span.links = {};
  else if (!otf)
    take_first_links (span);
  return span;
}

/* Returns the segment that this lane's word continues. */
template <typename Bits>
__device__ static uint32_t
continued_segment (const CcaSegmentsParams &p, const Span<Bits> &span)
{
  typedef Words<Bits> Kind;
  const Bits run_starts = span.word.starts ();
  const uint32_t starting = __ballot_sync (all_lanes, run_starts != 0) & lanes_before ();
  const uint32_t last_start = Kind::id (p, span.y, span.i * Kind::size + 63 - __clzll (run_starts | 1));
  const uint32_t run = __shfl_sync (all_lanes, last_start, starting ? 31 - __clz (starting) : 0);

  if (starting || !(span.word.joins & 1))
    return run;
  /* the run began before these words */
  return lane_index () == 0 ? Kind::of_pixel (p, span.y, span.i * Kind::size - 1)
                            : Kind::id (p, span.y, (span.i - lane_index ()) * Kind::size);
}

/* Makes the segments of a span labels: roots, or children of the segment that they continue or of one above. */
template <typename Bits, bool otf>
__device__ static void
label_span (const CcaSegmentsParams &p, const Span<Bits> &span)
{
  typedef Words<Bits> Kind;
  const uint32_t continued = continued_segment (p, span);
  const Bits above = Kind::starts (span.above);
  const Bits first = span.first.vertical | span.first.falling | span.first.rising >> 1;

  for_each_bit (Kind::starts (span.word), [&] (bool exists, uint32_t lane, uint32_t bit) {
    const Bits joins = __shfl_sync (all_lanes, span.word.joins, lane);
    const uint32_t its_continued = __shfl_sync (all_lanes, continued, lane);
    const uint32_t i = span.i - lane_index () + lane, x = i * Kind::size + bit, id = Kind::id (p, span.y, x);
    const uint32_t length = Kind::length_from (joins, bit);
    uint32_t parent = bit == 0 && (joins & 1) ? its_continued : id;

    if (otf) {
      if (exists)
        store_vote (p.segment_features, id, vote_of_segment (x, x + length, span.y, p.segment_features.moments));
    } else {
      const Bits its_first = __shfl_sync (all_lanes, first, lane) >> bit,
                 its_above = __shfl_sync (all_lanes, above, lane),
                 falling = __shfl_sync (all_lanes, span.first.falling, lane),
                 rising = __shfl_sync (all_lanes, span.first.rising >> 1, lane);
      const uint32_t distance = __ffsll (its_first) - 1;

      if (exists && distance < length) {
        const uint32_t from = bit + distance, to = from - (falling >> from & 1) + (rising >> from & 1);

        parent = to < Kind::size ? Kind::id (p, span.y - 1, i * Kind::size + Kind::start_of (its_above, to))
                                 : Kind::of_pixel (p, span.y - 1, i * Kind::size - 1);
      }
    }
    if (exists)
      p.parent[id] = parent;
  });
}

/* Merges the features of the segment that continues a run, if this lane has one (on-the-fly merging). */
template <typename Bits>
__device__ static void
merge_continued (const CcaSegmentsParams &p, const Span<Bits> &span)
{
  if (span.word.joins & 1)
    merge_into_root (p, Words<Bits>::id (p, span.y, span.i * Words<Bits>::size));
}

/* Unites over the links of a span. */
template <typename Bits, bool otf>
__device__ static void
unite_span (const CcaSegmentsParams &p, const Span<Bits> &span)
{
  typedef Words<Bits> Kind;
  const Bits here = Kind::starts (span.word), above = Kind::starts (span.above);

  for_each_bit (span.links.any (), [&] (bool exists, uint32_t lane, uint32_t bit) {
    const Bits its_here = __shfl_sync (all_lanes, here, lane), its_above = __shfl_sync (all_lanes, above, lane);
    const uint32_t vertical = __shfl_sync (all_lanes, span.links.vertical, lane) >> bit & 1,
                   falling = __shfl_sync (all_lanes, span.links.falling, lane) >> bit & 1,
                   rising = __shfl_sync (all_lanes, span.links.rising, lane) >> bit & 1;
    const uint32_t x = (span.i - lane_index () + lane) * Kind::size;

    /* Two links meet at a pixel only among regions of equal value. */
    for (uint32_t kinds = exists ? vertical | falling << 1 | rising << 2 : 0; kinds; kinds &= kinds - 1) {
      const uint32_t a = bit - (__ffs (kinds) == 3), b = bit - (__ffs (kinds) == 2); /* -1: in the word before */

      unite_segments<otf> (p,
                           a < Kind::size ? Kind::id (p, span.y, x + Kind::start_of (its_here, a))
                                          : Kind::of_pixel (p, span.y, x - 1),
                           b < Kind::size ? Kind::id (p, span.y - 1, x + Kind::start_of (its_above, b))
                                          : Kind::of_pixel (p, span.y - 1, x - 1));
    }
  });
}

/* Calls f (y, base) for the spans of a strip, shared among the warps of a block. */
template <typename Bits, typename F>
__device__ static void
for_each_span (const CcaSegmentsParams &p, F f)
{
  const uint32_t top = blockIdx.x * strip_height, rows = min (strip_height, p.planes.height - top);
  const uint32_t spans = (Words<Bits>::in_row (p) + warp_size - 1) / warp_size;

  for (uint32_t i = threadIdx.x / warp_size; i < rows * spans; i += blockDim.x / warp_size)
    f (top + i / spans, i % spans * warp_size);
}

/* Labels a strip for each block, with one barrier (algorithm 3). */
template <typename Bits, bool otf>
__device__ static void
label_strips (const CcaSegmentsParams &p)
{
  for_each_span<Bits> (
      p, [&] (uint32_t y, uint32_t base) { label_span<Bits, otf> (p, load_span_of_strip<Bits, otf> (p, y, base)); });
  __syncthreads ();
  for_each_span<Bits> (p, [&] (uint32_t y, uint32_t base) {
    const Span<Bits> span = load_span_of_strip<Bits, otf> (p, y, base);

    if (otf)
      merge_continued (p, span);
    unite_span<Bits, otf> (p, span);
  });
}

/* Merges the strips over the seams between them, a warp for each span (algorithm 4). */
template <typename Bits, bool otf>
__device__ static void
merge_strips (const CcaSegmentsParams &p)
{
  const uint32_t spans = (Words<Bits>::in_row (p) + warp_size - 1) / warp_size;
  const uint32_t y = (warp_index () / spans + 1) * strip_height;

  if (y < p.planes.height)
    unite_span<Bits, otf> (p, load_span<Bits> (p, y, warp_index () % spans * warp_size));
}

#define CCA_DEFINE_WORD_KERNELS(name, Bits)                                                                            \
  extern "C" __global__ void cca_label_strips_##name (const CcaSegmentsParams p)                                       \
  {                                                                                                                    \
    trigger_then_sync ();                                                                                              \
    label_strips<Bits, false> (p);                                                                                     \
  }                                                                                                                    \
  extern "C" __global__ void cca_merge_strips_##name (const CcaSegmentsParams p)                                       \
  {                                                                                                                    \
    trigger_then_sync ();                                                                                              \
    merge_strips<Bits, false> (p);                                                                                     \
  }                                                                                                                    \
  extern "C" __global__ void cca_label_strips_##name##_otf (const CcaSegmentsParams p)                                 \
  {                                                                                                                    \
    trigger_then_sync ();                                                                                              \
    label_strips<Bits, true> (p);                                                                                      \
  }                                                                                                                    \
  extern "C" __global__ void cca_merge_strips_##name##_otf (const CcaSegmentsParams p)                                 \
  {                                                                                                                    \
    trigger_then_sync ();                                                                                              \
    merge_strips<Bits, true> (p);                                                                                      \
  }                                                                                                                    \
  CCA_DEFINE_SEGMENT_KERNELS (name, Words<Bits>)

CCA_DEFINE_WORD_KERNELS (words32, uint32_t)
CCA_DEFINE_WORD_KERNELS (words64, unsigned long long)
