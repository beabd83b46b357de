/* gst-cca: draws pieces onto a frame in CUDA memory
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The pixels are those of the painter in system memory: pieces are painted over each other as pixman does (the image
 * with its bilinear filter), and the outcome is blended into the frame as gst_video_blend() does, in integers.
 */
#include "gst/overlay/kernels.h"

#define ROWS (GST_CCA_TILE * GST_CCA_TILE / GST_CCA_DRAW_THREADS) /* of a thread in its tile */
#define STRIDE (GST_CCA_TILE / ROWS)                              /* from one of its rows to the next */
#define CHUNK 64u                                                 /* pieces in shared memory at a time */

/* --- Colours of four bytes ---------------------------------------------------------------------------- */

/* Half of a step, for rounding: pixman's, and cairo's. */
#define HALF 0x00800080u
#define HALF_OF_CAIRO 0x007f007fu

/* Returns two bytes, each times `by` / 255. */
__device__ static uint32_t
scale_pair (uint32_t pair, uint32_t by, uint32_t half)
{
  const uint32_t product = (pair & 0x00ff00ff) * by + half;

  return (product + (product >> 8 & 0x00ff00ff)) >> 8 & 0x00ff00ff;
}

__device__ static uint32_t
scale (uint32_t color, uint32_t by, uint32_t half)
{
  return scale_pair (color, by, half) | scale_pair (color >> 8, by, half) << 8;
}

/* Returns the sums of two bytes each, at most 255. */
__device__ static uint32_t
add_pairs (uint32_t a, uint32_t b)
{
  uint32_t sum = (a & 0x00ff00ff) + (b & 0x00ff00ff);

  sum |= 0x01000100 - (sum >> 8 & 0x00ff00ff);
  return sum & 0x00ff00ff;
}

/* Paints a colour over another. Both are multiplied by their alpha. */
__device__ static uint32_t
over (uint32_t color, uint32_t below, uint32_t half)
{
  const uint32_t rest = scale (below, 255 - (color >> 24), half);

  return add_pairs (color, rest) | add_pairs (color >> 8, rest >> 8) << 8;
}

/* --- Pieces ------------------------------------------------------------------------------------------- */

__device__ static bool
is_within (const GstCcaBox &box, int32_t x, int32_t y)
{
  return x >= box.left && x < box.right && y >= box.top && y < box.bottom;
}

__device__ static uint32_t
mask_at (const uint8_t *memory, const GstCcaPiece &piece, uint32_t x, uint32_t y)
{
  const uint32_t *table = (const uint32_t *) (memory + piece.offset);
  const uint32_t cell = table[y / GST_CCA_MASK_CELL * piece.columns + x / GST_CCA_MASK_CELL];

  if (cell == GST_CCA_CELL_EMPTY || cell == GST_CCA_CELL_FULL)
    return cell == GST_CCA_CELL_FULL ? 255 : 0;
  return memory[cell + y % GST_CCA_MASK_CELL * GST_CCA_MASK_CELL + x % GST_CCA_MASK_CELL];
}

__device__ static int32_t
clamp (int32_t value, int32_t end)
{
  return value < 0 ? 0 : value < end ? value : end - 1;
}

/* Between the four pixels around a place, with weights of 7 bits. */
__device__ static uint32_t
image_at (const uint8_t *memory, const GstCcaPiece &piece, int32_t x, int32_t y)
{
  const GstCcaPieceImage &image = *(const GstCcaPieceImage *) (memory + piece.offset);
  const uint32_t *pixels = (const uint32_t *) (&image + 1);
  const int32_t at_x = image.first_x + x * image.step_x, at_y = image.first_y + y * image.step_y;
  const int32_t left = clamp (at_x >> 16, image.width), right = clamp ((at_x >> 16) + 1, image.width);
  const int32_t top = clamp (at_y >> 16, image.height), bottom = clamp ((at_y >> 16) + 1, image.height);
  const uint32_t wx = (at_x >> 9 & 0x7f) << 1, wy = (at_y >> 9 & 0x7f) << 1;
  const uint32_t corners[4] = { pixels[top * image.width + left], pixels[top * image.width + right],
                                pixels[bottom * image.width + left], pixels[bottom * image.width + right] };
  const uint32_t weights[4] = { (256 - wx) * (256 - wy), wx * (256 - wy), (256 - wx) * wy, wx * wy };
  uint32_t color = 0;

#pragma unroll
  for (uint32_t shift = 0; shift < 32; shift += 8) {
    uint32_t sum = 0;

#pragma unroll
    for (uint32_t i = 0; i < 4; i++)
      sum += (corners[i] >> shift & 0xff) * weights[i];
    color |= (sum >> 16) << shift;
  }
  return color;
}

/* Returns how much of a pixel a line covers, 0…255. */
__device__ static uint32_t
coverage_at (const uint8_t *memory, const GstCcaPiece &piece, int32_t x, int32_t y)
{
  const GstCcaPieceLine &line = *(const GstCcaPieceLine *) (memory + piece.offset);
  const GstCcaSegment *segments = (const GstCcaSegment *) (&line + 1);
  float depth = 0;

#pragma unroll 1
  for (uint32_t i = 0; i < line.n_segments; i++)
    depth = fmaxf (depth, gst_cca_segment_depth (&segments[i], line.width, (float) x + 0.5f, (float) y + 0.5f));
  return gst_cca_segment_coverage (depth);
}

/* Paints a piece over the colour of a pixel in its outer box. */
__device__ static uint32_t
paint (const uint8_t *memory, const GstCcaPiece &piece, int32_t x, int32_t y, uint32_t below)
{
  const uint32_t half = piece.type == GST_CCA_PIECE_FILL ? HALF_OF_CAIRO : HALF;
  const int32_t in_x = x - piece.origin.x, in_y = y - piece.origin.y;

  switch (piece.type) {
    case GST_CCA_PIECE_RING: return is_within (piece.inner, x, y) ? below : over (piece.color, below, half);
    case GST_CCA_PIECE_LINE:
      return over (scale (piece.color, coverage_at (memory, piece, in_x, in_y), half), below, half);
    case GST_CCA_PIECE_IMAGE: return over (image_at (memory, piece, in_x, in_y), below, half);
    default:
      return over (scale (piece.color, mask_at (memory, piece, (uint32_t) in_x, (uint32_t) in_y), half), below, half);
  }
}

/* --- Frames ------------------------------------------------------------------------------------------- */

__device__ static uint32_t
byte_of (int32_t value)
{
  return value < 0 ? 0 : value < 255 ? (uint32_t) value : 255;
}

/* Changes a pixel's values: red, green and blue multiplied by alpha become Y, U and V that are not. */
__device__ static void
convert_to_yuv (uint32_t alpha, uint32_t values[GST_CCA_COLOR_COMPONENTS])
{
  const int32_t r = (int32_t) ((values[0] * 255 + alpha / 2) / alpha);
  const int32_t g = (int32_t) ((values[1] * 255 + alpha / 2) / alpha);
  const int32_t b = (int32_t) ((values[2] * 255 + alpha / 2) / alpha);

  values[0] = byte_of ((47 * r + 157 * g + 16 * b + 4096) >> 8);
  values[1] = byte_of ((-26 * r - 87 * g + 112 * b + 32768) >> 8);
  values[2] = byte_of ((112 * r - 102 * g - 10 * b + 32768) >> 8);
}

__device__ static uint8_t *
value_at (const GstCcaValues &component, uint32_t x, uint32_t y)
{
  return component.data + (ptrdiff_t) (y >> component.shift_y) * component.pitch
         + (size_t) (x >> component.shift_x) * component.step;
}

/* Where pixels share a value, the first of them decides. */
__device__ static bool
is_first (const GstCcaValues &component, uint32_t x, uint32_t y)
{
  return (x & ((1u << component.shift_x) - 1)) == 0 && (y & ((1u << component.shift_y) - 1)) == 0;
}

/* Blends a colour whose alpha is not 0. */
__device__ static void
blend (const GstCcaDrawFrame &frame, uint32_t x, uint32_t y, uint32_t color)
{
  const uint32_t alpha = color >> 24;
  uint32_t values[GST_CCA_COLOR_COMPONENTS] = { color >> 16 & 0xff, color >> 8 & 0xff, color & 0xff };
  uint32_t factor = 255, below = 255, sum = 255; /* of the colour; the frame's alpha before and afterwards */

  if (!frame.is_rgb) {
    convert_to_yuv (alpha, values);
    factor = alpha;
  } else {
    uint8_t *value = value_at (frame.components[GST_CCA_COLOR_COMPONENTS], x, y);

    below = *value;
    sum = alpha + below * (255 - alpha) / 255;
    *value = (uint8_t) sum;
  }
#pragma unroll
  for (uint32_t i = 0; i < GST_CCA_COLOR_COMPONENTS; i++)
    if (is_first (frame.components[i], x, y)) {
      uint8_t *value = value_at (frame.components[i], x, y);
      const uint32_t blended = (values[i] * factor + *value * below * (255 - alpha) / 255) / sum;

      *value = (uint8_t) (blended < 255 ? blended : 255);
    }
}

/* --- Tiles -------------------------------------------------------------------------------------------- */

/* Paints the pieces of a tile over each other and blends them into the frame. Each warp has whole rows. */
extern "C" __global__ void
__launch_bounds__ (GST_CCA_DRAW_THREADS) cca_overlay_draw (const GstCcaDrawParams p)
{
  __shared__ GstCcaPiece pieces[CHUNK];
  const GstCcaTile tile = p.tiles[blockIdx.x];
  const int32_t x = (int32_t) (tile.x * GST_CCA_TILE + threadIdx.x % GST_CCA_TILE);
  const int32_t y = (int32_t) (tile.y * GST_CCA_TILE + threadIdx.x / GST_CCA_TILE);
  uint32_t colors[ROWS] = { 0 };

#pragma unroll 1
  for (uint32_t first = 0; first < tile.n; first += CHUNK) {
    const uint32_t n = tile.n - first < CHUNK ? tile.n - first : CHUNK;

    __syncthreads ();
    if (threadIdx.x < n)
      pieces[threadIdx.x] = p.pieces[p.entries[tile.first + first + threadIdx.x]];
    __syncthreads ();
#pragma unroll 1
    for (uint32_t i = 0; i < n; i++)
#pragma unroll
      for (uint32_t row = 0; row < ROWS; row++)
        if (is_within (pieces[i].outer, x, y + (int32_t) (row * STRIDE)))
          colors[row] = paint (p.memory, pieces[i], x, y + (int32_t) (row * STRIDE), colors[row]);
  }
#pragma unroll
  for (uint32_t row = 0; row < ROWS; row++)
    if (colors[row] >> 24 > 0)
      blend (p.frame, (uint32_t) x, (uint32_t) y + row * STRIDE, colors[row]);
}
