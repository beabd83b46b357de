/* gst-cca: an object that is followed, as a tracker reports it and rules judge it
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#ifndef GST_CCA_OBJECT_H
#define GST_CCA_OBJECT_H

#include <stddef.h>
#include <stdint.h>

#include "box.h"

typedef enum
{
  GST_CCA_OBJECT_TENTATIVE, /* new; may be noise */
  GST_CCA_OBJECT_CONFIRMED, /* seen: the box lies around its components */
  GST_CCA_OBJECT_MERGED,    /* seen in a component that it shares with other objects: the box is estimated */
  GST_CCA_OBJECT_COASTING   /* confirmed, but not seen: the box is predicted */
} GstCcaObjectState;

typedef struct
{
  uint64_t id; /* from 1 on; never used again, not even after a reset */
  GstCcaObjectState state;
  GstCcaBox box;                  /* it may reach over the frame's borders where it is estimated */
  double centroid[2];             /* of its components' pixels; the box's centre where it is estimated */
  double velocity[2];             /* pixels/s */
  uint64_t area;                  /* pixels of its components; merged or coasting: as last measured */
  uint32_t age;                   /* frames since its first, which counts as 1 */
  uint64_t first_seen, last_seen; /* ns: times of frames */
  bool has_come;                  /* it has moved since it was first seen, beyond what its outline does */
  uint64_t still_since;           /* ns: since this frame its centre has stayed at a place */
  uint32_t label;                 /* of the largest of its components in this frame; 0: it has none */
  const uint32_t *labels;         /* of its components in this frame, ascending */
  size_t n_labels;
  uint32_t kind; /* of most of its components of late, as a detector says; 0: not known */
} GstCcaObject;

#endif
