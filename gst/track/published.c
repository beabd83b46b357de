/* gst-cca: tracks as they are published: confirmed ones in the frame, in whole pixels
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "published.h"

/* Returns the pixels of 0…length - 1 between two coordinates, at least one. */
static void
clip (double low, double high, uint32_t length, uint32_t *position, uint32_t *size)
{
  const uint32_t first = (uint32_t) gst_cca_min (gst_cca_max (low + 0.5, 0.0), length - 1.0);
  const uint32_t end = (uint32_t) gst_cca_min (gst_cca_max (high + 0.5, first + 1.0), length);

  *position = first;
  *size = end - first;
}

/* Rounds what is estimated: a 256th of a pixel is finer than that, and such numbers are short where they are kept. */
static double
shorten (double value)
{
  return rint (value * 256.0) / 256.0;
}

bool
gst_cca_publish (const GstCcaObject *track, uint32_t width, uint32_t height, GstCcaPublished *published)
{
  const GstCcaBox *box = &track->box;
  const bool measured = track->state == GST_CCA_OBJECT_CONFIRMED && track->n_labels == 1;

  if (track->state == GST_CCA_OBJECT_TENTATIVE || box->max[0] <= 0.0 || box->max[1] <= 0.0 || box->min[0] >= width
      || box->min[1] >= height)
    return false;
  *published = (GstCcaPublished) {
    .id = track->id,
    .state = track->state,
    .label = track->label,
    .area = track->area,
    .centroid_x = measured ? track->centroid[0] : shorten (track->centroid[0]),
    .centroid_y = measured ? track->centroid[1] : shorten (track->centroid[1]),
    .velocity_x = shorten (track->velocity[0]),
    .velocity_y = shorten (track->velocity[1]),
    .age = track->age,
    .kind = track->kind,
  };
  clip (box->min[0], box->max[0], width, &published->x, &published->width);
  clip (box->min[1], box->max[1], height, &published->y, &published->height);
  return true;
}
