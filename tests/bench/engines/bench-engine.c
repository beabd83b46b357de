/* gst-cca: the peers of cca-bench, and functions that all engines share
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "engine-peers.h"

G_DEFINE_QUARK (cca - bench - error - quark, bench_error)

const char *
bench_task_name (BenchTask task)
{
  return task == BENCH_LABELS ? "labels" : "analysis";
}

#define COMMA_ADDRESS(id, ...) , &bench_peer_yacclab_##id

const BenchPeer *const bench_peers[] = {
#ifdef HAVE_OPENCV
  &bench_peer_opencv_stats,
  &bench_peer_opencv_labels,
#endif
#ifdef HAVE_CUDA
  &bench_peer_npp,
  &bench_peer_read,
  &bench_peer_write,
  &bench_peer_launch,
  &bench_peer_copy BENCH_YACCLAB (COMMA_ADDRESS),
  &bench_peer_opencv_cuda,
  &bench_peer_torchcc,
#endif
  NULL,
};

const char *
bench_peer_missing (const BenchPeer *peer)
{
  return peer->missing != NULL ? peer->missing () : NULL;
}
