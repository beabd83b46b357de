/* gst-cca: is a camera well? Judges its frames against a view that is learned while it is
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Frames are looked at every 200 ms. The first ten seconds make the view: its structure, how sharp and how bright it
 * is. It goes on changing slowly while the camera is well. Each look names a state; one that most of the last looks
 * name for a time becomes the camera's. Until then it is in doubt whether the camera is well; glances at the frames
 * between looks tell doubt at once.
 */
#pragma once

#include "picture.h"

typedef enum
{
  CCA_HEALTH_WELL,
  CCA_HEALTH_COVERED,
  CCA_HEALTH_BLINDED,
  CCA_HEALTH_DEFOCUSED,
  CCA_HEALTH_MOVED,
  CCA_HEALTH_FROZEN,
  CCA_HEALTH_DARK,
  CCA_HEALTH_LOST,
  CCA_HEALTH_STATES,
} CcaHealthState;

/* Times, ns. */
typedef struct
{
  uint64_t on_time, off_time; /* for how long a state, the state well, must be seen */
  uint64_t frozen_time;       /* for how long frames must be the same; 0: never frozen */
  uint64_t accept_time;       /* after which a moved camera's new view is learned; 0: never */
} CcaHealthParams;

/* A state and its evidence. */
typedef struct
{
  CcaHealthState state;
  /* well: the part of the view's structure that shows; covered, moved: the part that does not; blinded: the part of the
   * frame that is white; defocused: the sharpness by the view's; frozen: seconds of the same frame; dark: the part of
   * the frame that is black; lost: the contrast, grey levels. */
  double evidence;
  bool is_found;           /* moved, and the view was found elsewhere: what was at (x, y) from the frame's middle … */
  double shift_x, shift_y; /* … is at scale · R(angle) · (x, y) + shift; pixels */
  double angle, scale;     /* degrees, clockwise */
} CcaHealthFinding;

typedef struct CcaHealth CcaHealth;

/* Makes a judge for frames of a size, at least 1x1. Returns NULL if there is no memory. */
CcaHealth *cca_health_new (uint32_t width, uint32_t height);
void cca_health_free (CcaHealth *health); /* or NULL */

/* Says that the next frame does not follow the last one. View and state stay. */
void cca_health_interrupt (CcaHealth *health);

/* Reports a finding that no picture can show, such as that frames do not come. Its state ends as others do. */
void cca_health_set_finding (CcaHealth *health, const CcaHealthFinding *finding);

/* Whether a frame at a time, ns, which never goes back, is to be looked at. */
bool cca_health_is_due (const CcaHealth *health, uint64_t time);

/* Looks at a frame that is due. Returns whether the state changed. */
bool cca_health_look (CcaHealth *health, const CcaHealthParams *params, const uint8_t *luma, ptrdiff_t stride,
                      uint64_t time);

/* Glances at some of the frames that are not due, after one that was: if one may show trouble, it is in doubt until the
 * next look whether the camera is well. */
void cca_health_glance (CcaHealth *health, const CcaHealthParams *params, const uint8_t *luma, ptrdiff_t stride,
                        uint64_t time);

/* Whether the camera's state is well, but the last look or a glance since then speaks against it. */
bool cca_health_is_doubtful (const CcaHealth *health);

/* The state, and the evidence of the last look that named it. */
const CcaHealthFinding *cca_health_finding (const CcaHealth *health);
