/* gst-cca: the CUDA backend for the fuzzer of frames: kernels run on the host
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "frames.h"

#include "fake-cuda/fake-cuda.h"

extern const FakeCuda fake_cuda;

const CcaBackend fuzz_backend = CCA_BACKEND_CUDA;
/* The emulator is slow, and a narrow row takes it as long as one that fills a tile. */
const uint32_t fuzz_max_pixels = 1500, fuzz_min_row = 16;
const uint32_t fuzz_frame_cost = 2000, fuzz_samples_cost = 2, fuzz_budget = 3000;

/* Whatever GPU this machine has. */
void
fuzz_backend_start (void)
{
  g_setenv ("FAKE_CUDA_DRIVER", "", TRUE);
  g_setenv ("NULL_DEVICE_EMULATES", "1", TRUE);
}

uint64_t
fuzz_backend_held (void)
{
  /* Contexts keep the modules that they once needed. */
  static const FakeCudaKind kinds[] = { FAKE_CUDA_MEMORY, FAKE_CUDA_PINNED, FAKE_CUDA_CURRENT,   FAKE_CUDA_EVENT,
                                        FAKE_CUDA_STREAM, FAKE_CUDA_GRAPH,  FAKE_CUDA_EXECUTABLE };
  uint64_t n = 0;

  for (gsize i = 0; i < G_N_ELEMENTS (kinds); i++)
    n += fake_cuda.n_held (kinds[i]);
  return n;
}
