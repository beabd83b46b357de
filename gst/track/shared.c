/* gst-cca: the tracker as a shared library, libccatracker, which the Python module has in its wheel
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "shared.h"

#include "array.h"

#define EXPORTED __attribute__ ((visibility ("default")))

struct CcaTracker
{
  GstCcaTracker *tracker;
  GstCcaPublished *tracks;
  size_t room;
  GstCcaGroundPicture ground; /* that the tracker knows */
};

EXPORTED CcaTracker *
cca_tracker_new (const GstCcaTrackerParams *params)
{
  CcaTracker *tracker = calloc (1, sizeof *tracker);

  if (tracker == NULL)
    return NULL;
  tracker->tracker = gst_cca_tracker_new (params);
  if (tracker->tracker == NULL) {
    free (tracker);
    return NULL;
  }
  return tracker;
}

EXPORTED void
cca_tracker_free (CcaTracker *tracker)
{
  if (tracker == NULL)
    return;
  gst_cca_tracker_free (tracker->tracker);
  free (tracker->tracks);
  free (tracker);
}

EXPORTED void
cca_tracker_reset (CcaTracker *tracker)
{
  gst_cca_tracker_reset (tracker->tracker);
}

EXPORTED int
cca_tracker_set_ground (CcaTracker *tracker, const GstCcaGroundPoint *points, size_t n, uint32_t width, uint32_t height,
                        bool people, size_t *a, size_t *b)
{
  const GstCcaGroundFault fault = gst_cca_ground_fit (&tracker->ground.ground, points, n, a, b);

  tracker->ground.width = width;
  tracker->ground.height = height;
  if (fault == GST_CCA_GROUND_FITS)
    gst_cca_tracker_set_ground (tracker->tracker, &tracker->ground, people);
  return fault;
}

EXPORTED bool
cca_tracker_run (CcaTracker *tracker, const GstCcaTrackerFrame *frame, const GstCcaPublished **tracks, size_t *n)
{
  const GstCcaObject *objects;
  size_t n_objects;

  if (!gst_cca_tracker_run (tracker->tracker, frame, &objects, &n_objects)
      || !GST_CCA_RESERVE (tracker->tracks, tracker->room, n_objects))
    return false;
  *tracks = tracker->tracks;
  *n = 0;
  for (size_t i = 0; i < n_objects; i++)
    *n += gst_cca_publish (&objects[i], frame->width, frame->height, &tracker->tracks[*n]);
  return true;
}

EXPORTED uint64_t
cca_tracker_n_confirmed (const CcaTracker *tracker)
{
  return gst_cca_tracker_n_confirmed (tracker->tracker);
}

EXPORTED bool
cca_tracker_heights (const CcaTracker *tracker, GstCcaTrackerHeight heights[2])
{
  return gst_cca_tracker_heights (tracker->tracker, heights);
}

EXPORTED double
cca_tracker_metres (const CcaTracker *tracker)
{
  return gst_cca_tracker_metres (tracker->tracker);
}
