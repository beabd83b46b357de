/* gst-cca: the background model SAMPLES: the decision which pixels are foreground
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * A block of threads has 128 x 16 pixels, a thread four pixels of two rows. A warp loads flips and busyness only if one
 * of its pixels is above the lower bound of the threshold. Where the background moves, the block searches the samples
 * around foreground: leaves cover small parts of an image, so all threads of their blocks search together.
 */
#include "cuda/samples/samples.cuh"

constexpr uint32_t n_rows = 2, side = CCA_SAMPLES_BLOCK;
static_assert (n_rows * CCA_BLOCK / warp_size == side, "a block of threads has a row of blocks of pixels");

/* The blocks of pixels of a block of threads, side by side; in shared memory. */
struct Blocks
{
  static constexpr uint32_t n = 128 / side;

  CcaSamplesMoving moving[n];
  bool shaded[n];
  uint32_t n_moved[n], n_other[n];

  /* Returns the column of block i in the image; the row is blockIdx.y. */
  __device__ static uint32_t column (uint32_t i) { return blockIdx.x * n + i; }

  /* Returns the index of the block with this thread's pixels. */
  __device__ static uint32_t own () { return threadIdx.x * 4 / side; }

  /* Adds up the 3x3 blocks around each block of the first lanes, from n + 2 blocks of three rows. */
  static constexpr uint32_t across = n + 2;
  static_assert (3 * across <= warp_size, "a lane has a block");

  __device__ static uint32_t sum_around (uint32_t value)
  {
    value += __shfl_down_sync (all_lanes, value, across) + __shfl_down_sync (all_lanes, value, 2 * across);
    return value + __shfl_down_sync (all_lanes, value, 1) + __shfl_down_sync (all_lanes, value, 2);
  }

  /* Prepares all blocks. Only the first warp works. */
  __device__ void prepare (const CcaSamplesParams &p, const CcaSamplesMoves *last, bool learning)
  {
    const uint32_t i = lane_index (), x = column (i % across) - 1, y = blockIdx.y + i / across - 1;
    const bool is_inside = i < 3 * across && x < p.blocks_x && y < p.blocks_y;
    const uint32_t place = is_inside ? y * p.blocks_x + x : 0;
    CcaSamplesMoves around = { 0, 0, 0 };
    CcaSamplesShades shades = { 0, 0, 0 };
    uint32_t n_around = is_inside;

    if (thread_index () >= warp_size)
      return;
    if (is_inside && !learning) {
      around = last[place];
      if (p.has_chroma)
        shades = p.shades[place];
    }
    around.moved = (int32_t) sum_around ((uint32_t) around.moved);
    around.other = (int32_t) sum_around ((uint32_t) around.other);
    around.busy = sum_around (around.busy);
    shades.unlike = sum_around (shades.unlike);
    shades.shaded = sum_around (shades.shaded);
    shades.coloured = sum_around (shades.coloured);
    n_around = sum_around (n_around);
    if (i >= n)
      return;
    n_moved[i] = n_other[i] = 0;
    moving[i] = learning ? CCA_SAMPLES_KEEP : cca_samples_moving (around, n_around);
    shaded[i] = cca_samples_shaded (shades);
  }
  __device__ void store (const CcaSamplesParams &p, const CcaSamplesMoves *last, CcaSamplesMoves *moves) const
  {
    const uint32_t i = thread_index (), place = blockIdx.y * p.blocks_x + column (i);

    if (i >= n || column (i) >= p.blocks_x)
      return;
    moves[place].moved = p.state->past.t > 0 ? cca_samples_next_moves (last[place].moved, n_moved[i]) : 0;
    moves[place].other = p.state->past.t > 0 ? cca_samples_next_moves (last[place].other, n_other[i]) : 0;
  }
};

/* Returns a bit for each of four foreground pixels. */
__device__ static uint32_t
decide (const CcaSamplesState &state, uint32_t distances, uint32_t flips, uint32_t busy)
{
  const uint32_t least = four_times (state.threshold), most = four_times (state.most);
  const uint32_t threshold = __vminu4 (__vaddus4 (least, __vminu4 (flips, busy) >> 2 & 0x3f3f3f3f), most);

  return bits_of_bytes (~__vcmpleu4 (distances, threshold));
}

/* The samples of the pixels of a block of threads and of those within reach; in shared memory. Beyond the image, its
 * border repeats, whose samples are within reach anyway. */
struct Samples
{
  static constexpr uint32_t reach = CCA_SAMPLES_REACH, rows = side + 2 * reach, columns = warp_size + 2,
                            n = CCA_SAMPLES_REACHED * rows * columns, each = (n + CCA_BLOCK - 1) / CCA_BLOCK;
  static_assert (reach == 2, "a word has the neighbours of a row");

  uint32_t words[CCA_SAMPLES_REACHED][rows][columns];

  /* Loads the samples, all in flight at once. All threads call it. */
  __device__ void load (const CcaSamplesParams &p)
  {
    const uint32_t ceiling = four_times (p.state->halves[1 - p.state->half].ceiling);
    const bool is_at_border = blockIdx.x == 0 || (blockIdx.x * warp_size + columns) * 4 > p.width;
    const int32_t last = (int32_t) p.width - 1;
    uint32_t fours[each];

#pragma unroll
    for (uint32_t k = 0; k < each; k++) {
      const uint32_t i = min (k * CCA_BLOCK + thread_index (), n - 1), plane = i / (rows * columns);
      const uint32_t from = (uint32_t) clamp (column_of (i), 0, last & ~3);

      fours[k] = four_at (p.luma + plane * luma_plane (p) + luma_place (p, from, row_of (p, i)));
    }
#pragma unroll
    for (uint32_t k = 0; k < each; k++) {
      const uint32_t i = k * CCA_BLOCK + thread_index ();

      if (is_at_border)
        fours[k] = up_to_border (fours[k], column_of (i), last);
      if (i < n)
        words[0][0][i] = __vminu4 (fours[k], ceiling);
    }
  }

  /* Returns a bit for each of four pixels of a word of the block that sample k of a pixel within reach explains. */
  __device__ uint32_t explain (uint32_t pixels, uint32_t word, uint32_t k, AtLeast is_above) const
  {
    uint32_t above = all_lanes;

#pragma unroll
    for (uint32_t j = 0; j <= 2 * reach; j++) {
      const uint32_t *const row = words[k][word / warp_size + j] + word % warp_size;
      const uint32_t before = row[0], here = row[1], after = row[2];

      above &= is_above (__vabsdiffu4 (pixels, __funnelshift_l (before, here, 16)));
      above &= is_above (__vabsdiffu4 (pixels, __funnelshift_l (before, here, 8)));
      above &= is_above (__vabsdiffu4 (pixels, here));
      above &= is_above (__vabsdiffu4 (pixels, __funnelshift_r (here, after, 8)));
      above &= is_above (__vabsdiffu4 (pixels, __funnelshift_r (here, after, 16)));
    }
    return top_bits (~above, 0);
  }

private:
  /* Return the place in the image of the pixels of word i; the column may be beyond the image. */
  __device__ static int32_t column_of (uint32_t i) { return (int32_t) (blockIdx.x * warp_size + i % columns) * 4 - 4; }
  __device__ static uint32_t row_of (const CcaSamplesParams &p, uint32_t i)
  {
    return (uint32_t) clamp ((int32_t) (blockIdx.y * side + i / columns % rows) - (int32_t) reach, 0,
                             (int32_t) p.height - 1);
  }

  /* Returns the pixels of a word from x on, and the nearest pixel in place of those beyond the image. */
  __device__ static uint32_t up_to_border (uint32_t four, int32_t x, int32_t last)
  {
    const int32_t from = clamp (x, 0, last & ~3);
    uint32_t digits = 0;

#pragma unroll
    for (int32_t i = 0; i < 4; i++)
      digits |= (uint32_t) (clamp (x + i, 0, last) - from) << 4 * i;
    return __byte_perm (four, 0, digits);
  }
};

/* Words of four pixels; in shared memory. */
struct Words
{
  static constexpr uint32_t most = side * warp_size; /* words of a block of threads, row by row */

  uint32_t n;
  uint16_t words[most]; /* n words, each with the bits of its pixels to search */

  /* Adds each lane's word, unless it has no bits. All lanes of a warp call it. */
  __device__ void add (uint32_t word, uint32_t bits)
  {
    const uint32_t lanes = __ballot_sync (all_lanes, bits != 0);
    uint32_t first = 0;

    if (lanes == 0)
      return;
    if (lane_index () == 0)
      first = atomicAdd (&n, (uint32_t) __popc (lanes));
    first = __shfl_sync (all_lanes, first, 0);
    if (bits != 0)
      words[first + (uint32_t) __popc (lanes & lanes_before ())] = (uint16_t) (word + most * bits);
  }
  __device__ uint32_t word (uint32_t i) const { return words[i] % most; }
  __device__ uint32_t bits (uint32_t i) const { return words[i] / most; }
};

/* The search of samples around words; in shared memory. */
struct Search
{
  /* Where leaves move, the first plane of samples explains most words. Each round searches only the words left. */
  static constexpr uint32_t n_rounds = 3;

  Words words[n_rounds];       /* the words of each round */
  uint32_t found[Words::most]; /* bits of explained pixels */
  Samples samples;

  __device__ void clear () { words[0].n = words[1].n = words[2].n = 0; }
  __device__ bool is_needed () const { return words[0].n > 0; }

  /* Adds each lane's word, unless it has no foreground. All lanes of a warp call it. */
  __device__ void add (uint32_t word, uint32_t foreground)
  {
    words[0].add (word, foreground);
    found[word] = 0;
  }

  /* All threads call it. */
  __device__ void run (const CcaSamplesParams &p)
  {
    samples.load (p);
    __syncthreads ();
    search<0, 1> (p, words[0]);
    keep (words[0], words[1]);
    search<1, 2> (p, words[1]);
    keep (words[1], words[2]);
    search<2, CCA_SAMPLES_REACHED> (p, words[2]);
  }

private:
  /* Adds the words with unexplained pixels to `rest`. All threads call it. */
  __device__ void keep (const Words &searched, Words &rest)
  {
    for (uint32_t i = thread_index (); i - lane_index () < searched.n; i += CCA_BLOCK) {
      const bool exists = i < searched.n;
      const uint32_t word = exists ? searched.word (i) : 0;

      rest.add (word, exists ? searched.bits (i) & ~found[word] : 0);
    }
    __syncthreads ();
  }

  /* Searches planes of samples: each thread has one plane and every n_threads-th word. All threads call it. */
  template <uint32_t plane, uint32_t end> __device__ void search (const CcaSamplesParams &p, const Words &searched)
  {
    constexpr uint32_t n_threads = CCA_BLOCK / (end - plane); /* threads of a plane */
    static_assert (n_threads % warp_size == 0, "a warp has one plane");
    /* With a threshold of 255 nothing is foreground. */
    const AtLeast is_above (p.state->threshold + 1);

    for (uint32_t i = thread_index () % n_threads; i < searched.n; i += n_threads) {
      const uint32_t word = searched.word (i);
      const uint32_t x = (blockIdx.x * warp_size + word % warp_size) * 4, y = blockIdx.y * side + word / warp_size;
      const uint32_t bits = samples.explain (four_at (p.pixels + luma_place (p, x, y)), word,
                                             plane + thread_index () / n_threads, is_above);

      if (bits)
        atomicOr (&found[word], bits);
    }
    __syncthreads ();
  }
};

/* Returns which foreground pixels of the four at (x, y) are in a deep shadow. */
__device__ static uint32_t
find_shaded (const CcaSamplesParams &p, uint32_t x, uint32_t y, uint32_t bits, const Blocks &blocks)
{
  const CcaSamplesState &state = *p.state;

  if (bits == 0 || !blocks.shaded[Blocks::own ()])
    return 0;

  const CcaSamplesStep step = cca_samples_step (p.learning, state.past.t);
  const size_t place = luma_place (p, x, y);
  const Chroma chroma (p, x, y);
  const uint32_t background = __vminu4 (four_at (p.luma + step.slot * luma_plane (p) + place),
                                        four_times (state.halves[1 - state.half].ceiling));
  const Shadows shadows (state.black, background, chroma.sample (p, step.cslot), four_at (p.pixels + place),
                         chroma.colors (p));

  return bits & bits_of_bytes (shadows.deep);
}

/* Returns, in the first of each eight lanes, the word of their bits. All lanes of a warp call it. */
__device__ static uint32_t
join_lanes (uint32_t bits)
{
  if (!__any_sync (all_lanes, bits != 0))
    return 0;
  bits <<= lane_index () % 8 * 4;
  for (uint32_t d = 1; d < 8; d *= 2)
    bits |= __shfl_xor_sync (all_lanes, bits, d);
  return bits;
}

/* A thread's pixels: bits of two rows. */
struct Patch
{
  uint32_t x, y;
  uint32_t distances[n_rows];
  uint32_t bits[n_rows] = {}, hidden[n_rows] = {}; /* foreground, and what is hidden of it */

  __device__ explicit Patch (const CcaSamplesParams &p)
      : x ((blockIdx.x * warp_size + threadIdx.x) * 4), y ((blockIdx.y * blockDim.y + threadIdx.y) * n_rows)
  {
#pragma unroll
    for (uint32_t i = 0; i < n_rows; i++)
      distances[i] = x < p.width && y + i < p.height ? four_at (p.distances + luma_place (p, x, y + i)) : 0;
  }

  /* Returns the index of a row's word among the words of the block of threads. */
  __device__ static uint32_t word (uint32_t row) { return (threadIdx.y * n_rows + row) * warp_size + threadIdx.x; }

  /* Finds the foreground by the distances. Returns its number of pixels. */
  __device__ uint32_t find (const CcaSamplesParams &p)
  {
    const CcaSamplesState &state = *p.state;
    uint32_t n = 0;

#pragma unroll
    for (uint32_t i = 0; i < n_rows; i++)
      if (__vsubus4 (distances[i], four_times (state.threshold))) {
        const size_t place = luma_place (p, x, y + i);

        bits[i] = decide (state, distances[i], four_at (p.flips + place), four_at (p.busy + place));
        n += (uint32_t) __popc (bits[i]);
      }
    return n;
  }

  /* Adds possibly moved background to the search. All lanes of a warp call it. */
  __device__ void add_to (Search &search, const Blocks &blocks) const
  {
    const bool looks = blocks.moving[Blocks::own ()] != CCA_SAMPLES_KEEP;

#pragma unroll
    for (uint32_t i = 0; i < n_rows; i++)
      search.add (word (i), looks ? bits[i] : 0);
  }

  /* Counts the foreground that the search has explained, and drops it if it is background. */
  __device__ void drop_moved (const Search &search, Blocks &blocks)
  {
    const uint32_t own = Blocks::own ();

    if (blocks.moving[own] == CCA_SAMPLES_KEEP)
      return;
#pragma unroll
    for (uint32_t i = 0; i < n_rows; i++) {
      if (bits[i] == 0)
        continue;

      const uint32_t moved = bits[i] & search.found[word (i)];

      atomicAdd (&blocks.n_moved[own], (uint32_t) __popc (moved));
      atomicAdd (&blocks.n_other[own], (uint32_t) __popc (bits[i] ^ moved));
      if (blocks.moving[own] == CCA_SAMPLES_DROP)
        bits[i] ^= moved;
    }
  }

  /* Hides foreground that differs no more than the tolerance, and deep shadows. */
  __device__ void hide (const CcaSamplesParams &p, const Blocks &blocks)
  {
#pragma unroll
    for (uint32_t i = 0; i < n_rows; i++) {
      hidden[i] = bits[i] & bits_of_bytes (__vcmpleu4 (distances[i], four_times (p.tolerance)));
      hidden[i] |= find_shaded (p, x, y + i, bits[i] & ~hidden[i], blocks);
    }
  }

  /* Stores words of bits. All lanes of a warp call it. */
  __device__ void store (const CcaSamplesParams &p, uint32_t *foreground) const
  {
#pragma unroll
    for (uint32_t i = 0; i < n_rows; i++) {
      const uint32_t word = join_lanes (bits[i]), not_shown = join_lanes (hidden[i]);
      const size_t place = (size_t) (y + i) * p.row_words + x / 32;

      if (lane_index () % 8 > 0 || y + i >= p.height)
        continue;
      foreground[place] = word;
      p.shown[place] = word & ~not_shown;
    }
  }
};

extern "C" __global__ void
__launch_bounds__ (CCA_BLOCK, max_threads < 5 * CCA_BLOCK ? 4 : 5) cca_samples_decide (const CcaSamplesParams p)
{
  trigger_then_sync ();
  __shared__ uint32_t n_foreground;
  __shared__ Blocks blocks;
  __shared__ Search search;
  CcaSamplesState *const state = p.state;
  const uint32_t n_blocks = p.blocks_x * p.blocks_y;
  const CcaSamplesMoves *const last = p.moves + state->half * n_blocks;
  Patch patch (p);

  if (thread_index () == 0) {
    n_foreground = 0;
    search.clear ();
  }
  blocks.prepare (p, last, cca_samples_step (p.learning, state->past.t).learning);

  const uint32_t n = state->past.t > 0 ? patch.find (p) : 0;

  if (!__syncthreads_and (n == 0)) {
    patch.add_to (search, blocks);
    if (n > 0)
      atomicAdd (&n_foreground, n);
    __syncthreads ();
    if (search.is_needed ()) {
      search.run (p);
      patch.drop_moved (search, blocks);
    }
    patch.hide (p, blocks);
    __syncthreads ();
  }
  patch.store (p, foreground_half (p, 1 - state->half));
  blocks.store (p, last, p.moves + (1 - state->half) * n_blocks);
  if (thread_index () == 0 && n_foreground > 0)
    atomicAdd (&state->n_foreground, n_foreground);
  if (blockIdx.x == 0 && blockIdx.y == 0 && thread_index () == 0)
    state->number = state->past.t;
}
