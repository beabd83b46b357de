/* gst-cca: which components of a frame belong to which tracks
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "association.h"

#include <math.h>
#include <stdlib.h>

#include "array.h"
#include "cost.h"
#include "evidence.h"
#include "grid.h"
#include "still.h"

/* Components are looked for as far around a prediction as this part of the track's larger side. */
#define AROUND 0.12

/* The cost of no component: of a track that nothing else explains; of one that a component covers; of one that was
 * merged and that a component covers; of one that is left for the last step. */
#define COST_ALONE 24.0
#define COST_COVERED 6.0
#define COST_STILL_COVERED 5.0
#define COST_LOST 12.0

/* A component covers a track that has so much of its box in the component's; a component with so much of its own box in
 * a track's may be its part. */
#define COVERED 0.5
#define INSIDE 0.7

/* A track's box over its components may be larger than the track by this factor. */
#define LARGEST 1.25

/* Objects move by no more than so many of their sizes from a frame to the next. */
#define FASTEST_SIZES 8.0

/* A track that was seen in so many frames is looked for where it may have turned; one that is younger may be noise. */
#define KNOWN 6

/* In the last step sizes differ by no more than this factor. */
#define LIKE 3.0

/* A component's look, taken when a track first asks for it. */
typedef struct
{
  bool known;
  GstCcaLook look;
} Look;

/* What is known of a track in this frame. */
typedef struct
{
  GstCcaBox predicted;
  GstCcaBox box; /* over its components so far */
  uint32_t n_components;
  uint32_t cover; /* the component that covers it best, or GST_CCA_UNASSIGNED */
} View;

struct GstCcaAssociation
{
  GstCcaAssignment *assignment;
  GstCcaGrid *grid; /* of the components; after step 2 of those without tracks */
  GstCcaEvidence *evidence;
  GstCcaStill *still;

  /* This frame's. */
  const GstCcaTrackerFrame *frame;
  const GstCcaBox *boxes;
  const GstCcaCandidate *tracks;
  size_t n_tracks;
  double seconds;

  View *views; /* of the tracks */
  size_t views_room;
  uint32_t *users; /* tracks of each component */
  size_t users_room;
  Look *looks; /* of the components */
  size_t looks_room;
  uint32_t *free, *found; /* components without tracks, and those of them that a search found */
  GstCcaBox *free_boxes;
  size_t free_room, found_room, free_boxes_room, n_free;

  GstCcaPair *pairs;
  size_t pairs_room, n_pairs;
  double *alone;
  size_t alone_room;
  uint32_t *columns;
  size_t columns_room;
  GstCcaLink *links, *sorted;
  size_t links_room, n_links, sorted_room;
  size_t *next; /* where each track's next link goes */
  size_t next_room;
};

GstCcaAssociation *
gst_cca_association_new (void)
{
  GstCcaAssociation *association = calloc (1, sizeof *association);

  if (association == NULL)
    return NULL;
  association->assignment = gst_cca_assignment_new ();
  association->grid = gst_cca_grid_new ();
  association->evidence = gst_cca_evidence_new ();
  association->still = gst_cca_still_new ();
  if (association->assignment != NULL && association->grid != NULL && association->evidence != NULL
      && association->still != NULL)
    return association;
  gst_cca_association_free (association);
  return NULL;
}

void
gst_cca_association_free (GstCcaAssociation *association)
{
  if (association == NULL)
    return;
  gst_cca_assignment_free (association->assignment);
  gst_cca_grid_free (association->grid);
  gst_cca_evidence_free (association->evidence);
  gst_cca_still_free (association->still);
  free (association->views);
  free (association->users);
  free (association->looks);
  free (association->free);
  free (association->found);
  free (association->free_boxes);
  free (association->pairs);
  free (association->alone);
  free (association->columns);
  free (association->links);
  free (association->sorted);
  free (association->next);
  free (association);
}

GstCcaSides
gst_cca_association_sides (const GstCcaTrackerFrame *frame, const GstCcaBox *box)
{
  return (box->min[0] > 0.0 ? GST_CCA_SIDE_MIN (0) : 0) | (box->max[0] < frame->width ? GST_CCA_SIDE_MAX (0) : 0)
         | (box->min[1] > 0.0 ? GST_CCA_SIDE_MIN (1) : 0) | (box->max[1] < frame->height ? GST_CCA_SIDE_MAX (1) : 0);
}

double
gst_cca_association_speed (const GstCcaTrackerFrame *frame)
{
  return 2.5 * gst_cca_length (frame->width, frame->height);
}

/* --- What is known of tracks and components ---------------------------------------------------------- */

static double
area_of (const GstCcaTrackerFrame *frame, uint32_t component)
{
  const GstCcaTrackerComponent *c = &frame->components[component];

  return c->area > 0 ? (double) c->area : (double) c->width * c->height;
}

/* The part of a track or a component, whichever is smaller, that both share; 0…1. */
static double
shared_part (const GstCcaAssociation *association, uint32_t track, uint32_t component)
{
  const uint64_t pixels = gst_cca_evidence_pixels (association->evidence, track, component);

  return pixels == 0 ? 0.0
                     : gst_cca_min (1.0, pixels
                                             / gst_cca_max (1.0, gst_cca_min (area_of (association->frame, component),
                                                                              association->tracks[track].area)));
}

static GstCcaLogSize
size_of_track (const GstCcaCandidate *track)
{
  return gst_cca_log_size (track->motion->size[0], track->motion->size[1], track->area);
}

/* Many tracks look at a component, or none does. */
static const GstCcaLook *
look_at (GstCcaAssociation *association, uint32_t component)
{
  const GstCcaBox *box = &association->boxes[component];
  Look *look = &association->looks[component];

  if (!look->known)
    *look = (Look) { true,
                     { gst_cca_association_sides (association->frame, box),
                       gst_cca_log_size (box->max[0] - box->min[0], box->max[1] - box->min[1],
                                         area_of (association->frame, component)) } };
  return &look->look;
}

static double
largest_side (const GstCcaCandidate *track)
{
  return gst_cca_max (track->motion->size[0], track->motion->size[1]);
}

/* How far from its prediction a track can come in the time since the last frame, in pixels: a new one by the fastest
 * speed, any by turning round. */
static double
reach_of (const GstCcaAssociation *association, const GstCcaCandidate *track)
{
  const double speed = gst_cca_motion_speed (track->motion);

  return gst_cca_max (gst_cca_min (gst_cca_association_speed (association->frame) * association->seconds,
                                   FASTEST_SIZES * (largest_side (track) + 1.0)),
                      2.0 * speed * association->seconds + largest_side (track));
}

/* Whether a track's velocity is known. */
static bool
is_moving (const GstCcaCandidate *track)
{
  return track->hits > 1;
}

static bool
add_pair (GstCcaAssociation *association, uint32_t track, uint32_t component, double cost)
{
  if (!GST_CCA_RESERVE (association->pairs, association->pairs_room, association->n_pairs + 1))
    return false;
  association->pairs[association->n_pairs++] = (GstCcaPair) { track, component, cost };
  return true;
}

static bool
add_link (GstCcaAssociation *association, uint32_t track, uint32_t component)
{
  View *view = &association->views[track];

  if (!GST_CCA_RESERVE (association->links, association->links_room, association->n_links + 1))
    return false;
  association->links[association->n_links++] = (GstCcaLink) { track, component };
  view->box = view->n_components++ > 0 ? gst_cca_box_join (&view->box, &association->boxes[component])
                                       : association->boxes[component];
  association->users[component]++;
  return true;
}

/* Assigns by the collected pairs, and makes the result links. */
static bool
assign (GstCcaAssociation *association)
{
  if (association->n_pairs == 0)
    return true;
  if (!gst_cca_assignment_run (association->assignment, association->n_tracks, association->frame->n_components,
                               association->pairs, association->n_pairs, association->alone, association->columns))
    return false;
  for (size_t i = 0; i < association->n_tracks; i++)
    if (association->columns[i] != GST_CCA_UNASSIGNED && !add_link (association, (uint32_t) i, association->columns[i]))
      return false;
  return true;
}

/* --- Step 0 ------------------------------------------------------------------------------------------ */

static bool
link_still (GstCcaAssociation *association)
{
  bool entered = false;

  for (uint32_t i = 0; i < association->n_tracks; i++) {
    uint32_t component;

    if (association->tracks[i].still == NULL)
      continue;
    if (!entered && !gst_cca_still_fill (association->still, association->frame, association->boxes))
      return false;
    entered = true;
    component =
        gst_cca_still_take (association->still, association->tracks[i].still, association->tracks[i].still_area);
    if (component != GST_CCA_UNASSIGNED && !add_link (association, i, component))
      return false;
  }
  return true;
}

/* --- Step 1 ------------------------------------------------------------------------------------------ */

/* Whether a component can hide a track: where pixels tell what became of the track's, they must agree. */
static bool
may_cover (const GstCcaAssociation *association, uint32_t track, uint32_t component)
{
  const GstCcaCandidate *candidate = &association->tracks[track];
  const double step = association->seconds * gst_cca_motion_speed (candidate->motion);

  if (!candidate->confirmed)
    return false;
  return association->frame->overlaps == NULL || candidate->n_labels == 0
         || step > 0.5 * gst_cca_min (candidate->motion->size[0], candidate->motion->size[1])
         || shared_part (association, track, component) > 0.0;
}

/* Finds the component that covers a track best. */
static void
find_cover (GstCcaAssociation *association, uint32_t track, const uint32_t *found, size_t n_found)
{
  View *view = &association->views[track];
  const double area = gst_cca_box_area (&view->predicted);
  double best = 0.0;

  for (size_t i = 0; i < n_found; i++) {
    const GstCcaBox *box = &association->boxes[found[i]];
    const double inside = gst_cca_box_shared (box, &view->predicted);
    const double smaller = gst_cca_min (area, gst_cca_box_area (box));
    double covered;

    if (inside < COVERED * smaller)
      continue;
    covered = inside / smaller + shared_part (association, track, found[i]);
    if (covered > best && may_cover (association, track, found[i])) {
      best = covered;
      view->cover = found[i];
    }
  }
}

static double
cost_of_none (const GstCcaCandidate *track, const View *view)
{
  if (view->cover == GST_CCA_UNASSIGNED)
    return COST_ALONE;
  return track->merged ? COST_STILL_COVERED : COST_COVERED;
}

/* Adds the pairs of a track with what is near it that do not cost more than none: others are never assigned. */
static bool
collect_near (GstCcaAssociation *association, uint32_t track)
{
  const GstCcaCandidate *candidate = &association->tracks[track];
  const GstCcaMotion *motion = candidate->motion;
  const double spread =
      4.0 * sqrt (gst_cca_max (motion->centre[0].position_variance, motion->centre[1].position_variance));
  const double around = candidate->merged ? 1.0 : AROUND;
  const GstCcaBox area =
      gst_cca_box_grow (&association->views[track].predicted, spread + 2.0 + around * largest_side (candidate));
  const GstCcaLogSize expected = size_of_track (candidate);
  const uint32_t *found;
  size_t n_found;
  double alone;

  found = gst_cca_grid_find (association->grid, &area, &n_found);
  find_cover (association, track, found, n_found);
  alone = cost_of_none (candidate, &association->views[track]);
  for (size_t i = 0; i < n_found; i++) {
    const GstCcaBox *box = &association->boxes[found[i]];
    GstCcaInnovation innovation;
    double shared, distance, cost;
    const GstCcaLook *look;

    if (association->users[found[i]] > 0 || (!candidate->merged && gst_cca_cost_is_too_large (candidate, box)))
      continue;
    shared = shared_part (association, track, found[i]);
    look = look_at (association, found[i]);
    if (candidate->merged && shared == 0.0 && alone < GST_CCA_MOST_HIDDEN
        && gst_cca_cost_is_unlike (candidate, &expected, look, alone))
      continue;
    innovation = gst_cca_motion_compare (motion, box, look->inside);
    distance = gst_cca_motion_distance (motion, &innovation);
    if (distance > GST_CCA_GATE && shared < 0.5 && !candidate->merged)
      continue;
    cost = gst_cca_cost_near (candidate, &expected, look, distance, innovation.seen, shared);
    if (cost <= alone && !add_pair (association, track, found[i], cost))
      return false;
  }
  association->alone[track] = alone;
  return true;
}

static bool
assign_near (GstCcaAssociation *association)
{
  association->n_pairs = 0;
  for (size_t i = 0; i < association->n_tracks; i++) {
    association->alone[i] = 0.0;
    if (association->views[i].n_components == 0 && is_moving (&association->tracks[i])
        && !collect_near (association, (uint32_t) i))
      return false;
  }
  return assign (association);
}

/* --- Steps 2 and 3 ----------------------------------------------------------------------------------- */

static bool
link_covered (GstCcaAssociation *association)
{
  for (size_t i = 0; i < association->n_tracks; i++) {
    const View *view = &association->views[i];

    if (view->n_components == 0 && view->cover != GST_CCA_UNASSIGNED
        && !add_link (association, (uint32_t) i, view->cover))
      return false;
  }
  return true;
}

/* How well a box over a track's components and one more fits the track; 0 where it does not. */
static double
fit_of_part (const GstCcaAssociation *association, uint32_t track, uint32_t component)
{
  const GstCcaCandidate *candidate = &association->tracks[track];
  const View *view = &association->views[track];
  const GstCcaBox *part = &association->boxes[component];
  const GstCcaBox area = gst_cca_box_grow (&view->predicted, 1.0 + 0.1 * largest_side (candidate));
  const double shared = shared_part (association, track, component);
  const double inside = gst_cca_box_shared (part, &area) / gst_cca_box_area (part);
  GstCcaBox box = *part;

  if (!is_moving (candidate) || (inside < INSIDE && shared < INSIDE))
    return 0.0;
  if (view->n_components > 0)
    box = gst_cca_box_join (&view->box, part);
  for (int i = 0; i < 2; i++)
    if (box.max[i] - box.min[i] > LARGEST * candidate->motion->size[i] + 2.0)
      return 0.0;
  return inside + shared;
}

/* Lists the components that no track has, in the grid where they are many. Returns FALSE if memory is exhausted. */
static bool
list_free (GstCcaAssociation *association)
{
  const size_t n = association->frame->n_components;

  association->n_free = 0;
  if (!GST_CCA_RESERVE (association->free, association->free_room, n)
      || !GST_CCA_RESERVE (association->found, association->found_room, n)
      || !GST_CCA_RESERVE (association->free_boxes, association->free_boxes_room, n))
    return false;
  for (uint32_t i = 0; i < n; i++)
    if (association->users[i] == 0) {
      association->free[association->n_free] = i;
      association->free_boxes[association->n_free++] = association->boxes[i];
    }
  return gst_cca_grid_fill (association->grid, association->free_boxes, association->n_free, association->n_tracks);
}

/* Returns those components that touch an area and had no track after step 2. */
static const uint32_t *
find_free (GstCcaAssociation *association, const GstCcaBox *area, size_t *n_found)
{
  const uint32_t *found = gst_cca_grid_find (association->grid, area, n_found);

  for (size_t i = 0; i < *n_found; i++)
    association->found[i] = association->free[found[i]];
  return association->found;
}

static bool
link_parts (GstCcaAssociation *association)
{
  if (!list_free (association))
    return false;
  for (size_t i = 0; i < association->n_tracks && association->n_free > 0; i++) {
    const GstCcaCandidate *candidate = &association->tracks[i];
    const GstCcaBox area = gst_cca_box_grow (&association->views[i].predicted, 1.0 + 0.1 * largest_side (candidate));
    const uint32_t *found;
    size_t n_found;

    if (!is_moving (candidate))
      continue;
    found = find_free (association, &area, &n_found);
    for (size_t k = 0; k < n_found; k++)
      if (association->users[found[k]] == 0 && fit_of_part (association, (uint32_t) i, found[k]) > 0.0
          && !add_link (association, (uint32_t) i, found[k]))
        return false;
  }
  return true;
}

/* --- Step 4 ------------------------------------------------------------------------------------------ */

static bool
collect_far (GstCcaAssociation *association, uint32_t track)
{
  const GstCcaCandidate *candidate = &association->tracks[track];
  const GstCcaBox *predicted = &association->views[track].predicted;
  const double reach = reach_of (association, candidate);
  const GstCcaBox area = gst_cca_box_grow (predicted, reach);
  const uint32_t *found;
  size_t n_found;

  found = find_free (association, &area, &n_found);
  for (size_t i = 0; i < n_found; i++) {
    const GstCcaBox *box = &association->boxes[found[i]];
    const double size = area_of (association->frame, found[i]);
    const double shared = shared_part (association, track, found[i]);
    double offset[2], distance, cost;
    const GstCcaLook *look;
    GstCcaLogSize expected;

    if (association->users[found[i]] > 0)
      continue;
    for (int k = 0; k < 2; k++)
      offset[k] = (box->min[k] + box->max[k] - predicted->min[k] - predicted->max[k]) / 2.0;
    distance = gst_cca_length (offset[0], offset[1]) / reach;
    if (shared == 0.0 && (distance > 1.0 || size > LIKE * candidate->area || candidate->area > LIKE * size))
      continue;
    look = look_at (association, found[i]);
    expected = size_of_track (candidate);
    cost = gst_cca_cost_far (candidate, &expected, look, distance, shared);
    if (cost <= COST_LOST && !add_pair (association, track, found[i], cost))
      return false;
  }
  association->alone[track] = COST_LOST;
  return true;
}

static bool
assign_far (GstCcaAssociation *association)
{
  association->n_pairs = 0;
  for (size_t i = 0; i < association->n_tracks && association->n_free > 0; i++) {
    const GstCcaCandidate *candidate = &association->tracks[i];

    association->alone[i] = 0.0;
    if (association->views[i].n_components == 0 && (candidate->hits >= KNOWN || !is_moving (candidate))
        && !collect_far (association, (uint32_t) i))
      return false;
  }
  return assign (association);
}

/* ----------------------------------------------------------------------------------------------------- */

static int
by_component (const void *a, const void *b)
{
  const GstCcaLink *one = a, *other = b;

  return one->component < other->component ? -1 : one->component > other->component;
}

static bool
is_sorted (const GstCcaLink *links, size_t n)
{
  for (size_t i = 1; i < n; i++)
    if (links[i - 1].track > links[i].track
        || (links[i - 1].track == links[i].track && links[i - 1].component > links[i].component))
      return false;
  return true;
}

/* Sorts links by track, as a counting sort does, then by component. Returns NULL if memory is exhausted. */
static const GstCcaLink *
sort_links (GstCcaAssociation *association)
{
  GstCcaLink *sorted;
  size_t *next, n = 0;

  if (is_sorted (association->links, association->n_links))
    return association->links;
  if (!GST_CCA_RESERVE (association->sorted, association->sorted_room, association->n_links)
      || !GST_CCA_RESERVE (association->next, association->next_room, association->n_tracks))
    return NULL;
  sorted = association->sorted;
  next = association->next;
  for (size_t i = 0; i < association->n_tracks; i++) {
    next[i] = n;
    n += association->views[i].n_components;
  }
  for (size_t i = 0; i < association->n_links; i++)
    sorted[next[association->links[i].track]++] = association->links[i];
  for (size_t i = 0; i < association->n_tracks; i++) {
    const size_t n_own = association->views[i].n_components;
    GstCcaLink *own = sorted + next[i] - n_own;

    if (!is_sorted (own, n_own))
      qsort (own, n_own, sizeof *own, by_component);
  }
  return sorted;
}

static bool
prepare (GstCcaAssociation *association)
{
  const size_t n_tracks = association->n_tracks, n_components = association->frame->n_components;

  if (!GST_CCA_RESERVE (association->views, association->views_room, n_tracks)
      || !GST_CCA_RESERVE (association->alone, association->alone_room, n_tracks)
      || !GST_CCA_RESERVE (association->columns, association->columns_room, n_tracks)
      || !GST_CCA_RESERVE (association->users, association->users_room, n_components)
      || !GST_CCA_RESERVE (association->looks, association->looks_room, n_components)
      || !gst_cca_evidence_begin (association->evidence, association->frame, n_tracks))
    return false;
  for (size_t i = 0; i < n_tracks; i++)
    association->views[i] =
        (View) { .predicted = gst_cca_motion_box (association->tracks[i].motion), .cover = GST_CCA_UNASSIGNED };
  for (size_t i = 0; i < n_tracks; i++)
    if (!gst_cca_evidence_add (association->evidence, association->tracks[i].labels, association->tracks[i].n_labels))
      return false;
  for (size_t i = 0; i < n_components; i++) {
    association->users[i] = 0;
    association->looks[i].known = false;
  }
  association->n_links = 0;
  return true;
}

bool
gst_cca_association_run (GstCcaAssociation *association, const GstCcaTrackerFrame *frame, const GstCcaBox *boxes,
                         const GstCcaCandidate *tracks, size_t n_tracks, double seconds, const GstCcaLink **links,
                         size_t *n_links)
{
  association->frame = frame;
  association->boxes = boxes;
  association->tracks = tracks;
  association->n_tracks = n_tracks;
  association->seconds = seconds;
  if (!prepare (association) || !link_still (association))
    return false;
  /* In a still frame that is all. */
  if ((association->n_links < n_tracks || association->n_links < frame->n_components)
      && !gst_cca_grid_fill (association->grid, boxes, frame->n_components, n_tracks - association->n_links))
    return false;
  if (!assign_near (association) || !link_covered (association) || !link_parts (association)
      || !assign_far (association))
    return false;
  *links = sort_links (association);
  *n_links = association->n_links;
  return *links != NULL || *n_links == 0;
}
