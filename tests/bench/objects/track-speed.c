/* gst-cca: the tracker's time per frame by the number of objects
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * usage: track-speed
 *
 * Objects of 8 x 8 pixels move at random velocities in a frame of 1920 x 1080, each a component that shares pixels with
 * the last frame's. They overlap here and there, and stay components of their own. Prints the median and the slowest of
 * 200 frames after the first three, in which all objects are new.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "gst/track/tracker.h"
#include "../times.h"

#define WIDTH 1920
#define HEIGHT 1080
#define SIDE 8
#define WARM_UP 3
#define FRAMES 200
#define MAX_OBJECTS 4000

typedef struct
{
  double x, y, vx, vy;
} Object;

static Object objects[MAX_OBJECTS];
static GstCcaTrackerComponent components[MAX_OBJECTS];

static double
random_between (double low, double high)
{
  return low + (high - low) * rand () / RAND_MAX;
}

static void
move (Object *object)
{
  object->x += object->vx;
  object->y += object->vy;
  if (object->x < 0 || object->x > WIDTH - SIDE)
    object->vx = copysign (object->vx, WIDTH / 2.0 - object->x);
  if (object->y < 0 || object->y > HEIGHT - SIDE)
    object->vy = copysign (object->vy, HEIGHT / 2.0 - object->y);
}

static double
run_frame (GstCcaTracker *tracker, uint32_t n, int number, size_t *n_tracks)
{
  const GstCcaTrackerFrame frame = {
    .time = (uint64_t) number * 40000000u, .width = WIDTH, .height = HEIGHT, .components = components, .n_components = n
  };
  const GstCcaObject *tracks;
  double start;

  for (uint32_t i = 0; i < n; i++) {
    Object *object = &objects[i];
    const uint32_t x = (uint32_t) fmin (fmax (object->x, 0.0), WIDTH - SIDE);
    const uint32_t y = (uint32_t) fmin (fmax (object->y, 0.0), HEIGHT - SIDE);

    components[i] =
        (GstCcaTrackerComponent) { i + 1, x, y, SIDE, SIDE, SIDE * SIDE, x + (SIDE - 1) / 2.0, y + (SIDE - 1) / 2.0 };
    move (object);
  }
  start = bench_now ();
  if (!gst_cca_tracker_run (tracker, &frame, &tracks, n_tracks))
    abort ();
  return (bench_now () - start) / 1e3;
}

static void
measure (uint32_t n)
{
  GstCcaTracker *tracker = gst_cca_tracker_new (NULL);
  double times[FRAMES], first = 0.0;
  size_t n_tracks;

  if (tracker == NULL)
    abort ();
  srand (1);
  for (uint32_t i = 0; i < n; i++)
    objects[i] = (Object) { random_between (0, WIDTH - SIDE), random_between (0, HEIGHT - SIDE), random_between (-3, 3),
                            random_between (-3, 3) };
  for (int i = 0; i < WARM_UP; i++)
    first = fmax (first, run_frame (tracker, n, i, &n_tracks));
  for (int i = 0; i < FRAMES; i++)
    times[i] = run_frame (tracker, n, WARM_UP + i, &n_tracks);
  bench_sort (times, FRAMES);
  printf ("%8u %8zu %12.1f %12.1f %12.1f\n", n, n_tracks, times[FRAMES / 2], times[FRAMES - 1], first);
  gst_cca_tracker_free (tracker);
}

int
main (void)
{
  printf ("%8s %8s %12s %12s %12s   us a frame\n", "objects", "tracks", "median", "slowest", "new ones");
  measure (10);
  measure (100);
  measure (500);
  measure (MAX_OBJECTS);
  return 0;
}
