/* gst-cca: runs cut at words of 32 or 64 pixels: HA4
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Hennequin, Lacassagne, Cabaret & Meunier, A new direct connected component labeling and analysis algorithm for GPUs,
 * DASIP 2018: strip labeling (algorithm 3), border merging (4), relabeling (5), features (6), with one pixel a lane and
 * with two (7). The paper's warps exchange bit masks by ballots and shared memory; ours read them from the foreground's
 * plane.
 *
 *     strip of 4 rows   y      [  a   ][  a'  ][  b ...     a' continues a from the word before: its parent is a
 *     a warp a row      y + 1     [ c ][ c'          ...    c and a unite at the start of one of them
 */
#include "cuda/algorithms/segments/segments.cuh"

constexpr uint32_t strip_height = 4;

template <typename Bits> struct Words
{
  static constexpr uint32_t lanes = warp_size, size = 8 * sizeof (Bits), pixels_a_lane = size / warp_size;

  __device__ static uint32_t in_row (const CcaSegmentsParams &p) { return p.planes.row_words / (size / 32); }
  __device__ static uint32_t count (const CcaSegmentsParams &p) { return in_row (p) * p.planes.height; }

  /* Returns this lane's pixels. Of two neighbours at most one starts a segment, except among regions of equal value,
   * for which words have 32 pixels. */
  __device__ static Bits lane_bits () { return (((Bits) 1 << pixels_a_lane) - 1) << lane_index () * pixels_a_lane; }

  /* Returns the first pixels of segments. A run that continues from the word before starts a new segment. */
  __device__ static Bits starts (const Word<Bits> &word) { return word.here & ~(word.joins & ~(Bits) 1); }

  /* Algorithms 1 and 7: return where the segment of a pixel starts, and how long the segment is that starts at a pixel.
   */
  __device__ static uint32_t start_of (Bits starts, uint32_t bit)
  {
    return 63 - __clzll (starts & (~(Bits) 0 >> (size - 1 - bit)));
  }
  __device__ static uint32_t length_from (const Word<Bits> &word, uint32_t bit)
  {
    return __ffsll (~(unsigned long long) (word.joins >> 1 >> bit));
  }

  __device__ static uint32_t id (const CcaSegmentsParams &p, uint32_t y, uint32_t x)
  {
    return y * p.row_ids + (x >> p.id_shift);
  }

  __device__ static uint32_t of_pixel (const CcaSegmentsParams &p, uint32_t y, uint32_t x)
  {
    const uint32_t i = x / size;

    return id (p, y, i * size + start_of (starts (load_word<Bits> (p.planes, y, i)), x % size));
  }

  __device__ static Segment segment (const CcaSegmentsParams &p, uint32_t y, uint32_t i, const Word<Bits> &word)
  {
    const Bits start = starts (word) & lane_bits ();

    if (!start)
      return {};
    const uint32_t bit = __ffsll (start) - 1, x = i * size + bit;
    return { id (p, y, x), y, x, x + length_from (word, bit) };
  }

  /* Returns whether a segment continues a run from the word before. */
  __device__ static bool goes_on (const Segment &segment, const Word<Bits> &word)
  {
    return segment.start % size == 0 && (word.joins & 1);
  }

  __device__ static Segment at (const CcaSegmentsParams &p, uint32_t item, uint32_t)
  {
    const uint32_t y = item / in_row (p), i = item % in_row (p);

    return segment (p, y, i, load_word<Bits> (p.planes, y, i));
  }
};

/* Labels a strip for each block, a row for each warp, several words between two barriers (algorithm 3). */
template <typename Bits, bool otf>
__device__ static void
label_strips (const CcaSegmentsParams &p)
{
  typedef Words<Bits> Kind;
  constexpr uint32_t span = 8;
  const uint32_t row_in_strip = threadIdx.x / warp_size, y = blockIdx.x * strip_height + row_in_strip;
  uint32_t run_start = 0; /* start of the run that reaches the end of the word before */

  for (uint32_t first = 0; first < Kind::in_row (p); first += span) {
    const uint32_t last = min (first + span, Kind::in_row (p));

    for (uint32_t i = first; i < last; i++) {
      const Word<Bits> word = load_word<Bits> (p.planes, y, i);
      const Segment segment = Kind::segment (p, y, i, word);
      const Bits starts = Kind::starts (word);

      if (segment.exists ()) {
        p.parent[segment.id] = Kind::goes_on (segment, word) ? Kind::id (p, y, run_start) : segment.id;
        if (otf)
          store_vote (p.segment_features, segment.id,
                      vote_of_segment (segment.start, segment.end, y, p.segment_features.moments));
      }
      if (starts > 1 || !(word.joins & 1))
        run_start = i * Kind::size + 63 - __clzll (starts);
    }
    __syncthreads (); /* the row above has stored its segments up to here */
    for (uint32_t i = first; i < last && y < p.planes.height; i++) {
      if (otf) {
        const Word<Bits> word = load_word<Bits> (p.planes, y, i);
        const Segment segment = Kind::segment (p, y, i, word);

        if (segment.exists () && Kind::goes_on (segment, word))
          merge_into_root (p, segment.id);
      }
      if (row_in_strip > 0)
        unite_links<Kind, otf> (p, y, i, Kind::lane_bits ());
    }
  }
}

/* Merges the strips over the seams between them, a warp for each word (algorithm 4). */
template <typename Bits, bool otf>
__device__ static void
merge_strips (const CcaSegmentsParams &p)
{
  typedef Words<Bits> Kind;
  const uint32_t strip = warp_index () / Kind::in_row (p) + 1, i = warp_index () % Kind::in_row (p);

  if (strip * strip_height < p.planes.height)
    unite_links<Kind, otf> (p, strip * strip_height, i, Kind::lane_bits ());
}

#define CCA_DEFINE_WORD_KERNELS(name, Bits)                                                                            \
  extern "C" __global__ void cca_label_strips_##name (const CcaSegmentsParams p)                                       \
  {                                                                                                                    \
    label_strips<Bits, false> (p);                                                                                     \
  }                                                                                                                    \
  extern "C" __global__ void cca_merge_strips_##name (const CcaSegmentsParams p)                                       \
  {                                                                                                                    \
    merge_strips<Bits, false> (p);                                                                                     \
  }                                                                                                                    \
  extern "C" __global__ void cca_label_strips_##name##_otf (const CcaSegmentsParams p)                                 \
  {                                                                                                                    \
    label_strips<Bits, true> (p);                                                                                      \
  }                                                                                                                    \
  extern "C" __global__ void cca_merge_strips_##name##_otf (const CcaSegmentsParams p)                                 \
  {                                                                                                                    \
    merge_strips<Bits, true> (p);                                                                                      \
  }                                                                                                                    \
  CCA_DEFINE_SEGMENT_KERNELS (name, Words<Bits>)

CCA_DEFINE_WORD_KERNELS (words32, uint32_t)
CCA_DEFINE_WORD_KERNELS (words64, unsigned long long)
