/* gst-cca: what the kernels use of CUB's BlockScan, for the emulator
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

namespace cub {

template <typename T, int threads> class BlockScan {
public:
  struct TempStorage
  {
    T values[threads];
  };

  explicit BlockScan (TempStorage &used) : storage (used) {}

  void ExclusiveSum (T value, T &before, T &total)
  {
    storage.values[threadIdx.x] = value;
    __syncthreads ();
    if (threadIdx.x == 0)
      for (uint32_t i = 1; i < threads; i++)
        storage.values[i] += storage.values[i - 1];
    __syncthreads ();
    before = storage.values[threadIdx.x] - value;
    total = storage.values[threads - 1];
  }

  template <int n> void ExclusiveSum (T (&values)[n], T (&before)[n], T &total)
  {
    T sum = 0, first;

    for (int i = 0; i < n; i++)
      sum += values[i];
    ExclusiveSum (sum, first, total);
    for (int i = 0; i < n; i++) {
      const T value = values[i];

      before[i] = first;
      first += value;
    }
  }

private:
  TempStorage &storage;
};

} // namespace cub
