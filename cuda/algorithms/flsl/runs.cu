/* gst-cca: full runs: FLSL
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Lemaitre, Hennequin & Lacassagne, Taming voting algorithms on GPUs for an efficient connected component analysis
 * algorithm, ICASSP 2021, section 3.1 and algorithm 1, for both connectivities and any width. Unlike the paper we
 * compress the runs of all rows into one list, in raster order, so that every lane has a run even if a row has few.
 *
 *     above    [ 0 ]  [ 1 ]      [ 2 ]      a's parent is 0, the first run above that touches it (link);
 *     row         [ a ]       [ b ]         a bridges the gap between 0 and 1, and unites them (unite)
 */
#include "cuda/kernels/scan.cuh"
#include "cuda/algorithms/segments/segments.cuh"

__device__ static uint32_t
run_start (const CcaSegmentsParams &p, uint32_t run)
{
  return p.runs[run] & 0xffff;
}

__device__ static uint32_t
run_end (const CcaSegmentsParams &p, uint32_t run)
{
  return p.runs[run] >> 16;
}

/* Returns the first run of row y that ends after x. */
__device__ static uint32_t
first_run_behind (const CcaSegmentsParams &p, uint32_t y, uint32_t x)
{
  const uint32_t ends = load_word<uint32_t> (p.planes, y, x / 32).ends ();
  const size_t word = (size_t) y * p.planes.row_words + x / 32;

  return p.row_runs[y] + p.ends_before[word] + __popc (ends & (all_lanes >> (31 - x % 32)));
}

struct Runs
{
  static constexpr uint32_t lanes = 1;

  __device__ static uint32_t count (const CcaSegmentsParams &p) { return p.row_runs[p.planes.height]; }

  __device__ static Segment at (const CcaSegmentsParams &p, uint32_t run, uint32_t)
  {
    const uint32_t extent = p.runs[run];

    return { run, p.rows[run], extent & 0xffff, extent >> 16 };
  }

  __device__ static uint32_t of_pixel (const CcaSegmentsParams &p, uint32_t y, uint32_t x)
  {
    return first_run_behind (p, y, x);
  }
};

/* --- Finding runs: count, scan, compress ------------------------------------------------------------- */

/* Counts the runs of each row, a warp each. */
extern "C" __global__ void
cca_count_runs (const CcaSegmentsParams p)
{
  trigger_then_sync ();
  const uint32_t y = warp_index ();
  uint32_t n_ends = 0;

  if (y >= p.planes.height)
    return;
  for (uint32_t first = 0; first < p.planes.row_words; first += warp_size) {
    const uint32_t i = first + lane_index ();
    const uint32_t ends = i < p.planes.row_words ? __popc (load_word<uint32_t> (p.planes, y, i).ends ()) : 0;
    const uint32_t sum = warp_inclusive_sum (ends);

    if (i < p.planes.row_words)
      p.ends_before[(size_t) y * p.planes.row_words + i] = n_ends + sum - ends;
    n_ends += __shfl_sync (all_lanes, sum, warp_size - 1);
  }
  if (lane_index () == 0)
    p.row_runs[y] = n_ends;
}

/* Sums up the runs of the rows before each one. One block. */
extern "C" __global__ void
__launch_bounds__ (CCA_SCAN_BLOCK) cca_scan_runs (const CcaSegmentsParams p)
{
  trigger_then_sync ();
  const uint32_t n = scan_in_place (p.row_runs, p.planes.height);

  if (threadIdx.x == 0)
    p.row_runs[p.planes.height] = n;
}

/* Stores the runs of each row, a warp each (algorithm 1): each lane compresses a word's edges into shared memory, and
 * the warp stores runs from there side by side. */
extern "C" __global__ void
cca_store_runs (const CcaSegmentsParams p)
{
  trigger_then_sync ();
  constexpr uint32_t warps = CCA_BLOCK / warp_size;
  constexpr uint32_t max_edges = warp_size * 32 + 1; /* in a word for each lane, if neighbours have different values */
  __shared__ uint16_t all_starts[warps][max_edges], all_ends[warps][max_edges];
  uint16_t *const starts_found = all_starts[threadIdx.x / warp_size], *const ends_found =
                                                                          all_ends[threadIdx.x / warp_size];
  const uint32_t y = warp_index ();
  uint32_t n_stored, is_open = 0; /* 1 if the first start found is from the words before */

  if (y >= p.planes.height)
    return;
  n_stored = p.row_runs[y];
  for (uint32_t first = 0; first < p.planes.row_words; first += warp_size) {
    const uint32_t i = first + lane_index ();
    const Word<uint32_t> word = i < p.planes.row_words ? load_word<uint32_t> (p.planes, y, i) : Word<uint32_t>{};
    uint32_t starts = word.starts (), ends = word.ends ();
    const uint32_t counts = __popc (starts) | __popc (ends) << 16, sums = warp_inclusive_sum (counts);
    const uint32_t totals = __shfl_sync (all_lanes, sums, warp_size - 1);
    const uint32_t n_starts = is_open + (totals & 0xffff), n_ends = totals >> 16;
    uint32_t start_at = is_open + ((sums - counts) & 0xffff), end_at = (sums - counts) >> 16;

    for (; starts; starts &= starts - 1)
      starts_found[start_at++] = i * 32 + __ffs (starts) - 1;
    for (; ends; ends &= ends - 1)
      ends_found[end_at++] = i * 32 + __ffs (ends) - 1;
    __syncwarp ();
    for (uint32_t k = lane_index (); k < n_ends; k += warp_size) {
      p.runs[n_stored + k] = starts_found[k] | (uint32_t) ends_found[k] << 16;
      p.rows[n_stored + k] = y;
    }
    n_stored += n_ends;
    is_open = n_starts - n_ends;
    __syncwarp ();
    if (is_open && lane_index () == 0)
      starts_found[0] = starts_found[n_ends];
    __syncwarp ();
  }
}

/* --- Uniting ----------------------------------------------------------------------------------------- */

/* Runs are linked and united within strips of rows first, then the strips with each other. Paths to a root stay short:
 * none leads from strip to strip through every row. */
constexpr uint32_t strip_height = CCA_RUN_STRIP;

/* Returns the first run above that touches a run, or the run itself. */
__device__ static uint32_t
first_run_above (const CcaSegmentsParams &p, const Segment &run)
{
  const uint32_t above = first_run_behind (p, run.y - 1, run.start - (p.planes.diagonal && run.start > 0));

  return above < p.row_runs[run.y] && run_start (p, above) < run.end + p.planes.diagonal ? above : run.id;
}

extern "C" __global__ void
cca_link_runs (const CcaSegmentsParams p)
{
  trigger_then_sync ();
  for_each_segment<Runs> (p, [&] (const Segment &run) {
    if (!run.exists ())
      return;
    p.parent[run.id] = run.y % strip_height > 0 && !p.planes.vertical ? first_run_above (p, run) : run.id;
    if (p.segment_features.tally)
      store_vote (p.segment_features, run.id, vote_of_segment (run.start, run.end, run.y, p.segment_features.moments));
  });
}

/* Merges the features of linked runs into their roots (on-the-fly merging). */
extern "C" __global__ void
cca_merge_linked_runs (const CcaSegmentsParams p)
{
  trigger_then_sync ();
  for_each_segment<Runs> (p, [&] (const Segment &run) {
    if (run.exists () && p.parent[run.id] != run.id)
      merge_into_root (p, run.id);
  });
}

/* Returns whether a run of row y bridges the gap on the left of `run`: it touches both `run` and the run on its left,
 * which are in a row next to y. */
__device__ static bool
gap_is_bridged (const CcaSegmentsParams &p, const Segment &run, uint32_t y)
{
  const uint32_t first = first_run_behind (p, y, run.start - p.planes.diagonal);

  return first < p.row_runs[y + 1] && run_start (p, first) < run_end (p, run.id - 1) + p.planes.diagonal;
}

/* Unites the runs on both sides of the gap on the left of a run, if the row below bridges it. If the row above bridges
 * it, too, both are connected already: by the unions of rows further up, and in the end by runs without any above. */
template <bool otf>
__device__ static void
unite_over_gap (const CcaSegmentsParams &p, const Segment &run)
{
  if (run.id != p.row_runs[run.y] && gap_is_bridged (p, run, run.y + 1)
      && !(run.y > 0 && gap_is_bridged (p, run, run.y - 1)))
    unite_segments<otf> (p, run.id - 1, run.id);
}

template <bool otf>
__device__ static void
unite_runs (const CcaSegmentsParams &p)
{
  for_each_segment<Runs> (p, [&] (const Segment &run) {
    if (run.exists () && run.y + 1 < p.planes.height && (run.y + 1) % strip_height > 0)
      unite_over_gap<otf> (p, run);
  });
}

/* Unites two strips over the seam between them, several blocks a seam. */
template <bool otf>
__device__ static void
unite_strips (const CcaSegmentsParams &p)
{
  const uint32_t y = (blockIdx.y + 1) * strip_height;
  const uint32_t first = p.row_runs[y - 1], last = p.row_runs[y + 1];

  for (uint32_t i = first + blockIdx.x * blockDim.x + threadIdx.x; i < last; i += gridDim.x * blockDim.x) {
    const Segment run = Runs::at (p, i, 0);

    if (run.y < y)
      unite_over_gap<otf> (p, run);
    else if (first_run_above (p, run) != run.id)
      unite_segments<otf> (p, first_run_above (p, run), run.id);
  }
}

/* Unites regions of equal value, which have no gaps. A lane works on a word. */
template <bool otf>
__device__ static void
unite_runs_of_values (const CcaSegmentsParams &p)
{
  const uint32_t word = blockIdx.x * blockDim.x + threadIdx.x;
  const uint32_t y = word / p.planes.row_words + 1, i = word % p.planes.row_words;

  if (y < p.planes.height)
    unite_links<Runs, otf> (p, y, i, all_lanes);
}

#define CCA_DEFINE_UNITE_KERNELS(name, otf)                                                                            \
  extern "C" __global__ void cca_unite_runs##name (const CcaSegmentsParams p)                                          \
  {                                                                                                                    \
    trigger_then_sync ();                                                                                              \
    unite_runs<otf> (p);                                                                                               \
  }                                                                                                                    \
  extern "C" __global__ void cca_unite_strips##name (const CcaSegmentsParams p)                                        \
  {                                                                                                                    \
    trigger_then_sync ();                                                                                              \
    unite_strips<otf> (p);                                                                                             \
  }                                                                                                                    \
  extern "C" __global__ void cca_unite_runs_of_values##name (const CcaSegmentsParams p)                                \
  {                                                                                                                    \
    trigger_then_sync ();                                                                                              \
    unite_runs_of_values<otf> (p);                                                                                     \
  }

CCA_DEFINE_UNITE_KERNELS (, false)
CCA_DEFINE_UNITE_KERNELS (_otf, true)
CCA_DEFINE_SEGMENT_KERNELS (runs, Runs)
