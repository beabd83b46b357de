/* gst-cca: NPP's connected components as a peer of cca-bench
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#ifndef ENGINE_NPP_H
#define ENGINE_NPP_H

#include "bench-engine.h"

G_BEGIN_DECLS

extern const BenchPeer bench_peer_npp;

G_END_DECLS

#endif
