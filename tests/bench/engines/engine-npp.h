/* gst-cca: NPP's connected components as a peer of cca-bench
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include "bench-engine.h"

extern const BenchPeer bench_peer_npp;
