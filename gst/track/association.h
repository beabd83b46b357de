/* gst-cca: which components of a frame belong to which tracks
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#ifndef GST_CCA_ASSOCIATION_H
#define GST_CCA_ASSOCIATION_H

#include "assignment.h"
#include "box.h"
#include "look.h"
#include "motion.h"
#include "tracker.h"

/* A track, as far as its components depend on it. */
typedef struct
{
  const GstCcaMotion *motion; /* predicted for this frame */
  double area;                /* pixels, of the whole object; 0: not known */
  double unseen;              /* seconds since it was last seen, before this frame */
  double step;                /* how far it moves in the time of this frame, pixels */
  uint32_t hits;              /* frames in which it was seen */
  const GstCcaLook *look;
  uint32_t kind; /* 0: not known */
  bool confirmed;
  bool shares; /* its component in the last frame was others', too */
} GstCcaCandidate;

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
 * seconds have passed since the last frame. boxes and looks, NULL where these say nothing, are the components',
 * n_components of them; singles says which of them are surely one object. On success *links has *n_links elements, by
 * track and then by component, valid until the next call. Returns FALSE if memory is exhausted.
 */
bool gst_cca_association_run (GstCcaAssociation *association, const GstCcaTrackerFrame *frame, const GstCcaBox *boxes,
                              const bool *singles, const GstCcaLook *looks, const GstCcaCandidate *tracks,
                              size_t n_tracks, double seconds, const GstCcaLink **links, size_t *n_links);

/* Returns the sides of a box that do not lie at the frame's border. */
GstCcaSides gst_cca_association_sides (const GstCcaTrackerFrame *frame, const GstCcaBox *box);

#endif
