/* gst-cca: the ceilings of a GPU's memory as peers of cca-bench
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include "bench-engine.h"

extern const BenchPeer bench_peer_copy, bench_peer_launch, bench_peer_read, bench_peer_write;
