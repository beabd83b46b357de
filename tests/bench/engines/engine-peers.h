/* gst-cca: the peers of cca-bench, each in its engine's file
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include "bench-engine.h"

G_BEGIN_DECLS

extern const BenchPeer bench_peer_opencv_stats, bench_peer_opencv_labels;
extern const BenchPeer bench_peer_npp;
extern const BenchPeer bench_peer_copy, bench_peer_launch, bench_peer_read, bench_peer_write;

/* X (id, YACCLAB's name, connectivity), for each of YACCLAB's that takes images of any size. */
#define BENCH_YACCLAB(X)                                                                                               \
  X (uf, "UF", 8)                                                                                                      \
  X (ole, "OLE", 8)                                                                                                    \
  X (stava, "STAVA", 8)                                                                                                \
  X (rasmusson, "RASMUSSON", 8)                                                                                        \
  X (dls, "DLS", 8)                                                                                                    \
  X (m8dls, "M8DLS", 8)                                                                                                \
  X (lbuf, "LBUF", 8)                                                                                                  \
  X (be, "BE", 8)                                                                                                      \
  X (dlp, "DLP", 8)                                                                                                    \
  X (ke, "KE", 8)                                                                                                      \
  X (ke4, "KE4", 4)                                                                                                    \
  X (ha4, "HA4", 4)                                                                                                    \
  X (ha8, "HA8", 8)                                                                                                    \
  X (sauf, "C_SAUF", 8)                                                                                                \
  X (bbdt, "C_BBDT", 8)                                                                                                \
  X (drag, "C_DRAG", 8)                                                                                                \
  X (buf, "BUF", 8)                                                                                                    \
  X (bke, "BKE", 8)                                                                                                    \
  X (tuf, "TUF", 8)                                                                                                    \
  X (radar, "RADAR", 8)

#define BENCH_YACCLAB_DECLARE(id, ...) extern const BenchPeer bench_peer_yacclab_##id;
BENCH_YACCLAB (BENCH_YACCLAB_DECLARE)
#undef BENCH_YACCLAB_DECLARE

/* cv::cuda::connectedComponents() and torchcc.ccl2d(). */
extern const BenchPeer bench_peer_opencv_cuda, bench_peer_torchcc;

G_END_DECLS
