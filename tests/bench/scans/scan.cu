/* gst-cca: label equivalence a thread a pixel, with the ways to write its Scan that the evaluation paper compares
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Asad, Marroquim & Souza, IEEE Trans. Image Processing 28 (1), 2019, section V-B. The label of a pixel is the id of a
 * pixel before it in its component; a root's has `root_mark`, and within a Scan counts as the root's own id. So no
 * result depends on the order of threads, and all variants take the same iterations.
 *
 *     [1][2][3]     F8 looks at 1 to 8, F4 at 1 to 4, P4 from 1 to the first of 4 that is foreground.
 *     [4] p [5]     Beyond the image's border is the pixel on it, as in a texture whose addresses are clamped: that is
 *     [6][7][8]     p or one of its neighbours.
 */
#include "kernels.h"

constexpr uint32_t root_mark = 1u << 31, background = root_mark - 1; /* greater than any label */

enum class Policy
{
  P4,
  F4,
  F8
};

struct Pixel
{
  uint32_t x, y, id;
};

static __device__ Pixel
own_pixel (const ScanParams &p)
{
  const uint32_t columns = p.width / SCAN_BLOCK_WIDTH;
  const uint32_t x = blockIdx.x % columns * SCAN_BLOCK_WIDTH + threadIdx.x % SCAN_BLOCK_WIDTH,
                 y = blockIdx.x / columns * SCAN_BLOCK_HEIGHT + threadIdx.x / SCAN_BLOCK_WIDTH;

  return { x, y, y * p.width + x };
}

static __device__ uint32_t
label_of (const ScanParams &p, uint32_t x, uint32_t y)
{
  const uint32_t id = y * p.width + x, label = p.labels[id];

  return label & root_mark ? id : label;
}

template <Policy policy>
static __device__ uint32_t
smallest_neighbour (const ScanParams &p, uint32_t x, uint32_t y)
{
  const uint32_t left = max (x, 1u) - 1, right = min (x + 1, p.width - 1), up = max (y, 1u) - 1;
  uint32_t label = label_of (p, left, up);

  if (policy == Policy::P4) {
    if (label == background)
      label = label_of (p, x, up);
    if (label == background)
      label = label_of (p, right, up);
    if (label == background)
      label = label_of (p, left, y);
    return label;
  }
  label = min (min (label, label_of (p, x, up)), min (label_of (p, right, up), label_of (p, left, y)));
  if (policy == Policy::F8) {
    const uint32_t down = min (y + 1, p.height - 1);

    label = min (min (label, label_of (p, right, y)),
                 min (min (label_of (p, left, down), label_of (p, x, down)), label_of (p, right, down)));
  }
  return label;
}

/* Lowers the root of this thread's pixel to the smallest label beside it. Returns whether that is smaller than the
 * pixel's own. */
template <Policy policy>
static __device__ bool
scan (const ScanParams &p)
{
  const Pixel pixel = own_pixel (p);
  const uint32_t neighbour = smallest_neighbour<policy> (p, pixel.x, pixel.y), label = label_of (p, pixel.x, pixel.y);
  const bool lowers = neighbour < label && label != background;

  if (lowers)
    atomicMin (p.labels + label, root_mark | neighbour);
  return lowers;
}

extern "C" __global__ void
cca_variant_prelabel (const ScanParams p)
{
  const Pixel pixel = own_pixel (p);

  p.labels[pixel.id] = p.mask[pixel.id] ? root_mark | pixel.id : background;
  if (pixel.id == 0)
    *p.n_components = 0;
}

extern "C" __global__ void
cca_variant_first_p4 (const ScanParams p)
{
  scan<Policy::P4> (p);
}

extern "C" __global__ void
cca_variant_first_f4 (const ScanParams p)
{
  scan<Policy::F4> (p);
}

extern "C" __global__ void
cca_variant_first_f8 (const ScanParams p)
{
  scan<Policy::F8> (p);
}

/* Every thread that lowers a label sets the flag in global memory. */
extern "C" __global__ void
cca_variant_scan_global (const ScanParams p)
{
  if (scan<Policy::F8> (p))
    *p.changed = 1;
}

/* It sets the block's flag in shared memory; one thread of the block sets the global one. */
extern "C" __global__ void
cca_variant_scan_shared (const ScanParams p)
{
  __shared__ uint32_t changed;

  if (threadIdx.x == 0)
    changed = 0;
  __syncthreads ();
  if (scan<Policy::F8> (p))
    changed = 1;
  __syncthreads ();
  if (threadIdx.x == 0 && changed)
    *p.changed = 1;
}

/* Points every pixel at its root, and clears the flag. */
extern "C" __global__ void
cca_variant_analyse (const ScanParams p)
{
  const uint32_t id = own_pixel (p).id, label = p.labels[id];
  uint32_t root = label & ~root_mark, next;

  if (id == 0)
    *p.changed = 0;
  if (label == background)
    return;
  while ((next = p.labels[root]) != (root_mark | root))
    root = next & ~root_mark;
  if (root != id)
    p.labels[id] = root;
}

/* Makes labels of roots: 0 is the background. Counts the roots. */
extern "C" __global__ void
cca_variant_number (const ScanParams p)
{
  const uint32_t id = own_pixel (p).id, label = p.labels[id];

  p.labels[id] = label == background ? 0 : (label & ~root_mark) + 1;
  if (label & root_mark)
    atomicAdd (p.n_components, 1);
}
