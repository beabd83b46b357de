/* gst-cca: a track on the ground: place, speed, heading and size class
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "onground.h"

/* How exactly the lower side of a box tells where an object stands: pixels, and a part of the box's height. */
#define FOOT_PIXELS 0.5
#define FOOT_OF_HEIGHT 0.02

#define LEAST_AREAS 3 /* of which a median tells a size class */

static GstCcaPosition
foot_of (const GstCcaBox *box)
{
  return (GstCcaPosition) { (box->min[0] + box->max[0]) / 2.0, box->max[1] };
}

/* Whether a box ends within the frame, so that one sees where its object stands. */
static bool
shows_foot (const GstCcaGroundView *view, const GstCcaBox *box)
{
  return box->min[0] >= 1.0 && box->max[0] <= view->width - 1.0 && box->max[1] <= view->height - 1.0;
}

void
gst_cca_on_ground_to_picture (const GstCcaGroundView *view, GstCcaPosition position, double image[2], double scale[2])
{
  gst_cca_ground_pixel (view->picture, view->width, view->height, scale);
  image[0] = position.x * scale[0];
  image[1] = position.y * scale[1];
}

/* Whether a box lies within the frame, so that the border cuts nothing off the object. */
static bool
shows_all (const GstCcaGroundView *view, const GstCcaBox *box)
{
  return shows_foot (view, box) && box->min[1] >= 1.0;
}

/* Returns the area of an object's silhouette, m²; 0 if its foot is above the horizon. */
static double
area_on_ground (const GstCcaGroundView *view, const GstCcaObject *seen)
{
  const GstCcaPosition foot = foot_of (&seen->box);
  GstCcaGroundScale scale;
  double pixel[2], pixels;

  gst_cca_ground_pixel (view->picture, view->width, view->height, pixel);
  scale = gst_cca_ground_scale (&view->picture->ground, pixel);
  pixels = gst_cca_ground_scale_at (&scale, foot.x, foot.y);
  return pixels > 0.0 ? seen->area / (pixels * pixels) : 0.0;
}

/* Counts an area for its size class, and finds that of the median: classes have the order of areas. */
static void
follow_size (GstCcaOnGround *self, const GstCcaGroundView *view, double area)
{
  uint64_t n = 0, n_below;
  size_t of = 0;

  while (of + 1 < view->n_size_classes && area > view->size_classes[of].max_area)
    of++;
  self->n_areas[of]++;
  for (size_t i = 0; i < view->n_size_classes; i++)
    n += self->n_areas[i];
  if (n < LEAST_AREAS)
    return;
  of = 0;
  for (n_below = self->n_areas[0]; 2 * n_below < n; n_below += self->n_areas[of])
    of++;
  self->size_class = view->size_classes[of].kind;
}

bool
gst_cca_on_ground_follow (GstCcaOnGround *self, const GstCcaGroundView *view, const GstCcaObject *seen, double seconds,
                          GstCcaRulesGroundTrack *listed)
{
  const double exact = FOOT_PIXELS + FOOT_OF_HEIGHT * (seen->box.max[1] - seen->box.min[1]);
  const bool is_seen = seen->state != GST_CCA_OBJECT_COASTING;
  double image[2], scale[2], area;

  gst_cca_ground_motion_predict (&self->motion, seconds);
  if (is_seen && shows_foot (view, &seen->box)) {
    gst_cca_on_ground_to_picture (view, foot_of (&seen->box), image, scale);
    gst_cca_ground_motion_correct (&self->motion, &view->picture->ground, image,
                                   (const double[2]) { exact * scale[0], exact * scale[1] });
  }
  if (is_seen && shows_all (view, &seen->box)) {
    double min[2], max[2];

    gst_cca_on_ground_to_picture (view, (GstCcaPosition) { seen->box.min[0], seen->box.min[1] }, min, scale);
    gst_cca_on_ground_to_picture (view, (GstCcaPosition) { seen->box.max[0], seen->box.max[1] }, max, scale);
    gst_cca_footprint_measure (&self->footprint, &view->picture->ground, &view->camera, min, max, exact * scale[1]);
  }
  if (!gst_cca_ground_motion_read (&self->motion, &self->speed, &self->heading))
    return false;
  if (self->heading >= 0.0)
    gst_cca_footprint_move (&self->footprint, &self->motion.state[2]);
  if (!is_seen)
    return false;
  area = area_on_ground (view, seen);
  if (view->n_size_classes > 0 && area > 0.0 && shows_all (view, &seen->box))
    follow_size (self, view, area);
  *listed = (GstCcaRulesGroundTrack) {
    .id = seen->id,
    .known = (self->speed >= 0.0 ? GST_CCA_RULES_SPEED : 0) | (self->heading >= 0.0 ? GST_CCA_RULES_HEADING : 0),
    .place = { self->motion.state[0], self->motion.state[1] },
    .speed = self->speed,
    .heading = self->heading,
    .area = area,
    .size_class = self->size_class,
  };
  return true;
}

bool
gst_cca_on_ground_ends (const GstCcaOnGround *self, const GstCcaGroundView *view, GstCcaPosition *rear,
                        GstCcaPosition *front)
{
  const GstCcaGround *ground = &view->picture->ground;
  double places[2][2], ends[2][2], pixel[2];

  if (!self->motion.started
      || !gst_cca_footprint_ends (&self->footprint, &view->camera, self->motion.state, places[0], places[1])
      || !gst_cca_ground_image (ground, places[0], ends[0]) || !gst_cca_ground_image (ground, places[1], ends[1]))
    return false;
  gst_cca_ground_pixel (view->picture, view->width, view->height, pixel);
  *rear = (GstCcaPosition) { ends[0][0] / pixel[0], ends[0][1] / pixel[1] };
  *front = (GstCcaPosition) { ends[1][0] / pixel[0], ends[1][1] / pixel[1] };
  return true;
}
