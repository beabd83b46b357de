/* gst-cca: finds the component that is exactly where one was
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#ifndef GST_CCA_STILL_H
#define GST_CCA_STILL_H

#include "assignment.h"
#include "box.h"
#include "tracker.h"

typedef struct GstCcaStill GstCcaStill;

/* Returns NULL if memory is exhausted. One thread at a time. */
GstCcaStill *gst_cca_still_new (void);
void gst_cca_still_free (GstCcaStill *still); /* NULL is allowed */

/* Enters a frame's components and their boxes, which must live until the last call for them. Returns FALSE if memory is
 * exhausted. */
bool gst_cca_still_fill (GstCcaStill *still, const GstCcaTrackerFrame *frame, const GstCcaBox *boxes);

/* Returns a component with this box and area, in pixels, that no call since gst_cca_still_fill() returned, or
 * GST_CCA_UNASSIGNED. */
uint32_t gst_cca_still_take (GstCcaStill *still, const GstCcaBox *box, uint64_t area);

#endif
