/* gst-cca: the part of the ground that an object stands on, from its boxes
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * A box does not tell length from height: its upper side shows how far the object's top reaches over the ground behind
 * it. While the object comes nearer or drives away, both change differently. Under a camera over (0, 0) at height H, an
 * object of height h whose near end is n metres away, and that reaches d metres away from the camera, has its top where
 * the ground is k (n + d) metres away, k = H / (H - h). So a line through near and far ends has k and d. An object that
 * has shown little of its way so far counts as 1.6 m high, about which cars, cycles and walkers are.
 *
 * Lengths are in metres.
 */
#pragma once

#include "homography.h"

typedef struct
{
  bool known;     /* FALSE: it looks down so steeply that heights do not matter, or its pixels are not square */
  double foot[2]; /* the place below it */
  double height;
} GstCcaGroundCamera;

/* Finds the camera of a picture of that size, whose pixels are square and whose middle its axis passes (Zhang, "A
 * flexible new technique for camera calibration", IEEE TPAMI 22 (11), 2000, with one picture and one unknown). */
GstCcaGroundCamera gst_cca_ground_camera (const GstCcaGround *ground, double width, double height);

/* All zeros at first. */
typedef struct
{
  double weight, near, far, near_near, near_far, across; /* weighted sums of what the boxes showed */
  double away[2];                                        /* from the camera, of length 1 */
  double forward[2];                                     /* in which the object last moved, of length 1 */
} GstCcaFootprint;

/* Takes a box in the picture, all of which is in it, and whose upper side is known to so many pixels. */
void gst_cca_footprint_measure (GstCcaFootprint *footprint, const GstCcaGround *ground,
                                const GstCcaGroundCamera *camera, const double min[2], const double max[2],
                                double deviation);

/* Notes that the object moves. */
void gst_cca_footprint_move (GstCcaFootprint *footprint, const double velocity[2]);

/* Finds the object's rear and front, in the middle of its width, if the middle of its box's lower side is at a place.
 * Returns FALSE while too little is known. */
bool gst_cca_footprint_ends (const GstCcaFootprint *footprint, const GstCcaGroundCamera *camera, const double place[2],
                             double rear[2], double front[2]);
