/* gst-cca: finds free places for texts: labels of objects, and others
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "placement.h"

#include <stdlib.h>
#include <string.h>

/* A large box has room for so many labels. */
#define LARGE_BOX 16

/* A bit for each pixel of the view. */
typedef struct
{
  uint64_t *bits;
  size_t words; /* in a row */
} Bitmap;

typedef struct
{
  GstCcaRect outer, inner; /* the visible parts */
  int width, height;       /* of the label */
  uint64_t weight;
  size_t index;
} Wish;

struct GstCcaPlacement
{
  GstCcaView view;
  Bitmap covered; /* by labels and boxes with their lines */
  Bitmap closed;  /* the same without the inside of large boxes */
  bool ready;     /* the bitmaps have their memory */
  bool full;      /* out of memory for one more wish */
  size_t bitmap_size;

  Wish *wishes;
  GstCcaRect *places;
  size_t n, room;
};

GstCcaPlacement *
gst_cca_placement_new (void)
{
  return calloc (1, sizeof (GstCcaPlacement));
}

void
gst_cca_placement_free (GstCcaPlacement *placement)
{
  free (placement->covered.bits);
  free (placement->closed.bits);
  free (placement->wishes);
  free (placement->places);
  free (placement);
}

void
gst_cca_placement_begin (GstCcaPlacement *placement, const GstCcaView *view)
{
  const size_t words = ((size_t) view->width + 63) / 64, size = words * view->height * sizeof (uint64_t);

  placement->view = *view;
  placement->n = 0;
  placement->full = false;
  if (size > placement->bitmap_size) {
    free (placement->covered.bits);
    free (placement->closed.bits);
    placement->covered.bits = malloc (size);
    placement->closed.bits = malloc (size);
    placement->ready = placement->covered.bits != NULL && placement->closed.bits != NULL;
    placement->bitmap_size = placement->ready ? size : 0;
  }
  if (!placement->ready)
    return;
  placement->covered.words = placement->closed.words = words;
  memset (placement->covered.bits, 0, size);
  memset (placement->closed.bits, 0, size);
}

/* The bits first…last of a word that a run of bits from…to, both included, has in the word with a number. */
static uint64_t
bits_of_word (int from, int to, int word)
{
  const int first = from > word * 64 ? from - word * 64 : 0, last = to < word * 64 + 63 ? to - word * 64 : 63;

  return (UINT64_MAX >> (63 - last + first)) << first;
}

static void
mark (Bitmap *bitmap, const GstCcaView *view, const GstCcaRect *rect)
{
  const GstCcaRect area = gst_cca_view_clip (view, rect);
  const int from = area.x, to = area.x + area.w - 1;

  if (gst_cca_rect_is_empty (&area))
    return;
  for (int word = from / 64; word <= to / 64; word++) {
    const uint64_t bits = bits_of_word (from, to, word);

    for (int y = area.y; y < area.y + area.h; y++)
      bitmap->bits[y * bitmap->words + word] |= bits;
  }
}

static bool
is_free (const Bitmap *bitmap, const GstCcaRect *area)
{
  const int from = area->x, to = area->x + area->w - 1;

  for (int word = from / 64; word <= to / 64; word++) {
    const uint64_t bits = bits_of_word (from, to, word);

    for (int y = area->y; y < area->y + area->h; y++)
      if (bitmap->bits[y * bitmap->words + word] & bits)
        return false;
  }
  return true;
}

void
gst_cca_placement_reserve (GstCcaPlacement *placement, const GstCcaRect *rect)
{
  if (!placement->ready)
    return;
  mark (&placement->covered, &placement->view, rect);
  mark (&placement->closed, &placement->view, rect);
}

static bool
is_large (const Wish *wish, const GstCcaView *view)
{
  const int width = wish->inner.w - 2 * view->sample_w, height = wish->inner.h - 2 * view->sample_h;

  return wish->width > 0 && wish->width <= width && wish->height <= height
         && (int64_t) LARGE_BOX * wish->width * wish->height <= (int64_t) width * height;
}

/* The four sides of what lies between two rectangles, the inner one not empty. */
static void
mark_ring (Bitmap *bitmap, const GstCcaView *view, const GstCcaRect *outer, const GstCcaRect *inner)
{
  const int inner_right = inner->x + inner->w, inner_bottom = inner->y + inner->h;
  const GstCcaRect sides[] = {
    { outer->x, outer->y, outer->w, inner->y - outer->y },
    { outer->x, inner_bottom, outer->w, outer->y + outer->h - inner_bottom },
    { outer->x, inner->y, inner->x - outer->x, inner->h },
    { inner_right, inner->y, outer->x + outer->w - inner_right, inner->h },
  };

  for (int i = 0; i < 4; i++)
    mark (bitmap, view, &sides[i]);
}

static bool
make_room (GstCcaPlacement *placement)
{
  const size_t room = placement->room > 0 ? 2 * placement->room : 64;
  Wish *wishes = realloc (placement->wishes, room * sizeof *wishes);
  GstCcaRect *places;

  if (wishes == NULL)
    return false;
  placement->wishes = wishes;
  places = realloc (placement->places, room * sizeof *places);
  if (places == NULL)
    return false;
  placement->places = places;
  placement->room = room;
  return true;
}

bool
gst_cca_placement_add (GstCcaPlacement *placement, const GstCcaRing *ring, int width, int height, uint64_t weight)
{
  const GstCcaView *view = &placement->view;
  Wish wish = {
    gst_cca_view_clip (view, &ring->outer), gst_cca_view_clip (view, &ring->inner), 0, 0, weight, placement->n
  };

  if (placement->n == placement->room && !placement->full)
    placement->full = !make_room (placement);
  if (!placement->ready || placement->full)
    return false;
  wish.width = (width + view->sample_w - 1) & -view->sample_w;
  wish.height = (height + view->sample_h - 1) & -view->sample_h;
  mark (&placement->covered, view, &wish.outer);
  if (is_large (&wish, view))
    mark_ring (&placement->closed, view, &wish.outer, &wish.inner);
  else
    mark (&placement->closed, view, &wish.outer);
  placement->wishes[placement->n++] = wish;
  return true;
}

/* --- Candidates -------------------------------------------------------------------------------------- */

enum
{
  N_OUTSIDE = 8,
  N_INSIDE = 4,
};

/* Where a label touches its box from outside, the best first. */
static void
places_outside (const Wish *wish, const GstCcaView *view, GstCcaRect places[N_OUTSIDE])
{
  const int w = wish->width, h = wish->height;
  const int left = wish->outer.x, right = left + wish->outer.w, top = wish->outer.y, bottom = top + wish->outer.h;
  const int end_x = gst_cca_view_align_x (view, right - w), end_y = gst_cca_view_align_y (view, bottom - h);

  places[0] = (GstCcaRect) { left, top - h, w, h };
  places[1] = (GstCcaRect) { end_x, top - h, w, h };
  places[2] = (GstCcaRect) { left, bottom, w, h };
  places[3] = (GstCcaRect) { end_x, bottom, w, h };
  places[4] = (GstCcaRect) { right, top, w, h };
  places[5] = (GstCcaRect) { left - w, top, w, h };
  places[6] = (GstCcaRect) { right, end_y, w, h };
  places[7] = (GstCcaRect) { left - w, end_y, w, h };
}

/* The corners inside of a box, a sample away from its line, because the lines of neighbours reach into it. */
static void
places_inside (const Wish *wish, const GstCcaView *view, GstCcaRect places[N_INSIDE])
{
  const int w = wish->width, h = wish->height;
  const int left = wish->inner.x + view->sample_w, top = wish->inner.y + view->sample_h;
  const int end_x = gst_cca_view_align_x (view, wish->inner.x + wish->inner.w - view->sample_w - w);
  const int end_y = gst_cca_view_align_y (view, wish->inner.y + wish->inner.h - view->sample_h - h);

  places[0] = (GstCcaRect) { left, top, w, h };
  places[1] = (GstCcaRect) { end_x, top, w, h };
  places[2] = (GstCcaRect) { left, end_y, w, h };
  places[3] = (GstCcaRect) { end_x, end_y, w, h };
}

/* The first of some places that is in the view and free. */
static const GstCcaRect *
first_free (const Bitmap *bitmap, const GstCcaView *view, const GstCcaRect *places, int n)
{
  for (int i = 0; i < n; i++) {
    const GstCcaRect *place = &places[i];

    if (place->x >= 0 && place->y >= 0 && place->x + place->w <= view->width && place->y + place->h <= view->height
        && is_free (bitmap, place))
      return place;
  }
  return NULL;
}

/* The free place of a size nearest to another place, of those on a grid; empty if there is none. */
static GstCcaRect
nearest_free (const Bitmap *bitmap, const GstCcaView *view, const GstCcaRect *preferred)
{
  const int step_x = (preferred->w / 2 + view->sample_w) & -view->sample_w, step_y = preferred->h;
  GstCcaRect nearest = { 0, 0, 0, 0 };
  int64_t least = INT64_MAX;

  for (int y = gst_cca_view_align_y (view, preferred->y % step_y); y + preferred->h <= view->height; y += step_y)
    for (int x = gst_cca_view_align_x (view, preferred->x % step_x); x + preferred->w <= view->width; x += step_x) {
      const GstCcaRect place = { x, y, preferred->w, preferred->h };
      const int64_t dx = x - preferred->x, dy = y - preferred->y, distance = dx * dx + dy * dy;

      if (x >= 0 && y >= 0 && distance < least && is_free (bitmap, &place)) {
        nearest = place;
        least = distance;
      }
    }
  return nearest;
}

GstCcaRect
gst_cca_placement_find (GstCcaPlacement *placement, const GstCcaRect *candidates, int n)
{
  const GstCcaView *view = &placement->view;
  const GstCcaRect *first;
  GstCcaRect place = { 0, 0, 0, 0 };

  if (!placement->ready || gst_cca_rect_is_empty (candidates))
    return place;
  first = first_free (&placement->covered, view, candidates, n);
  place = first != NULL ? *first : nearest_free (&placement->covered, view, candidates);
  if (gst_cca_rect_is_empty (&place) && (first = first_free (&placement->closed, view, candidates, n)) != NULL)
    place = *first;
  gst_cca_placement_reserve (placement, &place);
  return place;
}

static GstCcaRect
find_place (const GstCcaPlacement *placement, const Wish *wish)
{
  const GstCcaView *view = &placement->view;
  GstCcaRect outside[N_OUTSIDE], inside[N_INSIDE];
  const GstCcaRect *place;

  if (gst_cca_rect_is_empty (&wish->outer) || wish->width <= 0 || wish->height <= 0)
    return (GstCcaRect) { 0, 0, 0, 0 };
  places_outside (wish, view, outside);
  place = first_free (&placement->covered, view, outside, N_OUTSIDE);
  if (place == NULL && is_large (wish, view)) {
    places_inside (wish, view, inside);
    place = first_free (&placement->closed, view, inside, N_INSIDE);
  }
  if (place == NULL)
    place = first_free (&placement->closed, view, outside, N_OUTSIDE);
  return place != NULL ? *place : (GstCcaRect) { 0, 0, 0, 0 };
}

static int
heavier_first (const void *a, const void *b)
{
  const Wish *one = a, *other = b;

  if (one->weight != other->weight)
    return one->weight > other->weight ? -1 : 1;
  return one->index < other->index ? -1 : 1;
}

const GstCcaRect *
gst_cca_placement_run (GstCcaPlacement *placement, size_t *n)
{
  if (placement->n > 0)
    qsort (placement->wishes, placement->n, sizeof *placement->wishes, heavier_first);
  for (size_t i = 0; i < placement->n; i++) {
    const Wish *wish = &placement->wishes[i];
    const GstCcaRect place = find_place (placement, wish);

    placement->places[wish->index] = place;
    if (!gst_cca_rect_is_empty (&place))
      gst_cca_placement_reserve (placement, &place);
  }
  *n = placement->n;
  return placement->places;
}
