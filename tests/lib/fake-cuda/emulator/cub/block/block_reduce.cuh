/* gst-cca: what the kernels use of CUB's BlockReduce, for the emulator
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <cub/block/block_scan.cuh>

namespace cub {

template <typename T, int threads> class BlockReduce {
public:
  typedef typename BlockScan<T, threads>::TempStorage TempStorage;

  explicit BlockReduce (TempStorage &used) : storage (used) {}

  T Sum (T value)
  {
    T before, total;

    BlockScan<T, threads> (storage).ExclusiveSum (value, before, total);
    return total;
  }

private:
  TempStorage &storage;
};

} // namespace cub
