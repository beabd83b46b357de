/* gst-cca: the tracker's own data
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include "association.h"
#include "clock.h"
#include "figures.h"
#include "fit.h"
#include "sizes.h"

typedef struct
{
  uint32_t *labels;
  size_t n, room;
} Labels;

struct GstCcaTracker
{
  GstCcaTrackerParams params;
  GstCcaAssociation *association;
  GstCcaCoverage coverage;
  GstCcaSizes sizes;
  const GstCcaTrackerFrame *seen; /* the frame as it came */
  GstCcaFigures figures;
  GstCcaHint *hints; /* of the tracks */
  size_t hints_room;
  GstCcaTrackerComponent
      *detected; /* the detections as components, area at least 1: components are these from here on */
  size_t detected_room;
  uint32_t width, height; /* of the last frame, for which the sizes are */
  GstCcaGroundPicture ground;
  bool grounded, people; /* the ground is known; objects are people */
  uint64_t last_id, n_confirmed;
  GstCcaFrameClock clock;

  Track *tracks;
  size_t n, room;
  Labels labels;
  GstCcaBox *boxes; /* of the components */
  size_t boxes_room;
  bool *singles; /* which of them are surely one object */
  size_t singles_room;
  GstCcaLook *looks; /* of the components */
  size_t looks_room;
  uint32_t *users; /* tracks that have each component */
  size_t users_room;
  uint32_t *hidden; /* tracks that each component hides */
  size_t hidden_room;
  GstCcaMotion *predicted; /* the tracks' motions */
  size_t predicted_room;
  GstCcaTemplate *templates; /* of a component's tracks */
  size_t templates_room;
  GstCcaLink *claims; /* of the tracks that share components, each to the first that it shares */
  size_t claims_room, n_claims;
  uint32_t *sharers; /* tracks of a component */
  size_t sharers_room;
  GstCcaSides *sides; /* of the component's box that are the sharers' */
  size_t sides_room;
  GstCcaObject *published;
  size_t published_room;
};
