/* gst-cca: changes of a frame since the last line
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#ifndef GST_CCA_JSON_CHANGES_H
#define GST_CCA_JSON_CHANGES_H

#include "gstccajsonline.h"

G_BEGIN_DECLS

/* The contents of the last line. */
typedef struct
{
  gboolean any; /* whether there was one */
  gchar *id;
  guint width, height;
  guint n_components;
  GArray *tracks;   /* their ids and states */
  GArray *counters; /* of the rules */
} GstCcaJsonChanges;

void gst_cca_json_changes_init (GstCcaJsonChanges *changes);
void gst_cca_json_changes_clear (GstCcaJsonChanges *changes);

/* Forgets the last line: whatever comes is new. */
void gst_cca_json_changes_forget (GstCcaJsonChanges *changes);

/* Returns whether the parts of a frame that are written differ from the last line in more than where things are: in the
 * analysis or the frame's size, in tracks that began, ended or changed their state, or in counters; where no tracks are
 * written, in the number of components. */
gboolean gst_cca_json_changes_has_news (const GstCcaJsonChanges *changes, const GstCcaJsonFrame *frame, guint parts);

/* Makes a frame that of the last line. Returns FALSE if memory is exhausted. */
gboolean gst_cca_json_changes_remember (GstCcaJsonChanges *changes, const GstCcaJsonFrame *frame);

G_END_DECLS

#endif
