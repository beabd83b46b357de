/* gst-cca: the time from frame to frame, where stamps come late and then close together
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Networks deliver frames in bursts, and some decoders give two frames the same stamp and the next one a stamp twice as
 * far on. What moved in between would seem endlessly fast. So this clock runs ahead of stamps that are much closer than
 * usual, and waits for them afterwards. Dropped frames, which leave whole intervals out, do not disturb it.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

/* All 0 before the first frame. */
typedef struct
{
  bool started;     /* stamp is the last frame's */
  uint64_t stamp;   /* ns */
  double ahead;     /* of the stamps, seconds */
  double interval;  /* usually between stamps, seconds */
  uint32_t n_steps; /* that the interval is the mean of */
} GstCcaFrameClock;

/* Takes a frame's stamp, which is no earlier than the last one's, but may overflow. Returns the seconds since the last
 * frame; 0 for the first one. */
double gst_cca_frame_clock_step (GstCcaFrameClock *clock, uint64_t stamp);

/* Forgets the last frame, not how far apart frames usually are. */
void gst_cca_frame_clock_restart (GstCcaFrameClock *clock);
