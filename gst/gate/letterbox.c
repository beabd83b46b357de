/* gst-cca: crops of a frame in tiles of a fixed size, and results in tiles back in the frame
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "letterbox.h"

#include <stdlib.h>

/* Overlap from which on two boxes are one object, as a part of their union, or of a box that is cut. */
#define SAME 0.5

/* Within so much of a crop's border, as a part of its side, a box ends there: detectors do not hit it exactly. */
#define EDGE 0.02
#define LEAST_EDGE 2.0 /* pixels */

static double
round_to (double value, uint32_t step)
{
  return floor (value / step + 0.5) * step;
}

bool
gst_cca_letterbox_fit (const GstCcaSheet *frame, const GstCcaSheet *tile, const GstCcaTile *crop, GstCcaLetterbox *box)
{
  const double from[2] = { crop->x, crop->y }, side[2] = { crop->width, crop->height };
  const double frame_side[2] = { frame->width, frame->height }, tile_side[2] = { tile->width, tile->height };
  double scale = INFINITY;

  for (int i = 0; i < 2; i++) {
    const double end = ceil ((from[i] + side[i]) / frame->step[i]) * frame->step[i];

    box->crop.min[i] = floor (from[i] / frame->step[i]) * frame->step[i];
    box->crop.max[i] = gst_cca_min (end, frame_side[i]);
    if (side[i] == 0.0 || box->crop.min[i] >= box->crop.max[i])
      return false;
    scale = gst_cca_min (scale, tile_side[i] / (box->crop.max[i] - box->crop.min[i]));
  }
  for (int i = 0; i < 2; i++) {
    const double ideal = round_to ((box->crop.max[i] - box->crop.min[i]) * scale, tile->step[i]);
    const double length = gst_cca_min (gst_cca_max (ideal, tile->step[i]), tile_side[i]);

    box->place.min[i] = floor ((tile_side[i] - length) / 2.0 / tile->step[i]) * tile->step[i];
    box->place.max[i] = box->place.min[i] + length;
  }
  return true;
}

GstCcaBox
gst_cca_letterbox_back (const GstCcaLetterbox *box, const GstCcaBox *in_tile)
{
  const GstCcaBox inside = gst_cca_box_clip (in_tile, &box->place);
  GstCcaBox back;

  for (int i = 0; i < 2; i++) {
    const double scale = (box->crop.max[i] - box->crop.min[i]) / (box->place.max[i] - box->place.min[i]);

    back.min[i] = box->crop.min[i] + (inside.min[i] - box->place.min[i]) * scale;
    back.max[i] = box->crop.min[i] + (inside.max[i] - box->place.min[i]) * scale;
  }
  return back;
}

/* --- Seams -------------------------------------------------------------------------------------------- */

static bool
is_cut (const GstCcaFound *found, const GstCcaSheet *frame)
{
  const double ends[2] = { frame->width, frame->height };

  for (int i = 0; i < 2; i++) {
    const double edge = gst_cca_max (EDGE * (found->crop.max[i] - found->crop.min[i]), LEAST_EDGE);

    if (found->crop.min[i] > 0.0 && found->box.min[i] < found->crop.min[i] + edge)
      return true;
    if (found->crop.max[i] < ends[i] && found->box.max[i] > found->crop.max[i] - edge)
      return true;
  }
  return false;
}

/* Returns whether b, after a in the order of worth, is the same object. */
static bool
are_same_object (const GstCcaFound *a, const GstCcaFound *b)
{
  const double shared = gst_cca_box_shared (&a->box, &b->box);
  const double one = gst_cca_box_area (&a->box), other = gst_cca_box_area (&b->box);

  if (a->tile == b->tile || a->kind != b->kind || shared <= 0.0)
    return false;
  return shared >= SAME * (one + other - shared) || (b->cut && shared >= SAME * other);
}

/* Orders results: first those to keep. */
static int
by_worth (const void *a, const void *b)
{
  const GstCcaFound *one = *(const GstCcaFound *const *) a, *other = *(const GstCcaFound *const *) b;
  const double size = gst_cca_box_area (&one->box), other_size = gst_cca_box_area (&other->box);

  if (one->cut != other->cut)
    return one->cut ? 1 : -1;
  if (size != other_size)
    return size < other_size ? 1 : -1;
  return one->place < other->place ? -1 : 1;
}

void
gst_cca_seams_mark (GstCcaFound *found, const GstCcaFound **order, size_t n, const GstCcaSheet *frame)
{
  size_t n_kept = 0;

  for (size_t i = 0; i < n; i++) {
    found[i].place = i;
    found[i].cut = is_cut (&found[i], frame);
    found[i].repeats = false;
    order[i] = &found[i];
  }
  if (n > 1)
    qsort (order, n, sizeof (*order), by_worth);
  /* Moves those that are kept to the front of the order. */
  for (size_t i = 0; i < n; i++) {
    GstCcaFound *candidate = &found[order[i]->place];

    for (size_t k = 0; k < n_kept && !candidate->repeats; k++)
      candidate->repeats = are_same_object (order[k], candidate);
    if (!candidate->repeats)
      order[n_kept++] = candidate;
  }
}
