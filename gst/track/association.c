/* gst-cca: which components of a frame belong to which tracks
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "association.h"

#include <stdlib.h>

#include "array.h"
#include "assignment.h"
#include "cost.h"
#include "grid.h"
#include "lifecycle.h"

/* The cost of leaving a track without a component: usually; of one that a component contains, which step 2 gives it,
 * unless that is a single object, which the track seen in it keeps; of a lost one, in whose place another object may be
 * by now, unless looks tell; in step 4. */
#define COST_UNASSIGNED 24.0
#define COST_UNASSIGNED_CONTAINED 6.0
#define COST_UNASSIGNED_LOST 6.0
#define COST_UNASSIGNED_TURNED 12.0

/* A component contains a track if it shares so much of the smaller of the two boxes. A component is inside a track's
 * box if that has so much of it. */
#define CONTAINED 0.5
#define INSIDE 0.7

/* The area of a part, of the whole's: with less, neither tells where the other is. A track that is in a shared
 * component already stays there, however large that becomes. */
#define MIN_PART 0.15

/* The box around a track's components is no larger than the track, times this, and its components fill this part. */
#define MAX_GROWTH 1.25
#define MIN_FILLED 0.5

/* Parts of an object lie side by side: along an axis they share this part of the shorter one. Two objects that touched
 * lie askew. */
#define BESIDE 0.5

/* Two components one above the other, both wider than high, are two objects, as cars in a lane, if the smaller one has
 * at least this part of the other's area. */
#define LIKE_AREA 0.3

/* A single object and a component beside it are two objects if they are this much wider. */
#define MAX_WIDENING 1.3

/* This frame's result for a track so far. */
typedef struct
{
  GstCcaPrediction prediction;
  GstCcaBox box; /* around its components */
  double filled; /* the areas of their boxes, pixels */
  uint32_t n_components;
  uint32_t container; /* the component that contains it best, or GST_CCA_UNASSIGNED */
} Match;

/* And for a component. */
typedef struct
{
  uint32_t n_tracks;
  uint64_t oldest; /* the age of its oldest confirmed track, frames; 0: none */
} Owners;

struct GstCcaAssociation
{
  GstCcaAssignment *assignment;
  GstCcaGrid *grid; /* of the components */

  /* This frame's. */
  const GstCcaScan *scan;
  const Track *tracks;
  size_t n_tracks;

  Match *matches; /* of the tracks */
  size_t matches_room;
  Owners *owners; /* of the components */
  size_t owners_room;
  GstCcaPair *pairs;
  size_t pairs_room, n_pairs;
  double *unassigned; /* costs of the tracks */
  size_t unassigned_room;
  uint32_t *assigned; /* component of each track, or GST_CCA_UNASSIGNED */
  size_t assigned_room;
  GstCcaLink *links;
  size_t links_room, n_links;
};

GstCcaAssociation *
gst_cca_association_new (void)
{
  GstCcaAssociation *association = calloc (1, sizeof *association);

  if (association == NULL)
    return NULL;
  association->assignment = gst_cca_assignment_new ();
  association->grid = gst_cca_grid_new ();
  if (association->assignment != NULL && association->grid != NULL)
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
  free (association->matches);
  free (association->owners);
  free (association->pairs);
  free (association->unassigned);
  free (association->assigned);
  free (association->links);
  free (association);
}

/* --- Links and assignment ---------------------------------------------------------------------------- */

static bool
add_link (GstCcaAssociation *association, uint32_t track, uint32_t component, bool contained)
{
  Match *match = &association->matches[track];
  Owners *owners = &association->owners[component];
  const GstCcaBox *box = &association->scan->boxes[component];

  if (!GST_CCA_RESERVE (association->links, association->links_room, association->n_links + 1))
    return false;
  association->links[association->n_links++] = (GstCcaLink) { track, component, contained };
  match->box = match->n_components++ > 0 ? gst_cca_box_join (&match->box, box) : *box;
  match->filled += gst_cca_box_area (box);
  owners->n_tracks++;
  if (gst_cca_track_is_confirmed (&association->tracks[track]))
    owners->oldest = gst_cca_max (owners->oldest, association->tracks[track].age);
  return true;
}

/* Adds a pair for the assignment, unless it costs more than no component: such a pair is never assigned. */
static bool
add_pair (GstCcaAssociation *association, uint32_t track, uint32_t component, double cost)
{
  if (!(cost <= association->unassigned[track]))
    return true;
  if (!GST_CCA_RESERVE (association->pairs, association->pairs_room, association->n_pairs + 1))
    return false;
  association->pairs[association->n_pairs++] = (GstCcaPair) { track, component, cost };
  return true;
}

/* Assigns components to tracks by the collected pairs, and links them. */
static bool
assign (GstCcaAssociation *association)
{
  if (association->n_pairs == 0)
    return true;
  if (!gst_cca_assignment_run (association->assignment, association->n_tracks, association->scan->frame->n_components,
                               association->pairs, association->n_pairs, association->unassigned,
                               association->assigned))
    return false;
  for (size_t i = 0; i < association->n_tracks; i++)
    if (association->assigned[i] != GST_CCA_UNASSIGNED
        && !add_link (association, (uint32_t) i, association->assigned[i], false))
      return false;
  return true;
}

/* Returns whether a component is a jump away from a lost track, which would not get it then: it is left to other
 * tracks. For tracks that were seen in the last frame, that depends on all of their components. */
static bool
is_too_far (const GstCcaAssociation *association, uint32_t track, uint32_t component)
{
  const GstCcaScan *scan = association->scan;

  return gst_cca_track_is_lost (&association->tracks[track])
         && !gst_cca_track_may_move (scan->frame, &association->tracks[track],
                                     association->matches[track].prediction.motion, &scan->boxes[component],
                                     scan->seconds);
}

/* --- Step 1: near the prediction --------------------------------------------------------------------- */

/* Returns the component, among those near, that contains a track's prediction best, or GST_CCA_UNASSIGNED. */
static uint32_t
find_container (const GstCcaAssociation *association, uint32_t track, const uint32_t *near, size_t n_near)
{
  const GstCcaBox *predicted = &association->matches[track].prediction.box;
  const double area = gst_cca_box_area (predicted), least = association->tracks[track].occluded ? 0.0 : MIN_PART;
  uint32_t container = GST_CCA_UNASSIGNED;
  double best = 0.0;

  if (!gst_cca_track_is_confirmed (&association->tracks[track]) && !association->tracks[track].occluded)
    return GST_CCA_UNASSIGNED;
  for (size_t i = 0; i < n_near; i++) {
    const GstCcaBox *box = &association->scan->boxes[near[i]];
    const double shared = gst_cca_box_shared (box, predicted);
    const double smaller = gst_cca_min (area, gst_cca_box_area (box));

    if (shared >= CONTAINED * smaller && shared / smaller > best && area >= least * gst_cca_box_area (box)) {
      best = shared / smaller;
      container = near[i];
    }
  }
  return container;
}

static double
cost_unassigned (const GstCcaAssociation *association, const Track *track, uint32_t container)
{
  if (gst_cca_track_is_lost (track))
    return association->scan->looks != NULL ? COST_UNASSIGNED : COST_UNASSIGNED_LOST;
  if (container != GST_CCA_UNASSIGNED && (track->unseen > 0.0 || !association->scan->singles[container]))
    return COST_UNASSIGNED_CONTAINED;
  return COST_UNASSIGNED;
}

static bool
collect_near (GstCcaAssociation *association, uint32_t track)
{
  Match *match = &association->matches[track];
  const double radius = gst_cca_gate_radius (&association->tracks[track]);
  const GstCcaBox area = gst_cca_box_grow (&match->prediction.box, radius);
  size_t n_near;
  const uint32_t *near = gst_cca_grid_find (association->grid, &area, &n_near);

  match->container = find_container (association, track, near, n_near);
  association->unassigned[track] = cost_unassigned (association, &association->tracks[track], match->container);
  for (size_t i = 0; i < n_near; i++)
    if (!is_too_far (association, track, near[i])
        && !add_pair (association, track, near[i],
                      gst_cca_cost (association->scan, &match->prediction, radius, near[i])))
      return false;
  return true;
}

static bool
assign_near (GstCcaAssociation *association)
{
  association->n_pairs = 0;
  for (uint32_t i = 0; i < association->n_tracks; i++) {
    association->unassigned[i] = 0.0;
    if ((association->tracks[i].hits > 1 || association->tracks[i].occluded) && !collect_near (association, i))
      return false;
  }
  return assign (association);
}

/* --- Step 2: merged ---------------------------------------------------------------------------------- */

/* Links tracks without a component to their containers. */
static bool
link_contained (GstCcaAssociation *association)
{
  for (uint32_t i = 0; i < association->n_tracks; i++) {
    const Track *track = &association->tracks[i];
    const uint32_t container = association->matches[i].container;
    const Owners *owners;
    bool is_whole;

    if (association->matches[i].n_components > 0 || container == GST_CCA_UNASSIGNED)
      continue;
    owners = &association->owners[container];
    /* A lost track can only be behind an object that was there before the loss. */
    if (gst_cca_track_is_lost (track) && owners->oldest <= track->misses)
      continue;
    /* A whole object that no other track has is this track's own, if it is of its kind. */
    is_whole = association->scan->frame->whole && owners->n_tracks == 0;
    if (is_whole && gst_cca_cost_kind (association->scan, track, container) > 0.0)
      continue;
    if (!add_link (association, i, container, !is_whole))
      return false;
  }
  return true;
}

/* Unlinks tentative tracks from components that other tracks have, too: they began with a part of an object that
 * something cut. */
static void
unlink_parts (GstCcaAssociation *association)
{
  size_t n = 0;

  for (size_t i = 0; i < association->n_links; i++) {
    const GstCcaLink link = association->links[i];
    const Track *track = &association->tracks[link.track];

    if (gst_cca_track_is_confirmed (track) || track->occluded || association->owners[link.component].n_tracks == 1) {
      association->links[n++] = link;
    } else {
      association->owners[link.component].n_tracks--;
      association->matches[link.track].n_components = 0;
    }
  }
  association->n_links = n;
}

/* --- Step 3: split ----------------------------------------------------------------------------------- */

/* Returns whether a component has no track and lies inside an area. */
static bool
is_free_inside (const GstCcaAssociation *association, const GstCcaBox *area, uint32_t component)
{
  const GstCcaBox *box = &association->scan->boxes[component];

  return association->owners[component].n_tracks == 0
         && gst_cca_box_shared (box, area) >= INSIDE * gst_cca_box_area (box);
}

static bool
are_beside (const GstCcaBox *a, const GstCcaBox *b)
{
  const GstCcaBox both = gst_cca_box_clip (a, b);

  for (int i = 0; i < 2; i++)
    if (both.max[i] - both.min[i] >= BESIDE * gst_cca_min (a->max[i] - a->min[i], b->max[i] - b->min[i]))
      return true;
  return false;
}

static bool
is_wide (const GstCcaBox *box)
{
  return box->max[0] - box->min[0] >= box->max[1] - box->min[1];
}

/* Returns whether boxes look like two cars, one behind the other. */
static bool
are_in_lane (const GstCcaBox *a, const GstCcaBox *b)
{
  const double one = gst_cca_box_area (a), other = gst_cca_box_area (b);

  return is_wide (a) && is_wide (b) && (a->max[1] <= b->min[1] || b->max[1] <= a->min[1])
         && gst_cca_min (one, other) >= LIKE_AREA * gst_cca_max (one, other);
}

/* Returns whether a component and those that a track has may be one object. */
static bool
completes (const GstCcaAssociation *association, uint32_t track, uint32_t component)
{
  const double *size = association->tracks[track].motion.size;
  const Match *match = &association->matches[track];
  const GstCcaBox *part = &association->scan->boxes[component], box = gst_cca_box_join (&match->box, part);

  /* However large the track: it may have begun with both objects. */
  if (association->scan->singles[component] && box.max[0] - box.min[0] > MAX_WIDENING * (part->max[0] - part->min[0]))
    return false;
  for (int i = 0; i < 2; i++)
    if (box.max[i] - box.min[i] > MAX_GROWTH * size[i] + 2.0)
      return false;
  return are_beside (&match->box, part) && !are_in_lane (&match->box, part)
         && match->filled + gst_cca_box_area (part) >= MIN_FILLED * gst_cca_box_area (&box);
}

/* Links a track to the largest component of its kind inside an area. */
static bool
link_largest (GstCcaAssociation *association, uint32_t track, const GstCcaBox *area, const uint32_t *near,
              size_t n_near)
{
  double most = MIN_PART * gst_cca_box_area (&association->matches[track].prediction.box);
  uint32_t largest = GST_CCA_UNASSIGNED;

  for (size_t i = 0; i < n_near; i++) {
    const double size = gst_cca_box_area (&association->scan->boxes[near[i]]);

    if (size >= most && is_free_inside (association, area, near[i]) && !is_too_far (association, track, near[i])
        && gst_cca_cost_kind (association->scan, &association->tracks[track], near[i]) <= 0.0) {
      most = size;
      largest = near[i];
    }
  }
  return largest == GST_CCA_UNASSIGNED || add_link (association, track, largest, false);
}

static bool
link_parts_of (GstCcaAssociation *association, uint32_t track)
{
  const Match *match = &association->matches[track];
  const double margin = 1.0 + 0.1 * gst_cca_track_longer_side (&association->tracks[track]);
  const GstCcaBox area = gst_cca_box_grow (&match->prediction.box, margin);
  size_t n_near;
  const uint32_t *near = gst_cca_grid_find (association->grid, &area, &n_near);

  if (match->n_components == 0 && !link_largest (association, track, &area, near, n_near))
    return false;
  /* What lies beside a track that was lost may be another object. */
  if (match->n_components == 0 || association->tracks[track].unseen > 0.0 || association->scan->frame->whole)
    return true;
  for (size_t i = 0; i < n_near; i++)
    if (is_free_inside (association, &area, near[i]) && completes (association, track, near[i])
        && !add_link (association, track, near[i], false))
      return false;
  return true;
}

static bool
link_parts (GstCcaAssociation *association)
{
  for (uint32_t i = 0; i < association->n_tracks; i++)
    if (association->tracks[i].hits > 1 && !link_parts_of (association, i))
      return false;
  return true;
}

/* --- Step 4: turned ---------------------------------------------------------------------------------- */

static bool
collect_turned (GstCcaAssociation *association, uint32_t track)
{
  const GstCcaPrediction *prediction = &association->matches[track].prediction;
  const double radius = gst_cca_gate_radius_turned (association->scan, prediction->track);
  GstCcaBox last = prediction->box, area;
  const uint32_t *near;
  size_t n_near;

  for (int i = 0; i < 2; i++) {
    const double step = prediction->track->motion.centre[i].velocity * association->scan->seconds;

    last.min[i] -= step;
    last.max[i] -= step;
  }
  area = gst_cca_box_grow (&last, radius);
  near = gst_cca_grid_find (association->grid, &area, &n_near);
  association->unassigned[track] = COST_UNASSIGNED_TURNED;
  for (size_t i = 0; i < n_near; i++)
    if (association->owners[near[i]].n_tracks == 0
        && !add_pair (association, track, near[i],
                      gst_cca_cost_turned (association->scan, prediction, &last, radius, near[i])))
      return false;
  return true;
}

static bool
assign_turned (GstCcaAssociation *association)
{
  association->n_pairs = 0;
  for (uint32_t i = 0; i < association->n_tracks; i++) {
    association->unassigned[i] = 0.0;
    if (association->matches[i].n_components == 0 && association->tracks[i].unseen <= 0.0
        && !collect_turned (association, i))
      return false;
  }
  return assign (association);
}

/* --- A frame ----------------------------------------------------------------------------------------- */

static bool
is_before (const GstCcaLink *one, const GstCcaLink *other)
{
  return one->track != other->track ? one->track < other->track : one->component < other->component;
}

/* Sorts the links by track, then component, by Shell's method: qsort() would allocate for more than 128. */
static void
sort_links (GstCcaLink *links, size_t n)
{
  for (size_t gap = n / 2; gap > 0; gap /= 2)
    for (size_t i = gap; i < n; i++) {
      const GstCcaLink link = links[i];
      size_t place = i;

      for (; place >= gap && is_before (&link, &links[place - gap]); place -= gap)
        links[place] = links[place - gap];
      links[place] = link;
    }
}

static bool
prepare (GstCcaAssociation *association, const GstCcaMotion *predicted)
{
  const size_t n_tracks = association->n_tracks, n_components = association->scan->frame->n_components;

  if (!GST_CCA_RESERVE (association->matches, association->matches_room, n_tracks)
      || !GST_CCA_RESERVE (association->unassigned, association->unassigned_room, n_tracks)
      || !GST_CCA_RESERVE (association->assigned, association->assigned_room, n_tracks)
      || !GST_CCA_RESERVE (association->owners, association->owners_room, n_components))
    return false;
  for (size_t i = 0; i < n_tracks; i++)
    association->matches[i] = (Match) { .prediction = gst_cca_prediction (&association->tracks[i], &predicted[i]),
                                        .container = GST_CCA_UNASSIGNED };
  for (size_t i = 0; i < n_components; i++)
    association->owners[i] = (Owners) { 0 };
  association->n_links = 0;
  return gst_cca_grid_fill (association->grid, association->scan->boxes, n_components, n_tracks);
}

bool
gst_cca_association_run (GstCcaAssociation *association, const GstCcaScan *scan, const Track *tracks,
                         const GstCcaMotion *predicted, size_t n_tracks, const GstCcaLink **links, size_t *n_links)
{
  association->scan = scan;
  association->tracks = tracks;
  association->n_tracks = n_tracks;
  if (!prepare (association, predicted) || !assign_near (association) || !link_contained (association))
    return false;
  unlink_parts (association);
  if (!link_parts (association) || !assign_turned (association))
    return false;
  sort_links (association->links, association->n_links);
  *links = association->links;
  *n_links = association->n_links;
  return true;
}
