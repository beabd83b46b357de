/* gst-cca: libcca as one of YACCLAB's algorithms for GPUs
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Copy it to cuda/src of YACCLAB, name it in the CMakeLists.txt there, link libcca, and add GST_CCA and GST_CCA_4 to
 * the algorithms of the configuration. The first image of each size also pays for libcca's working space; YACCLAB
 * reports the fastest of several runs.
 */
#include <opencv2/cudafeatures2d.hpp>

#include <cca/cca.h>

#include <map>
#include <stdexcept>
#include <utility>

#include "labeling_algorithms.h"
#include "register.h"

namespace {

void
check (CcaStatus status)
{
  if (status != CCA_OK)
    throw std::runtime_error (cca_last_error ());
}

/* Labels images of any size, of each with a plan of its own. */
class Labeler {
public:
  explicit Labeler (uint32_t connectivity) : connectivity_ (connectivity) {}

  void label (const CcaImage &pixels, const CcaImage &labels)
  {
    const Frame &frame = frame_of (pixels.width, pixels.height);
    CcaMeasurement measurement;

    check (cca_plan_run (frame.plan, &pixels, &labels, nullptr, frame.result));
    check (cca_result_wait (frame.result, &measurement));
  }

private:
  struct Frame
  {
    CcaPlan *plan = nullptr;
    CcaResult *result = nullptr;
  };

  const Frame &frame_of (uint32_t width, uint32_t height)
  {
    Frame &frame = frames_[{ width, height }];

    if (!context_) {
      CcaContextOptions options;
      cca_context_options_init (&options);
      options.backend = CCA_BACKEND_CUDA;
      check (cca_context_new (&options, &context_));
    }
    if (!frame.result) {
      CcaParams params;
      cca_params_init (&params);
      params.connectivity = connectivity_;
      params.max_components = 0;
      check (cca_plan_new (context_, width, height, &params, CCA_OUTPUT_LABELS_U32, &frame.plan));
      check (cca_result_new (frame.plan, &frame.result));
    }
    return frame;
  }

  const uint32_t connectivity_;
  CcaContext *context_ = nullptr; /* as long as the process */
  std::map<std::pair<uint32_t, uint32_t>, Frame> frames_;
};

CcaImage
image_of (const cv::cuda::GpuMat &mat)
{
  CcaImage image = {};

  image.data = mat.data;
  image.pitch = static_cast<ptrdiff_t> (mat.step);
  image.width = static_cast<uint32_t> (mat.cols);
  image.height = static_cast<uint32_t> (mat.rows);
  image.memory = CCA_MEMORY_DEVICE;
  return image;
}

} // namespace

template <Connectivity2D Connected, uint32_t connectivity> class GstCca : public GpuLabeling2D<Connected> {
public:
  void PerformLabeling () override
  {
    this->d_img_labels_.create (this->d_img_.size (), CV_32SC1);
    labeler_.label (image_of (this->d_img_), image_of (this->d_img_labels_));
  }

private:
  Labeler labeler_{ connectivity };
};

class GST_CCA : public GstCca<Connectivity2D::CONN_8, 8> {};
class GST_CCA_4 : public GstCca<Connectivity2D::CONN_4, 4> {};

REGISTER_LABELING (GST_CCA);
REGISTER_LABELING (GST_CCA_4);
