/* gst-cca: a track on the ground: place, speed, heading and size class
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include "footprint.h"
#include "motion.h"
#include "rules.h"

/* All zero but for speed and heading at first. */
typedef struct
{
  GstCcaGroundMotion motion;
  double speed, heading;                            /* -1: not known */
  uint32_t n_areas[GST_CCA_RULES_MAX_SIZE_CLASSES]; /* how many so far are of each size class */
  uint32_t size_class;                              /* 0: not known */
  GstCcaFootprint footprint;
} GstCcaOnGround;

/* The ground in a frame. */
typedef struct
{
  const GstCcaGroundPicture *picture;
  GstCcaGroundCamera camera;
  const GstCcaRulesSizeClass *size_classes;
  size_t n_size_classes;
  double width, height; /* of the frame, pixels */
} GstCcaGroundView;

/* Finds a point of the frame in the picture that the ground was measured in, and how large a pixel of the frame is
 * there. */
void gst_cca_on_ground_to_picture (const GstCcaGroundView *view, GstCcaPosition position, double image[2],
                                   double scale[2]);

/* Follows a track, seconds after the last frame. Returns whether the frame shows where it is; then *listed says so. */
bool gst_cca_on_ground_follow (GstCcaOnGround *self, const GstCcaGroundView *view, const GstCcaObject *seen,
                               double seconds, GstCcaRulesGroundTrack *listed);

/* Finds the rear and the front of what a track stands on, in pixels of the frame. Returns FALSE if they are not
 * known. */
bool gst_cca_on_ground_ends (const GstCcaOnGround *self, const GstCcaGroundView *view, GstCcaPosition *rear,
                             GstCcaPosition *front);
