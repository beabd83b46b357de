/* gst-cca: as much of PyTorch as torchcc needs, on the CUDA runtime alone
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * A tensor is a view of one image in the device's memory and of the labels that the caller wants.
 */
#ifndef YACCLAB_TORCH_H
#define YACCLAB_TORCH_H

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>
#include <stdexcept>

#define TORCH_CHECK_VALUE(condition, text)                                                                             \
  if (!(condition))                                                                                                    \
  throw std::runtime_error (text)
#define TORCH_CHECK_TYPE TORCH_CHECK_VALUE
#define TORCH_CHECK_NOT_IMPLEMENTED TORCH_CHECK_VALUE

namespace torch {

enum ScalarType
{
  kUInt8,
  kInt32
};

struct TensorOptions
{
  explicit TensorOptions (ScalarType) {}
};

class Tensor {
public:
  int height, width;
  void *pixels, *labels;

  std::size_t ndimension () const { return 3; }
  bool is_cuda () const { return true; }
  ScalarType scalar_type () const { return kUInt8; }
  /* Returns n, h or w of n images of h rows of w pixels: dimensions 0, 1, 2 or -3, -2, -1. */
  std::int64_t size (int dimension) const
  {
    const int sizes[] = { 1, height, width };
    return sizes[(dimension + 3) % 3];
  }
  template <typename T> T *data_ptr () const { return static_cast<T *> (pixels); }
};

/* Returns an image's labels, cleared. */
inline Tensor
zeros_like (const Tensor &image, const TensorOptions &)
{
  cudaMemsetAsync (image.labels, 0, sizeof (std::int32_t) * image.width * image.height);
  return { image.height, image.width, image.labels, nullptr };
}

} // namespace torch

#endif
