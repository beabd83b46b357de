/* gst-cca: the time from frame to frame, where stamps come late and then close together
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "clock.h"

#include "box.h"

/* A step that seems shorter than this part of the usual interval takes the whole interval. */
#define TOO_SHORT 0.25

/* The usual interval is the mean of about so many steps. What takes more seconds is a gap, and counts as so many. */
#define MEMORY 10
#define LONGEST 0.2

double
gst_cca_frame_clock_step (GstCcaFrameClock *clock, uint64_t stamp)
{
  const double between = clock->started ? (stamp - clock->stamp) / 1e9 : 0.0;
  double seconds = between;

  if (clock->started) {
    seconds -= clock->ahead;
    if (seconds < TOO_SHORT * clock->interval)
      seconds = clock->interval;
    clock->ahead += seconds - between;
    clock->n_steps += clock->n_steps < MEMORY;
    clock->interval += (gst_cca_min (between, LONGEST) - clock->interval) / clock->n_steps;
  }
  clock->started = true;
  clock->stamp = stamp;
  return seconds;
}

void
gst_cca_frame_clock_restart (GstCcaFrameClock *clock)
{
  clock->started = false;
  clock->ahead = 0.0;
}
