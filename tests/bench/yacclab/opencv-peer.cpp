/* gst-cca: the labeling of OpenCV's module cudaimgproc as one of YACCLAB's algorithms
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "labeling_algorithms.h"
#include "register.h"

/* What cv::cuda::connectedComponents() calls. */
namespace cv::cuda::device::imgproc {
void BlockBasedKomuraEquivalence (const GpuMat &pixels, GpuMat &labels);
}

namespace {

class OPENCV : public GpuLabeling2D<Connectivity2D::CONN_8> {
public:
  void PerformLabeling () override
  {
    d_img_labels_.create (d_img_.size (), CV_32SC1);
    cv::cuda::device::imgproc::BlockBasedKomuraEquivalence (d_img_, d_img_labels_);
  }
};

} // namespace

REGISTER_LABELING (OPENCV)
