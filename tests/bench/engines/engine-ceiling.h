/* gst-cca: the ceilings of a GPU's memory as peers of cca-bench
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#ifndef ENGINE_CEILING_H
#define ENGINE_CEILING_H

#include "bench-engine.h"

G_BEGIN_DECLS

extern const BenchPeer bench_peer_copy, bench_peer_launch, bench_peer_read, bench_peer_write;

G_END_DECLS

#endif
