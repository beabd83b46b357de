/* gst-cca: the background model SAMPLES: the frame, smoothed, in the model's coordinates; histograms for its light
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * A block has 128 x 16 pixels of luma, U or V, by its z. It loads what they are made of to shared memory. Each thread
 * makes two times four: dot products of a row's bytes with the weights along x, added up with those along y.
 */
#include "cuda/samples/samples.cuh"

constexpr uint32_t block_rows = 16, tile_rows = block_rows + 3, tile_words = warp_size + 1,
                   tile_bytes = 4 * warp_size + 3;

typedef uint32_t Tile[tile_rows][tile_words];

/* The weights along one axis, as bytes of a word. */
__device__ static uint32_t
pack_weights (int32_t shift)
{
  uint8_t weights[4];

  cca_samples_weights (shift, weights);
  return weights[0] | (uint32_t) weights[1] << 8 | (uint32_t) weights[2] << 16 | (uint32_t) weights[3] << 24;
}

/* Loads the tile whose first value is at (x, y); beyond the image the nearest value. load (x, y) loads one. */
template <typename Load>
__device__ static void
load_tile (Tile &tile, int32_t x, int32_t y, uint32_t width, uint32_t height, const Load load)
{
  for (uint32_t row = threadIdx.y; row < tile_rows; row += blockDim.y) {
    const uint32_t from_y = (uint32_t) clamp (y + (int32_t) row, 0, (int32_t) height - 1);

    for (uint32_t i = threadIdx.x; i < tile_bytes; i += warp_size)
      ((uint8_t *) tile[row])[i] = (uint8_t) load ((uint32_t) clamp (x + (int32_t) i, 0, (int32_t) width - 1), from_y);
  }
  __syncthreads ();
}

/* Makes four values of a row of the block. */
__device__ static uint32_t
smooth (const Tile &tile, uint32_t row, uint32_t weights_x, uint32_t weights_y)
{
  uint32_t sums[4] = {}, four = 0;

#pragma unroll
  for (uint32_t j = 0; j < 4; j++) {
    const uint32_t here = tile[row + j][threadIdx.x], next = tile[row + j][threadIdx.x + 1];

#pragma unroll
    for (uint32_t i = 0; i < 4; i++)
      sums[i] += (weights_y >> 8 * j & 0xff) * __dp4a (__funnelshift_r (here, next, 8 * i), weights_x, 0u);
  }
#pragma unroll
  for (uint32_t i = 0; i < 4; i++)
    four |= (sums[i] + 128) >> 8 << 8 * i;
  return four;
}

/* The histograms of a block's points; a warp in a row of the grid counts the first of each lane's pixels. */
class Points {
  uint32_t *const blacks, *const n_kept;

public:
  __device__ Points (uint32_t *blacks_, uint32_t *n_kept_) : blacks (blacks_), n_kept (n_kept_)
  {
    blacks[thread_index ()] = 0;
    if (thread_index () == 0)
      *n_kept = 0;
  }

  __device__ void add (const CcaSamplesParams &p, uint32_t x, uint32_t y, uint32_t pixel) const
  {
    CcaSamplesState *const state = p.state;
    const bool is_point = x >= 4 && x + 4 < p.width;
    const size_t place = luma_place (p, x, y), plane = luma_plane (p);
    uint32_t sum = 0, key = UINT32_MAX;
    bool was_foreground = false;

    if (is_point) {
      for (uint32_t k = 0; k < CCA_SAMPLES_LUMA; k++) {
        const uint32_t sample = four_at (p.luma + k * plane + place) & 0xff;

        if (k == 0)
          atomicAdd (&blacks[sample], 1u);
        sum += sample;
      }
      const uint32_t level = (sum + CCA_SAMPLES_LUMA / 2) / CCA_SAMPLES_LUMA;

      was_foreground = foreground_half (p, state->half)[(size_t) y * p.row_words + x / 32] >> x % 32 & 1;
      key = (was_foreground * CCA_SAMPLES_LIGHT_BINS + level / 4) * CCA_SAMPLES_LIGHT_ENTRIES + pixel + 3 - level % 4;
    }

    const uint32_t same = __match_any_sync (all_lanes, key),
                   kept = __ballot_sync (all_lanes, is_point && !was_foreground);

    if (is_point && (same & lanes_before ()) == 0)
      atomicAdd (&state->lights[0][0][0] + key, (uint32_t) __popc (same));
    if (lane_index () == 0)
      atomicAdd (n_kept, (uint32_t) __popc (kept));
  }

  /* All threads call this. */
  __device__ void finish (CcaSamplesState *state) const
  {
    __syncthreads ();
    if (blacks[thread_index ()] > 0)
      atomicAdd (&state->blacks[thread_index ()], blacks[thread_index ()]);
    if (thread_index () == 0 && *n_kept > 0)
      atomicAdd (&state->n_kept, *n_kept);
  }
};

template <typename Pixels>
__device__ static void
make_luma (const CcaSamplesFrameParams &q, Tile &tile, const Pixels pixels)
{
  __shared__ uint32_t blacks[256], n_kept;
  const CcaSamplesParams &p = q.samples;
  const bool is_first = p.state->t == 0;
  const int32_t shift_x = is_first ? 0 : p.state->shift_x, shift_y = is_first ? 0 : p.state->shift_y;
  const uint32_t weights_x = pack_weights (shift_x), weights_y = pack_weights (shift_y);
  const uint32_t x = (blockIdx.x * warp_size + threadIdx.x) * 4;
  const Points points (blacks, &n_kept);

  load_tile (tile, (int32_t) (blockIdx.x * warp_size * 4) + (shift_x >> 2) - 1,
             (int32_t) (blockIdx.y * block_rows) + (shift_y >> 2) - 1, p.width, p.height,
             [&] (uint32_t i, uint32_t j) { return pixels.value (q.pixels + j * q.pitch, i); });
  for (uint32_t row = threadIdx.y; row < block_rows; row += blockDim.y) {
    const uint32_t y = blockIdx.y * block_rows + row;

    if (y >= p.height)
      break;
    const uint32_t four = smooth (tile, row, weights_x, weights_y) & bytes_before (x, p.width);

    four_at (p.pixels + luma_place (p, x, y)) = four;
    if (!is_first && y % CCA_SAMPLES_LIGHT_GRID == 0 && y >= 4 && y + 4 < p.height)
      points.add (p, x, y, four & 0xff);
  }
  points.finish (p.state);
}

__device__ static void
make_chroma (const CcaSamplesFrameParams &q, Tile &tile)
{
  const CcaSamplesParams &p = q.samples;
  const CcaSamplesChroma &chroma = q.chroma;
  const bool is_first = p.state->t == 0;
  const uint32_t width = (p.width + 1) / 2, height = (p.height + 1) / 2, pitch = p.row_words * 16;
  const int32_t shift_x = is_first ? 0 : p.state->shift_x >> 1, shift_y = is_first ? 0 : p.state->shift_y >> 1;
  const uint32_t weights_x = pack_weights (shift_x), weights_y = pack_weights (shift_y);
  const uint32_t x = (blockIdx.x * warp_size + threadIdx.x) * 4, plane = blockIdx.z - 1;
  const uint8_t *const samples = chroma.planes[plane];
  uint8_t *const out = p.colors + plane * chroma_plane (p);

  if (blockIdx.y * block_rows >= height || blockIdx.x * warp_size * 4 >= width)
    return;
  load_tile (
      tile, (int32_t) (blockIdx.x * warp_size * 4) + (shift_x >> 2) - 1,
      (int32_t) (blockIdx.y * block_rows) + (shift_y >> 2) - 1, width, height, [&] (uint32_t i, uint32_t j) {
        return samples[(2 * j >> chroma.shift_y) * chroma.pitch + (2 * i >> chroma.shift_x) * (size_t) chroma.step];
      });
  for (uint32_t row = threadIdx.y; row < block_rows; row += blockDim.y) {
    const uint32_t y = blockIdx.y * block_rows + row;

    if (y < height && x < pitch)
      four_at (out + (size_t) y * pitch + x) = smooth (tile, row, weights_x, weights_y);
  }
}

template <typename Pixels>
__device__ static void
resample (const CcaSamplesFrameParams &q, const Pixels pixels)
{
  __shared__ Tile tile;

  if (blockIdx.z == 0)
    make_luma (q, tile, pixels);
  else
    make_chroma (q, tile);
}

extern "C" __global__ void
__launch_bounds__ (CCA_BLOCK) cca_samples_resample (const CcaSamplesFrameParams q)
{
  trigger_then_sync ();
  resample (q, Byte (q.reading));
}

extern "C" __global__ void
__launch_bounds__ (CCA_BLOCK) cca_samples_resample_half (const CcaSamplesFrameParams q)
{
  trigger_then_sync ();
  resample (q, Half (q.reading));
}

extern "C" __global__ void
__launch_bounds__ (CCA_BLOCK) cca_samples_resample_rgb (const CcaSamplesFrameParams q)
{
  trigger_then_sync ();
  resample (q, Rgb (q.reading));
}
