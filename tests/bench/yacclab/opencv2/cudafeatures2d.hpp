/* gst-cca: as much of OpenCV as GPU kernels of YACCLAB, and its own, need, on the CUDA runtime alone
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * An image is a view of memory that the caller owns, or has memory of its own once create() needs another size.
 */
#ifndef YACCLAB_OPENCV_H
#define YACCLAB_OPENCV_H

#include <cuda_runtime.h>

#include <cassert>
#include <cstddef>
#include <cstdint>
#include <stdexcept>

enum
{
  CV_8UC1 = 0,
  CV_8SC1 = 1,
  CV_16UC1 = 2,
  CV_32SC1 = 4
};

namespace cv {

using uchar = unsigned char;

struct Size
{
  int width = 0, height = 0;
};

/* Host images, which nothing here reads. */
template <typename T> struct Mat_
{
  int rows = 0, cols = 0;
};
using Mat1b = Mat_<uchar>;
using Mat1i = Mat_<int>;

namespace cuda {

template <typename T> struct PtrStep
{
  enum
  {
    elem_size = sizeof (T)
  };
  T *data;
  std::size_t step; /* bytes a row */

  __host__ __device__ operator T *() const { return data; }
  __host__ __device__ T *ptr (int y = 0) const { return (T *) ((char *) data + y * step); }
  __host__ __device__ T &operator() (int y, int x) const { return ptr (y)[x]; }
};

template <typename T> struct PtrStepSz : PtrStep<T>
{
  int cols, rows;
};

using PtrStepb = PtrStep<uchar>;
using PtrStepi = PtrStep<int>;
using PtrStepSzb = PtrStepSz<uchar>;
using PtrStepSzi = PtrStepSz<int>;

class GpuMat {
public:
  int rows = 0, cols = 0;
  std::size_t step = 0;
  uchar *data = nullptr;

  GpuMat () = default;
  GpuMat (const GpuMat &) = delete;
  GpuMat &operator= (const GpuMat &) = delete;
  ~GpuMat () { release (); }

  void view (int height, int width, int type, void *pixels)
  {
    release ();
    rows = height, cols = width, type_ = type;
    step = width * elemSize ();
    data = static_cast<uchar *> (pixels);
  }

  void create (int height, int width, int type)
  {
    if (data && rows == height && cols == width && type_ == type)
      return;
    release ();
    rows = height, cols = width, type_ = type;
    owned_ = cudaMallocPitch ((void **) &data, &step, width * elemSize (), height) == cudaSuccess;
  }
  void create (Size size, int type) { create (size.height, size.width, type); }

  void release ()
  {
    if (owned_)
      cudaFree (data);
    rows = cols = 0, step = 0, data = nullptr, owned_ = false;
  }

  Size size () const { return { cols, rows }; }
  std::size_t elemSize () const { return type_ == CV_32SC1 ? 4 : type_ == CV_16UC1 ? 2 : 1; }
  template <typename T> void upload (const Mat_<T> &) {}
  template <typename T> void download (Mat_<T> &) const {}

  template <typename T> operator PtrStep<T> () const { return { (T *) data, step }; }
  template <typename T> operator PtrStepSz<T> () const { return { { (T *) data, step }, cols, rows }; }

private:
  int type_ = 0;
  bool owned_ = false;
};

namespace device {
}

inline void
check (cudaError_t status)
{
  if (status != cudaSuccess)
    throw std::runtime_error (cudaGetErrorString (status));
}

} // namespace cuda
} // namespace cv

#define cudaSafeCall(call) cv::cuda::check (call)

#endif
