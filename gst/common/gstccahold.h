/* gst-cca: the event by which a tracker names boxes that an analysis upstream must not learn, and says how large they
 * are SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The custom upstream event "cca-hold" describes one frame that was analysed and tracked. Its fields:
 *
 *   id            string, the analysis (GstCcaMeta.id)
 *   width, height uint, the size of the frame, pixels
 *   running-time  uint64, of the frame, ns; GST_CLOCK_TIME_NONE where it has none
 *   object-area   double, the area of the box of a typical object that moves, pixels; 0: not known
 *   boxes         GstValueArray of GstStructure "box", one for each object: x, y, width, height (uint, pixels, within
 *                 the frame) and still (uint64, ns for which the object has stood still; 0: it moves)
 *
 * The background model does not learn in the boxes from the next frame on, until the next event comes, but no longer
 * than for GST_CCA_HOLD_LONGEST, nor an object that has stood still for absorb-time. An event without boxes holds
 * nothing. Where tracker and analysis share a streaming thread, the next frame is the one behind that of the event.
 * Where objects are small, the analysis keeps smaller components, until an event says otherwise.
 * An element whose id it is takes the event; it ignores the boxes where its frames have another size. Sending the event
 * returns FALSE if no element takes it or the analysis has no model that learns.
 */
#pragma once

#include <gst/gst.h>

#define GST_CCA_HOLD_EVENT "cca-hold"
#define GST_CCA_HOLD_LONGEST GST_SECOND
#define GST_CCA_HOLD_MOST 64 /* boxes */

typedef struct
{
  guint x, y, width, height;
  guint64 still; /* ns */
} GstCcaHoldBox;

/* Returns an event, which the caller owns. */
GstEvent *gst_cca_hold_event_new (const gchar *id, guint width, guint height, GstClockTime running_time,
                                  gdouble object_area, const GstCcaHoldBox *boxes, guint n);

/* The boxes of the last event for an analysis; all zeros: none. */
typedef struct
{
  guint width, height, n;
  GstClockTime running_time;
  gdouble object_part; /* of the frame, the box of a typical object that moves; 0: not known */
  GstCcaHoldBox boxes[GST_CCA_HOLD_MOST];
} GstCcaHold;

/* Reads an event. Returns FALSE, and leaves the boxes as they were, unless it is one for this id. Boxes that are not
 * within their frame and those above GST_CCA_HOLD_MOST are left out. */
gboolean gst_cca_hold_read (GstCcaHold *self, GstEvent *event, const gchar *id);

/* Fills in the boxes that hold for a frame of this size and running time, somewhat enlarged, since objects may have
 * moved. Returns their number. */
guint gst_cca_hold_boxes (const GstCcaHold *self, guint width, guint height, GstClockTime running_time,
                          guint64 absorb_time, GstCcaHoldBox boxes[GST_CCA_HOLD_MOST]);
