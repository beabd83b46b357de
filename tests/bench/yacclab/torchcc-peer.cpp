/* gst-cca: torchcc's labeling of images as one of YACCLAB's algorithms
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include <torchcc.h>

#include "labeling_algorithms.h"
#include "register.h"

namespace {

class TORCHCC : public GpuLabeling2D<Connectivity2D::CONN_8> {
public:
  void PerformLabeling () override
  {
    d_img_labels_.create (d_img_.size (), CV_32SC1);
    torchcc::ccl2d ({ d_img_.rows, d_img_.cols, d_img_.data, d_img_labels_.data }, connectivity);
  }
};

} // namespace

REGISTER_LABELING (TORCHCC)
