/* gst-cca: what YACCLAB's GPU algorithms are derived from and register with, without the rest of YACCLAB
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The names are YACCLAB's, so that its files compile as they are. Its clocks do nothing: cca-bench has its own.
 */
#ifndef YACCLAB_LABELING_ALGORITHMS_H
#define YACCLAB_LABELING_ALGORITHMS_H

#include <opencv2/cudafeatures2d.hpp>

#include <stdexcept>
#include <string>

#include "memory-pool.h"

using cv::uchar;

enum class Connectivity2D
{
  CONN_4 = 4,
  CONN_8 = 8
};
enum class StepType
{
  ALLOC_DEALLOC,
  FIRST_SCAN,
  SECOND_SCAN,
  ALL_SCANS
};

inline std::string
Step (StepType)
{
  return {};
}

struct NoClock
{
  void start () {}
  double stop () { return 0; }
  double last () { return 0; }
  void store (const std::string &, double) {}
};

class Labeling {
public:
  NoClock perf_;
  cv::Mat1b img_;
  cv::Mat1i img_labels_;
  cv::cuda::GpuMat d_img_, d_img_labels_;
  const int connectivity;

  explicit Labeling (Connectivity2D connected) : connectivity (static_cast<int> (connected)) {}
  virtual ~Labeling () = default;
  virtual void PerformLabeling () = 0;
  virtual void PerformLabelingWithSteps () {}
  virtual void PerformLabelingBlocksize (int, int, int) {}
  virtual void FreeLabelingData () {}
};

template <Connectivity2D Connected, bool = false> class GpuLabeling2D : public Labeling {
public:
  GpuLabeling2D () : Labeling (Connected) {}
};

/* Adds an algorithm of the library; of two with the same name the first one stays. */
void yacclab_add (const char *name, Labeling *labeling);

#endif
