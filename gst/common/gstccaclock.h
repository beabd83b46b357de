/* gst-cca: a stream's time, by time stamps that may be wrong
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Time stamps come from cameras, files and networks. A clock makes of them a time that never goes back and never stops:
 *
 * - A stamp up to a second before the last one is an irregularity: time stands still.
 * - A stamp that lies farther back, or ahead by more than 10 s and more than ten times the last step, is doubted: time
 * goes on by the last step. The next stamp decides. If it goes on where the stamps were before, the one in between was
 * wrong. If it goes on from the doubted one, time passes as they say: stamps that leap ahead are a gap, those that go
 * back another timeline.
 */
#ifndef GST_CCA_CLOCK_H
#define GST_CCA_CLOCK_H

#include <gst/gst.h>

G_BEGIN_DECLS

typedef enum
{
  GST_CCA_CLOCK_GOES_ON,
  GST_CCA_CLOCK_WENT_BACK, /* the stamp lies before the last ones by more than a second */
  GST_CCA_CLOCK_WAS_AHEAD, /* the last stamp lay far ahead, and was wrong */
} GstCcaClockStep;

typedef struct
{
  GstClockTime stamp, time;
} GstCcaClockFrame;

/* All 0 before the first frame, and for another timeline. */
typedef struct
{
  gboolean started;
  /* Of the last frame, ns: its stamp until one is doubted. Only differences count: it may overflow. */
  GstClockTime time;
  GstClockTime step;                  /* between the last two frames that were believed */
  GstCcaClockFrame believed, doubted; /* the last ones */
  gboolean doubts;                    /* the last frame was doubted */
} GstCcaClock;

/* Takes the next frame's time stamp or, where that is GST_CLOCK_TIME_NONE, its duration, which is not. */
GstCcaClockStep gst_cca_clock_advance (GstCcaClock *clock, GstClockTime stamp, GstClockTime duration);

G_END_DECLS

#endif
