/* gst-cca: groups of tracks that share components, directly or by others
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#ifndef GST_CCA_GROUPS_H
#define GST_CCA_GROUPS_H

#include "association.h"
#include "track.h"

typedef struct
{
  uint32_t n_tracks;
  GstCcaBox box;                 /* over their components */
  uint32_t alone;                /* the most frames in which one of them was seen alone */
  uint64_t first_id;             /* the least of those that have so many */
  uint32_t covering_alone;       /* the same of those tracks that are as large as the box */
  uint64_t covering_id;          /* 0: none is */
  double least[2], most[2];      /* of their predicted sides */
  double largest[2];             /* of their sizes */
  double slowest[2], fastest[2]; /* of their velocities */
  uint32_t first[2], last[2];    /* the tracks that began and ended it in the last frame */
} GstCcaGroup;

/* The groups of a frame. All zero at first. */
typedef struct
{
  uint32_t *parents; /* of the tracks in the forest of groups; GST_CCA_UNASSIGNED: it shares no component */
  size_t parents_room;
  GstCcaGroup *groups; /* by track, where it is a root */
  size_t groups_room;
  uint32_t *owners; /* of the components: their first tracks, or GST_CCA_UNASSIGNED */
  size_t owners_room;
} GstCcaGroups;

/* Frees the memory. */
void gst_cca_groups_clear (GstCcaGroups *groups);

/* Reserves what a frame needs. Returns FALSE if memory is exhausted. */
bool gst_cca_groups_reserve (GstCcaGroups *groups, size_t n_tracks, size_t n_components);

/* Makes the groups of a frame, for which memory is reserved. tracks are as they were in the frame before, predicted are
 * their motions in this one; boxes are the components', and links are sorted by track. */
void gst_cca_groups_make (GstCcaGroups *groups, const GstCcaTrackRecord *tracks, const GstCcaMotion *predicted,
                          size_t n_tracks, const GstCcaBox *boxes, size_t n_components, const GstCcaLink *links,
                          size_t n_links);

/* Returns the sides of a group's box that are one track's, by its number and prediction. seconds have passed since the
 * last frame. */
GstCcaSides gst_cca_group_sides (const GstCcaGroup *group, uint32_t track, const GstCcaMotion *predicted,
                                 double seconds);

static inline uint32_t
gst_cca_groups_root (GstCcaGroups *groups, uint32_t track)
{
  uint32_t *parents = groups->parents;

  while (parents[track] != track)
    track = parents[track] = parents[parents[track]];
  return track;
}

/* Returns a track's group, or NULL if it shares no component. */
static inline GstCcaGroup *
gst_cca_groups_find (GstCcaGroups *groups, uint32_t track)
{
  return groups->parents[track] != GST_CCA_UNASSIGNED ? &groups->groups[gst_cca_groups_root (groups, track)] : NULL;
}

/* Returns whether a component belongs to a track. */
static inline bool
gst_cca_groups_has_owner (const GstCcaGroups *groups, uint32_t component)
{
  return groups->owners[component] != GST_CCA_UNASSIGNED;
}

#endif
