/* gst-cca: the time of a look at a camera's frame
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "gst/camera/health.h"
#include "tests/objects/camera-scene.h"
#include "../times.h"

#include <stdio.h>
#include <stdlib.h>

#define LOOKS 300
#define VIEWS 8 /* frames, so that caches do not hold them */

/* Prints the mean time of looks while well, and while the view is gone: one of five then searches for it. */
static void
measure (uint32_t width, uint32_t height)
{
  const CcaHealthParams params = { .on_time = 1000000000, .off_time = 1000000000 };
  CcaHealth *health = cca_health_new (width, height);
  uint8_t *frames[2 * VIEWS];
  double times[2] = { 0 };

  for (int i = 0; i < 2 * VIEWS; i++) {
    frames[i] = malloc ((size_t) width * height);
    scene_fill (frames[i], width, height, 0, 0, i < VIEWS ? 1 : 2, (uint32_t) i);
  }
  for (int i = 0; i < 2 * LOOKS; i++) {
    const double begin = bench_processor_time ();

    cca_health_look (health, &params, frames[i % VIEWS + (i < LOOKS ? 0 : VIEWS)], width, (uint64_t) i * 200000000);
    times[i >= LOOKS] += (bench_processor_time () - begin) / 1e3 / LOOKS;
  }
  printf ("%ux%u: a look takes %.0f us, %.0f us if the view is gone; per frame at 25 frames/s %.1f and %.1f us\n",
          width, height, times[0], times[1], times[0] / 5, times[1] / 5);
  for (int i = 0; i < 2 * VIEWS; i++)
    free (frames[i]);
  cca_health_free (health);
}

int
main (void)
{
  measure (352, 288);
  measure (768, 576);
  measure (1920, 1080);
  return 0;
}
