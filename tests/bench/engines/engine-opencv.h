/* gst-cca: OpenCV's connected components as peers of cca-bench
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include "bench-engine.h"

G_BEGIN_DECLS

extern const BenchPeer bench_peer_opencv_stats, bench_peer_opencv_labels;

G_END_DECLS
