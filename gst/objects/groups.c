/* gst-cca: groups of tracks that share components, directly or by others
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "groups.h"

#include <math.h>
#include <stdlib.h>

#include "array.h"

/* A track is as large as a box that is not larger by more than so many pixels. */
#define AS_LARGE 2.0

/* Two that are longer than the larger one by this factor lie side by side. */
#define WIDER 1.05

/* Two that share components pass each other unseen only if they move by more than this part of the larger one a frame.
 */
#define UNSEEN_STEP 0.4

/* What groups are made of. */
typedef struct
{
  const GstCcaTrackRecord *tracks;
  const GstCcaMotion *predicted;
} Members;

void
gst_cca_groups_clear (GstCcaGroups *groups)
{
  free (groups->parents);
  free (groups->groups);
  free (groups->owners);
  *groups = (GstCcaGroups) { 0 };
}

bool
gst_cca_groups_reserve (GstCcaGroups *groups, size_t n_tracks, size_t n_components)
{
  return GST_CCA_RESERVE (groups->parents, groups->parents_room, n_tracks)
         && GST_CCA_RESERVE (groups->groups, groups->groups_room, n_tracks)
         && GST_CCA_RESERVE (groups->owners, groups->owners_room, n_components);
}

static void
begin_group (GstCcaGroups *groups, uint32_t track)
{
  if (groups->parents[track] != GST_CCA_UNASSIGNED)
    return;
  groups->parents[track] = track;
  groups->groups[track] = (GstCcaGroup) { .box = { { INFINITY, INFINITY }, { -INFINITY, -INFINITY } },
                                          .least = { INFINITY, INFINITY },
                                          .most = { -INFINITY, -INFINITY },
                                          .slowest = { INFINITY, INFINITY },
                                          .fastest = { -INFINITY, -INFINITY },
                                          .first = { GST_CCA_UNASSIGNED, GST_CCA_UNASSIGNED },
                                          .last = { GST_CCA_UNASSIGNED, GST_CCA_UNASSIGNED } };
}

static void
join_groups (GstCcaGroups *groups, uint32_t track, uint32_t other)
{
  begin_group (groups, track);
  begin_group (groups, other);
  groups->parents[gst_cca_groups_root (groups, track)] = gst_cca_groups_root (groups, other);
}

/* Gives each component its first track, and joins its other tracks to that. Returns whether there are any. */
static bool
join_tracks (GstCcaGroups *groups, const GstCcaLink *links, size_t n_links)
{
  bool any = false;

  for (size_t i = 0; i < n_links; i++) {
    uint32_t *owner = &groups->owners[links[i].component];

    if (*owner == GST_CCA_UNASSIGNED) {
      *owner = links[i].track;
    } else {
      join_groups (groups, links[i].track, *owner);
      any = true;
    }
  }
  return any;
}

/* Finds the tracks whose centres were the first and the last along an axis in the frame before. */
static void
note_order (GstCcaGroup *group, const GstCcaTrackRecord *tracks, uint32_t track, int axis)
{
  const double centre = tracks[track].motion.centre[axis].position;

  if (group->first[axis] == GST_CCA_UNASSIGNED || centre < tracks[group->first[axis]].motion.centre[axis].position)
    group->first[axis] = track;
  if (group->last[axis] == GST_CCA_UNASSIGNED || centre > tracks[group->last[axis]].motion.centre[axis].position)
    group->last[axis] = track;
}

/* Enters a track, as it was in the frame before and as it is predicted. */
static void
enter_group (GstCcaGroup *group, const Members *members, uint32_t index)
{
  const GstCcaTrackRecord *track = &members->tracks[index];
  const GstCcaMotion *motion = &members->predicted[index];
  const GstCcaBox predicted = gst_cca_motion_box (motion);

  group->n_tracks++;
  if (group->n_tracks == 1 || track->alone > group->alone) {
    group->alone = track->alone;
    group->first_id = track->id;
  }
  for (int i = 0; i < 2; i++) {
    group->least[i] = gst_cca_min (group->least[i], predicted.min[i]);
    group->most[i] = gst_cca_max (group->most[i], predicted.max[i]);
    group->largest[i] = gst_cca_max (group->largest[i], motion->size[i]);
    group->slowest[i] = gst_cca_min (group->slowest[i], motion->centre[i].velocity);
    group->fastest[i] = gst_cca_max (group->fastest[i], motion->centre[i].velocity);
    note_order (group, members->tracks, index, i);
  }
}

/* Finds the track that is as large as all of its group's components together: it alone would look the same. */
static void
find_covering (GstCcaGroups *groups, const Members *members, const GstCcaLink *links, size_t n_links)
{
  for (size_t i = 0; i < n_links; i++) {
    const GstCcaTrackRecord *track = &members->tracks[links[i].track];
    GstCcaGroup *group = gst_cca_groups_find (groups, links[i].track);
    bool covers = group != NULL;

    for (int k = 0; covers && k < 2; k++)
      covers = group->box.max[k] - group->box.min[k] <= members->predicted[links[i].track].size[k] + AS_LARGE;
    if (covers && (group->covering_id == 0 || track->alone > group->covering_alone)) {
      group->covering_alone = track->alone;
      group->covering_id = track->id;
    }
  }
}

void
gst_cca_groups_make (GstCcaGroups *groups, const GstCcaTrackRecord *tracks, const GstCcaMotion *predicted,
                     size_t n_tracks, const GstCcaBox *boxes, size_t n_components, const GstCcaLink *links,
                     size_t n_links)
{
  const Members members = { tracks, predicted };

  for (size_t i = 0; i < n_tracks; i++)
    groups->parents[i] = GST_CCA_UNASSIGNED;
  for (size_t i = 0; i < n_components; i++)
    groups->owners[i] = GST_CCA_UNASSIGNED;
  if (!join_tracks (groups, links, n_links))
    return;
  for (size_t i = 0; i < n_links; i++) {
    GstCcaGroup *group = gst_cca_groups_find (groups, links[i].track);

    if (group == NULL)
      continue;
    group->box = gst_cca_box_join (&group->box, &boxes[links[i].component]);
    if (i == 0 || links[i - 1].track != links[i].track)
      enter_group (group, &members, links[i].track);
  }
  find_covering (groups, &members, links, n_links);
}

/* Whether two that share components are still side by side as they were: none hides the other, as when they pass. */
static bool
keeps_order (const GstCcaGroup *group, int axis, double seconds)
{
  const double length = group->box.max[axis] - group->box.min[axis];

  return axis == 0 && group->n_tracks == 2 && length > WIDER * group->largest[axis] + AS_LARGE
         && (group->fastest[axis] - group->slowest[axis]) * seconds < UNSEEN_STEP * group->largest[axis];
}

/* A side of the box is the side of that track which reaches farthest, and a limit for all others. */
GstCcaSides
gst_cca_group_sides (const GstCcaGroup *group, uint32_t track, const GstCcaMotion *predicted, double seconds)
{
  const GstCcaBox box = gst_cca_motion_box (predicted);
  GstCcaSides sides = 0;

  for (int i = 0; i < 2; i++) {
    if (keeps_order (group, i, seconds)) {
      sides |= group->first[i] == track ? GST_CCA_SIDE_MIN (i) : 0;
      sides |= group->last[i] == track ? GST_CCA_SIDE_MAX (i) : 0;
      continue;
    }
    if (box.min[i] <= gst_cca_max (group->least[i], group->box.min[i]))
      sides |= GST_CCA_SIDE_MIN (i);
    if (box.max[i] >= gst_cca_min (group->most[i], group->box.max[i]))
      sides |= GST_CCA_SIDE_MAX (i);
  }
  return sides;
}
