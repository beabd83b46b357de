/* gst-cca: finds the component that is exactly where one was
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "still.h"

#include <stdlib.h>
#include <string.h>

#include "array.h"

/* An entry whose component was taken. */
#define TAKEN (GST_CCA_UNASSIGNED - 1)

/* A hash table of components by their boxes, with linear probing. */
struct GstCcaStill
{
  const GstCcaTrackerFrame *frame;
  const GstCcaBox *boxes;
  uint32_t *entries; /* numbers of components; GST_CCA_UNASSIGNED: none */
  size_t room, n;    /* a power of two */
};

GstCcaStill *
gst_cca_still_new (void)
{
  return calloc (1, sizeof (GstCcaStill));
}

void
gst_cca_still_free (GstCcaStill *still)
{
  if (still == NULL)
    return;
  free (still->entries);
  free (still);
}

static size_t
place_of (const GstCcaStill *still, const GstCcaBox *box)
{
  const uint64_t x = (uint64_t) box->min[0] << 32 | (uint64_t) box->max[0];
  const uint64_t y = (uint64_t) box->min[1] << 32 | (uint64_t) box->max[1];

  return ((x * 0x9e3779b97f4a7c15u ^ y) * 0x9e3779b97f4a7c15u >> 32) & (still->n - 1);
}

static size_t
next_place (const GstCcaStill *still, size_t place)
{
  return (place + 1) & (still->n - 1);
}

static bool
is_same (const GstCcaBox *a, const GstCcaBox *b)
{
  return a->min[0] == b->min[0] && a->max[0] == b->max[0] && a->min[1] == b->min[1] && a->max[1] == b->max[1];
}

bool
gst_cca_still_fill (GstCcaStill *still, const GstCcaTrackerFrame *frame, const GstCcaBox *boxes)
{
  still->frame = frame;
  still->boxes = boxes;
  still->n = 16;
  while (still->n < 2 * frame->n_components)
    still->n *= 2;
  if (!GST_CCA_RESERVE (still->entries, still->room, still->n))
    return false;
  memset (still->entries, 0xff, still->n * sizeof *still->entries);
  for (uint32_t i = 0; i < frame->n_components; i++) {
    size_t place = place_of (still, &boxes[i]);

    while (still->entries[place] != GST_CCA_UNASSIGNED)
      place = next_place (still, place);
    still->entries[place] = i;
  }
  return true;
}

uint32_t
gst_cca_still_take (GstCcaStill *still, const GstCcaBox *box, uint64_t area)
{
  for (size_t place = place_of (still, box);; place = next_place (still, place)) {
    const uint32_t component = still->entries[place];

    if (component == GST_CCA_UNASSIGNED)
      return component;
    if (component != TAKEN && still->frame->components[component].area == area
        && is_same (&still->boxes[component], box)) {
      still->entries[place] = TAKEN;
      return component;
    }
  }
}
