/* gst-cca: shared by the tests on the fake driver
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "driver.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

#include <glib.h>

#include "cases.h"
#include "compare.h"
#include "device.h"
#include "patterns.h"

const FakeCuda *fake;

static const char *const figures[N_FIGURES] = { "empty", "frame", "rings", "dots", "checkerboard", "corners" };

static struct
{
  uint8_t pixels[N_FIGURES][WIDTH * HEIGHT], out[2][WIDTH * HEIGHT * 4];
  void *device_pixels[N_FIGURES], *device_out;
} images;

void
driver_init (int *argc, char ***argv)
{
  void *library = dlopen ("libcuda.so.1", RTLD_NOW);

  fake = library ? dlsym (library, "fake_cuda") : NULL;
  if (fake == NULL) {
    fprintf (stderr,
             "%s: libcuda.so.1 is not the fake one; start it by fake-cuda/with-fake-cuda, or for the null device with "
             "LD_LIBRARY_PATH=fake-cuda\n",
             (*argv)[0]);
    exit (2);
  }
  g_test_init (argc, argv, NULL);
}

void
images_init (void)
{
  for (size_t i = 0; i < N_FIGURES; i++) {
    pattern_draw (pattern_find (figures[i]), images.pixels[i], WIDTH, HEIGHT);
    images.device_pixels[i] = device_alloc (NULL, WIDTH * HEIGHT);
    device_upload (NULL, images.device_pixels[i], images.pixels[i], WIDTH * HEIGHT);
    if (i % 2 == 1)
      device_pin (NULL, images.pixels[i], WIDTH * HEIGHT);
  }
  images.device_out = device_alloc (NULL, sizeof images.out[0]);
  device_pin (NULL, images.out[1], sizeof images.out[1]);
}

void
images_clear (void)
{
  for (size_t i = 0; i < N_FIGURES; i++) {
    device_free (NULL, images.device_pixels[i]);
    if (i % 2 == 1)
      device_unpin (NULL, images.pixels[i]);
  }
  device_free (NULL, images.device_out);
  device_unpin (NULL, images.out[1]);
}

const uint8_t *
image_of (size_t figure)
{
  return images.pixels[figure];
}

CcaStatus
run (CcaPlan *plan, CcaResult *result, size_t figure, CcaMemory memory)
{
  const bool on_device = memory == CCA_MEMORY_DEVICE;
  const CcaImage in = { on_device ? images.device_pixels[figure] : images.pixels[figure], WIDTH, WIDTH, HEIGHT,
                        memory };
  const CcaImage out = { on_device ? images.device_out : images.out[figure % 2], WIDTH * 4, WIDTH, HEIGHT, memory };

  return cca_plan_run (plan, &in, &out, NULL, result);
}

void
check_measurement (const CcaMeasurement *measurement, const CcaParams *params, size_t figure)
{
  const OracleParams oracle_params = compare_oracle_params (params);
  g_autoptr (OracleFrame) expected = NULL;

  if (fake->is_null () || params->foreground == CCA_FOREGROUND_MOTION)
    return;
  expected = oracle_run (&oracle_params, NULL, images.pixels[figure], WIDTH, HEIGHT);
  check_same (compare_measurement (measurement, expected), "%s", figures[figure]);
}

CcaStatus
open_context (CountingAllocator *counting, CcaContext **context)
{
  CcaContextOptions options;

  cca_context_options_init (&options);
  options.backend = CCA_BACKEND_CUDA;
  options.allocator = counting->allocator;
  return cca_context_new (&options, context);
}

bool
is_cuda (const Target *target)
{
  return target->backend == CCA_BACKEND_CUDA;
}
