/* gst-cca: the background model SAMPLES: the mask in the frame's coordinates
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * A thread has a word of the mask. The kernel that learns may have ended already, so this one reads no data that it
 * changes.
 */
#include "cuda/kernels/region.cuh"
#include "cuda/samples/samples.cuh"

/* Returns word i of a row of bits whose edge pixels repeat beyond the image. */
__device__ static uint32_t
word_beyond (const uint32_t *row, int32_t i, uint32_t width)
{
  const uint32_t word = row[clamp (i, 0, (int32_t) ((width - 1) / 32))];
  const uint32_t valid = valid_bits ((uint32_t) i * 32, width), last = word >> (width - 1) % 32;

  if (i < 0)
    return word & 1 ? all_lanes : 0;
  return (word & valid) | (last & 1 ? ~valid : 0);
}

/* Returns a word of the mask in the frame's coordinates. */
__device__ static uint32_t
moved_word (const CcaSamplesParams &p, uint32_t word, uint32_t y)
{
  const int32_t x = (int32_t) (word * 32) - cca_samples_whole (p.state->shift_x),
                from = clamp ((int32_t) y - cca_samples_whole (p.state->shift_y), 0, (int32_t) p.height - 1);
  const uint32_t *const row = p.shown + (size_t) from * p.row_words;

  return __funnelshift_r (word_beyond (row, x >> 5, p.width), word_beyond (row, (x >> 5) + 1, p.width),
                          (uint32_t) x & 31);
}

extern "C" __global__ void
__launch_bounds__ (CCA_BLOCK) cca_samples_show (const CcaSamplesMaskParams q)
{
  trigger_then_sync ();
  const CcaSamplesParams &p = q.samples;
  const uint32_t word = blockIdx.x * warp_size + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  const size_t place = (size_t) y * p.row_words + word;
  const Frame frame = frame_of (p);
  uint32_t bits = 0;

  if (blockIdx.x == 0 && blockIdx.y == 0 && thread_index () == 0)
    *q.scene_change = frame == Frame::CHANGED;
  if (word >= p.row_words || y >= p.height)
    return;
  if (frame == Frame::USUAL && word * 32 < p.width)
    bits = moved_word (p, word, y);
  q.bits[place] = within (q.region, place, (q.invert ? ~bits : bits) & valid_bits (word * 32, p.width));
}
