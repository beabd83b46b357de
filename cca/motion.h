/* gst-cca: the schedule of the background model
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#ifndef CCA_MOTION_H
#define CCA_MOTION_H

#include "cca/format.h"

/* How far M moves at most with the first frame that learns. */
#define CCA_MOTION_FIRST_STEP 8

/* How the model moves with one frame; see CcaMotion. */
typedef struct
{
  uint16_t step;  /* M moves by up to this; 0: not at all */
  uint16_t level; /* a grey level, by which V moves; 1 where values have 8 bits */
  uint16_t amplification, v_min, v_max;
  bool report; /* false while learning: nothing is foreground */
} CcaMotionStep;

/* The step of frame t, counted from 0; frame 0 only sets M and V. */
static inline CcaMotionStep
cca_motion_step (const CcaParams *params, uint64_t t)
{
  const CcaMotion *motion = &params->motion;
  CcaMotionStep step = {
    .level = cca_format_is_wide (params->format) && motion->v_min >= 32 ? motion->v_min / 16 : 1,
    .amplification = motion->amplification,
    .v_min = motion->v_min,
    .v_max = motion->v_max,
    .report = t >= motion->learning,
  };

  if (step.report)
    step.step = t % motion->period == 0;
  else
    step.step = CCA_MOTION_FIRST_STEP - CCA_MOTION_FIRST_STEP * t / motion->learning;
  step.step *= step.level;
  return step;
}

#endif
