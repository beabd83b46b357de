/* gst-cca: the schedule of the background model
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include "cca/format.h"

/* The most grey levels that M moves with the first learning frame. */
#define CCA_MOTION_FIRST_STEP 8

/* One frame's update of the model; see CcaMotion. */
typedef struct
{
  uint16_t step;  /* the most that M moves; 0: not at all */
  uint16_t level; /* a grey level, by which V moves; 1 with 8-bit values */
  uint16_t amplification, v_min, v_max;
  bool report; /* false while learning: nothing is foreground */
} CcaMotionStep;

/* Returns the least spread of a pixel with this factor (cca_plan_set_sensitivity()); `most` is the format's largest
 * value. */
static inline uint32_t
cca_motion_least (uint16_t v_min, uint8_t factor, uint32_t most)
{
  const uint32_t least = ((uint32_t) v_min * factor + 8) / 16;

  return least < 1 ? 1 : least > most ? most : least;
}

/* Returns the step of frame t, counted from 0; frame 0 only sets M and V. */
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
