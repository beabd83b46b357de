/* gst-cca: tracks, and which components of a frame belong to which
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#ifndef GST_CCA_ASSOCIATION_H
#define GST_CCA_ASSOCIATION_H

#include "assignment.h"
#include "box.h"
#include "look.h"
#include "motion.h"
#include "tracker.h"

/* What the tracker knows of a track. */
typedef struct
{
  uint64_t id;
  GstCcaMotion motion;
  GstCcaObjectState state;
  GstCcaBox box, last; /* over its components, or where it is estimated: in this frame and in the last one */
  double centroid[2];
  GstCcaLook look;
  double area;                    /* of the whole object, pixels */
  double unseen, hidden;          /* seconds since it was last seen; of these, others hid it */
  uint64_t measured_area;         /* pixels, the last time that its components were its own */
  uint64_t first_seen, last_seen; /* ns */
  double pace;                    /* how far its box's centre moves in a second, along the farther axis: pixels */
  double partly;                  /* seconds for which only a part of it has been seen */
  double start[2];                /* the centre of its first box */
  bool has_come;                  /* it was once so far from there that it must have moved */
  double place[2];                /* where its centre has stayed … */
  uint64_t still_since;           /* … since then, ns */
  double sampled;                 /* seconds since it was a sample of the sizes */
  uint32_t age, hits, misses;
  bool shares;    /* its component is others', too */
  uint32_t label; /* of its largest component, or 0 */
  uint32_t kind;  /* see gst_cca_track_learn_kind(); 0: not known */
  uint32_t votes; /* for this kind, less those for others since */
  size_t first_label, n_labels;
} Track;

static inline bool
gst_cca_track_is_confirmed (const Track *track)
{
  return track->state != GST_CCA_OBJECT_TENTATIVE;
}

/* A component of a track; track and component are numbers. */
typedef struct
{
  uint32_t track, component;
  bool covered; /* it only covers the track's prediction: step 2 */
} GstCcaLink;

typedef struct GstCcaAssociation GstCcaAssociation;

/* Returns NULL if memory is exhausted. One thread at a time. */
GstCcaAssociation *gst_cca_association_new (void);
void gst_cca_association_free (GstCcaAssociation *association); /* NULL is allowed */

/* Finds each track's components, in this order:
 *   1. one for each track near its prediction, by least cost;
 *   2. for a track without one, the component that covers its prediction: objects have merged in it. Of one that was
 *      not seen in the last frame though nothing hides it, only if another has the component. Tentative tracks lose
 *      components that they would share so;
 *   3. for a component without a track, the track whose box it completes: the object was cut. If components are whole
 *      objects, only a track that has none yet;
 *   4. for what is left and was seen in the last frame, a component that is not farther away than the track moves in a
 *      frame: it turned.
 * seconds have passed since the last frame. predicted are the tracks' motions in this frame. boxes and looks, NULL
 * where these say nothing, are the components', n_components of them; singles says which of them are surely one object.
 * On success *links has *n_links elements, by track and then by component, valid until the next call. Returns FALSE if
 * memory is exhausted.
 */
bool gst_cca_association_run (GstCcaAssociation *association, const GstCcaTrackerFrame *frame, const GstCcaBox *boxes,
                              const bool *singles, const GstCcaLook *looks, const Track *tracks,
                              const GstCcaMotion *predicted, size_t n_tracks, double seconds, const GstCcaLink **links,
                              size_t *n_links);

/* Returns the sides of a box that do not lie at the frame's border. */
GstCcaSides gst_cca_association_sides (const GstCcaTrackerFrame *frame, const GstCcaBox *box);

#endif
