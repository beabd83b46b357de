/* gst-cca: which components of a frame belong to which tracks
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "association.h"

#include <math.h>
#include <stdlib.h>

#include "array.h"
#include "grid.h"

/* The cost of no component: of a track that nothing else explains; of one that a component covers, unless that is a
 * single object, which the track that was seen in it keeps; and of one that was not seen in the last frame though
 * nothing hides it: another object may be there by now. Costs are squared Mahalanobis distances, or add to one. */
#define COST_ALONE 24.0
#define COST_COVERED 6.0
#define COST_LOST 6.0
#define GATE 16.0

/* A lost track is found again in a component that shares this part of their union with its prediction, or along one
 * axis that part of it: behind a pole, say, an object is late on its way, or comes out of it side by side. */
#define FOUND 0.3
#define FOUND_ALONG 0.9

/* Standard deviations of the logarithms of a size and an area, from frame to frame. */
#define SIZE_NOISE 0.3
#define AREA_NOISE 0.4

/* What the place and the size of a track count that comes out of a shared component: where it is was estimated. */
#define SHARED_PLACE 0.06
#define SHARED_SIZE 3.0
#define SHARED_SIZE_MOST 16.0

/* Penalty that makes confirmed tracks win; and for another kind, which detectors also mistake. */
#define COST_TENTATIVE 2.0
#define COST_KIND 4.0

/* A frame moves a track off its prediction by no more than this part of its longer side; by so much more where the
 * prediction is of a shared component; and by so much more for each
 * second in which it was not seen, up to so much, and by this part of what it moves. */
#define STEP 0.5
#define STEP_SHARED 0.15
#define STEP_UNSEEN 0.5
#define STEP_UNSEEN_MOST 0.75
#define STEP_OF_SPEED 0.5

/* A track that turned is found so far from where it was, of what it moves in a frame. One that was seen once may have
 * moved by so many of its sizes, and by so many of the frame's diagonals in a second. */
#define TURN 1.2
#define NEW_SIZES 8.0
#define NEW_DIAGONALS 2.5
#define COST_FAR 12.0

/* A component covers a track that has so much of its box in the component's; a component with so much of its own box in
 * a track's may be its part. */
#define COVERED 0.5
#define INSIDE 0.7

/* A track's box over its components may be larger than the track by this factor; so much of it must be theirs. A part
 * that is less of the track says nothing of it. */
#define LARGEST 1.25
#define DENSE 0.5
#define LEAST_PART 0.15

/* A single object and what is beside it are two if they are this much wider. */
#define BESIDE 1.3

/* The areas of a track and of a component that is all of it differ by no more than this factor. */
#define LIKE 3.0

/* The logarithms of a size and an area, each with something added, so that specks of a few pixels are like each other.
 */
typedef struct
{
  double side[2], area;
} LogSize;

/* What is known of a track in this frame. */
typedef struct
{
  GstCcaBox predicted;
  GstCcaBox box; /* over its components so far */
  double filled; /* the areas of their boxes, pixels */
  LogSize size;
  uint32_t n_components;
  uint32_t cover; /* the component that covers it best, or GST_CCA_UNASSIGNED */
} View;

struct GstCcaAssociation
{
  GstCcaAssignment *assignment;
  GstCcaGrid *grid; /* of the components */

  /* This frame's. */
  const GstCcaTrackerFrame *frame;
  const GstCcaBox *boxes;
  const bool *singles;
  const GstCcaLook *looks;
  const Track *tracks;
  const GstCcaMotion *predicted;
  size_t n_tracks;
  double seconds;

  View *views; /* of the tracks */
  size_t views_room;
  uint32_t *users; /* tracks of each component */
  size_t users_room;
  uint64_t *ages; /* of the oldest confirmed ones, frames */
  size_t ages_room;
  GstCcaPair *pairs;
  size_t pairs_room, n_pairs;
  double *alone;
  size_t alone_room;
  uint32_t *columns;
  size_t columns_room;
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
  free (association->views);
  free (association->users);
  free (association->ages);
  free (association->pairs);
  free (association->alone);
  free (association->columns);
  free (association->links);
  free (association);
}

GstCcaSides
gst_cca_association_sides (const GstCcaTrackerFrame *frame, const GstCcaBox *box)
{
  return (box->min[0] > 0.0 ? GST_CCA_SIDE_MIN (0) : 0) | (box->max[0] < frame->width ? GST_CCA_SIDE_MAX (0) : 0)
         | (box->min[1] > 0.0 ? GST_CCA_SIDE_MIN (1) : 0) | (box->max[1] < frame->height ? GST_CCA_SIDE_MAX (1) : 0);
}

/* --- What is known of tracks and components ---------------------------------------------------------- */

static double
square (double x)
{
  return x * x;
}

static LogSize
log_size (double width, double height, double area)
{
  return (LogSize) { { log (width + 1.0), log (height + 1.0) }, log (area + 2.0) };
}

static LogSize
size_of_component (const GstCcaAssociation *association, uint32_t component)
{
  const GstCcaTrackerComponent *c = &association->frame->components[component];

  return log_size (c->width, c->height, c->area > 0 ? (double) c->area : (double) c->width * c->height);
}

static double
longer_side (const Track *track)
{
  return gst_cca_max (track->motion.size[0], track->motion.size[1]);
}

/* Returns how far the centre of a box is from a track's prediction along the farther axis, pixels. */
static double
offset_of (const GstCcaBox *box, const GstCcaBox *predicted)
{
  double most = 0.0;

  for (int i = 0; i < 2; i++)
    most = gst_cca_max (most, fabs (box->min[i] + box->max[i] - predicted->min[i] - predicted->max[i]) / 2.0);
  return most;
}

/* Returns how far from its prediction a track may be found. */
static double
reach_of (const GstCcaAssociation *association, const Track *track)
{
  const double side = longer_side (track) + 1.0;

  return side
             * (STEP + (track->shares ? STEP_SHARED : 0.0)
                + gst_cca_min (STEP_UNSEEN * track->unseen, STEP_UNSEEN_MOST))
         + STEP_OF_SPEED * track->pace * association->seconds;
}

/* Returns how far from its last place a track that left its prediction may be found. */
static double
reach_of_turn (const GstCcaAssociation *association, const Track *track)
{
  const double diagonal = gst_cca_length (association->frame->width, association->frame->height);

  if (track->hits > 1)
    return STEP * longer_side (track) + TURN * track->pace * association->seconds;
  return gst_cca_max (longer_side (track), gst_cca_min (NEW_DIAGONALS * diagonal * association->seconds,
                                                        NEW_SIZES * (longer_side (track) + 1.0)));
}

/* Returns what a component's size says against a track; a side that is not seen says nothing. */
static double
cost_of_size (const Track *track, const LogSize *expected, const LogSize *size, GstCcaSides seen)
{
  double cost = 0.0;

  for (int i = 0; i < 2; i++)
    if ((seen & GST_CCA_SIDE_MIN (i)) && (seen & GST_CCA_SIDE_MAX (i)))
      cost += square ((size->side[i] - expected->side[i]) / SIZE_NOISE);
  if (seen == GST_CCA_ALL_SIDES && track->area > 0.0)
    cost += square ((size->area - expected->area) / AREA_NOISE);
  return cost;
}

static double
cost_of_kind (const GstCcaAssociation *association, const Track *track, uint32_t component)
{
  const uint32_t kind = association->frame->components[component].kind;

  return kind != 0 && track->kind != 0 && kind != track->kind ? COST_KIND : 0.0;
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
add_link (GstCcaAssociation *association, uint32_t track, uint32_t component, bool covered)
{
  View *view = &association->views[track];

  if (!GST_CCA_RESERVE (association->links, association->links_room, association->n_links + 1))
    return false;
  association->links[association->n_links++] = (GstCcaLink) { track, component, covered };
  view->box = view->n_components++ > 0 ? gst_cca_box_join (&view->box, &association->boxes[component])
                                       : association->boxes[component];
  view->filled += gst_cca_box_area (&association->boxes[component]);
  association->users[component]++;
  if (gst_cca_track_is_confirmed (&association->tracks[track]))
    association->ages[component] = gst_cca_max (association->ages[component], association->tracks[track].age);
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
    if (association->columns[i] != GST_CCA_UNASSIGNED
        && !add_link (association, (uint32_t) i, association->columns[i], false))
      return false;
  return true;
}

/* --- Step 1 ------------------------------------------------------------------------------------------ */

/* Returns whether a track was not seen in the last frame, and nothing hides it. */
static bool
is_lost (const Track *track)
{
  return track->unseen > 0.0 && !track->shares;
}

/* Finds the component that covers a track best. */
static void
find_cover (GstCcaAssociation *association, uint32_t track, const uint32_t *found, size_t n_found)
{
  View *view = &association->views[track];
  const double area = gst_cca_box_area (&view->predicted);
  double best = 0.0;

  if (!gst_cca_track_is_confirmed (&association->tracks[track]) && !association->tracks[track].shares)
    return;
  for (size_t i = 0; i < n_found; i++) {
    const GstCcaBox *box = &association->boxes[found[i]];
    const double inside = gst_cca_box_shared (box, &view->predicted);
    const double smaller = gst_cca_min (area, gst_cca_box_area (box));

    if (inside >= COVERED * smaller && inside / smaller > best && area >= LEAST_PART * gst_cca_box_area (box)) {
      best = inside / smaller;
      view->cover = found[i];
    }
  }
}

/* Returns whether a lost track may be found in a component. The covariance of its prediction says too little: it grows
 * so fast that a new object beside that place is within it. */
static bool
is_found (const GstCcaBox *predicted, const GstCcaBox *box)
{
  const GstCcaBox both = gst_cca_box_clip (predicted, box), all = gst_cca_box_join (predicted, box);
  const double shared = gst_cca_box_shared (predicted, box);

  for (int i = 0; i < 2; i++)
    if (both.max[i] - both.min[i] >= FOUND_ALONG * (all.max[i] - all.min[i]))
      return true;
  return shared >= FOUND * (gst_cca_box_area (predicted) + gst_cca_box_area (box) - shared);
}

/* Adds the pairs of a track with what is near it that do not cost more than none: others are never assigned. */
static bool
collect_near (GstCcaAssociation *association, uint32_t track)
{
  const Track *candidate = &association->tracks[track];
  const GstCcaMotion *predicted = &association->predicted[track];
  View *view = &association->views[track];
  const double reach = reach_of (association, candidate);
  /* Colours tell whether it is the same object. */
  const bool must_overlap = is_lost (candidate) && association->looks == NULL;
  const GstCcaBox area = gst_cca_box_grow (&view->predicted, reach);
  const uint32_t *found;
  size_t n_found;
  double alone = COST_ALONE;

  found = gst_cca_grid_find (association->grid, &area, &n_found);
  find_cover (association, track, found, n_found);
  if (is_lost (candidate))
    alone = COST_LOST;
  else if (view->cover != GST_CCA_UNASSIGNED && (candidate->unseen > 0.0 || !association->singles[view->cover]))
    alone = COST_COVERED;
  for (size_t i = 0; i < n_found; i++) {
    const GstCcaBox *box = &association->boxes[found[i]];
    const GstCcaSides sides = gst_cca_association_sides (association->frame, box);
    GstCcaInnovation innovation;
    LogSize size;
    double cost;

    if (offset_of (box, &view->predicted) > reach || (must_overlap && !is_found (&view->predicted, box)))
      continue;
    innovation = gst_cca_motion_compare (predicted, box, sides);
    cost = gst_cca_motion_distance (predicted, &innovation);
    size = size_of_component (association, found[i]);
    if ((cost > GATE && !candidate->shares) || fabs (size.area - view->size.area) > log (LIKE))
      continue;
    if (candidate->shares)
      cost = SHARED_PLACE * gst_cca_min (cost, GATE)
             + gst_cca_min (SHARED_SIZE * cost_of_size (candidate, &view->size, &size, sides), SHARED_SIZE_MOST);
    else
      cost += cost_of_size (candidate, &view->size, &size, innovation.seen);
    cost += gst_cca_track_is_confirmed (candidate) ? 0.0 : COST_TENTATIVE;
    cost += cost_of_kind (association, candidate, found[i]);
    if (gst_cca_track_is_confirmed (candidate) && association->looks != NULL)
      cost += gst_cca_look_cost (&candidate->look, &association->looks[found[i]]);
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
    if ((association->tracks[i].hits > 1 || association->tracks[i].shares) && !collect_near (association, (uint32_t) i))
      return false;
  }
  return assign (association);
}

/* --- Steps 2 and 3 ----------------------------------------------------------------------------------- */

/* A lost track may be behind an object only if that was there before. */
static bool
link_covered (GstCcaAssociation *association)
{
  for (size_t i = 0; i < association->n_tracks; i++) {
    const View *view = &association->views[i];
    const uint32_t cover = view->cover;
    const bool is_own = association->frame->whole && cover != GST_CCA_UNASSIGNED && association->users[cover] == 0;

    if (view->n_components > 0 || cover == GST_CCA_UNASSIGNED
        || (is_lost (&association->tracks[i]) && association->ages[cover] <= association->tracks[i].misses)
        || (is_own && cost_of_kind (association, &association->tracks[i], cover) > 0.0))
      continue;
    if (!add_link (association, (uint32_t) i, cover, !is_own))
      return false;
  }
  return true;
}

/* Takes components that cover confirmed tracks from tentative ones: those began with a part of the same object, which
 * something cut. */
static void
drop_parts (GstCcaAssociation *association)
{
  size_t n = 0;

  for (size_t i = 0; i < association->n_links; i++) {
    const GstCcaLink link = association->links[i];
    const Track *candidate = &association->tracks[link.track];

    if (gst_cca_track_is_confirmed (candidate) || candidate->shares || association->users[link.component] == 1) {
      association->links[n++] = link;
    } else {
      association->users[link.component]--;
      association->views[link.track].n_components = 0;
    }
  }
  association->n_links = n;
}

/* Returns whether a component may be a part of a track. */
static bool
is_inside (const GstCcaAssociation *association, const GstCcaBox *area, uint32_t component)
{
  const GstCcaBox *part = &association->boxes[component];

  return association->users[component] == 0 && gst_cca_box_shared (part, area) >= INSIDE * gst_cca_box_area (part);
}

/* Returns whether a component and those that a track has make one object. */
static bool
completes (const GstCcaAssociation *association, uint32_t track, uint32_t component)
{
  const double *size = association->tracks[track].motion.size;
  const View *view = &association->views[track];
  const GstCcaBox *part = &association->boxes[component], box = gst_cca_box_join (&view->box, part);

  /* Two objects beside each other are not one, however large a track was that had both. */
  if (association->singles[component] && box.max[0] - box.min[0] > BESIDE * (part->max[0] - part->min[0]))
    return false;
  for (int i = 0; i < 2; i++)
    if (box.max[i] - box.min[i] > LARGEST * size[i] + 2.0)
      return false;
  return view->filled + gst_cca_box_area (part) >= DENSE * gst_cca_box_area (&box);
}

/* Gives a track without components the largest of its kind that lies in its box. */
static bool
link_largest (GstCcaAssociation *association, uint32_t track, const GstCcaBox *area, const uint32_t *found, size_t n)
{
  double most = LEAST_PART * gst_cca_box_area (&association->views[track].predicted);
  uint32_t largest = GST_CCA_UNASSIGNED;

  for (size_t i = 0; i < n; i++)
    if (gst_cca_box_area (&association->boxes[found[i]]) >= most && is_inside (association, area, found[i])
        && cost_of_kind (association, &association->tracks[track], found[i]) <= 0.0) {
      most = gst_cca_box_area (&association->boxes[found[i]]);
      largest = found[i];
    }
  return largest == GST_CCA_UNASSIGNED || add_link (association, track, largest, false);
}

static bool
link_parts (GstCcaAssociation *association)
{
  for (uint32_t i = 0; i < association->n_tracks; i++) {
    const Track *candidate = &association->tracks[i];
    const GstCcaBox area = gst_cca_box_grow (&association->views[i].predicted, 1.0 + 0.1 * longer_side (candidate));
    const uint32_t *found;
    size_t n_found;

    if (candidate->hits <= 1)
      continue;
    found = gst_cca_grid_find (association->grid, &area, &n_found);
    if (association->views[i].n_components == 0 && !link_largest (association, i, &area, found, n_found))
      return false;
    for (size_t k = 0; k < n_found && association->views[i].n_components > 0 && !association->frame->whole; k++)
      if (is_inside (association, &area, found[k]) && completes (association, i, found[k])
          && !add_link (association, i, found[k], false))
        return false;
  }
  return true;
}

/* --- Step 4 ------------------------------------------------------------------------------------------ */

static bool
collect_far (GstCcaAssociation *association, uint32_t track)
{
  const Track *candidate = &association->tracks[track];
  const View *view = &association->views[track];
  const double reach = reach_of_turn (association, candidate);
  GstCcaBox last = view->predicted, area;
  const uint32_t *found;
  size_t n_found;

  for (int i = 0; i < 2; i++) {
    const double step = candidate->motion.centre[i].velocity * association->seconds;

    last.min[i] -= step;
    last.max[i] -= step;
  }
  area = gst_cca_box_grow (&last, reach);
  found = gst_cca_grid_find (association->grid, &area, &n_found);
  for (size_t i = 0; i < n_found; i++) {
    const double distance = offset_of (&association->boxes[found[i]], &last) / reach;
    const LogSize size = size_of_component (association, found[i]);
    double cost;

    if (association->users[found[i]] > 0 || distance > 1.0 || fabs (size.area - view->size.area) > log (LIKE))
      continue;
    cost = 9.0 * distance * distance
           + cost_of_size (candidate, &view->size, &size,
                           gst_cca_association_sides (association->frame, &association->boxes[found[i]]))
           + cost_of_kind (association, candidate, found[i]);
    if (cost <= COST_FAR && !add_pair (association, track, found[i], cost))
      return false;
  }
  association->alone[track] = COST_FAR;
  return true;
}

static bool
assign_far (GstCcaAssociation *association)
{
  association->n_pairs = 0;
  for (size_t i = 0; i < association->n_tracks; i++) {
    association->alone[i] = 0.0;
    if (association->views[i].n_components == 0 && association->tracks[i].unseen <= 0.0
        && !collect_far (association, (uint32_t) i))
      return false;
  }
  return assign (association);
}

/* ----------------------------------------------------------------------------------------------------- */

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
prepare (GstCcaAssociation *association)
{
  const size_t n_tracks = association->n_tracks, n_components = association->frame->n_components;

  if (!GST_CCA_RESERVE (association->views, association->views_room, n_tracks)
      || !GST_CCA_RESERVE (association->alone, association->alone_room, n_tracks)
      || !GST_CCA_RESERVE (association->columns, association->columns_room, n_tracks)
      || !GST_CCA_RESERVE (association->users, association->users_room, n_components)
      || !GST_CCA_RESERVE (association->ages, association->ages_room, n_components))
    return false;
  for (size_t i = 0; i < n_tracks; i++) {
    const Track *track = &association->tracks[i];

    association->views[i] = (View) { .predicted = gst_cca_motion_box (&association->predicted[i]),
                                     .size = log_size (track->motion.size[0], track->motion.size[1], track->area),
                                     .cover = GST_CCA_UNASSIGNED };
  }
  for (size_t i = 0; i < n_components; i++)
    association->users[i] = association->ages[i] = 0;
  association->n_links = 0;
  return true;
}

bool
gst_cca_association_run (GstCcaAssociation *association, const GstCcaTrackerFrame *frame, const GstCcaBox *boxes,
                         const bool *singles, const GstCcaLook *looks, const Track *tracks,
                         const GstCcaMotion *predicted, size_t n_tracks, double seconds, const GstCcaLink **links,
                         size_t *n_links)
{
  association->frame = frame;
  association->boxes = boxes;
  association->singles = singles;
  association->looks = looks;
  association->tracks = tracks;
  association->predicted = predicted;
  association->n_tracks = n_tracks;
  association->seconds = seconds;
  if (!prepare (association) || !gst_cca_grid_fill (association->grid, boxes, frame->n_components, n_tracks)
      || !assign_near (association) || !link_covered (association))
    return false;
  drop_parts (association);
  if (!link_parts (association) || !assign_far (association))
    return false;
  sort_links (association->links, association->n_links);
  *links = association->links;
  *n_links = association->n_links;
  return true;
}
